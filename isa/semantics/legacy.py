"""Multiply-adds that round twice, and the packed sums of absolute differences that video code used (CDNA2
ISA, chapter 12)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from isa.semantics.approximate import div_fixup
from isa.semantics.float_arithmetic import add, fma, multiply, multiply_legacy
from isa.semantics.integer_arithmetic import sad
from isa.semantics.lane import LaneFunction, moded, pure
from isa.semantics.mode import U32, U64, Array, Mode, flush

Multiply = Callable[[Mode, Array, Array], Array]


def _multiply_add(product: Multiply) -> LaneFunction:
    """a * b + c with both roundings; f32 flushes denormals whatever MODE says."""

    def call(mode: Mode, a: Array, b: Array, c: Array) -> Array:
        if a.dtype.itemsize != 4:
            return add(mode, product(mode, a, b), c)
        return flush(add(mode, flush(product(mode, flush(a), flush(b))), flush(c)))

    return moded(call)


def _windows(pair: Array) -> list[Array]:
    """The four words that begin at bytes 0 to 3 of a 64-bit value."""
    return [(pair >> U64(8 * i)).astype(U32) for i in range(4)]


def _sums_of_halves(masked: bool) -> Callable[[Array, Array, Array], Array]:
    """Four sums of absolute differences onto four 16-bit addends."""
    differences = sad(4, masked)

    def call(pair: Array, reference: Array, addends: Array) -> Array:
        result: Array = np.zeros(np.broadcast(pair, reference, addends).shape, U64)
        for i, window in enumerate(_windows(pair)):
            total = differences(window, reference, (addends >> U64(16 * i)).astype(U32) & U32(0xFFFF))
            result = result | (total & U32(0xFFFF)).astype(U64) << U64(16 * i)
        return result

    return call


def _saturated_sums_of_halves(masked: bool) -> Callable[[Array, Array, Array], Array]:
    differences = sad(4, masked)

    def call(pair: Array, reference: Array, addends: Array) -> Array:
        result: Array = np.zeros(np.broadcast(pair, reference, addends).shape, U64)
        for i, window in enumerate(_windows(pair)):
            total = differences(window, reference, (addends >> U64(16 * i)).astype(U32) & U32(0xFFFF))
            result = result | np.minimum(total, U32(0xFFFF)).astype(U64) << U64(16 * i)
        return result

    return call


def _sums_of_words(pair: Array, reference: Array, addends: Array) -> Array:
    """Four masked sums onto the four words of a tuple."""
    differences = sad(4, True)
    return np.stack(
        [differences(window, reference, addends[..., i]) for i, window in enumerate(_windows(pair))], -1
    )


def _saturated_sums_of_words(pair: Array, reference: Array, addends: Array) -> Array:
    differences = sad(4, True)
    zero = addends[..., 0] & U32(0)
    sums = [
        differences(window, reference, zero).astype(U64) + addends[..., i]
        for i, window in enumerate(_windows(pair))
    ]
    return np.minimum(np.stack(sums, -1), U64(0xFFFFFFFF)).astype(U32)


def _table() -> dict[str, LaneFunction]:
    table: dict[str, LaneFunction] = {}
    for t in ("f16", "f32"):
        for name in ("mac", "mad", "madak", "madmk"):
            table[f"v_{name}_{t}"] = _multiply_add(multiply)
    return table


LEGACY: dict[str, LaneFunction] = {
    **_table(),
    "v_mad_legacy_f16": _multiply_add(multiply), "v_mad_legacy_f32": _multiply_add(multiply_legacy),
    "v_mac_legacy_f32": _multiply_add(multiply_legacy),
    "v_fma_legacy_f16": moded(fma), "v_div_fixup_legacy_f16": moded(div_fixup),
    "v_qsad_pk_u16_u8": pure(_sums_of_halves(False), _saturated_sums_of_halves(False)),
    "v_mqsad_pk_u16_u8": pure(_sums_of_halves(True), _saturated_sums_of_halves(True)),
    "v_mqsad_u32_u8": pure(_sums_of_words, _saturated_sums_of_words),
}  # fmt: skip
