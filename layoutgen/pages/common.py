"""The context of the page of common parameters, over all architectures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from layoutgen import tables
from layoutgen.actions import ByteSelect, FormatCode, IndexSet, Negation
from layoutgen.pages import fields, words
from layoutgen.pages.architecture import multi_block
from layoutgen.pages.known import every_source
from layoutgen.pages.rst import Rst, code, merge

if TYPE_CHECKING:
    from layoutgen.actions import Action
    from layoutgen.model import Architecture, Instruction


def context(archs: Sequence[Architecture]) -> dict[str, object]:
    """Return what the template ``common-parameters`` needs beside the globals."""
    every = [(arch, inst) for arch in archs for inst in arch.values()]
    distinct: dict[object, Instruction] = {}
    for _, inst in every:
        distinct.setdefault((inst.name, inst.rules.actions), inst)
    insts = list(distinct.values())
    shared = multi_block(i for i in insts if len(i.rules.cbsz) > 1)
    patterned = [i for i in insts if len(i.rules.blgp_codes) > 1]
    examples = _pattern_examples(patterned)
    entries = {e.id: e for arch in archs for e in arch.disagreements}
    return {
        "arch_of": lambda inst: next(arch for arch, one in every if one is inst),
        "legal": _legal(every),
        "all_sources": every_source(archs),
        "idle": _idle(every),
        "multi_block": shared,
        "users": _users(insts),
        "broadcast_examples": [_broadcast_example(inst) for inst in shared],
        "cbsz_disagreements": [e for key, e in entries.items() if key == "cbsz-groups"],
        "set_disagreements": [e for key, e in entries.items() if key.startswith("sparse-set")],
        "conflicting": [inst for inst in shared if tables.conflicts(inst)],
        "patterned": patterned[0] if patterned else None,
        "pattern_users": _by_targets(every, lambda i: len(i.rules.blgp_codes) > 1),
        "pattern_examples": examples,
        "pattern_example": _pattern_example(examples[-1]) if examples else "",
        "negations": _of(every, Negation),
        "negation_tables": [
            fields.negations(action, "neg: signs with which A, B and C are taken")
            for action in _distinct(insts, Negation)
            if isinstance(action, Negation)
        ],
        "format_users": _of(every, FormatCode),
        "formats": _format_table(insts),
        "set_users": _of(every, IndexSet),
        "sets": _set_table(insts),
        "byte_users": _of(every, ByteSelect),
        "bytes": _byte_tables(insts),
    }


Pair: TypeAlias = "tuple[Architecture, Instruction]"


def _legal(every: list[Pair]) -> Rst:
    """Return the legal values of each modifier: instructions that take the same, by targets."""
    found: dict[object, dict[str, list[str]]] = {}
    first: dict[object, Instruction] = {}
    for arch, inst in every:
        key: object = (inst.blocks, fields.taken(inst))
        first.setdefault(key, inst)
        found.setdefault(key, {}).setdefault(arch.name, []).append(inst.name)
    rows = []
    for group, by_arch in found.items():
        alike: dict[tuple[str, ...], list[str]] = {}
        for arch_name, names in by_arch.items():
            alike.setdefault(tuple(names), []).append(arch_name)
        for listed, on in alike.items():
            head = (merge(map(code, on)), str(first[group].blocks), merge(map(code, listed)))
            rows.append((head, first[group]))
    rows.sort(key=lambda row: (row[1].sparse, bool(row[1].alternatives), row[1].blocks))
    return fields.legal(rows, ("Targets", "Blocks", "Builtins"))


def _idle(every: list[Pair]) -> Rst:
    return _by_targets(every, lambda i: not fields.driven(i) and not i.rules.broadcast)


def _by_targets(every: list[Pair], chosen: Callable[[Instruction], bool]) -> Rst:
    """Return the architectures that have some of the instructions chosen."""
    return merge(dict.fromkeys(code(arch.name) for arch, inst in every if chosen(inst)))


def _of(every: list[Pair], kind: type) -> Rst:
    """Return where there are instructions with a kind of action that can be set."""
    return _by_targets(every, lambda i: any(isinstance(a, kind) for a in i.rules.actions))


def _distinct(insts: Sequence[Instruction], kind: type) -> list[Action]:
    every = (a for inst in insts for a in inst.rules.actions if isinstance(a, kind))
    return list(dict.fromkeys(every))


def _format_table(insts: Sequence[Instruction]) -> list[Rst]:
    inst = next((i for i in insts if i.alternatives), None)
    if inst is None:
        return []
    return [fields.formats(inst, a) for a in inst.rules.actions if isinstance(a, FormatCode)]


def _set_table(insts: Sequence[Instruction]) -> list[Rst]:
    """Return the table of index sets for each number of sets, most first."""
    by_sets = {a.sets: i for i in insts for a in i.rules.actions if isinstance(a, IndexSet)}
    found = []
    for count in sorted(by_sets, reverse=True):
        if count > 1:
            bits = by_sets[count].operands["A"].format.bits
            title = f"{words.number(count).capitalize()} sets of indices, as with {bits}-bit data"
            found.append(fields.sets(by_sets[count], f"{title} in {by_sets[count].mnemonic}"))
    return found


def _byte_tables(insts: Sequence[Instruction]) -> list[Rst]:
    inst = next((i for i in insts if any(isinstance(a, ByteSelect) for a in i.rules.actions)), None)
    if inst is None:
        return []
    return [fields.byte_table(inst, a) for a in inst.rules.actions if isinstance(a, ByteSelect)]


def _users(insts: Sequence[Instruction]) -> dict[int, list[Rst]]:
    """Return the instructions that can share blocks, or could had they several, by blocks."""
    found: dict[int, dict[Rst, None]] = {}
    for inst in insts:
        if inst.rules.broadcast:
            found.setdefault(inst.blocks, {})[code(inst.name)] = None
    return {blocks: list(names) for blocks, names in found.items()}


def _broadcast_example(inst: Instruction) -> Rst:
    """Return a worked example: cbsz 1, abid 1, an element of the last block."""
    at = {"b": inst.blocks - 1, "i": 1, "k": 0}
    pair = next(p for p in tables.broadcasts(inst) if (p.cbsz, p.abid) == (1, 1))
    own = inst.operand("A").locate(**at)[0].lane
    read = inst.operand("A", cbsz=1, abid=1).locate(**at)[0].lane
    if own == read:
        at["b"] -= 1
        own = inst.operand("A").locate(**at)[0].lane
        read = inst.operand("A", cbsz=1, abid=1).locate(**at)[0].lane
    return Rst(
        f"**Example.** {code(inst.mnemonic)} with cbsz 1 and abid 1: blocks 0 to "
        f"{inst.blocks - 1} read blocks {words.listing(pair.local)} of *A*. The element b = "
        f"{at['b']}, i = {at['i']}, k = 0 lies in lane {own}; the multiplier reads lane {read} "
        f"for it, where b = {pair.local[at['b']]} lies."
    )


def _pattern_examples(every: Sequence[Instruction]) -> list[Instruction]:
    """Return instructions whose B differs in kind: by blocks, by columns and by k."""
    found: dict[tuple[object, ...], Instruction] = {}
    for inst in every:
        operand = inst.operands["B"]
        groups = tables.lane_patterns(inst)[0].groups
        full = operand.layout.shape
        kind = tuple(
            tuple(name for name, values in share.coordinates if len(values) < full[name])
            for share in tables.shares(operand, groups)
        )
        found.setdefault(kind, inst)
    return list(found.values())


def _pattern_example(inst: Instruction) -> Rst:
    """Return a worked example: blgp 3 and an element of B."""
    at = {"b": inst.blocks - 1, "k": inst.k - 1, "j": 2}
    own = inst.operand("B").locate(**at)[0].lane
    read = inst.operand("B", blgp=3).locate(**at)[0].lane
    element = inst.operands["B"].layout.inverse(read, 0)
    assert element is not None, "B of a dense instruction has no holes"
    there = ", ".join(f"{name} = {value}" for name, value in element.items())
    return Rst(
        f"**Example.** {code(inst.mnemonic)} with blgp 3: the element b = {at['b']}, k = "
        f"{at['k']}, j = {at['j']} of *B* lies in lane {own}; the multiplier reads lane {read} "
        f"for it, whose first item is {there}."
    )
