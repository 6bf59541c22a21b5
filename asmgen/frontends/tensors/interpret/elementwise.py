"""Ops that compute each element by itself: functions of numpy, with the types of the results."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from asmgen.frontends.tensors.interpret.call import Call, Semantics, of_call
from asmgen.frontends.tensors.interpret.values import Array, Value, converted, dims_of, element_of, rounded
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.types import BOOL, ELEMENT_TYPES
from asmgen.mlir.source import Dense

Function = Callable[..., Any]
_ERF: Function = np.vectorize(math.erf, otypes=[np.float64])
_ERFC: Function = np.vectorize(math.erfc, otypes=[np.float64])
_WHERE: Function = np.where
_BIT_COUNT = np.frompyfunc(int.bit_count, 1, 1)
_BIT_LENGTH = np.frompyfunc(int.bit_length, 1, 1)


def _quotient(a: Array, b: Array) -> Any:
    """Floats divide; integers truncate, and x / 0 is 0."""
    if a.dtype.kind == "f":
        return a / b
    divisor = np.where(b == 0, 1, b)
    low = a // divisor  # rounds down
    result = np.where((low * divisor != a) & ((a < 0) != (divisor < 0)), low + 1, low)
    return np.where(b == 0, 0, result)


def _remainder(a: Array, b: Array) -> Any:
    if a.dtype.kind == "f":
        return np.fmod(a, b)
    return np.where(b == 0, 0, np.fmod(a, np.where(b == 0, 1, b)))


def _power(a: Array, b: Array) -> Any:
    if a.dtype.kind == "f":
        return np.power(a, b)
    result, factor, rest = np.ones_like(a), a, np.where(b > 0, b, 0)
    while rest.any():
        result = np.where(rest & 1 == 1, result * factor, result)
        factor, rest = factor * factor, rest >> 1
    negative = np.where(a == 1, 1, np.where(a == -1 if a.dtype.kind == "i" else False, 1 - 2 * (b & 1), 0))
    return np.where(b < 0, negative, result)


def _of_bool(of_numbers: Function, of_bools: Function) -> Function:
    def function(a: Array, b: Array) -> Any:
        return of_bools(a, b) if a.dtype == bool else of_numbers(a, b)

    return function


def _shifted(shift: Function, beyond: Function) -> Function:
    """A shift by a count that is read without a sign; by the number of bits or more it gives `beyond`."""

    def function(a: Array, count: Array) -> Any:
        bits = a.dtype.itemsize * 8
        inside = (count >= 0) & (count < bits)
        shifted: Array = shift(a, np.where(inside, count, 0).astype(a.dtype))
        return np.where(inside, shifted, beyond(a))

    return function


def _shift_right(letter: str, beyond: Function) -> Function:
    """A shift that reads the bits with a sign (i) or without (u), whatever the type of its operands."""
    shift = _shifted(np.right_shift, beyond)

    def function(a: Array, count: Array) -> Any:
        read = f"{letter}{a.dtype.itemsize}"
        return shift(a.view(read), count.view(read)).view(a.dtype)

    return function


def _zero(a: Array) -> Any:
    return np.zeros_like(a)


def _bits_of(x: Array) -> Array:
    return x.view(f"u{x.dtype.itemsize}")


def _ones(x: Array) -> Any:
    return _BIT_COUNT(_bits_of(x).astype(object))


def _leading(x: Array) -> Any:
    return x.dtype.itemsize * 8 - _BIT_LENGTH(_bits_of(x).astype(object))


def _trailing(x: Array) -> Any:
    bits = x.dtype.itemsize * 8
    lowest = _bits_of(x & -x).astype(object)
    return np.where(x == 0, bits, _BIT_LENGTH(lowest) - 1)


def _away(x: Array) -> Any:
    whole = np.trunc(x)
    return np.where(np.abs(x - whole) >= 0.5, whole + np.sign(x), whole)


def _sign(x: Array) -> Any:
    return np.where(x == 0, x, np.sign(x))


def _cast(call: Call) -> Array:
    return converted(call.arrays[0], call.element)


def _bitcast(call: Call) -> Array:
    element = element_of(call.operation.operands[0].type)
    narrow, wanted = call.arrays[0].astype(numpy_dtype(element)), numpy_dtype(call.element)
    dims = [-1 if dim is None else dim for dim in call.stated]
    return rounded(np.ascontiguousarray(narrow).view(wanted).reshape(dims), call.element)


def _constant(call: Call) -> Array:
    value = call.operation.attributes["value"]
    given = value.values if isinstance(value, Dense) else (value,)
    numbers = np.array(given, np.float64 if call.element.is_float else object)
    if not call.element.is_float:
        numbers = numbers.astype(numpy_dtype(call.element))
    return np.broadcast_to(rounded(numbers, call.element), (math.prod(call.dims),)).reshape(call.dims)


_COMPARE: dict[str, Function] = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
    "ge": np.greater_equal,
}  # fmt: skip


def _compare(call: Call) -> Array:
    a, b = call.arrays
    if call.operation.text("compare_type") == "totalorder" and a.dtype.kind == "f":
        a, b = [
            np.where(x < 0, np.iinfo(np.int64).min - x - 1, x) for x in (a.view(np.int64), b.view(np.int64))
        ]
    return _COMPARE[call.operation.text("comparison_direction")](a, b)


def _logistic(x: Array) -> Any:
    return 1 / (1 + np.exp(-x))


def _rsqrt(x: Array) -> Any:
    return 1 / np.sqrt(x)


def _log_gamma(x: float) -> float:
    if math.isnan(x) or math.isinf(x):
        return abs(x)
    if x <= 0 and x == math.floor(x):
        return math.inf
    try:
        return math.lgamma(x)
    except OverflowError:
        return math.inf


def _digamma(x: float) -> float:
    """By steps to 20 and more, and the first terms of the series there."""
    if math.isnan(x) or x == -math.inf or (x <= 0 and x == math.floor(x)):
        return math.nan
    if x < 0:
        return _digamma(1 - x) - math.pi / math.tan(math.pi * (x - math.floor(x)))
    steps = 0.0
    while x < 20:
        steps, x = steps + 1 / x, x + 1
    square = 1 / (x * x)
    return math.log(x) - 1 / (2 * x) - square * (1 / 12 - square * (1 / 120 - square / 252)) - steps


def _inverse_erf(x: Any) -> Any:
    """Halley's steps on erf(y) = |x|, or on erfc(y) = 1 - |x| near 1, from an approximation by Winitzki."""
    size = np.abs(x)
    rest = 1 - size
    w = np.log(rest * (1 + size))
    first = 2 / (math.pi * 0.147) + w / 2
    is_near = size < 0.5
    far = np.sqrt(np.sqrt(first * first - w / 0.147) - first)
    start = _WHERE(is_near, size * math.sqrt(math.pi) / 2, far)
    return _WHERE(rest == 0, np.copysign(np.inf, x), np.copysign(_solved(start, size, is_near), x))


