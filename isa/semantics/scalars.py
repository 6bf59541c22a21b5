"""Scalar ALU: a value for each wave, SCC as 0 or 1 last among sources and results (CDNA3 ISA, sections 12.1
to 12.4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from isa.semantics.bits import bfm, highest_one, highest_sign_change, lowest_one, not_, reverse_bits
from isa.semantics.integer_arithmetic import (
    borrow_subtract_in,
    carry_add,
    carry_add_in,
    mul_hi_i32,
    mul_hi_u32,
)
from isa.semantics.lane import LaneFunction, pure
from isa.semantics.mode import I16, I32, I64, U32, U64, Array


def _with_nonzero(function: Callable[..., Any]) -> LaneFunction:
    """The result, and whether it is not zero."""

    def call(*sources: Array) -> tuple[Array, Array]:
        result = function(*sources)
        return result, result != 0

    return pure(call)


def add_i32(a: Array, b: Array) -> tuple[Array, Array]:
    """SCC is signed overflow."""
    total = a + b
    return total, ((a ^ total) & (b ^ total)) < 0


def sub_i32(a: Array, b: Array) -> tuple[Array, Array]:
    difference = a - b
    return difference, ((a ^ b) & (a ^ difference)) < 0


def distance(a: Array, b: Array) -> Array:
    """|a - b|, the difference wrapped first (S_ABSDIFF_I32)."""
    return np.abs(a - b)


def _shift_add(amount: int) -> LaneFunction:
    """(a << amount) + b; SCC is the carry out of 32 bits."""

    def call(a: Array, b: Array) -> tuple[Array, Array]:
        total = (a.astype(U64) << U64(amount)) + b
        return total.astype(U32), total > U64(0xFFFFFFFF)

    return pure(call)


def _shift(operation: Callable[[Any, Any], Any], bits: int) -> LaneFunction:
    def call(value: Array, amount: Array) -> Array:
        return operation(value, (amount & U32(bits - 1)).astype(value.dtype))

    return _with_nonzero(call)


def bfe_unsigned(value: Array, control: Array) -> Array:
    """Offset in bits 5:0 (4:0 of 32), width in 22:16; as in the hardware a width beyond the type takes all of
    it."""
    bits = value.dtype.itemsize * 8
    offset = (control & U32(bits - 1)).astype(value.dtype)
    width = np.minimum((control >> U32(16)) & U32(0x7F), U32(bits))
    narrow: Any = (np.ones_like(value) << (width % U32(bits)).astype(value.dtype)) - np.ones_like(value)
    mask: Any = np.where(width >= bits, ~np.zeros_like(value), narrow)
    return (value >> offset) & mask


def bfe_signed(value: Array, control: Array) -> Array:
    unsigned = U32 if value.dtype.itemsize == 4 else U64
    bits = value.dtype.itemsize * 8
    shifted = (value >> (control & U32(bits - 1)).astype(value.dtype)).astype(unsigned)
    width = np.minimum((control >> U32(16)) & U32(0x7F), U32(bits)).astype(unsigned)
    up = (unsigned(bits) - np.maximum(width, unsigned(1))).astype(unsigned)
    extended = (shifted << up).astype(value.dtype) >> up.astype(value.dtype)
    return np.where(width == 0, value.dtype.type(0), extended)


def bfm_b64(width: Array, offset: Array) -> Array:
    one = U64(1)
    return ((one << (width.astype(U64) & U64(63))) - one) << (offset.astype(U64) & U64(63))


def reverse_bits_b64(x: Array) -> Array:
    low, high = x.astype(U32), (x >> U64(32)).astype(U32)
    return (reverse_bits(low).astype(U64) << U64(32)) | reverse_bits(high)


def lowest_one_b64(x: Array) -> Array:
    low, high = lowest_one(x.astype(U32)), lowest_one((x >> U64(32)).astype(U32))
    return np.where(low >= 0, low, np.where(high >= 0, high + 32, I32(-1))).astype(I32)


def highest_one_b64(x: Array) -> Array:
    low, high = highest_one(x.astype(U32)), highest_one((x >> U64(32)).astype(U32))
    return np.where(high >= 0, high, np.where(low >= 0, low + 32, I32(-1))).astype(I32)


def highest_sign_change_i64(x: Array) -> Array:
    folded = np.where(x < 0, ~x, x).astype(U64)
    return np.where(folded == 0, I32(-1), highest_one_b64(folded)).astype(I32)


def _count_ones(x: Array) -> Array:
    return np.bitwise_count(x).astype(I32)


def _count_zeros(x: Array) -> Array:
    return (I32(x.dtype.itemsize * 8) - _count_ones(x)).astype(I32)


def whole_quads(x: Array) -> Array:
    """Every quad with a bit set becomes full."""
    t = x.dtype.type
    any_ = x | (x >> t(1)) | (x >> t(2)) | (x >> t(3))
    return (any_ & t(0x1111111111111111 & int(~t(0)))) * t(15)


def quad_mask(x: Array) -> Array:
    """A bit for each quad: whether it has a set bit."""
    result = np.zeros_like(x)
    for i in range(x.dtype.itemsize * 2):
        quad = (x >> x.dtype.type(4 * i)) & x.dtype.type(15)
        result |= (quad != 0).astype(x.dtype) << x.dtype.type(i)
    return result


def replicate_bits(x: Array) -> Array:
    """Every bit of 32 twice."""
    result = np.zeros(x.shape, U64)
    for i in range(32):
        result |= ((x.astype(U64) >> U64(i)) & U64(1)) * U64(3) << U64(2 * i)
    return result


def _bit_test(expected: int) -> Callable[[Array, Array], Array]:
    def call(value: Array, index: Array) -> Array:
        bits = value.dtype.itemsize * 8
        bit = (value >> (index & U32(bits - 1)).astype(value.dtype)) & value.dtype.type(1)
        return bit == expected

    return call


def _bit_set(to: int) -> Callable[[Array, Array], Array]:
    def call(index: Array, old: Array) -> Array:
        bits = old.dtype.itemsize * 8
        bit = old.dtype.type(1) << (index & U32(bits - 1)).astype(old.dtype)
        return old | bit if to else old & ~bit

    return call


def _exec_operation(operation: Callable[[Any, Any], Any]) -> LaneFunction:
    """sdst := EXEC; EXEC := operation(source, EXEC); SCC := EXEC is not zero."""

    def call(source: Array, exec_mask: Array) -> tuple[Array, Array, Array]:
        result = operation(source, exec_mask)
        return exec_mask.copy(), result, result != 0

    return pure(call)


def _write_exec(operation: Callable[[Any, Any], Any]) -> LaneFunction:
    """As above, and sdst is the new EXEC."""

    def call(source: Array, exec_mask: Array) -> tuple[Array, Array, Array]:
        result = operation(source, exec_mask)
        return result, result, result != 0

    return pure(call)


def _select(a: Array, b: Array, scc: Array) -> Array:
    return np.where(scc != 0, a, b)


def _conditional_move(source: Array, old: Array, scc: Array) -> Array:
    return np.where(scc != 0, source, old)


def _extreme(first: Callable[[Any, Any], Any]) -> LaneFunction:
    """The operand that the relation prefers; SCC says it was the first."""

    def call(a: Array, b: Array) -> tuple[Array, Array]:
        chosen = first(a, b)
        return np.where(chosen, a, b), chosen

    return pure(call)


def multiply_u64(a: Array, b: Array) -> Array:
    return a * b


def _halves(first: int, second: int) -> Callable[[Array, Array], Array]:
    def call(a: Array, b: Array) -> Array:
        low = (a >> U32(16 * first)) & U32(0xFFFF)
        high = (b >> U32(16 * second)) & U32(0xFFFF)
        return low | (high << U32(16))

    return call


_BITWISE: dict[str, Callable[[Any, Any], Any]] = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "andn2": lambda a, b: a & ~b,
    "orn2": lambda a, b: a | ~b,
    "nand": lambda a, b: ~(a & b),
    "nor": lambda a, b: ~(a | b),
    "xnor": lambda a, b: ~(a ^ b),
    "andn1": lambda a, b: ~a & b,
    "orn1": lambda a, b: ~a | b,
}
_RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "eq": lambda a, b: a == b,
    "lg": lambda a, b: a != b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
}


def _relation_immediate(relation: Callable[[Any, Any], Any]) -> LaneFunction:
    return pure(
        lambda a, b: relation(
            a.astype(I64) if b.dtype == I16 else a.astype(U32),
            b.astype(I64) if b.dtype == I16 else b.astype(U32),
        )
    )


def _table() -> dict[str, LaneFunction]:
    table: dict[str, LaneFunction] = {}
    for name, operation in _BITWISE.items():
        table |= {
            f"s_{name}_b32": _with_nonzero(operation), f"s_{name}_b64": _with_nonzero(operation),
        }  # fmt: skip
        for bits in (32, 64):
            table |= {
                f"s_{name}_saveexec_b{bits}": _exec_operation(operation),
                f"s_{name}_wrexec_b{bits}": _write_exec(operation),
            }
    for name, relation in _RELATIONS.items():
        for t in ("i32", "u32", "u64"):
            table[f"s_cmp_{name}_{t}"] = pure(relation)
        for t in ("i32", "u32"):
            table[f"s_cmpk_{name}_{t}"] = _relation_immediate(relation)
    for bits in (32, 64):
        table |= {
            f"s_mov_b{bits}": pure(lambda a: a), f"s_cmov_b{bits}": pure(_conditional_move),
            f"s_not_b{bits}": _with_nonzero(not_), f"s_cselect_b{bits}": pure(_select),
            f"s_bcnt0_i32_b{bits}": _with_nonzero(_count_zeros),
            f"s_bcnt1_i32_b{bits}": _with_nonzero(_count_ones), f"s_bitcmp0_b{bits}": pure(_bit_test(0)),
            f"s_bitcmp1_b{bits}": pure(_bit_test(1)), f"s_bitset0_b{bits}": pure(_bit_set(0)),
            f"s_bitset1_b{bits}": pure(_bit_set(1)), f"s_lshl_b{bits}": _shift(lambda a, b: a << b, bits),
            f"s_lshr_b{bits}": _shift(lambda a, b: a >> b, bits),
            f"s_ashr_i{bits}": _shift(lambda a, b: a >> b, bits),
            f"s_bfe_u{bits}": _with_nonzero(bfe_unsigned), f"s_bfe_i{bits}": _with_nonzero(bfe_signed),
        }  # fmt: skip
    for amount in (1, 2, 3, 4):
        table[f"s_lshl{amount}_add_u32"] = _shift_add(amount)
    return table


SCALARS: dict[str, LaneFunction] = {
    **_table(), "s_wqm_b32": _with_nonzero(whole_quads), "s_wqm_b64": _with_nonzero(whole_quads),
    "s_quadmask_b32": _with_nonzero(quad_mask), "s_quadmask_b64": _with_nonzero(quad_mask),
    "s_bitreplicate_b64_b32": pure(replicate_bits), "s_brev_b32": pure(reverse_bits),
    "s_brev_b64": pure(reverse_bits_b64), "s_ff0_i32_b32": pure(lambda a: lowest_one(~a)),
    "s_ff0_i32_b64": pure(lambda a: lowest_one_b64(~a)), "s_ff1_i32_b32": pure(lowest_one),
    "s_ff1_i32_b64": pure(lowest_one_b64), "s_flbit_i32_b32": pure(highest_one),
    "s_flbit_i32_b64": pure(highest_one_b64), "s_flbit_i32": pure(highest_sign_change),
    "s_flbit_i32_i64": pure(highest_sign_change_i64),
    "s_sext_i32_i8": pure(lambda a: a.astype(np.int8).astype(I32)),
    "s_sext_i32_i16": pure(lambda a: a.astype(I16).astype(I32)), "s_abs_i32": _with_nonzero(np.abs),
    "s_add_u32": pure(carry_add), "s_sub_u32": pure(lambda a, b: (a - b, a < b)), "s_add_i32": pure(add_i32),
    "s_sub_i32": pure(sub_i32), "s_addc_u32": pure(carry_add_in), "s_subb_u32": pure(borrow_subtract_in),
    "s_absdiff_i32": _with_nonzero(distance), "s_min_i32": _extreme(lambda a, b: a < b),
    "s_min_u32": _extreme(lambda a, b: a < b), "s_max_i32": _extreme(lambda a, b: a >= b),
    "s_max_u32": _extreme(lambda a, b: a >= b), "s_bfm_b32": pure(bfm), "s_bfm_b64": pure(bfm_b64),
    "s_mul_i32": pure(lambda a, b: a * b), "s_mul_hi_u32": pure(mul_hi_u32), "s_mul_hi_i32": pure(mul_hi_i32),
    "s_add_nc_u64": pure(lambda a, b: a + b), "s_sub_nc_u64": pure(lambda a, b: a - b),
    "s_mul_u64": pure(multiply_u64), "s_pack_hl_b32_b16": pure(_halves(1, 0)),
    "s_pack_ll_b32_b16": pure(_halves(0, 0)), "s_pack_lh_b32_b16": pure(_halves(0, 1)),
    "s_pack_hh_b32_b16": pure(_halves(1, 1)), "s_movk_i32": pure(lambda a: a.astype(I32)),
    "s_cmovk_i32": pure(lambda a, old, scc: np.where(scc != 0, a.astype(I32), old)),
    "s_addk_i32": pure(lambda a, old: add_i32(old, a.astype(I32))),
    "s_mulk_i32": pure(lambda a, old: old * a.astype(I32)),
}  # fmt: skip
