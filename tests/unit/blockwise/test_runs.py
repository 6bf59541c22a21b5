"""Rows of a few columns: a lane has neighbouring elements in registers that have no bits in common."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

import asmgen

TEXT = """stage gridwise TARGET
program @few {
  x = parameter -> f32, {50,3}
  y = result -> f32, SHAPE
  launch @few(x) -> (y) grid(1) by CHOICE {
    x = @param:x -> f32, {50,3}
    m = OP(x)
    RETURN
  }
}
"""
COLUMNS = {
    "SHAPE": "{1,3}", "CHOICE": "column[rows=4, columns=3, lanes=1, waves=1, teams=1, vector=1, repeat=1]",
    "OP": "reduce_sum[axes={0}]", "RETURN": "@return(m)",
}  # fmt: skip
ROWS = {
    "SHAPE": "{50,3}", "CHOICE": "row[rows=4, lanes=1, waves=1, teams=1, vector=1, repeat=3]", "OP": "reduce_max[axes={1}]",
    "RETURN": "y = sub(x, m)\n    @return(y)",
}  # fmt: skip
X = np.random.default_rng(3).integers(-99, 99, (50, 3)).astype(np.float32)


def compiled(parts: dict[str, str], target: str) -> asmgen.CompiledProgram:
    text = TEXT.replace("TARGET", target)
    for name, part in parts.items():
        text = text.replace(name, part)
    return asmgen.compile(text, target=target)


def accesses(program: asmgen.CompiledProgram) -> Counter[str]:
    """The accesses of global memory by the bytes of each, such as `load 16`."""
    (kernel,) = program.kernels
    found: list[tuple[str, str, str]] = re.findall(r"^\tglobal_(load|store)_(?:b(\d+)|dword(?:x(\d))?)\b", kernel.assembly, re.MULTILINE)
    return Counter([f"{way} {int(bits) // 8 if bits else 4 * int(dwords or 1)}" for way, bits, dwords in found])


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_four_rows_of_three_columns_are_three_whole_accesses(target: str) -> None:
    """The last lane with rows has the last four: 50 rows are no multiple of 4."""
    rows = compiled(ROWS, target)
    assert accesses(rows) == {"load 16": 3, "store 16": 3}
    assert (rows(X, device="emulator")[0] == X - X.max(axis=1, keepdims=True)).all()
    columns = compiled(COLUMNS, target)
    assert accesses(columns)["load 16"] == 3
    assert (columns(X, device="emulator")[0] == X.sum(axis=0)).all()


TURNED = "x = @param:x -> {element}, {{64,1024}}\no = roll[axes={{1}}, shifts={{1}}](x)\n@return(o)\n"
STEPS = "x = @param:x -> f16, {64,1024}\no = step[axes={1}, steps={2}](x)\n@return(o)\n"


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
@pytest.mark.parametrize(("element", "type_", "loads"), [("f32", np.float32, {"load 12": 1, "load 4": 1}), ("f16", np.float16, {"load 16": 1})])
def test_a_vector_that_crosses_the_end_of_a_row_is_two_loads(element: str, type_: type[np.generic], loads: dict[str, int], target: str) -> None:
    """The last element of the row, and the others at once: three of four f32; seven of eight f16, and the element of 2 bytes."""
    program = asmgen.compile(TURNED.format(element=element), target=target)
    found = accesses(program)
    assert loads.items() <= found.items()
    assert not found["load 8"]
    x = np.random.default_rng(7).integers(-99, 99, (64, 1024)).astype(type_)
    assert (program(x, device="emulator")[0] == np.roll(x, 1, axis=1)).all()


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_every_second_f16_is_read_with_the_others(target: str) -> None:
    """Eight results of a lane are half of two blocks of 16 bytes. No block is read beyond the buffer."""
    program = asmgen.compile(STEPS, target=target)
    found = accesses(program)
    assert found["load 16"] == 2 * found["store 16"] > 0
    assert [name for name in found if name.startswith("load")] == ["load 16"]
    x = np.random.default_rng(8).integers(-99, 99, (64, 1024)).astype(np.float16)
    assert (program(x, device="emulator")[0] == x[:, ::2]).all()
    odd = asmgen.compile(STEPS.replace("1024", "1023").replace("64,", "63,"), target=target)
    x = x[:63, :1023].copy()
    assert (odd(x, device="emulator")[0] == x[:, ::2]).all()
