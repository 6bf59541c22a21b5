func.func @add(%a: tensor<1024xf32>, %b: tensor<1024xf32>) -> tensor<1024xf32> {
  %c = arith.addf %a, %b : tensor<1024xf32>
  return %c : tensor<1024xf32>
}
