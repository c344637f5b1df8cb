"""Options of the directives, each declared once: its name, what it takes, and what it is for.

Values are taken as they stand and judged by the directive, so that every fault is told in the
same way and with what would be right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

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
class Refused:
    """Stands for the value of an option that there is not, or that does not take such a value."""

    name: str
    takes: str = ""
    value: str = ""


class OptionSpec(dict[str, Convert]):
    """The options of a directive.  An unknown one is read too, to be told with the nearest."""

    def __missing__(self, name: str) -> Convert:
        """Return what marks the option as unknown."""
        return lambda _text: Refused(name)


def spec(options: Mapping[str, Option]) -> OptionSpec:
    """Return `options` as docutils wants them."""
    return OptionSpec({name: _reader(name, option) for name, option in options.items()})


def _reader(name: str, option: Option) -> Convert:
    """Return what reads an option, and keeps a value that it does not take, to be told."""

    def read(text: str | None) -> Any:
        try:
            return option.convert(text or "")
        except ValueError:
            return Refused(name, option.takes, text or "")

    return read


def refuse(refused: Refused, known: Mapping[str, Option]) -> NoReturn:
    """Raise the problem with an option: it is none of `known`, or has a wrong value."""
    if refused.takes:
        raise _wrong(refused.name, plain(refused.takes), refused.value)
    hint = nearest(refused.name, known) or f"; there are {listing(known)}"
    raise Problem("option", f"no option {refused.name!r}{hint}")


def plain(takes: str) -> str:
    """Return what an option takes without the marks of reStructuredText."""
    return takes.replace("``", "").strip("()")


def _wrong(name: str, takes: str, value: str, hint: str = "") -> Problem:
    return Problem("option", f"option {name!r} takes {takes}, not {value!r}{hint}")


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


def number(name: str, value: str, takes: str = "number") -> int:
    """Return the value of an option that takes a number; `takes` names what else it may be."""
    if not (value.isascii() and value.isdigit()):
        raise _wrong(name, f"a {takes}", value)
    return int(value)


def numbers(name: str, value: str) -> list[int]:
    """Return the value of an option that takes numbers, with commas or spaces between them."""
    return [number(name, part) for part in value.replace(",", " ").split() or [value]]


def length(name: str, value: str) -> str:
    """Return the value of an option that takes a width: pixels, a unit of CSS, or per cent."""
    try:
        return str(directives.length_or_percentage_or_unitless(value))
    except ValueError:
        raise _wrong(name, "a width such as 600, 40em or 80%", value) from None


def choice(name: str, value: str, known: tuple[str, ...]) -> str:
    """Return the value of an option that takes one of some words."""
    if value not in known:
        raise _wrong(name, listing(known, "or"), value, nearest(value, known, 1))
    return value
