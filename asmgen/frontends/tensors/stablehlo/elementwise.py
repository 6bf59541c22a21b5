"""StableHLO ops that compute each element by itself."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from asmgen.frontends.tensors.computing import computed
from asmgen.frontends.tensors.error_functions import erfc
from asmgen.frontends.tensors.op_call import OpCall, Results
from asmgen.frontends.tensors.regions import compared
from asmgen.frontends.tensors.signs import is_positive
from asmgen.frontends.tensors.types import element_of
from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import like
from asmgen.frontends.traced.ufunc_table import signbit, trunc, where
from asmgen.graph.ops import ABS, MUL, NEG
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.numbers import integer_range, number_as
from asmgen.ir.program import Value
from asmgen.ir.types import BOOL, ElementType, NumberKind
from asmgen.mlir.source import Dense

Rule = Callable[[OpCall], Results]


def _of(ufunc: str) -> Rule:
    """The op that computes as a ufunc of numpy does with operands of the same type."""

    def rule(call: OpCall) -> Results:
        return computed(ufunc, *call.arrays)

    return rule


def op(name: str) -> Rule:
    """The op that is an op of the graph."""

    def rule(call: OpCall) -> Results:
        return apply(name, *call.arrays)

    return rule


def constant(call: OpCall) -> Results:
    """The numbers of an attribute `value`."""
    element = element_of(call.operation.result.type, call.operation.place)
    given = call.operation.attributes["value"]
    if not isinstance(given, Dense):
        call.refuse(f"{given} has no numbers, wanted dense<...>", "print the module with its constants")
    dtype, dims = numpy_dtype(element), call.type.dims
    numbers = np.array(given.values, np.float64 if element.is_float else object).astype(dtype)
    place = call.operation.place
    if len(numbers) == 1 and dims:
        number = Array(call.tracer.constant(numbers.reshape(()), place), call.tracer)
        return apply("multibroadcast", number, out_lens=dims)
    return Array(call.tracer.constant(numbers.reshape([int(str(dim)) for dim in dims]), place), call.tracer)


def convert(call: OpCall) -> Results:
    """Numbers in the type of the result. A number that is known is a literal of that type."""
    (x,) = call.arrays
    known = call.number(x)
    number = (
        None if known is None else bool(known) if call.element is BOOL else number_as(known, call.element)
    )
    if number is None or not math.isfinite(number):
        return as_type(x, call.element.name)
    made = Array(call.tracer.number(number, call.element, call.operation.place), call.tracer)
    return apply("multibroadcast", made, out_lens=x.type.dims) if x.type.rank else made


def as_type(x: Array, element: str) -> Array:
    """An array converted to a type."""
    return x if x.type.element.name == element else apply("convert", x, target_type=element)


def _bitcast(call: OpCall) -> Results:
    """The bits of a wide element are those of several narrow elements along a last axis, the lowest first."""
    (x,) = call.arrays
    element, wanted = x.type.element, call.element
    if BOOL in (element, wanted):
        call.refuse(f"got {element} to {wanted}, wanted types of the same width")
    bits = apply("bit_cast", x, target_type=f"u{element.bits}")
    if element.bits > wanted.bits:
        shifted = [
            apply("right_shift", bits, like(low, bits)) if low else bits
            for low in range(0, element.bits, wanted.bits)
        ]
        parts = [as_type(each, f"u{wanted.bits}") for each in shifted]
        bits = apply("concat", *[apply("unsqueeze", each, axes=(x.type.rank,)) for each in parts], axis=-1)
    elif element.bits < wanted.bits:
        bits = _joined(bits, f"u{wanted.bits}")
    return apply("bit_cast", bits, target_type=wanted.name)


def _joined(parts: Array, wide: str) -> Array:
    """Integers made of the elements along the last axis."""
    rank, narrow = parts.type.rank - 1, parts.type.element.bits
    whole: Array | None = None
    for number in range(int(str(parts.type.dims[-1]))):
        part = apply("slice", parts, axes=(rank,), starts=(number,), ends=(number + 1,))
        part = as_type(apply("squeeze", part, axes=(rank,)), wide)
        part = apply("left_shift", part, like(number * narrow, part)) if number else part
        whole = part if whole is None else apply("add", whole, part)
    assert whole is not None, "the parser has checked the number of parts"
    return whole


_DIRECTIONS = {
    "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater",
    "ge": "greater_equal",
}  # fmt: skip


_COMPARED = {
    "float": NumberKind.FLOAT, "totalorder": NumberKind.FLOAT, "signed": NumberKind.SIGNED,
    "unsigned": NumberKind.UNSIGNED,
}  # fmt: skip


def _compare(call: OpCall) -> Results:
    a, b = call.arrays
    type_ = call.operation.text("compare_type").lower()
    kind = NumberKind.UNSIGNED if a.type.element is BOOL else a.type.element.kind
    if _COMPARED.get(type_, kind) is not kind:
        call.refuse(f"compares {a.type.element} as {type_.upper()}, wanted the kind of its operands' type")
    if call.operation.text("compare_type") == "totalorder" and a.type.element.is_float:
        a, b = in_total_order(a), in_total_order(b)
    elif (known := _known_comparison(call, a, b)) is not None:
        return known
    return computed(_DIRECTIONS[call.operation.text("comparison_direction")], a, b)


def _known_comparison(call: OpCall, a: Array, b: Array) -> Array | None:
    """A comparison of two numbers that are known, or of a truth value with `false` for equality; None for any
    other."""
    first, second = call.number(a), call.number(b)
    if a.type.dims != b.type.dims:
        return None
    if first is None and a.type.element is BOOL and second is False:
        direction = call.operation.text("comparison_direction").lower()
        return {"eq": computed("invert", a), "ne": a}.get(direction)
    if first is None or second is None:
        return None
    is_true = compared(call.operation, first, second)
    if is_true is None:
        return None
    made = Array(call.tracer.number(is_true, BOOL, call.operation.place), call.tracer)
    return apply("multibroadcast", made, out_lens=a.type.dims) if a.type.rank else made


def in_total_order(x: Array) -> Array:
    """Integers in the total order of IEEE 754: the magnitude of a negative number counts down."""
    return _turned(apply("bit_cast", x, target_type=f"i{x.type.element.bits}"))


def from_total_order(keys: Array, element: ElementType) -> Array:
    """The floats that `in_total_order` made integers of."""
    return apply("bit_cast", _turned(keys), target_type=element.name)


def _turned(bits: Array) -> Array:
    """The magnitude bits of negative integers inverted. Its own inverse."""
    _, high = integer_range(bits.type.element)
    return where(bits < 0, apply("bitwise_xor", bits, like(high, bits)), bits)


_MOST_FACTORS = 4


def power(call: OpCall) -> Results:
    """A power. A known exponent makes a product or a square root, which takes a tenth of the instructions."""
    x, exponent = call.arrays
    known = call.number(exponent)
    if not x.type.element.is_float or known is None:
        return apply("pow", x, as_type(exponent, x.type.element.name))
    if known in range(1, _MOST_FACTORS + 1):
        magnitude = call.definitions.get(x.value)
        if known % 2 == 0 and magnitude is not None and magnitude.op is ABS:
            x = Array(magnitude.operands[0], call.tracer)
        product = x
        for _ in range(int(known) - 1):
            product = apply("mul", product, x)
        return product
    if known != 0.5:
        return apply("pow", x, as_type(exponent, x.type.element.name))
    if is_positive(x.value, call.definitions.get):
        return apply("sqrt", x)
    # -0.0 to the power 0.5 is 0.0, and that of -infinity is infinity
    root = apply("sqrt", apply("add", x, like(0.0, x)))
    return where(apply("equal", x, like(-math.inf, x)), like(math.inf, x), root)


def _shift_right(letter: str) -> Rule:
    """The shift reads the bits with a sign (i) or without (u), whatever the type of its operands."""

    def rule(call: OpCall) -> Results:
        x, count = call.arrays
        element, read = x.type.element, f"{letter}{x.type.element.bits}"
        if element.name == read:
            return apply("right_shift", x, count)
        bits = [apply("bit_cast", each, target_type=read) for each in (x, count)]
        return apply("bit_cast", apply("right_shift", *bits), target_type=element.name)

    return rule


def away_from_zero(call: OpCall) -> Results:
    """Halves round away from zero. The fraction that `trunc` takes off is exact."""
    (x,) = call.arrays
    whole = trunc(x)
    return where(abs(x - whole) >= 0.5, whole + _sign_of(x), whole)


def _sign_of(x: Array) -> Array:
    """1 with the sign of a number."""
    return where(signbit(x), like(-1, x), like(1, x))


def _select(call: OpCall) -> Results:
    chosen, a, b = call.arrays
    if call.number(a) is True and call.number(b) is False and chosen.type.dims == a.type.dims:
        return chosen
    return where(chosen, a, b)


def _clamp(call: OpCall) -> Results:
    low, x, high = call.arrays
    return computed("minimum", computed("maximum", x, low), high)


def _logistic(call: OpCall) -> Results:
    return apply("sigmoid", *call.arrays)


_FORMATS = {(8, 7): "bf16", (5, 10): "f16", (8, 23): "f32", (11, 52): "f64", (5, 2): "fp8e5m2"}


def _reduce_precision(call: OpCall) -> Results:
    (x,) = call.arrays
    bits = call.operation.integer("exponent_bits"), call.operation.integer("mantissa_bits")
    name = _FORMATS.get(bits)
    if name is None:
        call.refuse(
            f"got {bits[0]} exponent and {bits[1]} mantissa bits, wanted those of a type: {_FORMATS_TEXT}"
        )
    return as_type(as_type(x, name), x.type.element.name)


_FORMATS_TEXT = ", ".join(
    f"{name} ({exponent} and {mantissa})" for (exponent, mantissa), name in _FORMATS.items()
)


def _same(call: OpCall) -> Results:
    return call.items


def _map(call: OpCall) -> Results:
    """A block for single elements, computed for all."""
    return call.inline(call.operation.body, call.items)


def _infinite(sign: int) -> Rule:
    def rule(call: OpCall) -> Results:
        (x,) = call.arrays
        return apply("equal", x, like(sign * math.inf, x))

    return rule


def _square(call: OpCall) -> Results:
    (x,) = call.arrays
    return apply("mul", x, x)


def _erfc(call: OpCall) -> Results:
    """A gelu multiplies erfc(-c x) by x: its error is that of a difference from 1."""
    (x,) = call.arrays
    return like(1, x) - apply("erf", x) if _is_gate(call, x) else erfc(x)


def _is_gate(call: OpCall, x: Array) -> bool:
    """Whether all readers of erfc(-c x) multiply it by x or x / 2."""
    negated = _factor_of(call, x)
    statement = None if negated is None else call.definitions.get(negated)
    if statement is None or statement.op is not NEG:
        return False
    (of,) = statement.operands
    result = call.operation.result
    for reader in call.readers(result):
        others = [each for each in reader.operands if each is not result]
        if reader.name != "stablehlo.multiply" or len(others) != 1:
            return False
        other = call.known_item(others[0])
        if not isinstance(other, Array) or (other.value is not of and _factor_of(call, other) is not of):
            return False
    return True


def _factor_of(call: OpCall, x: Array) -> Value | None:
    """The value that a number is multiplied by; None for another array."""
    statement = call.definitions.get(x.value)
    if statement is None or statement.op is not MUL:
        return None
    others = [each for each in statement.operands if call.definitions.number(each) is None]
    return others[0] if len(others) == 1 else None


def _next_after(call: OpCall) -> Results:
    """The neighbour of x in the direction of y: the bits of its magnitude plus or minus 1."""
    x, y = call.arrays
    element, zero = x.type.element, like(0, x)
    bits, of_y = [apply("bit_cast", each, target_type=f"i{element.bits}") for each in (x, y)]
    low, _ = integer_range(bits.type.element)
    is_away = apply("equal", apply("greater", y, x), apply("greater", x, zero))
    moved = bits + where(is_away, like(1, bits), like(-1, bits))
    least = apply("bitwise_or", apply("bitwise_and", of_y, like(low, bits)), like(1, bits))
    next_ = where(apply("equal", x, zero), least, moved)
    result = apply("bit_cast", where(apply("equal", x, y), of_y, next_), target_type=element.name)
    return where(apply("bitwise_or", apply("isnan", x), apply("isnan", y)), like(math.nan, x), result)


def _sign(call: OpCall) -> Results:
    """-1, 0 or 1; a zero keeps its sign, and NaN stays."""
    (x,) = call.arrays
    if not x.type.element.is_float:
        return apply("sign", x)
    return where(abs(x) > 0, _sign_of(x), x)


_STABLEHLO: dict[str, Rule] = {
    f"stablehlo.{name}": rule
    for name, rule in {
        "abs": _of("absolute"), "add": _of("add"), "and": _of("bitwise_and"), "atan2": _of("arctan2"),
        "bitcast_convert": _bitcast, "cbrt": _of("cbrt"), "ceil": op("ceil"), "clamp": _clamp,
        "compare": _compare, "constant": constant, "convert": convert, "cosine": op("cos"),
        "count_leading_zeros": op("leading_zeros"), "divide": op("div"), "exponential": op("exp"),
        "exponential_minus_one": _of("expm1"), "floor": op("floor"), "is_finite": _of("isfinite"),
        "log": op("log"), "log_plus_one": _of("log1p"), "logistic": _logistic, "map": _map,
        "maximum": _of("maximum"),
        "minimum": _of("minimum"), "multiply": _of("multiply"), "negate": op("neg"), "not": _of("invert"),
        "optimization_barrier": _same, "or": _of("bitwise_or"), "popcnt": op("popcount"), "power": power,
        "reduce_precision": _reduce_precision, "remainder": op("fmod"),
        "round_nearest_afz": away_from_zero, "round_nearest_even": op("nearbyint"), "rsqrt": op("rsqrt"),
        "select": _select, "shift_left": op("left_shift"), "shift_right_arithmetic": _shift_right("i"),
        "shift_right_logical": _shift_right("u"), "sign": _sign, "sine": op("sin"),
        "sqrt": op("sqrt"), "subtract": op("sub"), "tan": op("tan"), "tanh": op("tanh"),
        "xor": _of("bitwise_xor"),
    }.items()
}  # fmt: skip
_CHLO: dict[str, Rule] = {
    f"chlo.{name}": rule
    for name, rule in {
        "acos": op("acos"), "acosh": op("acosh"), "asin": op("asin"), "asinh": op("asinh"),
        "atan": op("atan"), "atanh": op("atanh"), "constant": constant, "cosh": op("cosh"),
        "erf": op("erf"), "erfc": _erfc, "is_inf": op("isinf"), "is_neg_inf": _infinite(-1),
        "is_pos_inf": _infinite(1),
        "next_after": _next_after, "sinh": op("sinh"), "square": _square, "tan": op("tan"),
    }.items()
}  # fmt: skip
_BROADCAST = (
    "add", "and", "atan2", "compare", "divide", "maximum", "minimum", "multiply", "or", "power", "remainder",
    "select", "shift_left", "shift_right_arithmetic", "shift_right_logical", "subtract", "xor",
)  # fmt: skip


def _broadcast(rule: Rule) -> Rule:
    """An op of CHLO with operands that broadcast as in numpy, which is how ops of the graph broadcast."""

    def broadcast(call: OpCall) -> Results:
        ranks = [each.type.rank for each in call.arrays]
        last = tuple(range(max(ranks) - min(ranks), max(ranks)))
        if call.operation.integers("broadcast_dimensions") not in ((), last):
            call.refuse("got broadcast_dimensions, wanted operands that broadcast from their last dims on")
        return rule(call)

    return broadcast


def _same_dims(rule: Rule) -> Rule:
    """An op with operands of the same dims, except for numbers of rank 0."""

    def of_same_dims(call: OpCall) -> Results:
        shapes = [x.type.dims for x in call.arrays if x.type.rank]
        for other in shapes[1:]:
            for first, second in zip(shapes[0], other, strict=True):
                call.same(first, second)
        return rule(call)

    return of_same_dims


RULES: dict[str, Rule] = (
    {name: _same_dims(rule) for name, rule in (_STABLEHLO | _CHLO).items() if rule is not _same}
    | {name: rule for name, rule in _STABLEHLO.items() if rule is _same}
    | {f"chlo.broadcast_{name}": _broadcast(_STABLEHLO[f"stablehlo.{name}"]) for name in _BROADCAST}
)
