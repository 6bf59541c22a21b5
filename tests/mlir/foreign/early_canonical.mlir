// mlir-opt-22 --canonicalize --cse tests/mlir/kernels/early.mlir
module {
  gpu.module @m {
    func.func @first_power(%arg0: i32) -> i32 {
      %c1_i32 = arith.constant 1 : i32
      %c2_i32 = arith.constant 2 : i32
      %c1000_i32 = arith.constant 1000 : i32
      cf.br ^bb1(%c1_i32 : i32)
    ^bb1(%0: i32):  // 2 preds: ^bb0, ^bb3
      %1 = arith.cmpi uge, %0, %arg0 : i32
      cf.cond_br %1, ^bb2, ^bb3
    ^bb2:  // pred: ^bb1
      return %0 : i32
    ^bb3:  // pred: ^bb1
      %2 = arith.muli %0, %c2_i32 : i32
      %3 = arith.cmpi ugt, %2, %c1000_i32 : i32
      cf.cond_br %3, ^bb4, ^bb1(%2 : i32)
    ^bb4:  // pred: ^bb3
      return %arg0 : i32
    }
    gpu.func @early(%arg0: memref<?xi32>, %arg1: memref<?xi32>) kernel {
      %global_id_x = gpu.global_id  x
      %0 = memref.load %arg0[%global_id_x] : memref<?xi32>
      %1 = func.call @first_power(%0) : (i32) -> i32
      memref.store %1, %arg1[%global_id_x] : memref<?xi32>
      gpu.return
    }
  }
}

