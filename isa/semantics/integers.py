"""Integer instructions of the vector ALU: what each name computes, compares, minimum and maximum, shifts and
moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from isa.semantics.bits import (
    align_bit,
    align_byte,
    bfe_i32,
    bfe_u32,
    bfi,
    bfm,
    bit_function,
    byte_permute,
    cndmask,
    highest_one,
    highest_sign_change,
    lowest_one,
    not_,
    population_count,
    reverse_bits,
)
from isa.semantics.integer_arithmetic import (
    absolute_difference,
    borrow_reversed,
    borrow_reversed_in,
    borrow_subtract,
    borrow_subtract_in,
    carry_add,
    carry_add_in,
    lerp_u8,
    mad_i24,
    mad_i64_i32,
    mad_u24,
    mad_u64_u32,
    minus_reversed,
    mul_hi_i24,
    mul_hi_i32,
    mul_hi_u24,
    mul_hi_u32,
    mul_i24,
    mul_u24,
    multiply_add,
    sad,
    sad_hi,
    saturated_carry,
    saturated_mad_16,
    saturated_mad_24,
    saturated_mul_24,
    summed_differences,
    with_saturation,
)
from isa.semantics.lane import ByModifier, LaneFunction, chained, pure
from isa.semantics.mode import I32, U8, U16, U32, U64, Array


def _shift(operation: np.ufunc, bits: int) -> LaneFunction:
    """value shifted by amount, which comes first ("rev")."""

    def call(mode: object, amount: Array, value: Array) -> Array:
        return operation(value, _amount(amount, value, bits))

    def into(mode: object, result: Array, amount: Array, value: Array) -> None:
        operation(value, _amount(amount, value, bits), out=result)

    return LaneFunction(call, into=into)


def _amount(amount: Array, value: Array, bits: int) -> Array:
    """The bits of the amount that count, as the value's type."""
    low = (amount if amount.dtype == U32 else amount.astype(U32)) & U32(bits - 1)
    return low if low.dtype == value.dtype else low.astype(value.dtype)


def _mask5(x: Array) -> Array:
    return x & U32(31)


def _copy(mode: object, result: Array, a: Array) -> None:
    result[...] = a


def _first(x: Array) -> Array:
    return x


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


def shift_and_pack(dtype: type[np.integer[Any]]) -> Callable[[Array, Array, Array], Array]:
    """Two words shifted right arithmetically and saturated to bytes (V_ASHR_PK_I8_I32)."""
    limits = np.iinfo(dtype)

    def call(a: Array, b: Array, amount: Array) -> Array:
        parts = (
            np.clip(x >> (amount & U32(31)).astype(I32), limits.min, limits.max).astype(dtype).view(U8)
            for x in (a, b)
        )
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
            f"v_add_{t}": with_saturation(np.add), f"v_sub_{t}": with_saturation(np.subtract),
            f"v_subrev_{t}": with_saturation(minus_reversed), f"v_mad_{t}": with_saturation(multiply_add),
            f"v_mad_legacy_{t}": with_saturation(multiply_add), f"v_pk_add_{t}": with_saturation(np.add),
            f"v_pk_sub_{t}": with_saturation(np.subtract), f"v_pk_mad_{t}": with_saturation(multiply_add),
            f"v_pk_min_{t}": pure(np.minimum), f"v_pk_max_{t}": pure(np.maximum),
            f"v_min_{t}": pure(np.minimum), f"v_max_{t}": pure(np.maximum), f"v_min3_{t}": pure(_min3),
            f"v_max3_{t}": pure(_max3), f"v_med3_{t}": pure(_med3), f"v_minmax_{t}": pure(_minmax),
            f"v_maxmin_{t}": pure(_maxmin),
        }  # fmt: skip
    return table


def pack_words(low: Array, high: Array) -> Array:
    """The first word of each source (V_PK_MOV_B32)."""
    return np.stack(np.broadcast_arrays(low[..., 0], high[..., 0]), -1)


