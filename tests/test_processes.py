"""Work for several processes: nobody is left, nobody waits, and nothing is printed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager

import pytest

from layoutgen.processes import workers

PATIENCE = 60
"""Seconds after which what should have ended counts as hanging."""

PROGRAM = """
import time
from layoutgen.processes import workers

with workers(2) as pool:
    pool.submit(int).result()
    print("ready", flush=True)
    while True:
        both = [pool.submit({work}) for _ in range(2)]
        for future in both:
            future.result()
"""

WORK = {"long to compute": "time.sleep, 600", "long to send": "bytes, 300_000"}


@contextmanager
def at_work(work: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program that has two workers, in a group of its own."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(work=WORK[work])],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        assert process.stdout
        assert process.stdout.readline() == b"ready\n"
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


def told(process: subprocess.Popen[bytes]) -> str:
    """Return what was printed to stderr until the last process that could print has ended."""
    return process.communicate(timeout=PATIENCE)[1].decode()


@pytest.mark.parametrize("work", WORK)
@pytest.mark.parametrize("after", [0, 0.05])
def test_ctrl_c_ends_all_and_only_the_first_process_says_so(work: str, after: float) -> None:
    with at_work(work) as process:
        time.sleep(after)
        os.killpg(process.pid, signal.SIGINT)
        assert told(process).count("Traceback") == 1
        # By the signal itself, or, where Python was just at its end, by what shells say of one.
        assert process.returncode in (-signal.SIGINT, 128 + signal.SIGINT)


@pytest.mark.parametrize("work", WORK)
@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM], ids=["kill", "term"])
def test_no_worker_outlives_the_first_process(work: str, by: signal.Signals) -> None:
    with at_work(work) as process:
        process.send_signal(by)
        assert told(process) == ""
        assert process.returncode == -by


def left_early(futures: list[Future[None]]) -> None:
    with workers(2) as pool:
        futures += [pool.submit(time.sleep, 600) for _ in range(8)]
        raise LookupError


def test_work_is_given_up_when_an_exception_leaves_the_block() -> None:
    futures: list[Future[None]] = []
    with pytest.raises(LookupError):
        left_early(futures)
    assert [future.done() for future in futures] == [True] * 8


def test_work_is_done_and_its_failures_are_those_of_the_caller() -> None:
    with workers(2) as pool:
        futures = [pool.submit(divmod, 7, n) for n in (2, 3)]
        assert [future.result() for future in futures] == [(3, 1), (2, 1)]
        assert pool.submit(sorted, [1, 2], reverse=True).result() == [2, 1]
        with pytest.raises(ZeroDivisionError):
            pool.submit(divmod, 7, 0).result()


def test_the_caller_gets_ctrl_c_again_after_it_has_given_work() -> None:
    with workers(2) as pool:
        pool.submit(int).result()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
