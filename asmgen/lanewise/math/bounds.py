"""Facts about a float that follow from the statements that compute it: a lower bound, and its lower half,
always or of a NaN.

    square = mul(x, x);  sum = reduce_waves(...);  y = add(sum, 1e-05)      y is at least 1e-05, or a NaN

A NaN is below nothing, so each bound means "not less than". Rounding keeps the order of numbers: the rounded
sum of numbers that are not negative is not below either of them.

    x = convert[target_type=f32](b) -> f32      of a bf16: the lower half of each number is 0
    y = add(x, x)                               a NaN among them has a lower half of 0, too
    z = max(x, 0)                               is an x or 0: it becomes a bf16 without rounding

Arithmetic returns a NaN operand, made quiet, and for an invalid operation the quiet NaN without a payload
(CDNA3 ISA, section 4.2; IEEE 754, 6.2.3). So no NaN has a bit in its lower half that no operand has.
"""

from __future__ import annotations

from collections.abc import Callable
from math import frexp, inf
from struct import pack, unpack

from asmgen.graph import ops as graph
from asmgen.graph.ops import COMBINES
from asmgen.graph.rounded import function_of
from asmgen.ir.program import Statement, Value
from asmgen.ir.types import BF16, F32, U32, NumberKind
from asmgen.lanewise import ops
from asmgen.lanewise.records import splat_literal
from asmgen.lanewise.reduction_ops import DPP_REDUCE, LANE_REDUCE, REDUCE_WAVES

Least = Callable[[Value], float]
_DEEPEST = 24  # statements that are followed from a value

_POSITIVE = frozenset({graph.ABS, graph.EXP, graph.SIGMOID, graph.RELU})
_SAME = frozenset({ops.EXTRACT, ops.SPLAT, ops.READ_FIRST_LANE, graph.IDENTITY})
_REDUCES = frozenset({LANE_REDUCE, DPP_REDUCE, REDUCE_WAVES})


def least(value: Value, defined: Callable[[Value], Statement | None], deepest: int = _DEEPEST) -> float:
    """A number that no element of a float is less than; -infinity if none is known."""
    statement = defined(value)
    if statement is None or deepest == 0 or not value.type.element.is_float:
        return -inf
    number = splat_literal(statement)
    if number is not None:
        return float(number)

    def of(operand: Value) -> float:
        return least(operand, defined, deepest - 1)

    if function_of(statement.op) in _POSITIVE or (
        statement.op is graph.MUL and len(set(statement.operands)) == 1
    ):
        return 0.0
    if statement.op in _SAME:
        return of(statement.operands[0])
    if statement.op in _REDUCES:
        return _reduced(statement, of)
    rule = _OF_OP.get(function_of(statement.op))
    return -inf if rule is None else rule(statement, of)


def _reduced(statement: Statement, of: Least) -> float:
    """For a sum or a product only whether it is negative; for a maximum or a minimum the bound of an
    element."""
    element = of(statement.operands[0])
    kind = COMBINES[str(statement.attributes["op"])]
    if kind in (graph.MAX, graph.MIN):
        return element
    return 0.0 if element >= 0 else -inf


def _sum(statement: Statement, of: Least) -> float:
    bounds = [of(operand) for operand in statement.operands]
    return max(bounds) if min(bounds) >= 0 else -inf


def _product(statement: Statement, of: Least) -> float:
    return 0.0 if all(of(operand) >= 0 for operand in statement.operands) else -inf


def _greater(statement: Statement, of: Least) -> float:
    """A NaN loses, so the bound of the other operand is known only if both have it."""
    return min(of(operand) for operand in statement.operands)


_OF_OP: dict[object, Callable[[Statement, Least], float]] = {
    graph.ADD: _sum,
    graph.MUL: _product,
    graph.DIV: _product,
    graph.MAX: _greater,
    graph.MIN: _greater,
}


