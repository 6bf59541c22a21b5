"""Arithmetic of integers with known bounds."""

from __future__ import annotations

import numpy as np
import pytest

from asmgen.gentext.parser import parse
from asmgen.graph.needed import needed
from asmgen.graph.reference import evaluate_module
from asmgen.graph.rewritings.known_integers import with_known_integers

HEAD = "x = @param:x -> i64, {20}\nc = iota[axis=0, out_lens={20}]\ni = convert[target_type=i64](c)\n" + "".join(
    f"{name} = @literal{{{number}}} -> i64, {{}}\n" for name, number in (("z", 0), ("five", 5), ("twenty", 20), ("large", 1 << 40))
)
NUMBERS = np.r_[np.arange(-9, 9), 1 << 40, -(1 << 40)]


def simpler(text: str) -> list[str]:
    """The statements that compute y, but sources and broadcasts."""
    (before,) = parse(f"{HEAD}{text}\n@return(y)\n", "integers.gen").modules
    after = needed(with_known_integers(before))
    for old, new in zip(evaluate_module(before, iter([NUMBERS])), evaluate_module(after, iter([NUMBERS])), strict=True):
        assert np.array_equal(old.value, new.value)
    shown = [each for each in after.statements[:-1] if each.operands and each.op.name != "multibroadcast"]
    return [f"{each.op.name} {each.result.type.element.name}" for each in shown]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("y = div(i, five)", ["div i32", "convert i64"]),
        ("a = mul(i, large)\ny = div(a, five)", ["convert i64", "mul i64", "div i64"]),
        ("a = mul(i, five)\nb = reshape[dims={4,5}](a)\ny = add(b, five)", ["mul i32", "reshape i32", "add i32", "convert i64"]),
        ("a = div(x, five)\ny = fmod(a, five)", ["div i64", "fmod i64"]),
        ("a = min(x, five)\nb = max(a, z)\ny = mul(b, five)", ["min i64", "max i64", "convert i32", "mul i32", "convert i64"]),
        ("a = max(i, z)\nb = min(a, twenty)\ny = fmod(b, twenty)", ["convert i64", "identity i64"]),
        ("a = max(i, z)\nb = equal(a, i)\nd = less(x, five)\ny = logical_and(b, d)", ["less bool", "identity bool"]),
        ("b = less(i, twenty)\ny = where(b, x, i)", ["identity i64"]),
        ("b = greater(z, i)\ny = where(b, x, i)", ["convert i64", "identity i64"]),
        ("b = less(i, five)\ny = where(b, x, i)", ["convert i64", "less bool", "where i64"]),
        ("b = equal(x, i)\ny = logical_or(b, b)", ["convert i64", "equal bool", "logical_or bool"]),
        ("y = convert[target_type=f32](i)", ["convert f32"]),
        ("y = convert[target_type=f32](x)", ["convert f32"]),
        ("a = mul(i, twenty)\nb = right_shift(a, five)\ny = bitwise_or(b, five)", ["mul i32", "right_shift i32", "bitwise_or i32", "convert i64"]),
        ("a = bitwise_and(x, five)\ny = left_shift(a, five)", ["bitwise_and i64", "convert i32", "left_shift i32", "convert i64"]),
        ("a = left_shift(i, twenty)\ny = bitwise_xor(a, x)", ["left_shift i32", "convert i64", "bitwise_xor i64"]),
        ("a = right_shift(i, twenty)\ny = add(x, a)", ["identity i64", "add i64"]),
        ("y = right_shift(i, x)", ["convert i64", "right_shift i64"]),
        ("a = popcount(x)\nb = convert[target_type=u8](a)\ny = convert[target_type=u32](b)", ["popcount i64", "convert u32"]),
        ("b = convert[target_type=u8](x)\ny = convert[target_type=u32](b)", ["convert u8", "convert u32"]),
    ],
)
def test_statements(text: str, wanted: list[str]) -> None:
    assert simpler(text) == wanted
