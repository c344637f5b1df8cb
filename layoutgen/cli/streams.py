"""Standard output and error: on a terminal without Unicode, and where they are closed."""

from __future__ import annotations

import codecs
import errno
import io
import sys

PLAIN = {
    "·": "*", "×": "x", "⌊": "floor(", "⌋": ")", "…": "...", "–": "-", "—": "-",
    "“": '"', "”": '"', "‘": "'", "’": "'", "≤": "<=", "≥": ">=", "→": "->", "−": "-",
}  # fmt: skip
"""What stands for a character that the output does not have; formulas stay right."""
HANDLER = "layoutgen.plain"


class Closed(io.TextIOBase):
    """A standard output that is not there: what writes to it fails, as on a full disk."""

    @property
    def buffer(self) -> io.RawIOBase:
        """Refuse bytes."""
        raise _closed()

    def write(self, text: str) -> int:
        """Refuse `text`."""
        raise _closed()


def _closed() -> OSError:
    return OSError(errno.EBADF, "standard output is closed")


def prepare() -> None:
    """Let answers reach any standard output: in other characters where it lacks some."""
    if sys.stdout is None:
        sys.stdout = Closed()
    if sys.stderr is None:
        sys.stderr = io.StringIO()
    codecs.register_error(HANDLER, _replaced)
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors=HANDLER)


def plain(text: str) -> str:
    """Return `text` in ASCII: ``⌊k/4⌋`` as ``floor(k/4)``, ``10¹²`` as ``10^12``."""
    from unicodedata import normalize

    parts: list[str] = []
    raised = False
    for character in text:
        alike = normalize("NFKD", character).encode("ascii", "ignore").decode()
        above = character not in PLAIN and alike != character and _is_raised(character)
        known = PLAIN.get(character) or alike or "?"
        parts.append(f"^{known}" if above and not raised else known)
        raised = above
    return "".join(parts)


def _is_raised(character: str) -> bool:
    from unicodedata import decomposition

    return decomposition(character).startswith("<super>")


def _replaced(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return plain(error.object[error.start : error.end]), error.end
