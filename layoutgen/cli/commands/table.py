"""``layoutgen table``: the whole layout of an operand, in several arrangements and formats."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from layoutgen.cli import remarks
from layoutgen.cli.arguments import numbers, registers
from layoutgen.cli.notation import asked
from layoutgen.cli.output import FORMATS, chosen_format, draw_grid, emit
from layoutgen.cli.parser import (
    COORDINATES,
    LONG,
    Parser,
    add_common,
    add_coordinates,
    add_element,
    add_modifiers,
    add_subject,
    coordinate_options,
)
from layoutgen.cli.subject import Subject, within
from layoutgen.cli.tabular import Grid
from layoutgen.cli.words import part, short_name
from layoutgen.export.tables import by_slot
from layoutgen.model import REGISTER_BITS, Element, Slot

if TYPE_CHECKING:
    from layoutgen.digits import IntArray

DESCRIPTION = """\
Print the layout of an operand: for every element its lane, register, bit and width.

'register' is the offset of the first 32-bit register that holds the element, 'bit' the offset
in it.  With modifiers, each row tells where the multiplier reads that element from.

--by element   a row for each element, in order of block, row, column or k
--by slot      the same rows, in order of lane, register, bit
--by grid      lanes down, registers across; a cell names its elements as block:row,column, and
               the bits of one that it holds a part of
--by matrix    rows and columns of the matrix; a cell names register and lane

