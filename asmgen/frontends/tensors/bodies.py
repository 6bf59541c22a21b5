"""Bodies of reductions: what computes a value, and how the arguments for results accumulate."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from asmgen.frontends.tensors.associative import with_constants
from asmgen.mlir.source import Block, Operation, Ssa
from isa.named_tuple import NamedTuple


def needed(body: Block, value: Ssa) -> list[Operation]:
    """The operations of a body that compute a value, in order."""
    wanted = {value}
    operations: list[Operation] = []
    for operation in reversed(body.operations[:-1]):
        if any(result in wanted for result in operation.results):
            wanted.update(operation.operands)
            operations.append(operation)
    return operations[::-1]


def read_by(body: Block, value: Ssa) -> set[Ssa]:
    """The values that the computation of a value reads, and the value itself."""
    return {value, *[operand for each in needed(body, value) for operand in each.operands]}


def part_of(body: Block, number: int) -> Block | None:
    """The part of a body of two elements that computes result `number`, if it reads these parts of the
    elements alone; None if it reads others."""
    count = len(body.arguments) // 2
    arguments = (body.arguments[number], body.arguments[count + number])
    end = body.terminator.operands[number]
    others = [each for each in body.arguments if each not in arguments]
    if not read_by(body, end).isdisjoint(others):
        return None
    terminator = Operation(body.terminator.name, (end,), {}, body.terminator.place)
    return Block(0, arguments, [*needed(body, end), terminator])


class Step(NamedTuple):
    """A trip of a reduction: `block` combines the results so far with `values`, which do not depend on them.

    Its arguments are the results so far, then a value for each of them, of the same type.
    """

    block: Block
    values: tuple[Ssa, ...]


def steps(body: Block, results: Sequence[Ssa], ends: Sequence[Ssa]) -> list[Step]:
    """The steps that the body of a reduction may be: a step for each way to give each result a value of its
    type. `results` are the arguments for results, `ends` are their next values."""
    depends: set[Ssa] = set(results)
    operations: list[Operation] = []
    for operation in body.operations[:-1]:
        if any(operand in depends for operand in operation.operands):
            depends.update(operation.results)
            operations.append(operation)
    end = Operation("linalg.yield", tuple(ends), {}, body.terminator.place)
    block = with_constants(Block(0, tuple(results), [*operations, end]))
    inside = {*results, *[result for each in block.operations for result in each.results]}
    read = [operand for each in block.operations for operand in each.operands if operand not in inside]
    values = list(dict.fromkeys(read))
    if len(values) != len(results):
        return []
    return [
        Step(Block(0, (*results, *order), block.operations), order)
        for order in permutations(values)
        if [each.type for each in order] == [each.type for each in results]
    ]
