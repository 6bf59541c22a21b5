"""Equal loads of a buffer that the kernel does not write become one load."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import asmgen
from asmgen.ir.program import Module, Value
from asmgen.ir.types import U32
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.cleanup import share_equal
from asmgen.lanewise.ops import LOADS
from tests.unit.select.modules import module_of

Between = Callable[[LaneBuilder, Value, Value], None]


def _nothing(builder: LaneBuilder, x: Value, lane: Value) -> None:
    """No statement."""


def _writes(builder: LaneBuilder, x: Value, lane: Value) -> None:
    builder.store(x, lane, builder.load(x, builder.add(lane, lane)))


def _branches(builder: LaneBuilder, x: Value, lane: Value) -> None:
    _ = builder.if_(builder.less(lane, builder.constant(9, U32)), lambda: ())


def _loops(builder: LaneBuilder, x: Value, lane: Value) -> None:
    zero, one = builder.constant(0, U32), builder.constant(1, U32)
    _ = builder.for_(zero, builder.constant(9, U32), one, (lane,), lambda counter, carried: (builder.add(carried[0], counter),))


def _orders(builder: LaneBuilder, x: Value, lane: Value) -> None:
    builder.order()


def _two_loads(between: Between) -> Module:
    def body(builder: LaneBuilder, x: Value, z: Value) -> None:
        lane = builder.local_id()
        first = builder.load(x, lane)
        between(builder, x, lane)
        builder.store(z, lane, builder.add(first, builder.load(x, lane)))

    return module_of(body)


def _count(module: Module) -> int:
    return sum(statement.op in LOADS for statement in module.walk())


@pytest.mark.parametrize(("between", "loads"), [(_nothing, 1), (_branches, 1), (_loops, 2), (_orders, 2), (_writes, 3)])
def test_a_second_load_is_shared_unless_the_first_may_differ_or_is_held_for_long(between: Between, loads: int) -> None:
    assert _count(share_equal(_two_loads(between))) == loads


def test_a_load_of_a_branch_stays_there() -> None:
    def body(builder: LaneBuilder, x: Value, z: Value) -> None:
        lane = builder.local_id()
        first = builder.load(x, lane)
        (second,) = builder.if_(builder.less(lane, builder.constant(9, U32)), lambda: (builder.load(x, lane),), lambda: (first,))
        builder.store(z, lane, second)

    assert _count(share_equal(module_of(body))) == 2


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_rows_of_a_padded_stencil_are_read_once(target: str) -> None:
    """A lane has four rows, for which it reads eight rows of five elements."""
    text = "x = @param:x -> f32, {2160,3840}\ny = reduce_window[combine=mean, sizes={5,5}, strides={1,1}, pads={2,2,2,2}](x)\n@return(y)\n"
    (kernel,) = asmgen.compile(text, target=target).kernels
    assert kernel.assembly.count("\n\tglobal_load_") == 40
