"""Operations that change nothing: a maximum with -infinity, a sum with -0.0, a choice that is known.

JAX prints such a maximum in each softmax. In StableHLO a NaN wins, so the other operand is the result.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from asmgen.ir.constants import Number
from asmgen.ir.numbers import integer_range
from asmgen.ir.types import BOOL, ElementType, NumberKind

_Test = Callable[[Number, ElementType], bool]


def _is_lowest(number: Number, element: ElementType) -> bool:
    return number == (-math.inf if element.is_float else integer_range(element)[0])


def _is_highest(number: Number, element: ElementType) -> bool:
    return number == (math.inf if element.is_float else integer_range(element)[1])


def _is_zero(number: Number, element: ElementType) -> bool:
    """0 of integers; of floats -0.0, since 0.0 makes 0.0 of -0.0."""
    return number == 0 and (not element.is_float or math.copysign(1, number) < 0)


def _is_positive_zero(number: Number, element: ElementType) -> bool:
    return number == 0 and (not element.is_float or math.copysign(1, number) > 0)


def _is_one(number: Number, element: ElementType) -> bool:
    return number == 1


def _has_all_bits(number: Number, element: ElementType) -> bool:
    ones = -1 if element.kind is NumberKind.SIGNED else integer_range(element)[1]
    return number == (True if element is BOOL else ones)


_EITHER: Mapping[str, _Test] = {
    "stablehlo.maximum": _is_lowest, "arith.maximumf": _is_lowest, "arith.maxsi": _is_lowest,
    "stablehlo.minimum": _is_highest, "arith.minimumf": _is_highest, "arith.minsi": _is_highest,
    "stablehlo.add": _is_zero, "arith.addf": _is_zero, "arith.addi": _is_zero,
    "stablehlo.multiply": _is_one, "arith.mulf": _is_one, "arith.muli": _is_one,
    "stablehlo.and": _has_all_bits, "arith.andi": _has_all_bits,
    "stablehlo.or": _is_positive_zero, "arith.ori": _is_positive_zero,
    "stablehlo.xor": _is_positive_zero, "arith.xori": _is_positive_zero,
}  # fmt: skip
"""The numbers with which an op of two operands is its other operand."""
_SECOND: Mapping[str, _Test] = {
    "stablehlo.subtract": _is_positive_zero, "arith.subf": _is_positive_zero, "arith.subi": _is_positive_zero,
    "stablehlo.divide": _is_one, "arith.divf": _is_one, "arith.divsi": _is_one, "arith.divui": _is_one,
}  # fmt: skip
"""The numbers with which an op is its first operand, if they are the second."""
_SELECTS = frozenset(["stablehlo.select", "arith.select"])
FOLDS = frozenset([*_EITHER, *_SECOND, *_SELECTS])


def kept_operand(name: str, numbers: Sequence[Number | None], element: ElementType) -> int | None:
    """The operand that is the result of an op; None if the op computes. `numbers` are those that all elements
    of an operand are known to be, `element` is the type of the result."""
    if name in _SELECTS:
        return None if numbers[0] is None else 1 if numbers[0] else 2
    test = _EITHER.get(name)
    first, second = numbers
    if test is not None and first is not None and test(first, element):
        return 1
    test = test or _SECOND[name]
    return 0 if second is not None and test(second, element) else None
