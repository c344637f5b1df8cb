"""The tools that are asked for layouts: they need not be installed but to ask again."""

from __future__ import annotations

import importlib
from typing import Any

Record = dict[str, Any]
"""What a tool says of one operand, or of a file as a whole."""


class ToolMissingError(Exception):
    """A package that is asked is not installed."""


def tool(module: str, package: str) -> Any:
    """Import a module of a tool."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise ToolMissingError(
            f"{package} is not installed ({error}); try: pip install --no-deps {package}"
        ) from error
