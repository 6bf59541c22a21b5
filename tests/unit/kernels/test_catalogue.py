"""The catalogue: what each kernel computes, and what `--set` refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from asmgen.graph.ops import PARAM
from asmgen.graph.reference import evaluate
from asmgen.ir.types import ELEMENT_TYPES, TensorType
from asmgen.kernels import CATALOGUE, build_kernel
from isa.diagnostics import InputError

Array = NDArray[Any]


def _gelu(x: Array) -> Array:
    return 0.5 * x * (1 + np.tanh(np.float32(0.7978845608) * (x + np.float32(0.044715) * x**3)))


FUNCTIONS: list[tuple[str, int, Callable[[list[Array]], Array]]] = [
    ("vecadd", 2, lambda p: p[0] + p[1]),
    ("relu", 1, lambda p: np.maximum(p[0], 0)),
    ("muladd", 3, lambda p: (2 * p[0] + p[2]) * p[1] + p[0] * 4),
    ("gelu", 1, lambda p: _gelu(p[0])),
]


@pytest.mark.parametrize(("name", "count", "function"), FUNCTIONS)
def test_what_a_kernel_computes(name: str, count: int, function: Callable[[list[Array]], Array]) -> None:
    arrays: list[Array] = [np.random.default_rng(i).standard_normal(100).astype(np.float32) for i in range(count)]
    (output,) = evaluate(build_kernel(name, [("n", "100")]), arrays)
    wanted = function([array.astype(np.float64) for array in arrays])
    np.testing.assert_allclose(output.value, wanted, rtol=1e-13, atol=1e-300)


def test_gelu_erf_is_gelu() -> None:
    x = np.linspace(-5, 5, 101, dtype=np.float32)
    (output,) = evaluate(build_kernel("gelu_erf", [("n", "101")]), [x])
    np.testing.assert_allclose(output.value, _gelu(x.astype(np.float64)), atol=5e-4)


def _row_function(name: str, x: Array, *rest: Array) -> Array:
    if name == "row_sum":
        return x.sum(1, keepdims=True)
    if name == "row_max":
        return x.max(1, keepdims=True)
    if name == "softmax":
        powers = np.exp(x - x.max(1, keepdims=True))
        return powers / powers.sum(1, keepdims=True)
    if name == "rmsnorm":
        return x / np.sqrt((x * x).mean(1, keepdims=True) + np.float32(1e-5)) * rest[0]
    centred = x - x.mean(1, keepdims=True)
    return centred / np.sqrt((centred * centred).mean(1, keepdims=True) + np.float32(1e-5)) * rest[0] + rest[1]


@pytest.mark.parametrize(("name", "vectors"), [("row_sum", 0), ("row_max", 0), ("softmax", 0), ("rmsnorm", 1), ("layernorm", 2)])
def test_what_a_kernel_of_rows_computes(name: str, vectors: int) -> None:
    random = np.random.default_rng(7)
    arrays: list[Array] = [random.standard_normal(shape).astype(np.float32) for shape in [(5, 30)] + [(30,)] * vectors]
    (output,) = evaluate(build_kernel(name, [("rows", "5"), ("cols", "30")]), arrays)
    wanted = _row_function(name, *[array.astype(np.float64) for array in arrays])
    np.testing.assert_allclose(output.value, wanted, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", ["row_sum", "row_max", "softmax", "layernorm", "rmsnorm"])
def test_defaults_and_settings_of_kernels_of_rows(name: str) -> None:
    assert CATALOGUE[name].parameters == {"rows": 4096, "cols": 1024, "dtype": "f32"}
    first, *rest = build_kernel(name, [("rows", "3"), ("cols", "7"), ("dtype", "half_type")]).modules[0].statements
    assert isinstance(first.result.type, TensorType)
    assert (first.result.type.dims, first.result.type.element.name) == ((3, 7), "f16")
    vectors = [statement.result.type for statement in rest if statement.op is PARAM]
    assert all(isinstance(type_, TensorType) and type_.dims == (7,) and type_.element.name == "f16" for type_ in vectors)


@pytest.mark.parametrize("name", ["vecadd", "relu", "muladd", "gelu", "gelu_erf"])
def test_defaults_and_settings(name: str) -> None:
    assert CATALOGUE[name].parameters == {"n": 1 << 20, "dtype": "f32"}
    assert build_kernel(name).modules[0].name == name
    type_ = build_kernel(name, [("n", "7"), ("dtype", "half_type")]).modules[0].statements[0].result.type
    assert isinstance(type_, TensorType)
    assert (type_.dims, type_.element.name) == ((7,), "f16")


@pytest.mark.parametrize(
    ("name", "settings", "place", "code", "message"),
    [
        (
            "gellu",
            [],
            "gellu",
            "CAT001",
            "unknown kernel 'gellu', wanted one of vecadd, relu, muladd, gelu, gelu_erf, row_sum",
        ),
        ("relu", [("m", "1")], "--set m=1", "SET001", "relu has no parameter 'm', wanted one of n, dtype"),
        ("relu", [("n", "1.5")], "--set n=1.5", "SET002", "n is '1.5', wanted an integer >= 0"),
        ("relu", [("n", "-1")], "--set n=-1", "SET002", "n is '-1', wanted an integer >= 0"),
        ("relu", [("n", "")], "--set n=", "SET002", "n is '', wanted an integer >= 0"),
        ("relu", [("n", "9" * 19)], f"--set n={'9' * 19}", "SET002", "at most 18 digits"),
        ("gelu", [("dtype", "i32")], "--set dtype=i32", "SET003", "gelu does not compute on 'i32', wanted one of bf16 f16 f32 f64"),
        ("softmax", [("n", "5")], "--set n=5", "SET001", "softmax has no parameter 'n', wanted one of rows, cols, dtype"),
        ("rmsnorm", [("dtype", "i32")], "--set dtype=i32", "SET003", "rmsnorm does not compute on 'i32', wanted one of bf16 f16 f32 f64"),
        ("vecadd", [("dtype", "float")], "--set dtype=float", "SET003", "does not compute on 'float'"),
    ],
)
def test_refusals(name: str, settings: list[tuple[str, str]], place: str, code: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        _ = build_kernel(name, settings)
    assert (str(caught.value.place), caught.value.code) == (place, code)
    assert message in caught.value.message


_OF_ANOTHER_TYPE = ("argmax", "fp8_linear")  # the results: i64, bf16


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_kernel_is_made_of_each_type_that_is_offered_and_of_no_other(name: str) -> None:
    for element in {type_.name for type_ in ELEMENT_TYPES.values()}:
        if element in CATALOGUE[name].types:
            (module,) = build_kernel(name, [("dtype", element)]).modules
            assert element in {value.type.element.name for value in module.statements[-1].operands} or name in _OF_ANOTHER_TYPE
        else:
            with pytest.raises(InputError, match="SET003"):
                _ = build_kernel(name, [("dtype", element)])
