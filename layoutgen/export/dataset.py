"""Everything about an instruction in one JSON file: its facts, and the table of every operand.

``tables/gfx908/f32-32x32x1f32.json`` has the document of ``layoutgen show`` under `facts`, and
under `tables` those of ``layoutgen table``: each operand as laid out, and once more for every
setting of the modifiers that act on it: A for every cbsz and abid, say, B for every blgp.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

from layoutgen.export import documents
from layoutgen.modifiers import NAMES

if TYPE_CHECKING:
    from layoutgen.model import Architecture, Instruction, Operand

FOLDER = "tables"
MANIFEST = f"{FOLDER}/.layoutgen.json"


def files(archs: Iterable[Architecture]) -> dict[str, bytes]:
    """Return the files of all instructions by their paths below the output folder."""
    return {
        f"{FOLDER}/{arch.name}/{inst.slug}.json": dumps(arch, inst).encode()
        for arch in archs
        for inst in arch.values()
    }


def readings(inst: Instruction) -> Iterator[Operand]:
    """Yield every operand under every setting of the modifiers that it is read by."""
    for name in inst.operands:
        others = [field for field in NAMES if field not in inst.rules.fields_for(name)]
        for modifiers in inst.rules.combinations():
            given = asdict(modifiers)
            if not any(given[field] for field in others):
                yield inst.operand(name, **given)


def dumps(arch: Architecture, inst: Instruction) -> str:
    """Return the file of one instruction: every row of a table on one line."""
    facts = json.dumps(documents.instruction(arch, inst), ensure_ascii=False)
    tables = ",\n".join(
        documents.dumps(documents.table(arch, inst, operand)).rstrip("\n")
        for operand in readings(inst)
    )
    head = f'"schema_version": {documents.SCHEMA_VERSION}, "arch": "{arch.name}", '
    head += f'"instruction": "{inst.mnemonic}"'
    return f'{{{head},\n"facts": {facts},\n"tables": [\n{tables}\n]}}\n'
