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
from layoutgen.validate.observation import Observation
from layoutgen.validate.tables import OperandTable, SlotArray

_CHOICES = 3
"""The first of two indices is 0 to 2, the second 1 to 3."""

SHOWN = 8
"""How many rows of one table are named; the rest is counted."""


@dataclass(frozen=True, eq=False)
class Implied:
    """The products that tables imply: slots and rows of each part, flat."""

    slots: Mapping[str, IntArray]
    rows: Mapping[str, IntArray]


def implied(tables: Mapping[str, SlotArray]) -> Implied:
    """Return every product of the blocks that all tables show.

    Of a sparse instruction: for every value that an index may have, what is multiplied then.
    """
    d, a, b = (tables[name].slot for name in "DAB")
    value: IntArray | None = None
    if "index" in tables:
        # Axes: b, i, j, stored k, value less the place in the pair.
        block, i, j, k, step = np.ogrid[
            : d.shape[0], : d.shape[1], : d.shape[2], : a.shape[2], :_CHOICES
        ]
        value = k % 2 + step
        group = k // 2
        places = {"D": (block, i, j), "A": (block, i, k), "B": (block, 4 * group + value, j)}
        places["index"] = (block, i, group)
    else:
        block, i, j, k = np.ogrid[: d.shape[0], : d.shape[1], : d.shape[2], : a.shape[2]]
        places = {"D": (block, i, j), "A": (block, i, k), "B": (block, k, j)}
        if "scale_a" in tables:
            group = k // (b.shape[1] // tables["scale_a"].slot.shape[2])
            places |= {"scale_a": (block, i, group), "scale_b": (block, group, j)}
    ones = {
        name: (tables[name].slot[place], tables[name].row[place]) for name, place in places.items()
    }
    flat = np.broadcast_arrays(*(array for pair in ones.values() for array in pair))
    arrays = [np.ravel(array) for array in flat]
    slots = dict(zip(places, arrays[::2], strict=True))
    rows = dict(zip(places, arrays[1::2], strict=True))
    held = np.logical_and.reduce([slot >= 0 for slot in slots.values()])
    if value is not None:
        slots["value"] = np.ravel(np.broadcast_to(value, flat[0].shape))
    return Implied({x: s[held] for x, s in slots.items()}, {x: r[held] for x, r in rows.items()})


def expected_keys(products: Implied, observed: Observation) -> IntArray:
    """Return the implied products as the keys of an observation, in their own order."""
    return observed.parts.keys(products.slots)


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
    products = implied(tables)
    keys = expected_keys(products, observed)
    bad = ~np.isin(keys, observed.keys)
    blamed = _blame(products, bad, [x for x in products.rows if x not in confirmed])
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
    return observed.keys[np.isin(observed.columns["D"], shown)]


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
    """What the emulator does with the element of a blamed row, given the other tables."""
    mine = products.rows[operand] == row
    if operand == "D":
        return _accumulated(int(products.slots["D"][mine][0]), tables, observed, widths)
    given = [x for x in _TELLING[operand] if x in products.slots]
    sought = observed.columns[operand]
    key = _joined(observed, observed.columns, given)
    wanted = np.unique(_joined(observed, {x: products.slots[x][mine] for x in given}, given))
    votes = Counter(sought[np.isin(key, wanted)].tolist())
    if not votes:
        return f"the emulator reads no {operand} for the products of this element"
    winner = min(votes, key=lambda slot: (-votes[slot], slot))
    return f"the emulator reads it at {codes.describe(winner, widths[operand])}"


_TELLING = {
    "A": ("D", "B", "value"),
    "B": ("D", "A", "value"),
    "index": ("D", "A"),
    "scale_a": ("D", "A"),
    "scale_b": ("D", "B"),
}
"""By which other parts a product is found again, if the slot of one operand is in doubt."""


def _joined(
    observed: Observation, columns: Mapping[str, IntArray], names: Collection[str]
) -> IntArray:
    found: IntArray = np.zeros(1, dtype=np.int64)
    for name in names:
        found = found * observed.parts.counts[name] + columns[name]
    return found


def _accumulated(
    slot: int, tables: Mapping[str, SlotArray], observed: Observation, widths: Mapping[str, int]
) -> str:
    """What the emulator accumulates in a D slot: an element by A's and B's rows, or products."""
    d, a, b = observed.triples
    pairs = list(zip(a[d == slot].tolist(), b[d == slot].tolist(), strict=True))
    if not pairs:
        return "the emulator accumulates nothing there"
    sparse = "index" in tables
    elements = {
        (block, i, j)
        for x, y in pairs
        for block, i, k in np.argwhere(tables["A"].slot == x).tolist()
        for other, depth, j in np.argwhere(tables["B"].slot == y).tolist()
        if block == other and (k // 2 == depth // 4 if sparse else k == depth)
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
    columns = observed.parts.columns(extra)
    d, a, b = (int(columns[name][0]) for name in "DAB")
    against = (
        f"the emulator accumulates there A at {codes.describe(a, widths['A'])} times "
        f"B at {codes.describe(b, widths['B'])} ({extra.size} such products)"
    )
    return f"D at {codes.describe(d, widths['D'])}", said, against
