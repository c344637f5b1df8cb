"""``layoutgen docs``: the reference pages and all figures, or a check that they are current."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from layoutgen.cli import progress, remembered
from layoutgen.cli.arguments import location
from layoutgen.cli.errors import Fault
from layoutgen.cli.parser import Parser, add_jobs, add_sources
from layoutgen.cli.subject import catalogue, note

if TYPE_CHECKING:
    from layoutgen.model import Architecture
    from layoutgen.pages import Tree
    from layoutgen.writing import Files

DESCRIPTION = """\
Write the reference pages (reStructuredText) and all figures (SVG) of all architectures.

Only what changed is written; what an earlier run wrote and this one does not is removed, unless
you changed it.  Files that layoutgen did not write are never overwritten without --force.  Those
that it did write are generated again, and a note names the ones that you had changed.

--tree site  docs/reference/ and figures/ below DIR: pages for a Sphinx project
--tree amd   fragments and figures at the paths that AMD's page of the builtins includes
--tree data  tables/ below DIR: facts and complete tables of every instruction as JSON"""
EXAMPLES = """\
  layoutgen docs
  layoutgen docs -o mydocs
  layoutgen docs --tree amd -o rocm
  layoutgen docs --check"""

TREES = ("site", "amd", "data")
NAMES = 8
"""So many paths are named in one note."""
LETTERS = 100
"""So many letters of a path that may be anything are shown."""


def configure(parser: Parser) -> None:
    """Add the arguments of ``docs``."""
    parser.add_argument("--tree", choices=TREES, default="site", help="default: site")
    parser.add_argument(
        "-o",
        "--output",
        type=location,
        metavar="DIR",
        default=Path(),
        help="the folder to write below; default: the current one",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; print what differs from the files there, and exit with 1 if any does",
    )
    parser.add_argument(
        "--templates",
        type=location,
        metavar="DIR",
        help="a folder whose templates go before the built-in ones of the same name",
    )
    parser.add_argument(
        "--force", action="store_true", help="overwrite files that layoutgen did not write"
    )
    add_jobs(parser, "processes that draw figures")
    add_sources(parser)


def run(options: argparse.Namespace) -> int:
    """Generate everything, and write or compare it."""
    if options.templates is not None and not options.templates.is_dir():
        raise Fault(f"--templates {options.templates}: there is no such folder")
    if os.path.lexists(options.output) and not options.output.is_dir():
        raise Fault(f"cannot write below {options.output}: it is no folder")
    if options.templates is not None:
        _check_templates(options.templates)
    archs = list(catalogue(options).architectures.values())
    manifest, make = _tree(options, archs)
    made_from = remembered.digest(archs, options.tree, options.templates)
    files = remembered.files(made_from, make)
    return (_check if options.check else _write)(options, files, manifest)


def _check_templates(folder: Path) -> None:
    """Refuse templates that cannot be read, even where nothing would be made anew."""
    from layoutgen.pages.environment import PageError, check

    try:
        check(folder)
    except PageError as failure:
        raise Fault(str(failure)) from None


def _tree(
    options: argparse.Namespace, archs: list[Architecture]
) -> tuple[str, Callable[[], Files]]:
    """Return where the manifest of a tree goes, and what makes its files."""
    if options.tree == "data":
        from layoutgen.export import dataset

        return dataset.MANIFEST, partial(dataset.files, archs)
    from layoutgen.pages.trees import TREES

    tree = TREES[options.tree]
    return tree.manifest, partial(_made, options, archs, tree)


def _made(options: argparse.Namespace, archs: list[Architecture], tree: Tree) -> Files:
    """Return the pages and figures of a tree, made anew."""
    from layoutgen.pages import PageError, outputs

    try:
        with progress.shown(options) as bar:
            return outputs(
                archs, tree, jobs=options.jobs, templates=options.templates, progress=bar
            )
    except PageError as failure:
        raise Fault(str(failure)) from None


def _write(options: argparse.Namespace, files: Files, manifest: str) -> int:
    from layoutgen.spec.errors import printable
    from layoutgen.writing import write

    def waiting() -> None:
        note(options, f"another run writes below {options.output}: this one waits for it")

    report = write(files, options.output, manifest, force=options.force, waiting=waiting)
    done = f"{len(report.written)} written, {len(report.unchanged)} unchanged"
    removed = f", {len(report.pruned)} removed" if report.pruned else ""
    note(options, f"{done}{removed} below {options.output}")
    for path in report.kept:
        name = printable(path)
        note(options, f"{name} is no longer generated, but you changed it: remove it by hand")
    if report.edited:
        names = _some([printable(path) for path in report.edited])
        note(options, f"generated again, though you had changed it: {names}")
    if report.passed_over:
        names = _some([repr(name) for name in report.passed_over])
        note(options, f"{options.output / manifest} names what docs never wrote: {names}")
    return 0


def _some(names: Sequence[str]) -> str:
    """Return the first of some names, shortened, and how many more there are."""
    shown = [name if len(name) <= LETTERS else f"{name[:LETTERS]}…" for name in names[:NAMES]]
    more = f" and {len(names) - NAMES} more" if len(names) > NAMES else ""
    return f"{', '.join(shown)}{more}"


def _check(options: argparse.Namespace, files: Files, manifest: str) -> int:
    from layoutgen.writing import compare

    findings = compare(files, options.output, manifest)
    for finding in findings:
        print(finding)
    if findings:
        note(options, f"{len(findings)} of {len(files)} files differ: run 'layoutgen docs'")
    else:
        note(options, f"{len(files)} files are current")
    return 1 if findings else 0
