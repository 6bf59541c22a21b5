// The sums of columns of f16, in f32: a fusion group of mhlo ops, as a compiler outlines it.
func.func private @column_sums(%x: tensor<192x257xf16>) -> tensor<257xf32> {
  %zero = mhlo.constant dense<0.000000e+00> : tensor<f32>
  %wide = mhlo.convert %x : (tensor<192x257xf16>) -> tensor<192x257xf32>
  %sums = mhlo.reduce(%wide init: %zero) across dimensions = [0] : (tensor<192x257xf32>, tensor<f32>) -> tensor<257xf32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
    %sum = mhlo.add %a, %b : tensor<f32>
    mhlo.return %sum : tensor<f32>
  }
  return %sums : tensor<257xf32>
}
