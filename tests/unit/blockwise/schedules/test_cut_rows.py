"""Rows of an odd size that are not in one piece: vectors that end with their row."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.gridwise.choose import chosen
from isa.targets import TARGETS
from tests.unit.blockwise.schedules.graphs import graph_of

TYPES = {"f16": np.float16, "f32": np.float32, "i8": np.int8, "f64": np.float64}


def cut(dims: str, element: str, last: int, axis: int = 1) -> str:
    return f"x = @param:x -> {element}, {dims}\ns = slice[axes={{{axis}}}, starts={{1}}, ends={{{last}}}](x)\nz = contiguous(s)\n@return(z)\n"


@pytest.mark.parametrize(
    ("dims", "element", "last", "row"),
    [
        ("{4096,1024}", "f16", 1024, 1024),  # rows of 1,023 elements
        ("{4096,1025}", "f16", 1025, None),  # of 1,024
        ("{65536,60}", "f32", 60, 64),  # 59: a power of two
        ("{65536,88}", "f32", 88, 88),  # 87: 128 would leave a third of the lanes idle
        ("{65536,7}", "f32", 7, None),  # 6: pairs fill rows
        ("{65536,6}", "f32", 6, None),  # 5: a row of 8 would leave more than a third of the lanes idle
    ],
)
def test_rows_begin_at_multiples(dims: str, element: str, last: int, row: int | None) -> None:
    choice = chosen(graph_of(cut(dims, element, last)), TARGETS["gfx942"])
    assert getattr(choice, "row", 0) == row


@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"])
@pytest.mark.parametrize(("rows", "columns"), [(1, 9), (37, 24), (3, 515), (5, 1023), (401, 12), (2, 33)])
def test_rows_of_odd_sizes(rows: int, columns: int, target: str) -> None:
    for element, type_ in TYPES.items():
        x = np.arange(rows * columns * 2).reshape(2, columns, rows)
        x = np.ascontiguousarray(x.transpose(0, 2, 1)).astype(type_)
        lines = [
            f"x = @param:x -> {element}, {{2,{rows},{columns}}}", "r = reverse[axes={0}](x)",
            f"s = slice[axes={{2}}, starts={{1}}, ends={{{columns}}}](r)", "z = contiguous(s)", "@return(z)",
        ]  # fmt: skip
        (z,) = asmgen.compile("\n".join(lines), target=target)(x, device="emulator")
        np.testing.assert_array_equal(z, x[::-1, :, 1:])


def test_accesses_have_16_bytes() -> None:
    (kernel,) = asmgen.compile(cut("{4096,1024}", "f16", 1024), target="gfx942").kernels
    code = kernel.assembly
    assert code.count("\tglobal_load_dwordx4") == code.count("\tglobal_store_dwordx4") == 4
    assert "ushort" not in code
