"""`rocdl`: ids of a launch, barriers, and exchange between the lanes of a wave."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from asmgen.mlir.dialects.amdgpu_lanes import moved_or_zero
from asmgen.mlir.dialects.exchange import ballot, moved
from asmgen.mlir.dialects.gpu import barrier, block, lane, thread
from asmgen.mlir.lowering.arithmetic import quotients
from asmgen.mlir.lowering.arithmetic.lanes import index_of_integer, integer_of_index
from asmgen.mlir.lowering.context import Lowering, OpRule, rows
from asmgen.mlir.lowering.values import Index, Lowered
from asmgen.mlir.source import Operation

_HALF = 32  # lanes in a word of a mask
_BYTES = 4  # of a lane's word: ds_bpermute counts lanes in bytes


def _id(
    make: Callable[[Lowering, int], Index], axis: int, lower: Lowering, operation: Operation
) -> Sequence[Lowered]:
    return (
        integer_of_index(
            lower.indices, make(lower, axis), lower.lane_type(operation.result.type, operation).element
        ),
    )


def _count_below(lower: Lowering, operation: Operation, *, high: bool) -> Sequence[Lowered]:
    """`mbcnt.lo` and `mbcnt.hi`: the number of lower lanes among the first 32 or the others, plus a base."""
    mask, base = (lower.lane(operand) for operand in operation.operands)
    if lower.builder.literal_of(mask) != (1 << _HALF) - 1:
        raise lower.refused(
            operation, "MLIR055", f"{operation.name} with a mask of some lanes", "the mask -1"
        )
    indices, own = lower.indices, lane(lower)
    half = indices.constant(_HALF)
    count = (
        indices.greatest(indices.sub(own, half), indices.constant(0)) if high else indices.least(own, half)
    )
    return (lower.builder.add(indices.word(count), base),)


def permute(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """`ds_bpermute`: the value of the lane at a byte address; zero if the lane does not exist."""
    address = index_of_integer(lower.indices, lower.lane(operation.operands[0]), signed=False)
    indices = lower.indices
    number = quotients.divide(indices, address, indices.constant(_BYTES), signed=False)
    there = quotients.remainder(indices, number, indices.constant(lower.wave), signed=False)
    return (moved_or_zero(lower, lower.lane(operation.operands[1]), there),)


def first_lane(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    return (lower.builder.read_first_lane(lower.lane(operation.operands[0])),)


def read_lane(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    value, number = (lower.lane(operand) for operand in operation.operands)
    return (moved(lower, value, number),)


BARRIERS = (OpRule(barrier),)
_IDS = {"workitem": thread, "workgroup": block}
ROWS = rows(
    {
        **{
            f"rocdl.{name}.id.{axis}": partial(_id, make, number)
            for name, make in _IDS.items()
            for number, axis in enumerate("xyz")
        },
        "rocdl.barrier": barrier,
        "rocdl.s.barrier": barrier,
        "rocdl.ballot": ballot,
        "rocdl.ds_bpermute": permute,
        "rocdl.mbcnt.hi": partial(_count_below, high=True),
        "rocdl.mbcnt.lo": partial(_count_below, high=False),
        "rocdl.readfirstlane": first_lane,
        "rocdl.readlane": read_lane,
    }
)
