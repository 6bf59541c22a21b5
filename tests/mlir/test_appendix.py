"""The examples of the seeds, in today's spelling, completed to kernels: each on five targets, with several
grids and blocks, next to numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import asmgen
from tests.device import chosen_device
from tests.mlir.judge import ALL, launch
from tests.rows import spread

Sizes = tuple[int, int, int]
LAUNCHES: list[tuple[Sizes, Sizes]] = [((3, 1, 1), (64, 1, 1)), ((1, 1, 1), (37, 1, 1)), ((2, 2, 1), (8, 5, 1)), ((2, 1, 3), (7, 3, 2))]

# gpu-to-vortex-lowering.md, Example 1, and its test of the pattern: here along each axis, with all ids and sizes
GLOBAL_ID = (
    """gpu.module @m {
  gpu.func @compute_global_id(%out: memref<?x12xindex>, %width: index, %height: index) kernel {
"""
    + "".join(
        f"""    %tid_{d} = gpu.thread_id {d}
    %bid_{d} = gpu.block_id {d}
    %bdim_{d} = gpu.block_dim {d}
    %gdim_{d} = gpu.grid_dim {d}
    %bid_times_bdim_{d} = arith.muli %bid_{d}, %bdim_{d} : index
    %gid_{d} = arith.addi %bid_times_bdim_{d}, %tid_{d} : index
"""
        for d in "xyz"
    )
    + """    %plane = arith.muli %gid_z, %height : index
    %row = arith.addi %plane, %gid_y : index
    %start = arith.muli %row, %width : index
    %at = arith.addi %start, %gid_x : index
"""
    + "".join(
        f"""    %c{n} = arith.constant {n} : index
    memref.store %{role}_{"xyz"[n % 3]}, %out[%at, %c{n}] : memref<?x12xindex>
"""
        for n, role in enumerate(role for role in ("gid", "tid", "bdim", "gdim") for _ in range(3))
    )
    + """    gpu.return
  }
}
"""
)


def in_turn(count: int) -> list[object]:
    return spread([(target, str(number)) for number in range(count) for target in ALL], 2)


@pytest.mark.parametrize(("target", "case"), in_turn(len(LAUNCHES)))
def test_global_id(target: str, case: str) -> None:
    grid, block = LAUNCHES[int(case)]
    whole = [g * b for g, b in zip(grid, block, strict=True)]
    out = np.zeros((int(np.prod(whole)), 12), np.int64)
    (found,) = launch(GLOBAL_ID, grid, block, [out, whole[0], whole[1]], target)
    z, y, x = (axis.reshape(-1) for axis in np.indices(whole[::-1]))
    for axis, number in enumerate((x, y, z)):
        np.testing.assert_array_equal(found[:, axis], number)
        np.testing.assert_array_equal(found[:, 3 + axis], number % block[axis])
        np.testing.assert_array_equal(found[:, 6 + axis], block[axis])
        np.testing.assert_array_equal(found[:, 9 + axis], grid[axis])


# the same seed's tests of one barrier and of several: the accesses before each of them are passed on
BARRIERS = """gpu.module @m {
  gpu.func @test_multiple_barriers(%data: memref<?xi32>, %out: memref<?xi32>)
      workgroup(%own: memref<128xi32, #gpu.address_space<workgroup>>) kernel {
    %c1 = arith.constant 1 : index
    %tid = gpu.thread_id x
    %bdim = gpu.block_dim x
    %i = gpu.global_id x
    %value = memref.load %data[%i] : memref<?xi32>
    memref.store %value, %own[%tid] : memref<128xi32, #gpu.address_space<workgroup>>
    // first barrier
    gpu.barrier
    %next = arith.addi %tid, %c1 : index
    %other = arith.remui %next, %bdim : index
    %seen = memref.load %own[%other] : memref<128xi32, #gpu.address_space<workgroup>>
    // second barrier
    gpu.barrier
    %sum = arith.addi %value, %seen : i32
    memref.store %sum, %own[%tid] : memref<128xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %last = memref.load %own[%other] : memref<128xi32, #gpu.address_space<workgroup>>
    memref.store %last, %out[%i] : memref<?xi32>
    gpu.return
  }
}
"""


@pytest.mark.parametrize(("target", "items"), spread([(t, str(n)) for n in (128, 64, 100, 1) for t in ALL], 2))
def test_barriers(target: str, items: str) -> None:
    count = int(items)
    data = np.arange(3 * count, dtype=np.int32) ** 2
    _, found = launch(BARRIERS, (3, 1, 1), (count, 1, 1), [data, np.zeros_like(data)], target)
    rows = data.reshape(3, count)
    sums = rows + np.roll(rows, -1, axis=1)
    np.testing.assert_array_equal(found.reshape(3, count), np.roll(sums, -1, axis=1))


# mlir-gpu-dialect.md, gpu.func: a workgroup and a private attribution
ATTRIBUTIONS = """gpu.module @m {
  gpu.func @foo(%arg0: index, %out: memref<?xf32>)
      workgroup(%workgroup: memref<32xf32, 3>)
      private(%private: memref<1xf32, 5>)
      kernel
      attributes {qux = "quux"} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %tid = gpu.thread_id x
    %i = gpu.global_id x
    %word = arith.index_cast %i : index to i32
    %number = arith.sitofp %word : i32 to f32
    memref.store %number, %private[%c0] : memref<1xf32, 5>
    %is_low = arith.cmpi ult, %tid, %c32 : index
    scf.if %is_low {
      %own = memref.load %private[%c0] : memref<1xf32, 5>
      memref.store %own, %workgroup[%tid] : memref<32xf32, 3>
    }
    gpu.barrier
    %there = arith.remui %arg0, %c32 : index
    %shared = memref.load %workgroup[%there] : memref<32xf32, 3>
    %mine = memref.load %private[%c0] : memref<1xf32, 5>
    %sum = arith.addf %shared, %mine : f32
    memref.store %sum, %out[%i] : memref<?xf32>
    gpu.return
  }
}
"""


@pytest.mark.parametrize(("target", "items"), spread([(t, str(n)) for n in (32, 50, 256) for t in ALL], 2))
def test_attributions(target: str, items: str) -> None:
    count = int(items)
    (found,) = launch(ATTRIBUTIONS, (2, 1, 1), (count, 1, 1), [37, np.zeros(2 * count, np.float32)], target)
    number = np.arange(2 * count)
    np.testing.assert_array_equal(found, number + number // count * count + 37 % 32)


# gpu.launch: ids and sizes are arguments of the body, and values of the function are the kernel's
LAUNCH = """func.func @host(%0: f32, %1: memref<?xf32, 1>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  gpu.launch blocks(%bx, %by, %bz) in (%sz_bx = %c2, %sz_by = %c3, %sz_bz = %c1)
             threads(%tx, %ty, %tz) in (%sz_tx = %c40, %sz_ty = %c1, %sz_tz = %c1) {
    %row = arith.muli %by, %sz_bx : index
    %block = arith.addi %row, %bx : index
    %start = arith.muli %block, %sz_tx : index
    %at = arith.addi %start, %tx : index
    %42 = memref.load %1[%at] : memref<?xf32, 1>
    %sum = arith.addf %42, %0 : f32
    memref.store %sum, %1[%at] : memref<?xf32, 1>
    gpu.terminator
  }
  return
}
"""


@pytest.mark.parametrize("target", ALL)
def test_launch(target: str) -> None:
    data = np.arange(240, dtype=np.float32)
    program = asmgen.compile(LAUNCH, target=target)
    (kernel,) = program.kernels
    args: list[Any] = [data if argument.is_buffer else np.float32(2.5) for argument in kernel.arguments]
    (found,) = program.kernel(kernel.name).launch(grid=(2, 3, 1), block=(40, 1, 1), args=args, device=chosen_device())
    np.testing.assert_array_equal(found, data + np.float32(2.5))


# gpu.all_reduce by an operation and by a region: the same sum in every work-item
ALL_REDUCE = """gpu.module @m {
  gpu.func @sums(%x: memref<?xf32>, %by_op: memref<?xf32>, %by_region: memref<?xf32>) kernel {
    %i = gpu.global_id x
    %0 = memref.load %x[%i] : memref<?xf32>
    %1 = gpu.all_reduce add %0 uniform {} : (f32) -> (f32)
    %2 = gpu.all_reduce %0 uniform {
    ^bb(%lhs : f32, %rhs : f32):
      %sum = arith.addf %lhs, %rhs : f32
      "gpu.yield"(%sum) : (f32) -> ()
    } : (f32) -> (f32)
    memref.store %1, %by_op[%i] : memref<?xf32>
    memref.store %2, %by_region[%i] : memref<?xf32>
    gpu.return
  }
}
"""


@pytest.mark.parametrize(("target", "items"), spread([(t, str(n)) for n in (1, 33, 64, 250, 1024) for t in ALL], 2))
def test_all_reduce(target: str, items: str) -> None:
    count = int(items)
    x = np.random.default_rng(count).integers(-50, 50, 2 * count).astype(np.float32)  # whose sums are exact
    blank = np.zeros_like(x)
    _, by_op, by_region = launch(ALL_REDUCE, (2, 1, 1), (count, 1, 1), [x, blank, blank.copy()], target)
    wanted = np.repeat(x.reshape(2, count).sum(axis=1), count)
    np.testing.assert_array_equal(by_op, wanted)
    np.testing.assert_array_equal(by_region, wanted)
