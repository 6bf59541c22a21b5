"""The lanewise interpreter: ids, memory with its bounds, regions under masks, LDS, lanes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from asmgen.graph import ops as graph
from asmgen.ir.program import Statement, Value
from asmgen.ir.types import F32, I32, U32, ElementType, tensor
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.interpret import interpret
from isa.diagnostics import InternalError

Array = NDArray[Any]


def buffer(builder: LaneBuilder, name: str, element: ElementType, size: int) -> Value:
    value = Value(name, tensor(element, (size,)))
    builder.append(Statement(graph.PARAM, (), (value,), {"name": name}))
    return value


def start(grid: tuple[int, int, int], block: tuple[int, int, int]) -> LaneBuilder:
    builder = LaneBuilder()
    builder.launch(grid, block)
    return builder


def test_ids_count_x_first() -> None:
    builder = start((2, 3, 1), (4, 2, 2))
    out = buffer(builder, "out", U32, 6 * 16)
    c = builder.constant
    groups = [builder.workgroup_id(axis) for axis in range(2)]
    local = [builder.local_id(axis) for axis in range(3)]
    group = builder.add(builder.mul(groups[1], c(2, U32)), groups[0])
    inner = builder.add(builder.mul(builder.add(builder.mul(local[2], c(2, U32)), local[1]), c(4, U32)), local[0])
    builder.store(out, builder.add(builder.mul(group, c(16, U32)), inner), builder.add(builder.mul(groups[1], c(100, U32)), local[2]))
    memory = np.zeros(96, np.uint32)
    interpret(builder.module("m"), [memory])
    np.testing.assert_array_equal(memory, np.repeat([0, 100, 200], 32) + np.tile(np.repeat([0, 1], 8), 6))


def test_a_masked_item_neither_reads_nor_writes_out_of_bounds() -> None:
    builder = start((1, 1, 1), (64, 1, 1))
    data = buffer(builder, "data", I32, 50)
    item = builder.local_id()

    def body() -> tuple[Value, ...]:
        builder.store(data, item, builder.add(builder.load(data, item), builder.constant(1, I32)))
        return ()

    _ = builder.if_(builder.less(item, builder.constant(50, U32)), body)
    memory = np.arange(50, dtype=np.int32)
    interpret(builder.module("m"), [memory])
    np.testing.assert_array_equal(memory, np.arange(1, 51))


@pytest.mark.parametrize(("size", "offset"), [(49, 0), (60, 16)])
def test_an_access_out_of_bounds_is_an_error(size: int, offset: int) -> None:
    builder = start((1, 1, 1), (50, 1, 1))
    data = buffer(builder, "data", I32, size)
    builder.store(data, builder.local_id(), builder.constant(1, I32), offset=offset + 28 * (offset > 0))
    with pytest.raises(InternalError, match=r"store: item .* of data, which has \d+ elements"):
        interpret(builder.module("m"), [np.zeros(size, np.int32)])


def test_if_yields_by_item() -> None:
    builder = start((1, 1, 1), (8, 1, 1))
    out = buffer(builder, "out", U32, 8)
    item = builder.local_id()
    low = builder.less(item, builder.constant(3, U32))
    (chosen,) = builder.if_(low, lambda: (builder.add(item, item),), lambda: (builder.constant(9, U32),))
    builder.store(out, item, chosen)
    memory = np.zeros(8, np.uint32)
    interpret(builder.module("m"), [memory])
    np.testing.assert_array_equal(memory, [0, 2, 4, 9, 9, 9, 9, 9])


def test_for_with_a_trip_count_of_each_item() -> None:
    """Item i sums 0 .. i-1; item 0 makes no trip and keeps the initial value."""
    builder = start((1, 1, 1), (16, 1, 1))
    out = buffer(builder, "out", I32, 16)
    item = builder.local_id()
    zero, one = builder.constant(0, U32), builder.constant(1, U32)
    initial = builder.constant(0, I32)
    (total,) = builder.for_(zero, item, one, [initial], lambda i, carried: (builder.add(carried[0], builder.convert(i, I32)),))
    builder.store(out, item, total)
    memory = np.zeros(16, np.int32)
    interpret(builder.module("m"), [memory])
    np.testing.assert_array_equal(memory, [i * (i - 1) // 2 for i in range(16)])


def test_lds_is_the_workgroups_own() -> None:
    """Each workgroup reverses its 32 elements through LDS."""
    builder = start((3, 1, 1), (32, 1, 1))
    data = buffer(builder, "data", F32, 96)
    item = builder.local_id()
    index = builder.add(builder.mul(builder.workgroup_id(), builder.constant(32, U32)), item)
    lds = builder.lds_allocate(F32, 32)
    builder.lds_store(lds, builder.sub(builder.constant(31, U32), item), builder.load(data, index))
    builder.barrier()
    builder.store(data, index, builder.lds_load(lds, item))
    memory = np.arange(96, dtype=np.float32)
    interpret(builder.module("m"), [memory])
    np.testing.assert_array_equal(memory, np.arange(96, dtype=np.float32).reshape(3, 32)[:, ::-1].reshape(-1))


def test_lanes() -> None:
    builder = start((1, 1, 1), (128, 1, 1))
    out = buffer(builder, "out", U32, 256)
    item = builder.local_id()
    neighbour = builder.lane_shuffle(item, builder.bitwise_xor(item, builder.constant(1, U32)))

    def body() -> tuple[Value, ...]:
        builder.store(out, builder.add(item, builder.constant(128, U32)), builder.read_first_lane(item))
        return ()

    builder.store(out, item, neighbour)
    _ = builder.if_(builder.greater(item, builder.constant(10, U32)), body)
    memory = np.zeros(256, np.uint32)
    interpret(builder.module("m"), [memory])
    np.testing.assert_array_equal(memory[:128], np.arange(128) ^ 1)
    np.testing.assert_array_equal(memory[128:], [0] * 11 + [11] * 53 + [64] * 64)


def test_vectors() -> None:
    builder = start((1, 1, 1), (4, 1, 1))
    data = buffer(builder, "data", F32, 16)
    index = builder.mul(builder.local_id(), builder.constant(4, U32))
    vector = builder.load(data, index, 4)
    swapped = builder.pack(builder.extract(vector, 2, 2), builder.extract(vector, 0), builder.extract(vector, 1))
    builder.store(data, index, builder.add(swapped, builder.splat(builder.extract(vector, 0), 4)))
    memory = np.arange(16, dtype=np.float32)
    interpret(builder.module("m"), [memory])
    rows = np.arange(16, dtype=np.float32).reshape(4, 4)
    np.testing.assert_array_equal(memory.reshape(4, 4), rows[:, [2, 3, 0, 1]] + rows[:, :1])


def test_an_op_without_a_function_is_an_error() -> None:
    builder = start((1, 1, 1), (64, 1, 1))
    _ = builder.value(graph.ELU, builder.constant(1.0, F32))
    with pytest.raises(InternalError, match="no lane function for elu"):
        interpret(builder.module("m"), [])
