"""Ask IREE for the layout of every operand, and for its blocks and scales."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from layoutgen.validate.witnesses.names import MFMA_ARCHITECTURES, mnemonics
from layoutgen.validate.witnesses.reading import SCALE_GROUP
from layoutgen.validate.witnesses.tools import Record, tool

IREE_TARGETS = (*MFMA_ARCHITECTURES, "gfx1100", "gfx1201", "gfx1250")
_FAMILIES = {"MFMA": MFMA_ARCHITECTURES, "WMMAR3": ("gfx11",), "WMMAR4": ("gfx12",)}
_OPERANDS = ("lhs", "rhs", "acc")
_SCALED_OPERANDS = ("lhs", "rhs", "lhs_scale", "rhs_scale", "acc")
_SCALED_TYPES = ("f8E4M3FN", "f8E5M2", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN")
_FOUR_ARRAYS = ("outer", "thread", "tstrides", "element")


def _iree(module: str) -> Any:
    return tool(f"iree.compiler.{module}", "iree-base-compiler")


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


def iree_extra() -> Record:
    """What the file says beside the records: the commit, and how to read them."""
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
