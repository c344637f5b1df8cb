"""Which instructions a layout of some shape and types is about, by the assembler's names."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

MFMA_ARCHITECTURES = ("gfx908", "gfx90a", "gfx942", "gfx950")

_ALL = MFMA_ARCHITECTURES
_OLD, _NEW = _ALL[:2], _ALL[2:]
_DENSE: tuple[tuple[str, tuple[tuple[int, int, int, int], ...], tuple[str, ...]], ...] = (
    ("f32", ((32, 32, 1, 2), (16, 16, 1, 4), (4, 4, 1, 16)), _ALL),
    ("f32", ((32, 32, 2, 1), (16, 16, 4, 1)), _ALL),
    ("f16", ((32, 32, 4, 2), (16, 16, 4, 4), (4, 4, 4, 16)), _ALL),
    ("f16", ((32, 32, 8, 1), (16, 16, 16, 1)), _ALL),
    ("f16", ((32, 32, 16, 1), (16, 16, 32, 1)), _ALL[3:]),
    ("bf16", ((32, 32, 2, 2), (16, 16, 2, 4), (4, 4, 2, 16)), _OLD),
    ("bf16", ((32, 32, 4, 1), (16, 16, 8, 1)), _OLD),
    ("bf16_1k", ((32, 32, 4, 2), (16, 16, 4, 4), (4, 4, 4, 16)), _ALL[1:2]),
    ("bf16_1k", ((32, 32, 8, 1), (16, 16, 16, 1)), _ALL[1:2]),
    ("bf16", ((32, 32, 4, 2), (16, 16, 4, 4), (4, 4, 4, 16)), _NEW),
    ("bf16", ((32, 32, 8, 1), (16, 16, 16, 1)), _NEW),
    ("bf16", ((32, 32, 16, 1), (16, 16, 32, 1)), _ALL[3:]),
    ("i8", ((32, 32, 4, 2), (16, 16, 4, 4), (4, 4, 4, 16)), _ALL),
    ("i8", ((32, 32, 8, 1), (16, 16, 16, 1)), _OLD),
    ("i8", ((32, 32, 16, 1), (16, 16, 32, 1)), _NEW),
    ("i8", ((32, 32, 32, 1), (16, 16, 64, 1)), _ALL[3:]),
    ("f64", ((16, 16, 4, 1), (4, 4, 4, 4)), _ALL[1:]),
    ("xf32", ((32, 32, 4, 1), (16, 16, 8, 1)), _ALL[2:3]),
    ("fp8", ((32, 32, 16, 1), (16, 16, 32, 1)), _NEW),
    ("f8f6f4", ((32, 32, 64, 1), (16, 16, 128, 1)), _ALL[3:]),
)
"""Source type, shapes (M, N, K, blocks), architectures of the dense MFMA instructions."""

_WMMA: tuple[tuple[str, int, tuple[str, ...]], ...] = (
    ("f32_f16 f16_f16 f32_bf16 bf16_bf16 i32_iu8", 16, ("gfx11", "gfx12")),
    ("f32_fp8", 16, ("gfx12",)),
    ("f32_f32", 4, ("gfx1250",)),
    ("f32_f16 f16_f16 f32_bf16 bf16_bf16", 32, ("gfx1250",)),
    ("f32_fp8 f16_fp8", 64, ("gfx1250",)),
    ("f32_fp8 f16_fp8", 128, ("gfx1250",)),
    ("i32_iu8", 64, ("gfx1250",)),
)
"""Result and source types, K, architectures of the dense 16×16 WMMA instructions."""

_SHORT = {
    "f8E4M3FNUZ": "fp8",
    "f8E5M2FNUZ": "bf8",
    "f8E4M3FN": "fp8",
    "f8E5M2": "bf8",
    "f6E2M3FN": "fp6",
    "f6E3M2FN": "bf6",
    "f4E2M1FN": "fp4",
}
"""MLIR's names of the small formats, and the ISA's."""


def mnemonics(
    arch: str,
    shape: tuple[int, int, int, int],
    types: tuple[str, str, str] | None = None,
    *,
    scaled: bool = False,
) -> tuple[str, ...]:
    """Dense instructions of an architecture with this (M, N, K, blocks), as the assembler spells.

    ``types`` are MLIR's element types of A, B and D and narrow the answer; the FNUZ formats are
    those of gfx942, the OCP ones of all others. ``scaled`` asks for ``v_mfma_scale_…`` instead of
    the plain form.
    """
    if types and arch in (*MFMA_ARCHITECTURES, "gfx12", "gfx1250"):
        fnuz = {name.endswith("FNUZ") for name in types[:2] if name in _SHORT}
        if fnuz and fnuz != {arch == "gfx942"}:
            return ()
    if arch not in MFMA_ARCHITECTURES:
        return () if scaled else tuple(_wmma(arch, shape, types))
    m, n, k, blocks = shape
    found = []
    for source, shapes, architectures in _DENSE:
        if arch not in architectures or shape not in shapes or not _fits(source, types):
            continue
        result = {"i8": "i32", "f64": "f64"}.get(source, "f32")
        size = f"{m}x{n}x{k}"
        if source == "f8f6f4":
            found.append(f"v_mfma_{'scale_' if scaled else ''}{result}_{size}_{source}")
        elif scaled:
            continue
        elif source == "fp8":
            found += [f"v_mfma_{result}_{size}_{pair}" for pair in _pairs(types)]
        elif arch in _OLD:
            found.append(f"v_mfma_{result}_{size}{source}")
        else:
            number = f"_{blocks}b" if blocks > 1 else ""
            found.append(f"v_mfma_{result}_{size}{number}_{source}")
    return tuple(found)


def _fits(source: str, types: tuple[str, str, str] | None) -> bool:
    """Whether an instruction of this source type takes operands of these MLIR types."""
    if types is None:
        return True
    a, b, d = types
    if source in ("fp8", "f8f6f4"):
        small = {_SHORT.get(a, ""), _SHORT.get(b, "")}
        return small <= ({"fp8", "bf8"} if source == "fp8" else set(_SHORT.values())) and d == "f32"
    return a == b == source.removesuffix("_1k") and d == {"i8": "i32", "f64": "f64"}.get(
        source, "f32"
    )


def _pairs(types: tuple[str, str, str] | None) -> list[str]:
    """The fp8 and bf8 pairs at the end of a mnemonic."""
    if types:
        return [f"{_SHORT[types[0]]}_{_SHORT[types[1]]}"]
    return [f"{a}_{b}" for a, b in product(("fp8", "bf8"), repeat=2)]


def _wmma(
    arch: str, shape: tuple[int, int, int, int], types: tuple[str, str, str] | None
) -> Iterator[str]:
    for names, k, architectures in _WMMA:
        if arch not in architectures or shape != (16, 16, k, 1):
            continue
        for name in names.split():
            result, _, source = name.partition("_")
            if types:
                short = "fp8" if types[0] in _SHORT else {"i8": "iu8"}.get(types[0], types[0])
                if (result, source) != (types[2], short):
                    continue
            endings = _pairs(types) if source == "fp8" else [source]
            yield from (f"v_wmma_{result}_16x16x{k}_{ending}" for ending in endings)
