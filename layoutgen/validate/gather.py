"""All that a folder says of one instruction: its pages, figures, tables, and the shared pages."""

from __future__ import annotations

from collections.abc import Mapping

from layoutgen.validate import read_data, read_page, read_shared
from layoutgen.validate.artefacts import rst
from layoutgen.validate.evidence import Evidence, merged
from layoutgen.validate.figures import Stated, other_figures, shown_figures
from layoutgen.validate.findings import Finding
from layoutgen.validate.folder import Folder
from layoutgen.validate.subject import Subject
from layoutgen.validate.tables import OperandTable


def gather(subject: Subject, slug: str, folder: Folder) -> tuple[Evidence, Stated]:
    """Return what `folder` says of the instruction whose page is called `slug`."""
    parts: list[Evidence] = []
    stated = Stated()
    base: Mapping[str, OperandTable] = {}
    for path in folder.data.get(slug, ()):
        parts.append(read_data.read(subject, path, folder.shown(path)))
        base = base or _first(parts[-1])
    for path in folder.pages.get(slug, ()):
        page = rst.read_page(path, folder.shown(path))
        parts.append(read_page.read(subject, page))
        base = base or _first(parts[-1])
        parts.append(shown_figures(subject, folder, path, page, base, stated))
    parts.append(_missing(subject, slug, folder))
    if all(name in base for name in "ABD"):
        for path in folder.shared:
            page = rst.read_page(path, folder.shown(path))
            parts.append(read_shared.read(subject, page, slug, base))
        parts.append(other_figures(subject, folder, base, stated))
    return merged(*parts), stated


def _first(evidence: Evidence) -> Mapping[str, OperandTable]:
    """The plain tables of the first set, if they are complete."""
    tables = evidence.sets[0].tables if evidence.sets else {}
    return tables if all(name in tables for name in "ABCD") else {}


def _missing(subject: Subject, slug: str, folder: Folder) -> Evidence:
    """A kind of file that is there for other instructions must be there for this one."""
    lost = [
        (kind, what)
        for kind, what, have in (("rst", "page", folder.pages), ("json", "table", folder.data))
        if have and slug not in have
    ]
    return Evidence(
        findings=tuple(
            Finding(
                "L1",
                kind,
                subject.mnemonic,
                str(folder.root),
                slug,
                f"no {what}",
                "others have one",
            )
            for kind, what in lost
        )
    )
