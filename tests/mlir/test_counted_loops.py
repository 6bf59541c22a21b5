"""`scf.for` with a counter that might pass 32 bits after its last trip, next to numpy."""

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


NEST = """gpu.module @m {
  gpu.func @k(%out: memref<64xi32>) kernel {
    %zero = arith.constant 0 : i32
    %first = arith.constant 0 : index
    %trips = arith.constant 12 : index
    %by = arith.constant 1 : index
    %i = gpu.thread_id x
    %all = scf.for %a = %first to %trips step %by iter_args(%x = %zero) -> (i32) {
      %some = scf.for %b = %first to %trips step %by iter_args(%y = %x) -> (i32) {
        %few = scf.for %c = %first to %trips step %by iter_args(%z = %y) -> (i32) {
          %old = memref.load %out[%i] : memref<64xi32>
          %next = arith.xori %z, %old : i32
          %more = arith.addi %next, %z : i32
          scf.yield %more : i32
        }
        scf.yield %few : i32
      }
      scf.yield %some : i32
    }
    memref.store %all, %out[%i] : memref<64xi32>
    gpu.return
  }
}
"""


def test_short_loops_in_each_other_are_not_all_written_out() -> None:
    """Written out they were 1,728 bodies; a tenth loop in the others took 17 s to compile."""
    given = np.arange(64, dtype=np.int32)
    (found,) = launch(NEST, (1, 1, 1), (64, 1, 1), [given], FEW[0])
    value = np.zeros(64, np.int32)
    for _ in range(12**3):
        value = (value ^ given) + value
    np.testing.assert_array_equal(found, value)
    (made,) = asmgen.compile(NEST).kernels
    assert 0 < made.assembly.count("\tv_xad_u32") <= 144
