"""``layout-rows``, ``layout-table`` and ``layout-throughput``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes

from layoutgen.sphinx import facts
from layoutgen.sphinx.directives import options as opt
from layoutgen.sphinx.directives.base import LayoutDirective
from layoutgen.sphinx.directives.options import Option
from layoutgen.sphinx.grid import table
from layoutgen.sphinx.problems import Problem, listing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from layoutgen.digits import IntArray
    from layoutgen.model import Architecture, Instruction, Operand

ABOUT_OPERAND: Mapping[str, Option] = {
    **opt.ARCH,
    **opt.OPERAND,
    **opt.BLOCK,
    **opt.MODIFIERS,
    **opt.COMMON,
}


class LayoutRows(LayoutDirective):
    """Shows an operand as a table of ranges: rows, lanes, registers."""

    options_declared: ClassVar[Mapping[str, Option]] = {
        **ABOUT_OPERAND,
        "title": Option("text", "The title of the table. Default: the operand and its name."),
    }

    def build(self) -> list[nodes.Node]:
        """Return the merged table, and for narrow elements that of their bits."""
        from layoutgen.pages import blocks

        subject = self.subject()
        operand = self.operand(subject)
        block = self.block(subject.inst)
        title = self.options.get("title", title_of(subject.inst, operand, block))
        found = self.parse(blocks.bands(operand, title, block))
        self.finish(found[0])
        if operand.format.bits % 32:
            found += self.parse(blocks.packing(operand, f"Items of one lane of {operand.name}"))
        return list(found)


class LayoutTable(LayoutDirective):
    """Shows every element of an operand with its lane, register and bits."""

    options_declared: ClassVar[Mapping[str, Option]] = {
        **ABOUT_OPERAND,
        "order": Option(
            " or ".join(f"``{o}``" for o in opt.ORDERS),
            "By block, row and column, or by lane and register. Default: ``element``.",
        ),
        "lane": Option("number or range", "Only these lanes, as in ``0-15``."),
        "title": Option("text", "The title of the table. Default: the operand and its name."),
    }

    def build(self) -> list[nodes.Node]:
        """Return the table."""
        from layoutgen.tables import by_slot

        subject = self.subject()
        operand = self.operand(subject)
        order = opt.choice("order", self.options.get("order", "element"), opt.ORDERS)
        rows = operand.table() if order == "element" else by_slot(operand)
        block = self.block(subject.inst)
        if block is not None:
            rows = rows[rows[:, 0] == block]
        rows = self._of_lanes(rows, operand.layout.lanes)
        if not len(rows):
            raise Problem("option", "the table would be empty: no element is read from there")
        title = self.options.get("title", title_of(subject.inst, operand, block))
        cells = [[str(value) for value in row] for row in rows.tolist()]
        made = table(operand.columns, cells, title, "layout-table")
        for text in made.findall(nodes.paragraph):
            text["translatable"] = False
        return [self.finish(made)]

    def _of_lanes(self, rows: IntArray, lanes: int) -> IntArray:
        if "lane" not in self.options:
            return rows
        first, _, last = self.options["lane"].replace("–", "-").partition("-")
        low = opt.number("lane", first.strip())
        high = opt.number("lane", last.strip()) if last else low
        if not low <= high < lanes:
            raise Problem("name", f"lanes {low} to {high}: there are lanes 0 to {lanes - 1}")
        return rows[(rows[:, -4] >= low) & (rows[:, -4] <= high)]


class Throughput(LayoutDirective):
    """Shows operations, cycles and rates of an architecture's instructions."""

    example: ClassVar[str] = "gfx908"
    options_declared: ClassVar[Mapping[str, Option]] = {
        "instructions": Option("names", "Only these instructions. Default: all."),
        "title": Option("text", "The title of the table. Default: that of the architecture."),
        **opt.COMMON,
    }

    def build(self) -> list[nodes.Node]:
        """Return a table for each architecture."""
        names = self.argument.replace(",", " ").split() if self.arguments else []
        archs = self.library.archs(names, self.domain_lg.settings.default_arch)
        for option in ("title", "instructions"):
            if option in self.options and len(archs) > 1:
                raise Problem("option", f"option {option!r} is for one architecture")
        found = [self._table(arch) for arch in archs]
        return [self.finish(found[0]), *found[1:]]

    def _table(self, arch: Architecture) -> nodes.Element:
        from layoutgen.pages import blocks

        chosen = self._chosen(arch.name)
        mnemonics = [inst.mnemonic for inst in chosen]
        self.depend(*(facts.of(arch, m) for m in mnemonics) if chosen else (facts.whole(arch),))
        title = self.options.get("title", f"Throughput of {arch.name}")
        made: nodes.Element
        (made,) = self.parse(
            blocks.throughput(arch, title, link=False, instructions=chosen or None), [arch]
        )
        return made

    def _chosen(self, arch: str) -> list[Instruction]:
        names = self.options.get("instructions", "").replace(",", " ").split()
        return [self.library.subject(name, arch, "").inst for name in names]


def title_of(inst: Instruction, operand: Operand, block: int | None) -> str:
    """Return what a table of an operand shows: ``D of v_mfma_f32_32x32x1f32, block 0``."""
    fields: dict[str, Any] = {n: v for n, v in operand.modifiers.as_dict().items() if v}
    under = listing(f"{name} {value}" for name, value in fields.items()) if fields else ""
    return (
        f"{operand.name} of {inst.mnemonic}"
        f"{f' under {under}' if under else ''}"
        f"{f', block {block}' if block is not None and inst.blocks > 1 else ''}"
    )