_MOVE = LaneFunction(pure(_first).call, into=_copy)
INTEGERS: dict[str, LaneFunction | ByModifier] = {
    **_per_type(), "v_mov_b32": _MOVE, "v_mov_b64": pure(_first), "v_pk_mov_b32": pure(pack_words),
    "v_accvgpr_read_b32": pure(_first), "v_accvgpr_write_b32": pure(_first),
    "v_accvgpr_mov_b32": pure(_first), "v_nop": pure(lambda: ()),
    "v_swap_b32": pure(lambda a, b: (b, a.copy())), "v_mov_b16": pure(_first), "v_not_b16": pure(not_),
    "v_cndmask_b16": pure(cndmask), "v_swap_b16": pure(lambda a, b: (b, a.copy())),
    "v_and_b16": pure(lambda a, b: a & b), "v_or_b16": pure(lambda a, b: a | b),
    "v_xor_b16": pure(lambda a, b: a ^ b), "v_xor3_b32": pure(lambda a, b, c: a ^ b ^ c),
    "v_bitop3_b32": ByModifier(("bitop3",), bit_function),
    "v_bitop3_b16": ByModifier(("bitop3",), bit_function), "v_ashr_pk_i8_i32": pure(shift_and_pack(np.int8)),
    "v_ashr_pk_u8_i32": pure(shift_and_pack(U8)), "v_not_b32": pure(not_), "v_bfrev_b32": pure(reverse_bits),
    "v_ffbh_u32": pure(highest_one), "v_ffbh_i32": pure(highest_sign_change), "v_ffbl_b32": pure(lowest_one),
    "v_bcnt_u32_b32": pure(lambda a, b: population_count(a) + b), "v_cndmask_b32": pure(cndmask),
    "v_and_b32": pure(np.bitwise_and), "v_or_b32": pure(np.bitwise_or), "v_xor_b32": pure(np.bitwise_xor),
    "v_xnor_b32": pure(lambda a, b: ~(a ^ b)), "v_and_or_b32": chained(np.bitwise_and, np.bitwise_or),
    "v_or3_b32": chained(np.bitwise_or, np.bitwise_or), "v_xad_u32": chained(np.bitwise_xor, np.add),
    "v_add3_u32": chained(np.add, np.add), "v_lshl_or_b32": pure(lambda a, b, c: (a << _mask5(b)) | c),
    "v_lshl_add_u32": pure(lambda a, b, c: (a << _mask5(b)) + c),
    "v_add_lshl_u32": pure(lambda a, b, c: (a + b) << _mask5(c)),
    "v_lshl_add_u64": pure(lambda a, b, c: (a << (b.astype(U64) & U64(7))) + c),
    "v_lshlrev_b16": _shift(np.left_shift, 16), "v_lshrrev_b16": _shift(np.right_shift, 16),
    "v_ashrrev_i16": _shift(np.right_shift, 16), "v_lshlrev_b32": _shift(np.left_shift, 32),
    "v_lshrrev_b32": _shift(np.right_shift, 32), "v_ashrrev_i32": _shift(np.right_shift, 32),
    "v_lshlrev_b64": _shift(np.left_shift, 64), "v_lshrrev_b64": _shift(np.right_shift, 64),
    "v_ashrrev_i64": _shift(np.right_shift, 64), "v_pk_lshlrev_b16": _shift(np.left_shift, 16),
    "v_pk_lshrrev_b16": _shift(np.right_shift, 16), "v_pk_ashrrev_i16": _shift(np.right_shift, 16),
    "v_mul_lo_u16": pure(np.multiply), "v_pk_mul_lo_u16": pure(np.multiply),
    "v_mul_lo_u32": pure(np.multiply), "v_mul_hi_u32": pure(mul_hi_u32), "v_mul_hi_i32": pure(mul_hi_i32),
    "v_mul_i32_i24": pure(mul_i24, saturated_mul_24), "v_mul_hi_i32_i24": pure(mul_hi_i24),
    "v_mul_u32_u24": pure(mul_u24, saturated_mul_24), "v_mul_hi_u32_u24": pure(mul_hi_u24),
    "v_mad_i32_i24": pure(mad_i24, saturated_mad_24), "v_mad_u32_u24": pure(mad_u24, saturated_mad_24),
    "v_mad_u64_u32": pure(mad_u64_u32), "v_mad_i64_i32": pure(mad_i64_i32),
    "v_mad_u32_u16": pure(lambda a, b, c: a.astype(U32) * b + c, saturated_mad_16),
    "v_mad_i32_i16": pure(lambda a, b, c: a.astype(I32) * b + c, saturated_mad_16),
    "v_add_co_u32": pure(carry_add, saturated_carry(carry_add, 0xFFFFFFFF)),
    "v_sub_co_u32": pure(borrow_subtract, saturated_carry(borrow_subtract, 0)),
    "v_subrev_co_u32": pure(borrow_reversed, saturated_carry(borrow_reversed, 0)),
    "v_addc_co_u32": pure(carry_add_in, saturated_carry(carry_add_in, 0xFFFFFFFF)),
    "v_subb_co_u32": pure(borrow_subtract_in, saturated_carry(borrow_subtract_in, 0)),
    "v_subbrev_co_u32": pure(borrow_reversed_in, saturated_carry(borrow_reversed_in, 0)),
    "v_bfe_u32": pure(bfe_u32), "v_bfe_i32": pure(bfe_i32), "v_bfi_b32": pure(bfi), "v_bfm_b32": pure(bfm),
    "v_alignbit_b32": pure(align_bit), "v_alignbyte_b32": pure(align_byte), "v_perm_b32": pure(byte_permute),
    "v_sad_u8": summed_differences(sad(4, False)), "v_msad_u8": summed_differences(sad(4, True)),
    "v_sad_u16": summed_differences(sad(2, False)), "v_sad_hi_u8": summed_differences(sad_hi),
    "v_sad_u32": summed_differences(lambda a, b, c: absolute_difference(a, b) + c),
    "v_lerp_u8": pure(lerp_u8),
    "v_pack_b32_f16": pure(lambda a, b: a.view(U16).astype(U32) | (b.view(U16).astype(U32) << U32(16))),
    "v_sat_pk_u8_i16": pure(
        lambda a: np.clip(a, 0, 255)[..., 0].astype(U16) | (np.clip(a, 0, 255)[..., 1].astype(U16) << U16(8))
    ),
}  # fmt: skip
