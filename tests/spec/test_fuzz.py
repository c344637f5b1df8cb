"""Damaged specifications are refused with a located message, or are as good as others.

For a longer run: ``pytest --hypothesis-profile=long tests/spec/test_fuzz.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from layoutgen.spec import reader
from layoutgen.spec.build import Files, build_architecture
from layoutgen.spec.catalogue import builtin_dir
from layoutgen.spec.document import Document
from layoutgen.spec.errors import SpecError
from layoutgen.spec.files import Found, find
from layoutgen.spec.load import check

DATA = Path(__file__).parents[1] / "data" / "spec"
REAL = find([builtin_dir()])
SMALL = find([DATA])
CASES = 4 * settings.default.max_examples
"""Of each of the five tests: 2,000 in all, and forty thousand with the profile ``long``."""
FUZZED = settings(deadline=None, max_examples=CASES, print_blob=True)
"""A case that fails is printed, so that it can be tried again anywhere."""
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


@pytest.fixture(scope="module", autouse=True)
def _good_files_are_read_once() -> Iterator[None]:
    """Whatever is done to one file, the others are as good as before."""
    good = {file.content for file in (*REAL, *SMALL)}
    read, once = reader.read, cache(reader.read)

    def reading(path: str, content: bytes) -> Document:
        return once(path, content) if content in good else read(path, content)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "read", reading)
        yield


class Changed(list[Found]):
    """Files of which one is changed; a message shows that one only."""

    def __init__(self, good: list[Found], at: int, content: bytes) -> None:
        super().__init__([*good[:at], Found(good[at].path, content), *good[at + 1 :]])
        self.at = at

    def __repr__(self) -> str:
        return f"{self[self.at].path.name} with the content {self[self.at].content!r:.3000}"


@st.composite
def damaged(draw: st.DrawFn, good: list[Found]) -> Changed:
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
    return Changed(good, at, content)


VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-70, 70),
        st.sampled_from([2**31, 2**64, 10**400, -0.0, 1e308, float("inf"), float("nan")]),
        st.sampled_from(["", "A", "block", "lane", "f32", "sub", "blocks", "run on silicon", "v"]),
        st.text(max_size=6),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)
"""What may stand at any place of a specification instead of what belongs there."""


def places(value: object) -> Iterator[tuple[Any, Any]]:
    """Return every place below `value`: its container, and its key or position there."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(pairs):
        yield value, key
        if isinstance(inner, dict | list):
            yield from places(inner)


@cache
def parsed(content: bytes) -> Any:
    """Return what the YAML of a good file says; a caller changes a copy only."""
    return yaml.safe_load(content)


@st.composite
def remodelled(draw: st.DrawFn, good: list[Found]) -> Changed:
    """Return good files of which one has values that are gone, moved, or something else."""
    at = draw(st.integers(0, len(good) - 1))
    document = deepcopy(parsed(good[at].content))
    for _ in range(draw(st.integers(1, 3))):
        found = list(places(document))
        if not found:
            break
        container, key = draw(st.sampled_from(found))
        action = draw(st.integers(0, 3))
        if action == 0:
            del container[key]
        elif action == 1 and isinstance(container, dict):
            container[draw(st.text(max_size=6))] = container.pop(key)
        else:
            container[key] = draw(VALUES)
    content = yaml.safe_dump(document, sort_keys=False, allow_unicode=True).encode()
    return Changed(good, at, content)


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


@FUZZED
@given(damaged(REAL))
def test_real_files_damaged(found):
    holds(found)


@FUZZED
@given(remodelled(REAL))
def test_real_files_with_other_values(found):
    holds(found)


@FUZZED
@given(damaged(SMALL))
def test_small_files_damaged(found):
    holds(found)


@FUZZED
@given(st.binary(max_size=200))
def test_any_bytes_beside_good_files(content):
    holds([*SMALL, Found(Path("any.yaml"), content)])


@FUZZED
@given(st.lists(st.sampled_from(TOKENS), max_size=40).map(b"".join))
def test_any_tokens_beside_good_files(content):
    holds([*SMALL, Found(Path("any.yaml"), content)])
