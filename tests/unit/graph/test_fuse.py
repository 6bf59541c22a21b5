"""Graphs of several kernels: earlier kernels make the inputs of later kernels."""

from __future__ import annotations

import numpy as np

import asmgen
from tests.device import chosen_device


def test_a_kernel_that_only_a_kernel_between_needs() -> None:
    """`s` needs `z` alone, and `z`, which nothing returns, needs `y`: three kernels in a chain."""
    text = "x = @param:x -> i32, {5,60,7}\ny = reduce_sum[axes={0,2}](x)\nz = reduce_max[axes=1](y)\ns = sub(x, z)\n@return(s)\n"
    program = asmgen.compile(text)
    assert len(program.kernels) == 3
    x = np.random.default_rng(1).integers(-50, 50, (5, 60, 7)).astype(np.int32)
    (s,) = program(x, device=chosen_device())
    assert (s == x - x.sum((0, 2)).max()).all()


def test_what_a_norm_reads_is_returned_by_its_kernel() -> None:
    """A sum that is returned and normalised: one kernel, which reads both inputs once."""
    text = """x = @param:x -> f32, {6,70}
y = @param:y -> f32, {6,70}
h = add(x, y)
m = reduce_max[axes={1}](h)
d = sub(h, m)
@return(h, d)
"""
    program = asmgen.compile(text)
    assert len(program.kernels) == 1
    x, y = np.random.default_rng(2).integers(-50, 50, (2, 6, 70)).astype(np.float32)
    h, d = program(x, y, device=chosen_device())
    assert (h == x + y).all()
    assert (d == x + y - (x + y).max(1, keepdims=True)).all()


def test_a_pointwise_result_joins_the_kernel_that_reads_its_tensor() -> None:
    program = asmgen.compile("x = @param:x -> f32, {6,70}\ny = neg(x)\ns = reduce_sum[axes={1}](x)\n@return(y, s)\n")
    assert len(program.kernels) == 1


def test_a_pointwise_result_of_another_tensor_is_a_kernel_of_its_own() -> None:
    text = """x = @param:x -> f32, {6,70}
z = @param:z -> f32, {6,70}
y = neg(z)
s = reduce_sum[axes={1}](x)
@return(y, s)
"""
    assert len(asmgen.compile(text).kernels) == 2


def test_zeros_for_several_additions_are_a_kernel() -> None:
    """The sums of segments, and two histograms: zeros, three additions, and a quotient."""
    text = """x = @param:x -> f32, {163,64}
s = @param:s -> i32, {163}
zero = @literal{0.0} -> f32, {}
zeros = multibroadcast[out_lens={12,64}](zero)
sums = scatter_add(zeros, s, x)
n = histogram[bins=12](s)
m = histogram[bins=7](s)
f = convert[target_type=f32](n)
count = unsqueeze[axes={1}](f)
mean = div(sums, count)
@return(mean, n, m)
"""
    program = asmgen.compile(text)
    assert len(program.kernels) == 5
    rng = np.random.default_rng(3)
    x, s = rng.integers(-50, 50, (163, 64)).astype(np.float32), rng.integers(0, 12, 163).astype(np.int32)
    mean, n, m = program(x, s, device=chosen_device())
    counts = np.bincount(s, minlength=12)
    assert (n == counts).all()
    assert (m == counts[:7]).all()
    sums = np.zeros((12, 64), np.float32)
    np.add.at(sums, s, x)
    assert np.allclose(mean, sums / counts[:, None])
