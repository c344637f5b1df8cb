"""Any figure of any operand, and any file format: what the command line and pages ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from layoutgen.figures.cells import CellText
from layoutgen.figures.scene import Scene

if TYPE_CHECKING:
    from layoutgen.model import Instruction

View: TypeAlias = Literal["matrix", "registers", "product"]
Suffix: TypeAlias = Literal["svg", "pdf", "png"]


def figure(
    inst: Instruction,
    operand: str,
    *,
    view: View = "matrix",
    block: int | Literal["all"] | None = None,
    cell: CellText | None = None,
    heading: str | None = None,
    **modifiers: int,
) -> Scene:
    from layoutgen.figures.matrix import matrix, shown_blocks

    chosen = inst.operand(operand, **modifiers)
    return matrix(
        chosen,
        heading or f"{operand} of {inst.mnemonic}",
        blocks=shown_blocks(chosen, block),
        cell=cell,
    )


def render(scene: Scene, suffix: Suffix, *, plain: bool = False) -> bytes:
    from layoutgen.figures import svg

    return svg.render(scene, plain=plain)
