"""``layoutgen schema``: JSON Schemas, and the bundle that takes a file of any kind."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest
import yaml

SPECS = Path(__file__).parents[2] / "specs"
FILES = sorted(SPECS.glob("*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_bundle_takes_every_specification(ask, path: Path) -> None:
    bundle = ask("schema").json
    validator = jsonschema.Draft202012Validator(bundle)
    validator.check_schema(bundle)
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert list(validator.iter_errors(data)) == []
    assert list(validator.iter_errors({**data, "colour": "red"})) != []


def test_each_kind_has_a_schema_of_its_own(ask) -> None:
    kinds = {next(iter(yaml.safe_load(path.read_text(encoding="utf-8")))) for path in FILES}
    for kind in kinds:
        assert ask(f"schema {kind}").json["title"] == f"layoutgen specification: {kind}"


def test_a_folder_gets_all_of_them(ask, tmp_path: Path) -> None:
    assert ask("schema -o", tmp_path).out == ""
    for path in tmp_path.iterdir():
        assert path.read_text(encoding="utf-8") == ask(f"schema {path.stem}").out
    assert len(list(tmp_path.iterdir())) == 6
