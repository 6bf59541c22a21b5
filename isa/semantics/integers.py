"""Integer arithmetic, shifts, bit fields, byte permutations and compares of the vector ALU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from isa.semantics.lane import ByModifier, LaneFunction, pure
from isa.semantics.mode import Array

U8, U16, U32, U64 = np.uint8, np.uint16, np.uint32, np.uint64
I16, I32, I64 = np.int16, np.int32, np.int64


def saturate(operation: Callable[..., Any]) -> Callable[..., Array]:
    """The operation carried out in 64 bits and clamped to the range of its first operand's type."""

    def call(*sources: Array) -> Array:
        limits = np.iinfo(sources[0].dtype)
        wide = operation(*(source.astype(I64) for source in sources))
        return np.clip(wide, limits.min, limits.max).astype(sources[0].dtype)

    return call


def _arithmetic(operation: Callable[..., Any]) -> LaneFunction:
    return pure(operation, saturate(operation))


def _plus(a: Any, b: Any) -> Any:
    return a + b


def _minus(a: Any, b: Any) -> Any:
    return a - b


def _minus_reversed(a: Any, b: Any) -> Any:
    return b - a


def _times(a: Any, b: Any) -> Any:
    return a * b


def _multiply_add(a: Any, b: Any, c: Any) -> Any:
    return a * b + c


def signed24(x: Array) -> Array:
    """Bits 23:0 as a signed number."""
    return (x.astype(U32) << U32(8)).view(I32) >> I32(8)


def unsigned24(x: Array) -> Array:
    return x.astype(U32) & U32(0xFFFFFF)


def mul_i24(a: Array, b: Array) -> Array:
    return (signed24(a).astype(I64) * signed24(b)).astype(I32)


def mul_hi_i24(a: Array, b: Array) -> Array:
    return ((signed24(a).astype(I64) * signed24(b)) >> I64(32)).astype(I32)


def mul_u24(a: Array, b: Array) -> Array:
    return unsigned24(a) * unsigned24(b)


def mul_hi_u24(a: Array, b: Array) -> Array:
    return ((unsigned24(a).astype(U64) * unsigned24(b)) >> U64(32)).astype(U32)


def mad_i24(a: Array, b: Array, c: Array) -> Array:
    return mul_i24(a, b) + c


def mad_u24(a: Array, b: Array, c: Array) -> Array:
    return mul_u24(a, b) + c


def _saturated(a: Array, wide: Array) -> Array:
    """A 64-bit result clamped to the type of `a`."""
    limits = np.iinfo(a.dtype)
    return np.clip(wide, limits.min, limits.max).astype(a.dtype)


def saturated_mul_24(a: Array, b: Array) -> Array:
    factors = (signed24(a), signed24(b)) if a.dtype.kind == "i" else (unsigned24(a), unsigned24(b))
    return _saturated(a, factors[0].astype(I64) * factors[1].astype(I64))


def saturated_mad_24(a: Array, b: Array, c: Array) -> Array:
    factors = (signed24(a), signed24(b)) if a.dtype.kind == "i" else (unsigned24(a), unsigned24(b))
    return _saturated(a, factors[0].astype(I64) * factors[1].astype(I64) + c.astype(I64))


def saturated_mad_16(a: Array, b: Array, c: Array) -> Array:
    return _saturated(c, a.astype(I64) * b.astype(I64) + c.astype(I64))


def saturated_carry(operation: Callable[..., tuple[Array, Array]], bound: int) -> Callable[..., tuple[Array, Array]]:
    """The result at its bound where the operation carries out of 32 bits."""

    def call(*sources: Array) -> tuple[Array, Array]:
        value, carry = operation(*sources)
        return np.where(carry, U32(bound), value), carry

    return call


def mul_hi_u32(a: Array, b: Array) -> Array:
    return ((a.astype(U64) * b.astype(U64)) >> U64(32)).astype(U32)


def mul_hi_i32(a: Array, b: Array) -> Array:
    return ((a.astype(I64) * b.astype(I64)) >> I64(32)).astype(I32)


def carry_add(a: Array, b: Array) -> tuple[Array, Array]:
    """Sum and carry of 32 bits."""
    total = a + b
    return total, total < a


def borrow_subtract(a: Array, b: Array) -> tuple[Array, Array]:
    return a - b, a < b


def _borrow_reversed(a: Array, b: Array) -> tuple[Array, Array]:
    return borrow_subtract(b, a)


