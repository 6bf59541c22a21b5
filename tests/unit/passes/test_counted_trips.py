"""How many trips of a loop there are: by its counter, for certain, at most, and so many that their overlap gains."""

from __future__ import annotations

import pytest

from asmgen.passes.schedule.modulo.clocks import stages
from asmgen.passes.schedule.modulo.heuristic import Wanted, modulo_order
from asmgen.passes.schedule.modulo.problem import Resource, problems_of
from asmgen.passes.schedule.modulo.shape import Shape, shape_of
from asmgen.passes.schedule.modulo.trips import MOST_TRIPS, AllTrips, certain_trips, known_trips, most_trips
from asmgen.passes.schedule.modulo.whole_passes import in_whole_passes
from isa.instruction import Immediate
from isa.mir.parser import parse_kernel
from isa.mir.printer import print_kernel
from isa.program import Kernel
from tests.unit.passes.loops import as_one_block, kernel, overlaps

IDLE = dict.fromkeys(Resource, 0)
COUNTERS = (
    ("", "", 256), ("0x100", "0x101", 257), ("%i, 1\n", "%i, 3\n", 86), ("linear loop(0x0)", "linear loop(0xf0)", 16),
    ("%i, 0x100", "%i, s6", None), ("%i, 1\n", "%i, s6\n", None), ("linear loop(0x0)", "linear loop(s6)", None),
    ("0x100", "0x0", 1),
)  # fmt: skip


@pytest.mark.parametrize(("old", "new", "trips"), COUNTERS)
def test_a_counter_between_constants_says_the_trips(old: str, new: str, trips: int | None) -> None:
    """A loop with a header is only entered if it has a trip."""
    made, shape = as_one_block(kernel(old, new))
    assert known_trips(made, shape) == trips


STEP, LESS, SIGNED = "%i, 1\n", "s_cmp_lt_u32 %i", "s_cmp_lt_i32 %i"
UP_TO_64 = "s_min_u32 %most, s6, 0x40"
MINIMA = (
    (UP_TO_64, "", "", 64), ("s_min_u32 %most, 0x40, s6", "", "", 64), ("s_min_u32 %most, s6, s6", "", "", None),
    ("s_min_u32 %most, s6, 0x0", "", "", 1), ("s_max_u32 %most, s6, 0x40", "", "", None), ("s_min_i32 %most, s6, 0x40", "", "", None),
    (UP_TO_64, STEP, "%i, 3\n", 22), (UP_TO_64, STEP, "%i, 0xffffff80\n", None), (UP_TO_64, LESS, SIGNED, None),
)  # fmt: skip


def with_minimum(minimum: str, old: str = "", new: str = "") -> Kernel:
    """The loop of the file, up to a limit that an instruction makes, with a piece of text replaced."""
    made = kernel("block entry\n", f"block entry\n  {minimum}\n", "register %most sgpr\n")
    text = print_kernel(made).replace("%i, 0x100", "%i, %most")
    return parse_kernel(text.replace(old, new) if old else text, "test.mir")


@pytest.mark.parametrize(("minimum", "old", "new", "trips"), MINIMA)
def test_a_minimum_with_a_constant_limits_the_trips(minimum: str, old: str, new: str, trips: int | None) -> None:
    made, shape = as_one_block(with_minimum(minimum, old, new))
    assert most_trips(made, shape) == trips
    assert known_trips(made, shape) is None


@pytest.mark.parametrize(("most", "gains"), [(2, False), (256, True)])
def test_a_loop_stays_as_it_is_if_it_has_few_trips_at_most(most: int, gains: bool) -> None:
    assert overlaps(with_minimum(f"s_min_u32 %most, s6, {most:#x}")) is gains


@pytest.mark.parametrize(("last", "gain"), [(160, True), (161, False)])
def test_a_loop_has_half_of_its_most_trips_in_the_mean(last: int, gain: bool) -> None:
    """32 trips gain 500 clocks each, and the last trip ends so many intervals of 100 clocks later."""
    made, shape = as_one_block(with_minimum(UP_TO_64))
    assert AllTrips(made, shape, IDLE).are_fewer(800, 100, last, len(shape.code)) is gain


@pytest.mark.parametrize(("trips", "lds", "gain"), [(9, 768, True), (9, 640, False), (7, 768, False)])
def test_trips_of_a_product_that_keeps_lds_busy_only_have_to_gain_the_clocks_of_the_start(trips: int, lds: int, gain: bool) -> None:
    """The start takes 2,220 clocks. A trip gains 640, and 202 beyond a quarter of its clocks."""
    made, shape = as_one_block(kernel("%i, 0x100", f"%i, {trips}"))
    busy = IDLE | {Resource.MATRIX: 1024, Resource.LDS: lds}
    assert AllTrips(made, shape, busy).are_fewer(1750, 1110, 2, len(shape.code)) is gain


FEWEST = (
    (800, 100, 4, 4, 4),  # 400 clocks until the last trip ends, and 306 to fetch 35 instructions more, of 500 that each trip gains
    (800, 300, 4, 4, 8),  # 1,200 and 306, of 300: more than 4 trips gain. With a pass, 1,200 and 481
    (800, 270, 4, 4, 8),  # 1,080 and 328, of 330: 4 trips would gain without the code of the epilogue, which takes 188 of these
    (800, 599, 1, 2, MOST_TRIPS),  # a trip gains a single clock
    (800, 600, 1, 2, MOST_TRIPS),
)


