"""The command as a process: streams, exit codes, pipes, and how little it loads."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from layoutgen.cli.streams import plain

COMMAND = (sys.executable, "-m", "layoutgen")
LOCATE = ["locate", "gfx908", "v_mfma_f32_32x32x1f32", "D", "-i", "13", "-j", "7", "-b", "1"]
TABLE = ["table", "gfx908", "v_mfma_f32_32x32x1f32", "D"]


ESCAPE = re.compile(r"\x1b\[[0-9;]*m")

PLAIN = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
"""What the command finds on a machine where nobody has set up Python: output is buffered."""


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**PLAIN, **environment},
    )


def on_a_terminal(*arguments: str, **environment: str) -> str:
    """Return what the command writes to a terminal of 60 columns, with its escapes."""
    main, secondary = pty.openpty()
    env = {**PLAIN, "TERM": "xterm", "COLUMNS": "60", **environment}
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdout=secondary, stderr=secondary, env=env, close_fds=True
    )
    os.close(secondary)
    parts = []
    while True:
        try:
            data = os.read(main, 65536)
        except OSError:
            break
        if not data:
            break
        parts.append(data)
    os.close(main)
    assert process.wait() == 0
    return b"".join(parts).decode().replace("\r\n", "\n")


def test_the_answer_is_on_stdout_and_nothing_on_stderr() -> None:
    result = run(*LOCATE)
    assert (result.returncode, result.stdout, result.stderr) == (
        0,
        "D[13][7] block 1 = a21 lane 39\n",
        "",
    )


def test_the_installed_script_is_the_same_command() -> None:
    script = Path(sys.executable).with_name("layoutgen")
    result = subprocess.run(
        [script, *LOCATE], capture_output=True, text=True, check=True, env=PLAIN
    )
    assert result.stdout == run(*LOCATE).stdout


def test_an_error_is_on_stderr_with_exit_code_2() -> None:
    result = run("locate", "gfx908", "v_mfma_f32_32x32x1f32", "D", "-i", "32", "-j", "0")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == (
        "layoutgen: error: D of v_mfma_f32_32x32x1f32 on gfx908: i 32 is out of range: 0 to 31\n"
    )


def test_no_command_is_a_usage_error() -> None:
    assert run().returncode == 2


@pytest.mark.parametrize("form", ["json", "csv", "text"])
def test_a_pipe_gets_the_bare_table(form: str) -> None:
    result = run(*TABLE, "--format", form)
    assert result.returncode == 0
    assert "\x1b" not in result.stdout
    if form == "json":
        assert len(json.loads(result.stdout)["rows"]) == 2048


@pytest.mark.parametrize("line", [LOCATE, TABLE, ["--help"], ["table", "--help"]])
def test_a_reader_that_has_gone_is_no_error(line: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    result = subprocess.run(
        [*COMMAND, *line], stdout=writer, stderr=subprocess.PIPE, text=True, check=False, env=PLAIN
    )
    os.close(writer)
    assert (result.returncode, result.stderr) == (128 + signal.SIGPIPE, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a Linux device")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("line", [LOCATE, TABLE, ["--help"], ["table", "--help"]])
def test_a_full_disk_is_an_error(line: list[str], unbuffered: str) -> None:
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            [*COMMAND, *line],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env={**PLAIN, "PYTHONUNBUFFERED": unbuffered},
        )
    assert result.returncode == 2
    assert result.stderr == "layoutgen: error: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a Linux device")
def test_an_error_that_cannot_be_printed_keeps_its_exit_code() -> None:
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            [*COMMAND, "nothing"], stdout=full, stderr=full, check=False, env=PLAIN
        )
    assert result.returncode == 2


@pytest.mark.parametrize(
    "replaced",
    [
        "import layoutgen.cli.app as app\napp._dispatch = interrupted\n",
        "import builtins\nloaded = builtins.__import__\n"
        "builtins.__import__ = lambda name, *rest: (\n"
        "    interrupted() if name == 'argparse' else loaded(name, *rest)\n)\n",
    ],
    ids=["at work", "while modules are loaded"],
)
def test_an_interrupt_is_quiet(replaced: str) -> None:
    program = (
        "import layoutgen.cli\n"
        "def interrupted(*given): raise KeyboardInterrupt\n"
        f"{replaced}"
        "raise SystemExit(layoutgen.cli.main(['list']))\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, env=PLAIN
    )
    assert (result.returncode, result.stdout, result.stderr) == (130, "", "")


def test_a_terminal_without_unicode_still_gets_an_answer() -> None:
    result = run("show", *LOCATE[1:3], PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert result.returncode == 0
    assert "lane = 32*b + i" in result.stdout


def test_a_terminal_gets_a_table_that_fits() -> None:
    out = on_a_terminal(*TABLE, "--by", "grid", "--lane", "0-3", NO_COLOR="1")
    out = ESCAPE.sub("", out)
    lines = [line.rstrip() for line in out.splitlines()]
    assert max(map(len, lines)) <= 60
    heads = [line for line in lines if "lane" in line]
    assert len(heads) > 1, "registers do not fit beside each other, so the table is folded"
    assert all(name in out for name in ("a0", "a31", "1:27,3"))


def test_bits_in_brackets_survive_on_a_terminal() -> None:
    line = [
        "table",
        "gfx908",
        "v_mfma_i32_16x16x16i8",
        "A",
        "--by",
        "matrix",
        "--row",
        "3",
        "-k",
        "8-9",
    ]
    assert "v0:35[15:8]" in on_a_terminal(*line)


def test_no_color_leaves_no_colour_and_a_dumb_terminal_gets_no_escapes() -> None:
    colours = re.compile(r"\x1b\[[0-9;]*(3|4|9|10)[0-9]m")
    assert not colours.search(on_a_terminal(*TABLE, "--lane", "0", NO_COLOR="1"))
    assert "\x1b" not in on_a_terminal(*TABLE, "--lane", "0", TERM="dumb")


HEAVY = {"numpy", "pydantic", "yaml", "rich", "matplotlib", "sphinx", "jinja2", "svgwrite"}


def loaded(*arguments: str) -> set[str]:
    """Return the packages that a command loads."""
    program = (
        "import sys\n"
        "from layoutgen.cli import main\n"
        f"code = main({list(arguments)!r})\n"
        "print(*{name.split('.')[0] for name in sys.modules}, file=sys.stderr)\n"
        "raise SystemExit(code)\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=PLAIN
    )
    return set(result.stderr.split())


@pytest.mark.parametrize(
    "line",
    [
        "locate gfx908 v_mfma_f32_32x32x1f32 D -i 13 -j 7 -b 1",
        "element gfx908 v_mfma_f32_32x32x1f32 D --lane 37 --register 6",
        "element gfx908 v_mfma_f32_4x4x4f16 A --lane 5 --cbsz 2 --abid 1",
        "show gfx908 v_mfma_f32_32x32x1f32",
        "list gfx908",
        "--help",
        "table --help",
    ],
)
def test_a_question_loads_no_heavy_package_once_the_specs_are_known(line: str) -> None:
    run("list")  # the specifications are read and remembered
    assert loaded(*line.split()) & HEAVY == set()


SHOW = ["show", "gfx942", "v_mfma_f32_32x32x8_f16"]
COMPARE = ["compare", "gfx908", "v_mfma_f32_32x32x2f32", "D", "((32,2),(4,4)):((1,128),(32,256))"]


@pytest.mark.parametrize(
    ("environment", "formula"),
    [
        ({"PYTHONIOENCODING": "latin-1"}, "lane = 32·floor(k/4) + i"),
        (
            {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"},
            "lane = 32*floor(k/4) + i",
        ),
        ({"PYTHONIOENCODING": "utf-8"}, "lane = 32·⌊k/4⌋ + i"),
    ],
)
def test_formulas_are_right_whatever_characters_the_output_has(
    environment: dict[str, str], formula: str
) -> None:
    result = subprocess.run(
        [*COMMAND, *SHOW], capture_output=True, check=True, env={**PLAIN, **environment}
    )
    text = result.stdout.decode("latin-1" if b"\xb7floor" in result.stdout else "utf-8")
    assert formula in text
    assert "?" not in text


def test_an_answer_of_compare_is_right_in_plain_characters() -> None:
    result = run(*COMPARE, PYTHONIOENCODING="ascii")
    assert result.returncode == 1
    assert "table: lane = 32*(floor(j/4) mod 2) + i" in result.stdout


def test_long_work_shows_how_far_it_is_on_a_terminal_only(tmp_path: Path) -> None:
    told = on_a_terminal("docs", "-j", "1", "-o", str(tmp_path / "a"), XDG_CACHE_HOME=str(tmp_path))
    assert re.search(r"\d+/\d+.*\.svg", told)
    quiet = ("docs", "-q", "-j", "1", "-o", str(tmp_path / "b"))
    assert on_a_terminal(*quiet, XDG_CACHE_HOME=str(tmp_path / "other")) == ""
    assert "/" not in run(*quiet[:1], *quiet[2:-1], str(tmp_path / "c")).stdout


def test_what_stands_for_characters_that_are_missing() -> None:
    assert plain("⌊k/4⌋·16 × 10¹² … Dᵀ[5][3] – 漢") == "floor(k/4)*16 x 10^12 ... D^T[5][3] - ?"


@pytest.mark.parametrize("line", [LOCATE, TABLE, SHOW, ["--help"], ["diff", "gfx908", "gfx90a"]])
def test_a_closed_output_is_one_message(line: list[str]) -> None:
    command = f"{shlex.join([*COMMAND, *line])} >&-"
    result = subprocess.run(
        ["sh", "-c", command], stderr=subprocess.PIPE, text=True, check=False, env=PLAIN
    )
    assert result.returncode == 2
    assert result.stderr == "layoutgen: error: standard output is closed\n"


def test_what_writes_to_a_file_needs_no_output(tmp_path: Path) -> None:
    command = f"{shlex.join([*COMMAND, *TABLE])} -o {tmp_path}/d.csv >&- 2>&-"
    assert subprocess.run(["sh", "-c", command], check=False, env=PLAIN).returncode == 0
    assert (tmp_path / "d.csv").read_text().startswith("b,i,j,lane,register,bit,width\n")
