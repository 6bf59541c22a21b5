"""Integers of 8 and 16 bits several at a time, and bf16 whose NaNs need no choice: every number, next to numpy."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.compiled import CompiledProgram

TARGETS = ("gfx90a", "gfx942", "gfx1100", "gfx1201")
NUMBERS: dict[str, Any] = {"i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16}
SIZE = 1 << 16
THREE = "k = @literal{3} -> T, {}\n"
Array = NDArray[Any]


@cache
def compiled(target: str, element: str, body: str, size: int = SIZE) -> CompiledProgram:
    parameters = "".join(f"{name} = @param:{name} -> {element}, {{{size}}}\n" for name in "abc")
    return asmgen.compile(f"{parameters}{body}\n@return(o)\n", target=target)


def run(target: str, element: str, body: str, a: Array, b: Array, c: Array) -> Array:
    (result,) = compiled(target, element, body, len(a))(a, b, c, device="emulator")
    return result


def operands(element: str) -> tuple[Array, Array, Array]:
    """Of 8 bits all pairs; of 16 all numbers, each next to others."""
    random = np.random.default_rng(7)
    if element in ("i8", "u8"):
        pairs = np.arange(SIZE, dtype=np.uint32)
        a, b = (pairs & 0xFF).astype(np.uint8), (pairs >> 8).astype(np.uint8)
        c = random.integers(0, 256, SIZE).astype(np.uint8)
    else:
        a = np.arange(SIZE).astype(np.uint16)
        b, c = (random.integers(0, SIZE, SIZE).astype(np.uint16) for _ in range(2))
        b[:4], b[-4:] = (0, 1, 0x7FFF, 0x8000), (0xFFFF, 0x8000, 1, 0x7FFF)
    return a.view(NUMBERS[element]), b.view(NUMBERS[element]), c.view(NUMBERS[element])


Wanted = Callable[[Any, Any, Any], Any]
CASES: tuple[tuple[str, Wanted], ...] = (
    ("o = add(a, b)", lambda a, b, _c: a + b),
    (
        f"{THREE}x = right_shift(a, k)\ny = bitwise_xor(x, b)\nz = left_shift(y, k)\no = bitwise_not(z)",
        lambda a, b, _c: ~((a >> a.dtype.type(3) ^ b) << a.dtype.type(3)),
    ),
    ("o = sub(a, b)", lambda a, b, _c: a - b),
    ("o = mul(a, b)", lambda a, b, _c: a * b),
    ("o = max(a, b)", lambda a, b, _c: np.maximum(a, b)),
    ("o = min(a, b)", lambda a, b, _c: np.minimum(a, b)),
    ("x = sub(a, b)\nz = bitwise_and(x, c)\no = add(z, a)", lambda a, b, c: ((a - b) & c) + a),
    ("x = add(a, b)\no = max(x, c)", lambda a, b, c: np.maximum(a + b, c)),
    ("x = max(a, b)\no = add(x, c)", lambda a, b, c: np.maximum(a, b) + c),
    (
        "k = @literal{100} -> T, {1}\nm = multibroadcast[out_lens={65536}](k)\nx = add(a, m)\no = sub(x, b)",
        lambda a, b, _c: a + a.dtype.type(100) - b,
    ),
)


@pytest.mark.broad
@pytest.mark.parametrize(("body", "wanted"), CASES, ids=[case[0].replace("\n", "; ") for case in CASES])
@pytest.mark.parametrize("element", NUMBERS)
def test_narrow_integers_are_numpys(element: str, body: str, wanted: Wanted) -> None:
    a, b, c = operands(element)
    target = TARGETS[len(body + element) % len(TARGETS)]
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(run(target, element, body.replace("-> T", f"-> {element}"), a, b, c), wanted(a, b, c))


@pytest.mark.parametrize("target", TARGETS)
def test_a_register_of_them_takes_one_instruction_or_six(target: str) -> None:
    """Two numbers of 16 bits are one packed instruction, four of 8 bits six of 32: no field is taken out."""
    for element, of_access in (("i16", 4), ("u16", 4), ("i8", 24), ("u8", 24)):
        text = compiled(target, element, "o = add(a, b)", 1 << 20).kernels[0].assembly
        vector = [line.split()[0] for line in text.splitlines() if line.startswith("\tv_")]
        assert not any("bfe" in name for name in vector)
        assert len(vector) <= 10 + of_access * text.count("\tglobal_store"), vector


@pytest.mark.broad
@pytest.mark.parametrize("size", [1, 2, 3, 5, 63, 1001])
def test_lone_ones_are_computed_in_32_bits(size: int) -> None:
    for element in NUMBERS:
        a, b, c = (one[:size] for one in operands(element))
        with np.errstate(over="ignore"):
            np.testing.assert_array_equal(run("gfx942", element, "o = add(a, b)", a, b, c), a + b)


def bits_of(array: Array) -> Array:
    return array.view(np.uint16)


@pytest.mark.broad
@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx1100"])
@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("o = add(a, b)", lambda a, b, _c: a + b),
        ("o = mul(a, b)", lambda a, b, _c: a * b),
        ("x = max(a, b)\no = sub(x, c)", lambda a, b, c: np.fmax(a, b) - c),
    ],
)
def test_every_bf16_is_rounded_right_without_a_choice_of_nans(target: str, body: str, wanted: Wanted) -> None:
    numbers = np.arange(SIZE).astype(np.uint16)
    numbers[np.isnan(numbers.view(ml_dtypes.bfloat16).astype(np.float32))] |= 0x40  # a signalling NaN wins a maximum
    a = numbers.view(ml_dtypes.bfloat16)
    text = compiled(target, "bf16", body).kernels[0].assembly
    assert "v_cmp_u" not in text
    for shift in (1, 0x7F81, 0x8000):
        b, c = np.roll(a, shift), np.roll(a, 5 * shift)
        result = run(target, "bf16", body, a, b, c)
        with np.errstate(all="ignore"):
            exact = wanted(a.astype(np.float32), b.astype(np.float32), c.astype(np.float32))
            expected = exact.astype(ml_dtypes.bfloat16)
        both_nan = np.isnan(result.astype(np.float32)) & np.isnan(expected.astype(np.float32))
        if "max" not in body:  # +0 and -0 are not ordered
            assert (both_nan | (bits_of(result) == bits_of(expected))).all()
        else:
            assert (both_nan | (result.astype(np.float32) == expected.astype(np.float32))).all()


def test_nans_with_bits_that_a_bf16_lacks_stay_nans() -> None:
    """Of an f32 the lower half may be all of a NaN; a half's NaN has bits there once it is widened."""
    numbers = np.array([0x7F800001, 0xFF80FFFF, 0x7FFFFFFF, 0xFFFFFFFF, 0x7F8FFFFF, 0x3F800000, 0x7F7FFFFF, 1] * 64, np.uint32)
    x = numbers.view(np.float32)
    program = asmgen.compile("x = @param:x -> f32, {512}\no = convert[target_type=bf16](x)\n@return(o)\n", target="gfx942")
    (result,) = program(x, device="emulator")
    np.testing.assert_array_equal(np.isnan(result.astype(np.float32)), np.isnan(x))
    halves = np.arange(SIZE).astype(np.uint16).view(np.float16)
    text = f"x = @param:x -> f16, {{{SIZE}}}\ny = convert[target_type=f32](x)\nz = add(y, y)\no = convert[target_type=bf16](z)\n@return(o)\n"
    (result,) = asmgen.compile(text, target="gfx942")(halves, device="emulator")
    np.testing.assert_array_equal(np.isnan(result.astype(np.float32)), np.isnan(halves))


