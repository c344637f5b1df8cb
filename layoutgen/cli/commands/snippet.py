"""``layoutgen snippet``: a kernel for one wavefront."""

from __future__ import annotations

import argparse

from layoutgen.alike import made_by
from layoutgen.cli.errors import Fault
from layoutgen.cli.output import emit
from layoutgen.cli.parser import Parser, add_modifiers, add_output, add_sources, add_subject
from layoutgen.cli.subject import catalogue, instruction, modifiers

DESCRIPTION = """\
Write a HIP file with a kernel in which one wavefront loads A and B from row-major memory, calls the
builtin once, and stores D.  The index expressions are the formulas of the layouts.

With modifiers, these stand in the call; the format of A or B, the set of indices and the byte of
the scales also change how the registers are filled.  The comment above the kernel says what it
computes under them, and names the targets on which the call means the same."""
EXAMPLES = """\
  layoutgen snippet gfx908 v_mfma_f32_32x32x8f16
  layoutgen snippet gfx942 v_smfmac_f32_16x16x32_f16 -o sparse.hip
  layoutgen snippet gfx950 v_mfma_scale_f32_16x16x128_f8f6f4 --cbsz 4 --blgp 4"""


def configure(parser: Parser) -> None:
    """Add the arguments of ``snippet``."""
    add_subject(parser, operand=False)
    add_modifiers(parser)
    add_output(parser)
    add_sources(parser)


def run(options: argparse.Namespace) -> int:
    """Write the kernel."""
    from layoutgen.snippets import snippet

    arch, inst = instruction(options)
    if not inst.builtin:
        maker = made_by(inst, arch)
        hint = (
            f": the compiler makes it of {maker.builtin} where the scales are the constant 0; ask "
            f"for {maker.mnemonic}"
            if maker
            else ""
        )
        raise Fault(f"{inst.mnemonic} has no builtin that a kernel could call{hint}")
    peers = catalogue(options).architectures
    emit(options, snippet(inst, peers, **modifiers(options, inst)))
    return 0
