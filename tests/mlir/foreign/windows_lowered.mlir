// mlir-opt-22 --lower-affine --convert-scf-to-cf --canonicalize tests/mlir/kernels/windows.mlir
module {
  gpu.module @m {
    gpu.func @windows(%arg0: memref<40xi32>, %arg1: memref<40xi32>) kernel {
      %c1 = arith.constant 1 : index
      %c40 = arith.constant 40 : index
      %c3 = arith.constant 3 : index
      %c0 = arith.constant 0 : index
      %c-2 = arith.constant -2 : index
      %thread_id_x = gpu.thread_id  x
      %0 = arith.addi %thread_id_x, %c-2 : index
      %1 = arith.maxsi %0, %c0 : index
      %2 = arith.addi %thread_id_x, %c3 : index
      %3 = arith.minsi %2, %c40 : index
      %4 = memref.load %arg0[%thread_id_x] : memref<40xi32>
      cf.br ^bb1(%1, %4 : index, i32)
    ^bb1(%5: index, %6: i32):  // 2 preds: ^bb0, ^bb2
      %7 = arith.cmpi slt, %5, %3 : index
      cf.cond_br %7, ^bb2, ^bb3
    ^bb2:  // pred: ^bb1
      %8 = memref.load %arg0[%5] : memref<40xi32>
      %9 = arith.maxsi %6, %8 : i32
      %10 = arith.addi %5, %c1 : index
      cf.br ^bb1(%10, %9 : index, i32)
    ^bb3:  // pred: ^bb1
      %11 = arith.subi %3, %1 : index
      %12 = arith.index_cast %11 : index to i32
      %13 = arith.addi %6, %12 : i32
      memref.store %13, %arg1[%thread_id_x] : memref<40xi32>
      gpu.return
    }
  }
}

