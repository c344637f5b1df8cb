"""Faults planted by hand in pages about several instructions, or about all, are found."""

from __future__ import annotations

from pathlib import Path

import pytest

import layoutgen
from layoutgen.validate.folder import scan
from layoutgen.validate.generate import generate
from layoutgen.validate.work import Job, check_page

from .conftest import Spoil, findings_in, leads_to


@pytest.mark.parametrize(
    ("text", "by", "words"),
    [
        (
            ":doc:`16 cycles, 2048 <gfx942/f32-16x16x16f16>`",
            ":doc:`8 cycles, 2048 <gfx942/f32-16x16x16f16>`",
            ("cycles: says 8", "has 16"),
        ),
        (
            ":doc:`16 cycles, 2048 <gfx942/f32-16x16x16f16>`",
            ":doc:`16 cycles, 1024 <gfx942/f32-16x16x16f16>`",
            ("per_cu: says 1024", "has 2048"),
        ),
        (":doc:`16 cycles, 2048 <gfx942/f32-16x16x16f16>`", "\\–", ("there is such an instr",)),
        (
            "``v_mfma_f32_16x16x16_f16`` on",
            "``v_mfma_f32_16x16x16_4b_f16`` on",
            ("mnemonic: says", "clang 22.1.8 has v_mfma_f32_16x16x16_f16"),
        ),
        ("     - 28\n     - 12\n", "     - 28\n     - 8\n", ("coexec: says 8", "has 12")),
    ],
)
def test_a_comparison_of_architectures(
    spoil: Spoil, text: str, by: str, words: tuple[str, ...]
) -> None:
    page = "docs/reference/mfma-instructions.rst"
    spoil("docs/reference/gfx942/f32-16x16x16f16.rst", "", "")
    root = spoil(page, text, by)
    leads_to(findings_in(root, "v_mfma_f32_16x16x16_f16", arch="gfx942"), f"{page}:", *words)


SCALED, SPARSE, F64 = (
    "v_mfma_scale_f32_16x16x128_f8f6f4", "v_smfmac_i32_16x16x64_i8", "v_mfma_f64_4x4x4_4b_f64"
)  # fmt: skip
CHOSEN = {
    SCALED: [
        ("gfx950/scaled.rst", "- 16–31, 80–95", "- 16–31, 96–111",
         ("A, lanes 16–31", "8-bit data", "says 16–31, 96–111")),
        ("gfx950/scaled.rst", "- 32–63\n", "- 32–64\n", ("k of their scale", "says 32–64")),
        ("gfx950/scaled.rst", "op_sel:[1,0,0] op_sel_hi:[0,0,0]",
         "op_sel:[1,0,0] op_sel_hi:[1,0,0]", ("byte 1 is written",)),
        ("mfma-common-parameters.rst", "FP6 (E2M3)\n     - 6", "FP6 (E2M3)\n     - 8",
         ("cbsz 2", "FP6 (E2M3), 8")),
    ],
    SPARSE: [
        ("gfx950/sparse.rst", "- 4\n     - 16\n     - 2", "- 4\n     - 16\n     - 1",
         ("Sets in a register", "the emulator reads 2")),
    ],
    F64: [
        ("gfx950/hazards.rst", "* - F64 4×4×4\n     - 8", "* - F64 4×4×4\n     - 4",
         ("passes: says 4", "has 8")),
    ],
}  # fmt: skip


@pytest.mark.parametrize("mnemonic", CHOSEN)
def test_what_a_field_chooses_on_a_shared_page(spoil: Spoil, mnemonic: str) -> None:
    slug = layoutgen.arch("gfx950")[mnemonic].slug
    root = spoil(f"docs/reference/gfx950/{slug}.rst", "", "")
    spoil(f"tables/gfx950/{slug}.json", "", "")
    for file, text, by, _ in CHOSEN[mnemonic]:
        spoil(f"docs/reference/{file}", text, by)
    findings = findings_in(root, mnemonic, arch="gfx950")
    for file, _, _, words in CHOSEN[mnemonic]:
        leads_to(findings, f"docs/reference/{file}:", *words)


