// Each workgroup of 256 adds its part of a dot product in LDS and stores one number.
gpu.module @dotproduct {
  gpu.func @dotproduct(%a: memref<?xf32>, %b: memref<?xf32>, %out: memref<?xf32>, %count: i32)
      workgroup(%partial: memref<256xf32, #gpu.address_space<workgroup>>)
      kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %zero = arith.constant 0.0 : f32
    %thread = gpu.thread_id x
    %block = gpu.block_id x
    %first = gpu.global_id x
    %size = gpu.block_dim x
    %blocks = gpu.grid_dim x
    %step = arith.muli %size, %blocks : index
    %n = arith.index_cast %count : i32 to index
    %own = scf.for %i = %first to %n step %step iter_args(%sum = %zero) -> (f32) {
      %x = memref.load %a[%i] : memref<?xf32>
      %y = memref.load %b[%i] : memref<?xf32>
      %product = arith.mulf %x, %y : f32
      %next = arith.addf %sum, %product : f32
      scf.yield %next : f32
    }
    memref.store %own, %partial[%thread] : memref<256xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %end = scf.while (%half = %c128) : (index) -> index {
      %more = arith.cmpi ugt, %half, %c0 : index
      scf.condition(%more) %half : index
    } do {
    ^bb0(%half: index):
      %adds = arith.cmpi ult, %thread, %half : index
      scf.if %adds {
        %other = arith.addi %thread, %half : index
        %x = memref.load %partial[%thread] : memref<256xf32, #gpu.address_space<workgroup>>
        %y = memref.load %partial[%other] : memref<256xf32, #gpu.address_space<workgroup>>
        %sum = arith.addf %x, %y : f32
        memref.store %sum, %partial[%thread] : memref<256xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %next = arith.shrui %half, %c1 : index
      scf.yield %next : index
    }
    %is_first = arith.cmpi eq, %thread, %c0 : index
    scf.if %is_first {
      %total = memref.load %partial[%c0] : memref<256xf32, #gpu.address_space<workgroup>>
      memref.store %total, %out[%block] : memref<?xf32>
    }
    gpu.return
  }
}
