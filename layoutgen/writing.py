"""Write a set of generated files: only what changed, atomically, and prune only what was ours.

A manifest inside the output folder remembers what was written, with a hash of each file: see
:mod:`layoutgen.manifest`.  A file that is no longer generated is removed if the manifest names it
and its content is still what was written; anything else in the folder is never removed.  Nothing
outside the folder is touched.
Two runs that write into one folder take turns: see :mod:`layoutgen.turns`.
"""

from __future__ import annotations

import difflib
import os
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from layoutgen.manifest import Digests, Folder, content, digest, is_written, read, text
from layoutgen.manifest import OutputError as OutputError
from layoutgen.turns import turn

Files: TypeAlias = Mapping[str, bytes]
"""What to write: POSIX paths relative to the output folder, with the content."""

DIFF_LINES = 12
MORE = 2**20
"""So many bytes more than what would be generated are read of a file, to show how they differ."""

UNFINISHED = "layoutgen-tmp"
"""Ends the name of a file that is not written yet; a run that is killed may leave one behind."""


@dataclass(frozen=True, slots=True)
class Report:
    """What :func:`write` did, as sorted paths relative to the output folder."""

    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    pruned: tuple[str, ...]
    kept: tuple[str, ...]
    """No longer generated, but changed since it was written: left for the user to remove."""
    edited: tuple[str, ...] = ()
    """Written, though the user had changed what an earlier run wrote."""
    passed_over: tuple[str, ...] = ()
    """Entries of the manifest that no run has written."""


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
    waiting: Callable[[], object] = lambda: None,
) -> Report:
    """Write `files` below `root`, and remove what an earlier run wrote and this one did not.

    `manifest` is the path of the manifest below `root`.  Raises :class:`OutputError`, before
    anything is written, for a path that leads out of `root` and for a file that is in the way:
    one that is there already, with other content, and that no earlier run wrote (`force`
    overwrites it).  A failure of the system is an :class:`OSError`.  `waiting` is called once if
    another run holds the folder, and this one waits for it.
    """
    folder = Folder(root)
    for path in (*files, manifest):
        folder.target(path)
    _make_folder(root)
    with turn(root, waiting):
        return _write(files, Folder(root), manifest, force=force)


def _write(files: Files, folder: Folder, manifest: str, *, force: bool) -> Report:
    targets = {path: folder.target(path) for path in (*sorted(files), manifest)}
    earlier = read(folder, targets[manifest])
    known = earlier.known
    changed = tuple(path for path in sorted(files) if not _holds(targets[path], files[path]))
    others = [path for path in changed if os.path.lexists(targets[path])]
    if not force:
        _refuse_foreign([path for path in others if path not in known], folder.root)
    edited = tuple(p for p in others if p in known and not is_written(targets[p], known[p]))
    ours = {path: frozenset({digest(made)}) for path, made in files.items()}
    stale = {path: digests for path, digests in known.items() if path not in files}
    # The manifest goes first: after a kill in the middle the next run knows what is ours.
    either = {path: digests | ours.get(path, digests) for path, digests in known.items()}
    begun = {path: digests for path, digests in ours.items() if path not in known}
    write_file(targets[manifest], text(either, begun))
    _sweep([targets[manifest], *(folder.target(path) for path in {**either, **begun})])
    for path in changed:
        _replace(targets[path], files[path])
    pruned, kept = _prune(folder, stale)
    write_file(targets[manifest], text(ours))
    unchanged = tuple(sorted(set(files) - set(changed)))
    return Report(changed, unchanged, pruned, kept, edited, earlier.passed_over)


def compare(files: Files, root: Path, manifest: str) -> list[Finding]:
    """Return how what is on disk differs from `files`, in order of path; nothing is written."""
    folder = Folder(root)
    known = read(folder, folder.target(manifest)).known
    findings = []
    for path, made in files.items():
        there = content(folder.target(path), len(made) + MORE)
        if there is None:
            findings.append(Finding("missing", path))
        elif there != made:
            findings.append(Finding("differs", path, _diff(path, there, made)))
    stale = (p for p in known if p not in files and folder.target(p).is_file())
    findings += [Finding("stale", path) for path in stale]
    return sorted(findings, key=lambda f: f.path)


def write_file(path: Path, made: bytes) -> None:
    """Write one file whole, and leave it alone if it has this content already."""
    if not _holds(path, made):
        _replace(path, made)


def _holds(path: Path, made: bytes) -> bool:
    """Tell whether a file has this content; of a longer one no more is read."""
    return content(path, len(made) + 1) == made


def _refuse_foreign(paths: list[str], root: Path) -> None:
    if paths:
        more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
        raise OutputError(
            f"{root / paths[0]}{more} would be overwritten, and layoutgen did not write it: "
            "move it away, choose another folder, or force it"
        )


def _sweep(targets: list[Path]) -> None:
    """Remove what a run that was killed has left of these files."""
    names: defaultdict[Path, set[str]] = defaultdict(set)
    for target in targets:
        names[target.parent].add(_prefix(target.name))
    for folder in names:
        for found in sorted(folder.glob(f".*.{UNFINISHED}")):
            if found.name[: len(_prefix(""))] in names[folder]:
                found.unlink(missing_ok=True)


def _prefix(name: str) -> str:
    """Return how the temporary name of a file begins: short, whatever its own name is."""
    return f".{digest(os.fsencode(name))[:12]}."


def _replace(path: Path, made: bytes) -> None:
    """Write through a temporary file beside `path`, so that no half-written file is ever seen."""
    _make_folder(path.parent)
    try:
        _replace_in_folder(path, made)
    except OSError as failure:  # that of the system names the temporary file, or none
        raise OutputError(failure.errno, failure.strerror, str(path)) from failure


def _replace_in_folder(path: Path, made: bytes) -> None:
    handle, temporary = tempfile.mkstemp(
        prefix=_prefix(path.name), suffix=f".{UNFINISHED}", dir=path.parent
    )
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(made)
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:  # a file, or a link that leads nowhere
        raise OutputError(f"cannot write below {folder}: it is no folder") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _prune(folder: Folder, stale: Digests) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Remove the `stale` files that nobody changed, and the folders that this leaves empty."""
    pruned, kept = [], []
    for path in sorted(stale):
        target = folder.target(path)
        if not target.exists():
            continue
        if not is_written(target, stale[path]):
            kept.append(path)
            continue
        target.unlink()
        pruned.append(path)
        with suppress(OSError):  # a folder that is not empty
            for above in target.relative_to(folder.root).parents[:-1]:
                (folder.root / above).rmdir()
    return tuple(pruned), tuple(kept)


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
