"""Control flow under decision 2: each case that comes out wrong if a rule is missed, on virtual registers and allocated."""

from __future__ import annotations

import pytest

from asmgen.ir.program import Module, Value
from asmgen.ir.types import BOOL, F32, I32, U32
from asmgen.lanewise.builder import LaneBuilder
from isa.registers import RegisterClass
from isa.targets import TargetId
from regalloc.liveness import compute_liveness
from tests.unit.select.modules import Body, module_of
from tests.unit.select.running import TARGET, TARGETS, allocated, difference, emulated, input_arrays, interpreted, selected


def agree(module: Module, outputs: int = 1, target: TargetId = TARGET) -> None:
    arrays = input_arrays(module, 1, outputs)
    wanted = interpreted(module, arrays, target)
    kernel = selected(module, target)
    assert difference(wanted, emulated(kernel, module, arrays)) == "", "on virtual registers"
    assert difference(wanted, emulated(allocated(kernel), module, arrays)) == "", "allocated"


def live_across_else(builder: LaneBuilder, a: Value, out: Value) -> None:
    """`kept` of the lanes of `then` lies in a register while `else` runs: it must not share a register with
    the writes of `else`."""
    lane = builder.local_id()
    x = builder.load(a, lane)
    kept = builder.add(x, builder.constant(3.0, F32))

    def other() -> tuple[Value, ...]:
        values = [builder.add(x, builder.constant(float(i), F32)) for i in range(12)]
        total = values[0]
        for value in values[1:]:
            total = builder.mul(total, value)
        return (total,)

    (y,) = builder.if_(builder.less(x, builder.constant(0.0, F32)), lambda: (builder.mul(x, x),), other)
    builder.store(out, lane, builder.add(y, kept))


def mask_at_join(builder: LaneBuilder, a: Value, out: Value) -> None:
    """The masks of both sides merge by EXEC, not by which was written last; `not` sets bits of inactive lanes too."""
    lane = builder.local_id()
    x = builder.load(a, lane)
    low = builder.less(x, builder.constant(-1.0, F32))
    negative = builder.less(x, builder.constant(0.0, F32))
    (m,) = builder.if_(negative, lambda: (builder.logical_not(low),), lambda: (builder.logical_not(builder.logical_not(low)),))
    builder.store(out, lane, builder.where(m, builder.constant(1.0, F32), builder.constant(2.0, F32)))


def mask_past_a_skipped_side(builder: LaneBuilder, a: Value, out: Value) -> None:
    """No lane takes the first side, which reads memory and is branched around: its mask has no register then."""
    lane = builder.local_id()
    x = builder.load(a, lane)
    never = builder.less(lane, builder.constant(0, U32))
    positive = builder.less(builder.constant(0.0, F32), x)
    (m,) = builder.if_(never, lambda: (builder.less(builder.load(a, lane), x),), lambda: (positive,))
    builder.store(out, lane, builder.where(m, x, builder.constant(-7.0, F32)))


def uniform_out_of_divergent_loop(builder: LaneBuilder, a: Value, out: Value) -> None:
    """The carried counter is the same for all lanes inside, and behind the loop every lane's own."""
    lane = builder.local_id()
    one = builder.constant(1, U32)
    stop = builder.bitwise_and(lane, builder.constant(7, U32))
    (count, total) = builder.for_(
        builder.constant(0, U32), stop, one, [builder.constant(100, U32), builder.constant(0.0, F32)],
        lambda i, c: (builder.add(c[0], one), builder.add(c[1], builder.load(a, i))),
    )  # fmt: skip
    builder.store(out, lane, builder.add(total, builder.convert(count, F32)))


def mask_of_lanes_that_left(builder: LaneBuilder, a: Value, out: Value) -> None:
    """A lane that leaves early keeps its bit, although later trips compute the mask anew."""
    lane = builder.local_id()
    stop = builder.bitwise_and(lane, builder.constant(3, U32))
    (m,) = builder.for_(
        builder.constant(0, U32), stop, builder.constant(1, U32), [builder.constant(False, BOOL)],
        lambda i, _: (builder.less(builder.load(a, builder.add(i, lane)), builder.constant(0.0, F32)),),
    )  # fmt: skip
    builder.store(out, lane, builder.where(m, builder.constant(1.0, F32), builder.constant(0.0, F32)))


