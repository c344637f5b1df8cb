"""Sentences of shared pages that state facts, as far as they concern one instruction."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from layoutgen import emulator
from layoutgen.validate import prose
from layoutgen.validate.artefacts import rst
from layoutgen.validate.artefacts.formula import parse
from layoutgen.validate.setting import Modifiers
from layoutgen.validate.shared_base import Shared
from layoutgen.validate.truth import TITLES
from layoutgen.validate.words import NUMBER, names, number, numbers, span

N = f"({NUMBER})"
Reader = Callable[[Shared, re.Match[str], rst.Paragraph], None]


def read(page: Shared, part: rst.Paragraph) -> None:
    """Take what a paragraph states of the instruction."""
    for pattern, reader in _PATTERNS:
        for match in pattern.finditer(part.text):
            reader(page, match, part)


def unread(text: str) -> list[str]:
    """Return the sentences of a paragraph with numbers that no pattern reads."""
    rest = text
    for pattern, _ in _PATTERNS:
        rest = pattern.sub("", rest)
    return prose.stated(rest, "")[1]


def _count_of_target(page: Shared, match: re.Match[str], part: rst.Paragraph) -> None:
    if match[1] == page.subject.arch:
        arch = page.subject.arch
        every = (emulator.instruction(arch, m) for m in emulator.mnemonics(arch))
        wanted = sum(not one.sparse and one.cbsz_role != "format" for one in every)
        if number(match[2]) != wanted:
            against = f"the emulator knows {wanted}"
            page.find(part.line, "number of builtins", f"says {match[2]}", against)


def _held(page: Shared, match: re.Match[str], part: rst.Paragraph) -> None:
    """``a lane holds 1 FP32, 4 FP16, … elements of A``."""
    title = TITLES[page.subject.formats["A"]]
    for count, name in re.findall(rf"{N} (\w+)", match[1]):
        if name == title:
            page.claim("A.elements", number(count), part.line)


def _held_as(page: Shared, match: re.Match[str], part: rst.Paragraph) -> None:
    """``A lane holds four FP16 elements of A and as many of B, as v4half``."""
    if match[2] == TITLES[page.subject.formats["A"]]:
        page.claim("A.elements", number(match[1]), part.line)
        page.claim("A.c_type", match[3], part.line)
        page.claim("B.c_type", match[3], part.line)


def _tile(page: Shared, match: re.Match[str], part: rst.Paragraph) -> None:
    """``four builtins of two blocks (32 accVGPRs per lane)``, below the heading of a tile."""
    if not page.of_tile(part.section) or number(match[2]) != page.subject.geometry.blocks:
        return
    page.claim("D.registers", number(match[3]), part.line)
    record = page.subject.record
    every = (
        emulator.instruction(page.subject.arch, m) for m in emulator.mnemonics(page.subject.arch)
    )
    key = (record.m, record.n, record.blocks)
    alike = sum((one.m, one.n, one.blocks) == key for one in every)
    if number(match[1]) != alike:
        against = f"the emulator knows {alike}"
        page.find(part.line, "number of builtins", f"says {match[1]}", against)


def _variant(page: Shared, match: re.Match[str], part: rst.Paragraph) -> None:
    """``Two blocks: …``, with links to the builtins."""
    if page.slug in part.links:
        page.claim("blocks", number(match[1]), part.line)


def _result(page: Shared, match: re.Match[str], part: rst.Paragraph) -> None:
    """``The result is a v32float or v32int``: one of them is this instruction's."""
    if page.slug in part.links:
        listed = names(match[1])
        kind = {"f32": "float", "i32": "int", "f64": "double"}[page.subject.formats["D"]]
        mine = [name for name in listed if name.endswith(kind)]
        page.claim("D.c_type", mine[0] if mine else match[1], part.line)


def _only_block(page: Shared, match: re.Match[str], part: rst.Paragraph) -> None:
    if page.slug in part.links:
        page.claim("D.registers", number(match[2]), part.line)


def _other_block(page: Shared, match: re.Match[str], part: rst.Paragraph) -> None:
    """``block 1 in accVGPRs 16–31``."""
    if not page.of_tile(part.section):
        return
    rows, block, told = page.base["D"].rows, int(match[1]), span(match[2])
    found = set(rows[rows[:, 0] == block, 4].tolist())
    if found and found != set(told):
        against = f"it lies in registers {min(found)}–{max(found)}"
        page.find(part.line, f"block {block} of D", f"says {match[2]}", against)


def _lanes_of_block(page: Shared, match: re.Match[str], part: rst.Paragraph) -> None:
    """``Block b lies in lanes 4·b to 4·b + 3``."""
    if not page.of_tile(part.section):
        return
    first, last = parse(match[1]), parse(match[2])
    rows = page.base["D"].rows
    for block in np.unique(rows[:, 0]).tolist():
        lanes = rows[rows[:, 0] == block, 3]
        told = (first({"b": block}), last({"b": block}))
        if told != (lanes.min(), lanes.max()):
            says = f"says lanes {told[0]} to {told[1]}"
            against = f"it lies in lanes {lanes.min()} to {lanes.max()}"
            page.find(part.line, f"block {block} of D", says, against)


