"""Work for several processes, which end with the one that started them, however that ends.

Signals are left to the first process.  Every worker waits, in threads of its own, for two events:
that the first process has ended or was killed, and that it gives up the work, which closes a pipe.
A worker that was given up ends while it computes, and never while it sends a result: the first
process would wait for the rest of it.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import Pipe, parent_process
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, TypeAlias, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with what was done last, how many pieces of work are done, and how many there are."""

_between = threading.Lock()
"""In a worker, held between two pieces of work."""


class Workers:
    """Processes that are given work."""

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        """Take the pool."""
        self._pool = pool

    def submit(
        self, function: Callable[Given, Result], *given: Given.args, **named: Given.kwargs
    ) -> Future[Result]:
        """Have ``function(*given, **named)`` called; this may start a process.

        It is pickled here and now: the pool would do it in a thread of its own, while the caller
        fills the cached properties of the same objects.
        """
        work = pickle.dumps(partial(function, *given, **named))
        with _without_interrupts():
            return self._pool.submit(_call, work)


@contextmanager
def workers(jobs: int) -> Iterator[Workers]:
    """Give work to `jobs` processes; when the block is left by an exception, it is given up."""
    end, alive = Pipe(duplex=False)
    given = (end, alive, gc.get_threshold())
    with end, alive, ProcessPoolExecutor(jobs, initializer=_begin, initargs=given) as pool:
        try:
            yield Workers(pool)
        except BaseException:
            alive.close()
            pool.shutdown(cancel_futures=True)
            raise


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Put Ctrl-C off: a process that starts is not interrupted before it can say what it wants."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(end: Connection, alive: Connection, threshold: tuple[int, int, int]) -> None:
    """Begin a worker, which looks for garbage as often as the first process does."""
    gc.set_threshold(*threshold)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    alive.close()
    _between.acquire()
    for wait in (_end_with_parent, partial(_end_when_given_up, end)):
        threading.Thread(target=wait, daemon=True).start()


def _call(work: bytes) -> Any:
    """Do one piece of work, which is a pickled call, in a worker."""
    _between.release()
    try:
        return pickle.loads(work)()
    finally:
        _between.acquire()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _end_when_given_up(end: Connection) -> None:
    with suppress(EOFError, OSError):
        end.recv_bytes()
    with _between:
        os._exit(1)
