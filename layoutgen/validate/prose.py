"""Sentences of a page that state facts, as claims.

Each pattern names the fields of its groups; a field may hold ``{operand}``, which the sentence
itself or its section names.  A sentence with numbers that no pattern reads is reported as unread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from layoutgen.validate.codes import REGISTER_BITS
from layoutgen.validate.evidence import Value
from layoutgen.validate.words import NUMBER, has_number, number, span

N = f"({NUMBER})"
_X = r"(\d+)×(\d+)"


@dataclass(frozen=True)
class Stated:
    """A fact that a sentence states."""

    field: str
    value: Value


_PATTERNS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        rf"Multiplies A \({_X}, (\w+)\) by B \({_X}, (\w+)\) and adds the product to C "
        rf"\({_X}, (\w+)\)(?:, in each of {N} blocks)?\.",
        ("A.rows", "A.columns", "A.title", "B.rows", "B.columns", "B.title", "C.rows",
         "C.columns", "C.title", "blocks"),
    ),
    (
        rf"(?:In each of )?{N} blocks?, for every row i below {N} and every column j below {N}:",
        ("blocks", "m", "n"),
    ),
    (rf"(?:In )?{N} block, for every row i below {N} and every column j below {N}:",
     ("blocks", "m", "n")),
    (rf"For every row i below {N} and every column j below {N}:", ("m", "n")),
    (
        rf"(?:\*?A|A) has {N} rows? and {N} columns? in each block\.",
        ("A.rows", "A.columns"),
    ),
    (rf"B has {N} rows? and {N} columns? in each block\.", ("B.rows", "B.columns")),
    (rf"A has {N} rows? and {N} columns?\.", ("A.rows", "A.columns")),
    (rf"B has {N} rows? and {N} columns?\.", ("B.rows", "B.columns")),
    (
        rf"C and D have {N} rows? and {N} columns? in each block, and lie alike\.",
        ("D.rows", "D.columns"),
    ),
    (rf"C and D have {N} rows? and {N} columns?, and lie alike\.", ("D.rows", "D.columns")),
    (
        rf"A lane holds {N} (?:elements?|index pairs?|scales?)[^.]*, in {N} (?:acc)?VGPRs?\.",
        ("{operand}.elements", "{operand}.registers"),
    ),
    (rf"Together there are {N} legal combinations of [a-z_, ]+\.", ("combinations",)),
    (r"The instruction has one block, so [^.]*: cbsz and abid must be 0\.", ()),
    (r"With one k this is an outer product\.", ()),
    (r"cbsz and abid must be 0[^.]*\.", ()),
    (r"Sources disagree about cbsz ([\d, and]+) on this instruction\.", ("disputed cbsz",)),
    (r"[ABCD, and]+: (?:run on silicon|used by a compiler|document only) \(.*\)\.", ()),
    (r"Sources: .*", ()),
)  # fmt: skip
_COMPILED = tuple((re.compile(pattern), fields) for pattern, fields in _PATTERNS)
_SENTENCE = re.compile(r"(?<=[.:])\s+(?=[A-Z*])")


def stated(text: str, operand: str) -> tuple[list[Stated], list[str]]:
    """Return the facts that a paragraph states, and its sentences with numbers left unread."""
    facts: list[Stated] = []
    unread = []
    for sentence in _SENTENCE.split(text):
        for pattern, fields in _COMPILED:
            if match := pattern.fullmatch(sentence.strip()):
                facts += _facts(match, fields, operand)
                break
        else:
            if has_number(sentence):
                unread.append(sentence)
    return facts, unread


def _facts(match: re.Match[str], fields: tuple[str, ...], operand: str) -> Iterator[Stated]:
    for field, text in zip(fields, match.groups(), strict=True):
        name = field.format(operand=operand)
        if text is not None and field == "disputed cbsz":
            yield Stated(name, tuple(int(word) for word in re.findall(r"\d+", text)))
        elif text is not None:
            yield Stated(name, text if field.endswith("title") else number(text))
        elif field == "blocks":
            yield Stated(name, 1)


EXAMPLE = re.compile(
    r"(?:For example, )?(?:the )?(?:element|index pair|scale) "
    r"(?P<element>(?:(?:[bijk]|group) = \d+(?:, )?)+) "
    r"lies in lane (?P<lane>\d+), "
    r"(?:acc)?VGPR (?P<register>\d+)(?:, bits (?P<bits>\d+–\d+))?"
    r"(?: and (?:acc)?VGPR (?P<more>\d+)(?:, bits 0–(?P<last>\d+))?)?\."
)
"""``the element b = 1, i = 20, k = 2 lies in lane 52, VGPR 1, bits 0–15.``"""


def example_slot(match: re.Match[str]) -> list[int]:
    """Return lane, register, bit and width as an example has them; no parts that do not meet."""
    register = int(match["register"])
    bits = span(match["bits"]) if match["bits"] else range(REGISTER_BITS)
    width = len(bits)
    if match["more"]:
        if (int(match["more"]), bits.stop) != (register + 1, REGISTER_BITS):
            return []
        width += int(match["last"]) + 1 if match["last"] else REGISTER_BITS
    return [int(match["lane"]), register, bits.start, width]
