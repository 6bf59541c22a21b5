"""A kernel as convert-gpu-to-rocdl prints it, with its descriptors field by field, launched next to numpy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import asmgen
from tests.device import chosen_device
from tests.mlir.judge import ALL

FOREIGN = Path(__file__).parent / "foreign"


@pytest.mark.parametrize("target", ALL)
def test_a_lowered_kernel_runs(target: str) -> None:
    """The rows of the second memref are 100 apart, from element 7 on."""
    x = np.random.default_rng(1).uniform(0, 9, 256).astype(np.float32)
    y = np.zeros(7 + 400, np.float32)
    nothing = np.zeros(1, np.float32)
    program = asmgen.compile(FOREIGN / "reverse_rocdl.mlir", target=target)
    args = [nothing, x, 0, 256, 1, nothing.copy(), y, 7, 4, 64, 100, 1, 4.0]
    after = program.kernel("reverse").launch(grid=(4, 1, 1), block=(64, 1, 1), args=args, device=chosen_device())
    wanted = x.reshape(4, 64)[:, ::-1].astype(np.float64)
    wanted = np.where(wanted > 4.0, np.sqrt(wanted), wanted)
    np.testing.assert_allclose(after[3][7:].reshape(4, 100)[:, :64], wanted, rtol=2.0**-20)
    assert not after[3][7:].reshape(4, 100)[:, 64:].any()


_PERMUTED = """
llvm.func @k(%x: !llvm.ptr, %out: !llvm.ptr) attributes {gpu.kernel} {
  %t = rocdl.workitem.id.x : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %p = llvm.getelementptr %x[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %v = llvm.load %p : !llvm.ptr -> i32
  %before = llvm.sub %t, %one : i32
  %place = llvm.shl %before, %two : i32
  %u = rocdl.ds_bpermute %place, %v : (i32, i32) -> i32
  %q = llvm.getelementptr %out[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %u, %q : i32, !llvm.ptr
  llvm.return
}
"""


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_a_lane_that_is_not_there_gives_zero(target: str) -> None:
    """The first lane reads the last one of a wave of which 20 lanes are there (CDNA3 ISA, DS_BPERMUTE_B32)."""
    x = np.arange(5, 25, dtype=np.int32)
    program = asmgen.compile(_PERMUTED, target=target)
    _, found = program.kernel("k").launch(grid=(1, 1, 1), block=(20, 1, 1), args=[x, np.zeros_like(x)], device=chosen_device())
    np.testing.assert_array_equal(found, [0, *x[:-1]])
