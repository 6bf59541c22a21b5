"""A lane accesses four neighbours in memory by one instruction, though the source names each element."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from tests.mlir.judge import ALL, launch

FOUR = """gpu.module @m {
  gpu.func @k(%x: memref<?xf32>, %out: memref<?xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %three = arith.constant 3 : index
    %four = arith.constant 4 : index
    %i = gpu.global_id x
    %a = arith.muli %i, %four : index
    %b = arith.addi %a, %one : index
    %c = arith.addi %a, %two : index
    %d = arith.addi %a, %three : index
    %va = memref.load %x[%a] : memref<?xf32>
    %vb = memref.load %x[%b] : memref<?xf32>
    %vc = memref.load %x[%c] : memref<?xf32>
    %vd = memref.load %x[%d] : memref<?xf32>
    %ad = arith.addf %va, %vd : f32
    %bc = arith.mulf %vb, %vc : f32
    memref.store %ad, %out[%a] : memref<?xf32>
    memref.store %bc, %out[%b] : memref<?xf32>
    memref.store %vb, %out[%c] : memref<?xf32>
    memref.store %va, %out[%d] : memref<?xf32>
    gpu.return
  }
}
"""


@pytest.mark.parametrize("target", ALL)
def test_four_elements_are_one_access(target: str) -> None:
    x = np.random.default_rng(3).standard_normal(512).astype(np.float32)
    _, found = launch(FOUR, (2, 1, 1), (64, 1, 1), [x, np.zeros(512, np.float32)], target)
    a, b, c, d = x.reshape(-1, 4).T
    np.testing.assert_array_equal(found.reshape(-1, 4), np.stack((a + d, b * c, b, a), axis=1))
    (kernel,) = asmgen.compile(FOUR, target=target).kernels
    accesses = [line.split()[0] for line in kernel.assembly.splitlines() if line.startswith("\tglobal_")]
    assert [name.rpartition("_")[2] for name in accesses] in (["dwordx4"] * 2, ["b128"] * 2)
