"""The effect of each pointwise op on numpy arrays, over every element type that the op takes.

f32 arithmetic is numpy's own, which rounds to nearest even like the hardware. fma, ldexp, the hardware's
functions and the class test are the lane functions of `isa.semantics`, which the emulator uses too. Functions
of analysis are those of the graph's reference.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from asmgen.graph import ops as graph
from asmgen.graph.reference.functions import CURVES, FUNCTIONS
from asmgen.graph.reference.rounding import round_to
from asmgen.graph.rounded import ROUNDED_FUNCTIONS, function_of
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.program import Attribute, Op
from asmgen.ir.types import ELEMENT_TYPES, F16, F32, NumberKind
from asmgen.lanewise import ops
from isa.semantics.approximate import APPROXIMATE, div_fixup, div_fmas, div_scale
from isa.semantics.bits import highest_one
from isa.semantics.dots import trig_preop
from isa.semantics.float_arithmetic import fma
from isa.semantics.float_choice import maximum, median, minimum
from isa.semantics.floats import class_of, fract, frexp_exponent, frexp_mantissa, ldexp
from isa.semantics.mode import Mode

Array = Any  # numpy arrays, with a type that follows the operands'
Attributes = dict[str, Attribute]
LaneFunction = Callable[[Mode, Attributes, tuple[Array, ...]], tuple[Array, ...]]  # an array per result


def _is_float(dtype: np.dtype[Any]) -> bool:
    """Whether a type is a float of numpy or of ml_dtypes (numpy does not treat floats of ml_dtypes as
    floats)."""
    return dtype.kind not in "biu"


def _plain(function: Callable[..., Any]) -> LaneFunction:
    return lambda _mode, _attributes, operands: (function(*operands),)


def _moded(function: Callable[..., Any]) -> LaneFunction:
    return lambda mode, _attributes, operands: (function(mode, *operands),)


def _median(mode: Mode, _attributes: object, operands: tuple[Array, ...]) -> tuple[Array, ...]:
    a, b, c = operands
    if a.dtype.kind == "f":
        return (median(mode, a, b, c),)
    return (np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c)),)


def _hardware(name: str) -> LaneFunction:
    """Of f32 or of f64, whatever the operand is."""
    calls = {
        size: APPROXIMATE[f"{name}_f{8 * size}"].call
        for size in (4, 8)
        if f"{name}_f{8 * size}" in APPROXIMATE
    }
    return lambda mode, _attributes, operands: (calls[operands[0].dtype.itemsize](mode, *operands),)


def _float_or_integer(of_floats: Callable[..., Any], of_integers: Callable[..., Any]) -> LaneFunction:
    def call(mode: Mode, _attributes: Attributes, operands: tuple[Array, ...]) -> tuple[Array, ...]:
        if _is_float(operands[0].dtype):
            return (of_floats(mode, *operands),)
        return (of_integers(*operands),)

    return call


def _in_f64(function: Callable[[Any], Any]) -> LaneFunction:
    """The correctly rounded function, near enough: computed in f64, of f64 in long double, and rounded."""

    def call(_mode: Mode, _attributes: Attributes, operands: tuple[Array, ...]) -> tuple[Array, ...]:
        (x,) = operands
        return (function(x.astype(np.longdouble if x.dtype == np.float64 else np.float64)).astype(x.dtype),)

    return call


def _both_in_f64(function: Callable[[Any, Any], Any]) -> LaneFunction:
    return lambda _mode, _attributes, operands: (
        function(*[operand.astype(np.float64) for operand in operands]).astype(operands[0].dtype),
    )


def _unordered(a: Array, b: Array) -> Any:
    return np.isnan(a) | np.isnan(b)


def _divide_integers(a: Array, b: Array) -> Any:
    """Truncating; a divisor of 0 gives 0; the most negative number divided by -1 wraps."""
    quotient: Array = cast("Any", np.floor_divide)(_magnitude(a), np.maximum(_magnitude(b), np.uint64(1)))
    signed: Array = cast("Any", np.where)((a < 0) != (b < 0), -quotient, quotient)
    return np.where(b == 0, 0, signed).astype(a.dtype)


def _magnitude(x: Array) -> Any:
    """The absolute value; that of the most negative number is the number itself."""
    return np.abs(x).astype(np.uint64)


def _multiply_high(a: Array, b: Array) -> Any:
    if a.dtype.itemsize == 8:
        return (a.astype(object) * b.astype(object) >> 64).astype(a.dtype)
    wide = np.int64 if a.dtype == np.int32 else np.uint64
    return ((a.astype(wide) * b.astype(wide)) >> wide(32)).astype(a.dtype)


def _divide(_mode: Mode, a: Array, b: Array) -> Any:
    return a / b


def _reciprocal(x: Array) -> Any:
    return x.dtype.type(1) / x


def _shift_left(a: Array, count: Array) -> Any:
    return np.left_shift(a, (count & (8 * a.dtype.itemsize - 1)).astype(a.dtype))


def _shift_right(a: Array, count: Array) -> Any:
    return np.right_shift(a, (count & (8 * a.dtype.itemsize - 1)).astype(a.dtype))


def _align_bits(upper: Array, lower: Array, count: Array) -> Any:
    both = upper.astype(np.uint64) << np.uint64(32) | lower
    return (both >> (count & np.uint32(31)).astype(np.uint64)).astype(np.uint32)


def _signed_bits(word: Array, first: Array, count: Array) -> Any:
    first, count = first.astype(np.int32) & 31, count.astype(np.int32) & 31
    above = np.maximum(32 - first - count, 0)
    bits = np.left_shift(word.astype(np.int32), above % 32) >> np.minimum(above + first, 31)
    return np.where(count == 0, 0, bits).astype(np.uint32)


def _choose_bits(mask: Array, a: Array, b: Array) -> Any:
    return mask & a | ~mask & b


def _multiply_add(a: Array, b: Array, c: Array) -> Any:
    return a.astype(np.uint64) * b + c


def _first_one(x: Array) -> Any:
    return highest_one(x.view(np.uint32)).astype(np.uint32)


def _leading_zeros(x: Array) -> Any:
    unsigned, bits = x.view(f"u{x.dtype.itemsize}"), 8 * x.dtype.itemsize
    return np.array([bits - int(each).bit_length() for each in unsigned.flat], x.dtype).reshape(x.shape)


def _popcount(x: Array) -> Any:
    return np.bitwise_count(x.view(f"u{x.dtype.itemsize}")).astype(x.dtype)


def _clip_integers(x: Array, low: Array, high: Array) -> Any:
    return np.minimum(np.maximum(x, low), high)


def _relu_integers(x: Array) -> Any:
    return np.maximum(x, x.dtype.type(0))


def _clip(mode: Mode, x: Array, low: Array, high: Array) -> Any:
    return minimum(mode, maximum(mode, x, low), high)


def _relu(mode: Mode, x: Array) -> Any:
    return maximum(mode, x, x.dtype.type(0))


def _convert(_mode: Mode, attributes: Attributes, operands: tuple[Array, ...]) -> tuple[Array, ...]:
    (x,) = operands
    element = ELEMENT_TYPES[str(attributes["target_type"])]
    to = numpy_dtype(element)
    if element.kind in (NumberKind.SIGNED, NumberKind.UNSIGNED) and _is_float(x.dtype):
        limits = np.iinfo(to)
        whole = np.nan_to_num(np.trunc(x.astype(np.float64)), nan=0.0, posinf=np.inf, neginf=-np.inf)
        beyond = whole >= float(limits.max)  # of 64 bits, the float is the first that does not fit
        return (
            np.where(
                beyond, limits.max, np.clip(np.where(beyond, 0, whole), limits.min, None).astype(to)
            ).astype(to),
        )
    if element.kind is NumberKind.BOOL:
        return (x != 0,)
    if element.is_float and element.bits < F32.bits and element is not F16:
        return (round_to(x.astype(np.longdouble), element).astype(to),)  # ml_dtypes rounds some of them twice
    return (x.astype(to),)


def _bit_cast(_mode: Mode, attributes: Attributes, operands: tuple[Array, ...]) -> tuple[Array, ...]:
    return (
        np.ascontiguousarray(operands[0]).view(numpy_dtype(ELEMENT_TYPES[str(attributes["target_type"])])),
    )


def _low_word(x: Array) -> Any:
    return (np.ascontiguousarray(x).view(np.uint64) & np.uint64(0xFFFFFFFF)).astype(np.uint32)


def _high_word(x: Array) -> Any:
    return (np.ascontiguousarray(x).view(np.uint64) >> np.uint64(32)).astype(np.uint32)


def _join_words(_mode: Mode, attributes: Attributes, operands: tuple[Array, ...]) -> tuple[Array, ...]:
    low, high = (operand.astype(np.uint64) for operand in operands)
    return ((low | high << np.uint64(32)).view(numpy_dtype(ELEMENT_TYPES[str(attributes["type"])])),)


def _div_scale(mode: Mode, attributes: Attributes, operands: tuple[Array, ...]) -> tuple[Array, ...]:
    numerator, denominator = operands
    return div_scale(mode, numerator if attributes["numerator"] == 1 else denominator, denominator, numerator)


def _is_class(_mode: Mode, attributes: Attributes, operands: tuple[Array, ...]) -> tuple[Array, ...]:
    mask = attributes["mask"]
    assert isinstance(mask, int)
    return (class_of(operands[0], np.array(mask, np.uint32)),)


def _multiple(_mode: Mode, attributes: Attributes, operands: tuple[Array, ...]) -> tuple[Array, ...]:
    by = attributes["by"]
    assert isinstance(by, int)
    return (operands[0] * np.uint32(by),)


def _add_carry(a: Array, b: Array, carry: Array) -> Array:
    return a + b + carry.astype(a.dtype)


LANE_FUNCTIONS: dict[Op, LaneFunction] = {
    graph.ADD: _plain(np.add), graph.SUB: _plain(np.subtract), graph.MUL: _plain(np.multiply),
    graph.DIV: _float_or_integer(_divide, _divide_integers),
    graph.MAX: _float_or_integer(maximum, np.maximum), graph.MIN: _float_or_integer(minimum, np.minimum),
    graph.ABS: _plain(np.abs), graph.NEG: _plain(np.negative),
    graph.RELU: _float_or_integer(_relu, _relu_integers),
    graph.CLIP: _float_or_integer(_clip, _clip_integers),
    graph.EQUAL: _plain(np.equal), graph.LESS: _plain(np.less), graph.GREATER: _plain(np.greater),
    ops.LESS_EQUAL: _plain(np.less_equal), ops.GREATER_EQUAL: _plain(np.greater_equal),
    ops.NOT_EQUAL: _plain(np.not_equal), ops.UNORDERED: _plain(_unordered),
    ops.MAXIMUM: _plain(np.maximum), ops.MINIMUM: _plain(np.minimum),
    graph.LOGICAL_AND: _plain(np.logical_and), graph.LOGICAL_OR: _plain(np.logical_or),
    graph.LOGICAL_XOR: _plain(np.logical_xor),
    graph.NOT: _plain(np.logical_not), graph.IDENTITY: _plain(np.copy), graph.WHERE: _plain(np.where),
    graph.BITWISE_AND: _plain(np.bitwise_and), graph.BITWISE_OR: _plain(np.bitwise_or),
    graph.BITWISE_XOR: _plain(np.bitwise_xor),
    graph.BITWISE_NOT: _plain(np.invert), ops.MULTIPLY_HIGH: _plain(_multiply_high),
    ops.MULTIPLE: _multiple,
    ops.LOW_WORD: _plain(_low_word), ops.HIGH_WORD: _plain(_high_word), ops.JOIN_WORDS: _join_words,
    ops.ADD_CARRY: _plain(_add_carry), ops.SHIFT_LEFT: _plain(_shift_left),
    ops.SHIFT_RIGHT: _plain(_shift_right),
    graph.FLOOR: _plain(np.floor), graph.CEIL: _plain(np.ceil), graph.NEARBYINT: _plain(np.rint),
    ops.TRUNC: _plain(np.trunc),
    graph.LEFT_SHIFT: _plain(np.left_shift), graph.RIGHT_SHIFT: _plain(np.right_shift),
    graph.POPCOUNT: _plain(_popcount), graph.LEADING_ZEROS: _plain(_leading_zeros),
    ops.ALIGN_BITS: _plain(_align_bits), ops.SIGNED_BITS: _plain(_signed_bits),
    ops.CHOOSE_BITS: _plain(_choose_bits), ops.MULTIPLY_ADD: _plain(_multiply_add),
    ops.FIRST_ONE: _plain(_first_one),
    ops.FRACT: _plain(fract), ops.MED3: _median, ops.COPYSIGN: _plain(np.copysign),
    ops.FMA: _moded(fma), ops.LDEXP: _moded(ldexp),
    ops.FREXP_MANTISSA: _plain(frexp_mantissa), ops.FREXP_EXPONENT: _plain(frexp_exponent),
    ops.IS_CLASS: _is_class,
    ops.HW_EXP2: _hardware("v_exp"), ops.HW_LOG2: _hardware("v_log"), ops.HW_RCP: _hardware("v_rcp"),
    ops.HW_RSQ: _hardware("v_rsq"), ops.HW_SQRT: _hardware("v_sqrt"),
    ops.HW_TWO_OVER_PI: _plain(trig_preop),
    ops.DIV_SCALE: _div_scale, ops.DIV_FMAS: _moded(div_fmas), ops.DIV_FIXUP: _moded(div_fixup),
    graph.CONVERT: _convert, graph.BIT_CAST: _bit_cast,
    graph.RECIP: _plain(_reciprocal), graph.POW: _both_in_f64(np.power),
    graph.ATAN2: _both_in_f64(np.arctan2), graph.FMOD: _plain(np.fmod),
    graph.MOD: _both_in_f64(np.mod),
    **{graph.graph_op(name): _in_f64(known.evaluate) for name, known in (FUNCTIONS | CURVES).items()},
}  # fmt: skip
LANE_FUNCTIONS.update({op: LANE_FUNCTIONS[function_of(op)] for op in ROUNDED_FUNCTIONS.values()})
