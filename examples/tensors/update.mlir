// A step of gradient descent with momentum, as JAX prints it for donated weights and momentum. The dim is at most 4,096.
func.func @main(%weights: tensor<?xf32, #stablehlo.bounds<4096>> {tf.aliasing_output = 0 : i32},
    %momentum: tensor<?xf32> {jax.buffer_donor = true}, %gradient: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %decay = stablehlo.constant dense<0.9> : tensor<f32>
  %rate = stablehlo.constant dense<0.01> : tensor<f32>
  %0 = chlo.broadcast_multiply %momentum, %decay : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %1 = stablehlo.add %0, %gradient : tensor<?xf32>
  %2 = chlo.broadcast_multiply %1, %rate : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %3 = "stablehlo.subtract"(%weights, %2) : (tensor<?xf32, #stablehlo.bounds<4096>>, tensor<?xf32>) -> tensor<?xf32>
  return %3, %1 : tensor<?xf32>, tensor<?xf32>
}
