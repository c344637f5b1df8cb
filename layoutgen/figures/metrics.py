"""How wide text is: by the advance widths of DejaVu Sans, rounded up.

The fonts of common systems are narrower, so what fits here fits there.
"""

from __future__ import annotations

_BY_WIDTH = {
    0.278: "ijl",
    0.318: " .,·'",
    0.337: ":;/\\|",
    0.352: "f",
    0.392: "t⌊⌋⌈⌉()[]",
    0.411: "r",
    0.5: "_–",
    0.521: "s",
    0.55: "cz",
    0.592: "kvxyJ",
    0.615: "aeoTFL",
    0.636: "0123456789bdghnpqu?*E",
    0.7: "ABCKPRSVXYZ",
    0.79: "DGHNOQU&",
    0.838: "+=×÷±−≤≥#←→↑↓^~<>",
    0.82: "w",
    1.0: "mMW…—@%",
}
_ADVANCE = {char: width for width, chars in _BY_WIDTH.items() for char in chars}
WIDEST = 1.1
"""The width of any other character, but for a few that are ligatures in one."""
BOLD = 1.12


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of `text` in pixels at a font size of `size` pixels."""
    width = size * sum(_ADVANCE.get(char, WIDEST) for char in text)
    return width * BOLD if bold else width
