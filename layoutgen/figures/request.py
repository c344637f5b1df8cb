"""Any figure of any operand, in any file format: what the command line and pages ask for."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from layoutgen.figures import words
from layoutgen.figures.cells import CellText
from layoutgen.figures.notes import law, meaning
from layoutgen.figures.scene import Scene
from layoutgen.model import Instruction

View: TypeAlias = Literal["matrix", "registers", "product"]
Suffix: TypeAlias = Literal["svg", "pdf", "png"]
Block: TypeAlias = int | Literal["all"] | None

VIEWS: tuple[str, ...] = get_args(View)
CELLS: tuple[str, ...] = get_args(CellText)
SUFFIXES: tuple[str, ...] = get_args(Suffix)


class FigureError(ValueError):
    """A figure that cannot be made as asked; the text says what would be right."""


def figure(
    inst: Instruction,
    operand: str,
    *,
    view: View = "matrix",
    block: Block = None,
    cell: CellText | None = None,
    heading: str | None = None,
    **modifiers: int,
) -> Scene:
    """Return a figure of an operand of `inst`.

    `view` is the matrix (cells are elements; they show the register, the lane or both), the
    register file (lanes across, registers down; always all blocks) or the product of A and B.
    `block` is a number, ``"all"``, or None: all where they are small, else block 0 (the product
    shows one).  `cell` None chooses what fits.  `modifiers` are those of
    :meth:`layoutgen.model.Instruction.operand`.  Raises :class:`FigureError`, and what that
    method raises.
    """
    chosen = inst.operand(operand, **modifiers)
    _check("view", view, VIEWS)
    if cell is not None:
        _check("cell", cell, CELLS)
    _check_block(inst, block)
    title = heading or _heading(operand, inst, view, str(chosen.modifiers))
    if view == "product":
        from layoutgen.figures.product import product

        operands = {name: inst.operand(name, **modifiers) for name in "ABD"}
        notes = [*meaning(inst, operands["A"]), words.files({operands["D"].register_files: ()})]
        shown = block if isinstance(block, int) else 0
        return product(operands, title, law(inst), block=shown, notes=notes)
    notes = [*meaning(inst, chosen), words.files({chosen.register_files: ()})]
    if view == "registers":
        from layoutgen.figures.registers import registers

        return registers(chosen, title, notes=notes)
    from layoutgen.figures.matrix import matrix, shown_blocks

    return matrix(chosen, title, blocks=shown_blocks(chosen, block), cell=cell, notes=notes)


def render(scene: Scene, suffix: Suffix, *, plain: bool = False) -> bytes:
    """Return `scene` as a file of the kind that `suffix` names: ``svg``, ``pdf`` or ``png``.

    The same scene gives the same bytes.  `plain` leaves the numbers and titles of cells out of
    an SVG.  Raises :class:`FigureError` for another kind of file.
    """
    _check("file type", suffix, SUFFIXES)
    if suffix == "svg":
        from layoutgen.figures import svg

        return svg.render(scene, plain=plain)
    if suffix == "pdf":
        from layoutgen.figures import pdf

        return pdf.render(scene)
    from layoutgen.figures import png

    return png.render(scene)


def width(svg: bytes) -> int:
    """Return how many pixels wide an SVG from :func:`render` is."""
    import re

    found = re.search(rb'<svg[^>]* width="(\d+)"', svg)
    assert found, "every figure states its width"
    return int(found[1])


def _heading(operand: str, inst: Instruction, view: str, modifiers: str) -> str:
    what = {
        "matrix": f"{operand} of {inst.mnemonic}",
        "registers": f"Register file: {operand} of {inst.mnemonic}",
        "product": f"{inst.mnemonic}: A, B and D",
    }[view]
    return f"{what} {modifiers}" if modifiers else what


def _check_block(inst: Instruction, block: Block) -> None:
    if isinstance(block, int) and not 0 <= block < inst.blocks:
        many = f"blocks 0 to {inst.blocks - 1}" if inst.blocks > 1 else "one block, 0"
        raise FigureError(f"no block {block}: {inst.mnemonic} has {many}")


def _check(what: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise FigureError(f"no {what} {value!r}: there are {words_of(known)}")


def words_of(names: tuple[str, ...]) -> str:
    """Return ``a, b and c``."""
    return f"{', '.join(names[:-1])} and {names[-1]}"
