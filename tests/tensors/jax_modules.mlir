// What JAX 0.10.2 prints for 70 functions: jax.jit(FUNCTION).lower(...).as_text(), with a name for each module.
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
