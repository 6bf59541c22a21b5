// mlir-opt-22 --canonicalize --cse tests/mlir/kernels/memory.mlir
module {
  gpu.module @m {
    memref.global "private" @own : memref<4x8xi32, 3>
    gpu.func @memory(%arg0: memref<32xi32>, %arg1: memref<?x4xi32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %thread_id_x = gpu.thread_id  x
      %assume_align = memref.assume_alignment %arg0, 16 : memref<32xi32>
      %expand_shape = memref.expand_shape %assume_align [[0, 1]] output_shape [4, 8] : memref<32xi32> into memref<4x8xi32>
      %0 = arith.divui %thread_id_x, %c8 : index
      %1 = arith.remui %thread_id_x, %c8 : index
      %2 = memref.load %expand_shape[%0, %1] : memref<4x8xi32>
      %3 = memref.get_global @own : memref<4x8xi32, 3>
      memref.store %2, %3[%0, %1] : memref<4x8xi32, 3>
      gpu.barrier
      %reinterpret_cast = memref.reinterpret_cast %3 to offset: [0], sizes: [8, 4], strides: [1, 8] : memref<4x8xi32, 3> to memref<8x4xi32, strided<[1, 8]>, 3>
      %4 = arith.divui %thread_id_x, %c4 : index
      %5 = arith.remui %thread_id_x, %c4 : index
      %6 = memref.load %reinterpret_cast[%4, %5] : memref<8x4xi32, strided<[1, 8]>, 3>
      %memspacecast = memref.memory_space_cast %3 : memref<4x8xi32, 3> to memref<4x8xi32>
      %7 = memref.load %memspacecast[%5, %4] : memref<4x8xi32>
      %alloca = memref.alloca() : memref<4xi32>
      memref.store %2, %alloca[%c0] : memref<4xi32>
      memref.store %6, %alloca[%c1] : memref<4xi32>
      memref.store %7, %alloca[%c2] : memref<4xi32>
      %8 = arith.addi %2, %6 : i32
      memref.store %8, %alloca[%c3] : memref<4xi32>
      %9 = memref.load %alloca[%5] : memref<4xi32>
      memref.store %2, %arg1[%thread_id_x, %c0] : memref<?x4xi32>
      memref.store %6, %arg1[%thread_id_x, %c1] : memref<?x4xi32>
      memref.store %7, %arg1[%thread_id_x, %c2] : memref<?x4xi32>
      memref.store %9, %arg1[%thread_id_x, %c3] : memref<?x4xi32>
      gpu.return
    }
  }
}

