"""The command ``layoutgen``: one module for each subcommand, loaded only when it is asked for."""

from __future__ import annotations

INTERRUPTED = 130
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``layoutgen`` with `argv` (default: the process's arguments); return the exit code.

    Ctrl-C ends it without a traceback, even while Python still loads it.
    """
    try:
        from layoutgen.cli import app

        return app.main(argv)
    except KeyboardInterrupt:
        return INTERRUPTED
