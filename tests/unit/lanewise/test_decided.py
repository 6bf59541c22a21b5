"""Comparisons of numbers are decided, and `not` of a comparison is its inverse."""

from __future__ import annotations

import pytest

from asmgen.gentext.parser import parse
from asmgen.lanewise.math import MathOptions
from asmgen.lanewise.math.cleanup import remove_dead
from asmgen.lanewise.math.rewrite import rewrite

TEXT = """stage lanewise gfx942
module @m {{
  launch[grid={{1,1,1}}, block={{64,1,1}}]
  x = @param:x -> {element}, {{64}}
  z = @param:z -> {element}, {{64}}
  lane = local_id -> u32
  a = load(x, lane) -> {element}
  seven = @literal{{7}} -> {element}
  zero = @literal{{0}} -> {element}
  large = @literal{{{large}}} -> {element}
  {body}
  y = where(c, a, seven) -> {element}
  store(z, lane, y)
  @return(z)
}}
"""
IS_KNOWN = "k = equal(seven, zero) -> bool\n  l = less(a, seven) -> bool\n  c = logical_xor(k, l) -> bool"
IS_CHOSEN = "k = less(zero, seven) -> bool\n  n = not(k) -> bool\n  l = less(a, seven) -> bool\n  c = where(k, l, n) -> bool"


@pytest.mark.parametrize(
    ("element", "body", "wanted"),
    [
        ("i32", IS_KNOWN, {"less", "identity", "where"}),
        ("f32", IS_KNOWN, {"less", "identity", "where"}),
        ("i32", IS_CHOSEN, {"less", "identity", "where"}),
        ("i32", "e = equal(a, seven) -> bool\n  c = not(e) -> bool", {"not_equal", "where"}),
        ("f32", "e = equal(a, seven) -> bool\n  c = not(e) -> bool", {"not_equal", "where"}),
        ("i32", "e = less(a, seven) -> bool\n  c = not(e) -> bool", {"greater_equal", "where"}),
        ("f32", "e = less(a, seven) -> bool\n  c = not(e) -> bool", {"less", "not", "where"}),  # both false of a NaN
        ("i32", "e = less(a, seven) -> bool\n  n = not(e) -> bool\n  c = logical_xor(e, n) -> bool", {"less", "not", "logical_xor", "where"}),
        ("i64", "k = equal(large, large) -> bool\n  c = not(k) -> bool", {"not_equal", "where"}),  # beyond the integers of f64
    ],
)
def test_comparisons_that_stay(element: str, body: str, wanted: set[str]) -> None:
    large = 2 if element == "f32" else (1 << 31) - 1 if element == "i32" else (1 << 53) + 1
    (module,) = parse(TEXT.format(element=element, body=body, large=large), "m.gen").modules
    names = {each.op.name for each in remove_dead(rewrite(module, MathOptions())).walk()}
    others = {"launch", "@param", "@literal", "local_id", "load", "store", "@return"}
    assert {name for name in names if not name.startswith("@")} - others == wanted
