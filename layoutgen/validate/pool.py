"""Sharing work out among processes, with the results in the order of the work."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, as_completed
from typing import TypeAlias, TypeVar

from layoutgen.processes import Progress, workers

Result = TypeVar("Result")

Task: TypeAlias = tuple[Callable[..., Result], object, object]
"""A function, what all work like this is given, and what this piece of work is about."""


def shared(
    tasks: Sequence[Task[Result]], jobs: int, progress: Progress | None = None
) -> Iterator[Result]:
    """Call ``function(given, what)`` for every task in `jobs` processes; yield in their order."""
    if jobs < 2:
        for done, (function, given, what) in enumerate(tasks, 1):
            yield function(given, what)
            if progress:
                progress(str(what), done, len(tasks))
        return
    with workers(jobs) as pool:
        futures: dict[Future[Result], str] = {
            pool.submit(function, given, what): str(what) for function, given, what in tasks
        }
        for done, future in enumerate(as_completed(futures), 1):
            if progress:
                progress(futures[future], done, len(tasks))
        for future in futures:
            yield future.result()
