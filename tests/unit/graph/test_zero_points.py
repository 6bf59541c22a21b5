"""Products of integers with zero points, which are products of i8 and sums."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.ops import DOT, REDUCE_SUM
from asmgen.graph.rewritings.integer_bounds import BoundsSearch
from asmgen.graph.rewritings.zero_points import with_zero_points_apart
from asmgen.ir.program import definitions
from asmgen.ir.types import I8, U8
from tests.device import chosen_device

HEAD = """x = @param:x -> {first}, {{40,{k}}}
w = @param:w -> {second}, {{{k},24}}
z = @param:z -> i32, {{1}}
r = @param:r -> i32, {{40,1}}
c = @param:c -> i32, {{24}}
d = @param:d -> i32, {{{k},1}}
a = convert[target_type=i32](x)
b = convert[target_type=i32](w)
"""
PLAIN, ZERO = "y = dot(a, b)\n", "f = sub(a, z)\ny = dot(f, b)\n"


@pytest.mark.parametrize(
    ("first", "second", "body", "has_u8", "sums"),
    [
        ("i8", "i8", PLAIN, False, 0),
        ("u8", "i8", PLAIN, False, 1),
        ("i8", "u8", PLAIN, False, 1),
        ("u8", "u8", PLAIN, False, 2),
        ("u8", "u8", PLAIN, True, 0),
        ("u8", "i8", PLAIN, True, 1),
        ("i8", "i8", ZERO, False, 1),
        ("u8", "i8", ZERO, False, 2),
        ("u8", "u8", ZERO, True, 1),
        ("i8", "i8", "f = add(a, r)\ny = dot(f, b)\n", False, 1),
        ("i8", "i8", "f = sub(a, r)\ng = sub(b, c)\ny = dot(f, g)\n", False, 2),
        ("u8", "i8", "e = @literal{128} -> i32, {}\nf = sub(a, e)\ny = dot(f, b)\n", False, 0),  # f is within i8
        ("i8", "i8", "f = sub(z, a)\ny = dot(f, b)\n", False, None),  # z varies as the factor does not
        ("i8", "i8", "f = add(a, c)\ny = dot(f, b)\n", False, None),  # c lies along k
        ("i8", "i8", "f = sub(b, d)\ny = dot(a, f)\n", False, None),  # d lies along k
        ("i16", "i8", ZERO, False, None),
        ("f32", "i8", ZERO, False, None),
    ],
)
def test_a_product_of_i8_and_the_sums_that_make_up(first: str, second: str, body: str, has_u8: bool, sums: int | None) -> None:
    """The sums are None if the product stays."""
    text = HEAD.format(first=first, second=second, k=24) + body + "@return(y)\n"
    (module,) = parse(text, "zero.gen").modules
    made = with_zero_points_apart(module, lambda element: element is I8 or has_u8)
    (dot,) = [each for each in made.statements if each.op is DOT]
    bounds = BoundsSearch(definitions(made).get)
    are_narrow = all(bounds.of(each).within(I8) or (has_u8 and bounds.of(each).within(U8)) for each in dot.operands)
    assert are_narrow is (sums is not None)
    assert len([each for each in made.statements if each.op is REDUCE_SUM]) == (sums or 0)


@pytest.mark.parametrize("has_u8", [False, True])
def test_products_of_u32_take_no_numbers_below_zero(has_u8: bool) -> None:
    """Numbers without their own zero point would be large numbers of u32, which no i8 has."""
    text = HEAD.replace("i32", "u32").format(first="u8", second="u8", k=24) + ZERO + "@return(y)\n"
    (module,) = parse(text, "zero.gen").modules
    made = with_zero_points_apart(module, lambda element: element is I8 or has_u8)
    assert sum(each.op is REDUCE_SUM for each in made.statements) == has_u8


@pytest.mark.parametrize("rows", ["1", "15", "m"])
def test_few_rows_stay(rows: str) -> None:
    text = HEAD.replace("40,{k}", f"{rows},{{k}}").format(first="u8", second="i8", k=24) + PLAIN + "@return(y)\n"
    (module,) = parse(text, "zero.gen").modules
    assert with_zero_points_apart(module, lambda element: element is I8).statements == module.statements


def _quantised(x: Any, w: Any, z: Any, c: Any) -> Any:
    return (x.astype(np.int32) - z) @ (w.astype(np.int32) - c)


@pytest.mark.parametrize(
    ("target", "first", "second", "instruction"),
    [
        ("gfx90a", "uint8", "int8", "v_mfma_i32"),
        ("gfx942", "uint8", "uint8", "v_mfma_i32"),
        ("gfx1100", "uint8", "int8", "v_wmma_i32"),
        ("gfx1201", "int8", "uint8", "v_wmma_i32"),
    ],
)
def test_results_are_numpys(target: str, first: str, second: str, instruction: str) -> None:
    """With every number of both types, and zero points by which sums leave i32."""
    draw = np.random.default_rng(4)
    x, w = [np.resize(np.arange(256), 80 * 48).astype(np.uint8).view(type_) for type_ in (first, second)]
    x, w = x.reshape(48, 80), draw.permutation(w).reshape(80, 48)
    z, c = draw.integers(-(2**31), 2**31, (48, 1), np.int64).astype(np.int32), draw.integers(-9, 9, 48).astype(np.int32)
    given = (x, w, z, c)
    program = asmgen.compile(_quantised, target=target, inputs=[asmgen.spec(each.dtype, each.shape) for each in given])
    (found,) = program(*given, device=chosen_device())
    np.testing.assert_array_equal(found, _quantised(*given))
    assert any(instruction in kernel.assembly for kernel in program.kernels)


def test_the_numbers_of_windows_are_shifted_before_they_are_moved() -> None:
    """A convolution of u8 by i8."""
    draw = np.random.default_rng(5)
    x, w = draw.integers(0, 256, (1, 4, 9, 10)).astype(np.uint8), draw.integers(-128, 128, (16, 4, 3, 3)).astype(np.int8)

    def convolved(x: Any, w: Any) -> Any:
        windows = np.lib.stride_tricks.sliding_window_view(x.astype(np.int32), (3, 3), (2, 3))
        return np.einsum("bchwij,ocij->bohw", windows, w.astype(np.int32))

    program = asmgen.compile(convolved, inputs=[asmgen.spec(each.dtype, each.shape) for each in (x, w)])
    np.testing.assert_array_equal(program(x, w, device=chosen_device())[0], convolved(x, w))
    assert any("v_mfma_i32" in kernel.assembly for kernel in program.kernels)
