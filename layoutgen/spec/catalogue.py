"""All that the built-in specifications and the user's own define, by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from layoutgen.model import Architecture, Disagreement, NumberFormat, Source, UnknownName, nearest
from layoutgen.spec import shelf, store
from layoutgen.spec.files import find

if TYPE_CHECKING:
    from layoutgen.spec.build import Files
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
    for; those of the built-in specs alone are kept in the user's cache.  Raises
    :class:`layoutgen.spec.errors.SpecError` with all that is wrong.
    """

    def __init__(
        self, spec_dirs: Folder | Iterable[Folder] = (), *, builtin: Folder | None = None
    ) -> None:
        """Read and check the files, or take what was made of them from the cache."""
        folders = [spec_dirs] if isinstance(spec_dirs, str | PathLike) else spec_dirs
        self._folders = [Path(builtin or builtin_dir()), *map(Path, folders)]
        self._built: dict[str, Architecture] = {}
        self._key = "" if self._folders[1:] else _key(self._folders)
        self._store = store.read(self._key) if self._key else None
        if self._store is None:
            self._names = {name: a.names for name, a in self.files.architectures.items()}
        else:
            self._names = self._store.names

    @cached_property
    def files(self) -> Files:
        """What the files define, as it is specified."""
        from layoutgen.spec.load import load

        return load(self._folders)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all architectures, without aliases."""
        return tuple(self._names)

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
        from layoutgen.spec.build import build_format

        return {name: build_format(self.files, name) for name in self.files.formats}

    @cached_property
    def sources(self) -> dict[str, Source]:
        """Every source by its key."""
        from layoutgen.spec.build import build_source

        return {key: build_source(self.files, key) for key in self.files.sources}

    @cached_property
    def disagreements(self) -> dict[str, Disagreement]:
        """Every place where sources differ, by its key."""
        from layoutgen.spec.build import build_disagreement

        return {key: build_disagreement(self.files, key) for key in self.files.disagreements}

    def arch(self, name: str) -> Architecture:
        """Return an architecture by name or alias; raises :class:`~layoutgen.model.UnknownName`.

        A name is also known as runtimes and shops write it: ``gfx942:sramecc+:xnack-``,
        ``MI-300X``, ``AMD Instinct MI300X``, ``mi355`` for ``mi355x``.
        """
        if not isinstance(name, str):
            raise TypeError(f"an architecture has a name such as 'gfx942', not {name!r}")
        known = {n: a for a, names in self._names.items() for n in names}
        folded = _folded(name)
        found = known.get(name.lower()) or known.get(folded) or _shortened(known, folded)
        if found is None:
            raise UnknownName(
                f"no architecture {name!r}{nearest(folded, list(known))}; there are "
                f"{', '.join(self._names)}"
            )
        return self._build(found)

    def _build(self, name: str) -> Architecture:
        if name not in self._built:
            self._built[name] = self._stored(name) or self._made(name)
        return self._built[name]

    def _stored(self, name: str) -> Architecture | None:
        return self._store.architecture(name) if self._store else None

    def _made(self, name: str) -> Architecture:
        """Build an architecture from the files; with the first one all are kept in the cache."""
        from layoutgen.spec.build import build_architecture

        built = {n: self._built.get(n) or build_architecture(self.files, n) for n in self._names}
        if self._key:
            store.write(self._key, [(built[n], names) for n, names in self._names.items()])
            self._key = ""
        return built[name]


def named(given: Architecture | str) -> Architecture:
    """Return an architecture that is given, or given by its name."""
    return given if isinstance(given, Architecture) else Catalogue().arch(given)


def _folded(name: str) -> str:
    """Return a name without the features of a target, the maker, and signs between the parts."""
    plain = "".join(filter(str.isalnum, name.partition(":")[0].lower()))
    return plain.removeprefix("amd").removeprefix("instinct")


def _shortened(known: Mapping[str, str], name: str) -> str | None:
    """Return the architecture of a name without its last letter, if it begins those of no other."""
    longer = {arch for each, arch in known.items() if each.startswith(name)}
    lacks = any(each[:-1] == name and each[-1].isalpha() for each in known)
    return longer.pop() if lacks and len(longer) == 1 else None


def _key(folders: list[Path]) -> str:
    """Return the key of the files in `folders`; empty if one of them cannot be read."""
    found = find(folders)
    if any(file.problem for file in found):
        return ""
    return shelf.key((file.path, file.content) for file in found)
