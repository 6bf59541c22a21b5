// mlir-opt-22 --canonicalize --sccp tests/mlir/kernels/blocks.mlir
module {
  gpu.module @m {
    gpu.func @blocks(%arg0: memref<?xi32>, %arg1: memref<?xi32>, %arg2: i32) kernel {
      %c20_i32 = arith.constant 20 : i32
      %c7_i32 = arith.constant 7 : i32
      %c3_i32 = arith.constant 3 : i32
      %c1_i32 = arith.constant 1 : i32
      %c0_i32 = arith.constant 0 : i32
      %global_id_x = gpu.global_id  x
      %0 = arith.index_cast %global_id_x : index to i32
      %1 = arith.cmpi sge, %0, %arg2 : i32
      cf.cond_br %1, ^bb8, ^bb1
    ^bb1:  // pred: ^bb0
      %2 = memref.load %arg0[%global_id_x] : memref<?xi32>
      cf.br ^bb2(%2, %c0_i32 : i32, i32)
    ^bb2(%3: i32, %4: i32):  // 2 preds: ^bb1, ^bb3
      %5 = arith.cmpi eq, %4, %c20_i32 : i32
      cf.cond_br %5, ^bb5(%3 : i32), ^bb3
    ^bb3:  // pred: ^bb2
      %6 = arith.muli %3, %c3_i32 : i32
      %7 = arith.andi %6, %c7_i32 : i32
      %8 = arith.cmpi eq, %7, %c7_i32 : i32
      %9 = arith.addi %6, %c1_i32 : i32
      %10 = arith.addi %4, %c1_i32 : i32
      cf.cond_br %8, ^bb4, ^bb2(%9, %10 : i32, i32)
    ^bb4:  // pred: ^bb3
      %11 = arith.addi %6, %4 : i32
      cf.br ^bb5(%11 : i32)
    ^bb5(%12: i32):  // 2 preds: ^bb2, ^bb4
      %13 = arith.andi %12, %c3_i32 : i32
      cf.switch %13 : i32, [
        default: ^bb7(%12 : i32),
        0: ^bb7(%4 : i32),
        1: ^bb6
      ]
    ^bb6:  // pred: ^bb5
      %14 = arith.cmpi slt, %12, %c0_i32 : i32
      cf.cond_br %14, ^bb7(%c1_i32 : i32), ^bb7(%13 : i32)
    ^bb7(%15: i32):  // 4 preds: ^bb5, ^bb5, ^bb6, ^bb6
      memref.store %15, %arg1[%global_id_x] : memref<?xi32>
      cf.br ^bb8
    ^bb8:  // 2 preds: ^bb0, ^bb7
      gpu.return
    }
  }
}

