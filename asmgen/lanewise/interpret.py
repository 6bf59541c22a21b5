"""Runs a lanewise or final module on numpy buffers: every work-item of the grid at once, statement by
statement.

A value is an array over work-items, with a last axis over the lanes of a vector. All items take a statement
together, so LDS is sequentially consistent and a barrier has nothing to do; under `if` and `for` a mask says
which items take part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asmgen.graph import ops as graph
from asmgen.graph.ops import PARAM
from asmgen.index.size import at
from asmgen.ir.program import Module, Op, Region, Statement, Value, argument_name
from asmgen.ir.types import U32, LaneType, TensorType
from asmgen.lanewise import ops
from asmgen.lanewise.atomic_ops import ATOMIC_OPS
from asmgen.lanewise.lane_functions import LANE_FUNCTIONS, numpy_type
from asmgen.lanewise.matrices import multiplied
from asmgen.lanewise.matrix_ops import MATRIX
from asmgen.lanewise.records import (
    Access,
    Atomic,
    Extract,
    LaneScan,
    LaneStep,
    LaunchAttributes,
    Reduction,
    axis_of,
    instruction_of,
    lane_of,
    numbers_of,
    size_of,
)
from asmgen.lanewise.reduction_ops import (
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

Array = NDArray[Any]


def interpret(
    module: Module,
    buffers: Sequence[Array],
    approximation: Approximation = Approximation.NEAREST,
    wave: int = 64,
    table: Table | None = None,
) -> None:
    """Run `module` in waves of `wave` lanes; `buffers` are the memory of its `@param`s in order,
    one-dimensional, written in place; a number or an array without dims for a scalar. `table` has the matrix
    instructions that the module names, if it names any.

    Raises `InternalError` where an active item reads or writes outside a buffer, and for an op that has no
    lane function.
    """
    with np.errstate(all="ignore"):
        _Run(module, buffers, Mode(approximation=approximation, ieee=False), wave, table).run()


def _scalars(module: Module, buffers: Sequence[Array]) -> dict[str, int]:
    """The integers by value among the parameters, which may be sizes of the launch."""
    parameters = [statement for statement in module.statements if statement.op is PARAM]
    return {
        argument_name(statement): int(given)
        for statement, given in zip(parameters, buffers, strict=False)
        if isinstance(statement.result.type, LaneType) and statement.result.type.element is U32
    }


class _Run:
    """One run: the values computed so far, and the mask of the work-items that take part."""

    def __init__(
        self, module: Module, buffers: Sequence[Array], mode: Mode, wave: int, table: Table | None
    ) -> None:
        self._module = module
        self._table = table
        self._wave = wave
        self._mode = mode
        self._values: dict[Value, Array] = {}
        self._parameters = list(buffers)
        launch = module.statements[0]
        if launch.op is not ops.LAUNCH:
            raise InternalError("interpret", module.name, "the module does not start with a launch statement")
        attributes = LaunchAttributes.of(launch)
        self._grid, self._block = at(attributes.grid, _scalars(module, buffers)), attributes.block
        self._group_size = int(np.prod(self._block))
        self._groups = int(np.prod(self._grid))
        self._items = self._groups * self._group_size
        self._mask: Array = np.ones(self._items, bool)

    def run(self) -> None:
        for statement in self._module.statements:
            self._step(statement)

    def _step(self, statement: Statement) -> None:
        function = LANE_FUNCTIONS.get(statement.op)
        if function is not None:
            for value, result in zip(
                statement.results,
                function(self._mode, statement.attributes, self._operands(statement)),
                strict=True,
            ):
                self._define(value, result)
            return
        handler = _HANDLERS.get(statement.op)
        if handler is None:
            raise InternalError(
                "interpret",
                str(statement.place or self._module.name),
                f"no lane function for {statement.op.name}",
            )
        handler(self, statement)

    def _operands(self, statement: Statement) -> tuple[Array, ...]:
        return tuple([self._values[operand] for operand in statement.operands])

    def _define(self, value: Value, array: Array) -> None:
        assert isinstance(value.type, LaneType)
        shape = (self._items,) if value.type.lanes == 1 else (self._items, value.type.lanes)
        self._values[value] = np.broadcast_to(
            np.asarray(array).astype(numpy_type(value.type.element), copy=False), shape
        )

    # Module

    def nothing(self, statement: Statement) -> None:
        """launch, barrier and @return have nothing to do here."""

    def parameter(self, statement: Statement) -> None:
        memory = self._parameters.pop(0)
        if isinstance(statement.result.type, LaneType):
            self._define(statement.result, memory)
            return
        wanted = numpy_type(statement.result.type.element)
        if memory.ndim != 1 or memory.dtype != wanted:
            raise InternalError(
                "interpret",
                statement.result.name,
                f"the buffer is {memory.dtype} of rank {memory.ndim}, wanted {wanted} of rank 1",
            )
        self._values[statement.result] = memory

    def literal(self, statement: Statement) -> None:
        array = np.array(numbers_of(statement), numpy_type(statement.result.type.element))
        if isinstance(statement.result.type, TensorType):
            self._values[statement.result] = array
        else:
            self._define(statement.result, array if statement.result.type.lanes > 1 else array[0])

    def workgroup_id(self, statement: Statement) -> None:
        self._define(
            statement.result, _axis_of(np.arange(self._items) // self._group_size, self._grid, statement)
        )

    def local_id(self, statement: Statement) -> None:
        self._define(
            statement.result, _axis_of(np.arange(self._items) % self._group_size, self._block, statement)
        )

    def workgroup_size(self, statement: Statement) -> None:
        self._define(statement.result, np.array(self._block[axis_of(statement)]))

    def workgroup_count(self, statement: Statement) -> None:
        self._define(statement.result, np.array(self._grid[axis_of(statement)]))

    # Memory

    def load(self, statement: Statement) -> None:
        memory, index = self._access(statement)
        loaded = memory[index]
        assert isinstance(statement.result.type, LaneType)
        self._define(statement.result, loaded if statement.result.type.lanes > 1 else loaded[:, 0])

    def store(self, statement: Statement) -> None:
        memory, index = self._access(statement)
        value = self._values[statement.operands[2]].reshape(self._items, -1)
        memory[index[self._mask]] = value[self._mask]

    def _access(self, statement: Statement) -> tuple[Array, Array]:
        """The memory, and the index of every element that an item touches; 0 for items that take no part."""
        buffer, base = statement.operands[:2]
        memory = self._values[buffer]
        size, offset = Access.of(statement)
        index = (
            self._values[base].astype(np.int64)[:, None]
            + offset // buffer.type.element.bytes
            + np.arange(size)
        )
        limit = memory.shape[-1]  # LDS has one row per workgroup
        outside = ((index < 0) | (index >= limit)).any(axis=1) & self._mask
        if outside.any():
            item = int(np.flatnonzero(outside)[0])
            what = (
                f"{statement.op.name}: item {item} is at {index[item]} of {buffer.name}, which has "
                f"{limit} elements"
            )
            raise InternalError("interpret", str(statement.place or statement.op.name), what)
        index = np.where(self._mask[:, None], index, 0)
        if memory.ndim == 2:
            index = index + (np.arange(self._items) // self._group_size * limit)[:, None]
            memory = memory.reshape(-1)
        return memory, index

    def atomic(self, statement: Statement) -> None:
        """Lane after lane, in the order of their numbers."""
        memory, index = self._access(statement)
        numbers = [self._values[operand] for operand in statement.operands[2:]]
        found = np.zeros(self._items, memory.dtype)
        for item in np.flatnonzero(self._mask):
            at = index[item, 0]
            found[item] = memory[at]
            memory[at] = _changed(statement, memory[at], *[number[item] for number in numbers])
        self._define(statement.result, found)

    def lds_allocate(self, statement: Statement) -> None:
        size = size_of(statement)
        self._values[statement.result] = np.zeros(
            (self._groups, size), numpy_type(statement.result.type.element)
        )

    # Vectors and lanes

    def pack(self, statement: Statement) -> None:
        parts = [self._values[operand].reshape(self._items, -1) for operand in statement.operands]
        self._define(statement.result, np.concatenate(parts, axis=1).reshape(self._shape(statement.result)))

    def extract(self, statement: Statement) -> None:
        index, size = Extract.of(statement)
        vector = self._values[statement.operands[0]].reshape(self._items, -1)
        self._define(statement.result, vector[:, index : index + size].reshape(self._shape(statement.result)))

    def splat(self, statement: Statement) -> None:
        repeated = np.repeat(self._values[statement.operands[0]][:, None], _lanes(statement.result), axis=1)
        self._define(statement.result, repeated.reshape(self._shape(statement.result)))

    def _shape(self, value: Value) -> tuple[int, ...]:
        return (self._items,) if _lanes(value) == 1 else (self._items, _lanes(value))

    def lane_shuffle(self, statement: Statement) -> None:
        """Lanes are counted within the wave, modulo its size, as ds_bpermute does."""
        value, lane = (self._values[operand] for operand in statement.operands)
        self._define(statement.result, value[self._in_wave(lane.astype(np.int64) % self._wave)])

    def dpp_reduce(self, statement: Statement) -> None:
        """Every lane of a group has the result; of a whole wave only the last one's is defined."""
        lanes = Reduction.of(statement).over
        self._define(
            statement.result,
            self._reduced(statement, self._values[statement.operands[0]].reshape(-1, lanes)).repeat(lanes),
        )

    def dpp_scan(self, statement: Statement) -> None:
        scan, combine = LaneScan.of(statement), _REDUCTIONS[Reduction.of(statement).op]
        value = self._values[statement.operands[0]].reshape(-1, scan.lanes)
        turned = value[:, ::-1] if scan.reverse else value
        done = combine.accumulate(turned, axis=1, dtype=value.dtype)
        self._define(statement.result, (done[:, ::-1] if scan.reverse else done).reshape(-1))

    def lane_before(self, statement: Statement) -> None:
        scan = LaneScan.of(statement)
        value, first = (self._values[operand].reshape(-1, scan.lanes) for operand in statement.operands)
        ends = (value[:, 1:], first[:, -1:]) if scan.reverse else (first[:, :1], value[:, :-1])
        self._define(statement.result, np.concatenate(ends, axis=1).reshape(-1))

    def lane_step(self, statement: Statement) -> None:
        """Within a row what is `combined` lanes away, and beyond the last lane of the lanes before."""
        value, otherwise = (self._values[operand] for operand in statement.operands)
        step, lane = LaneStep.of(statement), np.arange(self._items)
        if step.way == "reduce":
            self._define(statement.result, value[lane ^ step.combined])
            return
        one = -1 if step.way == "reverse" else 1
        size = max(2 * step.combined, _ROW)
        place = lane % size if one == 1 else size - 1 - lane % size
        distance = step.combined if step.combined < _ROW else place - step.combined + 1
        found = value[np.clip(lane - one * distance, 0, self._items - 1)]
        self._define(statement.result, np.where(place >= step.combined, found, otherwise))

    def lane_reduce(self, statement: Statement) -> None:
        self._define(
            statement.result,
            self._reduced(statement, self._values[statement.operands[0]].reshape(self._items, -1)),
        )

    def reduce_waves(self, statement: Statement) -> None:
        of_waves = self._values[statement.operands[0]].reshape(self._groups, -1, self._wave)[:, :, -1]
        self._define(statement.result, self._reduced(statement, of_waves).repeat(self._group_size))

    def _reduced(self, statement: Statement, values: Array) -> Array:
        return _REDUCTIONS[Reduction.of(statement).op].reduce(values, axis=1, dtype=values.dtype)

    def matrix(self, statement: Statement) -> None:
        """Every wave takes part or none does, so that no mask matters."""
        assert self._table is not None, "a module with matrix instructions is run by the table that has them"
        a, b, c = self._operands(statement)
        result = multiplied(self._table, instruction_of(statement), a, b, c)
        self._define(statement.result, result.reshape(self._shape(statement.result)))

    def is_lane(self, statement: Statement) -> None:
        self._define(
            statement.result, np.arange(self._items) % self._group_size % self._wave == lane_of(statement)
        )

    def read_first_lane(self, statement: Statement) -> None:
        """The value of the first item of the wave that takes part."""
        items = np.arange(self._items)
        wave = (
            items // self._group_size * (self._group_size + self._wave)
            + items % self._group_size // self._wave
        )
        first: dict[int, int] = {}
        for item in np.flatnonzero(self._mask)[::-1]:
            first[int(wave[item])] = int(item)
        source = np.array([first.get(int(w), int(i)) for i, w in zip(items, wave, strict=True)])
        self._define(statement.result, self._values[statement.operands[0]][source])

    def _in_wave(self, lane: Array) -> Array:
        """The item at `lane` of each item's wave."""
        local = np.arange(self._items) % self._group_size
        return np.minimum(np.arange(self._items) - local % self._wave + lane, self._items - 1)

    # Control flow

    def if_(self, statement: Statement) -> None:
        before = self._mask
        condition = self._values[statement.operands[0]]
        yielded: list[tuple[Array, ...]] = []
        for region, mask in zip(statement.regions, (before & condition, before & ~condition), strict=False):
            self._mask = mask
            yielded.append(self._region(region))
        self._mask = before
        for position, result in enumerate(statement.results):
            self._define(result, self._chosen(condition, yielded[0][position], yielded[1][position]))

    def for_(self, statement: Statement) -> None:
        before = self._mask
        counter, stop, step, *carried = [self._values[operand] for operand in statement.operands]
        (region,) = statement.regions
        index, *parameters = region.parameters
        active: Array = before & (counter < stop)
        while active.any():
            self._mask = active
            self._values[index] = counter
            self._values.update(zip(parameters, carried, strict=True))
            following = self._region(region)
            carried = [self._chosen(active, new, old) for new, old in zip(following, carried, strict=True)]
            counter = self._chosen(active, counter + step, counter)
            active = active & (counter < stop)
        self._mask = before
        for result, value in zip(statement.results, carried, strict=True):
            self._define(result, value)

    def while_(self, statement: Statement) -> None:
        """Each lane leaves the loop at the trip in which its own test fails, with the values of that trip."""
        before = self._mask
        carried = [self._values[operand] for operand in statement.operands]
        test, body = statement.regions
        active: Array = before
        while True:
            self._mask = active
            self._values.update(zip(test.parameters, carried, strict=True))
            (goes_on,) = self._region(test)
            active = active & goes_on
            if not active.any():
                break
            self._mask = active
            self._values.update(zip(body.parameters, carried, strict=True))
            carried = [
                self._chosen(active, new, old) for new, old in zip(self._region(body), carried, strict=True)
            ]
        self._mask = before
        for result, value in zip(statement.results, carried, strict=True):
            self._define(result, value)

    def _region(self, region: Region) -> tuple[Array, ...]:
        for statement in region.statements[:-1]:
            self._step(statement)
        return tuple(self._values[operand] for operand in region.statements[-1].operands)

    @staticmethod
    def _chosen(condition: Array, a: Array, b: Array) -> Array:
        return np.where(condition if a.ndim == 1 else condition[:, None], a, b)


