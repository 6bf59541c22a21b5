"""Constant operands: the bits of a type, the inline patterns of the encoding, and their spelling.

Source: CDNA3 ISA, section 3.1 (inline constants and literals). An inline integer is sign-extended to the
operand; an inline float takes the format of the operand's width, which is f32 for two integers of 16 bits. A
32-bit literal is zero-extended for `b64` and `u64`, sign-extended for `i64`, and is the upper half of an
`f64`.
"""

from __future__ import annotations

import re
import struct
from functools import cache, lru_cache

BITS: dict[str, int] = {
    "i21": 21, "i24": 24, "u5": 5, "u20": 20, "u23": 23, "count16": 16, "b8": 8, "b16": 16, "u16": 16,
    "i16": 16, "f16": 16, "bf16": 16, "b32": 32, "u32": 32, "mask32": 32, "i32": 32, "f32": 32, "f16x2": 32,
    "i16x2": 32, "u16x2": 32, "bf16x2": 32, "u8x4": 32, "i8x4": 32, "fp8x4": 32, "hwreg_cdna2": 16,
    "hwreg_rdna3": 16, "hwreg_rdna4": 16, "sendmsg_cdna": 16, "sendmsg_rdna3": 16, "sendmsg_rdna4": 16,
    "sendmsg_rtn_rdna3": 16, "gpr_idx": 16, "sendmsg_rtn_rdna4": 16, "depctr": 16, "delay_alu": 16,
    "loadcnt_dscnt": 16, "storecnt_dscnt": 16, "b64": 64, "u64": 64, "i64": 64, "f64": 64, "mask": 64,
    "f32x2": 64, "b32x2": 64, "f16x4": 64, "bf16x4": 64, "i8x8": 64, "fp8x8": 64, "b96": 96, "b128": 128,
    "b256": 256, "b512": 512, "f32x4": 128, "f32x16": 512, "f32x32": 1024, "f64x4": 256, "i32x4": 128,
    "i32x16": 512, "i32x32": 1024, "bf8x8": 64, "f16x8": 128, "bf16x8": 128, "i8x16": 128, "fp8x16": 128,
    "bf8x16": 128, "f16x16": 256, "bf16x16": 256, "i8x32": 256, "fp8x32": 256, "bf8x32": 256, "f32x8": 256,
    "i32x8": 256, "bf8x4": 32, "i4x8": 32, "i4x16": 64, "i4x32": 128,
    # of a format that a modifier chooses
    "f16x32": 512, "bf16x32": 512, "f8x32": 256, "f6x32": 192, "f4x32": 128,
}  # fmt: skip
SIGNED_FIELDS = frozenset({"i21", "i24"})  # offsets of scalar loads
UNSIGNED_FIELDS = frozenset({"u5", "u20", "u23"})
FLOAT_TYPES = frozenset(
    {"f16", "f32", "f64", "bf16", "f16x2", "bf16x2", "f32x2", "f16x4", "f32x4", "f32x16", "f32x32", "f64x4"}
)
NO_INLINE_FLOAT = frozenset({"b8", "b16", "u16", "i16"})
BIT_TYPES = frozenset({"b8", "b16", "b32", "b64", "b32x2", "b96", "b128", "b256", "b512"})  # not numbers
# LLVM reads constants of these types as f64 and spells 1/(2 pi) with more digits
_NO_INVERSE_TURN = frozenset({"f32x8", "i32x8"})

_SPELLINGS = {
    "f16": {
        0x3800: "0.5", 0xB800: "-0.5", 0x3C00: "1.0", 0xBC00: "-1.0", 0x4000: "2.0", 0xC000: "-2.0",
        0x4400: "4.0", 0xC400: "-4.0", 0x3118: "0.15915494",
    },
    "bf16": {
        0x3F00: "0.5", 0xBF00: "-0.5", 0x3F80: "1.0", 0xBF80: "-1.0", 0x4000: "2.0", 0xC000: "-2.0",
        0x4080: "4.0", 0xC080: "-4.0", 0x3E22: "0.15915494",
    },
    "f32": {
        0x3F000000: "0.5", 0xBF000000: "-0.5", 0x3F800000: "1.0", 0xBF800000: "-1.0", 0x40000000: "2.0",
        0xC0000000: "-2.0", 0x40800000: "4.0", 0xC0800000: "-4.0", 0x3E22F983: "0.15915494",
    },
    "f64": {
        0x3FE0 << 48: "0.5", 0xBFE0 << 48: "-0.5", 0x3FF0 << 48: "1.0", 0xBFF0 << 48: "-1.0",
        0x4000 << 48: "2.0", 0xC000 << 48: "-2.0", 0x4010 << 48: "4.0", 0xC010 << 48: "-4.0",
        0x3FC45F306DC9C882: "0.15915494309189532",
    },
}  # fmt: skip
_PATTERNS = {name: {spelling: bits for bits, spelling in table.items()} for name, table in _SPELLINGS.items()}
_PACK = {"f16": ("<e", "<H"), "f32": ("<f", "<I"), "f64": ("<d", "<Q")}


@cache
def constant_width(type_name: str) -> int:
    """Bits of a constant of this type. Packed types and 64-bit pairs of f32 take a 32-bit constant; a tuple
    takes a constant of its element's width."""
    if type_name == "f64x4":
        return 64
    return (
        32 if type_name in ("f32x2", "b32x2", "f16x4", "bf16x4") or BITS[type_name] > 64 else BITS[type_name]
    )


