// What mlir-opt-22 prints: nine programs of TOSA by tosa-to-linalg-named, tosa-to-arith, tosa-to-linalg and tosa-to-tensor; cases of
// cases/linalg.py by linalg-generalize-named-ops; cases of cases/tensor_ops.py by convert-elementwise-to-linalg; each with canonicalize and cse.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
module @tosa_add_broadcast {
  func.func @main(%arg0: tensor<4x6xf32>, %arg1: tensor<1x6xf32>) -> tensor<4x6xf32> {
    %0 = tensor.empty() : tensor<4x6xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<4x6xf32>, tensor<1x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %2 = arith.addf %in, %in_0 : f32
      linalg.yield %2 : f32
    } -> tensor<4x6xf32>
    return %1 : tensor<4x6xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
module @tosa_softmax {
  func.func @main(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant -3.40282347E+38 : f32
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    %reduced = linalg.reduce ins(%arg0 : tensor<4x33xf32>) outs(%1 : tensor<4xf32>) dimensions = [1] 
      (%in: f32, %init: f32) {
        %9 = arith.maximumf %in, %init : f32
        linalg.yield %9 : f32
      }
    %expanded = tensor.expand_shape %reduced [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
    %2 = tensor.empty() : tensor<4x33xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %expanded : tensor<4x33xf32>, tensor<4x1xf32>) outs(%2 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %9 = arith.subf %in, %in_4 : f32
      linalg.yield %9 : f32
    } -> tensor<4x33xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<4x33xf32>) outs(%2 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %9 = math.exp %in : f32
      linalg.yield %9 : f32
    } -> tensor<4x33xf32>
    %5 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    %reduced_2 = linalg.reduce ins(%4 : tensor<4x33xf32>) outs(%5 : tensor<4xf32>) dimensions = [1] 
      (%in: f32, %init: f32) {
        %9 = arith.addf %in, %init : f32
        linalg.yield %9 : f32
      }
    %expanded_3 = tensor.expand_shape %reduced_2 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
    %6 = tensor.empty() : tensor<4x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_3 : tensor<4x1xf32>) outs(%6 : tensor<4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %9 = arith.divf %cst, %in : f32
      linalg.yield %9 : f32
    } -> tensor<4x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %7 : tensor<4x33xf32>, tensor<4x1xf32>) outs(%2 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %9 = arith.mulf %in, %in_4 : f32
      linalg.yield %9 : f32
    } -> tensor<4x33xf32>
    return %8 : tensor<4x33xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @tosa_clamp_sigmoid {
  func.func @main(%arg0: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 2.000000e+00 : f32
    %cst_1 = arith.constant -1.000000e+00 : f32
    %0 = tensor.empty() : tensor<4x6xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.minimumf %in, %cst_0 : f32
      %4 = arith.maximumf %3, %cst_1 : f32
      linalg.yield %4 : f32
    } -> tensor<4x6xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.negf %in : f32
      %4 = math.exp %3 : f32
      %5 = arith.addf %4, %cst : f32
      %6 = arith.divf %cst, %5 : f32
      linalg.yield %6 : f32
    } -> tensor<4x6xf32>
    return %2 : tensor<4x6xf32>
  }
}
// -----
module @tosa_matmul {
  func.func @main(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x4x5xf32>) -> tensor<2x3x5xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x3x5xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %2 = linalg.batch_matmul ins(%arg0, %arg1 : tensor<2x3x4xf32>, tensor<2x4x5xf32>) outs(%1 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    return %2 : tensor<2x3x5xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module @tosa_argmax {
  func.func @main(%arg0: tensor<4x6xf32>) -> tensor<4xi32> {
    %cst = arith.constant -3.40282347E+38 : f32
    %c0_i32 = arith.constant 0 : i32
    %0 = tensor.empty() : tensor<4xi32>
    %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<4xi32>) -> tensor<4xi32>
    %2 = tensor.empty() : tensor<4xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
    %4:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x6xf32>) outs(%1, %3 : tensor<4xi32>, tensor<4xf32>) {
    ^bb0(%in: f32, %out: i32, %out_0: f32):
      %5 = linalg.index 1 : index
      %6 = arith.index_cast %5 : index to i32
      %7 = arith.cmpf ugt, %in, %out_0 : f32
      %8 = arith.cmpf ord, %out_0, %out_0 : f32
      %9 = arith.andi %7, %8 : i1
      %10 = arith.select %9, %in, %out_0 : f32
      %11 = arith.select %9, %6, %out : i32
      linalg.yield %11, %10 : i32, f32
    } -> (tensor<4xi32>, tensor<4xf32>)
    return %4#0 : tensor<4xi32>
  }
}
// -----
module @tosa_transpose_concat {
  func.func @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6x3xf32>) -> tensor<6x7xf32> {
    %0 = tensor.empty() : tensor<6x4xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<4x6xf32>) outs(%0 : tensor<6x4xf32>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<6x7xf32>
    %inserted_slice = tensor.insert_slice %transposed into %1[0, 0] [6, 4] [1, 1] : tensor<6x4xf32> into tensor<6x7xf32>
    %inserted_slice_0 = tensor.insert_slice %arg1 into %inserted_slice[0, 4] [6, 3] [1, 1] : tensor<6x3xf32> into tensor<6x7xf32>
    return %inserted_slice_0 : tensor<6x7xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @tosa_select_greater {
  func.func @main(%arg0: tensor<4x6xi32>, %arg1: tensor<4x6xi32>) -> tensor<4x6xi32> {
    %0 = tensor.empty() : tensor<4x6xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<4x6xi32>, tensor<4x6xi32>) outs(%0 : tensor<4x6xi1>) {
    ^bb0(%in: i32, %in_0: i32, %out: i1):
      %4 = arith.cmpi sgt, %in, %in_0 : i32
      linalg.yield %4 : i1
    } -> tensor<4x6xi1>
    %2 = tensor.empty() : tensor<4x6xi32>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %arg0, %arg1 : tensor<4x6xi1>, tensor<4x6xi32>, tensor<4x6xi32>) outs(%2 : tensor<4x6xi32>) {
    ^bb0(%in: i1, %in_0: i32, %in_1: i32, %out: i32):
      %4 = arith.select %in, %in_0, %in_1 : i32
      linalg.yield %4 : i32
    } -> tensor<4x6xi32>
    return %3 : tensor<4x6xi32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module @tosa_reverse_tile {
  func.func @main(%arg0: tensor<2x3xf32>) -> tensor<4x9xf32> {
    %c2 = arith.constant 2 : index
    %0 = tensor.empty() : tensor<2x3xf32>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<2x3xf32>) {
    ^bb0(%out: f32):
      %4 = linalg.index 0 : index
      %5 = linalg.index 1 : index
      %6 = arith.subi %c2, %5 : index
      %extracted = tensor.extract %arg0[%4, %6] : tensor<2x3xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x3xf32>
    %2 = tensor.empty() : tensor<2x2x3x3xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1 : tensor<2x3xf32>) outs(%2 : tensor<2x2x3x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x2x3x3xf32>
    %collapsed = tensor.collapse_shape %3 [[0, 1], [2, 3]] : tensor<2x2x3x3xf32> into tensor<4x9xf32>
    return %collapsed : tensor<4x9xf32>
  }
}
// -----
module @tosa_max_pool {
  func.func @main(%arg0: tensor<1x6x6x3xf32>) -> tensor<1x3x3x3xf32> {
    %cst = arith.constant -3.40282347E+38 : f32
    %0 = tensor.empty() : tensor<1x3x3x3xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>
    %2 = tensor.empty() : tensor<2x2xf32>
    %3 = linalg.pooling_nhwc_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%arg0, %2 : tensor<1x6x6x3xf32>, tensor<2x2xf32>) outs(%1 : tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>
    return %3 : tensor<1x3x3x3xf32>
  }
}
// -----
#map = affine_map<(d0) -> (d0)>
module @linalg_elementwise_exp_f32 {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = math.exp %in : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @linalg_elementwise_add_f32 {
  func.func @main(%arg0: tensor<3x5xf32>, %arg1: tensor<3x5xf32>) -> tensor<3x5xf32> {
    %0 = tensor.empty() : tensor<3x5xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %2 = arith.addf %in, %in_0 : f32
      linalg.yield %2 : f32
    } -> tensor<3x5xf32>
    return %1 : tensor<3x5xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @linalg_elementwise_div_i32_truncates {
  func.func @main(%arg0: tensor<4x3xi32>, %arg1: tensor<4x3xi32>) -> tensor<4x3xi32> {
    %0 = tensor.empty() : tensor<4x3xi32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<4x3xi32>, tensor<4x3xi32>) outs(%0 : tensor<4x3xi32>) {
    ^bb0(%in: i32, %in_0: i32, %out: i32):
      %2 = arith.divsi %in, %in_0 : i32
      linalg.yield %2 : i32
    } -> tensor<4x3xi32>
    return %1 : tensor<4x3xi32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @linalg_elementwise_select_a_mask {
  func.func @main(%arg0: tensor<3x5xi1>, %arg1: tensor<3x5xf32>, %arg2: tensor<3x5xf32>) -> tensor<3x5xf32> {
    %0 = tensor.empty() : tensor<3x5xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1, %arg2 : tensor<3x5xi1>, tensor<3x5xf32>, tensor<3x5xf32>) outs(%0 : tensor<3x5xf32>) {
    ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32):
      %2 = arith.select %in, %in_0, %in_1 : f32
      linalg.yield %2 : f32
    } -> tensor<3x5xf32>
    return %1 : tensor<3x5xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @linalg_elementwise_mul_bf16 {
  func.func @main(%arg0: tensor<3x5xbf16>, %arg1: tensor<3x5xbf16>) -> tensor<3x5xbf16> {
    %0 = tensor.empty() : tensor<3x5xbf16>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<3x5xbf16>, tensor<3x5xbf16>) outs(%0 : tensor<3x5xbf16>) {
    ^bb0(%in: bf16, %in_0: bf16, %out: bf16):
      %2 = arith.mulf %in, %in_0 : bf16
      linalg.yield %2 : bf16
    } -> tensor<3x5xbf16>
    return %1 : tensor<3x5xbf16>
  }
}
// -----
#map = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module @linalg_transpose_f32 {
  func.func @main(%arg0: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
    %0 = tensor.empty() : tensor<4x2x3xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x3x4xf32>) outs(%0 : tensor<4x2x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x2x3xf32>
    return %1 : tensor<4x2x3xf32>
  }
}
// -----
#map = affine_map<(d0, d1, d2) -> (d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module @linalg_broadcast_f32 {
  func.func @main(%arg0: tensor<3xf32>) -> tensor<2x3x5xf32> {
    %0 = tensor.empty() : tensor<2x3x5xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<3xf32>) outs(%0 : tensor<2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x3x5xf32>
    return %1 : tensor<2x3x5xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> ()>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d2)>
module @linalg_reduce_a_sum_onto_the_destination {
  func.func @main(%arg0: tensor<2x3x4xf32>) -> tensor<2x4xf32> {
    %cst = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x4xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst : f32) outs(%0 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4xf32>
    %2 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "reduction", "parallel"]} ins(%arg0 : tensor<2x3x4xf32>) outs(%1 : tensor<2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.addf %out, %in : f32
      linalg.yield %3 : f32
    } -> tensor<2x4xf32>
    return %2 : tensor<2x4xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> ()>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
module @linalg_matmul_f32 {
  func.func @main(%arg0: tensor<5x6xf32>, %arg1: tensor<6x7xf32>) -> tensor<5x7xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<5x7xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst : f32) outs(%0 : tensor<5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5x7xf32>
    %2 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<5x6xf32>, tensor<6x7xf32>) outs(%1 : tensor<5x7xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %3 = arith.mulf %in, %in_0 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    } -> tensor<5x7xf32>
    return %2 : tensor<5x7xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> ()>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
module @linalg_matmul_f16_to_f32 {
  func.func @main(%arg0: tensor<5x6xf16>, %arg1: tensor<6x7xf16>) -> tensor<5x7xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<5x7xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst : f32) outs(%0 : tensor<5x7xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5x7xf32>
    %2 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<5x6xf16>, tensor<6x7xf16>) outs(%1 : tensor<5x7xf32>) {
    ^bb0(%in: f16, %in_0: f16, %out: f32):
      %3 = arith.extf %in : f16 to f32
      %4 = arith.extf %in_0 : f16 to f32
      %5 = arith.mulf %3, %4 : f32
      %6 = arith.addf %out, %5 : f32
      linalg.yield %6 : f32
    } -> tensor<5x7xf32>
    return %2 : tensor<5x7xf32>
  }
}
// -----
#map = affine_map<(d0, d1, d2) -> ()>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module @linalg_batch_matmul_f32 {
  func.func @main(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x4x5xf32>) -> tensor<2x3x5xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x3x5xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cst : f32) outs(%0 : tensor<2x3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x3x5xf32>
    %2 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x3x4xf32>, tensor<2x4x5xf32>) outs(%1 : tensor<2x3x5xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %3 = arith.mulf %in, %in_0 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    } -> tensor<2x3x5xf32>
    return %2 : tensor<2x3x5xf32>
  }
}
// -----
#map = affine_map<(d0) -> ()>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1) -> (d0)>
module @linalg_matvec_f32 {
  func.func @main(%arg0: tensor<5x6xf32>, %arg1: tensor<6xf32>) -> tensor<5xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<5xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel"]} ins(%cst : f32) outs(%0 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<5xf32>
    %2 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%arg0, %arg1 : tensor<5x6xf32>, tensor<6xf32>) outs(%1 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %3 = arith.mulf %in, %in_0 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    } -> tensor<5xf32>
    return %2 : tensor<5xf32>
  }
}
// -----
#map = affine_map<() -> ()>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0) -> ()>
module @linalg_dot_f32 {
  func.func @main(%arg0: tensor<6xf32>, %arg1: tensor<6xf32>) -> tensor<f32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<f32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst : f32) outs(%0 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<f32>
    %2 = linalg.generic {indexing_maps = [#map1, #map1, #map2], iterator_types = ["reduction"]} ins(%arg0, %arg1 : tensor<6xf32>, tensor<6xf32>) outs(%1 : tensor<f32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %3 = arith.mulf %in, %in_0 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    } -> tensor<f32>
    return %2 : tensor<f32>
  }
}
// -----
#map = affine_map<(d0, d1, d2, d3) -> ()>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d6)>
#map3 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>
#map4 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
module @linalg_conv_2d_nhwc_hwcf_f32 {
  func.func @main(%arg0: tensor<1x6x5x2xf32>, %arg1: tensor<3x2x2x3xf32>) -> tensor<1x4x4x3xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x4x4x3xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst : f32) outs(%0 : tensor<1x4x4x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x4x3xf32>
    %2 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<1x6x5x2xf32>, tensor<3x2x2x3xf32>) outs(%1 : tensor<1x4x4x3xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %3 = arith.mulf %in, %in_0 : f32
      %4 = arith.addf %out, %3 : f32
      linalg.yield %4 : f32
    } -> tensor<1x4x4x3xf32>
    return %2 : tensor<1x4x4x3xf32>
  }
}
// -----
#map = affine_map<(d0, d1, d2, d3) -> ()>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4, d2 * 2 + d5, d3)>
#map3 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>
#map4 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
module @linalg_pooling_nhwc_sum_f32 {
  func.func @main(%arg0: tensor<1x6x5x2xf32>) -> tensor<1x3x2x2xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x2xf32>
    %1 = tensor.empty() : tensor<1x3x2x2xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst : f32) outs(%1 : tensor<1x3x2x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3x2x2xf32>
    %3 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %0 : tensor<1x6x5x2xf32>, tensor<2x2xf32>) outs(%2 : tensor<1x3x2x2xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %4 = arith.addf %out, %in : f32
      linalg.yield %4 : f32
    } -> tensor<1x3x2x2xf32>
    return %3 : tensor<1x3x2x2xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @arith_addf_f32 {
  func.func @main(%arg0: tensor<4x6xf32>, %arg1: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %0 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%arg0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %1 = arith.addf %in, %in_0 : f32
      linalg.yield %1 : f32
    } -> tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @arith_divsi_i32 {
  func.func @main(%arg0: tensor<4x6xi32>, %arg1: tensor<4x6xi32>) -> tensor<4x6xi32> {
    %0 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<4x6xi32>, tensor<4x6xi32>) outs(%arg0 : tensor<4x6xi32>) {
    ^bb0(%in: i32, %in_0: i32, %out: i32):
      %1 = arith.divsi %in, %in_0 : i32
      linalg.yield %1 : i32
    } -> tensor<4x6xi32>
    return %0 : tensor<4x6xi32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @arith_cmpf_olt_with_a_select {
  func.func @main(%arg0: tensor<4x6xf32>, %arg1: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %0 = tensor.empty() : tensor<4x6xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %arg0 : tensor<4x6xf32>, tensor<4x6xf32>) outs(%0 : tensor<4x6xi1>) {
    ^bb0(%in: f32, %in_0: f32, %out: i1):
      %3 = arith.cmpf olt, %in, %in_0 : f32
      linalg.yield %3 : i1
    } -> tensor<4x6xi1>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %arg0, %arg1 : tensor<4x6xi1>, tensor<4x6xf32>, tensor<4x6xf32>) outs(%arg0 : tensor<4x6xf32>) {
    ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32):
      %3 = arith.select %in, %in_0, %in_1 : f32
      linalg.yield %3 : f32
    } -> tensor<4x6xf32>
    return %2 : tensor<4x6xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @arith_truncf_f32_to_f16 {
  func.func @main(%arg0: tensor<4x6xf32>) -> tensor<4x6xf16> {
    %0 = tensor.empty() : tensor<4x6xf16>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x6xf32>) outs(%0 : tensor<4x6xf16>) {
    ^bb0(%in: f32, %out: f16):
      %2 = arith.truncf %in : f32 to f16
      linalg.yield %2 : f16
    } -> tensor<4x6xf16>
    return %1 : tensor<4x6xf16>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @math_tanh_f32 {
  func.func @main(%arg0: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x6xf32>) outs(%arg0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = math.tanh %in : f32
      linalg.yield %1 : f32
    } -> tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @math_fma_f32 {
  func.func @main(%arg0: tensor<4x6xf32>, %arg1: tensor<4x6xf32>, %arg2: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %0 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1, %arg2 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) outs(%arg0 : tensor<4x6xf32>) {
    ^bb0(%in: f32, %in_0: f32, %in_1: f32, %out: f32):
      %1 = math.fma %in, %in_0, %in_1 : f32
      linalg.yield %1 : f32
    } -> tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
}
