"""The whole reference: cold, warm and with nothing to do; figures; validation."""

from __future__ import annotations

import filecmp
import gzip
from pathlib import Path

import pytest

import layoutgen as package
from layoutgen.figures.request import figure, render

from .conftest import Results
from .measure import ENVIRONMENT, best, layoutgen, reference, size, spell


def equal(found: filecmp.dircmp[str]) -> bool:
    """Whether two folders hold the same files with the same bytes."""
    _, differ, odd = filecmp.cmpfiles(found.left, found.right, found.common_files, shallow=False)
    lost = [*found.left_only, *found.right_only, *differ, *odd]
    return not lost and all(map(equal, found.subdirs.values()))


def test_the_reference(results: Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_cache(name: str) -> Path:
        monkeypatch.setitem(ENVIRONMENT, "XDG_CACHE_HOME", str(tmp_path / f"cache-{name}"))
        return tmp_path / name

    for jobs in (1, 2):
        one = reference(without_cache(f"one{jobs}"), "gfx908", jobs=jobs)
        every = reference(without_cache(f"every{jobs}"), jobs=jobs)
        results.add(
            f"pages and figures through the API, {jobs} at once, without a cache",
            one=str(one), every=str(every),
            growth=every.seconds / one.seconds, memory=every.memory,
        )  # fmt: skip
    for jobs in (1, 2):
        root = without_cache(f"all{jobs}")
        cold = layoutgen("docs", "-q", "-j", str(jobs), "-o", str(root))
        results.add(
            f"layoutgen docs -j {jobs}, into an empty folder, without a cache",
            every=str(cold), memory=cold.memory, target="6 s; 500 MB",
            met=cold.seconds < 6 and cold.memory < 500 * 1024,
        )  # fmt: skip
    same = filecmp.dircmp(tmp_path / "all1", root)
    results.add("the same bytes with -j 1 and -j 2", target="yes", met=equal(same))
    for path in sorted(root.rglob("*.svg"))[::10]:
        path.unlink()
    warm = layoutgen("docs", "-q", "-o", str(root))
    results.add("with a tenth of the figures gone", every=str(warm), memory=warm.memory)
    idle = layoutgen("docs", "-q", "-o", str(root), times=3)
    results.add(
        "with nothing to do",
        every=str(idle),
        memory=idle.memory,
        target="1 s",
        met=idle.seconds < 1,
    )
    for what, limit in (("figures", 6e6), ("docs", None)):
        one_size, every_size = size(tmp_path / "one1" / what), size(root / what)
        results.add(
            f"size of {what}: {len(list((root / what).rglob('*.*')))} files",
            one=f"{one_size / 1e6:.2f} MB",
            every=f"{every_size / 1e6:.2f} MB",
            growth=every_size / one_size,
            target=f"{limit / 1e6:.0f} MB" if limit else "",
            met=every_size < limit if limit else None,
        )


def test_one_figure(results: Results, tmp_path: Path) -> None:
    inst = package.arch("gfx908")["v_mfma_f32_32x32x1f32"]
    for form, target in (("svg", "40 ms; 160 kB, 16 kB gzipped"), ("pdf", ""), ("png", "")):
        render(figure(inst, "D"), form)
        seconds = best(lambda form=form: render(figure(inst, "D"), form))
        data = render(figure(inst, "D"), form)
        tight = len(gzip.compress(data))
        packed = f", {tight / 1e3:.1f} kB gzipped" if form == "svg" else ""
        run = layoutgen("figure", "gfx908", inst.mnemonic, "D", "-o", str(tmp_path / f"d.{form}"))
        results.add(
            f"32×32 accumulator as {form.upper()}: {len(data) / 1e3:.1f} kB{packed}",
            every=f"{spell(seconds)}; {run} as a command", memory=run.memory, target=target,
            met=(seconds < 0.04 and len(data) < 160e3 and tight < 16e3) if target else None,
        )  # fmt: skip
    plain = len(render(figure(inst, "D"), "svg", plain=True))
    results.add(f"the same with --plain: {plain / 1e3:.1f} kB", target="60 kB", met=plain < 60e3)


def test_validation(results: Results) -> None:
    one, every = layoutgen("validate", "-q", "gfx908"), layoutgen("validate", "-q")
    results.add(
        "layoutgen validate", one=str(one), every=str(every),
        growth=every.seconds / one.seconds, memory=every.memory, target="90 s",
        met=every.seconds < 90,
    )  # fmt: skip
