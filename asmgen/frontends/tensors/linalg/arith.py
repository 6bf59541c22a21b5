"""Ops of arith and math, on tensors and on the elements of a body of linalg.

Integers are signed in the graph. An op that reads them without a sign does so in the unsigned type.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from asmgen.frontends.tensors.computing import computed
from asmgen.frontends.tensors.error_functions import erfc
from asmgen.frontends.tensors.op_call import OpCall, Results
from asmgen.frontends.tensors.stablehlo.elementwise import (
    as_type,
    away_from_zero,
    constant,
    convert,
    op,
    power,
)
from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import like, spread
from asmgen.frontends.traced.ufunc_table import trunc, where
from asmgen.graph.ops import CONVERT
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.types import BOOL, I32, I64, NumberKind
from asmgen.mlir.source import Dense

Rule = Callable[[OpCall], Results]


def _ufunc(name: str) -> Rule:
    def rule(call: OpCall) -> Results:
        return computed(name, *call.arrays)

    return rule


def _integers(name: str, of_bits: str) -> Rule:
    """An op of integers, with another ufunc for i1: its numbers are 0 and -1, and sums wrap."""

    def rule(call: OpCall) -> Results:
        return computed(of_bits if call.element is BOOL else name, *call.arrays)

    return rule


def unsigned(x: Array) -> Array:
    """Signed integers as unsigned integers with the same bits."""
    element = x.type.element
    is_signed = element.kind is NumberKind.SIGNED
    return apply("bit_cast", x, target_type=f"u{element.bits}") if is_signed else x


def _without_sign(rule: Callable[[Array, Array], Array]) -> Rule:
    """An op of two integers that are read without a sign."""

    def of_unsigned(call: OpCall) -> Results:
        element = call.arrays[0].type.element
        a, b = [unsigned(x) for x in call.arrays]
        result = rule(a, b)
        is_changed = result.type.element is not element and result.type.element is not BOOL
        return apply("bit_cast", result, target_type=element.name) if is_changed else result

    return of_unsigned


def _constant(call: OpCall) -> Results:
    value = call.operation.attributes["value"]
    if isinstance(value, Dense):
        return constant(call)
    element = call.element
    number = bool(value) if element is BOOL else value
    if not isinstance(number, bool | int | float):
        call.refuse(f"got {value}, wanted a number")
    rounded = np.array(number).astype(numpy_dtype(element))
    return Array(call.tracer.constant(rounded, call.operation.place), call.tracer)


def _convert_unsigned(call: OpCall) -> Results:
    """From integers that are read without a sign."""
    return as_type(unsigned(call.arrays[0]), call.element.name)


def _to_unsigned(call: OpCall) -> Results:
    """From floats to integers without a sign."""
    wanted = call.element
    made = as_type(call.arrays[0], f"u{wanted.bits}" if wanted is not BOOL else wanted.name)
    return made if wanted is BOOL else apply("bit_cast", made, target_type=wanted.name)


def _extended(call: OpCall) -> Results:
    """Integers with copies of their highest bit; of i1 the numbers 0 and -1."""
    (x,) = call.arrays
    made = as_type(x, call.element.name)
    return apply("neg", made) if x.type.element is BOOL else made


def _truncated(call: OpCall) -> Results:
    """The lower bits of integers."""
    (x,) = call.arrays
    if call.element is not BOOL:
        return as_type(x, call.element.name)
    return computed("not_equal", computed("bitwise_and", x, like(1, x)), like(0, x))


def _bitcast(call: OpCall) -> Results:
    (x,) = call.arrays
    return x if x.type.element is call.element else apply("bit_cast", x, target_type=call.element.name)


_ORDERED = {
    "eq": "equal", "ne": "not_equal", "gt": "greater", "ge": "greater_equal", "lt": "less",
    "le": "less_equal",
}  # fmt: skip


_UNORDERED = {
    "gt": "less_equal", "ge": "less", "lt": "greater_equal", "le": "greater", "ne": "equal",
}  # fmt: skip
"""The comparisons that are false if a comparison or a NaN is true."""


def _compare_floats(call: OpCall) -> Results:
    a, b = call.arrays
    predicate = call.operation.text("predicate")
    if predicate in ("true", "alwaystrue", "false", "alwaysfalse"):
        return spread("true" in predicate, a, BOOL)
    if predicate in ("ord", "uno"):
        return _has_nan(call, a, b, predicate == "uno")
    if predicate in ("one", "ueq"):
        differs = computed("logical_or", computed("less", a, b), computed("greater", a, b))
        return computed("logical_not", differs) if predicate == "ueq" else differs
    if predicate[0] == "u":
        return computed("logical_not", computed(_UNORDERED[predicate[1:]], a, b))
    return computed(_ORDERED[predicate[1:]], a, b)


def _has_nan(call: OpCall, a: Array, b: Array, wanted: bool) -> Array:
    """Whether either number is a NaN, or whether none is. A constant that is none needs no test."""
    tests = [computed("isnan", x) for x in (a, b) if (number := call.number(x)) is None or number != number]
    if not tests:
        return spread(not wanted, a, BOOL)
    is_nan = tests[0] if len(tests) == 1 else computed("logical_or", *tests)
    return is_nan if wanted else computed("logical_not", is_nan)


def _compare_integers(call: OpCall) -> Results:
    a, b = call.arrays
    predicate = call.operation.text("predicate")
    if predicate[0] == "u":
        a, b = unsigned(a), unsigned(b)
    elif predicate[0] == "s" and a.type.element is BOOL:
        a, b = b, a  # true is -1
    else:
        a, b = _narrow(call, a, b)
    return computed(_ORDERED[predicate if predicate in _ORDERED else predicate[1:]], a, b)


def _narrow(call: OpCall, a: Array, b: Array) -> tuple[Array, Array]:
    """Two i64 that were i32 both, as i32; others stay as they are."""
    before: list[Array] = []
    for each in (a, b):
        statement = call.definitions.get(each.value)
        if statement is None or statement.op is not CONVERT or each.type.element is not I64:
            return a, b
        (operand,) = statement.operands
        if operand.type.element is not I32:
            return a, b
        before.append(Array(operand, call.tracer))
    return before[0], before[1]


def _quotient_up(a: Array, b: Array) -> Array:
    quotient = apply("div", a, b)
    rest = computed("not_equal", apply("mul", quotient, b), a)
    is_positive = computed("equal", a < 0, b < 0)
    return where(computed("logical_and", rest, is_positive), quotient + 1, quotient)


def _divide_up(call: OpCall) -> Results:
    a, b = call.arrays
    return _quotient_up(a, b)


def _select(call: OpCall) -> Results:
    return where(*call.arrays)


def _round_to_zero(call: OpCall) -> Results:
    return trunc(call.arrays[0])


def _erfc(call: OpCall) -> Results:
    return erfc(call.arrays[0])


def _fma(call: OpCall) -> Results:
    a, b, c = call.arrays
    return apply("add", apply("mul", a, b), c)


def _clamp(call: OpCall) -> Results:
    x, low, high = call.arrays
    return computed("minimum", computed("maximum", x, low), high)


def _trailing_zeros(call: OpCall) -> Results:
    """The set bits of the bits below the lowest set bit."""
    (x,) = call.arrays
    return apply("popcount", apply("bitwise_and", x - 1, apply("bitwise_not", x)))


def _half(call: OpCall) -> Results:
    return away_from_zero(call)


_ARITH: dict[str, Rule] = {
    "addf": op("add"), "addi": _integers("add", "not_equal"), "andi": _ufunc("bitwise_and"),
    "bitcast": _bitcast,
    "ceildivsi": _divide_up, "ceildivui": _without_sign(_quotient_up),
    "cmpf": _compare_floats, "cmpi": _compare_integers, "constant": _constant, "divf": op("div"),
    "divsi": op("div"), "divui": _without_sign(lambda a, b: apply("div", a, b)), "extf": convert,
    "extsi": _extended, "extui": _convert_unsigned, "floordivsi": _ufunc("floor_divide"),
    "fptosi": convert, "fptoui": _to_unsigned, "index_cast": _extended, "index_castui": _convert_unsigned,
    "maximumf": _ufunc("maximum"), "maxnumf": _ufunc("fmax"), "maxsi": _integers("maximum", "logical_and"),
    "maxui": _without_sign(lambda a, b: computed("maximum", a, b)), "minimumf": _ufunc("minimum"),
    "minnumf": _ufunc("fmin"), "minsi": _integers("minimum", "logical_or"),
    "minui": _without_sign(lambda a, b: computed("minimum", a, b)), "mulf": op("mul"),
    "muli": _integers("multiply", "logical_and"), "negf": op("neg"), "ori": _ufunc("bitwise_or"),
    "remf": op("fmod"),
    "remsi": op("fmod"), "remui": _without_sign(lambda a, b: apply("fmod", a, b)), "select": _select,
    "shli": op("left_shift"), "shrsi": op("right_shift"),
    "shrui": _without_sign(lambda x, count: apply("right_shift", x, count)), "sitofp": convert,
    "subf": op("sub"), "subi": _integers("subtract", "not_equal"), "truncf": convert, "trunci": _truncated,
    "uitofp": _convert_unsigned, "xori": _ufunc("bitwise_xor"),
}  # fmt: skip
_MATH: dict[str, Rule] = {
    "absf": op("abs"), "absi": op("abs"), "acos": op("acos"), "acosh": op("acosh"), "asin": op("asin"),
    "asinh": op("asinh"), "atan": op("atan"), "atan2": _ufunc("arctan2"), "atanh": op("atanh"),
    "cbrt": _ufunc("cbrt"), "ceil": op("ceil"), "clampf": _clamp, "copysign": _ufunc("copysign"),
    "cos": op("cos"), "cosh": op("cosh"), "ctlz": op("leading_zeros"), "ctpop": op("popcount"),
    "cttz": _trailing_zeros, "erf": op("erf"), "erfc": _erfc, "exp": op("exp"), "exp2": _ufunc("exp2"),
    "expm1": _ufunc("expm1"),
    "floor": op("floor"), "fma": _fma, "fpowi": power, "ipowi": op("pow"),
    "isfinite": _ufunc("isfinite"), "isinf": op("isinf"), "isnan": op("isnan"), "log": op("log"),
    "log10": _ufunc("log10"), "log1p": _ufunc("log1p"), "log2": op("log2"), "powf": power,
    "round": _half, "roundeven": op("nearbyint"), "rsqrt": op("rsqrt"), "sin": op("sin"),
    "sinh": op("sinh"), "sqrt": op("sqrt"), "tan": op("tan"), "tanh": op("tanh"), "trunc": _round_to_zero,
}  # fmt: skip
RULES: dict[str, Rule] = {f"arith.{name}": rule for name, rule in _ARITH.items()} | {
    f"math.{name}": rule for name, rule in _MATH.items()
}
