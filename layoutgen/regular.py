"""Read files that anybody may have put there: what is no regular file is not waited for."""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path


class NotRegular(OSError):
    """A pipe, a device or a folder in the place of a file."""


def opened(path: Path) -> BufferedReader:
    """Return a regular file, open for reading; raise :class:`NotRegular` for anything else.

    A device is not even opened, as that can have effects; what comes in its place in between
    does not block.
    """
    _assure(path.stat(), path)
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        _assure(os.fstat(handle), path)
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read(path: Path, most: int = -1) -> bytes:
    """Return what a regular file holds, or its first `most` bytes.

    A file of the system that counts as regular, but has nothing to read yet, is a failure.
    """
    with opened(path) as file:
        found: bytes | None = file.read(most)
    if found is None:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN), str(path))
    return found


def _assure(status: os.stat_result, path: Path) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise NotRegular(f"{path} is no regular file")
