"""Read a YAML file into plain data, and keep the place of every key and value.

The file is taken event by event, so nothing is built that is not wanted: a nest that is too
deep, an alias or a second document is refused where it begins.  Anchors and aliases are refused
altogether: an alias is one text for two places, so no message could point at the right one, and
aliases of aliases grow without bound.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from layoutgen.spec.document import Document, Mark, Path, Source, describe
from layoutgen.spec.errors import Code, Diagnostic, SpecError, quoted
from layoutgen.spec.scalars import Ambiguous, Scalar, resolve

MAX_DEPTH = 16
TOO_DEEP = f"more than {MAX_DEPTH} levels of nesting"
MAX_PROBLEMS = 100
"""How many problems are listed for one file."""


def read(path: str, content: bytes) -> Document:
    """Return the document in `content`, with the problems that leave the rest of it readable.

    Raises :class:`SpecError` where nothing can be made of the file.
    """
    source = _decode(path, content)
    composer = _Composer(source)
    data = composer.document()
    if not isinstance(data, dict) and not composer.problems:
        message = f"found {describe(data)}; wanted a mapping, whose first key says the kind of file"
        composer.problem("spec-type", composer.values[()], message)
    if data == {} and not composer.problems:
        composer.problem("spec-empty", composer.values[()], "the mapping is empty")
    if not data or not isinstance(data, dict) or composer.unclear:
        raise SpecError(tuple(composer.problems))
    return Document(
        path,
        source.lines,
        data,
        composer.keys,
        composer.values,
        tuple(composer.problems),
        frozenset(composer.refused),
        frozenset(composer.gaps),
    )


def limited(problems: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the first problems of a file, and a note where more are left out."""
    if len(problems) <= MAX_PROBLEMS:
        return tuple(problems)
    message = "this and all further problems of the file are left out"
    note = replace(problems[MAX_PROBLEMS], code="spec-too-many", message=message, hint="")
    return (*problems[:MAX_PROBLEMS], note)


# Control characters, line breaks other than the common ones, what turns the direction of writing,
# what is not seen (joiners, fillers, selectors, tags, blanks that are no white space, a byte order
# mark in the middle), and what is no character.  So a text with more than white space is visible.
_FORBIDDEN = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufdd0-\ufdef"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_BREAKS = re.compile("\r\n?")


def _decode(path: str, content: bytes) -> Source:
    start = Mark(1, 1)
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Source(path, ()).fail(
            "spec-encoding", start, "the file is UTF-16; a specification is UTF-8"
        )
    content = content.removeprefix(b"\xef\xbb\xbf")
    try:
        text = content.decode("utf-8")
        invalid = None
    except UnicodeDecodeError as error:
        text = content.decode("utf-8", "replace")
        invalid = (len(content[: error.start].decode("utf-8")), content[error.start])
    # Carriage returns go, so that offsets are those of the lines that are shown.
    before = _BREAKS.sub("\n", text[: invalid[0]]) if invalid else ""
    text = _BREAKS.sub("\n", text)
    source = Source(path, tuple(text.split("\n")))
    if invalid:
        message = f"byte 0x{invalid[1]:02x} is not UTF-8"
        raise source.fail("spec-encoding", _mark_at(before, len(before)), message)
    if found := _FORBIDDEN.search(text):
        message = f"the character U+{ord(found[0]):04X} may not stand in a specification"
        raise source.fail("spec-character", _mark_at(text, found.start()), message)
    return source


def _mark_at(text: str, offset: int) -> Mark:
    return Mark(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))


