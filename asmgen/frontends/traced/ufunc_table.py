"""The ops of each of numpy's ufuncs. Its operands have the types of numpy's loop."""

from __future__ import annotations

import math
from collections.abc import Callable

from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import like, spread, whole_number
from asmgen.frontends.traced.places import caller
from asmgen.frontends.traced.promotion import Operand, as_bool, astype, copy
from asmgen.ir.numbers import FLOAT_FORMATS, integer_range
from asmgen.ir.program import Op
from asmgen.ir.types import BOOL, ELEMENT_TYPES, ElementType, NumberKind
from isa.diagnostics import InputError

Compute = Callable[..., Array | tuple[Array, ...]]
_MOST_FACTORS = 8  # of an integer power that is written as products


def _op(name: str) -> Compute:
    def compute(*operands: Array) -> Array:
        return apply(name, *operands)

    return compute


def _or_of_bools(name: str, of_bools: str) -> Compute:
    def compute(*operands: Array) -> Array:
        return apply(of_bools if operands[0].type.element is BOOL else name, *operands)

    return compute


def where(condition: Array, a: Array, b: Array) -> Array:
    return apply("where", condition, a, b)


# Comparisons


def _mixed(x: Array, y: Array) -> bool:
    """Whether numpy compares i64 with u64, as it does without a conversion."""
    return x.type.element is not y.type.element


def equal(x: Array, y: Array) -> Array:
    if not _mixed(x, y):
        return apply("equal", x, y)
    signed, unsigned = _signed_first(x, y)
    return apply("logical_and", signed >= 0, apply("equal", astype(signed, "u64"), unsigned))


def less(x: Array, y: Array) -> Array:
    if not _mixed(x, y):
        return apply("less", x, y)
    if x.type.element.kind is NumberKind.SIGNED:
        return apply("logical_or", x < 0, apply("less", astype(x, "u64"), y))
    return apply("logical_and", y >= 0, apply("less", x, astype(y, "u64")))


def greater(x: Array, y: Array) -> Array:
    return less(y, x) if _mixed(x, y) else apply("greater", x, y)


def _signed_first(x: Array, y: Array) -> tuple[Array, Array]:
    return (x, y) if x.type.element.kind is NumberKind.SIGNED else (y, x)


def _not_equal(x: Array, y: Array) -> Array:
    return apply("not", equal(x, y))


def _less_equal(x: Array, y: Array) -> Array:
    return apply("logical_or", less(x, y), equal(x, y))


def _greater_equal(x: Array, y: Array) -> Array:
    return apply("logical_or", greater(x, y), equal(x, y))


# Signs, rounding and parts of numbers


def _absolute(x: Array) -> Array:
    return copy(x) if x.type.element is BOOL else apply("abs", x)


def _sign(x: Array) -> Array:
    return apply("sign", x)


def signbit(x: Array) -> Array:
    element = x.type.element
    if element.kind is NumberKind.UNSIGNED or element is BOOL:
        return spread(False, x, BOOL)
    return (apply("bit_cast", x, target_type=f"i{element.bits}") if element.is_float else x) < 0


def copysign(x: Array, y: Array) -> Array:
    return where(signbit(y), -abs(x), abs(x))


def _whole(op: str) -> Compute:
    """A rounding, which leaves integers as they are."""

    def compute(x: Array) -> Array:
        return apply(op, x) if x.type.element.is_float else copy(x)

    return compute


def trunc(x: Array) -> Array:
    if not x.type.element.is_float:
        return copy(x)
    return where(x < 0, apply("ceil", x), apply("floor", x))


def _modf(x: Array) -> tuple[Array, Array]:
    whole = trunc(x)
    return copysign(where(apply("isinf", x), like(0, x), x - whole), x), whole


def _no(op: str) -> Compute:
    """Whether a float is a special number, which no integer is."""

    def compute(x: Array) -> Array:
        return apply(op, x) if x.type.element.is_float else spread(False, x, BOOL)

    return compute


def _isfinite(x: Array) -> Array:
    if not x.type.element.is_float:
        return spread(True, x, BOOL)
    if x.type.element.bits >= 16:  # some types of 8 bits have no infinity
        return apply("less", apply("abs", x), like(math.inf, x))
    return apply("not", apply("logical_or", apply("isnan", x), apply("isinf", x)))


def _heaviside(x: Array, half: Array) -> Array:
    level = where(x == 0, half, where(x > 0, like(1, x), like(0, x)))
    return where(apply("isnan", x), x, level)


# Quotients


