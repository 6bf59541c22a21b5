"""Conversions of bf16 and of floats of 8, 6 and 4 bits, plain, scaled by the exponent of an f32, and rounded
by random bits.

Keys of OCP's 8-bit floats end in `_ocp` if AMD's own formats have the same instruction.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from isa.semantics.formats import (
    BF6,
    FNUZ_BF8,
    FNUZ_FP8,
    FP4,
    FP6,
    OCP_BF8,
    OCP_FP8,
    SmallFloat,
    decode,
    encode,
    encode_random,
    fields,
    from_bf16,
    pack_sixes,
    to_bf16,
    with_random_bits,
)
from isa.semantics.lane import ByModifier, LaneFunction, pure
from isa.semantics.mode import U8, U16, U32, Array, bits_of


def scale_of(scale: Array) -> Array:
    """The power of two in the exponent field of an f32's bits, as an f64."""
    return np.ldexp(1.0, (scale >> U32(23) & U32(255)).astype(np.int32) - 127)


def next_random(seed: Array) -> Array:
    """The step of V_PRNG_B32, a shift register."""
    return (seed << U32(1)) ^ np.where(seed >> U32(31), U32(197), U32(0))


def scaled_up(x: Array, scale: Array) -> Array:
    """f32 times the scale."""
    return (x.astype(np.float64) * scale_of(scale)).astype(np.float32)


def scaled_down(x: Array, scale: Array) -> Array:
    """f32 divided by the scale."""
    return (x.astype(np.float64) / scale_of(scale)).astype(np.float32)


_WIDEN: dict[str, Callable[[Array], Array]] = {
    "f32": lambda x: x,
    "f16": lambda x: x.astype(np.float32),
    "bf16": from_bf16,
}
_NARROW: dict[str, Callable[[Array], Array]] = {
    "f32": lambda x: x,
    "f16": lambda x: x.astype(np.float16),
    "bf16": to_bf16,
}


def _byte(word: Array, index: int) -> Array:
    return word.astype(U32) >> U32(8 * index) & U32(255)


def _from_byte(form: SmallFloat) -> ByModifier:
    """v_cvt_f32_fp8: a byte of a word."""

    def of(index: int) -> LaneFunction:
        return pure(lambda x: decode(_byte(x, index), form))

    return ByModifier(("byte_sel",), of)


def _pair_from_word(form: SmallFloat) -> LaneFunction:
    return pure(lambda x: np.stack([decode(_byte(x, 0), form), decode(_byte(x, 1), form)], -1))


def _pair_to_word(form: SmallFloat) -> LaneFunction:
    return pure(lambda a, b: _packed(encode(a, form), encode(b, form), 8).astype(U16))


def _random(form: SmallFloat) -> LaneFunction:
    return pure(lambda x, seed: encode_random(x, seed, form))


def _packed(low: Array, high: Array, bits: int) -> Array:
    low, high = np.broadcast_arrays(low, high)
    return low.astype(U16) | (high.astype(U16) << U16(bits))


def _scaled_from_byte(form: SmallFloat, element: str) -> ByModifier:
    def of(select: tuple[int, ...]) -> LaneFunction:
        index = select[0] + 2 * select[1]
        return pure(lambda x, scale: _NARROW[element](scaled_up(decode(_byte(x, index), form), scale)))

    return ByModifier(("op_sel",), of)


def _scaled_pair_from_word(form: SmallFloat, element: str) -> ByModifier:
    def of(select: tuple[int, ...]) -> LaneFunction:
        return pure(
            lambda x, scale: _scaled_pair(
                [_byte(x, 2 * select[0] + i) for i in range(2)], form, element, scale
            )
        )

    return ByModifier(("op_sel",), of)


def _scaled_pair_from_byte(form: SmallFloat, element: str) -> ByModifier:
    def of(select: tuple[int, ...]) -> LaneFunction:
        index = select[0] + 2 * select[1]
        return pure(
            lambda x, scale: _scaled_pair(
                [_byte(x, index) >> U32(4 * i) for i in range(2)], form, element, scale
            )
        )

    return ByModifier(("op_sel",), of)


def _scaled_pair(codes: list[Array], form: SmallFloat, element: str, scale: Array) -> Array:
    return np.stack(
        np.broadcast_arrays(*(_NARROW[element](scaled_up(decode(code, form), scale)) for code in codes)), -1
    )


def _parts(element: str, sources: tuple[Array, ...]) -> tuple[Array, Array]:
    """The two values of a packed source, or of two f32 sources, as f32."""
    widen = _WIDEN[element]
    return (
        (widen(sources[0][..., 0]), widen(sources[0][..., 1]))
        if len(sources) == 1
        else (widen(sources[0]), widen(sources[1]))
    )


def _scaled_pair_to(form: SmallFloat, element: str) -> LaneFunction:
    """Two values to two codes: 16 bits of 8-bit floats, 8 bits of 4-bit floats."""

    def call(*sources: Array) -> Array:
        low, high = (encode(scaled_down(x, sources[-1]), form) for x in _parts(element, sources[:-1]))
        return _packed(low, high, form.bits).astype(U16 if form.bits == 8 else U8)

    return pure(call)


