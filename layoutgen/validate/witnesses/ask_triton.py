"""Ask Triton for the layout of D of every tile, and of the scales."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from layoutgen.validate.witnesses.names import MFMA_ARCHITECTURES, mnemonics
from layoutgen.validate.witnesses.reading import SCALE_GROUP
from layoutgen.validate.witnesses.tools import Record, tool

_WMMA_VERSIONS = {1: "gfx11", 2: "gfx12", 3: "gfx1250"}
_MFMA_SHAPES = (
    *((32, 32, k, 1) for k in (2, 4, 8, 16, 32, 64)),
    *((16, 16, k, 1) for k in (4, 8, 16, 32, 64, 128)),
)
_MFMA_WIDE = (1, 2, 4)
"""k of the 4×4 instructions, whose sixteen blocks make a 4×64 or 64×4 tile of 16·k."""


def triton_records() -> Iterator[Record]:
    """D of every MFMA and WMMA tile, plain and transposed, then the scales of gfx950."""
    ir = tool("triton._C.libtriton", "triton").ir
    gluon = tool("triton._C.libtriton", "triton").gluon_ir
    amd = tool("triton.experimental.gluon.language.amd", "triton")
    context = ir.context()
    ir.load_dialects(context)
    builder = gluon.GluonOpBuilder(context)

    for name, arguments, shape, fields in _triton_layouts():
        layout = getattr(amd, name)(**arguments)
        written = ", ".join(f"{key}={value}" for key, value in arguments.items())
        bases = builder.to_linear_layout(layout._to_ir(builder), shape)
        yield {"layout": f"{name}({written})", **fields, **_linear(bases)}
    for operand, (m, groups) in product((0, 1), ((16, 4), (32, 2))):
        scale = (operand, [m, groups], m, [1, 1], [1, 1])
        k = SCALE_GROUP * groups
        names = list(mnemonics("gfx950", (m, m, k, 1), scaled=True))
        yield {
            "layout": f"get_amd_mfma_scale_layout({', '.join(map(str, scale))})",
            "operand": ("lhs_scale", "rhs_scale")[operand],
            **_triton_fields(4, (m, m, k), False, 8, {"gfx950": names}),
            **_linear(gluon.get_amd_mfma_scale_layout(*scale)),
        }


def _triton_layouts() -> Iterator[tuple[str, Record, list[int], Record]]:
    """(Gluon class, arguments, tensor shape, fields) of every accumulator that hardware has."""
    for version_, arch in enumerate(MFMA_ARCHITECTURES, start=1):
        for tile, names in _mfma_tiles(arch):
            doubles = [name for name in names if "f64" in name]
            singles = [name for name in names if "f64" not in name]
            for (width, chosen), transposed in product(
                ((32, singles), (64, doubles)), (False, True)
            ):
                if not chosen or (tile[:2] == (64, 4) and not transposed):
                    continue  # Triton has no plain 64×4
                arguments = {
                    "version": version_,
                    "instr_shape": list(tile),
                    "transposed": transposed,
                    "warps_per_cta": [1, 1],
                    "element_bitwidth": width,
                }
                fields = _triton_fields(version_, tile, transposed, width, {arch: chosen})
                yield "AMDMFMALayout", arguments, list(tile[:2]), {"operand": "acc", **fields}
    for (version_, arch), k, transposed in product(
        _WMMA_VERSIONS.items(), (4, 16, 32, 64, 128), (False, True)
    ):
        names = [
            name
            for name in mnemonics(arch, (16, 16, k, 1))
            if name.startswith(("v_wmma_f32", "v_wmma_i32"))
        ]
        if names:
            arguments = {
                "version": version_,
                "transposed": transposed,
                "warp_bases": [],
                "instr_shape": [16, 16, k],
            }
            fields = _triton_fields(version_, (16, 16, k), transposed, 32, {arch: names})
            yield "AMDWMMALayout", arguments, [16, 16], {"operand": "acc", **fields}


def _mfma_tiles(arch: str) -> Iterator[tuple[tuple[int, int, int], list[str]]]:
    """Tiles of one architecture and the instructions behind each, the scaled ones included."""
    for m, n, k, blocks in _MFMA_SHAPES:
        names = mnemonics(arch, (m, n, k, blocks))
        scaled = mnemonics(arch, (m, n, k, blocks), scaled=True)
        if names or scaled:
            yield (m, n, k), [*names, *scaled]
    for (m, n), k in product(((4, 64), (64, 4)), _MFMA_WIDE):
        names = mnemonics(arch, (4, 4, k, 16))
        if names:
            yield (m, n, 16 * k), list(names)


def _triton_fields(
    version_: int,
    tile: tuple[int, int, int],
    transposed: bool,
    width: int,
    instructions: dict[str, list[str]],
) -> Record:
    m, n, k = tile
    return {
        "version": version_,
        "m": m,
        "n": n,
        "k": k,
        "transposed": transposed,
        "element_bitwidth": width,
        "instructions": instructions,
    }


def _linear(layout: Any) -> Record:
    return {
        "register": layout.reg_bases,
        "lane": layout.lane_bases,
        "warp": layout.warp_bases,
        "block": layout.block_bases,
        "shape": layout.shape,
    }


def triton_extra() -> Record:
    """What the file says beside the records: how to read them."""
    return {
        "notes": [
            "register, lane, warp, block: bases of a linear layout, each (dim0, dim1) of a tensor "
            "of this shape; register counts elements of element_bitwidth bits",
            "operand acc: D; transposed: A and B exchanged, so dim0 is the instruction's column",
            "m, n, k: instr_shape as Triton takes it; 4x64 and 64x4 are the sixteen blocks of a "
            "4x4 instruction (a plain 64x4 does not exist)",
            "the bases depend on m, n, transposed and element_bitwidth only, never on k or version "
            "of MFMA",
            "instructions: architecture to mnemonics with this shape; WMMA with 32-bit D only",
        ],
    }