def _borrow_reversed_in(a: Array, b: Array, borrow: Array) -> tuple[Array, Array]:
    return borrow_subtract_in(b, a, borrow)


def carry_add_in(a: Array, b: Array, carry: Array) -> tuple[Array, Array]:
    total = a.astype(U64) + b + carry
    return total.astype(U32), total > U64(0xFFFFFFFF)


def borrow_subtract_in(a: Array, b: Array, borrow: Array) -> tuple[Array, Array]:
    subtrahend = b.astype(U64) + borrow
    return (a.astype(U64) - subtrahend).astype(U32), subtrahend > a


def mad_u64_u32(a: Array, b: Array, c: Array) -> tuple[Array, Array]:
    """64-bit a * b + c and its carry."""
    product = a.astype(U64) * b.astype(U64)
    total = product + c
    return total, total < product


def mad_i64_i32(a: Array, b: Array, c: Array) -> tuple[Array, Array]:
    """As v_mad_u64_u32 on signed numbers; the carry is the 65th bit of the sum of both sign-extended."""
    product = a.astype(I64) * b.astype(I64)
    addend = c.astype(I64)
    total = product + addend
    overflow = ((product ^ total) & (addend ^ total)) < 0
    return total, (total < 0) ^ overflow


def bfe_u32(x: Array, offset: Array, width: Array) -> Array:
    field = x >> (offset & U32(31))
    return field & ((U32(1) << (width & U32(31))) - U32(1))


def bfe_i32(x: Array, offset: Array, width: Array) -> Array:
    """The field sign-extended from its top bit; width 0 gives 0."""
    bits = width.astype(U32) & U32(31)
    field = (x >> (offset.astype(U32) & U32(31)).astype(I32)).astype(U32) & ((U32(1) << bits) - U32(1))
    sign = (U32(1) << bits) >> U32(1)
    return ((field ^ sign) - sign).astype(U32).astype(I32)


def bfi(mask: Array, a: Array, b: Array) -> Array:
    return (mask & a) | (~mask & b)


def bfm(width: Array, offset: Array) -> Array:
    return ((U32(1) << (width & U32(31))) - U32(1)) << (offset & U32(31))


def align_bit(high: Array, low: Array, shift: Array) -> Array:
    pair = (high.astype(U64) << U64(32)) | low
    return (pair >> (shift.astype(U64) & U64(31))).astype(U32)


def align_byte(high: Array, low: Array, shift: Array) -> Array:
    pair = (high.astype(U64) << U64(32)) | low
    return (pair >> (U64(8) * (shift.astype(U64) & U64(3)))).astype(U32)


def byte_permute(high: Array, low: Array, selector: Array) -> Array:
    """V_PERM_B32: selectors 0-7 take a byte of {high, low}, 8-11 a sign, 12 is 0x00, above 0xff."""
    pair = (high.astype(U64) << U64(32)) | low
    result = np.zeros(np.broadcast(pair, selector).shape, U32)
    for position in range(4):
        select = ((selector >> U32(8 * position)) & U32(0xFF)).astype(U64)
        plain = (pair >> (U64(8) * (select & U64(7)))) & U64(0xFF)
        sign = ((pair >> (U64(16) * (select & U64(3)) + U64(15))) & U64(1)) * U64(0xFF)
        byte = np.where(select < 8, plain, np.where(select < 12, sign, np.where(select == 12, U64(0), U64(0xFF))))
        result = result | (byte.astype(U32) << U32(8 * position))
    return result


def absolute_difference(a: Array, b: Array) -> Array:
    return np.maximum(a, b) - np.minimum(a, b)


def sad(lanes: int, masked: bool) -> Callable[[Array, Array, Array], Array]:
    """Sum of absolute differences over bytes (lanes=4) or halves (2); `masked` skips bytes of b that are 0."""

    def call(a: Array, b: Array, c: Array) -> Array:
        width = 32 // lanes
        mask = U32((1 << width) - 1)
        total = c
        for i in range(lanes):
            x, y = (a >> U32(i * width)) & mask, (b >> U32(i * width)) & mask
            difference = absolute_difference(x, y)
            total = total + (np.where(y == 0, U32(0), difference) if masked else difference)
        return total

    return call


def sad_hi(a: Array, b: Array, c: Array) -> Array:
    return (sad(4, False)(a, b, c & U32(0)) << U32(16)) + c


