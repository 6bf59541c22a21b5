"""`scf.for` whose number might pass 32 bits after its last trip, next to numpy."""

from __future__ import annotations

import re

import numpy as np
import pytest

import asmgen
from tests.mlir.judge import FEW, launch


def kernel(start: str, step: str) -> str:
    return f"""gpu.module @m {{
  gpu.func @k(%x: memref<?xi32>, %out: memref<?xi32>, %n: i32) kernel {{
    %start = arith.constant {start} : index
    %step = arith.constant {step} : index
    %zero = arith.constant 0 : i32
    %end = arith.index_castui %n : i32 to index
    %i = gpu.global_id x
    %last = scf.for %k = %start to %end step %step iter_args(%sum = %zero) -> (i32) {{
      %value = memref.load %x[%k] : memref<?xi32>
      %at = arith.index_cast %k : index to i32
      %product = arith.muli %value, %at : i32
      %next = arith.addi %sum, %product : i32
      scf.yield %next : i32
    }}
    %word = arith.index_cast %i : index to i32
    %result = arith.addi %last, %word : i32
    memref.store %result, %out[%i] : memref<?xi32>
    gpu.return
  }}
}}
"""


@pytest.mark.parametrize(("start", "step", "count"), [(0, 16, 64), (0, 16, 65), (5, 7, 100), (5, 7, 5), (9, 3, 2), (0, 32, 0)])
def test_sum(start: int, step: int, count: int) -> None:
    x = np.arange(3, 103, dtype=np.int32)
    target = FEW[count % 2]
    _, found = launch(kernel(str(start), str(step)), (1, 1, 1), (40, 1, 1), [x, np.zeros(40, np.int32), count], target)
    total = sum(int(x[k]) * k for k in range(start, count, step))
    np.testing.assert_array_equal(found, total + np.arange(40))


@pytest.mark.parametrize("target", FEW)
def test_the_branch_is_scalar(target: str) -> None:
    (made,) = asmgen.compile(kernel("0", "16"), target=target).kernels
    assert re.search(r"s_cbranch_(exec|vcc)", made.assembly) is None
    assert "s_cbranch_scc" in made.assembly
