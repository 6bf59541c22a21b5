"""Graphs of several kernels: each kernel before gives what the later ones need."""

from __future__ import annotations

import numpy as np

import asmgen
from tests.device import chosen_device


def test_a_kernel_that_only_a_kernel_between_needs() -> None:
    """`s` needs `z` alone, and `z`, which nothing returns, needs `y`: three kernels in a chain."""
    text = "x = @param:x -> i32, {5,6,7}\ny = reduce_sum[axes={0,2}](x)\nz = reduce_max[axes=1](y)\ns = sub(x, z)\n@return(s)\n"
    program = asmgen.compile(text)
    assert len(program.kernels) == 3
    x = np.random.default_rng(1).integers(-50, 50, (5, 6, 7)).astype(np.int32)
    (s,) = program(x, device=chosen_device())
    assert (s == x - x.sum((0, 2)).max()).all()
