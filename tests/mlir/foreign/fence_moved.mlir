// mlir-opt-22 --cse --loop-invariant-code-motion examples/fence.mlir
module {
  gpu.module @fence {
    gpu.func @fence(%arg0: memref<?xi32>, %arg1: memref<?xi32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c1 = arith.constant 1 : index
      %c2_i32 = arith.constant 2 : i32
      %thread_id_x = gpu.thread_id  x
      %block_dim_x = gpu.block_dim  x
      %global_id_x = gpu.global_id  x
      %0 = memref.load %arg0[%global_id_x] : memref<?xi32>
      %1 = arith.muli %0, %c2_i32 : i32
      memref.store %1, %arg0[%global_id_x] : memref<?xi32>
      gpu.barrier
      %2 = arith.subi %block_dim_x, %c1 : index
      %3 = arith.subi %2, %thread_id_x : index
      %4 = arith.subi %global_id_x, %thread_id_x : index
      %5 = arith.addi %4, %3 : index
      %6 = memref.load %arg0[%5] : memref<?xi32>
      memref.store %6, %arg1[%global_id_x] : memref<?xi32>
      gpu.return
    }
  }
}