def _floor_divide(x: Array, y: Array) -> Array:
    element = x.type.element
    if element.kind is NumberKind.UNSIGNED:
        return apply("div", x, y)
    number = whole_number(y)
    if number is not None and number > 0:
        return _floor_of_positive(x, number)
    if not element.is_float:
        rest, quotient = apply("mod", x, y), apply("div", x, y)
        return where((rest != 0) & ((x < 0) ^ (y < 0)), quotient - 1, quotient)
    if element.bits < 32:  # numpy computes it in f32, too
        return astype(_floor_divide(astype(x, "f32"), astype(y, "f32")), element.name)
    rest = apply("fmod", x, y)
    quotient = apply("div", x - rest, y)
    quotient = where((rest != 0) & ((y < 0) ^ (rest < 0)), quotient - 1, quotient)
    plain = apply("div", x, y)
    whole = where(quotient == 0, copysign(like(0, x), plain), apply("nearbyint", quotient))
    return where(y == 0, plain, whole)


def _floor_of_positive(x: Array, number: int) -> Array:
    """The quotient of a signed integer by a positive number."""
    if number & (number - 1) == 0:
        return apply("right_shift", x, like(number.bit_length() - 1, x))
    from asmgen.graph.compose.integers import floor_quotient

    def applied(op: Op, a: Array, b: Array) -> Array:
        return apply(op.name, a, b)

    return floor_quotient(applied, x, like(number, x), like(x.type.element.bits - 1, x))


def _divmod(x: Array, y: Array) -> tuple[Array, Array]:
    return _floor_divide(x, y), apply("mod", x, y)


def _reciprocal(x: Array) -> Array:
    return apply("recip", x) if x.type.element.is_float else apply("div", like(1, x), x)


# Powers, exponentials and logarithms


def power_of(x: Operand, exponent: float) -> Array | None:
    """A small whole power as products, and the power 0.5 as a square root, as numpy computes them; None
    for the op."""
    if not isinstance(x, Array) or isinstance(exponent, bool):
        return None
    element = x.type.element
    if element is BOOL or (isinstance(exponent, float) and not element.is_float):
        return None
    if exponent < 0 and not element.is_float:
        message = f"got {element} to the power {exponent}, wanted an exponent from 0 on, as in numpy"
        raise InputError(caller(), "TRC004", message, help='x.astype("f32") ** -1.0')
    if exponent == 0:
        return spread(1, x)  # of a NaN, too
    if exponent == 0.5:
        return apply("sqrt", x)
    if exponent == -1:
        return apply("recip", x)
    return _product(x, int(exponent)) if exponent in range(1, _MOST_FACTORS + 1) else None


