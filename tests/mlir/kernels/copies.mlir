// Copies of whole buffers, scopes of private memory, hints, and vectors at affine places.
gpu.module @m {
  gpu.func @copies(%x: memref<?x4x8xf32>, %y: memref<?x4x8xf32>, %out: memref<?x8xf32>) kernel {
    %i = gpu.global_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %row = arith.remui %i, %c4 : index
    %a = memref.subview %x[%i, 0, 2] [1, 4, 3] [1, 1, 2]
      : memref<?x4x8xf32> to memref<4x3xf32, strided<[8, 2], offset: ?>>
    %b = memref.subview %y[%i, 0, 1] [1, 4, 3] [1, 1, 1]
      : memref<?x4x8xf32> to memref<4x3xf32, strided<[8, 1], offset: ?>>
    %p, %q = memref.distinct_objects %a, %b
      : memref<4x3xf32, strided<[8, 2], offset: ?>>, memref<4x3xf32, strided<[8, 1], offset: ?>>
    memref.prefetch %x[%i, %c0, %c1], read, locality<3>, data : memref<?x4x8xf32>
    affine.prefetch %x[%i, 0, 1], read, locality<3>, data : memref<?x4x8xf32>
    memref.copy %p, %q : memref<4x3xf32, strided<[8, 2], offset: ?>> to memref<4x3xf32, strided<[8, 1], offset: ?>>
    // A copy to private memory, whose scope gives a number of it.
    %sum = memref.alloca_scope -> (f32) {
      %own = memref.alloca() : memref<4x3xf32>
      memref.copy %a, %own : memref<4x3xf32, strided<[8, 2], offset: ?>> to memref<4x3xf32>
      %u = memref.load %own[%row, %c1] : memref<4x3xf32>
      %v = memref.load %own[%c1, %c0] : memref<4x3xf32>
      %s = arith.addf %u, %v : f32
      memref.alloca_scope.return %s : f32
    }
    %vector = affine.vector_load %x[%i, 3, 4] : memref<?x4x8xf32>, vector<4xf32>
    affine.vector_store %vector, %out[%i, 2 + 2] : memref<?x8xf32>, vector<4xf32>
    memref.store %sum, %out[%i, %c0] : memref<?x8xf32>
    gpu.return
  }
}
