"""f16 and bf16 results of f32, two in a register, and bytes as f16: the bits on the emulator beside numpy's."""

from __future__ import annotations

import numpy as np
import pytest
from ml_dtypes import bfloat16

import asmgen

TARGETS = ("gfx90a", "gfx942", "gfx1100", "gfx1201")
SPECIAL = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 65504, 65520, 2.0**-24, 2.0**-26, -(2.0**-15)], np.float32)


def numbers(seed: int, count: int) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """Every exponent, halfway points of f16 and special numbers."""
    rng = np.random.default_rng(seed)
    wide = rng.integers(0, 1 << 32, count, np.uint64).astype(np.uint32).view(np.float32)
    usual = (rng.standard_normal(count) * 100).astype(np.float32)
    found = np.where(rng.random(count) < 0.5, wide, usual)
    found[: len(SPECIAL)] = rng.permutation(SPECIAL)
    return found


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("op", ["mul", "add", "sub"])
def test_sum_or_product_is_rounded_by_its_own_instruction(op: str, target: str) -> None:
    count = 1029
    text = f"x = @param:x -> f32, {{{count}}}\ny = @param:y -> f32, {{{count}}}\nz = {op}(x, y)\no = convert[target_type=f16](z)\n@return(o)\n"
    program = asmgen.compile(text, target=target)
    x, y = numbers(1, count), numbers(2, count)
    (got,) = program(x, y, device="emulator")
    with np.errstate(all="ignore"):
        compute = {"mul": np.multiply, "add": np.add, "sub": np.subtract}[op]
        wanted = compute(x, y).astype(np.float16)
    is_number = ~np.isnan(wanted)
    assert np.array_equal(got[is_number].view(np.uint16), wanted[is_number].view(np.uint16))
    assert np.isnan(got[~is_number]).all()
    assert "v_fma_mixlo_f16" in program.kernels[0].assembly
    assert "v_cvt_f16_f32" not in program.kernels[0].assembly


@pytest.mark.parametrize("target", TARGETS)
def test_every_kind_of_f32_is_rounded_to_bf16(target: str) -> None:
    """Signs, exponents and last bits, each below, at and above the half, and NaNs whose bits would carry."""
    upper = np.concatenate([np.arange(0, 1 << 16, 61), [0x7F7F, 0x7F80, 0x7FFF, 0x8000, 0xFF80, 0xFFFF]])
    lower = np.array([0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF])
    x = (upper[:, None] << 16 | lower).astype(np.uint32).reshape(-1).view(np.float32)
    text = f"x = @param:x -> f32, {{{len(x)}}}\no = convert[target_type=bf16](x)\n@return(o)\n"
    program = asmgen.compile(text, target=target)
    (got,) = program(x, device="emulator")
    with np.errstate(all="ignore"):
        wanted = x.astype(bfloat16)
    is_number = ~np.isnan(x)
    assert np.array_equal(got[is_number].view(np.uint16), wanted[is_number].view(np.uint16))
    assert np.isnan(got[~is_number].astype(np.float32)).all()
    assert "v_cmp_u_f32" not in program.kernels[0].assembly


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("element", ["i8", "u8"])
def test_every_byte_is_an_f16(element: str, target: str) -> None:
    text = f"x = @param:x -> {element}, {{259}}\no = convert[target_type=f16](x)\n@return(o)\n"
    x = np.arange(259).astype({"i8": np.int8, "u8": np.uint8}[element])
    (got,) = asmgen.compile(text, target=target)(x, device="emulator")
    assert np.array_equal(got.view(np.uint16), x.astype(np.float16).view(np.uint16))


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_rounded_results_take_the_places_of_their_operands(target: str) -> None:
    """Each is accumulated onto an operand at the same place of its tuple, so that no copy is needed."""
    text = "x = @param:x -> f16, {4096,1024}\nz = softmax[axis=1](x)\n@return(z)"
    program = asmgen.compile(text, target=target, fast_math=True)
    assert "register copy" not in program.kernels[0].assembly


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("element", ["i8", "u8"])
@pytest.mark.parametrize("columns", [256, 1])
def test_a_difference_of_bytes_is_taken_above_the_same_number(columns: int, element: str, target: str) -> None:
    """All 65,536 pairs. The second byte has a column of its own, or is the same for a row."""
    text = f"""
        x = @param:x -> {element}, {{256,256}}
        y = @param:y -> {element}, {{256,{columns}}}
        f = convert[target_type=f16](x)
        g = convert[target_type=f16](y)
        h = multibroadcast[out_lens={{256,256}}](g)
        o = sub(f, h)
        @return(o)
    """
    every = np.arange(256).astype(np.uint8).view({"i8": np.int8, "u8": np.uint8}[element])
    x, y = np.tile(every, (256, 1)), np.repeat(every[:, None], columns, axis=1)
    program = asmgen.compile(text, target=target)
    (got,) = program(x, y, device="emulator")
    wanted = x.astype(np.float16) - y.astype(np.float16)
    assert np.array_equal(got.view(np.uint16), wanted.view(np.uint16))
    assert columns == 1 or "0xe4" not in program.kernels[0].assembly
