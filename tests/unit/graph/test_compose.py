"""Ops as sequences of simpler ops."""

from __future__ import annotations

import numpy as np
import pytest

from asmgen.gentext.parser import parse
from asmgen.graph.compose.compose import compose
from asmgen.graph.reference import evaluate_module


def ops_of(text: str) -> list[str]:
    return [statement.op.name for statement in compose(parse(text, "g.gen").modules[0]).statements]


@pytest.mark.parametrize(("zero", "is_added"), [("0", False), ("3", True)])
def test_a_zero_point_of_0_is_not_added(zero: str, is_added: bool) -> None:
    quantized = (
        f"x = @param:x -> f32, {{5}}\ns = @param:s -> f32, {{5}}\nz = @literal{{{zero}}} -> i8, {{}}\ny = quantizelinear(x, s, z)\n@return(y)\n"
    )
    dequantized = (
        f"x = @param:x -> i8, {{5}}\ns = @param:s -> f32, {{5}}\nz = @literal{{{zero}}} -> i8, {{}}\ny = dequantizelinear(x, s, z)\n@return(y)\n"
    )
    assert ("add" in ops_of(quantized)) is is_added
    assert ("sub" in ops_of(dequantized)) is is_added


def test_a_float_result_keeps_the_sign_of_its_zero() -> None:
    text = "x = @param:x -> f32, {5}\ns = @param:s -> f32, {5}\nz = @literal{0} -> fp8e5m2, {}\ny = quantizelinear(x, s, z)\n@return(y)\n"
    assert "add" in ops_of(text)


def test_an_operand_that_is_the_result_stays_defined() -> None:
    """`random_mixed_graph` with sorts and reduce_any found it."""
    assert ops_of("x = @param:x -> bool, {2,1}\ny = reduce_any[axes=1](x)\nz = not(x)\n@return(y, z)\n") == ["@param", "convert", "not", "@return"]


@pytest.mark.parametrize("type_", ["i8", "u8", "i32", "u32", "i64", "u64"])
@pytest.mark.parametrize("op", ["mod", "fmod"])
@pytest.mark.parametrize("divisor", [1, 2, 64, 7, -4])
def test_remainders_by_a_number(type_: str, op: str, divisor: int) -> None:
    """The composed statements give numpy's remainders; those by a power of two are the lowest bits, but for `fmod` of
    a negative number."""
    if divisor < 0 and type_.startswith("u"):
        return
    limits = np.iinfo(type_.replace("u", "uint") if type_.startswith("u") else type_.replace("i", "int"))
    numbers = np.array([limits.min, limits.min + 1, limits.min // 3, 0, 1, 63, 64, 65, limits.max - 1, limits.max], limits.dtype)
    text = f"x = @param:x -> {type_}, {{10}}\nb = @literal{{{divisor}}} -> {type_}, {{}}\ny = {op}(x, b)\n@return(y)\n"
    (before,) = parse(text, "g.gen").modules
    after = compose(before)
    (result,) = evaluate_module(after, iter([numbers]))
    assert np.array_equal(result.value, (np.mod if op == "mod" else np.fmod)(numbers, limits.dtype.type(divisor)))
    is_masked = divisor in (1, 2, 64) and (op == "mod" or type_.startswith("u"))
    assert ("div" in [each.op.name for each in after.statements]) is not is_masked
