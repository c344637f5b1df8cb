"""Files and arguments that nobody would give on purpose: one message, never a traceback."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from layoutgen.pages.trees import SITE

pytestmark = pytest.mark.xdist_group("folder")

COMMAND = [sys.executable, "-m", "layoutgen"]
DEEP = '{% include "architecture.rst.j2" %}'
HUGE = 40 * 2**30


def run(
    *words: object, before: Callable[[], None] | None = None, close: bool = False
) -> tuple[int, str]:
    """Return the exit code, and what was told."""
    shell = ["sh", "-c", '"$@" >&-', "sh"] if close else []
    done = subprocess.run(
        [*shell, *COMMAND, *map(str, words)],
        check=False, capture_output=True, text=True, preexec_fn=before, timeout=120,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr.strip()


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("odd")
    assert run("docs", "-q", "-o", root) == (0, "")
    return root


@pytest.mark.parametrize("digest", ["\ud800", "", "0" * 63, ["\udfff"], None, {"a": 1}])
def test_a_digest_that_is_none_is_not_believed(written: Path, digest: object) -> None:
    manifest = written / SITE.manifest
    told = json.loads(manifest.read_text("utf-8"))
    path = next(iter(told["files"]))
    told["files"][path] = digest
    manifest.write_text(json.dumps(told), "utf-8")
    assert run("docs", "-o", written)[0] == 0
    assert json.loads(manifest.read_text("utf-8"))["files"][path] != digest


def test_a_manifest_that_names_itself_is_told_as_what_it_is(written: Path) -> None:
    manifest = written / SITE.manifest
    told = json.loads(manifest.read_text("utf-8"))
    told["files"][SITE.manifest] = "a" * 64
    manifest.write_text(json.dumps(told), "utf-8")
    code, text = run("docs", "-o", written)
    assert code == 0
    assert "names what docs never wrote" in text
    assert "remove it by hand" not in text
    assert manifest.is_file()


@pytest.mark.parametrize("name", [SITE.manifest, "docs/reference/index.rst"])
def test_a_huge_file_in_the_place_of_ours_is_not_read(written: Path, name: str) -> None:
    def little_memory() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (3 * 2**30, 3 * 2**30))

    os.truncate(written / name, HUGE)
    assert run("docs", "--check", "-o", written, before=little_memory)[0] in (0, 1)
    assert run("docs", "-q", "-o", written, before=little_memory) == (0, "")
    assert (written / name).stat().st_size < HUGE
    assert run("docs", "-q", "--check", "-o", written) == (0, "")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"\xff\xfe", ":1: error: not UTF-8"),
        (b"{{ 1/0 }}", ":1: error: ZeroDivisionError"),
        (b"\n{{ nothing }}", ":2: error: 'nothing' is undefined"),
        (DEEP.encode(), ":1: error: RecursionError"),
        (None, ": error: it is no regular file"),
    ],
)
def test_a_template_that_does_not_hold_is_told_with_its_place(
    tmp_path: Path, content: bytes | None, told: str
) -> None:
    template = tmp_path / "templates" / "architecture.rst.j2"
    template.parent.mkdir()
    if content is None:
        os.mkfifo(template)
    else:
        template.write_bytes(content)
    code, text = run("docs", "--templates", template.parent, "-o", tmp_path / "out")
    assert code == 2
    assert text.startswith(f"layoutgen: error: {template}{told}")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("jobs", ["2147483647", "99999999999999999999"])
def test_no_machine_has_so_many_processes(tmp_path: Path, jobs: str) -> None:
    code, text = run("docs", "-o", tmp_path, "-j", jobs)
    assert code == 2
    assert f"{jobs} processes are too many" in text


@pytest.mark.parametrize("form", ["svg", "png", "pdf"])
def test_a_figure_for_a_closed_output_is_one_message(form: str) -> None:
    figure = ("figure", "gfx908", "v_mfma_f32_4x4x1f32", "D", "-o", "-", "-f", form)
    assert run(*figure, close=True) == (2, "layoutgen: error: standard output is closed")


def test_a_number_without_end_is_told_at_its_place(tmp_path: Path) -> None:
    file = tmp_path / "d.json"
    file.write_bytes(b"64" + b"9" * 5000 + b":\n")
    code, text = run("validate", "--device", file)
    assert (code, text.count("\n")) == (2, 0)
    assert f"{file}: line 1, column 5003" in text


def test_a_folder_of_schemas_keeps_files_of_the_user(tmp_path: Path) -> None:
    (tmp_path / "tile.json").write_text("mine", "utf-8")
    code, text = run("schema", "-o", tmp_path)
    assert code == 2
    assert "it is no schema of layoutgen" in text
    assert [file.name for file in tmp_path.iterdir()] == ["tile.json"]
    (tmp_path / "tile.json").unlink()
    assert [run("schema", "-o", f"{tmp_path}/") for _ in range(2)] == [(0, ""), (0, "")]


def test_the_name_of_a_folder_is_no_file(tmp_path: Path) -> None:
    for command in ("table", "figure"):
        code, text = run(command, "gfx908", "v_mfma_f32_4x4x1f32", "D", "-o", f"{tmp_path}/new/")
        assert code == 2
        assert "is the name of a folder" in text
    assert not any(tmp_path.iterdir())


def test_a_fault_at_the_end_of_a_file_is_told_in_its_last_line(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text("tile: [a", "utf-8")
    code, text = run("list", "gfx908", "--spec-dir", tmp_path)
    assert code == 2
    assert text.startswith(f"{tmp_path}/x.yaml:1:9: error: not YAML")
    assert "tile: [a" in text


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
def test_what_is_done_is_done_though_nobody_can_be_told(written: Path) -> None:
    line = ["sh", "-c", '"$@" 2>/dev/full', "sh", *COMMAND, "docs", "-o", str(written)]
    assert subprocess.run(line, check=False).returncode == 0
