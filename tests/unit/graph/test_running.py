"""Values that later layers continue are stored once, so that no launch reads the results of all layers before it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.compiled import CompiledProgram
from asmgen.frontends.sources import read_text
from asmgen.graph.fusion.keep import kept_values
from asmgen.graph.fusion.running import running_values
from asmgen.gridwise.fuse_lines import fuse_lines
from asmgen.ir.program import Module
from asmgen.ir.stage import Stage
from isa.targets import parse_target
from tests.device import chosen_device

SIZE = 32
HEAD = "x = @param:x -> f32, {8,8}\nw = @param:w -> f32, {8,8}\nb = @param:b -> f32, {8}\n"


def graph(text: str) -> Module:
    (module,) = read_text(f"{HEAD}{text}\n", "graph.gen").stages.programs[Stage.GRAPH].modules
    return module


def residual_layers(x: Any, *weights: Any) -> Any:
    """Each layer normalises the rows of x, and adds two products of them to x."""
    for w in weights:
        x = x + (x / (1 + (x * x).sum(axis=1, keepdims=True))) @ w
    return x


def compiled(layers: int, target: str) -> CompiledProgram:
    return asmgen.compile(residual_layers, target=target, inputs=[asmgen.spec(np.float32, (SIZE, SIZE))] * (1 + layers))


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_deep_programs_have_the_kernels_of_few_layers(target: str) -> None:
    """Without running values, the last layer of six reads seven arrays of the layers before it."""
    few, many = compiled(4, target), compiled(6, target)
    assert len(many.kernels) == len(few.kernels) < 6
    assert max(len(launch.buffers) for launch in many.launches) <= 5
    random = np.random.default_rng(1)
    given = [random.standard_normal((SIZE, SIZE)).astype(np.float32) / 8 for _ in range(7)]
    (result,) = many(*given, device=chosen_device())
    np.testing.assert_allclose(result, residual_layers(*[array.astype(np.float64) for array in given]), rtol=1e-4, atol=1e-5)


RUNNING: dict[str, tuple[str, list[str]]] = {
    "continued after a product": ("p = dot(x, w)\nh = add(x, p)\nq = dot(h, w)\ny = add(h, q)", ["h"]),
    "continued by a value of the same product": ("p = dot(x, w)\nh = add(x, p)\nq = neg(h)\nr = dot(q, w)\ny = add(h, q)", []),
    "read once": ("p = dot(x, w)\nh = add(x, p)\nq = dot(p, w)\ny = add(h, q)", []),
    "of a row that repeats": (
        "p = dot(x, w)\nr = multibroadcast[out_lens={8,8}](b)\nh = add(r, p)\nq = dot(h, w)\ny = add(h, q)", [],
    ),
    "of a single value": ("p = dot(x, w)\nh = mul(p, p)\nq = dot(h, w)\ny = add(h, q)", []),
    "moved, and no step": ("p = dot(x, w)\nh = reverse[axes={0}](p)\nq = dot(h, w)\ny = add(h, q)", []),
}  # fmt: skip


@pytest.mark.parametrize("name", RUNNING)
def test_running_values(name: str) -> None:
    text, wanted = RUNNING[name]
    assert [value.name for value in running_values(graph(f"{text}\n@return(y)"))] == wanted


def test_the_trace_names_them() -> None:
    program = compiled(3, "gfx942").graph
    assert program is not None
    (line,) = [line for line in fuse_lines(program, parse_target("gfx942").target, False, "exact") if "continues" in line]
    assert line == "residual_layers: add_1, which a later launch continues, stored by the launch of its operands; likewise add_3"


def test_ways_to_a_product_end_at_its_launch() -> None:
    """Nine layers of two ways each are 512 ways to x, but each product has a launch of its own."""
    lines, x = list[str](), "x"
    for layer in range(9):
        lines.append(f"r{layer} = reverse[axes={{0}}]({x})\ns{layer} = add(r{layer}, {x})\ny{layer} = dot(s{layer}, w)")
        x = f"y{layer}"
    assert kept_values(graph("\n".join([*lines, f"@return({x})"]))) == frozenset()