def test_the_types_that_changed_from_one_architecture_to_the_next(spoil: Spoil) -> None:
    name, page = "v_mfma_f32_16x16x32_fp8_fp8", "docs/reference/mfma-instructions.rst"
    slug = layoutgen.arch("gfx950")[name].slug
    root = spoil(f"docs/reference/gfx950/{slug}.rst", "", "")
    spoil(f"tables/gfx950/{slug}.json", "", "")
    row = "* - type of A\n     - FP8 (E4M3 FNUZ)\n     - FP8 (E4M3)\n"
    spoil(page, row, row.replace("- FP8 (E4M3)\n", "- FP8 (E4M3 FNUZ)\n"))
    findings = findings_in(root, name, arch="gfx950")
    leads_to(findings, f"{page}:", "A.title: says FP8 (E4M3 FNUZ)", "has FP8 (E4M3)")


@pytest.mark.parametrize(
    ("file", "text", "by", "words"),
    [
        (
            "mfma-number-formats.rst",
            "XF32\n     - 32\n",
            "XF32\n     - 19\n",
            ("XF32", "says 19", "32"),
        ),
        (
            "mfma-number-formats.rst",
            "- A and B\n     - ``gfx942``\n   * - BF16",
            "- A and B\n     - ``gfx942`` and ``gfx950``\n   * - BF16",
            ("XF32", "says gfx942 and"),
        ),
        (
            "mfma-number-formats.rst",
            "- ``0x7D`` to ``0x7F`` and",
            "- ``0x7C`` to ``0x7F`` and",
            ("BF8 (E5M2), NaN", "the emulator reads inf"),
        ),
        (
            "mfma-number-formats.rst",
            "``0x7F`` and ``0xFF``\n     - yes",
            "``0x7F`` and ``0xFF``\n     - no",
            ("FP8 (E4M3), Negative zero",),
        ),
        (
            "mfma-number-formats.rst",
            "- FP16 and BF16\n     - flushed\n     - flushed",
            "- FP16 and BF16\n     - kept\n     - flushed",
            ("gfx90a, FP16", "A, B: kept", "a run of the emulator has Subnormal A, B: flushed"),
        ),
        (
            "mfma-number-formats.rst",
            "- FP32\n     - as MODE says\n     - kept",
            "- FP32\n     - as MODE says\n     - as MODE says",
            ("gfx942, FP32", "C, D: as MODE says", "the record has Subnormal C, D: kept"),
        ),
        (
            "gfx950/scaled.rst",
            "- 129 (0x81)",
            "- 128 (0x81)",
            ("Scale", "says 4"),
        ),
        (
            "mfma-number-formats.rst",
            "- FP64, XF32, FP16",
            "- XF32, FP16",
            ("gfx942, f64", "is not listed"),
        ),
        (
            "gfx950/sparse.rst",
            "- ``1001``\n     - 9",
            "- ``1001``\n     - 6",
            ("pair of indices", "it is 9"),
        ),
    ],
)
def test_formats_and_pairs_of_indices(
    spoil: Spoil, file: str, text: str, by: str, words: tuple[str, ...]
) -> None:
    page = f"docs/reference/{file}"
    root = spoil(page, text, by)
    findings = tuple(check_page(Job("gfx950", (), root, ()), root / page).tally.findings)
    leads_to(findings, f"{page}:", *words)


@pytest.mark.parametrize("arch", ["gfx908", "gfx942"])
def test_pages_made_for_one_architecture_hold(arch: str, tmp_path: Path) -> None:
    generate([layoutgen.arch(arch)], tmp_path)
    slugs = tuple(inst.slug for inst in layoutgen.arch(arch).values())
    shared = scan(tmp_path, arch, slugs).shared
    assert len(shared) > 5
    job = Job(arch, (), tmp_path, slugs)
    assert [str(f) for page in shared for f in check_page(job, page).tally.findings] == []
