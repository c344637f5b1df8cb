"""What pages about several instructions say of one of them: the architecture's page, and that
of the common parameters.

Only what concerns the instruction is taken: rows that lead to its page or name it, tables for
its number of blocks or its tile, formulas below a paragraph that leads to it, sentences.
"""

from __future__ import annotations

import re

from layoutgen.validate import shared_prose, shared_tables
from layoutgen.validate.artefacts import rst
from layoutgen.validate.artefacts.formula import equations, parse
from layoutgen.validate.evaluated import Printed, forward, inverse
from layoutgen.validate.evidence import Evidence, TableSet
from layoutgen.validate.setting import Modifiers
from layoutgen.validate.shared_base import KIND, Shared
from layoutgen.validate.subject import Subject

_GROUP = "2^{\\text{cbsz}}"
# Quantities that are given as formulas, and the facts that they give. The peak is that of one
# operation in a cycle of each core, in one CU at one hertz.
_QUANTITIES = {
    "blocks": "blocks",
    "accVGPRs per lane": "D.registers",
    "VGPRs per lane": "D.registers",
    "peak": "matrix cores",
}


def read(subject: Subject, page: rst.Page, slug: str, own: TableSet) -> Evidence:
    """Return what a shared page says of the instruction.

    `slug` is the name of the instruction's own page, `own` the tables of its operands, which
    are checked by themselves: tables under modifiers are made from them.
    """
    shared = Shared(subject, page, slug, own.tables, modified=own.modified)
    section: tuple[str, ...] = ()
    for part in page.parts:
        if part.section != section:
            section, shared.links, shared.operand = part.section, (), ""
        try:
            _part(shared, part)
        except (ValueError, LookupError, TypeError, ArithmeticError) as error:
            shared.find(part.line, "content", "cannot be read", str(error))
    return Evidence(tuple(shared.sets), tuple(shared.claims), tuple(shared.findings))


def formula_is_read(part: rst.Formula) -> bool:
    """Tell whether some check reads a formula of a shared page."""
    found = set(equations(part.latex))
    return _GROUP in part.latex or bool({"lane", "i", "j", "k", *_QUANTITIES} & found)


def _part(page: Shared, part: rst.Part) -> None:
    match part:
        case rst.Figure():
            if named := re.match(r"([AB]) of (v_\w+)", part.caption):
                page.operand = named[1]
                mine = named[2] == page.subject.mnemonic
                page.links = (page.slug,) if mine else ("other",)
        case rst.Request():
            page.operand = part.options.get("operand", "")
            mine = (f"{page.subject.arch}.{page.subject.mnemonic}") == part.instruction
            page.links = (page.slug,) if mine else ("other",)
        case rst.Paragraph():
            page.links = part.links or page.links
            shared_prose.read(page, part)
        case rst.Formula():
            _formula(page, part)
        case rst.Table():
            for reader in shared_tables.readers(part):
                reader(page, part)


def _formula(page: Shared, part: rst.Formula) -> None:
    found = {name: text for name, (text, _) in equations(part.latex).items()}
    if _GROUP in part.latex:
        _groups(page, part)
    elif quantity := next((name for name in found if name in _QUANTITIES), None):
        _quantity(page, part, quantity, found[quantity])
    elif page.subject.record.cbsz_role == "format":
        pass  # the order of k depends on the format: read on the page of the instruction
    elif page.slug in page.links and {"lane", "i", "j", "k"} & set(found):
        make = forward if "lane" in found else inverse
        printed = Printed(found, page.page.where(part.line))
        operand = page.operand or "D"
        page.add("formulas", {operand: make(page.subject, operand, printed, KIND)})


def _quantity(page: Shared, part: rst.Formula, name: str, text: str) -> None:
    """Blocks, registers and rates as formulas of M, N, K, and e elements of A in a lane."""
    sizes = page.subject.geometry
    values = {
        "M": sizes.m, "N": sizes.n, "K": sizes.stored, "blocks": sizes.blocks,
        "e": page.subject.slots("A") // 64, "ops": 1, "cycles": 1, "CUs": 1, "clock": 1,
        "w": page.subject.widths["D"],
    }  # fmt: skip
    page.claim(_QUANTITIES[name], int(parse(text, exact=True)(values)), part.line)


def _groups(page: Shared, part: rst.Formula) -> None:
    """``s(b)``, the block of A that block b reads, for every cbsz and abid."""
    if page.subject.record.cbsz_role != "broadcast":
        return
    if not part.latex.replace(" ", "").startswith("s(b)="):
        return
    function = parse(part.latex.partition("=")[2].replace(_GROUP, " group "))
    maps = {}
    for cbsz, abid in sorted({(s.cbsz, s.abid) for s in page.subject.settings}):
        blocks = range(page.subject.geometry.blocks)
        source = tuple(function({"group": 2**cbsz, "b": b, "abid": abid}) for b in blocks)
        maps[Modifiers(cbsz=cbsz, abid=abid)] = (source, part.line)
    page.under_blocks(maps, "formula")
