"""From folders to checked files: read, check each, check all together, and keep the result."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from layoutgen.spec import cache, shelf
from layoutgen.spec.build import Files
from layoutgen.spec.errors import Diagnostic, SpecError
from layoutgen.spec.files import Found, find, shown
from layoutgen.spec.schema import KINDS, File


def load(folders: Sequence[Path]) -> Files:
    """Return what the ``*.yaml`` files of `folders` define.

    Raises :class:`SpecError` with every problem of every file.  What was checked once is read
    back from the user's cache for as long as no file has changed.
    """
    found = find(folders)
    key = shelf.key((file.path, file.content) for file in found)
    if not any(file.problem for file in found) and (files := cache.read(key)) is not None:
        return Files.of(files)
    checked = check(found)
    cache.write(key, checked)
    return Files.of(checked)


def check(found: Sequence[Found]) -> list[tuple[Path, File]]:
    """Return the data of every file by its path; raise :class:`SpecError` with all problems.

    A file that cannot be read, or has the wrong shape, takes no part in the checks of all files
    together; and names of the kinds that it may define are then not missed elsewhere.
    """
    from layoutgen.spec.checks import Checked, check_together
    from layoutgen.spec.reader import read
    from layoutgen.spec.validate import validate

    problems: list[Diagnostic] = []
    good: list[Checked] = []
    incomplete: set[str] = set()
    for file in found:
        try:
            if file.problem:
                raise SpecError((file.problem,))
            document = read(shown(file.path), file.content)
            good.append(Checked(file.path, document, validate(document)))
        except SpecError as error:
            problems += error.diagnostics
            incomplete |= _kinds(file.content)
    problems += check_together(good, frozenset(incomplete))
    if problems:
        order = {shown(file.path): position for position, file in enumerate(found)}
        problems.sort(key=lambda d: (order[d.path], d.line, d.column))
        raise SpecError(tuple(problems))
    return [(checked.path, checked.file) for checked in good]


def _kinds(content: bytes) -> set[str]:
    """Guess what a file that cannot be used was meant to define: any kind, if it does not say."""
    first = re.search(rb"^([a-z]+):", content, re.MULTILINE)
    kind = first[1].decode() if first else ""
    return {kind} if kind in KINDS else set(KINDS)
