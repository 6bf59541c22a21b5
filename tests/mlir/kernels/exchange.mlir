// Shuffles of every mode, over whole waves and groups of 8 lanes, and rotations.
gpu.module @m {
  gpu.func @shuffles(%in: memref<?xi32>, %out: memref<?x8xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %three = arith.constant 3 : i32
    %eight = arith.constant 8 : i32
    %wave = arith.constant 32 : i32
    %i = gpu.global_id x
    %v = memref.load %in[%i] : memref<?xi32>
    %a, %pa = gpu.shuffle xor %v, %three, %eight : i32
    %b, %pb = gpu.shuffle up %v, %three, %eight : i32
    %c, %pc = gpu.shuffle down %v, %three, %eight : i32
    %d, %pd = gpu.shuffle idx %v, %three, %eight : i32
    %e, %pe = gpu.shuffle xor %v, %three, %wave : i32
    %f, %pf = gpu.shuffle down %v, %three, %wave : i32
    %vb = arith.extui %pb : i1 to i32
    %vc = arith.extui %pc : i1 to i32
    memref.store %a, %out[%i, %c0] : memref<?x8xi32>
    memref.store %b, %out[%i, %c1] : memref<?x8xi32>
    memref.store %c, %out[%i, %c2] : memref<?x8xi32>
    memref.store %d, %out[%i, %c3] : memref<?x8xi32>
    memref.store %e, %out[%i, %c4] : memref<?x8xi32>
    memref.store %f, %out[%i, %c5] : memref<?x8xi32>
    memref.store %vb, %out[%i, %c6] : memref<?x8xi32>
    memref.store %vc, %out[%i, %c7] : memref<?x8xi32>
    gpu.return
  }
}