def _solved(y: Any, size: Any, is_near: Any) -> Any:
    for _ in range(5):
        error = _WHERE(is_near, size - _ERF(y), _ERFC(y) - (1 - size))
        step = error * (math.sqrt(math.pi) / 2) * np.exp(y * y)
        y = y + step / (1 + y * step)
    return y


def _next_after(call: Call) -> Array:
    narrow = [each.astype(numpy_dtype(call.element)) for each in call.arrays]
    return np.nextafter(*narrow).astype(np.float64)


def _fma(a: Array, b: Array, c: Array) -> Any:
    return a * b + c


def _clampf(x: Array, low: Array, high: Array) -> Any:
    return np.minimum(np.maximum(x, low), high)


def _sign_bits(a: Array) -> Any:
    return a >> (a.dtype.itemsize * 8 - 1)


def _clamp(low: Array, x: Array, high: Array) -> Any:
    return np.minimum(np.maximum(x, low), high)


def _reduced(call: Call) -> Array:
    """Rounded to a float with fewer bits, which may overflow or become 0."""
    exponent, mantissa = call.operation.integer("exponent_bits"), call.operation.integer("mantissa_bits")
    (x,) = call.arrays
    bias = 2 ** (exponent - 1) - 1
    _, power = np.frexp(np.where(np.isfinite(x) & (x != 0), x, 1.0))
    unit = np.maximum(power - 1, 1 - bias) - mantissa
    result = np.ldexp(np.rint(np.ldexp(x, -unit)), unit)
    largest = (2 - 2.0**-mantissa) * 2.0**bias
    return np.where(np.isfinite(x), np.where(np.abs(result) > largest, np.copysign(np.inf, x), result), x)


