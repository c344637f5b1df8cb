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


WITH_TABLES = [(arch, False) for arch in ARCHS.values()] + [(ARCHS["gfx908"], True)]


@pytest.mark.parametrize(("arch", "tables"), WITH_TABLES, ids=lambda v: getattr(v, "name", v))
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


def test_formats_that_modifiers_choose_have_layouts_of_their_own() -> None:
    arch = ARCHS["gfx950"]
    inst = arch["v_mfma_scale_f32_16x16x128_f8f6f4"]
    (entry,) = architecture_document(arch, [inst], tables=True)["instructions"]
    assert entry["formats_by_code"]["B"] == ["fp8", "bf8", "fp6", "bf6", "fp4"]
    for name, field in (("A", "cbsz"), ("B", "blgp")):
        for code, found in enumerate(entry["operands"][name]["by_code"]):
            operand = inst.operand(name, **{field: code})
            assert (found["type"], found["registers"]) == (operand.format.name, operand.registers)
            assert found["rows"] == operand.table().tolist()
    assert "by_code" not in entry["operands"]["scale_a"]


def test_operands_as_read_under_modifiers() -> None:
    arch = ARCHS["gfx942"]
    inst = arch["v_smfmac_f32_16x16x32_f16"]
    document = architecture_document(arch, [inst], tables=True, modifiers={"abid": 2})
    (entry,) = document["instructions"]
    assert entry["operands"]["index"]["rows"] == inst.operand("index", abid=2).table().tolist()
    assert entry["operands"]["index"]["layout"]["fixed"] == {"set": 2}
    several = arch["v_mfma_f32_16x16x4_4b_f16"]
    document = architecture_document(arch, [several], modifiers={"cbsz": 1})
    assert list(Draft202012Validator(SCHEMA).iter_errors(document)) == []
    assert document["instructions"][0]["operands"]["A"]["cute"] is None, "other lanes are read"


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
