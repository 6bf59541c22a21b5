"""Functions written for numpy trace to the graph of the same meaning; what cannot be traced says so at its line."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from asmgen.frontends.traced.spec import spec
from asmgen.frontends.traced.trace import trace
from asmgen.gentext.parser import parse
from asmgen.graph.printer import print_program
from isa.diagnostics import InputError, InputWarning, Place
from tests.unit.frontends.programs import outline

Function = Callable[..., Any]
SHAPE = (4, 8)
PARAMETER = "x = @param:x -> {4,8}\n"


def graph_of(function: Function, *inputs: Any) -> Any:
    return outline(trace(function, list(inputs) or [spec("f32", SHAPE)]))[2][0][1]


def parsed(body: str) -> Any:
    return outline(parse(f"module @f {{\n{PARAMETER}{body}\n}}", "t.gen"))[2][0][1]


# One line of gen text for each; a number is `literal`, a second number `literal_1`.
SAME: list[tuple[Function, str]] = [
    (np.exp, "exp = exp(x)\n@return(exp)"),
    (np.arctan, "atan = atan(x)\n@return(atan)"),
    (np.negative, "neg = neg(x)\n@return(neg)"),
    (np.abs, "abs = abs(x)\n@return(abs)"),
    (np.square, "mul = mul(x, x)\n@return(mul)"),
    (lambda x: x**2, "mul = mul(x, x)\n@return(mul)"),
    (lambda x: x**3, "mul = mul(x, x)\nmul_1 = mul(mul, x)\n@return(mul_1)"),
    (lambda x: x**4.0, "mul = mul(x, x)\nmul_1 = mul(mul, mul)\n@return(mul_1)"),
    (lambda x: x**0.5, "sqrt = sqrt(x)\n@return(sqrt)"),
    (lambda x: x**-1, "recip = recip(x)\n@return(recip)"),
    (lambda x: 2**x, "literal = @literal{2} -> {}\npow = pow(literal, x)\n@return(pow)"),
    (lambda x: x**9, "literal = @literal{9} -> {}\npow = pow(x, literal)\n@return(pow)"),
    (lambda x: x % 3, "literal = @literal{3} -> {}\nmod = mod(x, literal)\n@return(mod)"),
    (lambda x: np.fmod(5.0, x), "literal = @literal{5} -> {}\nfmod = fmod(literal, x)\n@return(fmod)"),
    (lambda x: np.maximum(x, 0), "literal = @literal{0} -> {}\nmax = max(x, literal)\n@return(max)"),
    (lambda x: np.float32(2) * x, "literal = @literal{2} -> {}\nmul = mul(literal, x)\n@return(mul)"),
    (lambda x: x + np.int16(7), "literal = @literal{7} -> {}\nadd = add(x, literal)\n@return(add)"),
    (lambda x: np.ones((1, 8), np.float32) - x, "literal = @literal{1,1,1,1,1,1,1,1} -> {1,8}\nsub = sub(literal, x)\n@return(sub)"),
    (
        lambda x: x >= 0,
        (
            "literal = @literal{0} -> {}\ngreater = greater(x, literal)\nequal = equal(x, literal)\nlogical_or = logical_or(greater, equal)\n"
            "@return(logical_or)"
        ),
    ),
    (lambda x: np.zeros(8, np.float32) < x, "literal = @literal{0,0,0,0,0,0,0,0} -> {8}\nless = less(literal, x)\n@return(less)"),
    (
        lambda x: np.where(x > 1, x, 0),
        (
            "literal = @literal{1} -> {}\ngreater = greater(x, literal)\nliteral_1 = @literal{0} -> {}\n"
            "where = where(greater, x, literal_1)\n@return(where)"
        ),
    ),
    (
        lambda x: np.where(x > 1, np.float32(2), np.float32(3)),
        (
            "literal = @literal{1} -> {}\ngreater = greater(x, literal)\nliteral_1 = @literal{2} -> {}\nliteral_2 = @literal{3} -> {}\n"
            "where = where(greater, literal_1, literal_2)\n@return(where)"
        ),
    ),
    (lambda x: np.clip(x, -1, 1), "literal = @literal{-1} -> {}\nliteral_1 = @literal{1} -> {}\nclip = clip(x, literal, literal_1)\n@return(clip)"),
    (lambda x: x.clip(max=1), "literal = @literal{1} -> {}\nmin = min(x, literal)\n@return(min)"),
    (np.sum, "reduce_sum = reduce_sum[axes={0,1}](x)\nsqueeze = squeeze[axes={0,1}](reduce_sum)\n@return(squeeze)"),
    (lambda x: x.sum(axis=-1), "reduce_sum = reduce_sum[axes={1}](x)\nsqueeze = squeeze[axes={1}](reduce_sum)\n@return(squeeze)"),
    (lambda x: x.max(0, keepdims=True), "reduce_max = reduce_max[axes={0}](x)\n@return(reduce_max)"),
    (lambda x: np.mean(x, axis=(0, 1), keepdims=True), "reduce_mean = reduce_mean[axes={0,1}](x)\n@return(reduce_mean)"),
    (lambda x: np.prod(x, 1, dtype=np.float16, keepdims=True),
     "convert = convert[target_type=f16](x)\nreduce_prod = reduce_prod[axes={1}](convert)\n@return(reduce_prod)"),
    (lambda x: x.sum(axis=()), "@return(x)"),
    (
        lambda x: x.var(1, keepdims=True),
        (
            "reduce_mean = reduce_mean[axes={1}](x)\nreduce_mean_broadcast = multibroadcast[out_lens={4,8}](reduce_mean)\n"
            "sub = sub(x, reduce_mean_broadcast)\nmul = mul(sub, sub)\nreduce_mean_1 = reduce_mean[axes={1}](mul)\n@return(reduce_mean_1)"
        ),
    ),
    (lambda x: x.argmax(axis=1, keepdims=True), "argmax = argmax[axis=1](x)\n@return(argmax)"),
    (lambda x: x.T, "transpose = transpose[permutation={1,0}](x)\n@return(transpose)"),
    (lambda x: x.transpose(1, 0), "transpose = transpose[permutation={1,0}](x)\n@return(transpose)"),
    (lambda x: np.swapaxes(x, 0, -1), "transpose = transpose[permutation={1,0}](x)\n@return(transpose)"),
    (lambda x: x.reshape(2, -1), "reshape = reshape[dims={2,-1}](x)\n@return(reshape)"),
    (lambda x: np.reshape(x, (8, 4)), "reshape = reshape[dims={8,4}](x)\n@return(reshape)"),
    (np.ravel, "reshape = reshape[dims=-1](x)\n@return(reshape)"),
    (lambda x: np.expand_dims(x, 0).squeeze(), "unsqueeze = unsqueeze[axes=0](x)\nsqueeze = squeeze[axes=0](unsqueeze)\n@return(squeeze)"),
    (lambda x: np.concatenate([x, x], axis=1), "concat = concat[axis=1](x, x)\n@return(concat)"),
    (lambda x: np.flip(x, 1), "reverse = reverse[axes=1](x)\n@return(reverse)"),
    (np.zeros_like, "literal = @literal{0} -> {}\nmultibroadcast = multibroadcast[out_lens={4,8}](literal)\n@return(multibroadcast)"),
    (lambda x: x.astype(np.float16), "convert = convert[target_type=f16](x)\n@return(convert)"),
    (lambda x: x.astype(ml_dtypes.bfloat16), "convert = convert[target_type=bf16](x)\n@return(convert)"),
    (lambda x: x.astype("int32"), "convert = convert[target_type=i32](x)\n@return(convert)"),
    (lambda x: x.astype(x.dtype), "@return(x)"),
    (np.round, "nearbyint = nearbyint(x)\n@return(nearbyint)"),
    (lambda x: x @ np.ones((8, 2), np.float32), f"literal = @literal{{{','.join(['1'] * 16)}}} -> {{8,2}}\ndot = dot(x, literal)\n@return(dot)"),
    (lambda x: x[1], "slice = slice[axes=0, starts=1, ends=2](x)\nsqueeze = squeeze[axes=0](slice)\n@return(squeeze)"),
    (lambda x: x[..., 2:-1:2], "slice = slice[axes=1, starts=2, ends=7](x)\nstep = step[axes=1, steps=2](slice)\n@return(step)"),
    (lambda x: x[:, None], "unsqueeze = unsqueeze[axes=1](x)\n@return(unsqueeze)"),
]  # fmt: skip


@pytest.mark.parametrize(("function", "body"), SAME)
def test_numpy_traces_to_ops(function: Function, body: str) -> None:
    # a ufunc does not say its arguments, so each is called by a function that does
    assert graph_of(lambda x: (function(x),)) == parsed(body)


def test_shapes_and_types_are_known_while_tracing() -> None:
    seen: list[Any] = []

    def function(x: Any) -> Any:
        seen.extend([x.shape, x.ndim, x.size, x.dtype == np.float16, hasattr(x, "nothing")])
        return x

    _ = trace(function, [spec(np.float16, (2, 3))])
    assert seen == [(2, 3), 2, 6, True, False]


@pytest.mark.parametrize("element", ["f16", "half_type", "float16", np.float16, np.dtype(np.float16)])
def test_types_as_python_names_them(element: object) -> None:
    assert repr(spec(element, 3)) == "Spec(f16, {3})"
    assert spec(element, [np.int64(3)]) == spec("f16", (3,))


def test_int32_arrays_keep_their_type() -> None:
    (_, literal, add, _) = graph_of(lambda x: x + 3, spec("i32", SHAPE))[:4]
    assert literal[3] == "{'values': (3,)}"
    assert str(add[2][0][1].element) == "i32"


REFUSED: list[tuple[Function, str, str]] = [
    (lambda x: -math.exp(x), "TRC003", "np.exp(x) in place of math.exp(x)"),
    (lambda x: [*x.reshape(-1)[None, :].T, *x.reshape(32).repeat(3)], "TRC003", "or operations on whole arrays"),
    (lambda x: 3 in x, "TRC003", "a comparison of the whole array"),
    (lambda x: -np.asarray(x), "TRC003", "no np.asarray"),
    (lambda x: x if x > 0 else -x, "TRC003", "wanted where(condition, a, b)"),
    (lambda x: [1, 2][x], "TRC003", "the numbers of a traced array are not known"),
    (lambda x: -np.linalg.inv(x), "TRC006", "np.linalg.inv has no kernel"),
    (lambda x: -np.spacing(x), "TRC006", "np.spacing takes numbers apart"),
    (lambda x: -np.polyfit(x[0], x[1], 1), "TRC006", "compute it with numpy, before or after the program"),
    (lambda x: -np.unique(x), "TRC006", "np.unique has a result with a shape that depends on the numbers"),
    (lambda x: -np.sort(x.repeat(200)), "TRC006", "np.sort sorts an axis of 6400 elements, wanted at most 4096"),
    (lambda x: -np.subtract.reduce(x), "TRC006", "np.subtract.reduce is not traced"),
    (lambda x: x.mena(), "TRC006", "did you mean mean"),
    (lambda x: f"{x:.2f}", "TRC003", "return the array, and print the result"),
    (lambda x: np.diff(x, n=-1), "TRC007", "got n=-1"),
    (lambda x: np.digitize(x, [1, 3, 2]), "TRC007", "got bins that rise and fall, wanted an axis of numbers in order"),
    (lambda x: x.item(), "TRC003", "the numbers of a traced array are not known"),
    (lambda x: np.exp(x[x > 0]) + x, "TRC006", "np.where(mask, x, 0) keeps the shape"),
    (lambda x: x[x > 0].reshape(2, 2), "TRC006", "as many elements as the mask is true for"),
    (lambda x: x[x[0] > 0], "TRC006", "got a mask of shape (8,) for an array of shape (4, 8)"),
    (lambda x: x[x], "TRC006", "got an index of type Array"),
    (lambda x: x[0, 0, 0], "TRC006", "got 3 indices of an array of 2 axes"),
    (lambda x: x[4], "TRC006", "index 4 is outside of axis 0 of size 4"),
    (lambda x: x.__setitem__(0, np.zeros(3)), "TRC004", "wanted an array that broadcasts to (8,)"),
    (lambda x: x.__setitem__(x > 0, np.zeros(3)), "TRC006", "the number of elements that a mask chooses"),
    (lambda x: np.add(x, 1, out=np.zeros((4, 8))), "TRC007", "np.add got out=ndarray, wanted a traced array"),
    (lambda x: np.add(x, 1, where=x > 0), "TRC007", "np.where(mask, a, b) chooses"),
    (lambda x: x.astype("i32").__iadd__(0.5), "TRC004", "gives f64, which is written to an array of i32"),
    (lambda x: x.sum(axis="rows"), "TRC007", "got axis='rows', wanted an integer"),
    (lambda x: np.where(x > 0), "TRC006", "a result of unknown shape"),
    (lambda x: x.reshape(0, 32), "TRC007", "wanted as many elements"),
    (lambda x: x.astype("i32") ** -1, "TRC004", "wanted an exponent from 0 on"),
    (lambda x: x.astype("i32") + 2**40, "TRC004", "got 1099511627776 with an array of i32, wanted an integer"),
    (lambda x: (x > 0) - (x < 0), "TRC004", "np.subtract has no loop for bool and bool in numpy"),
    (lambda x: x.astype("f16") * 1e6, "TRC004", "got 1000000.0 with an array of f16, wanted a number in its range"),
    (lambda x: x * 10**400, "TRC004", "with an array of f32, wanted a number in its range"),
    (lambda x: x + 1j, "TRC004", "np.add got complex"),
    (lambda x: x.sum(axis=2), "GEN303", "axes is 2, wanted -2 to 1"),
    (lambda x: x.astype(np.complex64), "TRC005", "convert got complex64 for target_type, wanted one of bool i8"),
]


@pytest.mark.parametrize(("function", "code", "message"), REFUSED)
def test_what_cannot_be_traced_says_so_at_its_line(function: Function, code: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        _ = trace(function, [spec("f32", SHAPE)])
    assert caught.value.code == code
    assert message in str(caught.value)
    assert str(caught.value.place).startswith(f"{__file__}:{function.__code__.co_firstlineno}:")


def test_a_function_that_does_not_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("asmgen.frontends.traced.trace.MOST_STATEMENTS", 1000)

    def endless(x: Any) -> Any:
        while True:
            x = x + 1

    with pytest.raises(InputError) as caught:
        _ = trace(endless, [spec("f32", SHAPE)])
    place = caught.value.place
    assert isinstance(place, Place)
    assert (caught.value.code, place.file, place.line) == ("TRC010", __file__, endless.__code__.co_firstlineno + 2)
    assert "more than 1000 operations" in str(caught.value)


# What numpy converts, which promotion="strict" refuses.
PROMOTED: list[Function] = [
    lambda i, x: i + x,
    lambda i, x: i / 2,
    lambda i, x: i + 0.5,
    lambda i, x: i.mean(),
    lambda i, x: i.sum(),
    lambda i, x: np.exp(i),
    lambda i, x: x * np.float64(2),
    lambda i, x: np.where(x > 0, x, i),
    lambda i, x: np.concatenate([i, x]),
    lambda i, x: x + np.zeros(8),
]


@pytest.mark.parametrize("function", PROMOTED)
def test_strict_promotion_refuses_what_numpy_converts(function: Function) -> None:
    inputs = [spec("i32", SHAPE), spec("f32", SHAPE)]
    assert any(statement[0] == "convert" for statement in graph_of(function, *inputs))
    with pytest.raises(InputError, match="as numpy promotes it") as caught:
        _ = trace(function, inputs, is_strict=True)
    assert caught.value.code == "TRC009"
    assert caught.value.help.startswith("x.astype(")
    assert str(caught.value.place).startswith(f"{__file__}:")


def test_strict_promotion_takes_numbers_and_arrays_of_one_type() -> None:
    def function(x: Any) -> Any:
        return np.maximum(x * 2 + 0.5, np.ones(8, np.float32)).astype("f64").sum(), (x > 0).astype("i64").sum()

    assert trace(function, [spec("f32", SHAPE)], is_strict=True).modules


WIDENED: list[Function] = [
    lambda x: x / np.sqrt(64),
    lambda x: np.sqrt(64) * x,
    lambda x: x / np.prod(x.shape),  # numpy combines f32 and i64 to f64
    lambda x: x * np.linspace(0, 1, 8),
    lambda x: np.where(x > 0, x, np.float64(0)),
    lambda x: sum(x * np.float64(i) for i in range(3)),
]
AS_ASKED: list[Function] = [
    lambda x: x / float(np.sqrt(64)),
    lambda x: x * np.float32(2),
    lambda x: x * np.linspace(0, 1, 8).astype(np.float32),
    lambda x: x.astype(np.float64) * np.float64(2),
    lambda x: np.multiply(x, np.float64(2), dtype=np.float64),
    lambda x: x.astype(np.int32) / np.float64(2),  # f64 by any number
]


@pytest.mark.parametrize("function", WIDENED)
def test_a_warning_names_numpy_constants_that_make_floats_f64(function: Function) -> None:
    with pytest.warns(InputWarning) as caught:
        _ = trace(function, [spec("f32", SHAPE)])
    (warning,) = caught
    assert (warning.filename, warning.lineno) == (__file__, function.__code__.co_firstlineno)
    assert re.search(r"warning\[TRC011\]: np\.\w+ computes f32 in f64, .* next to (float64|int64)\n  help: float", str(warning.message))


@pytest.mark.parametrize("function", AS_ASKED)
def test_no_warning_if_f64_is_asked_for_or_not_used(function: Function) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", InputWarning)
        _ = trace(function, [spec("f32", SHAPE)])


def test_infinity_may_be_written() -> None:
    (_, literal, *_) = graph_of(lambda x: np.maximum(x, -np.inf))
    assert literal[3] == "{'values': (-inf,)}"


def test_one_input_that_is_no_list() -> None:
    inputs: Any = spec("f32", SHAPE)
    with pytest.raises(InputError, match="got Spec, wanted a list") as caught:
        _ = trace(np.exp, inputs)
    assert caught.value.help == "inputs=[asmgen.spec(...)]"


def test_a_graph_of_numpy_functions_prints_and_parses_back() -> None:
    program = trace(lambda x: np.tanh(x.mean(1, keepdims=True) * 2) - x, [spec("f32", SHAPE)])
    assert outline(parse(print_program(program), "t.gen")) == outline(program)


def test_a_method_that_is_an_op_is_a_function() -> None:
    with pytest.raises(InputError, match="a traced array has no relu") as caught:
        _ = trace(lambda x: x.relu(), [spec("f32", SHAPE)])
    assert caught.value.help == "functions.relu(x), of asmgen.frontends.traced"
