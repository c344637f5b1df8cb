"""Image files: drawn once, kept beside the doctrees, and removed when no document shows them.

A file has the name of its content, and lies in a folder with the name of what was drawn: the
scene, the colours, and the code that drew it.  Each output folder has a ledger there, which tells
the files that each of its documents shows.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from layoutgen.sphinx.domain import LayoutDomain, layout_domain
from layoutgen.sphinx.pictures import Drawn, Picture
from layoutgen.writing import write_file

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from layoutgen.figures.scene import Scene

FileType: TypeAlias = Literal["svg", "pdf", "png"]
FILES: dict[FileType, str] = {
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "png": "image/png",
}
"""Kinds of files, best first."""

Ledger: TypeAlias = dict[str, list[str]]
"""The names of the files that each document shows."""

_OURS = re.compile(r"layoutgen-[0-9a-f]{16}\.(svg|pdf|png)")
_FOLDER = "layoutgen-images"


def draw(picture: Picture, way: FileType, domain: LayoutDomain) -> Drawn:
    """Return the file of a picture; what is drawn on several pages, or was before, is kept."""
    key = (picture.digest or picture, way)
    if key not in domain.drawn:
        scene = domain.library.scene(picture)
        folder = Path(domain.env.doctreedir) / _FOLDER / _key(scene, way, domain)
        path = next(iter(folder.glob("layoutgen-*")), None) or _new(folder, scene, way, domain)
        domain.drawn[key] = Drawn(path, scene.title, scene.description, scene.width, scene.height)
    return domain.drawn[key]


def _new(folder: Path, scene: Scene, way: FileType, domain: LayoutDomain) -> Path:
    content = _render(scene, way, domain)
    path = folder / f"layoutgen-{hashlib.sha256(content).hexdigest()[:16]}.{way}"
    write_file(path, content)
    return path


def _key(scene: Scene, way: FileType, domain: LayoutDomain) -> str:
    """Return the digest of all that decides what the file holds."""
    made = repr((scene, domain.settings.light, domain.settings.dark, way, _code()))
    return hashlib.sha256(made.encode()).hexdigest()[:32]


@cache
def _code() -> str:
    """Return the digest of the code that draws."""
    from importlib.metadata import version

    from layoutgen import figures
    from layoutgen.spec import shelf

    code = sorted(Path(figures.__path__[0]).glob("*.py"))
    drawn_by = " ".join(map(version, ("svgwrite", "reportlab", "matplotlib")))
    return f"{shelf.key((file, file.read_bytes()) for file in code)} {drawn_by}"


def _render(scene: Scene, way: FileType, domain: LayoutDomain) -> bytes:
    light, dark = domain.settings.light, domain.settings.dark
    if way == "svg":
        from layoutgen.figures import svg

        return svg.render(scene, style=svg.css(light, dark))
    if way == "pdf":
        from layoutgen.figures import pdf

        return pdf.render(scene, light)
    from layoutgen.figures import png

    return png.render(scene, light)


def remove_stale(app: Sphinx, exception: Exception | None) -> None:
    """Remove the files that an earlier run made and no document shows any more."""
    if exception is not None:
        return
    domain = layout_domain(app.env)
    cache = Path(app.doctreedir) / _FOLDER
    ledger = cache / f"{app.builder.name}-{_place(app)}.json"
    before = _read(ledger)
    now = {doc: names for doc, names in before.items() if doc in app.env.found_docs}
    now |= {doc: sorted(names) for doc, names in domain.images.items()}
    now = {doc: names for doc, names in sorted(now.items()) if names}
    folder = Path(app.outdir) / app.builder.imagedir
    for name in sorted(_names(before) - _names(now)):
        if _OURS.fullmatch(name):
            (folder / name).unlink(missing_ok=True)
    if now:
        write_file(ledger, f"{json.dumps(now, indent=1)}\n".encode())
    else:
        ledger.unlink(missing_ok=True)
    _prune(cache)


def _place(app: Sphinx) -> str:
    """Return a short name for the output folder, which stays when both folders move."""
    try:
        place = os.path.relpath(app.outdir, app.doctreedir)
    except ValueError:  # on another drive of Windows
        place = str(app.outdir)
    return hashlib.sha256(os.fsencode(place)).hexdigest()[:8]


def _prune(cache: Path) -> None:
    """Remove from the doctrees what no builder shows any more."""
    shown = {name for ledger in cache.glob("*.json") for name in _names(_read(ledger))}
    for path in sorted(cache.glob("*/layoutgen-*")):
        if path.name not in shown:
            shutil.rmtree(path.parent, ignore_errors=True)


def _names(ledger: Ledger) -> set[str]:
    return {name for names in ledger.values() for name in names}


def _read(ledger: Path) -> Ledger:
    try:
        found = json.loads(ledger.read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
