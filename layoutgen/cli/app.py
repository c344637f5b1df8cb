"""Entry point: choose the subcommand, run it, and turn every failure into one message.

Exit codes: 0 done, 1 findings, 2 usage or input error.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Protocol, TextIO

from layoutgen.cli.errors import Fault, message
from layoutgen.cli.parser import Parser, make_parser
from layoutgen.cli.streams import prepare

COMMANDS = {
    "list": "architectures, or the instructions of one",
    "show": "an instruction: registers, rates, modifiers, formulas; or an architecture",
    "locate": "element to register: where is D[13][7]?",
    "element": "register to element: what does lane 37 hold?",
    "table": "the whole layout of an operand",
    "export": "layouts for C++, numpy, Triton, CuTe; JSON of everything",
    "snippet": "a kernel that calls the builtin: HIP code",
    "compare": "hold a table of your own against a layout",
    "which": "instructions that suit given types and a tile, the fastest first",
    "diff": "what changed from one architecture to another",
    "format": "number formats: which number is fp8 0x40? which scale is 127?",
    "hazards": "wait states between instructions",
    "figure": "a picture of a layout: SVG, PDF or PNG",
    "docs": "write the reference pages and all figures",
    "validate": "hold pages, figures and tables against an emulator",
    "probe": "a program that asks a real GPU",
    "schema": "JSON Schema of the specification files",
    "completion": "completion script for bash, zsh or fish",
}
"""Subcommands, in the order of the help, with what they answer."""

INTRODUCTION = """\
Register layouts of AMD matrix instructions: where each element of a tile lies."""

EXAMPLES = """\
  layoutgen list gfx908
  layoutgen show gfx908 v_mfma_f32_32x32x1f32
  layoutgen locate gfx908 v_mfma_f32_32x32x1f32 D -i 13 -j 7 -b 1
  layoutgen element gfx908 v_mfma_f32_32x32x1f32 D --lane 37 --register 6"""

RARELY = 100_000
"""So many new objects there must be before Python looks for garbage: there is little of it here,
and looking for it took a quarter of the time of ``validate``."""

BROKEN_PIPE = 141


class Subcommand(Protocol):
    """What a module in :mod:`layoutgen.cli.commands` offers."""

    DESCRIPTION: str
    EXAMPLES: str
    configure: Callable[[Parser], None]
    run: Callable[[argparse.Namespace], int]


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``layoutgen`` with `argv` (default: the process's arguments); return the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    gc.set_threshold(RARELY)
    prepare()
    try:
        code = _answer(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        _finish(sys.stdout)
        return BROKEN_PIPE
    except Exception as failure:
        text = message(failure)
        if text is None:
            raise
        with suppress(OSError):
            print(text, file=sys.stderr)
        _finish(sys.stdout)
        _finish(sys.stderr)
        return 2
    _finish(sys.stderr)
    return code


def parser_of(name: str) -> Parser:
    """Return the argument parser of one subcommand."""
    command = _load(name)
    parser = make_parser(name, command.DESCRIPTION, command.EXAMPLES)
    command.configure(parser)
    return parser


def _answer(arguments: list[str]) -> int:
    try:
        return _dispatch(arguments)
    except SystemExit as stop:  # argparse has printed a help text
        return stop.code if isinstance(stop.code, int) else 2


def _dispatch(arguments: list[str]) -> int:
    match arguments:
        case []:
            print(overview(), end="", file=sys.stderr)
            return 2
        case ["-h" | "--help" | "help"]:
            print(overview(), end="")
            return 0
        case ["--version" | "-V", *_]:
            from layoutgen import __version__

            print(f"layoutgen {__version__}")
            return 0
        case ["help", name, *_]:
            return _dispatch([name, "--help"])
        case ["complete-words", *words]:  # asked by the scripts of layoutgen completion
            from layoutgen.cli.commands.completion import candidates

            print(*candidates(words), sep="\n")
            return 0
        case [name, *rest] if name in COMMANDS:
            return _load(name).run(parser_of(name).parse(rest))
        case [name, *_]:
            raise Fault(_unknown(name))
    raise AssertionError(arguments)


def overview() -> str:
    """Return the text of ``layoutgen --help``, in the width of the terminal."""
    from layoutgen.cli.screen import commands_folded, wrapped

    lines = (line for name, text in COMMANDS.items() for line in wrapped(f"  {name:<11} ", text))
    commands = "\n".join(lines)
    return (
        f"usage: layoutgen COMMAND …\n\n{INTRODUCTION}\n\n"
        f"commands:\n{commands}\n\n"
        f"options:\n  -h, --help  this text; 'layoutgen COMMAND --help' tells about one command\n"
        f"  --version   the version\n\n"
        f"examples:\n{commands_folded(EXAMPLES)}\n\n"
        "Exit codes: 0 done, 1 findings, 2 usage or input error.\n"
    )


def _load(name: str) -> Subcommand:
    module: Subcommand = import_module(f"layoutgen.cli.commands.{name}")
    return module


def _unknown(name: str) -> str:
    if name.startswith("-"):
        return f"no option {name!r} before the command; see 'layoutgen --help'"
    from layoutgen.model import nearest

    known = ", ".join(COMMANDS)
    return f"no command {name!r}{nearest(name, list(COMMANDS))}; there are {known}"


def _finish(stream: TextIO) -> None:
    """Flush `stream`; what cannot be written must not raise once more when Python shuts down."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
