// mlir-opt-22 '--pass-pipeline=builtin.module(func.func(convert-linalg-to-parallel-loops,gpu-map-parallel-loops),convert-parallel-loops-to-gpu,lower-affine)' tests/mlir/foreign/sources/scale.mlir
module {
  func.func @scale(%arg0: memref<64x32xf32>, %arg1: memref<64x32xf32>, %arg2: memref<64x32xf32>) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c1_0 = arith.constant 1 : index
    %c64_1 = arith.constant 64 : index
    %c32_2 = arith.constant 32 : index
    gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %c64_1, %arg10 = %c32_2, %arg11 = %c1_0) threads(%arg6, %arg7, %arg8) in (%arg12 = %c1_0, %arg13 = %c1_0, %arg14 = %c1_0) {
      %0 = arith.muli %arg3, %c1 overflow<nsw> : index
      %1 = arith.addi %0, %c0 : index
      %2 = arith.muli %arg4, %c1 overflow<nsw> : index
      %3 = arith.addi %2, %c0 : index
      %4 = memref.load %arg0[%1, %3] : memref<64x32xf32>
      %5 = memref.load %arg1[%1, %3] : memref<64x32xf32>
      %6 = arith.addf %4, %5 : f32
      %7 = arith.mulf %6, %4 : f32
      memref.store %7, %arg2[%1, %3] : memref<64x32xf32>
      gpu.terminator
    } {SCFToGPU_visited}
    return
  }
}

