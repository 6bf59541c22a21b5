"""`--emit graph`: what becomes one launch is a module of its own, with why it is no part of another."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.gridwise.cut import cut
from asmgen.gridwise.outline import outline_text
from isa.targets import parse_target
from tests.conformance.case import FLOATS, Case
from tests.conformance.moves import FUSED
from tests.device import chosen_device
from tests.property.moving_graphs import random_moving_graph

GFX942 = parse_target("gfx942")
# One kernel each: pointwise both ways through broadcast, reshape and index ops, producers, consumers, siblings, outputs.
ONE = (
    *[case.text for case in FUSED],
    "x {6,40}; y {6,5,8}; a = relu(x); r = reshape[dims={6,5,8}](a); add(r, y)",
    "x {6,40}; a = relu(x); r = reshape[dims={8,30}](a); reduce_sum[axes={1}](r)",
    "x {6,40}; y {40,6}; a = exp(x); t = transpose[permutation={1,0}](a); b = add(t, y); r = reverse[axes={0}](b); neg(r)",
    "x {6,40}; softmax[axis=1](x)",
    "x {6,40}; logsoftmax[axis=1](x)",
    "x {6,40}; s {40}; b {40}; layernorm(x, s, b)",
    "x {6,40}; s {40}; rmsnorm(x, s)",
    "x {2,6,5,5}; s {6}; b {6}; instancenorm(x, s, b)",
    "x {2,6,5,5}; s {6}; b {6}; groupnorm[groups=3](x, s, b)",
    "x {6,40}; y {6,40}; s {40}; b {40}; r = add(x, y); n = layernorm(r, s, b); @return(r, n)",
    "x {6,40}; a = reduce_sum[axes={1}](x); b = reduce_max[axes={1}](x); c = argmax[axis=1](x); @return(a, b, c)",
    "x {6,40}; y {6,40}; s = softmax[axis=1](x); t = layernorm(s); add(t, y)",
    "x {4,6,40}; s = reduce_sum[axes={1,2}](x); b = multibroadcast[out_lens={4,6,40}](s); div(x, b)",
    "x {4,6,40}; r = reshape[dims={24,40}](x); s = softmax[axis=1](r); reshape[dims={4,6,40}](s)",
    "x {6,40}; a = reduce_sum[axes={1}](x); r = reverse[axes={1}](x); b = reduce_max[axes={1}](r); @return(a, b)",
    "x {4,6,40}; s = reduce_sum[axes={1}](x); q = squeeze[axes={1}](s); u = unsqueeze[axes={1}](q); div(x, u)",
    "x {6,40}; s = reduce_sum[axes={1}](x); q = reshape[dims={6}](s); u = reshape[dims={6,1}](q); d = div(x, u); @return(d, u)",
    "x {6,40}; y {3,7}; a = relu(x); b = relu(y); @return(a, b)",
)


def kernels(text: str) -> int:
    return len(cut(parse(text, "case.gen"), GFX942).file.programs[0].launches)


@pytest.mark.parametrize("text", ONE)
def test_one_kernel(text: str) -> None:
    for type_ in FLOATS:
        assert kernels(Case(text).graph(type_)) == 1, type_


CHAIN = (
    "x {6,40}; y {40,6}; s = reduce_sum[axes={1}](x); m = reduce_max[axes={0}](s);r = transpose[permutation={1,0}](x); t = add(r, y); @return(m, t)"
)


def test_each_launch_is_a_module_with_a_reason() -> None:
    text = outline_text(parse(Case(CHAIN).graph("f32"), "chain.gen"))
    assert text.splitlines() == [
        "module @chain_1 {",
        "  x = @param:x -> f32, {6,40}",
        "  s = reduce_sum[axes={1}](x) -> f32, {6,1}",
        "  @return(s)",
        "}",
        "# chain_2 reads s of chain_1 from memory: it reduces {6,1} over {0}, and that launch reduces {6,40} over {1}",
        "module @chain_2 {",
        "  s = @param:s -> f32, {6,1}",
        "  m = reduce_max[axes={0}](s) -> f32, {1,1}",
        "  @return(m)",
        "}",
        "# chain_3 reads nothing of chain_1: it computes {40,6}, and that launch reduces {6,40} over {1}",
        "module @chain_3 {",
        "  x = @param:x -> f32, {6,40}",
        "  y = @param:y -> f32, {40,6}",
        "  r = transpose[permutation={1,0}](x) -> f32, {40,6}, {1,40}",
        "  t = add(r, y) -> f32, {40,6}",
        "  @return(t)",
        "}",
        "module @chain {",
        "  x = @param:x -> f32, {6,40}",
        "  y = @param:y -> f32, {40,6}",
        "  s = op[module=chain_1](x)",
        "  m = op[module=chain_2](s)",
        "  t = op[module=chain_3](x, y)",
        "  @return(m, t)",
        "}",
    ]


def test_an_op_that_moves_elements_is_named() -> None:
    case = Case("x {6,40}; s = softmax[axis=1](x); r = reverse[axes={1}](s); neg(r)")
    text = outline_text(parse(case.graph("f32"), "moved.gen"))
    assert "r = reverse[axes={1}](s) moves elements, and a workgroup has its own rows alone" in text


@pytest.mark.parametrize("seed", range(0, 60, 3))
def test_it_reads_back_as_a_graph_of_as_many_kernels(seed: int) -> None:
    graph = parse(random_moving_graph(seed).text, "graph.gen")
    text = outline_text(graph)
    assert kernels(text) == len(cut(graph, GFX942).file.programs[0].launches)


def test_a_graph_returns_its_parameters_itself() -> None:
    """Launches that copy them have no module."""
    graph = Case("x {6}; y {4,6}; s = cumsum[axis=0](x); t = neg(y); @return(x, s, t, y)").graph("f32")
    text = outline_text(parse(graph, "returned.gen"))
    assert kernels(text) == kernels(graph)
    assert "@return(x, s, t, y)" in text


def test_it_computes_the_same() -> None:
    text = Case(CHAIN).graph("f32")
    x, y = np.random.default_rng(1).integers(-9, 9, (6, 40)).astype(np.float32), np.ones((40, 6), np.float32)
    found = [asmgen.compile(each, target="gfx942")(x, y, device=chosen_device()) for each in (text, outline_text(parse(text, "chain.gen")))]
    for one, other in zip(*found, strict=True):
        assert np.array_equal(one, other)
