"""EPUB files that are the same on every build, and hold every picture once.

Sphinx gives each file in an EPUB the time at which it was written.  Where ``SOURCE_DATE_EPOCH`` is
set, which asks for the same bytes on any day, they get that time instead.
"""

from __future__ import annotations

import io
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile, ZipInfo

if TYPE_CHECKING:
    from sphinx.application import Sphinx

EARLIEST = 315_532_800
"""1980-01-01, the first day that a ZIP file can tell."""


def stamped(content: bytes, epoch: int) -> bytes:
    """Return a ZIP file whose members all have the time `epoch`, in seconds since 1970."""
    date = time.gmtime(max(epoch, EARLIEST))[:6]
    made = io.BytesIO()
    with ZipFile(io.BytesIO(content)) as old, ZipFile(made, "w") as new:
        for member in old.infolist():
            info = ZipInfo(member.filename, date)
            info.compress_type, info.external_attr = member.compress_type, member.external_attr
            new.writestr(info, old.read(member))
    return made.getvalue()


def _stamp(app: Sphinx, exception: Exception | None) -> None:
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    builder: Any = app.builder
    if exception is not None or builder.name != "epub" or not epoch.isdigit():
        return
    from layoutgen.writing import write_file

    file = Path(app.outdir) / f"{app.config.epub_basename}.epub"
    if file.is_file():
        write_file(file, stamped(file.read_bytes(), int(epoch)))


def _leave_out(app: Sphinx) -> list[Any]:
    """Keep out what lies in the doctrees, which are in the output folder unless they have one."""
    builder: Any = app.builder
    out, trees = Path(app.outdir).resolve(), Path(app.doctreedir).resolve()
    if builder.name == "epub" and trees.is_relative_to(out):
        ours = (file.relative_to(out).as_posix() for file in trees.glob("layoutgen-*/**/*"))
        app.config.epub_exclude_files = [*app.config.epub_exclude_files, *sorted(ours)]
    return []


def setup_epub(app: Sphinx) -> None:
    """Listen to the end of a build."""
    app.connect("html-collect-pages", _leave_out)
    app.connect("build-finished", _stamp)