@cache
def _float_format(type_name: str) -> str:
    """The format of a float constant for an operand: f16 for packed halves, otherwise the float of the
    operand's width."""
    if type_name.startswith("bf16"):
        return "bf16"
    return "f16" if type_name.startswith("f16x") else f"f{constant_width(type_name)}"


@lru_cache(maxsize=4096)
def inline_spelling(bits: int, type_name: str) -> str | None:
    """How an inline constant of these bits is spelt, or None if the encoding has none."""
    width = constant_width(type_name)
    if bits <= 64:
        return str(bits)
    if bits >= (1 << width) - 16:
        return str(bits - (1 << width))
    if type_name in NO_INLINE_FLOAT:
        return None
    spelling = _SPELLINGS[_float_format(type_name)].get(bits)
    return None if spelling == "0.15915494" and type_name in _NO_INVERSE_TURN else spelling


def _upper_half(single: int) -> int | None:
    """An f32 pattern rounded to a bf16, to nearest even; None if a finite number overflows."""
    rounded = single + 0x7FFF + (single >> 16 & 1) >> 16
    return None if rounded & 0x7FFF >= 0x7F80 else rounded


@lru_cache(maxsize=4096)
def literal_bits(bits: int, type_name: str) -> int | None:
    """The 32-bit literal that means these bits, or None if no literal can."""
    if constant_width(type_name) <= 32:
        return bits
    if type_name == "f64":
        return bits >> 32 if not bits & 0xFFFFFFFF else None
    if type_name == "i64":
        return bits & 0xFFFFFFFF if bits < 1 << 31 or bits >= (1 << 64) - (1 << 31) else None
    return bits if bits < 1 << 32 else None


def integer_bits(value: int, type_name: str) -> int | None:
    """The pattern of an integer in the operand's width, or None if it does not fit."""
    width = constant_width(type_name)
    if not -(1 << (width - 1)) <= value < 1 << width:
        return None
    return value & ((1 << width) - 1)


def immediate_bits(value: int, type_name: str) -> int | None:
    """The pattern of an immediate field, or None if the number does not fit. An offset is signed or unsigned;
    a 16-bit field takes both."""
    if type_name in SIGNED_FIELDS and value >= 1 << BITS[type_name] - 1:
        return None
    if type_name in UNSIGNED_FIELDS and value < 0:
        return None
    return integer_bits(value, type_name)


def float_bits(value: float, type_name: str) -> int | None:
    """The pattern of a float rounded to the operand's width, or None if it overflows the format."""
    name = _float_format(type_name)
    if name == "bf16":
        single = float_bits(value, "f32")
        return None if single is None else _upper_half(single)
    pack, unpack = _PACK[name]
    try:
        return struct.unpack(unpack, struct.pack(pack, value))[0]
    except OverflowError:
        return None


def _float_constant(value: float, type_name: str) -> int | None:
    """As `float_bits`; None also if a number rounds to 0."""
    bits = float_bits(value, type_name)
    return None if value and bits in (float_bits(0.0, type_name), float_bits(-0.0, type_name)) else bits


# Patterns are text here: `re` compiles each at its first use and keeps it, and most compiles use none.
_FORCED_LITERAL = r"lit\((0x[0-9a-fA-F]{1,8})\)\Z"
_INTEGER = r"-?(?:0x[0-9a-fA-F]{1,32}|0b[01]{1,64}|0|[1-9][0-9]{0,19})\Z"
_FLOAT = (
    r"-?(?:[0-9]{1,400}\.[0-9]{0,400}(?:[eE][-+]?[0-9]{1,4})?|[0-9]{1,400}[eE][-+]?[0-9]{1,4}"
    r"|\.[0-9]{1,400})\Z"
)


def parse_integer(text: str) -> int | None:
    """A decimal, hexadecimal or binary integer as assembly spells it, or None."""
    return int(text, 0) if re.match(_INTEGER, text) else None


@lru_cache(maxsize=4096)
def parse_constant(text: str, type_name: str) -> int | None:
    """The pattern that assembly text such as `1.0`, `-16`, `0x3f000000` means for an operand, or None if it
    is not a constant of the operand's type.

    An integer beyond the inline range is a 32-bit literal: the upper half of an f64, sign-extended for an
    i64. `lit(0x40)` is a literal too: LLVM's disassembler prints it so if the value has an inline form.
    """
    forced = re.match(_FORCED_LITERAL, text)
    if forced is not None:
        literal = int(forced[1], 16)
        if type_name == "f64":
            return literal << 32
        return integer_bits(
            literal - (1 << 32) if type_name == "i64" and literal >> 31 else literal, type_name
        )
    takes_floats = type_name not in NO_INLINE_FLOAT
    if takes_floats and (pattern := _PATTERNS[_float_format(type_name)].get(text)) is not None:
        return pattern
    value = parse_integer(text)
    if value is None:
        return _float_constant(float(text), type_name) if takes_floats and re.match(_FLOAT, text) else None
    if type_name == "f64" and not -16 <= value <= 64:
        return value << 32 if 0 <= value < 1 << 32 else value if 0 <= value < 1 << 64 else None
    if type_name == "i64" and 1 << 31 <= value < 1 << 32:
        return value - (1 << 32) & ((1 << 64) - 1)
    return integer_bits(value, type_name)