def _product(x: Array, count: int) -> Array:
    if count == 1:
        return copy(x)
    half = _product(x, count // 2)
    return half * half * x if count % 2 else half * half


def _square(x: Array) -> Array:
    return x * x


def _exp2(x: Array) -> Array:
    return apply("pow", like(2, x), x)


def _log10(x: Array) -> Array:
    return apply("log2", x) * math.log10(2)


def _logaddexp(x: Array, y: Array) -> Array:
    return where(x == y, x + math.log(2), apply("max", x, y) + apply("log1p", apply("exp", -abs(x - y))))


def _logaddexp2(x: Array, y: Array) -> Array:
    rest = apply("log1p", _exp2(-abs(x - y))) * (1 / math.log(2))
    return where(x == y, x + 1, apply("max", x, y) + rest)


def _hypot(x: Array, y: Array) -> Array:
    x, y = abs(x), abs(y)
    large, small = where(x > y, x, y), where(x > y, y, x)
    ratio = apply("div", small, large)
    length = where(large == 0, large, large * apply("sqrt", ratio * ratio + 1))
    sum_ = x + y  # a NaN, if either is
    length = where(apply("isnan", sum_), sum_, length)
    infinite = apply("logical_or", apply("isinf", x), apply("isinf", y))
    return where(infinite, like(math.inf, x), length)


def _ldexp(x: Array, exponent: Array) -> Array:
    """Three factors reach from the largest number to the smallest, and the last has the most of a negative
    exponent: no product before it is rounded."""
    element = x.type.element
    wide = element.name if element.bits >= 32 else "f32"
    least = FLOAT_FORMATS[wide].minimum_exponent
    last, rest = _split(exponent, least)
    middle, rest = _split(rest, least)
    first, _ = _split(rest, least)
    for power in (first, middle, last):
        x = astype(x, wide) * _power_of_two(power, wide)
    return astype(x, element.name)


def _split(exponent: Array, least: int) -> tuple[Array, Array]:
    """The part of an exponent that a normal power of two has, and the rest."""
    part = apply("clip", exponent, like(least, exponent), like(1 - least, exponent))
    return part, exponent - part


def _power_of_two(exponent: Array, name: str) -> Array:
    format_ = FLOAT_FORMATS[name]
    biased = astype(exponent, f"i{ELEMENT_TYPES[name].bits}") + (1 - format_.minimum_exponent)
    return apply("bit_cast", biased << (format_.precision - 1), target_type=name)


# Angles


def _times(factor: float) -> Compute:
    def compute(x: Array) -> Array:
        return x * factor

    return compute


# Maxima


def maximum(x: Array, y: Array) -> Array:
    return apply("logical_or" if x.type.element is BOOL else "max", x, y)


def minimum(x: Array, y: Array) -> Array:
    return apply("logical_and" if x.type.element is BOOL else "min", x, y)


def _without_nan(of: Callable[[Array, Array], Array]) -> Compute:
    """fmax and fmin, in which a NaN loses, whatever max and min make of it."""

    def compute(x: Array, y: Array) -> Array:
        if not x.type.element.is_float or not x.tracer.propagates_nan:
            return of(x, y)
        return where(apply("isnan", x), y, where(apply("isnan", y), x, of(x, y)))

    return compute


# Bits


def _logical(op: str) -> Compute:
    def compute(*operands: Array) -> Array:
        return apply(op, *[as_bool(operand) for operand in operands])

    return compute


def _bitwise_count(x: Array) -> Array:
    """The set bits of the absolute value."""
    if x.type.element is BOOL:
        return astype(x, "u8")
    return astype(apply("popcount", apply("abs", x)), "u8")


def _copied(x: Array) -> Array:
    return copy(x)


def largest(element: ElementType) -> float:
    """The largest finite number of a type."""
    return FLOAT_FORMATS[element.name].largest if element.is_float else integer_range(element)[1]


COMPARISONS = frozenset({"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"})

# A special form of the function for a number as the second operand; None if it has none.
POWERS: dict[str, Callable[[Operand, float], Array | None]] = {
    "power": power_of,
}

LOOPS: dict[str, Compute] = {
    "absolute": _absolute, "add": _or_of_bools("add", "logical_or"),
    "arccos": _op("acos"), "arccosh": _op("acosh"), "arcsin": _op("asin"), "arcsinh": _op("asinh"),
    "arctan": _op("atan"), "arctan2": _op("atan2"), "arctanh": _op("atanh"),
    "bitwise_and": _or_of_bools("bitwise_and", "logical_and"), "bitwise_count": _bitwise_count,
    "bitwise_or": _or_of_bools("bitwise_or", "logical_or"),
    "bitwise_xor": _or_of_bools("bitwise_xor", "logical_xor"), "cbrt": _op("cbrt"), "ceil": _whole("ceil"),
    "conjugate": _copied,
    "copysign": copysign, "cos": _op("cos"), "cosh": _op("cosh"), "deg2rad": _times(math.pi / 180),
    "degrees": _times(180 / math.pi), "divide": _op("div"), "divmod": _divmod, "equal": equal,
    "exp": _op("exp"), "exp2": _exp2, "expm1": _op("expm1"), "fabs": _op("abs"), "float_power": _op("pow"),
    "floor": _whole("floor"), "floor_divide": _floor_divide, "fmax": _without_nan(maximum),
    "fmin": _without_nan(minimum), "fmod": _op("fmod"), "greater": greater, "greater_equal": _greater_equal,
    "heaviside": _heaviside, "hypot": _hypot, "invert": _or_of_bools("bitwise_not", "not"),
    "isfinite": _isfinite,
    "isinf": _no("isinf"), "isnan": _no("isnan"), "ldexp": _ldexp, "left_shift": _op("left_shift"),
    "less": less, "less_equal": _less_equal, "log": _op("log"), "log10": _log10, "log1p": _op("log1p"),
    "log2": _op("log2"),
    "logaddexp": _logaddexp, "logaddexp2": _logaddexp2, "logical_and": _logical("logical_and"),
    "logical_not": _logical("not"), "logical_or": _logical("logical_or"),
    "logical_xor": _logical("logical_xor"), "maximum": maximum, "minimum": minimum, "modf": _modf,
    "multiply": _or_of_bools("mul", "logical_and"), "negative": _op("neg"), "not_equal": _not_equal,
    "positive": _copied, "power": _op("pow"), "rad2deg": _times(180 / math.pi),
    "radians": _times(math.pi / 180), "reciprocal": _reciprocal, "remainder": _op("mod"),
    "right_shift": _op("right_shift"), "rint": _op("nearbyint"), "sign": _sign, "signbit": signbit,
    "sin": _op("sin"), "sinh": _op("sinh"), "sqrt": _op("sqrt"), "square": _square,
    "subtract": _op("sub"), "tan": _op("tan"), "tanh": _op("tanh"), "trunc": trunc,
}  # fmt: skip
