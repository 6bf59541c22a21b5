"""Each ufunc gives the type and the numbers that numpy gives, for each pair of types."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.frontends.traced.spec import spec
from asmgen.frontends.traced.trace import trace
from asmgen.frontends.traced.ufunc_table import LOOPS
from isa.diagnostics import InputError
from tests.device import chosen_device

TYPES = ["bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "f32", "f64"]
NUMPY = {"b": "bool", "i": "int", "u": "uint", "f": "float"}
NAMES = sorted(LOOPS)


def numpy_type(name: str) -> str:
    return "bool" if name == "bool" else NUMPY[name[0]] + name[1:]


def result_types(name: str, given: list[Any]) -> list[Any] | None:
    """The types that numpy gives; None if it has no loop, or if no kernel computes its type."""
    ufunc = getattr(np, name)
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
        try:
            given_back: Any = ufunc(*given)
        except (TypeError, ValueError):
            return None
    results: list[Any] = [*given_back] if isinstance(given_back, tuple) else [given_back]  # pyright: ignore[reportUnknownArgumentType]
    return None if any(result.dtype.kind in "cOg" for result in results) else [result.dtype for result in results]


@pytest.mark.parametrize("name", NAMES)
def test_the_type_of_a_ufunc_is_numpys(name: str) -> None:
    ufunc = getattr(np, name)
    pairs = [(a, b) for a in TYPES for b in (TYPES if ufunc.nin == 2 else TYPES[:1])]
    for pair in pairs[:: 5 if ufunc.nin == 2 else 1]:
        names = pair[: ufunc.nin]
        wanted = result_types(name, [np.ones(2, numpy_type(each)) for each in names])
        try:
            program = trace(lambda *x, of=ufunc: of(*x), [spec(each, (2,)) for each in names])
        except InputError as error:
            assert wanted is None, (names, str(error))
            continue
        found = [value.type.element.numpy for value in program.modules[0].statements[-1].operands]
        assert wanted is not None and found == [str(each) for each in wanted], names


INTEGERS = ["add", "subtract", "multiply", "floor_divide", "remainder", "fmod", "divmod", "bitwise_or", "bitwise_xor",
            "invert", "maximum", "sign", "absolute", "square", "positive", "negative", "less", "greater_equal"]  # fmt: skip


SLOW = [pytest.param(element, marks=pytest.mark.slow) for element in ("u8", "i16", "u32", "i64")]


@pytest.mark.parametrize("element", ["i8", *SLOW])
def test_integers_compute_as_numpys(element: str) -> None:
    """Every pair of numbers at the ends of the type and near 0, in all functions at once."""
    dtype = np.dtype(numpy_type(element))
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    numbers = np.array(sorted({least, least + 1, least // 2, *range(max(least, -4), 9), most // 2, most - 1, most}), dtype)
    x, y = [np.ascontiguousarray(each).reshape(-1) for each in np.meshgrid(numbers, numbers)]
    counts = np.arange(x.size).astype(dtype) % dtype.type(dtype.itemsize * 8)

    def function(x: Any, y: Any, counts: Any) -> list[Any]:
        found: list[Any] = []
        for name in INTEGERS:
            ufunc = getattr(np, name)
            result = ufunc(*[x, y][: ufunc.nin])
            found += result if isinstance(result, tuple) else [result]
        return [*found, x << counts, x >> counts, x >> 3, x << 2, x >> (dtype.itemsize * 8 - 1)]

    with np.errstate(all="ignore"):
        expected = function(x, y, counts)
    results = asmgen.compile(function, inputs=[x, y, counts])(x, y, counts, device=chosen_device())
    for number, (result, wanted) in enumerate(zip(results, expected, strict=True)):
        assert result.dtype == wanted.dtype
        wrong = np.nonzero(result != wanted)[0]
        assert not wrong.size, (number, x[wrong[0]], y[wrong[0]], result[wrong[0]], wanted[wrong[0]])
