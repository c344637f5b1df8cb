"""The context of an architecture's page of dense builtins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from layoutgen import tables
from layoutgen.pages import blocks, chapters, examples, words
from layoutgen.pages.chapters import grouped
from layoutgen.pages.known import known
from layoutgen.pages.listings import (
    availability,
    block_table,
    builtin_groups,
    disagreements,
    legal,
)
from layoutgen.pages.rst import Rst, code, escape, fill, list_table, merge
from layoutgen.pages.tiles import tiles
from layoutgen.printing import LATEX, render

if TYPE_CHECKING:
    from layoutgen.model import Architecture, Instruction, Operand

REGISTER_CAPTION = (
    "The same as the register file sees it: a line for each register, a column for each lane."
)
PRODUCT_CAPTION = (
    "A product as a whole: A at the left, B above, and D where a row of A meets a column of B. "
    "The frame follows one element of D."
)
USE = (100, 60)
"""An example of archVGPRs and accVGPRs that a wavefront uses."""


def context(
    arch: Architecture,
    prefixes: Mapping[str, Sequence[str]],
    archs: Sequence[Architecture],
    to: blocks.Target = blocks.same_folder,
) -> dict[str, object]:
    """Return what the template ``architecture`` needs beside the globals.

    `prefixes` begin the labels of each architecture; `archs` are all that there are pages of, and
    `to` gives the document of an instruction.
    """
    every = chapters.chapters(arch)["dense"]
    inputs = {(i.operands["A"].format.title, i.operands["A"].elements_per_lane): i for i in every}
    packed = {(o.format.bits, o.elements_per_lane): o for o in _inputs(every) if o.format.bits % 32}
    wide = max((i.operands["D"].format.bits for i in every), default=32)
    return {
        "arch": arch,
        "every": every,
        "kinds": list(chapters.chapters(arch)),
        "register": words.register_name(every[0].operands["D"]),
        "separate": every[0].operands["D"].register_files != every[0].operands["A"].register_files,
        "spellings": [code(s) for s in every[0].spellings],
        "two_types": any(i.operands["A"].format != i.operands["B"].format for i in every),
        "long_k": any(i.name.endswith("_1k") for i in every),
        "unpublished": any(i.coexec_cycles is None for i in every),
        "to": to,
        "prefixes": prefixes[arch.name],
        "extra_captions": {"registers": REGISTER_CAPTION, "product": PRODUCT_CAPTION},
        "first": every[0],
        "chapters": others(arch, prefixes[arch.name][-1]),
        "sisters": sisters(arch, archs, prefixes),
        "patterns": _patterns(every),
        "outputs": [code(n) for n in dict.fromkeys(i.operands["D"].format.name for i in every)],
        "inputs": [code(n) for n in dict.fromkeys(_name(i)[1] for i in every)],
        "elsewhere": elsewhere(arch, every),
        "availability": availability(every),
        "packing_facts": _packing_facts(inputs),
        "block_table": block_table(arch, every, to),
        "wide": wide > 32,
        "registers": _registers(arch),
        "tiles": tiles(every, to),
        "input_table": _input_table(every, to),
        "packed": [(_packed_title(every, o), o) for o in packed.values()],
        "pairs": sorted({o.format.title for o in _inputs(every) if o.format.bits > 32}),
        "known": known,
        "shown_inputs": [_widest(members) for members in grouped(every, "tile")],
        "multi_block": multi_block(i for i in every if len(i.rules.cbsz) > 1),
        "patterned": next((i for i in every if len(i.rules.blgp_codes) > 1), None),
        "negating": next((i for i in every if "neg" in i.rules.fields), None),
        "legal": legal(every, to),
        "types": tables.register_types(every),
        "types_link": Rst("They are listed under :ref:`mfma-register-types`."),
        "policy": examples.runs_on(examples.POLICY, arch),
        "peak_example": _peak_example(arch),
        "groups": builtin_groups(every, to),
        "disagreements": disagreements(arch, every, to),
        "all_sources": arch.sources,
    }


def label(prefixes: Sequence[str]) -> str:
    """Return the label of the page of dense builtins: ``cdna2-dense-mfma-builtins``."""
    return chapters.label(prefixes[-1], "dense")


def others(arch: Architecture, prefix: str) -> list[Rst]:
    """Return a line for each further page of the architecture."""
    found = []
    for name, insts in chapters.chapters(arch).items():
        if name != "dense":
            what = f"{chapters.KINDS[name]} instructions"
            shown = chapters.reference(prefix, name, f"{arch.title} {what}")
            found.append(Rst(f"{shown}: {len(insts)}"))
    if arch.hazards:
        found.append(chapters.reference(prefix, "hazards", f"Wait states on {arch.name}"))
    return found


def sisters(
    arch: Architecture,
    archs: Sequence[Architecture],
    prefixes: Mapping[str, Sequence[str]],
    name: str = "dense",
) -> list[Rst]:
    """Return a link to the same chapter of every other architecture."""
    return [
        Rst(f"{chapters.reference(prefixes[a.name][-1], name, a.title)} ({code(a.name)})")
        for a in archs
        if a.name != arch.name
    ]


def multi_block(instructions: Iterable[Instruction]) -> list[Instruction]:
    """Return one instruction for each block count above one, fewest blocks first."""
    found: dict[int, Instruction] = {}
    for inst in instructions:
        if inst.blocks > 1:
            found.setdefault(inst.blocks, inst)
    return [found[blocks_] for blocks_ in sorted(found)]


def _widest(instructions: list[Instruction]) -> Instruction:
    """Return the instruction that shows most: of several groups of k and several items."""
    return max(instructions, key=lambda i: (i.k, i.operands["A"].format.bits))


def _inputs(every: list[Instruction]) -> list[Operand]:
    return [inst.operands[name] for inst in every for name in "AB"]


_PARTS = re.compile(r"^(?P<kind>[a-z_]+?)_[a-z]+\d+_\d+x\d+x\d+(?P<glue>_?)(?P<inputs>\w*)$")


def _name(inst: Instruction) -> tuple[str, str]:
    """Return the pattern of the builtin's name, and what stands in it for the inputs."""
    found = _PARTS.match(inst.name)
    if found is None:
        return inst.name, ""
    pattern = f"{found['kind']}_<out_type>_<M>x<N>x<K>{found['glue']}<in_type>"
    return f"__builtin_amdgcn_{pattern}", found["inputs"]


