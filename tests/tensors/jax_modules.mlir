// What JAX 0.10.2 prints for 81 functions: jax.jit(FUNCTION).lower(...).as_text(), with a name for each module.
// tests/tensors/jax_functions.py has the inputs, and the results by numpy.
// softmax: jax.nn.softmax(x)
module @softmax {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<4x33xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<4xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x33xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x33xf32>
    %6 = stablehlo.exponential %5 : tensor<4x33xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<4x33xf32>, tensor<f32>) -> tensor<4xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x33xf32>
    %10 = stablehlo.divide %6, %9 : tensor<4x33xf32>
    return %10 : tensor<4x33xf32>
  }
}
// -----
// log_softmax: jax.nn.log_softmax(x)
module @log_softmax {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %0 = call @log_softmax(%arg0) : (tensor<4x33xf32>) -> tensor<4x33xf32>
    return %0 : tensor<4x33xf32>
  }
  func.func private @log_softmax(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<4x33xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<4xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x33xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x33xf32>
    %6 = stablehlo.exponential %5 : tensor<4x33xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<4x33xf32>, tensor<f32>) -> tensor<4xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %9 = stablehlo.log %8 : tensor<4x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x33xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<4x33xf32>
    return %11 : tensor<4x33xf32>
  }
}
// -----
// softmax_columns: jax.nn.softmax(x, axis=0)
module @softmax_columns {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [0] : (tensor<4x33xf32>, tensor<f32>) -> tensor<33xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<33xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<33xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<33xf32>) -> tensor<1x33xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x33xf32>) -> tensor<4x33xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x33xf32>
    %6 = stablehlo.exponential %5 : tensor<4x33xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<4x33xf32>, tensor<f32>) -> tensor<33xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1] : (tensor<33xf32>) -> tensor<1x33xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x33xf32>) -> tensor<4x33xf32>
    %10 = stablehlo.divide %6, %9 : tensor<4x33xf32>
    return %10 : tensor<4x33xf32>
  }
}
// -----
// logsumexp: jax.nn.logsumexp(x, axis=1)
module @logsumexp {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<4x33xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<4xf32>
    %3 = stablehlo.is_finite %2 : (tensor<4xf32>) -> tensor<4xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %5 = stablehlo.select %3, %2, %4 : tensor<4xi1>, tensor<4xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x33xf32>
    %8 = stablehlo.subtract %arg0, %7 : tensor<4x33xf32>
    %9 = stablehlo.exponential %8 : tensor<4x33xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<4x33xf32>, tensor<f32>) -> tensor<4xf32>
    %11 = stablehlo.abs %10 : tensor<4xf32>
    %12 = stablehlo.log %11 : tensor<4xf32>
    %13 = stablehlo.add %12, %5 : tensor<4xf32>
    return %13 : tensor<4xf32>
  }
}
// -----
// layer_norm: (x - x.mean(-1, keepdims=True)) * rsqrt(x.var(-1, keepdims=True) + 1e-5) * g + b
module @layer_norm {
  func.func public @main(%arg0: tensor<4x33xf32>, %arg1: tensor<33xf32>, %arg2: tensor<33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x33xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %cst_0 = stablehlo.constant dense<3.300000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4 = call @_var(%arg0, %c) : (tensor<4x33xf32>, tensor<i32>) -> tensor<4x1xf32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x33xf32>
    %6 = stablehlo.subtract %arg0, %5 : tensor<4x33xf32>
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %8 = stablehlo.add %4, %7 : tensor<4x1xf32>
    %9 = stablehlo.rsqrt %8 : tensor<4x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x33xf32>
    %11 = stablehlo.multiply %6, %10 : tensor<4x33xf32>
    %12 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<33xf32>) -> tensor<1x33xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<1x33xf32>) -> tensor<4x33xf32>
    %14 = stablehlo.multiply %11, %13 : tensor<4x33xf32>
    %15 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<33xf32>) -> tensor<1x33xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<1x33xf32>) -> tensor<4x33xf32>
    %17 = stablehlo.add %14, %16 : tensor<4x33xf32>
    return %17 : tensor<4x33xf32>
  }
  func.func private @_var(%arg0: tensor<4x33xf32>, %arg1: tensor<i32>) -> tensor<4x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x33xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %cst_0 = stablehlo.constant dense<3.300000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x33xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x33xf32>
    %6 = chlo.square %5 : tensor<4x33xf32> -> tensor<4x33xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<3.300000e+01> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<4x33xf32>, tensor<f32>) -> tensor<4xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %11 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<4x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = call @_where(%13, %12, %cst_4) : (tensor<i1>, tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
    return %14 : tensor<4x1xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<4x1xf32>, %arg2: tensor<f32>) -> tensor<4x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<4x1xf32>
    return %2 : tensor<4x1xf32>
  }
}
// -----
// rms_norm: x * rsqrt(mean(x * x, -1, keepdims=True) + 1e-6) * g
module @rms_norm {
  func.func public @main(%arg0: tensor<4x33xf32>, %arg1: tensor<33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<4x33xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x33xf32>, tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %cst_0 = stablehlo.constant dense<3.300000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<4x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %6 = stablehlo.add %4, %5 : tensor<4x1xf32>
    %7 = stablehlo.rsqrt %6 : tensor<4x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x33xf32>
    %9 = stablehlo.multiply %arg0, %8 : tensor<4x33xf32>
    %10 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<33xf32>) -> tensor<1x33xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x33xf32>) -> tensor<4x33xf32>
    %12 = stablehlo.multiply %9, %11 : tensor<4x33xf32>
    return %12 : tensor<4x33xf32>
  }
}
// -----
// standardize: jax.nn.standardize(x)
module @standardize {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %0 = call @standardize(%arg0) : (tensor<4x33xf32>) -> tensor<4x33xf32>
    return %0 : tensor<4x33xf32>
  }
  func.func private @standardize(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x33xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %cst_0 = stablehlo.constant dense<3.300000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x1xf32>
    %4 = chlo.square %arg0 : tensor<4x33xf32> -> tensor<4x33xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<4x33xf32>, tensor<f32>) -> tensor<4xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %cst_2 = stablehlo.constant dense<3.300000e+01> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %8 = stablehlo.divide %6, %7 : tensor<4x1xf32>
    %9 = chlo.square %3 : tensor<4x1xf32> -> tensor<4x1xf32>
    %10 = stablehlo.subtract %8, %9 : tensor<4x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %11 = call @clip(%10, %c) : (tensor<4x1xf32>, tensor<i32>) -> tensor<4x1xf32>
    %12 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x33xf32>
    %13 = stablehlo.subtract %arg0, %12 : tensor<4x33xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %15 = stablehlo.add %11, %14 : tensor<4x1xf32>
    %16 = stablehlo.rsqrt %15 : tensor<4x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x33xf32>
    %18 = stablehlo.multiply %13, %17 : tensor<4x33xf32>
    return %18 : tensor<4x33xf32>
  }
  func.func private @clip(%arg0: tensor<4x1xf32>, %arg1: tensor<i32>) -> tensor<4x1xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<4x1xf32>
    return %2 : tensor<4x1xf32>
  }
}
// -----
// cumsum: jnp.cumsum(x, 1)
module @cumsum {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %0 = call @cumsum(%arg0) : (tensor<4x33xf32>) -> tensor<4x33xf32>
    return %0 : tensor<4x33xf32>
  }
  func.func private @cumsum(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<4x33xf32>) -> tensor<4x33xf32>
    return %0 : tensor<4x33xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [32, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 33>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x33xf32>, tensor<f32>) -> tensor<4x33xf32>
    return %1 : tensor<4x33xf32>
  }
}
// -----
// cumprod: jnp.cumprod(x, 1)
module @cumprod {
  func.func public @main(%arg0: tensor<3x9xf32>) -> (tensor<3x9xf32> {jax.result_info = "result"}) {
    %0 = call @cumprod(%arg0) : (tensor<3x9xf32>) -> tensor<3x9xf32>
    return %0 : tensor<3x9xf32>
  }
  func.func private @cumprod(%arg0: tensor<3x9xf32>) -> tensor<3x9xf32> {
    %0 = call @cumprod_0(%arg0) : (tensor<3x9xf32>) -> tensor<3x9xf32>
    return %0 : tensor<3x9xf32>
  }
  func.func private @cumprod_0(%arg0: tensor<3x9xf32>) -> tensor<3x9xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [8, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 9>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.multiply %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<3x9xf32>, tensor<f32>) -> tensor<3x9xf32>
    return %0 : tensor<3x9xf32>
  }
}
// -----
// cummax: lax.cummax(x, axis=1)
module @cummax {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %0 = call @cummax(%arg0) : (tensor<4x33xf32>) -> tensor<4x33xf32>
    return %0 : tensor<4x33xf32>
  }
  func.func private @cummax(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [32, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 33>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x33xf32>, tensor<f32>) -> tensor<4x33xf32>
    return %1 : tensor<4x33xf32>
  }
}
// -----
// cumsum_reverse: lax.cumsum(x, axis=0, reverse=True)
module @cumsum_reverse {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %0 = call @cumsum(%arg0) : (tensor<4x33xf32>) -> tensor<4x33xf32>
    return %0 : tensor<4x33xf32>
  }
  func.func private @cumsum(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 3], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 4, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x33xf32>, tensor<f32>) -> tensor<4x33xf32>
    return %1 : tensor<4x33xf32>
  }
}
// -----
// argmax: jnp.argmax(x, 1)
module @argmax {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4xi32> {jax.result_info = "result"}) {
    %0 = call @argmax(%arg0) : (tensor<4x33xf32>) -> tensor<4xi32>
    return %0 : tensor<4xi32>
  }
  func.func private @argmax(%arg0: tensor<4x33xf32>) -> tensor<4xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<4x33xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<4x33xf32>, tensor<4x33xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<4xi32>
  }
}
// -----
// argmin_columns: jnp.argmin(x, 0)
module @argmin_columns {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<33xi32> {jax.result_info = "result"}) {
    %0 = call @argmin(%arg0) : (tensor<4x33xf32>) -> tensor<33xi32>
    return %0 : tensor<33xi32>
  }
  func.func private @argmin(%arg0: tensor<4x33xf32>) -> tensor<33xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<4x33xi32>
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [0] : (tensor<4x33xf32>, tensor<4x33xi32>, tensor<f32>, tensor<i32>) -> (tensor<33xf32>, tensor<33xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare LT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<33xi32>
  }
}
// -----
// one_hot: jax.nn.one_hot(i, 7)
module @one_hot {
  func.func public @main(%arg0: tensor<5xi32>) -> (tensor<5x7xf32> {jax.result_info = "result"}) {
    %0 = call @_one_hot(%arg0) : (tensor<5xi32>) -> tensor<5x7xf32>
    return %0 : tensor<5x7xf32>
  }
  func.func private @_one_hot(%arg0: tensor<5xi32>) -> tensor<5x7xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x7xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<5x1xi32>) -> tensor<5x7xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x7xi32>) -> tensor<5x7xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<5x7xi32>, tensor<5x7xi32>) -> tensor<5x7xi1>
    %5 = stablehlo.convert %4 : (tensor<5x7xi1>) -> tensor<5x7xf32>
    return %5 : tensor<5x7xf32>
  }
}
// -----
// take_along_axis: jnp.take_along_axis(x, i, 1)
module @take_along_axis {
  func.func public @main(%arg0: tensor<4x33xf32>, %arg1: tensor<4x3xi32>) -> (tensor<4x3xf32> {jax.result_info = "result"}) {
    %0 = call @take_along_axis(%arg0, %arg1) : (tensor<4x33xf32>, tensor<4x3xi32>) -> tensor<4x3xf32>
    return %0 : tensor<4x3xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<4x33xf32>, %arg1: tensor<4x3xi32>) -> tensor<4x3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x3xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4x3xi32>, tensor<4x3xi32>) -> tensor<4x3xi1>
    %c_0 = stablehlo.constant dense<33> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x3xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4x3xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<4x3xi1>, tensor<4x3xi32>
    %5 = stablehlo.reshape %4 : (tensor<4x3xi32>) -> tensor<4x3x1xi32>
    %c_1 = stablehlo.constant dense<32> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x3x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x3x1xi32>, tensor<4x3x1xi32>) -> tensor<4x3x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<4x3x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<4x3x1xi32>, tensor<4x3x1xi32>) -> tensor<4x3x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<4x3x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<4x3x1xi1>, tensor<i1>) -> tensor<4x3xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<4x33xf32>, tensor<4x3x1xi32>) -> tensor<4x3xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<4x3xi1>, tensor<4x3xf32>
    return %15 : tensor<4x3xf32>
  }
}
// -----
// take_rows: jnp.take(x, i, axis=0)
module @take_rows {
  func.func public @main(%arg0: tensor<9x5xf32>, %arg1: tensor<4xi32>) -> (tensor<4x5xf32> {jax.result_info = "result"}) {
    %0 = call @_take(%arg0, %arg1) : (tensor<9x5xf32>, tensor<4xi32>) -> tensor<4x5xf32>
    return %0 : tensor<4x5xf32>
  }
  func.func private @_take(%arg0: tensor<9x5xf32>, %arg1: tensor<4xi32>) -> tensor<4x5xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_0 = stablehlo.constant dense<9> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4xi32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %c_1 = stablehlo.constant dense<8> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<4x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<4x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [1] : (tensor<4x1xi1>, tensor<i1>) -> tensor<4xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 5>}> : (tensor<9x5xf32>, tensor<4x1xi32>) -> tensor<4x5xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<4xi1>) -> tensor<4x5xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<4x5xi1>, tensor<4x5xf32>
    return %16 : tensor<4x5xf32>
  }
  func.func private @_where(%arg0: tensor<4xi1>, %arg1: tensor<4xi32>, %arg2: tensor<4xi32>) -> tensor<4xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4xi1>, tensor<4xi32>
    return %0 : tensor<4xi32>
  }
}
// -----
// take_clip: jnp.take(x, i, axis=0, mode="clip")
module @take_clip {
  func.func public @main(%arg0: tensor<9x5xf32>, %arg1: tensor<4xi32>) -> (tensor<4x5xf32> {jax.result_info = "result"}) {
    %0 = call @_take(%arg0, %arg1) : (tensor<9x5xf32>, tensor<4xi32>) -> tensor<4x5xf32>
    return %0 : tensor<4x5xf32>
  }
  func.func private @_take(%arg0: tensor<9x5xf32>, %arg1: tensor<4xi32>) -> tensor<4x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 5>}> : (tensor<9x5xf32>, tensor<4x1xi32>) -> tensor<4x5xf32>
    return %1 : tensor<4x5xf32>
  }
}
// -----
// index_rows: x[i]
module @index_rows {
  func.func public @main(%arg0: tensor<9x5xf32>, %arg1: tensor<4xi32>) -> (tensor<4x5xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_0 = stablehlo.constant dense<9> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<4xi1>, tensor<4xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 5>}> : (tensor<9x5xf32>, tensor<4x1xi32>) -> tensor<4x5xf32>
    return %6 : tensor<4x5xf32>
  }
}
// -----
// where: jnp.where(x > 0, x, y)
module @where {
  func.func public @main(%arg0: tensor<4x33xf32>, %arg1: tensor<4x33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<4x33xf32>, tensor<4x33xf32>) -> tensor<4x33xi1>
    %2 = call @_where(%1, %arg0, %arg1) : (tensor<4x33xi1>, tensor<4x33xf32>, tensor<4x33xf32>) -> tensor<4x33xf32>
    return %2 : tensor<4x33xf32>
  }
  func.func private @_where(%arg0: tensor<4x33xi1>, %arg1: tensor<4x33xf32>, %arg2: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4x33xi1>, tensor<4x33xf32>
    return %0 : tensor<4x33xf32>
  }
}
// -----
// rope: concatenate([a * c - b * s, b * c + a * s], -1) of the halves of x
module @rope {
  func.func public @main(%arg0: tensor<2x6x8xf32>, %arg1: tensor<6x4xf32>, %arg2: tensor<6x4xf32>) -> (tensor<2x6x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:2, 0:6, 0:4] : (tensor<2x6x8xf32>) -> tensor<2x6x4xf32>
    %1 = stablehlo.slice %arg0 [0:2, 0:6, 4:8] : (tensor<2x6x8xf32>) -> tensor<2x6x4xf32>
    %2 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<6x4xf32>) -> tensor<1x6x4xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<1x6x4xf32>) -> tensor<2x6x4xf32>
    %4 = stablehlo.multiply %0, %3 : tensor<2x6x4xf32>
    %5 = stablehlo.broadcast_in_dim %arg2, dims = [1, 2] : (tensor<6x4xf32>) -> tensor<1x6x4xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<1x6x4xf32>) -> tensor<2x6x4xf32>
    %7 = stablehlo.multiply %1, %6 : tensor<2x6x4xf32>
    %8 = stablehlo.subtract %4, %7 : tensor<2x6x4xf32>
    %9 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<6x4xf32>) -> tensor<1x6x4xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<1x6x4xf32>) -> tensor<2x6x4xf32>
    %11 = stablehlo.multiply %1, %10 : tensor<2x6x4xf32>
    %12 = stablehlo.broadcast_in_dim %arg2, dims = [1, 2] : (tensor<6x4xf32>) -> tensor<1x6x4xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<1x6x4xf32>) -> tensor<2x6x4xf32>
    %14 = stablehlo.multiply %0, %13 : tensor<2x6x4xf32>
    %15 = stablehlo.add %11, %14 : tensor<2x6x4xf32>
    %16 = stablehlo.concatenate %8, %15, dim = 2 : (tensor<2x6x4xf32>, tensor<2x6x4xf32>) -> tensor<2x6x8xf32>
    return %16 : tensor<2x6x8xf32>
  }
}
// -----
// swiglu: jax.nn.silu(g) * u
module @swiglu {
  func.func public @main(%arg0: tensor<4x33xf32>, %arg1: tensor<4x33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %0 = call @silu(%arg0) : (tensor<4x33xf32>) -> tensor<4x33xf32>
    %1 = stablehlo.multiply %0, %arg1 : tensor<4x33xf32>
    return %1 : tensor<4x33xf32>
  }
  func.func private @silu(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %0 = stablehlo.negate %arg0 : tensor<4x33xf32>
    %1 = stablehlo.exponential %0 : tensor<4x33xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %3 = stablehlo.add %2, %1 : tensor<4x33xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %5 = stablehlo.divide %4, %3 : tensor<4x33xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<4x33xf32>
    return %6 : tensor<4x33xf32>
  }
}
// -----
// gelu: jax.nn.gelu(x)
module @gelu {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<4x33xf32>
    %1 = stablehlo.multiply %0, %arg0 : tensor<4x33xf32>
    %cst = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<4x33xf32>
    %4 = stablehlo.add %arg0, %3 : tensor<4x33xf32>
    %cst_0 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %6 = stablehlo.multiply %5, %4 : tensor<4x33xf32>
    %7 = stablehlo.tanh %6 : tensor<4x33xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %9 = stablehlo.add %8, %7 : tensor<4x33xf32>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %11 = stablehlo.multiply %10, %9 : tensor<4x33xf32>
    %12 = stablehlo.multiply %arg0, %11 : tensor<4x33xf32>
    return %12 : tensor<4x33xf32>
  }
}
// -----
// gelu_erf: jax.nn.gelu(x, approximate=False)
module @gelu_erf {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %1 = stablehlo.multiply %0, %arg0 : tensor<4x33xf32>
    %2 = stablehlo.negate %arg0 : tensor<4x33xf32>
    %cst_0 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<4x33xf32>
    %5 = chlo.erfc %4 : tensor<4x33xf32> -> tensor<4x33xf32>
    %6 = stablehlo.multiply %1, %5 : tensor<4x33xf32>
    return %6 : tensor<4x33xf32>
  }
}
// -----
// relu: jax.nn.relu(x)
module @relu {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %0 = call @relu(%arg0) : (tensor<4x33xf32>) -> tensor<4x33xf32>
    return %0 : tensor<4x33xf32>
  }
  func.func private @relu(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<4x33xf32>
    return %1 : tensor<4x33xf32>
  }
}
// -----
// relu6: jax.nn.relu6(x)
module @relu6 {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %0 = call @relu6(%arg0) : (tensor<4x33xf32>) -> tensor<4x33xf32>
    return %0 : tensor<4x33xf32>
  }
  func.func private @relu6(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<4x33xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %3 = stablehlo.minimum %1, %2 : tensor<4x33xf32>
    return %3 : tensor<4x33xf32>
  }
}
// -----
// elu: jax.nn.elu(x)
module @elu {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %0 = call @elu(%arg0) : (tensor<4x33xf32>) -> tensor<4x33xf32>
    return %0 : tensor<4x33xf32>
  }
  func.func private @elu(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<4x33xf32>, tensor<4x33xf32>) -> tensor<4x33xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %3 = stablehlo.compare GT, %arg0, %2, FLOAT : (tensor<4x33xf32>, tensor<4x33xf32>) -> tensor<4x33xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = call @_where(%3, %cst_1, %arg0) : (tensor<4x33xi1>, tensor<f32>, tensor<4x33xf32>) -> tensor<4x33xf32>
    %5 = stablehlo.exponential_minus_one %4 : tensor<4x33xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %7 = stablehlo.multiply %6, %5 : tensor<4x33xf32>
    %8 = call @_where_0(%1, %arg0, %7) : (tensor<4x33xi1>, tensor<4x33xf32>, tensor<4x33xf32>) -> tensor<4x33xf32>
    return %8 : tensor<4x33xf32>
  }
  func.func private @_where(%arg0: tensor<4x33xi1>, %arg1: tensor<f32>, %arg2: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<4x33xi1>, tensor<4x33xf32>
    return %2 : tensor<4x33xf32>
  }
  func.func private @_where_0(%arg0: tensor<4x33xi1>, %arg1: tensor<4x33xf32>, %arg2: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4x33xi1>, tensor<4x33xf32>
    return %0 : tensor<4x33xf32>
  }
}
// -----
// leaky_relu: jax.nn.leaky_relu(x)
module @leaky_relu {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %0 = call @leaky_relu(%arg0) : (tensor<4x33xf32>) -> tensor<4x33xf32>
    return %0 : tensor<4x33xf32>
  }
  func.func private @leaky_relu(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %1 = stablehlo.compare GE, %arg0, %0, FLOAT : (tensor<4x33xf32>, tensor<4x33xf32>) -> tensor<4x33xi1>
    %cst_0 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %3 = stablehlo.multiply %2, %arg0 : tensor<4x33xf32>
    %4 = call @_where(%1, %arg0, %3) : (tensor<4x33xi1>, tensor<4x33xf32>, tensor<4x33xf32>) -> tensor<4x33xf32>
    return %4 : tensor<4x33xf32>
  }
  func.func private @_where(%arg0: tensor<4x33xi1>, %arg1: tensor<4x33xf32>, %arg2: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4x33xi1>, tensor<4x33xf32>
    return %0 : tensor<4x33xf32>
  }
}
// -----
// softplus: jax.nn.softplus(x)
module @softplus {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %0 = call @softplus(%arg0) : (tensor<4x33xf32>) -> tensor<4x33xf32>
    return %0 : tensor<4x33xf32>
  }
  func.func private @softplus(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<4x33xf32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %3 = stablehlo.subtract %arg0, %2 : tensor<4x33xf32>
    %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<4x33xf32>, tensor<4x33xf32>) -> tensor<4x33xi1>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %6 = stablehlo.add %arg0, %5 : tensor<4x33xf32>
    %7 = stablehlo.abs %3 : tensor<4x33xf32>
    %8 = stablehlo.negate %7 : tensor<4x33xf32>
    %9 = stablehlo.exponential %8 : tensor<4x33xf32>
    %10 = stablehlo.log_plus_one %9 : tensor<4x33xf32>
    %11 = stablehlo.add %1, %10 : tensor<4x33xf32>
    %12 = stablehlo.select %4, %6, %11 : tensor<4x33xi1>, tensor<4x33xf32>
    return %12 : tensor<4x33xf32>
  }
}
// -----
// log_sigmoid: jax.nn.log_sigmoid(x)
module @log_sigmoid {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %0 = call @log_sigmoid(%arg0) : (tensor<4x33xf32>) -> tensor<4x33xf32>
    return %0 : tensor<4x33xf32>
  }
  func.func private @log_sigmoid(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %0 = stablehlo.negate %arg0 : tensor<4x33xf32>
    %1 = call @softplus(%0) : (tensor<4x33xf32>) -> tensor<4x33xf32>
    %2 = stablehlo.negate %1 : tensor<4x33xf32>
    return %2 : tensor<4x33xf32>
  }
  func.func private @softplus(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<4x33xf32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %3 = stablehlo.subtract %arg0, %2 : tensor<4x33xf32>
    %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<4x33xf32>, tensor<4x33xf32>) -> tensor<4x33xi1>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %6 = stablehlo.add %arg0, %5 : tensor<4x33xf32>
    %7 = stablehlo.abs %3 : tensor<4x33xf32>
    %8 = stablehlo.negate %7 : tensor<4x33xf32>
    %9 = stablehlo.exponential %8 : tensor<4x33xf32>
    %10 = stablehlo.log_plus_one %9 : tensor<4x33xf32>
    %11 = stablehlo.add %1, %10 : tensor<4x33xf32>
    %12 = stablehlo.select %4, %6, %11 : tensor<4x33xi1>, tensor<4x33xf32>
    return %12 : tensor<4x33xf32>
  }
}
// -----
// hard_swish: jax.nn.hard_swish(x)
module @hard_swish {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %0 = call @hard_silu(%arg0) : (tensor<4x33xf32>) -> tensor<4x33xf32>
    return %0 : tensor<4x33xf32>
  }
  func.func private @hard_silu(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %0 = call @hard_sigmoid(%arg0) : (tensor<4x33xf32>) -> tensor<4x33xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<4x33xf32>
    return %1 : tensor<4x33xf32>
  }
  func.func private @hard_sigmoid(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<4x33xf32>
    %2 = call @relu6(%1) : (tensor<4x33xf32>) -> tensor<4x33xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %4 = stablehlo.divide %2, %3 : tensor<4x33xf32>
    return %4 : tensor<4x33xf32>
  }
  func.func private @relu6(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<4x33xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %3 = stablehlo.minimum %1, %2 : tensor<4x33xf32>
    return %3 : tensor<4x33xf32>
  }
}
// -----
// mish: jax.nn.mish(x)
module @mish {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %0 = call @mish(%arg0) : (tensor<4x33xf32>) -> tensor<4x33xf32>
    return %0 : tensor<4x33xf32>
  }
  func.func private @mish(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %0 = call @softplus(%arg0) : (tensor<4x33xf32>) -> tensor<4x33xf32>
    %1 = stablehlo.tanh %0 : tensor<4x33xf32>
    %2 = stablehlo.multiply %arg0, %1 : tensor<4x33xf32>
    return %2 : tensor<4x33xf32>
  }
  func.func private @softplus(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<4x33xf32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %3 = stablehlo.subtract %arg0, %2 : tensor<4x33xf32>
    %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<4x33xf32>, tensor<4x33xf32>) -> tensor<4x33xi1>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %6 = stablehlo.add %arg0, %5 : tensor<4x33xf32>
    %7 = stablehlo.abs %3 : tensor<4x33xf32>
    %8 = stablehlo.negate %7 : tensor<4x33xf32>
    %9 = stablehlo.exponential %8 : tensor<4x33xf32>
    %10 = stablehlo.log_plus_one %9 : tensor<4x33xf32>
    %11 = stablehlo.add %1, %10 : tensor<4x33xf32>
    %12 = stablehlo.select %4, %6, %11 : tensor<4x33xi1>, tensor<4x33xf32>
    return %12 : tensor<4x33xf32>
  }
}
// -----
// glu: jax.nn.glu(x)
module @glu {
  func.func public @main(%arg0: tensor<4x34xf32>) -> (tensor<4x17xf32> {jax.result_info = "result"}) {
    %0 = call @glu(%arg0) : (tensor<4x34xf32>) -> tensor<4x17xf32>
    return %0 : tensor<4x17xf32>
  }
  func.func private @glu(%arg0: tensor<4x34xf32>) -> tensor<4x17xf32> {
    %0 = stablehlo.slice %arg0 [0:4, 0:17] : (tensor<4x34xf32>) -> tensor<4x17xf32>
    %1 = stablehlo.slice %arg0 [0:4, 17:34] : (tensor<4x34xf32>) -> tensor<4x17xf32>
    %2 = stablehlo.negate %1 : tensor<4x17xf32>
    %3 = stablehlo.exponential %2 : tensor<4x17xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x17xf32>
    %5 = stablehlo.add %4, %3 : tensor<4x17xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x17xf32>
    %7 = stablehlo.divide %6, %5 : tensor<4x17xf32>
    %8 = stablehlo.multiply %0, %7 : tensor<4x17xf32>
    return %8 : tensor<4x17xf32>
  }
}
// -----
// var: jnp.var(x, 1)
module @var {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = call @_var(%arg0, %c) : (tensor<4x33xf32>, tensor<i32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @_var(%arg0: tensor<4x33xf32>, %arg1: tensor<i32>) -> tensor<4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x33xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %cst_0 = stablehlo.constant dense<3.300000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x33xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x33xf32>
    %6 = chlo.square %5 : tensor<4x33xf32> -> tensor<4x33xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<3.300000e+01> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<4x33xf32>, tensor<f32>) -> tensor<4xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %11 = stablehlo.divide %9, %10 : tensor<4xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %13 = call @_where(%12, %11, %cst_4) : (tensor<i1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    return %13 : tensor<4xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<4xf32>, %arg2: tensor<f32>) -> tensor<4xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}
