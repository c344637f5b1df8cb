"""Nothing that the user has is lost, and nothing is written without need."""

from __future__ import annotations

import json
import os
import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from layoutgen import turns, writing
from layoutgen.writing import Finding, OutputError, compare, write

MANIFEST = "docs/.layoutgen.json"
FILES = {"docs/a.rst": b"a\n", "docs/deep/b.rst": b"b\n", "figures/c.svg": b"<svg/>\n"}


def everything(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def times(root: Path) -> dict[str, int]:
    return {str(p): p.stat().st_mtime_ns for p in root.rglob("*")}


def test_everything_is_written_with_a_manifest(tmp_path: Path) -> None:
    report = write(FILES, tmp_path, MANIFEST)
    assert report.written == tuple(sorted(FILES))
    found = everything(tmp_path)
    assert list(json.loads(found.pop(MANIFEST))["files"]) == sorted(FILES)
    assert found == FILES


def test_a_second_run_touches_nothing(tmp_path: Path) -> None:
    write(FILES, tmp_path, MANIFEST)
    before = times(tmp_path)
    report = write(FILES, tmp_path, MANIFEST)
    assert (report.written, report.pruned) == ((), ())
    assert report.unchanged == tuple(sorted(FILES))
    assert times(tmp_path) == before


def test_only_what_changed_is_written(tmp_path: Path) -> None:
    write(FILES, tmp_path, MANIFEST)
    before = times(tmp_path)
    report = write({**FILES, "docs/a.rst": b"new\n"}, tmp_path, MANIFEST)
    assert report.written == ("docs/a.rst",)
    after = times(tmp_path)
    changed = {Path(p).name for p in after if after[p] != before[p]}
    assert changed == {"docs", "a.rst", ".layoutgen.json"}


def test_two_folders_get_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(FILES if name == "one" else dict(reversed(FILES.items())), tmp_path / name, MANIFEST)
    assert everything(tmp_path / "one") == everything(tmp_path / "two")


def test_what_is_no_longer_generated_is_removed_with_its_empty_folders(tmp_path: Path) -> None:
    write(FILES, tmp_path, MANIFEST)
    report = write({"docs/a.rst": b"a\n"}, tmp_path, MANIFEST)
    assert report.pruned == ("docs/deep/b.rst", "figures/c.svg")
    assert sorted(p.name for p in tmp_path.rglob("*")) == [".layoutgen.json", "a.rst", "docs"]


def test_a_users_own_files_stay(tmp_path: Path) -> None:
    write(FILES, tmp_path, MANIFEST)
    own = tmp_path / "figures" / "mine.svg"
    own.write_bytes(b"mine")
    write({"docs/a.rst": b"a\n"}, tmp_path, MANIFEST)
    assert own.read_bytes() == b"mine"


def test_a_stale_file_that_the_user_changed_stays_and_is_told(tmp_path: Path) -> None:
    write(FILES, tmp_path, MANIFEST)
    (tmp_path / "figures/c.svg").write_bytes(b"better")
    report = write({"docs/a.rst": b"a\n"}, tmp_path, MANIFEST)
    assert report.kept == ("figures/c.svg",)
    assert (tmp_path / "figures/c.svg").read_bytes() == b"better"


def test_a_file_in_the_way_that_we_did_not_write_is_refused_before_anything(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.rst").write_bytes(b"mine\n")
    with pytest.raises(OutputError, match=r"a\.rst would be overwritten, and layoutgen did not"):
        write(FILES, tmp_path, MANIFEST)
    assert everything(tmp_path) == {"docs/a.rst": b"mine\n"}
    assert "docs/a.rst" in write(FILES, tmp_path, MANIFEST, force=True).written


def test_an_equal_file_that_we_did_not_write_is_adopted(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.rst").write_bytes(b"a\n")
    assert "docs/a.rst" in write(FILES, tmp_path, MANIFEST).unchanged


@pytest.mark.parametrize("path", ["../out.rst", "/etc/out.rst", "docs/../../out.rst", "", "a\\b"])
def test_nothing_is_written_outside_of_the_folder(tmp_path: Path, path: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    with pytest.raises(OutputError):
        write({**FILES, path: b"x"}, root, MANIFEST)
    assert everything(tmp_path) == {}


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    root = tmp_path / "root"
    root.mkdir()
    (root / "figures").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OutputError, match="a link leads out of"):
        write(FILES, root, MANIFEST)
    assert everything(tmp_path / "elsewhere") == {}


def tampered(root: Path, entries: dict[str, Any]) -> None:
    """Add `entries` to the manifest below `root`."""
    document = json.loads((root / MANIFEST).read_text())
    document["files"].update(entries)
    (root / MANIFEST).write_text(json.dumps(document))


DIGEST_OF_X = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"


@pytest.mark.parametrize(
    "entry",
    [
        "../victim", "/etc/hostname", "", ".", "docs", "docs//a.rst", "./docs/a.rst", "a\\b",
        "out/victim", "x" * 5000, "a/" * 3000 + "b", "a\0b", "a\ud800b",
    ],
    ids=lambda entry: ascii(entry[:20]),
)  # fmt: skip
def test_an_entry_that_no_run_has_written_is_passed_over_and_told(
    tmp_path: Path, entry: str
) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"x")
    root = tmp_path / "root"
    write(FILES, root, MANIFEST)
    (root / "out").symlink_to(tmp_path)
    good = (root / MANIFEST).read_bytes()
    tampered(root, {entry: DIGEST_OF_X})
    assert compare(FILES, root, MANIFEST) == []
    report = write(FILES, root, MANIFEST)
    assert report.passed_over == (entry,)
    assert (report.written, report.pruned, report.kept) == ((), (), ())
    assert victim.exists()
    assert (root / MANIFEST).read_bytes() == good


def test_very_many_entries_of_files_that_are_gone_take_no_time(tmp_path: Path) -> None:
    """In as many folders; to look at all for each would take minutes."""
    write(FILES, tmp_path, MANIFEST)
    good = (tmp_path / MANIFEST).read_bytes()
    tampered(tmp_path, {f"x{i}/y": DIGEST_OF_X for i in range(30_000)})
    report = write(FILES, tmp_path, MANIFEST)
    assert (report.written, report.pruned, report.passed_over) == ((), (), ())
    assert (tmp_path / MANIFEST).read_bytes() == good


@pytest.mark.parametrize("path", ["docs/a.rst", MANIFEST])
def test_a_pipe_in_the_way_is_refused_and_not_read(tmp_path: Path, path: str) -> None:
    write(FILES, tmp_path, MANIFEST)
    (tmp_path / path).unlink()
    os.mkfifo(tmp_path / path)
    for act in (write, compare):
        with pytest.raises(OutputError, match=f"{re.escape(path)} is no regular file"):
            act(FILES, tmp_path, MANIFEST)


def test_a_pipe_with_the_name_of_a_stale_file_stays_and_is_told(tmp_path: Path) -> None:
    write(FILES, tmp_path, MANIFEST)
    (tmp_path / "figures/c.svg").unlink()
    os.mkfifo(tmp_path / "figures/c.svg")
    fewer = {"docs/a.rst": b"a\n"}
    assert compare(fewer, tmp_path, MANIFEST) == [Finding("stale", "docs/deep/b.rst")]
    report = write(fewer, tmp_path, MANIFEST)
    assert (report.pruned, report.kept) == (("docs/deep/b.rst",), ("figures/c.svg",))
    assert (tmp_path / "figures/c.svg").is_fifo()


def test_a_users_link_that_leads_nowhere_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    link = tmp_path / "docs/a.rst"
    link.symlink_to("not/there/yet")
    with pytest.raises(OutputError, match=r"a\.rst would be overwritten, and layoutgen did not"):
        write(FILES, tmp_path, MANIFEST)
    assert link.is_symlink()
    write(FILES, tmp_path, MANIFEST, force=True)
    assert link.read_bytes() == b"a\n"


def test_a_link_that_leads_nowhere_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "figures").symlink_to("not/there/yet")
    with pytest.raises(OutputError, match=r"cannot write below .*figures: it is no folder"):
        write(FILES, tmp_path, MANIFEST)


def test_a_generated_file_that_the_user_changed_is_made_again_and_told(tmp_path: Path) -> None:
    write(FILES, tmp_path, MANIFEST)
    (tmp_path / "docs/a.rst").write_bytes(b"better\n")
    (tmp_path / "figures/c.svg").unlink()
    report = write({**FILES, "docs/deep/b.rst": b"new\n"}, tmp_path, MANIFEST)
    assert report.edited == ("docs/a.rst",)
    assert report.written == tuple(sorted(FILES))
    assert everything(tmp_path)["docs/a.rst"] == b"a\n"


def test_what_a_killed_run_wrote_and_did_not_write_is_no_change_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of three versions of two files, the second was written to one of them only."""
    write({"a": b"1", "b": b"1", "c": b"1"}, tmp_path, MANIFEST)
    replace = writing._replace

    def killed(path: Path, content: bytes) -> None:
        if path.name == "b":
            raise KeyboardInterrupt
        replace(path, content)

    monkeypatch.setattr(writing, "_replace", killed)
    with pytest.raises(KeyboardInterrupt):
        write({"a": b"2", "b": b"2"}, tmp_path, MANIFEST)
    monkeypatch.undo()
    assert [(tmp_path / name).read_bytes() for name in "abc"] == [b"2", b"1", b"1"]
    report = write({"a": b"3"}, tmp_path, MANIFEST)
    assert (report.written, report.edited) == (("a",), ())
    assert (report.pruned, report.kept) == (("b", "c"), ())


def interrupted(
    monkeypatch: pytest.MonkeyPatch, at: str, files: dict[str, bytes], root: Path
) -> None:
    """Write `files`, and stop as a kill or a full disk does where the file named `at` is due."""
    replace = writing._replace

    def stop(path: Path, content: bytes) -> None:
        if path.name == at:
            raise KeyboardInterrupt
        replace(path, content)

    with monkeypatch.context() as patch:
        patch.setattr(writing, "_replace", stop)
        with pytest.raises(KeyboardInterrupt):
            write(files, root, MANIFEST)


def test_what_a_stopped_run_only_meant_to_write_is_not_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted(monkeypatch, "c.svg", FILES, tmp_path)
    mine = tmp_path / "figures/c.svg"
    mine.parent.mkdir()
    mine.write_bytes(b"mine")
    before = everything(tmp_path)
    for files in (FILES, {**FILES, "figures/c.svg": b"<svg>other</svg>\n"}):
        with pytest.raises(
            OutputError, match=r"c\.svg would be overwritten, and layoutgen did not"
        ):
            write(files, tmp_path, MANIFEST)
    assert everything(tmp_path) == before
    mine.rename(tmp_path / "kept")
    report = write(FILES, tmp_path, MANIFEST)
    assert (report.written, report.edited) == (("figures/c.svg",), ())
    assert compare(FILES, tmp_path, MANIFEST) == []
    assert "begun" not in json.loads((tmp_path / MANIFEST).read_text())


def test_what_a_stopped_run_only_meant_to_write_is_neither_pruned_nor_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted(monkeypatch, "c.svg", FILES, tmp_path)
    (tmp_path / "figures").mkdir()
    os.mkfifo(tmp_path / "figures/c.svg")
    fewer = {"docs/a.rst": b"a\n"}
    assert compare(fewer, tmp_path, MANIFEST) == [Finding("stale", "docs/deep/b.rst")]
    report = write(fewer, tmp_path, MANIFEST)
    assert (report.pruned, report.kept) == (("docs/deep/b.rst",), ())
    assert (tmp_path / "figures/c.svg").is_fifo()


def test_what_stopped_runs_wrote_is_ours_and_stays_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three versions; the first was written by half, the second not at all."""
    interrupted(monkeypatch, "b", {"a": b"1", "b": b"1"}, tmp_path)
    interrupted(monkeypatch, "a", {"a": b"2", "b": b"2"}, tmp_path)
    assert everything(tmp_path)["a"] == b"1"
    report = write({"a": b"3"}, tmp_path, MANIFEST)
    assert (report.written, report.edited, report.kept) == (("a",), (), ())


@pytest.mark.parametrize("letter", ["x", "é"])
def test_a_name_as_long_as_the_system_takes(tmp_path: Path, letter: str) -> None:
    name = letter * (255 // len(letter.encode()))
    write({name: b"x"}, tmp_path, MANIFEST)
    assert (tmp_path / name).read_bytes() == b"x"


@pytest.mark.parametrize("path", ["docs", "docs/deep"])
def test_a_loop_of_links_is_one_failure(tmp_path: Path, path: str) -> None:
    loop = tmp_path / path
    loop.parent.mkdir(exist_ok=True)
    loop.symlink_to(loop.name)
    for act in (write, compare):
        with pytest.raises(OSError, match=r"no folder|symbolic links"):
            act(FILES, tmp_path, MANIFEST)
    assert loop.is_symlink()


def test_who_waits_for_another_run_says_so_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[float] = []
    monkeypatch.setattr(turns, "PATIENCE", 0.1)
    with ThreadPoolExecutor(1) as pool:
        with turns.turn(tmp_path, lambda: told.append(-1)):
            job = pool.submit(write, FILES, tmp_path, MANIFEST, waiting=lambda: told.append(1))
            until = time.monotonic() + 30
            while not told and time.monotonic() < until:
                time.sleep(0.01)
            assert not (tmp_path / "docs").exists()
        assert job.result().written == tuple(sorted(FILES))
    assert told == [1]


@pytest.mark.parametrize(
    "damage",
    [b"", b"{", b"[]", b'{"files": 3}', b"\xff", b"[" * 200_000],
    ids=lambda damage: repr(damage[:20]),
)
def test_a_damaged_manifest_prunes_nothing_and_is_made_anew(tmp_path: Path, damage: bytes) -> None:
    write(FILES, tmp_path, MANIFEST)
    good = (tmp_path / MANIFEST).read_bytes()
    (tmp_path / MANIFEST).write_bytes(damage)
    (tmp_path / "figures" / "mine.svg").write_bytes(b"mine")
    report = write(FILES, tmp_path, MANIFEST)
    assert (report.written, report.pruned) == ((), ())
    assert (tmp_path / MANIFEST).read_bytes() == good


def test_a_failure_in_the_middle_leaves_whole_files_and_a_second_run_completes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(FILES, tmp_path, MANIFEST)
    new = {"docs/a.rst": b"A\n", "docs/deep/b.rst": b"B\n"}
    replace = writing._replace

    def fail(path: Path, content: bytes) -> None:
        if path.name == "b.rst":
            raise OSError(28, "No space left on device", str(path))
        replace(path, content)

    monkeypatch.setattr(writing, "_replace", fail)
    with pytest.raises(OSError, match="No space left"):
        write(new, tmp_path, MANIFEST)
    monkeypatch.undo()
    assert (tmp_path / "docs/a.rst").read_bytes() == b"A\n"
    assert (tmp_path / "docs/deep/b.rst").read_bytes() == b"b\n"
    report = write(new, tmp_path, MANIFEST)
    assert (report.written, report.pruned) == (("docs/deep/b.rst",), ("figures/c.svg",))
    assert compare(new, tmp_path, MANIFEST) == []


def test_a_failure_of_the_system_names_the_file_and_leaves_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path, target: Path) -> Path:
        raise OSError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OSError, match="Permission denied") as failure:
        write(FILES, tmp_path, MANIFEST)
    assert failure.value.filename == str(tmp_path / MANIFEST)
    assert everything(tmp_path) == {}


