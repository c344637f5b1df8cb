"""Ask IREE and Triton for their layouts again and write ``iree.json`` and ``triton.json``.

    python -m layoutgen.validate.witnesses.refresh [--check] [iree] [triton]

Needs the PyPI packages ``iree-base-compiler`` and ``triton`` (``pip install --no-deps`` is
enough, no GPU). A file whose records and version stand as they are is left alone, date included.
``--check`` writes nothing and compares the records. Exit 0 done or equal, 1 different, 2 a tool
is missing.
"""

from __future__ import annotations

import argparse
import importlib
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from itertools import product
from pathlib import Path
from typing import Any

from layoutgen.validate.witnesses.names import MFMA_ARCHITECTURES, mnemonics
from layoutgen.validate.witnesses.reading import IREE_FILE, SCALE_GROUP, TRITON_FILE

COMMAND = "python -m layoutgen.validate.witnesses.refresh"
SCHEMA_VERSION = 1

Record = dict[str, Any]


class ToolMissingError(Exception):
    """A package that this script asks is not installed."""


@dataclass(frozen=True)
class Source:
    """One witness file and how to make it."""

    name: str
    package: str
    path: Path
    source: str
    records: Callable[[], Iterator[Record]]
    extra: Callable[[], Record]


def _tool(module: str, package: str) -> Any:
    """Import a module of a tool."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise ToolMissingError(
            f"{package} is not installed ({error}); try: pip install --no-deps {package}"
        ) from error


# --- IREE ------------------------------------------------------------------------------------

IREE_TARGETS = (*MFMA_ARCHITECTURES, "gfx1100", "gfx1201", "gfx1250")
_FAMILIES = {"MFMA": MFMA_ARCHITECTURES, "WMMAR3": ("gfx11",), "WMMAR4": ("gfx12",)}
_OPERANDS = ("lhs", "rhs", "acc")
_SCALED_OPERANDS = ("lhs", "rhs", "lhs_scale", "rhs_scale", "acc")
_SCALED_TYPES = ("f8E4M3FN", "f8E5M2", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN")
_FOUR_ARRAYS = ("outer", "thread", "tstrides", "element")


def _iree(module: str) -> Any:
    return _tool(f"iree.compiler.{module}", "iree-base-compiler")


def iree_records() -> Iterator[Record]:
    """One record per intrinsic and operand: plain, virtual, then scaled ones."""
    ir, gpu = _iree("ir"), _iree("dialects.iree_gpu")
    targets = {arch: _iree_listed(arch) for arch in IREE_TARGETS}
    with ir.Context():
        plain = (("mma", gpu.MMAIntrinsic, gpu.MMAIntrinsicAttr, gpu.MMAAttr),)
        virtual = (
            ("virtual", gpu.VirtualMMAIntrinsic, gpu.VirtualMMAIntrinsicAttr, gpu.VirtualMMAAttr),
        )
        for kind, names, attribute, kinds in plain + virtual:
            for intrinsic in sorted(names, key=lambda one: str(one.name)):
                if intrinsic.name.startswith("NV_"):
                    continue
                attr = attribute.get(intrinsic.value)
                types = [str(one) for one in kinds(attr.mma).abc_element_types]
                layouts = [
                    _iree_arrays(gpu.get_single_subgroup_layout(attr, index)) for index in range(3)
                ]
                if len(layouts[2]["outer"]) == 3:
                    layouts[2]["slice"] = _iree_block_slice(intrinsic.name, types, layouts)
                yield from _iree_intrinsic(kind, intrinsic.name, types, layouts, targets)
        for name, kind_type in product(
            sorted(one.name for one in gpu.ScaledMMAIntrinsic), _SCALED_TYPES
        ):
            layouts = _iree_scaled(name, kind_type)
            yield from _iree_intrinsic(
                "scaled", name, [kind_type, kind_type, "f32"], layouts, targets
            )


def _iree_arrays(layout: Any) -> Record:
    return {name: list(getattr(layout, name)) for name in _FOUR_ARRAYS}


def _iree_intrinsic(
    kind: str,
    name: str,
    types: list[str],
    layouts: Sequence[Record],
    targets: dict[str, set[tuple[str, str]]],
) -> Iterator[Record]:
    """The records of one intrinsic, its M, N, K and blocks taken from its layouts."""
    lhs, rhs = _sizes(layouts[0]), _sizes(layouts[1])
    if kind == "scaled":
        shape = (lhs[0], rhs[-1], lhs[1] * lhs[2], 1)
    else:
        shape = (lhs[-2], rhs[-1], lhs[-1], lhs[0] if len(lhs) == 3 else 1)
    family = name.partition("_")[0]
    instructions = {}
    if kind != "virtual":
        for arch in _FAMILIES.get(family, ("gfx1250",)):
            a, b, d = types
            names = mnemonics(arch, shape, (a, b, d), scaled=kind == "scaled")
            if names:
                instructions[arch] = list(names)
    key = (name, types[0] if kind == "scaled" else "")
    for operand, layout in zip(
        _SCALED_OPERANDS if kind == "scaled" else _OPERANDS, layouts, strict=True
    ):
        yield {
            "intrinsic": name,
            "kind": kind,
            "operand": operand,
            "m": shape[0],
            "n": shape[1],
            "k": shape[2],
            "blocks": shape[3],
            "wave": 32 if family.startswith("WMMA") else 64,
            "types": types,
            "targets": [arch for arch in IREE_TARGETS if key in targets[arch]],
            "instructions": instructions,
            **layout,
        }


def _sizes(layout: Record) -> list[int]:
    return [
        outer * thread * element
        for outer, thread, element in zip(
            layout["outer"], layout["thread"], layout["element"], strict=True
        )
    ]


def _iree_listed(arch: str) -> set[tuple[str, str]]:
    """(intrinsic, element type of a scaled one) as listed in IREE's own description of a target."""
    tools = _iree("tools")
    text = tools.compile_str(
        "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }",
        extra_args=[
            "--iree-hal-target-device=hip",
            f"--iree-rocm-target={arch}",
            "--compile-to=executable-targets",
        ],
    ).decode()
    lists = dict(re.findall(r"\b(mma|scaled_mma) = \[([^\]]*)\]", text))
    plain = {(name, "") for name in re.findall(r"<(\w+)>", lists.get("mma", ""))}
    scaled = re.findall(r"intrinsic = (\w+), lhs_elem_type = (\w+)", lists.get("scaled_mma", ""))
    return plain | set(scaled)


