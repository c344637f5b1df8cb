"""What a mnemonic says: dimensions, types and, in the newer spelling, the block count."""

from __future__ import annotations

import re
from dataclasses import dataclass

CONVENTION = "v_mfma_{type of D}_{M}x{N}x{K}{type of A}, such as v_mfma_f32_32x32x1f32"
"""How a mnemonic is written here."""

_MNEMONIC = re.compile(
    r"v_(?P<kind>mfma)_(?P<d>[a-z]+\d+)_(?P<m>[1-9]\d{0,2})x(?P<n>[1-9]\d{0,2})"
    r"x(?P<k>[1-9]\d{0,3})_?(?P<a>[a-z]+\d+)"
)


@dataclass(frozen=True, slots=True)
class Mnemonic:
    """The parts of a mnemonic: ``v_mfma_f32_32x32x4f16``."""

    kind: str
    d: str
    m: int
    n: int
    k: int
    a: str

    @property
    def tile(self) -> str:
        """The tile shape: ``32x32``."""
        return f"{self.m}x{self.n}"

    def with_blocks(self, blocks: int) -> str:
        """Return the spelling that names the block count: ``v_mfma_f32_32x32x4_2b_f16``."""
        count = f"_{blocks}b" if blocks > 1 else ""
        return f"v_{self.kind}_{self.d}_{self.tile}x{self.k}{count}_{self.a}"


def older_spelling(text: str) -> str:
    """Return a mnemonic without the block count that newer LLVMs write: ``…4_2b_f16`` → ``…4f16``.

    It is the spelling that carries over to the builtin's name.
    """
    return re.sub(r"_\d{1,4}b_", "", text)


def parse(text: str) -> Mnemonic | None:
    """Return the parts of a mnemonic, or None if it does not follow the convention."""
    match = _MNEMONIC.fullmatch(text)
    if match is None:
        return None
    g = match.groupdict()
    return Mnemonic(g["kind"], g["d"], int(g["m"]), int(g["n"]), int(g["k"]), g["a"])
