"""PDF and PNG show the same scene, and are the same bytes each time."""

from __future__ import annotations

import base64
import re
import struct
import zlib
from collections import Counter
from dataclasses import replace

import matplotlib as mpl
import pytest

from layoutgen.figures.request import FigureError, render
from layoutgen.figures.scene import Scene, Text


@pytest.mark.parametrize("suffix", ["pdf", "png"])
def test_same_bytes_and_not_empty(scenes, suffix):
    scene = scenes["mfma-cbsz-1-of-4-blocks"]
    first = render(scene, suffix)
    assert first == render(scene, suffix)
    assert len(first) > 10_000
    assert first != render(scenes["mfma-cbsz-2-of-4-blocks"], suffix)


def test_png_has_two_pixels_for_one_and_no_trace_of_the_program(scenes):
    scene = scenes["mfma-blgp-2"]
    data = render(scene, "png")
    assert data.startswith(b"\x89PNG\r\n")
    assert struct.unpack(">II", data[16:24]) == (2 * scene.width, 2 * scene.height)
    assert b"blgp 2" in data


def test_pdf_has_the_size_of_the_scene_in_points_and_one_date_for_all(scenes, monkeypatch):
    scene = scenes["mfma-blgp-2"]
    data = render(scene, "pdf")
    width, height = (0.75 * v for v in (scene.width, scene.height))
    assert f"/MediaBox [ 0 0 {width:g} {height:g} ]".encode() in data
    assert set(re.findall(rb"Date \(D:(\w+)\)", data)) == {b"19700101000000Z"}
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert render(scene, "pdf") == data


def test_pdf_has_its_fonts_in_it_and_text_that_can_be_searched(scenes):
    data = render(scenes["mfma-blgp-2"], "pdf")
    fonts = data.count(b"/Type /Font ")
    assert fonts == 2, "upright and bold"
    assert data.count(b"/Subtype /TrueType") == data.count(b"/FontFile2") == fonts
    assert data.count(b"/ToUnicode") == fonts


def test_pdf_says_all_that_the_scene_says(scenes):
    scene = scenes["mfma-cbsz-1-of-4-blocks"]
    labels = [label for grid in scene.grids for cell in grid.cells for label in cell.labels]
    said = [*labels, *(text.text for text in scene.texts)]
    shown = [text.decode("latin-1") for text in re.findall(rb"\((.*?)\) Tj", page(scene))]
    assert len(shown) >= len(said) > 60
    assert Counter(filter(str.isalnum, shown)) == Counter(filter(str.isalnum, said))


def page(scene: Scene) -> bytes:
    """The instructions of the page."""
    (packed,) = re.findall(rb"stream\n([!-u\s]+~>)endstream", render(scene, "pdf"))
    return zlib.decompress(base64.a85decode(b"<~" + packed, adobe=True))


def test_pdf_draws_what_its_font_lacks_as_something(scenes):
    scene = replace(scenes["mfma-blgp-2"], title="D 的", texts=(Text(9, 9, "$的$", 12),))
    assert b"Tj" in page(scene)


def test_the_users_own_matplotlib_settings_change_nothing_and_stay(scenes):
    scene = scenes["mfma-blgp-4"]
    plain = render(scene, "png")
    with mpl.rc_context({"savefig.bbox": "tight", "font.family": ["serif"], "text.color": "red"}):
        assert render(scene, "png") == plain
        assert mpl.rcParams["savefig.bbox"] == "tight"


def test_other_kinds_of_file_are_refused(scenes):
    with pytest.raises(FigureError, match="no file type 'gif': there are svg, pdf and png"):
        render(scenes["mfma-blgp-0"], "gif")
