"""Which element of an operand an element of a result is made of: index expressions of the ops that move
elements.

    transpose[permutation={1,0}](x)   the element {i, j} of the result is {j, i} of x
    reshape[dims={6,4}](x: {2,12})    {i, j} is {(4*i + j) floordiv 12, (4*i + j) mod 12}

A pointwise op has the result's own indices. Of `pad` some elements are none of the operand's: `where` says
which are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from asmgen.blockwise.actions import Below
from asmgen.graph import ops
from asmgen.index import Index, constant
from asmgen.ir.program import Module, Op, Statement, Value
from asmgen.ir.types import TensorType, row_major
from isa.diagnostics import InternalError

Indices = tuple[Index, ...]
Conditions = tuple[Below, ...]
ZERO = constant(0)


class Element(NamedTuple):
    """An element of an operand, and where there is one."""

    indices: Indices
    where: Conditions = ()


Map = Callable[[Statement, TensorType, Indices], Element]


def tensor_of(value: Value) -> TensorType:
    """The type of a value of the graph."""
    if not isinstance(value.type, TensorType):
        raise InternalError("schedules", value.name, "is no tensor")
    return value.type


def definitions(module: Module) -> dict[Value, Statement]:
    return {result: statement for statement in module.statements for result in statement.results}


def numbers(statement: Statement, name: str) -> tuple[int, ...]:
    """A list of integers among a statement's attributes."""
    value = statement.attributes[name]
    found = value if isinstance(value, tuple) else (value,)
    return tuple([number for number in found if isinstance(number, int)])


def _axes(statement: Statement, rank: int, name: str = "axes") -> tuple[int, ...]:
    return tuple([axis % rank for axis in numbers(statement, name)])


def _same(_statement: Statement, _operand: TensorType, at: Indices) -> Element:
    return Element(at)


def _aligned_right(_statement: Statement, operand: TensorType, at: Indices) -> Element:
    tail = at[len(at) - operand.rank :]
    return Element(
        tuple([ZERO if dim == 1 else index for dim, index in zip(operand.dims, tail, strict=True)])
    )


def _from_axis(statement: Statement, operand: TensorType, at: Indices) -> Element:
    (axis,) = numbers(statement, "axis")
    first = axis % len(at) if at else 0
    return Element(at[first : first + operand.rank])


def _transposed(statement: Statement, operand: TensorType, at: Indices) -> Element:
    found = dict(zip(_axes(statement, operand.rank, "permutation"), at, strict=True))
    return Element(tuple([found[axis] for axis in range(operand.rank)]))


def _reshaped(statement: Statement, operand: TensorType, at: Indices) -> Element:
    return Element(unflattened(flattened(at, tensor_of(statement.result).dims), operand.dims))


def _sliced(statement: Statement, operand: TensorType, at: Indices) -> Element:
    starts = dict(zip(_axes(statement, operand.rank), numbers(statement, "starts"), strict=True))
    first = [range(dim)[starts.get(axis, 0) :].start for axis, dim in enumerate(operand.dims)]
    return Element(tuple([index + start for index, start in zip(at, first, strict=True)]))


def _stepped(statement: Statement, operand: TensorType, at: Indices) -> Element:
    steps = dict(zip(_axes(statement, operand.rank), numbers(statement, "steps"), strict=True))
    return Element(tuple([index * steps.get(axis, 1) for axis, index in enumerate(at)]))


def _reversed(statement: Statement, operand: TensorType, at: Indices) -> Element:
    axes = _axes(statement, operand.rank)
    return Element(
        tuple([operand.dims[axis] - 1 - index if axis in axes else index for axis, index in enumerate(at)])
    )


def _squeezed(statement: Statement, operand: TensorType, at: Indices) -> Element:
    gone, left = _axes(statement, operand.rank), iter(at)
    return Element(tuple([ZERO if axis in gone else next(left) for axis in range(operand.rank)]))


def _unsqueezed(statement: Statement, _operand: TensorType, at: Indices) -> Element:
    new = _axes(statement, len(at))
    return Element(tuple([index for axis, index in enumerate(at) if axis not in new]))


