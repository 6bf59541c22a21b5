"""Microscaling formats: products and dequantized numbers beside numpy in float64, and refusals."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.gentext.parser import parse
from isa.diagnostics import InputError
from tests.device import chosen_device
from tests.rows import MACHINES

Array = NDArray[Any]
PACKED = """p = @param:p -> u8, {8,64}
s = @param:s -> fp8e8m0fnu, {8,4}
u = unpack[bits=4](p)
w = bit_cast[target_type=fp4e2m1fn](u)
y = dequantize[blocks={32}](w, s)
z = dequantize[blocks={32}, target_type=f16](w, s)
@return(y, z)
"""
PRODUCT = """x = @param:x -> fp8e4m3fn, {16,256}
x_scale = @param:x_scale -> fp8e8m0fnu, {16,8}
p = @param:p -> u8, {32,128}
w_scale = @param:w_scale -> fp8e8m0fnu, {32,8}
v = @param:v -> fp8e4m3fn, {32,256}
u = unpack[bits=4](p)
w = bit_cast[target_type=fp4e2m1fn](u)
a = dequantize[blocks={32}](x, x_scale)
b = dequantize[blocks={32}](w, w_scale)
c = dequantize[blocks={32}](v, w_scale)
b_columns = transpose[permutation={1,0}](b)
c_columns = transpose[permutation={1,0}](c)
y = dot(a, b_columns)
z = dot(a, c_columns)
@return(y, z)
"""
_ORDINARY = ("gfx950", "gfx1100")  # with matrix instructions of 8 bits, and without
FOURS = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])  # OCP Microscaling Formats 1.0, table 5


def numbers_of(packed: Array) -> Array:
    """The numbers of bytes of two floats of 4 bits, the lower bits first."""
    return FOURS[np.stack((packed & 15, packed >> 4), -1).reshape(len(packed), -1)]


def powers_of(scales: Array) -> Array:
    """2^(byte - 127) for each of 32 numbers, and NaN for 255."""
    power = np.where(scales == 255, np.nan, np.exp2(scales.astype(np.float64) - 127))
    return np.repeat(power, 32, 1)


@pytest.mark.parametrize("target", MACHINES)
def test_numbers_of_four_bits_with_each_scale(target: str) -> None:
    packed = np.arange(512).reshape(8, 64).astype(np.uint8)
    scales = np.resize(np.array([0, 1, 2, 100, 126, 127, 128, 140, 142, 150, 252, 253, 254, 255], np.uint8), (8, 4))
    run = asmgen.compile(PACKED, target=target)
    wide, half = run(packed, scales.view(ml_dtypes.float8_e8m0fnu), device=chosen_device())
    with np.errstate(all="ignore"):
        wanted = numbers_of(packed) * powers_of(scales)
        np.testing.assert_array_equal(wide, wanted.astype(np.float32))
        np.testing.assert_array_equal(half, wanted.astype(np.float16))


@pytest.mark.parametrize("target", [m if m in _ORDINARY else pytest.param(m, marks=pytest.mark.slow) for m in MACHINES])
def test_products(target: str) -> None:
    random = np.random.default_rng(7)
    x, v = (random.standard_normal(dims).astype(ml_dtypes.float8_e4m3fn) for dims in ((16, 256), (32, 256)))
    packed = random.integers(0, 256, (32, 128)).astype(np.uint8)
    x_scale, w_scale = (random.integers(117, 138, dims).astype(np.uint8) for dims in ((16, 8), (32, 8)))
    w_scale[3, 5] = 255
    given = [x, x_scale.view(ml_dtypes.float8_e8m0fnu), packed, w_scale.view(ml_dtypes.float8_e8m0fnu), v]
    found = asmgen.compile(PRODUCT, target=target)(*given, device=chosen_device())
    a = x.astype(np.float64) * powers_of(x_scale)
    for got, factor in zip(found, (numbers_of(packed), v.astype(np.float64)), strict=True):
        b = factor * powers_of(w_scale)
        assert (np.isnan(got) == np.isnan(a @ b.T)).all()
        bound = 260 * 2.0**-24 * (np.abs(a) @ np.abs(b).T)
        assert ((np.abs(got - a @ b.T) <= bound) | np.isnan(got)).all()


@pytest.mark.parametrize("target", ["gfx950", "gfx1201"])
def test_numbers_of_four_bits_are_multiplied_as_floats_of_eight(target: str) -> None:
    code = "".join([kernel.assembly for kernel in asmgen.compile(PRODUCT, target=target).kernels])
    assert "_fp8_fp8" in code
    assert "16x16x4_f32" not in code


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ("s -> fp8e8m0fnu, {8,4}", "s -> fp8e8m0fnu, {4,8}", "GEN302", "operand 2 has shape {4,8}, wanted {8,4}"),
        ("s -> fp8e8m0fnu, {8,4}", "s -> u8, {8,4}", "GEN301", "operand 2 has type u8, wanted a float type or fp8e8m0fnu"),
        ("p -> u8, {8,64}", "p -> u8, {8,72}", "GEN303", "blocks of 32 do not divide axis 1 of size 144"),
        ("](w, s)", "](s, s)", "GEN301", "operand 1 has type fp8e8m0fnu, wanted one of"),
        ("target_type=f16", "target_type=i32", "GEN303", "target_type is i32, wanted a float type"),
        ("bits=4", "bits=6", "GEN303", "bits is 6, wanted 1 or 2 or 4"),
        ("z = dequantize[blocks={32}, target_type=f16](w, s)", "z = add(w, w)", "GEN301", "operand 1 has type fp4e2m1fn, wanted one of"),
        ("z = dequantize[blocks={32}, target_type=f16](w, s)", "z = dot(w, w)", "GEN301", "operand 1 has type fp4e2m1fn"),
        ("z = dequantize[blocks={32}, target_type=f16](w, s)", "z = convert[target_type=fp4e2m1fn](y)", "GEN301", "nothing is rounded"),
        ("z = dequantize[blocks={32}, target_type=f16](w, s)", "z = @literal{1} -> fp8e8m0fnu, {}", "GEN015", "a literal of fp8e8m0fnu"),
    ],
)
def test_refusals(old: str, new: str, code: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        _ = parse(PACKED.replace(old, new, 1), "p.gen")
    assert (caught.value.code, words in caught.value.message) == (code, True), caught.value
