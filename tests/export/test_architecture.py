"""JSON of a whole architecture: follows its schema, and holds the layouts."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from layoutgen import archs
from layoutgen.digits import Digit, Layout
from layoutgen.export.architecture import architecture_document, dumps, schema_text
from layoutgen.model import Architecture

ARCHS = archs()
SCHEMA = json.loads(schema_text())
every_arch = pytest.mark.parametrize("arch", ARCHS.values(), ids=list(ARCHS))


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@every_arch
@pytest.mark.parametrize("tables", [False, True])
def test_the_document_follows_the_schema_and_its_text_is_the_document(
    arch: Architecture, tables: bool
) -> None:
    document = architecture_document(arch, tables=tables)
    assert list(Draft202012Validator(SCHEMA).iter_errors(document)) == []
    assert json.loads(dumps(document)) == document


@every_arch
def test_the_digits_make_the_layout_again(arch: Architecture) -> None:
    document = architecture_document(arch, tables=True)
    assert [entry["instruction"] for entry in document["instructions"]] == list(arch)
    for entry in document["instructions"]:
        for name, found in entry["operands"].items():
            operand = arch[entry["instruction"]].operands[name]
            cut = found["layout"]

            def digits(listed: list[dict[str, object]]) -> tuple[Digit, ...]:
                return tuple(Digit(str(d["digit"]), int(str(d["size"]))) for d in listed)

            layout = Layout(
                {c: digits(listed) for c, listed in cut["coordinates"].items()},
                digits(cut["lane"]),
                digits(cut["item"]),
                cut["fixed"],
            )
            assert layout == operand.layout
            assert found["columns"] == list(operand.columns)
            assert found["rows"] == operand.table().tolist()


@every_arch
def test_what_is_referred_to_is_there(arch: Architecture) -> None:
    document = architecture_document(arch)
    disagreements = {d["id"] for d in document["disagreements"]}
    for entry in document["instructions"]:
        assert set(entry["disagreements"]) <= disagreements
        assert set(entry["provenance"]) == set(entry["operands"])
        for provenance in entry["provenance"].values():
            assert set(provenance["sources"]) <= set(document["sources"])


def test_instructions_and_operands_can_be_chosen() -> None:
    arch = ARCHS["gfx908"]
    inst = arch["v_mfma_f32_4x4x1f32"]
    (only,) = architecture_document(arch, [inst], operands=["D"])["instructions"]
    assert only["instruction"] == "v_mfma_f32_4x4x1f32"
    assert set(only["operands"]) == {"D"}


def test_a_row_stands_on_one_line_and_a_person_can_read_the_rest() -> None:
    arch = ARCHS["gfx908"]
    inst = arch["v_mfma_f32_4x4x1f32"]
    lines = dumps(architecture_document(arch, [inst], tables=True)).splitlines()
    assert [line.strip() for line in lines].count("[15, 3, 3, 63, 3, 0, 32]") == 2  # C and D
    assert '"aliases": ["cdna1", "mi100"],' in (line.strip() for line in lines)


def test_an_architecture_with_sizes_of_three_has_no_bases() -> None:
    arch = ARCHS["gfx908"]
    inst = arch["v_mfma_f32_4x4x1f32"]
    row = Digit("row", 3)
    operand = type(inst.operands["A"])(
        "A",
        inst.operands["A"].format,
        Layout({"b": (), "i": (row,)}, (row,), ()),
        inst.operands["A"].provenance,
    )
    odd = type(inst)(**{**vars(inst), "operands": {**inst.operands, "A": operand}})
    (entry,) = architecture_document(arch, [odd])["instructions"]
    assert entry["operands"]["A"]["linear_layout"] is None
    assert entry["operands"]["A"]["cute"] == "(3,1):(1,0)"
