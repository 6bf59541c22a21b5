"""`gpu`: ids and sizes of a launch, and barriers."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from asmgen.ir.shapes import MOST_WORK_ITEMS
from asmgen.mlir.lowering.arithmetic import quotients
from asmgen.mlir.lowering.context import Lowering, rows
from asmgen.mlir.lowering.values import Index, Lowered
from asmgen.mlir.source import Operation


def _axis(operation: Operation) -> int:
    return "xyz".index(operation.text("dimension"))


def _bounded(lower: Lowering, operation: Operation, made: Index) -> Index:
    """The number, below the bound of the attribute `upper_bound` if there is any."""
    bound = operation.attributes.get("upper_bound")
    return lower.indices.with_bounds(made, 0, bound) if isinstance(bound, int) and bound > 0 else made


def thread_id(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    return (_bounded(lower, operation, thread(lower, _axis(operation))),)


def block_id(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    return (_bounded(lower, operation, block(lower, _axis(operation))),)


def block_dim(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    return (_bounded(lower, operation, block_size(lower, _axis(operation))),)


def grid_dim(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    return (_bounded(lower, operation, grid_size(lower, _axis(operation))),)


def global_id(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    axis = _axis(operation)
    start = lower.indices.mul(block(lower, axis), block_size(lower, axis))
    return (_bounded(lower, operation, lower.indices.add(start, thread(lower, axis))),)


def lane_id(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """Waves are filled along x, then y, then z."""
    return (_bounded(lower, operation, lane(lower)),)


def subgroup_id(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """The number of the wave in its workgroup. It is uniform."""
    waves = -(-lower.kernel.most_items // lower.wave)
    number = quotients.divide(lower.indices, linear_thread(lower), lower.indices.constant(lower.wave))
    if number.is_constant:
        return (number,)
    first = lower.builder.read_first_lane(lower.indices.word(number))
    return (_bounded(lower, operation, lower.indices.of_word(first, 0, max(waves - 1, 0))),)


def subgroup_size(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    return (lower.indices.constant(lower.wave),)


def num_subgroups(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    wave = lower.indices.constant(lower.wave)
    return (_bounded(lower, operation, quotients.ceil_divide(lower.indices, threads(lower), wave)),)


def barrier(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    lower.builder.barrier()
    return ()


# The numbers of work-items, workgroups and lanes


def thread(lower: Lowering, axis: int) -> Index:
    """The number of a work-item along an axis of its workgroup."""
    size = lower.kernel.block[axis] if lower.kernel.block else lower.kernel.most_items
    if size == 1:
        return lower.indices.constant(0)
    return lower.indices.of_launch("thread", axis, lower.builder.local_id(axis), (0, size - 1))


def block(lower: Lowering, axis: int) -> Index:
    """The number of a workgroup along an axis of the grid."""
    grid = lower.kernel.grid
    most = grid[axis] if grid else _most_blocks(lower, axis)
    if most == 1:
        return lower.indices.constant(0)
    return lower.indices.of_launch("block", axis, lower.builder.workgroup_id(axis), (0, most - 1))


def _most_blocks(lower: Lowering, axis: int) -> int:
    """The most workgroups that a launch has along an axis."""
    return MOST_WORK_ITEMS // (lower.kernel.block[axis] if lower.kernel.block else 1)


def block_size(lower: Lowering, axis: int) -> Index:
    """The work-items of a workgroup along an axis."""
    if lower.kernel.block is not None:
        return lower.indices.constant(lower.kernel.block[axis])
    most = lower.kernel.most_items
    return lower.indices.of_launch("block size", axis, lower.builder.workgroup_size(axis), (1, most))


def grid_size(lower: Lowering, axis: int) -> Index:
    """The workgroups of the grid along an axis."""
    if lower.kernel.grid is not None:
        return lower.indices.constant(lower.kernel.grid[axis])
    most = _most_blocks(lower, axis)
    return lower.indices.of_launch("grid size", axis, lower.builder.workgroup_count(axis), (1, most))


def threads(lower: Lowering) -> Index:
    """The work-items of a workgroup."""
    if lower.kernel.block is not None:
        return lower.indices.constant(prod(lower.kernel.block))
    x, y, z = (block_size(lower, axis) for axis in range(3))
    total = lower.indices.mul(
        lower.indices.with_bounds(lower.indices.mul(x, y), 1, lower.kernel.most_items), z
    )
    return lower.indices.with_bounds(total, 1, lower.kernel.most_items)


def linear_thread(lower: Lowering) -> Index:
    """The number of a work-item in its workgroup, x first."""
    indices, most = lower.indices, lower.kernel.most_items
    x, y, z = (thread(lower, axis) for axis in range(3))
    rows_ = indices.add(y, indices.mul(z, block_size(lower, 1)))
    return indices.with_bounds(indices.add(x, indices.mul(rows_, block_size(lower, 0))), 0, most - 1)


def lane(lower: Lowering) -> Index:
    """The number of a lane in its wave."""
    return quotients.remainder(lower.indices, linear_thread(lower), lower.indices.constant(lower.wave))


ROWS = rows(
    {
        "gpu.thread_id": thread_id,
        "gpu.block_id": block_id,
        "gpu.block_dim": block_dim,
        "gpu.grid_dim": grid_dim,
        "gpu.global_id": global_id,
        "gpu.lane_id": lane_id,
        "gpu.subgroup_id": subgroup_id,
        "gpu.subgroup_size": subgroup_size,
        "gpu.num_subgroups": num_subgroups,
        "gpu.barrier": barrier,
    },
    ends=("gpu.return", "gpu.terminator", "gpu.yield"),
)
