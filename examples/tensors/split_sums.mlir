// The same sums in linalg, split in two reductions: of 32 parts of the rows, and of the parts.
#whole = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#part = affine_map<(d0, d1, d2) -> (d0, d2)>
#parts = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @split_sums(%x: tensor<192x257xf16>) -> tensor<257xf32> {
  %zero = arith.constant 0.000000e+00 : f32
  %rows = tensor.expand_shape %x [[0, 1], [2]] output_shape [32, 6, 257] : tensor<192x257xf16> into tensor<32x6x257xf16>
  %empty = tensor.empty() : tensor<32x257xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x257xf32>) -> tensor<32x257xf32>
  %of_parts = linalg.generic {indexing_maps = [#whole, #part], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%rows : tensor<32x6x257xf16>) outs(%start : tensor<32x257xf32>) {
  ^bb0(%in: f16, %out: f32):
    %wide = arith.extf %in : f16 to f32
    %sum = arith.addf %out, %wide : f32
    linalg.yield %sum : f32
  } -> tensor<32x257xf32>
  %none = tensor.empty() : tensor<257xf32>
  %first = linalg.fill ins(%zero : f32) outs(%none : tensor<257xf32>) -> tensor<257xf32>
  %sums = linalg.generic {indexing_maps = [#parts, #column], iterator_types = ["reduction", "parallel"]}
      ins(%of_parts : tensor<32x257xf32>) outs(%first : tensor<257xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %in, %out : f32
    linalg.yield %sum : f32
  } -> tensor<257xf32>
  return %sums : tensor<257xf32>
}
