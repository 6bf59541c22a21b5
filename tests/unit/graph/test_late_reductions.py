"""Reductions of the same dims are a single kernel, also if some of them need the results of other kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.fusion.fuse import Partition
from asmgen.gridwise.arena import plan
from asmgen.gridwise.cut import cut
from asmgen.gridwise.prepare import prepare
from asmgen.verification import hold
from isa.targets import parse_target

HEAD = "x = @param:x -> f32, {60,70}\ny = @param:y -> f32, {60,70}\nm = reduce_max[axes={1}](x)\nd = sub(y, m)\n"


def backward(x: Any, scale: Any, dy: Any) -> Any:
    """The gradients of a layernorm."""
    centred = x - x.mean(axis=1, keepdims=True)
    factor = 1 / np.sqrt((centred * centred).mean(axis=1, keepdims=True) + np.float32(1e-5))
    normal, scaled = centred * factor, dy * scale
    means = scaled.mean(axis=1, keepdims=True) + normal * (scaled * normal).mean(axis=1, keepdims=True)
    return factor * (scaled - means), (dy * normal).sum(axis=0), dy.sum(axis=0)


@pytest.mark.parametrize(("target", "rows", "kernels"), [("gfx942", 60, 2), ("gfx1201", 5000, 3), ("gfx90a", 5000, 3)])
def test_the_sums_of_the_columns_of_a_backward_pass_are_a_kernel(target: str, rows: int, kernels: int) -> None:
    """Also in parts: then another kernel combines the parts of both sums."""
    shapes = [(rows, 40), (40,), (rows, 40)]
    program = asmgen.compile(backward, target=target, inputs=[asmgen.spec(np.float32, dims) for dims in shapes])
    assert len(program.kernels) == kernels
    assert not hold(program, device="emulator").is_broken


@pytest.mark.parametrize(
    ("sums", "kernels"),
    [
        ("s = reduce_max[axes={0}](y)\nt = reduce_max[axes={0}](d)\n@return(s, t)", 2),
        # s and e move together
        ("s = reduce_max[axes={0}](y)\nf = sub(y, s)\ne = reduce_sum[axes={0}](f)\nt = reduce_max[axes={0}](d)\n@return(e, t)", 2),
        # no result needs t
        ("s = reduce_max[axes={0}](y)\nt = reduce_max[axes={0}](d)\nc = cumsum[axis=0](s)\nz = add(s, m)\n@return(z, c)", 3),
        # t needs s, in its own place or not
        ("s = reduce_max[axes={0}](y)\ne = sub(d, s)\nt = reduce_max[axes={0}](e)\n@return(t)", 3),
        ("s = reduce_max[axes={0}](y)\nr = reverse[axes={1}](s)\ne = sub(d, r)\nt = reduce_max[axes={0}](e)\n@return(t)", 3),
        # a kernel between needs s
        ("s = reduce_max[axes={0}](y)\nn = reduce_max[axes={1}](s)\ne = sub(d, n)\nt = reduce_max[axes={0}](e)\n@return(t)", 4),
    ],
)
def test_reductions_wait_for_later_reductions_alone(sums: str, kernels: int) -> None:
    program = asmgen.compile(f"{HEAD}{sums}\n")
    assert not hold(program, device="emulator").is_broken
    assert len(program.kernels) == kernels


def test_reductions_wait_for_the_next_if_not_for_the_last() -> None:
    """r needs s and t, and u needs r."""
    steps = "s = reduce_max[axes={0}](y)\nt = reduce_max[axes={0}](d)\ne = sub(y, s)\nf = sub(e, t)\nr = reduce_max[axes={1}](f)\n"
    text = f"{HEAD}{steps}g = sub(y, r)\nu = reduce_max[axes={{0}}](g)\n@return(u)\n"
    kernels = Partition(prepare(parse(text, "late.gen").modules[0]), set()).kernels()
    assert [{output.value.name for output in kernel.outputs} for kernel in kernels] == [{"m"}, {"s", "t"}, {"r"}, {"u"}]


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_the_gradients_of_layers_do_not_wait_in_memory(target: str) -> None:
    """Each launch of a product does the sum of its bias in parts, and the last launch adds up the parts of all."""
    text, gradient, layers = "g = @param:g -> f16, {1024,1024}\n", "g", range(4)
    for layer in layers:
        text += f"w{layer} = @param:w{layer} -> f16, {{1024,1024}}\na{layer} = @param:a{layer} -> f16, {{1024,1024}}\n"
        text += f"d{layer} = dot({gradient}, w{layer})\nz{layer} = relu(a{layer})\ng{layer} = mul(d{layer}, z{layer})\n"
        text += f"b{layer} = reduce_sum[axes={{0}}](g{layer})\n"
        gradient = f"g{layer}"
    text += f"@return({', '.join([f'b{layer}' for layer in layers])}, {gradient})\n"
    (program,) = cut(parse(text, "layers.gen"), parse_target(target)).file.programs
    assert len(program.launches) == 5
    assert plan(program).size < 5 << 20
