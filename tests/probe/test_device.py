"""validate --device: files of the emulator hold; a file with one thing wrong is told what."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from emulated_device import Answer, Entry, document, entry

from layoutgen import archs
from layoutgen.model import Architecture, Instruction
from layoutgen.probe import LANES, Case, cases
from layoutgen.validate import device
from layoutgen.validate.device_file import Device, read

ARCHS = archs()


def smallest(arch: Architecture) -> list[Instruction]:
    """Return one instruction of each family: that with the fewest products."""
    found: dict[str, Instruction] = {}
    for inst in arch.values():
        if inst.ops <= found.get(inst.family, inst).ops:
            found[inst.family] = inst
    return list(found.values())


def reading(made: Entry) -> Device:
    return read(json.dumps(made), ARCHS.__getitem__)


def headed(arch: str, *runs: Entry) -> Entry:
    """Return a document of these runs."""
    told = {"format": "layoutgen-probe", "version": 1, "gpu": "x"}
    return {**told, "arch": arch, "target": f"{arch}:sramecc+:xnack-", "runs": [*runs]}


def findings(made: Entry) -> list[str]:
    told = reading(made)
    return [str(f) for f in device.check(ARCHS[told.arch], told).findings]


@pytest.mark.parametrize("arch", ARCHS.values(), ids=list(ARCHS))
def test_what_the_emulator_does_holds(arch: Architecture) -> None:
    new = [inst for inst in arch.values() if inst.targets[0] == arch.name]
    plain = [case for case in cases(arch) if not case.fields and case.instruction in new]
    small = smallest(arch)
    modified = [c for c in cases(arch) if c.fields and c.instruction in small]
    few = [c for c in modified if not c.instruction.alternatives]
    few += [c for c in modified if c.instruction.alternatives][::20]
    runs = [entry(arch, case) for case in (*plain, *few)]
    assert {run["instruction"] for run in runs} >= {inst.mnemonic for inst in new}
    assert findings({**document(arch, "none"), "runs": runs}) == []


def changed(arch: str, made: Entry, operand: str, change: Callable[[Any], Any]) -> Entry:
    """Return a run in which the slots of one operand are others."""
    run = reading(headed(arch, made)).runs[0]
    column = "DAB".index(operand)
    triples = run.triples.copy()
    triples[:, column] = change(triples[:, column])
    return encoded(made, *triples.T)


def encoded(made: Entry, d: Any, a_slots: Any, b: Any) -> Entry:
    """Return a run with these products."""
    triples = np.column_stack([d, a_slots, b])
    lists: dict[tuple[int, ...], int] = {}
    chosen = []
    for a in range(len(made["products"]) // 2):
        mine = triples[triples[:, 1] == a]
        mine = mine[np.argsort(mine[:, 0])]
        chosen += [lists.setdefault(tuple(mine[:, n].tolist()), len(lists)) for n in (0, 2)]
    return {**made, "lists": [*map(list, lists)], "products": chosen}


def exchange(one: int, other: int) -> Callable[[Any], Any]:
    """Return what exchanges two slots."""
    return lambda slots: np.where(slots == one, other, np.where(slots == other, one, slots))


def of(arch: str, name: str, **modifiers: int) -> Case:
    inst = ARCHS[arch][name]
    return next(c for c in cases(ARCHS[arch]) if c.instruction is inst and c.fields == modifiers)


def wrong(case: Case, arch: str, change: Callable[[Entry], Entry]) -> list[str]:
    made = change(entry(ARCHS[arch], case))
    return findings(headed(arch, made))


SWAPS = {
    "D": (
        of("gfx908", "v_mfma_f32_32x32x1f32"),
        [5, 5 + LANES],
        "device: device v_mfma_f32_32x32x1f32: D at lane 5, register 0: is D[1][5] block 0, which "
        "the tables have at lane 5, register 1; the tables: D[0][5] block 0",
    ),
    "A": (
        of("gfx908", "v_mfma_f32_32x32x8f16"),
        [37 + LANES * 2, 38 + LANES * 2],
        "device: device v_mfma_f32_32x32x8f16: A at lane 37, register 1, bits 0-15: is A[6][6], "
        "which the tables have at lane 38, register 1, bits 0-15; the tables: A[5][6]",
    ),
    "B": (
        of("gfx908", "v_mfma_i32_16x16x16i8"),
        [3, 3 + LANES],
        "device: device v_mfma_i32_16x16x16i8: B at lane 3, register 0, bits 0-7: is B[1][3], "
        "which the tables have at lane 3, register 0, bits 8-15; the tables: B[0][3]",
    ),
}


@pytest.mark.parametrize("operand", SWAPS)
def test_one_swapped_register_is_named(operand: str) -> None:
    case, (one, other), told = SWAPS[operand]
    found = wrong(
        case, "gfx908", lambda made: changed("gfx908", made, operand, exchange(one, other))
    )
    assert found[0] == told
    slots = [line for line in found if "which the tables have" in line]
    assert len(slots) == 2
    assert any("of random numbers; the emulator: " in line for line in found)


def registers_exchanged(case: Case, operand: str) -> Callable[[Any], Any]:
    """Return what exchanges registers 0 and 1 of an operand in all lanes."""
    per = max(1, 32 // case.instruction.operand(operand).format.bits)
    other = {0: 1, 1: 0}
    registers = np.array([other.get(n, n) for n in range(32)])

    def change(slots: Any) -> Any:
        register = slots // (LANES * per)
        return slots + (registers[register] - register) * LANES * per

    return change


def registers(case: Case, operand: str) -> int:
    o = case.instruction.operand(operand)
    return o.layout.items // max(1, 32 // o.format.bits)


@pytest.mark.parametrize("arch", ["gfx908", "gfx90a"])
def test_registers_exchanged_in_all_lanes_are_named(arch: str) -> None:
    """Of D: D alone.  Of A or B they are other k, and nothing can tell which operand has them."""
    plain = [case for case in cases(ARCHS[arch]) if not case.fields]
    made = [entry(ARCHS[arch], case) for case in plain if case.instruction.targets[0] == arch]
    asked = 0
    for run in made:
        case = of(arch, run["instruction"])
        for operand in (x for x in "DAB" if registers(case, x) > 1):
            asked += 1
            new = changed(arch, run, operand, registers_exchanged(case, operand))
            found = findings(headed(arch, new))
            told = [line.split(": ")[2] for line in found if "the tables" in line]
            either = operand in "AB"
            assert told[0] == ("A or B" if either else "D at " + told[0][5:]), case
            named = {x[0] for x in told[1:] if " at lane " in x}
            assert named == ({"A", "B"} if either else {"D"}), case
    assert asked > len(made)


def test_lanes_exchanged_in_all_registers_are_named() -> None:
    """Two rows of one block: two lanes of A, which are 32 lanes in every second register of D."""
    case = of("gfx908", "v_mfma_f32_32x32x1f32")
    found = wrong(case, "gfx908", lambda made: changed("gfx908", made, "A", exchange(0, 1)))
    assert [line.split(": ")[2] for line in found[:3]] == [
        "A at lane 0, register 0",
        "A at lane 1, register 0",
        "D at lane 0, register 0",
    ]
    assert "the emulator: " in found[2]


def test_two_exchanged_lanes_are_named_register_by_register() -> None:
    case = of("gfx90a", "v_mfma_f64_16x16x4f64")
    found = wrong(
        case, "gfx90a", lambda m: changed("gfx90a", m, "D", lambda d: d ^ (d % LANES // 2 == 4))
    )
    assert [line.split(": ")[2] for line in found[:3]] == [
        "D at lane 8, register 0",
        "D at lane 9, register 0",
        "D at lane 8, register 2",
    ]


def test_a_broadcast_that_ignores_abid_is_found() -> None:
    case = of("gfx908", "v_mfma_f32_4x4x4f16", cbsz=1, abid=1)
    other = of("gfx908", "v_mfma_f32_4x4x4f16", cbsz=1)
    made = entry(ARCHS["gfx908"], other) | {"modifiers": case.fields}
    found = findings(headed("gfx908", made))
    assert found[0] == (
        "device: device v_mfma_f32_4x4x4f16 cbsz:1 abid:1: A at lane 0, register 0, bits 0-15: is "
        "A[0][0] block 1, which the tables have at lane 4, register 0, bits 0-15; the tables: it "
        "is not read"
    )


def test_a_device_that_follows_the_global_reading_of_cbsz_is_told_so() -> None:
    case = of("gfx908", "v_mfma_f32_4x4x1f32", cbsz=2, abid=1)
    right = entry(ARCHS["gfx908"], case)
    device_file = reading(headed("gfx908", right))
    counts = device.check(ARCHS["gfx908"], device_file).counts
    assert counts["device", "x", "runs by the local reading of cbsz"] == 1
    # Local: four blocks share the second of their own; global: lane l reads lane l mod 16 + 16.
    triples = device_file.runs[0].triples
    block = triples[:, 0] % LANES // 4
    global_a = triples[:, 1] % 4 + block % 4 * 4 + 16
    told = findings(headed("gfx908", encoded(right, triples[:, 0], global_a, triples[:, 2])))
    assert told[0] == (
        "device: device v_mfma_f32_4x4x1f32 cbsz:2 abid:1: A: is read by the global reading of "
        "cbsz; the tables follow the local one: see the disagreement"
    )


def test_another_set_of_indices_is_found() -> None:
    case = of("gfx942", "v_smfmac_f32_16x16x32_f16", abid=1)
    made = entry(ARCHS["gfx942"], of("gfx942", "v_smfmac_f32_16x16x32_f16"))
    found = findings(headed("gfx942", made | {"modifiers": case.fields}))
    assert any("v_smfmac_f32_16x16x32_f16 abid:1 index pattern 0: " in line for line in found)


def test_a_scale_of_another_lane_is_named() -> None:
    name = "v_mfma_scale_f32_16x16x128_f8f6f4"
    made = entry(ARCHS["gfx950"], of("gfx950", name))
    made["scale_b"][LANES + 20] ^= 1
    assert findings(headed("gfx950", made)) == [
        f"device: device {name}: B at lane 20, register 0, bits 8-15: takes the scale at lane 5, "
        "register 0, bits 0-7; the tables: lane 4, register 0, bits 0-7"
    ]
    del made["scale_b"]
    assert "scale_b: is told for 0 slots of B" in findings(headed("gfx950", made))[0]


def test_signs_accumulators_and_unclear_products_are_told() -> None:
    case = of("gfx942", "v_mfma_f64_4x4x4_4b_f64", neg=4)
    said = "v_mfma_f64_4x4x4_4b_f64 neg:4"
    found = wrong(case, "gfx942", lambda m: m | {"sign": -1})
    assert found[0] == f"device: device {said}: sign of the products: -1; the tables: 1"
    positive = [-1 - x for x in entry(ARCHS["gfx942"], case)["accumulators"]]
    found = wrong(case, "gfx942", lambda m: m | {"accumulators": positive})
    told = "begins with C at lane 0, register 0 with the other sign"
    assert f"D at lane 0, register 0: {told}; the tables: C at lane 0, register 0" in found[0]
    found = wrong(case, "gfx942", lambda m: m | {"unclear": [3, 7]})
    assert "D at lane 7, register 0: answers to A at lane 3, register 0, but not with" in found[0]


def test_the_command_tells_whether_the_device_holds(answer: Answer) -> None:
    made = document(ARCHS["gfx90a"], "v_mfma_f64_4x4x4f64")
    code, out, err = answer(json.dumps(made))
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "emulator (gfx90a): 1 instruction, 256 products, 1 run.",
        f"The file is not complete: it lacks {len(list(cases(ARCHS['gfx90a']))) - 1} runs of the "
        "program, among them all of 26 instructions: v_mfma_f32_32x32x1f32, "
        "v_mfma_f32_32x32x1f32 cbsz:1, v_mfma_f32_32x32x1f32 cbsz:1 abid:1, …. "
        "What was not run is not confirmed.",
        "In the runs that the file has, the device does what the tables and the emulator of "
        "gfx90a say.",
    ]
    made["runs"][0] = changed("gfx90a", made["runs"][0], "B", exchange(2, 3))
    code, out, err = answer(json.dumps(made), "--format", "json")
    told = json.loads(out)
    assert (code, err, told["holds"]) == (1, "", False)
    assert told["findings"][0]["subject"] == "B at lane 2, register 0"
    code, out, err = answer(json.dumps(made))
    assert (code, err) == (1, "")
    assert out.splitlines()[-1].startswith("It does not hold: ")


def without_products(arch: str, name: str, unclear: list[int]) -> list[str]:
    made = entry(ARCHS[arch], of(arch, name))
    nothing = {"lists": [[]], "products": [0] * len(made["products"]), "unclear": unclear}
    return findings(headed(arch, made | nothing))


def test_a_d_of_zeros_is_a_finding() -> None:
    name = "v_mfma_f32_32x32x1f32"
    told = f"device: device {name}: A: no slot of A reaches D; the tables have 2048 products"
    assert without_products("gfx908", name, []) == [told]
    found = without_products("gfx908", name, [3, 70])
    assert found == [
        f"device: device {name}: D at lane 6, register 1: answers to A at lane 3, register 0, but "
        "not with one slot of B; a product has one",
        told.replace("reaches D", "reaches D by one slot of B"),
    ]


def test_what_was_not_run_is_told_and_not_confirmed(answer: Answer) -> None:
    every = list(cases(ARCHS["gfx908"]))
    plain = [case for case in every if not case.fields]
    few = [case for case in plain if case.instruction.mnemonic.startswith("v_mfma_f32_4x4x")]
    lacking = len(every) - len(few)
    made = headed("gfx908", *(entry(ARCHS["gfx908"], case) for case in few))
    code, out, err = answer(json.dumps(made))
    assert (code, err) == (0, "")
    assert out.splitlines()[1:] == [
        f"The file is not complete: it lacks {lacking} runs of the program, among them all of "
        f"{len(plain) - len(few)} instructions: v_mfma_f32_32x32x1f32, "
        "v_mfma_f32_32x32x1f32 cbsz:1, v_mfma_f32_32x32x1f32 cbsz:1 abid:1, …. "
        "What was not run is not confirmed.",
        "In the runs that the file has, the device does what the tables and the emulator of "
        "gfx908 say.",
    ]
    told = json.loads(answer(json.dumps(made), "--format", "json")[1])
    assert (told["holds"], told["complete"], len(told["missing"])) == (True, False, lacking)
    assert told["missing"][1] == {
        "instruction": "v_mfma_f32_32x32x1f32",
        "modifiers": {"cbsz": 1},
    }
    made["runs"][0]["sign"] = -1
    code, out, _ = answer(json.dumps(made))
    assert (code, "not complete" in out, "does what" in out) == (1, True, False)


def test_of_a_complete_file_all_is_said(answer: Answer, monkeypatch: pytest.MonkeyPatch) -> None:
    case = of("gfx90a", "v_mfma_f64_4x4x4f64")
    monkeypatch.setattr(device, "cases", lambda arch: [case])
    made = json.dumps(headed("gfx90a", entry(ARCHS["gfx90a"], case)))
    said = "The device does what the tables and the emulator of gfx90a say."
    assert answer(made)[1].splitlines()[1:] == [said]
    told = json.loads(answer(made, "--format", "json")[1])
    assert (told["complete"], told["missing"]) == (True, [])


def test_a_complete_instruction_lacks_nothing() -> None:
    arch = ARCHS["gfx942"]
    every = {(c.instruction.mnemonic, c.modifiers, c.rotation) for c in cases(arch)}
    assert len(every) == len(list(cases(arch)))
    inst = arch["v_smfmac_f32_16x16x32_f16"]
    runs = [entry(arch, case) for case in cases(arch) if case.instruction is inst]
    assert len(runs) > 3
    told = reading(headed(arch.name, *runs))
    assert inst not in [case.instruction for case in device.missing(arch, told)]
    assert len(device.missing(arch, told)) == len(every) - len(runs)
    told = reading(headed(arch.name, *runs[:1], *runs[2:]))
    lacking = [case for case in device.missing(arch, told) if case.instruction is inst]
    assert [(case.fields, case.rotation) for case in lacking] == [({}, 1)]
