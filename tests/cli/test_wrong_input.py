"""Every wrong input: exit code 2, one message on stderr that says what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest

D = "gfx908 v_mfma_f32_32x32x1f32 D"
A = "gfx908 v_mfma_f32_16x16x4f16 A"
ONE_BLOCK = "gfx908 v_mfma_f32_32x32x8f16 A"

WRONG = [
    # Commands and options.
    ("locat", "no command 'locat'; nearest: locate"),
    ("frobnicate", "there are list, show, locate, element, table"),
    ("--frobnicate", "no option '--frobnicate'"),
    (f"locate {D} -i 1 -j 1 --blok 1", "no option --blok; nearest: --block"),
    (
        f"locate {D} -i 1 -j 1 again",
        "'again' is no element of D: write it as 'D[5][3]', or -i 5 -j 3",
    ),
    (f"locate {D} -i", "argument -i/--row: expected one argument"),
    (f"table {D} --format xml", "invalid choice: 'xml'"),
    (f"table {D} --by column", "invalid choice: 'column'"),
    ("list gfx908 gfx90a", "unexpected argument 'gfx90a'"),
    # Paths from a variable that is not set.
    ("docs -o ''", "argument -o/--output: the path is empty; '.' is the current folder"),
    ("docs --templates ''", "argument --templates: the path is empty"),
    ("list --spec-dir ''", "argument --spec-dir: the path is empty"),
    ("validate --artefacts=", "argument --artefacts: the path is empty"),
    (f"table {D} -o ''", "argument -o/--output: the path is empty"),
    # Missing arguments.
    ("show", "ARCH"),
    ("show gfx908 --cbsz 1", "--cbsz is about an instruction: give INSTRUCTION"),
    ("show gfx908 --acc-vgprs 257", "--acc-vgprs 257 is out of range: 0 to 256"),
    ("show gfx908 v_mfma_f32_32x32x1f32 --acc-vgprs 5", "leave INSTRUCTION out"),
    ("format fp8", "'fp8' is a format: the architecture comes first"),
    ("which f16", "'f16' is a type: give it as --a f16"),
    ("locate gfx942 v_mfma_f32_16x16x16_f16 D 5 3", "an element is given as -i 5 -j 3"),
    ("locate gfx942 v_mfma_f32_16x16x16_f16 D[5]", "write D[i][j]"),
    ("locate gfx942 v_mfma_f32_16x16x16_f16 D[5][x]", "write D[i][j]"),
    ("locate gfx942 v_mfma_f32_16x16x16_f16 D[5][3] -i 5", "say the same"),
    ("element gfx942 v_mfma_f32_16x16x16_f16 D v2 37", "given as --lane 37 --register 6"),
    ("show gfx942 v_mfma_f32_16x16x16_f16 --cbsz fp4", "--cbsz 'fp4' is not a whole number"),
    ("show gfx950 v_mfma_f32_16x16x128_f8f6f4 --cbsz f4", "fp8, bf8, fp6, bf6, fp4"),
    ("format gfx942 fp8 0x100", "fp8 0x100 is out of range: 0 to 0xff"),
    ("format gfx942 fp9", "gfx942 has no format 'fp9'; nearest: fp8"),
    ("format gfx942 fp8 one", "'one' is not a code such as 0x40"),
    ("format gfx942 pair 5", "5 is no index pair"),
    ("format gfx942 --of 1", "give FORMAT"),
    ("format gfx942 f32 --of 1", "at most 16 bits"),
    ("format gfx942 fp8 --of inf", "fp8 has no infinity"),
    ("hazards gfx907", "no architecture 'gfx907'"),
    ("hazards gfx942 v_mfma_f32_16x16x16_f17", "has no instruction"),
    ("locate gfx942 v_smfmac_f32_16x16x32_f16 A -i 0 -k 16", "of the 32 k, A stores 16"),
    ("locate gfx942 v_smfmac_f32_16x16x32_f16 index -i 0 -k 32", "k 32 is out of range: 0 to 31"),
    ("locate gfx942 v_smfmac_f32_16x16x32_f16 index -i 0 --group 8", "group 8 is out of range"),
    ("locate gfx942 v_smfmac_f32_16x16x32_f16 index -i 0 --group 1 -k 1", "say the same"),
    ("locate gfx942 v_smfmac_f32_16x16x32_f16 index -j 0", "has no -j: its coordinates are -b, -i"),
    ("locate gfx942 v_smfmac_f32_16x16x32_f16 D -i 0 -j 0 --index 4", "it needs --sources"),
    ("locate gfx942 v_smfmac_f32_16x16x32_f16 D -i 0 -j 0 --sources --index 5", "4 for k 0 and 1"),
    ("locate gfx942 v_mfma_f32_16x16x16_f16 D -i 0 -j 0 --sources --index 4", "is not sparse"),
    ("locate gfx942 v_mfma_f32_16x16x16_f16 A -i 0 --base v1", "a multiple of 2: v0 or v2"),
    ("locate gfx942 v_mfma_f32_16x16x16_f16 A -i 0 --base a[2:4]", "is 3 registers"),
    ("locate gfx942 v_mfma_f32_16x16x16_f16 A -i 0 --base s4", "'s4' is not a register"),
    ("locate gfx908 v_mfma_f32_16x16x16f16 D -i 0 -j 0 --base v4", "accVGPRs only: --base a4"),
    ("locate gfx942 v_mfma_f32_16x16x16_f16 A -i 0 --transpose", "about C and D"),
    ("element gfx942 v_mfma_f32_16x16x16_f16 D -l 0 -r a9 --base a4", "lies in a4 to a7"),
    ("locate gfx950 v_mfma_scale_f32_16x16x128_f8f6f4 A -i 0 --cbsz 5", "cbsz 5 is not in 0 to 4"),
    ("locate gfx942 v_smfmac_f32_16x16x32_f16 index -i 0 --cbsz 1 --abid 1", "abid 1 is not 0"),
    ("locate gfx908 v_mfma_f32_32x32x1f32 -i 1 -j 1", "OPERAND"),
    (f"locate {D} -i 1", "-j is missing: D of v_mfma_f32_32x32x1f32 on gfx908 needs it, 0 to 31"),
    (f"locate {D}", "-i is missing"),
    (f"locate {A} -k 1", "-i is missing"),
    (f"element {D}", "--lane is missing"),
    (f"element {D} --register 6", "--lane is missing"),
    # Unknown names.
    ("list gfx90", "no architecture 'gfx90'; nearest: gfx950"),
    ("show cdna7 v_mfma_f32_32x32x1f32", "no architecture 'cdna7'; nearest: cdna4"),
    ("show '' v_mfma_f32_32x32x1f32", "no architecture ''"),
    (
        "show gfx908 v_mfma_f32_32x32x1f16",
        "gfx908 has no instruction 'v_mfma_f32_32x32x1f16'; nearest: v_mfma_f32_32x32x4f16",
    ),
    (
        "show gfx908 v_mfma_f32_4x4x4bf16_1k",
        "bf16_1k'; it is on gfx90a, gfx942, gfx950; nearest: v_mfma_f32_4x4x2bf16",
    ),
    ("show gfx908 nonsense", "see 'layoutgen list gfx908'"),
    ("show v_mfma_f32_32x32x1f32 gfx908", "the architecture comes first"),
    ("table gfx908 v_mfma_f32_32x32x1f32 E", "no operand 'E': v_mfma_f32_32x32x1f32 has A, B"),
    ("locate gfx908 v_mfma_f32_32x32x1f32 index -i 0", "no operand 'index'"),
    # Coordinates and slots.
    (
        f"locate {D} -i 32 -j 1",
        "D of v_mfma_f32_32x32x1f32 on gfx908: i 32 is out of range: 0 to 31",
    ),
    (f"locate {D} -i -1 -j 1", "i -1 is out of range"),
    (f"locate {D} -i 1 -j 1 -b 2", "b 2 is out of range: 0 to 1"),
    (f"locate {D} -i 1 -j 1 -k 0", "has no -k: its coordinates are -b, -i, -j"),
    (f"locate {A} -i 1 -j 1", "has no -j: its coordinates are -b, -i, -k"),
    (f"locate {D} -i one -j 1", "argument -i/--row: 'one' is not a whole number"),
    (f"locate {D} -i 1.5 -j 1", "'1.5' is not a whole number"),
    (f"locate {D} -i 1e3 -j 1", "'1e3' is not a whole number"),
    (f"locate {A} -i 1 --sources", "--sources asks what makes an element of D, not of A"),
    (f"element {D} --lane 64 --register 6", "lane 64 is out of range: 0 to 63"),
    (f"element {D} --lane 3 --register 32", "register 32 is out of range: 0 to 31"),
    (f"element {D} --lane 3 --register x6", "'x6' is not a register"),
    (f"element {D} --lane 3 --thread 4", "not allowed with argument"),
    (f"element {D} --thread -4", "thread -4 is out of range"),
    (f"table {D} --lane 60-64", "lane 64 is out of range: 0 to 63"),
    (f"table {D} --lane 4-2", "'4-2' ends before it begins"),
    (f"table {D} --lane 1,,2", "'1,,2' is not a list of numbers"),
    (f"table {D} --lane 0-999999999999", "far out of range"),
    (
        f"table {D} -k 0",
        "D of v_mfma_f32_32x32x1f32 on gfx908 has no k: its coordinates are -b, -i, -j",
    ),
    # Modifiers.
    (f"table {A} --cbsz 3", "cbsz 3 is not in 0 to 2"),
    (f"table {A} --cbsz -1", "cbsz -1 is not in 0 to 2"),
    (f"table {A} --cbsz 1 --abid 2", "abid 2 is not in 0 to 1"),
    (f"table {A} --abid 1", "abid 1 is not 0"),
    (f"table {A} --blgp 8", "blgp 8 is not in 0 to 7"),
    (f"table {ONE_BLOCK} --cbsz 1", "cbsz and abid must be 0: the instruction has one block"),
    (f"table {A} --neg 1", "v_mfma_f32_16x16x4f16 has no --neg: it has --cbsz, --abid, --blgp"),
    (f"table {A} --op-sel 1", "has no --op-sel: it has --cbsz, --abid, --blgp"),
    ("show gfx908 v_mfma_f32_16x16x4f16 --op-sel 1", "has no --op-sel"),
    (f"figure {D} --blgp 3 -o d.svg", "--blgp does not change where D is read from"),
    (f"figure {D} --cbsz 1 -o d.svg", "--cbsz does not change where D is read from"),
    (f"figure {A} --cbsz 1 --blgp 3 -o d.svg", "--blgp does not change where A is read from"),
    ("show gfx908 v_mfma_f32_16x16x4f16 -o d.csv", "has the suffix '.csv': this answer is text or"),
    (f"table {A} --cbsz x", "'x' is not a whole number"),
    (f"table {A} --neg [1,2]", "'[1,2]' is neither a number nor a list of 0 and 1"),
    ("show gfx908 v_mfma_f32_16x16x4f16 --abid 1", "abid 1 is not 0"),
    # Figures, pages, schemas, completion.
    (f"figure {D} -o d.jpg", "d.jpg has the suffix '.jpg': a figure is .svg, .pdf or .png"),
    (f"figure {D} -o d", "d has no suffix: a figure is .svg, .pdf or .png"),
    (f"figure {D}", "-o/--output"),
    (f"figure {D} -b 2 -o d.svg", "block 2 is out of range: 0 to 1"),
    (f"figure {D} -b two -o d.svg", "'two' is not a whole number"),
    (f"figure {D} --view product --cell lane -o d.svg", "--cell is for --view matrix"),
    (f"figure {D} --view registers -b 0 -o d.svg", "--view registers shows all blocks"),
    (f"figure {D} --view product -b all -o d.svg", "--view product shows one block"),
    (f"figure {D} --plain -o d.png", "--plain is for SVG"),
    (f"figure {D} --view circle -o d.svg", "invalid choice: 'circle'"),
    (f"figure {A} --cbsz 3 -o d.svg", "cbsz 3 is not in 0 to 2"),
    ("docs --tree nvidia", "invalid choice: 'nvidia'"),
    ("docs -j 0", "at least one process is needed"),
    ("docs --templates /no/such/folder", "--templates /no/such/folder: there is no such folder"),
    ("docs -o /dev/null", "cannot write below /dev/null: it is no folder"),
    ("schema instruction", "invalid choice: 'instruction'"),
    ("completion", "SHELL"),
    ("completion powershell", "invalid choice: 'powershell'"),
    # Files.
    ("list --spec-dir /no/such/folder", "/no/such/folder"),
    (f"table {D} -o /no/such/folder/table.csv", "/no/such/folder"),
    (f"table {D} -o /", "cannot write /: it is a folder"),
]


@pytest.mark.parametrize(("line", "expected"), WRONG, ids=[line for line, _ in WRONG])
def test_wrong_input_is_one_message(layoutgen, line: str, expected: str) -> None:
    answer = layoutgen(line)
    assert answer.code == 2
    assert answer.out == ""
    (message,) = answer.err.splitlines()
    assert message.startswith("layoutgen: error: ")
    assert expected in message


def test_no_command_at_all_prints_the_help_to_stderr(layoutgen) -> None:
    answer = layoutgen("")
    assert (answer.code, answer.out) == (2, "")
    assert "usage: layoutgen COMMAND" in answer.err


def test_an_instruction_of_another_architecture_is_told_with_its_architecture(layoutgen) -> None:
    asked = "show gfx908 v_mfma_f32_16x16x16bf16_1k"
    answer = layoutgen(asked)
    assert answer.code == 2
    assert answer.err.startswith(
        "layoutgen: error: gfx908 has no instruction 'v_mfma_f32_16x16x16bf16_1k'; it is on "
        "gfx90a, gfx942, gfx950; nearest: v_mfma_f32_16x16x8bf16"
    )
    assert layoutgen(asked.replace("gfx908", "gfx90a")).code == 0


def test_a_specification_that_does_not_hold_is_told_with_its_place(
    layoutgen, tmp_path: Path
) -> None:
    (tmp_path / "mine.yaml").write_text("architecture: gfx9ff\ncolour: red\n", encoding="utf-8")
    answer = layoutgen("list", "--spec-dir", tmp_path)
    assert (answer.code, answer.out) == (2, "")
    assert f"{tmp_path / 'mine.yaml'}:2:1: error: " in answer.err
    assert "Traceback" not in answer.err


@pytest.mark.parametrize("name", ["table.csv", "table.json"])
def test_nothing_is_written_when_the_question_is_wrong(
    layoutgen, tmp_path: Path, name: str
) -> None:
    answer = layoutgen(f"table {D} --lane 64 -o", tmp_path / name)
    assert answer.code == 2
    assert list(tmp_path.iterdir()) == []
