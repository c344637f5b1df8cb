"""``layoutgen schema``: the JSON Schema of specification files."""

from __future__ import annotations

import argparse
import json

from layoutgen.cli.output import emit, write
from layoutgen.cli.parser import Parser, add_output
from layoutgen.spec.export import json_schema, schema_kinds, schema_text

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
        for kind in schema_kinds():
            write(options.output / f"{kind}.json", schema_text(kind).encode())
    else:
        emit(options, _any_kind())
    return 0


def _any_kind() -> str:
    bundle = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:layoutgen:spec",
        "title": "layoutgen specification",
        "oneOf": [json_schema(kind) for kind in schema_kinds()],
    }
    return json.dumps(bundle, indent=2, ensure_ascii=False) + "\n"