class _Composer:
    """Makes data of the events of one file, and collects problems and marks on the way."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems: list[Diagnostic] = []
        self.keys: dict[Path, Mark] = {}
        self.values: dict[Path, Mark] = {}
        self.events: Iterator[Any] = iter(())
        self.refused: set[Path] = set()
        self.gaps: set[Path] = set()
        self.unclear = False  # whether what the file says is not known, shape and all

    def document(self) -> Any:
        """Return the data of the only document."""
        import yaml

        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        try:
            self.events = yaml.parse("\n".join(self.source.lines), Loader=loader)
            next(self.events)
            event = next(self.events)
            if isinstance(event, yaml.StreamEndEvent):
                raise self.source.fail("spec-empty", Mark(1, 1), "the file holds no data")
            data = self.node(next(self.events), ())
            next(self.events)
            event = next(self.events)
            if not isinstance(event, yaml.StreamEndEvent):
                self.unclear = True
                message = "a second document begins here; a file holds one"
                self.problem("spec-documents", _mark(event), message)
        except yaml.YAMLError as error:
            self.syntax(error)
            return None
        return data

    def problem(self, code: Code, mark: Mark, message: str) -> None:
        self.problems.append(self.source.problem(code, mark, message))
        if len(self.problems) > MAX_PROBLEMS:
            raise SpecError(limited(self.problems))

    def syntax(self, error: Any) -> None:
        mark = getattr(error, "problem_mark", None)
        place = Mark(mark.line + 1, mark.column + 1) if mark else Mark(1, 1)
        if place.line > len(self.source.lines):  # at the end, where the last line does not end
            place = Mark(len(self.source.lines), len(self.source.lines[-1]) + 1)
        what = getattr(error, "problem", None) or "the parser stopped here"
        if "nesting" in what:  # the parser's own limit, found while it looks ahead
            return self.problem("spec-depth", place, TOO_DEEP)
        if context := getattr(error, "context", None):
            start = error.context_mark.line + 1 if error.context_mark else place.line
            what += f", {context}" + (f" that begins in line {start}" if start < place.line else "")
        if self.source.line(place)[place.column - 1 :].startswith("\t"):
            what = "a tab cannot indent; use spaces"
        return self.problem("spec-syntax", place, f"not YAML: {what}")

    def node(self, event: Any, at: Path) -> Any:
        """Return the data of the node that begins with `event`."""
        mark = self.values[at] = _mark(event)
        if len(at) > MAX_DEPTH:
            raise SpecError((*self.problems, self.source.problem("spec-depth", mark, TOO_DEEP)))
        self.properties(event, at)
        match type(event).__name__:
            case "MappingStartEvent":
                return self.mapping(at)
            case "SequenceStartEvent":
                return self.sequence(at)
            case "ScalarEvent":
                return self.scalar(event, at)
            case _:
                return None

    def properties(self, event: Any, at: Path) -> None:
        """Refuse the first anchor or alias of the file, and every tag."""
        mark = _mark(event)
        if getattr(event, "tag", None) is not None:
            self.refused.add(at)
            message = f"the tag {quoted(event.tag)} is not used here: write the value alone"
            self.problem("spec-tag", mark, message)
        if getattr(event, "anchor", None) is not None and not self.unclear:
            self.unclear = True
            kind = "alias *" if type(event).__name__ == "AliasEvent" else "anchor &"
            message = f"the {kind}{event.anchor} is not allowed: write the value out"
            self.problem("spec-alias", mark, message)

    def sequence(self, at: Path) -> list[Any]:
        data: list[Any] = []
        while type(event := next(self.events)).__name__ != "SequenceEndEvent":
            data.append(self.node(event, (*at, len(data))))
        return data

    def mapping(self, at: Path) -> dict[str, Any]:
        data: dict[str, Any] = {}
        while type(event := next(self.events)).__name__ != "MappingEndEvent":
            key, mark = self.key(event, at), _mark(event)
            if key is None:
                self.gaps.add(at)
                # What stands under a refused key is read for its own problems, then dropped.
                self.node(next(self.events), (*at, f"line {mark.line}"))
            elif key in data:
                first = self.keys[*at, key].line
                message = f"the key {quoted(key)} stands twice; the first is in line {first}"
                self.problem("spec-duplicate-key", mark, message)
                self.node(next(self.events), (*at, f"{key} in line {mark.line}"))
            else:
                self.keys[*at, key] = mark
                data[key] = self.node(next(self.events), (*at, key))
        return data

    def key(self, event: Any, at: Path) -> str | None:
        """Return a key, or None after telling that it is none."""
        mark = _mark(event)
        if type(event).__name__ != "ScalarEvent":
            self.node(event, (*at, f"key in line {mark.line}"))
            self.problem("spec-key", mark, "a list, mapping or alias cannot be a key")
            return None
        try:
            value = event.value if event.style else resolve(event.value)
        except Ambiguous as odd:
            message = f"the key {event.value} is {odd.reading}: {odd.remedy}"
            self.problem("spec-key", mark, message)
            return None
        if not isinstance(value, str):
            found = describe(value)
            self.problem("spec-key", mark, f'the key is {found}: put it in quotes: "{event.value}"')
            return None
        self.properties(event, (*at, value))
        self.characters(value, mark)
        return value

    def characters(self, text: str, mark: Mark) -> None:
        """Refuse what an escape such as ``\\0`` may have put into a text."""
        if found := _FORBIDDEN.search(text):
            message = f"the text holds the character U+{ord(found[0]):04X}"
            self.problem("spec-character", mark, message)

    def scalar(self, event: Any, at: Path) -> Scalar:
        mark = self.values[at]
        if event.style:
            self.characters(event.value, mark)
            return str(event.value)
        try:
            value = resolve(event.value)
        except Ambiguous as odd:
            self.refused.add(at)
            message = f"{quoted(event.value)} is {odd.reading}: {odd.remedy}"
            self.problem("spec-ambiguous", mark, message)
            return None
        if value is None:
            self.refused.add(at)
            name = quoted(at[-1]) if at and isinstance(at[-1], str) else "this entry"
            message = f"{name} has no value: give one, or leave it out"
            self.problem("spec-no-value", self.keys.get(at, mark), message)
        return value


def _mark(event: Any) -> Mark:
    return Mark(event.start_mark.line + 1, event.start_mark.column + 1)
