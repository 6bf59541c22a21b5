// A space that each lane goes through by itself.
gpu.module @m {
  gpu.func @space(%in: memref<8x8xi32>, %out: memref<?x8xi32>, %n: i32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %i = gpu.global_id x
    %size = arith.index_castui %n : i32 to index
    scf.parallel (%j, %k) = (%c0, %c1) to (%size, %c8) step (%c1, %c2) {
      %v = memref.load %in[%j, %k] : memref<8x8xi32>
      %old = memref.load %out[%i, %k] : memref<?x8xi32>
      %sum = arith.addi %v, %old : i32
      memref.store %sum, %out[%i, %k] : memref<?x8xi32>
      scf.reduce
    }
    gpu.return
  }
}
