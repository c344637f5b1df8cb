"""What ``docs`` generated before, so that it is not made again while nothing has changed.

All files of a tree follow from the specifications, the templates and the code.  They are kept in
the user's cache under a digest of all of these: what has changed is never found again.  An archive
carries a seal over everything in it: one that is not whole counts as absent.
Everything that can go wrong with a cache is ignored: the files are then made anew.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from layoutgen import regular

if TYPE_CHECKING:
    from layoutgen.model import Architecture

KEEP = 4
"""Trees that are kept; when one more is written, the oldest goes."""

MADE_WITH = ("jinja2", "markupsafe", "numpy", "svgwrite")
"""Packages that files are made with, besides our own."""

PACKAGE = Path(__file__).parents[1]


def files(made_from: str, make: Callable[[], Mapping[str, bytes]]) -> Mapping[str, bytes]:
    """Return what was made from the same before, or else what `make` returns."""
    from layoutgen.spec.shelf import folder

    where = folder()
    if where is None:
        return make()
    path = where / f"docs-{made_from}.zip"
    found: Mapping[str, bytes] | None = _read(path, made_from)
    if found is None:
        found = make()
        _write(path, found, _seal(made_from, found))
    return found


def digest(archs: Sequence[Architecture], tree: str, templates: Path | None) -> str:
    """Return the digest of all that a tree is made from."""
    total = sha256(f"{tree} {sys.version} {_versions()}".encode())
    for name, content in _sources(archs, templates):
        total.update(b"%d %d " % (len(name), len(content)) + os.fsencode(name) + content)
    return total.hexdigest()


def _sources(archs: Sequence[Architecture], templates: Path | None) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of code, templates, examples and specifications."""
    from layoutgen.pages.examples import folder

    for root in filter(None, (PACKAGE, folder(), templates)):
        for path in sorted(root.rglob("*")):
            if path.is_file() and path.suffix not in (".pyc", ".pyo"):
                yield path.relative_to(root).as_posix(), path.read_bytes()
    for arch in archs:
        for file in arch.files:
            yield f"{arch.name} {Path(file).name}", Path(file).read_bytes()


def _versions() -> str:
    found = []
    for name in MADE_WITH:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:  # the package is there under another name
            found.append(name)
    return ", ".join(found)


def _seal(made_from: str, found: Mapping[str, bytes]) -> bytes:
    total = sha256(made_from.encode())
    for name, content in found.items():
        total.update(b"%d %d " % (len(name), len(content)) + os.fsencode(name) + content)
    return total.hexdigest().encode()


def _read(path: Path, made_from: str) -> dict[str, bytes] | None:
    import zlib
    from zipfile import BadZipFile, ZipFile

    try:
        with regular.opened(path) as file, ZipFile(file) as archive:
            found = {name: archive.read(name) for name in archive.namelist()}
            return found if archive.comment == _seal(made_from, found) else None
    except (OSError, EOFError, ValueError, LookupError, RuntimeError, BadZipFile, zlib.error):
        return None


def _write(path: Path, found: Mapping[str, bytes], seal: bytes) -> None:
    import tempfile
    import zipfile

    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".docs-")
        with (
            os.fdopen(handle, "wb") as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        ):
            for name, content in found.items():
                archive.writestr(name, content)
            archive.comment = seal
        Path(temporary).replace(path)
        temporary = None
        kept = sorted(path.parent.glob("docs-*.zip"), key=lambda p: p.stat().st_mtime)
        for old in kept[:-KEEP]:
            old.unlink(missing_ok=True)
    except (OSError, ValueError):
        pass
    finally:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
