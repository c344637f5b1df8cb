"""JSON Schemas: up to date, right for the specifications, and as strict as the reader."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from layoutgen.model import UnknownName
from layoutgen.spec.catalogue import builtin_dir
from layoutgen.spec.export import json_schema, schema_kinds, schema_text

SPECS = sorted(builtin_dir().glob("*.yaml"))


@pytest.mark.parametrize("kind", schema_kinds())
def test_the_schema_file_is_up_to_date(kind):
    path = builtin_dir() / "schema" / f"{kind}.json"
    assert path.read_text(encoding="utf-8") == schema_text(kind)


@pytest.mark.parametrize("kind", schema_kinds())
def test_a_schema_is_valid_says_its_draft_and_describes_itself(kind):
    schema = json_schema(kind)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"].endswith(f":{kind}")
    assert schema["title"]
    assert schema["description"]
    assert kind in schema["required"]


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.name)
def test_every_specification_names_and_satisfies_its_schema(path):
    text = path.read_text(encoding="utf-8")
    first, _, _ = text.partition("\n")
    schema = path.parent / first.removeprefix("# yaml-language-server: $schema=")
    validator = jsonschema.Draft202012Validator(json.loads(schema.read_text(encoding="utf-8")))
    validator.validate(yaml.safe_load(text))


@pytest.mark.parametrize(
    "data",
    [
        {"formats": {}, "other": 1},
        {"formats": {"F32": {}}},
        {"formats": {"f32": {"title": "FP32"}}},
        {"formats": {"f32": None}},
        {"sources": {"a": {"title": "A", "url": None}}},
        {"sources": {"a": {"title": 5}}},
    ],
)
def test_a_schema_refuses_what_the_reader_refuses(data):
    validator = jsonschema.Draft202012Validator(json_schema(next(iter(data))))
    assert not validator.is_valid(data)


def test_an_unknown_kind_offers_the_nearest():
    with pytest.raises(UnknownName, match="no schema 'tiles'; nearest: tile"):
        json_schema("tiles")


def test_there_is_a_schema_file_for_every_kind_and_no_other():
    files = {path.stem for path in Path(builtin_dir() / "schema").iterdir()}
    assert files == set(schema_kinds())
