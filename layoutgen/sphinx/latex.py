"""LaTeX: signs that pdfTeX does not know by itself.

XeTeX and LuaTeX find them in their fonts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.config import Config

SIGNS = {
    "⌊": r"\lfloor",
    "⌋": r"\rfloor",
    "⌈": r"\lceil",
    "⌉": r"\rceil",
    "⟨": r"\langle",
    "⟩": r"\rangle",
    "−": "-",
    "≤": r"\leq",
    "≥": r"\geq",
    "≈": r"\approx",
    "↓": r"\downarrow",
    "←": r"\leftarrow",
    "Σ": r"\Sigma",
    "ᵀ": r"^{\mathsf{T}}",
    "\N{NARROW NO-BREAK SPACE}": r"\,",
}
"""What stands for a sign in mathematics; Sphinx itself has ``→``, ``∞`` and superscript digits."""

HEAD = r"""% Signs of layoutgen
\ifdefined\sphinxDUC\else\let\sphinxDUC\DeclareUnicodeCharacter\fi"""


def declarations(signs: dict[str, str]) -> str:
    """Return lines of a preamble that declare `signs`; what comes later overrides them."""
    lines = (
        rf"\sphinxDUC{{{ord(sign):04X}}}{{\ensuremath{{{tex}}}}}" for sign, tex in signs.items()
    )
    return "\n".join([HEAD, *lines, ""])


def _declare_signs(app: Sphinx, config: Config) -> None:
    if config.latex_engine == "pdflatex":
        preamble = declarations(SIGNS) + config.latex_elements.get("preamble", "")
        config.latex_elements = {**config.latex_elements, "preamble": preamble}


def setup_latex(app: Sphinx) -> None:
    """Have the signs declared in every LaTeX document."""
    app.connect("config-inited", _declare_signs)
