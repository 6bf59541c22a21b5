"""Verifies a large program on rows that repeat.

The rows of softmax, the elements of an addition and the columns of a column sum do not depend on each other:
the program computes the same along such a dim, element by element. Its inputs are then a period of rows,
repeated. The float64 reference is computed for one period, and every other period of the results must equal
it. The length of a period is prime, so that a row that is read from or stored to a wrong place, at a distance
of a power of two or of a tile, has the wrong numbers.

An axis is followed through the graph by the effect of each op on it. Axes that an op relates to each other
are a class. A class is independent if no op combines, moves or counts elements along it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec.structs import replace

from asmgen.graph import ops
from asmgen.graph.builder import GraphBuilder
from asmgen.graph.infer.checks import normal_axes
from asmgen.graph.infer.reduce import along_axis, arg_reduce
from asmgen.graph.ops import LITERAL, PARAM, RETURN
from asmgen.ir.arrays import Array
from asmgen.ir.program import Attribute, Module, Op, Program, Statement, Value, tensor_type
from asmgen.ir.types import row_major, tensor
from asmgen.verification.inputs import shares_memory
from isa.named_tuple import NamedTuple

_PERIODS = (16381, 4093, 1021, 509, 251, 127, 61)
_ELEMENTS, _MOST_ELEMENTS = 1 << 16, 1 << 18  # of a long block, and of the shortest
_MOST_CHOSEN = 1 << 22  # elements of a period of rows of which only the largest or the least elements show

Axis = tuple[Value, int]

_REDUCTIONS = frozenset(
    {
        ops.REDUCE_SUM, ops.REDUCE_MEAN, ops.REDUCE_MAX, ops.REDUCE_MIN, ops.REDUCE_PROD, ops.REDUCE_ANY,
        ops.REDUCE_ALL,
    }
)  # fmt: skip
_CHOOSES = frozenset({ops.REDUCE_MAX, ops.REDUCE_MIN, ops.REDUCE_ANY, ops.REDUCE_ALL, ops.ARGMAX, ops.ARGMIN})
_ALONG_AXIS = frozenset(op for op in ops.GRAPH_OPS.values() if op.infer in (along_axis, arg_reduce))


class Repeated(NamedTuple):
    """A program with inputs that repeat along a dim of `size`. A period is `blocks` times `block` rows, and
    `graph` is the program for a block. `parameters` and `results` name the axis of each that is the dim. A
    parameter without such an axis is used by every row."""

    graph: Program
    size: int
    block: int
    parameters: tuple[int | None, ...]
    results: tuple[int, ...]
    blocks: int = 1

    @property
    def is_of_elements(self) -> bool:
        """Whether a row is a single element."""
        statements = self.graph.modules[0].statements
        return self.gives_elements and all(
            tensor_type(statement.result).size <= self.block
            for statement in statements
            if statement.op is PARAM
        )

    @property
    def gives_elements(self) -> bool:
        """Whether a row has a single element of each result."""
        results = self.graph.modules[0].statements[-1].operands
        return all(tensor_type(value).size == self.block for value in results)

    def whole(self, arrays: Sequence[Array]) -> list[Array]:
        """The arrays of a period, repeated up to the size."""
        places = np.arange(self.size)
        return [
            array if axis is None else array.take(places % array.shape[axis], axis)
            for array, axis in zip(arrays, self.parameters, strict=True)
        ]


def repeated(graph: Program) -> Repeated | None:
    """The program on repeated rows, along its largest independent dim; None if no such dim is large."""
    types = [tensor_type(s.result) for module in graph.modules for s in module.statements if s.op is PARAM]
    if len(graph.modules) != 1 or any(map(shares_memory, types)):
        return None
    (module,) = graph.modules
    classes = _Classes(module)
    for axes in sorted(classes.independent(), key=lambda axes: -_size(axes[0])):
        program = _along(graph, module, set(axes), _size(axes[0]))
        if program is not None:
            return program
    return None


def only_adds(graph: Program) -> bool:
    """Whether the ops that combine elements of a program add them."""
    combining = {
        statement.op
        for module in graph.modules
        for statement in module.statements
        if not _is_of_single_elements(statement.op)
    }
    return combining <= {ops.REDUCE_SUM, ops.REDUCE_MEAN, ops.CUMSUM, ops.DOT}


def moves_alone(graph: Program) -> bool:
    """Whether a program computes each element of its results from single elements of its parameters."""
    return all(
        _is_of_single_elements(statement.op) for module in graph.modules for statement in module.statements
    )


def _is_of_single_elements(op: Op) -> bool:
    forms = (PARAM, LITERAL, RETURN, ops.CONTIGUOUS, ops.BROADCAST, ops.MULTIBROADCAST)
    return op.pointwise or op.moves_elements or op in forms


def _size(axis: Axis) -> int:
    value, place = axis
    return tensor_type(value).shape[place]


def _along(graph: Program, module: Module, axes: set[Axis], size: int) -> Repeated | None:
    parameters = [statement.result for statement in module.statements if statement.op is PARAM]
    of_parameters = [_axes_of(value, axes) for value in parameters]
    of_results = [_axes_of(value, axes) for value in module.statements[-1].operands]
    if any(len(places_of_axes) > 1 for places_of_axes in of_parameters) or any(
        len(places_of_axes) != 1 for places_of_axes in of_results
    ):
        return None
    values = [value for statement in module.statements for value in (*statement.results, *statement.operands)]
    largest = max(tensor_type(value).size for value in values)
    period = next((p for p in _PERIODS if _fits(p, size, largest // size)), 0)
    if not period:
        return None
    short = replace(graph, modules=(_shortened(module, axes, period),))
    places = tuple([places_of_axes[0] if places_of_axes else None for places_of_axes in of_parameters])
    blocks = 1
    if any(statement.op in _CHOOSES for statement in module.statements):
        blocks = _blocks(parameters, places, size // period, _MOST_CHOSEN // (period * (largest // size)))
    return Repeated(
        short, size, period, places, tuple([places_of_axes for (places_of_axes,) in of_results]), blocks
    )


def _blocks(parameters: Sequence[Value], axes: Sequence[int | None], whole: int, affordable: int) -> int:
    """The number of blocks in a period, so that the largest element is at each place of a row once."""
    dims = [tensor_type(value).shape for value in parameters]
    rows = [
        shape[-1]
        for shape, axis in zip(dims, axes, strict=True)
        if axis is not None and axis < len(shape) - 1
    ]
    return max(1, min(2 + 2 * max(rows, default=0) // _PERIODS[-1], whole, affordable))


def _fits(period: int, size: int, others: int) -> bool:
    most = _MOST_ELEMENTS if period == _PERIODS[-1] else _ELEMENTS
    return 2 * period <= size and period * others <= most


def _axes_of(value: Value, axes: set[Axis]) -> list[int]:
    return [place for place in range(tensor_type(value).rank) if (value, place) in axes]


class _Classes:
    """The axes of a module's values, in classes of axes that an op relates to each other."""

    def __init__(self, module: Module) -> None:
        self._parent: dict[Axis, Axis] = {}
        self._bound: set[Axis] = set()
        for statement in module.statements:
            self._add(statement)

    def independent(self) -> Iterator[list[Axis]]:
        """The classes along which elements do not depend on each other, of axes with the same size above
        1."""
        bound = {self._root(axis) for axis in self._bound}
        members: dict[Axis, list[Axis]] = {}
        for axis in self._parent:
            members.setdefault(self._root(axis), []).append(axis)
        for root, axes in members.items():
            if root not in bound and {_size(axis) for axis in axes} == {_size(root)} and _size(root) > 1:
                yield axes

    def _root(self, axis: Axis) -> Axis:
        while self._parent.setdefault(axis, axis) != axis:
            axis = self._parent[axis]
        return axis

    def _link(self, first: Axis, second: Axis) -> None:
        self._parent[self._root(first)] = self._root(second)

    def _bind(self, value: Value) -> None:
        self._bound |= {(value, axis) for axis in range(tensor_type(value).rank)}

    def _add(self, statement: Statement) -> None:
        op = statement.op
        for value in statement.results:
            for axis in range(tensor_type(value).rank):
                _ = self._root((value, axis))
        if op is LITERAL:
            large = [axis for axis, dim in enumerate(tensor_type(statement.result).shape) if dim > 1]
            self._bound |= {(statement.result, axis) for axis in large}
        elif op is not RETURN and op is not PARAM:
            self._relate(statement, op)

    def _relate(self, statement: Statement, op: Op) -> None:
        result = statement.result
        rank = tensor_type(result).rank
        if op.pointwise or op is ops.CONTIGUOUS or op is ops.MULTIBROADCAST:
            self._align(statement)
        elif op in _REDUCTIONS or op in _ALONG_AXIS:
            self._align(statement)
            name = "axes" if op in _REDUCTIONS else "axis"
            along = normal_axes(op, statement.attributes, name, rank, statement.place)
            for axis in along or range(rank):
                self._bound |= {(result, axis), (statement.operands[0], axis)}
        elif op is ops.TRANSPOSE:
            places = normal_axes(op, statement.attributes, "permutation", rank, statement.place)
            for axis, place in enumerate(places):
                self._link((result, axis), (statement.operands[0], place))
        else:
            for value in (*statement.operands, *statement.results):
                self._bind(value)

    def _align(self, statement: Statement) -> None:
        """Relate the axes with the same size of the operands and of the result, counted from the last
        axis."""
        dims = tensor_type(statement.result).dims
        for operand in statement.operands:
            theirs = tensor_type(operand).shape
            for back in range(1, len(theirs) + 1):
                if theirs[-back] == dims[-back]:
                    self._link((operand, len(theirs) - back), (statement.result, len(dims) - back))


