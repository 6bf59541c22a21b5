"""f16 arithmetic by packed instructions, each of which rounds to f16."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen

_INPUTS = "x = @param:x -> f16, {4096}\ny = @param:y -> f16, {4096}\nh = @literal{0.5} -> f16, {}\nt = @literal{0.1} -> f16, {}\n"


def _asm(body: str, nan: str = "ieee") -> str:
    return asmgen.compile(f"{_INPUTS}{body}\n@return(z)", target="gfx942", nan=nan).kernels[0].assembly


@pytest.mark.parametrize(
    ("body", "packed"),
    [
        ("z = add(x, y)", ["v_pk_add_f16"]),
        ("z = sub(x, y)", ["v_pk_add_f16"]),
        ("z = mul(x, t)", ["v_pk_mul_f16"]),
        ("s = add(x, y)\nz = relu(s)", ["v_pk_add_f16", "v_pk_max_f16"]),
        ("s = mul(x, h)\nz = min(s, y)", ["v_pk_mul_f16", "v_pk_min_f16"]),
        ("z = clip(x, h, y)", ["v_pk_max_f16", "v_pk_min_f16"]),
    ],
)
def test_one_packed_instruction_for_two_elements(body: str, packed: list[str]) -> None:
    """Eight elements a lane, no conversion."""
    text = _asm(body)
    assert "v_cvt" not in text
    assert all(text.count(name) == 4 for name in packed)


@pytest.mark.parametrize("body", ["z = div(x, y)", "s = sqrt(x)\nz = add(s, y)", "s = add(x, y)\nz = sqrt(s)"])
def test_arithmetic_next_to_a_function_stays_in_f32(body: str) -> None:
    assert "v_pk_add_f16" not in _asm(body)


def test_product_of_a_sum_is_contracted_in_f16() -> None:
    body = "s = mul(x, y)\nz = sub(t, s)"
    assert _asm(body).count("v_pk_fma_f16") == 4
    apart = asmgen.compile(f"{_INPUTS}{body}\n@return(z)", target="gfx942", contract=False).kernels[0].assembly
    assert (apart.count("v_pk_fma_f16"), apart.count("v_pk_mul_f16"), apart.count("v_pk_add_f16")) == (0, 4, 4)


def test_product_that_two_sums_read_is_rounded_once() -> None:
    text = _asm("s = mul(x, y)\na = add(s, x)\nb = sub(s, y)\nz = max(a, b)")
    assert (text.count("v_pk_mul_f16"), text.count("v_pk_fma_f16")) == (4, 0)


def test_maxima_that_keep_a_nan_stay_in_f32() -> None:
    assert "v_pk_max_f16" not in _asm("z = max(x, y)", "propagate")


def test_product_that_is_converted_before_a_sum_is_rounded() -> None:
    """The sum is of f32, and its operand is an f16."""
    text = _asm("p = mul(x, y)\nw = convert[target_type=f32](p)\nv = convert[target_type=f32](x)\ns = add(w, v)\nz = convert[target_type=f16](s)")
    assert (text.count("v_pk_mul_f16"), text.count("v_pk_add_f16"), text.count("fma")) == (4, 4, 0)


def test_a_function_s_result_is_rounded_before_relu() -> None:
    """Then a maximum takes two elements. A value that something else reads stays as it is."""
    text = _asm("s = rsqrt(x)\np = mul(s, y)\nr = add(p, t)\nz = relu(r)")
    assert (text.count("v_pk_max_f16"), text.count("v_max_f32")) == (4, 0)
    text = _asm("s = exp(x)\nt2 = relu(s)\nu = sigmoid(s)\nz = add(t2, u)")
    assert "v_pk_max_f16" not in text


_SOFTMAX = "x = @param:x -> f16, {4096,1024}\nz = softmax[axis=1](x)"
_ROW_MAX = "x = @param:x -> f16, {4096,1024}\nz = reduce_max[axes={1}](x)"


@pytest.mark.parametrize(("body", "nan", "fast"), [(_SOFTMAX, "ieee", True), (_ROW_MAX, "ieee", False), (_ROW_MAX, "propagate", False)])
@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"])
def test_maxima_of_a_lane_come_before_the_conversion(body: str, nan: str, fast: bool, target: str) -> None:
    """A conversion for the maximum of a lane; the exponentials read the f16 by mixed instructions. A maximum that keeps a NaN has no
    packed form."""
    text = asmgen.compile(f"{body}\n@return(z)", target=target, nan=nan, fast_math=fast).kernels[0].assembly
    if nan == "ieee":
        assert text.count("\tv_pk_max_") >= 7
        assert text.count("\tv_cvt_f32_f16") == 1
    else:
        assert "v_pk_max_" not in text


@pytest.mark.parametrize("target", ["gfx90a", "gfx1100", "gfx1201"])
@pytest.mark.parametrize("op", ["max", "min"])
def test_row_extremes_of_f16_are_numpy_s(op: str, target: str) -> None:
    """With NaN, infinities, denormals and rows that are NaN whole."""
    rng = np.random.default_rng(27)
    x = rng.integers(0, 1 << 16, (24, 328), np.uint32).astype(np.uint16).view(np.float16)
    x[3], x[4, 5], x[5] = np.nan, np.inf, np.float16(6e-8) * rng.integers(-3, 4, 328)
    text = f"x = @param:x -> f16, {{24,328}}\nz = reduce_{op}[axes={{1}}](x)\n@return(z)"
    (got,) = asmgen.compile(text, target=target)(x, device="emulator")
    wanted = (np.fmax if op == "max" else np.fmin).reduce(x, 1, keepdims=True)
    np.testing.assert_array_equal(got, wanted)
