"""The argument parser of a subcommand, and the options that several of them share."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from layoutgen.cli.arguments import (
    base,
    field,
    file,
    location,
    number,
    numbers,
    pairs,
    processes,
    scale_bytes,
)
from layoutgen.cli.errors import Fault

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

MODIFIERS = {
    "cbsz": "2^N blocks read one block of A; f8f6f4: format of A, as 4 or fp4; sparse: see abid",
    "abid": "which of those blocks of A is read; sparse: the index set, if cbsz is 0",
    "blgp": "which lanes of B are read; f8f6f4: format of B, as 4 or fp4; F64: same as neg",
    "neg": "F64: signs of A, B and C: a number, or a list as in assembly: [1,0,0]",
    "op_sel": "byte of the registers of scales: one for both, or A,B, or as in assembly: [0,1,0]",
}
WIDTH = 80
"""The width that argparse checks arguments with, which nobody sees."""
EXAMPLES = "examples:\n"
NEGATIVE = re.compile(r"-(?:\d|\.\d|inf|nan)\S*$", re.IGNORECASE)
"""What is a negative number, if an option takes any number."""
COORDINATES = {
    "i": "row",
    "j": "column",
    "k": "reduction index",
    "b": "block",
    "group": "group of k that an index or a scale belongs to",
}
LONG = {"i": "row", "j": "column", "b": "block"}
"""Coordinates that have a long option with another name."""


class HelpFormatter(argparse.HelpFormatter):
    """Folds descriptions by their paragraphs and lists, and examples so that they can be pasted."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        from layoutgen.cli.screen import commands_folded, filled

        return commands_folded(text) if text.startswith(EXAMPLES) else filled(text)


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are faults: one message, without the usage."""

    printing = False
    """Whether a help text is made."""
    positional = ""
    """What to say to a word too many: which options there are for it."""

    def take_negative_numbers(self) -> None:
        """Let ``-inf`` and ``-1e-3`` be values of options: argparse knows only ``-1`` and ``-1.5``.

        An argument of that form is no option then.
        """
        self._negative_number_matcher = NEGATIVE

    def _get_formatter(self) -> argparse.HelpFormatter:
        """Return a formatter that asks for the terminal's width only when a help is printed.

        argparse asks for one whenever an argument is added, to check it.
        """
        if not self.printing:
            return argparse.HelpFormatter(self.prog, width=WIDTH)
        from layoutgen.cli.screen import width

        return HelpFormatter(self.prog, width=width())

    def format_help(self) -> str:
        """Return the help in the width of the terminal."""
        self.printing = True
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        """Raise a :class:`Fault` that points to the help."""
        raise Fault(f"{message}; see '{self.prog} --help'")

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Print the help; a pipe that has closed is told, as for every other answer."""
        print(self.format_help(), end="", file=file)

    def parse(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Return the parsed `arguments`; options may stand anywhere between the others."""
        self.printing = not {"-h", "--help"}.isdisjoint(arguments)
        options, rest = self.parse_known_intermixed_args(arguments)
        options.parser = self
        if rest:
            self.error(self._unexpected(rest[0]))
        return options

    def _unexpected(self, argument: str) -> str:
        if not argument.startswith("-"):
            return f"unexpected argument {argument!r}{self.positional and f': {self.positional}'}"
        from layoutgen.model import nearest

        known = [name for name in self._option_string_actions if name.startswith("--")]
        option = argument.split("=")[0]
        return f"no option {option}{nearest(option, known)}"


def make_parser(command: str, description: str, examples: str) -> Parser:
    """Return a parser for ``layoutgen command`` with its help text."""
    return Parser(
        prog=f"layoutgen {command}",
        description=description,
        epilog=f"{EXAMPLES}{examples}",
        allow_abbrev=False,
    )


def add_subject(parser: Parser, *, operand: bool = True, optional: bool = False) -> None:
    """Add ARCH and INSTRUCTION, which may be `optional`, and OPERAND if asked for."""
    parser.add_argument("arch", metavar="ARCH", help="gfx942, or another name of it: cdna3, mi300x")
    parser.add_argument(
        "instruction",
        metavar="INSTRUCTION",
        nargs="?" if optional else None,
        help="mnemonic in any spelling, or the name of the builtin",
    )
    if operand:
        parser.add_argument(
            "operand",
            metavar="OPERAND",
            help="A, B, C, D; index, scale_a, scale_b where they exist",
        )


def add_element(parser: Parser) -> None:
    """Add ELEMENT, another way to write coordinates."""
    parser.add_argument(
        "element",
        metavar="ELEMENT",
        nargs="?",
        help="instead of -i, -j, -k: 'D[5][3]'; it may also stand for OPERAND",
    )


def add_modifiers(parser: Parser) -> None:
    """Add the modifier fields of the instruction encoding."""
    group = parser.add_argument_group("modifiers of the instruction")
    for name, help_text in MODIFIERS.items():
        kind = scale_bytes if name == "op_sel" else field
        group.add_argument(f"--{name.replace('_', '-')}", type=kind, metavar="N", help=help_text)


def add_coordinates(parser: Parser, *, many: bool = False) -> None:
    """Add -i, -j, -k and -b: one value each, or `many` as in ``0-3,8``."""
    group = parser.add_argument_group("rows to keep" if many else "element")
    for name, title in COORDINATES.items():
        default = " (default 0)" if name in ("k", "b", "group") and not many else ""
        group.add_argument(
            *coordinate_options(name),
            dest=name,
            type=numbers if many else number,
            metavar="LIST" if many else "N",
            help=f"{title}{default}",
        )


def coordinate_options(name: str) -> tuple[str, ...]:
    """Return the options that set a coordinate: ``-i`` and ``--row``."""
    short = (f"-{name}",) if len(name) == 1 else (f"--{name}",)
    return (*short, f"--{LONG[name]}") if name in LONG else short


def add_behind(parser: Parser) -> None:
    """Add --sources."""
    parser.add_argument(
        "--sources",
        action="store_true",
        help="for D: also the A, B and C, index and scales that make the element",
    )
    parser.add_argument(
        "--index",
        type=pairs,
        metavar="LIST",
        help="with --sources, sparse A: index of each group of four k, or one for all: "
        "4, 8, 12, 9, 13 or 14",
    )


def add_place(parser: Parser) -> None:
    """Add --base and --transpose."""
    parser.add_argument(
        "--base",
        type=base,
        metavar="REG",
        help="the operand begins at this register, as v8 or a[4:7]: answer with its numbers; "
        "those of sources are offsets, but for C of a sparse product, which lies where D does",
    )
    parser.add_argument(
        "--transpose",
        action="store_true",
        help="C, D: of a product with A and B exchanged, whose tile lies transposed",
    )


def add_jobs(parser: Parser, what: str) -> None:
    """Add -j, how many processes may work; `what` tells what for."""
    every = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    parser.add_argument(
        "-j",
        "--jobs",
        type=processes,
        metavar="N",
        default=every or 1,
        help=f"{what}; default: one for each processor",
    )


def add_common(parser: Parser, formats: Sequence[str]) -> None:
    """Add --format for `formats`, -o, --spec-dir, -q and -v."""
    parser.add_argument(
        "-f",
        "--format",
        choices=formats,
        metavar="FORMAT",
        help=f"{', '.join(formats)}; default: what the suffix of -o says, or {formats[0]}",
    )
    add_output(parser)
    add_sources(parser)


def add_output(parser: Parser) -> None:
    """Add -o."""
    parser.add_argument("-o", "--output", type=_file, metavar="FILE", help="write to FILE")


def add_sources(parser: Parser) -> None:
    """Add --spec-dir, -q and -v."""
    parser.add_argument(
        "--spec-dir",
        type=location,
        action="append",
        default=[],
        metavar="DIR",
        help="a folder with specification files of your own; may be given more than once",
    )
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("-q", "--quiet", action="store_true", help="no notes, only errors")
    amount.add_argument(
        "-v", "--verbose", action="store_true", help="also notes on what the answer rests on"
    )


def _file(text: str) -> Path | None:
    """Return a path; a dash stands for standard output."""
    return None if text == "-" else file(text)
