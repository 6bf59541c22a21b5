// c = a b of n x n matrices, a tile of 16 x 16 a workgroup, through LDS.
gpu.module @sgemm {
  gpu.func @sgemm(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %n: i32)
      workgroup(%tile_a: memref<16x16xf32, #gpu.address_space<workgroup>>,
                %tile_b: memref<16x16xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 16, 16, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0.0 : f32
    %size = arith.index_cast %n : i32 to index
    %x = gpu.thread_id x
    %y = gpu.thread_id y
    %column = gpu.global_id x
    %row = gpu.global_id y
    %row_start = arith.muli %row, %size : index
    %total = scf.for %k = %c0 to %size step %c16 iter_args(%sum = %zero) -> (f32) {
      %k_x = arith.addi %k, %x : index
      %k_y = arith.addi %k, %y : index
      %at_a = arith.addi %row_start, %k_x : index
      %b_start = arith.muli %k_y, %size : index
      %at_b = arith.addi %b_start, %column : index
      %from_a = memref.load %a[%at_a] : memref<?xf32>
      %from_b = memref.load %b[%at_b] : memref<?xf32>
      memref.store %from_a, %tile_a[%y, %x] : memref<16x16xf32, #gpu.address_space<workgroup>>
      memref.store %from_b, %tile_b[%y, %x] : memref<16x16xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %added = scf.for %i = %c0 to %c16 step %c1 iter_args(%inner = %sum) -> (f32) {
        %p = memref.load %tile_a[%y, %i] : memref<16x16xf32, #gpu.address_space<workgroup>>
        %q = memref.load %tile_b[%i, %x] : memref<16x16xf32, #gpu.address_space<workgroup>>
        %product = arith.mulf %p, %q : f32
        %next = arith.addf %inner, %product : f32
        scf.yield %next : f32
      }
      gpu.barrier
      scf.yield %added : f32
    }
    %at_c = arith.addi %row_start, %column : index
    memref.store %total, %c[%at_c] : memref<?xf32>
    gpu.return
  }
}