_MODULE = """
func.func @f({arguments}) -> {result} {{
  %0 = "iree_codegen.inner_tiled"({names}) <{{
    indexing_maps = [{maps}],
    iterator_types = [{iterators}],
    kind = {kind},
    operandSegmentSizes = array<i32: {inputs}, 1>,
    semantics = #iree_gpu.mma_semantics<distributed = false, opaque = true>
  }}> : ({types}) -> {result}
  return %0 : {result}
}}
"""
_PASSES = (
    "builtin.module(func.func(iree-gpu-expand-undistributed-inner-tiles, "
    "iree-gpu-distribute-inner-tiled-to-lanes, canonicalize, cse))"
)
_DIMENSIONS = ("b", "i", "j", "k", "g")
"""Block, row, column, k (or group of k), k in a group."""


def _distributed(kind: str, operands: Sequence[tuple[str, dict[str, int], str]]) -> str:
    """A module with one instruction after IREE has handed its operands' slices to the lanes.

    ``operands``: dimensions, their sizes and the element type of each, the accumulator last.
    """
    ir, passes = _iree("ir"), _iree("passmanager")
    used = [one for one in _DIMENSIONS if any(one in sizes for _, sizes, _ in operands)]
    tensors = [
        f"tensor<{'1x' * len(order)}{'x'.join(str(sizes[one]) for one in order)}x{element}>"
        for order, sizes, element in operands
    ]
    iterator = {True: "parallel", False: "reduction"}
    text = _MODULE.format(
        arguments=", ".join(f"%x{index}: {tensor}" for index, tensor in enumerate(tensors)),
        names=", ".join(f"%x{index}" for index in range(len(tensors))),
        maps=", ".join(
            f"affine_map<({', '.join(used)}) -> ({', '.join(order)})>" for order, _, _ in operands
        ),
        iterators=", ".join(
            f"#linalg.iterator_type<{iterator[one in operands[-1][0]]}>" for one in used
        ),
        kind=kind,
        inputs=len(tensors) - 1,
        types=", ".join(tensors),
        result=tensors[-1],
    )
    module = ir.Module.parse(text)
    passes.PassManager.parse(_PASSES).run(module.operation)
    return str(module)


def _iree_block_slice(name: str, types: Sequence[str], layouts: Sequence[Record]) -> list[int]:
    """Sizes of the accumulator slice that one lane of a multi-block intrinsic gets."""
    (block, m, k), n = _sizes(layouts[0]), _sizes(layouts[1])[2]
    sizes = {"b": block, "i": m, "j": n, "k": k}
    a, b, d = types
    text = _distributed(
        f"#iree_gpu.mma_layout<{name}>", [("bik", sizes, a), ("bkj", sizes, b), ("bij", sizes, d)]
    )
    return [int(one) for one in re.findall(r"extract_slice .*?\] \[(.*?)\]", text)[2].split(",")][
        3:
    ]


