"""``layoutgen validate``: hold every page, figure and table against the emulator."""

from __future__ import annotations

import argparse
import json
import os
from typing import TYPE_CHECKING

from layoutgen.cli import progress
from layoutgen.cli.arguments import location
from layoutgen.cli.errors import Fault
from layoutgen.cli.output import chosen_format, emit
from layoutgen.cli.parser import Parser, add_common, add_jobs
from layoutgen.cli.subject import catalogue, note

if TYPE_CHECKING:
    from layoutgen.model import Architecture
    from layoutgen.validate.report import Report

DESCRIPTION = """\
Hold every page, figure and table against an emulator that shares no code with them.

L0  registers, types and sizes, against the compiler's own declarations
L1  the products that the tables imply, against those that the emulator makes
L2  the names of rows, columns, k and blocks, against layouts written down from compilers
L3  random matrices, packed by the tables, run, unpacked, against numpy's product
L4  (--mutate) deliberate faults: each of them must be noticed

The artefacts are read back as they are written on disk, by 'layoutgen docs -o DIR' if
--artefacts DIR names a folder, else by this command into a temporary one.
Exit code 1 if anything is found."""
EXAMPLES = """\
  layoutgen validate gfx908 --instruction v_mfma_f32_32x32x1f32
  layoutgen validate gfx908 --artefacts mydocs --instruction v_mfma_f32_4x4x1f32
  layoutgen validate gfx908 --instruction v_mfma_f32_4x4x1f32 --mutate --format json"""

WITH = ("text", "json")


def configure(parser: Parser) -> None:
    """Add the arguments of ``validate``."""
    parser.add_argument(
        "archs",
        metavar="ARCH",
        nargs="*",
        help="architectures to check; default: all, or those that --artefacts has files of",
    )
    parser.add_argument(
        "--instruction",
        action="append",
        default=[],
        metavar="NAME",
        help="check only this instruction; may be given more than once",
    )
    parser.add_argument(
        "--artefacts",
        type=location,
        metavar="DIR",
        help="files to check, as 'layoutgen docs' wrote them; default: all, written for the check",
    )
    parser.add_argument(
        "--device",
        type=location,
        metavar="FILE",
        help="check what a GPU said, by the program of 'layoutgen probe', and nothing else",
    )
    parser.add_argument("--mutate", action="store_true", help="show that faults are noticed: L4")
    parser.add_argument(
        "--record",
        action="store_true",
        help="write what was proved into the package, for the pages to tell",
    )
    add_jobs(parser, "processes")
    add_common(parser, WITH)


def run(options: argparse.Namespace) -> int:
    """Validate, and print the report."""
    if options.device is not None:
        from layoutgen.cli.device import answer

        return answer(options)
    # One thread for each process: small products, and as many processes as there are processors.
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    from layoutgen.validate import mutation, report, run, text

    if options.artefacts is not None and not options.artefacts.is_dir():
        raise Fault(f"--artefacts {options.artefacts}: there is no such folder")
    if options.record and (options.instruction or options.artefacts or not options.mutate):
        raise Fault("--record writes the whole proof: with --mutate, and all that is generated")
    archs = _architectures(options)
    only = _instructions(options, archs)
    with progress.shown(options) as bar:
        result = run.validate(
            [arch for arch in archs if not only or set(only) & set(arch)],
            only=only,
            artefacts=options.artefacts,
            spec_dirs=options.spec_dir,
            jobs=options.jobs,
            progress=bar,
        )
        if options.mutate:
            kills = mutation.matrix(
                archs, only=only, spec_dirs=options.spec_dir, jobs=options.jobs, progress=bar
            )
            result = run.with_kills(result, kills)
    if options.record:
        _record(options, result)
    if chosen_format(options, WITH) == "json":
        emit(options, json.dumps(report.as_document(result), indent=1, ensure_ascii=False) + "\n")
    else:
        emit(options, text.render(result))
    return 0 if result.holds else 1


def _architectures(options: argparse.Namespace) -> list[Architecture]:
    specs = catalogue(options)
    if options.archs:
        return [specs.arch(name) for name in dict.fromkeys(options.archs)]
    every = list(specs.architectures.values())
    if options.artefacts is None:
        return every
    from layoutgen.validate.folder import has_files

    return [arch for arch in every if has_files(options.artefacts, arch)] or every


def _instructions(options: argparse.Namespace, archs: list[Architecture]) -> list[str]:
    """Return the mnemonics that ``--instruction`` names, in any spelling."""
    from layoutgen.model import UnknownName

    found: dict[str, None] = {}
    for name in options.instruction:
        unknown: list[UnknownName] = []
        for arch in archs:
            try:
                found[arch[name].mnemonic] = None
            except UnknownName as error:
                unknown.append(error)
        if len(unknown) == len(archs):
            raise unknown[0]
    return list(found)


def _record(options: argparse.Namespace, result: Report) -> None:
    from layoutgen.validate.recording import NothingProved, write

    try:
        for path in write(result):
            note(options, f"recorded in {path}")
    except NothingProved as nothing:
        note(options, str(nothing))
