"""PDF and PNG show the same scene, and are the same bytes each time."""

from __future__ import annotations

import struct

import matplotlib as mpl
import pytest

from layoutgen.figures.request import FigureError, render


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


def test_pdf_has_the_size_of_the_scene_in_points_and_no_date(scenes):
    scene = scenes["mfma-blgp-2"]
    data = render(scene, "pdf")
    width, height = (0.75 * v for v in (scene.width, scene.height))
    assert f"/MediaBox [ 0 0 {width:g} {height:g} ]".encode() in data
    assert b"Date" not in data
    assert b"/ToUnicode" in data, "its text can be searched"


def test_the_users_own_matplotlib_settings_change_nothing_and_stay(scenes):
    scene = scenes["mfma-blgp-4"]
    plain = render(scene, "png")
    with mpl.rc_context({"savefig.bbox": "tight", "font.family": ["serif"], "text.color": "red"}):
        assert render(scene, "png") == plain
        assert mpl.rcParams["savefig.bbox"] == "tight"


def test_other_kinds_of_file_are_refused(scenes):
    with pytest.raises(FigureError, match="no file type 'gif': there are svg, pdf and png"):
        render(scenes["mfma-blgp-0"], "gif")
