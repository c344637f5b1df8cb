"""Options of the directives, each declared once: its name, what it takes, and what it is for.

Values are taken as they stand and judged by the directive, so that every fault is told in the
same way and with what would be right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from docutils.parsers.rst import directives

from layoutgen.modifiers import NAMES
from layoutgen.sphinx.config import VIEWS
from layoutgen.sphinx.problems import Problem, listing, nearest

Convert = Callable[[str], Any]
FIGURE_VIEWS = (*VIEWS, "blgp", "cbsz")
LOADINGS = ("embed", "link")
ALIGNMENTS = ("left", "center", "right")
ORDERS = ("element", "slot")
DIRECTIONS = ("both", "forward", "inverse")


@dataclass(frozen=True)
class Option:
    """What an option takes, in words, how it is read, and what it is for."""

    takes: str
    about: str
    convert: Convert = directives.unchanged


@dataclass(frozen=True)
class Unknown:
    """Stands for the value of an option that there is not."""

    name: str


class OptionSpec(dict[str, Convert]):
    """The options of a directive.  An unknown one is read too, to be told with the nearest."""

    def __missing__(self, name: str) -> Convert:
        """Return what marks the option as unknown."""
        return lambda _text: Unknown(name)


def spec(options: Mapping[str, Option]) -> OptionSpec:
    """Return `options` as docutils wants them."""
    return OptionSpec({name: option.convert for name, option in options.items()})


flag = directives.flag

ARCH = {"arch": Option("architecture", "The architecture, where the argument does not name it.")}
OPERANDS = "A, B, C, D, index, scale_a or scale_b"
OPERAND = {"operand": Option(OPERANDS, "The operand. Default: D.")}
BLOCK = {"block": Option("number", "Only this block.")}
NO_INDEX = {"no-index": Option("(nothing)", "Do not make it a target of references.", flag)}
MODIFIERS = {
    **{name: Option("number", f"The operand as it is read under ``{name}``.") for name in NAMES},
    "op_sel": Option("number or two", "``op_sel_a`` and ``op_sel_b`` at once."),
}
OP_SEL = ("op_sel_a", "op_sel_b")
"""What ``op_sel`` stands for."""

COMMON = {
    "class": Option("names", "Classes for stylesheets.", directives.class_option),
    "name": Option("text", "The name by which ``:ref:`` and ``:numref:`` find it."),
}


def number(name: str, value: str) -> int:
    """Return the value of an option that takes a number."""
    if not (value.isascii() and value.isdigit()):
        raise Problem("option", f"option {name!r} takes a number, not {value!r}")
    return int(value)


def numbers(name: str, value: str) -> list[int]:
    """Return the value of an option that takes numbers, with commas or spaces between them."""
    return [number(name, part) for part in value.replace(",", " ").split() or [value]]


def length(name: str, value: str) -> str:
    """Return the value of an option that takes a width: pixels, a unit of CSS, or per cent."""
    try:
        return str(directives.length_or_percentage_or_unitless(value))
    except ValueError:
        message = f"option {name!r} takes a width such as 600, 40em or 80%, not {value!r}"
        raise Problem("option", message) from None


def choice(name: str, value: str, known: tuple[str, ...]) -> str:
    """Return the value of an option that takes one of some words."""
    if value not in known:
        hint = nearest(value, known, 1)
        raise Problem(
            "option", f"option {name!r} takes {listing(known, 'or')}, not {value!r}{hint}"
        )
    return value
