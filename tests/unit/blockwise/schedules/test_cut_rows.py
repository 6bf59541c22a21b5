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


@pytest.mark.parametrize("target", ["gfx90a", "gfx1100"])
@pytest.mark.parametrize(("a", "b", "c"), [(511, 513, 0), (65, 66, 67), (33, 33, 1), (17, 20, 0)])
def test_operands_of_odd_sizes_are_stored_apart(a: int, b: int, c: int, target: str) -> None:
    for element, type_ in TYPES.items():
        parts = [size for size in (a, b, c) if size]
        names = [f"p{number}" for number in range(len(parts))]
        arrays = [np.arange(37 * size).reshape(37, size).astype(type_) for size in parts]
        lines = [f"{name} = @param:{name} -> {element}, {{37,{size}}}" for name, size in zip(names, parts, strict=True)]
        lines += [f"z = concat[axis=1]({', '.join(names)})", "@return(z)"]
        (z,) = asmgen.compile("\n".join(lines), target=target)(*arrays, device="emulator")
        np.testing.assert_array_equal(z, np.concatenate(arrays, 1))


def test_operands_of_odd_sizes_have_accesses_of_16_bytes() -> None:
    text = "a = @param:a -> f16, {4096,511}\nb = @param:b -> f16, {4096,513}\nz = concat[axis=1](a, b)\n@return(z)\n"
    (kernel,) = asmgen.compile(text, target="gfx942").kernels
    assert "ushort" not in kernel.assembly and "store_short" not in kernel.assembly
