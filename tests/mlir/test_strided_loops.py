"""Loops in which each lane begins at its own element, next to numpy: trips of all lanes, and trips of some."""

from __future__ import annotations

import re

import numpy as np
import pytest

import asmgen
from tests.mlir.judge import EXAMPLES, FEW, launch

LANES, GROUPS = 64, 3
COUNTS = (0, 1, 63, 64, 65, 191, 192, 193, 1000, 4099)
# the first element of a lane, and its step: elements apart by the lanes of the launch, of the workgroup, and by fewer
STRIDES = {
    "of the launch": ("%i = gpu.global_id x", LANES * GROUPS),
    "of a workgroup": ("%i = gpu.thread_id x", LANES),
    "from the second lane on": ("%lane = gpu.thread_id x\n    %one = arith.constant 1 : index\n    %i = arith.addi %lane, %one : index", LANES),
    "shorter than a workgroup": ("%i = gpu.thread_id x", 7),
}


def kernel(first: str, step: int) -> str:
    return f"""gpu.module @m {{
  gpu.func @k(%x: memref<?xi32>, %y: memref<?xi32>, %out: memref<?xi32>, %n: i32)
      kernel attributes {{known_block_size = array<i32: {LANES}, 1, 1>}} {{
    %step = arith.constant {step} : index
    %zero = arith.constant 0 : i32
    %end = arith.index_cast %n : i32 to index
    %at = gpu.global_id x
    {first}
    %total = scf.for %k = %i to %end step %step iter_args(%sum = %zero) -> (i32) {{
      %value = memref.load %x[%k] : memref<?xi32>
      %word = arith.index_cast %k : index to i32
      %product = arith.muli %value, %word : i32
      memref.store %product, %y[%k] : memref<?xi32>
      %double = arith.addi %sum, %sum : i32
      %next = arith.addi %double, %product : i32
      scf.yield %next : i32
    }}
    memref.store %total, %out[%at] : memref<?xi32>
    gpu.return
  }}
}}
"""


@pytest.mark.parametrize("stride", STRIDES)
@pytest.mark.parametrize("target", FEW)
def test_each_lane_takes_its_elements_in_order(target: str, stride: str) -> None:
    first, step = STRIDES[stride]
    firsts = np.arange(LANES * GROUPS) if stride == "of the launch" else np.tile(np.arange(LANES), GROUPS)
    firsts += stride == "from the second lane on"
    for count in COUNTS:
        x = np.arange(3, 3 + max(count, 1), dtype=np.int32) * 77
        arguments = [x, np.full_like(x, -1), np.zeros(LANES * GROUPS, np.int32), count]
        _, products, totals = launch(kernel(first, step), (GROUPS, 1, 1), (LANES, 1, 1), arguments, target)
        wanted, written = np.zeros(LANES * GROUPS, np.int32), np.full_like(x, -1)
        for trip in range(-(-count // step)):
            places = firsts + trip * step
            lanes = places < count
            written[places[lanes]] = x[places[lanes]] * places[lanes].astype(np.int32)
            wanted[lanes] = 2 * wanted[lanes] + written[places[lanes]]
        np.testing.assert_array_equal(totals, wanted)
        np.testing.assert_array_equal(products, written)


@pytest.mark.parametrize("target", FEW)
def test_the_trips_of_all_lanes_overlap_on_one_counter(target: str) -> None:
    """The loads of later trips are underway at the sum of a trip, EXEC stays, and nothing copies the counter."""
    (made,) = asmgen.compile(EXAMPLES / "dotproduct.mlir", target=target).kernels
    trip = made.assembly.split(".Ldotproduct.body_kernel:")[1].split("s_cbranch_scc1")[0]
    assert re.search(r"s_waitcnt vmcnt\([2-9]\)", trip)
    assert "exec" not in trip
    assert "s_mov" not in trip
