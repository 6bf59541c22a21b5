"""`amdgpu`: barriers, and permutations of the lanes of a wave.

A permutation selects a source lane for each lane, as the document of the dialect says. A source lane that
does not exist counts as out of bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from asmgen.graph import ops as graph
from asmgen.ir.program import Value
from asmgen.mlir.dialects.exchange import moved
from asmgen.mlir.dialects.gpu import barrier, lane, linear_thread, threads
from asmgen.mlir.lowering.arithmetic import quotients, relations
from asmgen.mlir.lowering.arithmetic.lanes import lanes_of, zero
from asmgen.mlir.lowering.context import Lowering, rows
from asmgen.mlir.lowering.values import Index, Lowered
from asmgen.mlir.source import Operation
from isa.named_tuple import NamedTuple

ROW, HALF_ROW, QUAD = 16, 8, 4
_ALL = 15  # a mask of all four rows or banks
_GROUP = 32  # lanes of a swizzle


class _Source(NamedTuple):
    """The source lane, and whether it is in bounds (None if always).

    If the source is out of bounds and `keeps` is set, the lane keeps its old value whatever `bound_ctrl`
    says.
    """

    lane: Index
    is_inside: Value | None = None
    keeps: bool = False


def permute(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """`dpp`."""
    old, value = (lower.lane(operand) for operand in operation.operands)
    own = lane(lower)
    source = _SOURCES[operation.text("kind")](lower, own, operation)
    inside = _both(lower, source.is_inside, is_there(lower, own, source.lane))
    there = source.lane if inside is None else lower.indices.select(inside, source.lane, own)
    result = moved(lower, value, lower.indices.word(there))
    builder = lower.builder
    if inside is not None:
        is_zero = operation.attributes.get("bound_ctrl") and not source.keeps
        outside = zero(builder, lanes_of(old)) if is_zero else old
        result = builder.where(inside, result, outside)
    written = _both(lower, _in_mask(lower, operation, "row_mask", own, ROW), _in_bank(lower, operation, own))
    return (result if written is None else builder.where(written, result, old),)


def _both(lower: Lowering, a: Value | None, b: Value | None) -> Value | None:
    if a is None or b is None:
        return b if a is None else a
    return lower.builder.logical_and(a, b)


def is_there(lower: Lowering, own: Index, source: Index) -> Value | None:
    """Whether a lane is a work-item of the workgroup; None if all waves are whole."""
    block = lower.kernel.block
    if block is not None and prod(block) % lower.wave == 0:
        return None
    indices = lower.indices
    other = indices.add(linear_thread(lower), indices.sub(source, own))
    return relations.compare(indices, "slt", other, threads(lower))


def _in_mask(lower: Lowering, operation: Operation, name: str, own: Index, size: int) -> Value | None:
    """Whether the mask has the bit of the row or the bank; None if all bits are set."""
    mask = operation.integer(name, _ALL)
    if mask == _ALL:
        return None
    indices = lower.indices
    number = quotients.divide(indices, own, indices.constant(size))
    bit = indices.bitwise(
        graph.BITWISE_AND,
        indices.shift_right(indices.constant(mask), number, signed=False),
        indices.constant(1),
    )
    return relations.compare(indices, "ne", bit, indices.constant(0))


def _in_bank(lower: Lowering, operation: Operation, own: Index) -> Value | None:
    in_row = quotients.remainder(lower.indices, own, lower.indices.constant(ROW))
    return _in_mask(lower, operation, "bank_mask", in_row, QUAD)


def _quad(lower: Lowering, own: Index, operation: Operation) -> _Source:
    indices = lower.indices
    places = sum(place << 2 * number for number, place in enumerate(operation.integers("permArgument")))
    in_quad = quotients.remainder(indices, own, indices.constant(QUAD))
    by = indices.mul(in_quad, indices.constant(2))
    moved_ = indices.shift_right(indices.constant(places), by, signed=False)
    place = quotients.remainder(indices, moved_, indices.constant(QUAD))
    return _Source(indices.add(indices.sub(own, in_quad), place))


def _row_shift(sign: int) -> Callable[[Lowering, Index, Operation], _Source]:
    def source(lower: Lowering, own: Index, operation: Operation) -> _Source:
        indices = lower.indices
        by = indices.constant(sign * operation.integer("permArgument"))
        place = indices.add(quotients.remainder(indices, own, indices.constant(ROW)), by)
        limit = indices.constant(ROW) if sign > 0 else indices.constant(0)
        inside = relations.compare(indices, "slt" if sign > 0 else "sge", place, limit)
        return _Source(indices.add(own, by), inside)

    return source


def _row_rotation(lower: Lowering, own: Index, operation: Operation) -> _Source:
    indices = lower.indices
    in_row = quotients.remainder(indices, own, indices.constant(ROW))
    turned = indices.add(in_row, indices.constant(ROW - operation.integer("permArgument")))
    place = quotients.remainder(indices, turned, indices.constant(ROW))
    return _Source(indices.add(indices.sub(own, in_row), place))


def _wave_shift(by: int) -> Callable[[Lowering, Index, Operation], _Source]:
    def source(lower: Lowering, own: Index, operation: Operation) -> _Source:
        indices = lower.indices
        there = indices.add(own, indices.constant(by))
        end = indices.constant(lower.wave if by > 0 else 0)
        return _Source(there, relations.compare(indices, "slt" if by > 0 else "sge", there, end))

    return source


def _wave_rotation(by: int) -> Callable[[Lowering, Index, Operation], _Source]:
    def source(lower: Lowering, own: Index, operation: Operation) -> _Source:
        indices = lower.indices
        there = indices.add(own, indices.constant(lower.wave + by))
        return _Source(quotients.remainder(indices, there, indices.constant(lower.wave)))

    return source


def _mirror(size: int) -> Callable[[Lowering, Index, Operation], _Source]:
    def source(lower: Lowering, own: Index, operation: Operation) -> _Source:
        """Lanes of a group in the opposite order."""
        indices = lower.indices
        in_group = quotients.remainder(indices, own, indices.constant(size))
        turned = indices.sub(indices.constant(size - 1), in_group)
        return _Source(indices.add(indices.sub(own, in_group), turned))

    return source


def _last_of_row(lower: Lowering, own: Index, operation: Operation) -> _Source:
    """The last lane of the previous row."""
    indices = lower.indices
    first = indices.sub(own, quotients.remainder(indices, own, indices.constant(ROW)))
    inside = relations.compare(indices, "sge", own, indices.constant(ROW))
    return _Source(indices.sub(first, indices.constant(1)), inside, keeps=True)


def _last_of_half(lower: Lowering, own: Index, operation: Operation) -> _Source:
    """Lane 31, for the lanes above it."""
    indices = lower.indices
    inside = relations.compare(indices, "sge", own, indices.constant(_GROUP))
    return _Source(indices.constant(_GROUP - 1), inside, keeps=True)


_SOURCES: dict[str, Callable[[Lowering, Index, Operation], _Source]] = {
    "quad_perm": _quad,
    "row_shl": _row_shift(1),
    "row_shr": _row_shift(-1),
    "row_ror": _row_rotation,
    "wave_shl": _wave_shift(1),
    "wave_shr": _wave_shift(-1),
    "wave_rol": _wave_rotation(1),
    "wave_ror": _wave_rotation(-1),
    "row_mirror": _mirror(ROW),
    "row_half_mirror": _mirror(HALF_ROW),
    "row_bcast_15": _last_of_row,
    "row_bcast_31": _last_of_half,
}


def swizzle(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """`swizzle_bitmode`: apply masks to the number of the lane within its group of 32. A lane that does not
    exist gives zero."""
    value, own, indices = lower.lane(operation.operands[0]), lane(lower), lower.indices
    low = quotients.remainder(indices, own, indices.constant(_GROUP))
    place = low
    for op, name in (
        (graph.BITWISE_AND, "and_mask"), (graph.BITWISE_OR, "or_mask"), (graph.BITWISE_XOR, "xor_mask"),
    ):  # fmt: skip
        place = indices.bitwise(op, place, indices.constant(operation.integer(name) % _GROUP))
    there = indices.with_bounds(indices.add(indices.sub(own, low), place), 0, lower.wave - 1)
    return (moved_or_zero(lower, value, there),)


def moved_or_zero(lower: Lowering, value: Value, there: Index) -> Value:
    """The value of another lane; zero if that lane does not exist."""
    inside = is_there(lower, lane(lower), there)
    other = moved(lower, value, lower.indices.word(there))
    if inside is None:
        return other
    return lower.builder.where(inside, other, zero(lower.builder, lanes_of(value)))


ROWS = rows(
    {
        "amdgpu.dpp": permute,
        "amdgpu.lds_barrier": barrier,
        "amdgpu.swizzle_bitmode": swizzle,
    }
)
