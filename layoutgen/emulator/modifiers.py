"""cbsz, abid and blgp: crossbars between the source registers and the multipliers.

Each moves whole 32-bit registers from lane to lane before any element is unpacked; neither
knows rows, columns or k. A crossbar is ``int64[64]``: the lane that natural lane l reads from.

* ``cbsz``, ``abid`` (A): groups of 2^cbsz blocks share one block's A, block number ``abid`` of
  the group. Composable Kernel builds 64x64 tiles from ``32x32x1`` with cbsz 1 and abid 0, 1,
  16x64 from ``16x16x1`` with cbsz 2, and 4x64 from ``4x4x1`` with cbsz 4
  (``amd_xdlops.hpp``); there the group is the whole wavefront. For smaller groups sources
  disagree: the calculator and the lab notes count ``abid`` within each group (used here),
  chapter 7 of the CDNA3 manual and ``ROCm/hip-fpsan`` count it over the whole wavefront.
* ``blgp`` (B): eight lane patterns (``ROCm/hip-fpsan``, ``amdgcn_mfma.hpp``).
"""

import operator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from layoutgen.emulator.errors import EmulatorError

if TYPE_CHECKING:
    from layoutgen.emulator.instructions import Instruction

LANES = 64


class Modifiers(NamedTuple):
    """One setting of the three lane modifiers."""

    cbsz: int = 0
    abid: int = 0
    blgp: int = 0


def check_modifiers(instruction: "Instruction", cbsz: int, abid: int, blgp: int) -> Modifiers:
    """The modifiers as plain integers.

    Raises:
        EmulatorError: a value that the instruction does not take, with the reason.
    """
    name = instruction.mnemonic
    cbsz, abid, blgp = (
        _whole(label, value) for label, value in (("cbsz", cbsz), ("abid", abid), ("blgp", blgp))
    )
    if instruction.blocks == 1 and (cbsz or abid):
        given = f"cbsz {cbsz}" if cbsz else f"abid {abid}"
        raise EmulatorError(f"{given}: {name} has one block and takes neither cbsz nor abid")
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
    if blgp > 7:
        raise EmulatorError(f"blgp {blgp}: must be 0..7")
    return Modifiers(cbsz, abid, blgp)


def _whole(label: str, value: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise EmulatorError(f"{label}: must be an integer, not {value!r}") from None
    if number < 0:
        raise EmulatorError(f"{label} {number}: must not be negative")
    return number


def all_legal(instruction: "Instruction") -> tuple[Modifiers, ...]:
    """Every setting that :func:`check_modifiers` lets pass."""
    return tuple(
        Modifiers(cbsz, abid, blgp)
        for cbsz in range(instruction.blocks.bit_length())
        for abid in range(2**cbsz)
        for blgp in range(8)
    )


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
