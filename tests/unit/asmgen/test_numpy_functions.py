"""A function of numpy's means the same when it is traced, compiled and emulated: each is called on arrays as
well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

import asmgen
from tests.device import chosen_device

Function = Callable[..., Any]
RANDOM = np.random.default_rng(7)
X = RANDOM.normal(0, 2, (5, 12)).astype(np.float32)
Y = RANDOM.normal(0, 2, 12).astype(np.float32)
HALVES = X.astype(np.float16)
WHOLE = RANDOM.integers(-50, 50, (5, 12)).astype(np.int32)


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def layernorm(x: Any, scale: Any) -> Any:
    return (x - np.mean(x, axis=1, keepdims=True)) / np.sqrt(x.var(axis=1, keepdims=True) + 1e-5) * scale


FLOATS: list[tuple[Function, tuple[Any, ...]]] = [
    (softmax, (X,)),
    (layernorm, (X, Y)),
    (lambda x, y: (x + y, x - y, x * y, x / y, -x, +x, abs(x)), (X, Y)),
    (lambda x: (3 - x, 2.0 * x, 1 / x, x + np.float32(0.5), np.float32(2) - x), (X,)),
    (lambda x: (x**2, x**3, x**4, np.square(x), np.power(x, 5), x**-1), (X,)),
    (lambda x: (np.exp(x), np.tanh(x), np.floor(x), np.ceil(x), np.sqrt(np.abs(x)), np.log(np.fabs(x)), np.reciprocal(x)), (X,)),
    (lambda x, y: (np.maximum(x, y), np.minimum(x, 0), np.fmax(y, x), np.clip(x, -1, 1), x.clip(0, None), np.clip(x, max=0.5)), (X, Y)),
    (lambda x, y: (np.where(x > y, x, 0), np.where(x <= 0.5, np.float32(1), np.float32(2)), np.where(x >= y, y, x)), (X, Y)),
    (lambda x, y: (x < y, x <= y, x == x, x != y, x > 0, x >= y, ~(x > y) & (x < 1) | (y > 1), (x > 0) ^ (y > 0)), (X, Y)),
    (lambda x: (np.not_equal(x, 0), np.logical_and(x > 0, x < 1), np.logical_not(x > 0)), (X,)),
    (lambda x: (x.sum(1, keepdims=True), x.mean(1, keepdims=True), x.min(1, keepdims=True), np.prod(x, 1, keepdims=True)), (X,)),
    (lambda x: (np.sum(x, axis=(0, 1), keepdims=True), np.max(x, keepdims=True), np.std(x, keepdims=True)), (X,)),
    (lambda x: (x * np.arange(12, dtype=np.float32), np.ones((5, 1), np.float32) - x, np.zeros_like(x) + x, np.full_like(x, 3) * x), (X,)),
    (lambda x: (x.astype(np.float32) * 2, x.astype("float16"), x.sum(axis=1, dtype=np.float32, keepdims=True)), (HALVES,)),
    (lambda x: (x + 3, 7 - x, x * x, abs(x), np.maximum(x, 4), x**3, x.max(1, keepdims=True), x == 5, x.astype(np.float32) / 2), (WHOLE,)),
]  # fmt: skip


@pytest.mark.parametrize(("function", "arrays"), FLOATS)
def test_a_traced_function_is_the_function(function: Function, arrays: tuple[Any, ...]) -> None:
    expected = function(*arrays)
    found = asmgen.compile(function, inputs=list(arrays), contract=False)(*arrays, device=chosen_device())
    wanted = cast("tuple[Any, ...]", expected) if isinstance(expected, tuple) else (expected,)
    assert len(found) == len(wanted)
    for array, numpys in zip(found, wanted, strict=True):
        assert array.dtype == numpys.dtype and array.shape == numpys.shape
        np.testing.assert_allclose(array.astype(np.float64), np.asarray(numpys, np.float64), rtol=4e-6, atol=1e-6)


def test_division_of_whole_numbers_is_refused_by_strict_promotion() -> None:
    with pytest.raises(asmgen.InputError, match="converts an array of i32 to f64"):
        asmgen.compile(lambda x: x / 2, inputs=[WHOLE], promotion="strict")