In JSON 'columns' names the entries of 'rows'."""
EXAMPLES = """\
  layoutgen table gfx908 v_mfma_f32_32x32x1f32 D --format json
  layoutgen table gfx908 v_mfma_f32_32x32x1f32 D --by matrix --block 0
  layoutgen table gfx908 v_mfma_f32_32x32x1f32 D --by grid --lane 0-3,32-35
  layoutgen table gfx908 v_mfma_i32_16x16x16i8 A --by slot --lane 35
  layoutgen table gfx908 v_mfma_f32_16x16x4f16 A --cbsz 2 --abid 1 -o a.csv
  layoutgen table gfx942 v_smfmac_f32_16x16x32_f16 index --group 0-1 --abid 2"""


def configure(parser: Parser) -> None:
    """Add the arguments of ``table``."""
    add_subject(parser)
    add_element(parser)
    parser.add_argument(
        "--by", choices=ARRANGEMENTS, default="element", help="the arrangement; default: element"
    )
    parser.add_argument(
        "--transpose", action="store_true", help="print the table's rows as columns"
    )
    add_modifiers(parser)
    add_coordinates(parser, many=True)
    group = parser.add_argument_group("slots to keep")
    group.add_argument("-l", "--lane", type=numbers, metavar="LIST", help="lanes, as in 0-3,8")
    group.add_argument(
        "-r", "--register", type=registers, metavar="LIST", help="registers, as 2, v2 or v[2:3]"
    )
    add_common(parser, FORMATS)


def run(options: argparse.Namespace) -> int:
    """Print the table."""
    what = asked(options, many=True)
    rows = _filtered(what, options)
    remarks.on_idle(options, what)
    remarks.on_table(options, what, rows)
    form = chosen_format(options, FORMATS)
    if form == "json":
        emit(options, _json(options, what, rows))
    else:
        emit(options, draw_grid(options, form, _grid(options, what, rows)))
    return 0


def _grid(options: argparse.Namespace, what: Subject, rows: IntArray) -> Grid:
    grid = ARRANGEMENTS[options.by](what, rows)
    return grid.transposed() if options.transpose else grid


def _json(options: argparse.Namespace, what: Subject, rows: IntArray) -> str:
    """Return the rows of the contract; of what is arranged otherwise, the cells as printed."""
    from layoutgen.export import documents

    if options.by in ("grid", "matrix") or options.transpose:
        grid = _grid(options, what, rows)
        head = documents.heading(what.arch, what.instruction, what.operand)
        how = {"by": options.by, "transposed": options.transpose}
        cells = [list(row) for row in grid.rows]
        return documents.dumps({**head, **how, "columns": list(grid.columns), "rows": cells})
    if options.by == "slot":
        rows = rows[by_slot(what.operand, rows)]
    return documents.dumps(
        documents.table(what.arch, what.instruction, what.operand, rows.tolist())
    )


def _filtered(what: Subject, options: argparse.Namespace) -> IntArray:
    import numpy as np

    operand = what.operand
    sizes = {**operand.layout.shape, "lane": what.arch.wave, "register": operand.registers}
    rows = operand.table()
    for name in (*COORDINATES, "lane", "register"):
        wanted = getattr(options, name)
        if wanted is None:
            continue
        if name not in sizes:
            its = ", ".join(coordinate_options(n)[0] for n in operand.layout.shape)
            options.parser.error(f"{what.title} has no {_word(name)}: its coordinates are {its}")
        for value in wanted:
            within(what, name, value, sizes[name])
        column = rows[:, operand.columns.index(name)]
        if name == "register":
            last = column + (rows[:, -2] + rows[:, -1] - 1) // 32
            kept = np.any([(column <= w) & (w <= last) for w in wanted], axis=0)
        else:
            kept = np.isin(column, wanted)
        rows = rows[kept]
    return rows


def _by_element(what: Subject, rows: IntArray) -> Grid:
    return Grid(what.operand.columns, rows.tolist(), keys=len(what.operand.layout.shape))


def _by_slot(what: Subject, rows: IntArray) -> Grid:
    import numpy as np

    order = rows[by_slot(what.operand, rows)]
    columns = what.operand.columns
    turned = (*columns[-4:], *columns[:-4])
    return Grid(turned, np.roll(order, 4, axis=1).tolist(), keys=4)


def _by_grid(what: Subject, rows: IntArray) -> Grid:
    operand = what.operand
    file = operand.register_files[0]
    cells: dict[tuple[int, int], list[str]] = {}
    for *at, lane, register, bit, width in rows[by_slot(what.operand, rows)].tolist():
        block, *others = at
        name = f"{block}:{','.join(map(str, others))}"
        for touched in Slot(lane, register, bit, width).registers:
            element = Element(block, bit=bit - REGISTER_BITS * (touched - register), width=width)
            cells.setdefault((lane, touched), []).append(f"{name}{part(element)}")
    lanes = sorted({lane for lane, _ in cells})
    registers = sorted({register for _, register in cells})
    body = [[lane, *(" ".join(cells.get((lane, r), "-")) for r in registers)] for lane in lanes]
    return Grid(("lane", *(f"{file}{r}" for r in registers)), body)


def _by_matrix(what: Subject, rows: IntArray) -> Grid:
    operand = what.operand
    down, across = [name for name in operand.layout.shape if name != "b"]
    cells: dict[tuple[int, int], dict[int, list[str]]] = {}
    for *at, lane, register, bit, width in rows.tolist():
        named = dict(zip(operand.layout.shape, at, strict=True))
        row = cells.setdefault((named["b"], named[down]), {})
        name = short_name(operand, Slot(lane, register, bit, width))
        row.setdefault(named[across], []).append(name)
    places = sorted({column for row in cells.values() for column in row})
    body = [
        [block, value, *(" ".join(row.get(place, "-")) for place in places)]
        for (block, value), row in sorted(cells.items())
    ]
    heads = (f"{_word(across)} {place}" for place in places)
    return Grid(("block", _word(down), *heads), body, keys=2)


def _word(coordinate: str) -> str:
    return LONG.get(coordinate, coordinate)


ARRANGEMENTS: dict[str, Callable[[Subject, IntArray], Grid]] = {
    "element": _by_element,
    "slot": _by_slot,
    "grid": _by_grid,
    "matrix": _by_matrix,
}