def test_files_get_the_usual_permissions(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write(FILES, tmp_path, MANIFEST)
    finally:
        os.umask(before)
    assert (tmp_path / "docs/a.rst").stat().st_mode & 0o777 == 0o640


def test_a_path_with_spaces_and_other_letters(tmp_path: Path) -> None:
    root = tmp_path / "mes années 行列"
    write(FILES, root, MANIFEST)
    assert compare(FILES, root, MANIFEST) == []


def test_compare_reports_missing_differing_and_stale_files_and_writes_nothing(
    tmp_path: Path,
) -> None:
    write({**FILES, "docs/old.rst": b"old\n"}, tmp_path, MANIFEST)
    (tmp_path / "docs/a.rst").write_bytes(b"a changed line\n")
    (tmp_path / "figures/c.svg").unlink()
    before = times(tmp_path)
    found = compare(FILES, tmp_path, MANIFEST)
    assert [(f.kind, f.path) for f in found] == [
        ("differs", "docs/a.rst"),
        ("stale", "docs/old.rst"),
        ("missing", "figures/c.svg"),
    ]
    assert "-a changed line" in found[0].diff
    assert "+a" in found[0].diff.splitlines()
    assert str(found[2]) == "figures/c.svg: missing"
    assert times(tmp_path) == before


def test_a_long_diff_is_cut_and_bytes_are_only_counted(tmp_path: Path) -> None:
    write({"a": b"\xff\x00", "b": b"x\n" * 500}, tmp_path, "m.json")
    found = compare({"a": b"\xfe", "b": b"y\n" * 500}, tmp_path, "m.json")
    assert found[0] == Finding("differs", "a", "2 bytes on disk, 1 bytes generated")
    assert len(found[1].diff.splitlines()) == writing.DIFF_LINES + 1
