"""Which values of f16 are computed in f16."""

from __future__ import annotations

import pytest

from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.tiles.halves import halves
from asmgen.gentext.parser import parse

HEAD = "x = @param:x -> f16, {8,64}\ny = @param:y -> f16, {8,64}\nq = @param:q -> i8, {8,64}\n"


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("a = mul(x, y)\nb = add(a, x)\n@return(b)", {"a", "b"}),
        ("a = mul(x, y)\nb = exp(a)\n@return(b)", set()),  # a function reads a
        ("s = sigmoid(x)\na = mul(x, s)\nb = mul(a, y)\n@return(b)", set()),  # a function gives s
        ("a = mul(x, y)\nb = reduce_sum[axes={1}](a)\n@return(b)", set()),
        ("a = mul(x, y)\nb = reduce_sum[axes={1}](a)\n@return(a, b)", set()),
        ("c = convert[target_type=f16](q)\na = mul(c, y)\n@return(a)", {"a"}),
        ("s = sqrt(x)\nh = convert[target_type=f16](s)\na = mul(h, y)\n@return(a)", {"a"}),
        ("a = neg(x)\nb = concat[axis=1](a, y)\n@return(b)", {"a"}),
        ("c = less(x, y)\na = mul(x, y)\nb = where(c, a, x)\nd = relu(b)\n@return(d)", {"a", "d"}),
        ("a = mul(x, y)\nc = less(a, y)\n@return(a, c)", {"a"}),  # f16 is compared as it is
        ("a = mul(x, y)\nc = less(a, y)\nb = exp(a)\n@return(b, c)", set()),
        ("a = mul(x, y)\nf = convert[target_type=f32](a)\nb = exp(f)\n@return(b)", {"a"}),
    ],
)
def test_f16_stays_f16_unless_something_computes_wider(body: str, wanted: set[str]) -> None:
    graph = Graph(parse(f"{HEAD}{body}\n", "t").modules[0])
    assert {value.name for value in halves(graph.defined)} == wanted
