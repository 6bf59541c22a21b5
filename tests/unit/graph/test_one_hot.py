"""Sums of a single element of a row become that element."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.ops import REDUCTIONS
from asmgen.gridwise.prepare import prepare


def sums(text: str) -> int:
    """The reductions that are left."""
    (module,) = parse(text, "graph.gen").modules
    return sum(statement.op in REDUCTIONS for statement in prepare(module).statements)


def chosen(value: str, *, dims: str = "{5,9}", labels: str = "{5,1}", axis: int = 1, other: str = "0") -> str:
    return f"""x = @param:x -> f32, {dims}
label = @param:label -> i32, {labels}
column = iota[axis={axis}, out_lens={dims}]()
hit = equal(column, label)
other = @literal{{{other}}} -> f32, {{}}
v = {value}
kept = where(hit, v, other)
s = reduce_sum[axes={{{axis}}}](kept)
@return(s)
"""


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (chosen("identity(x)"), 0),
        (chosen("exp(x)"), 0),
        (chosen("identity(x)", labels="{1,9}", axis=0), 0),
        (chosen("softmax[axis=1](x)"), 2),  # the maximum and the sum of a row
        (chosen("softmax[axis=0](x)"), 3),  # the maximum and the sum of other rows are not in the row's kernel
        (chosen("reverse[axes={1}](x)"), 1),  # elements of other places
        (chosen("identity(x)", labels="{5,9}"), 1),  # a label for each element
        (chosen("identity(x)", other="1"), 1),
        (chosen("identity(x)", other="-0.0"), 1),
        (chosen("identity(x)", dims="{n,9}", labels="{n,1}"), 1),
    ],
)
def test_what_becomes_an_element(text: str, left: int) -> None:
    assert sums(text) == left


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_the_element_is_that_of_the_label_or_0(target: str) -> None:
    x = np.arange(45, dtype=np.float32).reshape(5, 9)
    x[0], x[4, 2] = np.nan, -0.0
    x[0, 8] = 3
    label = np.array([[8], [-1], [9], [0], [2]], np.int32)
    (result,) = asmgen.compile(chosen("identity(x)"), target=target)(x, label, device="emulator")
    np.testing.assert_array_equal(result, [[3], [0], [0], [27], [0]])
    assert not np.signbit(result).any()
