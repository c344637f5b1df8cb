"""What the tests of the documentation share: the pages, their text, and the examples on them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
WRITTEN = ("guide", "cli", "api", "development")
"""Folders of docs/ that people write; docs/reference is generated."""


def pages() -> list[Path]:
    """Return every page that people write, README included."""
    docs = ROOT / "docs"
    found = [page for folder in WRITTEN for page in (docs / folder).rglob("*.rst")]
    return sorted([*found, *docs.glob("*.rst"), *ROOT.glob("*.md")])


def name(page: Path) -> str:
    """Return a page's path in the repository."""
    return page.relative_to(ROOT).as_posix()


@dataclass(frozen=True)
class Step:
    """One command of an example, and what the page says that it prints."""

    command: str
    output: str


@dataclass(frozen=True)
class Session:
    """The commands of one code block, run one after another in one folder."""

    page: Path
    line: int
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        return f"{name(self.page)}:{self.line}"


def sessions() -> list[Session]:
    """Return every console block of every page."""
    return [
        Session(page, line, tuple(_steps(block)))
        for page in pages()
        for line, block in code_blocks(page, "console")
    ]


def code_blocks(page: Path, language: str) -> Iterator[tuple[int, str]]:
    """Yield the line number and the text of each block of `language`, RST or Markdown."""
    lines = page.read_text(encoding="utf-8").splitlines()
    markdown = page.suffix == ".md"
    opening = re.compile(rf"```{language}$" if markdown else rf"( *)\.\. code-block:: {language}$")
    for number, line in enumerate(lines):
        if not (match := opening.match(line)):
            continue
        block = []
        for following in lines[number + 1 :]:
            indented = markdown or following.startswith(match[1] + "   ")
            if following == "```" if markdown else following.strip() and not indented:
                break
            block.append(following if markdown else following[len(match[1]) + 3 :])
        yield number + 1, "\n".join(block).strip("\n") + "\n"


def _steps(block: str) -> Iterator[Step]:
    for part in re.split(r"(?m)^\$ ", block)[1:]:
        command, _, output = part.partition("\n")
        while command.endswith("\\"):
            more, _, output = output.partition("\n")
            command = command[:-1] + more.removeprefix("> ")
        yield Step(command, output)