_UNARY: dict[str, Function] = {
    "abs": np.abs, "cbrt": np.cbrt, "ceil": np.ceil, "cosine": np.cos, "count_leading_zeros": _leading,
    "exponential": np.exp, "exponential_minus_one": np.expm1, "floor": np.floor, "is_finite": np.isfinite,
    "log": np.log, "log_plus_one": np.log1p, "logistic": _logistic, "negate": np.negative,
    "not": np.invert, "popcnt": _ones, "round_nearest_afz": _away, "round_nearest_even": np.rint,
    "rsqrt": _rsqrt, "sign": _sign, "sine": np.sin, "sqrt": np.sqrt, "tan": np.tan, "tanh": np.tanh,
}  # fmt: skip
_BINARY: dict[str, Function] = {
    "add": _of_bool(np.add, np.logical_or), "and": np.bitwise_and, "atan2": np.arctan2, "divide": _quotient,
    "maximum": np.maximum, "minimum": np.minimum,
    "multiply": _of_bool(np.multiply, np.logical_and), "or": np.bitwise_or, "power": _power,
    "remainder": _remainder, "shift_left": _shifted(np.left_shift, _zero),
    "shift_right_arithmetic": _shift_right("i", _sign_bits),
    "shift_right_logical": _shift_right("u", _zero), "subtract": np.subtract, "xor": np.bitwise_xor,
    "select": np.where, "clamp": _clamp,
}  # fmt: skip
_CHLO: dict[str, Function] = {
    "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin, "asinh": np.arcsinh, "atan": np.arctan,
    "atanh": np.arctanh, "cosh": np.cosh, "erf": _ERF, "erfc": _ERFC, "erf_inv": _inverse_erf,
    "digamma": np.vectorize(_digamma, otypes=[np.float64]), "is_inf": np.isinf,
    "lgamma": np.vectorize(_log_gamma, otypes=[np.float64]),
    "is_neg_inf": np.isneginf, "is_pos_inf": np.isposinf, "sinh": np.sinh, "square": np.square, "tan": np.tan,
}  # fmt: skip


def _unsigned(function: Function) -> Function:
    """Of integers that are read without a sign."""

    def of_unsigned(*arrays: Array) -> Any:
        bits = [_bits_of(np.ascontiguousarray(x)) if x.dtype.kind == "i" else x for x in arrays]
        result = np.asarray(function(*bits))
        return result if result.dtype == bool else result.astype(arrays[0].dtype)

    return of_unsigned


def _number_wins(choose: Function) -> Function:
    def function(a: Array, b: Array) -> Any:
        return np.where(np.isnan(a), b, np.where(np.isnan(b), a, choose(a, b)))

    return function


def _floor_quotient(a: Array, b: Array) -> Any:
    return np.where(b == 0, 0, np.floor_divide(a, np.where(b == 0, 1, b)))


def _ceil_quotient(a: Array, b: Array) -> Any:
    return -_floor_quotient(-a, b) if a.dtype.kind == "i" else _floor_quotient(a + (b - 1), b)


_ARITH: dict[str, Function] = {
    "addf": np.add, "addi": _of_bool(np.add, np.not_equal), "andi": np.bitwise_and,
    "ceildivsi": _ceil_quotient,
    "ceildivui": _unsigned(_ceil_quotient), "divf": np.divide, "divsi": _quotient,
    "divui": _unsigned(_quotient), "floordivsi": _floor_quotient, "maximumf": np.maximum,
    "maxnumf": _number_wins(np.maximum),
    "maxsi": _of_bool(np.maximum, np.logical_and), "maxui": _unsigned(np.maximum), "minimumf": np.minimum,
    "minnumf": _number_wins(np.minimum), "minsi": _of_bool(np.minimum, np.logical_or),
    "minui": _unsigned(np.minimum),
    "mulf": np.multiply, "muli": _of_bool(np.multiply, np.logical_and), "negf": np.negative,
    "ori": np.bitwise_or,
    "remf": np.fmod, "remsi": _remainder,
    "remui": _unsigned(_remainder), "select": np.where, "shli": _shifted(np.left_shift, _zero),
    "shrsi": _shift_right("i", _sign_bits), "shrui": _shift_right("u", _zero),
    "subf": np.subtract, "subi": _of_bool(np.subtract, np.not_equal), "xori": np.bitwise_xor,
}  # fmt: skip
_MATH: dict[str, Function] = {
    "absf": np.abs, "absi": np.abs, "acos": np.arccos, "acosh": np.arccosh, "asin": np.arcsin,
    "asinh": np.arcsinh, "atan": np.arctan, "atan2": np.arctan2, "atanh": np.arctanh, "cbrt": np.cbrt,
    "ceil": np.ceil, "clampf": _clampf, "copysign": np.copysign, "cos": np.cos,
    "cosh": np.cosh, "ctlz": _leading, "ctpop": _ones, "cttz": _trailing,
    "fpowi": np.power, "erf": _ERF, "erfc": _ERFC, "exp": np.exp,
    "exp2": np.exp2, "expm1": np.expm1, "floor": np.floor, "fma": _fma, "ipowi": _power,
    "isfinite": np.isfinite, "isinf": np.isinf, "isnan": np.isnan, "log": np.log, "log10": np.log10,
    "log1p": np.log1p, "log2": np.log2, "powf": np.power, "round": _away, "roundeven": np.rint,
    "rsqrt": _rsqrt, "sin": np.sin, "sinh": np.sinh, "sqrt": np.sqrt, "tan": np.tan,
    "tanh": np.tanh, "trunc": np.trunc,
}  # fmt: skip


