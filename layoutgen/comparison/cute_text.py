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

_DECLARED = re.compile(r"(?:(?:using|auto|static|constexpr|const|inline)\s+)+\w+\s*=\s*")
_BEGINNING = re.compile(r"(?:(?:::\s*)?cute\s*::\s*)?(?:Layout\s*<|make_layout\s*\()")
_PLAIN = re.compile(r"_?[0-9]+\s*:\s*_?[0-9]+")
_SPACE = re.compile(r"(?<!\w) | (?!\w)")
_CUTE = re.compile(r"(?:::)?\bcute::|\{\}")
_WORDS = re.compile(r"\b(?:make_)?(?:layout|shape|stride|tuple)\b", re.IGNORECASE)
_NUMBERS = re.compile(r"\b(?:Int|C)<(\d+)>|\b_(\d+)")
_SYNTAX = re.compile(r"(?!.*(\)[(0-9]|[0-9]\())[0-9(),:]+")
_MAX_LENGTH = 2000
_MAX_SIZE = 1 << 20
ONE_VALUE = "the layout has one mode: it is taken as one value for each thread"


def is_cute(text: str) -> bool:
    """Tell whether `text` looks like a CuTe layout, as it is printed or as it is in C++."""
    if text.startswith("(") and ":" in text:
        return True
    return _PLAIN.fullmatch(text) is not None or _BEGINNING.match(_undeclared(text)) is not None


def _undeclared(text: str) -> str:
    """Return what a declaration such as ``using Mine = Layout<…>;`` is about."""
    return _DECLARED.sub("", text, count=1) if _DECLARED.match(text) else text


def from_cute(operand: Operand, text: str, where: str) -> Given:
    """Return the table that a CuTe layout of (thread, value) states; `where` begins an error."""
    modes = _thread_and_value(text, where)
    thread, value = (_offsets(own) for own in modes)
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

    return given(operand, rows(), remarks=() if modes[1] else (ONE_VALUE,))


def _thread_and_value(text: str, where: str) -> tuple[list[Mode], list[Mode]]:
    """Return the modes of thread and value, none of value for a plain ``64:1``."""
    bare = _bare(text)
    try:
        if len(bare) > _MAX_LENGTH or not _SYNTAX.fullmatch(bare) or bare.count(":") > 1:
            raise ValueError
        shape, stride = ast.literal_eval(f"({bare.replace(':', ',')})")
        if ":" in bare and isinstance(shape, int):
            shape, stride = (shape, ()), (stride, ())
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


def _bare(text: str) -> str:
    """Return a layout without what C++ adds to numbers, brackets and commas."""
    bare = _SPACE.sub("", " ".join(_undeclared(text.strip()).split()))
    bare = _NUMBERS.sub(lambda m: m[1] or m[2], _CUTE.sub("", bare))
    return _WORDS.sub("", bare).translate(str.maketrans("<>", "()", ";"))


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
