"""Find, read and check specification files, and hand out architectures by name."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

import yaml

from layoutgen.model import Architecture, UnknownName, nearest
from layoutgen.spec import schema
from layoutgen.spec.build import Files, build_architecture


def builtin_dir() -> Path:
    """Return the folder of the specs that come with the package."""
    installed = Path(__file__).parents[1] / "specs"
    return installed if installed.is_dir() else Path(__file__).parents[2] / "specs"


class Catalogue:
    """All architectures of the built-in specs and of the user's own spec folders."""

    def __init__(self, spec_dirs: Iterable[Path] = ()) -> None:
        """Read the built-in specs and those in `spec_dirs`."""
        self.files = read_dirs([builtin_dir(), *spec_dirs])

    @cached_property
    def architectures(self) -> dict[str, Architecture]:
        """Every architecture by its name."""
        return {name: build_architecture(self.files, name) for name in self.files.architectures}

    def arch(self, name: str) -> Architecture:
        """Return an architecture by name or alias; raises :class:`UnknownName`."""
        for arch in self.architectures.values():
            if name.lower() in (arch.name, *arch.aliases):
                return arch
        known = [n for a in self.architectures.values() for n in (a.name, *a.aliases)]
        raise UnknownName(
            f"no architecture {name!r}{nearest(name, known)}; there are {', '.join(known)}"
        )


def read_dirs(dirs: Iterable[Path]) -> Files:
    """Return the checked files of `dirs`."""
    found: dict[str, dict[str, object]] = {kind: {} for kind in schema.KINDS}
    for folder in dirs:
        for path in sorted(folder.glob("*.yaml")):
            data = yaml.safe_load(path.read_text(encoding="utf-8"))
            kind = next(iter(data))
            checked = schema.KINDS[kind].model_validate_json(json.dumps(data))
            if kind in ("tile", "architecture"):
                found[kind][getattr(checked, kind)] = checked
            else:
                found[kind].update(getattr(checked, kind))
    return Files(
        found["tile"],
        found["architecture"],
        found["formats"],
        found["sources"],  # type: ignore
        found["disagreements"],  # type: ignore
    )
