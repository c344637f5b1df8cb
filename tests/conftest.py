"""Fixtures for all tests: a real Sphinx project in a temporary directory."""

from __future__ import annotations

import io
import os
import re
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

# The cache of checked specifications: not the developer's own, and one for all workers.
os.environ["XDG_CACHE_HOME"] = str(Path(__file__).parents[1] / ".pytest_cache" / "xdg")

# A shell has commands in the background ignore Ctrl-C, and so do all that these start: not here.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

_ANSI = re.compile(r"\x1b\[[0-9;]*m")


@dataclass(frozen=True)
class Site:
    """A Sphinx project that was built: its directories, and what Sphinx warned of."""

    source: Path
    out: Path
    warnings: str

    def read(self, name: str = "index.html") -> str:
        return (self.out / name).read_text(encoding="utf-8")


class BuildSite(Protocol):
    def __call__(
        self, files: Mapping[str, str], *, conf: str = ..., builder: str = ..., jobs: int = ...
    ) -> Site: ...


@pytest.fixture
def build_site(tmp_path: Path) -> Callable[..., Site]:
    """Build ``files`` (name to text) with ``conf`` as ``conf.py``; call again to rebuild."""

    def build(
        files: Mapping[str, str], *, conf: str = "", builder: str = "html", jobs: int = 1
    ) -> Site:
        source = tmp_path / "source"
        for name, text in {"conf.py": conf, **files}.items():
            path = source / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        out, warnings = tmp_path / builder, io.StringIO()
        with patch_docutils(str(source)), docutils_namespace():
            app = Sphinx(
                source,
                source,
                out,
                tmp_path / "doctrees",
                builder,
                status=None,
                warning=warnings,
                parallel=jobs,
            )
            app.build()
        return Site(source, out, _ANSI.sub("", warnings.getvalue()))

    return build
