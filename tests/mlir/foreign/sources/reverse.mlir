// Tiles of 64 are turned around in LDS, and numbers above a bound become their root.
gpu.module @m {
  gpu.func @reverse(%x: memref<?xf32>, %y: memref<4x?xf32, strided<[?, 1], offset: ?>>, %bound: f32)
      workgroup(%w: memref<64xf32, 3>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %c63 = arith.constant 63 : index
    %c64 = arith.constant 64 : index
    %start = arith.muli %b, %c64 : index
    %g = arith.addi %start, %t : index
    %a = memref.load %x[%g] : memref<?xf32>
    memref.store %a, %w[%t] : memref<64xf32, 3>
    gpu.barrier
    %o = arith.subi %c63, %t : index
    %v = memref.load %w[%o] : memref<64xf32, 3>
    %big = arith.cmpf ogt, %v, %bound : f32
    cf.cond_br %big, ^root, ^store(%v : f32)
  ^root:
    %s = math.sqrt %v : f32
    %e = math.exp2 %s : f32
    %l = math.log2 %e : f32
    cf.br ^store(%l : f32)
  ^store(%z: f32):
    memref.store %z, %y[%b, %t] : memref<4x?xf32, strided<[?, 1], offset: ?>>
    gpu.return
  }
}