# by predicate: the comparison, and its result if an operand is a NaN
_FLOATS = {
    f"{letter}{name}": (compare, if_unordered)
    for letter, if_unordered in (("o", False), ("u", True))
    for name, compare in _COMPARE.items()
}
_ALWAYS = {"true": True, "alwaystrue": True, "false": False, "alwaysfalse": False}
_ONLY_ORDER = {"ord": False, "uno": True}  # the result if an operand is a NaN
# by predicate: the comparison, and whether the operands are unsigned
_INTEGERS = {
    f"{letter}{name}": (compare, is_unsigned)
    for letter, is_unsigned in (("", False), ("s", False), ("u", True))
    for name, compare in _COMPARE.items()
}


def _compare_floats(call: Call) -> Array:
    a, b = call.arrays
    predicate = call.operation.text("predicate")
    unordered = np.isnan(a) | np.isnan(b)
    if predicate in _ALWAYS:
        return np.full(unordered.shape, _ALWAYS[predicate])
    if predicate in _ONLY_ORDER:
        return unordered == _ONLY_ORDER[predicate]
    compare, if_unordered = _FLOATS[predicate]
    return np.where(unordered, if_unordered, compare(a, b))


def _compare_integers(call: Call) -> Array:
    predicate = call.operation.text("predicate")
    compare, is_unsigned = _INTEGERS[predicate]
    arrays = call.arrays
    if predicate[0] == "s" and arrays[0].dtype == bool:
        arrays = [-x.astype(np.int8) for x in arrays]  # true is -1
    return (_unsigned(compare) if is_unsigned else compare)(*arrays)


def _from_unsigned(call: Call) -> Array:
    (x,) = call.arrays
    return converted(_bits_of(np.ascontiguousarray(x)) if x.dtype.kind == "i" else x, call.element)


def _to_unsigned(call: Call) -> Array:
    unsigned = ELEMENT_TYPES[f"u{call.element.bits}"]
    return converted(call.arrays[0], unsigned).astype(numpy_dtype(call.element))


def _extended(call: Call) -> Array:
    (x,) = call.arrays
    return rounded(-x.astype(np.int64) if x.dtype == bool else x, call.element)


def _truncated(call: Call) -> Array:
    (x,) = call.arrays
    return (x & 1) == 1 if call.element is BOOL else converted(x, call.element)


_WHOLE: dict[str, Callable[[Call], Array]] = {
    "arith.bitcast": _bitcast, "arith.cmpf": _compare_floats, "arith.cmpi": _compare_integers,
    "arith.constant": _constant, "arith.extf": _cast, "arith.extsi": _extended, "arith.extui": _from_unsigned,
    "arith.fptosi": _cast, "arith.fptoui": _to_unsigned, "arith.index_cast": _extended,
    "arith.index_castui": _from_unsigned, "arith.sitofp": _cast, "arith.truncf": _cast,
    "arith.trunci": _truncated, "arith.uitofp": _from_unsigned, "chlo.constant": _constant,
    "stablehlo.bitcast_convert": _bitcast, "stablehlo.compare": _compare, "stablehlo.constant": _constant,
    "stablehlo.convert": _cast, "stablehlo.reduce_precision": _reduced, "chlo.broadcast_compare": _compare,
}  # fmt: skip


def _semantics(function: Function) -> Semantics:
    def semantics(call: Call) -> list[Value]:
        made = np.asarray(function(*call.arrays))
        dims = dims_of(call.operation.results[0].type)
        is_whole = made.shape or not dims or None in dims
        return [rounded(made if is_whole else np.broadcast_to(made, call.dims), call.element)]

    return semantics


def _same(call: Call) -> tuple[Value, ...]:
    """The operands; nothing for an op without results, such as an assertion."""
    return call.values if call.operation.results else ()


_NAMED: dict[str, Function] = {
    **{f"stablehlo.{name}": function for name, function in (_UNARY | _BINARY).items()},
    **{f"chlo.{name}": function for name, function in _CHLO.items()},
    **{f"chlo.broadcast_{name}": function for name, function in _BINARY.items()},
    **{f"arith.{name}": function for name, function in _ARITH.items()},
    **{f"math.{name}": function for name, function in _MATH.items()},
}
SEMANTICS: dict[str, Semantics] = {
    **{name: _semantics(function) for name, function in _NAMED.items()},
    **{name: of_call(function) for name, function in _WHOLE.items()},
    "chlo.next_after": of_call(_next_after),
    "stablehlo.custom_call": _same,
    "stablehlo.optimization_barrier": _same,
}
