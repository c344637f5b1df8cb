"""validate --device: what is no output of the program is refused, with its place."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from emulated_device import Answer, Entry, document, entry

from layoutgen import archs
from layoutgen.cli import main
from layoutgen.probe import cases

ARCHS = archs()
NAME = "v_mfma_f32_32x32x1f32"


@cache
def plain_run(arch: str, name: str) -> Entry:
    inst = ARCHS[arch][name]
    return entry(ARCHS[arch], next(c for c in cases(ARCHS[arch]) if c.instruction is inst))


def one_run(name: str = NAME, arch: str = "gfx908", **changes: Any) -> Entry:
    """Return a document of the plain run of an instruction, with some of its fields changed."""
    run = copy.deepcopy(plain_run(arch, name))
    return {**document(ARCHS[arch], "none"), "runs": [run | changes]}


def refused(answer: Answer, made: Entry | str) -> str:
    """Return the message about a document."""
    code, out, err = answer(made if isinstance(made, str) else json.dumps(made))
    head = "layoutgen: error: /device.json: "
    assert (code, out, err[: len(head)], err.count("\n")) == (2, "", head, 1)
    return err[len(head) : -1]


def test_the_run_itself_is_accepted(answer: Answer) -> None:
    code, out, err = answer(json.dumps(one_run()))
    assert (code, err, "1 run." in out) == (0, "", True)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("nothing", "line 1, column 1: Expecting value"),
        ("[" * 200_000, "lists and objects are nested deeper than in any output"),
        ('{"a":' * 200_000, "lists and objects are nested deeper than in any output"),
        ("[]", "no output of a probe: 'format' is not 'layoutgen-probe'"),
        ('{"format": "layoutgen-probe"}', "version null of the format; this layoutgen reads 1"),
        ('{"format": "layoutgen-probe", "version": true}',
         "version true of the format; this layoutgen reads 1"),
        ('{"format": "layoutgen-probe", "version": 1}', "$: 'arch' is missing"),
    ],
)  # fmt: skip
def test_another_file_is_refused(answer: Answer, content: str, told: str) -> None:
    assert refused(answer, content) == told


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ({"arch": ["gfx908"]}, "$.arch: a list is no text"),
        ({"arch": "gfx907"}, "$.arch: no architecture 'gfx907'; nearest: "),
        ({"gpu": None}, "$.gpu: null is no text"),
        ({"gpu": "x" * 300}, "$.gpu: a text of 300 characters: at most 256"),
        ({"target": 908}, "$.target: 908 is no text"),
        ({"arch": "gfx90a", "target": "gfx908:sramecc+:xnack-"},
         "$.target: 'gfx908:sramecc+:xnack-' is no gfx90a, as $.arch has it"),
        ({"target": "gfx90"}, "$.target: 'gfx90' is no gfx908, as $.arch has it"),
        ({"runs": {}}, "$.runs: an object is no list"),
        ({"runs": []}, "$.runs: there is no run in it"),
        ({"runs": [3]}, "$.runs[0]: 3 is no object"),
        ({"runs": [{}]}, "$.runs[0]: 'instruction' is missing"),
    ],
)  # fmt: skip
def test_a_wrong_head_is_refused(answer: Answer, head: Entry, told: str) -> None:
    assert refused(answer, one_run() | head).startswith(told)


def test_the_target_may_have_features(answer: Answer) -> None:
    made = one_run() | {"target": "gfx908:sramecc+:xnack-"}
    assert answer(json.dumps(made))[0] == 0


SIGN = "no sign: a whole number from -1 to 1"
A_SLOT = "no slot of A: a whole number from 0 to 63"
D_SLOT = "no slot of D: a whole number from 0 to 2047"
EITHER = "no slot of B or D: a whole number from 0 to 2047"
C_SLOT = "no slot of C, or -1 - slot: a whole number from -2048 to 2047"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"sign": float("inf")}, f".sign: Infinity is {SIGN}"),
        ({"sign": float("nan")}, f".sign: NaN is {SIGN}"),
        ({"sign": 7}, f".sign: 7 is {SIGN}"),
        ({"sign": True}, f".sign: true is {SIGN}"),
        ({"sign": "1"}, f".sign: '1' is {SIGN}"),
        ({"lists": 3}, ".lists: 3 is no list"),
        ({"lists": [3]}, ".lists[0]: 3 is no list"),
        ({"lists": [[0], [5, 0.5]]}, f".lists[1][1]: 0.5 is {EITHER}"),
        ({"lists": [[10**30]]}, f".lists[0][0]: {10**30} is {EITHER}"),
        ({"lists": [[-1]]}, f".lists[0][0]: -1 is {EITHER}"),
        ({"lists": [[]] * 129}, ".lists: 129 lists: two for each slot of A are 128"),
        ({"lists": [[0] * 2049]}, ".lists[0]: 2049 entries: D has 2048 slots"),
        ({"lists": [[64]], "products": [0] * 128},
         ".products[1]: slot 64 of B in list 0 is out of range: 0 to 63"),
        ({"lists": [[5, 5]], "products": [0] * 128},
         ".products[0]: a slot of D stands twice in list 0"),
        ({"lists": [[5], [5, 6]], "products": [0] * 125 + [1, 0, 0]},
         ".products[124]: lists 0 and 1 have 1 and 2 entries, and not as many"),
        ({"lists": [], "products": [0] * 128}, ".products[0]: 0 is no number of a list: none"),
        ({"products": [-1] * 128}, ".products[0]: -1 is no number of a list: a whole"),
        ({"products": [0, 5]}, ".products: length 2, and not 128: A has 64 slots"),
        ({"unclear": [3]}, ".unclear: a slot of A is there without one of D"),
        ({"unclear": [70, 1]}, f".unclear[0]: 70 is {A_SLOT}"),
        ({"unclear": [1, None]}, f".unclear[1]: null is {D_SLOT}"),
        ({"accumulators": [0]}, ".accumulators: length 1, and not 2048: D has 2048 slots"),
        ({"accumulators": [0] * 2047 + [True]}, f".accumulators[2047]: true is {C_SLOT}"),
        ({"accumulators": [0] * 2047 + [-2049]}, f".accumulators[2047]: -2049 is {C_SLOT}"),
        ({"accumulators": ["x"] * 2048}, f".accumulators[0]: 'x' is {C_SLOT}"),
        ({"rotation": 0}, f".rotation: {NAME} has no index"),
        ({"scale_a": [0] * 64}, f".scale_a: {NAME} has no scales"),
        ({"modifiers": 3}, ".modifiers: 3 is no object"),
        ({"modifiers": {"cbsz": 0.5}}, ".modifiers.cbsz: 0.5 is no value of a modifier: a whole"),
        ({"modifiers": {"cbsz": 7}}, f".modifiers: {NAME}: cbsz 7"),
        ({"modifiers": {"c\n": 7}}, f".modifiers: {NAME}: no modifier 'c␊': "),
        ({"modifiers": {str(n): 0 for n in range(99)}}, ".modifiers: 99 fields, and at most"),
        ({"instruction": 1}, ".instruction: 1 is no text"),
        ({"instruction": "v_mfma_f32_32x32x99f32"},
         ".instruction: gfx908 has no instruction 'v_mfma_f32_32x32x99f32'"),
    ],
)  # fmt: skip
def test_a_damaged_run_is_refused(answer: Answer, changes: Entry, told: str) -> None:
    assert refused(answer, one_run(**changes)).startswith(f"$.runs[0]{told}")


def test_a_number_of_thousands_of_digits_is_refused(answer: Answer) -> None:
    made = json.dumps(one_run(sign=12345)).replace("12345", "1" * 6000)
    assert refused(answer, made) == f"$.runs[0].sign: {'1' * 59}… is {SIGN}"


@pytest.mark.parametrize(
    ("name", "arch", "changes", "told"),
    [
        ("v_smfmac_f32_16x16x32_f16", "gfx942", {"rotation": 6}, ".rotation: 6 is no pattern: a "),
        ("v_smfmac_f32_16x16x32_f16", "gfx942", {"rotation": -1}, ".rotation: -1 is no pattern"),
        ("v_mfma_scale_f32_16x16x128_f8f6f4", "gfx950", {"scale_a": [0]},
         ".scale_a: length 1, and not 2048: A has 2048 slots"),
        ("v_mfma_scale_f32_16x16x128_f8f6f4", "gfx950", {"scale_b": [-2] * 2048},
         ".scale_b[0]: -2 is no slot of a scale: a "),
    ],
)  # fmt: skip
def test_index_and_scales_have_their_ranges(
    answer: Answer, name: str, arch: str, changes: Entry, told: str
) -> None:
    assert refused(answer, one_run(name, arch, **changes)).startswith(f"$.runs[0]{told}")


def test_a_sparse_run_tells_its_pattern_of_indices(answer: Answer) -> None:
    made = one_run("v_smfmac_f32_16x16x32_f16", "gfx942")
    del made["runs"][0]["rotation"]
    assert refused(answer, made) == "$.runs[0]: 'rotation' is missing"


def test_the_same_run_twice_is_refused(answer: Answer) -> None:
    """Whatever it is called, and whether fields that are 0 are told."""
    made = one_run()
    again = made["runs"][0] | {"instruction": "V_MFMA_F32_32X32X1F32", "modifiers": {"cbsz": 0}}
    made["runs"].append(again)
    assert refused(answer, made) == f"$.runs[1]: {NAME} was told before: a run stands once"


def test_a_file_that_would_grow_is_refused(answer: Answer) -> None:
    """Before it has grown: each pair would be lists of 128,000 slots."""
    run = {"lists": [[0] * 128_000], "products": [0, 0] * 3000}
    told = "$.runs[0].lists[0]: 128000 entries: D has 2048 slots"
    assert refused(answer, one_run(**run)) == told
    run["lists"] = [[0]]
    told = "$.runs[0].products: length 6000, and not 128: A has 64 slots"
    assert refused(answer, one_run(**run)) == told


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a device")
def test_what_does_not_end_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "--device", "/dev/zero"]) == 2
    told = "/dev/zero has more than 64 MiB, and no probe prints so much"
    assert capsys.readouterr() == ("", f"layoutgen: error: {told}\n")


def test_what_a_terminal_would_obey_is_shown(answer: Answer) -> None:
    made = one_run() | {"gpu": "\x1b[31mevil\n:: x\t\x9b\u202e\ud800"}
    seen = "␛[31mevil␊:: x␉\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}\\ud800"
    code, out, err = answer(json.dumps(made))
    assert (code, err) == (0, "")
    assert out.startswith(f"{seen} (gfx908): 1 instruction, ")
    assert json.loads(answer(json.dumps(made), "--format", "json")[1])["gpu"] == seen
    made["target"] = "gfx90a:\x1b[2J"
    assert refused(answer, made).startswith("$.target: 'gfx90a:␛[2J' is no gfx908")
    made = one_run(instruction="v_\r\x1b[2J")
    assert "'v_␍␛[2J'" in refused(answer, made)
