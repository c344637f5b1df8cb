"""One cell of a table as a number, or as registers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from layoutgen.comparison.given import TableError
from layoutgen.model import REGISTER_BITS

_WHOLE = re.compile(r"[+-]?[0-9]{1,9}")
_REGISTERS = re.compile(r"[va](?:([0-9]{1,9})|\[([0-9]{1,9})(?::([0-9]{1,9}))?\])", re.IGNORECASE)


def whole(cell: Any, column: str, limit: int, place: Callable[[], str]) -> int:
    """Return a cell as a number below `limit`; `place` gives the location of an error.

    In the column of registers, ``v3``, ``a3`` and ``v[3]`` are 3, and ``v[2:3]`` is 2.
    """
    value: Any = cell
    if isinstance(cell, str):
        bare = cell.strip()
        if _WHOLE.fullmatch(bare):
            value = int(bare)
        elif column == "register" and (found := _REGISTERS.fullmatch(bare)):
            value = int(found[1] or found[2])
    elif hasattr(cell, "__index__") and not isinstance(cell, bool):
        value = cell.__index__()
    if type(value) is not int:
        raise TableError(f"{place()}: column {column!r}: {cell!r} is not a whole number")
    if not 0 <= value < limit:
        raise TableError(f"{place()}: column {column!r}: {value} is out of range: 0 to {limit - 1}")
    return value


def check_registers(cell: Any, bit: int, width: int, place: Callable[[], str]) -> None:
    """Raise :class:`TableError` if `cell` is a range that is not the registers of `width` bits."""
    found = _REGISTERS.fullmatch(cell.strip()) if isinstance(cell, str) else None
    if found is None or found[3] is None:
        return
    needed = max(-(-(bit + width) // REGISTER_BITS), 1)
    count = int(found[3]) - int(found[2]) + 1
    if count != needed:
        raise TableError(
            f"{place()}: column 'register': {cell.strip()!r} is not the {needed} "
            f"register{'s' * (needed > 1)} of {width} bits from bit {bit} on"
        )
