// Views of other shapes, a descriptor's sizes, LDS named in the kernel, affine maps and loops.
#flat = affine_map<(d0, d1)[s0] -> (d0 * 4 + d1 floordiv 2 + s0 mod 3)>
#set = affine_set<(d0)[s0] : (s0 - d0 - 2 >= 0, d0 - 1 >= 0)>
gpu.module @m {
  gpu.func @shapes(%in: memref<?x?xi32>, %out: memref<?xi32>) kernel attributes {known_block_size = array<i32: 32, 2, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0 : i32
    %tile = memref.alloc() : memref<2x32xi32, #gpu.address_space<workgroup>>
    %flat = memref.collapse_shape %tile [[0, 1]] : memref<2x32xi32, #gpu.address_space<workgroup>> into memref<64xi32, #gpu.address_space<workgroup>>
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %rows = memref.dim %in, %c0 : memref<?x?xi32>
    %columns = memref.dim %in, %c1 : memref<?x?xi32>
    %sub = memref.subview %in[%y, 1] [2, 8] [1, 2] : memref<?x?xi32> to memref<2x8xi32, strided<[?, 2], offset: ?>>
    %sum = affine.for %i = 0 to 8 iter_args(%s = %zero) -> (i32) {
      %v = memref.load %sub[%c1, %i] : memref<2x8xi32, strided<[?, 2], offset: ?>>
      %n = arith.addi %s, %v : i32
      affine.yield %n : i32
    }
    memref.store %sum, %tile[%y, %x] : memref<2x32xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %p = affine.apply #flat(%y, %x)[%x]
    %other = memref.load %flat[%p] : memref<64xi32, #gpu.address_space<workgroup>>
    %total = affine.if #set(%x)[%columns] -> i32 {
      %more = arith.addi %other, %sum : i32
      affine.yield %more : i32
    } else {
      %r = arith.index_cast %rows : index to i32
      affine.yield %r : i32
    }
    %at = affine.apply affine_map<(d0, d1) -> (d0 * 32 + d1)>(%y, %x)
    affine.store %total, %out[%at] : memref<?xi32>
    gpu.return
  }
}
