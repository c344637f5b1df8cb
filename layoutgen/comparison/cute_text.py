"""Tables written as CuTe layouts of (thread, value)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

from layoutgen.comparison.given import Given, TableError, given, starts
from layoutgen.export.cute import Mode, index_order
from layoutgen.model import Operand

_WORDS = re.compile(r"\b(?:cute::)?(?:make_)?(?:layout|shape|stride)\b", re.IGNORECASE)
_NUMBERS = re.compile(r"\b(?:cute::)?(?:Int|C)<(\d+)>(?:\{\})?|\b_(\d+)(?:\{\})?")
_SYNTAX = re.compile(r"(?!.*(\)[(0-9]|[0-9]\())[0-9(),:]+")
_MAX_LENGTH = 2000
_MAX_SIZE = 1 << 20


def is_cute(text: str) -> bool:
    """Tell whether `text` looks like a CuTe layout."""
    return (text.startswith("(") and ":" in text) or re.match(
        r"(cute::)?(Layout<|make_la)", text
    ) is not None


def from_cute(operand: Operand, text: str, where: str) -> Given:
    """Return the table that a CuTe layout of (thread, value) states; `where` begins an error."""
    thread, value = (_offsets(modes) for modes in _thread_and_value(text, where))
    at_bit = starts(operand, len(thread), len(value), where)
    dims = index_order(operand.layout)
    size = prod(dims.values())
    if (last := max(thread) + max(value)) >= size:
        raise TableError(
            f"{where}: index {last} is out of range: {operand.name} has {size} elements"
        )

    def rows() -> Iterator[Sequence[int]]:
        for lane, of_thread in enumerate(thread):
            for start, of_value in zip(at_bit, value, strict=True):
                rest, at = of_thread + of_value, {}
                for name, count in dims.items():
                    rest, at[name] = divmod(rest, count)
                yield [*(at[name] for name in operand.layout.shape), lane, start]

    return given(operand, rows())


def _thread_and_value(text: str, where: str) -> tuple[list[Mode], list[Mode]]:
    """Return the modes of thread and value."""
    bare = _NUMBERS.sub(lambda m: m[1] or m[2], text)
    bare = _WORDS.sub("", bare).translate(str.maketrans("<>", "()", " \t\r\n;"))
    try:
        if len(bare) > _MAX_LENGTH or not _SYNTAX.fullmatch(bare) or bare.count(":") > 1:
            raise ValueError
        shape, stride = ast.literal_eval(f"({bare.replace(':', ',')})")
        found = tuple(list(_modes(size, step)) for size, step in zip(shape, stride, strict=True))
        thread, value = found
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise TableError(
            f"{where}: no CuTe layout of (thread, value): write shape:stride as in "
            "((32,2),(4,4)):((32,4),(1,8))"
        ) from None
    if any(prod(size for size, _ in modes) > _MAX_SIZE for modes in found):
        raise TableError(f"{where}: far more threads or values than a wavefront has")
    return thread, value


def _modes(shape: Any, stride: Any) -> Iterator[Mode]:
    """Yield the modes of a nested shape with its strides, the fastest first."""
    if isinstance(shape, int) and isinstance(stride, int):
        if shape < 1:
            raise ValueError
        yield shape, stride
    else:
        for size, step in zip(shape, stride, strict=True):
            yield from _modes(size, step)


def _offsets(modes: list[Mode]) -> list[int]:
    found = [0]
    for size, stride in modes:
        found = [low + stride * n for n in range(size) for low in found]
    return found
