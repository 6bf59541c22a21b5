// mlir-opt-22 --convert-scf-to-cf --canonicalize examples/relu.mlir
module {
  gpu.module @relu {
    gpu.func @relu(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: f32, %arg3: i32) kernel {
      %cst = arith.constant 0.000000e+00 : f32
      %global_id_x = gpu.global_id  x
      %0 = arith.index_cast %arg3 : i32 to index
      %1 = arith.cmpi slt, %global_id_x, %0 : index
      cf.cond_br %1, ^bb1, ^bb2
    ^bb1:  // pred: ^bb0
      %2 = memref.load %arg0[%global_id_x] : memref<?xf32>
      %3 = arith.cmpf ogt, %2, %cst : f32
      %4 = arith.mulf %2, %arg2 : f32
      %5 = arith.select %3, %2, %4 : f32
      memref.store %5, %arg1[%global_id_x] : memref<?xf32>
      cf.br ^bb2
    ^bb2:  // 2 preds: ^bb0, ^bb1
      gpu.return
    }
  }
}