def uniform_values_at_divergent_join(builder: LaneBuilder, a: Value, out: Value) -> None:
    lane = builder.local_id()
    x = builder.load(a, lane)
    (n,) = builder.if_(builder.less(x, builder.constant(0.0, F32)), lambda: (builder.workgroup_id(),), lambda: (builder.constant(9, U32),))
    builder.store(out, lane, builder.convert(n, F32))


def nested(builder: LaneBuilder, a: Value, out: Value) -> None:
    """A divergent loop in a divergent `if` in a uniform loop, with masks, vectors and scalars carried through all of them."""
    lane = builder.local_id()
    x = builder.load(a, lane)
    one = builder.constant(1, U32)

    def trip(i: Value, carried: tuple[Value, ...]) -> tuple[Value, ...]:
        s, m, n = carried
        index = builder.add(builder.bitwise_and(lane, builder.constant(31, U32)), i)

        def inside() -> tuple[Value, ...]:
            stop = builder.add(i, builder.bitwise_and(lane, builder.constant(3, U32)))
            (t, k) = builder.for_(
                builder.constant(0, U32), stop, one, [s, m],
                lambda j, c: (builder.add(c[0], builder.load(a, builder.add(index, j))), builder.logical_not(c[1])),
            )  # fmt: skip
            return t, k

        (t, k) = builder.if_(builder.less(x, builder.load(a, index)), inside, lambda: (builder.mul(s, x), builder.less(s, x)))
        return t, k, builder.add(n, i)

    initial = [builder.constant(0.5, F32), builder.constant(True, BOOL), builder.constant(0, U32)]
    (s, m, n) = builder.for_(one, builder.constant(5, U32), one, initial, trip)
    builder.store(out, lane, builder.where(m, s, builder.convert(n, F32)))


def constant_in_a_loop(builder: LaneBuilder, a: Value, out: Value) -> None:
    """A constant that a loop inside `if` needs is made before the loop, under the lanes of the `if`, and again for the other side."""
    lane = builder.local_id()
    x = builder.load(a, lane)

    def side(factor: float) -> tuple[Value, ...]:
        (r,) = builder.for_(
            builder.constant(0, I32), builder.constant(3, I32), builder.constant(1, I32), [x],
            lambda _, c: (builder.med3(c[0], builder.constant(factor, F32), builder.constant(0.7, F32)),),
        )  # fmt: skip
        return (r,)

    (y,) = builder.if_(builder.less(x, builder.constant(0.0, F32)), lambda: side(0.3), lambda: side(0.3))
    builder.store(out, lane, builder.med3(y, builder.constant(0.3, F32), builder.constant(-0.7, F32)))


def exchanged_by_a_loop_that_is_entered(builder: LaneBuilder, a: Value, out: Value) -> None:
    """The test is at the end of the trip: the loop's results are the values with which the next trip would
    have begun, of every kind."""
    lane = builder.local_id()
    x, y = builder.load(a, lane), builder.load(a, lane, offset=256)
    zero, one = builder.constant(0, U32), builder.constant(1, U32)

    def trip(i: Value, carried: tuple[Value, ...]) -> tuple[Value, ...]:
        p, q, m, n, *_ = carried
        return builder.mul(q, x), p, builder.logical_not(builder.less(p, q)), builder.add(n, i), m, builder.constant(7.0, F32)

    initial = [x, y, builder.constant(True, BOOL), zero, builder.less(x, y), x]
    p, q, m, n, k, c = builder.for_(one, builder.constant(6, U32), builder.constant(2, U32), initial, trip)
    chosen = builder.where(m, p, builder.where(k, q, builder.convert(n, F32)))
    builder.store(out, lane, builder.add(chosen, c))


def a_negative_counter(builder: LaneBuilder, a: Value, out: Value) -> None:
    lane = builder.local_id()
    start, stop, step = (builder.constant(number, I32) for number in (-3, 2, 4))
    (x,) = builder.for_(start, stop, step, [builder.load(a, lane)], lambda i, c: (builder.add(c[0], builder.convert(i, F32)),))
    builder.store(out, lane, x)


