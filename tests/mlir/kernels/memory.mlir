// Views of memory, a global in LDS, and private memory.
gpu.module @m {
  memref.global "private" @own : memref<4x8xi32, 3>
  gpu.func @memory(%in: memref<32xi32>, %out: memref<?x4xi32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %i = gpu.thread_id x
    %aligned = memref.assume_alignment %in, 16 : memref<32xi32>
    %table = memref.expand_shape %aligned [[0, 1]] output_shape [4, 8] : memref<32xi32> into memref<4x8xi32>
    %any = memref.cast %table : memref<4x8xi32> to memref<?x?xi32>
    %row = arith.divui %i, %c8 : index
    %column = arith.remui %i, %c8 : index
    %a = memref.load %any[%row, %column] : memref<?x?xi32>
    %own = memref.get_global @own : memref<4x8xi32, 3>
    memref.store %a, %own[%row, %column] : memref<4x8xi32, 3>
    gpu.barrier
    %turned = memref.reinterpret_cast %own to offset: [0], sizes: [8, 4], strides: [1, 8]
        : memref<4x8xi32, 3> to memref<8x4xi32, strided<[1, 8]>, 3>
    %turned_row = arith.divui %i, %c4 : index
    %turned_column = arith.remui %i, %c4 : index
    %b = memref.load %turned[%turned_row, %turned_column] : memref<8x4xi32, strided<[1, 8]>, 3>
    %generic = memref.memory_space_cast %own : memref<4x8xi32, 3> to memref<4x8xi32>
    %c = memref.load %generic[%turned_column, %turned_row] : memref<4x8xi32>
    %private = memref.alloca() : memref<4xi32>
    memref.store %a, %private[%c0] : memref<4xi32>
    memref.store %b, %private[%c1] : memref<4xi32>
    memref.store %c, %private[%c2] : memref<4xi32>
    %sum = arith.addi %a, %b : i32
    memref.store %sum, %private[%c3] : memref<4xi32>
    %d = memref.load %private[%turned_column] : memref<4xi32>
    memref.store %a, %out[%i, %c0] : memref<?x4xi32>
    memref.store %b, %out[%i, %c1] : memref<?x4xi32>
    memref.store %c, %out[%i, %c2] : memref<?x4xi32>
    memref.store %d, %out[%i, %c3] : memref<?x4xi32>
    %scratch = memref.alloc() : memref<32xi32, 3>
    memref.store %d, %scratch[%i] : memref<32xi32, 3>
    memref.dealloc %scratch : memref<32xi32, 3>
    gpu.return
  }
}
