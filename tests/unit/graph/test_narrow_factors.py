"""Products of factors that were made wider, which are products of the narrow numbers if these are exact."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from itertools import product
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.ops import DOT
from asmgen.graph.rewritings.narrow_factors import has_numbers, with_narrow_factors
from asmgen.ir.program import Module, tensor_type
from asmgen.ir.types import BOOL, ELEMENT_TYPES, ElementType
from asmgen.verification import hold
from tests.device import chosen_device

TEXT = """x = @param:x -> {first}, {{40,{k}}}
w = @param:w -> {second}, {{{k},24}}
a = convert[target_type={wide}](x)
b = convert[target_type={wide}](w)
y = dot(a, b)
@return(y)
"""
Array = np.ndarray[Any, Any]
SMALL = ("bool", "i8", "u8", "f16", "bf16", "fp8e4m3fn", "fp8e5m2", "fp8e4m3fnuz", "fp8e5m2fnuz")


def graph(first: str, second: str, wide: str, k: int | str = 64) -> Module:
    (module,) = parse(TEXT.format(first=first, second=second, wide=wide, k=k), "narrow.gen").modules
    return module


def factors_of(module: Module) -> list[str]:
    """The type of both factors of the product."""
    (dot,) = [each for each in with_narrow_factors(module, lambda _element: True).statements if each.op is DOT]
    return [tensor_type(each).element.name for each in dot.operands]


@pytest.mark.parametrize(
    ("first", "second", "wide", "k", "narrow"),
    [
        ("f16", "f16", "f32", 64, "f16"),
        ("bf16", "bf16", "f32", 64, "bf16"),
        ("fp8e5m2", "fp8e5m2", "f32", 64, "fp8e5m2"),
        ("fp8e4m3fn", "fp8e5m2", "f32", 64, "f16"),
        ("f16", "fp8e4m3fn", "f32", 64, "f16"),
        ("f16", "bf16", "f32", 64, "f32"),
        ("f16", "i8", "f32", 64, "f16"),
        ("u8", "bf16", "f32", 64, "bf16"),
        ("i16", "f16", "f32", 64, "f32"),
        ("f16", "f16", "f64", 64, "f64"),
        ("f32", "f32", "f64", 64, "f64"),
        ("i8", "i8", "i32", 64, "i8"),
        ("i8", "i8", "i32", 1 << 20, "i8"),
        ("bool", "bool", "i32", 64, "i8"),
        ("bool", "i8", "u32", 64, "i8"),
        ("u8", "i8", "i32", 64, "i32"),
        ("i8", "i8", "i16", 64, "i16"),
        ("i8", "i8", "i64", (1 << 17) - 1, "i8"),
        ("i8", "i8", "i64", 1 << 17, "i64"),
        ("i8", "i8", "f32", (1 << 17) - 1, "i8"),
        ("i8", "i8", "f32", 1 << 17, "f16"),
        ("i8", "i8", "f64", 64, "i8"),
        ("i8", "i8", "f64", "k", "f64"),
        ("u8", "u8", "f32", 64, "u8"),
    ],
)
def test_the_narrow_type_has_the_numbers_and_the_sums(first: str, second: str, wide: str, k: int | str, narrow: str) -> None:
    assert factors_of(graph(first, second, wide, k)) == [narrow, narrow]


def test_a_target_without_the_instruction_multiplies_as_before() -> None:
    module = graph("f16", "f16", "f32")
    kept = with_narrow_factors(module, lambda _element: False)
    assert kept.statements == module.statements


def test_the_moves_of_a_factor_stay() -> None:
    text = TEXT.replace("{k},24", "24,{k}").replace("y = dot(a, b)", "t = transpose[permutation={{1,0}}](b)\ny = dot(a, t)")
    (module,) = parse(text.format(first="f16", second="i8", wide="f32", k=64), "narrow.gen").modules
    assert factors_of(module) == ["f16", "f16"]


def test_products_share_their_narrow_factor() -> None:
    text = TEXT.replace("y = dot(a, b)", "p = dot(a, b)\nq = dot(a, b)\ny = add(p, q)")
    (module,) = parse(text.format(first="i8", second="f16", wide="f32", k=64), "narrow.gen").modules
    dots = [each for each in with_narrow_factors(module, lambda _element: True).statements if each.op is DOT]
    assert dots[0].operands == dots[1].operands


def test_only_types_with_all_numbers_of_another_have_them() -> None:
    """Against ml_dtypes: every number of the other type survives the way through the type."""
    for type_, other in product([*map(ELEMENT_TYPES.get, SMALL)], repeat=2):
        assert type_ is not None and other is not None
        if type_ is BOOL or (other.is_float and not type_.is_float):
            continue
        with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
            numbers = every(other).astype(np.float64)
            limits = np.iinfo(type_.numpy) if not type_.is_float else None
            there = numbers.astype(dtype(type_)).astype(np.float64) if limits is None else np.clip(numbers, limits.min, limits.max)
        same = np.array_equal(numbers, there, equal_nan=True) and np.array_equal(np.signbit(numbers[numbers == 0]), np.signbit(there[numbers == 0]))
        assert has_numbers(type_, other) == same, (type_, other)


def dtype(element: ElementType) -> Any:
    return np.dtype(getattr(ml_dtypes, element.numpy, element.numpy))


def every(element: ElementType) -> Any:
    """Every number of a type of 16 bits at most."""
    if element is BOOL:
        return np.array([False, True])
    return np.arange(1 << element.bits).astype(f"u{element.bytes}").view(dtype(element))


def _wide(wide: str) -> Callable[[Array, Array], Array]:
    return lambda x, w: x.astype(wide) @ w.astype(wide)


@pytest.mark.parametrize(
    ("target", "first", "second", "wide", "instruction"),
    [
        ("gfx90a", "int8", "int8", "int32", "i32_16x16x16i8"),
        ("gfx90a", "float16", "float16", "float32", "f32_16x16x4f32"),  # its products of f16 flush denormals
        ("gfx942", "int8", "bool", "int64", "i8"),
        ("gfx942", "float16", "int8", "float32", "_f16"),
        ("gfx950", "float16", "float16", "float32", "_f16"),
        ("gfx1100", "uint8", "uint8", "int32", "iu8"),
        ("gfx1201", "int8", "int8", "float32", "iu8"),
    ],
)
def test_results_are_numpys(target: str, first: str, second: str, wide: str, instruction: str) -> None:
    draw = np.random.default_rng(3)
    x, w = [(draw.integers(-60, 60, shape) / 8).astype(type_) for type_, shape in ((first, (37, 70)), (second, (70, 33)))]
    specs = [asmgen.spec(each.dtype, each.shape) for each in (x, w)]
    program = asmgen.compile(_wide(wide), target=target, inputs=specs, verify_passes=True)
    (found,) = program(x, w, device=chosen_device())
    assert found.dtype == np.dtype(wide)
    np.testing.assert_array_equal(found, x.astype(np.float64) @ w.astype(np.float64))
    assert instruction in program.kernels[0].assembly


@pytest.mark.parametrize(("target", "element"), [("gfx90a", np.float16), ("gfx942", np.int8), ("gfx1100", np.float16)])
def test_the_bounds_of_the_wide_product_hold(target: str, element: Any) -> None:
    specs = [asmgen.spec(element, (20, 40)), asmgen.spec(element, (40, 20))]
    program = asmgen.compile(_wide("float32"), target=target, inputs=specs)
    assert not hold(program, chosen_device()).is_broken


@pytest.mark.parametrize("target", ["gfx90a", "gfx942"])
def test_denormals_of_f16_are_multiplied(target: str) -> None:
    x, w = np.full((20, 40), 2e-6, np.float16), np.full((40, 20), 1000, np.float16)
    program = asmgen.compile(_wide("float32"), target=target, inputs=[asmgen.spec(each.dtype, each.shape) for each in (x, w)])
    np.testing.assert_allclose(program(x, w, device=chosen_device())[0], x.astype(np.float64) @ w, rtol=1e-6)
