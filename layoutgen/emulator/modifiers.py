"""cbsz, abid, blgp and op_sel: what each instruction takes, and the crossbars between lanes.

The fields mean different things to different instructions:

* ``cbsz``, ``abid`` on multi-block instructions: groups of 2^cbsz blocks share one block's A,
  block number ``abid`` of the group. Composable Kernel builds 64x64 tiles from ``32x32x1`` with
  cbsz 1 and abid 0, 1, 16x64 from ``16x16x1`` with cbsz 2, and 4x64 from ``4x4x1`` with cbsz 4
  (``amd_xdlops.hpp``); there the group is the whole wavefront. For smaller groups sources
  disagree: the calculator and the lab notes count ``abid`` within each group (used here),
  chapter 7 of the CDNA3 manual and ``ROCm/hip-fpsan`` count it over the whole wavefront.
* ``cbsz``, ``abid`` on sparse instructions: with cbsz 0, abid names the index set; otherwise the
  first set is taken. gfx950's 8-bit forms of doubled K ignore both; MLIR asks for 0.
* ``blgp``: eight lane patterns of B (``ROCm/hip-fpsan``, ``amdgcn_mfma.hpp``); on F64 of gfx942
  and gfx950 three negations: bit 0 A, bit 1 B, bit 2 C (the assembler's ``neg:[a,b,c]``;
  ``MfmaF64_4x4x4_NEG5`` of hip-fpsan).
* ``cbsz``, ``blgp`` on f8f6f4: the formats of A and of B, 0 to 4.
* ``op_sel_a``, ``op_sel_b``: the byte of the scale registers, the same in all lanes.

The crossbars move whole 32-bit registers from lane to lane before any element is unpacked; they
know nothing of rows, columns or k. A crossbar is ``int64[64]``: the lane that natural lane l
reads from. A field that an instruction does not use must be 0.
"""

import itertools
import operator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from layoutgen.emulator.errors import EmulatorError
from layoutgen.emulator.formats import F8F6F4

if TYPE_CHECKING:
    from layoutgen.emulator.instructions import Instruction

LANES = 64
_SELECTIONS = range(4)  # bytes of a register
_FIRST_SET_ONLY = range(1, 4)  # the manual reads two bits of cbsz


class Modifiers(NamedTuple):
    """One setting of the three fields that every instruction has."""

    cbsz: int = 0
    abid: int = 0
    blgp: int = 0


class ScaledModifiers(NamedTuple):
    """One setting of a scaled instruction."""

    cbsz: int = 0
    abid: int = 0
    blgp: int = 0
    op_sel_a: int = 0
    op_sel_b: int = 0


def check_modifiers(
    instruction: "Instruction",
    cbsz: int = 0,
    abid: int = 0,
    blgp: int = 0,
    op_sel_a: int = 0,
    op_sel_b: int = 0,
) -> ScaledModifiers:
    """The modifiers as plain integers.

    Raises:
        EmulatorError: a value that the instruction does not take, with the reason.
    """
    labels = ScaledModifiers._fields
    given = (cbsz, abid, blgp, op_sel_a, op_sel_b)
    setting = ScaledModifiers(*map(_whole, labels, given))
    _check_cbsz(instruction, setting.cbsz, setting.abid)
    _check_blgp(instruction, setting.blgp)
    for label, value in zip(labels[3:], setting[3:], strict=True):
        if value and not instruction.scaled:
            raise EmulatorError(f"{label} {value}: {instruction.mnemonic} takes no scales")
        if value not in _SELECTIONS:
            raise EmulatorError(f"{label} {value}: must be 0..3, a byte of the register")
    return setting


def _check_cbsz(instruction: "Instruction", cbsz: int, abid: int) -> None:
    name = instruction.mnemonic
    given = f"cbsz {cbsz}, abid {abid}"
    match instruction.cbsz_role:
        case "broadcast" if instruction.blocks > 1:
            if 2**cbsz > instruction.blocks:
                top = instruction.blocks.bit_length() - 1
                raise EmulatorError(
                    f"cbsz {cbsz}: would share A among {2**cbsz} blocks, {name} has "
                    f"{instruction.blocks}; cbsz must be 0..{top}"
                )
            if abid >= 2**cbsz:
                raise EmulatorError(
                    f"abid {abid}: with cbsz {cbsz} a group has {2**cbsz} block(s); "
                    f"abid must be 0..{2**cbsz - 1}"
                )
        case "broadcast" if cbsz or abid:
            raise EmulatorError(f"{given}: {name} has one block and takes neither cbsz nor abid")
        case "index":
            _check_index_set(instruction, cbsz, abid)
        case "format":
            _check_format("cbsz", cbsz)
            if abid:
                raise EmulatorError(f"abid {abid}: {name} takes no abid")
        case "none" if cbsz or abid:
            raise EmulatorError(f"{given}: {name} takes neither cbsz nor abid")
        case _:
            pass


