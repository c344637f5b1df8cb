"""Register layouts of AMD matrix instructions: calculator, figures, tables, pages, validation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from layoutgen import export
    from layoutgen.changes import diff
    from layoutgen.comparison import compare
    from layoutgen.model import Architecture
    from layoutgen.selection import which

__version__ = "0.1.0"
__all__ = ["arch", "archs", "compare", "diff", "export", "which"]

_LATER = {"compare": "comparison", "diff": "changes", "export": "", "which": "selection"}
"""Names that are loaded when they are asked for, and the modules that they are in."""


def arch(name: str, spec_dirs: Iterable[Path] = ()) -> Architecture:
    """Return the architecture `name` (``"gfx908"``, ``"cdna1"``, ``"mi100"``).

    `spec_dirs` are folders with specification files of your own.  Raises
    :class:`layoutgen.model.UnknownName`, and
    :class:`layoutgen.spec.errors.SpecError` for a specification that does not hold.

    >>> inst = arch("gfx908")["v_mfma_f32_32x32x1f32"]
    >>> inst.operand("D").locate(b=1, i=13, j=7)
    [Slot(lane=39, register=21, bit=0, width=32)]
    """
    from layoutgen.spec import Catalogue

    return Catalogue(spec_dirs).arch(name)


def archs(spec_dirs: Iterable[Path] = ()) -> dict[str, Architecture]:
    """Return every architecture by its name."""
    from layoutgen.spec import Catalogue

    return Catalogue(spec_dirs).architectures


def __dir__() -> list[str]:
    """Return all names, those too that are loaded when they are asked for."""
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    """Load a part of the interface that is not needed for every question."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    if not _LATER[name]:
        return import_module(f"{__name__}.{name}")
    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
