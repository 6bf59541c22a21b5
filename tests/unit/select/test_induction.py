"""Addresses that advance with a loop: right at every start and step, and one addition a trip."""

from __future__ import annotations

import pytest

from asmgen.ir.program import Module, Value
from asmgen.ir.types import F32, U32
from asmgen.lanewise.builder import LaneBuilder
from isa.instruction import Unit
from isa.program import Kernel
from isa.targets import TargetId
from tests.unit.select.modules import Body, module_of
from tests.unit.select.running import (
    TARGET,
    TARGETS,
    allocated,
    difference,
    emulated,
    input_arrays,
    interpreted,
    selected,
)

ELEMENTS = 65536
BUFFERS = (("f32", ELEMENTS), ("f32", 1024))


def sums_far_chunks(builder: LaneBuilder, a: Value, out: Value) -> None:
    """Four chunks a trip, of which three are out of the immediate's reach on some targets; stores go along."""
    lane, group = builder.local_id(), builder.workgroup_id()
    row = builder.mul(group, builder.constant(1024, U32))
    own = builder.mul(lane, builder.constant(4, U32))

    def trip(i: Value, carried: tuple[Value, ...]) -> tuple[Value, ...]:
        (total,) = carried
        index = builder.add(row, builder.add(i, own))
        for chunk in range(4):
            total = builder.add(total, builder.load(a, index, offset=8192 * chunk))

        def written() -> tuple[Value, ...]:
            builder.store(out, builder.add(builder.shift_right(i, builder.constant(3, U32)), lane), total)
            return ()

        _ = builder.if_(builder.less(lane, builder.constant(40, U32)), written)
        return (total,)

    bounds = [builder.constant(number, U32) for number in (256, 6400, 1024)]
    (total,) = builder.for_(bounds[0], bounds[1], bounds[2], [builder.constant(0.0, F32)], trip)
    builder.store(out, builder.add(lane, builder.constant(960, U32)), total)


def begins_where_the_program_says(builder: LaneBuilder, a: Value, out: Value) -> None:
    """The first trip's counter is not known, nor whether there is a trip; the counter is a term of the row as
    well."""
    lane, group = builder.local_id(), builder.workgroup_id()

    def trip(i: Value, carried: tuple[Value, ...]) -> tuple[Value, ...]:
        index = builder.add(
            builder.add(i, builder.mul(group, builder.constant(5, U32))),
            builder.mul(lane, builder.constant(2, U32)),
        )
        return (builder.add(carried[0], builder.load(a, index, offset=20000)),)

    (total,) = builder.for_(group, builder.constant(7, U32), builder.constant(3, U32), [builder.constant(0.0, F32)], trip)
    builder.store(out, builder.add(lane, builder.mul(group, builder.constant(64, U32))), total)


def nested(builder: LaneBuilder, a: Value, out: Value) -> None:
    """The inner loop's addresses begin anew in every trip of the outer loop, which has addresses of its
    own."""
    lane = builder.local_id()
    zero, one, own = (
        builder.constant(0, U32),
        builder.constant(1, U32),
        builder.mul(lane, builder.constant(3, U32)),
    )

    def outer(j: Value, carried: tuple[Value, ...]) -> tuple[Value, ...]:
        here = builder.load(a, builder.add(builder.mul(j, builder.constant(100, U32)), own))

        def inner(i: Value, c: tuple[Value, ...]) -> tuple[Value, ...]:
            index = builder.add(
                builder.add(builder.mul(j, builder.constant(7, U32)), builder.mul(i, builder.constant(9, U32))),
                own,
            )
            return (builder.add(builder.mul(c[0], builder.constant(0.5, F32)), builder.load(a, index)),)

        (sum_,) = builder.for_(one, builder.constant(9, U32), builder.constant(2, U32), [carried[0]], inner)
        return (builder.add(sum_, here),)

    (total,) = builder.for_(zero, builder.constant(4, U32), one, [builder.constant(0.0, F32)], outer)
    builder.store(out, lane, total)


def index_of_the_trip(builder: LaneBuilder, a: Value, out: Value) -> None:
    """A value computed in the trip is not known before the loop: the address is computed there too."""
    lane = builder.local_id()

    def trip(i: Value, carried: tuple[Value, ...]) -> tuple[Value, ...]:
        changing = builder.bitwise_xor(lane, i)
        index = builder.add(builder.mul(i, builder.constant(8, U32)), builder.mul(changing, builder.constant(3, U32)))
        return (builder.add(carried[0], builder.load(a, index)),)

    (total,) = builder.for_(
        builder.constant(0, U32), builder.constant(8, U32), builder.constant(1, U32), [builder.constant(0.0, F32)], trip,
    )  # fmt: skip
    builder.store(out, lane, total)


