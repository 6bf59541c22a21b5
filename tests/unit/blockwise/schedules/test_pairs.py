"""Reductions of pairs of rows: a lane reads rows of two buffers for several results of each."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.blockwise.actions import TileLoad, TileStore
from asmgen.blockwise.schedules.choices import Pairs, Row
from asmgen.blockwise.schedules.choosing.choose import choose
from asmgen.blockwise.schedules.choosing.pairs import pair_groups
from asmgen.blockwise.schedules.misfit import misfit
from asmgen.blockwise.schedules.schedule import schedule_of
from asmgen.blockwise.types import TileType
from asmgen.index import constant
from asmgen.index.expression import as_symbol
from asmgen.index.size import most
from asmgen.profile.launches import LaunchOptions
from asmgen.profile.sources import launches_of_source, profiled
from isa.diagnostics import InputError
from isa.targets import TARGETS
from tests.unit.blockwise.schedules.graphs import graph_of

TARGET = TARGETS["gfx942"]
Array = NDArray[np.float64]


def distances(m: object, n: object, k: object, element: str = "f32") -> str:
    """The sum of squared differences of each row of x and each row of y."""
    return (
        f"x = @param:x -> {element}, {{{m},1,{k}}}\ny = @param:y -> {element}, {{1,{n},{k}}}\n"
        "d = sub(x, y)\ne = mul(d, d)\ns = reduce_sum[axes={2}](e)\n@return(s)\n"
    )


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (distances(4096, 4096, 64), Pairs(4, 8, 4, 4, 4, 1)),
        (distances(1024, 1024, 512), Pairs(4, 4, 4, 4, 4, 2)),
        (distances(4096, 4096, 64, "f16"), Pairs(4, 4, 4, 4, 8, 1)),
        (distances(300, 300, 64), Pairs(2, 2, 4, 4, 4, 4)),
        (distances(400, 400, 64), Pairs(4, 4, 4, 4, 4, 2)),
        (distances("m", "n", 64), Pairs(4, 4, 4, 4, 4, 2)),
        (distances(1024, 1024, 12), Pairs(4, 4, 2, 8, 4, 2)),  # of three accesses of a row, two are side by side
    ],
)
def test_a_lane_has_as_many_results_as_leave_every_second_simd_a_wave(text: str, wanted: Pairs) -> None:
    graph = graph_of(text)
    assert choose(graph.work, TARGET) == wanted
    assert pair_groups(wanted, graph.work, TARGET) == prod(map(most, schedule_of(graph, wanted, TARGET).workgroups))


def test_a_lane_of_few_registers_has_few_results() -> None:
    assert choose(graph_of(distances(4096, 4096, 64), room=64).work, TARGET) == Pairs(2, 2, 4, 4, 4, 2)


def test_all_lanes_of_a_wave_may_be_those_of_a_row_of_results() -> None:
    assert not misfit(graph_of(distances(300, 300, 64)), Pairs(4, 4, 4, 16, 4, 1), TARGET)


@pytest.mark.parametrize(
    "text",
    [
        distances(100, 100, 64),  # few results
        distances(4, 100000, 64),  # few rows
        distances(1, 100000, 64),  # a single row
        distances(4096, 4096, 64).replace("x -> f32, {4096,1,64}", "x -> f32, {4096,4096,64}"),
        distances(300, 300, 64).replace("@return(s)", "t = div(e, s)\n@return(t)"),  # results of each element
        distances(300, 300, 64).replace("x = @param:x -> f32, {300,1,64}", "v = @param:x -> f32, {300,1,62}\nx = pad[pads={0,0,1,0,0,1}](v)"),
    ],
)
def test_other_reductions_have_rows_of_their_own(text: str) -> None:
    assert isinstance(choose(graph_of(text).work, TARGET), Row)


def test_pairs_for_other_reductions_are_refused() -> None:
    given = "pairs[rows=4, columns=4, lanes=4, across=4, vector=4, repeat=1]"
    with pytest.raises(InputError, match="rows of two buffers"):
        _ = asmgen.compile(distances(100, 100, 64), schedules=(given,))
    with pytest.raises(InputError, match="lanes \\* across is 128, and a wave has 64"):
        _ = asmgen.compile(distances(300, 300, 64), schedules=(given.replace("across=4", "across=32"),))
    with pytest.raises(InputError, match="columns is 16, and the second buffer has 8 rows"):
        _ = asmgen.compile(distances(10000, 8, 64), schedules=(given.replace("columns=4", "columns=16"),))


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_rows_that_each_result_reads_again_are_slower(target: str) -> None:
    """By the clock model."""
    text = distances(1000, 1000, 64)

    def microseconds(*schedules: str) -> float:
        program = asmgen.compile(text, target=target, schedules=schedules)
        return profiled(launches_of_source(program, "distances", LaunchOptions())).profiles[0].microseconds

    rows = "row[rows=1, lanes=16, waves=1, teams=2, vector=4, repeat=1]"
    assert microseconds() < 0.6 * microseconds(rows)


def test_a_nan_stays_in_an_extreme() -> None:
    """Also beside the elements beyond the end of a row, which change no result."""
    random = np.random.default_rng(7)
    x, y = [random.integers(-9, -1, dims).astype(np.float32) for dims in ((5, 1, 33), (1, 40, 33))]
    x[2, 0, 32] = np.nan
    text = distances("m", "n", 33).replace("sub", "add").replace("e = mul(d, d)\ns = reduce_sum[axes={2}](e)", "s = reduce_max[axes={2}](d)")
    (s,) = asmgen.compile(text, nan="propagate")(x, y, device="emulator")
    np.testing.assert_array_equal(s, (x + y).max(2, keepdims=True))


def _of(combine: Callable[[Array], Array], x: Array, y: Array, k: int) -> Array:
    return combine(x.reshape(-1, 1, k) - y.reshape(1, -1, k))


KINDS: dict[str, tuple[str, Callable[[Array], Array]]] = {
    "distances": ("e = mul(d, d)\ns = reduce_sum[axes={2}](e)", lambda d: (d * d).sum(2)),
    "largest": ("e = abs(d)\ns = reduce_max[axes={2}](e)", lambda d: np.abs(d).max(2)),
    "means": ("e = mul(d, d)\nt = reduce_mean[axes={2}](e)\ns = sqrt(t)", lambda d: np.sqrt((d * d).mean(2))),
}


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("m", "n", "k"), [(193, 171, 57), (257, 130, 3), (64, 1024, 18)])
def test_odd_sizes_have_the_results(kind: str, target: str, m: int, n: int, k: int) -> None:
    steps, wanted = KINDS[kind]
    text = f"x = @param:x -> f32, {{{m},1,{k}}}\ny = @param:y -> f32, {{1,{n},{k}}}\nd = sub(x, y)\n{steps}\n@return(s)\n"
    assert isinstance(choose(graph_of(text).work, TARGETS[target]), Pairs)
    random = np.random.default_rng(3)
    x, y = random.integers(-9, 9, (m, 1, k)).astype(np.float32), random.integers(-9, 9, (1, n, k)).astype(np.float32)
    (s,) = asmgen.compile(text, target=target)(x, y, device="emulator")
    exact = _of(wanted, x.astype(np.float64), y.astype(np.float64), k)
    assert np.allclose(s.reshape(m, n), exact, rtol=1e-6, atol=0)


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_lanes_have_several_elements_of_the_rest_of_a_row(target: str) -> None:
    """Seven are left over after accesses of eight by four lanes."""
    random = np.random.default_rng(6)
    x, y = [random.integers(-9, 9, dims).astype(np.float16) for dims in ((193, 1, 39), (1, 171, 39))]
    (s,) = asmgen.compile(distances(193, 171, 39, "f16"), target=target)(x, y, device="emulator")
    exact = _of(lambda d: (d * d).sum(2), x.astype(np.float64), y.astype(np.float64), 39)
    assert np.allclose(s.reshape(193, 171), exact, rtol=2**-10, atol=0)


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
@pytest.mark.parametrize("element", ["f32", "f16"])
def test_the_launch_may_know_all_sizes(target: str, element: str) -> None:
    """From no row on; with fewer columns than a lane has, and with a row that ends within an access."""
    program = asmgen.compile(distances("m", "n", "k", element), target=target)
    random = np.random.default_rng(4)
    for m, n, k in ((1, 1, 1), (2, 3, 7), (17, 1, 64), (1, 40, 33), (33, 31, 18), (5, 4, 0), (0, 3, 4)):
        x, y = [random.integers(-3, 3, dims).astype("f2" if element == "f16" else "f4") for dims in ((m, 1, k), (1, n, k))]
        (s,) = program(x, y, device="emulator")
        exact = _of(lambda d: (d * d).sum(2), x.astype(np.float64), y.astype(np.float64), max(k, 1)) if k else np.zeros((m, n))
        assert np.array_equal(s.reshape(m, n), exact)


PLACES = (((193, 172, 9), ()), (("m", "n", "k"), (3, 21, 9)), (("m", "n", "k"), (19, 1, 9)))


@pytest.mark.parametrize(("dims", "sizes"), PLACES, ids=["known", "few rows", "a column"])
def test_each_result_is_stored_once_and_no_row_is_read_beyond_its_buffer(dims: tuple[object, object, object], sizes: tuple[int, ...]) -> None:
    """With fewer rows than a lane has, too. The places of tiles are evaluated in all workgroups."""
    kernel = schedule_of(graph_of(distances(*dims)), Pairs(2, 2, 4, 4, 4, 1), TARGET)
    zero = np.zeros((), np.int64)
    known = {dim: zero + sizes["mnk".index(dim.name)] for dim in kernel.dims}
    groups = [int(constant(count).evaluate(known, zero)) for count in kernel.workgroups]
    ends = sizes or (193, 172, 9)
    stored = np.zeros(ends[:2], np.int64)
    for statement in kernel.statements:
        if not isinstance(statement.op, TileLoad | TileStore):
            continue
        type_ = (*statement.results, *statement.operands)[0].type
        assert isinstance(type_, TileType)
        *coordinates, x, y = np.meshgrid(*map(np.arange, (*type_.layout.shape, *groups)), indexing="ij")
        values = known | dict(zip(kernel.grid, (x, y), strict=True))
        values |= {as_symbol(index): place for index, place in zip(type_.coordinates, coordinates, strict=True) if index.terms}
        column, row = [np.broadcast_to(statement.op.at[axis].evaluate(values, zero), x.shape) for axis in (1, 0)]
        assert row.max() < ends[0]
        assert column.max() < ends[1]
        if isinstance(statement.op, TileStore):
            exists = [below.left.evaluate(values, zero) < below.right.evaluate(values, zero) for below in statement.op.where]
            np.add.at(stored, (row, column), np.logical_and.reduce(np.broadcast_arrays(np.ones_like(x), *exists)))
    np.testing.assert_array_equal(stored, 1)


def test_batches_have_tiles_of_their_own() -> None:
    text = (
        "x = @param:x -> f32, {3,100,1,33}\ny = @param:y -> f32, {3,1,200,33}\nw = @param:w -> f32, {33}\n"
        "d = sub(x, y)\na = abs(d)\ne = mul(a, w)\ns = reduce_sum[axes={3}](e)\nt = reduce_max[axes={3}](a)\n@return(s, t)\n"
    )
    assert isinstance(choose(graph_of(text).work, TARGET), Pairs)
    random = np.random.default_rng(5)
    x, y, w = [random.integers(-9, 9, dims).astype(np.float32) for dims in ((3, 100, 1, 33), (3, 1, 200, 33), (33,))]
    s, t = asmgen.compile(text)(x, y, w, device="emulator")
    d = np.abs(x.astype(np.float64) - y.astype(np.float64))
    assert np.array_equal(s, (d * w).sum(3, keepdims=True))
    assert np.array_equal(t, d.max(3, keepdims=True))