def _saturated_sum(differences: Callable[[Array, Array, Array], Array]) -> Callable[[Array, Array, Array], Array]:
    """The sum of differences with its addend apart, saturated to 32 bits (the clamp modifier)."""

    def call(a: Array, b: Array, c: Array) -> Array:
        return np.minimum(differences(a, b, c & U32(0)).astype(U64) + c.astype(U64), U64(0xFFFFFFFF)).astype(U32)

    return call


def _sad_with(differences: Callable[[Array, Array, Array], Array]) -> LaneFunction:
    return pure(differences, _saturated_sum(differences))


def lerp_u8(a: Array, b: Array, c: Array) -> Array:
    result = U32(0)
    for shift in (0, 8, 16, 24):
        x, y = (a >> U32(shift)) & U32(255), (b >> U32(shift)) & U32(255)
        result = result | (((x + y + ((c >> U32(shift)) & U32(1))) >> U32(1)) << U32(shift))
    return result


def population_count(x: Array) -> Array:
    return np.bitwise_count(x).astype(U32)


def reverse_bits(x: Array) -> Array:
    for shift, mask in ((1, 0x55555555), (2, 0x33333333), (4, 0x0F0F0F0F), (8, 0x00FF00FF)):
        x = ((x >> U32(shift)) & U32(mask)) | ((x & U32(mask)) << U32(shift))
    return (x >> U32(16)) | (x << U32(16))


def highest_one(x: Array) -> Array:
    """Zeros above the highest one of 32 bits; -1 where there is none (V_FFBH_U32)."""
    exponent = np.frexp(x.astype(np.float64))[1]
    return np.where(x == 0, I32(-1), 32 - exponent).astype(I32)


def highest_sign_change(x: Array) -> Array:
    """Bits above the first that differs from the sign, the sign among them; -1 where all are equal (V_FFBH_I32)."""
    plain = x.astype(U32)
    folded = np.where(x.astype(I32) < 0, ~plain, plain)
    return np.where(folded == 0, I32(-1), highest_one(folded)).astype(I32)


def lowest_one(x: Array) -> Array:
    """The index of the lowest one; -1 where there is none (V_FFBL_B32)."""
    lowest = x & (~x + U32(1))
    return np.where(x == 0, I32(-1), np.frexp(lowest.astype(np.float64))[1] - 1).astype(I32)


def _shift(operation: Callable[[Any, Any], Any], bits: int) -> LaneFunction:
    """value shifted by amount, which comes first ("rev")."""

    def call(amount: Array, value: Array) -> Array:
        return operation(value, (amount.astype(U32) & U32(bits - 1)).astype(value.dtype))

    return pure(call)


def _left(value: Any, amount: Any) -> Any:
    return value << amount


def _right(value: Any, amount: Any) -> Any:
    return value >> amount


def _mask5(x: Array) -> Array:
    return x & U32(31)


def cndmask(zero: Array, one: Array, mask: Array) -> Array:
    """src1 where the mask is set, src0 elsewhere, by bit select."""
    full = zero.dtype.type(0) - mask.astype(zero.dtype)
    return zero ^ ((zero ^ one) & full)


def _first(x: Array) -> Array:
    return x


def not_(x: Array) -> Array:
    return ~x


_COMPARES: dict[str, Callable[[Any, Any], Any]] = {
    "f": lambda a, b: np.zeros(np.broadcast(a, b).shape, bool),
    "lt": lambda a, b: a < b,
    "eq": lambda a, b: a == b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ne": lambda a, b: a != b,
    "ge": lambda a, b: a >= b,
    "t": lambda a, b: np.ones(np.broadcast(a, b).shape, bool),
}


def _min3(a: Array, b: Array, c: Array) -> Array:
    return np.minimum(np.minimum(a, b), c)


def _max3(a: Array, b: Array, c: Array) -> Array:
    return np.maximum(np.maximum(a, b), c)


def _minmax(a: Array, b: Array, c: Array) -> Array:
    return np.maximum(np.minimum(a, b), c)


def _maxmin(a: Array, b: Array, c: Array) -> Array:
    return np.minimum(np.maximum(a, b), c)


def bit_function(truth: int) -> LaneFunction:
    """The function of three bits whose value for (a, b, c) is bit 4a + 2b + c of `truth` (V_BITOP3_B32)."""

    def call(a: Array, b: Array, c: Array) -> Array:
        result: Any = (a ^ a) | (b ^ b) | (c ^ c)
        for row in range(8):
            if truth >> row & 1:
                result = result | ((a if row & 4 else ~a) & (b if row & 2 else ~b) & (c if row & 1 else ~c))
        return result

    return pure(call)


