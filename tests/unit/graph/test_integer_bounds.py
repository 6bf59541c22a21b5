"""Bounds of integers contain all numbers that a graph computes, and are as near as the cases say."""

from __future__ import annotations

import numpy as np
import pytest

from asmgen.gentext.parser import parse
from asmgen.graph.reference import evaluate_module
from asmgen.graph.rewritings.integer_bounds import bounds_of
from asmgen.ir.program import definitions

HEAD = "x = @param:x -> i32, {40}\nu = @param:u -> u8, {40}\ni = iota[axis=0, out_lens={40}]\n" + "".join(
    f"{name} = @literal{{{number}}} -> i32, {{}}\n" for name, number in (("z", 0), ("five", 5), ("neg", -3), ("most", 2147483647))
)
ANY = (-(1 << 31), (1 << 31) - 1)
NUMBERS = np.r_[np.arange(-18, 18), ANY, 7, -7].astype(np.int32)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("y = identity(x)", ANY),
        ("a = sub(i, five)\ny = mul(a, neg)", (-102, 15)),
        ("y = div(i, five)", (0, 7)),
        ("a = mul(i, neg)\ny = div(a, five)", (-23, 0)),
        ("y = fmod(x, five)", (-4, 4)),
        ("y = fmod(i, most)", (0, 39)),
        ("y = fmod(five, i)", ANY),
        ("y = div(five, i)", ANY),
        ("a = max(x, neg)\ny = min(a, five)", (-3, 5)),
        ("y = clip(x, neg, i)", (-3, 39)),
        ("y = clip(neg, i, most)", (0, 39)),
        ("y = add(i, most)", ANY),
        ("c = less(x, z)\ny = where(c, five, x)", (0, ANY[1])),
        ("c = less(x, five)\na = min(x, i)\ny = where(c, neg, a)", (ANY[0], 39)),
        ("c = less(x, neg)\na = max(x, x)\ny = where(c, z, x)", (-3, ANY[1])),
        ("y = convert[target_type=i32](u)", (0, 255)),
        ("a = convert[target_type=i32](u)\nb = convert[target_type=i8](a)\ny = convert[target_type=i32](b)", (-128, 127)),
        ("c = less(x, z)\ny = convert[target_type=i32](c)", (0, 1)),
        ("a = slice[axes={0}, starts={2}, ends={4}](i)\nb = multibroadcast[out_lens={2}](neg)\ny = concat[axis=0](a, b)", (-3, 39)),
        ("f = convert[target_type=f32](x)\ny = convert[target_type=i32](f)", ANY),
        ("y = @literal{4,-9,2} -> i32, {3}", (-9, 4)),
        ("a = add(i, five)\ny = cumsum[axis=0](a)", (0, 1760)),
        ("a = sub(neg, i)\ny = cumsum[axis=0](a)", (-1680, 0)),
    ],
)
def test_bounds(text: str, wanted: tuple[int, int]) -> None:
    (module,) = parse(f"{HEAD}{text}\n@return(y)\n", "bounds.gen").modules
    bounds = bounds_of(module.statements[-1].operands[0], definitions(module).get)
    assert bounds == wanted
    (result,) = evaluate_module(module, iter([NUMBERS, np.arange(216, 256).astype(np.uint8)]))
    assert bounds.low <= int(result.value.min()) and int(result.value.max()) <= bounds.high
