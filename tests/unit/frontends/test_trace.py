"""Tracing gives the graph that the gen text of the same function gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from asmgen.frontends.traced import functions as f
from asmgen.frontends.traced.array import Array
from asmgen.frontends.traced.spec import spec
from asmgen.frontends.traced.trace import trace
from asmgen.gentext.parser import parse
from asmgen.graph.printer import print_program
from isa.diagnostics import InputError
from tests.unit.frontends.programs import outline


def arithmetic(x: Array, y: Array) -> Any:
    return (x + y) * 2 - 1 / x


def functions(x: Array, y: Array) -> Any:
    return f.where(x >= 0.5, f.maximum(x, y), f.clip(-y, -1, 1)), abs(x).astype("f16"), f.softmax(x, axis=1)


def of_bools(x: Array, y: Array) -> Any:
    return ~((x > y) & (x != y)) | (x == y)


X = "x = @param:x -> {4,8}\ny = @param:y -> {8}\n"


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (
            arithmetic,
            """
            add = add(x, y)
            literal = @literal{2} -> {}
            mul = mul(add, literal)
            literal_1 = @literal{1} -> {}
            div = div(literal_1, x)
            sub = sub(mul, div)
            @return(sub)
            """,
        ),
        (
            functions,
            """
            literal = @literal{0.5} -> {}
            greater = greater(x, literal)
            equal = equal(x, literal)
            logical_or = logical_or(greater, equal)
            max = max(x, y)
            neg = neg(y)
            literal_1 = @literal{-1} -> {}
            literal_2 = @literal{1} -> {}
            clip = clip(neg, literal_1, literal_2)
            where = where(logical_or, max, clip)
            abs = abs(x)
            convert = convert[target_type=f16](abs)
            softmax = softmax[axis=1](x)
            @return(where, convert, softmax)
            """,
        ),
        (
            of_bools,
            """
            greater = greater(x, y)
            equal = equal(x, y)
            not = not(equal)
            logical_and = logical_and(greater, not)
            not_1 = not(logical_and)
            equal_1 = equal(x, y)
            logical_or = logical_or(not_1, equal_1)
            @return(logical_or)
            """,
        ),
    ],
)
def test_a_trace_is_the_parsed_graph(function: Callable[..., object], text: str) -> None:
    traced = trace(function, [spec("f32", (4, 8)), spec("f32", (8,))])
    parsed = parse(f"module @{function.__name__} {{\n{X}{text}}}\n", "t.gen")
    assert outline(traced) == outline(parsed)


def test_a_trace_prints_and_parses_back() -> None:
    traced = trace(functions, [spec("f32", (4, 8), (1, 4)), spec("f32", (8,))])
    assert outline(parse(print_program(traced), "t.gen")) == outline(traced)


def test_names_that_gen_text_cannot_spell() -> None:
    def function(nan: Array, größe: Array, inf: Array) -> Array:
        return nan + größe * inf

    program = trace(function, [spec("f32", (1,))] * 3)
    assert [statement.results[0].name for statement in program.modules[0].statements[:3]] == ["nan_1", "gr__e", "inf_1"]
    assert outline(parse(print_program(program), "t.gen")) == outline(program)


def test_example_arrays_and_arrays_in_the_function() -> None:
    table = np.array([[1], [2]], np.int32)
    function: Callable[[Array], object] = lambda x: table * x  # noqa: E731  (its name is looked at)
    program = trace(function, [np.zeros((2, 3), np.int32)])
    param, literal = program.modules[0].statements[:2]
    assert literal.attributes["values"] == (1, 2)
    assert literal.result.type != param.result.type
    assert program.modules[0].name == "_lambda_"


def test_several_inputs_by_star_and_a_parameter_returned_twice() -> None:
    def swap(first: Array, *rest: Array) -> Any:
        return [*rest, first, first]

    program = trace(swap, [spec("f32", ()), spec("i32", (0,)), spec("bool", (1,))])
    statements = program.modules[0].statements
    assert [statement.attributes["name"] for statement in statements[:-1]] == ["first", "rest", "rest_1"]
    assert [value.name for value in statements[-1].operands] == ["rest", "rest_1", "first", "first"]


def test_an_error_stands_at_the_python_expression() -> None:
    def outer(x: Array) -> Any:
        y = x * 2
        return y + f.reshape(x, dims=(3, 5))

    with pytest.raises(InputError) as caught:
        _ = trace(outer, [spec("f32", (4,))])
    place = str(caught.value.place)
    assert place.startswith(f"{__file__}:{outer.__code__.co_firstlineno + 2}:20")
    assert caught.value.code == "GEN302"


Refusal = tuple[Callable[[Array], object], list[object], str, str]
REFUSALS: list[Refusal] = [
    (lambda x: x, ["f32"], "TRC001", "got str, wanted asmgen.spec(...) or an array"),
    (lambda x: x, [np.zeros(2, np.complex64)], "TRC001", "got an array of complex64"),
    (lambda x: 3, [spec("f32", (1,))], "TRC002", "_lambda_ returns int, wanted arrays"),
    (lambda x: (), [spec("f32", (1,))], "TRC002", "returns nothing"),
    (lambda x: any([x]), [spec("f32", (1,))], "TRC003", "wanted where(condition, a, b)"),
    (lambda x: x + "a", [spec("f32", (1,))], "TRC004", "add got str, wanted a traced array"),
    (lambda x: f.exp(1.0), [spec("f32", (1,))], "TRC004", "exp got no traced array"),
    (lambda x: x + 2**31, [spec("i32", (1,))], "TRC004", "wanted an integer from -2147483648"),
    (f.softmax, [spec("f32", (1,))], "TRC005", "softmax got nothing for axis, wanted integer"),
    (lambda x: f.softmax(x, axes=1), [spec("f32", (1,))], "TRC005", "softmax has no attribute axes, wanted axis"),
    (lambda x: f.pad(x, pads=[1, 1], mode="wrap"), [spec("f32", (1,))], "TRC005", "pad got 'wrap' for mode, wanted constant or edge or reflect"),
    (lambda x: x.astype("f33"), [spec("f32", (1,))], "TRC005", "convert got 'f33' for target_type, wanted one of bool i8"),
    (lambda x: f.add(x, np.zeros(2, np.float64)), [spec("f32", (1,))], "GEN301", "operand 2 has type f64, wanted f32"),
]  # fmt: skip


@pytest.mark.parametrize(("function", "inputs", "code", "message"), REFUSALS)
def test_refusals(function: Callable[[Array], object], inputs: list[object], code: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        _ = trace(function, inputs)
    assert caught.value.code == code
    assert message in caught.value.message
    assert "wanted" in caught.value.message


def test_too_few_inputs() -> None:
    with pytest.raises(InputError, match="1 inputs do not fit arithmetic: missing a required argument: 'y', wanted an input for each argument"):
        _ = trace(arithmetic, [spec("f32", (1,))])


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("f23", (1,)), "GEN012", "unknown type f23"),
        ((complex, (1,)), "GEN012", "unknown type complex, wanted"),
        (("f32", (-1,)), "GEN013", "dims is (-1,), wanted a tuple of integers >= 0"),
        (("f32", 4.0), "GEN013", "dims is 4.0, wanted"),
        (("f32", (True,)), "GEN013", "wanted a tuple of integers"),
        (("f32", (2, 2), (1,)), "GEN013", "strides is {1}, wanted a stride for each dim of {2,2}"),
    ],
)
def test_bad_specs(arguments: tuple[Any, ...], code: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        _ = spec(*arguments)
    assert caught.value.code == code
    assert message in caught.value.message


def test_unknown_function() -> None:
    with pytest.raises(AttributeError, match="no op exq"):
        _ = f.exq
    assert "softmax" in dir(f)
