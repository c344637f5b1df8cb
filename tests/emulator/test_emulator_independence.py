"""The emulator shares no code with what it checks."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import layoutgen.emulator

PACKAGE = Path(layoutgen.emulator.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))


def imported_names(tree, package):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parents, base]).rstrip(".")
            yield from (f"{base}.{alias.name}" for alias in node.names)


def test_no_file_imports_anything_of_layoutgen_outside_the_emulator():
    assert len(FILES) > 5
    for file in FILES:
        package = ".".join(["layoutgen", "emulator", *file.parent.relative_to(PACKAGE).parts])
        for name in imported_names(ast.parse(file.read_text("utf-8")), package):
            if name.split(".")[0] == "layoutgen":
                assert name.split(".")[:2] == ["layoutgen", "emulator"], (file.name, name)


def test_using_all_of_it_loads_nothing_else_of_layoutgen_and_no_yaml():
    script = """
import json, pkgutil, importlib, sys
import numpy as np
import layoutgen.emulator as emulator
for info in pkgutil.walk_packages(emulator.__path__, "layoutgen.emulator."):
    importlib.import_module(info.name)
for arch in emulator.architectures():
    for name in emulator.mnemonics(arch)[:3]:
        record = emulator.instruction(arch, name)
        a = np.zeros((record.a_registers, 64), np.uint32)
        emulator.execute(arch, name, a, a, 0)
print(json.dumps(sorted(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    loaded = json.loads(done.stdout)
    ours = [name for name in loaded if name.split(".")[0] == "layoutgen"]
    assert [n for n in ours if n != "layoutgen" and not n.startswith("layoutgen.emulator")] == []
    assert "yaml" not in loaded
    assert "pydantic" not in loaded
