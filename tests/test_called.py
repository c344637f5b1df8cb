"""Names of number formats from elsewhere."""

from __future__ import annotations

import ml_dtypes
import pytest

import layoutgen
from layoutgen.called import named_format
from layoutgen.model import UnknownName
from layoutgen.selection import format_named

ARCHS = layoutgen.archs()

GFX942 = {
    "fp8": "float8_e4m3fnuz e4m3fnuz e4m3_fnuz fp8_e4m3fnuz fp8_e4m3_fnuz f8E4M3FNUZ e4m3 fp8_e4m3",
    "bf8": "float8_e5m2fnuz e5m2fnuz f8E5M2FNUZ e5m2 fp8_e5m2",
    "xf32": "tf32 TF32",
}
GFX950 = {
    "fp8": "float8_e4m3fn e4m3fn e4m3 f8E4M3FN fp8_e4m3 fp8_e4m3fn mxfp8_e4m3 torch.float8_e4m3fn",
    "bf8": "float8_e5m2 e5m2 f8E5M2 fp8_e5m2 mxfp8_e5m2",
    "fp6": "fp6_e2m3 float6_e2m3fn f6E2M3FN e2m3 mxfp6 mxfp6_e2m3 f6",
    "bf6": "fp6_e3m2 float6_e3m2fn f6E3M2FN e3m2 mxfp6_e3m2",
    "fp4": "fp4_e2m1 float4_e2m1fn f4E2M1FN e2m1 mxfp4 f4",
    "e8m0": "e8m0 ue8m0 float8_e8m0fnu f8E8M0FNU scale",
    "f16": "float16 half fp16",
    "bf16": "bfloat16 BF16 bfloat",
    "f32": "float32 float fp32 single",
    "f64": "float64 double fp64",
    "i8": "int8",
    "i32": "int32 int",
}
PAIRS = [
    (arch, own, said)
    for arch, table in (("gfx942", GFX942), ("gfx950", GFX950))
    for own, names in table.items()
    for said in names.split()
]


@pytest.mark.parametrize(("arch", "own", "said"), PAIRS)
def test_a_format_by_a_name_from_elsewhere(arch: str, own: str, said: str) -> None:
    assert format_named(ARCHS[arch], said).name == own
    assert format_named(ARCHS[arch], said.upper()).name == own


@pytest.mark.parametrize("name", [name for name in dir(ml_dtypes) if name.startswith("float")])
def test_a_name_of_another_library_is_the_format_that_it_has(name: str) -> None:
    """Its largest number and its smallest say which."""
    numbers = ml_dtypes.finfo(getattr(ml_dtypes, name))
    for arch in ARCHS.values():
        kind = named_format(arch.formats, name)
        if kind is not None and name != "float8_e4m3":  # here it has no infinities
            assert kind.encoding is not None
            assert (kind.bits, kind.encoding.max) == (numbers.bits, float(numbers.max))


@pytest.mark.parametrize("said", ["e4m3fn", "float8_e5m2", "f8E5M2", "mxfp8", "float8_e4m3"])
def test_ocp_is_refused_where_formats_are_fnuz(said: str) -> None:
    with pytest.raises(UnknownName, match=r"here .* FNUZ\); .* on gfx950"):
        format_named(ARCHS["gfx942"], said)


def test_a_format_of_another_architecture_is_told_with_where_it_is() -> None:
    with pytest.raises(UnknownName) as told:
        format_named(ARCHS["gfx950"], "tf32")
    assert str(told.value) == "gfx950 has no format 'tf32'; it is XF32 on gfx942"
    with pytest.raises(UnknownName, match="nearest: fp8, "):
        format_named(ARCHS["gfx950"], "fp8q")


@pytest.mark.parametrize("arch", ARCHS.values(), ids=list(ARCHS))
def test_no_name_means_two_formats(arch) -> None:
    for table in (GFX942, GFX950):
        for said in " ".join(table.values()).split():
            found = [k for k in arch.formats.values() if named_format({k.name: k}, said)]
            assert len(found) <= 1