def _scaled_pair_to_random(form: SmallFloat, element: str) -> LaneFunction:
    def call(pair: Array, seed: Array, scale: Array) -> Array:
        low, high = (scaled_down(x, scale) for x in _parts(element, (pair,)))
        return _packed(
            encode_random(low, seed, form), encode_random(high, next_random(seed), form), form.bits
        ).astype(U8)

    return pure(call)


def _scaled_to_random(form: SmallFloat, element: str) -> LaneFunction:
    return pure(lambda x, seed, scale: encode_random(scaled_down(_WIDEN[element](x), scale), seed, form))


def _elements(words: Array, element: str) -> Array:
    """The words of a tuple as f32 values."""
    whole = np.ascontiguousarray(words)
    return _WIDEN[element](whole.view({"f32": np.float32, "f16": np.float16, "bf16": U16}[element]))


def _words(values: Array, element: str) -> Array:
    return np.ascontiguousarray(_NARROW[element](values)).view(U32)


def _from_sixes(form: SmallFloat, element: str) -> LaneFunction:
    return pure(
        lambda words, scale: _words(
            scaled_up(decode(fields(words, 6), form), np.asarray(scale)[..., None]), element
        )
    )


def _to_sixes(form: SmallFloat, element: str) -> LaneFunction:
    return pure(
        lambda words, scale: pack_sixes(
            encode(scaled_down(_elements(words, element), np.asarray(scale)[..., None]), form)
        )
    )


def _interleaved_to_sixes(form: SmallFloat) -> LaneFunction:
    """Two tuples of 16 f32, element by element in turns."""

    def call(a: Array, b: Array, scale: Array) -> Array:
        both = np.stack([_elements(a, "f32"), _elements(b, "f32")], -1)
        values = both.reshape(*both.shape[:-2], 32)
        return pack_sixes(encode(scaled_down(values, np.asarray(scale)[..., None]), form))

    return pure(call)


def _to_sixes_random(form: SmallFloat, element: str) -> LaneFunction:
    def call(words: Array, seed: Array, scale: Array) -> Array:
        values = scaled_down(_elements(words, element), np.asarray(scale)[..., None])
        codes = np.empty(values.shape, U8)
        for i in range(32):
            codes[..., i] = encode_random(values[..., i], seed, form)
            seed = next_random(seed)
        return pack_sixes(codes)

    return pure(call)


def _random_f16(x: Array, seed: Array) -> Array:
    return with_random_bits(x, seed, 13).astype(np.float16)


def _random_bf16(x: Array, seed: Array) -> Array:
    return (bits_of(with_random_bits(x, seed, 16)) >> U32(16)).astype(U16)


def _table() -> dict[str, LaneFunction | ByModifier]:
    table: dict[str, LaneFunction | ByModifier] = {}
    for byte, plain, ocp in (("fp8", FNUZ_FP8, OCP_FP8), ("bf8", FNUZ_BF8, OCP_BF8)):
        for suffix, form in (("", plain), ("_ocp", ocp)):
            table |= {
                f"v_cvt_f32_{byte}{suffix}": _from_byte(form),
                f"v_cvt_pk_f32_{byte}{suffix}": _pair_from_word(form),
                f"v_cvt_pk_{byte}_f32{suffix}": _pair_to_word(form),
                f"v_cvt_sr_{byte}_f32{suffix}": _random(form),
            }
        for element in ("f32", "f16", "bf16"):
            table[f"v_cvt_scalef32_{element}_{byte}"] = _scaled_from_byte(ocp, element)
            table[f"v_cvt_scalef32_pk_{element}_{byte}"] = _scaled_pair_from_word(ocp, element)
            table[f"v_cvt_scalef32_pk_{byte}_{element}"] = _scaled_pair_to(ocp, element)
            table[f"v_cvt_scalef32_sr_{byte}_{element}"] = _scaled_to_random(ocp, element)
    for element in ("f32", "f16", "bf16"):
        table[f"v_cvt_scalef32_pk_{element}_fp4"] = _scaled_pair_from_byte(FP4, element)
        table[f"v_cvt_scalef32_pk_fp4_{element}"] = _scaled_pair_to(FP4, element)
        table[f"v_cvt_scalef32_sr_pk_fp4_{element}"] = _scaled_pair_to_random(FP4, element)
        for six, form in (("fp6", FP6), ("bf6", BF6)):
            table[f"v_cvt_scalef32_pk32_{element}_{six}"] = _from_sixes(form, element)
            table[f"v_cvt_scalef32_pk32_{six}_{element}"] = _to_sixes(form, element)
            table[f"v_cvt_scalef32_sr_pk32_{six}_{element}"] = _to_sixes_random(form, element)
    return table


SMALL_FLOATS: dict[str, LaneFunction | ByModifier] = {
    **_table(), "v_cvt_scalef32_2xpk16_fp6_f32": _interleaved_to_sixes(FP6),
    "v_cvt_scalef32_2xpk16_bf6_f32": _interleaved_to_sixes(BF6), "v_cvt_f32_bf16": pure(from_bf16),
    "v_cvt_pk_bf16_f32": pure(lambda a, b: np.stack(np.broadcast_arrays(to_bf16(a), to_bf16(b)), -1)),
    "v_cvt_sr_bf16_f32": pure(_random_bf16), "v_cvt_sr_f16_f32": pure(_random_f16),
    "v_prng_b32": pure(next_random),
}  # fmt: skip
