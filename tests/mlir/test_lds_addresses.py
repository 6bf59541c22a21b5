"""Constant parts of indices of workgroup memory are offsets of its instructions."""

from __future__ import annotations

import re

import numpy as np
import pytest

import asmgen
from tests.mlir.judge import ALL, EXAMPLES, launch

# the part of the index that is not constant is negative in the first lanes: the sum of 32 bits is what counts
BELOW = """gpu.module @m {
  gpu.func @k(%out: memref<?xi32>, %n: i32) workgroup(%own: memref<256xi32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %c40 = arith.constant 40 : index
    %c63 = arith.constant 63 : index
    %less = arith.index_cast %n : i32 to index
    %word = arith.index_cast %t : index to i32
    %below = arith.subi %t, %less : index
    %at = arith.addi %below, %c40 : index
    memref.store %word, %own[%at] : memref<256xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %other = arith.xori %t, %c63 : index
    %other_below = arith.subi %other, %less : index
    %there = arith.addi %other_below, %c40 : index
    %found = memref.load %own[%there] : memref<256xi32, #gpu.address_space<workgroup>>
    memref.store %found, %out[%t] : memref<?xi32>
    gpu.return
  }
}
"""


@pytest.mark.parametrize("target", ALL)
def test_a_base_below_zero(target: str) -> None:
    (found,) = launch(BELOW, (1, 1, 1), (128, 1, 1), [np.zeros(128, np.int32), 37], target)
    np.testing.assert_array_equal(found, np.arange(128) ^ 63)


def test_rows_and_columns_of_a_tile_have_one_address_each() -> None:
    (kernel,) = asmgen.compile(EXAMPLES / "sgemm.mlir", target="gfx942").kernels
    addresses = set(re.findall(r"ds_read\w* v\S+ (v\d+)", kernel.assembly))
    assert len(addresses) == 2
