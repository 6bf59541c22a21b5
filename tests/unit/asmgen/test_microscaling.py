"""Microscaling formats: products and dequantized numbers beside numpy in float64, and refusals."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.gentext.parser import parse
from asmgen.ir.types import ELEMENT_TYPES
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
TILES = """stage blockwise gfx950
kernel @k grid(column: 1) waves(1) lanes(64) {
  layout a_tile = reg(0:1 0:2 0:4 0:8 0:64) lane(1:0 2:0 4:0 8:0 0:16 0:32)
  layout b_tile = reg(1:0 2:0 4:0 8:0 64:0) lane(0:1 0:2 0:4 0:8 16:0 32:0)
  layout c_tile = reg(0:1 0:2) lane(1:0 2:0 4:0 8:0 0:4 0:8)
  layout rows = reg() lane(1:0 2:0 4:0 8:0 0:1 0:2)
  layout columns = reg() lane(0:1 0:2 0:4 0:8 1:0 2:0)
  x = @param:x -> fp8e4m3fn, {16,128}
  s = @param:s -> fp8e8m0fnu, {16,4}
  w = @param:w -> fp8e4m3fn, {16,128}
  t = @param:t -> fp8e8m0fnu, {16,4}
  o = @param:o -> f32, {16,16}
  zero = fill[value=0]() -> f32, {16,16} @ c_tile
  x_t = tile_load[at={c0, c1}](x) -> fp8e4m3fn, {16,128} @ a_tile
  w_t = tile_load[at={c1, c0}](w) -> fp8e4m3fn, {128,16} @ b_tile
  s_t = tile_load[at={c0, c1}](s) -> fp8e8m0fnu, {16,4} @ rows
  t_t = tile_load[at={c1, c0}](t) -> fp8e8m0fnu, {4,16} @ columns
  sum = contract[by=v_mfma_scale_f32_16x16x128_f8f6f4](x_t, w_t, zero, s_t, t_t) -> f32, {16,16} @ c_tile
  tile_store[at={c0, c1}](sum, o)
}
"""
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


@pytest.mark.parametrize(("target", "by"), [("gfx950", "v_mfma_scale_f32_16x16x128_f8f6f4"), ("gfx1201", "_fp8_fp8")])
def test_products_of_both_factors_have_matrix_instructions_of_eight_bits(target: str, by: str) -> None:
    code = "".join([kernel.assembly for kernel in asmgen.compile(PRODUCT, target=target).kernels])
    assert code.count(by) >= 2
    assert "16x16x4_f32" not in code


# of x and v: rows that fill no tile, k of half an instruction, formats of each kind, and a loop of several trips
SCALED = {
    "tails": ("fp8e5m2", "fp8e5m2", 20, 50, 96), "a loop": ("fp8e4m3fn", "fp8e4m3fn", 32, 32, 2048),
    "4 by 6 bits": ("fp4e2m1fn", "fp6e2m3fn", 17, 33, 32),
}  # fmt: skip


@pytest.mark.parametrize("name", list(SCALED))
def test_scales_of_the_matrix_instruction(name: str) -> None:
    first, second, m, n, k = SCALED[name]
    text = f"""x = @param:x -> {first}, {{{m},{k}}}
s = @param:s -> fp8e8m0fnu, {{{m},{k // 32}}}
w = @param:w -> {second}, {{{n},{k}}}
t = @param:t -> fp8e8m0fnu, {{{n},{k // 32}}}
a = dequantize[blocks={{32}}](x, s)
b = dequantize[blocks={{32}}](w, t)
columns = transpose[permutation={{1,0}}](b)
o = dot(a, columns)
@return(o)
"""
    random = np.random.default_rng(k)
    x, w = [
        random.standard_normal(dims).astype(getattr(ml_dtypes, ELEMENT_TYPES[type_].numpy)) for type_, dims in ((first, (m, k)), (second, (n, k)))
    ]
    scales = [random.integers(117, 138, (lines, k // 32)).astype(np.uint8) for lines in (m, n)]
    program = asmgen.compile(text, target="gfx950")
    assert "v_mfma_scale" in program.kernels[-1].assembly
    (found,) = program(x, scales[0].view(ml_dtypes.float8_e8m0fnu), w, scales[1].view(ml_dtypes.float8_e8m0fnu), device=chosen_device())
    a, b = [numbers.astype(np.float64) * powers_of(of) for numbers, of in zip((x, w), scales, strict=True)]
    assert (np.abs(found - a @ b.T) <= (k + 4) * 2.0**-24 * (np.abs(a) @ np.abs(b).T)).all()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (", s_t, t_t)", ", s_t)", "scales of a, and none of b"),
        (", s_t, t_t)", ")", "takes two scales, and the contract has 0"),
        (", s_t, t_t)", ", t_t, s_t)", "the scales of a is {4,16}, wanted {16,4}"),
        (
            "s_t = tile_load[at={c0, c1}](s) -> fp8e8m0fnu, {16,4} @ rows",
            "s_t = fill[value=127]() -> u8, {16,4} @ rows",
            "is of u8, wanted fp8e8m0fnu",
        ),
        ("layout rows = reg() lane(1:0 2:0 4:0 8:0 0:1 0:2)", "layout rows = reg() lane(1:0 2:0 4:0 8:0 0:2 0:1)", "does not consist of tiles"),
        ("v_mfma_scale_f32_16x16x128_f8f6f4", "v_mfma_f32_16x16x32_fp8_fp8", "takes no scales, and the contract has 2"),
    ],
)
def test_scales_of_a_contract_that_do_not_fit(old: str, new: str, words: str) -> None:
    assert old in TILES
    _ = asmgen.compile(TILES, target="gfx950")
    with pytest.raises(InputError) as caught:
        _ = asmgen.compile(TILES.replace(old, new), target="gfx950")
    assert words in caught.value.message


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