// -----
// std: jnp.std(x, 0)
module @std {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<33xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = call @_std(%arg0, %c) : (tensor<4x33xf32>, tensor<i32>) -> tensor<33xf32>
    return %0 : tensor<33xf32>
  }
  func.func private @_std(%arg0: tensor<4x33xf32>, %arg1: tensor<i32>) -> tensor<33xf32> {
    %0 = call @_var(%arg0, %arg1) : (tensor<4x33xf32>, tensor<i32>) -> tensor<33xf32>
    %1 = stablehlo.sqrt %0 : tensor<33xf32>
    return %1 : tensor<33xf32>
  }
  func.func private @_var(%arg0: tensor<4x33xf32>, %arg1: tensor<i32>) -> tensor<33xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4x33xf32>, tensor<f32>) -> tensor<33xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<33xf32>) -> tensor<1x33xf32>
    %cst_0 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x33xf32>
    %3 = stablehlo.divide %1, %2 : tensor<1x33xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x33xf32>) -> tensor<4x33xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x33xf32>
    %6 = chlo.square %5 : tensor<4x33xf32> -> tensor<4x33xf32>
    %7 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %8 = stablehlo.subtract %cst_1, %7 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<4x33xf32>, tensor<f32>) -> tensor<33xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<33xf32>
    %11 = stablehlo.divide %9, %10 : tensor<33xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.compare GT, %8, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %13 = call @_where(%12, %11, %cst_4) : (tensor<i1>, tensor<33xf32>, tensor<f32>) -> tensor<33xf32>
    return %13 : tensor<33xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<33xf32>, %arg2: tensor<f32>) -> tensor<33xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<33xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<33xf32>
    return %2 : tensor<33xf32>
  }
}
// -----
// mean_bf16: jnp.mean(x, 1) of bf16
module @mean_bf16 {
  func.func public @main(%arg0: tensor<4x33xbf16>) -> (tensor<4xbf16> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg0 : (tensor<4x33xbf16>) -> tensor<4x33xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x33xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_0 = stablehlo.constant dense<3.300000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4xf32>
    %4 = stablehlo.convert %3 : (tensor<4xf32>) -> tensor<4xbf16>
    return %4 : tensor<4xbf16>
  }
}
// -----
// norm: jnp.linalg.norm(x, axis=1)
module @norm {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4xf32> {jax.result_info = "result"}) {
    %0 = call @norm(%arg0) : (tensor<4x33xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @norm(%arg0: tensor<4x33xf32>) -> tensor<4xf32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<4x33xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x33xf32>, tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.sqrt %1 : tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}
// -----
// any_all: jnp.any(x > 1, 1), jnp.all(x > -3, 1)
module @any_all {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4xi1> {jax.result_info = "result[0]"}, tensor<4xi1> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<4x33xf32>, tensor<4x33xf32>) -> tensor<4x33xi1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %2 = stablehlo.reduce(%1 init: %c) applies stablehlo.or across dimensions = [1] : (tensor<4x33xi1>, tensor<i1>) -> tensor<4xi1>
    %cst_0 = stablehlo.constant dense<-3.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %4 = stablehlo.compare GT, %arg0, %3, FLOAT : (tensor<4x33xf32>, tensor<4x33xf32>) -> tensor<4x33xi1>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %5 = stablehlo.reduce(%4 init: %c_1) applies stablehlo.and across dimensions = [1] : (tensor<4x33xi1>, tensor<i1>) -> tensor<4xi1>
    return %2, %5 : tensor<4xi1>, tensor<4xi1>
  }
}
// -----
// count_nonzero: jnp.count_nonzero(x > 0, axis=1)
module @count_nonzero {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4xi32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<4x33xf32>, tensor<4x33xf32>) -> tensor<4x33xi1>
    %2 = call @count_nonzero(%1) : (tensor<4x33xi1>) -> tensor<4xi32>
    return %2 : tensor<4xi32>
  }
  func.func private @count_nonzero(%arg0: tensor<4x33xi1>) -> tensor<4xi32> {
    %c = stablehlo.constant dense<false> : tensor<i1>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<4x33xi1>
    %1 = stablehlo.compare NE, %arg0, %0, UNSIGNED : (tensor<4x33xi1>, tensor<4x33xi1>) -> tensor<4x33xi1>
    %2 = stablehlo.convert %1 : (tensor<4x33xi1>) -> tensor<4x33xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.reduce(%2 init: %c_0) applies stablehlo.add across dimensions = [1] : (tensor<4x33xi32>, tensor<i32>) -> tensor<4xi32>
    return %3 : tensor<4xi32>
  }
}
// -----
// clip: jnp.clip(x, -1, 1)
module @clip {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %0 = call @clip(%arg0, %c, %c_0) : (tensor<4x33xf32>, tensor<i32>, tensor<i32>) -> tensor<4x33xf32>
    return %0 : tensor<4x33xf32>
  }
  func.func private @clip(%arg0: tensor<4x33xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<4x33xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<4x33xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<4x33xf32>
    return %5 : tensor<4x33xf32>
  }
}
// -----
// roll: jnp.roll(x, 3, 1)
module @roll {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %0 = call @_roll_static(%arg0) : (tensor<4x33xf32>) -> tensor<4x33xf32>
    return %0 : tensor<4x33xf32>
  }
  func.func private @_roll_static(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %0 = stablehlo.slice %arg0 [0:4, 30:33] : (tensor<4x33xf32>) -> tensor<4x3xf32>
    %1 = stablehlo.slice %arg0 [0:4, 0:30] : (tensor<4x33xf32>) -> tensor<4x30xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<4x3xf32>, tensor<4x30xf32>) -> tensor<4x33xf32>
    return %2 : tensor<4x33xf32>
  }
}
// -----
// flip: jnp.flip(x, 1)
module @flip {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %0 = call @_flip(%arg0) : (tensor<4x33xf32>) -> tensor<4x33xf32>
    return %0 : tensor<4x33xf32>
  }
  func.func private @_flip(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %0 = stablehlo.reverse %arg0, dims = [1] : tensor<4x33xf32>
    return %0 : tensor<4x33xf32>
  }
}
// -----
// pad: jnp.pad(x, ((1, 2), (0, 3)))
module @pad {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<7x36xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = call @_pad(%arg0, %c) : (tensor<4x33xf32>, tensor<i32>) -> tensor<7x36xf32>
    return %0 : tensor<7x36xf32>
  }
  func.func private @_pad(%arg0: tensor<4x33xf32>, %arg1: tensor<i32>) -> tensor<7x36xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1, 0], high = [2, 3], interior = [0, 0] : (tensor<4x33xf32>, tensor<f32>) -> tensor<7x36xf32>
    return %1 : tensor<7x36xf32>
  }
}
// -----
// pad_reflect: jnp.pad(x, 2, mode="reflect")
module @pad_reflect {
  func.func public @main(%arg0: tensor<5x6xf32>) -> (tensor<9x10xf32> {jax.result_info = "result"}) {
    %0 = call @_pad(%arg0) : (tensor<5x6xf32>) -> tensor<9x10xf32>
    return %0 : tensor<9x10xf32>
  }
  func.func private @_pad(%arg0: tensor<5x6xf32>) -> tensor<9x10xf32> {
    %0 = stablehlo.slice %arg0 [1:3, 0:6] : (tensor<5x6xf32>) -> tensor<2x6xf32>
    %1 = call @_flip(%0) : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %2 = stablehlo.concatenate %1, %arg0, dim = 0 : (tensor<2x6xf32>, tensor<5x6xf32>) -> tensor<7x6xf32>
    %3 = stablehlo.slice %2 [4:6, 0:6] : (tensor<7x6xf32>) -> tensor<2x6xf32>
    %4 = call @_flip(%3) : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %5 = stablehlo.concatenate %2, %4, dim = 0 : (tensor<7x6xf32>, tensor<2x6xf32>) -> tensor<9x6xf32>
    %6 = stablehlo.slice %5 [0:9, 1:3] : (tensor<9x6xf32>) -> tensor<9x2xf32>
    %7 = call @_flip_0(%6) : (tensor<9x2xf32>) -> tensor<9x2xf32>
    %8 = stablehlo.concatenate %7, %5, dim = 1 : (tensor<9x2xf32>, tensor<9x6xf32>) -> tensor<9x8xf32>
    %9 = stablehlo.slice %8 [0:9, 5:7] : (tensor<9x8xf32>) -> tensor<9x2xf32>
    %10 = call @_flip_0(%9) : (tensor<9x2xf32>) -> tensor<9x2xf32>
    %11 = stablehlo.concatenate %8, %10, dim = 1 : (tensor<9x8xf32>, tensor<9x2xf32>) -> tensor<9x10xf32>
    return %11 : tensor<9x10xf32>
  }
  func.func private @_flip(%arg0: tensor<2x6xf32>) -> tensor<2x6xf32> {
    %0 = stablehlo.reverse %arg0, dims = [0] : tensor<2x6xf32>
    return %0 : tensor<2x6xf32>
  }
  func.func private @_flip_0(%arg0: tensor<9x2xf32>) -> tensor<9x2xf32> {
    %0 = stablehlo.reverse %arg0, dims = [1] : tensor<9x2xf32>
    return %0 : tensor<9x2xf32>
  }
}
// -----
// tril: jnp.tril(x)
module @tril {
  func.func public @main(%arg0: tensor<6x6xf32>) -> (tensor<6x6xf32> {jax.result_info = "result"}) {
    %0 = call @tril(%arg0) : (tensor<6x6xf32>) -> tensor<6x6xf32>
    return %0 : tensor<6x6xf32>
  }
  func.func private @tril(%arg0: tensor<6x6xf32>) -> tensor<6x6xf32> {
    %0 = stablehlo.iota dim = 0 : tensor<6x6xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
    %2 = stablehlo.add %0, %1 : tensor<6x6xi32>
    %3 = stablehlo.iota dim = 1 : tensor<6x6xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x6xf32>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<6x6xi1>, tensor<6x6xf32>
    return %6 : tensor<6x6xf32>
  }
}
// -----
// outer: jnp.outer(a, b)
module @outer {
  func.func public @main(%arg0: tensor<5xf32>, %arg1: tensor<7xf32>) -> (tensor<5x7xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<7xf32>) -> tensor<1x7xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x7xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x7xf32>) -> tensor<5x7xf32>
    %4 = stablehlo.multiply %2, %3 : tensor<5x7xf32>
    return %4 : tensor<5x7xf32>
  }
}
// -----
// matmul: a @ b
module @matmul {
  func.func public @main(%arg0: tensor<8x12xf32>, %arg1: tensor<12x10xf32>) -> (tensor<8x10xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x12xf32>, tensor<12x10xf32>) -> tensor<8x10xf32>
    return %0 : tensor<8x10xf32>
  }
}
// -----
// matmul_bias_relu: jax.nn.relu(x @ w + b)
module @matmul_bias_relu {
  func.func public @main(%arg0: tensor<8x12xf32>, %arg1: tensor<12x10xf32>, %arg2: tensor<10xf32>) -> (tensor<8x10xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x12xf32>, tensor<12x10xf32>) -> tensor<8x10xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<10xf32>) -> tensor<1x10xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x10xf32>) -> tensor<8x10xf32>
    %3 = stablehlo.add %0, %2 : tensor<8x10xf32>
    %4 = call @relu(%3) : (tensor<8x10xf32>) -> tensor<8x10xf32>
    return %4 : tensor<8x10xf32>
  }
  func.func private @relu(%arg0: tensor<8x10xf32>) -> tensor<8x10xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x10xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x10xf32>
    return %1 : tensor<8x10xf32>
  }
}
// -----
// attention: einsum, where(tril), softmax, einsum
module @attention {
  func.func public @main(%arg0: tensor<2x6x8xf32>, %arg1: tensor<2x6x8xf32>, %arg2: tensor<2x6x8xf32>) -> (tensor<2x6x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x6x8xf32>, tensor<2x6x8xf32>) -> tensor<2x6x6xf32>
    %cst = stablehlo.constant dense<2.82842708> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x6x6xf32>
    %2 = stablehlo.divide %0, %1 : tensor<2x6x6xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<6x6xi1>
    %4 = call @tril(%3) : (tensor<6x6xi1>) -> tensor<6x6xi1>
    %cst_0 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %5 = call @_where(%4, %2, %cst_0) : (tensor<6x6xi1>, tensor<2x6x6xf32>, tensor<f32>) -> tensor<2x6x6xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<2x6x6xf32>, tensor<f32>) -> tensor<2x6xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %8 = stablehlo.maximum %7, %6 : tensor<2x6xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x6xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<2x6x6xf32>
    %12 = stablehlo.exponential %11 : tensor<2x6x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<2x6x6xf32>, tensor<f32>) -> tensor<2x6xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<2x6xf32>) -> tensor<2x6x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x6x1xf32>) -> tensor<2x6x6xf32>
    %16 = stablehlo.divide %12, %15 : tensor<2x6x6xf32>
    %17 = stablehlo.dot_general %16, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x6x6xf32>, tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
    return %17 : tensor<2x6x8xf32>
  }
  func.func private @tril(%arg0: tensor<6x6xi1>) -> tensor<6x6xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<6x6xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<6x6xi32>
    %2 = stablehlo.add %0, %1 : tensor<6x6xi32>
    %3 = stablehlo.iota dim = 1 : tensor<6x6xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<6x6xi32>, tensor<6x6xi32>) -> tensor<6x6xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<6x6xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<6x6xi1>, tensor<6x6xi1>
    return %6 : tensor<6x6xi1>
  }
  func.func private @_where(%arg0: tensor<6x6xi1>, %arg1: tensor<2x6x6xf32>, %arg2: tensor<f32>) -> tensor<2x6x6xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<6x6xi1>) -> tensor<2x6x6xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x6x6xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x6x6xi1>, tensor<2x6x6xf32>
    return %3 : tensor<2x6x6xf32>
  }
}
// -----
// einsum: jnp.einsum("bij,bkj->bik", a, b)
module @einsum {
  func.func public @main(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x5x4xf32>) -> (tensor<2x3x5xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x3x4xf32>, tensor<2x5x4xf32>) -> tensor<2x3x5xf32>
    return %0 : tensor<2x3x5xf32>
  }
}
// -----
// concatenate: jnp.concatenate([x, y], 1)
module @concatenate {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<4x5xf32>) -> (tensor<4x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.concatenate %arg0, %arg1, dim = 1 : (tensor<4x3xf32>, tensor<4x5xf32>) -> tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}
// -----
// stack_transpose: jnp.stack([x, y], 1).swapaxes(0, 2)
module @stack_transpose {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<4x3xf32>) -> (tensor<3x2x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<4x3xf32>) -> tensor<4x1x3xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [0, 2] : (tensor<4x3xf32>) -> tensor<4x1x3xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<4x1x3xf32>, tensor<4x1x3xf32>) -> tensor<4x2x3xf32>
    %3 = stablehlo.transpose %2, dims = [2, 1, 0] : (tensor<4x2x3xf32>) -> tensor<3x2x4xf32>
    return %3 : tensor<3x2x4xf32>
  }
}
// -----
// repeat_tile: jnp.tile(jnp.repeat(x, 2, 0), (1, 3))
module @repeat_tile {
  func.func public @main(%arg0: tensor<3x2xf32>) -> (tensor<6x6xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<3x2xf32>) -> tensor<3x2x2xf32>
    %1 = stablehlo.reshape %0 : (tensor<3x2x2xf32>) -> tensor<6x2xf32>
    %2 = stablehlo.reshape %1 : (tensor<6x2xf32>) -> tensor<1x6x1x2xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2, 3] : (tensor<1x6x1x2xf32>) -> tensor<1x6x3x2xf32>
    %4 = stablehlo.reshape %3 : (tensor<1x6x3x2xf32>) -> tensor<6x6xf32>
    return %4 : tensor<6x6xf32>
  }
}
// -----
// strided: x[::2, 1:8:3]
module @strided {
  func.func public @main(%arg0: tensor<6x9xf32>) -> (tensor<3x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:6:2, 1:8:3] : (tensor<6x9xf32>) -> tensor<3x3xf32>
    return %0 : tensor<3x3xf32>
  }
}
// -----
// scatter_add: x.at[i].add(u)
module @scatter_add {
  func.func public @main(%arg0: tensor<9x5xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4x5xf32>) -> (tensor<9x5xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_0 = stablehlo.constant dense<9> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<4xi1>, tensor<4xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %6 = "stablehlo.scatter"(%arg0, %5, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %7 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %7 : tensor<f32>
    }) : (tensor<9x5xf32>, tensor<4x1xi32>, tensor<4x5xf32>) -> tensor<9x5xf32>
    return %6 : tensor<9x5xf32>
  }
}
// -----
// scatter_set: x.at[2:4].set(u)
module @scatter_set {
  func.func public @main(%arg0: tensor<9x5xf32>, %arg1: tensor<2x5xf32>) -> (tensor<9x5xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<2> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %1 = "stablehlo.scatter"(%arg0, %0, %arg1) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<9x5xf32>, tensor<1xi32>, tensor<2x5xf32>) -> tensor<9x5xf32>
    return %1 : tensor<9x5xf32>
  }
}
// -----
// segment_sum: jax.ops.segment_sum(x, i, 4)
module @segment_sum {
  func.func public @main(%arg0: tensor<9xf32>, %arg1: tensor<9xi32>) -> (tensor<4xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<9xi32>) -> tensor<9x1xi32>
    %2 = "stablehlo.scatter"(%0, %1, %arg0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %3 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<4xf32>, tensor<9x1xi32>, tensor<9xf32>) -> tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}
