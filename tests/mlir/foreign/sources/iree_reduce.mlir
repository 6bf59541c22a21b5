func.func @reduce(%a: tensor<128x512xf32>, %c: tensor<128xf32>) -> tensor<128xf32> {
  %d = linalg.reduce { arith.addf } ins(%a : tensor<128x512xf32>) outs(%c : tensor<128xf32>) dimensions = [1]
  return %d : tensor<128xf32>
}
