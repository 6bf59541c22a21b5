"""The values that the body of a reduction or a sort computes.

A body that only compares, selects and combines truth values depends on nothing but the order of its operands.
It is computed for representatives of every order: two numbers of each sign, zeros, infinities and NaN. A body
with the results of `argmax` for all of them is `argmax`.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Mapping, Sequence
from itertools import product

from asmgen.ir.numbers import integer_range
from asmgen.ir.types import BOOL, ElementType, NumberKind
from asmgen.mlir.source import Block, Dense, Operation, Ssa
from asmgen.mlir.types import TensorType

Number = int | float | bool
_FLOATS = (-math.inf, -2.0, -1.0, -0.0, 0.0, 1.0, 2.0, math.inf, math.nan)


def single_op(block: Block) -> str | None:
    """The name of the op, if the block applies a single op to its two arguments and returns the result."""
    if len(block.operations) != 2 or len(block.arguments) != 2:
        return None
    first, end = block.operations
    if first.results != end.operands or set(first.operands) != set(block.arguments) or first.regions:
        return None
    return first.name


def samples(element: ElementType) -> tuple[Number, ...]:
    """Representatives of the numbers of a type: comparisons with each other, with 0 and with the ends of the
    type have all results."""
    if element is BOOL:
        return (False, True)
    if element.is_float:
        return _FLOATS
    low, high = integer_range(element)
    return (low, -2, -1, 0, 1, 2, high) if element.kind is NumberKind.SIGNED else (0, 1, 2, high)


def ordered(block: Block, given: Sequence[Number | None]) -> tuple[Number, ...] | None:
    """The results of a block for numbers; None if it has an op that does more than compare and choose, or
    that reads an argument which is None."""
    pairs = zip(block.arguments, given, strict=True)
    values: dict[Ssa, Number] = {argument: number for argument, number in pairs if number is not None}
    for operation in block.operations[:-1]:
        result = _result(operation, [values[each] for each in operation.operands if each in values])
        if result is None:
            return None
        values[operation.result] = result
    end = block.terminator.operands
    return tuple([values[each] for each in end]) if all(each in values for each in end) else None


def _result(operation: Operation, given: Sequence[Number]) -> Number | None:
    name = operation.name.partition(".")[2]
    if name == "constant":
        return _constant(operation)
    if len(given) != len(operation.operands) or not given:
        return None
    if name == "compare":
        return compared(operation, given[0], given[1])
    if name in ("cmpf", "cmpi"):
        return _compared_by(operation.text("predicate"), given[0], given[1])
    if name == "select":
        return given[1] if given[0] else given[2]
    if name in _EXTREMES:
        return _EXTREMES[name](given[0], given[1])
    if name not in _LOGIC:
        return None
    a, b = [*given, True][:2]  # `not` is `xor` with true
    return (a, b) in _LOGIC[name] if isinstance(a, bool) and isinstance(b, bool) else None


def _constant(operation: Operation) -> Number | None:
    value = operation.attributes.get("value")
    if isinstance(value, bool):
        return value
    if not isinstance(value, Dense) or len(value.values) != 1:
        return None
    (number,) = value.values
    if isinstance(value.type, TensorType) and value.type.element is BOOL:
        return bool(number)
    return number if number == 0 or (isinstance(number, float) and not math.isfinite(number)) else None


def compared(operation: Operation, a: Number, b: Number) -> bool | None:
    """The result of a `compare`."""
    if operation.text("compare_type") == "totalorder":
        a, b = total_order(a), total_order(b)
    compare = _COMPARES.get(operation.text("comparison_direction"))
    return None if compare is None else compare(a, b)


def _compared_by(predicate: str, a: Number, b: Number) -> bool | None:
    """The result of a comparison of arith; None for a comparison that reads integers without a sign."""
    is_float, has_nan = isinstance(a, float), a != a or b != b
    if predicate in ("ord", "uno"):
        return has_nan == (predicate == "uno")
    if predicate in _COMPARES:
        return _COMPARES[predicate](a, b)
    compare = _COMPARES.get(predicate[1:])
    if compare is None or (predicate[0] == "u" and not is_float):
        return None
    return predicate[0] == "u" if is_float and has_nan else compare(a, b)


def total_order(number: Number) -> int:
    """The place of a number in IEEE 754's total order."""
    if not isinstance(number, float):
        return int(number)
    (bits,) = struct.unpack("<q", struct.pack("<d", number))
    return bits if bits >= 0 else -(1 << 63) - 1 - bits


def maximum(a: Number, b: Number) -> Number:
    """A NaN wins."""
    return a if a != a or a > b else b


def minimum(a: Number, b: Number) -> Number:
    return a if a != a or a < b else b


_COMPARES: Mapping[str, Callable[[Number, Number], bool]] = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}  # fmt: skip
_EXTREMES: Mapping[str, Callable[[Number, Number], Number]] = {
    "maximum": maximum, "minimum": minimum, "maximumf": maximum, "minimumf": minimum, "maxsi": maximum,
    "minsi": minimum,
}  # fmt: skip
_TWO = ((False, True), (True, False))
_LOGIC: Mapping[str, Sequence[tuple[bool, bool]]] = {
    "and": ((True, True),), "or": (*_TWO, (True, True)), "xor": _TWO, "not": _TWO,
    "andi": ((True, True),), "ori": (*_TWO, (True, True)), "xori": _TWO,
}  # fmt: skip
"""The operands for which an op is true."""


def is_same(a: Number, b: Number) -> bool:
    """Whether two numbers are equal or both NaN."""
    return a == b or (a != a and b != b)


def computes(block: Block, element: ElementType, wanted: Callable[[Number, Number], Number]) -> bool:
    """Whether a block of two arguments has the results of a function."""
    for a, b in product(samples(element), repeat=2):
        given = ordered(block, (a, b))
        if given is None or len(given) != 1 or not is_same(given[0], wanted(a, b)):
            return False
    return True
