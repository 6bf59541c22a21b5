"""The state of a run of a lanewise module: the values computed so far, and the mask of active work-items."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asmgen.graph.ops import PARAM
from asmgen.index import Index, Symbol
from asmgen.index.size import at, numbers
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.program import Module, Op, Statement, Value, argument_name
from asmgen.ir.types import U32, LaneType
from asmgen.lanewise import ops
from asmgen.lanewise.interpret.functions import LANE_FUNCTIONS
from asmgen.lanewise.records import LaunchAttributes, workgroup_symbol
from isa.diagnostics import InternalError
from isa.semantics.mode import Mode
from isa.table import Table

Array = NDArray[Any]


def _scalars(module: Module, buffers: Sequence[Array]) -> dict[str, int]:
    """The integers by value among the parameters, which may be sizes of the launch."""
    parameters = [statement for statement in module.statements if statement.op is PARAM]
    return {
        argument_name(statement): int(given)
        for statement, given in zip(parameters, buffers, strict=False)
        if isinstance(statement.result.type, LaneType) and statement.result.type.element is U32
    }


class Run:
    """The state that statements work on. `handlers` run the ops that are not functions of their operands lane
    by lane.

    `items` are the work-items of all workgroups, or of a single `group`, `mask` marks the active items.
    `values` has an array over the items for each value, with a last axis over the lanes of a vector, and the
    memory of each buffer.
    """

    def __init__(
        self,
        module: Module,
        buffers: Sequence[Array],
        mode: Mode,
        wave: int,
        table: Table | None,
        handlers: Mapping[Op, Callable[[Run, Statement], None]],
        group: int | None = None,
    ) -> None:
        self._module = module
        self._mode = mode
        self._handlers = handlers
        self.table = table
        self.wave = wave
        self.values: dict[Value, Array] = {}
        self.parameters = list(buffers)
        launch = module.statements[0]
        if launch.op is not ops.LAUNCH:
            raise InternalError("interpret", module.name, "the module does not start with a launch statement")
        attributes = LaunchAttributes.of(launch)
        self.grid = numbers(at(attributes.grid, _scalars(module, buffers)))
        self.block = attributes.block
        self.group_size = int(np.prod(self.block))
        self.groups = int(np.prod(self.grid)) if group is None else 1
        self.items = self.groups * self.group_size
        self.group: Array = np.arange(self.items) // self.group_size + (group or 0)  # of each item
        self.mask: Array = np.ones(self.items, bool)
        self.slots: dict[Value, tuple[int, int]] = {}  # of LDS, how many and their elements
        self.trips: dict[str, Array] = {}
        self.zero: Array = np.zeros(self.items, np.int64)
        self._by_value = _scalars(module, buffers)

    def run(self) -> None:
        for statement in self._module.statements:
            self.step(statement)

    def step(self, statement: Statement) -> None:
        """Run a statement; `InternalError` if it has no lane function and no handler."""
        function = LANE_FUNCTIONS.get(statement.op)
        if function is not None:
            for value, result in zip(
                statement.results,
                function(self._mode, statement.attributes, self.operands(statement)),
                strict=True,
            ):
                self.define(value, result)
            return
        handler = self._handlers.get(statement.op)
        if handler is None:
            raise InternalError(
                "interpret",
                str(statement.place or self._module.name),
                f"no lane function for {statement.op.name}",
            )
        handler(self, statement)

    def numbers(self, index: Index) -> dict[Symbol, Array]:
        """The symbols of an index that an access states: trips, ids of workgroups and numbers by value."""
        found: dict[Symbol, Array] = {}
        for symbol in index.symbols:
            if symbol.name in self.trips:
                found[symbol] = self.trips[symbol.name]
            elif symbol.name in self._by_value:
                found[symbol] = self.zero + self._by_value[symbol.name]
            else:
                (axis,) = (axis for axis in range(3) if workgroup_symbol(axis).text == symbol.name)
                found[symbol] = self.group // int(np.prod(self.grid[:axis])) % self.grid[axis]
        return found

    def operands(self, statement: Statement) -> tuple[Array, ...]:
        return tuple([self.values[operand] for operand in statement.operands])

    def define(self, value: Value, array: Array) -> None:
        """Give a value its array, broadcast over the items and converted to its type."""
        assert isinstance(value.type, LaneType)
        self.values[value] = np.broadcast_to(
            np.asarray(array).astype(numpy_dtype(value.type.element), copy=False), self.shape(value)
        )

    def shape(self, value: Value) -> tuple[int, ...]:
        return (self.items,) if lanes_of(value) == 1 else (self.items, lanes_of(value))


def lanes_of(value: Value) -> int:
    """The lanes of a vector; 1 of any other value."""
    assert isinstance(value.type, LaneType)
    return value.type.lanes
