"""Find the files of specification folders, and read their bytes."""

from __future__ import annotations

import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from layoutgen import regular
from layoutgen.spec.errors import Code, Diagnostic, printable

SUFFIX = ".yaml"

MAX_BYTES = 1_000_000
"""A specification is never larger; the largest of ours has a hundredth of that."""


@dataclass(frozen=True, slots=True)
class Found:
    """A file that was found: its path, and its content or what prevents the use of it."""

    path: Path
    content: bytes = b""
    problem: Diagnostic | None = None


def find(folders: Iterable[Path]) -> list[Found]:
    """Return the specification files of `folders`, in order of folders and names.

    Hidden files are left out, and so is a folder that was there before.  A folder that cannot
    be used is returned with its problem.
    """
    found: list[Found] = []
    seen: set[Path] = set()
    for folder in folders:
        real = _real(folder)
        if real not in seen:
            seen.add(real)
            found += _folder(folder)
    return found


def shown(path: Path) -> str:
    """Return a path as it is told: relative where it lies below the current folder."""
    try:
        return str(path.relative_to(Path.cwd()))
    except (OSError, ValueError):
        return str(path)


def _refused(code: Code, path: Path, message: str, hint: str = "") -> Found:
    return Found(path, problem=Diagnostic(shown(path), 1, 1, code, message, hint=hint))


def _folder(folder: Path) -> list[Found]:
    try:
        names = sorted(entry.name for entry in folder.iterdir())
    except FileNotFoundError:
        return [_refused("spec-folder", folder, "there is no such folder of specifications")]
    except NotADirectoryError:
        message = "this is a file; wanted a folder of specifications"
        return [_refused("spec-folder", folder, message)]
    except (OSError, ValueError) as error:
        return [_refused("spec-folder", folder, f"the folder cannot be read: {_reason(error)}")]
    wanted = [n for n in names if n.endswith(SUFFIX) and not n.startswith(".")]
    if wanted:
        return [_file(folder / name) for name in wanted]
    other = next((n for n in names if n.lower().endswith((".yml", SUFFIX))), "")
    hint = f"{printable(other)} is left out: names of specifications end in {SUFFIX}"
    message = f"the folder has no {SUFFIX} file"
    return [_refused("spec-folder", folder, message, hint if other else "")]


def _file(path: Path) -> Found:
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            return _refused("spec-file", path, "this is a folder; wanted a file")
        content = regular.read(path, MAX_BYTES + 1)
    except regular.NotRegular:
        return _refused("spec-file", path, "this is no regular file")
    except OSError as error:
        return _refused("spec-file", path, f"the file cannot be read: {_reason(error)}")
    if len(content) > MAX_BYTES:
        size = f"{max(status.st_size, len(content)) / 1e6:.1f} MB"
        limit = f"{MAX_BYTES / 1e6:.0f} MB"
        message = f"the file has {size}; a specification has at most {limit}"
        return _refused("spec-too-large", path, message)
    return Found(path, content)


def _real(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):  # a loop of links, or no name of a file
        return path


def _reason(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error).lower()
