"""Colours can be read, and told apart by everybody."""

from __future__ import annotations

import math
from itertools import combinations

import pytest

from layoutgen.figures.palette import DARK, LIGHT, contrast

# Machado, Oliveira, Fernandes 2009: linear RGB as seen without one kind of cone.
VISION = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def lab(colour: str, matrix: tuple[tuple[float, ...], ...]) -> tuple[float, float, float]:
    """CIE L*a*b* (D65) of a colour as seen."""
    srgb = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in srgb]
    r, g, b = (
        min(1, max(0, sum(m * c for m, c in zip(row, linear, strict=True)))) for row in matrix
    )
    x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047
    y = 0.2126 * r + 0.7152 * g + 0.0722 * b
    z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_text_has_contrast_on_everything_it_stands_on(palette):
    for fill in palette.fills:
        assert contrast(palette.ink, fill) >= 4.5
    assert contrast(palette.ink, palette.page) >= 4.5
    assert contrast(palette.soft, palette.page) >= 4.5


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_strokes_have_contrast_to_the_page(palette):
    for stroke in (*palette.edges, palette.rule, palette.outline, palette.focus):
        assert contrast(stroke, palette.page) >= 3


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_groups_are_told_apart_with_any_colour_vision(palette, vision):
    seen = [lab(fill, VISION[vision]) for fill in palette.fills]
    assert min(math.dist(one, other) for one, other in combinations(seen, 2)) > 15


def test_contrast_is_that_of_wcag():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
