// mlir-opt-22 --lower-affine --convert-scf-to-cf tests/mlir/foreign/sources/stencil.mlir
module {
  func.func @stencil(%arg0: memref<66xf32>, %arg1: memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    cf.br ^bb1(%c0 : index)
  ^bb1(%0: index):  // 2 preds: ^bb0, ^bb5
    %1 = arith.cmpi slt, %0, %c8 : index
    cf.cond_br %1, ^bb2, ^bb6
  ^bb2:  // pred: ^bb1
    %c0_0 = arith.constant 0 : index
    %c8_1 = arith.constant 8 : index
    %c1_2 = arith.constant 1 : index
    cf.br ^bb3(%c0_0 : index)
  ^bb3(%2: index):  // 2 preds: ^bb2, ^bb4
    %3 = arith.cmpi slt, %2, %c8_1 : index
    cf.cond_br %3, ^bb4, ^bb5
  ^bb4:  // pred: ^bb3
    %c8_3 = arith.constant 8 : index
    %4 = arith.muli %0, %c8_3 overflow<nsw> : index
    %5 = arith.addi %4, %2 : index
    %6 = memref.load %arg0[%5] : memref<66xf32>
    %c8_4 = arith.constant 8 : index
    %7 = arith.muli %0, %c8_4 overflow<nsw> : index
    %8 = arith.addi %7, %2 : index
    %c2 = arith.constant 2 : index
    %9 = arith.addi %8, %c2 : index
    %10 = memref.load %arg0[%9] : memref<66xf32>
    %11 = arith.addf %6, %10 : f32
    %c8_5 = arith.constant 8 : index
    %12 = arith.muli %0, %c8_5 overflow<nsw> : index
    %13 = arith.addi %12, %2 : index
    memref.store %11, %arg1[%13] : memref<64xf32>
    %14 = arith.addi %2, %c1_2 : index
    cf.br ^bb3(%14 : index)
  ^bb5:  // pred: ^bb3
    %15 = arith.addi %0, %c1 : index
    cf.br ^bb1(%15 : index)
  ^bb6:  // pred: ^bb1
    return
  }
}

