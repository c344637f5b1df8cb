"""Ask IREE and Triton for their layouts again and write ``iree.json`` and ``triton.json``.

    python -m layoutgen.validate.witnesses.refresh [--check] [iree] [triton]

Needs the PyPI packages ``iree-base-compiler`` and ``triton`` (``pip install --no-deps`` is
enough, no GPU). A file whose records and version stand as they are is left alone, date included.
``--check`` writes nothing and compares the records. Exit 0 done or equal, 1 different, 2 a tool
is missing.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from layoutgen.validate.witnesses.ask_iree import iree_extra, iree_records
from layoutgen.validate.witnesses.ask_triton import triton_extra, triton_records
from layoutgen.validate.witnesses.reading import IREE_FILE, TRITON_FILE
from layoutgen.validate.witnesses.tools import Record, ToolMissingError

COMMAND = "python -m layoutgen.validate.witnesses.refresh"
SCHEMA_VERSION = 1


@dataclass(frozen=True)
class Source:
    """One witness file and how to make it."""

    name: str
    package: str
    path: Path
    source: str
    records: Callable[[], Iterator[Record]]
    extra: Callable[[], Record]


SOURCES = {
    "iree": Source(
        "IREE",
        "iree-base-compiler",
        IREE_FILE,
        "iree_gpu.get_single_subgroup_layout(MMAIntrinsicAttr, operand)",
        iree_records,
        iree_extra,
    ),
    "triton": Source(
        "Triton",
        "triton",
        TRITON_FILE,
        "GluonOpBuilder.to_linear_layout(layout, shape)",
        triton_records,
        triton_extra,
    ),
}


def document(source: Source, date: str) -> Record:
    """The whole file of one tool, freshly asked."""
    records = list(source.records())
    try:
        found = version(source.package)
    except PackageNotFoundError as error:
        raise ToolMissingError(f"{source.package} is not installed") from error
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": source.name,
        "package": source.package,
        "version": found,
        "date": date,
        "command": COMMAND,
        "source": source.source,
        **source.extra(),
        "records": records,
    }


def render(content: Record) -> str:
    """The file's text: one field of the head per line, then one record per line."""
    head = ",\n".join(
        f"{json.dumps(key)}: {json.dumps(value)}"
        for key, value in content.items()
        if key != "records"
    )
    lines = ",\n".join(json.dumps(one, separators=(",", ":")) for one in content["records"])
    return f'{{\n{head},\n"records": [\n{lines}\n]\n}}\n'


def refresh(source: Source, *, check: bool) -> bool:
    """Rewrite one file, or compare it; True if its records stand as they were."""
    old: Record = {}
    if source.path.exists():
        old = json.loads(source.path.read_text(encoding="utf-8"))
    new = document(source, datetime.now(UTC).date().isoformat())
    same = bool(old) and old["records"] == new["records"]
    _say(f"{source.name} {new['version']}: {len(new['records'])} records")
    if old and old["version"] != new["version"]:
        _say(f"  the file is from version {old['version']}")
    if not same:
        for line in _difference(old.get("records", []), new["records"]):
            _say(f"  {line}")
    if not check:
        if same and old["version"] == new["version"]:
            new["date"] = old["date"]
        text = render(new)
        if not source.path.exists() or source.path.read_text(encoding="utf-8") != text:
            source.path.write_text(text, encoding="utf-8")
            _say(f"  wrote {source.path.name}")
    return same


def _difference(old: Sequence[Record], new: Sequence[Record], limit: int = 10) -> Iterable[str]:
    """Records that came, went or changed, by name and operand."""

    def keyed(records: Sequence[Record]) -> dict[str, Record]:
        return {
            " ".join(
                [one.get("intrinsic") or one["layout"], *one.get("types", []), one["operand"]]
            ): one
            for one in records
        }

    before, after = keyed(old), keyed(new)
    lines = [f"- {key}" for key in before if key not in after]
    lines += [f"+ {key}" for key in after if key not in before]
    lines += [f"! {key}" for key in after if key in before and after[key] != before[key]]
    return lines[:limit] + ([f"… {len(lines) - limit} more"] if len(lines) > limit else [])


def _say(text: str) -> None:
    print(text, file=sys.stderr)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog=COMMAND, description="Ask IREE and Triton for their register layouts again."
    )
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("tool", nargs="*", help=f"{' or '.join(SOURCES)}; both if none is given")
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.tool if name not in SOURCES]:
        parser.error(f"no such tool: {', '.join(unknown)}; there are {', '.join(SOURCES)}")
    same = True
    for name in options.tool or SOURCES:
        try:
            same &= refresh(SOURCES[name], check=options.check)
        except ToolMissingError as error:
            _say(f"error: {error}")
            return 2
    return 0 if same or not options.check else 1


if __name__ == "__main__":
    sys.exit(main())
