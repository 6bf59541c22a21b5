"""The middle of two u32 is half of their sum if they are in order, and the sum has 32 bits."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.ir.program import Module
from asmgen.lanewise.math import MathOptions
from asmgen.lanewise.math.cleanup import remove_dead
from asmgen.lanewise.math.rewrite import rewrite
from tests.device import chosen_device

TEXT = """stage lanewise gfx942
module @m {{
  launch[grid={{1,1,1}}, block={{64,1,1}}]
  x = @param:x -> u32, {{64}}
  z = @param:z -> u32, {{64}}
  lane = local_id -> u32
  a = load(x, lane) -> u32
  zero = @literal{{0}} -> u32
  two = @literal{{2}} -> u32
  n = @literal{{{n}}} -> u32
  start = div(n, two) -> u32
  c0 = less(a, start) -> bool
  c1 = less(start, a) -> bool
  l0 = where(c0, zero, start) -> u32
  h0 = where(c0, start, n) -> u32
  d0 = sub({high}, l0) -> u32
  half0 = div(d0, {by}) -> u32
  m0 = add(l0, half0) -> u32
  l1 = where(c1, l0, m0) -> u32
  h1 = where({condition}, m0, h0) -> u32
  d1 = sub(h1, l1) -> u32
  half1 = div(d1, two) -> u32
  m1 = add(half1, l1) -> u32
  store(z, lane, m1)
  @return(z)
}}
"""


def rewritten(**changes: object) -> Module:
    text = TEXT.format(**({"n": 100, "high": "h0", "by": "two", "condition": "c1"} | changes))
    (module,) = parse(text, "m.gen").modules
    return remove_dead(rewrite(module, MathOptions()))


@pytest.mark.parametrize(
    ("changes", "differences"),
    [
        ({}, 0),
        ({"n": (1 << 31) - 1}, 0),
        ({"n": 1 << 31}, 2),  # the sum of the ends may have 33 bits
        ({"high": "a"}, 2),  # any number, and so it is not above
        ({"high": "n"}, 2),
        ({"by": "n"}, 2),
        ({"condition": "c0"}, 1),  # each end by a condition of its own
    ],
)
def test_a_middle_is_half_of_the_sum_of_ends_in_order(changes: dict[str, object], differences: int) -> None:
    names = [each.op.name for each in rewritten(**changes).walk()]
    assert names.count("sub") == differences
    assert names.count("add") == 2


@pytest.mark.parametrize("target", ["gfx90a", "gfx1201"])
def test_a_binary_search_finds_each_place(target: str) -> None:
    lines = ["t = @param:t -> f32, {13}", "x = @param:x -> f32, {40}", "two = @literal{2} -> u32, {}"]
    lines += ["l0 = @literal{0} -> u32, {}", "end = @literal{13} -> u32, {}"]
    lines += ["h0 = multibroadcast[out_lens={40}](end)"]
    for k in range(4):
        lines += [f"d{k} = sub(h{k}, l{k})", f"half{k} = div(d{k}, two)", f"m{k} = add(l{k}, half{k})"]
        lines += [f"i{k} = convert[target_type=i32](m{k})", f"g{k} = gather[axis=0](t, i{k})"]
        lines += [f"c{k} = greater(g{k}, x)", f"l{k + 1} = where(c{k}, l{k}, m{k})", f"h{k + 1} = where(c{k}, m{k}, h{k})"]
    program = asmgen.compile("\n".join([*lines, "@return(h4)"]), target=target)
    t, x = np.arange(1, 14, dtype=np.float32), np.linspace(1, 15, 40, dtype=np.float32)
    (places,) = program(t, x, device=chosen_device())
    np.testing.assert_array_equal(places, np.searchsorted(t, x, side="right"))
