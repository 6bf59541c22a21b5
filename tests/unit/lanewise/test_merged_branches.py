"""Branches on the same condition become one: the module stores the same."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from asmgen.ir.program import Module, Value
from asmgen.ir.types import F32, U32
from asmgen.lanewise import ops
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.merged_branches import merge_branches
from tests.unit.select.modules import module_of
from tests.unit.select.running import allocated, difference, emulated, input_arrays, interpreted, selected

BUFFERS = (("f32", 64), ("f32", 64), ("f32", 64))


def _branches(module: Module) -> int:
    return sum(statement.op is ops.IF for statement in module.walk())


def random_branches(seed: int) -> Module:
    """Branches on three conditions that store sums, some of which later branches or stores need too; between
    them loads and stores."""
    rng = random.Random(seed)

    def body(builder: LaneBuilder, x: Value, y: Value, z: Value) -> None:
        lane = builder.local_id()
        conditions = [builder.less(lane, builder.constant(limit, U32)) for limit in (7, 40)]
        values = [builder.load(x, lane)]

        def store() -> tuple[Value, ...]:
            builder.store(rng.choice([y, z]), lane, rng.choice(values))
            return ()

        for _ in range(rng.randint(4, 16)):
            step = rng.randrange(8)
            if step < 4:
                _ = builder.if_(rng.choice(conditions), store)
            elif step < 7:
                values.append(builder.add(rng.choice(values), builder.constant(float(step), F32)))
            elif rng.randrange(2):
                values.append(builder.load(y, lane))
            else:
                _ = store()

    return module_of(body, BUFFERS)


def test_random_branches_store_the_same() -> None:
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    fewer = 0
    for number in range(60):
        module = random_branches(seed + number)
        merged = merge_branches(module)
        fewer += _branches(module) - _branches(merged)
        arrays = input_arrays(module, number, 2)
        wanted = interpreted(module, arrays)
        assert difference(wanted, interpreted(merged, arrays)) == "", f"seed {seed + number}"
        if number < 5:
            assert difference(wanted, emulated(allocated(selected(merged)), module, arrays)) == "", f"seed {seed + number}"
    assert fewer > 40


Between = Callable[[LaneBuilder, Value, Value, Value], None]


def _barrier(builder: LaneBuilder, _x: Value, _y: Value, _lane: Value) -> None:
    builder.barrier()


def _sum(builder: LaneBuilder, _x: Value, _y: Value, lane: Value) -> None:
    _ = builder.add(lane, lane)


def _load(builder: LaneBuilder, _x: Value, y: Value, lane: Value) -> None:
    _ = builder.load(y, lane)


def _store(builder: LaneBuilder, x: Value, y: Value, lane: Value) -> None:
    builder.store(y, lane, builder.load(x, lane))


@pytest.mark.parametrize(("between", "branches"), [(_sum, 1), (_barrier, 2), (_load, 2), (_store, 2)])
def test_only_statements_without_effects_are_between_merged_branches(between: Between, branches: int) -> None:
    def body(builder: LaneBuilder, x: Value, y: Value, z: Value) -> None:
        lane = builder.local_id()
        number, is_low = builder.load(x, lane), builder.less(lane, builder.constant(9, U32))

        def store() -> tuple[Value, ...]:
            builder.store(z, lane, number)
            return ()

        _ = builder.if_(is_low, store)
        between(builder, x, y, lane)
        _ = builder.if_(is_low, store)

    assert _branches(merge_branches(module_of(body, BUFFERS))) == branches


def test_a_statement_moves_into_the_branch_that_alone_needs_it() -> None:
    def body(builder: LaneBuilder, x: Value, y: Value, z: Value) -> None:
        lane = builder.local_id()
        number, is_low = builder.load(x, lane), builder.less(lane, builder.constant(9, U32))

        def store(to: Value, value: Value) -> None:
            _ = builder.if_(is_low, lambda: (builder.store(to, lane, value), ())[1])

        store(y, number)
        double = builder.add(number, number)
        both = builder.mul(double, number)
        store(z, both)
        builder.barrier()
        builder.store(x, lane, double)

    merged = merge_branches(module_of(body, BUFFERS))
    (branch,) = [each for each in merged.walk() if each.op is ops.IF]
    names = [each.op.name for each in branch.regions[0].statements]
    assert names == ["store", "mul", "store", "yield"]


def test_a_branch_with_another_for_the_other_lanes_stays() -> None:
    def body(builder: LaneBuilder, x: Value, y: Value, z: Value) -> None:
        lane = builder.local_id()
        number, is_low = builder.load(x, lane), builder.less(lane, builder.constant(9, U32))

        def store(to: Value) -> tuple[Value, ...]:
            builder.store(to, lane, number)
            return ()

        _ = builder.if_(is_low, lambda: store(y))
        _ = builder.if_(is_low, lambda: store(z), lambda: store(x))

    assert _branches(merge_branches(module_of(body, BUFFERS))) == 2
