"""Products that come after reductions which the pointwise ops after them need."""

from __future__ import annotations

import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.fusion.fuse import Partition
from asmgen.gridwise.prepare import Multiplying, prepare
from asmgen.verification import hold
from tests.device import chosen_device

HEAD = """a = @param:a -> f32, {72,128}
b = @param:b -> f32, {80,128}
p = mul(a, a)
s = reduce_sum[axes={1}](p)
q = mul(b, b)
t = reduce_sum[axes={1}](q)
u = reshape[dims={1,80}](t)
c = transpose[permutation={1,0}](b)
d = dot(a, c)
"""
DISTANCE = "w = add(s, u)\ne = sub(w, d)\nz = relu(e)\n"


def kernels(text: str) -> list[set[str]]:
    """The names of the values that each kernel returns."""
    (module,) = parse(text, "late.gen").modules
    simple = prepare(module, products=Multiplying(lambda _defined: lambda _dot: 1))
    return [{output.value.name for output in kernel.outputs} for kernel in Partition(simple, set()).kernels()]


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (f"{DISTANCE}@return(z)\n", [{"t"}, {"s"}, {"z"}]),
        (f"{DISTANCE}@return(z, d)\n", [{"t"}, {"s"}, {"d", "z"}]),
        # m is of the product, so the product cannot come after it
        ("m = reduce_max[axes={1}](d)\nz = sub(d, m)\n@return(z)\n", [{"d"}, {"z"}]),
        # g reads the product in the launch that it would move to
        (f"{DISTANCE}g = reduce_max[axes={{0}}](d)\n@return(z, g)\n", [{"d"}, {"t"}, {"s"}, {"g"}, {"z"}]),
        # the result has other elements of the product than its place
        ("r = reverse[axes={0}](d)\nw = sub(r, s)\n@return(w)\n", [{"s"}, {"d"}, {"w"}]),
    ],
)
def test_a_product_is_in_the_launch_of_the_pointwise_ops(body: str, wanted: list[set[str]]) -> None:
    assert kernels(HEAD + body) == wanted


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_distances_of_all_pairs_take_two_launches(target: str) -> None:
    text = f"{HEAD}{DISTANCE}@return(z)\n".replace("72", "1024").replace("80", "1024")
    assert len(asmgen.compile(text, target=target).kernels) == 2


@pytest.mark.parametrize("body", [f"{DISTANCE}@return(z)\n", f"{DISTANCE}g = reduce_max[axes={{0}}](d)\n@return(z, g)\n"])
def test_results_are_within_the_bounds(body: str) -> None:
    program = asmgen.compile(HEAD + body)
    assert not hold(program, chosen_device()).is_broken