def _listed(page: Shared, match: re.Match[str], part: rst.Paragraph) -> None:
    """All instructions of a number of blocks, below a heading that tells it."""
    blocks = re.search(rf"of {N} blocks?", part.section[-1])
    if blocks is None:
        return
    listed = page.subject.mnemonic in names(match[1])
    if listed != (number(blocks[1]) == page.subject.geometry.blocks):
        says = "lists it" if listed else "does not list it"
        against = f"it has {page.subject.geometry.blocks} blocks"
        page.find(part.line, part.section[-1], says, against)


def _element(page: Shared, match: re.Match[str], part: rst.Paragraph) -> None:
    """An example of D below the heading of a tile, for the form with most blocks."""
    pairs = dict(pair.split(" = ") for pair in match["element"].split(", "))
    mine = page.of_tile(part.section) and set(pairs) == {"b", "i", "j"}
    if not mine or int(pairs["b"]) >= page.subject.geometry.blocks:
        return
    wanted = [int(pairs[name]) for name in "bij"]
    rows = page.base["D"].rows
    found = rows[(rows[:, :3] == wanted).all(axis=1), 3:].tolist()
    if prose.example_slot(match) not in found:
        against = f"its lane, register, bit and width are {found}"
        page.find(part.line, "example of D", match[0], against)


def _broadcast(page: Shared, match: re.Match[str], part: rst.Paragraph) -> None:
    """An example of cbsz and abid."""
    if match[1] != page.subject.mnemonic:
        return
    source = numbers(match[4])
    page.under_blocks({Modifiers(int(match[2]), int(match[3])): (source, part.line)}, "example")
    b, i, k, lies, reads, lives = (int(match[n]) for n in range(5, 11))
    rows = page.base["A"].rows
    for block, lane in ((b, lies), (lives, reads)):
        mine = rows[(rows[:, :3] == [block, i, k]).all(axis=1)]
        if source[b] != lives or lane not in mine[:, 3].tolist():
            against = f"A[b={block}, i={i}, k={k}] lies elsewhere"
            page.find(part.line, "example", match[0], against)


def _pattern(page: Shared, match: re.Match[str], part: rst.Paragraph) -> None:
    """An example of blgp: where an element lies, what is read for it, and what lies there."""
    if match[1] != page.subject.mnemonic:
        return
    code, b, k, j, lies, reads, *first = (int(match[n]) for n in range(2, 11))
    rows = page.base["B"].rows
    mine = rows[(rows[:, :3] == [b, k, j]).all(axis=1), 3].tolist()
    there = rows[(rows[:, 3] == reads) & (rows[:, 4] == 0) & (rows[:, 5] == 0), :3].tolist()
    table = page.lanes.get(Modifiers(blgp=code), {})
    if lies not in mine or table.get(lies) != reads or first not in there:
        against = f"it lies in lane {mine}, reads lane {table.get(lies)}, where {there} lies"
        page.find(part.line, "example", match[0], against)


def _cores(page: Shared, match: re.Match[str], part: rst.Paragraph) -> None:
    if match[1] == page.subject.arch:
        page.claim("matrix cores", number(match[2]), part.line)


def _nothing(page: Shared, match: re.Match[str], part: rst.Paragraph) -> None:
    """Sources, and words of introduction, state no fact of a layout."""


_LISTS: tuple[tuple[str, Reader], ...] = (
    (rf"(gfx\w+) has {N} dense MFMA builtins\.", _count_of_target),
    (r"a lane holds ((?:\d+ \w+(?:, | and )?)+) elements of A, and as many of B\.", _held),
    (rf"A lane holds {N} (\w+) elements? of A and as many of B, as (\w+)\.", _held_as),
    (rf"{N} builtins? of {N} blocks? \({N} accVGPRs? per lane\)", _tile),
    (rf"^{N} blocks?: (?:mfma_\w+(?:, | and |\. ))+", _variant),
    (r"The result is an? (\w+(?: or \w+)*)\.", _result),
    (
        rf"Its block lies as block 0 of the form with {N} blocks? does, in {N} accVGPRs? of each "
        "lane;",
        _only_block,
    ),
    (r"block (\d+) in (?:acc)?VGPRs (\d+(?:–\d+)?)[;.]", _other_block),
    (r"Block b lies in lanes ([^.]*?) to ([^.]*?)\.", _lanes_of_block),
    (r"These are ((?:v_\w+(?:, | and )?)+)\.", _listed),
    (r"((?:v_\w+(?:, | and )?)+) have one block\.", _listed),
    (prose.EXAMPLE.pattern, _element),
    (
        r"(v_\w+) with cbsz (\d+) and abid (\d+): blocks 0 to \d+ read blocks ([\d, ]+) of A\. "
        r"The element b = (\d+), i = (\d+), k = (\d+) lies in lane (\d+); "
        r"the multiplier reads lane (\d+) for it, where b = (\d+) lies\.",
        _broadcast,
    ),
    (
        r"(v_\w+) with blgp (\d+): the element b = (\d+), k = (\d+), j = (\d+) of B lies in lane "
        r"(\d+); the multiplier reads lane (\d+) for it, whose first item is "
        r"b = (\d+), k = (\d+), j = (\d+)\.",
        _pattern,
    ),
    (rf"A compute unit \(CU\) of (gfx\w+) has {N} matrix cores?\.", _cores),
    (r"(?:Sources|Says): .*", _nothing),
    (r"How well this is known: .*", _nothing),
)
_PATTERNS = tuple((re.compile(pattern, re.IGNORECASE), reader) for pattern, reader in _LISTS)
