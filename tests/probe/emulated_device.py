"""What the program of the probe would print on a GPU that is the reference emulator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from layoutgen import emulator
from layoutgen.model import Architecture
from layoutgen.operand import Operand
from layoutgen.probe import LANES, Case, cases
from layoutgen.probe.numbers import codes
from layoutgen.validate.device_emulator import emulator_fields, index_register, pack, unpack

ONES = np.full((1, LANES), 0x7F7F7F7F, dtype=np.uint32)
Entry = dict[str, Any]
Answer = Callable[..., tuple[int, str, str]]
"""Runs the command on a document: exit code, output and errors."""


def document(arch: Architecture, *mnemonics: str) -> Entry:
    """Return the output for some instructions, or for all."""
    chosen = [c for c in cases(arch) if not mnemonics or c.instruction.mnemonic in mnemonics]
    head = {"format": "layoutgen-probe", "version": 1, "arch": arch.name}
    told = {"gpu": "emulator", "target": arch.name}
    return {**head, **told, "runs": [entry(arch, case) for case in chosen]}


def entry(arch: Architecture, case: Case) -> Entry:
    """Return what the program prints for one run."""
    inst = case.instruction
    machine = Machine(arch, case)
    found: Entry = {"instruction": inst.mnemonic, "modifiers": case.fields}
    if inst.sparse:
        found["rotation"] = case.rotation
    found |= machine.products()
    found["accumulators"] = machine.accumulators()
    if "scale_a" in inst.operands:
        found |= {f"scale_{name.lower()}": machine.scales(name) for name in "AB"}
    return found


class Machine:
    """The emulator, for one run."""

    def __init__(self, arch: Architecture, case: Case) -> None:
        self.arch, self.case, self.inst = arch.name, case, case.instruction
        self.a, self.b, self.d = (self.inst.operand(name, **case.fields) for name in "ABD")
        self.extra = {"index": index_register(case.rotation)} if self.inst.sparse else {}
        if "scale_a" in self.inst.operands:
            self.extra |= {"scale_a": ONES, "scale_b": ONES}
        self.zero = np.zeros((self.inst.operands["D"].registers, LANES), dtype=np.uint32)

    def run(self, a: Any, b: Any, c: Any = None, **extra: Any) -> Any:
        """Return D by probe and slot."""
        given = {**emulator_fields(self.case), **self.extra, **extra}
        c = self.zero if c is None else c
        d = emulator.execute(self.arch, self.inst.mnemonic, a, b, c, **given)
        return np.array([unpack(self.d, one) for one in (d if d.ndim == 3 else d[None])])

    def products(self) -> Entry:
        slots, most = LANES * self.b.layout.items, len(codes(self.b.format, LANES * 32)) - 1
        base = min(slots, most)
        slot = np.arange(slots)
        digits = [slot % base + 1, base - slot % base]
        weight = base
        while weight < slots:
            digits.append(slot // weight % base + 1)
            weight *= base
        probes = one_hot(self.a)
        seen = np.array([self.run(probes, pack(self.b, numbers)) for numbers in digits])
        sign = -1 if (seen < 0).any() else 1
        partner = sum(
            (sign * found - 1) * base ** max(0, n - 1)
            for n, found in enumerate(seen) if n != 1
        )  # fmt: skip
        lists: dict[tuple[int, ...], int] = {}
        chosen = []
        for probe, row in enumerate(seen[0]):
            d = np.flatnonzero(row)
            pair = (d, partner[probe, d].astype(int))
            chosen += [lists.setdefault(tuple(x.tolist()), len(lists)) for x in pair]
        return {"sign": sign, "lists": [*map(list, lists)], "products": chosen, "unclear": []}

    def accumulators(self) -> list[int]:
        a, b = (pack(o, np.zeros(LANES * o.layout.items, int)) for o in (self.a, self.b))
        count = LANES * self.d.layout.items
        seen = self.run(a, b, pack(self.d, np.arange(1, count + 1)))[0].astype(int)
        return [value if value < 0 else value - 1 for value in seen.tolist()]

    def scales(self, name: str) -> list[int]:
        one, other = (self.a, self.b) if name == "A" else (self.b, self.a)
        full = pack(other, np.ones(LANES * other.layout.items, int))
        probes = one_hot(one)
        a, b = (probes, full) if name == "A" else (full, probes)
        bytes_of = (np.arange(LANES) * 0x01010101, np.full(LANES, 0x03020100))
        found = np.zeros(len(probes), dtype=int)
        for weight, exponents in zip((1, LANES), bytes_of, strict=True):
            scale = (0x7F7F7F7F + exponents).astype(np.uint32)[None]
            d = self.run(a, b, **{f"scale_{name.lower()}": scale})
            found += weight * np.log2(d.max(axis=1)).astype(int)
        return found.tolist()


def one_hot(operand: Operand) -> Any:
    """Return a probe for each slot of an operand: 1 there, 0 elsewhere."""
    return pack(operand, np.eye(LANES * operand.layout.items, dtype=int))