def _iree_scaled(intrinsic: str, element: str) -> list[Record]:
    """Layouts of a scaled intrinsic.

    ``get_single_subgroup_layout`` answers nothing for them, so the same facts are taken from the
    pass that hands the operands' slices to the lanes: the offset of a dimension is a digit of the
    lane (``thread``, ``tstrides``), its size is ``element``.
    """
    found = re.search(r"_(\d+)x(\d+)x(\d+)_B(\d+)$", intrinsic)
    if found is None or int(found[4]) != SCALE_GROUP:
        raise ValueError(f"cannot read the shape of {intrinsic}")
    m, n, k = int(found[1]), int(found[2]), int(found[3])
    sizes = {"i": m, "j": n, "k": k // SCALE_GROUP, "g": SCALE_GROUP}
    kind = (
        f"#iree_gpu.scaled_mma_layout<intrinsic = {intrinsic}, lhs_elem_type = {element}, "
        f"rhs_elem_type = {element}, acc_elem_type = f32>"
    )
    scale = "f8E8M0FNU"
    operands = [
        ("ikg", sizes, element),
        ("kgj", sizes, element),
        ("ik", sizes, scale),
        ("kj", sizes, scale),
        ("ij", sizes, "f32"),
    ]
    return list(_slices(_distributed(kind, operands)))


def _slices(text: str) -> Iterator[Record]:
    """The four arrays of every operand, in order, from the module after distribution to lanes."""
    digits: dict[str, tuple[int, int]] = {}
    for line in text.splitlines():
        if found := re.search(r"(%\w+):\d+ = affine\.delinearize_index %\w+ into \((.*?)\)", line):
            stride = 1
            sizes = [int(size) for size in found[2].split(",")]
            for position, size in reversed(list(enumerate(sizes, start=1))):
                digits[f"{found[1]}#{position}"] = (size, stride)
                stride *= size
        elif found := re.search(
            r"(%\w+) = (?:iree_codegen\.index_hint|affine\.linearize_index disjoint) "
            r"\[?(%[\w#]+)(?:\(|, %c0\] by)",
            line,
        ):
            digits[found[1]] = digits[found[2]]
        elif found := re.search(r"tensor\.extract_slice %\w+\[(.*?)\] \[(.*?)\] ", line):
            offsets, sizes = found[1].split(", "), [int(one) for one in found[2].split(", ")]
            dims = [int(one) for one in re.findall(r"(\d+)x", line.partition(" : tensor<")[2])]
            lead = next(position for position, size in enumerate(dims) if size > 1)
            yield _slice(dims[lead : len(sizes)], offsets[lead:], sizes[lead:], digits)


def _slice(
    dims: list[int], offsets: list[str], sizes: list[int], digits: dict[str, tuple[int, int]]
) -> Record:
    """One slice as arrays; a leading whole dimension of a rank-3 accumulator is ``outer``."""
    raw = [(*digits.get(offset, (1, 0)), size) for offset, size in zip(offsets, sizes, strict=True)]
    for dim, (thread, _, element) in zip(dims, raw, strict=True):
        if dim != thread * element:
            raise ValueError(f"slice of {element} by {thread} lanes in a dimension of {dim}")
    outer = [1] * len(raw)
    if len(dims) == 3 and raw[0][0] == 1 and raw[1][0] > 1 and raw[2][0] > 1:
        outer, raw = [dims[0], 1], raw[1:]
    return {
        "outer": outer,
        "thread": [thread for thread, _, _ in raw],
        "tstrides": [stride for _, stride, _ in raw],
        "element": [element for _, _, element in raw],
    }


def _iree_extra() -> Record:
    module = _iree("version")
    return {
        "revision": str(module.REVISIONS.get("IREE", "")),
        "notes": [
            "outer, thread, tstrides, element: one entry per dimension; lhs (M, K), rhs (K, N), "
            "acc (M, N); a leading block dimension where blocks > 1; K as (K/32, 32) in scaled "
            "operands",
            "m, n, k, blocks are products of the arrays (the mnk_shape of a multi-block intrinsic "
            "is B, M, N)",
            "targets: architectures whose target description lists the intrinsic; instructions: "
            "architecture to mnemonics with this shape and these types",
            "slice (acc where blocks > 1): sizes of the slice that "
            "iree-gpu-distribute-inner-tiled-to-lanes hands to one lane, row-major",
            "kind scaled: taken from iree-gpu-distribute-inner-tiled-to-lanes, since "
            "get_single_subgroup_layout is empty for them",
            "kind virtual: made of more than one instruction, no mnemonic",
        ],
    }


# --- Triton ----------------------------------------------------------------------------------

_WMMA_VERSIONS = {1: "gfx11", 2: "gfx12", 3: "gfx1250"}
_MFMA_SHAPES = (
    *((32, 32, k, 1) for k in (2, 4, 8, 16, 32, 64)),
    *((16, 16, k, 1) for k in (4, 8, 16, 32, 64, 128)),
)
_MFMA_WIDE = (1, 2, 4)
"""k of the 4×4 instructions, whose sixteen blocks make a 4×64 or 64×4 tile of 16·k."""


def triton_records() -> Iterator[Record]:
    """D of every MFMA and WMMA tile, plain and transposed, then the scales of gfx950."""
    ir = _tool("triton._C.libtriton", "triton").ir
    gluon = _tool("triton._C.libtriton", "triton").gluon_ir
    amd = _tool("triton.experimental.gluon.language.amd", "triton")
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


def _triton_extra() -> Record:
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


# --- files -----------------------------------------------------------------------------------

SOURCES = {
    "iree": Source(
        "IREE",
        "iree-base-compiler",
        IREE_FILE,
        "iree_gpu.get_single_subgroup_layout(MMAIntrinsicAttr, operand)",
        iree_records,
        _iree_extra,
    ),
    "triton": Source(
        "Triton",
        "triton",
        TRITON_FILE,
        "GluonOpBuilder.to_linear_layout(layout, shape)",
        triton_records,
        _triton_extra,
    ),
}


def document(source: Source, date: str) -> Record:
    """The whole file of one tool, freshly asked."""
    records = list(source.records())
    try:
        found = version(source.package)
    except PackageNotFoundError as error:
        raise ToolMissingError(f"{source.package} is not installed") from error
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": source.name,
        "package": source.package,
        "version": found,
        "date": date,
        "command": COMMAND,
        "source": source.source,
        **source.extra(),
        "records": records,
    }


