"""Labels are held against witnesses; disagreements must be known, and known ones must be real."""

from __future__ import annotations

from pathlib import Path

import layoutgen
from layoutgen.validate import labels
from layoutgen.validate.labels import KnownDisagreement
from layoutgen.validate.tables import COORDINATES, OperandTable

NAME = "v_mfma_f32_16x16x16f16"
INST = layoutgen.arch("gfx908")[NAME]


def _table(operand: str) -> OperandTable:
    rows = INST.operands[operand].table()
    return OperandTable(operand, COORDINATES[operand], rows, "test", lambda row: f"row {row}")


def _renamed(table: OperandTable, column: int) -> OperandTable:
    rows = table.rows.copy()
    rows[:, column] = 15 - rows[:, column]
    return table.with_rows(rows)


def test_all_witnesses_agree() -> None:
    by_hand = ("Composable Kernel", "MMA-Sim")
    assert labels.compare("gfx908", NAME, _table("D")).agreeing == ("IREE", "Triton", *by_hand)
    assert labels.compare("gfx908", NAME, _table("A")).agreeing == ("IREE", *by_hand)


def test_a_new_disagreement_is_a_finding_that_names_the_element() -> None:
    verdict = labels.compare("gfx908", NAME, _renamed(_table("A"), 1), known=())
    first = str(verdict.findings[0])
    assert "row 0: L2" in first
    assert "A[b=0, i=15, k=0]: at lane 0, register 0, bits 0-15" in first
    assert "IREE" in first
    assert "has there A[b=0, i=0, k=0]" in first


def test_a_known_disagreement_is_none() -> None:
    known = [
        KnownDisagreement("gfx908", NAME, "A", tool, "rows are counted downwards")
        for tool in ("IREE", "Composable Kernel", "MMA-Sim")
    ]
    assert labels.compare("gfx908", NAME, _renamed(_table("A"), 1), known=known).findings == ()


def test_a_known_disagreement_that_has_vanished_is_a_finding() -> None:
    known = [KnownDisagreement("gfx908", NAME, "A", "IREE", "rows are counted downwards")]
    (finding,) = labels.compare("gfx908", NAME, _table("A"), known=known).findings
    assert "listed as a disagreement: rows are counted downwards" in str(finding)
    assert "agrees with the table" in str(finding)


def test_only_the_order_of_k_with_eight_bits_is_known_to_disagree() -> None:
    known = labels.known_disagreements()
    assert {(d.tool, d.type) for d in known} == {
        ("IREE", "f8E4M3FN"), ("IREE", "f8E5M2"), ("hip-fpsan", "")
    }  # fmt: skip
    for one in known:
        assert one.operand in ("A", "B", "index")
        assert one.instruction.endswith(("_f8f6f4", "fp8", "bf8"))
    assert Path(labels.KNOWN_FILE).is_file()


def test_a_witness_speaks_of_its_element_type_alone() -> None:
    inst = layoutgen.arch("gfx950")["v_mfma_scale_f32_16x16x128_f8f6f4"]

    def verdict(code: int, kind: str) -> labels.Verdict:
        rows = inst.operand("A", cbsz=code).table()
        table = OperandTable("A", COORDINATES["A"], rows, "test", lambda row: f"row {row}")
        return labels.compare("gfx950", inst.mnemonic, table, kind, known=())

    assert verdict(4, "fp4_e2m1").agreeing == ("IREE",)
    assert verdict(2, "fp6_e2m3").findings == ()
    assert "A[b=0, i=0, k=32]" in str(verdict(0, "fp8_e4m3").findings[0])
