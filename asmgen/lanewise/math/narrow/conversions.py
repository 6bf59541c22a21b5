"""Conversions between f32 and the floats of 8 bits by integers, for targets without an instruction for them.

Widening: the exponent and fraction of a byte, of a format with m fraction bits and bias b, are shifted to the
place of f32's. The f32 is then the number times 2^(b - 127), denormals too, and an exact multiply corrects
that. Rounding: just under half of the last bit that stays is added, and that bit, so that ties go to even.
Below the smallest normal number, adding a power of two of f32 leaves the rounded multiple of the smallest
denormal in the lowest bits.

    e4m3fn, m = 3, b = 7:   0x41 = 0 1000 001  ->  0x04100000 = 2^-119 * 1.125  ->  times 2^120  ->  2.25

A byte of a format with f16's exponent, which has infinities, is the upper half of an f16, and is widened as
such.
"""

from __future__ import annotations

from functools import cache, partial

from asmgen.graph.ops import CONVERT
from asmgen.ir.numbers import FLOAT_FORMATS
from asmgen.ir.program import Statement, Value
from asmgen.ir.types import ELEMENT_TYPES, F16, F32, I32, U8, U32, ElementType
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.tables import Expansions
from asmgen.lanewise.small_floats import FORMATS, from_byte, to_bytes
from isa.named_tuple import NamedTuple
from isa.table import table_of
from isa.targets import Target

_SIGN, _SIGN_OF_BYTE, _MAGNITUDE = 0x80000000, 0x80, 0x7F
_INFINITY = 0x7F800000
_I8, _U16 = ELEMENT_TYPES["i8"], ELEMENT_TYPES["u16"]
_FRACTION = 23  # bits of f32's
_BYTE = 8
_BIAS = 127
_NAN = 0x7FC00000


class Format(NamedTuple):
    """A format of 8 bits: its fraction bits, its bias, and the bytes of the largest number, of an overflow,
    and of a NaN. `infinity` is its infinity, above which all bytes are NaN. A format without infinity has a
    single NaN of each sign, or a single NaN."""

    fraction: int
    bias: int
    largest: int
    overflow: int
    nan: int
    infinity: int | None
    has_negative_zero: bool


@cache
def format_of(element: ElementType) -> Format:
    form = FLOAT_FORMATS[element.name]
    fraction, bias = form.precision - 1, 1 - form.minimum_exponent
    if form.infinities:
        infinity = (_MAGNITUDE >> fraction) << fraction
        return Format(fraction, bias, infinity - 1, infinity, _MAGNITUDE, infinity, True)
    if form.negative_zero:
        return Format(fraction, bias, _MAGNITUDE - 1, _MAGNITUDE, _MAGNITUDE, None, True)
    return Format(fraction, bias, _MAGNITUDE, _SIGN_OF_BYTE, _SIGN_OF_BYTE, None, False)


@cache
def without_instructions(target: Target) -> Expansions:
    """The expansions of the conversions that the target has no instruction for."""
    table = table_of(target)
    expansions: Expansions = {}
    for name in FORMATS:
        element = ELEMENT_TYPES[name]
        if not from_byte(table, element):
            expansions[CONVERT, name, "f32"] = partial(_widened, format_of(element))
        if not to_bytes(table, element):
            expansions[CONVERT, "f32", name] = partial(_narrowed, format_of(element), element)
    return expansions


def _widened(form: Format, builder: LaneBuilder, operands: tuple[Value, ...], _statement: Statement) -> Value:
    """Of a format with infinities the byte is the upper half of an f16. Of others the byte that would be the
    number after the largest is a NaN, or that of a negative zero."""
    like, shift = builder.like, _FRACTION - form.fraction
    if form.infinity is not None:
        byte = builder.convert(builder.bit_cast(operands[0], U8), U32)
        half = builder.convert(builder.shift_left(byte, like(_BYTE, byte)), _U16)
        return builder.convert(builder.bit_cast(half, F16), F32)
    byte = builder.convert(builder.bit_cast(operands[0], _I8), I32)  # the sign in all the bits above
    kept = builder.bitwise_and(
        builder.bit_cast(builder.shift_left(byte, like(shift, byte)), U32),
        builder.like(_SIGN | _MAGNITUDE << shift, builder.bit_cast(byte, U32)),
    )
    scaled = builder.bit_cast(kept, F32)
    number = builder.mul(scaled, like(2.0 ** (_BIAS - form.bias), scaled))
    if form.has_negative_zero:
        beyond = 2.0 ** ((_MAGNITUDE >> form.fraction) - form.bias + 1) * (1 - 0.5 ** (form.fraction + 1))
        is_nan = builder.equal(builder.abs(number), like(beyond, number))
    else:
        is_nan = builder.equal(kept, like(_SIGN, kept))
    return builder.where(is_nan, builder.bit_cast(like(_NAN, kept), F32), number)


def _narrowed(
    form: Format,
    element: ElementType,
    builder: LaneBuilder,
    operands: tuple[Value, ...],
    _statement: Statement,
) -> Value:
    like = builder.like
    bits = builder.bit_cast(operands[0], U32)
    magnitude = builder.bitwise_and(bits, like(_SIGN - 1, bits))
    dropped = _FRACTION - form.fraction
    # a normal number: half of the dropped part is added, less a bit if the bit that stays is even
    last = builder.bitwise_and(builder.shift_right(magnitude, like(dropped, bits)), like(1, bits))
    rebiased = (1 << dropped - 1) - 1 - (_BIAS - form.bias << _FRACTION) & 0xFFFFFFFF
    rounded = builder.add(builder.add(magnitude, last), like(rebiased, bits))
    normal = builder.shift_right(rounded, like(dropped, bits))
    # a denormal: its lowest bit has the weight of the lowest bit of this power of two
    magic = 2.0 ** (1 - form.bias - form.fraction + _FRACTION)
    size = builder.bit_cast(magnitude, F32)
    raised = builder.add(size, like(magic, size))
    denormal = builder.sub(builder.bit_cast(raised, U32), builder.bit_cast(like(magic, size), U32))
    is_tiny = builder.less(magnitude, like(_BIAS + 1 - form.bias << _FRACTION, bits))
    byte = builder.where(is_tiny, denormal, normal)
    is_over = builder.logical_or(
        builder.greater(byte, like(form.largest, bits)),
        builder.greater_equal(magnitude, like(_INFINITY, bits)),
    )
    byte = builder.where(is_over, like(form.overflow, bits), byte)
    if form.infinity is not None:
        is_nan = builder.greater(magnitude, like(_INFINITY, bits))
        byte = builder.where(is_nan, like(form.nan, bits), byte)
    sign = builder.shift_right(builder.bitwise_and(bits, like(_SIGN, bits)), like(24, bits))
    if not form.has_negative_zero:
        sign = builder.where(builder.equal(byte, like(0, bits)), like(0, bits), sign)
    whole = builder.bitwise_or(byte, sign)
    return builder.bit_cast(builder.convert(whole, U8), element)
