"""Sums, products and differences of whole numbers: plain, saturated, of 24 bits, with a carry, of the bytes
of a word."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from isa.semantics.lane import LaneFunction, pure
from isa.semantics.mode import I32, I64, U32, U64, Array


def saturate(operation: Callable[..., Any]) -> Callable[..., Array]:
    """The operation carried out in 64 bits and clamped to the range of its first operand's type."""

    def call(*sources: Array) -> Array:
        limits = np.iinfo(sources[0].dtype)
        wide = operation(*(source.astype(I64) for source in sources))
        return np.clip(wide, limits.min, limits.max).astype(sources[0].dtype)

    return call


def with_saturation(operation: Callable[..., Any]) -> LaneFunction:
    return pure(operation, saturate(operation))


def minus_reversed(a: Any, b: Any) -> Any:
    return b - a


def multiply_add(a: Any, b: Any, c: Any) -> Any:
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


def saturated_carry(
    operation: Callable[..., tuple[Array, Array]], bound: int
) -> Callable[..., tuple[Array, Array]]:
    """The result, saturated if the operation carries out of 32 bits."""

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


def borrow_reversed(a: Array, b: Array) -> tuple[Array, Array]:
    return borrow_subtract(b, a)


def borrow_reversed_in(a: Array, b: Array, borrow: Array) -> tuple[Array, Array]:
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


def absolute_difference(a: Array, b: Array) -> Array:
    return np.maximum(a, b) - np.minimum(a, b)


def sad(lanes: int, masked: bool) -> Callable[[Array, Array, Array], Array]:
    """Sum of absolute differences over bytes (lanes=4) or halves (2); `masked` skips bytes of b that are
    0."""

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


def _saturated_sum(
    differences: Callable[[Array, Array, Array], Array],
) -> Callable[[Array, Array, Array], Array]:
    """The sum of differences with its addend apart, saturated to 32 bits (the clamp modifier)."""

    def call(a: Array, b: Array, c: Array) -> Array:
        return np.minimum(differences(a, b, c & U32(0)).astype(U64) + c.astype(U64), U64(0xFFFFFFFF)).astype(
            U32
        )

    return call


def summed_differences(differences: Callable[[Array, Array, Array], Array]) -> LaneFunction:
    return pure(differences, _saturated_sum(differences))


def lerp_u8(a: Array, b: Array, c: Array) -> Array:
    result = U32(0)
    for shift in (0, 8, 16, 24):
        x, y = (a >> U32(shift)) & U32(255), (b >> U32(shift)) & U32(255)
        result = result | (((x + y + ((c >> U32(shift)) & U32(1))) >> U32(1)) << U32(shift))
    return result