def render(content: Record) -> str:
    """The file's text: one field of the head per line, then one record per line."""
    head = ",\n".join(
        f"{json.dumps(key)}: {json.dumps(value)}"
        for key, value in content.items()
        if key != "records"
    )
    lines = ",\n".join(json.dumps(one, separators=(",", ":")) for one in content["records"])
    return f'{{\n{head},\n"records": [\n{lines}\n]\n}}\n'


def refresh(source: Source, *, check: bool) -> bool:
    """Rewrite one file, or compare it; True if its records stand as they were."""
    old: Record = {}
    if source.path.exists():
        old = json.loads(source.path.read_text(encoding="utf-8"))
    new = document(source, datetime.now(UTC).date().isoformat())
    same = bool(old) and old["records"] == new["records"]
    _say(f"{source.name} {new['version']}: {len(new['records'])} records")
    if old and old["version"] != new["version"]:
        _say(f"  the file is from version {old['version']}")
    if not same:
        for line in _difference(old.get("records", []), new["records"]):
            _say(f"  {line}")
    if not check:
        if same and old["version"] == new["version"]:
            new["date"] = old["date"]
        text = render(new)
        if not source.path.exists() or source.path.read_text(encoding="utf-8") != text:
            source.path.write_text(text, encoding="utf-8")
            _say(f"  wrote {source.path.name}")
    return same


def _difference(old: Sequence[Record], new: Sequence[Record], limit: int = 10) -> Iterable[str]:
    """Records that came, went or changed, by name and operand."""

    def keyed(records: Sequence[Record]) -> dict[str, Record]:
        return {
            " ".join(
                [one.get("intrinsic") or one["layout"], *one.get("types", []), one["operand"]]
            ): one
            for one in records
        }

    before, after = keyed(old), keyed(new)
    lines = [f"- {key}" for key in before if key not in after]
    lines += [f"+ {key}" for key in after if key not in before]
    lines += [f"! {key}" for key in after if key in before and after[key] != before[key]]
    return lines[:limit] + ([f"… {len(lines) - limit} more"] if len(lines) > limit else [])


def _say(text: str) -> None:
    print(text, file=sys.stderr)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog=COMMAND, description="Ask IREE and Triton for their register layouts again."
    )
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("tool", nargs="*", help=f"{' or '.join(SOURCES)}; both if none is given")
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.tool if name not in SOURCES]:
        parser.error(f"no such tool: {', '.join(unknown)}; there are {', '.join(SOURCES)}")
    same = True
    for name in options.tool or SOURCES:
        try:
            same &= refresh(SOURCES[name], check=options.check)
        except ToolMissingError as error:
            _say(f"error: {error}")
            return 2
    return 0 if same or not options.check else 1


if __name__ == "__main__":
    sys.exit(main())
