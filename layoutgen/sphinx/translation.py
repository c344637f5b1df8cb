"""The extension's own words, in the language of the project."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.locale import get_translation

if TYPE_CHECKING:
    from sphinx.application import Sphinx

__all__ = ["CATALOGUE", "LOCALE", "_", "setup_translation"]

CATALOGUE = "layoutgen"
LOCALE = Path(__file__).parent / "locale"

_ = get_translation(CATALOGUE)


def setup_translation(app: Sphinx) -> None:
    """Offer the translations to Sphinx."""
    app.add_message_catalog(CATALOGUE, str(LOCALE))