_LOWER_HALF = 0xFFFF
_MOST_BITS = 8  # of an integer that certainly has no more digits than a bf16
_CHOICES = frozenset(
    {
        graph.MAX, graph.MIN, graph.NEG, graph.ABS, graph.IDENTITY, ops.MAXIMUM, ops.MINIMUM, ops.EXTRACT,
        ops.PACK, ops.SPLAT, graph.WHERE,
    }
)  # fmt: skip
_KEEPS = frozenset(
    {
        graph.ADD, graph.SUB, graph.MUL, graph.MAX, graph.MIN, graph.NEG, graph.ABS, graph.FLOOR, graph.CEIL,
        graph.NEARBYINT, graph.IDENTITY, ops.FMA, ops.MAXIMUM, ops.MINIMUM, ops.EXTRACT, ops.PACK, ops.SPLAT,
    }
)  # fmt: skip


def _lower_half(number: float) -> int:
    """The lower 16 bits of a number as an f32."""
    (bits,) = unpack("<I", pack("<f", number))
    return bits & _LOWER_HALF


def is_short(value: Value, defined: Callable[[Value], Statement | None], deepest: int = _DEEPEST) -> bool:
    """Whether the lower half of every element of an f32 is 0, so that it is a bf16; False if that is
    unknown."""
    statement = defined(value)
    if statement is None or deepest == 0 or value.type.element is not F32:
        return False
    number = splat_literal(statement)
    if number is not None:
        return not _lower_half(number)
    if statement.op is graph.CONVERT:
        source = statement.operands[0].type.element
        return source is BF16 or _is_byte(statement.operands[0], defined)
    if statement.op is graph.MUL:
        return _is_scaled(statement, defined, deepest)
    if statement.op is graph.BIT_CAST:
        return _is_upper_half(statement.operands[0], defined)
    chosen = statement.operands[1:] if statement.op is graph.WHERE else statement.operands
    return statement.op in _CHOICES and all(is_short(operand, defined, deepest - 1) for operand in chosen)


def _is_upper_half(bits: Value, defined: Callable[[Value], Statement | None]) -> bool:
    """Whether a mask leaves none of the lower half of a u32, or a literal has none."""
    statement = defined(bits)
    if statement is None or bits.type.element is not U32:
        return False
    masks = statement.operands if statement.op is graph.BITWISE_AND else (bits,)
    numbers = [splat_literal(made) for mask in masks if (made := defined(mask)) is not None]
    return any(number is not None and not int(number) & _LOWER_HALF for number in numbers)


def _is_byte(value: Value, defined: Callable[[Value], Statement | None]) -> bool:
    """Whether a value is an integer of 8 bits, which may be widened."""
    element, statement = value.type.element, defined(value)
    if element.kind is NumberKind.FLOAT:
        return False
    if element.bits <= _MOST_BITS:
        return True
    if statement is None or statement.op is not graph.CONVERT:
        return False
    return _is_byte(statement.operands[0], defined)


def _is_scaled(product: Statement, defined: Callable[[Value], Statement | None], deepest: int) -> bool:
    """Whether a product is that of such a number and a power of two that is at least 1: the digits stay,
    also those of a denormal number."""
    for x, by in (product.operands, product.operands[::-1]):
        made = defined(by)
        number = None if made is None else splat_literal(made)
        if number is not None and number >= 1.0 and frexp(number)[0] == 0.5:
            return is_short(x, defined, deepest - 1)
    return False


def has_short_nans(
    value: Value, defined: Callable[[Value], Statement | None], deepest: int = _DEEPEST
) -> bool:
    """Whether the lower half of every NaN of an f32 is 0; False if that is unknown."""
    statement = defined(value)
    if statement is None or deepest == 0 or value.type.element is not F32:
        return False
    number = splat_literal(statement)
    if number is not None:
        return number == number or not _lower_half(number)
    if statement.op is graph.CONVERT:
        source = statement.operands[0].type.element
        return source is BF16 or source.kind is not NumberKind.FLOAT
    chosen = statement.operands[1:] if statement.op is graph.WHERE else statement.operands
    keeps = statement.op in _KEEPS or statement.op is graph.WHERE
    return keeps and all(has_short_nans(operand, defined, deepest - 1) for operand in chosen)
