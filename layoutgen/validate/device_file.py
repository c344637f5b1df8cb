"""What a device said: the JSON that the program of :mod:`layoutgen.probe` prints.

Strangers send it.  Every number is held against what the operands of its run can have, before
anything is made of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from layoutgen.model import UnknownName
from layoutgen.modifiers import NAMES, IllegalModifier, Modifiers
from layoutgen.probe import LANES, PAIRS, Case
from layoutgen.validate.codes import IntArray
from layoutgen.validate.device_json import DeviceFileError, Node, load, shown

if TYPE_CHECKING:
    from layoutgen.model import Architecture

__all__ = ["Device", "DeviceFileError", "Run", "key", "read", "title"]

FORMAT = "layoutgen-probe"
VERSION = 1
FIELD_VALUES = range(256)
"""What a field of an encoding can hold, and more; which are legal, the instruction says."""
SCALE_SLOTS = range(-1, LANES * LANES)
"""What the program can print for the slot of a scale; there are four bytes of 64 lanes."""
Key: TypeAlias = tuple[str, Modifiers, int]


@dataclass(frozen=True, eq=False)
class Run:
    """One run of an instruction.

    `products` has for each slot of A which of `lists` are the slots of D that it reaches, and
    the slots of B by which.  `sign` is 1 or -1, or 0 where products differ in sign.  `unclear`
    has (A slot, D slot) where D was not a single product.  `accumulators` gives for each D slot
    the C slot that it begins with, -1 - slot for one whose sign is changed, None for none.
    `scales` gives by operand the scale's slot for each slot of A or B.
    """

    case: Case
    sign: int
    lists: list[list[int]]
    products: list[tuple[int, int]]
    unclear: list[tuple[int, int]]
    accumulators: list[int | None]
    scales: Mapping[str, list[int]]

    @cached_property
    def triples(self) -> IntArray:
        """A row (D slot, A slot, B slot) for each product, in no particular order."""
        rows: list[IntArray] = [np.empty((0, 3), dtype=np.int64)]
        for a, (d_list, b_list) in enumerate(self.products):
            d, b = self.lists[d_list], self.lists[b_list]
            rows.append(np.column_stack([d, np.full(len(d), a), b]).astype(np.int64))
        return np.concatenate(rows)

    @property
    def instruction(self) -> str:
        """The mnemonic."""
        return self.case.instruction.mnemonic

    @property
    def title(self) -> str:
        """The run in words."""
        return title(self.case)


@dataclass(frozen=True, eq=False)
class Device:
    """All that a device said."""

    arch: str
    gpu: str
    target: str
    runs: list[Run]


def title(case: Case) -> str:
    """Return a run in words: instruction, modifiers, and the pattern of indices."""
    told = [f"{name}:{value}" for name, value in case.fields.items()]
    told += [f"index pattern {case.rotation}"] if case.rotation >= 0 else []
    return " ".join([case.instruction.mnemonic, *told])


def key(case: Case) -> Key:
    """Return what makes two runs the same."""
    return case.instruction.mnemonic, case.modifiers, case.rotation


def read(text: str, named: Callable[[str], Architecture]) -> Device:
    """Return what a file says; `named` finds an architecture.

    Raises :class:`DeviceFileError` with the place of what is not as the program prints it.
    """
    document = load(text)
    head = document.value if isinstance(document.value, dict) else {}
    if head.get("format") != FORMAT:
        raise DeviceFileError(f"no output of a probe: 'format' is not {FORMAT!r}")
    version = head.get("version")
    if type(version) is not int or version != VERSION:
        told = f"version {shown(version)} of the format; this layoutgen reads {VERSION}"
        raise DeviceFileError(told)
    arch = _architecture(document, named)
    runs: dict[Key, Run] = {}
    for entry in document.field("runs").entries():
        run = _run(arch, entry)
        if runs.setdefault(key(run.case), run) is not run:
            raise entry.error(f"{run.title} was told before: a run stands once")
    if not runs:
        raise document.field("runs").error("there is no run in it")
    gpu, target = document.field("gpu").text(), document.field("target").text()
    return Device(arch.name, gpu, target, [*runs.values()])


def _architecture(document: Node, named: Callable[[str], Architecture]) -> Architecture:
    """Return the architecture, which is that of the target."""
    name, target = document.field("arch"), document.field("target")
    try:
        arch = named(name.text())
    except UnknownName as error:
        raise name.error(str(error)) from None
    if target.text().partition(":")[0] != arch.name:
        raise target.error(f"{shown(target.text())} is no {arch.name}, as $.arch has it")
    return arch


def _run(arch: Architecture, entry: Node) -> Run:
    case = _case(arch, entry)
    a, b, c, d = (range(_slots(case, name)) for name in "ABCD")
    lists = _lists(entry.field("lists"), a, b, d)
    scales = {}
    for name, slots in (("scale_a", a), ("scale_b", b)):
        if (found := entry.get(name)) is None:
            continue
        if name not in case.instruction.operands:
            raise found.error(f"{case.instruction.mnemonic} has no scales")
        scales[name] = found.wholes("slot of a scale", SCALE_SLOTS)
        _refuse_length(found, len(slots), f"{name[-1].upper()} has {len(slots)} slots")
    return Run(
        case=case,
        sign=entry.field("sign").whole("sign", range(-1, 2)),
        lists=lists,
        products=_products(entry.field("products"), lists, a, b, d),
        unclear=_unclear(entry.field("unclear"), a, d),
        accumulators=_accumulators(entry.field("accumulators"), c, d),
        scales=scales,
    )


def _case(arch: Architecture, entry: Node) -> Case:
    name, modifiers = entry.field("instruction"), entry.field("modifiers")
    rotation = entry.get("rotation")
    try:
        inst = arch[name.text()]
    except UnknownName as error:
        raise name.error(str(error)) from None
    given = {n: v.whole("value of a modifier", FIELD_VALUES)
             for n, v in modifiers.fields(len(NAMES) + 1)}  # fmt: skip
    try:
        checked = inst.rules.check(given)
    except IllegalModifier as error:
        raise modifiers.error(f"{inst.mnemonic}: {error}") from None
    if inst.sparse:
        return Case(inst, checked, entry.field("rotation").whole("pattern", range(len(PAIRS))))
    if rotation is not None:
        raise rotation.error(f"{inst.mnemonic} has no index")
    return Case(inst, checked)


def _slots(case: Case, name: str) -> int:
    return LANES * case.instruction.operand(name, **case.fields).layout.items


def _lists(lists: Node, a: range, b: range, d: range) -> list[list[int]]:
    """Return the lists, of which there are two for a slot of A, each with a slot of D at most."""
    if len(lists.array()) > 2 * len(a):
        raise lists.error(f"{len(lists.array())} lists: two for each slot of A are {2 * len(a)}")
    found = []
    for entry in lists.entries():
        if (length := len(entry.array())) > len(d):
            raise entry.error(f"{length} entries: D has {len(d)} slots")
        found.append(entry.wholes("slot of B or D", max(b, d, key=len)))
    return found


def _products(
    products: Node, lists: list[list[int]], a: range, b: range, d: range
) -> list[tuple[int, int]]:
    """Return for each slot of A the numbers of its lists, which must fit one another."""
    _refuse_length(products, 2 * len(a), f"A has {len(a)} slots")
    found = _pairs(products.wholes("number of a list", range(len(lists))))
    for n, (d_list, b_list) in enumerate(found):
        if (one := len(lists[d_list])) != (other := len(lists[b_list])):
            told = f"lists {d_list} and {b_list} have {one} and {other} entries, and not as many"
            raise products.entry(2 * n).error(told)
    for number in {d_list for d_list, _ in found}:
        _refuse_beyond(lists[number], number, "D", d, products)
        if len({*lists[number]}) != len(lists[number]):
            told = f"a slot of D stands twice in list {number}"
            raise _user(products, 0, number).error(told)
    for number in {b_list for _, b_list in found}:
        _refuse_beyond(lists[number], number, "B", b, products)
    return found


def _refuse_beyond(slots: list[int], number: int, name: str, among: range, products: Node) -> None:
    if slots and max(slots) not in among:
        told = f"slot {max(slots)} of {name} in list {number} is out of range: 0 to {among[-1]}"
        raise _user(products, "DB".index(name), number).error(told)


def _user(products: Node, first: int, number: int) -> Node:
    """Return the place of a list in one column of the pairs."""
    return products.entry(2 * products.value[first::2].index(number) + first)


def _unclear(unclear: Node, a: range, d: range) -> list[tuple[int, int]]:
    if len(unclear.array()) % 2:
        raise unclear.error("a slot of A is there without one of D")
    places = enumerate(unclear.entries())
    return _pairs([entry.whole(*(("slot of D", d) if n % 2 else ("slot of A", a)))
                   for n, entry in places])  # fmt: skip


def _accumulators(accumulators: Node, c: range, d: range) -> list[int | None]:
    _refuse_length(accumulators, len(d), f"D has {len(d)} slots")
    among = range(-len(c), len(c))
    return [
        None if entry.value is None else entry.whole("slot of C, or -1 - slot", among)
        for entry in accumulators.entries()
    ]


def _refuse_length(node: Node, length: int, why: str) -> None:
    if (found := len(node.array())) != length:
        raise node.error(f"length {found}, and not {length}: {why}")


def _pairs(values: list[int]) -> list[tuple[int, int]]:
    return list(zip(values[::2], values[1::2], strict=True))
