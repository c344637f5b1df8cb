"""Elements and their slots as rows of a table and as JSON data, with what the options ask of them.

With ``--base`` a register is a number and not an offset in the operand, and every answer names the
base; with ``--transpose`` it names the element of the transposed tile.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from layoutgen.cli.output import Columns, Rows
from layoutgen.cli.words import Base, part_name, piece_of, slot_name
from layoutgen.model import REGISTER_BITS, Element, Operand, Slot

SLOT: Columns = ("lane", "register", "bit", "width")
COORDINATES = ("b", "i", "k", "j", "group")


@dataclass(frozen=True, slots=True)
class Marks:
    """What is asked of the operand in question, but not of the sources behind it.

    `in_place`: C and D are the same registers, so that the base of D is that of C.
    """

    base: Base | None = None
    transpose: bool = False
    in_place: bool = False

    def of_source(self, operand: Operand) -> Marks:
        """Return what holds of a source behind the operand in question."""
        return Marks(self.base if self.in_place and operand.name == "C" else None)

    @property
    def columns(self) -> Columns:
        """Columns that a table has more."""
        named = {"base": self.base is not None, "transposed": self.transpose}
        return tuple(name for name, given in named.items() if given)

    def cells(
        self, operand: Operand, at: Mapping[str, int], columns: Columns | None = None
    ) -> tuple[str, ...]:
        """Return the entries of `columns`, which are its own if not given; empty if not asked."""
        named = {
            "base": f"{self.base.file}{self.base.number}" if self.base else "",
            "transposed": turned_name(operand, at) if self.transpose else "",
        }
        return tuple(named[name] for name in (self.columns if columns is None else columns))

    def slot(self, slot: Slot) -> Slot:
        """Return a slot with the number of its register."""
        first = self.base.number if self.base else 0
        return replace(slot, register=slot.register + first)

    def document(self, at: Mapping[str, int]) -> dict[str, Any]:
        """Return what an element's JSON data has more."""
        base = {"base": f"{self.base.file}{self.base.number}"} if self.base else {}
        return {**base, **({"transposed": turned(at)} if self.transpose else {})}


def turned(at: Mapping[str, int]) -> dict[str, int]:
    """Return coordinates of an element in the tile that lies transposed, and back."""
    return {**at, "i": at["j"], "j": at["i"]}


def turned_name(operand: Operand, at: Mapping[str, int]) -> str:
    """Return an element's name in the transposed tile: ``Dᵀ[5][10]``."""
    return f"{operand.name}ᵀ[{at['j']}][{at['i']}]"


def slot_of(lane: int, register: int, element: Element) -> Slot:
    """Return where an element lies that one register of a lane holds a part of."""
    start = register * REGISTER_BITS + element.bit
    return Slot(lane, start // REGISTER_BITS, start % REGISTER_BITS, element.width)


def element_rows(
    found: Iterable[tuple[Operand, Mapping[str, int], bool]], marks: Marks
) -> tuple[Columns, Rows]:
    """Return a row for each slot of elements; the last entry says whether it was asked for."""
    elements = [
        (operand, at, marks if asked else marks.of_source(operand)) for operand, at, asked in found
    ]
    has_group = any("group" in at for _, at, _ in elements)
    names = COORDINATES if has_group else COORDINATES[:-1]
    rows = [
        (
            operand.name,
            *(at.get(name, "") for name in names),
            *asdict(own.slot(slot)).values(),
            *own.cells(operand, at, marks.columns),
        )
        for operand, at, own in elements
        for slot in operand.locate(**at)
    ]
    return ("operand", *names, *SLOT, *marks.columns), rows


def element_document(
    operand: Operand, at: Mapping[str, int], marks: Marks | None = None
) -> dict[str, Any]:
    """Return an element with its slots, as JSON data."""
    marks = marks or Marks()
    slots = [
        {**asdict(marks.slot(s)), "name": slot_name(operand, s, marks.base)}
        for s in operand.locate(**at)
    ]
    return {"operand": operand.name, "element": dict(at), **marks.document(at), "slots": slots}


def part_document(
    operand: Operand, lane: int, register: int, element: Element, marks: Marks, names: Base
) -> dict[str, Any]:
    """Return what a register of a lane holds: an element with its slot, and which part is here.

    `names` is the first register of the operand, for the name.
    """
    slot = marks.slot(slot_of(lane, register, element))
    low, high = piece_of(element)
    return {
        "register": slot.register,
        **element.coordinates,
        "bit": slot.bit,
        "width": slot.width,
        **marks.document(element.coordinates),
        "part": {
            "register": names.number + register,
            "bits": [low, high],
            "name": part_name(operand, lane, register, element, names),
        },
    }
