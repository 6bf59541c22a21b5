// softmax of rows of f16, in f32: the fusion group of a compiler that has mhlo.
func.func private @softmax_mhlo(%x: tensor<6x70xf16>) -> tensor<6x70xf16> attributes {__byteir_reduction_fusion__} {
  %least = mhlo.constant dense<0xFF800000> : tensor<f32>
  %zero = mhlo.constant dense<0.000000e+00> : tensor<f32>
  %wide = mhlo.convert %x : (tensor<6x70xf16>) -> tensor<6x70xf32>
  %top = mhlo.reduce(%wide init: %least) across dimensions = [1] : (tensor<6x70xf32>, tensor<f32>) -> tensor<6xf32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %most = mhlo.maximum %a, %b : tensor<f32>
    mhlo.return %most : tensor<f32>
  }
  %tops = "mhlo.broadcast_in_dim"(%top) {broadcast_dimensions = dense<0> : tensor<1xi64>} : (tensor<6xf32>) -> tensor<6x70xf32>
  %less = mhlo.subtract %wide, %tops : tensor<6x70xf32>
  %power = mhlo.exponential %less : tensor<6x70xf32>
  %sum = mhlo.reduce(%power init: %zero) across dimensions = [1] : (tensor<6x70xf32>, tensor<f32>) -> tensor<6xf32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %both = mhlo.add %a, %b : tensor<f32>
    mhlo.return %both : tensor<f32>
  }
  %sums = "mhlo.broadcast_in_dim"(%sum) {broadcast_dimensions = dense<0> : tensor<1xi64>} : (tensor<6xf32>) -> tensor<6x70xf32>
  %share = mhlo.divide %power, %sums : tensor<6x70xf32>
  %result = mhlo.convert %share : (tensor<6x70xf32>) -> tensor<6x70xf16>
  return %result : tensor<6x70xf16>
}
