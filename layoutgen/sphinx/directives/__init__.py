"""The directives: ``layout-…`` for what a page shows, ``lg:…`` for objects of the domain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from layoutgen.sphinx.directives.builtin import Builtin, BuiltinObject, InstructionObject
from layoutgen.sphinx.directives.comparison import Comparison
from layoutgen.sphinx.directives.figure import LayoutFigure
from layoutgen.sphinx.directives.formulas import LayoutFormulas
from layoutgen.sphinx.directives.parameters import Parameters
from layoutgen.sphinx.directives.tables import LayoutRows, LayoutTable, Throughput

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from layoutgen.sphinx.directives.base import LayoutDirective

DIRECTIVES: dict[str, type[LayoutDirective]] = {
    "layout-figure": LayoutFigure,
    "layout-rows": LayoutRows,
    "layout-table": LayoutTable,
    "layout-formulas": LayoutFormulas,
    "layout-throughput": Throughput,
    "layout-builtin": Builtin,
    "layout-parameters": Parameters,
    "layout-comparison": Comparison,
}
OBJECTS: dict[str, type[LayoutDirective]] = {
    "instruction": InstructionObject,
    "builtin": BuiltinObject,
}


def setup_directives(app: Sphinx) -> None:
    """Register every directive."""
    for name, directive in DIRECTIVES.items():
        app.add_directive(name, directive)
    for name, directive in OBJECTS.items():
        app.add_directive_to_domain("lg", name, directive)
