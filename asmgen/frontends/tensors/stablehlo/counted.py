"""The counter of a loop, its first value, and the number of trips."""

from __future__ import annotations

from asmgen.frontends.tensors.op_call import OpCall
from asmgen.index.size import Dim, Size
from asmgen.mlir.source import Block, Ssa
from isa.named_tuple import NamedTuple


class Counted(NamedTuple):
    """The carried value that counts from `first` by 1, and the number of trips."""

    counter: int
    first: Dim
    trips: Dim


def counted_trips(call: OpCall) -> Counted | None:
    """The counter of a loop that goes on while a carried integer is less than a number."""
    condition, body = [region.blocks[0] for region in call.operation.regions]
    for block in (condition, body):
        for operation in block.operations:
            if not operation.operands and not operation.regions and operation.results:
                _ = call.compute(operation, {})
    test = condition.terminator.operands[0].owner
    others = [each for each in condition.operations[:-1] if each.operands and each is not test]
    if others or test is None or test.name != "stablehlo.compare" or test not in condition.operations:
        return None
    counter, limit = test.operands
    if test.text("comparison_direction").lower() != "lt" or counter not in condition.arguments:
        return None
    number = condition.arguments.index(counter)
    first, last, step = (
        _size(call, each)
        for each in (call.operation.operands[number], before_loop(call, limit), _step(call, body, number))
    )
    if first is None or last is None or step != 1:
        return None
    trips = last - first
    return Counted(number, first, trips) if isinstance(trips, Size) or trips > 0 else None


def before_loop(call: OpCall, value: Ssa) -> Ssa | None:
    """A value as a value before the loop; None if trips may change it. The item of a value in the loop may be
    that of another trip."""
    for region in call.operation.regions:
        block, owner = region.blocks[0], value.owner
        if value in block.arguments:
            number = block.arguments.index(value)
            return call.operation.operands[number] if stays(call, number) else None
        if owner is not None and (owner.operands or owner.regions) and owner in block.operations:
            return None
    return value


def stays(call: OpCall, number: int) -> bool:
    """Whether no trip changes a carried value."""
    body = call.operation.regions[1].blocks[0]
    return body.terminator.operands[number] is body.arguments[number]


def _step(call: OpCall, body: Block, number: int) -> Ssa | None:
    """The value that each trip adds to a carried value."""
    owner, argument = body.terminator.operands[number].owner, body.arguments[number]
    if owner is None or owner.name != "stablehlo.add" or argument not in owner.operands:
        return None
    first, second = owner.operands
    return before_loop(call, second if first is argument else first)


def _size(call: OpCall, value: Ssa | None) -> Dim | None:
    """A known integer, or a size of the launch."""
    sizes = None if value is None else call.sizes(value)
    return sizes.sizes[0] if sizes is not None and len(sizes.sizes) == 1 else None
