"""Values without negative numbers: their square root is that of any power."""

from __future__ import annotations

import pytest

from asmgen.frontends.tensors.signs import is_positive
from asmgen.gentext.parser import parse
from asmgen.ir.program import definitions

HEAD = "x = @param:x -> f32, {4,8}\ni = @param:i -> i32, {4,8}\nu = @param:u -> u8, {4,8}\nq = mul(x, x)\none = @literal{1} -> f32, {}\n"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("y = identity(x)", False),
        ("s = reduce_sum[axes={1}](q)\na = add(s, one)\ny = squeeze[axes={1}](a)", True),
        ("y = mul(q, x)", False),
        ("y = sub(q, one)", False),
        ("e = exp(x)\ny = div(e, q)", True),
        ("z = @literal{-0.0} -> f32, {}\ny = add(q, z)", False),
        ("y = convert[target_type=f32](i)", False),
        ("y = convert[target_type=f32](u)", True),
        ("c = greater(x, one)\ny = where(c, q, x)", False),
    ],
)
def test_positive(text: str, wanted: bool) -> None:
    (module,) = parse(f"{HEAD}{text}\n@return(y)\n", "signs.gen").modules
    assert is_positive(module.statements[-1].operands[0], definitions(module).get) is wanted
