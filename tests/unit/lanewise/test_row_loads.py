"""Rows of lanes that read the same elements of LDS load each element once, and compute the same."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from asmgen.ir.program import Module, Value
from asmgen.ir.types import F32, U32
from asmgen.lanewise import ops
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.records import Access
from asmgen.lanewise.row_loads import share_row_loads
from tests.unit.select.modules import module_of
from tests.unit.select.running import allocated, difference, emulated, input_arrays, interpreted, selected

LANES = 64


def sums(
    numbers: Iterable[int] = range(16), block: tuple[int, int, int] = (16, 4, 1), axis: int = 1, within: str = "", between: bool = False
) -> Module:  # fmt: skip
    """Each lane sums elements of LDS by weights: the numbers after 16 for each lane of an axis of the block."""

    def body(builder: LaneBuilder, x: Value, z: Value) -> None:
        own = builder.add(builder.local_id(), builder.mul(builder.value(ops.LOCAL_ID, axis=1), builder.constant(block[0], U32)))
        lds = builder.value(ops.LDS_ALLOCATE, size=20 * LANES)
        for further in range(0, 20 * LANES, LANES):
            builder.emit(ops.LDS_STORE, lds, builder.add(own, builder.constant(further, U32)), builder.load(x, own))
        builder.emit(ops.BARRIER)
        first = builder.mul(builder.value(ops.LOCAL_ID, axis=axis), builder.constant(16, U32))

        def summed() -> tuple[Value, ...]:
            total = builder.constant(0.0, F32)
            for number in numbers:
                at = builder.add(first, builder.constant(number, U32)) if number else first
                total = builder.value(ops.FMA, builder.value(ops.LDS_LOAD, lds, at), builder.constant(number + 1.0, F32), total)
                if between and number == 5:
                    builder.emit(ops.LDS_STORE, lds, own, total)
            return (total,)

        if within:
            condition = builder.less(builder.local_id() if within == "lanes" else builder.value(ops.WORKGROUP_ID), builder.constant(9, U32))
            (total,) = builder.if_(condition, summed, lambda: (builder.constant(0.0, F32),))
        else:
            (total,) = summed()
        builder.store(z, own, total)

    return module_of(body, (("f32", LANES), ("f32", LANES)), block=block)


def loads(module: Module) -> int:
    return sum(statement.op is ops.LDS_LOAD for statement in module.walk())


@pytest.mark.parametrize(
    ("module", "count"),
    [
        (sums(), 1),
        (sums(reversed(range(16))), 1),
        (sums(range(3, 19)), 1),
        (sums(range(40)), 10),
        (sums(block=(32, 2, 1)), 1),
    ],
    ids=["a row", "from the last on", "from the fourth on", "two rows and a rest", "rows of half a row of the block"],
)  # fmt: skip
def test_shared(module: Module, count: int) -> None:
    shared = share_row_loads(module)
    assert loads(shared) == count
    arrays = input_arrays(module, 1, 1)
    wanted = interpreted(module, arrays)
    assert difference(wanted, interpreted(shared, arrays)) == ""
    assert difference(wanted, emulated(allocated(selected(shared)), module, arrays)) == ""


@pytest.mark.parametrize(
    "module",
    [sums(range(15)), sums(block=(8, 8, 1)), sums(axis=0), sums(within="lanes"), sums(within="workgroup"), sums(between=True)],
    ids=["15 elements", "rows of 8 lanes", "each lane its own", "a branch of some lanes", "any branch", "a store between"],
)  # fmt: skip
def test_not_shared(module: Module) -> None:
    assert share_row_loads(module) is module


def test_loads_of_the_first_lane() -> None:
    """The address of the shared load is that of the first element, plus the lane's place in its row."""
    (load,) = [statement for statement in share_row_loads(sums(range(3, 19))).walk() if statement.op is ops.LDS_LOAD]
    assert Access.of(load).offset == 12
