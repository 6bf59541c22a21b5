"""Rows of a few columns: a lane has elements next to each other whose registers have no bits in common."""

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
