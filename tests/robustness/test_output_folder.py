"""``layoutgen docs`` as a process, where the disk, the user or another run gets in its way."""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from layoutgen.export import dataset
from layoutgen.pages.trees import SITE
from layoutgen.spec.catalogue import builtin_dir
from layoutgen.writing import UNFINISHED, _prefix

pytestmark = pytest.mark.xdist_group("folder")

DOCS = [sys.executable, "-m", "layoutgen", "docs", "-j", "1", "-o"]


def obey_permissions() -> None:
    """Make the permissions of files hold for root as well, from the next program on."""
    if os.getuid() == 0:
        drop_from_bounding_set, dac_override = 24, 1
        ctypes.CDLL(None).prctl(drop_from_bounding_set, dac_override, 0, 0, 0)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What ``docs`` writes where nothing is in its way."""
    root = tmp_path_factory.mktemp("whole")
    subprocess.run([*DOCS, str(root)], check=True, capture_output=True)
    return root


def digests(root: Path) -> dict[str, str]:
    files = (path for path in root.rglob("*") if path.is_file())
    return {str(p.relative_to(root)): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}


def docs(
    root: Path, before: Callable[[], None] | None = None, more: Iterable[str] = ()
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*DOCS, str(root), *more],
        check=False, capture_output=True, text=True, preexec_fn=before, timeout=120,
    )  # fmt: skip


def one_message(result: subprocess.CompletedProcess[str]) -> str:
    """Return the only line on stderr of a run that failed as it should."""
    assert result.returncode == 2
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    (line,) = result.stderr.splitlines()
    return line


def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    try:
        line = one_message(docs(tmp_path, obey_permissions))
    finally:
        tmp_path.chmod(0o755)
    assert line.startswith(f"layoutgen: error: {tmp_path}")
    assert line.endswith(": Permission denied")
    assert UNFINISHED not in line
    assert list(tmp_path.iterdir()) == []


def test_a_file_where_a_folder_has_to_be(tmp_path: Path) -> None:
    (tmp_path / "docs").write_text("mine", encoding="utf-8")
    assert str(tmp_path / "docs") in one_message(docs(tmp_path))
    assert (tmp_path / "docs").read_text(encoding="utf-8") == "mine"


def test_a_link_that_leads_nowhere_instead_of_the_folder(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("nowhere")
    assert one_message(docs(link)).endswith(f"cannot write below {link}: it is no folder")


@pytest.mark.parametrize("option", [(), ("--check",)], ids=["write", "check"])
def test_a_pipe_in_the_way(tmp_path: Path, option: tuple[str, ...]) -> None:
    """Nobody writes to it: reading would never end."""
    pipe = tmp_path / "figures" / "mfma-layout-4x4.svg"
    pipe.parent.mkdir()
    os.mkfifo(pipe)
    assert one_message(docs(tmp_path, more=option)).endswith(f"{pipe} is no regular file")


def test_what_somebody_else_put_into_the_manifest(tmp_path: Path, whole: Path) -> None:
    root = tmp_path / "site"
    shutil.copytree(whole, root)
    manifest = root / SITE.manifest
    document = json.loads(manifest.read_text(encoding="utf-8"))
    document["files"] |= {"../x": "", "a\ud800b": ""}
    manifest.write_text(json.dumps(document), encoding="utf-8")
    told = docs(root)
    assert told.returncode == 0
    assert f"{manifest} names what docs never wrote: '../x', 'a\\ud800b'\n" in told.stderr
    assert digests(root) == digests(whole)


def test_a_generated_file_that_the_user_changed(tmp_path: Path, whole: Path) -> None:
    root = tmp_path / "site"
    shutil.copytree(whole, root)
    with (root / "figures/mfma-layout-4x4.svg").open("a", encoding="utf-8") as file:
        file.write("<!-- mine -->")
    told = docs(root)
    assert "note: 1 written, " in told.stderr
    assert "though you had changed it: figures/mfma-layout-4x4.svg\n" in told.stderr
    assert digests(root) == digests(whole)


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    """No file may be longer than 20 kB, as if the disk ended there."""
    import resource

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    told = re.fullmatch(
        "layoutgen: error: (.+): File too large", one_message(docs(tmp_path, limit))
    )
    assert told
    assert Path(told[1]).is_relative_to(tmp_path)
    assert UNFINISHED not in told[1]
    assert not list(tmp_path.rglob(f"*{UNFINISHED}"))
    done = docs(tmp_path)
    assert done.returncode == 0


def test_a_kill_in_the_middle(tmp_path: Path, whole: Path) -> None:
    """Every file is whole or not there, and the next run makes the rest and clears up."""
    process = subprocess.Popen([*DOCS, str(tmp_path)], stderr=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while len(list(tmp_path.rglob("*.rst"))) < 20 and time.monotonic() < until:
        time.sleep(0.001)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    wanted = digests(whole)
    killed = {p: d for p, d in digests(tmp_path).items() if UNFINISHED not in p}
    assert len(killed) < len(wanted)
    assert {p: d for p, d in killed.items() if wanted[p] != d and p != SITE.manifest} == {}
    (tmp_path / "figures").mkdir(exist_ok=True)
    (tmp_path / "figures" / f".mine.svg.x.{UNFINISHED}").write_bytes(b"a user's")
    some = next(path for path in wanted if path.endswith(".svg"))
    (tmp_path / some).with_name(f"{_prefix(Path(some).name)}a1b2.{UNFINISHED}").write_bytes(b"half")
    assert docs(tmp_path).returncode == 0
    left = digests(tmp_path)
    assert left.pop(f"figures/.mine.svg.x.{UNFINISHED}")
    assert left == wanted


def test_two_at_once_into_one_folder(tmp_path: Path, whole: Path) -> None:
    both = [subprocess.Popen([*DOCS, str(tmp_path)], stderr=subprocess.PIPE) for _ in range(2)]
    told = [process.communicate()[1].decode() for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sorted(" 0 written" in text for text in told) == [False, True]
    assert digests(tmp_path) == digests(whole)


def test_the_users_own_file_where_a_full_disk_kept_ours_out(tmp_path: Path) -> None:
    import resource

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    one_message(docs(tmp_path, limit, ["--tree", "data"]))
    document = json.loads((tmp_path / dataset.MANIFEST).read_text(encoding="utf-8"))
    mine = next(path for name in document["begun"] if not (path := tmp_path / name).exists())
    mine.write_text("mine", encoding="utf-8")
    line = one_message(docs(tmp_path, more=["--tree", "data"]))
    assert f"{mine} would be overwritten, and layoutgen did not write it" in line
    assert mine.read_text(encoding="utf-8") == "mine"


def test_who_waits_for_another_run_says_so(tmp_path: Path, whole: Path) -> None:
    import fcntl

    handle = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    said, silent = (
        subprocess.Popen([*DOCS, str(tmp_path), *more], stderr=subprocess.PIPE, text=True)
        for more in ((), ("-q",))
    )
    assert said.stderr
    line = said.stderr.readline()
    os.close(handle)
    assert line == (
        f"layoutgen: note: another run writes below {tmp_path}: this one waits for it\n"
    )
    assert "another run" not in said.communicate()[1]
    assert silent.communicate()[1] == ""
    assert (said.returncode, silent.returncode) == (0, 0)
    assert digests(tmp_path) == digests(whole)


@pytest.mark.parametrize("option", [(), ("--check",)], ids=["write", "check"])
def test_a_loop_of_links_in_the_folder(tmp_path: Path, option: tuple[str, ...]) -> None:
    (tmp_path / "docs").symlink_to("docs")
    assert str(tmp_path / "docs") in one_message(docs(tmp_path, more=option))


@pytest.mark.parametrize(
    "question",
    ["snippet gfx908 v_mfma_f32_4x4x1f32", "table gfx908 v_mfma_f32_4x4x1f32 D",
     "figure gfx908 v_mfma_f32_4x4x1f32 D"],
)  # fmt: skip
def test_an_answer_into_a_loop_of_links(tmp_path: Path, question: str) -> None:
    loop = tmp_path / "loop.svg" if question.startswith("figure") else tmp_path / "loop"
    loop.symlink_to(loop.name)
    command = [sys.executable, "-m", "layoutgen", *question.split(), "-o", str(loop)]
    result = subprocess.run(command, check=False, capture_output=True, text=True)
    assert f"cannot write {loop}: Too many levels" in one_message(result)
    assert loop.is_symlink()


def test_a_path_with_spaces_and_other_letters(tmp_path: Path, whole: Path) -> None:
    root = tmp_path / "mes années, 行列 'x' & \"y\""
    assert docs(root).returncode == 0
    assert digests(root) == digests(whole)


def test_what_a_user_keeps_in_the_folder_stays(tmp_path: Path, whole: Path) -> None:
    """One architecture is not made any more; what the user put between its files stays."""
    root, mine = tmp_path / "site", "docs/reference/own/mine.rst"
    shutil.copytree(whole, root)
    specs = tmp_path / "specs"
    specs.mkdir()
    text = (builtin_dir() / "gfx908.yaml").read_text(encoding="utf-8")
    text = text.replace("gfx908", "own").replace("cdna1, mi100", "o1, o2")
    (specs / "own.yaml").write_text(text, encoding="utf-8")
    both = [*DOCS, str(root), "--spec-dir", str(specs)]
    subprocess.run(both, check=True, capture_output=True)
    assert "docs/reference/own/index.rst" in digests(root)
    for path in (mine, "figures/mine.svg"):
        (root / path).write_text("mine", encoding="utf-8")
    assert docs(root).returncode == 0
    left = digests(root)
    assert left.pop(mine) == left.pop("figures/mine.svg")
    assert left == digests(whole)
