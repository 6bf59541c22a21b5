// Parallel loops with reductions, the digits of numbers, and what memrefs say of themselves.
gpu.module @m {
  gpu.func @parallel(%x: memref<?x6xi32>, %y: memref<?x6xf32>, %n: index, %out: memref<?x12xi32>, %sums: memref<?x4xf32>) kernel {
    %i = gpu.global_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %c9 = arith.constant 9 : index
    %c10 = arith.constant 10 : index
    %c11 = arith.constant 11 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    // affine.parallel with two axes, a step, bounds of several numbers, and every kind of reduction of integers.
    %sum, %most, %least = affine.parallel (%a, %b) = (0, max(0, 1)) to (min(%n, 5), 6) step (1, 2)
        reduce ("addi", "maxs", "minu") -> (i32, i32, i32) {
      %v = affine.load %x[%a, %b] : memref<?x6xi32>
      %m = arith.index_cast %i : index to i32
      %w = arith.xori %v, %m : i32
      affine.yield %w, %w, %w : i32, i32, i32
    }
    memref.store %sum, %out[%i, %c0] : memref<?x12xi32>
    memref.store %most, %out[%i, %c1] : memref<?x12xi32>
    memref.store %least, %out[%i, %c2] : memref<?x12xi32>
    %product, %high = affine.parallel (%a) = (0) to (4) reduce ("mulf", "maximumf") -> (f32, f32) {
      %v = affine.load %y[%a, 3] : memref<?x6xf32>
      affine.yield %v, %v : f32, f32
    }
    memref.store %product, %sums[%i, %c0] : memref<?x4xf32>
    memref.store %high, %sums[%i, %c1] : memref<?x4xf32>
    // scf.parallel with two reductions, one of which is no sum.
    %total, %last = scf.parallel (%a, %b) = (%c0, %c1) to (%n, %c6) step (%c1, %c2) init (%zero, %zero) -> (i32, i32) {
      %v = memref.load %x[%a, %b] : memref<?x6xi32>
      scf.reduce(%v, %v : i32, i32) {
      ^bb0(%l: i32, %r: i32):
        %s = arith.addi %l, %r : i32
        scf.reduce.return %s : i32
      }, {
      ^bb0(%l: i32, %r: i32):
        %d = arith.shli %l, %one : i32
        %s = arith.xori %d, %r : i32
        scf.reduce.return %s : i32
      }
    }
    memref.store %total, %out[%i, %c3] : memref<?x12xi32>
    memref.store %last, %out[%i, %c4] : memref<?x12xi32>
    // Digits: with and without an outer bound, and of a basis that the launch says.
    %d:3 = affine.delinearize_index %i into (3, 5, 4) : index, index, index
    %e:2 = affine.delinearize_index %i into (%n) : index, index
    %l = affine.linearize_index [%d#2, %e#1, %d#0] by (4, 5, 3) : index
    %m = affine.linearize_index [%e#0, %e#1] by (%n) : index
    %f0 = arith.index_cast %d#0 : index to i32
    %f1 = arith.index_cast %d#1 : index to i32
    %f2 = arith.index_cast %l : index to i32
    %f3 = arith.index_cast %m : index to i32
    memref.store %f0, %out[%i, %c5] : memref<?x12xi32>
    memref.store %f1, %out[%i, %c6] : memref<?x12xi32>
    memref.store %f2, %out[%i, %c7] : memref<?x12xi32>
    memref.store %f3, %out[%i, %c8] : memref<?x12xi32>
    // What a window says of itself, and its dims in another order.
    %window = memref.subview %x[%c1, 2] [2, 3] [1, 1] : memref<?x6xi32> to memref<2x3xi32, strided<[6, 1], offset: ?>>
    %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %window
      : memref<2x3xi32, strided<[6, 1], offset: ?>> -> memref<i32>, index, index, index, index, index
    %again = memref.reinterpret_cast %base to offset: [%offset], sizes: [3, 2], strides: [1, %strides#0]
      : memref<i32> to memref<3x2xi32, strided<[1, ?], offset: ?>>
    %turned = memref.transpose %window (a, b) -> (b, a)
      : memref<2x3xi32, strided<[6, 1], offset: ?>> to memref<3x2xi32, strided<[1, 6], offset: ?>>
    %u = memref.load %again[%c2, %c1] : memref<3x2xi32, strided<[1, ?], offset: ?>>
    %v = memref.load %turned[%c1, %c1] : memref<3x2xi32, strided<[1, 6], offset: ?>>
    %rank = memref.rank %turned : memref<3x2xi32, strided<[1, 6], offset: ?>>
    %rank_word = arith.index_cast %rank : index to i32
    %uv = arith.subi %u, %v : i32
    %with_rank = arith.addi %uv, %rank_word : i32
    memref.store %with_rank, %out[%i, %c9] : memref<?x12xi32>
    // The lanes for which a condition holds.
    %own = memref.load %x[%d#1, %d#2] : memref<?x6xi32>
    %holds = arith.cmpi sgt, %own, %zero : i32
    %low = gpu.ballot %holds : i32
    %mask = gpu.ballot %holds : i64
    %wide32 = arith.constant 32 : i64
    %upper = arith.shrui %mask, %wide32 : i64
    %up = arith.trunci %upper : i64 to i32
    memref.store %low, %out[%i, %c10] : memref<?x12xi32>
    %difference, %borrow = arith.subui_extended %up, %own : i32, i1
    %taken = arith.extui %borrow : i1 to i32
    %both = arith.addi %difference, %taken : i32
    memref.store %both, %out[%i, %c11] : memref<?x12xi32>
    gpu.return
  }
}