@pytest.mark.parametrize(("before", "after", "last", "copies", "fewest"), FEWEST)
def test_few_trips_run_as_before_if_the_begin_takes_as_long(before: int, after: int, last: int, copies: int, fewest: int) -> None:
    made, shape = as_one_block(kernel())
    assert AllTrips(made, shape, IDLE).fewest(before, after, last, copies) == fewest


BACK = "s_cbranch_scc0 done\n  linear done, body\n  logical done, body"
CERTAIN = (
    ("", "", 5), ("%i, 0x100", "%i, 3", 3), ("%i, 0x100", "%i, 1", 1), ("%i, 0x100", "%i, s6", 1),
    ("linear loop(0x0)", "linear loop(s6)", 1), ("%i, 1\n", "%i, 0x60\n", 3), (LESS, "s_cmp_gt_u32 %i", 1),
    (f"{LESS}, 0x100", f"{LESS}, 0xfffffff0", 5), (f"{LESS}, 0x100", f"{SIGNED}, 0xfffffff0", 1),
    (LESS, SIGNED, 5), ("%i, 1\n", "%i, 0xffffff80\n", 1), (f"{LESS}, 0x100", "s_cmp_lt_u32 0x100, %i", 1),
    (BACK, BACK.replace("scc0 done", "scc1 body").replace("done, body", "body, done"), 5),
    (BACK, BACK.replace("scc0", "scc1"), 1),
)  # fmt: skip


@pytest.mark.parametrize(("old", "new", "trips"), CERTAIN)
def test_trips_are_certain_if_each_test_between_constants_lets_them_begin(old: str, new: str, trips: int) -> None:
    made, shape = as_one_block(kernel(old, new))
    assert certain_trips(made, shape, 5) == trips


def with_own_test(limit: str) -> tuple[Kernel, Shape]:
    """The loop of the file in one block, with a test of the counter of its own trip."""
    made, _ = as_one_block(kernel("%i, 0x100", f"%i, {limit}"))
    made = parse_kernel(print_kernel(made).replace("s_cmp_lt_u32 %next", "s_cmp_lt_u32 %i"), "test.mir")
    shape = shape_of(made, next(at for at, block in enumerate(made.blocks) if block.label == "body"))
    assert shape is not None
    return made, shape


def test_a_test_of_the_counter_of_its_own_trip_lets_a_trip_more_begin() -> None:
    """The trips with counters 0 to 3 begin: the test of the trip before compares 2 with 3."""
    assert certain_trips(*with_own_test("3"), 5) == 4


def test_a_loop_that_sets_a_register_of_the_machine_has_no_shape() -> None:
    made, shape = as_one_block(kernel())
    made = parse_kernel(print_kernel(made).replace("s_cmp_lt_u32", "s_mov_b32 m0, 0x10\n  s_cmp_lt_u32"), "test.mir")
    assert shape_of(made, shape.number) is None


def whole_passes(made: Kernel, shape: Shape, fewest: int) -> Kernel | None:
    """The loop in two copies of an order of two stages."""
    (problem,) = problems_of(made, [shape.number])
    order = modulo_order(Wanted(problem, 300, 1000))
    assert order is not None
    assert max(stages(order)) == 1
    result = in_whole_passes(made, shape, order, 2, fewest)
    return None if result is None else result.kernel


@pytest.mark.parametrize(("made", "last"), [(as_one_block(kernel("%i, 0x100", "%i, s6")), 4), (with_own_test("s6"), 3)], ids=["next", "own"])
def test_the_guard_compares_the_counter_that_lets_the_last_trip_begin(made: tuple[Kernel, Shape], last: int) -> None:
    """The fifth of five trips has the counter 4, which the trip before tests, or is tested one trip earlier."""
    result = whole_passes(*made, 5)
    assert result is not None
    (test,) = [instr for instr in result.block("body").instructions if instr.units.writes_scc]
    assert test.operands[0] == Immediate(last)


@pytest.mark.parametrize(("fewest", "asks"), [(2, True), (3, False)])
def test_the_first_pass_needs_no_test_of_its_own_if_the_guard_asks_for_its_trips(fewest: int, asks: bool) -> None:
    """A trip of the prologue, and two of the pass."""
    result = whole_passes(*as_one_block(kernel("%i, 0x100", "%i, s6")), fewest)
    assert result is not None
    assert any("full" in block.label for block in result.blocks) is asks


LARGE_STEP = with_minimum("s_min_u32 %most, s6, s6", STEP, "%i, 0x10000000\n")
WHOLE = (
    (kernel("0x100", "5"), 5, True), (kernel("0x100", "5"), 6, False),  # the trips that there are
    (LARGE_STEP, 2, True), (LARGE_STEP, 3, False),  # those of the guard and of a pass count on to 1 << 30
)  # fmt: skip


@pytest.mark.parametrize(("made", "fewest", "is_whole"), WHOLE, ids=["five", "four", "near", "far"])
def test_passes_are_whole_if_enough_trips_count_up(made: Kernel, fewest: int, is_whole: bool) -> None:
    assert (whole_passes(*as_one_block(made), fewest) is not None) is is_whole
