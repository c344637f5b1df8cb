"""Projects for the tests of the extension, and the snippets of its documentation."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from sphinx import locale
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

DOCS = Path(__file__).parents[2] / "docs" / "extension"
CONF = """
extensions = ["layoutgen.sphinx"]
project = "Test"
version = release = "1"
copyright = "nobody"
numfig = True
nitpicky = True
show_warning_types = True
"""
_ANSI = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Snippet:
    """One example of the documentation."""

    page: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def snippets() -> list[Snippet]:
    """Return every example of every page, in order."""
    found = []
    for page in sorted(DOCS.glob("*.rst")):
        lines = page.read_text("utf-8").splitlines()
        for number, line in enumerate(lines):
            if line == ".. layoutgen-example::":
                block = []
                for following in lines[number + 1 :]:
                    if following.strip() and not following.startswith("   "):
                        break
                    block.append(following)
                text = dedent("\n".join(block)).strip() + "\n"
                found.append(Snippet(page.stem, number + 1, text))
    return found


@dataclass
class Project:
    """A Sphinx project in a folder of its own."""

    root: Path
    conf: str = CONF
    warnings: str = ""

    @property
    def source(self) -> Path:
        return self.root / "source"

    def write(self, files: Mapping[str, str]) -> None:
        for name, text in {"conf.py": self.conf, **files}.items():
            path = self.source / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists() or path.read_text("utf-8") != text:
                path.write_text(text, encoding="utf-8")

    def build(self, builder: str = "html", *, jobs: int = 1, **settings: object) -> Path:
        """Build, keep what Sphinx warned of, and return the folder with the result."""
        out, stream = self.root / builder, io.StringIO()
        locale.translators.clear()  # Sphinx keeps those of the build before
        with patch_docutils(str(self.source)), docutils_namespace():
            self.app = Sphinx(
                self.source,
                self.source,
                out,
                self.root / f"doctrees-{builder}",
                builder,
                settings,
                status=None,
                warning=stream,
                parallel=jobs,
            )
            self.app.build()
        self.warnings = _ANSI.sub("", stream.getvalue())
        return out

    def page(self, text: str, *, builder: str = "html", **settings: object) -> str:
        """Build one page and return it."""
        self.write({"index.rst": f"Title\n=====\n\n{dedent(text)}"})
        out = self.build(builder, **settings)
        suffix = {"html": "html", "text": "txt", "xml": "xml"}[builder]
        return (out / f"index.{suffix}").read_text("utf-8")
