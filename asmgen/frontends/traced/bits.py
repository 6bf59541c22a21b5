"""Bytes and their bits: np.packbits, np.unpackbits."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import like, table
from asmgen.frontends.traced.places import caller
from asmgen.frontends.traced.promotion import as_bool, astype
from asmgen.frontends.traced.shaping import at, expand_dims, moveaxis, one_axis, ravel, reshape
from isa.diagnostics import InputError


def packbits(a: Array, axis: object = None, bitorder: str = "big") -> Array:
    if a.type.element.is_float:
        raise InputError(caller(), "TRC004", f"np.packbits got {a.type.element}, wanted bools or integers")
    last, number = _last(a, axis)
    size = last.shape[-1]
    flags = as_bool(last)
    if size % 8:
        flags = apply("pad", flags, pads=(0,) * (2 * flags.ndim - 1) + (-size % 8,))
    flags = reshape(flags, (*flags.type.dims[:-1], -1, 8))
    ones = table(a.tracer, _ones(bitorder).astype(np.int32))
    chosen = apply("where", flags, ones, like(0, ones))
    total = apply("squeeze", apply("reduce_sum", chosen, axes=(-1,)), axes=(-1,))
    return moveaxis(astype(total, "u8"), -1, number)


def unpackbits(a: Array, axis: object = None, count: int | None = None, bitorder: str = "big") -> Array:
    if a.type.element.name != "u8":
        raise InputError(caller(), "TRC004", f"np.unpackbits got {a.type.element}, wanted u8")
    last, number = _last(a, axis)
    size = 8 * last.shape[-1]
    bits = apply("bitwise_and", expand_dims(last, -1), table(a.tracer, _ones(bitorder))) != 0
    unpacked = astype(reshape(bits, (*last.type.dims[:-1], size)), "u8")
    if count is not None and count > size:
        unpacked = apply("pad", unpacked, pads=(0,) * (2 * unpacked.ndim - 1) + (count - size,))
    elif count is not None:
        unpacked = at(unpacked, unpacked.ndim - 1, slice(None, count))
    return moveaxis(unpacked, -1, number)


def _last(a: Array, axis: object) -> tuple[Array, int]:
    """The array with the axis of the bits as its last axis, and the number of that axis."""
    if axis is None:
        return ravel(a), 0
    number = one_axis(a, axis)
    return moveaxis(a, number, -1), number


def _ones(order: str) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    if order not in ("big", "little"):
        raise InputError(caller(), "TRC007", f"got bitorder={order!r}, wanted big or little")
    ones = np.left_shift(np.uint8(1), np.arange(8, dtype=np.uint8))
    return ones[::-1].copy() if order == "big" else ones


FUNCTIONS: dict[str, Callable[..., object]] = {"packbits": packbits, "unpackbits": unpackbits}
