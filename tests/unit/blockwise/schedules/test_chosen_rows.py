"""Pointwise kernels in which data choose rows of a buffer: whole rows in a wave, 16 bytes a lane."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.schedules.choices import Pointwise
from asmgen.blockwise.schedules.choosing.choose import choose
from asmgen.blockwise.schedules.misfit import misfit
from asmgen.ir.shapes import format_list
from isa.targets import TARGETS
from tests.unit.blockwise.schedules.graphs import graph_of

TARGET = TARGETS["gfx942"]
TYPES = {"f16": np.float16, "f32": np.float32, "i8": np.int8}


def gathered(table: tuple[int, ...], axis: int, rows: str, element: str = "f16") -> str:
    return f"t = @param:t -> {element}, {format_list(table)}\nids = @param:ids -> i32, {rows}\no = gather[axis={axis}](t, ids)\n@return(o)\n"


@pytest.mark.parametrize(
    ("table", "axis", "rows", "choice"),
    [
        ((8192, 1024), 0, "{65536}", Pointwise(8, 1, 8, 1024)),  # four rows a wave
        ((8192, 1000), 0, "{65536}", Pointwise(8, 1, 8, 1024)),  # three lanes of a row have its last elements
        ((8192, 1023), 0, "{65536}", Pointwise(8, 1, 8, 1024)),
        ((8192, 1536), 0, "{65536}", Pointwise(8, 1, 6, 1536)),
        ((8192, 8712), 0, "{65536}", Pointwise(8, 1, 6, 9216)),  # three waves a row
        ((32, 8192, 520), 1, "{1024}", Pointwise(8, 4, 8)),  # the lanes of a second access would idle
        ((8192, 64), 0, "{65536}", Pointwise(8, 4, 4)),  # several rows a wave
        ((8192, 33), 0, "{65536}", Pointwise(8, 4, 2, 40)),
    ],
)  # fmt: skip
def test_the_rows_of_a_wave(table: tuple[int, ...], axis: int, rows: str, choice: Pointwise) -> None:
    assert choose(graph_of(gathered(table, axis, rows)).work, TARGET) == choice


def test_rows_have_a_known_size_and_room() -> None:
    graph = graph_of(gathered((10, 100), 0, "{7}"))
    assert misfit(graph, Pointwise(8, 1, 1, 104), TARGET) == ""
    assert misfit(graph, Pointwise(8, 1, 1, 100), TARGET) == ("row is 100, wanted a multiple of the 8 elements of a vector")
    assert misfit(graph, Pointwise(8, 1, 1, 96), TARGET) == "row is 96, and a row has 100 elements"


CASES = [
    ((19, 1000), 0, (5, 3), "f16", None), ((19, 1023), 0, (13,), "f16", Pointwise(8, 1, 4, 1024)),
    ((3, 11, 515), 1, (7,), "f32", Pointwise(4, 1, 3, 768)), ((5, 33), 0, (41,), "i8", Pointwise(16, 4, 3, 48)),
    ((5, 8, 100), 1, (9,), "f16", Pointwise(8, 2, 2, 104)), ((3, 7, 64), 2, (513,), "f16", None),
    ((4, 2100), 0, (11,), "f16", Pointwise(8, 1, 3, 3072)), ((4, 2100), 0, (11,), "f16", Pointwise(8, 1, 3, 6144)),
]  # fmt: skip


@pytest.mark.parametrize(("table", "axis", "count", "element", "choice"), CASES)
@pytest.mark.parametrize("target", ["gfx90a", "gfx1201"])
def test_odd_sizes(
    table: tuple[int, ...],
    axis: int,
    count: tuple[int, ...],
    element: str,
    choice: Pointwise | None,
    target: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Negative indices count from the end, and others are clamped."""
    if choice is not None:
        monkeypatch.setattr("asmgen.gridwise.choose.choose", lambda *_: choice)
    random = np.random.default_rng(1)
    t = random.integers(-50, 50, table).astype(TYPES[element])
    ids = random.integers(-table[axis] - 2, table[axis] + 2, count).astype(np.int32)
    program = asmgen.compile(gathered(table, axis, format_list(count), element), target=target)
    (o,) = program(t, ids, device="emulator")
    whole = np.where(ids < 0, ids + table[axis], ids).clip(0, table[axis] - 1)
    np.testing.assert_array_equal(o, np.take(t, whole, axis))


def test_a_wave_reads_its_rows_by_scalar_loads_and_16_bytes() -> None:
    (kernel,) = asmgen.compile(gathered((8192, 1023), 0, "{65536}"), target="gfx942").kernels
    code = kernel.assembly
    assert code.count("\tglobal_load_dwordx4") == code.count("\tglobal_store_dwordx4") == 8
    assert "\ts_load_dwordx4" in code
    assert "\tglobal_load_dword " not in code


def test_a_sum_of_chosen_rows_reads_16_bytes() -> None:
    text = """t = @param:t -> f16, {8192,1024}
ids = @param:ids -> i32, {4096,32}
g = gather[axis=0](t, ids)
o = reduce_sum[axes={1}](g)
@return(o)
"""
    (kernel,) = asmgen.compile(text, target="gfx942").kernels
    assert kernel.assembly.count("\tglobal_load_dwordx4") >= 16
    assert "\tglobal_load_dwordx2" not in kernel.assembly


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_a_product_of_chosen_pages_reads_its_table_within_bounds(target: str) -> None:
    """Waves beyond the 8 elements along k read pages of no element. The index of a page has the part of k that
    is the wave's, and no condition on the rest of k reaches it."""
    text = """q = @param:q -> f32, {2,2,8}
pages = @param:pages -> f32, {5,4,8}
table = @param:table -> i32, {2,3}
chosen = gather(pages, table)
k = reshape[dims={2,12,8}](chosen)
turned = transpose[permutation={0,2,1}](k)
y = dot(q, turned)
@return(y)
"""
    random = np.random.default_rng(1)
    q, pages = (random.integers(-4, 4, dims).astype(np.float32) for dims in ((2, 2, 8), (5, 4, 8)))
    table = random.integers(0, 5, (2, 3)).astype(np.int32)
    (y,) = asmgen.compile(text, target=target)(q, pages, table, device="emulator")
    np.testing.assert_array_equal(y, q @ pages[table].reshape(2, 12, 8).transpose(0, 2, 1))
