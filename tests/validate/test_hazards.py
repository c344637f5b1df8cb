"""Wait states on pages and in the model, against those of the manuals and of LLVM."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import layoutgen
from layoutgen.validate import assembly, hazards
from layoutgen.validate.artefacts import rst
from layoutgen.validate.findings import Finding, Tally
from layoutgen.validate.subject import Subject

XDL = "XDL writes D\n     - VALU, VMEM"
ARCHITECTURES = tuple(layoutgen.archs())
REFERENCE = Path(__file__).parents[2] / "docs" / "reference"


def _page(arch: str, name: str = "hazards") -> str:
    return (REFERENCE / arch / f"{name}.rst").read_text(encoding="utf-8")


def findings(text: str, arch: str, path: Path = Path("hazards.rst")) -> list[Finding]:
    """What is wrong with the wait states of a page with this text."""
    return hazards.check(rst.parse_page(path, text), arch).findings


def _told(subject: Subject, text: str) -> Tally:
    page = rst.parse_page(Path("page.rst"), text)
    tally = hazards.of_instruction(subject, page)
    tally.merge(assembly.check(subject, page))
    return tally


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_the_pages_and_the_model_say_what_the_sources_say(arch: str) -> None:
    assert findings(_page(arch), arch) == []
    model = hazards.check_model(layoutgen.arch(arch))
    assert model.findings == []
    assert sum(model.counts.values()) >= sum(
        len(wait.states) for wait in hazards.waits(arch).values()
    )


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_every_number_of_the_page_is_checked(arch: str) -> None:
    text = _page(arch)
    numbers = [
        (n, line) for n, line in enumerate(text.split("\n"), 1) if re.fullmatch(r" +- \d+", line)
    ]
    cells = [(n, line) for n, line in numbers if n < text[: text.index("Passes\n")].count("\n")]
    for n, line in cells:
        lines = text.split("\n")
        lines[n - 1] = f"{line}1"
        (first, *_) = findings("\n".join(lines), arch, Path("waits.rst"))
        assert first.where == f"waits.rst:{n}"
    assert len(cells) > 15


def test_a_planted_wait_state_is_noticed_with_its_place() -> None:
    spoiled = _page("gfx942").replace("     - 19\n", "     - 18\n", 1)
    line = spoiled.split("\n").index("     - 18") + 1
    (finding,) = findings(spoiled, "gfx942", Path("gfx942/hazards.rst"))
    assert str(finding) == (
        f"gfx942/hazards.rst:{line}: L0 : XDL writes D, then MFMA takes it as A, B or index, "
        "16 passes: 18 wait states; manual and LLVM: 19"
    ).replace("manual and", "the manual and")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("     - 16 passes", "     - 17 passes", "wait states"),
        ("     - MFMA reads it\n     - 2\n", "     - MFMA reads it\n     - two\n", "says 'two'"),
        ("     - VALU uses it", "     - VALU use it", "11 wait states"),
        ("     - VALU uses it", "     - VALU use it", "is told nowhere"),
    ],
)
def test_other_faults_of_a_page_are_noticed(old: str, new: str, says: str) -> None:
    text = _page("gfx90a")
    assert old in text
    found = findings(text.replace(old, new), "gfx90a")
    assert any(says in finding.says for finding in found)


def test_a_wait_state_of_the_model_is_held_too() -> None:
    arch = layoutgen.arch("gfx950")
    first, *rest = arch.hazards
    wrong = replace(first, waits=(first.waits[0] + 1,))
    (finding,) = hazards.check_model(replace(arch, hazards=(wrong, *rest))).findings
    assert finding.says == "3 wait states"
    (lost,) = hazards.check_model(replace(arch, hazards=tuple(rest))).findings
    assert lost.says == "is told nowhere"


def test_the_record_says_why_where_the_sources_differ() -> None:
    for entries in hazards.record()["architectures"].values():
        for entry in entries:
            assert entry["manual"] or entry["llvm"] or [0] in (entry["manual"], entry["llvm"])
            if None not in (entry["manual"], entry["llvm"]) and entry["manual"] != entry["llvm"]:
                assert entry["note"]


def test_the_numbers_follow_the_compiler_s_formulas() -> None:
    """On gfx942 and gfx950 LLVM adds a constant to the passes."""
    for arch, more in (("gfx942", (1, 1, 1, 1)), ("gfx950", (2, 2, 2, 2))):
        facts = hazards.waits(arch)
        use = "MFMA" if arch == "gfx942" else "XDL"
        wait = facts["XDL writes D", f"{use} takes overlapping registers as C"]
        passes = (2, 4, 8, 16)
        assert [wait.after(p) for p in passes] == [p + m for p, m in zip(passes, more, strict=True)]


@pytest.mark.parametrize(
    ("arch", "mnemonic", "old", "new", "says"),
    [
        ("gfx908", "v_mfma_f32_4x4x1f32", "After 2 passes", "After 8 passes", "for 8 passes"),
        ("gfx950", "v_mfma_f32_16x16x32_f16", XDL, f"F32 MFMA{XDL[3:]}", "another kind"),
        ("gfx950", "v_mfma_f64_4x4x4_4b_f64", "F64 4×4×4 writes D", "XDL writes D", "nowhere"),
        ("gfx908", "v_mfma_f32_4x4x1f32", "a[0:3], v0", "a[0:4], v0", "D is a[0:4]"),
        ("gfx908", "v_mfma_f32_4x4x1f32", "v0, v1, a", "v0, v0, a", "B is v0"),
        ("gfx908", "v_mfma_f32_4x4x1f32", "v1, a[0:3]``", "v1, a[4:7]``", "C is a[4:7]"),
        ("gfx942", "v_mfma_f64_16x16x4_f64", "``neg:[1,0,1]``", "``neg:[1,1,0]``", "neg 5"),
        (
            "gfx950",
            "v_mfma_scale_f32_16x16x128_f8f6f4",
            "op_sel_hi:[0,1,0]",
            "op_sel_hi:[1,0,0]",
            "2",
        ),
    ],
)
def test_faults_on_the_page_of_an_instruction_are_noticed(
    subject: Callable[..., Subject], arch: str, mnemonic: str, old: str, new: str, says: str
) -> None:
    slug = layoutgen.arch(arch)[mnemonic].slug
    text = _page(arch, slug)
    one = subject(mnemonic, arch)
    assert old in text
    assert _told(one, text).findings == []
    found = _told(one, text.replace(old, new)).findings
    assert any(says in finding.says for finding in found), [str(f) for f in found]
