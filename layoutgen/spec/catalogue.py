"""All that the built-in specifications and the user's own define, by name."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from layoutgen.model import Architecture, Disagreement, NumberFormat, Source, UnknownName, nearest
from layoutgen.spec import build
from layoutgen.spec.load import load

if TYPE_CHECKING:
    from layoutgen.spec.schema import TileFile

Folder: TypeAlias = "str | PathLike[str]"


def builtin_dir() -> Path:
    """Return the folder of the specs that come with the package."""
    installed = Path(__file__).parents[1] / "specs"
    return installed if installed.is_dir() else Path(__file__).parents[2] / "specs"


class Catalogue:
    """What the built-in specs and those in the folders `spec_dirs` define.

    A folder adds to those before it; a name that is defined already is refused.  `builtin`
    takes the place of the folder of built-in specs.  Architectures are built when they are asked
    for.  Raises :class:`layoutgen.spec.errors.SpecError` with all that is wrong.
    """

    def __init__(
        self, spec_dirs: Folder | Iterable[Folder] = (), *, builtin: Folder | None = None
    ) -> None:
        """Read and check the files, or take them from the cache."""
        folders = [spec_dirs] if isinstance(spec_dirs, str | PathLike) else spec_dirs
        self.files = load([Path(builtin or builtin_dir()), *map(Path, folders)])
        self._built: dict[str, Architecture] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all architectures, without aliases."""
        return tuple(self.files.architectures)

    @property
    def architectures(self) -> dict[str, Architecture]:
        """Every architecture by its name."""
        return {name: self._build(name) for name in self.names}

    @property
    def tiles(self) -> dict[str, TileFile]:
        """The tile shapes as they are specified: operands as digits."""
        return dict(self.files.tiles)

    @cached_property
    def formats(self) -> dict[str, NumberFormat]:
        """Every element type by its name."""
        return {name: build.build_format(self.files, name) for name in self.files.formats}

    @cached_property
    def sources(self) -> dict[str, Source]:
        """Every source by its key."""
        return {key: build.build_source(self.files, key) for key in self.files.sources}

    @cached_property
    def disagreements(self) -> dict[str, Disagreement]:
        """Every place where sources differ, by its key."""
        return {key: build.build_disagreement(self.files, key) for key in self.files.disagreements}

    def arch(self, name: str) -> Architecture:
        """Return an architecture by name or alias; raises :class:`~layoutgen.model.UnknownName`."""
        known = {n: a for a, file in self.files.architectures.items() for n in file.names}
        if name.lower() not in known:
            raise UnknownName(
                f"no architecture {name!r}{nearest(name, list(known))}; there are "
                f"{', '.join(known)}"
            )
        return self._build(known[name.lower()])

    def _build(self, name: str) -> Architecture:
        if name not in self._built:
            self._built[name] = build.build_architecture(self.files, name)
        return self._built[name]
