"""Write a set of generated files: only what changed, atomically, and prune only what was ours.

A manifest inside the output folder remembers what was written, with a hash of each file.  A file
that is no longer generated is removed if the manifest names it and its content is still what was
written; anything else in the folder is never removed.  Nothing outside the folder is touched.
Two runs that write into one folder take turns.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal, TypeAlias

Files: TypeAlias = Mapping[str, bytes]
"""What to write: POSIX paths relative to the output folder, with the content."""

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with a path, how many files are done, and how many there are."""

DIFF_LINES = 12

UNFINISHED = "layoutgen-tmp"
"""Ends the name of a file that is not written yet; a run that is killed may leave one behind."""


class OutputError(OSError):
    """A path that may not be written; the text names it and gives the reason."""


@dataclass(frozen=True, slots=True)
class Report:
    """What :func:`write` did, as sorted paths relative to the output folder."""

    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    pruned: tuple[str, ...]
    kept: tuple[str, ...]
    """No longer generated, but changed since it was written: left for the user to remove."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A file on disk that is not what would be generated; `diff` shows the first lines."""

    kind: Literal["missing", "differs", "stale"]
    path: str
    diff: str = ""

    def __str__(self) -> str:
        """Return one line, and the diff below it where there is one."""
        return f"{self.path}: {self.kind}" + (f"\n{self.diff}" if self.diff else "")


def write(
    files: Files,
    root: Path,
    manifest: str,
    *,
    force: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Write `files` below `root`, and remove what an earlier run wrote and this one did not.

    `manifest` is the path of the manifest below `root`.  Raises :class:`OutputError`, before
    anything is written, for a path that leads out of `root` and for a file that is in the way:
    one that is there already, with other content, and that no earlier run wrote (`force`
    overwrites it).  A failure of the system is an :class:`OSError`.
    """
    for path in (*files, manifest):
        _inside(root, path)
    with _turn(root):
        return _write(files, root, manifest, force=force, progress=progress)


def _write(
    files: Files, root: Path, manifest: str, *, force: bool, progress: Progress | None
) -> Report:
    targets = {path: _inside(root, path) for path in (*sorted(files), manifest)}
    known = _read_manifest(targets[manifest])
    changed = [path for path in sorted(files) if _content(targets[path]) != files[path]]
    if not force:
        _refuse_foreign([p for p in changed if p not in known and targets[p].exists()], root)
    ours = {path: _digest(content) for path, content in files.items()}
    stale = {path: digest for path, digest in known.items() if path not in files}
    # The manifest goes first: after a kill in the middle the next run knows what is ours.
    write_file(targets[manifest], _manifest_text({**stale, **ours}))
    _sweep(targets[manifest], *(_inside(root, path) for path in {**known, **files}))
    for done, path in enumerate(changed, 1):
        _replace(targets[path], files[path])
        if progress:
            progress(path, done, len(changed))
    pruned, kept = _prune(root, stale)
    write_file(targets[manifest], _manifest_text(ours))
    unchanged = tuple(sorted(set(files) - set(changed)))
    return Report(tuple(changed), unchanged, pruned, kept)


def compare(files: Files, root: Path, manifest: str) -> list[Finding]:
    """Return how what is on disk differs from `files`, in order of path; nothing is written."""
    known = _read_manifest(_inside(root, manifest))
    findings = []
    for path, content in files.items():
        there = _content(_inside(root, path))
        if there is None:
            findings.append(Finding("missing", path))
        elif there != content:
            findings.append(Finding("differs", path, _diff(path, there, content)))
    stale = (p for p in known if p not in files and _inside(root, p).is_file())
    findings += [Finding("stale", path) for path in stale]
    return sorted(findings, key=lambda f: f.path)


def write_file(path: Path, content: bytes) -> None:
    """Write one file whole, and leave it alone if it has this content already."""
    if _content(path) != content:
        _replace(path, content)


def _inside(root: Path, path: str) -> Path:
    """Return the target of `path` below `root`; refuse one that leads out of it."""
    parts = PurePosixPath(path).parts
    target = root.joinpath(*parts)
    if not parts or PurePosixPath(path).is_absolute() or ".." in parts or "\\" in path:
        raise OutputError(f"{path!r} is not a path inside of {root}")
    if not target.parent.resolve().is_relative_to(root.resolve()):
        raise OutputError(f"{target}: a link leads out of {root}, so it is not written")
    if target.is_dir():
        raise OutputError(f"cannot write {target}: it is a folder")
    return target


def _refuse_foreign(paths: list[str], root: Path) -> None:
    if paths:
        more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
        raise OutputError(
            f"{root / paths[0]}{more} would be overwritten, and layoutgen did not write it: "
            "move it away, choose another folder, or force it"
        )


@contextmanager
def _turn(root: Path) -> Iterator[None]:
    """Wait until no other run writes below `root`; where the system has no locks, do not wait."""
    root.mkdir(parents=True, exist_ok=True)
    try:
        import fcntl
    except ImportError:
        yield
        return
    folder = os.open(root, os.O_RDONLY)
    try:
        with suppress(OSError):  # a file system that knows no locks
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _sweep(*targets: Path) -> None:
    """Remove what a run that was killed has left of these files."""
    for folder in {target.parent for target in targets}:
        names = {target.name for target in targets if target.parent == folder}
        for found in sorted(folder.glob(f".*.{UNFINISHED}")):
            if found.name.removeprefix(".").rsplit(".", 2)[0] in names:
                found.unlink(missing_ok=True)


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _replace(path: Path, content: bytes) -> None:
    """Write through a temporary file beside `path`, so that no half-written file is ever seen."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(
        prefix=f".{path.name}.", suffix=f".{UNFINISHED}", dir=path.parent
    )
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _prune(root: Path, stale: Mapping[str, str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Remove the `stale` files that nobody changed, and the folders that this leaves empty."""
    pruned, kept = [], []
    for path in sorted(stale):
        target = _inside(root, path)
        content = _content(target)
        if content is None:
            continue
        if _digest(content) != stale[path]:
            kept.append(path)
            continue
        target.unlink()
        pruned.append(path)
        for folder in target.parents:
            if folder == root or any(folder.iterdir()):
                break
            folder.rmdir()
    return tuple(pruned), tuple(kept)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _manifest_text(entries: Mapping[str, str]) -> bytes:
    about = "Files written by 'layoutgen docs', with their SHA-256."
    document = {"about": about, "files": dict(sorted(entries.items()))}
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()


def _read_manifest(path: Path) -> dict[str, str]:
    """Return the entries of the manifest; a damaged one counts as empty, so nothing is pruned."""
    try:
        entries = json.loads(path.read_bytes())["files"]
        return {str(name): str(digest) for name, digest in entries.items()}
    except FileNotFoundError:
        return {}
    except (ValueError, LookupError, TypeError, AttributeError):
        return {}


def _diff(path: str, there: bytes, wanted: bytes) -> str:
    """Return the first lines of a unified diff, or sizes for what is no text."""
    try:
        lines = difflib.unified_diff(
            there.decode().splitlines(),
            wanted.decode().splitlines(),
            f"{path} (on disk)",
            f"{path} (generated)",
            lineterm="",
            n=0,
        )
        return "\n".join(_shortened(lines))
    except UnicodeDecodeError:
        return f"{len(there)} bytes on disk, {len(wanted)} bytes generated"


def _shortened(lines: Iterator[str]) -> Iterator[str]:
    for count, line in enumerate(lines):
        if count == DIFF_LINES:
            yield "…"
            return
        yield line if len(line) <= 160 else f"{line[:159]}…"
