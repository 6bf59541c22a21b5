"""Constants of indices in the offsets of accesses: moved if no sum passes 32 bits, and the same is computed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from asmgen.ir.program import Module, Value
from asmgen.ir.types import F32, I32, U32
from asmgen.lanewise import ops
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.constant_parts import move_constant_parts
from asmgen.lanewise.records import Access
from tests.unit.select.modules import module_of
from tests.unit.select.running import allocated, difference, emulated, input_arrays, interpreted, selected

LANES, ELEMENTS = 64, 2048
Index = Callable[[LaneBuilder, Value], Value]


def constant(builder: LaneBuilder, number: int) -> Value:
    return builder.constant(number, U32)


def loads(index: Index, *further: int) -> Module:
    """Each lane adds the elements of x so many after an index, and stores the sum. n has numbers from 0 to 63."""

    def body(builder: LaneBuilder, x: Value, n: Value, z: Value) -> None:
        at = index(builder, n)
        total = builder.constant(0.0, F32)
        for number in further:
            total = builder.add(total, builder.load(x, builder.add(at, constant(builder, number))))
        builder.store(z, builder.local_id(), total)

    return module_of(body, (("f32", ELEMENTS), ("u32", LANES), ("f32", LANES)), block=(LANES, 1, 1))


def offsets(module: Module) -> list[int]:
    return [Access.of(each).offset for each in module.walk() if each.op is ops.LOAD and each.result.type.element is F32]


def loaded(builder: LaneBuilder, n: Value) -> Value:
    return builder.load(n, builder.local_id())


@pytest.mark.parametrize(
    ("index", "further", "moved"),
    [
        (lambda builder, n: builder.local_id(), (0, 1, 5), [0, 4, 20]),
        (lambda builder, n: builder.mul(loaded(builder, n), constant(builder, 12)), (0, 3, 5), [0, 12, 0]),
        (lambda builder, n: builder.value(ops.SHIFT_LEFT, loaded(builder, n), constant(builder, 2)), (1, 4), [4, 0]),
        (lambda builder, n: builder.add(builder.local_id(), constant(builder, 2)), (1, 3), [12, 20]),
        (loaded, (1, 2), [0, 0]),
        (lambda builder, n: builder.sub(loaded(builder, n), loaded(builder, n)), (3,), [0]),
        (lambda builder, n: builder.add(builder.local_id(), constant(builder, 0xFFFFFFFF)), (1, 2), [0, 0]),
        (lambda builder, n: builder.local_id(), (1023, 1024), [4092, 0]),
    ],
    ids=["a lane", "a multiple of 12", "a multiple of 4", "two constants", "any number", "a difference", "before the first", "far"],
)
def test_moved(index: Index, further: tuple[int, ...], moved: list[int]) -> None:
    module = loads(index, *further)
    changed = move_constant_parts(module)
    assert offsets(changed) == moved
    arrays = input_arrays(module, 1, 1)
    arrays[1][:] %= LANES
    wanted = interpreted(module, arrays)
    assert difference(wanted, interpreted(changed, arrays)) == ""
    assert difference(wanted, emulated(allocated(selected(changed)), module, arrays)) == ""


@pytest.mark.parametrize(
    ("stop", "moved"),
    [
        (lambda builder, n: constant(builder, 100), [4]),
        (lambda builder, n: builder.bit_cast(builder.max(builder.bit_cast(n, I32), builder.constant(0, I32)), U32), [4]),
        (lambda builder, n: builder.max(n, constant(builder, 7)), [0]),
        (lambda builder, n: n, [0]),
    ],
    ids=["a number", "an i32 that is not negative", "a larger u32", "any u32"],
)
def test_a_counter_is_below_its_stop(stop: Index, moved: list[int]) -> None:
    def body(builder: LaneBuilder, x: Value, n: Value, z: Value) -> None:
        end = stop(builder, builder.load(n, constant(builder, 0)))

        def trip(counter: Value, carried: tuple[Value, ...]) -> tuple[Value, ...]:
            return (builder.add(carried[0], builder.load(x, builder.add(counter, constant(builder, 1)))),)

        (total,) = builder.for_(constant(builder, 0), end, constant(builder, 1), (builder.constant(0.0, F32),), trip)
        builder.store(z, builder.local_id(), total)

    module = module_of(body, (("f32", ELEMENTS), ("u32", LANES), ("f32", LANES)), block=(LANES, 1, 1))
    assert offsets(move_constant_parts(module)) == moved
