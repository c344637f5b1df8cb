"""``layoutgen schema``: the JSON Schema of specification files."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from layoutgen.cli.errors import Fault
from layoutgen.cli.output import emit, write
from layoutgen.cli.parser import Parser, add_output
from layoutgen.spec.export import ID, json_schema, schema_kinds, schema_text

DESCRIPTION = """\
Print the JSON Schema (draft 2020-12) of specification files, for editors and other checkers.

KIND is the first key of the file; without it, the schema takes a file of any kind.  With a folder
as FILE and no KIND, the schema of each kind is written there as KIND.json."""
EXAMPLES = """\
  layoutgen schema
  layoutgen schema tile
  layoutgen schema architecture -o architecture.json"""


def configure(parser: Parser) -> None:
    """Add the arguments of ``schema``."""
    kinds = schema_kinds()
    parser.add_argument("kind", metavar="KIND", nargs="?", choices=kinds, help=", ".join(kinds))
    add_output(parser)


def run(options: argparse.Namespace) -> int:
    """Print the schema."""
    if options.kind:
        emit(options, schema_text(options.kind))
    elif options.output is not None and options.output.is_dir():
        files = {kind: options.output / f"{kind}.json" for kind in schema_kinds()}
        for file in files.values():
            _refuse_foreign(file)
        for kind, file in files.items():
            write(file, schema_text(kind).encode())
    else:
        emit(options, _any_kind())
    return 0


def _refuse_foreign(file: Path) -> None:
    """Refuse to write over a file that is no schema of ours: nobody has named it."""
    if file.is_file() and ID not in file.read_text("utf-8", "replace"):
        raise Fault(f"{file} would be overwritten, and it is no schema of layoutgen: move it away")


def _any_kind() -> str:
    bundle = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": ID,
        "title": "layoutgen specification",
        "oneOf": [json_schema(kind) for kind in schema_kinds()],
    }
    return json.dumps(bundle, indent=2, ensure_ascii=False) + "\n"
