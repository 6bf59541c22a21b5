// A chain of elementwise ops in mhlo and chlo: gelu of a scaled sum, masked by a comparison. It is a single kernel.
func.func private @chain(%x: tensor<16x100xf32>, %y: tensor<100xf32>, %keep: tensor<16x100xi32>) -> tensor<16x100xf32>
    attributes {__byteir_elementwise_fusion__} {
  %half = mhlo.constant dense<5.000000e-01> : tensor<16x100xf32>
  %root = mhlo.constant dense<0.707106769> : tensor<16x100xf32>
  %one = mhlo.constant dense<1.000000e+00> : tensor<16x100xf32>
  %none = mhlo.constant dense<0> : tensor<16x100xi32>
  %zero = mhlo.constant dense<0.000000e+00> : tensor<16x100xf32>
  %row = "mhlo.broadcast_in_dim"(%y) {broadcast_dimensions = dense<1> : tensor<1xi64>} : (tensor<100xf32>) -> tensor<16x100xf32>
  %sum = mhlo.add %x, %row : tensor<16x100xf32>
  %scaled = mhlo.multiply %sum, %root : tensor<16x100xf32>
  %erf = chlo.erf %scaled : tensor<16x100xf32> -> tensor<16x100xf32>
  %share = mhlo.add %erf, %one : tensor<16x100xf32>
  %halved = mhlo.multiply %share, %half : tensor<16x100xf32>
  %gelu = mhlo.multiply %sum, %halved : tensor<16x100xf32>
  %mask = mhlo.compare NE, %keep, %none, SIGNED : (tensor<16x100xi32>, tensor<16x100xi32>) -> tensor<16x100xi1>
  %result = mhlo.select %mask, %gelu, %zero : tensor<16x100xi1>, tensor<16x100xf32>
  return %result : tensor<16x100xf32>
}
