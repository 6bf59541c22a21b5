"""What the interpreter does for affine ops."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.frontends.mlir.affine_maps import AffineMap, Dim, Expression, IntegerSet
from asmgen.frontends.mlir.interpret.memory import Number, read, write
from asmgen.frontends.mlir.interpret.run import Steps, Thread
from asmgen.frontends.mlir.source import Operation


def evaluated(expression: Expression, dims: Sequence[int], symbols: Sequence[int]) -> int:
    if isinstance(expression, int):
        return expression
    if isinstance(expression, Dim):
        return (symbols if expression.is_symbol else dims)[expression.number]
    a, b = evaluated(expression.left, dims, symbols), evaluated(expression.right, dims, symbols)
    match expression.op:
        case "+":
            return a + b
        case "*":
            return a * b
        case "mod":
            return a % b
        case "floordiv":
            return a // b
        case _:
            return -(-a // b)


def _mapped(operation: Operation, operands: Sequence[int], name: str = "map") -> list[int]:
    map_ = operation.attributes[name]
    assert isinstance(map_, AffineMap)
    return [evaluated(one, operands[: map_.dims], operands[map_.dims :]) for one in map_.results]


def apply(thread: Thread, operation: Operation) -> Sequence[Number]:
    return _mapped(operation, thread.operands(operation))


def least(thread: Thread, operation: Operation) -> Sequence[Number]:
    return (min(_mapped(operation, thread.operands(operation))),)


def greatest(thread: Thread, operation: Operation) -> Sequence[Number]:
    return (max(_mapped(operation, thread.operands(operation))),)


def load(thread: Thread, operation: Operation) -> Sequence[Number]:
    place, *operands = thread.operands(operation)
    return (read(place, _mapped(operation, operands), operation.result.type, operation),)


def store(thread: Thread, operation: Operation) -> Sequence[Number]:
    value, place, *operands = thread.operands(operation)
    write(place, _mapped(operation, operands), value, operation)
    return ()


def for_(thread: Thread, operation: Operation) -> Steps:
    lows, highs, initial = ([thread.value(one) for one in group] for group in operation.segments())
    start = max(_mapped(operation, lows, "lowerBoundMap"))
    stop = min(_mapped(operation, highs, "upperBoundMap"))
    for number in range(start, stop, operation.integer("step")):
        initial = yield from thread.region(operation.regions[0], (number, *initial))
    return initial


def if_(thread: Thread, operation: Operation) -> Steps:
    conditions = operation.attributes["condition"]
    assert isinstance(conditions, IntegerSet)
    numbers = thread.operands(operation)
    dims, symbols = numbers[: conditions.dims], numbers[conditions.dims :]
    found = [(evaluated(one, dims, symbols), is_equality) for one, is_equality in conditions.constraints]
    holds = all(number == 0 if is_equality else number >= 0 for number, is_equality in found)
    taken = operation.regions[0 if holds else 1]
    return (yield from thread.region(taken, ())) if taken.blocks else []
