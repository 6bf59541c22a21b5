"""Runs a lanewise or final module on numpy buffers: every work-item of the grid at once, statement by
statement.

A value is an array over work-items, with a last axis over the lanes of a vector. All items take a statement
together, so LDS is sequentially consistent and a barrier has nothing to do; under `if` and `for` a mask says
which items take part. If the module has atomic loads, by which a workgroup may wait for another, the
workgroups run in succession instead: a workgroup may wait for those that started before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from asmgen.graph import ops as graph
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.program import Module, Op, Region, Statement
from asmgen.ir.types import LaneType, TensorType
from asmgen.lanewise import ops
from asmgen.lanewise.atomic_ops import ATOMIC_LOAD, ATOMIC_OPS, ATOMIC_STORE
from asmgen.lanewise.interpret import lanes, memory
from asmgen.lanewise.interpret.state import Array, Run
from asmgen.lanewise.ops import MATRIX
from asmgen.lanewise.records import axis_of, numbers_of, trip_of
from asmgen.lanewise.reduction_ops import (
    DOT_PAIRS,
    DPP_REDUCE,
    DPP_SCAN,
    IS_LANE,
    LANE_BEFORE,
    LANE_REDUCE,
    LANE_STEP,
    REDUCE_WAVES,
)
from isa.diagnostics import InternalError
from isa.semantics.mode import Approximation, Mode
from isa.table import Table


def interpret(
    module: Module,
    buffers: Sequence[Array],
    approximation: Approximation = Approximation.NEAREST,
    wave: int = 64,
    table: Table | None = None,
) -> None:
    """Run `module` in waves of `wave` lanes. `buffers` are the memory of its `@param`s in order,
    in one dim, written in place; for a scalar a number or an array without dims. `table` has the matrix
    instructions of the module, if it has any.

    Raises `InternalError` if an active item reads or writes outside a buffer, and for an op that has no lane
    function.
    """
    with np.errstate(all="ignore"):
        mode = Mode(approximation=approximation, ieee=False)
        whole = Run(module, buffers, mode, wave, table, _HANDLERS)
        if all(statement.op is not ATOMIC_LOAD for statement in module.walk()):
            whole.run()
            return
        literals = {
            each.result: np.array(numbers_of(each), numpy_dtype(each.result.type.element))
            for each in module.statements
            if each.op is graph.LITERAL and isinstance(each.result.type, TensorType)
        }
        for group in range(whole.groups):
            one = Run(module, buffers, mode, wave, table, _HANDLERS, group)
            one.values |= literals  # workgroups may count in one of them
            one.run()


def _nothing(run: Run, statement: Statement) -> None:
    """launch, barriers, async_wait, priority and @return have nothing to do here."""


def _parameter(run: Run, statement: Statement) -> None:
    given = run.parameters.pop(0)
    if isinstance(statement.result.type, LaneType):
        run.define(statement.result, given)
        return
    wanted = numpy_dtype(statement.result.type.element)
    if given.ndim != 1 or given.dtype != wanted:
        raise InternalError(
            "interpret",
            statement.result.name,
            f"the buffer is {given.dtype} of rank {given.ndim}, wanted {wanted} of rank 1",
        )
    run.values[statement.result] = given


def _literal(run: Run, statement: Statement) -> None:
    if statement.result in run.values:
        return
    array = np.array(numbers_of(statement), numpy_dtype(statement.result.type.element))
    if isinstance(statement.result.type, TensorType):
        run.values[statement.result] = array
    else:
        run.define(statement.result, array if statement.result.type.lanes > 1 else array[0])


def _workgroup_id(run: Run, statement: Statement) -> None:
    run.define(statement.result, _axis_of(run.group, run.grid, statement))


def _local_id(run: Run, statement: Statement) -> None:
    run.define(statement.result, _axis_of(np.arange(run.items) % run.group_size, run.block, statement))


def _workgroup_size(run: Run, statement: Statement) -> None:
    run.define(statement.result, np.array(run.block[axis_of(statement)]))


def _workgroup_count(run: Run, statement: Statement) -> None:
    run.define(statement.result, np.array(run.grid[axis_of(statement)]))


def _axis_of(linear: Array, sizes: tuple[int, ...], statement: Statement) -> Array:
    """A coordinate of ids that count x first."""
    axis = axis_of(statement)
    return (linear // int(np.prod(sizes[:axis]))) % sizes[axis]


def _if(run: Run, statement: Statement) -> None:
    before = run.mask
    condition = run.values[statement.operands[0]]
    yielded: list[tuple[Array, ...]] = []
    for region, mask in zip(statement.regions, (before & condition, before & ~condition), strict=False):
        run.mask = mask
        yielded.append(_region(run, region))
    run.mask = before
    for position, result in enumerate(statement.results):
        run.define(result, _chosen(condition, yielded[0][position], yielded[1][position]))


def _for(run: Run, statement: Statement) -> None:
    before = run.mask
    counter, stop, step, *carried = [run.values[operand] for operand in statement.operands]
    (region,) = statement.regions
    index, *parameters = region.parameters
    active: Array = before & (counter < stop)
    trip = 0
    while active.any():
        run.mask = active
        run.values[index] = counter
        run.trips[trip_of(statement)] = run.zero + trip
        trip += 1
        run.values.update(zip(parameters, carried, strict=True))
        following = _region(run, region)
        carried = [_chosen(active, new, old) for new, old in zip(following, carried, strict=True)]
        counter = _chosen(active, counter + step, counter)
        active = active & (counter < stop)
    run.mask = before
    for result, value in zip(statement.results, carried, strict=True):
        run.define(result, value)


def _while(run: Run, statement: Statement) -> None:
    """Each lane leaves the loop at the trip in which its own test fails, with the values of that trip."""
    before = run.mask
    carried = [run.values[operand] for operand in statement.operands]
    test, body = statement.regions
    active: Array = before
    while True:
        run.mask = active
        run.values.update(zip(test.parameters, carried, strict=True))
        (goes_on,) = _region(run, test)
        active = active & goes_on
        if not active.any():
            break
        run.mask = active
        run.values.update(zip(body.parameters, carried, strict=True))
        carried = [_chosen(active, new, old) for new, old in zip(_region(run, body), carried, strict=True)]
    run.mask = before
    for result, value in zip(statement.results, carried, strict=True):
        run.define(result, value)


def _region(run: Run, region: Region) -> tuple[Array, ...]:
    for statement in region.statements[:-1]:
        run.step(statement)
    return tuple(run.values[operand] for operand in region.yielded)


def _chosen(condition: Array, a: Array, b: Array) -> Array:
    return np.where(condition if a.ndim == 1 else condition[:, None], a, b)


_HANDLERS: dict[Op, Callable[[Run, Statement], None]] = {
    ops.LAUNCH: _nothing, ops.BARRIER: _nothing, graph.RETURN: _nothing,
    graph.PARAM: _parameter, graph.LITERAL: _literal,
    ops.WORKGROUP_ID: _workgroup_id, ops.LOCAL_ID: _local_id,
    ops.WORKGROUP_SIZE: _workgroup_size, ops.WORKGROUP_COUNT: _workgroup_count,
    ops.LOAD: memory.load, ops.VECTOR_LOAD: memory.load, ops.LDS_LOAD: memory.load,
    ops.STORE: memory.store, ops.VECTOR_STORE: memory.store, ops.LDS_STORE: memory.store,
    ops.LDS_ALLOCATE: memory.lds_allocate, ops.SCRATCH_ALLOCATE: memory.scratch_allocate,
    ops.SCRATCH_LOAD: memory.load, ops.SCRATCH_STORE: memory.store,
    ops.LOAD_TO_LDS: memory.load_to_lds, ops.ASYNC_WAIT: _nothing,
    ops.STAGGER: _nothing, ops.PRIORITY: _nothing, ops.ORDER: _nothing,
    **dict.fromkeys(ATOMIC_OPS, memory.atomic), ATOMIC_LOAD: memory.atomic_load, ATOMIC_STORE: memory.store,
    ops.PACK: lanes.pack, ops.EXTRACT: lanes.extract, ops.SPLAT: lanes.splat,
    ops.SPLIT_BITS: lanes.split_bits,
    ops.LANE_SHUFFLE: lanes.lane_shuffle,
    ops.LANE_EXCHANGE: lanes.lane_exchange,
    ops.ROW_BROADCAST: lanes.row_broadcast,
    ops.READ_FIRST_LANE: lanes.read_first_lane,
    ops.FIND_LANE: lanes.find_lane, ops.ANY_LANE: lanes.any_lane, ops.BALLOT: lanes.ballot,
    ops.IF: _if, ops.FOR: _for, ops.WHILE: _while,
    DPP_SCAN: lanes.dpp_scan, LANE_BEFORE: lanes.lane_before, LANE_STEP: lanes.lane_step,
    LANE_REDUCE: lanes.lane_reduce, DOT_PAIRS: lanes.dot_pairs, DPP_REDUCE: lanes.dpp_reduce,
    REDUCE_WAVES: lanes.reduce_waves,
    IS_LANE: lanes.is_lane, MATRIX: lanes.matrix, ops.LDS_TRANSPOSE_LOAD: memory.transpose_load,
}  # fmt: skip
