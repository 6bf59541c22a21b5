// Transposes between elementwise ops, in mhlo: (x + y^T) as 30 x 5 x 8, its axes turned, plus a bias of the new last axis.
func.func private @transposes(%x: tensor<40x30xf32>, %y: tensor<30x40xf32>, %bias: tensor<30xf32>) -> tensor<8x5x30xf32>
    attributes {__byteir_elementwise_fusion__} {
  %turned = "mhlo.transpose"(%x) {permutation = dense<[1, 0]> : tensor<2xi64>} : (tensor<40x30xf32>) -> tensor<30x40xf32>
  %sum = mhlo.add %turned, %y : tensor<30x40xf32>
  %parts = mhlo.reshape %sum : (tensor<30x40xf32>) -> tensor<30x5x8xf32>
  %back = "mhlo.transpose"(%parts) {permutation = dense<[2, 1, 0]> : tensor<3xi64>} : (tensor<30x5x8xf32>) -> tensor<8x5x30xf32>
  %wide = "mhlo.broadcast_in_dim"(%bias) {broadcast_dimensions = dense<2> : tensor<1xi64>} : (tensor<30xf32>) -> tensor<8x5x30xf32>
  %result = mhlo.add %back, %wide : tensor<8x5x30xf32>
  return %result : tensor<8x5x30xf32>
}
