"""What the name of an instruction says: dimensions, types and, where it is told, the block count.

There are two spellings.  The older one is ``v_`` before what the builtin's name has as well:
``v_mfma_f32_32x32x4bf16_1k``.  The newer one keeps all parts apart, and says the number of
blocks where there are several: ``v_mfma_f32_32x32x4_2b_bf16``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

CONVENTION = "{kind}_{type of D}_{M}x{N}x{K}{type of A}, such as mfma_f32_32x32x1f32"
"""How an instruction is named here: as in the builtin's name."""

_NAME = re.compile(
    r"(?P<kind>mfma|mfma_scale|smfmac)_(?P<d>[a-z]+\d+)"
    r"_(?P<m>[1-9]\d{0,2})x(?P<n>[1-9]\d{0,2})x(?P<k>[1-9]\d{0,3})"
    r"_?(?P<a>(?:[a-z]+\d+)+)(?:_(?P<b>[a-z]+\d+))?(?:_1k)?"
)


@dataclass(frozen=True, slots=True)
class Mnemonic:
    """The parts of a name: ``mfma_f32_32x32x4f16``, ``smfmac_f32_16x16x64_fp8_bf8``."""

    name: str
    kind: str
    d: str
    m: int
    n: int
    k: int
    a: str
    b: str
    types: str

    @property
    def tile(self) -> str:
        """The tile shape: ``32x32``."""
        return f"{self.m}x{self.n}"

    @property
    def older(self) -> str:
        """The older spelling: ``v_mfma_f32_32x32x4f16``."""
        return f"v_{self.name}"

    def newer(self, blocks: int) -> str:
        """Return the newer spelling: ``v_mfma_f32_32x32x4_2b_f16``."""
        count = f"_{blocks}b" if blocks > 1 else ""
        return f"v_{self.kind}_{self.d}_{self.tile}x{self.k}{count}_{self.types}"

    def spelt(self, spelling: str, blocks: int) -> str:
        """Return the mnemonic in the ``older`` or the ``newer`` spelling."""
        return self.older if spelling == "older" else self.newer(blocks)


def meant(text: str) -> str:
    """Return what was meant by a mnemonic: no ``v_``, no block count of the newer spelling."""
    return re.sub(r"_\d{1,4}b_", "", text.removeprefix("v_"))


def parse(name: str) -> Mnemonic | None:
    """Return the parts of a name, or None if it does not follow the convention."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    g = match.groupdict()
    types = "_".join(filter(None, (g["a"], g["b"])))
    dimensions = (int(g["m"]), int(g["n"]), int(g["k"]))
    return Mnemonic(name, g["kind"], g["d"], *dimensions, g["a"], g["b"] or g["a"], types)
