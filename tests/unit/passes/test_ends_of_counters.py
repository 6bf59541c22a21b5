"""Overlapping trips of loops that count next to the least and the largest numbers: no test of many trips wraps."""

from __future__ import annotations

import pytest

from asmgen.ir.program import Module, Value
from asmgen.ir.types import F32, I32, U32, ElementType
from asmgen.lanewise.builder import LaneBuilder
from asmgen.passes.combine.combine import combine
from asmgen.passes.motion.invariants import move_invariants
from asmgen.passes.schedule.modulo.pipeline import pipeline_loops
from tests.unit.select.modules import module_of
from tests.unit.select.running import allocated, difference, emulated, input_arrays, interpreted, selected

LANES, ROWS = 64, 32
LEAST = -(1 << 31)


def sums(element: ElementType, start: int | None, stop: int | None) -> Module:
    """Each lane adds a number of the rows of x that a counter names from `start` to `stop`; only memory has those that are
    None."""

    def body(builder: LaneBuilder, x: Value, bounds: Value, z: Value) -> None:
        def bound(place: int, number: int | None) -> Value:
            if number is not None:
                return builder.constant(number, element)
            return builder.bit_cast(builder.load(bounds, builder.constant(place, U32)), element)

        def trip(counter: Value, carried: tuple[Value, ...]) -> tuple[Value, ...]:
            row = builder.bitwise_and(builder.bit_cast(counter, U32), builder.constant(ROWS - 1, U32))
            at = builder.add(builder.mul(row, builder.constant(LANES, U32)), builder.local_id())
            return (builder.add(builder.mul(carried[0], builder.constant(0.5, F32)), builder.load(x, at)),)

        (total,) = builder.for_(bound(0, start), bound(1, stop), builder.constant(1, element), (builder.constant(0.0, F32),), trip)
        builder.store(z, builder.local_id(), total)

    return module_of(body, (("f32", LANES * ROWS), ("i32", 2), ("f32", LANES)), block=(LANES, 1, 1))


@pytest.mark.parametrize("trips", [0, 1, 2, 40])
@pytest.mark.parametrize(
    ("element", "start", "stop"),
    [
        (I32, None, LEAST + 1),
        (I32, LEAST, None),
        (U32, None, 1),
        (U32, 0, None),
        (U32, (1 << 32) - 3, None),
        (I32, (1 << 31) - 3, None),
        (I32, None, None),
    ],
    ids=str,
)
def test_no_trip_more(element: ElementType, start: int | None, stop: int | None, trips: int) -> None:
    module = sums(element, start, stop)
    kernel = move_invariants(combine(selected(module)), 128)
    overlapped = pipeline_loops(kernel, 128)
    assert overlapped.loops and overlapped.loops[0].rest, "the loop is in whole passes"
    first = start if start is not None else (LEAST if element is I32 else 0) if stop is None else stop - trips
    first = max(first, LEAST if element is I32 else 0)
    last = stop if stop is not None else min(first + trips, (1 << 31 if element is I32 else 1 << 32) - 1)
    arrays = input_arrays(module, 1, 1)
    arrays[1][:] = [(number + (1 << 31)) % (1 << 32) - (1 << 31) for number in (first, last)]
    wanted = interpreted(module, arrays)
    assert difference(wanted, emulated(allocated(overlapped.kernel), module, arrays)) == ""
