"""Ranges of products of matrices: numpy's results lie in them, and results with a wrong element do not."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from asmgen.gentext.parser import parse
from asmgen.graph.reference import evaluate
from asmgen.graph.reference.ranges import FloatRange, Range, Rules
from asmgen.ir.types import ELEMENT_TYPES

Array = np.ndarray[Any, Any]
LONG = 65536


def range_of(statement: str, a: Array, b: Array, type_: str, rules: Rules | None = None) -> Range:
    dims = ["{" + ",".join(map(str, x.shape)) + "}" for x in (a, b)]
    text = f"a = @param:a -> {type_}, {dims[0]}\nb = @param:b -> {type_}, {dims[1]}\ny = {statement}\n@return(y)\n"
    (result,) = evaluate(parse(text, "t.gen"), [a, b], rules)
    return result


def whole(seed: int, *shape: int, type_: str = "f32") -> Array:
    """Whole numbers, none of them 0."""
    generator = np.random.default_rng(seed)
    numbers = generator.integers(1, 8, shape) * generator.choice(np.array([-1, 1]), shape)
    return numbers.astype(ELEMENT_TYPES[type_].numpy)


def is_allowed(range_: Range, result: Array) -> bool:
    return bool(((range_.low <= result) & (result <= range_.high)).all())


@pytest.mark.parametrize(("left", "right"), [((3,), (3,)), ((2, 3), (3,)), ((3,), (4, 3, 5)), ((6, 1, 2, 3), (4, 3, 5)), ((2, 0), (0, 3))])
@pytest.mark.parametrize("type_", ["f16", "f32", "f64", "i8", "i64"])
def test_exact_numbers_have_the_product_of_numpy_alone(left: tuple[int, ...], right: tuple[int, ...], type_: str) -> None:
    a, b = whole(1, *left, type_=type_), whole(2, *right, type_=type_)
    result = range_of("dot(a, b)", a, b, type_)
    assert (result.low == a @ b).all() and (result.high == a @ b).all()


@pytest.mark.parametrize("scale", [2.0**-20, 2.0**-70, 2.0**40])
def test_multiples_of_powers_of_two_have_a_single_result(scale: float) -> None:
    a, b = whole(1, 4, 50) * np.float32(scale), whole(2, 50, 4)
    result = range_of("dot(a, b)", a, b, "f32")
    assert (result.low == result.high).all() and (result.low == a.astype(np.float64) @ b.astype(np.float64)).all()


def test_products_beyond_the_type_may_be_anything() -> None:
    """2**200 - 2**200 is 0 or, if the products are rounded, NaN."""
    a, b = np.array([[2.0**100, 2.0**100]], np.float32), np.array([[2.0**100], [-(2.0**100)]], np.float32)
    result = range_of("dot(a, b)", a, b, "f32")
    assert isinstance(result, FloatRange) and result.may_be_nan.all()
    assert np.isneginf(result.low).all() and np.isposinf(result.high).all()


def test_a_product_below_the_denormals_is_not_exact() -> None:
    a, b = whole(1, 4, 50) * np.float32(2.0**-100), whole(2, 50, 4) * np.float32(2.0**-60)
    result = range_of("dot(a, b)", a, b, "f32")
    assert (result.low < result.high).all()


def test_axes_in_any_order_are_an_einsum() -> None:
    a, b = whole(1, 2, 5, 3, 4), whole(2, 4, 2, 7, 5)
    result = range_of("dot_general[lhs_batch=1, rhs_batch=3, lhs_contract={0,3}, rhs_contract={1,0}](a, b)", a, b, "f32")
    wanted = np.einsum("abcd,daeb->bce", a, b)
    assert (result.low == wanted).all() and (result.high == wanted).all()


def test_a_wider_result_is_not_rounded_or_wrapped() -> None:
    a, b = np.full((1, 300), 100, np.int8), np.full((300, 1), 100, np.int8)
    assert range_of("dot[target_type=i32](a, b)", a, b, "i8").low == 3_000_000
    assert range_of("dot(a, b)", a, b, "i8").low == np.int64(3_000_000).astype(np.int8)
    c, d = np.full((1, 200), 255, np.float16), np.full((200, 1), 255, np.float16)
    assert range_of("dot[target_type=f32](a, b)", c, d, "f16").high == 255 * 255 * 200
    assert range_of("dot(a, b)", c, d, "f16").high == np.inf


@pytest.mark.parametrize("type_", ["f16", "f32"])
@pytest.mark.parametrize("mistake", ["dropped", "doubled", "swapped"])
def test_a_mistake_in_a_long_sum_is_outside_the_bound(mistake: str, type_: str) -> None:
    a, b = whole(1, 8, LONG, type_=type_), whole(2, LONG, 8, type_=type_)
    wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
    right, place = wide_a @ wide_b, LONG // 3
    if mistake == "swapped":
        wide_b[[place, place + 5]] = wide_b[[place + 5, place]]
        wrong = wide_a @ wide_b
    else:
        product = wide_a[:, place, None] * wide_b[place]
        wrong = right - product if mistake == "dropped" else right + product
    result = range_of("dot[target_type=f32](a, b)" if type_ == "f16" else "dot(a, b)", a, b, type_)
    assert is_allowed(result, right)
    assert not is_allowed(result, wrong)


@pytest.mark.parametrize("type_", ["f16", "f32"])
def test_sums_in_any_order_lie_within_the_bound(type_: str) -> None:
    generator = np.random.default_rng(3)
    a, b = [generator.standard_normal(shape).astype(ELEMENT_TYPES[type_].numpy) for shape in ((8, 700), (700, 8))]
    result = range_of("dot[target_type=f32](a, b)" if type_ == "f16" else "dot(a, b)", a, b, type_)
    products = (a.astype(np.float32)[:, :, None] * b.astype(np.float32)).transpose(1, 0, 2)
    for _ in range(10):
        total = np.zeros((8, 8), np.float32)
        for product in products[generator.permutation(700)]:
            total += product
        assert is_allowed(result, total)


@pytest.mark.parametrize("type_", ["f16", "bf16"])
def test_a_product_of_a_denormal_may_be_zero_if_these_are_flushed(type_: str) -> None:
    least = 2.0 ** (-14 if type_ == "f16" else -126)
    a, b = np.full((1, 8), least), np.full((8, 1), 4.0)
    a[0, 3] /= 2
    a, b = [each.astype(getattr(ml_dtypes, ELEMENT_TYPES[type_].numpy, ELEMENT_TYPES[type_].numpy)) for each in (a, b)]
    exact, flushed = np.array([[30 * least]]), np.array([[28 * least]])
    kept = range_of("dot[target_type=f32](a, b)", a, b, type_)
    lost = range_of("dot[target_type=f32](a, b)", a, b, type_, Rules(flushes_products=True))
    assert is_allowed(kept, exact) and not is_allowed(kept, flushed)
    assert is_allowed(lost, exact) and is_allowed(lost, flushed)
    assert not is_allowed(lost, flushed - 4 * least), "another product is dropped"


def test_a_sum_of_small_products_may_be_zero_if_denormals_are_flushed() -> None:
    """The factors are normal numbers of bf16, and their products denormals of f32."""
    a, b = [np.full(shape, 2.0**least).astype(ml_dtypes.bfloat16) for shape, least in (((1, 8), -70), ((8, 1), -60))]
    kept, lost = [range_of("dot[target_type=f32](a, b)", a, b, "bf16", Rules(flushes_products=flushes)) for flushes in (False, True)]
    assert is_allowed(lost, np.zeros((1, 1))) and not is_allowed(kept, np.zeros((1, 1)))
    assert not is_allowed(lost, np.full((1, 1), 2.0**-122)), "far more than all products"
