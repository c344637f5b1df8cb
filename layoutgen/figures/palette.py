"""Colours, light and dark: one place for all of them, so that their contrast can be computed.

The four groups of 16 lanes are tints (light) and shades (dark) of four Okabe–Ito colours, which
people with any kind of colour vision tell apart; lanes 0–31 are cool, lanes 32–63 warm.  They
also differ in lightness, for paper without colour.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours of one scheme.  `fills` and `edges` are by group of 16 lanes."""

    page: str
    ink: str
    soft: str
    rule: str
    outline: str
    focus: str
    fills: tuple[str, str, str, str]
    edges: tuple[str, str, str, str]


LIGHT = Palette(
    page="#ffffff",
    ink="#16202b",
    soft="#4c5866",
    rule="#5f6b79",
    outline="#2b3743",
    focus="#b3005e",
    fills=("#c4e5f7", "#73cab2", "#f9f4b3", "#e8a673"),
    edges=("#2f7fad", "#0b6b50", "#8d8317", "#a44705"),
)
DARK = Palette(
    page="#14181e",
    ink="#f2f5f8",
    soft="#b9c3ce",
    rule="#8f9baa",
    outline="#b4bfca",
    focus="#ff8ac4",
    fills=("#243f51", "#076f55", "#615f2b", "#442a16"),
    edges=("#5b97bb", "#3aa88b", "#aba654", "#c07a48"),
)
GROUPS = len(LIGHT.fills)


def luminance(colour: str) -> float:
    """Return the relative luminance of ``#rrggbb`` (WCAG 2.2), 0 to 1."""
    channels = (int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5))
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours (WCAG 2.2), 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)
