"""All that a folder says of one instruction: its pages, figures, tables, and the shared pages."""

from __future__ import annotations

from collections.abc import Mapping

from layoutgen.validate import alternative_text, read_data, read_page, read_shared
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
    first = Evidence()
    for path in folder.data.get(slug, ()):
        parts.append(read_data.read(subject, path, folder.shown(path)))
        first = first if _tables(first) else parts[-1]
    for path in folder.pages.get(slug, ()):
        page = rst.read_page(path, folder.shown(path))
        told = read_page.read(subject, page)
        first = first if _tables(first) else told
        parts.append(told)
        parts.append(_requests(subject, page, told))
        parts.append(shown_figures(subject, folder, path, page, _tables(first), stated))
    base = _tables(first)
    parts.append(_missing(subject, slug, folder))
    if all(name in base for name in "ABD"):
        for path in folder.shared:
            page = rst.read_page(path, folder.shown(path))
            parts.append(read_shared.read(subject, page, slug, first.sets[0]))
            parts.append(_requests(subject, page, first, shared=True))
        parts.append(other_figures(subject, folder, base, stated))
    return merged(*parts), stated


def _requests(
    subject: Subject, page: rst.Page, told: Evidence, *, shared: bool = False
) -> Evidence:
    """The figures that a page asks the build for; on a shared page those of the instruction."""
    own = f"{subject.arch}.{subject.mnemonic}"
    asked = [
        part
        for part in page.parts
        if isinstance(part, rst.Request) and (not shared or part.instruction == own)
    ]
    wrong = [f for part in asked for f in alternative_text.of_request(subject, page, part, told)]
    return Evidence(findings=tuple(wrong), counts={("L1", "rst", "figures asked for"): len(asked)})


def _tables(evidence: Evidence) -> Mapping[str, OperandTable]:
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
