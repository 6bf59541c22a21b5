// mlir-opt-22 --convert-scf-to-cf --canonicalize examples/diverge.mlir
module {
  gpu.module @diverge {
    gpu.func @diverge(%arg0: memref<?xi32>, %arg1: memref<?xi32>, %arg2: i32) kernel {
      %c0_i32 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %c2_i32 = arith.constant 2 : i32
      %c3_i32 = arith.constant 3 : i32
      %global_id_x = gpu.global_id  x
      %0 = arith.index_cast %arg2 : i32 to index
      %1 = arith.cmpi slt, %global_id_x, %0 : index
      cf.cond_br %1, ^bb1, ^bb9
    ^bb1:  // pred: ^bb0
      %2 = memref.load %arg0[%global_id_x] : memref<?xi32>
      %3 = arith.remui %2, %c3_i32 : i32
      %4 = arith.cmpi eq, %3, %c0_i32 : i32
      cf.cond_br %4, ^bb2, ^bb3(%2, %c0_i32 : i32, i32)
    ^bb2:  // pred: ^bb1
      %5 = arith.divui %2, %c3_i32 : i32
      cf.br ^bb8(%5 : i32)
    ^bb3(%6: i32, %7: i32):  // 2 preds: ^bb1, ^bb7
      %8 = arith.cmpi ugt, %6, %c1_i32 : i32
      cf.cond_br %8, ^bb4(%6, %7 : i32, i32), ^bb8(%7 : i32)
    ^bb4(%9: i32, %10: i32):  // pred: ^bb3
      %11 = arith.andi %9, %c1_i32 : i32
      %12 = arith.cmpi ne, %11, %c0_i32 : i32
      cf.cond_br %12, ^bb5, ^bb6
    ^bb5:  // pred: ^bb4
      %13 = arith.muli %9, %c3_i32 : i32
      %14 = arith.addi %13, %c1_i32 : i32
      cf.br ^bb7(%14 : i32)
    ^bb6:  // pred: ^bb4
      %15 = arith.divui %9, %c2_i32 : i32
      cf.br ^bb7(%15 : i32)
    ^bb7(%16: i32):  // 2 preds: ^bb5, ^bb6
      %17 = arith.addi %10, %c1_i32 : i32
      cf.br ^bb3(%16, %17 : i32, i32)
    ^bb8(%18: i32):  // 2 preds: ^bb2, ^bb3
      memref.store %18, %arg1[%global_id_x] : memref<?xi32>
      cf.br ^bb9
    ^bb9:  // 2 preds: ^bb0, ^bb8
      gpu.return
    }
  }
}

