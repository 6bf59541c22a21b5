// mlir-opt-22 --expand-strided-metadata --canonicalize tests/mlir/kernels/shapes.mlir
#map = affine_map<()[s0, s1] -> (s0 * s1 + 1)>
#map1 = affine_map<()[s0, s1] -> (s0 + s1 * 4 + s0 floordiv 2 - (s0 floordiv 3) * 3)>
#set = affine_set<()[s0, s1] : (-s1 + s0 - 2 >= 0, s1 - 1 >= 0)>
module {
  gpu.module @m {
    gpu.func @shapes(%arg0: memref<?x?xi32>, %arg1: memref<?xi32>) kernel attributes {known_block_size = array<i32: 32, 2, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c0_i32 = arith.constant 0 : i32
      %alloc = memref.alloc() : memref<2x32xi32, #gpu.address_space<workgroup>>
      %reinterpret_cast = memref.reinterpret_cast %alloc to offset: [0], sizes: [64], strides: [1] : memref<2x32xi32, #gpu.address_space<workgroup>> to memref<64xi32, #gpu.address_space<workgroup>>
      %thread_id_x = gpu.thread_id  x
      %thread_id_y = gpu.thread_id  y
      %dim = memref.dim %arg0, %c0 : memref<?x?xi32>
      %dim_0 = memref.dim %arg0, %c1 : memref<?x?xi32>
      %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<?x?xi32> -> memref<i32>, index, index, index, index, index
      %0 = affine.apply #map()[%thread_id_y, %strides#0]
      %reinterpret_cast_1 = memref.reinterpret_cast %arg0 to offset: [%0], sizes: [2, 8], strides: [%strides#0, 2] : memref<?x?xi32> to memref<2x8xi32, strided<[?, 2], offset: ?>>
      %1 = affine.for %arg2 = 0 to 8 iter_args(%arg3 = %c0_i32) -> (i32) {
        %5 = memref.load %reinterpret_cast_1[%c1, %arg2] : memref<2x8xi32, strided<[?, 2], offset: ?>>
        %6 = arith.addi %arg3, %5 : i32
        affine.yield %6 : i32
      }
      memref.store %1, %alloc[%thread_id_y, %thread_id_x] : memref<2x32xi32, #gpu.address_space<workgroup>>
      gpu.barrier
      %2 = affine.apply #map1()[%thread_id_x, %thread_id_y]
      %3 = memref.load %reinterpret_cast[%2] : memref<64xi32, #gpu.address_space<workgroup>>
      %4 = affine.if #set()[%dim_0, %thread_id_x] -> i32 {
        %5 = arith.addi %3, %1 : i32
        affine.yield %5 : i32
      } else {
        %5 = arith.index_cast %dim : index to i32
        affine.yield %5 : i32
      }
      affine.store %4, %arg1[symbol(%thread_id_y) * 32 + symbol(%thread_id_x)] : memref<?xi32>
      gpu.return
    }
  }
}