def _changed(statement: Statement, found: Array, *numbers: Array) -> Array:
    """What an atomic operation leaves in memory, by what it finds there."""
    kind = Atomic.of(statement).op
    if not kind:
        expected, new = numbers
        return new if found.tobytes() == expected.tobytes() else found
    return numbers[0] if kind == "exchange" else _ATOMICS[kind](found, numbers[0])


def _axis_of(linear: Array, sizes: tuple[int, ...], statement: Statement) -> Array:
    """One coordinate of ids that count x first."""
    axis = axis_of(statement)
    return (linear // int(np.prod(sizes[:axis]))) % sizes[axis]


def _lanes(value: Value) -> int:
    assert isinstance(value.type, LaneType)
    return value.type.lanes


_ROW = 16  # lanes within which steps of a scan shift
_HANDLERS: dict[Op, Callable[[_Run, Statement], None]] = {
    ops.LAUNCH: _Run.nothing, ops.BARRIER: _Run.nothing, graph.RETURN: _Run.nothing,
    graph.PARAM: _Run.parameter, graph.LITERAL: _Run.literal,
    ops.WORKGROUP_ID: _Run.workgroup_id, ops.LOCAL_ID: _Run.local_id,
    ops.WORKGROUP_SIZE: _Run.workgroup_size, ops.WORKGROUP_COUNT: _Run.workgroup_count,
    ops.LOAD: _Run.load, ops.VECTOR_LOAD: _Run.load, ops.LDS_LOAD: _Run.load,
    ops.STORE: _Run.store, ops.VECTOR_STORE: _Run.store, ops.LDS_STORE: _Run.store,
    ops.LDS_ALLOCATE: _Run.lds_allocate,
    **dict.fromkeys(ATOMIC_OPS, _Run.atomic),
    ops.PACK: _Run.pack, ops.EXTRACT: _Run.extract, ops.SPLAT: _Run.splat,
    ops.LANE_SHUFFLE: _Run.lane_shuffle,
    ops.READ_FIRST_LANE: _Run.read_first_lane, ops.IF: _Run.if_, ops.FOR: _Run.for_, ops.WHILE: _Run.while_,
    DPP_SCAN: _Run.dpp_scan, LANE_BEFORE: _Run.lane_before, LANE_STEP: _Run.lane_step,
    LANE_REDUCE: _Run.lane_reduce, DPP_REDUCE: _Run.dpp_reduce, REDUCE_WAVES: _Run.reduce_waves,
    IS_LANE: _Run.is_lane, MATRIX: _Run.matrix,
}  # fmt: skip
_ATOMICS: dict[str, np.ufunc] = {
    "add": np.add, "min": np.fmin, "max": np.fmax, "and": np.bitwise_and, "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}  # fmt: skip
_REDUCTIONS: dict[str, np.ufunc] = {
    "sum": np.add,
    "mean": np.add,
    "prod": np.multiply,
    "max": np.fmax,
    "min": np.fmin,
}
