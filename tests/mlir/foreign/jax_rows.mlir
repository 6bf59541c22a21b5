// python tests/mlir/foreign/sources/jax_functions.txt rows   # jax 0.10.2
module @jit_rows attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<48x20xf32>) -> (tensor<48xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<48x20xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<48x20xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<48x20xf32>, tensor<f32>) -> tensor<48xf32>
    return %2 : tensor<48xf32>
  }
}

