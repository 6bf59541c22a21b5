"""Results at the ends of the types: infinities, NaN, the largest integers, and bits that are no number."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.reference import compare, evaluate

TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")
Array = NDArray[Any]


def result(text: str, *arrays: Array, target: str = "gfx942") -> Array:
    """The only output of a graph of gen text, on the emulator."""
    (output,) = asmgen.compile(text, target=target)(*arrays, device="emulator")
    return np.asarray(output)


@pytest.mark.parametrize(("type_", "target"), [("f16", "gfx942"), ("bf16", "gfx1201"), ("u8", "gfx90a")])
@pytest.mark.parametrize("dims", [(65, 2), (1, 70), (129, 3)])
def test_scans_of_an_outer_axis_are_rounded_after_the_last_row(type_: str, target: str, dims: tuple[int, int]) -> None:
    x = np.ones(dims, ml_dtypes.bfloat16 if type_ == "bf16" else {"f16": np.float16, "u8": np.uint8}[type_])
    text = f"x = @param:x -> {type_}, {{{dims[0]},{dims[1]}}}\ny = cumsum[axis=0](x)\n@return(y)\n"
    expected = np.cumsum(x.astype(np.float64), axis=0)
    assert np.array_equal(result(text, x, target=target).astype(np.float64), expected)


@pytest.mark.parametrize("target", TARGETS[1::3])
@pytest.mark.parametrize("type_", ["float8_e4m3fn", "float8_e5m2fnuz"])
def test_bit_cast_of_a_bool_to_a_float_keeps_the_byte(type_: str, target: str) -> None:
    name = type_.replace("float8_", "fp8")
    x = np.array([True, False, True])
    there = f"x = @param:x -> bool, {{3}}\ny = bit_cast[target_type={name}](x)\n@return(y)\n"
    assert result(there, x, target=target).view(np.uint8).tolist() == [1, 0, 1]
    back = f"x = @param:x -> {name}, {{3}}\ny = bit_cast[target_type=bool](x)\n@return(y)\n"
    given = np.array([0x80, 0, 0x38], np.uint8).view(getattr(ml_dtypes, type_))
    assert result(back, given, target=target).tolist() == [True, False, True]


@pytest.mark.parametrize(("type_", "op"), [("i64", "min"), ("u64", "min"), ("i64", "max")])
def test_extremes_of_64_bits_over_a_named_dim(type_: str, op: str) -> None:
    limits = np.iinfo(np.int64 if type_ == "i64" else np.uint64)
    x = np.full((70, 3), limits.max if op == "min" else limits.min, limits.dtype)
    x[:, 1] = limits.max - 1 if op == "min" else limits.min + 1
    text = f"x = @param:x -> {type_}, {{n,3}}\ny = reduce_{op}[axes={{0}}](x)\n@return(y)\n"
    assert result(text, x).tolist() == [x[0].tolist()]


@pytest.mark.parametrize("type_", ["i8", "u16"])
def test_means_of_short_integers_over_a_named_dim(type_: str) -> None:
    x = np.arange(70 * 2).reshape(70, 2).astype({"i8": np.int8, "u16": np.uint16}[type_])
    text = f"x = @param:x -> {type_}, {{n,2}}\ny = reduce_mean[axes={{0}}](x)\n@return(y)\n"
    totals = x.sum(axis=0, dtype=x.dtype).astype(np.float64)
    assert result(text, x).tolist() == [np.trunc(totals / 70).tolist()]


@pytest.mark.parametrize("constant", ["inf", "-inf", "nan"])
@pytest.mark.parametrize("op", ["reduce_max[axes={1}]", "argmin[axis=1]"])
def test_rows_with_a_constant_in_place_of_elements_are_searched(op: str, constant: str) -> None:
    x = np.linspace(-3, 4, 140, dtype=np.float32).reshape(2, 70)
    text = (
        f"x = @param:x -> f32, {{2,70}}\nzero = @literal{{0}} -> f32, {{1}}\nc = @literal{{{constant}}} -> f32, {{1}}\n"
        f"is = greater(x, zero)\nw = where(is, x, c)\ny = {op}(w)\n@return(y)\n"
    )
    w = np.where(x > 0, x, np.float32(constant))
    if op[:3] == "arg":
        expected = np.argmin(np.where(np.isnan(w), np.inf, w), axis=1)
    else:
        expected = np.fmax.reduce(w, axis=1)
    assert np.array_equal(result(text, x)[:, 0], expected, equal_nan=op[:3] != "arg")


SIGNALLING = {"f32": (np.uint32, 0x7F800001), "f16": (np.uint16, 0x7C01), "f64": (np.uint64, 0x7FF0000000000001)}
EXTREMES = (
    "max(x, z)",
    "max(z, x)",
    "relu(x)",
    "clip(x, z, one)",
    "reduce_max[axes={1}](x)",
    "reduce_min[axes={0}](x)",
    "cummax[axis=1](x)",
)


@pytest.mark.parametrize("number", range(2 * len(EXTREMES)))
def test_signalling_nans_lose_in_extremes_as_quiet_ones(number: int) -> None:
    op, target = EXTREMES[number // 2], TARGETS[number % len(TARGETS)]
    type_ = tuple(SIGNALLING)[number % len(SIGNALLING)]
    unsigned, signalling = SIGNALLING[type_]
    x = np.linspace(-3, 4, 140).astype({"f32": np.float32, "f16": np.float16, "f64": np.float64}[type_]).reshape(2, 70)
    expected = x.copy()
    for places, bits in (((0, slice(3, 9)), signalling), ((1, slice(None)), signalling)):
        x.view(unsigned)[places] = bits
    expected[np.isnan(x)] = np.nan
    text = f"x = @param:x -> {type_}, {{2,70}}\nz = @literal{{-1}} -> {type_}, {{1}}\none = @literal{{1}} -> {type_}, {{1}}\n"
    got = result(f"{text}y = {op}\n@return(y)\n", x, target=target)
    judged = {
        "relu(x)": lambda: np.fmax(expected, 0),
        "clip(x, z, one)": lambda: np.fmin(np.fmax(expected, -1), 1),
        "reduce_max[axes={1}](x)": lambda: np.fmax.reduce(expected, axis=1, keepdims=True),
        "reduce_min[axes={0}](x)": lambda: np.fmin.reduce(expected, axis=0, keepdims=True),
        "cummax[axis=1](x)": lambda: np.fmax.accumulate(expected, axis=1),
    }.get(op, lambda: np.fmax(expected, -1))
    assert np.array_equal(got, judged(), equal_nan=True)


def test_exclusive_extremes_begin_with_nan_in_types_without_infinities() -> None:
    """The reference began with an infinity, which min then chose."""
    text = (
        "x = @param:x -> fp8e4m3fnuz, {2,3}\nm = cummax[axis=1, exclusive=true](x)\nc = @literal{-240} -> fp8e4m3fnuz, {1}\n"
        "y = min(m, c)\n@return(y)\n"
    )
    x = np.ones((2, 3), ml_dtypes.float8_e4m3fnuz)
    (expected,) = evaluate(parse(text, "begin.gen"), [x])
    got = result(text, x)
    assert got.astype(np.float32).tolist() == [[-240] * 3] * 2
    assert not compare(expected, got).is_broken


def test_negative_zero_as_an_attribute_keeps_its_sign() -> None:
    """compose kept one literal for 0 and -0."""
    text = "x = @param:x -> f32, {2}\ny = elu[alpha=-0.0](x)\n@return(y)\n"
    assert np.signbit(result(text, np.array([-1, -0.0], np.float32))).tolist() == [False, True]


@pytest.mark.parametrize("type_", ["f32", "f64"])
def test_elu_of_the_smallest_number_is_scaled_and_not_zero(type_: str) -> None:
    x = -np.finfo({"f32": np.float32, "f64": np.float64}[type_]).smallest_subnormal.reshape(1)
    assert result(f"x = @param:x -> {type_}, {{1}}\ny = elu[alpha=1024](x)\n@return(y)\n", x) == 1024 * x


@pytest.mark.parametrize("type_", ["i64", "u64"])
def test_padding_with_the_largest_integer_is_exact(type_: str) -> None:
    limits = np.iinfo({"i64": np.int64, "u64": np.uint64}[type_])
    text = f"x = @param:x -> {type_}, {{1}}\ny = pad[pads={{0,1}}, value={limits.max}](x)\n@return(y)\n"
    assert result(text, np.array([limits.min], limits.dtype)).tolist() == [limits.min, limits.max]


def test_clip_between_zeros_out_of_order_is_negative_zero() -> None:
    text = "x = @param:x -> f32, {1}\na = @literal{0.0} -> f32, {1}\nb = @literal{-0.0} -> f32, {1}\ny = clip(x, a, b)\n@return(y)\n"
    assert np.signbit(result(text, np.array([3], np.float32))).all()