def shift_and_pack(dtype: type[np.integer[Any]]) -> Callable[[Array, Array, Array], Array]:
    """Two words shifted right arithmetically and saturated to bytes (V_ASHR_PK_I8_I32)."""
    limits = np.iinfo(dtype)

    def call(a: Array, b: Array, amount: Array) -> Array:
        parts = (np.clip(x >> (amount & U32(31)).astype(I32), limits.min, limits.max).astype(dtype).view(U8) for x in (a, b))
        low, high = np.broadcast_arrays(*parts)
        return low.astype(U16) | high.astype(U16) << U16(8)

    return call


def _med3(a: Array, b: Array, c: Array) -> Array:
    return np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c))


def _per_type() -> dict[str, LaneFunction]:
    table: dict[str, LaneFunction] = {}
    for t in ("u16", "i16", "u32", "i32", "u64", "i64"):
        for name, compare in _COMPARES.items():
            table[f"v_cmp_{name}_{t}"] = table[f"v_cmpx_{name}_{t}"] = pure(compare)
    for t in ("u16", "i16", "u32", "i32"):
        table |= {
            f"v_add_{t}": _arithmetic(_plus), f"v_sub_{t}": _arithmetic(_minus), f"v_subrev_{t}": _arithmetic(_minus_reversed),
            f"v_mad_{t}": _arithmetic(_multiply_add), f"v_mad_legacy_{t}": _arithmetic(_multiply_add),
            f"v_pk_add_{t}": _arithmetic(_plus), f"v_pk_sub_{t}": _arithmetic(_minus),
            f"v_pk_mad_{t}": _arithmetic(_multiply_add), f"v_pk_min_{t}": pure(np.minimum), f"v_pk_max_{t}": pure(np.maximum),
            f"v_min_{t}": pure(np.minimum), f"v_max_{t}": pure(np.maximum), f"v_min3_{t}": pure(_min3), f"v_max3_{t}": pure(_max3),
            f"v_med3_{t}": pure(_med3), f"v_minmax_{t}": pure(_minmax), f"v_maxmin_{t}": pure(_maxmin),
        }  # fmt: skip
    return table


def pack_words(low: Array, high: Array) -> Array:
    """The first word of each source (V_PK_MOV_B32)."""
    return np.stack(np.broadcast_arrays(low[..., 0], high[..., 0]), -1)


