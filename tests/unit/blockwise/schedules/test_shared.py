"""Pointwise kernels in which rows or columns share numbers: a wave reads those once."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.schedules.choices import Pointwise
from asmgen.blockwise.schedules.choosing.choose import choose
from asmgen.ir.shapes import format_list
from isa.targets import TARGETS
from tests.unit.blockwise.schedules.graphs import graph_of

TARGET = TARGETS["gfx942"]


def scaled(dims: str, of_rows: str, element: str = "f32") -> str:
    return f"x = @param:x -> {element}, {dims}\ns = @param:s -> {element}, {of_rows}\nt = mul(s, s)\ny = mul(x, t)\nz = add(y, s)\n@return(z)\n"


def chosen(dims: str, of_rows: str, element: str = "f32") -> tuple[Pointwise, bool]:
    """The choice, and whether rows are an axis of the grid."""
    graph = graph_of(scaled(dims, of_rows, element))
    choice = choose(graph.work, TARGET)
    assert isinstance(choice, Pointwise)
    return choice, graph.sections[0].is_of_rows


def test_a_row_is_divided_so_that_waves_have_least_to_do() -> None:
    """3,136 elements are 13 accesses of a wave: two waves of 7."""
    assert chosen("{16,64,56,56}", "{64,1,1}") == (Pointwise(4, 2, 7), True)
    assert chosen("{16,64,64,64}", "{64,1,1}") == (Pointwise(4, 2, 8), True)


@pytest.mark.parametrize(
    ("dims", "shared"),
    [
        ("{4096,256}", "{4096,1}"),  # short rows
        ("{70000,512}", "{70000,1}"),  # more rows than an axis of a grid has
        ("{4096,1024}", "{1}"),  # shared by all rows
        ("{4096,1024}", "{1024}"),  # of columns
        ("{n,4096}", "{n,1}"),  # for the launch to know
    ],
)
def test_other_rows_are_elements_in_order(dims: str, shared: str) -> None:
    assert not chosen(dims, shared)[1]


def test_a_lane_has_several_rows_of_the_same_columns() -> None:
    assert chosen("{50176,64}", "{64}") == (Pointwise(4, 4, 4), False)
    assert chosen("{50176,96}", "{96}") == (Pointwise(4, 4, 1), False)  # 1,024 elements are no whole rows
    assert chosen("{64,64}", "{64}")[0].repeat == 1  # lanes would idle


CASES = [
    ((3, 5, 23, 29), (5, 1, 1), "f32"), ((2, 3, 1031), (3, 1), "f16"), ((7, 513), (7, 1), "f32"), ((1, 2, 3136), (2, 1), "f16"),
    ((641, 64), (64,), "f16"), ((9001, 8), (8,), "f32"), ((12501, 128), (128,), "f16"), ((1, 4096), (1, 1), "f32"),
]  # fmt: skip


@pytest.mark.parametrize(("dims", "shared", "element"), CASES)
@pytest.mark.parametrize("target", ["gfx90a", "gfx1201"])
def test_odd_sizes(dims: tuple[int, ...], shared: tuple[int, ...], element: str, target: str) -> None:
    random, dtype = np.random.default_rng(1), np.dtype(np.float16 if element == "f16" else np.float32)
    x, s = (random.integers(-3, 4, size).astype(dtype) for size in (dims, shared))
    (z,) = asmgen.compile(scaled(format_list(dims), format_list(shared), element), target=target)(x, s, device="emulator")
    np.testing.assert_array_equal(z, x * (s * s) + s)
