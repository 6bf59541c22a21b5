"""Numbers that are known when a program is read: integers and truth values of rank 0, such as loop counters.

They are computed exactly, and wrap as the type does. The result becomes a literal of the graph, so the
condition of a loop or the start of a slice is known.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence

from asmgen.frontends.tensors.regions import compared
from asmgen.ir.constants import Number
from asmgen.ir.numbers import integer_range
from asmgen.ir.types import BOOL, ElementType
from asmgen.mlir.source import Operation


def _quotient(a: int, b: int) -> int:
    """Truncated; 0 if the divisor is 0, as in the graph."""
    quotient = abs(a) // abs(b) if b else 0
    return quotient if (a < 0) == (b < 0) else -quotient


def _rest(a: int, b: int) -> int:
    return a - _quotient(a, b) * b if b else 0


_FUNCTIONS: Mapping[str, Callable[[int, int], int]] = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "maximum": max, "minimum": min,
    "divide": _quotient, "remainder": _rest,
    "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
}  # fmt: skip


def known_result(operation: Operation, given: Sequence[Number], element: ElementType) -> Number | None:
    """The result of an op of numbers of rank 0; None if it is not computed here."""
    dialect, _, name = operation.name.partition(".")
    if dialect != "stablehlo" or element.is_float or any(isinstance(each, float) for each in given):
        return None
    result = _result(operation, name, [int(each) for each in given], element)
    if result is None:
        return None
    if element is BOOL:
        return bool(result)
    low, high = integer_range(element)
    return (result - low) % (high - low + 1) + low


def _result(operation: Operation, name: str, given: Sequence[int], element: ElementType) -> int | None:
    if name in _FUNCTIONS:
        return _FUNCTIONS[name](given[0], given[1])
    if name == "compare":
        return compared(operation, given[0], given[1])
    if name == "select":
        return given[1] if given[0] else given[2]
    if name == "negate":
        return -given[0]
    if name == "not":
        return 1 - given[0] if element is BOOL else ~given[0]
    return given[0] if name in ("convert", "reshape", "broadcast_in_dim") else None
