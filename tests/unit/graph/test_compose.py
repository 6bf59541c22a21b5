"""Ops as sequences of simpler ops."""

from __future__ import annotations

import pytest

from asmgen.gentext.parser import parse
from asmgen.graph.compose.compose import compose


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
