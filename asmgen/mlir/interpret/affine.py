"""The affine ops of the interpreter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

from asmgen.mlir.interpret.exchange import KIND_NAMES, combine
from asmgen.mlir.interpret.numbers import signed
from asmgen.mlir.interpret.places import Number, read, write
from asmgen.mlir.interpret.run import Steps, Thread
from asmgen.mlir.source import DYNAMIC, Dim, Expression, IntegerSet, Operation


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
    map_ = operation.map(name)
    return [evaluated(result, operands[: map_.dims], operands[map_.dims :]) for result in map_.results]


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
    lows, highs, initial = ([thread.value(operand) for operand in group] for group in operation.segments())
    start = max(_mapped(operation, lows, "lowerBoundMap"))
    stop = min(_mapped(operation, highs, "upperBoundMap"))
    for number in range(start, stop, operation.integer("step")):
        initial = yield from thread.region(operation.regions[0], (number, *initial))
    return initial


def parallel(thread: Thread, operation: Operation) -> Steps:
    lows = operation.map("lowerBoundsMap")
    given = thread.operands(operation)
    split = lows.dims + lows.symbols
    starts = _grouped(
        _mapped(operation, given[:split], "lowerBoundsMap"), operation.integers("lowerBoundsGroups"), max
    )
    stops = _grouped(
        _mapped(operation, given[split:], "upperBoundsMap"), operation.integers("upperBoundsGroups"), min
    )
    kinds = operation.attributes["reductions"]
    assert isinstance(kinds, tuple)
    carried: list[Number] | None = None
    for numbers in product(*map(range, starts, stops, operation.integers("steps"))):
        results = yield from thread.region(operation.regions[0], numbers)
        if carried is None:
            carried = results
            continue
        carried = [
            combine(KIND_NAMES.get(str(kind), str(kind)), a, b, result.type)
            for kind, a, b, result in zip(kinds, carried, results, operation.results, strict=True)
        ]
    assert carried is not None or not kinds, "a test has a trip at least"
    return carried or []


def _grouped(numbers: list[int], groups: Sequence[int], choose: Callable[[list[int]], int]) -> list[int]:
    bounds: list[int] = []
    while numbers:
        size = groups[len(bounds) % len(groups)]
        bounds.append(choose(numbers[:size]))
        numbers = numbers[size:]
    return bounds


def _basis(thread: Thread, operation: Operation, dynamic: Sequence[Number]) -> list[int]:
    given = iter(dynamic)
    return [next(given) if number == DYNAMIC else number for number in operation.integers("static_basis")]


def delinearize(thread: Thread, operation: Operation) -> Sequence[Number]:
    number, *dynamic = thread.operands(operation)
    sizes = _basis(thread, operation, dynamic)
    digits: list[int] = []
    for size in sizes[::-1][: len(operation.results) - 1]:
        digits.append(number % size)
        number //= size
    return [number, *digits[::-1]]


def linearize(thread: Thread, operation: Operation) -> Sequence[Number]:
    digits, dynamic = ([thread.value(operand) for operand in group] for group in operation.segments())
    sizes = _basis(thread, operation, dynamic)
    total = 0
    for position, digit in enumerate(digits):
        total = total * (sizes[position - len(digits)] if position else 0) + digit
    return (signed(total, 64),)


def if_(thread: Thread, operation: Operation) -> Steps:
    conditions = operation.attributes["condition"]
    assert isinstance(conditions, IntegerSet)
    numbers = thread.operands(operation)
    dims, symbols = numbers[: conditions.dims], numbers[conditions.dims :]
    terms = [
        (evaluated(expression, dims, symbols), is_equality)
        for expression, is_equality in conditions.constraints
    ]
    holds = all(number == 0 if is_equality else number >= 0 for number, is_equality in terms)
    taken = operation.regions[0 if holds else 1]
    return (yield from thread.region(taken, ())) if taken.blocks else []
