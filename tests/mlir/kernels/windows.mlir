// Affine accesses: the largest of a window that ends at the edges.
gpu.module @m {
  gpu.func @windows(%in: memref<40xi32>, %out: memref<40xi32>) kernel {
    %i = gpu.thread_id x
    %start = affine.max affine_map<(d0) -> (d0 - 2, 0)>(%i)
    %stop = affine.min affine_map<(d0) -> (d0 + 3, 40)>(%i)
    %first = affine.load %in[symbol(%i)] : memref<40xi32>
    %c1 = arith.constant 1 : index
    %most = scf.for %j = %start to %stop step %c1 iter_args(%m = %first) -> (i32) {
      %v = memref.load %in[%j] : memref<40xi32>
      %larger = arith.maxsi %m, %v : i32
      scf.yield %larger : i32
    }
    %count = affine.apply affine_map<(d0, d1) -> (d1 - d0)>(%start, %stop)
    %number = arith.index_cast %count : index to i32
    %sum = arith.addi %most, %number : i32
    affine.store %sum, %out[symbol(%i)] : memref<40xi32>
    gpu.return
  }
}
