"""What number formats are called elsewhere: PyTorch, MLIR, ml_dtypes, OCP, and everyday words.

Names are not listed but follow from a format: its own name and width (``f16``: ``float16``,
``fp16``), and its bits and special codes (``e4m3fn``, ``float8_e4m3fnuz``, ``f8E5M2``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from layoutgen.formats import Encoding, NumberFormat, Specials
from layoutgen.model import Architecture, UnknownName, nearest

WORDS = {
    "double": "f64", "single": "f32", "float": "f32", "half": "f16", "bfloat": "bf16",
    "int": "i32", "scale": "e8m0",
}  # fmt: skip
"""Words for formats, and their names here."""
LETTERS: Mapping[str, tuple[str, ...]] = {
    "f": ("f", "fp", "float"),
    "fp": ("f", "fp", "float"),
    "bf": ("bf", "bfloat"),
    "xf": ("xf", "tf"),
    "i": ("i", "int"),
}
"""By the letters before the width in a name here: those that it may have elsewhere."""
SUFFIXES: Mapping[Specials, str] = {"nan": "fn", "none": "fn", "fnuz": "fnuz", "scale": "fnu"}
"""What names of libraries say behind exponent and mantissa; nothing where there are infinities."""
MICROSCALED = 8
"""Elements of at most so many bits may have scales; those of FNUZ formats have none."""


def named_format(formats: Mapping[str, NumberFormat], name: str) -> NumberFormat | None:
    """Return the format of `name`, which is its own or one from elsewhere, in any case."""
    own = formats.get(name.lower())
    wanted = _folded(name)
    return own or next((kind for kind in formats.values() if wanted in called(kind)), None)


@cache
def called(kind: NumberFormat) -> frozenset[str]:
    """Return every name of a format from elsewhere, in lower case and without ``_``.

    >>> import layoutgen
    >>> sorted(called(layoutgen.arch("gfx942").formats["bf8"]))[:4]
    ['bf8', 'bfloat8', 'e5m2', 'e5m2fnuz']
    """
    words = {word for word, meant in WORDS.items() if meant == kind.name}
    return frozenset(words | _by_width(kind) | _by_bits(kind))


def unknown_format(
    arch: Architecture, name: str, others: Iterable[Architecture] = ()
) -> UnknownName:
    """Return the error for a name that no format of `arch` has: what is meant, and who has it.

    `others` are the architectures to look for it on.
    """
    elsewhere = {a.name: kind for a in others if (kind := named_format(a.formats, name))}
    told = f"{arch.name} has no format {name!r}"
    if not elsewhere:
        offered = nearest(name.lower(), sorted({*arch.formats, *_spelled(arch.formats)}))
        return UnknownName(f"{told}{offered}; it has {', '.join(arch.formats)}")
    here = [f"{n} is {arch.formats[n].title}" for n in _names(elsewhere.values(), arch.formats)]
    there = " and ".join(f"{kind.title} on {other}" for other, kind in elsewhere.items())
    if here:
        return UnknownName(f"{told}: here {' and '.join(here)}; {name!r} is {there}")
    return UnknownName(f"{told}; it is {there}")


def _names(kinds: Iterable[NumberFormat], known: Mapping[str, NumberFormat]) -> list[str]:
    """Return the names of `kinds` that are also known here."""
    return [name for name in dict.fromkeys(kind.name for kind in kinds) if name in known]


def _spelled(formats: Mapping[str, NumberFormat]) -> set[str]:
    return {name for kind in formats.values() for name in called(kind)}


def _folded(name: str) -> str:
    """Return a name without what differs from one place to another: case, ``_``, ``torch.``."""
    return name.lower().rpartition(".")[2].replace("_", "").replace("-", "")


def _by_width(kind: NumberFormat) -> set[str]:
    """Return the names that tell the width alone."""
    split = re.fullmatch(r"([a-z]+)(\d+)", kind.name)
    if split is None or int(split[2]) != kind.bits:
        return set()
    found = {f"{letters}{kind.bits}" for letters in LETTERS.get(split[1], ())}
    return found | ({f"mxfp{kind.bits}"} if split[1] == "fp" and _microscaled(kind) else set())


def _by_bits(kind: NumberFormat) -> set[str]:
    """Return the names that tell exponent and mantissa, and how many codes are no numbers."""
    e = kind.encoding
    if e is None:
        return set()
    bits = f"e{e.exponent}m{e.mantissa if e.precision is None else e.precision}"
    prefixes = ("", *(f"{letters}{kind.bits}" for letters in LETTERS["fp"]))
    exact = {f"{prefix}{bits}{SUFFIXES.get(e.specials, '')}" for prefix in prefixes}
    loose = {f"{prefix}{bits}" for prefix in (prefixes if _plain(e) else ("", f"fp{kind.bits}"))}
    scaled = {f"mxfp{kind.bits}{bits}"} if _microscaled(kind) else set()
    return exact | loose | scaled | ({f"u{bits}"} if e.specials == "scale" else set())


def _plain(encoding: Encoding) -> bool:
    """Whether libraries may leave the suffix out: ``f8E4M3`` has -0, and is no FNUZ format."""
    return encoding.specials != "fnuz"


def _microscaled(kind: NumberFormat) -> bool:
    """Whether the format is one of OCP's elements of blocks with a scale."""
    e = kind.encoding
    return e is not None and kind.bits <= MICROSCALED and e.specials not in ("fnuz", "scale")
