"""Failures as a user sees them: one message each, never a traceback."""

from __future__ import annotations

import sys


class Fault(Exception):
    """A usage or input error; the text says what is wrong and what would be right."""


def message(failure: Exception) -> str | None:
    """Return what to print for `failure`, or None for a fault of the program itself."""
    from layoutgen.digits import LayoutError
    from layoutgen.model import UnknownName
    from layoutgen.modifiers import IllegalModifier

    if isinstance(failure, Fault | LayoutError | UnknownName | IllegalModifier):
        return f"layoutgen: error: {failure}"
    if isinstance(failure, OSError):
        return f"layoutgen: error: {_system(failure)}"
    specs = sys.modules.get("layoutgen.spec.errors")
    return str(failure) if specs and isinstance(failure, specs.SpecError) else None


def _system(failure: OSError) -> str:
    reason = failure.strerror or str(failure)
    return f"{failure.filename}: {reason}" if failure.filename else reason
