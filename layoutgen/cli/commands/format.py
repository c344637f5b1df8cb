"""``layoutgen format``: number formats, and what codes of them mean."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from layoutgen.cli.errors import Fault
from layoutgen.cli.output import FORMATS, Columns, Rows, chosen_format, draw, emit
from layoutgen.cli.parser import Parser, add_common
from layoutgen.cli.subject import architecture, note

if TYPE_CHECKING:
    from layoutgen.codes import Code
    from layoutgen.formats import NumberFormat
    from layoutgen.model import Architecture

DESCRIPTION = """\
Tell what a number format of an architecture is, and what number a code of it stands for: FP8,
BF8, FP6, BF6, FP4, E8M0 scales, XF32, BF16 … .  The same name may mean different formats: FP8 of
gfx942 is FNUZ, that of gfx950 is OCP.

CODE is the bits of an element, as 0x40, 0b01000000 or 64; '--of NUMBER' asks the other way: the
code whose number is nearest.  Without FORMAT, all formats of ARCH."""
EXAMPLES = """\
  layoutgen format gfx942
  layoutgen format gfx942 fp8 0x40
  layoutgen format gfx950 fp8 0x40 0x7e
  layoutgen format gfx950 e8m0 127 126 129 0
  layoutgen format gfx950 fp4 --of 3 --of -0.5
  layoutgen format gfx942 pair 13"""

COLUMNS: Columns = (
    "format", "title", "bits", "sign", "exponent", "mantissa", "bias", "max", "min normal",
    "min", "NaN", "infinities", "-0",
)  # fmt: skip

NANS = COLUMNS.index("NaN")


def configure(parser: Parser) -> None:
    """Add the arguments of ``format``."""
    parser.add_argument("arch", metavar="ARCH", help="gfx942, or another name of it: cdna3, mi300x")
    parser.add_argument("name", metavar="FORMAT", nargs="?", help="fp8, bf8, fp6, bf16 …")
    parser.add_argument("codes", metavar="CODE", nargs="*", type=_code, help="bits of an element")
    parser.add_argument(
        "--of",
        action="append",
        default=[],
        type=_value,
        metavar="NUMBER",
        help="the code whose number is nearest; may be given more than once",
    )
    parser.take_negative_numbers()
    add_common(parser, FORMATS)


def run(options: argparse.Namespace) -> int:
    """Print the formats, or one of them with what codes stand for."""
    from layoutgen.selection import format_named

    arch = architecture(options)
    if options.name is None:
        if options.of:
            raise Fault("--of asks for a code of a format: give FORMAT")
        emit(options, _all(options, list(arch.formats.values())))
        return 0
    kind = format_named(arch, options.name)
    emit(options, _one(options, arch, kind, _asked(options, kind)))
    return 0


def _asked(options: argparse.Namespace, kind: NumberFormat) -> list[Code]:
    from layoutgen.codes import CodeError, code_of, nearest_code

    try:
        found = [code_of(kind, code) for code in options.codes]
        return found + [nearest_code(kind, value) for value in options.of]
    except CodeError as error:
        raise Fault(str(error)) from None


def _all(options: argparse.Namespace, kinds: list[NumberFormat]) -> str:
    form = chosen_format(options, FORMATS)
    if form == "json":
        from layoutgen.export import documents

        found = {kind.name: documents.number_format(kind) for kind in kinds}
        return documents.dumps({"schema_version": documents.SCHEMA_VERSION, "formats": found})
    rows = [_row(kind) for kind in kinds]
    short = [
        (*row[:NANS], _count(kind), *row[NANS + 1 :]) for kind, row in zip(kinds, rows, strict=True)
    ]
    return draw(options, form, COLUMNS, short)


def _one(
    options: argparse.Namespace, arch: Architecture, kind: NumberFormat, codes: list[Code]
) -> str:
    from layoutgen.cli.code_remarks import remarks

    form = chosen_format(options, FORMATS)
    if form == "json":
        return _json(arch, kind, codes)
    if form != "text":
        columns, rows = _code_rows(codes) if codes else (COLUMNS, [_row(kind)])
        return draw(options, form, columns, rows)
    for remark in remarks(arch, codes, options.of):
        note(options, remark)
    lines = [code.text for code in codes] if codes else _about(arch, kind)
    return "".join(f"{line}\n" for line in lines)


def _about(arch: Architecture, kind: NumberFormat) -> Iterator[str]:
    from layoutgen.cli.code_remarks import subnormals
    from layoutgen.codes import PAIR, pair_packing

    yield f"{kind.name} on {arch.name}: {kind.title}, {kind.bits} bits"
    names = COLUMNS[3:]
    values = _row(kind)[3:]
    yield from (
        f"  {name:<11} {value}" for name, value in zip(names, values, strict=True) if value != ""
    )
    if kind.name == PAIR:
        yield from (
            f"  {n:<11} {v}" for n, v in zip(("packing", "codes"), pair_packing(), strict=True)
        )
    if told := subnormals(arch, kind):
        yield f"  {'subnormals':<11} {told}"
    if kind.encoding is not None and kind.encoding.dropped:
        dropped = kind.encoding.dropped
        yield f"  {'stored':<11} as FP32, without the lowest {dropped} bits in products"
    users = [
        inst.mnemonic
        for inst in arch.values()
        if any(o.format == kind for o in (*inst.operands.values(), *_chosen(inst)))
    ]
    few = ", ".join(users[:3])
    yield f"  {'used by':<11} {few}{f' and {len(users) - 3} more' if len(users) > 3 else ''}"


def _count(kind: NumberFormat) -> str:
    """Return how many codes are NaN."""
    if kind.encoding is None:
        return ""
    count = sum(map(len, kind.encoding.nans))
    return "1 code" if count == 1 else f"{count} codes" if count else "none"


def _chosen(inst: Any) -> Iterator[Any]:
    return (operand for each in inst.alternatives.values() for operand in each)


def _row(kind: NumberFormat) -> tuple[object, ...]:
    from layoutgen.codes import plain

    e = kind.encoding
    if e is None:
        return (kind.name, kind.title, kind.bits, *[""] * (len(COLUMNS) - 3))
    mantissa = f"{e.mantissa}" if e.precision is None else f"{e.mantissa} ({e.precision} count)"
    smallest = e.min_subnormal if e.min_subnormal is not None else e.min_normal
    nans = ", ".join(
        f"{codes.start:#x}" if len(codes) == 1 else f"{codes.start:#x}–{codes.stop - 1:#x}"
        for codes in e.nans
    )
    infinities = ", ".join(f"{code:#x}" for code in e.infinities)
    return (
        kind.name, kind.title, kind.bits, int(e.signed), e.exponent, mantissa, e.bias, _max(e.max),
        plain(e.min_normal), plain(smallest), nans or "none", infinities or "none",
        "yes" if e.negative_zero else "no",
    )  # fmt: skip


def _max(value: float) -> str:
    from layoutgen.codes import plain

    exact = plain(value)
    return f"{exact} = {value:.6g}" if "^" in exact else exact


def _code_rows(codes: list[Code]) -> tuple[Columns, Rows]:
    columns: Columns = ("format", "code", "bits", "value")
    rows = [(c.kind.name, f"{c.code:#04x}", c.fields, c.value_text) for c in codes]
    if all(code.stored is None for code in codes):
        return columns, rows
    from layoutgen.codes import both_ways

    told = ["" if c.stored is None else both_ways(c.stored) for c in codes]
    return (*columns, "stored"), [(*row, word) for row, word in zip(rows, told, strict=True)]


def _json(arch: Architecture, kind: NumberFormat, codes: list[Code]) -> str:
    from layoutgen.export import documents

    listed = [_code_json(c) for c in codes]
    return documents.dumps(
        {
            "schema_version": documents.SCHEMA_VERSION,
            "arch": arch.name,
            "format": kind.name,
            **documents.number_format(kind),
            "codes": listed,
        }
    )


def _code_json(code: Code) -> dict[str, object]:
    from layoutgen.codes import as_json

    stored = {} if code.stored is None else {"stored": as_json(code.stored)}
    found = {"code": code.code, "bits": code.fields, "value": code.value_json, **stored}
    return {**found, "subnormal": code.subnormal}


def _code(text: str) -> int:
    try:
        return int(text, 0)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a code such as 0x40, 0b01000000 or 64"
        ) from None


def _value(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None
