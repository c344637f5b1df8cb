"""The context of the page that tells what was proved, from the recorded validations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from layoutgen import proofs
from layoutgen.pages.rst import Rst, code, list_table, merge

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from layoutgen.model import Architecture

LEGS = {
    "L0": "Registers and types",
    "L1": "The map",
    "L2": "Labels",
    "L3": "End to end",
}
ARTEFACTS = {
    "emulator": "the emulator",
    "interface": "the Python interface",
    "json": "tables as JSON",
    "rst": "pages",
    "svg": "figures",
}


def context(archs: Sequence[Architecture]) -> dict[str, object] | None:
    """Return what the template ``how-we-know`` needs; None if nothing is recorded."""
    recorded = [(arch, proofs.record(arch.name)) for arch in archs if proofs.record(arch.name)]
    if not recorded:
        return None
    return {
        "recorded": [
            {"arch": arch, "counts": _counts(record), "instructions": _instructions(record)}
            for arch, record in recorded
        ],
        "gaps": [gap for arch, record in recorded for gap in _gaps(arch, record)],
        "witnesses": _witnesses(record for _, record in recorded),
        "faults": _faults(proofs.mutants()),
    }


def _faults(record: Mapping[str, Any]) -> dict[str, object] | None:
    """Return how many faults were made, in how many instructions, and what became of them."""
    if not record:
        return None
    return {
        "total": sum(row["mutants"] for row in record["kinds"]),
        "kinds": len(record["kinds"]),
        "instructions": record["instructions"],
        "table": _mutants(record),
    }


def _counts(record: Mapping[str, Any]) -> Rst:
    rows = []
    for leg, title in LEGS.items():
        for artefact, name in ARTEFACTS.items():
            told = [
                f"{count['number']:,} {count['what']}".replace(",", "\u202f")
                for count in record["counts"]
                if (count["leg"], count["artefact"]) == (leg, artefact)
            ]
            if told:
                rows.append((f"{leg} {title}", name, merge(told)))
    return list_table(("Leg", "What was read", "Compared"), rows, "", "layout-proof")


def _instructions(record: Mapping[str, Any]) -> Rst:
    rows = [
        (
            code(mnemonic),
            entry["sizes"],
            str(entry["settings"]),
            str(entry["products"]),
            str(entry["labels"]) if entry["labels"] else "none",
            merge(entry["witnesses"]) if entry["witnesses"] else "none",
        )
        for mnemonic, entry in record["instructions"].items()
    ]
    header = ("Instruction", "Derived", "Settings", "Products", "Labels", "Witnesses")
    return list_table(header, rows, "", "layout-proof")


def _gaps(arch: Architecture, record: Mapping[str, Any]) -> list[Rst]:
    return [
        Rst(f"{code(mnemonic)} on {arch.name}: {merge(entry['unwitnessed'])}")
        for mnemonic, entry in record["instructions"].items()
        if entry["unwitnessed"]
    ]


def _witnesses(records: Any) -> Rst:
    found = {w["tool"]: w for record in records for w in record["witnesses"]}
    rows = [(w["tool"], w["version"], w["date"]) for w in found.values()]
    return list_table(("Tool", "Version", "Asked on"), rows, "", "layout-proof")


def _mutants(record: Mapping[str, Any]) -> Rst:
    rows = []
    for row in record["kinds"]:
        told = [str(row["mutants"])]
        if "killed" in row:
            told += [str(row[key]) for key in ("equivalent", "undecided", "killed")]
            legs = ", ".join("refused" if leg == "spec" else leg for leg in row["by"]) or "none"
        else:
            told += ["", "", "all that differ"]
            legs = "L0, L1 or L2"
        rows.append((row["kind"], *told, legs))
    header = ("Kind of fault", "Made", "Change nothing", "Undecided", "Noticed", "By")
    return list_table(header, rows, "", "layout-proof")
