"""Few reduced elements: a lane has all elements of its results."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.schedules.choices import Row
from asmgen.blockwise.schedules.choosing.choose import choose
from asmgen.blockwise.schedules.elements.joined_dims import joined
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.types import ELEMENT_TYPES
from asmgen.profile.launches import LaunchOptions
from asmgen.profile.sources import launches_of_source, profiled
from isa.targets import TARGETS
from tests.unit.blockwise.schedules.graphs import graph_of, reduced, softmax

TARGET = TARGETS["gfx942"]


def pooling(dims: tuple[int, int, int, int], window: int, axes: tuple[int, int], element: str = "f32", op: str = "reduce_max") -> str:
    """Pooling over two of four axes without overlap, by a reshape."""
    shape = ",".join([f"{dim // window},{window}" if axis in axes else str(dim) for axis, dim in enumerate(dims)])
    return (
        f"x = @param:x -> {element}, {{{','.join(map(str, dims))}}}\nr = reshape[dims={{{shape}}}](x)\n"
        f"y = {op}[axes={{{axes[0] + 1},{axes[1] + 2}}}](r)\n@return(y)\n"
    )


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (pooling((16, 56, 56, 64), 2, (1, 2), "f16"), Row(8, 1, 1, 4, 4, 1)),
        (pooling((16, 64, 56, 56), 2, (2, 3)), Row(2, 1, 1, 4, 4, 1)),
        (pooling((64, 64, 54, 54), 3, (2, 3)), Row(1, 1, 1, 4, 1, 9, 7)),
        (pooling((512, 70, 70, 32), 7, (1, 2), op="reduce_sum"), Row(4, 1, 1, 4, 1, 1)),
    ],
)
def test_pooling_is_within_a_lane_with_whole_accesses(text: str, wanted: Row) -> None:
    assert choose(graph_of(text).work, TARGET) == wanted


@pytest.mark.parametrize(("columns", "rows", "pieces"), [(2, 2, None), (3, 1, 21), (4, 1, None), (5, 1, 12), (8, 1, None)])
def test_a_lane_reads_an_access_of_adjacent_elements(columns: int, rows: int, pieces: int | None) -> None:
    """With more, each access of a wave would touch the lines of all of them."""
    vector = min(16, columns & -columns)
    wanted = Row(rows, 1, 1, 4, vector, columns // vector, pieces)
    assert choose(reduced((1 << 22, columns), (1,)).work, TARGET) == wanted


@pytest.mark.parametrize(
    ("target", "dims", "rows"),
    [
        ("gfx1100", (64, 1, 112, 112), 4),  # 802,816 elements: 16 a lane, and eight waves a SIMD
        ("gfx1100", (32, 1, 112, 112), 2),
        ("gfx1201", (48, 1, 112, 112), 4),
        ("gfx942", (512, 1, 112, 112), 2),
    ],
)
def test_a_lane_of_rdna_reads_two_accesses_of_many_elements(
    target: str,
    dims: tuple[int, int, int, int],
    rows: int,
) -> None:
    choice = choose(graph_of(pooling(dims, 2, (2, 3))).work, TARGETS[target])
    assert isinstance(choice, Row)
    assert (choice.rows, choice.lanes, choice.vector) == (rows, 1, 4)


@pytest.mark.parametrize(("columns", "lanes"), [(9, 2), (12, 4), (16, 4), (32, 8)])
def test_lanes_share_rows_of_more_than_two_accesses(columns: int, lanes: int) -> None:
    choice = choose(reduced((1 << 22, columns), (1,)).work, TARGET)
    assert isinstance(choice, Row)
    assert (choice.lanes, choice.vector) == (lanes, 4)


@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx1100", "gfx1201"])
@pytest.mark.parametrize(
    ("columns", "before"), [(8, "rows=4, lanes=1, waves=1, teams=4, vector=8"), (16, "rows=2, lanes=1, waves=1, teams=4, vector=16")]
)
def test_adjacent_accesses_of_a_lane_would_be_slower(columns: int, before: str, target: str) -> None:
    """By the clock model."""
    text = f"x = @param:x -> f32, {{131072,{columns}}}\ny = reduce_sum[axes={{1}}](x)\n@return(y)\n"

    def microseconds(*schedules: str) -> float:
        program = asmgen.compile(text, target=target, schedules=schedules)
        return profiled(launches_of_source(program, "sums", LaunchOptions())).profiles[0].microseconds

    assert microseconds() < 0.9 * microseconds(f"row[{before}, repeat=1]")


def test_a_lane_has_as_many_rows_as_make_whole_accesses_of_outputs() -> None:
    assert choose(softmax((1 << 20, 2), 1).work, TARGET) == Row(2, 1, 1, 4, 2, 1)
    assert choose(softmax((1 << 20, 8), 1).work, TARGET) == Row(1, 1, 1, 4, 8, 1)


def test_few_rows_are_shared_by_lanes() -> None:
    """A lane for each of 1,024 rows would leave most of the target idle."""
    assert choose(reduced((1024, 32), (1,)).work, TARGET) == Row(1, 8, 1, 2, 4, 1)


def test_only_the_first_of_the_joined_dims_is_the_launch_s() -> None:
    def dims(shape: str) -> int:
        return len(graph_of(f"x = @param:x -> f32, {shape}\ny = reduce_sum[axes={{1,3}}](x)\n@return(y)\n").work.dims)

    assert dims("{n,2,28,2}") == 2
    assert dims("{28,2,n,2}") == 3


def test_dims_are_joined_in_the_place_of_the_last() -> None:
    groups = ((0,), (1,), (2,), (3,))
    assert joined(groups, (1000, 2, 28, 2), (1, 3), is_stored=True) == ((0, 2), (1, 3))
    assert joined(groups, (2, 1000, 2, 28), (0, 2), is_stored=True) == ((0, 2), (1, 3))
    assert joined(groups, (4, 2, 8, 2), (1, 3), is_stored=True) == ((0,), (2,), (1, 3))  # too few


# Results next to each other that are no multiple of a lane's: the last lane has some of them again.
ODD = [
    ((7, 100, 54, 13), 2, (1, 2), "f16"), ((20, 13, 27, 39), 3, (2, 3), "f32"), ((300, 31, 10, 10), 2, (2, 3), "bf16"),
    ((40, 31, 4, 54), 2, (2, 3), "i8"), ((50, 12, 12, 29), 4, (1, 2), "f32"), ((2, 2, 40000, 1), 2, (1, 2), "f32"),
]  # fmt: skip


@pytest.mark.parametrize(("dims", "window", "axes", "element"), ODD)
@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_odd_sizes_have_the_maxima(dims: tuple[int, int, int, int], window: int, axes: tuple[int, int], element: str, target: str) -> None:
    program = asmgen.compile(pooling(dims, window, axes, element), target=target)
    x = np.random.default_rng(1).integers(-100, 100, dims).astype(numpy_dtype(ELEMENT_TYPES[element]))
    (y,) = program(x, device="emulator")
    shape = [part for axis, dim in enumerate(dims) for part in ((dim // window, window) if axis in axes else (dim,))]
    wanted = x.astype(np.float64).reshape(shape).max((axes[0] + 1, axes[1] + 2), keepdims=True)
    assert np.array_equal(y.astype(np.float64), wanted)
