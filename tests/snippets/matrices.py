"""Random matrices for a kernel's arguments, and the product that numpy makes of them.

Numbers are small and every sum of their products is exact in FP32, so that no rounding hides a
wrong element.  What a code of a narrow format is worth is asked of ml_dtypes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from layoutgen.model import Instruction
from layoutgen.operand import Operand

Array = NDArray[Any]

NUMBERS: dict[str, Any] = {
    "f32": np.float32,
    "xf32": np.float32,
    "f64": np.float64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "i8": np.int8,
    "i32": np.int32,
}
CODES: dict[str, Any] = {
    "FP8 (E4M3)": ml_dtypes.float8_e4m3fn,
    "BF8 (E5M2)": ml_dtypes.float8_e5m2,
    "FP8 (E4M3 FNUZ)": ml_dtypes.float8_e4m3fnuz,
    "BF8 (E5M2 FNUZ)": ml_dtypes.float8_e5m2fnuz,
    "FP6 (E2M3)": ml_dtypes.float6_e2m3fn,
    "BF6 (E3M2)": ml_dtypes.float6_e3m2fn,
    "FP4 (E2M1)": ml_dtypes.float4_e2m1fn,
    "E8M0": ml_dtypes.float8_e8m0fnu,
}
PAIRS = np.array([(low, high) for high in range(4) for low in range(high)])


@dataclass(frozen=True)
class Problem:
    """The arguments of a kernel in order, without D; D before the call, and the right D."""

    arguments: list[Array]
    d: Array
    product: Array

    def solved(self) -> bool:
        """Whether D is the product, element by element."""
        return bool((self.d.astype(np.float64) == self.product).all())


def problem(inst: Instruction, random: np.random.Generator, **modifiers: Any) -> Problem:
    """Return a random problem for `inst`."""
    operands = {n: inst.operand(n, **modifiers) for n in inst.operands if n not in "CD"}
    raw: dict[str, Array] = {}
    worth: dict[str, Array] = {}
    for name, operand in operands.items():
        raw[name], worth[name] = _random(operand, random)
    a, b = worth["A"], worth["B"]
    if "index" in worth:
        a = _expanded(a, worth["index"], inst.k)
    if "scale_a" in worth:
        a = a * np.repeat(worth["scale_a"], inst.k // worth["scale_a"].shape[2], axis=2)
        b = b * np.repeat(worth["scale_b"], inst.k // worth["scale_b"].shape[1], axis=1)
    d = inst.operands["D"]
    empty = np.full(tuple(d.layout.shape.values()), 77, NUMBERS[d.format.name])
    return Problem(list(raw.values()), empty, a @ b)


def _random(operand: Operand, random: np.random.Generator) -> tuple[Array, Array]:
    """Return an operand as it lies in memory, and what its elements are worth."""
    shape, kind = tuple(operand.layout.shape.values()), operand.format.name
    if kind == "pair":
        chosen = PAIRS[random.integers(len(PAIRS), size=shape)]
        return (chosen[..., 0] | chosen[..., 1] << 2).astype(np.uint8), chosen
    if kind in NUMBERS:
        limit = 128 if kind == "i8" else 8
        numbers = random.integers(-limit, limit, size=shape).astype(NUMBERS[kind])
        return numbers, numbers.astype(np.float64)
    codes = np.arange(1 << operand.format.bits, dtype=np.uint8)
    values = codes.view(CODES[operand.format.title]).astype(np.float64)
    if kind == "e8m0":
        usable = codes[(values >= 0.25) & (values <= 4)]
    else:
        usable = codes[(np.abs(values) <= 4) & (values * 4 == np.rint(values * 4))]
    found = random.choice(usable, size=shape)
    return found, values[found]


def _expanded(stored: Array, index: Array, k: int) -> Array:
    """Return a sparse A with its zeros: of every four k, two stand where the index says."""
    blocks, rows, _ = stored.shape
    whole = np.zeros((blocks, rows, k))
    for c in range(stored.shape[2]):
        at = 4 * (c // 2) + index[:, :, c // 2, c % 2]
        np.put_along_axis(whole, at[..., None], stored[..., c : c + 1], axis=2)
    return whole
