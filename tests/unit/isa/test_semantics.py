"""Lane functions against exact arithmetic: fractions for floats, Python integers for integers."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, cast

import numpy as np
import pytest

from isa.semantics import resolve, table
from isa.semantics.lane import ByModifier
from isa.semantics.mode import Approximation, Mode, Rounding, decode_mode, where
from tests.rows import every_row
from tests.unit.isa.exact import FORMATS, edge_values, rounded

Array = np.ndarray[Any, Any]
MODES = {rounding: Mode(rounding_32=rounding, rounding_16_64=rounding) for rounding in Rounding}
NEAREST = MODES[Rounding.NEAREST]


def call(key: str, *sources: Any, mode: Mode = NEAREST) -> Any:
    with np.errstate(all="ignore"):
        meaning = resolve(key)
        return (meaning.of(0) if isinstance(meaning, ByModifier) else meaning).call(mode, *sources)


def assert_same(got: Array, expected: Array) -> None:
    """Equal bits, but for the payloads of NaNs."""
    assert got.dtype == expected.dtype
    bits = f"u{got.dtype.itemsize}"
    wrong = (got.view(bits) != expected.view(bits)) & ~(np.isnan(got) & np.isnan(expected))
    assert not wrong.any(), f"{int(wrong.sum())} differ, first {got[wrong][0]!r}, expected {expected[wrong][0]!r}"


def test_every_row_has_semantics() -> None:
    rows = every_row()
    parts = [part for row in rows for part in row.components]
    assert not sorted({row.semantics for row in (*rows, *parts)} - set(table()))


def fractions(*arrays: Array) -> list[tuple[Fraction, ...]]:
    return [tuple(Fraction(float(x)) for x in values) for values in zip(*arrays, strict=True)]


@pytest.mark.broad
@pytest.mark.parametrize("rounding", list(Rounding))
@pytest.mark.parametrize("type_name", FORMATS)
def test_add_multiply_fma_round_once(type_name: str, rounding: Rounding) -> None:
    a, b, c = (edge_values(type_name, 1500, seed) for seed in (1, 2, 3))
    # addends that cancel the product or leave it near a halfway point
    with np.errstate(all="ignore"):
        product = a * b
        close = product * edge_values(type_name, 1500, 4)
        every_third = np.isfinite(close) & (np.arange(1500) % 3 == 0)
        c = where(every_third, where(np.arange(1500) % 2 == 0, -product, close), c).astype(a.dtype)
        c = where(np.isfinite(c), c, a)
        zeros: dict[str, Array] = {"add": a + b, "mul": a * b, "fma": np.zeros_like(a)}
    if rounding is Rounding.DOWN:
        zeros["add"] = where((a == -b) & (a != 0), a.dtype.type(-0.0), zeros["add"])
    exact: dict[str, list[Fraction]] = {
        "add": [x + y for x, y in fractions(a, b)],
        "mul": [x * y for x, y in fractions(a, b)],
        "fma": [x * y + z for x, y, z in fractions(a, b, c)],
    }
    operands: dict[str, tuple[Array, ...]] = {"add": (a, b), "mul": (a, b), "fma": (a, b, c)}
    for name, sources in operands.items():
        expected = np.array([rounded(value, type_name, rounding, float(zero)) for value, zero in zip(exact[name], zeros[name], strict=True)])
        got = call(f"v_{name}_{type_name}", *sources, mode=MODES[rounding])
        if name == "fma":  # the sign of a zero fma is tested for special values below
            got = np.where((got == 0) & (expected == 0), expected, got).astype(a.dtype)
        assert_same(got, expected)


def test_fma_f32_at_halfway_points() -> None:
    """a * b lies exactly between two floats and c pushes it to one side by less than f64 can represent."""
    a = np.array([1 + 2**-12, 1 + 2**-12, 1 + 2**-12, 2**-70, 2**-70], np.float32)
    b = np.array([1 + 2**-12, 1 + 2**-12, 1 + 2**-12, 2**-79, 3 * 2.0**-80], np.float32)
    c = np.array([2.0**-80, -(2.0**-80), 0.0, 2.0**-149, -(2.0**-149)], np.float32)
    expected = [rounded(x * y + z, "f32") for x, y, z in fractions(a, b, c)]
    assert_same(call("v_fma_f32", a, b, c), np.array(expected, np.float32))


def test_fma_beyond_the_range_of_its_error_terms() -> None:
    values = np.array([2.0**1023, 2.0**-1074, 2.0**-600, -(2.0**700), 1.5 * 2.0**1000, 3 * 2.0**-1070, 0.0, 2.0**-500])
    a, b, c = (grid.ravel() for grid in np.meshgrid(values, values, values))
    expected = np.array([rounded(x * y + z, "f64") for x, y, z in fractions(a, b, c)])
    got = call("v_fma_f64", a, b, c)
    assert_same(np.where(got == 0, 0.0, got), np.where(expected == 0, 0.0, expected))


def test_fma_of_a_product_beyond_the_range_and_an_infinity() -> None:
    a, b = np.array([-1.7e308, 1.7e308, 1.7e308]), np.array([-2.0, 2.0, -2.0])
    assert_same(call("v_fma_f64", a, b, np.array([-np.inf, -np.inf, np.inf])), np.array([-np.inf, -np.inf, np.inf]))


@pytest.mark.parametrize("type_name", FORMATS)
def test_fma_of_infinities_and_nans(type_name: str) -> None:
    dtype = FORMATS[type_name][0]
    values = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 1.0, -2.0], dtype)
    a, b, c = (grid.ravel() for grid in np.meshgrid(values, values, values))
    with np.errstate(all="ignore"):
        expected = a * b + c
    assert_same(call(f"v_fma_{type_name}", a, b, c), expected)


@pytest.mark.parametrize("type_name", FORMATS)
def test_minimum_and_maximum_are_ieee_754_2008(type_name: str) -> None:
    dtype = FORMATS[type_name][0]
    bits = {2: np.uint16, 4: np.uint32, 8: np.uint64}[np.dtype(dtype).itemsize]
    signalling = (np.array(np.inf, dtype).view(bits) | bits(1)).view(dtype)
    a = np.array([1.0, np.nan, 2.0, -0.0, 0.0, np.inf, -np.inf, np.nan], dtype)
    b = np.array([2.0, 3.0, np.nan, 0.0, -0.0, 1.0, 1.0, np.nan], dtype)
    low = call(f"v_min_{type_name}", a, b)
    high = call(f"v_max_{type_name}", a, b)
    assert_same(low, np.array([1.0, 3.0, 2.0, -0.0, -0.0, 1.0, -np.inf, np.nan], dtype))
    assert_same(high, np.array([2.0, 3.0, 2.0, 0.0, 0.0, np.inf, 1.0, np.nan], dtype))
    with_signal = np.array([signalling], dtype), np.array([5.0], dtype)
    assert np.isnan(call(f"v_max_{type_name}", *with_signal))[0]
    assert call(f"v_max_{type_name}", *with_signal).view(bits)[0] & bits(1 << (FORMATS[type_name][1] - 2))
    assert call(f"v_max_{type_name}", *with_signal, mode=Mode(ieee=False))[0] == 5.0


def test_median() -> None:
    a, b, c = (np.array(x, np.float32) for x in ([1, 3, np.nan, -0.0], [2, 1, 4, 0.0], [3, 2, 1, 5]))
    assert_same(call("v_med3_f32", a, b, c), np.array([2, 2, 1, 0.0], np.float32))
    integers = [np.random.default_rng(1).integers(-9, 9, 300).astype(np.int32) for _ in range(3)]
    assert (call("v_med3_i32", *integers) == np.median(integers, axis=0)).all()


TO_INTEGER = [("v_cvt_i32_f32", np.int32), ("v_cvt_u32_f32", np.uint32), ("v_cvt_i16_f16", np.int16), ("v_cvt_u16_f16", np.uint16)]


@pytest.mark.parametrize(("key", "limits"), TO_INTEGER)
def test_float_to_integer_truncates_and_saturates(key: str, limits: Any) -> None:
    dtype = np.float16 if key.endswith("f16") else np.float32
    with np.errstate(all="ignore"):
        x = np.array([0.9, -0.9, 1.5, -1.5, 1e3, -1e3, 3e9, -3e9, 1e20, np.inf, -np.inf, np.nan, 65504, 2147483648, 4294967040, -0.0], dtype)
    info = np.iinfo(limits)
    whole = [0 if math.isnan(v) else math.trunc(min(max(v, -1e30), 1e30)) for v in x.tolist()]
    expected = [max(info.min, min(info.max, v)) for v in whole]
    got = call(key, x)
    assert got.dtype == limits and got.tolist() == expected


def test_nearest_integer_of_a_tie_is_the_upper_one() -> None:
    """floor(x + 0.5), as every manual of AMD's and LLVM's pattern of it have it: a tie goes up, whatever its sign."""
    x = np.array([0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 4194303.5, -4194303.5, 2.4, -2.6], np.float32)
    assert call("v_cvt_rpi_i32_f32", x).tolist() == [1, 2, 3, 0, -1, -2, 4194304, -4194303, 2, -3]


def test_f64_to_integers_of_32_bits() -> None:
    x = np.array([2147483647.9, -2147483648.9, 4294967295.5, 1e300, -1e300, np.nan])
    assert call("v_cvt_i32_f64", x).tolist() == [2**31 - 1, -(2**31), 2**31 - 1, 2**31 - 1, -(2**31), 0]
    assert call("v_cvt_u32_f64", x).tolist() == [2147483647, 0, 2**32 - 1, 2**32 - 1, 0, 0]


@pytest.mark.parametrize("rounding", list(Rounding))
def test_narrowing_conversions_follow_the_mode(rounding: Rounding) -> None:
    mode = MODES[rounding]
    wide = edge_values("f64", 2000, 5)
    narrow = edge_values("f32", 2000, 6)
    for key, source, target in (("v_cvt_f32_f64", wide, "f32"), ("v_cvt_f16_f32", narrow, "f16")):
        expected = np.array([rounded(Fraction(float(x)), target, rounding, float(x)) for x in source])
        assert_same(call(key, source, mode=mode), expected)
    integers = np.random.default_rng(7).integers(0, 1 << 32, 500, np.uint32)
    expected = np.array([rounded(Fraction(int(x)), "f32", rounding) for x in integers])
    assert_same(call("v_cvt_f32_u32", integers, mode=mode), expected)


def test_packed_conversion_rounds_toward_zero() -> None:
    x = edge_values("f32", 1000, 8)
    expected = np.array([rounded(Fraction(float(v)), "f16", Rounding.ZERO, float(v)) for v in x])
    assert_same(call("v_cvt_pkrtz_f16_f32", x, x)[:, 1], expected)


@pytest.mark.parametrize("type_name", FORMATS)
def test_ldexp_frexp_fract(type_name: str) -> None:
    x = edge_values(type_name, 500, 9)
    power = np.random.default_rng(10).integers(-300, 300, 500).astype(np.int16 if type_name == "f16" else np.int32)
    expected = np.array([rounded(Fraction(float(v)) * Fraction(2) ** int(p), type_name, zero=float(v)) for v, p in zip(x, power, strict=True)])
    assert_same(call(f"v_ldexp_{type_name}", x, power), expected)
    exponent = call("v_frexp_exp_i16_f16" if type_name == "f16" else f"v_frexp_exp_i32_{type_name}", x)
    mantissa = call(f"v_frexp_mant_{type_name}", x)
    assert all(Fraction(float(m)) * Fraction(2) ** int(e) == Fraction(float(v)) for m, e, v in zip(mantissa, exponent, x, strict=True))
    assert ((np.abs(mantissa) >= 0.5) | (mantissa == 0)).all()
    fraction = call(f"v_fract_{type_name}", x)
    assert ((fraction >= 0) & (fraction < 1)).all()


def test_class_masks() -> None:
    signalling = np.array([0x7F800001], np.uint32).view(np.float32)[0]
    x = np.array([signalling, np.nan, -np.inf, -1.0, -1e-40, -0.0, 0.0, 1e-40, 1.0, np.inf], np.float32)
    for bit in range(10):
        assert np.flatnonzero(call("v_cmp_class_f32", x, np.full(10, 1 << bit, np.uint32))).tolist() == [bit]


APPROXIMATE: dict[str, Callable[[Any], Any]] = {
    "rcp": lambda x: 1 / x, "rsq": lambda x: 1 / np.sqrt(x), "sqrt": np.sqrt, "exp": np.exp2, "log": np.log2,
}  # fmt: skip


@pytest.mark.parametrize("approximation", list(Approximation))
@pytest.mark.parametrize("name", APPROXIMATE)
def test_approximate_functions_stay_within_their_error(name: str, approximation: Approximation) -> None:
    x = np.abs(edge_values("f32", 3000, 11))
    x = np.concatenate([x, np.array([0, 1e-40, np.inf, np.nan, 127.5, 128], np.float32)])
    got = call(f"v_{name}_f32", x, mode=Mode(approximation=approximation))
    flushed = np.where(np.abs(x) < np.finfo(np.float32).smallest_normal, np.float32(0), x)
    with np.errstate(all="ignore"):
        exact = APPROXIMATE[name](flushed.astype(np.float64))
        nearest = exact.astype(np.float32)
    special = ~np.isfinite(nearest) | (np.abs(nearest) < 2 * np.finfo(np.float32).smallest_normal)
    step = np.abs(got.view(np.int32).astype(np.int64) - nearest.view(np.int32))
    wanted = 0 if approximation is Approximation.NEAREST else 1
    assert (step[~special] == wanted).all()
    if approximation is not Approximation.NEAREST:
        assert ((got > nearest)[~special] == (approximation is Approximation.HIGH)).all()
    infinite = np.isinf(nearest) | np.isnan(nearest)
    assert_same(got[infinite], nearest[infinite])
    assert not (np.abs(got[np.isfinite(got) & (got != 0)]) < np.finfo(np.float32).smallest_normal).any()


@pytest.mark.parametrize("approximation", list(Approximation))
@pytest.mark.parametrize("type_name", ["f32", "f64"])
def test_the_division_steps_divide_correctly(type_name: str, approximation: Approximation) -> None:
    """LLVM's expansion of an IEEE division (SITargetLowering, LowerFDIV32 and LowerFDIV64), step by step."""
    mode = Mode(approximation=approximation)
    n, d = edge_values(type_name, 4000, 12), edge_values(type_name, 4000, 13)

    def step(name: str, *sources: Any) -> Any:
        return call(f"v_{name}_{type_name}", *sources, mode=mode)

    one = np.ones_like(n)
    scaled_d, _ = step("div_scale", d, d, n)
    scaled_n, flags = step("div_scale", n, d, n)
    r = step("rcp", scaled_d)
    error = step("fma", -scaled_d, r, one)
    r = step("fma", error, r, r)
    if type_name == "f64":
        r = step("fma", step("fma", -scaled_d, r, one), r, r)
    q = step("mul", scaled_n, r)
    if type_name == "f32":
        q = step("fma", step("fma", -scaled_d, q, scaled_n), r, q)
    rest = step("fma", -scaled_d, q, scaled_n)
    got = step("div_fixup", step("div_fmas", rest, r, q, flags), d, n)
    with np.errstate(all="ignore"):
        expected = n / d
    assert_same(got, expected)