def _patterns(every: list[Instruction]) -> list[str]:
    return list(dict.fromkeys(_name(inst)[0] for inst in every))


def elsewhere(arch: Architecture, every: Sequence[Instruction] | None = None) -> Rst:
    """Return for how many of the builtins the compiler generates code on other targets."""
    shown = list(arch.values()) if every is None else every
    counts: dict[str, int] = {}
    for inst in shown:
        for target in inst.targets:
            counts[target] = counts.get(target, 0) + 1
    by_count: dict[int, list[str]] = {}
    for target, count in counts.items():
        if target != arch.name:
            by_count.setdefault(count, []).append(target)
    if not by_count:
        return Rst("The compiler generates code for them on no other target.")
    parts = [
        f"{'all' if count == len(shown) else count} of them on {merge(map(code, targets))}"
        for count, targets in sorted(by_count.items(), reverse=True)
    ]
    return Rst(f"The compiler also generates code for {merge(map(Rst, parts), last=' and for ')}.")


def _packing_facts(inputs: Mapping[tuple[str, int], Instruction]) -> Rst:
    by_title: dict[str, list[int]] = {}
    for title, count in inputs:
        by_title.setdefault(title, []).append(count)
    return merge(
        Rst(f"{merge(sorted(counts), last=' or ')} {escape(title)}")
        for title, counts in by_title.items()
    )


def _registers(arch: Architecture) -> Rst:
    """Return how many registers a wavefront takes that uses so many of both kinds."""
    needed = arch.registers_needed(*USE)
    how = "the sum of both" if arch.unified_registers else "the larger of both"
    return Rst(
        f"A wavefront with {USE[0]} archVGPRs and {USE[1]} accVGPRs takes {needed} of its "
        f"register file, {how}."
    )


def _packed_title(every: list[Instruction], operand: Operand) -> Rst:
    key = (operand.format.bits, operand.elements_per_lane)
    alike = [o for o in _inputs(every) if (o.format.bits, o.elements_per_lane) == key]
    titles = merge(dict.fromkeys(o.format.title for o in alike), last=" or ")
    return Rst(f"Items of one lane: {operand.elements_per_lane} {titles} elements")


def _input_table(every: list[Instruction], to: blocks.Target) -> Rst:
    """Return, for every builtin, the lane of an element of A and of B."""
    groups: dict[tuple[str, str], list[Instruction]] = {}
    for inst in every:
        lanes = [render(inst.operands[name].formulas.forward["lane"], LATEX) for name in "AB"]
        groups.setdefault((lanes[0], lanes[1]), []).append(inst)
    rows = [
        (
            merge(blocks.builtin_link(i, to=to) for i in members),
            Rst(f":math:`{a}`"),
            Rst(f":math:`{b}`"),
        )
        for (a, b), members in groups.items()
    ]
    header = ("Builtins", "Lane of A(b, i, k)", "Lane of B(b, k, j)")
    return list_table(header, rows, "Lanes of A and B", "layout-inputs")


def _peak_example(arch: Architecture) -> Rst:
    lines = []
    for gpu in arch.gpus:
        peak = next(p for p in tables.peaks(arch) if p.gpu == gpu)
        inst = peak.best[0]
        cycles = int(inst.ops * arch.matrix_cores_per_cu / peak.per_cu)
        lines.append(
            fill(
                f"{{gpu}} has {gpu.compute_units} CUs and a peak clock of {gpu.clock_ghz:g} GHz. "
                f"{code(inst.mnemonic)} does {inst.ops} operations in {cycles} cycles: "
                f"{inst.ops} / {cycles} × {arch.matrix_cores_per_cu} = "
                f"{words.whole(peak.per_cu)} in a cycle of a CU, and {words.whole(peak.per_cu)} × "
                f"{gpu.compute_units} × {gpu.clock_ghz:g} GHz = {words.decimal(peak.tera_ops)} "
                "TFLOPS.",
                gpu=gpu.name,
            )
        )
    return Rst(" ".join(lines))