INTEGERS: dict[str, LaneFunction | ByModifier] = {
    **_per_type(),
    "v_mov_b32": pure(_first), "v_mov_b64": pure(_first), "v_pk_mov_b32": pure(pack_words),
    "v_accvgpr_read_b32": pure(_first), "v_accvgpr_write_b32": pure(_first), "v_accvgpr_mov_b32": pure(_first),
    "v_nop": pure(lambda: ()), "v_swap_b32": pure(lambda a, b: (b, a.copy())),
    "v_mov_b16": pure(_first), "v_not_b16": pure(not_), "v_cndmask_b16": pure(cndmask), "v_swap_b16": pure(lambda a, b: (b, a.copy())),
    "v_and_b16": pure(lambda a, b: a & b), "v_or_b16": pure(lambda a, b: a | b), "v_xor_b16": pure(lambda a, b: a ^ b),
    "v_xor3_b32": pure(lambda a, b, c: a ^ b ^ c), "v_bitop3_b32": ByModifier(("bitop3",), bit_function),
    "v_bitop3_b16": ByModifier(("bitop3",), bit_function),
    "v_ashr_pk_i8_i32": pure(shift_and_pack(np.int8)), "v_ashr_pk_u8_i32": pure(shift_and_pack(U8)),
    "v_not_b32": pure(not_), "v_bfrev_b32": pure(reverse_bits), "v_ffbh_u32": pure(highest_one), "v_ffbh_i32": pure(highest_sign_change),
    "v_ffbl_b32": pure(lowest_one), "v_bcnt_u32_b32": pure(lambda a, b: population_count(a) + b), "v_cndmask_b32": pure(cndmask),
    "v_and_b32": pure(lambda a, b: a & b), "v_or_b32": pure(lambda a, b: a | b), "v_xor_b32": pure(lambda a, b: a ^ b),
    "v_xnor_b32": pure(lambda a, b: ~(a ^ b)), "v_and_or_b32": pure(lambda a, b, c: (a & b) | c), "v_or3_b32": pure(lambda a, b, c: a | b | c),
    "v_xad_u32": pure(lambda a, b, c: (a ^ b) + c), "v_add3_u32": pure(lambda a, b, c: a + b + c),
    "v_lshl_or_b32": pure(lambda a, b, c: (a << _mask5(b)) | c), "v_lshl_add_u32": pure(lambda a, b, c: (a << _mask5(b)) + c),
    "v_add_lshl_u32": pure(lambda a, b, c: (a + b) << _mask5(c)),
    "v_lshl_add_u64": pure(lambda a, b, c: (a << (b.astype(U64) & U64(7))) + c),
    "v_lshlrev_b16": _shift(_left, 16), "v_lshrrev_b16": _shift(_right, 16), "v_ashrrev_i16": _shift(_right, 16),
    "v_lshlrev_b32": _shift(_left, 32), "v_lshrrev_b32": _shift(_right, 32), "v_ashrrev_i32": _shift(_right, 32),
    "v_lshlrev_b64": _shift(_left, 64), "v_lshrrev_b64": _shift(_right, 64), "v_ashrrev_i64": _shift(_right, 64),
    "v_pk_lshlrev_b16": _shift(_left, 16), "v_pk_lshrrev_b16": _shift(_right, 16), "v_pk_ashrrev_i16": _shift(_right, 16),
    "v_mul_lo_u16": pure(_times), "v_pk_mul_lo_u16": pure(_times), "v_mul_lo_u32": pure(_times),
    "v_mul_hi_u32": pure(mul_hi_u32), "v_mul_hi_i32": pure(mul_hi_i32),
    "v_mul_i32_i24": pure(mul_i24, saturated_mul_24),
    "v_mul_hi_i32_i24": pure(mul_hi_i24),
    "v_mul_u32_u24": pure(mul_u24, saturated_mul_24),
    "v_mul_hi_u32_u24": pure(mul_hi_u24),
    "v_mad_i32_i24": pure(mad_i24, saturated_mad_24),
    "v_mad_u32_u24": pure(mad_u24, saturated_mad_24),
    "v_mad_u64_u32": pure(mad_u64_u32),
    "v_mad_i64_i32": pure(mad_i64_i32),
    "v_mad_u32_u16": pure(lambda a, b, c: a.astype(U32) * b + c, saturated_mad_16),
    "v_mad_i32_i16": pure(lambda a, b, c: a.astype(I32) * b + c, saturated_mad_16),
    "v_add_co_u32": pure(carry_add, saturated_carry(carry_add, 0xFFFFFFFF)),
    "v_sub_co_u32": pure(borrow_subtract, saturated_carry(borrow_subtract, 0)),
    "v_subrev_co_u32": pure(_borrow_reversed, saturated_carry(_borrow_reversed, 0)),
    "v_addc_co_u32": pure(carry_add_in, saturated_carry(carry_add_in, 0xFFFFFFFF)),
    "v_subb_co_u32": pure(borrow_subtract_in, saturated_carry(borrow_subtract_in, 0)),
    "v_subbrev_co_u32": pure(_borrow_reversed_in, saturated_carry(_borrow_reversed_in, 0)),
    "v_bfe_u32": pure(bfe_u32), "v_bfe_i32": pure(bfe_i32), "v_bfi_b32": pure(bfi), "v_bfm_b32": pure(bfm),
    "v_alignbit_b32": pure(align_bit), "v_alignbyte_b32": pure(align_byte), "v_perm_b32": pure(byte_permute),
    "v_sad_u8": _sad_with(sad(4, False)), "v_msad_u8": _sad_with(sad(4, True)), "v_sad_u16": _sad_with(sad(2, False)),
    "v_sad_hi_u8": _sad_with(sad_hi), "v_sad_u32": _sad_with(lambda a, b, c: absolute_difference(a, b) + c), "v_lerp_u8": pure(lerp_u8),
    "v_pack_b32_f16": pure(lambda a, b: (a.view(U16).astype(U32) | (b.view(U16).astype(U32) << U32(16)))),
    "v_sat_pk_u8_i16": pure(lambda a: np.clip(a, 0, 255)[..., 0].astype(U16) | (np.clip(a, 0, 255)[..., 1].astype(U16) << U16(8))),
}  # fmt: skip