def _shortened(module: Module, axes: set[Axis], period: int) -> Module:
    """The module with `period` in place of the sizes of the axes."""
    builder = GraphBuilder([value.name for statement in module.statements for value in statement.results])
    new: dict[Value, Value] = {}
    for statement in module.statements[:-1]:
        operands = tuple([new[operand] for operand in statement.operands])
        result = statement.result
        if statement.op is PARAM:
            type_ = tensor_type(result)
            dims = _with_period(type_.shape, result, axes, period)
            argument = str(statement.attributes["name"])
            made = builder.param(
                result.name, argument, tensor(type_.element, dims, row_major(dims)), statement.place
            )
        elif statement.op is LITERAL:
            made = builder.literal(
                result.name, _numbers(statement.attributes["values"]), result.type, statement.place
            )
        else:
            attributes = dict(statement.attributes)
            if statement.op is ops.MULTIBROADCAST:
                attributes["out_lens"] = _with_period(tensor_type(result).shape, result, axes, period)
            made = builder.apply(statement.op, operands, attributes, result.name, statement.place)
        new[result] = made
    last = module.statements[-1]
    return builder.finish(module.name, tuple([new[operand] for operand in last.operands]), last.place)


def _with_period(dims: Sequence[int], value: Value, axes: set[Axis], period: int) -> tuple[int, ...]:
    return tuple([period if (value, axis) in axes else dim for axis, dim in enumerate(dims)])


def _numbers(values: Attribute) -> tuple[int | float, ...]:
    assert isinstance(values, tuple), "a literal has a list of numbers"
    return tuple([number for number in values if isinstance(number, int | float)])
