// Each row of x less its maximum, through exp, divided by its sum: softmax, as a module of StableHLO.
func.func @rownorm(%x: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %top = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [1]
      : (tensor<64x100xf32>, tensor<f32>) -> tensor<64xf32>
  %tops = stablehlo.broadcast_in_dim %top, dims = [0] : (tensor<64xf32>) -> tensor<64x100xf32>
  %less = stablehlo.subtract %x, %tops : tensor<64x100xf32>
  %power = stablehlo.exponential %less : tensor<64x100xf32>
  %sum = stablehlo.reduce(%power init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<64x100xf32>, tensor<f32>) -> tensor<64xf32>
  %sums = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<64xf32>) -> tensor<64x100xf32>
  %share = stablehlo.divide %power, %sums : tensor<64x100xf32>
  return %share : tensor<64x100xf32>
}
