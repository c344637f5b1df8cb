"""``layout-comparison``: two or more instructions side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes

from layoutgen.sphinx.directives import options as opt
from layoutgen.sphinx.directives.base import LayoutDirective, operand_name
from layoutgen.sphinx.directives.options import Option
from layoutgen.sphinx.fragments import reference
from layoutgen.sphinx.grid import table
from layoutgen.sphinx.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from layoutgen.model import Operand
    from layoutgen.sphinx.library import Subject

NOTHING = "–"


class Comparison(LayoutDirective):
    """Shows in what instructions are alike and in what they differ."""

    example: ClassVar[str] = "gfx908.v_mfma_f32_32x32x1f32 gfx908.v_mfma_f32_32x32x2f32"
    options_declared: ClassVar[Mapping[str, Option]] = {
        **opt.ARCH,
        "operand": Option(opt.OPERANDS, "The operands whose layouts are compared. Default: A B D."),
        "differences": Option("(nothing)", "Only the rows that differ.", opt.flag),
        "title": Option("text", "The title of the table."),
        **opt.COMMON,
    }

    def build(self) -> list[nodes.Node]:
        """Return the table: a column for each instruction, a row for each fact."""
        subjects = [self.resolve(n) for n in self.argument.replace(",", " ").split()]
        if len(subjects) < 2:
            raise Problem("name", f"it compares two or more instructions, as in {self.example}")
        for subject in subjects:
            if subject.tile:
                raise Problem("name", "it compares instructions, and a tile shape has several")
        operands = self._operands(subjects)
        columns = [dict(self._facts(subject, operands)) for subject in subjects]
        rows = []
        for fact in columns[0]:
            values = [column[fact] for column in columns]
            differs = len(set(values)) > 1
            if differs or "differences" not in self.options:
                rows.append([fact, *values, "no" if differs else "yes"])
        several = len({subject.arch.name for subject in subjects}) > 1
        header = ["", *(_name(s, several) for s in subjects), "Alike"]
        made = table(header, rows, self.options.get("title", ""), "layout-comparison")
        self._link(made, subjects)
        return [self.finish(made)]

    def _operands(self, subjects: list[Subject]) -> list[str]:
        """Return the operands that the option names; each is one of some instruction."""
        chosen = []
        for text in self.options.get("operand", "A B D").replace(",", " ").split():
            have = [s.inst for s in subjects if text.lower() in map(str.lower, s.inst.operands)]
            chosen.append(operand_name((have or [subjects[0].inst])[0], text))
        return list(dict.fromkeys(chosen))

    def _facts(self, subject: Subject, operands: list[str]) -> Iterator[tuple[str, str]]:
        """Yield what is compared, with the value of one instruction."""
        from layoutgen.tables.rates import rate

        arch, inst, _tile = subject
        yield "M × N × K", f"{inst.m}×{inst.n}×{inst.k}"
        yield "Blocks", str(inst.blocks)
        yield "Operations", str(inst.ops)
        yield "Cycles", str(inst.cycles)
        yield "Operations per cycle and CU", f"{rate(arch, inst).per_cu:g}"
        for name in operands:
            for fact, value in _layout(inst.operands.get(name)):
                yield f"{name}: {fact}", value

    def _link(self, made: nodes.table, subjects: list[Subject]) -> None:
        """Make links of the names in the row of headings."""
        (head,) = made.findall(nodes.thead)
        cells: list[Any] = list(head.findall(nodes.paragraph))
        for cell, subject in zip(cells[1:-1], subjects, strict=True):
            text = nodes.literal("", cell.astext())
            name = f"{subject.arch.name}.{subject.inst.mnemonic}"
            cell.children = []
            cell += reference("inst", name, text)


def _name(subject: Subject, several: bool) -> str:
    return f"{subject.arch.name}.{subject.inst.mnemonic}" if several else subject.inst.mnemonic


def _layout(operand: Operand | None) -> Iterator[tuple[str, str]]:
    """Yield what is compared of an operand; nothing to tell where an instruction has it not."""
    from layoutgen.printing import TEXT, render

    forward = operand.formulas.forward if operand else {}
    yield "type", operand.format.title if operand else NOTHING
    yield "elements of a lane", str(operand.elements_per_lane) if operand else NOTHING
    yield "registers", str(operand.registers) if operand else NOTHING
    for name in ("lane", "register", "bit"):
        yield name, render(forward[name], TEXT) if operand else NOTHING
