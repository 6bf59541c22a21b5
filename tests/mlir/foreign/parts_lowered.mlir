// mlir-opt-22 --canonicalize --cse --convert-vector-to-scf tests/mlir/kernels/parts.mlir
module {
  gpu.module @m {
    gpu.func @parts(%arg0: memref<?xf32>, %arg1: memref<?x4xf32>) kernel {
      %cst = arith.constant dense<5.000000e-01> : vector<4xf32>
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %cst_0 = arith.constant 0.000000e+00 : f32
      %cst_1 = arith.constant 5.000000e-01 : f32
      %global_id_x = gpu.global_id  x
      %0 = arith.muli %global_id_x, %c4 : index
      %1 = vector.transfer_read %arg0[%0], %cst_0 {in_bounds = [true]} : memref<?xf32>, vector<4xf32>
      %2:4 = vector.to_elements %1 : vector<4xf32>
      %3 = vector.from_elements %2#3, %2#1, %cst_1, %2#0 : vector<4xf32>
      %4 = arith.addf %3, %cst : vector<4xf32>
      vector.transfer_write %4, %arg1[%global_id_x, %c0] {in_bounds = [true]} : vector<4xf32>, memref<?x4xf32>
      gpu.return
    }
  }
}

