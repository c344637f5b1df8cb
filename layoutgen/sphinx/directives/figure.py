"""``layout-figure``: a figure with a number, a caption and a legend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives

from layoutgen.sphinx.config import CELLS
from layoutgen.sphinx.directives import options as opt
from layoutgen.sphinx.directives.base import LayoutDirective, operand_name, refuse_input_of_tile
from layoutgen.sphinx.directives.options import Option
from layoutgen.sphinx.pictures import Picture, layout_picture
from layoutgen.sphinx.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from layoutgen.model import Instruction
    from layoutgen.sphinx.library import Subject

OF_MODIFIER = ("blgp", "cbsz")


class LayoutFigure(LayoutDirective):
    """Shows where the elements of an operand lie."""

    has_content = True
    options_declared: ClassVar[Mapping[str, Option]] = {
        **opt.ARCH,
        "operand": Option(
            opt.OPERANDS, "The operand; several, as in ``A B D``, share one figure. Default: D."
        ),
        "view": Option(
            " or ".join(f"``{v}``" for v in opt.FIGURE_VIEWS),
            "The matrix, the register file, A and B and D at their crossing, the lanes that a "
            "``blgp`` reads, or the blocks that a ``cbsz`` shares. Default: ``layoutgen_view``.",
        ),
        "block": Option(
            "number or ``all``", "The block to show. Default: all where they are small, else 0."
        ),
        "cell": Option(
            " or ".join(f"``{c}``" for c in CELLS),
            "What a cell of a matrix shows. Default: ``layoutgen_cell``.",
        ),
        **opt.MODIFIERS,
        "title": Option(
            "text",
            "The title above the picture. Default: the operand and the instruction. Where title "
            "and layout are the same, figures share a file.",
        ),
        "loading": Option(
            " or ".join(f"``{w}``" for w in opt.LOADINGS),
            "Put the picture into an HTML page (``embed``), or link to a file (``link``). Default: "
            "``layoutgen_html_figures``.",
        ),
        "alt": Option("text", "The alternative text. Default: what the figure shows, in words."),
        "align": Option("left, center or right", "Where the figure stands."),
        "width": Option("length or per cent", "The width of the picture."),
        "figwidth": Option("length or per cent", "The width of figure and caption."),
        "figclass": Option("names", "Classes of the whole figure.", directives.class_option),
        **opt.COMMON,
    }

    def build(self) -> list[nodes.Node]:
        """Return the figure."""
        subject = self.subject()
        pictures = self._pictures(subject)
        several = len(pictures) > 1
        figure = nodes.figure("", *(self._node(p, several=several) for p in pictures))
        figure["classes"] += self.options.get("figclass", [])
        if "align" in self.options:
            figure["align"] = opt.choice("align", self.options["align"], opt.ALIGNMENTS)
        if "figwidth" in self.options:
            figure["width"] = opt.length("figwidth", self.options["figwidth"])
        self.set_source_info(figure)
        self._add_caption(figure)
        self.add_name(figure)
        return [figure]

    def _pictures(self, subject: Subject) -> list[Picture]:
        view = opt.choice(
            "view", self.options.get("view", self.domain_lg.settings.view), opt.FIGURE_VIEWS
        )
        self._refuse_what_does_nothing(view)
        texts = self.options.get("operand", "D").replace(",", " ").split() or ["D"]
        if view in OF_MODIFIER:
            refuse_without(subject.inst, view)
            texts = ["B" if view == "blgp" else "A"]
        names = dict.fromkeys(operand_name(subject.inst, text) for text in texts)
        shown = ("A", "B") if view == "product" else tuple(names)
        refuse_input_of_tile(subject, *shown)
        self.refuse_idle(subject.inst, shown)
        several = len(names) > 1
        return [self._picture(subject, name, view, several=several) for name in names]

    def _picture(self, subject: Subject, operand: str, view: str, *, several: bool) -> Picture:
        from layoutgen.figures.request import FigureError

        inst = subject.inst
        acting = inst.rules.fields if view == "product" else inst.rules.fields_for(operand)
        fields = {name: value for name, value in self.modifiers(inst).items() if name in acting}
        whole = self.options.get("block") == "all"
        cell = self.options.get("cell", self.domain_lg.settings.cell)
        picture = Picture(
            arch=subject.arch.name,
            instruction=inst.mnemonic,
            operand=operand,
            view=view,
            block="all" if whole else self.block(inst),
            cell=opt.choice("cell", cell, CELLS),
            modifiers=tuple(sorted(fields.items())),
            title=self._text("title", operand if several else ""),
        )
        try:
            return self.library.known(picture)
        except FigureError as error:
            raise Problem("option", str(error)) from None

    def _refuse_what_does_nothing(self, view: str) -> None:
        given = self.options
        if "cell" in given and view != "matrix":
            raise Problem("option", f"option 'cell' is for the view matrix, not {view}")
        if "block" in given and view in ("registers", *OF_MODIFIER):
            raise Problem("option", f"the view {view} shows all blocks: leave 'block' out")
        if given.get("block") == "all" and view == "product":
            raise Problem("option", "the view product shows one block: give 'block' its number")
        if "operand" in given and view in ("product", *OF_MODIFIER):
            raise Problem("option", f"the view {view} has its own operands: leave 'operand' out")
        if view in OF_MODIFIER and not opt.number(view, given.get(view) or "0"):
            raise Problem("option", f"the view {view} needs the option {view!r}, 1 or more")
        if "title" in given and view in OF_MODIFIER:
            raise Problem("option", f"the view {view} has its own title: leave 'title' out")

    def _text(self, option: str, operand: str) -> str:
        """Return an option's text on one line; of several pictures each says its operand."""
        text = " ".join(self.options.get(option, "").split())
        return f"{text}, {operand}" if text and operand else text

    def _node(self, picture: Picture, *, several: bool) -> layout_picture:
        alt = self._text("alt", picture.operand if several else "")
        node = layout_picture("", picture=picture, alt=alt)
        if "width" in self.options:
            node["width"] = opt.length("width", self.options["width"])
        if "align" in self.options:
            node["align"] = self.options["align"]
        if "loading" in self.options:
            node["loading"] = opt.choice("loading", self.options["loading"], opt.LOADINGS)
        node["classes"] += self.options.get("class", [])
        self.set_source_info(node)
        return node

    def _add_caption(self, figure: nodes.figure) -> None:
        """Make the first paragraph of the content the caption, the rest the legend."""
        if not self.content:
            return
        found: list[Any] = self.parse_content_to_nodes()
        first, *rest = found
        if not isinstance(first, nodes.paragraph):
            raise Problem("option", "the content begins with a paragraph, which is the caption")
        caption = nodes.caption(first.rawsource, "", *first.children)
        caption.source, caption.line = first.source, first.line
        figure += caption
        if rest:
            figure += nodes.legend("", *rest)


def refuse_without(inst: Instruction, view: str) -> None:
    """Refuse to show what a modifier does to an instruction that does not have it."""
    if view == "blgp" and len(inst.rules.blgp_codes) == 1:
        raise Problem("modifier", f"{inst.mnemonic} has no lane patterns, which blgp would choose")
    if view == "cbsz" and len(inst.rules.cbsz) == 1:
        raise Problem("modifier", f"{inst.mnemonic} has no blocks that could share A by cbsz")