@pytest.mark.parametrize("rounding", Rounding)
@pytest.mark.parametrize("sign", [1, -1])
def test_a_denormal_quotient_is_rounded_once(sign: int, rounding: Rounding) -> None:
    """v_div_fmas_f64 scales by 2**-128 and rounds after that: a number a little beyond the middle of two
    denormals is nearer to the larger."""
    random = np.random.default_rng(14)
    middle = 2 * random.integers(1 << 20, 1 << 26, 100) + 1  # in halves of a denormal's step
    a, b = np.full(100, sign * 2.0**-540), np.full(100, 2.0**-500)
    got = call("v_div_fmas_f64", a, b, sign * middle * 2.0**-947, np.ones(100, bool), mode=MODES[rounding])
    goes_out = {Rounding.NEAREST: True, Rounding.ZERO: False, Rounding.UP: sign > 0, Rounding.DOWN: sign < 0}[rounding]
    assert_same(got, sign * (middle // 2 + goes_out) * 2.0**-1074)


def integers(dtype: Any, count: int, seed: int) -> Array:
    info = np.iinfo(dtype)
    rng = np.random.default_rng(seed)
    fixed = np.array([info.min, info.max, 0, 1, info.max - 1, info.min + 1, 0x55 & info.max], dtype)
    return np.concatenate([fixed, rng.integers(info.min, info.max, count, dtype, endpoint=True), rng.integers(0, 40, count).astype(dtype)])


def signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def permuted(high: int, low: int, selector: int) -> int:
    pair = high << 32 | low
    result = 0
    for i in range(4):
        s = selector >> (8 * i) & 255
        if s >= 13:
            byte = 255
        elif s == 12:
            byte = 0
        elif s >= 8:
            byte = 255 * (pair >> (16 * (s - 8) + 15) & 1)
        else:
            byte = pair >> (8 * s) & 255
        result |= byte << (8 * i)
    return result


def field(x: int, offset: int, width: int) -> int:
    return x >> (offset & 31) & ((1 << (width & 31)) - 1)


INTEGER_CASES: dict[str, tuple[tuple[Any, ...], Callable[..., int]]] = {
    "v_mul_hi_u32": ((np.uint32, np.uint32), lambda a, b: a * b >> 32),
    "v_mul_hi_i32": ((np.int32, np.int32), lambda a, b: a * b >> 32),
    "v_mul_lo_u32": ((np.uint32, np.uint32), lambda a, b: a * b),
    "v_mul_u32_u24": ((np.uint32, np.uint32), lambda a, b: (a & 0xFFFFFF) * (b & 0xFFFFFF)),
    "v_mul_i32_i24": ((np.int32, np.int32), lambda a, b: signed(a, 24) * signed(b, 24)),
    "v_mul_hi_i32_i24": ((np.int32, np.int32), lambda a, b: signed(a, 24) * signed(b, 24) >> 32),
    "v_mad_u32_u24": ((np.uint32, np.uint32, np.uint32), lambda a, b, c: (a & 0xFFFFFF) * (b & 0xFFFFFF) + c),
    "v_mad_u64_u32": ((np.uint32, np.uint32, np.uint64), lambda a, b, c: a * b + c),
    "v_mad_i64_i32": ((np.int32, np.int32, np.int64), lambda a, b, c: a * b + c),
    "v_bfe_u32": ((np.uint32, np.uint32, np.uint32), field),
    "v_bfe_i32": ((np.int32, np.uint32, np.uint32), lambda a, b, c: signed(field(a, b, c), c & 31) if c & 31 else 0),
    "v_bfi_b32": ((np.uint32, np.uint32, np.uint32), lambda a, b, c: (a & b) | (~a & c)),
    "v_bfm_b32": ((np.uint32, np.uint32), lambda a, b: ((1 << (a & 31)) - 1) << (b & 31)),
    "v_alignbit_b32": ((np.uint32, np.uint32, np.uint32), lambda a, b, c: (a << 32 | b) >> (c & 31)),
    "v_alignbyte_b32": ((np.uint32, np.uint32, np.uint32), lambda a, b, c: (a << 32 | b) >> (8 * (c & 3))),
    "v_perm_b32": ((np.uint32, np.uint32, np.uint32), permuted),
    "v_lshl_add_u64": ((np.uint64, np.uint32, np.uint64), lambda a, b, c: (a << (b & 7)) + c),
    "v_lshlrev_b64": ((np.uint32, np.uint64), lambda a, b: b << (a & 63)),
    "v_ashrrev_i64": ((np.uint32, np.int64), lambda a, b: b >> (a & 63)),
    "v_ashrrev_i32": ((np.uint32, np.int32), lambda a, b: b >> (a & 31)),
    "v_lshlrev_b16": ((np.uint16, np.uint16), lambda a, b: b << (a & 15)),
    "v_ffbh_u32": ((np.uint32,), lambda a: 32 - a.bit_length() if a else -1),
    "v_ffbh_i32": ((np.int32,), lambda a: -1 if a in (0, -1) else 32 - (a if a >= 0 else ~a).bit_length()),
    "v_ffbl_b32": ((np.uint32,), lambda a: (a & -a).bit_length() - 1),
    "v_bfrev_b32": ((np.uint32,), lambda a: int(f"{a:032b}"[::-1], 2)),
    "v_bcnt_u32_b32": ((np.uint32, np.uint32), lambda a, b: a.bit_count() + b),
    "v_sad_u8": ((np.uint32, np.uint32, np.uint32), lambda a, b, c: sum(abs((a >> s & 255) - (b >> s & 255)) for s in (0, 8, 16, 24)) + c),
    "v_xad_u32": ((np.uint32, np.uint32, np.uint32), lambda a, b, c: (a ^ b) + c),
    "v_and_or_b32": ((np.uint32, np.uint32, np.uint32), lambda a, b, c: (a & b) | c),
    "v_add_lshl_u32": ((np.uint32, np.uint32, np.uint32), lambda a, b, c: (a + b) << (c & 31)),
    "v_lshl_or_b32": ((np.uint32, np.uint32, np.uint32), lambda a, b, c: (a << (b & 31)) | c),
    "s_bfe_u32": ((np.uint32, np.uint32), lambda a, b: a >> (b & 31) & ((1 << min(b >> 16 & 127, 32)) - 1)),
    "s_bfe_i64": ((np.int64, np.uint32), lambda a, b: signed(a >> (b & 63), w) if (w := min(b >> 16 & 127, 64)) else 0),
    "s_flbit_i32_b64": ((np.uint64,), lambda a: 64 - a.bit_length() if a else -1),
    "s_flbit_i32_i64": ((np.int64,), lambda a: -1 if a in (0, -1) else 64 - (a if a >= 0 else ~a).bit_length()),
    "s_ff1_i32_b64": ((np.uint64,), lambda a: (a & -a).bit_length() - 1),
    "s_ff0_i32_b32": ((np.uint32,), lambda a: (~a & (a + 1)).bit_length() - 1 if a != 2**32 - 1 else -1),
    "s_brev_b64": ((np.uint64,), lambda a: int(f"{a:064b}"[::-1], 2)),
    "s_bfm_b64": ((np.uint32, np.uint32), lambda a, b: ((1 << (a & 63)) - 1) << (b & 63)),
    "s_mul_hi_i32": ((np.int32, np.int32), lambda a, b: a * b >> 32),
    "s_pack_lh_b32_b16": ((np.uint32, np.uint32), lambda a, b: (a & 0xFFFF) | (b & 0xFFFF0000)),
    "s_absdiff_i32": ((np.int32, np.int32), lambda a, b: abs(signed(a - b, 32))),
    "s_quadmask_b64": ((np.uint64,), lambda a: sum((a >> (4 * i) & 15 != 0) << i for i in range(16))),
    "s_bitreplicate_b64_b32": ((np.uint32,), lambda a: sum((a >> i & 1) * 3 << (2 * i) for i in range(32))),
}  # fmt: skip


def first(result: Any) -> Array:
    """The value of a result that may carry SCC or a carry with it."""
    return cast(tuple[Array, Array], result)[0] if isinstance(result, tuple) else result


@pytest.mark.parametrize("key", INTEGER_CASES)
def test_integer_arithmetic(key: str) -> None:
    dtypes, reference = INTEGER_CASES[key]
    sources = [np.random.default_rng(i).permutation(integers(dtype, 200, i)) for i, dtype in enumerate(dtypes)]
    got = first(call(key, *sources))
    bits = 8 * got.dtype.itemsize
    expected = [reference(*values) & ((1 << bits) - 1) for values in zip(*(source.tolist() for source in sources), strict=True)]
    assert got.view(f"u{got.dtype.itemsize}").tolist() == expected


CARRIES: dict[str, Callable[..., tuple[int, bool]]] = {
    "v_add_co_u32": lambda a, b: (a + b, a + b > 0xFFFFFFFF),
    "v_sub_co_u32": lambda a, b: (a - b, a < b),
    "v_addc_co_u32": lambda a, b, c: (a + b + c, a + b + c > 0xFFFFFFFF),
    "v_subb_co_u32": lambda a, b, c: (a - b - c, a < b + c),
    "s_add_u32": lambda a, b: (a + b, a + b > 0xFFFFFFFF),
    "s_sub_u32": lambda a, b: (a - b, a < b),
    "s_addc_u32": lambda a, b, c: (a + b + c, a + b + c > 0xFFFFFFFF),
    "s_subb_u32": lambda a, b, c: (a - b - c, a < b + c),
    "s_lshl3_add_u32": lambda a, b: (a * 8 + b, a * 8 + b > 0xFFFFFFFF),
}


@pytest.mark.parametrize("key", CARRIES)
def test_carries(key: str) -> None:
    reference = CARRIES[key]
    a, b = (np.random.default_rng(i).permutation(integers(np.uint32, 200, i)) for i in (1, 2))
    carry = np.random.default_rng(3).integers(0, 2, len(a)).astype(np.uint32)
    sources = (a, b, carry)[: reference.__code__.co_argcount]
    value, flag = call(key, *sources)
    expected = [reference(*values) for values in zip(*(source.tolist() for source in sources), strict=True)]
    assert value.tolist() == [e[0] & 0xFFFFFFFF for e in expected]
    assert flag.astype(bool).tolist() == [e[1] for e in expected]


def test_signed_overflow_is_scc() -> None:
    a, b = (np.random.default_rng(i).permutation(integers(np.int32, 300, i)) for i in (4, 5))
    for key, sign in (("s_add_i32", 1), ("s_sub_i32", -1)):
        _, flag = call(key, a, b)
        expected = [not -(2**31) <= x + sign * y < 2**31 for x, y in zip(a.tolist(), b.tolist(), strict=True)]
        assert flag.tolist() == expected


CLAMPED = [("v_add_u32", np.uint32), ("v_sub_u32", np.uint32), ("v_add_i32", np.int32), ("v_sub_i16", np.int16), ("v_pk_add_u16", np.uint16)]


@pytest.mark.parametrize(("key", "dtype"), CLAMPED)
def test_clamp_saturates_integers(key: str, dtype: Any) -> None:
    a, b = (np.random.default_rng(i).permutation(integers(dtype, 200, i)) for i in (6, 7))
    info, sign = np.iinfo(dtype), -1 if "sub" in key else 1
    expected = [max(info.min, min(info.max, x + sign * y)) for x, y in zip(a.tolist(), b.tolist(), strict=True)]
    assert resolve(key).saturating(NEAREST, a, b).tolist() == expected


def test_mode_bits() -> None:
    mode = decode_mode(0b11_0111_1001)
    assert (mode.rounding_32, mode.rounding_16_64, mode.denormals_32, mode.denormals_16_64) == (Rounding.UP, Rounding.DOWN, 3, 1)
    assert mode.dx10_clamp and mode.ieee


def test_float8_formats_are_fnuz() -> None:
    import ml_dtypes

    raw = np.arange(256, dtype=np.uint32)
    assert_same(call("v_cvt_f32_fp8", raw), raw.astype(np.uint8).view(ml_dtypes.float8_e4m3fnuz).astype(np.float32))
    packed = call("v_cvt_pk_fp8_f32", np.array([1.0, 1e9, np.nan], np.float32), np.array([-2.0, -1e9, 0.0], np.float32))
    values = packed.view(np.uint8).view(ml_dtypes.float8_e4m3fnuz).astype(np.float32).reshape(3, 2)
    assert values[0].tolist() == [1.0, -2.0] and np.isnan(values[1]).all() and np.isnan(values[2, 0])
