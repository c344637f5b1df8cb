"""``layout-formulas``: from element to register, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from docutils import nodes

from layoutgen.sphinx.directives import options as opt
from layoutgen.sphinx.directives.base import LayoutDirective
from layoutgen.sphinx.directives.options import Option
from layoutgen.sphinx.fragments import OURS
from layoutgen.sphinx.problems import Problem
from layoutgen.sphinx.templates import macro

if TYPE_CHECKING:
    from collections.abc import Mapping


class LayoutFormulas(LayoutDirective):
    """Shows the formulas of an operand's layout."""

    options_declared: ClassVar[Mapping[str, Option]] = {
        **opt.ARCH,
        **opt.OPERAND,
        "direction": Option(
            " or ".join(f"``{d}``" for d in opt.DIRECTIONS),
            "From element to register (``forward``), from register to element (``inverse``), or "
            "``both``, which is the default. Under modifiers there is no way back.",
        ),
        **opt.MODIFIERS,
        "label": Option(
            "text",
            "Number the equation, for ``:eq:`` to refer to. With both directions the second one "
            "has ``-inverse`` at the end of its label.",
        ),
        "class": opt.COMMON["class"],
    }

    def build(self) -> list[nodes.Node]:
        """Return each direction: a sentence and the equation."""
        operand = self.operand(self.subject())
        direction = opt.choice("direction", self.options.get("direction", "both"), opt.DIRECTIONS)
        if operand.reroute is not None and direction == "inverse":
            raise Problem(
                "option",
                "under modifiers there is no way back: a register may be read for several "
                "elements, or for none",
            )
        there, forward, back, inverse = self.parse(macro("formulas(operand)", {"operand": operand}))
        label = self.options.get("label", "")
        found: list[nodes.Node] = []
        if direction != "inverse":
            found += [there, *self._numbered(forward, label)]
        if direction != "forward" and operand.reroute is None:
            suffix = "-inverse" if direction == "both" and label else ""
            found += [back, *self._numbered(inverse, label + suffix)]
        return found

    def _numbered(self, block: nodes.math_block, label: str) -> list[nodes.Node]:
        """Return the equation; with a label also its number, and a target in front of it."""
        block["classes"] += self.options.get("class", [])
        block["docname"], block[OURS] = self.env.docname, True
        if not label:
            return [block]
        from sphinx.domains.math import MathDomain

        domain = self.env.get_domain("math")
        assert isinstance(domain, MathDomain), "Sphinx registers it"
        domain.note_equation(self.env.docname, label, location=self.get_location())
        node_id = nodes.make_id(f"equation-{label}")
        if node_id in self.state.document.ids:
            return [block]  # the domain has told that the label is taken
        block["label"] = label
        block["number"] = domain.get_equation_number_for(label)
        target = nodes.target("", "", ids=[node_id])
        self.state.document.note_explicit_target(target)
        return [target, block]
