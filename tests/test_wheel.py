"""The wheel alone, in an empty environment and far from the sources, does the whole job."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

ROOT = Path(__file__).parent.parent
SVG = "{http://www.w3.org/2000/svg}"

# One worker builds and installs for all of these.
pytestmark = pytest.mark.xdist_group("wheel")


def run(*args: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command that must succeed, without this process's Python settings."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    command = [str(arg) for arg in args]
    result = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"
    return result


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built wheel."""
    out = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--outdir", out, ROOT, cwd=out)
    (path,) = out.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def layoutgen(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command ``layoutgen`` of an environment that holds the wheel and what it requires."""
    root = tmp_path_factory.mktemp("environment")
    venv.create(root, with_pip=True)
    scripts = root / ("Scripts" if sys.platform == "win32" else "bin")
    run(scripts / "python", "-m", "pip", "install", "--quiet", wheel, cwd=root)
    return scripts / "layoutgen"


def test_the_wheel_holds_specs_examples_templates_and_stylesheets(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    specs = {f"layoutgen/specs/{p.relative_to(ROOT / 'specs')}" for p in ROOT.glob("specs/**/*.*")}
    examples = {f"layoutgen/examples/{p.name}" for p in ROOT.glob("examples/*")}
    package = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "layoutgen").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert any(name.endswith("gfx908.yaml") for name in specs)
    assert any(name.endswith(".j2") for name in package)
    assert examples
    assert specs | examples | package <= packed


def read_cells(element: ET.Element, around: dict[str, str]) -> Iterator[dict[str, str]]:
    """Yield the numbers of every cell: its own, and those of the groups around it."""
    numbers = around | {k: v for k, v in element.attrib.items() if k.startswith("data-")}
    if "data-lane" in element.attrib:
        assert element.find(f"{SVG}title") is not None
        yield numbers
    for child in element:
        yield from read_cells(child, numbers)


def test_a_figure_from_the_wheel(layoutgen: Path, tmp_path: Path) -> None:
    figure = tmp_path / "x.svg"
    run(layoutgen, "figure", "gfx908", "v_mfma_f32_32x32x1f32", "D", "-o", figure, cwd=tmp_path)
    root = ET.parse(figure).getroot()
    cells = list(read_cells(root, {}))
    places = {(int(cell["data-i"]), int(cell["data-j"])) for cell in cells}
    assert root.tag == f"{SVG}svg"
    assert len(cells) == 1024
    assert places == {(i, j) for i in range(32) for j in range(32)}


def test_pages_from_the_wheel(layoutgen: Path, tmp_path: Path) -> None:
    run(layoutgen, "docs", "-o", "out", cwd=tmp_path)
    pages = {path: path.read_text("utf-8") for path in tmp_path.glob("out/**/*.rst")}
    builtins = {name for text in pages.values() for name in re.findall(r"v_mfma_\w+", text)}
    assert "v_mfma_f32_32x32x1f32" in builtins
    assert len(builtins) >= 20
    assert list(tmp_path.glob("out/**/*.svg"))
