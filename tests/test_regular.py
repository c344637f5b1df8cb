"""Only regular files are read, and nothing is waited for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from layoutgen import regular


def test_a_file_is_read_whole_or_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"abc")
    assert (regular.read(path), regular.read(path, 2)) == (b"abc", b"ab")
    (tmp_path / "link").symlink_to("file")
    assert regular.read(tmp_path / "link") == b"abc"


def test_a_pipe_a_folder_and_a_device_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    for path in (tmp_path / "pipe", tmp_path, tmp_path / "zero"):
        with pytest.raises(regular.NotRegular, match=f"{path} is no regular file"):
            regular.read(path)


def test_a_pipe_that_takes_the_place_of_a_file_does_not_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe, file = tmp_path / "pipe", tmp_path / "file"
    os.mkfifo(pipe)
    file.write_bytes(b"")
    as_before = file.stat()
    monkeypatch.setattr(Path, "stat", lambda self: as_before)
    with pytest.raises(regular.NotRegular):
        regular.read(pipe)


def test_what_has_nothing_to_read_yet_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the kernel's log, which counts as a regular file; here a pipe that is held open."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    held = os.open(pipe, os.O_RDWR)
    monkeypatch.setattr(regular, "_assure", lambda status, path: None)
    try:
        with pytest.raises(BlockingIOError):
            regular.read(pipe)
    finally:
        os.close(held)
