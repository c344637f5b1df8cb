"""CSV: the tables, by element and by slot, one by one or all in one."""

from __future__ import annotations

import csv
import io

import pytest

from layoutgen import archs
from layoutgen.export.tables import ORDERS, By, csv_table, csv_tables
from layoutgen.model import Architecture

ARCHS = archs()
every_arch = pytest.mark.parametrize("arch", ARCHS.values(), ids=list(ARCHS))


@every_arch
@pytest.mark.parametrize("by", ORDERS)
def test_a_table_has_the_rows_of_the_operand(arch: Architecture, by: By) -> None:
    for inst in arch.values():
        for operand in inst.operands.values():
            heading, *rows = csv.reader(io.StringIO(csv_table(operand, by=by)))
            order = [heading.index(name) for name in operand.columns]
            found = [[int(row[n]) for n in order] for row in rows]
            expected = operand.table().tolist()
            if by == "slot":
                assert found == sorted(expected, key=lambda row: row[-4:-1])
                assert heading[:4] == ["lane", "register", "bit", "width"]
            else:
                assert found == expected
                assert heading == list(operand.columns)


@every_arch
@pytest.mark.parametrize("by", ORDERS)
def test_all_tables_are_one_clean_table(arch: Architecture, by: By) -> None:
    reader = csv.DictReader(io.StringIO(csv_tables(arch, by=by)))
    found: dict[tuple[str, str], list[str]] = {}
    for row in reader:
        key = (row.pop("instruction"), row.pop("operand"))
        found.setdefault(key, []).append(",".join(v for v in row.values() if v != ""))
    assert list(found) == [
        (inst.mnemonic, name) for inst in arch.values() for name in inst.operands
    ]
    for (mnemonic, name), lines in found.items():
        alone = [row.split(",") for row in csv_table(arch[mnemonic].operand(name), by=by).split()]
        assert sorted(map(sorted, (line.split(",") for line in lines))) == sorted(
            map(sorted, alone[1:])
        )


def test_instructions_and_operands_can_be_chosen() -> None:
    arch = ARCHS["gfx908"]
    text = csv_tables(arch, [arch["v_mfma_f32_4x4x1f32"]], operands=["B"])
    lines = text.splitlines()
    assert lines[0] == "instruction,operand,b,k,j,lane,register,bit,width"
    assert lines[1] == "v_mfma_f32_4x4x1f32,B,0,0,0,0,0,0,32"
    assert len(lines) == 1 + 64
