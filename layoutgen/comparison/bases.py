"""Tables written as the bases of a linear layout."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from layoutgen.comparison.given import Given, TableError, given, starts
from layoutgen.export.views import STACKS, tensor
from layoutgen.model import Operand

if TYPE_CHECKING:
    from layoutgen.digits import IntArray

Bases: TypeAlias = dict[str, list[tuple[int, ...]]]

NAMES = ("register", "lane", "warp", "block")
_SPELLINGS = {**{name: name for name in NAMES}, "reg": "register"}
_WORD = rf"({'|'.join(_SPELLINGS)})(?:_bases)?"
_PRINTED = re.compile(rf"\b{_WORD}=(\d+) -> \(([0-9]+(?:, *[0-9]+)*)\)")
_LISTED = re.compile(rf"\b{_WORD}\"?\s*[=:]\s*(\[[\[\]0-9,\s]*\])")
_MAX_BITS = 20


def bases_in(source: str | Mapping[str, Any], where: str) -> Bases:
    """Return the bases of a linear layout; empty where `source` is none.

    Text may be what Triton prints, its ``#ttg.linear<{register = [[0, 1]], …}>``, or the call of
    a ``DistributedLinearLayout``.  `where` begins an error.
    """
    if not isinstance(source, str):
        named = {key.removesuffix("_bases"): value for key, value in source.items()}
        found = {_SPELLINGS[key]: value for key, value in named.items() if key in _SPELLINGS}
        return _checked(found)
    if printed := list(_PRINTED.finditer(source)):
        bases: Bases = {name: [] for name in NAMES}
        for match in printed:
            of_name = bases[_SPELLINGS[match[1]]]
            if match[2] != str(1 << len(of_name)):
                raise TableError(
                    f"{where}: {match[1]}={match[2]} where {1 << len(of_name)} comes next: "
                    "one layout at a time, all bits in order"
                )
            of_name.append(_coordinates(match[3]))
        return bases
    try:
        return _checked({_SPELLINGS[m[1]]: json.loads(m[2]) for m in _LISTED.finditer(source)})
    except ValueError:
        return {}


def from_bases(operand: Operand, bases: Bases, where: str) -> Given:
    """Return the table that a linear layout states; `where` begins an error."""
    import numpy as np

    for name in ("warp", "block"):
        if any(any(basis) for basis in bases[name]):
            raise TableError(f"{where}: there are {name} bases: give the layout of one wavefront")
    lanes, count = 1 << len(bases["lane"]), 1 << len(bases["register"])
    both = [*bases["register"], *bases["lane"]]
    if len({len(basis) for basis in both}) != 1:
        raise TableError(f"{where}: the bases do not all have the same number of coordinates")
    extent = [1 << max(n.bit_length() for n in column) for column in zip(*both, strict=True)]
    turn = _dimensions(operand, extent, where)
    at_bit = starts(operand, lanes, count, where)
    numbers = np.arange(lanes * count)
    at = [np.zeros_like(numbers) for _ in extent]
    for bit, basis in enumerate(both):
        for position, step in enumerate(basis):
            at[position] ^= (numbers >> bit & 1) * step
    slots = [numbers // count, np.array(at_bit)[numbers % count]]
    return given(operand, np.stack([*turn(at), *slots], axis=1).tolist())


def _checked(found: Mapping[str, Any]) -> Bases:
    """Return the bases if all of them are lists of lists of small numbers, else none."""
    if not {"register", "lane"} <= found.keys():
        return {}
    for bases in found.values():
        if not isinstance(bases, list) or len(bases) > _MAX_BITS:
            return {}
        for basis in bases:
            small = isinstance(basis, list) and all(
                type(n) is int and 0 <= n < 1 << _MAX_BITS for n in basis
            )
            if not small or not basis:
                return {}
    return {name: [tuple(basis) for basis in found.get(name, ())] for name in NAMES}


def _coordinates(text: str) -> tuple[int, ...]:
    return tuple(min(int(n[:9]), 1 << _MAX_BITS) for n in text.replace(" ", "").split(","))


def _dimensions(
    operand: Operand, extent: list[int], where: str
) -> Callable[[list[IntArray]], list[IntArray]]:
    """Return what turns the coordinates of a linear layout into those of the operand.

    The layout may have the block as its first coordinate, or blocks below or beside one another.
    """
    ours = operand.layout.shape
    if _fits(extent, ours):
        return lambda at: at
    for stack in STACKS:
        shape = tensor(replace(operand, reroute=None), stack=stack).shape
        if _fits(extent, shape):
            return partial(_apart, ours, list(shape), list(shape)[STACKS.index(stack)])
    span = "×".join(map(str, extent))
    sizes = ", ".join(f"{name} {size}" for name, size in ours.items())
    raise TableError(f"{where}: the bases span {span}, but {operand.name} has {sizes}")


def _apart(
    ours: Mapping[str, int], names: list[str], joined: str, at: list[IntArray]
) -> list[IntArray]:
    """Take the block out of the coordinate that it is joined to."""
    named = dict(zip(names, at, strict=True))
    block, named[joined] = named[joined] // ours[joined], named[joined] % ours[joined]
    return [block if name == "b" else named[name] for name in ours]


def _fits(extent: list[int], shape: Mapping[str, int]) -> bool:
    sizes = list(shape.values())
    return len(extent) == len(sizes) and all(e <= s for e, s in zip(extent, sizes, strict=True))
