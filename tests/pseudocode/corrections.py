"""Slips of the published pseudocode, mended: each with the words or facts that show it. The test lists them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

EVERY = ("cdna", "rdna3", "rdna4")


class Correction(NamedTuple):
    reason: str
    mend: Callable[[str], str]
    families: tuple[str, ...] = EVERY  # of the manuals that have the slip


def _replaced(*pairs: tuple[str, str]) -> Callable[[str], str]:
    def mend(text: str) -> str:
        for old, new in pairs:
            if old not in text:
                raise ValueError(f"the text no longer has {old!r}: is the slip gone?")
            text = text.replace(old, new)
        return text

    return mend


def _scale(width: int, up: int) -> Correction:
    float_type = f"f{width}"
    reciprocal = "1.0 / 64'F(S1.f32) == DENORM.f64" if width == 32 else "1.0 / S1.f64 == DENORM.f64"
    both = f"(({reciprocal}) && (S2.{float_type} / S1.{float_type} == DENORM.{float_type})) then"
    own = both.replace(f"({reciprocal})", f"(1.0F / S1.{float_type} == DENORM.{float_type})")
    scaled = f"VCC = 0x1LL;\nif S0.{float_type} == S1.{float_type} then\n// Only scale the denominator\nD0.{float_type} = ldexp(S0.{float_type}, "

    def mend(text: str) -> str:
        text = "\n".join(line.strip() for line in text.splitlines())
        return f"D0.{float_type} = S0.{float_type};\n" + _replaced(
            (f"{both}\n{scaled}{up})", f"{own}\n{scaled}-{up})"),
            (f"elsif {reciprocal} then", f"elsif 1.0F / S1.{float_type} == DENORM.{float_type} then"),
        )(text)

    return Correction(
        "an operand that no clause scales is passed on; the reciprocal is denormal in the operand's own format; where reciprocal and quotient "
        "both are, the denominator (beyond 2**126) can only be scaled down", mend,
    )  # fmt: skip


def _fmas(text: str, literal: str, float_type: str, power: int, middle: int) -> Correction:
    published = f"{literal} ** {text} * fma(S0.{float_type}, S1.{float_type}, S2.{float_type})"
    mended = f"fma_scaled(S0.{float_type}, S1.{float_type}, S2.{float_type}, exponent(S2.{float_type}) > {middle} ? {power} : -{power})"
    return Correction(f"V_DIV_SCALE scales by 2**{power}, either way, and this step takes it back, rounding once", _replaced((published, mended)))


def _fixup(float_type: str, infinite: int, beyond: int) -> Correction:
    tested = f"exponent(S1.{float_type}) == {infinite} then"
    return Correction(
        "the overflow clause asks for an infinite denominator, which an earlier one took; a quotient beyond the format is meant",
        _replaced((tested, f"exponent(S2.{float_type}) - exponent(S1.{float_type}) > {beyond} then")),
    )


def _random_rounding(byte: str) -> Correction:
    carried = "m = 23'U(32'U(23'B(mantissa(S0.f32))) + S1[31 : {}].u32);\ntmp = float32(s, e, m);".format(12 if byte == "fp8" else 11)

    def mend(text: str) -> str:
        start, end = text.index("s = sign"), text.index("// Add stochastic")
        dropped = 20 if byte == "fp8" else 21
        if carried not in text:
            raise ValueError(f"the text no longer has {carried!r}: is the slip gone?")
        return f"{text[:start]}tmp = with_random_bits(S0.f32, S1.u32, {dropped});\n{text[end:]}"

    return Correction(
        "as many random bits as the fraction loses are added where they are lost, a carry goes into the exponent, what is left below is cut off: "
        "HIP's own conversion does so, and a sum that wraps within the fraction, rounded to nearest once more, is no rounding", mend,
    )  # fmt: skip


def _bytes_are_floats(first: str, second: str) -> Correction:
    spans = ((7, 0), (15, 8), (23, 16), (31, 24))
    pairs = [
        (f"32'F({source}[{high} : {low}].{byte})", f"{byte}_to_f32({source}[{high} : {low}].{byte})")
        for high, low in spans
        for source, byte in (("S0", first), ("S1", second))
    ]  # fmt: skip
    return Correction("the bytes are floats, which 32'F() does not say", _replaced(*pairs), ("rdna4",))


CORRECTIONS: dict[str, Correction] = {
    **{f"v_cvt_sr_{byte}_f32": _random_rounding(byte) for byte in ("fp8", "bf8")},
    **{f"v_dot4_f32_{first}_{second}": _bytes_are_floats(first, second) for first in ("fp8", "bf8") for second in ("fp8", "bf8")},
    "v_cvt_f32_bf16": Correction("the bits are the number's, not an integer", _replaced(("D0.f32 = 32'F(", "D0.b32 = 32'B("))),
    "v_div_scale_f32": _scale(32, 64),
    "v_div_scale_f64": _scale(64, 128),
    "v_div_fmas_f32": _fmas("32", "2.0F", "f32", 64, 127),
    "v_div_fmas_f64": _fmas("64", "2.0", "f64", 128, 1023),
    "v_div_fixup_f32": _fixup("f32", 255, 130),
    "v_div_fixup_f64": _fixup("f64", 2047, 1026),
    "v_pk_mov_b32": Correction("its sources are 64 bits wide, of which OPSEL picks a word", _replaced(("S0.u32[", "S0["), ("S1.u32[", "S1["))),
    "v_bitop3_b32": Correction("the destination is D0, as everywhere", _replaced(("D.b32 =", "D0.b32 ="))),
    "v_bitop3_b16": Correction("the destination is D0, as everywhere", _replaced(("D.b16 =", "D0.b16 ="))),
    "v_trig_preop_f64": Correction(
        '"only whole part of result is kept": of 2/π shifted up by 53 bits more, as the scale of -53 - shift says',
        _replaced(("(1201'B(2.0 / PI)[1200 : 0] << shift.u32)", "(TWO_OVER_PI >> (3148 - shift))")),
    ),
}