def inside_a_loop_that_lanes_leave(builder: LaneBuilder, a: Value, out: Value) -> None:
    """The inner loop's counter differs between lanes: an address of both counters is not known before the
    outer loop.
    """
    lane = builder.local_id()
    one, own = builder.constant(1, U32), builder.mul(lane, builder.constant(3, U32))
    first, end = (
        builder.bitwise_and(lane, builder.constant(3, U32)),
        builder.bitwise_and(lane, builder.constant(7, U32)),
    )

    def outer(j: Value, carried: tuple[Value, ...]) -> tuple[Value, ...]:
        def inner(i: Value, c: tuple[Value, ...]) -> tuple[Value, ...]:
            index = builder.add(
                builder.add(builder.mul(j, builder.constant(16, U32)), builder.mul(i, builder.constant(9, U32))),
                own,
            )
            return (builder.add(c[0], builder.load(a, index)),)

        return (builder.for_(first, end, one, [carried[0]], inner)[0],)

    (total,) = builder.for_(builder.constant(0, U32), builder.constant(4, U32), one, [builder.constant(0.0, F32)], outer)
    builder.store(out, lane, total)


def stays_at_constants(builder: LaneBuilder, a: Value, out: Value) -> None:
    """Two addresses stay from a trip on, another goes on; a constant between two trips is computed in each."""
    lane = builder.local_id()
    start, stop, step = (builder.constant(number, U32) for number in (64, 1088, 128))

    def trip(i: Value, carried: tuple[Value, ...]) -> tuple[Value, ...]:
        (total,) = carried
        for last, factor in ((704, 3), (704, 5), (960, 2), (700, 7), (5000, 1)):
            index = builder.mul(builder.min(i, builder.constant(last, U32)), builder.constant(factor, U32))
            total = builder.add(total, builder.load(a, builder.add(index, lane)))
        return (builder.add(total, builder.load(a, builder.add(i, lane))),)

    (total,) = builder.for_(start, stop, step, [builder.constant(0.0, F32)], trip)
    builder.store(out, lane, total)


BODIES = (
    stays_at_constants,
    sums_far_chunks,
    begins_where_the_program_says,
    nested,
    index_of_the_trip,
    inside_a_loop_that_lanes_leave,
)


def agree(module: Module, target: TargetId) -> None:
    arrays = input_arrays(module, 1, 1)
    wanted = interpreted(module, arrays, target)
    kernel = selected(module, target)
    assert difference(wanted, emulated(kernel, module, arrays)) == "", "on virtual registers"
    assert difference(wanted, emulated(allocated(kernel), module, arrays)) == "", "allocated"


@pytest.mark.parametrize("target", TARGETS, ids=str)
@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.__name__)
def test_advanced_addresses(body: Body, target: TargetId) -> None:
    agree(module_of(body, BUFFERS, grid=(3 if body is begins_where_the_program_says else 1, 1, 1)), target)


def loop_of(kernel: Kernel) -> list[str]:
    """The vector instructions of the first loop, by operation, without floats."""
    block = next(block for block in kernel.blocks if block.label == "loop")
    return [instr.row.operation for instr in block.instructions if instr.row.unit is Unit.VALU and "f32" not in instr.row.operation]


def test_four_far_chunks_take_one_addition_a_trip() -> None:
    def body(builder: LaneBuilder, a: Value, out: Value) -> None:
        lane = builder.local_id()
        row = builder.mul(builder.workgroup_id(), builder.constant(1024, U32))

        def trip(i: Value, carried: tuple[Value, ...]) -> tuple[Value, ...]:
            (total,) = carried
            for chunk in range(4):
                total = builder.add(total, builder.load(a, builder.add(row, builder.add(i, lane)), offset=8192 * chunk))
            return (total,)

        zero, stop, step = (builder.constant(number, U32) for number in (0, 32768, 8192))
        (total,) = builder.for_(zero, stop, step, [builder.constant(0.0, F32)], trip)
        builder.store(out, lane, total)

    kernel = selected(module_of(body, BUFFERS), TARGET)
    assert loop_of(kernel) == ["v_add_u32"]
    bases = {instr.operands[2] for block in kernel.blocks for instr in block.instructions if instr.row.operation == "global_load_dword"}
    assert len(bases) == 4


def test_addresses_that_stay_at_a_constant_take_an_addition_each_a_trip() -> None:
    def body(builder: LaneBuilder, a: Value, out: Value) -> None:
        lane = builder.mul(builder.local_id(), builder.constant(3, U32))

        def trip(i: Value, carried: tuple[Value, ...]) -> tuple[Value, ...]:
            (total,) = carried
            index = builder.min(i, builder.constant(7168, U32))
            for factor in (1, 2):
                place = builder.add(builder.mul(index, builder.constant(factor, U32)), lane)
                total = builder.add(total, builder.load(a, place))
            return (total,)

        zero, stop, step = (builder.constant(number, U32) for number in (0, 8192, 1024))
        (total,) = builder.for_(zero, stop, step, [builder.constant(0.0, F32)], trip)
        builder.store(out, builder.local_id(), total)

    assert loop_of(selected(module_of(body, BUFFERS), TARGET)) == ["v_add_u32", "v_add_u32"]
