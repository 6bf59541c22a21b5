// Bytes of LDS and of global memory as numbers: of one size, of two that share the memory, and as bytes.
gpu.module @m {
  gpu.func @bytes(%x: memref<?xi32>, %raw: memref<?xi8>, %out: memref<?x8xi32>, %far: memref<?xi8>)
      workgroup(%tile: memref<512xi8, 3>, %mixed: memref<512xi8, 3>,
                %pairs16: memref<512xi8, 3>) kernel {
    %i = gpu.thread_id x
    %g = gpu.global_id x
    %c0 = arith.constant 0 : index
    %sixteen = arith.constant 16 : i64
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %c63 = arith.constant 63 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    // Two views of one buffer, floats and integers of 32 bits, next to each other.
    %ints = memref.view %tile[%c0][] : memref<512xi8, 3> to memref<64xi32, 3>
    %floats = memref.view %tile[%c256][%c8] : memref<512xi8, 3> to memref<?x8xf32, 3>
    %v = memref.load %x[%g] : memref<?xi32>
    memref.store %v, %ints[%i] : memref<64xi32, 3>
    %row = arith.divui %i, %c8 : index
    %column = arith.remui %i, %c8 : index
    %f = arith.sitofp %v : i32 to f32
    memref.store %f, %floats[%row, %column] : memref<?x8xf32, 3>
    // Words, halves and bytes of the same memory.
    %words = memref.view %mixed[%c0][] : memref<512xi8, 3> to memref<64xi64, 3>
    %halves = memref.view %mixed[%c0][] : memref<512xi8, 3> to memref<256xf16, 3>
    %wide = arith.extsi %v : i32 to i64
    memref.store %wide, %words[%i] : memref<64xi64, 3>
    // Words of 64 bits and integers of 16.
    %words16 = memref.view %pairs16[%c0][] : memref<512xi8, 3> to memref<64xi64, 3>
    %shorts = memref.view %pairs16[%c0][] : memref<512xi8, 3> to memref<256xi16, 3>
    memref.store %wide, %words16[%i] : memref<64xi64, 3>
    %back = memref.load %words16[%i] : memref<64xi64, 3>
    %short_place = arith.muli %i, %c4 : index
    %short_next = arith.addi %short_place, %c1 : index
    %short = memref.load %shorts[%short_next] : memref<256xi16, 3>
    %short_wide = arith.extsi %short : i16 to i32
    %back_high = arith.shrsi %back, %sixteen : i64
    %back_low = arith.trunci %back_high : i64 to i32
    %both = arith.muli %back_low, %short_wide : i32
    gpu.barrier
    %other = arith.subi %c63, %i : index
    %a = memref.load %ints[%other] : memref<64xi32, 3>
    %orow = arith.divui %other, %c8 : index
    %ocolumn = arith.remui %other, %c8 : index
    %b = memref.load %floats[%orow, %ocolumn] : memref<?x8xf32, 3>
    %bi = arith.fptosi %b : f32 to i32
    %k = arith.muli %other, %c4 : index
    %h = memref.load %halves[%k] : memref<256xf16, 3>
    %hbits = arith.bitcast %h : f16 to i16
    %hw = arith.extui %hbits : i16 to i32
    %byte = arith.muli %other, %c8 : index
    %second = arith.addi %byte, %c1 : index
    %y = memref.load %mixed[%second] : memref<512xi8, 3>
    %yw = arith.extui %y : i8 to i32
    memref.store %a, %out[%g, %c0] : memref<?x8xi32>
    memref.store %bi, %out[%g, %c1] : memref<?x8xi32>
    memref.store %hw, %out[%g, %c2] : memref<?x8xi32>
    %yb = arith.addi %yw, %both : i32
    memref.store %yb, %out[%g, %c3] : memref<?x8xi32>
    // Global bytes: an argument that is read as vectors of numbers, from a byte that the launch knows.
    %bytes = gpu.block_id x
    %shift = arith.muli %bytes, %c64 : index
    %pairs = memref.view %raw[%shift][%c8] : memref<?xi8> to memref<?xvector<2xi32>>
    %p = memref.load %pairs[%column] : memref<?xvector<2xi32>>
    %p0 = vector.extract %p[0] : i32 from vector<2xi32>
    %p1 = vector.extract %p[1] : i32 from vector<2xi32>
    memref.store %p0, %out[%g, %c4] : memref<?x8xi32>
    memref.store %p1, %out[%g, %c5] : memref<?x8xi32>
    // One that is read as bytes and as words.
    %own = memref.view %far[%c4][%c64] : memref<?xi8> to memref<?xi32>
    %q = memref.load %own[%i] : memref<?xi32>
    %r = memref.load %far[%g] : memref<?xi8>
    %rw = arith.extsi %r : i8 to i32
    memref.store %q, %out[%g, %c6] : memref<?x8xi32>
    memref.store %rw, %out[%g, %c7] : memref<?x8xi32>
    gpu.return
  }
}