CASES = (
    live_across_else, mask_at_join, mask_past_a_skipped_side, uniform_out_of_divergent_loop, mask_of_lanes_that_left,
    uniform_values_at_divergent_join, nested, constant_in_a_loop,
    exchanged_by_a_loop_that_is_entered, a_negative_counter,
)  # fmt: skip


@pytest.mark.parametrize("target", TARGETS, ids=str)
@pytest.mark.parametrize("body", CASES, ids=[body.__name__ for body in CASES])
def test_control_flow(body: Body, target: TargetId) -> None:
    agree(module_of(body), target=target)


def test_side_effects_of_lanes_that_take_no_part() -> None:
    """Stores under a condition, in an `if` that is followed by more, and in an `if` at the end."""

    def body(builder: LaneBuilder, a: Value, first: Value, second: Value) -> None:
        lane = builder.local_id()
        x = builder.load(a, lane)

        def write(out: Value) -> tuple[Value, ...]:
            builder.store(out, lane, x)
            return ()

        _ = builder.if_(builder.less(x, builder.constant(0.0, F32)), lambda: write(first))
        _ = builder.if_(builder.less(x, builder.constant(1.0, F32)), lambda: write(second))

    agree(module_of(body, [("f32", 256), ("f32", 64), ("f32", 64)]), outputs=2)


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_exec_is_whole_again_behind_an_if(target: TargetId) -> None:
    """A barrier, LDS and a shuffle behind a divergent `if` see every lane."""

    def body(builder: LaneBuilder, a: Value, out: Value) -> None:
        lane = builder.local_id()
        lds = builder.lds_allocate(F32, 128)
        x = builder.load(a, lane)
        (y,) = builder.if_(builder.less(x, builder.constant(0.0, F32)), lambda: (builder.neg(x),), lambda: (builder.load(a, lane, offset=256),))
        builder.lds_store(lds, lane, y)
        builder.barrier()
        z = builder.lds_load(lds, builder.bitwise_xor(lane, builder.constant(127, U32)))
        w = builder.lane_shuffle(z, builder.bitwise_xor(lane, builder.constant(1, U32)))
        builder.store(out, lane, builder.add(w, builder.read_first_lane(z)))

    module = module_of(body, [("f32", 256), ("f32", 128)], block=(128, 1, 1))
    arrays = input_arrays(module, 2, 1)
    assert difference(interpreted(module, arrays, target), emulated(selected(module, target), module, arrays)) == ""


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_a_shuffle_reaches_every_lane_of_the_wave(target: TargetId) -> None:
    """From the other end of the wave, and from any lane."""

    def body(builder: LaneBuilder, a: Value, p: Value, out: Value) -> None:
        lane = builder.local_id()
        x, place = builder.load(a, lane), builder.bit_cast(builder.load(p, lane), U32)
        last = builder.constant(target.target.wave_size - 1, U32)
        builder.store(out, lane, builder.lane_shuffle(x, builder.bitwise_xor(lane, last)))
        builder.store(out, lane, builder.lane_shuffle(x, builder.bitwise_and(place, last)), offset=512)

    module = module_of(body, [("f32", 128), ("i32", 128), ("f32", 256)], block=(128, 1, 1))
    arrays = input_arrays(module, 3, 1)
    assert difference(interpreted(module, arrays, target), emulated(selected(module, target), module, arrays)) == ""


def test_constants_do_not_pile_up_in_registers() -> None:
    """A hundred constants, in a loop and behind it: they are made again rather than kept, so that registers suffice."""

    def body(builder: LaneBuilder, a: Value, out: Value) -> None:
        lane = builder.local_id()
        x = builder.load(a, lane)

        def long_chain(value: Value) -> Value:
            for i in range(100):
                value = builder.med3(value, builder.constant(i + 0.3, F32), builder.constant(-1.7 * i, F32))
            return value

        zero, one = builder.constant(0, U32), builder.constant(1, U32)
        (y,) = builder.for_(zero, builder.constant(2, U32), one, [x], lambda _, c: (long_chain(c[0]),))
        builder.store(out, lane, builder.add(long_chain(y), x))

    module = module_of(body)
    pressure = compute_liveness(selected(module)).pressure
    assert pressure[RegisterClass.SGPR].units < 80 and pressure[RegisterClass.VGPR].units < 32
    agree(module)
