// A gpu.launch in loops: each takes a tile of a matrix, whose offset only the host knows, and its transpose's.
func.func @transpose(%in: memref<?x48xi32>, %out: memref<48x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c48 = arith.constant 48 : index
  %rows = memref.dim %in, %c0 : memref<?x48xi32>
  scf.for %r = %c0 to %rows step %c16 {
    scf.for %c = %c0 to %c48 step %c16 {
      %a = memref.subview %in[%r, %c] [16, 16] [1, 1] : memref<?x48xi32> to memref<16x16xi32, strided<[48, 1], offset: ?>>
      %b = memref.subview %out[%c, %r] [16, 16] [1, 1] : memref<48x?xi32> to memref<16x16xi32, strided<[?, 1], offset: ?>>
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
                 threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c16, %sz = %c1) {
        %v = memref.load %a[%ty, %tx] : memref<16x16xi32, strided<[48, 1], offset: ?>>
        memref.store %v, %b[%tx, %ty] : memref<16x16xi32, strided<[?, 1], offset: ?>>
        gpu.terminator
      }
    }
  }
  return
}
