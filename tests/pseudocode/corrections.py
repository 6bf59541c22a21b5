"""Slips of the published pseudocode, mended: each with the words or facts that show it. The test lists them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Correction(NamedTuple):
    reason: str
    mend: Callable[[str], str]


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
            (f"elsif {reciprocal} then", f"elsif 1.0F / S1.{float_type} == DENORM.{float_type} then")
        )(text)

    return Correction(
        "an operand that no clause scales is passed on; the reciprocal is denormal in the operand's own format; where reciprocal and quotient "
        "both are, the denominator (beyond 2**126) can only be scaled down", mend,
    )  # fmt: skip


def _fmas(text: str, literal: str, float_type: str, power: int, middle: int) -> Correction:
    published = f"{literal} ** {text} * fma(S0.{float_type}, S1.{float_type}, S2.{float_type})"
    mended = f"fma_scaled(S0.{float_type}, S1.{float_type}, S2.{float_type}, exponent(S2.{float_type}) > {middle} ? {power} : -{power})"
    return Correction(
        f"V_DIV_SCALE scales by 2**{power}, either way, and this step takes it back, rounding once", _replaced((published, mended))
    )


def _fixup(float_type: str, infinite: int, beyond: int) -> Correction:
    tested = f"exponent(S1.{float_type}) == {infinite} then"
    return Correction(
        "the overflow clause asks for an infinite denominator, which an earlier one took; a quotient beyond the format is meant",
        _replaced((tested, f"exponent(S2.{float_type}) - exponent(S1.{float_type}) > {beyond} then")),
    )


CORRECTIONS: dict[str, Correction] = {
    "v_div_scale_f32": _scale(32, 64),
    "v_div_scale_f64": _scale(64, 128),
    "v_div_fmas_f32": _fmas("32", "2.0F", "f32", 64, 127),
    "v_div_fmas_f64": _fmas("64", "2.0", "f64", 128, 1023),
    "v_div_fixup_f32": _fixup("f32", 255, 130),
    "v_div_fixup_f64": _fixup("f64", 2047, 1026),
    "v_pk_mov_b32": Correction("its sources are 64 bits wide, of which OPSEL picks a word", _replaced(("S0.u32[", "S0["), ("S1.u32[", "S1["))),
    "v_trig_preop_f64": Correction(
        "\"only whole part of result is kept\": of 2/π shifted up by 53 bits more, as the scale of -53 - shift says",
        _replaced(("(1201'B(2.0 / PI)[1200 : 0] << shift.u32)", "(TWO_OVER_PI >> (3148 - shift))")),
    ),
}
