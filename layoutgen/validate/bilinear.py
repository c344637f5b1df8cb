"""Leg L1: the map that the tables imply equals the map that was observed.

For every element (b, i, j) of D and every k the tables name one product: the slot of D, the slot
of A that holds (b, i, k), the slot of B that holds (b, k, j).  The set of these must be the
observed one, exactly.  Where it is not, the rows that explain it are found: a row is blamed if
most of the products that it takes part in do not hold, rows that explain most of them first.
Operands that a witness confirms are blamed last: rows of D exchanged look like rows of A exchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from layoutgen.validate import codes
from layoutgen.validate.codes import IntArray
from layoutgen.validate.findings import Finding
from layoutgen.validate.probe import Observation
from layoutgen.validate.tables import OperandTable, SlotArray

SHOWN = 8
"""How many rows of one table are named; the rest is counted."""


@dataclass(frozen=True, eq=False)
class Implied:
    """The products that tables imply: slots and rows of D, A and B, flat; `lost` have no row."""

    slots: Mapping[str, IntArray]
    rows: Mapping[str, IntArray]


def implied(d: SlotArray, a: SlotArray, b: SlotArray) -> Implied:
    """Return every product of the blocks that all three tables show."""

    def spread(of: str) -> dict[str, IntArray]:
        arrays = (getattr(d, of), getattr(a, of), getattr(b, of))
        over = (
            arrays[0][:, :, :, None],
            arrays[1][:, :, None, :],
            arrays[2].transpose(0, 2, 1)[:, None, :, :],
        )
        return dict(zip("DAB", map(np.ravel, np.broadcast_arrays(*over)), strict=True))

    slots, rows = spread("slot"), spread("row")
    held = (slots["D"] >= 0) & (slots["A"] >= 0) & (slots["B"] >= 0)
    return Implied({x: s[held] for x, s in slots.items()}, {x: r[held] for x, r in rows.items()})


def expected_keys(products: Implied, observed: Observation) -> IntArray:
    """Return the implied products as the keys of an observation, in their own order."""
    slots = products.slots
    return (slots["D"] * observed.a_slots + slots["A"]) * observed.b_slots + slots["B"]


def holds(keys: IntArray, observed: Observation, shown: IntArray | None = None) -> bool:
    """Tell whether the implied products are the observed ones; `shown` limits the D slots."""
    wanted = observed.keys if shown is None else _limited(observed, shown)
    return len(keys) == len(wanted) and np.array_equal(np.sort(keys), wanted)


def explain(
    leg: str,
    instruction: str,
    tables: Mapping[str, SlotArray],
    observed: Observation,
    widths: Mapping[str, int],
    modifiers: str = "",
    confirmed: Collection[str] = (),
) -> list[Finding]:
    """Return findings for tables whose map is not the observed one.

    `confirmed` are operands that a witness confirms.
    """
    products = implied(tables["D"], tables["A"], tables["B"])
    keys = expected_keys(products, observed)
    bad = ~np.isin(keys, observed.keys)
    blamed = _blame(products, bad, [x for x in "DAB" if x not in confirmed])
    explained = np.zeros(len(bad), dtype=bool)
    for operand, rows in blamed.items():
        explained |= np.isin(products.rows[operand], rows)
    for operand, rows in _blame(products, bad & ~explained, list(confirmed)).items():
        blamed.setdefault(operand, []).extend(rows)
    findings = []

    def make(table: OperandTable, row: int, subject: str, says: str, against: str) -> Finding:
        setting = modifiers or table.modifiers
        where = table.where(row)
        return Finding(leg, table.artefact, instruction, where, subject, says, against, setting)

    for operand, rows in blamed.items():
        table = tables[operand].table
        for row in rows[:SHOWN]:
            seen = _seen(operand, row, tables, products, observed, widths)
            said = f"at {table.slot_of(row)}"
            findings.append(make(table, row, table.element(row), said, seen))
        if len(rows) > SHOWN:
            more = f"{len(rows) - SHOWN} more rows of {operand}"
            findings.append(
                make(table, rows[SHOWN], more, "do not fit", "the emulator's map is another")
            )
    if not findings:
        findings.append(make(tables["D"].table, 0, *_unnamed(products, observed, widths)))
    return findings


def _limited(observed: Observation, shown: IntArray) -> IntArray:
    return observed.keys[np.isin(observed.triples[0], shown)]


def _blame(
    products: Implied, bad: NDArray[np.bool_], operands: Collection[str]
) -> dict[str, list[int]]:
    """Rows that explain the bad products: those with most of them first, mostly bad ones only."""
    left = bad.copy()
    blamed: dict[str, list[int]] = {}
    candidates = {x: rows for x, rows in products.rows.items() if x in operands}
    totals = {x: np.bincount(rows) for x, rows in candidates.items()}
    while left.any():
        best: tuple[float, int, str, int] | None = None
        for operand, rows in candidates.items():
            count = np.bincount(rows[left], minlength=len(totals[operand]))
            share = count / np.maximum(totals[operand], 1)
            fit = np.where(share > 0.5, count, 0)
            row = int(fit.argmax())
            if fit[row] and (best is None or fit[row] > best[1]):
                best = (float(share[row]), int(fit[row]), operand, row)
        if best is None:
            break
        _, _, operand, row = best
        blamed.setdefault(operand, []).append(row)
        left &= products.rows[operand] != row
    return blamed


def _seen(
    operand: str,
    row: int,
    tables: Mapping[str, SlotArray],
    products: Implied,
    observed: Observation,
    widths: Mapping[str, int],
) -> str:
    """What the emulator does with the element of a blamed row, given the other two tables."""
    mine = products.rows[operand] == row
    if operand == "D":
        return _accumulated(int(products.slots["D"][mine][0]), tables, observed, widths)
    other = "B" if operand == "A" else "A"
    d, a, b = observed.triples
    partner, sought = (b, a) if operand == "A" else (a, b)
    pairs = zip(products.slots["D"][mine], products.slots[other][mine], strict=True)
    votes = Counter(found for x, y in pairs for found in sought[(d == x) & (partner == y)].tolist())
    if not votes:
        return f"the emulator reads no {operand} for the products of this element"
    winner = min(votes, key=lambda slot: (-votes[slot], slot))
    return f"the emulator reads it at {codes.describe(winner, widths[operand])}"


def _accumulated(
    slot: int, tables: Mapping[str, SlotArray], observed: Observation, widths: Mapping[str, int]
) -> str:
    """What the emulator accumulates in a D slot: an element by A's and B's rows, or products."""
    d, a, b = observed.triples
    pairs = list(zip(a[d == slot].tolist(), b[d == slot].tolist(), strict=True))
    if not pairs:
        return "the emulator accumulates nothing there"
    elements = {
        (block, i, j)
        for x, y in pairs
        for block, i, k in np.argwhere(tables["A"].slot == x).tolist()
        for other, depth, j in np.argwhere(tables["B"].slot == y).tolist()
        if (block, k) == (other, depth)
    }
    if len(elements) == 1:
        block, i, j = elements.pop()
        return f"the emulator accumulates there D[b={block}, i={i}, j={j}]"
    first = " times ".join(
        f"{name} at {codes.describe(x, widths[name])}"
        for name, x in zip("AB", pairs[0], strict=True)
    )
    more = f" and {len(pairs) - 1} more products" if len(pairs) > 1 else ""
    return f"the emulator accumulates there {first}{more}"


def _unnamed(
    products: Implied, observed: Observation, widths: Mapping[str, int]
) -> tuple[str, str, str]:
    """Every implied product holds, yet the emulator makes more: name the first."""
    extra = observed.keys[~np.isin(observed.keys, expected_keys(products, observed))]
    said = "no row of the tables gives this product"
    if not extra.size:
        return "products", "some stand twice", "the emulator makes each once"
    d, rest = divmod(int(extra[0]), observed.a_slots * observed.b_slots)
    a, b = divmod(rest, observed.b_slots)
    against = (
        f"the emulator accumulates there A at {codes.describe(a, widths['A'])} times "
        f"B at {codes.describe(b, widths['B'])} ({extra.size} such products)"
    )
    return f"D at {codes.describe(d, widths['D'])}", said, against
