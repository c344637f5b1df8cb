"""How far long work is: a bar on a terminal, and nothing where nobody watches."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from layoutgen.processes import Progress


@contextmanager
def shown(options: argparse.Namespace) -> Iterator[Progress | None]:
    """Give what is to be called, or None; the bar appears with the first call, and goes."""
    if options.quiet or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield None
        return
    with ExitStack() as stack:
        update: Progress | None = None

        def call(what: str, done: int, total: int) -> None:
            nonlocal update
            update = update or stack.enter_context(_bar())
            update(what, done, total)

        yield call


@contextmanager
def _bar() -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (BarColumn(30), MofNCompleteColumn(), TextColumn("{task.description}", markup=False))
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda what, done, total: bar.update(
            task, completed=done, total=total, description=PurePath(what).name
        )
