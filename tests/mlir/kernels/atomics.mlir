// A histogram in LDS, and the largest number without a sign, in global memory.
gpu.module @m {
  gpu.func @histogram(%in: memref<?xi32>, %bins: memref<16xi32>, %largest: memref<1xi32>, %product: memref<1xf32>)
      workgroup(%own: memref<16xi32, 3>) kernel {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2.0 : f32
    %mask = arith.constant 15 : i32
    %t = gpu.thread_id x
    %i = gpu.global_id x
    %few = arith.cmpi ult, %t, %c16 : index
    scf.if %few {
      memref.store %zero, %own[%t] : memref<16xi32, 3>
    }
    gpu.barrier
    %v = memref.load %in[%i] : memref<?xi32>
    %low = arith.andi %v, %mask : i32
    %bin = arith.index_castui %low : i32 to index
    %old = memref.atomic_rmw addi %one, %own[%bin] : (i32, memref<16xi32, 3>) -> i32
    gpu.barrier
    scf.if %few {
      %count = memref.load %own[%t] : memref<16xi32, 3>
      %before = memref.atomic_rmw addi %count, %bins[%t] : (i32, memref<16xi32>) -> i32
    }
    %top = memref.atomic_rmw maxu %v, %largest[%c0] : (i32, memref<1xi32>) -> i32
    %is_first = arith.cmpi eq, %t, %c0 : index
    scf.if %is_first {
      %was = memref.generic_atomic_rmw %product[%c0] : memref<1xf32> {
      ^bb0(%now: f32):
        %twice = arith.mulf %now, %two : f32
        memref.atomic_yield %twice : f32
      }
    }
    gpu.return
  }
}
