"""Damaged specifications are refused with a located message, or are as good as others.

For a longer run: ``pytest --hypothesis-profile=long tests/spec/test_fuzz.py``.
"""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from layoutgen.spec.build import Files, build_architecture
from layoutgen.spec.catalogue import builtin_dir
from layoutgen.spec.errors import SpecError
from layoutgen.spec.files import Found, find
from layoutgen.spec.load import check

DATA = Path(__file__).parents[1] / "data" / "spec"
REAL = find([builtin_dir()])
SMALL = find([DATA])
TOKENS = [
    *(
        b": ",
        b"- ",
        b", ",
        b"[",
        b"]",
        b"{",
        b"}",
        b"&a ",
        b"*a",
        b"!!str ",
        b"? ",
        b"|\n",
        b">-\n",
    ),
    *(b"\n", b"  ", b"\t", b"#", b"'", b'"', b"---\n", b"...\n", b"%YAML 1.1\n", b"\r\n", b"\0"),
    *(b"\xff", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"017", b"yes", b"~", b"0", b"-1", b"9" * 40),
    *(
        b">-\n",
        b"1:20",
        b"1e9",
        b".inf",
        b"sub",
        b"block",
        b"lane",
        b"mfma_f32_4x4x1f32",
        b"<<: ",
    ),
]


@st.composite
def damaged(draw: st.DrawFn, good: list[Found]) -> list[Found]:
    """Return good files of which one has a few bytes cut out, doubled or put in."""
    at = draw(st.integers(0, len(good) - 1))
    content = good[at].content
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        end = min(len(content), start + draw(st.integers(0, 30)))
        put = draw(
            st.one_of(
                st.just(b""),
                st.sampled_from(TOKENS),
                st.binary(max_size=4),
                st.just(content[start:end] * 2),
            )
        )
        content = content[:start] + put + content[end:]
    return [*good[:at], Found(good[at].path, content), *good[at + 1 :]]


def holds(found: list[Found]) -> None:
    """Refuse with located messages, or build every architecture."""
    try:
        files = Files.of(check(found))
    except SpecError as error:
        located(error)
        return
    for name in files.architectures:
        for inst in build_architecture(files, name).values():
            for operand in inst.operands.values():
                assert operand.layout.lanes == 64


def located(error: SpecError) -> None:
    assert error.diagnostics
    str(error).encode("utf-8")
    for problem in error.diagnostics:
        assert re.match(r".+\.yaml:\d+:\d+: error: .+ \[spec-[a-z-]+\]", str(problem))
        assert problem.line >= 1
        assert problem.column >= 1


@settings(deadline=None)
@given(damaged(REAL))
def test_real_files_damaged(found):
    holds(found)


@settings(deadline=None)
@given(damaged(SMALL))
def test_small_files_damaged(found):
    holds(found)


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_beside_good_files(content):
    holds([*SMALL, Found(Path("any.yaml"), content)])


@settings(deadline=None)
@given(st.lists(st.sampled_from(TOKENS), max_size=40).map(b"".join))
def test_any_tokens_beside_good_files(content):
    holds([*SMALL, Found(Path("any.yaml"), content)])
