"""The Jinja environment: strict, and every value that is no markup is escaped as RST."""

from __future__ import annotations

import os
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from layoutgen import regular
from layoutgen.pages.rst import escape

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).parent / "templates"


class PageError(ValueError):
    """A template that does not hold; the text names the template, the line and the reason."""


def make_environment(user_templates: Path | None = None) -> Environment:
    """Return the environment; a template in `user_templates` goes before the built-in one.

    Jinja escapes for HTML what is not marked as safe.  Here `finalize` runs first and returns
    everything as markup, escaped for RST, so that Jinja finds nothing left to escape.
    """
    from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined

    if user_templates:
        check(user_templates)
    folders = [user_templates] if user_templates else []
    return Environment(
        loader=ChoiceLoader([FileSystemLoader(folder) for folder in (*folders, TEMPLATES)]),
        undefined=StrictUndefined,
        autoescape=True,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def check(folder: Path) -> None:
    """Read the templates of a user, for Jinja passes over what it cannot read.

    Raises :class:`PageError`.
    """
    for name in sorted(os.listdir(folder)):  # noqa: PTH208, it tells of a folder that is not readable
        path = folder / name
        if path.suffix == ".j2":
            try:
                regular.read(path).decode()
            except OSError as failure:
                reason = failure.strerror or "it is no regular file"
                raise PageError(f"{path}: error: {reason}") from None
            except UnicodeDecodeError as error:
                line = error.object.count(b"\n", 0, error.start) + 1
                raise PageError(f"{path}:{line}: error: not UTF-8") from None


def _finalize(value: object) -> object:
    from jinja2 import Undefined

    return value if isinstance(value, Undefined) else escape(value)


def render(environment: Environment, template: str, context: Mapping[str, object]) -> str:
    """Return a page: no trailing space, never more than one empty line, one newline at the end.

    Raises :class:`PageError`.
    """
    from jinja2 import TemplateError

    try:
        text = environment.get_template(template).render(context)
    except TemplateError as error:
        raise PageError(_message(template, error)) from error
    except Exception as error:  # of an expression in a template
        if not _is_users(error):
            raise
        raise PageError(_message(template, error)) from error
    lines: list[str] = []
    for line in text.splitlines():
        kept = line.rstrip()
        if kept or (lines and lines[-1]):
            lines.append(kept)
    return "\n".join(lines).rstrip("\n") + "\n"


def _is_users(error: Exception) -> bool:
    """Tell whether a template that is not ours takes part in an error."""
    files = (frame.f_code.co_filename for frame, _ in traceback.walk_tb(error.__traceback__))
    return any(f.endswith(".j2") and Path(f).parent != TEMPLATES for f in files)


def _message(template: str, error: Exception) -> str:
    """Return ``file:line: error: reason``, with the line of the innermost template."""
    from jinja2 import TemplateError

    name = getattr(error, "filename", None) or getattr(error, "name", None) or template
    line = getattr(error, "lineno", None)
    trace = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file.endswith(".j2"):
            name, line = file, trace.tb_lineno
        trace = trace.tb_next
    where = f"{name}:{line}" if line else str(name)
    reason = getattr(error, "message", None) or error
    kind = "" if isinstance(error, TemplateError) else f"{type(error).__name__}: "
    return f"{where}: error: {kind}{reason}"
