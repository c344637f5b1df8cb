"""``layoutgen probe``: a program that asks a real GPU."""

from __future__ import annotations

import argparse

from layoutgen.cli.output import emit
from layoutgen.cli.parser import Parser, add_output, add_sources
from layoutgen.cli.subject import architecture

DESCRIPTION = """\
Write a self-contained HIP program that asks a real GPU what every matrix instruction does.

It knows registers and element types, and no layout: one element of A at a time is 1, and
every element of B has a code of its own, so D names the partners.  It runs each instruction
plainly and with every value of its modifiers, sparse ones with several patterns of indices, scaled
ones with coded scales, and prints JSON, which 'layoutgen validate --device FILE' holds against the
tables and the emulator:

  amdclang++ -O1 -std=c++17 --offload-arch=gfx90a probe.hip -o probe
  ./probe > device.json
  layoutgen validate --device device.json"""
EXAMPLES = """\
  layoutgen probe gfx90a -o probe.hip
  layoutgen probe mi300x -o probe.hip"""


def configure(parser: Parser) -> None:
    """Add the arguments of ``probe``."""
    parser.add_argument("arch", metavar="ARCH", help="gfx942, or another name of it: cdna3, mi300x")
    add_output(parser)
    add_sources(parser)


def run(options: argparse.Namespace) -> int:
    """Write the program."""
    from layoutgen.probe import program

    emit(options, program(architecture(options)))
    return 0
