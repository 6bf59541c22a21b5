// Private memory that registers do not hold: of many elements, chosen by numbers that differ between lanes, as
// bytes, and of the LLVM dialect. What is in registers next to it stays there.
gpu.module @m {
  gpu.func @private(%x: memref<?xi32>, %n: i32, %out: memref<?x6xi32>) private(%own: memref<300xi32, 5>) kernel {
    %i = gpu.global_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c7 = arith.constant 7 : index
    %c10 = arith.constant 10 : index
    %c100 = arith.constant 100 : index
    %c300 = arith.constant 300 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %v = memref.load %x[%i] : memref<?xi32>
    // All of a large buffer is written in a loop, and read in another order.
    scf.for %k = %c0 to %c300 step %c1 {
      %kw = arith.index_cast %k : index to i32
      %p = arith.muli %kw, %v : i32
      memref.store %p, %own[%k] : memref<300xi32, 5>
    }
    %start = arith.remui %i, %c7 : index
    %sum = scf.for %k = %start to %c300 step %c10 iter_args(%s = %zero) -> (i32) {
      %p = memref.load %own[%k] : memref<300xi32, 5>
      %t = arith.addi %s, %p : i32
      scf.yield %t : i32
    }
    // 100 elements, one of which is chosen: scratch; and 4, which are registers.
    %some = memref.alloca() : memref<10x10xf32>
    %few = memref.alloca() : memref<4xi32>
    scf.for %r = %c0 to %c10 step %c1 {
      scf.for %c = %c0 to %c10 step %c1 {
        %place = arith.muli %r, %c : index
        %w = arith.index_cast %place : index to i32
        %f = arith.sitofp %w : i32 to f32
        memref.store %f, %some[%r, %c] : memref<10x10xf32>
      }
    }
    memref.store %v, %few[%c0] : memref<4xi32>
    memref.store %one, %few[%c1] : memref<4xi32>
    memref.store %n, %few[%c2] : memref<4xi32>
    %row = arith.remui %i, %c10 : index
    %is_odd = arith.remui %i, %c2 : index
    %odd = arith.cmpi eq, %is_odd, %c1 : index
    %g = scf.if %odd -> (f32) {
      %window = memref.subview %some[%row, 2] [1, 4] [1, 2] : memref<10x10xf32> to memref<4xf32, strided<[2], offset: ?>>
      %a = memref.load %window[%c3] : memref<4xf32, strided<[2], offset: ?>>
      memref.store %a, %some[%c0, %row] : memref<10x10xf32>
      scf.yield %a : f32
    } else {
      %vector = vector.load %some[%row, %c4] : memref<10x10xf32>, vector<4xf32>
      %a = vector.reduction <add>, %vector : vector<4xf32> into f32
      scf.yield %a : f32
    }
    %first = memref.load %some[%c0, %row] : memref<10x10xf32>
    %gi = arith.fptosi %g : f32 to i32
    %fi = arith.fptosi %first : f32 to i32
    %number = arith.remui %i, %c3 : index
    %chosen = memref.load %few[%number] : memref<4xi32>
    // Bytes that are numbers.
    %bytes = memref.alloca() : memref<64xi8>
    %halves = memref.view %bytes[%c0][] : memref<64xi8> to memref<32xi16>
    %words = memref.view %bytes[%c0][] : memref<64xi8> to memref<16xi32>
    memref.store %v, %words[%c2] : memref<16xi32>
    %half = memref.load %halves[%c5] : memref<32xi16>
    %wide = arith.extsi %half : i16 to i32
    // The LLVM dialect's: a struct whose fields are of two sizes.
    %stack = llvm.alloca %one x !llvm.array<20 x i64> : (i32) -> !llvm.ptr<5>
    %at = llvm.getelementptr %stack[0, %n] : (!llvm.ptr<5>, i32) -> !llvm.ptr<5>, !llvm.array<20 x i64>
    %long = llvm.sext %v : i32 to i64
    llvm.store %long, %at : i64, !llvm.ptr<5>
    %high = llvm.getelementptr %at[1] : (!llvm.ptr<5>) -> !llvm.ptr<5>, i32
    %sign = llvm.load %high : !llvm.ptr<5> -> i32
    memref.store %sum, %out[%i, %c0] : memref<?x6xi32>
    memref.store %gi, %out[%i, %c1] : memref<?x6xi32>
    memref.store %fi, %out[%i, %c2] : memref<?x6xi32>
    memref.store %chosen, %out[%i, %c3] : memref<?x6xi32>
    memref.store %wide, %out[%i, %c4] : memref<?x6xi32>
    memref.store %sign, %out[%i, %c5] : memref<?x6xi32>
    gpu.return
  }
}