@pytest.mark.parametrize("name", ["float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz"])
def test_every_byte_is_widened_as_ml_dtypes_widens_it(name: str) -> None:
    """The sign of zero too; NaNs have none."""
    element, numbers = name.replace("float8_", "fp8"), np.arange(256).astype(np.uint8).view(getattr(ml_dtypes, name))
    text = f"a = @param:a -> {element}, {{256}}\no = convert[target_type=f32](a)\n@return(o)\n"
    wanted = numbers.astype(np.float32)
    for target in TARGETS:
        (result,) = asmgen.compile(text, target=target)(numbers, device="emulator")
        np.testing.assert_array_equal(result, wanted)
        np.testing.assert_array_equal(np.signbit(result)[~np.isnan(wanted)], np.signbit(wanted)[~np.isnan(wanted)])


@pytest.mark.broad
@pytest.mark.parametrize("lanes", range(1, 5))
@pytest.mark.parametrize("element", ["i8", "u16", "f16"])
def test_lanes_are_put_together_by_bytes(element: str, lanes: int) -> None:
    """Quotients are no narrow arithmetic: each is made in 32 bits, and one to four of them fill a register."""
    a, b = np.arange(-30, 30)[:, None] * np.arange(1, 5)[:lanes], np.full((60, lanes), 3)
    parameters = "".join(f"{name} = @param:{name} -> {element}, {{60,{lanes}}}\n" for name in "ab")
    text = f"{parameters}q = div(a, b)\no = transpose[permutation={{1,0}}](q)\n@return(q, o)\n"
    dtype = {"f16": np.float16}.get(element, NUMBERS.get(element))
    if element == "u16":
        a = np.abs(a)
    exact = a.astype(np.float64) / 3
    wanted = exact.astype(np.float16) if element == "f16" else np.trunc(exact).astype(dtype)
    for target in ("gfx942", "gfx1201"):
        q, o = asmgen.compile(text, target=target)(a.astype(dtype), b.astype(dtype), device="emulator")
        np.testing.assert_allclose(q.astype(np.float64), wanted.astype(np.float64), rtol=2e-3 if element == "f16" else 0)
        np.testing.assert_array_equal(o, q.T)