// -----
// sort: jnp.sort(x, 1)
module @sort {
  func.func public @main(%arg0: tensor<4x12xf32>) -> (tensor<4x12xf32> {jax.result_info = "result"}) {
    %0 = call @sort(%arg0) : (tensor<4x12xf32>) -> tensor<4x12xf32>
    return %0 : tensor<4x12xf32>
  }
  func.func private @sort(%arg0: tensor<4x12xf32>) -> tensor<4x12xf32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.select %1, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %4 = stablehlo.select %3, %cst_1, %2 : tensor<i1>, tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %5 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.select %5, %cst_3, %arg2 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %8 = stablehlo.select %7, %cst_4, %6 : tensor<i1>, tensor<f32>
      %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    }) : (tensor<4x12xf32>) -> tensor<4x12xf32>
    return %0 : tensor<4x12xf32>
  }
}
// -----
// argsort: jnp.argsort(x, 1)
module @argsort {
  func.func public @main(%arg0: tensor<4x12xf32>) -> (tensor<4x12xi32> {jax.result_info = "result"}) {
    %0 = call @argsort(%arg0) : (tensor<4x12xf32>) -> tensor<4x12xi32>
    return %0 : tensor<4x12xi32>
  }
  func.func private @argsort(%arg0: tensor<4x12xf32>) -> tensor<4x12xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<4x12xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3 = stablehlo.select %2, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %4 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %5 = stablehlo.select %4, %cst_1, %3 : tensor<i1>, tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %7 = stablehlo.select %6, %cst_3, %arg2 : tensor<i1>, tensor<f32>
      %8 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %9 = stablehlo.select %8, %cst_4, %7 : tensor<i1>, tensor<f32>
      %10 = stablehlo.compare LT, %5, %9, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    }) : (tensor<4x12xf32>, tensor<4x12xi32>) -> (tensor<4x12xf32>, tensor<4x12xi32>)
    return %1#1 : tensor<4x12xi32>
  }
}
// -----
// top_k: lax.top_k(x, 3)
module @top_k {
  func.func public @main(%arg0: tensor<4x12xf32>) -> (tensor<4x3xf32> {jax.result_info = "result[0]"}, tensor<4x3xi32> {jax.result_info = "result[1]"}) {
    %values, %indices = chlo.top_k(%arg0, k = 3) : tensor<4x12xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
    return %values, %indices : tensor<4x3xf32>, tensor<4x3xi32>
  }
}
// -----
// max_pool: lax.reduce_window(x, -inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
module @max_pool {
  func.func public @main(%arg0: tensor<1x6x6x3xf32>) -> (tensor<1x3x3x3xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<1x6x6x3xf32>, tensor<f32>) -> tensor<1x3x3x3xf32>
    return %1 : tensor<1x3x3x3xf32>
  }
}
// -----
// conv: lax.conv(x, w, (1, 1), "SAME")
module @conv {
  func.func public @main(%arg0: tensor<1x2x5x5xf32>, %arg1: tensor<3x2x3x3xf32>) -> (tensor<1x3x5x5xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x2x5x5xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x5x5xf32>
    return %0 : tensor<1x3x5x5xf32>
  }
}
// -----
// floor_divide: a // b, a % b of i32
module @floor_divide {
  func.func public @main(%arg0: tensor<4x6xi32>, %arg1: tensor<4x6xi32>) -> (tensor<4x6xi32> {jax.result_info = "result[0]"}, tensor<4x6xi32> {jax.result_info = "result[1]"}) {
    %0 = call @floor_divide(%arg0, %arg1) : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi32>
    %1 = call @remainder(%arg0, %arg1) : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi32>
    return %0, %1 : tensor<4x6xi32>, tensor<4x6xi32>
  }
  func.func private @floor_divide(%arg0: tensor<4x6xi32>, %arg1: tensor<4x6xi32>) -> tensor<4x6xi32> {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<4x6xi32>
    %1 = stablehlo.sign %arg0 : tensor<4x6xi32>
    %2 = stablehlo.sign %arg1 : tensor<4x6xi32>
    %3 = stablehlo.compare NE, %1, %2, SIGNED : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi1>
    %4 = stablehlo.remainder %arg0, %arg1 : tensor<4x6xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x6xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi1>
    %7 = stablehlo.and %3, %6 : tensor<4x6xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x6xi32>
    %9 = stablehlo.subtract %0, %8 : tensor<4x6xi32>
    %10 = call @_where(%7, %9, %0) : (tensor<4x6xi1>, tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi32>
    return %10 : tensor<4x6xi32>
  }
  func.func private @_where(%arg0: tensor<4x6xi1>, %arg1: tensor<4x6xi32>, %arg2: tensor<4x6xi32>) -> tensor<4x6xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4x6xi1>, tensor<4x6xi32>
    return %0 : tensor<4x6xi32>
  }
  func.func private @remainder(%arg0: tensor<4x6xi32>, %arg1: tensor<4x6xi32>) -> tensor<4x6xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x6xi32>
    %1 = stablehlo.compare EQ, %arg1, %0, SIGNED : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x6xi32>
    %3 = call @_where(%1, %2, %arg1) : (tensor<4x6xi1>, tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<4x6xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<4x6xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x6xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<4x6xi32>
    %10 = stablehlo.compare LT, %3, %9, SIGNED : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<4x6xi1>, tensor<4x6xi1>) -> tensor<4x6xi1>
    %12 = stablehlo.and %11, %6 : tensor<4x6xi1>
    %13 = stablehlo.add %4, %3 : tensor<4x6xi32>
    %14 = stablehlo.select %12, %13, %4 : tensor<4x6xi1>, tensor<4x6xi32>
    return %14 : tensor<4x6xi32>
  }
}
// -----
// power_round: jnp.round(x ** 3, 1)
module @power_round {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<4x33xf32>
    %1 = stablehlo.multiply %0, %arg0 : tensor<4x33xf32>
    %2 = call @round(%1) : (tensor<4x33xf32>) -> tensor<4x33xf32>
    return %2 : tensor<4x33xf32>
  }
  func.func private @round(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = stablehlo.constant dense<1.000000e+01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<4x33xf32>
    %2 = stablehlo.round_nearest_even %1 : tensor<4x33xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %4 = stablehlo.divide %2, %3 : tensor<4x33xf32>
    return %4 : tensor<4x33xf32>
  }
}
// -----
// expm1_log1p: jnp.expm1(x) + jnp.log1p(jnp.abs(x))
module @expm1_log1p {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.exponential_minus_one %arg0 : tensor<4x33xf32>
    %1 = stablehlo.abs %arg0 : tensor<4x33xf32>
    %2 = stablehlo.log_plus_one %1 : tensor<4x33xf32>
    %3 = stablehlo.add %0, %2 : tensor<4x33xf32>
    return %3 : tensor<4x33xf32>
  }
}
// -----
// isnan: jnp.isnan(x) | jnp.isinf(x)
module @isnan {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4x33xi1> {jax.result_info = "result"}) {
    %0 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<4x33xf32>, tensor<4x33xf32>) -> tensor<4x33xi1>
    %1 = call @isinf(%arg0) : (tensor<4x33xf32>) -> tensor<4x33xi1>
    %2 = stablehlo.or %0, %1 : tensor<4x33xi1>
    return %2 : tensor<4x33xi1>
  }
  func.func private @isinf(%arg0: tensor<4x33xf32>) -> tensor<4x33xi1> {
    %0 = stablehlo.abs %arg0 : tensor<4x33xf32>
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %2 = stablehlo.compare EQ, %0, %1, FLOAT : (tensor<4x33xf32>, tensor<4x33xf32>) -> tensor<4x33xi1>
    return %2 : tensor<4x33xi1>
  }
}
// -----
// cross_entropy: -(one_hot(i, 33) * log_softmax(x)).sum(-1).mean()
module @cross_entropy {
  func.func public @main(%arg0: tensor<4x33xf32>, %arg1: tensor<4xi32>) -> (tensor<f32> {jax.result_info = "result"}) {
    %0 = call @_one_hot(%arg1) : (tensor<4xi32>) -> tensor<4x33xf32>
    %1 = call @log_softmax(%arg0) : (tensor<4x33xf32>) -> tensor<4x33xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<4x33xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x33xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %5 = stablehlo.divide %4, %cst_1 : tensor<f32>
    %6 = stablehlo.negate %5 : tensor<f32>
    return %6 : tensor<f32>
  }
  func.func private @_one_hot(%arg0: tensor<4xi32>) -> tensor<4x33xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x33xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x1xi32>) -> tensor<4x33xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x33xi32>) -> tensor<4x33xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<4x33xi32>, tensor<4x33xi32>) -> tensor<4x33xi1>
    %5 = stablehlo.convert %4 : (tensor<4x33xi1>) -> tensor<4x33xf32>
    return %5 : tensor<4x33xf32>
  }
  func.func private @log_softmax(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<4x33xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<4xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x33xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x33xf32>
    %6 = stablehlo.exponential %5 : tensor<4x33xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<4x33xf32>, tensor<f32>) -> tensor<4xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %9 = stablehlo.log %8 : tensor<4x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x33xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<4x33xf32>
    return %11 : tensor<4x33xf32>
  }
}
// -----
// fori_loop: lax.fori_loop(0, 5, lambda i, x: x * 0.5 + i, x)
module @fori_loop {
  func.func public @main(%arg0: tensor<4x5xf32>) -> (tensor<4x5xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %c_0, %iterArg_1 = %c, %iterArg_2 = %arg0) : tensor<i32>, tensor<i32>, tensor<4x5xf32>
    cond {
      %c_3 = stablehlo.constant dense<5> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1:2 = func.call @closed_call(%iterArg_1, %iterArg_2) : (tensor<i32>, tensor<4x5xf32>) -> (tensor<i32>, tensor<4x5xf32>)
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg, %c_3 : tensor<i32>
      stablehlo.return %2, %1#0, %1#1 : tensor<i32>, tensor<i32>, tensor<4x5xf32>
    }
    return %0#2 : tensor<4x5xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<4x5xf32>) -> (tensor<i32>, tensor<4x5xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %2 = stablehlo.multiply %arg1, %1 : tensor<4x5xf32>
    %3 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %5 = stablehlo.add %2, %4 : tensor<4x5xf32>
    return %0, %5 : tensor<i32>, tensor<4x5xf32>
  }
}
// -----
// grad_tanh: jax.grad(lambda x: jnp.tanh(x).sum())(x)
module @grad_tanh {
  func.func public @main(%arg0: tensor<4x33xf32>) -> (tensor<4x33xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.tanh %arg0 : tensor<4x33xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %2 = stablehlo.subtract %1, %0 : tensor<4x33xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x33xf32>
    %4 = stablehlo.multiply %3, %2 : tensor<4x33xf32>
    %5 = stablehlo.multiply %4, %0 : tensor<4x33xf32>
    %6 = stablehlo.add %4, %5 : tensor<4x33xf32>
    return %6 : tensor<4x33xf32>
  }
}
// -----
// dynamic_slice: lax.dynamic_slice_in_dim(x, i, 4)
module @dynamic_slice {
  func.func public @main(%arg0: tensor<9x3xf32>, %arg1: tensor<i32>) -> (tensor<4x3xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %arg1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<9> : tensor<i32>
    %1 = stablehlo.add %arg1, %c_0 : tensor<i32>
    %2 = stablehlo.select %0, %1, %arg1 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.dynamic_slice %arg0, %2, %c_1, sizes = [4, 3] : (tensor<9x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x3xf32>
    return %3 : tensor<4x3xf32>
  }
}
// -----
// linspace_arange: jnp.linspace(0, 1, 5) + x * jnp.arange(5)
module @linspace_arange {
  func.func public @main(%arg0: tensor<5xf32>) -> (tensor<5xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %0 = call @_linspace(%c, %c_0) : (tensor<i32>, tensor<i32>) -> tensor<5xf32>
    %1 = stablehlo.iota dim = 0 : tensor<5xi32>
    %2 = stablehlo.convert %1 : (tensor<5xi32>) -> tensor<5xf32>
    %3 = stablehlo.multiply %arg0, %2 : tensor<5xf32>
    %4 = stablehlo.add %0, %3 : tensor<5xf32>
    return %4 : tensor<5xf32>
  }
  func.func private @_linspace(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<5xf32> {
    %0 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %2 = stablehlo.iota dim = 0 : tensor<4xf32>
    %cst = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %4 = stablehlo.divide %2, %3 : tensor<4xf32>
    %5 = stablehlo.reshape %0 : (tensor<f32>) -> tensor<1xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %7 = stablehlo.subtract %6, %4 : tensor<4xf32>
    %8 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<1xf32>) -> tensor<4xf32>
    %9 = stablehlo.multiply %8, %7 : tensor<4xf32>
    %10 = stablehlo.reshape %1 : (tensor<f32>) -> tensor<1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<1xf32>) -> tensor<4xf32>
    %12 = stablehlo.multiply %11, %4 : tensor<4xf32>
    %13 = stablehlo.add %9, %12 : tensor<4xf32>
    %14 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %15 = stablehlo.concatenate %13, %14, dim = 0 : (tensor<4xf32>, tensor<1xf32>) -> tensor<5xf32>
    return %15 : tensor<5xf32>
  }
}
// -----
// lexsort: jnp.lexsort((a, b))
module @lexsort {
  func.func public @main(%arg0: tensor<20xi32>, %arg1: tensor<20xi32>) -> (tensor<20xi32> {jax.result_info = "result"}) {
    %0 = call @lexsort(%arg0, %arg1) : (tensor<20xi32>, tensor<20xi32>) -> tensor<20xi32>
    return %0 : tensor<20xi32>
  }
  func.func private @lexsort(%arg0: tensor<20xi32>, %arg1: tensor<20xi32>) -> tensor<20xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<20xi32>
    %1:3 = "stablehlo.sort"(%arg1, %arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>, %arg5: tensor<i32>, %arg6: tensor<i32>, %arg7: tensor<i32>):
      %2 = stablehlo.compare LT, %arg4, %arg5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %3 = stablehlo.compare LT, %arg2, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %4 = stablehlo.compare EQ, %arg2, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %5 = stablehlo.and %4, %2 : tensor<i1>
      %6 = stablehlo.or %3, %5 : tensor<i1>
      stablehlo.return %6 : tensor<i1>
    }) : (tensor<20xi32>, tensor<20xi32>, tensor<20xi32>) -> (tensor<20xi32>, tensor<20xi32>, tensor<20xi32>)
    return %1#2 : tensor<20xi32>
  }
}
// -----
// cumlogsumexp: lax.cumlogsumexp(x, axis=1)
module @cumlogsumexp {
  func.func public @main(%arg0: tensor<3x17xf32>) -> (tensor<3x17xf32> {jax.result_info = "result"}) {
    %0 = call @cumlogsumexp(%arg0) : (tensor<3x17xf32>) -> tensor<3x17xf32>
    return %0 : tensor<3x17xf32>
  }
  func.func private @cumlogsumexp(%arg0: tensor<3x17xf32>) -> tensor<3x17xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [16, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 17>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      %2 = stablehlo.subtract %arg1, %arg2 : tensor<f32>
      %3 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.add %arg1, %arg2 : tensor<f32>
      %5 = stablehlo.abs %2 : tensor<f32>
      %6 = stablehlo.negate %5 : tensor<f32>
      %7 = stablehlo.exponential %6 : tensor<f32>
      %8 = stablehlo.log_plus_one %7 : tensor<f32>
      %9 = stablehlo.add %1, %8 : tensor<f32>
      %10 = stablehlo.select %3, %4, %9 : tensor<i1>, tensor<f32>
      stablehlo.return %10 : tensor<f32>
    }) : (tensor<3x17xf32>, tensor<f32>) -> tensor<3x17xf32>
    return %0 : tensor<3x17xf32>
  }
}
// -----
// segment_max: jax.ops.segment_max(x, i, num_segments=5)
module @segment_max {
  func.func public @main(%arg0: tensor<12x3xf32>, %arg1: tensor<12xi32>) -> (tensor<5x3xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x3xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<12xi32>) -> tensor<12x1xi32>
    %2 = "stablehlo.scatter"(%0, %1, %arg0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %3 = stablehlo.maximum %arg2, %arg3 : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<5x3xf32>, tensor<12x1xi32>, tensor<12x3xf32>) -> tensor<5x3xf32>
    return %2 : tensor<5x3xf32>
  }
}
// -----
// quantile: jnp.quantile(x, jnp.array([0.25, 0.5]), axis=1)
module @quantile {
  func.func public @main(%arg0: tensor<4x16xf32>) -> (tensor<2x4xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[2.500000e-01, 5.000000e-01]> : tensor<2xf32>
    %0 = call @quantile(%arg0, %cst) : (tensor<4x16xf32>, tensor<2xf32>) -> tensor<2x4xf32>
    return %0 : tensor<2x4xf32>
  }
  func.func private @quantile(%arg0: tensor<4x16xf32>, %arg1: tensor<2xf32>) -> tensor<2x4xf32> {
    %0 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xi1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.or across dimensions = [1] : (tensor<4x16xi1>, tensor<i1>) -> tensor<4xi1>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<4xi1>) -> tensor<4x1xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %3 = call @_where(%2, %cst, %arg0) : (tensor<4x1xi1>, tensor<f32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %4 = "stablehlo.sort"(%3) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %32 = stablehlo.compare EQ, %arg2, %cst_9, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %33 = stablehlo.select %32, %cst_10, %arg2 : tensor<i1>, tensor<f32>
      %34 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_11 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %35 = stablehlo.select %34, %cst_11, %33 : tensor<i1>, tensor<f32>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %36 = stablehlo.compare EQ, %arg3, %cst_12, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %37 = stablehlo.select %36, %cst_13, %arg3 : tensor<i1>, tensor<f32>
      %38 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_14 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %39 = stablehlo.select %38, %cst_14, %37 : tensor<i1>, tensor<f32>
      %40 = stablehlo.compare LT, %35, %39, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %40 : tensor<i1>
    }) : (tensor<4x16xf32>) -> tensor<4x16xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.subtract %cst_0, %cst_1 : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %7 = stablehlo.multiply %arg1, %6 : tensor<2xf32>
    %8 = stablehlo.floor %7 : tensor<2xf32>
    %9 = stablehlo.ceil %7 : tensor<2xf32>
    %10 = stablehlo.subtract %7, %8 : tensor<2xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %12 = stablehlo.subtract %11, %10 : tensor<2xf32>
    %cst_3 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.subtract %cst_3, %cst_4 : tensor<f32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %15 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %16 = stablehlo.clamp %14, %8, %15 : tensor<2xf32>
    %cst_6 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = stablehlo.subtract %cst_6, %cst_7 : tensor<f32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %19 = stablehlo.broadcast_in_dim %17, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %20 = stablehlo.clamp %18, %9, %19 : tensor<2xf32>
    %21 = stablehlo.convert %16 : (tensor<2xf32>) -> tensor<2xi32>
    %22 = stablehlo.convert %20 : (tensor<2xf32>) -> tensor<2xi32>
    %23 = stablehlo.broadcast_in_dim %21, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %24 = "stablehlo.gather"(%4, %23) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 4, 1>}> : (tensor<4x16xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
    %25 = stablehlo.broadcast_in_dim %22, dims = [0] : (tensor<2xi32>) -> tensor<2x1xi32>
    %26 = "stablehlo.gather"(%4, %25) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 4, 1>}> : (tensor<4x16xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
    %27 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<2xf32>) -> tensor<2x4xf32>
    %28 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<2xf32>) -> tensor<2x4xf32>
    %29 = stablehlo.multiply %24, %27 : tensor<2x4xf32>
    %30 = stablehlo.multiply %26, %28 : tensor<2x4xf32>
    %31 = stablehlo.add %29, %30 : tensor<2x4xf32>
    return %31 : tensor<2x4xf32>
  }
  func.func private @_where(%arg0: tensor<4x1xi1>, %arg1: tensor<f32>, %arg2: tensor<4x16xf32>) -> tensor<4x16xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<4x1xi1>) -> tensor<4x16xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %3 = stablehlo.select %1, %2, %arg2 : tensor<4x16xi1>, tensor<4x16xf32>
    return %3 : tensor<4x16xf32>
  }
}
// -----
// cache_update: lax.dynamic_update_slice(cache, new, (0, pos, 0))
module @cache_update {
  func.func public @main(%arg0: tensor<2x8x4xf32>, %arg1: tensor<2x1x4xf32>, %arg2: tensor<i32>) -> (tensor<2x8x4xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare LT, %arg2, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<8> : tensor<i32>
    %1 = stablehlo.add %arg2, %c_0 : tensor<i32>
    %2 = stablehlo.select %0, %1, %arg2 : tensor<i1>, tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.dynamic_update_slice %arg0, %arg1, %c_1, %2, %c_2 : (tensor<2x8x4xf32>, tensor<2x1x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x8x4xf32>
    return %3 : tensor<2x8x4xf32>
  }
}
// -----
// searchsorted: jnp.searchsorted(a, v)
module @searchsorted {
  func.func public @main(%arg0: tensor<16xf32>, %arg1: tensor<9xf32>) -> (tensor<9xi32> {jax.result_info = "result"}) {
    %0 = call @searchsorted(%arg0, %arg1) : (tensor<16xf32>, tensor<9xf32>) -> tensor<9xi32>
    return %0 : tensor<9xi32>
  }
  func.func private @searchsorted(%arg0: tensor<16xf32>, %arg1: tensor<9xf32>) -> tensor<9xi32> {
    %0 = call @_searchsorted_scan_impl(%arg0, %arg1) : (tensor<16xf32>, tensor<9xf32>) -> tensor<9xi32>
    return %0 : tensor<9xi32>
  }
  func.func private @_searchsorted_scan_impl(%arg0: tensor<16xf32>, %arg1: tensor<9xf32>) -> tensor<9xi32> {
    %0 = call @_searchsorted_scan_impl_0(%arg0, %arg1) : (tensor<16xf32>, tensor<9xf32>) -> tensor<9xi32>
    return %0 : tensor<9xi32>
  }
  func.func private @_searchsorted_scan_impl_0(%arg0: tensor<16xf32>, %arg1: tensor<9xf32>) -> tensor<9xi32> {
    %c = stablehlo.constant dense<0> : tensor<ui32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui32>) -> tensor<9xui32>
    %c_0 = stablehlo.constant dense<16> : tensor<ui32>
    %1 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui32>) -> tensor<9xui32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %2:5 = stablehlo.while(%iterArg = %arg0, %iterArg_2 = %arg1, %iterArg_3 = %c_1, %iterArg_4 = %0, %iterArg_5 = %1) : tensor<16xf32>, tensor<9xf32>, tensor<i32>, tensor<9xui32>, tensor<9xui32>
    cond {
      %c_6 = stablehlo.constant dense<5> : tensor<i32>
      %4 = stablehlo.compare LT, %iterArg_3, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4:2 = func.call @closed_call(%iterArg, %iterArg_2, %iterArg_4, %iterArg_5) : (tensor<16xf32>, tensor<9xf32>, tensor<9xui32>, tensor<9xui32>) -> (tensor<9xui32>, tensor<9xui32>)
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %5 = stablehlo.add %iterArg_3, %c_6 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_2, %5, %4#0, %4#1 : tensor<16xf32>, tensor<9xf32>, tensor<i32>, tensor<9xui32>, tensor<9xui32>
    }
    %3 = stablehlo.convert %2#4 : (tensor<9xui32>) -> tensor<9xi32>
    return %3 : tensor<9xi32>
  }
  func.func private @closed_call(%arg0: tensor<16xf32>, %arg1: tensor<9xf32>, %arg2: tensor<9xui32>, %arg3: tensor<9xui32>) -> (tensor<9xui32>, tensor<9xui32>) {
    %0 = stablehlo.subtract %arg3, %arg2 : tensor<9xui32>
    %c = stablehlo.constant dense<2> : tensor<i32>
    %1 = call @floor_divide(%0, %c) : (tensor<9xui32>, tensor<i32>) -> tensor<9xui32>
    %2 = stablehlo.add %arg2, %1 : tensor<9xui32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<9xui32>) -> tensor<9x1xui32>
    %4 = "stablehlo.gather"(%arg0, %3) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<16xf32>, tensor<9x1xui32>) -> tensor<9x1xf32>
    %5 = stablehlo.reshape %4 : (tensor<9x1xf32>) -> tensor<9xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %7 = stablehlo.compare EQ, %arg1, %6, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %9 = stablehlo.select %7, %8, %arg1 : tensor<9xi1>, tensor<9xf32>
    %10 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %12 = stablehlo.select %10, %11, %9 : tensor<9xi1>, tensor<9xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %14 = stablehlo.compare EQ, %5, %13, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %16 = stablehlo.select %14, %15, %5 : tensor<9xi1>, tensor<9xf32>
    %17 = stablehlo.compare NE, %5, %5, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %19 = stablehlo.select %17, %18, %16 : tensor<9xi1>, tensor<9xf32>
    %20 = stablehlo.compare LE, %12, %19, TOTALORDER : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %21 = stablehlo.select %20, %arg2, %2 : tensor<9xi1>, tensor<9xui32>
    %22 = stablehlo.select %20, %2, %arg3 : tensor<9xi1>, tensor<9xui32>
    return %21, %22 : tensor<9xui32>, tensor<9xui32>
  }
  func.func private @floor_divide(%arg0: tensor<9xui32>, %arg1: tensor<i32>) -> tensor<9xui32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<ui32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<ui32>) -> tensor<9xui32>
    %2 = stablehlo.divide %arg0, %1 : tensor<9xui32>
    return %2 : tensor<9xui32>
  }
}
// -----
// interp: jnp.interp(x, xp, fp)
module @interp {
  func.func public @main(%arg0: tensor<9xf32>, %arg1: tensor<6xf32>, %arg2: tensor<6xf32>) -> (tensor<9xf32> {jax.result_info = "result"}) {
    %0 = call @_interp(%arg0, %arg1, %arg2) : (tensor<9xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<9xf32>
    return %0 : tensor<9xf32>
  }
  func.func private @_interp(%arg0: tensor<9xf32>, %arg1: tensor<6xf32>, %arg2: tensor<6xf32>) -> tensor<9xf32> {
    %0 = call @searchsorted(%arg1, %arg0) : (tensor<6xf32>, tensor<9xf32>) -> tensor<9xi32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %1 = call @clip(%0, %c, %c_0) : (tensor<9xi32>, tensor<i32>, tensor<i32>) -> tensor<9xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %3 = stablehlo.compare LT, %1, %2, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %c_2 = stablehlo.constant dense<6> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %5 = stablehlo.add %1, %4 : tensor<9xi32>
    %6 = stablehlo.select %3, %5, %1 : tensor<9xi1>, tensor<9xi32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<9xi32>) -> tensor<9x1xi32>
    %8 = "stablehlo.gather"(%arg2, %7) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<6xf32>, tensor<9x1xi32>) -> tensor<9xf32>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %10 = stablehlo.subtract %1, %9 : tensor<9xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %12 = stablehlo.compare LT, %10, %11, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %c_5 = stablehlo.constant dense<6> : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %14 = stablehlo.add %10, %13 : tensor<9xi32>
    %15 = stablehlo.select %12, %14, %10 : tensor<9xi1>, tensor<9xi32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0] : (tensor<9xi32>) -> tensor<9x1xi32>
    %17 = "stablehlo.gather"(%arg2, %16) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<6xf32>, tensor<9x1xi32>) -> tensor<9xf32>
    %18 = stablehlo.subtract %8, %17 : tensor<9xf32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %19 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %20 = stablehlo.compare LT, %1, %19, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %c_7 = stablehlo.constant dense<6> : tensor<i32>
    %21 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %22 = stablehlo.add %1, %21 : tensor<9xi32>
    %23 = stablehlo.select %20, %22, %1 : tensor<9xi1>, tensor<9xi32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<9xi32>) -> tensor<9x1xi32>
    %25 = "stablehlo.gather"(%arg1, %24) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<6xf32>, tensor<9x1xi32>) -> tensor<9xf32>
    %c_8 = stablehlo.constant dense<1> : tensor<i32>
    %26 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %27 = stablehlo.subtract %1, %26 : tensor<9xi32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %28 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %29 = stablehlo.compare LT, %27, %28, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %c_10 = stablehlo.constant dense<6> : tensor<i32>
    %30 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %31 = stablehlo.add %27, %30 : tensor<9xi32>
    %32 = stablehlo.select %29, %31, %27 : tensor<9xi1>, tensor<9xi32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0] : (tensor<9xi32>) -> tensor<9x1xi32>
    %34 = "stablehlo.gather"(%arg1, %33) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<6xf32>, tensor<9x1xi32>) -> tensor<9xf32>
    %35 = stablehlo.subtract %25, %34 : tensor<9xf32>
    %c_11 = stablehlo.constant dense<1> : tensor<i32>
    %36 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %37 = stablehlo.subtract %1, %36 : tensor<9xi32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %38 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %39 = stablehlo.compare LT, %37, %38, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %c_13 = stablehlo.constant dense<6> : tensor<i32>
    %40 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %41 = stablehlo.add %37, %40 : tensor<9xi32>
    %42 = stablehlo.select %39, %41, %37 : tensor<9xi1>, tensor<9xi32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0] : (tensor<9xi32>) -> tensor<9x1xi32>
    %44 = "stablehlo.gather"(%arg1, %43) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<6xf32>, tensor<9x1xi32>) -> tensor<9xf32>
    %45 = stablehlo.subtract %arg0, %44 : tensor<9xf32>
    %46 = stablehlo.abs %35 : tensor<9xf32>
    %cst = stablehlo.constant dense<1.42108547E-14> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %48 = stablehlo.compare LE, %46, %47, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %c_14 = stablehlo.constant dense<1> : tensor<i32>
    %49 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %50 = stablehlo.subtract %1, %49 : tensor<9xi32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %51 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %52 = stablehlo.compare LT, %50, %51, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %c_16 = stablehlo.constant dense<6> : tensor<i32>
    %53 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %54 = stablehlo.add %50, %53 : tensor<9xi32>
    %55 = stablehlo.select %52, %54, %50 : tensor<9xi1>, tensor<9xi32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0] : (tensor<9xi32>) -> tensor<9x1xi32>
    %57 = "stablehlo.gather"(%arg2, %56) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<6xf32>, tensor<9x1xi32>) -> tensor<9xf32>
    %c_17 = stablehlo.constant dense<1> : tensor<i32>
    %58 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %59 = stablehlo.subtract %1, %58 : tensor<9xi32>
    %c_18 = stablehlo.constant dense<0> : tensor<i32>
    %60 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %61 = stablehlo.compare LT, %59, %60, SIGNED : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>
    %c_19 = stablehlo.constant dense<6> : tensor<i32>
    %62 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %63 = stablehlo.add %59, %62 : tensor<9xi32>
    %64 = stablehlo.select %61, %63, %59 : tensor<9xi1>, tensor<9xi32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0] : (tensor<9xi32>) -> tensor<9x1xi32>
    %66 = "stablehlo.gather"(%arg2, %65) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<6xf32>, tensor<9x1xi32>) -> tensor<9xf32>
    %c_20 = stablehlo.constant dense<1> : tensor<i32>
    %67 = call @_where(%48, %c_20, %35) : (tensor<9xi1>, tensor<i32>, tensor<9xf32>) -> tensor<9xf32>
    %68 = stablehlo.divide %45, %67 : tensor<9xf32>
    %69 = stablehlo.multiply %68, %18 : tensor<9xf32>
    %70 = stablehlo.add %66, %69 : tensor<9xf32>
    %71 = call @_where_1(%48, %57, %70) : (tensor<9xi1>, tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
    %72 = stablehlo.slice %arg2 [0:1] : (tensor<6xf32>) -> tensor<1xf32>
    %73 = stablehlo.reshape %72 : (tensor<1xf32>) -> tensor<f32>
    %74 = stablehlo.slice %arg1 [0:1] : (tensor<6xf32>) -> tensor<1xf32>
    %75 = stablehlo.reshape %74 : (tensor<1xf32>) -> tensor<f32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %77 = stablehlo.compare LT, %arg0, %76, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %78 = call @_where_2(%77, %73, %71) : (tensor<9xi1>, tensor<f32>, tensor<9xf32>) -> tensor<9xf32>
    %79 = stablehlo.slice %arg2 [5:6] : (tensor<6xf32>) -> tensor<1xf32>
    %80 = stablehlo.reshape %79 : (tensor<1xf32>) -> tensor<f32>
    %81 = stablehlo.slice %arg1 [5:6] : (tensor<6xf32>) -> tensor<1xf32>
    %82 = stablehlo.reshape %81 : (tensor<1xf32>) -> tensor<f32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %84 = stablehlo.compare GT, %arg0, %83, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %85 = call @_where_2(%84, %80, %78) : (tensor<9xi1>, tensor<f32>, tensor<9xf32>) -> tensor<9xf32>
    return %85 : tensor<9xf32>
  }
  func.func private @searchsorted(%arg0: tensor<6xf32>, %arg1: tensor<9xf32>) -> tensor<9xi32> {
    %0 = call @_searchsorted_scan_impl(%arg0, %arg1) : (tensor<6xf32>, tensor<9xf32>) -> tensor<9xi32>
    return %0 : tensor<9xi32>
  }
  func.func private @_searchsorted_scan_impl(%arg0: tensor<6xf32>, %arg1: tensor<9xf32>) -> tensor<9xi32> {
    %0 = call @_searchsorted_scan_impl_0(%arg0, %arg1) : (tensor<6xf32>, tensor<9xf32>) -> tensor<9xi32>
    return %0 : tensor<9xi32>
  }
  func.func private @_searchsorted_scan_impl_0(%arg0: tensor<6xf32>, %arg1: tensor<9xf32>) -> tensor<9xi32> {
    %c = stablehlo.constant dense<0> : tensor<ui32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui32>) -> tensor<9xui32>
    %c_0 = stablehlo.constant dense<6> : tensor<ui32>
    %1 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui32>) -> tensor<9xui32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %2:5 = stablehlo.while(%iterArg = %arg0, %iterArg_2 = %arg1, %iterArg_3 = %c_1, %iterArg_4 = %0, %iterArg_5 = %1) : tensor<6xf32>, tensor<9xf32>, tensor<i32>, tensor<9xui32>, tensor<9xui32>
    cond {
      %c_6 = stablehlo.constant dense<3> : tensor<i32>
      %4 = stablehlo.compare LT, %iterArg_3, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4:2 = func.call @closed_call(%iterArg, %iterArg_2, %iterArg_4, %iterArg_5) : (tensor<6xf32>, tensor<9xf32>, tensor<9xui32>, tensor<9xui32>) -> (tensor<9xui32>, tensor<9xui32>)
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %5 = stablehlo.add %iterArg_3, %c_6 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_2, %5, %4#0, %4#1 : tensor<6xf32>, tensor<9xf32>, tensor<i32>, tensor<9xui32>, tensor<9xui32>
    }
    %3 = stablehlo.convert %2#4 : (tensor<9xui32>) -> tensor<9xi32>
    return %3 : tensor<9xi32>
  }
  func.func private @closed_call(%arg0: tensor<6xf32>, %arg1: tensor<9xf32>, %arg2: tensor<9xui32>, %arg3: tensor<9xui32>) -> (tensor<9xui32>, tensor<9xui32>) {
    %0 = stablehlo.subtract %arg3, %arg2 : tensor<9xui32>
    %c = stablehlo.constant dense<2> : tensor<i32>
    %1 = call @floor_divide(%0, %c) : (tensor<9xui32>, tensor<i32>) -> tensor<9xui32>
    %2 = stablehlo.add %arg2, %1 : tensor<9xui32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<9xui32>) -> tensor<9x1xui32>
    %4 = "stablehlo.gather"(%arg0, %3) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<6xf32>, tensor<9x1xui32>) -> tensor<9x1xf32>
    %5 = stablehlo.reshape %4 : (tensor<9x1xf32>) -> tensor<9xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %7 = stablehlo.compare EQ, %arg1, %6, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %9 = stablehlo.select %7, %8, %arg1 : tensor<9xi1>, tensor<9xf32>
    %10 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %12 = stablehlo.select %10, %11, %9 : tensor<9xi1>, tensor<9xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %14 = stablehlo.compare EQ, %5, %13, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %16 = stablehlo.select %14, %15, %5 : tensor<9xi1>, tensor<9xf32>
    %17 = stablehlo.compare NE, %5, %5, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %19 = stablehlo.select %17, %18, %16 : tensor<9xi1>, tensor<9xf32>
    %20 = stablehlo.compare LT, %12, %19, TOTALORDER : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %21 = stablehlo.select %20, %arg2, %2 : tensor<9xi1>, tensor<9xui32>
    %22 = stablehlo.select %20, %2, %arg3 : tensor<9xi1>, tensor<9xui32>
    return %21, %22 : tensor<9xui32>, tensor<9xui32>
  }
  func.func private @floor_divide(%arg0: tensor<9xui32>, %arg1: tensor<i32>) -> tensor<9xui32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<ui32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<ui32>) -> tensor<9xui32>
    %2 = stablehlo.divide %arg0, %1 : tensor<9xui32>
    return %2 : tensor<9xui32>
  }
  func.func private @clip(%arg0: tensor<9xi32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<9xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<9xi32>
    %3 = stablehlo.convert %arg2 : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %5 = stablehlo.minimum %4, %2 : tensor<9xi32>
    return %5 : tensor<9xi32>
  }
  func.func private @_where(%arg0: tensor<9xi1>, %arg1: tensor<i32>, %arg2: tensor<9xf32>) -> tensor<9xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<9xi1>, tensor<9xf32>
    return %2 : tensor<9xf32>
  }
  func.func private @_where_1(%arg0: tensor<9xi1>, %arg1: tensor<9xf32>, %arg2: tensor<9xf32>) -> tensor<9xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<9xi1>, tensor<9xf32>
    return %0 : tensor<9xf32>
  }
  func.func private @_where_2(%arg0: tensor<9xi1>, %arg1: tensor<f32>, %arg2: tensor<9xf32>) -> tensor<9xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %1 = stablehlo.select %arg0, %0, %arg2 : tensor<9xi1>, tensor<9xf32>
    return %1 : tensor<9xf32>
  }
}
// -----
// associative_scan: lax.associative_scan of h = a h + b
module @associative_scan {
  func.func public @main(%arg0: tensor<16xf32>, %arg1: tensor<16xf32>) -> (tensor<16xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:15:2] : (tensor<16xf32>) -> tensor<8xf32>
    %1 = stablehlo.slice %arg1 [0:15:2] : (tensor<16xf32>) -> tensor<8xf32>
    %2 = stablehlo.slice %arg0 [1:16:2] : (tensor<16xf32>) -> tensor<8xf32>
    %3 = stablehlo.slice %arg1 [1:16:2] : (tensor<16xf32>) -> tensor<8xf32>
    %4 = stablehlo.multiply %0, %2 : tensor<8xf32>
    %5 = stablehlo.multiply %2, %1 : tensor<8xf32>
    %6 = stablehlo.add %5, %3 : tensor<8xf32>
    %7 = stablehlo.slice %4 [0:7:2] : (tensor<8xf32>) -> tensor<4xf32>
    %8 = stablehlo.slice %6 [0:7:2] : (tensor<8xf32>) -> tensor<4xf32>
    %9 = stablehlo.slice %4 [1:8:2] : (tensor<8xf32>) -> tensor<4xf32>
    %10 = stablehlo.slice %6 [1:8:2] : (tensor<8xf32>) -> tensor<4xf32>
    %11 = stablehlo.multiply %7, %9 : tensor<4xf32>
    %12 = stablehlo.multiply %9, %8 : tensor<4xf32>
    %13 = stablehlo.add %12, %10 : tensor<4xf32>
    %14 = stablehlo.slice %11 [0:3:2] : (tensor<4xf32>) -> tensor<2xf32>
    %15 = stablehlo.slice %13 [0:3:2] : (tensor<4xf32>) -> tensor<2xf32>
    %16 = stablehlo.slice %11 [1:4:2] : (tensor<4xf32>) -> tensor<2xf32>
    %17 = stablehlo.slice %13 [1:4:2] : (tensor<4xf32>) -> tensor<2xf32>
    %18 = stablehlo.multiply %14, %16 : tensor<2xf32>
    %19 = stablehlo.multiply %16, %15 : tensor<2xf32>
    %20 = stablehlo.add %19, %17 : tensor<2xf32>
    %21 = stablehlo.slice %20 [0:1:2] : (tensor<2xf32>) -> tensor<1xf32>
    %22 = stablehlo.slice %18 [1:2:2] : (tensor<2xf32>) -> tensor<1xf32>
    %23 = stablehlo.slice %20 [1:2:2] : (tensor<2xf32>) -> tensor<1xf32>
    %24 = stablehlo.multiply %22, %21 : tensor<1xf32>
    %25 = stablehlo.add %24, %23 : tensor<1xf32>
    %26 = stablehlo.slice %25 [0:0] : (tensor<1xf32>) -> tensor<0xf32>
    %27 = stablehlo.slice %18 [2:2:2] : (tensor<2xf32>) -> tensor<0xf32>
    %28 = stablehlo.slice %20 [2:2:2] : (tensor<2xf32>) -> tensor<0xf32>
    %29 = stablehlo.multiply %27, %26 : tensor<0xf32>
    %30 = stablehlo.add %29, %28 : tensor<0xf32>
    %31 = stablehlo.slice %20 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
    %32 = stablehlo.concatenate %31, %30, dim = 0 : (tensor<1xf32>, tensor<0xf32>) -> tensor<1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.pad %32, %cst, low = [0], high = [1], interior = [1] : (tensor<1xf32>, tensor<f32>) -> tensor<2xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.pad %25, %cst_0, low = [1], high = [0], interior = [1] : (tensor<1xf32>, tensor<f32>) -> tensor<2xf32>
    %35 = stablehlo.add %33, %34 : tensor<2xf32>
    %36 = stablehlo.slice %35 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
    %37 = stablehlo.slice %11 [2:4:2] : (tensor<4xf32>) -> tensor<1xf32>
    %38 = stablehlo.slice %13 [2:4:2] : (tensor<4xf32>) -> tensor<1xf32>
    %39 = stablehlo.multiply %37, %36 : tensor<1xf32>
    %40 = stablehlo.add %39, %38 : tensor<1xf32>
    %41 = stablehlo.slice %13 [0:1] : (tensor<4xf32>) -> tensor<1xf32>
    %42 = stablehlo.concatenate %41, %40, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.pad %42, %cst_1, low = [0], high = [1], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.pad %35, %cst_2, low = [1], high = [0], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
    %45 = stablehlo.add %43, %44 : tensor<4xf32>
    %46 = stablehlo.slice %45 [0:3] : (tensor<4xf32>) -> tensor<3xf32>
    %47 = stablehlo.slice %4 [2:8:2] : (tensor<8xf32>) -> tensor<3xf32>
    %48 = stablehlo.slice %6 [2:8:2] : (tensor<8xf32>) -> tensor<3xf32>
    %49 = stablehlo.multiply %47, %46 : tensor<3xf32>
    %50 = stablehlo.add %49, %48 : tensor<3xf32>
    %51 = stablehlo.slice %6 [0:1] : (tensor<8xf32>) -> tensor<1xf32>
    %52 = stablehlo.concatenate %51, %50, dim = 0 : (tensor<1xf32>, tensor<3xf32>) -> tensor<4xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.pad %52, %cst_3, low = [0], high = [1], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.pad %45, %cst_4, low = [1], high = [0], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
    %55 = stablehlo.add %53, %54 : tensor<8xf32>
    %56 = stablehlo.slice %55 [0:7] : (tensor<8xf32>) -> tensor<7xf32>
    %57 = stablehlo.slice %arg0 [2:16:2] : (tensor<16xf32>) -> tensor<7xf32>
    %58 = stablehlo.slice %arg1 [2:16:2] : (tensor<16xf32>) -> tensor<7xf32>
    %59 = stablehlo.multiply %57, %56 : tensor<7xf32>
    %60 = stablehlo.add %59, %58 : tensor<7xf32>
    %61 = stablehlo.slice %arg1 [0:1] : (tensor<16xf32>) -> tensor<1xf32>
    %62 = stablehlo.concatenate %61, %60, dim = 0 : (tensor<1xf32>, tensor<7xf32>) -> tensor<8xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.pad %62, %cst_5, low = [0], high = [1], interior = [1] : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.pad %55, %cst_6, low = [1], high = [0], interior = [1] : (tensor<8xf32>, tensor<f32>) -> tensor<16xf32>
    %65 = stablehlo.add %63, %64 : tensor<16xf32>
    return %65 : tensor<16xf32>
  }
}
// -----
// bincount: jnp.bincount(x, length=9)
module @bincount {
  func.func public @main(%arg0: tensor<30xi32>) -> (tensor<9xi32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<9xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = call @clip(%arg0, %c_0) : (tensor<30xi32>, tensor<i32>) -> tensor<30xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<30xi32>
    %3 = stablehlo.compare LT, %1, %2, SIGNED : (tensor<30xi32>, tensor<30xi32>) -> tensor<30xi1>
    %c_2 = stablehlo.constant dense<9> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<30xi32>
    %5 = stablehlo.add %1, %4 : tensor<30xi32>
    %6 = stablehlo.select %3, %5, %1 : tensor<30xi1>, tensor<30xi32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<30xi32>) -> tensor<30x1xi32>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<30xi32>
    %9 = "stablehlo.scatter"(%0, %7, %8) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %10 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %10 : tensor<i32>
    }) : (tensor<9xi32>, tensor<30x1xi32>, tensor<30xi32>) -> tensor<9xi32>
    return %9 : tensor<9xi32>
  }
  func.func private @clip(%arg0: tensor<30xi32>, %arg1: tensor<i32>) -> tensor<30xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<30xi32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<30xi32>
    return %2 : tensor<30xi32>
  }
}
// -----
// random_bits: jax.random.bits(jax.random.wrap_key_data(key), (5, 12), jnp.uint32)
module @random_bits {
  func.func public @main(%arg0: tensor<2xui32>) -> (tensor<5x12xui32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
    %1 = stablehlo.reshape %0 : (tensor<1xui32>) -> tensor<ui32>
    %2 = stablehlo.slice %arg0 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
    %3 = stablehlo.reshape %2 : (tensor<1xui32>) -> tensor<ui32>
    %4 = stablehlo.iota dim = 0 : tensor<5x12xui64>
    %5 = stablehlo.iota dim = 1 : tensor<5x12xui64>
    %c = stablehlo.constant dense<12> : tensor<ui64>
    %6 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui64>) -> tensor<5x12xui64>
    %7 = stablehlo.multiply %6, %4 : tensor<5x12xui64>
    %c_0 = stablehlo.constant dense<1> : tensor<ui64>
    %8 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<5x12xui64>
    %9 = stablehlo.multiply %8, %5 : tensor<5x12xui64>
    %10 = stablehlo.add %7, %9 : tensor<5x12xui64>
    %c_1 = stablehlo.constant dense<32> : tensor<ui64>
    %11 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui64>) -> tensor<5x12xui64>
    %12 = stablehlo.shift_right_logical %10, %11 : tensor<5x12xui64>
    %13 = stablehlo.convert %10 : (tensor<5x12xui64>) -> tensor<5x12xui32>
    %14 = stablehlo.convert %12 : (tensor<5x12xui64>) -> tensor<5x12xui32>
    %15:2 = call @threefry2x32(%1, %3, %14, %13) : (tensor<ui32>, tensor<ui32>, tensor<5x12xui32>, tensor<5x12xui32>) -> (tensor<5x12xui32>, tensor<5x12xui32>)
    %16 = stablehlo.xor %15#0, %15#1 : tensor<5x12xui32>
    return %16 : tensor<5x12xui32>
  }
  func.func private @threefry2x32(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<5x12xui32>, %arg3: tensor<5x12xui32>) -> (tensor<5x12xui32>, tensor<5x12xui32>) {
    %c = stablehlo.constant dense<[13, 15, 26, 6]> : tensor<4xui32>
    %c_0 = stablehlo.constant dense<[17, 29, 16, 24]> : tensor<4xui32>
    %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
    %c_1 = stablehlo.constant dense<466688986> : tensor<ui32>
    %1 = stablehlo.xor %0, %c_1 : tensor<ui32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<5x12xui32>
    %3 = stablehlo.add %arg2, %2 : tensor<5x12xui32>
    %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<5x12xui32>
    %5 = stablehlo.add %arg3, %4 : tensor<5x12xui32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %6:9 = stablehlo.while(%iterArg = %c_3, %iterArg_4 = %c_2, %iterArg_5 = %3, %iterArg_6 = %5, %iterArg_7 = %arg1, %iterArg_8 = %1, %iterArg_9 = %arg0, %iterArg_10 = %c, %iterArg_11 = %c_0) : tensor<i32>, tensor<i32>, tensor<5x12xui32>, tensor<5x12xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
    cond {
      %c_12 = stablehlo.constant dense<5> : tensor<i32>
      %7 = stablehlo.compare LT, %iterArg, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    } do {
      %7:8 = func.call @closed_call(%iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11) : (tensor<i32>, tensor<5x12xui32>, tensor<5x12xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<5x12xui32>, tensor<5x12xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
      %c_12 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %iterArg, %c_12 : tensor<i32>
      stablehlo.return %8, %7#0, %7#1, %7#2, %7#3, %7#4, %7#5, %7#6, %7#7 : tensor<i32>, tensor<i32>, tensor<5x12xui32>, tensor<5x12xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
    }
    return %6#2, %6#3 : tensor<5x12xui32>, tensor<5x12xui32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<5x12xui32>, %arg2: tensor<5x12xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i32>, tensor<5x12xui32>, tensor<5x12xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %1 = stablehlo.slice %arg6 [0:1] : (tensor<4xui32>) -> tensor<1xui32>
    %2 = stablehlo.reshape %1 : (tensor<1xui32>) -> tensor<ui32>
    %3 = stablehlo.add %arg1, %arg2 : tensor<5x12xui32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<ui32>) -> tensor<5x12xui32>
    %5 = stablehlo.shift_left %arg2, %4 : tensor<5x12xui32>
    %c_0 = stablehlo.constant dense<32> : tensor<ui32>
    %6 = stablehlo.subtract %c_0, %2 : tensor<ui32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<ui32>) -> tensor<5x12xui32>
    %8 = stablehlo.shift_right_logical %arg2, %7 : tensor<5x12xui32>
    %9 = stablehlo.or %5, %8 : tensor<5x12xui32>
    %10 = stablehlo.xor %3, %9 : tensor<5x12xui32>
    %11 = stablehlo.slice %arg6 [1:2] : (tensor<4xui32>) -> tensor<1xui32>
    %12 = stablehlo.reshape %11 : (tensor<1xui32>) -> tensor<ui32>
    %13 = stablehlo.add %3, %10 : tensor<5x12xui32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<ui32>) -> tensor<5x12xui32>
    %15 = stablehlo.shift_left %10, %14 : tensor<5x12xui32>
    %c_1 = stablehlo.constant dense<32> : tensor<ui32>
    %16 = stablehlo.subtract %c_1, %12 : tensor<ui32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<ui32>) -> tensor<5x12xui32>
    %18 = stablehlo.shift_right_logical %10, %17 : tensor<5x12xui32>
    %19 = stablehlo.or %15, %18 : tensor<5x12xui32>
    %20 = stablehlo.xor %13, %19 : tensor<5x12xui32>
    %21 = stablehlo.slice %arg6 [2:3] : (tensor<4xui32>) -> tensor<1xui32>
    %22 = stablehlo.reshape %21 : (tensor<1xui32>) -> tensor<ui32>
    %23 = stablehlo.add %13, %20 : tensor<5x12xui32>
    %24 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<ui32>) -> tensor<5x12xui32>
    %25 = stablehlo.shift_left %20, %24 : tensor<5x12xui32>
    %c_2 = stablehlo.constant dense<32> : tensor<ui32>
    %26 = stablehlo.subtract %c_2, %22 : tensor<ui32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<ui32>) -> tensor<5x12xui32>
    %28 = stablehlo.shift_right_logical %20, %27 : tensor<5x12xui32>
    %29 = stablehlo.or %25, %28 : tensor<5x12xui32>
    %30 = stablehlo.xor %23, %29 : tensor<5x12xui32>
    %31 = stablehlo.slice %arg6 [3:4] : (tensor<4xui32>) -> tensor<1xui32>
    %32 = stablehlo.reshape %31 : (tensor<1xui32>) -> tensor<ui32>
    %33 = stablehlo.add %23, %30 : tensor<5x12xui32>
    %34 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<ui32>) -> tensor<5x12xui32>
    %35 = stablehlo.shift_left %30, %34 : tensor<5x12xui32>
    %c_3 = stablehlo.constant dense<32> : tensor<ui32>
    %36 = stablehlo.subtract %c_3, %32 : tensor<ui32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<ui32>) -> tensor<5x12xui32>
    %38 = stablehlo.shift_right_logical %30, %37 : tensor<5x12xui32>
    %39 = stablehlo.or %35, %38 : tensor<5x12xui32>
    %40 = stablehlo.xor %33, %39 : tensor<5x12xui32>
    %41 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<ui32>) -> tensor<5x12xui32>
    %42 = stablehlo.add %33, %41 : tensor<5x12xui32>
    %43 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<ui32>) -> tensor<5x12xui32>
    %44 = stablehlo.add %40, %43 : tensor<5x12xui32>
    %c_4 = stablehlo.constant dense<1> : tensor<i32>
    %45 = stablehlo.add %arg0, %c_4 : tensor<i32>
    %46 = stablehlo.convert %45 : (tensor<i32>) -> tensor<ui32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<ui32>) -> tensor<5x12xui32>
    %48 = stablehlo.add %44, %47 : tensor<5x12xui32>
    return %0, %42, %48, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i32>, tensor<5x12xui32>, tensor<5x12xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
}
// -----
// bit_distance: jax.lax.population_count(a ^ b).sum(-1), jax.lax.clz(a & b)
module @bit_distance {
  func.func public @main(%arg0: tensor<5x12xui32>, %arg1: tensor<5x12xui32>) -> (tensor<5xui32> {jax.result_info = "result[0]"}, tensor<5x12xui32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.xor %arg0, %arg1 : tensor<5x12xui32>
    %1 = stablehlo.popcnt %0 : tensor<5x12xui32>
    %c = stablehlo.constant dense<0> : tensor<ui32>
    %2 = stablehlo.reduce(%1 init: %c) applies stablehlo.add across dimensions = [1] : (tensor<5x12xui32>, tensor<ui32>) -> tensor<5xui32>
    %3 = stablehlo.and %arg0, %arg1 : tensor<5x12xui32>
    %4 = stablehlo.count_leading_zeros %3 : tensor<5x12xui32>
    return %2, %4 : tensor<5xui32>, tensor<5x12xui32>
  }
}
