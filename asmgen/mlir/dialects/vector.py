"""`vector`: vectors of up to 16 elements, row-major in each lane."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from asmgen.ir.program import Value
from asmgen.lanewise.builder import LaneBuilder
from asmgen.mlir.dialects.math import of_floats
from asmgen.mlir.lowering.arithmetic import relations
from asmgen.mlir.lowering.arithmetic.combine import combiner
from asmgen.mlir.lowering.arithmetic.lanes import lanes_of, packed, parts_of
from asmgen.mlir.lowering.context import Lowering, rows
from asmgen.mlir.lowering.memory.buffers import chosen_part, load_from, store_to
from asmgen.mlir.lowering.values import Index, Lowered
from asmgen.mlir.source import AffineMap, Dim, Operation, Ssa
from asmgen.mlir.types import VectorType


def _type(ssa: Ssa) -> VectorType:
    assert isinstance(ssa.type, VectorType), ssa.type
    return ssa.type


def load(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    buffer, *indices = operation.operands
    view = lower.view(buffer)
    return (
        load_from(lower, view, [lower.index(index) for index in indices], operation.result.type, operation),
    )


def store(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    value, buffer, *indices = operation.operands
    store_to(
        lower, lower.view(buffer), [lower.index(index) for index in indices], lower.value(value), operation
    )
    return ()


def broadcast(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """A number or a vector, repeated along new leading dims and along dims of size 1."""
    value, type_ = lower.lane(operation.operands[0]), _type(operation.result)
    _ = lower.lane_type(type_, operation)
    if lanes_of(value).lanes == 1:
        return (lower.builder.splat(value, type_.elements) if type_.elements > 1 else value,)
    own = _type(operation.operands[0]).dims
    own = (*(1,) * (len(type_.dims) - len(own)), *own)
    parts = parts_of(lower.builder, value)
    chosen: list[Value] = []
    for number in range(type_.elements):
        place = 0
        for dim, size in zip(own, _coordinates(number, type_.dims), strict=True):
            place = place * dim + (0 if dim == 1 else size)
        chosen.append(parts[place])
    return (packed(lower.builder, chosen),)


def _coordinates(number: int, dims: Sequence[int]) -> list[int]:
    coordinates: list[int] = []
    for dim in reversed(dims):
        coordinates.append(number % dim)
        number //= dim
    return coordinates[::-1]


def extract(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """An element, or the vector of the remaining dims."""
    value, dims = lower.lane(operation.operands[0]), _type(operation.operands[0]).dims
    first, count = _position(lower, operation, dims, operation.operands[1:])
    if isinstance(first, int):
        return (lower.builder.extract(value, first, count) if lanes_of(value).lanes > 1 else value,)
    return (chosen_part(lower, parts_of(lower.builder, value), first),)


def insert(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    given, vector = (lower.lane(operand) for operand in operation.operands[:2])
    dims = _type(operation.operands[1]).dims
    first, count = _position(lower, operation, dims, operation.operands[2:])
    parts = parts_of(lower.builder, vector)
    if isinstance(first, int):
        parts[first : first + count] = parts_of(lower.builder, given)
        return (packed(lower.builder, parts),)
    made = [
        lower.builder.where(
            relations.compare(lower.indices, "eq", first, lower.indices.constant(i)), given, part
        )
        for i, part in enumerate(parts)
    ]
    return (packed(lower.builder, made),)


def _position(
    lower: Lowering, operation: Operation, dims: Sequence[int], dynamic: Sequence[Ssa]
) -> tuple[int | Index, int]:
    """The number of the first element (an index if an operand gives it), and the count of elements."""
    static = operation.integers("static_position")
    numbers = lower.indices_of(static, dynamic)
    count = prod(dims[len(static) :])
    place = lower.indices.constant(0)
    for number, dim in zip(numbers, dims, strict=False):
        place = lower.indices.add(lower.indices.mul(place, lower.indices.constant(dim)), number)
    if place.is_constant:
        return place.low * count, count
    if count > 1:
        raise lower.refused(operation, "MLIR060", "a part of a vector at an operand", "a constant position")
    return place, count


def shuffle(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """Rows of both vectors by their numbers."""
    a, b = (lower.lane(operand) for operand in operation.operands)
    dims = _type(operation.operands[0]).dims
    row = prod(dims[1:])
    parts = [*parts_of(lower.builder, a), *parts_of(lower.builder, b)]
    numbers = operation.integers("mask")
    return (packed(lower.builder, [parts[number * row + i] for number in numbers for i in range(row)]),)


def from_elements(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    _ = lower.lane_type(operation.result.type, operation)
    return (packed(lower.builder, [lower.lane(operand) for operand in operation.operands]),)


def to_elements(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    return parts_of(lower.builder, lower.lane(operation.operands[0]))


def shape_cast(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """The same elements in the same order."""
    return (lower.lane(operation.operands[0]),)


def reduction(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """Combine the elements in order, after the accumulator."""
    name = operation.text("kind")
    combine = combiner(lower.builder, name)
    if combine is None:
        raise lower.refused(operation, "MLIR051", f"the operation {name}", "add, mul, min, max, and, or, xor")
    parts = parts_of(lower.builder, lower.lane(operation.operands[0]))
    if len(operation.operands) > 1:
        parts.insert(0, lower.lane(operation.operands[1]))
    total = parts[0]
    for part in parts[1:]:
        total = combine(total, part)
    return (total,)


def transfer_read(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """Contiguous elements, all in bounds."""
    groups = operation.segments()
    _check_contiguous(lower, operation, operation.result)
    view = lower.view(groups[0][0])
    numbers = [lower.index(group) for group in groups[1]]
    return (load_from(lower, view, numbers, operation.result.type, operation),)


def transfer_write(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    groups = operation.segments()
    _check_contiguous(lower, operation, groups[0][0])
    numbers = [lower.index(group) for group in groups[2]]
    store_to(lower, lower.view(groups[1][0]), numbers, lower.value(groups[0][0]), operation)
    return ()


def _check_contiguous(lower: Lowering, operation: Operation, vector: Ssa) -> None:
    """`InputError` MLIR061 for a transfer that is masked, may be out of bounds, or is not along the last
    dim."""
    map_, bounds = operation.attributes.get("permutation_map"), operation.attributes.get("in_bounds", ())
    is_minor = isinstance(map_, AffineMap) and map_.results == (Dim(map_.dims - 1),)
    is_masked = len(operation.segments()) > 3 and bool(operation.segments()[3])
    if len(_type(vector).dims) != 1 or not is_minor or is_masked or bounds != (True,):
        got = f"{operation.name} that is masked, may be out of bounds, or is not along the last dim"
        raise lower.refused(operation, "MLIR061", got, "a vector with a single dim, in_bounds = [true]")


ROWS = rows(
    {
        "vector.load": load,
        "vector.store": store,
        "vector.broadcast": broadcast,
        "vector.extract": extract,
        "vector.insert": insert,
        "vector.shuffle": shuffle,
        "vector.from_elements": from_elements,
        "vector.to_elements": to_elements,
        "vector.shape_cast": shape_cast,
        "vector.fma": of_floats(LaneBuilder.fma),
        "vector.reduction": reduction,
        "vector.transfer_read": transfer_read,
        "vector.transfer_write": transfer_write,
    }
)
