"""Register layouts of AMD matrix instructions: calculator, figures, tables, pages, validation."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from layoutgen.model import Architecture

__version__ = "0.1.0"
__all__ = ["arch", "archs"]


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
