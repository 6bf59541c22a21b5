"""Errors of reductions, softmax and norms: the place, the code, the value that was got and the wanted
value."""

from __future__ import annotations

import pytest

import asmgen
from isa.diagnostics import InputError

X = "x = @param:x -> {3,4}\n"


@pytest.mark.parametrize(
    ("text", "place", "code", "message"),
    [
        (X + "  y = reduce_sum[axes=2](x)\n", "2:3", "GEN303", "reduce_sum: axes is 2, wanted -2 to 1"),
        (X + "y = reduce_mean[axes={0,-3}](x)\n", "2:1", "GEN303", "reduce_mean: axes is -3, wanted -2 to 1"),
        (X + "y = reduce_prod[axes={1,1}](x)\n", "2:1", "GEN303", "axes is {1,1}, wanted each axis once"),
        (X + "y = reduce_prod[axes={1,-1}](x)\n", "2:1", "GEN303", "axes is {1,1}, wanted each axis once"),
        (X + "y = reduce_max[axes=0.5](x)\n", "2:21", "GEN008", "axes is '0.5', wanted integers"),
        (X + "y = reduce_max[axis=0](x)\n", "2:16", "GEN006", "axis"),
        (X + "y = reduce_sum[axes=0](x) -> {3,1}\n", "2:30", "GEN011", "wanted f32, {1,4}"),
        ("x = @param:x -> {}\ny = reduce_sum[axes=0](x)\n", "2:1", "GEN303", "axes is 0, wanted none, the operand has rank 0"),
        ("x = @param:x -> bool, {4}\ny = reduce_sum(x)\n", "2:1", "GEN301", "reduce_sum: operand 1 has type bool, wanted one of i8"),
        ("x = @param:x -> {3,0}\ny = reduce_max[axes=1](x)\n", "2:1", "GEN302", "{3,0} has no elements along {1}, wanted some"),
        ("x = @param:x -> {0}\ny = reduce_min(x)\n", "2:1", "GEN302", "the reduce_min of nothing has no value"),
        (X + "y = softmax(x)\n", "2:12", "GEN009", "softmax lacks the attribute axis"),
        (X + "y = softmax[axis=2](x)\n", "2:1", "GEN303", "softmax: axis is 2, wanted -2 to 1"),
        ("x = @param:x -> i32, {4}\ny = softmax[axis=0](x)\n", "2:1", "GEN301", "softmax: operand 1 has type i32, wanted one of"),
        ("x = @param:x -> i32, {4}\ny = layernorm(x)\n", "2:1", "GEN301", "layernorm: operand 1 has type i32"),
        (X + "s = @param:s -> f16, {4}\ny = layernorm(x, s)\n", "3:1", "GEN301", "operand 2 has type f16, wanted f32 as operand 1 has"),
        (X + "y = groupnorm[groups=3](x)\n", "2:1", "GEN303", "groups is 3, wanted a divisor of the 4 channels"),
        (X + "y = groupnorm[groups=0](x)\n", "2:1", "GEN303", "groups is 0"),
        (X + "y = argmax[axis=2](x)\n", "2:1", "GEN303", "argmax: axis is 2, wanted -2 to 1"),
        (X + "y = reduce_any[axes={0,-2}](x)\n", "2:1", "GEN303", "wanted each axis once"),
        (X + "s = @param:s -> {3}\ny = rmsnorm(x, s)\n", "3:1", "GEN302", "operand 2 has shape {3}, wanted a shape that broadcasts to {3,4}"),
        (X + "y = rmsnorm(x, x, x)\n", "2:1", "GEN302", "rmsnorm: 3 operands, wanted 1 to 2"),
        ("x = @param:x -> {}\ny = rmsnorm(x)\n", "2:1", "GEN303", "axis is -1, wanted none, the operand has rank 0"),
    ],
)
def test_refused_at_its_place(text: str, place: str, code: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        _ = asmgen.compile(f"{text}@return({text.splitlines()[-1].split('=')[0].strip()})\n")
    error = caught.value
    assert (str(error.place).split(":", 1)[1], error.code) == (place, code), str(error)
    assert message in error.message
    assert "wanted" in error.message
