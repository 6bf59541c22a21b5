"""The vector ops of the interpreter, and reshaped memrefs. A vector is a flat list."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from asmgen.mlir.interpret.exchange import combine
from asmgen.mlir.interpret.places import Number, Place, element_number, from_memory, to_memory
from asmgen.mlir.interpret.run import Thread
from asmgen.mlir.source import DYNAMIC, Operation, Ssa
from asmgen.mlir.types import VectorType


def _dims(ssa: Ssa) -> tuple[int, ...]:
    assert isinstance(ssa.type, VectorType)
    return ssa.type.dims


def load(thread: Thread, operation: Operation) -> Sequence[Number]:
    place, *indices = thread.operands(operation)
    return (_read(place, indices, operation),)


def _read(place: Place, indices: Sequence[int], operation: Operation) -> list[Number]:
    type_ = operation.result.type
    assert isinstance(type_, VectorType)
    number = element_number(place, indices, operation, type_.elements)
    return [from_memory(element, type_.element) for element in place.memory[number : number + type_.elements]]


def store(thread: Thread, operation: Operation) -> Sequence[Number]:
    value, place, *indices = thread.operands(operation)
    _write(place, indices, value, operation)
    return ()


def _write(place: Place, indices: Sequence[int], value: Sequence[Number], operation: Operation) -> None:
    number = element_number(place, indices, operation, len(value))
    place.memory[number : number + len(value)] = [to_memory(part, place.memory.dtype) for part in value]


def transfer_read(thread: Thread, operation: Operation) -> Sequence[Number]:
    groups = [[thread.value(operand) for operand in group] for group in operation.segments()]
    return (_read(groups[0][0], groups[1], operation),)


def transfer_write(thread: Thread, operation: Operation) -> Sequence[Number]:
    groups = [[thread.value(operand) for operand in group] for group in operation.segments()]
    _write(groups[1][0], groups[2], groups[0][0], operation)
    return ()


def broadcast(thread: Thread, operation: Operation) -> Sequence[Number]:
    (value,) = thread.operands(operation)
    dims = _dims(operation.result)
    if not isinstance(operation.operands[0].type, VectorType):
        return ([value] * prod(dims),)
    own = _dims(operation.operands[0])
    own = (*(1,) * (len(dims) - len(own)), *own)
    places = [[0 if d == 1 else i for i, d in zip(at, own, strict=True)] for at in _places(dims)]
    return ([value[_flat(at, own)] for at in places],)


def _places(dims: Sequence[int]) -> list[tuple[int, ...]]:
    return list(product(*[range(dim) for dim in dims]))


def _flat(place: Sequence[int], dims: Sequence[int]) -> int:
    number = 0
    for coordinate, dim in zip(place, dims, strict=True):
        number = number * dim + coordinate
    return number


def _position(
    thread: Thread, operation: Operation, dynamic: Sequence[Ssa], dims: Sequence[int]
) -> tuple[int, int]:
    given = iter(dynamic)
    static = operation.integers("static_position")
    numbers = [thread.value(next(given)) if number == DYNAMIC else number for number in static]
    count = prod(dims[len(static) :])
    return _flat(numbers, dims[: len(numbers)]) * count, count


def extract(thread: Thread, operation: Operation) -> Sequence[Number]:
    value = thread.value(operation.operands[0])
    first, count = _position(thread, operation, operation.operands[1:], _dims(operation.operands[0]))
    whole = value[first : first + count]
    return (whole if isinstance(operation.result.type, VectorType) else whole[0],)


def insert(thread: Thread, operation: Operation) -> Sequence[Number]:
    given, value = (thread.value(operand) for operand in operation.operands[:2])
    first, count = _position(thread, operation, operation.operands[2:], _dims(operation.operands[1]))
    parts = given if isinstance(operation.operands[0].type, VectorType) else [given]
    return ([*value[:first], *parts, *value[first + count :]],)


def shuffle(thread: Thread, operation: Operation) -> Sequence[Number]:
    a, b = thread.operands(operation)
    row = prod(_dims(operation.operands[0])[1:])
    both = [*a, *b]
    return ([both[number * row + i] for number in operation.integers("mask") for i in range(row)],)


def reduction(thread: Thread, operation: Operation) -> Sequence[Number]:
    values = thread.operands(operation)
    name = operation.text("kind")
    total, *rest = [*values[1:], *values[0]]
    for part in rest:
        total = combine(name, total, part, operation.result.type)
    return (total,)


def from_elements(thread: Thread, operation: Operation) -> Sequence[Number]:
    return (thread.operands(operation),)


def to_elements(thread: Thread, operation: Operation) -> Sequence[Number]:
    return thread.value(operation.operands[0])


# Reshaped memrefs


def collapse(thread: Thread, operation: Operation) -> Sequence[Number]:
    place: Place = thread.value(operation.operands[0])
    groups = _groups(operation)
    sizes = tuple([prod([place.sizes[dim] for dim in group]) for group in groups])
    return (place._replace(sizes=sizes, strides=tuple([place.strides[group[-1]] for group in groups])),)


def expand(thread: Thread, operation: Operation) -> Sequence[Number]:
    place: Place = thread.value(operation.operands[0])
    given = iter(operation.operands[1:])
    shape = operation.integers("static_output_shape")
    sizes = [thread.value(next(given)) if size == DYNAMIC else size for size in shape]
    strides = [0] * len(sizes)
    for source, group in enumerate(_groups(operation)):
        stride = place.strides[source]
        for number in reversed(group):
            strides[number] = stride
            stride *= sizes[number]
    return (place._replace(sizes=tuple(sizes), strides=tuple(strides)),)


def _groups(operation: Operation) -> list[list[int]]:
    groups = operation.attributes["reassociation"]
    assert isinstance(groups, tuple)
    return [[dim for dim in group if isinstance(dim, int)] for group in groups if isinstance(group, tuple)]
