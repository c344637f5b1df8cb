"""``layoutgen figure``: pictures in every format."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

D = "figure gfx908 v_mfma_f32_16x16x4f16 D"
SVG = "{http://www.w3.org/2000/svg}"


def cells(path: Path) -> set[tuple[int, int, int]]:
    """Return block, row and column of every cell; a cell has those of the groups it is in."""
    found = set()

    def walk(node: ET.Element, outer: dict[str, str]) -> None:
        known = {**outer, **node.attrib}
        named = [known.get(f"data-{name}") for name in "bij"]
        if node.find(f"{SVG}title") is not None and None not in named:
            found.add(tuple(map(int, named)))
        for child in node:
            walk(child, known)

    walk(ET.parse(path).getroot(), {})
    return found


def test_an_svg_has_a_cell_for_every_element_of_the_block(ask, tmp_path: Path) -> None:
    path = tmp_path / "d.svg"
    assert ask(f"{D} --block 0 -o", path).out == ""
    assert cells(path) == {(0, i, j) for i in range(16) for j in range(16)}


def test_all_blocks(ask, tmp_path: Path) -> None:
    path = tmp_path / "d.svg"
    ask(f"{D} --block all -o", path)
    assert cells(path) == {(b, i, j) for b in range(4) for i in range(16) for j in range(16)}


@pytest.mark.parametrize(
    ("name", "magic"), [("d.svg", b"<"), ("d.pdf", b"%PDF-"), ("d.png", b"\x89PNG\r\n")]
)
def test_the_suffix_says_the_format(ask, tmp_path: Path, name: str, magic: bytes) -> None:
    path = tmp_path / name
    ask(f"{D} -o", path)
    assert path.read_bytes().startswith(magic)
    other = tmp_path / "other"
    ask(f"{D} --format {path.suffix[1:]} -o", other)
    assert other.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("view", ["matrix", "registers", "product"])
def test_every_view(ask, tmp_path: Path, view: str) -> None:
    path = tmp_path / "d.svg"
    ask(f"{D} --view {view} -o", path)
    assert ET.parse(path).getroot().tag == f"{SVG}svg"


def test_plain_is_smaller(ask, tmp_path: Path) -> None:
    full, plain = tmp_path / "full.svg", tmp_path / "plain.svg"
    ask(f"{D} -o", full)
    ask(f"{D} --plain -o", plain)
    assert plain.stat().st_size < full.stat().st_size


def test_modifiers_change_the_picture_of_a(ask, tmp_path: Path) -> None:
    line = "figure gfx908 v_mfma_f32_16x16x4f16 A --block all -o"
    plain, shared = tmp_path / "plain.svg", tmp_path / "shared.svg"
    ask(line, plain)
    ask(line, shared, "--cbsz", 2, "--abid", 1)
    assert plain.read_bytes() != shared.read_bytes()
