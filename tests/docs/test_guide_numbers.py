"""Every number in the guide's prose belongs to a statement that is computed here."""

from __future__ import annotations

import re
from collections.abc import Callable

import guide_later
import pytest
from docs_pages import ROOT

import layoutgen
from layoutgen.emulator import instruction
from layoutgen.model import CYCLES_PER_PASS, REGISTER_BITS, Instruction, Operand
from layoutgen.modifiers import BLGP_LANES

GPU = layoutgen.arch("gfx908")
TWO, ONE = GPU["v_mfma_f32_32x32x1f32"], GPU["v_mfma_f32_32x32x2f32"]
PACKED, BF16 = GPU["v_mfma_f32_32x32x8f16"], GPU["v_mfma_f32_32x32x4bf16"]
WAVE = GPU.wave
HALVES = [f"{n} to {n + WAVE // 2 - 1}" for n in (0, WAVE // 2)]


def size(inst: Instruction, operand: str) -> str:
    rows, columns = [n for name, n in inst.operands[operand].layout.shape.items() if name != "b"]
    return f"{rows}×{columns}"


def held(inst: Instruction) -> str:
    """Return the elements of A that a lane holds, and in how many registers: ``4 …, in 2``."""
    a = inst.operands["A"]
    title = {
        "f16": "16-bit float",
        "bf16": "bfloat16",
        "i8": "8-bit integer",
        "f32": "32-bit float",
    }
    elements = "element" if a.elements_per_lane == 1 else "elements"
    registers = "register" if a.registers == 1 else "registers"
    kind = title[a.format.name]
    return f"{a.elements_per_lane} {elements} of {kind}, in {a.registers} {registers}"


def weighted(operand: Operand, coordinate: str) -> str:
    """Return a coordinate as a sum of its digits: ``sub + 4·half + 8·band``."""
    return " + ".join(
        f"{p.weight}·{p.digit.name}" if p.weight > 1 else p.digit.name
        for p in sorted(operand.layout.places, key=lambda p: p.weight)
        if p.coordinate == coordinate
    )


def strided(operand: Operand, side: str) -> str:
    """Return lane or item as a sum of digits that have more than one value."""
    return " + ".join(
        f"{p.stride}·{p.digit.name}" if p.stride > 1 else p.digit.name
        for p in operand.layout.places
        if p.side == side and p.digit.size > 1
    )


def digits(operand: Operand, **coordinates: int) -> dict[str, int]:
    """Return the digits of an element by their names."""
    return {
        p.digit.name: coordinates[p.coordinate] // p.weight % p.digit.size
        for p in operand.layout.places
        if p.coordinate
    }


def index() -> list[str]:
    return [f"How does a sparse ({guide_later.STORED}:{guide_later.DENSE}) instruction store A?"]


def layouts() -> list[str]:
    a = PACKED.operands["A"]
    tile = TWO.m * TWO.n
    return [
        f"lanes {HALVES[0]} above and {HALVES[1]} below",
        f"Lanes {HALVES[0]} stand above, lanes {HALVES[1]} below",
        f"multiplies a {size(PACKED, 'A')} matrix A by an {size(PACKED, 'B')} matrix B of "
        f"{a.format.bits}-bit floats",
        f"a {size(PACKED, 'D')} matrix of {PACKED.operands['D'].format.bits}-bit floats. "
        f"That {PACKED.tile.replace('x', '×')} matrix is called a tile",
        f"for {WAVE} lanes",
        f"each {REGISTER_BITS} bits wide",
        "of lane 5 and the register ``v3`` of lane 6",  # any two lanes
        f"A tile of {size(TWO, 'D')} elements has {tile} of them, so each of the {WAVE} lanes "
        f"holds {tile // WAVE}, in {ONE.operands['D'].registers} registers",
        f"work for all {WAVE} lanes",
        f"has a {size(TWO, 'A')} matrix A: {TWO.m * TWO.k} elements, one in each lane, so {WAVE} "
        f"lanes hold {['one', 'two', 'three'][TWO.blocks - 1]} of them. "
        f"It computes {TWO.blocks} blocks",
        f"has a {size(ONE, 'A')} matrix A, which fills all lanes: {ONE.blocks} block.",
        f"blocks = frac{{{WAVE} · e}}{{M · K}}",
        f"M · N / {WAVE} registers in each lane: {TWO.operands['D'].registers} for the two-block "
        f"form of the {size(TWO, 'D')} tile, {ONE.operands['D'].registers} for the one-block form",
        f"narrower than {REGISTER_BITS} bits",
        f"On gfx908 a lane holds {held(PACKED)}; {held(BF16)}; "
        f"{held(GPU['v_mfma_i32_32x32x8i8'])}; or {held(ONE)}",
        f"How can {tile} elements be told apart",
        f"for instance D of a {size(TWO, 'D')} tile",
        "rows 0 to 3 lie in lanes {}, and rows 4 to 7 in lanes {}".format(*rows_of_halves()),
    ]


def rows_of_halves() -> list[str]:
    d = ONE.operands["D"]
    lanes = [
        sorted({d.locate(b=0, i=i, j=j)[0].lane for i in rows for j in range(ONE.n)})
        for rows in (range(4), range(4, 8))
    ]
    assert all(found == list(range(found[0], found[-1] + 1)) for found in lanes)
    return [f"{found[0]} to {found[-1]}" for found in lanes]


def figures() -> list[str]:
    inst, one = GPU["v_mfma_f32_16x16x16f16"], GPU["v_mfma_f32_16x16x1f32"]
    slot = inst.operands["D"].locate(b=0, i=5, j=3)[0]
    lanes = {inst.operands["D"].locate(b=0, i=i, j=j)[0].lane for i in range(4, 8)
             for j in range(16)}  # fmt: skip
    turn = BLGP_LANES[3]
    assert turn
    assert inst.operands["A"].elements_per_lane == 4
    narrow = guide_later.SCALED.operand("A", cbsz=2)
    run = 3 * REGISTER_BITS // narrow.format.bits
    return [
        "the group of 16 lanes that holds it",
        "``v1[15:0]`` are the lower 16 bits",
        f"The accumulator of a {size(inst, 'D')} tile",
        f"Element (5, 3) is in row 5 and column 3: lane {slot.lane}, register ``a{slot.register}``",
        f"Rows 4 to 7 have one colour: they lie in lanes {min(lanes)} to {max(lanes)},",
        f"The instruction has {one.blocks} blocks, and block 0 is shown",
        f"A of a {inst.m}×{inst.n}×{inst.k} product with {inst.operands['A'].format.bits}-bit",
        f"accumulator of a {size(inst, 'D')} tile in it",
        f"All {one.blocks} blocks; lanes {HALVES[0]} above, lanes {HALVES[1]} below.",
        f"lane {slot.lane} has row 5 of column 3 in ``a{slot.register}``",
        f"for a {inst.m}×{inst.n}×{inst.k} product; one element",
        "is read with blgp 3",
        f"With ``blgp=3``, lane 0 reads B from lane {turn.lane(0)}.",
        f"scaled product with {narrow.format.bits}-bit elements; each cell names a lane and three",
        f"a cell is a run of {run} k, in three registers of one lane",
    ]


def example() -> list[str]:
    d, b, i, j = TWO.operands["D"], 1, 13, 7
    slot = d.locate(b=b, i=i, j=j)[0]
    cut = digits(d, b=b, i=i, j=j)
    sub, half, band, col, block = (cut[name] for name in ("sub", "half", "band", "col", "block"))
    values = {p.digit.name: p.digit.size for p in d.layout.places}
    item, lane = slot.register, slot.lane
    row = f"{sub} + 4 · {half} + 8 · {band}"
    place = f"{sub} + 4 · {band} + 16 · {block}"
    assert weighted(d, "i") == "sub + 4·half + 8·band"  # what row and place above rely on
    assert strided(d, "item") == "sub + 4·band + 16·block"
    assert strided(d, "lane") == "col + 32·half"
    return [
        f"{size(TWO, 'D')} tiles, {TWO.blocks} blocks, {d.format.bits}-bit elements",
        f"in row {i} and column {j} of block {b}, in short D[{i}][{j}] block {b}?",
        f"The rule for D of a {size(TWO, 'D')} tile says: i = {weighted(d, 'i')}, j = col, "
        "b = block",
        f"``sub`` takes {values['sub']} values, ``half`` {values['half']}, ``band`` "
        f"{values['band']} and ``col`` {values['col']}.",
        f"{i} = {row} ⇒ sub = {sub}, half = {half}, band = {band} {j} = {col} ⇒ col = {col} "
        f"{b} = {block} ⇒ block = {block}",
        f"lane = {strided(d, 'lane')}, and position in the lane = {strided(d, 'item')}.",
        f"lane = {col} + 32 · {half} = {lane} item = {place} = {item}",
        f"A {d.format.bits}-bit element fills one register, so item {item} is register {item}. "
        f"The answer: D[{i}][{j}] block {b} is in register ``a{item}`` of lane {lane}.",
        f"Lane {lane} is {col} + 32·{half}: col {col}, half {half}. Item {item} is "
        f"{place.replace(' · ', '·')}: sub {sub}, band {band}, block {block}.",
        f"i = {row} = {i} j = {col} b = {block}",
        f"Element D[{i}][{j}] block {b} is the product of row {i} of A and column {j} of B, both "
        f"of block {b}. K is {TWO.k},",
        *packed_example(i, j),
    ]


def packed_example(i: int, j: int) -> list[str]:
    a, d, k = PACKED.operands["A"], PACKED.operands["D"], 6
    slot, cut = a.locate(b=0, i=i, k=k)[0], digits(a, b=0, i=i, k=k)
    in_d = d.locate(b=0, i=i, j=j)[0]
    item, bits = cut["sub"], a.format.bits
    return [
        f"computes {PACKED.blocks} block of the same tile",
        f"the first {d.registers} of before: D[{i}][{j}] is in register ``a{in_d.register}`` of "
        f"lane {in_d.lane}",
        f"A has {PACKED.k} columns now, and a lane holds {a.elements_per_lane} of them, {bits} "
        f"bits each. The rule for A: i = row, k = {weighted(a, 'k')}, lane = {strided(a, 'lane')}, "
        f"item = {strided(a, 'item')}. Take A[{i}][{k}]:",
        f"{k} = {item} + 4 · {cut['group']} ⇒ sub = {item}, group = {cut['group']} "
        f"lane = {i} + 32 · {cut['group']} = {slot.lane} item = {item}",
        f"Item {item} of {bits} bits starts at bit {item}·{bits} = {item * bits} of the lane's "
        f"share. A register has {REGISTER_BITS} bits, so that is bit {slot.bit} of the "
        f"{['first', 'second'][slot.register]} register",
    ]


def code() -> list[str]:
    assert instruction(GPU.name, PACKED.mnemonic).a_registers == PACKED.operands["A"].registers
    return [
        f"loads a {size(PACKED, 'A')} matrix A and an {size(PACKED, 'B')} matrix B, both row-major "
        f"in memory, and stores the {size(PACKED, 'D')} product",
        f"All {WAVE} lanes must reach",
        f"each {REGISTER_BITS}-bit register",
        f"has {TWO.blocks}: lanes {HALVES[0]} carry a column of A and a row of B for block 0, "
        f"lanes {HALVES[1]} for block 1",
    ]


def modifiers() -> list[str]:
    differ = {i.blocks for i in GPU.values() for m in i.rules.combinations()
              if i.rules.readings_differ(m)}  # fmt: skip
    few, many = sorted(differ)
    turn = BLGP_LANES[3]
    assert turn
    assert turn.rotate
    return [
        "With all of them 0, every lane",
        r"2\ cbsz neighbouring blocks",
        f"has {TWO.blocks} blocks. With ``cbsz=1`` both read block",
        "for block 0 and for block 1 the same one",
        "For cbsz 1 and each abid",
        f"``cbsz=1`` on an instruction with {TWO.blocks} blocks.",
        r"Where 2\ cbsz is smaller than",
        f"instructions with {few} and {many} blocks",
        r"only where 2\ cbsz is the number",
        f"one of {len(BLGP_LANES)} fixed patterns",
        f"rotates by {turn.stride * turn.value} lanes, or copies one group of {turn.stride} lanes",
        f"code 3, for instance: lanes 0 to 15 read lanes {turn.lane(0)} to {turn.lane(15)},",
        f"In a two-block {size(TWO, 'D')} form",
        f"so code 1 lets both blocks use B of block {block_that_code_1_reads()}.",
        f"uses row {TWO.operand('B', blgp=1).locate(b=1, k=0, j=0)[0].lane // TWO.n} of B",
    ]


def block_that_code_1_reads() -> int:
    b = TWO.operand("B", blgp=1)
    (read,) = {b.locate(b=block, k=0, j=5)[0].lane for block in range(TWO.blocks)}
    (element,) = TWO.operands["B"].elements(lane=read, register=0)
    return element.b


def mistakes() -> list[str]:
    double = layoutgen.arch("gfx90a")["v_mfma_f64_16x16x4f64"]
    assert guide_later.ONE
    (byte,) = (code for code in range(255) if guide_later.ONE.value(code) == 1)
    register = PACKED.operands["D"].locate(b=0, i=13, j=7)[0].register
    return [
        f"What always holds is blocks = {WAVE}·e / (M·K)",
        f"In a two-block form, lanes {HALVES[1]} hold the A and B of block 1.",
        f"the same as lanes {HALVES[0]} computes the same tile twice. The result of block 0",
        "An instruction with K = 1 computes an outer product",
        "only these have K = 1:",
        f"In the tile of {double.m}×{double.n} a lane",
        f"as much as those of {PACKED.operands['A'].format.bits}-bit float; the names",
        "Passing 0 for a scale of 1",
        f"A scale is an exponent: {byte} stands for 1.",
        f"A compute unit has {GPU.matrix_cores_per_cu} of them",
        f'``a{register}`` is {WAVE} registers, one in each lane. "D[13][7] is in ``a{register}``"',
        "Taking bfloat16 for 16-bit float",
        f"On gfx908 a lane holds {PACKED.operands['A'].elements_per_lane} elements of 16-bit "
        f"float, but only {BF16.operands['A'].elements_per_lane} of bfloat16.",
        f"K is {PACKED.k} in ``{PACKED.mnemonic}`` and {BF16.k} in ``{BF16.mnemonic}``",
        f"takes all {WAVE} lanes",
    ]


def glossary() -> list[str]:
    return [
        r"2\ cbsz blocks share one block",
        f"index, {guide_later.PER_SCALE} share a factor",
        f"A power of two that {guide_later.PER_SCALE} k of a row of A",
        f"narrower than {REGISTER_BITS} bits",
        f"A unit of time of the matrix core: {CYCLES_PER_PASS} cycles",
        f"{REGISTER_BITS} bits for each lane",
        f"execute an instruction together: {WAVE} on CDNA",
    ]


def nothing() -> list[str]:
    return []


STATEMENTS: dict[str, Callable[[], list[str]]] = {
    "index": index,
    "layouts": layouts,
    "figures": figures,
    "example": example,
    "code": code,
    "modifiers": modifiers,
    "formats": guide_later.formats,
    "sparse": guide_later.sparse,
    "scaled": guide_later.scaled,
    "mistakes": mistakes,
    "your-pages": nothing,
    "glossary": glossary,
}


def prose(page: str) -> str:
    """Return the page's text and formulas on one line, without code, options and names."""
    text = (ROOT / "docs" / "guide" / f"{page}.rst").read_text("utf-8")
    text = re.sub(r"(?ms)^( *)\.\. (?:code-block|literalinclude)::.*?(?=^\1\S|\Z)", "", text)
    text = re.sub(r"(?ms)^ *>>> .*?^$", "", text)
    text = re.sub(
        r"(?m)^ +:(?!alt:)[a-z-]+:.*$|^ *\.\. (figure|image|layout-[a-z]+)::.*$|^\.\. _.*$",
        "",
        text,
    )
    text = re.sub(r":[a-z]+:`([^`<]+?)(?: <[^`]*>)?`", r"\1", text)
    text = re.sub(r"\\text\{(.*?)\}", r"\1", text)
    text = re.sub(r"\\\\$|&|\\quad|\\(?=frac)", "", text, flags=re.MULTILINE)
    text = text.replace(r"\cdot", "·").replace(r"\Rightarrow", " ⇒ ").replace(r",\ ", ", ")
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize("page", STATEMENTS)
def test_every_number_on_the_page_is_computed(page: str) -> None:
    text, statements = prose(page), STATEMENTS[page]()
    assert [s for s in statements if s not in text] == []
    for statement in sorted(statements, key=len, reverse=True):
        text = text.replace(statement, "…")
    text = re.sub(r"``(v_\w+|v\d|a[015]|a21)``", "", text)  # names
    assert re.findall(r".{0,40}(?<![\w.])\d+(?!\w).{0,40}", text) == []


def test_every_page_of_the_guide_is_checked() -> None:
    assert {page.stem for page in (ROOT / "docs" / "guide").glob("*.rst")} == {*STATEMENTS}
