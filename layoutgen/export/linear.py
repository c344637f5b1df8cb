"""Layouts as linear layouts over GF(2), in the form that Triton prints.

Every bit of the register number and of the lane points to a coordinate, its basis; an element's
coordinates are the XOR of the bases of the bits that are set.  `register` counts elements, as in
Triton, not 32-bit registers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from layoutgen.export.views import Stack, tensor
from layoutgen.model import Operand

Basis = tuple[int, ...]


@dataclass(frozen=True)
class LinearLayout:
    """Bases of `register` and `lane`, lowest bit first, as coordinates in the order of `dims`."""

    register: tuple[Basis, ...]
    lane: tuple[Basis, ...]
    dims: Mapping[str, int]

    def as_dict(self) -> dict[str, Any]:
        """Return the bases as JSON data; `warp` and `block` are empty: one wavefront, one tile."""
        bases = {"register": self.register, "lane": self.lane, "warp": (), "block": ()}
        return {
            **{name: [list(basis) for basis in found] for name, found in bases.items()},
            "out_dims": dict(self.dims),
        }

    def __str__(self) -> str:
        """Return the bases as Triton's ``LinearLayout`` prints itself."""
        lines = [*_lines("register", self.register), *_lines("lane", self.lane)]
        dims = ", ".join(f"{name} (size {size})" for name, size in self.dims.items())
        return "\n".join([*lines, f"where out dims are: [{dims}]"])


def linear_layout(
    operand: Operand, *, transpose: bool = False, stack: Stack | None = None
) -> LinearLayout:
    """Return the linear layout of `operand`; `transpose` and `stack` as for a tensor.

    Raises :class:`~layoutgen.digits.LayoutError` where a size is no power of two, and under
    modifiers that change where the operand is read.

    >>> import layoutgen
    >>> D = layoutgen.arch("gfx908")["v_mfma_f32_32x32x2f32"].operand("D")
    >>> linear_layout(D, transpose=True).register
    ((0, 1), (0, 2), (0, 8), (0, 16))
    """
    layout = tensor(operand, transpose=transpose, stack=stack)
    bases = layout.bases()
    return LinearLayout(tuple(bases["item"]), tuple(bases["lane"]), layout.shape)


def _lines(name: str, bases: tuple[Basis, ...]) -> list[str]:
    if not bases:
        return [f" - {name} is a size 1 dimension"]
    lead = f" - {name}"
    return [
        f"{lead if bit == 0 else ' ' * 3 + name}={1 << bit} -> ({', '.join(map(str, basis))})"
        for bit, basis in enumerate(bases)
    ]