def _check_index_set(instruction: "Instruction", cbsz: int, abid: int) -> None:
    name, sets = instruction.mnemonic, instruction.index_sets
    if sets == 1 and (cbsz or abid):
        raise EmulatorError(f"cbsz {cbsz}, abid {abid}: {name} has one index set; both must be 0")
    if cbsz > _FIRST_SET_ONLY.stop - 1:
        raise EmulatorError(f"cbsz {cbsz}: must be 0..{_FIRST_SET_ONLY.stop - 1}")
    if cbsz and abid:
        raise EmulatorError(f"abid {abid}: with cbsz {cbsz} the first index set is taken; abid 0")
    if abid >= sets:
        raise EmulatorError(
            f"abid {abid}: {name} has {sets} index sets; abid must be 0..{sets - 1}"
        )


def _check_blgp(instruction: "Instruction", blgp: int) -> None:
    match instruction.blgp_role:
        case "format":
            _check_format("blgp", blgp)
        case "none" if blgp:
            raise EmulatorError(f"blgp {blgp}: {instruction.mnemonic} takes no blgp")
        case "lanes" | "negate" if blgp > 7:
            raise EmulatorError(f"blgp {blgp}: must be 0..7")
        case _:
            pass


def _check_format(label: str, code: int) -> None:
    if code >= len(F8F6F4):
        told = ", ".join(f"{i} {form.name}" for i, form in enumerate(F8F6F4))
        raise EmulatorError(f"{label} {code}: no such format code; {told}")


def _whole(label: str, value: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise EmulatorError(f"{label}: must be an integer, not {value!r}") from None
    if number < 0:
        raise EmulatorError(f"{label} {number}: must not be negative")
    return number


def all_legal(instruction: "Instruction") -> tuple[Modifiers, ...] | tuple[ScaledModifiers, ...]:
    """Every setting that :func:`check_modifiers` lets pass."""
    shared = _legal_cbsz(instruction)
    patterns = {"lanes": 8, "negate": 8, "format": len(F8F6F4), "none": 1}
    lanes = range(patterns[instruction.blgp_role])
    plain = (Modifiers(*pair, blgp) for pair, blgp in itertools.product(shared, lanes))
    if not instruction.scaled:
        return tuple(plain)
    bytes_chosen = itertools.product(_SELECTIONS, repeat=2)
    settings = itertools.product(plain, tuple(bytes_chosen))
    return tuple(ScaledModifiers(*setting, *chosen) for setting, chosen in settings)


def _legal_cbsz(instruction: "Instruction") -> list[tuple[int, int]]:
    match instruction.cbsz_role:
        case "broadcast":
            sizes = range(instruction.blocks.bit_length())
            return [(cbsz, abid) for cbsz in sizes for abid in range(2**cbsz)]
        case "format":
            return [(code, 0) for code in range(len(F8F6F4))]
        case "index" if instruction.index_sets > 1:
            first = [(cbsz, 0) for cbsz in _FIRST_SET_ONLY]
            return [(0, abid) for abid in range(instruction.index_sets)] + first
        case _:
            return [(0, 0)]


def index_shift(instruction: "Instruction", setting: ScaledModifiers) -> int:
    """How many bits up the chosen index set starts in the index register."""
    if instruction.index_sets < 2 or setting.cbsz:
        return 0
    return setting.abid * (32 // instruction.index_sets)


def a_crossbar(blocks: int, cbsz: int, abid: int) -> NDArray[np.int64]:
    """The lane whose A registers natural lane l reads, ``int64[64]``."""
    lane = np.arange(LANES)
    lanes_per_block = LANES // blocks
    block, inside = np.divmod(lane, lanes_per_block)
    group = 2**cbsz
    source: NDArray[np.int64] = group * (block // group) + abid
    return source * lanes_per_block + inside


def b_crossbar(blgp: int) -> NDArray[np.int64]:
    """The lane whose B registers natural lane l reads, ``int64[64]``."""
    lane = np.arange(LANES)
    match blgp:
        case 0:
            return lane
        case 1:  # lanes 0-31 to both halves
            return lane % 32
        case 2:  # lanes 32-63 to both halves
            return lane % 32 + 32
        case 3:  # rotated by sixteen lanes
            return (lane + 16) % LANES
        case _:  # 4..7: one quarter to all
            return lane % 16 + 16 * (blgp - 4)
