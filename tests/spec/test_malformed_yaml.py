"""Files that are no good YAML, or YAML that readers do not agree on: one located message each."""

from __future__ import annotations

import pytest

TILE, ARCH = "tile-32x32.yaml", "toy.yaml"
D_ROWS = "i: [sub, half, band]"


@pytest.mark.parametrize(
    ("code", "file", "old", "new", "words"),
    [
        pytest.param(f"spec-{code}", file, old, new, words, id=f"{code}: {what}")
        for code, what, file, old, new, words in [
            ("empty", "no data", TILE, "", "", "no data"),
            ("empty", "comments only", TILE, "", "# to do\n", "no data"),
            ("empty", "empty mapping", TILE, "", "{}", "empty"),
            ("type", "a list", TILE, "", "- a\n- b\n", "found a list; wanted a mapping"),
            ("type", "a text", TILE, "", "32x32\n", "found the text '32x32'"),
            ("syntax", "bracket", TILE, D_ROWS, "i: [sub, half\n    j§: [col]", "not YAML"),
            ("syntax", "a tab for indentation", TILE, "\n    j: [col]", "\n§\tj: [col]", "tab"),
            ("syntax", "a colon too many", ARCH, "title: Toy", "title: Toy§: yes", "mapping"),
            ("character", "control", ARCH, "title: Toy", "title: T§\x07oy", "U+0007"),
            ("character", "NUL", ARCH, "title: Toy", "title: T§\x00oy", "U+0000"),
            ("character", "NUL by escape", ARCH, "title: Toy", 'title: §"T\\0oy"', "U+0000"),
            ("character", "hidden line break", ARCH, "title: Toy", "title: T§\u2028oy", "2028"),
            ("character", "reversed text", ARCH, "title: Toy", "title: T§\u202eoy", "202E"),
            ("documents", "two documents", ARCH, "wave: 64", "wave: 64\n§---\na: 1", "second"),
            ("alias", "anchor", TILE, D_ROWS, "i: §&rows [sub, half, band]", "&rows"),
            ("alias", "alias", TILE, D_ROWS, "i: §*rows", "*rows is not allowed"),
            ("key", "merge key", ARCH, "wave: 64", "§<<: {wave: 64}", "special key"),
            ("tag", "tag", ARCH, "wave: 64", "wave: §!!int 64", "value alone"),
            ("tag", "python tag", ARCH, "wave: 64", "wave: §!!python/name:os.system 1", "tag"),
            ("key", "on", ARCH, "wave: 64", "§on: 64", 'boolean True in YAML 1.1: … "on"'),
            ("key", "number", ARCH, "{A: 1,", "{§32: 1,", 'number 32: … "32"'),
            ("key", "true", ARCH, "wave: 64", "§true: 64", "the boolean true"),
            ("key", "null", ARCH, "wave: 64", "§~: 64", "nothing"),
            ("key", "list", ARCH, "wave: 64", "? §[a, b]\n: 64", "cannot be a key"),
            ("duplicate-key", "top", ARCH, "wave: 64", "wave: 64\n§title: Toi", "in line 3"),
            ("duplicate-key", "deep", TILE, "{sub: 4, ", "{sub: 4, §sub: 8, ", "'sub'"),
            ("ambiguous", "017", ARCH, "wave: 64", "wave: §0100", "is 64: write 64 or 100"),
            ("ambiguous", "0o17", ARCH, "wave: 64", "wave: §0o100", "1.2 … write 64"),
            ("ambiguous", "08", ARCH, "cycles: 8,", "cycles: §08,", "write 8,"),
            ("ambiguous", "hex", ARCH, "wave: 64", "wave: §0x40", "hexadecimal … write 64"),
            ("ambiguous", "binary", ARCH, "cycles: 8,", "cycles: §0b1000,", "write 8,"),
            ("ambiguous", "base 60", ARCH, "cycles: 64,", "cycles: §1:04,", "base 60 … 64"),
            ("ambiguous", "1_000", ARCH, "_units: 120", "_units: §1_20", "write 120"),
            ("ambiguous", "1e3", ARCH, "1.502", "§1.5e3", "number in some versions"),
            ("ambiguous", "+5", ARCH, "cycles: 8,", "cycles: §+8,", "write the number as"),
            ("ambiguous", "nan", ARCH, "1.502", "§.nan", "no finite number"),
            ("ambiguous", "30 digits", ARCH, "wave: 64", f"wave: §{'9' * 30}", "too long"),
            ("ambiguous", "yes", ARCH, "title: Toy", "title: §yes", 'boolean True … "yes"'),
            ("ambiguous", "off", ARCH, "series: Toy 100", "series: §Off", "boolean False"),
            ("ambiguous", "date", ARCH, "title: Toy", "title: §2024-01-31", "a date"),
            ("no-value", "key", ARCH, "wave: 64", "§wave:", "'wave' has no value"),
            ("no-value", "entry", ARCH, "[demo, sample]", "[demo, §~]", "this entry"),
        ]
    ],
)
def test_yaml_is_refused_where_it_goes_wrong(refused, code, file, old, new, words):
    found = refused((file, old, new))
    assert found.code == code
    assert all(part in found.message for part in words.split(" … "))