def _padded(statement: Statement, operand: TensorType, at: Indices) -> Element:
    """Of a constant border; the indices of what is no element of the operand are outside it."""
    if statement.attributes["mode"] != "constant":
        raise InternalError(
            "schedules",
            str(statement.place),
            f"no index map for pad with mode={statement.attributes['mode']}",
        )
    pads = numbers(statement, "pads")
    moved = tuple([index - before for index, before in zip(at, pads, strict=False)])
    where: list[Below] = []
    for index, before, after, dim in zip(moved, pads, pads[operand.rank :], operand.dims, strict=False):
        where += [Below(constant(-1), index)] if before else []
        where += [Below(index, constant(dim))] if after else []
    return Element(moved, tuple(where))


MAPS: Mapping[Op, Map] = {
    ops.MULTIBROADCAST: _aligned_right,
    ops.BROADCAST: _from_axis,
    ops.CONTIGUOUS: _same,
    ops.IDENTITY: _same,
    ops.TRANSPOSE: _transposed,
    ops.RESHAPE: _reshaped,
    ops.SLICE: _sliced,
    ops.STEP: _stepped,
    ops.REVERSE: _reversed,
    ops.SQUEEZE: _squeezed,
    ops.UNSQUEEZE: _unsqueezed,
    ops.PAD: _padded,
}


def moves(statement: Statement) -> bool:
    """Whether the statement computes nothing: its result has elements of its operand."""
    return statement.op in MAPS


def is_walked(statement: Statement) -> bool:
    """Whether an element of the result is made of one element of each operand; of a reduction it is not."""
    return statement.op.pointwise or moves(statement)


def operand_element(statement: Statement, operand: Value, at: Indices) -> Element:
    """The element of `operand` from which the element `at` of the statement's result is made."""
    found = MAPS.get(statement.op, _same if statement.op.pointwise else None)
    if found is None:
        raise InternalError(
            "schedules", f"{statement.op.name} at {statement.place}", "the op has no index map"
        )
    type_ = tensor_of(operand)
    element = found(statement, type_, at)
    if 1 not in type_.dims:
        return element
    settled = [
        ZERO if dim == 1 and not element.where else index
        for dim, index in zip(type_.dims, element.indices, strict=True)
    ]
    return Element(tuple(settled), element.where)


def flattened(at: Iterable[Index], dims: tuple[int, ...]) -> Index:
    """The row-major number of an element."""
    return total(at, row_major(dims))


def total(at: Iterable[Index], strides: tuple[int, ...]) -> Index:
    """The sum of the indices, each times its stride."""
    number = ZERO
    for index, stride in zip(at, strides, strict=True):
        number = number + index * stride
    return number


def unflattened(number: Index, dims: tuple[int, ...]) -> Indices:
    """The element that has a row-major number. Each index is of what the inner ones leave, so that `total` of
    them is the number again.
    """
    found: list[Index] = []
    for axis in reversed(range(len(dims))):
        dim, is_first = dims[axis], all(one == 1 for one in dims[:axis])
        found.append(ZERO if dim == 1 else number if is_first else number % dim)
        number = number // dim
    return tuple(reversed(found))


class Leaf(NamedTuple):
    """A buffer, or a literal, and which of its elements is read."""

    value: Value
    indices: Indices


def leaves(defined: Mapping[Value, Statement], root: Value, at: Indices) -> Iterator[Leaf]:
    """What an element of `root` is made of, up to results of reductions, which are leaves too; each once."""
    seen: set[Leaf] = set()
    stack = [Leaf(root, at)]
    while stack:
        leaf = stack.pop()
        if leaf in seen:
            continue
        seen.add(leaf)
        statement = defined[leaf.value]
        if not statement.operands or not is_walked(statement):
            yield leaf
            continue
        stack += [
            Leaf(one, operand_element(statement, one, leaf.indices).indices)
            for one in reversed(statement.operands)
        ]
