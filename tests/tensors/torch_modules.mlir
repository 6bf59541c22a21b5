// What torch 2.13 exports for 64 functions: torch.export, torch-mlir's importer and its pipelines torchdynamo-export-to-torch-backend and
// torch-backend-to-linalg-on-tensors-backend (of iree-base-compiler 3.13 and iree-turbine 3.9). tests/tensors/torch_functions.py has the inputs
// and the results by numpy.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
module @softmax {
  func.func @main(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<4xi64>
    %1 = linalg.fill ins(%c0_i64 : i64) outs(%0 : tensor<4xi64>) -> tensor<4xi64>
    %2 = tensor.empty() : tensor<4xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
    %4:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x33xf32>) outs(%3, %1 : tensor<4xf32>, tensor<4xi64>) {
    ^bb0(%in: f32, %out: f32, %out_1: i64):
      %12 = linalg.index 1 : index
      %13 = arith.index_cast %12 : index to i64
      %14 = arith.maximumf %in, %out : f32
      %15 = arith.cmpf ogt, %in, %out : f32
      %16 = arith.select %15, %13, %out_1 : i64
      linalg.yield %14, %16 : f32, i64
    } -> (tensor<4xf32>, tensor<4xi64>)
    %expanded = tensor.expand_shape %4#0 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
    %5 = tensor.empty() : tensor<4x33xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %expanded : tensor<4x33xf32>, tensor<4x1xf32>) outs(%5 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %12 = arith.subf %in, %in_1 : f32
      linalg.yield %12 : f32
    } -> tensor<4x33xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<4x33xf32>) outs(%5 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %12 = math.exp %in : f32
      linalg.yield %12 : f32
    } -> tensor<4x33xf32>
    %8 = tensor.empty() : tensor<4x1xf32>
    %9 = linalg.fill ins(%cst_0 : f32) outs(%8 : tensor<4x1xf32>) -> tensor<4x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%7 : tensor<4x33xf32>) outs(%9 : tensor<4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %12 = arith.addf %in, %out : f32
      linalg.yield %12 : f32
    } -> tensor<4x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %10 : tensor<4x33xf32>, tensor<4x1xf32>) outs(%5 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %12 = arith.divf %in, %in_1 : f32
      linalg.yield %12 : f32
    } -> tensor<4x33xf32>
    return %11 : tensor<4x33xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
module @log_softmax {
  func.func @main(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<4xi64>
    %1 = linalg.fill ins(%c0_i64 : i64) outs(%0 : tensor<4xi64>) -> tensor<4xi64>
    %2 = tensor.empty() : tensor<4xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
    %4:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x33xf32>) outs(%3, %1 : tensor<4xf32>, tensor<4xi64>) {
    ^bb0(%in: f32, %out: f32, %out_1: i64):
      %13 = linalg.index 1 : index
      %14 = arith.index_cast %13 : index to i64
      %15 = arith.maximumf %in, %out : f32
      %16 = arith.cmpf ogt, %in, %out : f32
      %17 = arith.select %16, %14, %out_1 : i64
      linalg.yield %15, %17 : f32, i64
    } -> (tensor<4xf32>, tensor<4xi64>)
    %expanded = tensor.expand_shape %4#0 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
    %5 = tensor.empty() : tensor<4x33xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %expanded : tensor<4x33xf32>, tensor<4x1xf32>) outs(%5 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %13 = arith.subf %in, %in_1 : f32
      linalg.yield %13 : f32
    } -> tensor<4x33xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<4x33xf32>) outs(%5 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %13 = math.exp %in : f32
      linalg.yield %13 : f32
    } -> tensor<4x33xf32>
    %8 = tensor.empty() : tensor<4x1xf32>
    %9 = linalg.fill ins(%cst_0 : f32) outs(%8 : tensor<4x1xf32>) -> tensor<4x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%7 : tensor<4x33xf32>) outs(%9 : tensor<4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %13 = arith.addf %in, %out : f32
      linalg.yield %13 : f32
    } -> tensor<4x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<4x1xf32>) outs(%8 : tensor<4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %13 = math.log %in : f32
      linalg.yield %13 : f32
    } -> tensor<4x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %11 : tensor<4x33xf32>, tensor<4x1xf32>) outs(%5 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %13 = arith.subf %in, %in_1 : f32
      linalg.yield %13 : f32
    } -> tensor<4x33xf32>
    return %12 : tensor<4x33xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d1)>
module @layer_norm {
  func.func @main(%arg0: tensor<4x33xf32>, %arg1: tensor<33xf32>, %arg2: tensor<33xf32>) -> tensor<4x33xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e-05 : f64
    %cst_1 = arith.constant 3.300000e+01 : f32
    %0 = tensor.empty() : tensor<4x1xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x1xf32>) -> tensor<4x1xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x33xf32>) outs(%1 : tensor<4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.addf %in, %out : f32
      linalg.yield %16 : f32
    } -> tensor<4x1xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<4x1xf32>) outs(%0 : tensor<4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.divf %in, %cst_1 : f32
      linalg.yield %16 : f32
    } -> tensor<4x1xf32>
    %4 = tensor.empty() : tensor<4x33xf32>
    %collapsed = tensor.collapse_shape %3 [[0, 1]] : tensor<4x1xf32> into tensor<4xf32>
    %5 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<4xf32>) outs(%4 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x33xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %5 : tensor<4x33xf32>, tensor<4x33xf32>) outs(%4 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %16 = arith.subf %in, %in_3 : f32
      linalg.yield %16 : f32
    } -> tensor<4x33xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %6 : tensor<4x33xf32>, tensor<4x33xf32>) outs(%4 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %16 = arith.mulf %in, %in_3 : f32
      linalg.yield %16 : f32
    } -> tensor<4x33xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%7 : tensor<4x33xf32>) outs(%1 : tensor<4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.addf %in, %out : f32
      linalg.yield %16 : f32
    } -> tensor<4x1xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<4x1xf32>) outs(%0 : tensor<4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.divf %in, %cst_1 : f32
      linalg.yield %16 : f32
    } -> tensor<4x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<4x1xf32>) outs(%0 : tensor<4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.truncf %cst_0 : f64 to f32
      %17 = arith.addf %in, %16 : f32
      linalg.yield %17 : f32
    } -> tensor<4x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<4x1xf32>) outs(%0 : tensor<4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = math.rsqrt %in : f32
      linalg.yield %16 : f32
    } -> tensor<4x1xf32>
    %collapsed_2 = tensor.collapse_shape %11 [[0, 1]] : tensor<4x1xf32> into tensor<4xf32>
    %12 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%collapsed_2 : tensor<4xf32>) outs(%4 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x33xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %12 : tensor<4x33xf32>, tensor<4x33xf32>) outs(%4 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %16 = arith.mulf %in, %in_3 : f32
      linalg.yield %16 : f32
    } -> tensor<4x33xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%13, %arg1 : tensor<4x33xf32>, tensor<33xf32>) outs(%4 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %16 = arith.mulf %in, %in_3 : f32
      linalg.yield %16 : f32
    } -> tensor<4x33xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel"]} ins(%14, %arg2 : tensor<4x33xf32>, tensor<33xf32>) outs(%4 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %16 = arith.addf %in, %in_3 : f32
      linalg.yield %16 : f32
    } -> tensor<4x33xf32>
    return %15 : tensor<4x33xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
module @rms_norm {
  func.func @main(%arg0: tensor<4x33xf32>, %arg1: tensor<33xf32>) -> tensor<4x33xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 9.9999999999999995E-7 : f64
    %cst_1 = arith.constant 3.300000e+01 : f32
    %0 = tensor.empty() : tensor<4x33xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg0 : tensor<4x33xf32>, tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %10 = arith.mulf %in, %in_2 : f32
      linalg.yield %10 : f32
    } -> tensor<4x33xf32>
    %2 = tensor.empty() : tensor<4x1xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<4x1xf32>) -> tensor<4x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<4x33xf32>) outs(%3 : tensor<4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %10 = arith.addf %in, %out : f32
      linalg.yield %10 : f32
    } -> tensor<4x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<4x1xf32>) outs(%2 : tensor<4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %10 = arith.divf %in, %cst_1 : f32
      linalg.yield %10 : f32
    } -> tensor<4x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<4x1xf32>) outs(%2 : tensor<4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %10 = arith.truncf %cst_0 : f64 to f32
      %11 = arith.addf %in, %10 : f32
      linalg.yield %11 : f32
    } -> tensor<4x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<4x1xf32>) outs(%2 : tensor<4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %10 = math.rsqrt %in : f32
      linalg.yield %10 : f32
    } -> tensor<4x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %7 : tensor<4x33xf32>, tensor<4x1xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %10 = arith.mulf %in, %in_2 : f32
      linalg.yield %10 : f32
    } -> tensor<4x33xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %arg1 : tensor<4x33xf32>, tensor<33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_2: f32, %out: f32):
      %10 = arith.mulf %in, %in_2 : f32
      linalg.yield %10 : f32
    } -> tensor<4x33xf32>
    return %9 : tensor<4x33xf32>
  }
}
// -----
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
module @group_norm {
  func.func @main(%arg0: tensor<2x4x3x3xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) -> tensor<2x4x3x3xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f64
    %cst_1 = arith.constant 1.000000e-05 : f64
    %cst_2 = arith.constant 1.800000e+01 : f32
    %cst_3 = arith.constant 1.800000e+01 : f64
    %collapsed = tensor.collapse_shape %arg0 [[0], [1, 2, 3]] : tensor<2x4x3x3xf32> into tensor<2x36xf32>
    %expanded = tensor.expand_shape %collapsed [[0], [1, 2]] output_shape [2, 2, 18] : tensor<2x36xf32> into tensor<2x2x18xf32>
    %0 = tensor.empty() : tensor<2x2x1xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x2x1xf32>) -> tensor<2x2x1xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expanded : tensor<2x2x18xf32>) outs(%1 : tensor<2x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %23 = arith.addf %in, %out : f32
      linalg.yield %23 : f32
    } -> tensor<2x2x1xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<2x2x1xf32>) outs(%0 : tensor<2x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %23 = arith.divf %in, %cst_2 : f32
      linalg.yield %23 : f32
    } -> tensor<2x2x1xf32>
    %4 = tensor.empty() : tensor<2x2x18xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x2x18xf32>) outs(%4 : tensor<2x2x18xf64>) {
    ^bb0(%in: f32, %out: f64):
      %23 = arith.extf %in : f32 to f64
      linalg.yield %23 : f64
    } -> tensor<2x2x18xf64>
    %6 = tensor.empty() : tensor<2x2x1xf64>
    %7 = linalg.fill ins(%cst_0 : f64) outs(%6 : tensor<2x2x1xf64>) -> tensor<2x2x1xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%5 : tensor<2x2x18xf64>) outs(%7 : tensor<2x2x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %23 = arith.addf %in, %out : f64
      linalg.yield %23 : f64
    } -> tensor<2x2x1xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x2x1xf64>) outs(%6 : tensor<2x2x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %23 = arith.divf %in, %cst_3 : f64
      linalg.yield %23 : f64
    } -> tensor<2x2x1xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %9 : tensor<2x2x18xf64>, tensor<2x2x1xf64>) outs(%4 : tensor<2x2x18xf64>) {
    ^bb0(%in: f64, %in_8: f64, %out: f64):
      %23 = arith.subf %in, %in_8 : f64
      linalg.yield %23 : f64
    } -> tensor<2x2x18xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %10 : tensor<2x2x18xf64>, tensor<2x2x18xf64>) outs(%4 : tensor<2x2x18xf64>) {
    ^bb0(%in: f64, %in_8: f64, %out: f64):
      %23 = arith.mulf %in, %in_8 : f64
      linalg.yield %23 : f64
    } -> tensor<2x2x18xf64>
    %12 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%11 : tensor<2x2x18xf64>) outs(%7 : tensor<2x2x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %23 = arith.addf %in, %out : f64
      linalg.yield %23 : f64
    } -> tensor<2x2x1xf64>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<2x2x1xf64>) outs(%6 : tensor<2x2x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %23 = arith.divf %in, %cst_3 : f64
      linalg.yield %23 : f64
    } -> tensor<2x2x1xf64>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x2x1xf64>) outs(%0 : tensor<2x2x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %23 = arith.truncf %in : f64 to f32
      linalg.yield %23 : f32
    } -> tensor<2x2x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<2x2x1xf32>) outs(%0 : tensor<2x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %23 = arith.truncf %cst_1 : f64 to f32
      %24 = arith.addf %in, %23 : f32
      linalg.yield %24 : f32
    } -> tensor<2x2x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x2x1xf32>) outs(%0 : tensor<2x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %23 = math.rsqrt %in : f32
      linalg.yield %23 : f32
    } -> tensor<2x2x1xf32>
    %17 = tensor.empty() : tensor<2x2x18xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %3 : tensor<2x2x18xf32>, tensor<2x2x1xf32>) outs(%17 : tensor<2x2x18xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %23 = arith.subf %in, %in_8 : f32
      linalg.yield %23 : f32
    } -> tensor<2x2x18xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %16 : tensor<2x2x18xf32>, tensor<2x2x1xf32>) outs(%17 : tensor<2x2x18xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %23 = arith.mulf %in, %in_8 : f32
      linalg.yield %23 : f32
    } -> tensor<2x2x18xf32>
    %collapsed_4 = tensor.collapse_shape %19 [[0], [1, 2]] : tensor<2x2x18xf32> into tensor<2x36xf32>
    %expanded_5 = tensor.expand_shape %collapsed_4 [[0], [1, 2, 3]] output_shape [2, 4, 3, 3] : tensor<2x36xf32> into tensor<2x4x3x3xf32>
    %expanded_6 = tensor.expand_shape %arg1 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %20 = tensor.empty() : tensor<2x4x3x3xf32>
    %21 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_5, %expanded_6 : tensor<2x4x3x3xf32>, tensor<4x1x1xf32>) outs(%20 : tensor<2x4x3x3xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %23 = arith.mulf %in, %in_8 : f32
      linalg.yield %23 : f32
    } -> tensor<2x4x3x3xf32>
    %expanded_7 = tensor.expand_shape %arg2 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %22 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %expanded_7 : tensor<2x4x3x3xf32>, tensor<4x1x1xf32>) outs(%20 : tensor<2x4x3x3xf32>) {
    ^bb0(%in: f32, %in_8: f32, %out: f32):
      %23 = arith.addf %in, %in_8 : f32
      linalg.yield %23 : f32
    } -> tensor<2x4x3x3xf32>
    return %22 : tensor<2x4x3x3xf32>
  }
}
// -----
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
module @batch_norm {
  func.func @main(%arg0: tensor<2x3x4x4xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>, %arg3: tensor<3xf32>, %arg4: tensor<3xf32>) -> tensor<2x3x4x4xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %cst_1 = arith.constant 1.000000e-05 : f64
    %0 = tensor.empty() : tensor<3xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg2 : tensor<3xf32>) outs(%0 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %9 = arith.truncf %cst_1 : f64 to f32
      %10 = arith.addf %in, %9 : f32
      linalg.yield %10 : f32
    } -> tensor<3xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%1 : tensor<3xf32>) outs(%0 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %9 = math.sqrt %in : f32
      linalg.yield %9 : f32
    } -> tensor<3xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%2 : tensor<3xf32>) outs(%0 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %9 = arith.cmpf one, %in, %cst : f32
      cf.assert %9, "unimplemented: tensor with zero element"
      %10 = arith.divf %cst_0, %in : f32
      linalg.yield %10 : f32
    } -> tensor<3xf32>
    %expanded = tensor.expand_shape %arg1 [[0, 1, 2]] output_shape [3, 1, 1] : tensor<3xf32> into tensor<3x1x1xf32>
    %expanded_2 = tensor.expand_shape %3 [[0, 1, 2]] output_shape [3, 1, 1] : tensor<3xf32> into tensor<3x1x1xf32>
    %4 = tensor.empty() : tensor<2x3x4x4xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %expanded : tensor<2x3x4x4xf32>, tensor<3x1x1xf32>) outs(%4 : tensor<2x3x4x4xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %9 = arith.subf %in, %in_5 : f32
      linalg.yield %9 : f32
    } -> tensor<2x3x4x4xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %expanded_2 : tensor<2x3x4x4xf32>, tensor<3x1x1xf32>) outs(%4 : tensor<2x3x4x4xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %9 = arith.mulf %in, %in_5 : f32
      linalg.yield %9 : f32
    } -> tensor<2x3x4x4xf32>
    %expanded_3 = tensor.expand_shape %arg3 [[0, 1, 2]] output_shape [3, 1, 1] : tensor<3xf32> into tensor<3x1x1xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %expanded_3 : tensor<2x3x4x4xf32>, tensor<3x1x1xf32>) outs(%4 : tensor<2x3x4x4xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %9 = arith.mulf %in, %in_5 : f32
      linalg.yield %9 : f32
    } -> tensor<2x3x4x4xf32>
    %expanded_4 = tensor.expand_shape %arg4 [[0, 1, 2]] output_shape [3, 1, 1] : tensor<3xf32> into tensor<3x1x1xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %expanded_4 : tensor<2x3x4x4xf32>, tensor<3x1x1xf32>) outs(%4 : tensor<2x3x4x4xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %9 = arith.addf %in, %in_5 : f32
      linalg.yield %9 : f32
    } -> tensor<2x3x4x4xf32>
    return %8 : tensor<2x3x4x4xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @gelu {
  func.func @main(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 5.000000e-01 : f32
    %cst_1 = arith.constant 1.41421354 : f32
    %0 = tensor.empty() : tensor<4x33xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.divf %in, %cst_1 : f32
      %3 = math.erf %2 : f32
      %4 = arith.addf %3, %cst : f32
      %5 = arith.mulf %4, %cst_0 : f32
      %6 = arith.mulf %in, %5 : f32
      linalg.yield %6 : f32
    } -> tensor<4x33xf32>
    return %1 : tensor<4x33xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @gelu_tanh {
  func.func @main(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %c3_i64 = arith.constant 3 : i64
    %cst = arith.constant 4.471500e-02 : f32
    %cst_0 = arith.constant 7.977240e-01 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant 5.000000e-01 : f32
    %0 = tensor.empty() : tensor<4x33xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = math.fpowi %in, %c3_i64 : f32, i64
      %3 = arith.mulf %2, %cst : f32
      %4 = arith.addf %in, %3 : f32
      %5 = arith.mulf %4, %cst_0 : f32
      %6 = math.tanh %5 : f32
      %7 = arith.addf %6, %cst_1 : f32
      %8 = arith.mulf %7, %cst_2 : f32
      %9 = arith.mulf %in, %8 : f32
      linalg.yield %9 : f32
    } -> tensor<4x33xf32>
    return %1 : tensor<4x33xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @silu {
  func.func @main(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<4x33xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.negf %in : f32
      %4 = math.exp %3 : f32
      %5 = arith.addf %4, %cst : f32
      %6 = arith.divf %cst, %5 : f32
      linalg.yield %6 : f32
    } -> tensor<4x33xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %arg0 : tensor<4x33xf32>, tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %3 = arith.mulf %in, %in_0 : f32
      linalg.yield %3 : f32
    } -> tensor<4x33xf32>
    return %2 : tensor<4x33xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @swiglu {
  func.func @main(%arg0: tensor<4x33xf32>, %arg1: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<4x33xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %4 = arith.negf %in : f32
      %5 = math.exp %4 : f32
      %6 = arith.addf %5, %cst : f32
      %7 = arith.divf %cst, %6 : f32
      linalg.yield %7 : f32
    } -> tensor<4x33xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %arg0 : tensor<4x33xf32>, tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %4 = arith.mulf %in, %in_0 : f32
      linalg.yield %4 : f32
    } -> tensor<4x33xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %arg1 : tensor<4x33xf32>, tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %4 = arith.mulf %in, %in_0 : f32
      linalg.yield %4 : f32
    } -> tensor<4x33xf32>
    return %3 : tensor<4x33xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
module @hardswish {
  func.func @main(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<6.000000e+00> : tensor<f32>
    %cst_1 = arith.constant 3.000000e+00 : f32
    %cst_2 = arith.constant 6.000000e+00 : f32
    %0 = tensor.empty() : tensor<4x33xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %6 = arith.addf %in, %cst_1 : f32
      linalg.yield %6 : f32
    } -> tensor<4x33xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %6 = arith.cmpf ugt, %in, %cst : f32
      %7 = arith.select %6, %in, %cst : f32
      linalg.yield %7 : f32
    } -> tensor<4x33xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %cst_0 : tensor<4x33xf32>, tensor<f32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %6 = arith.cmpf olt, %in, %in_3 : f32
      %7 = arith.select %6, %in, %in_3 : f32
      linalg.yield %7 : f32
    } -> tensor<4x33xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %6 = arith.divf %in, %cst_2 : f32
      linalg.yield %6 : f32
    } -> tensor<4x33xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %arg0 : tensor<4x33xf32>, tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %6 = arith.mulf %in, %in_3 : f32
      linalg.yield %6 : f32
    } -> tensor<4x33xf32>
    return %5 : tensor<4x33xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @softplus {
  func.func @main(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 2.000000e+01 : f32
    %0 = tensor.empty() : tensor<4x33xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %10 = math.absf %in : f32
      linalg.yield %10 : f32
    } -> tensor<4x33xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %10 = arith.negf %in : f32
      linalg.yield %10 : f32
    } -> tensor<4x33xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %10 = math.exp %in : f32
      linalg.yield %10 : f32
    } -> tensor<4x33xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %10 = math.log1p %in : f32
      linalg.yield %10 : f32
    } -> tensor<4x33xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %10 = arith.cmpf ugt, %in, %cst : f32
      %11 = arith.select %10, %in, %cst : f32
      linalg.yield %11 : f32
    } -> tensor<4x33xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %4 : tensor<4x33xf32>, tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %10 = arith.addf %in, %in_1 : f32
      linalg.yield %10 : f32
    } -> tensor<4x33xf32>
    %7 = tensor.empty() : tensor<4x33xi1>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x33xf32>) outs(%7 : tensor<4x33xi1>) {
    ^bb0(%in: f32, %out: i1):
      %10 = arith.cmpf ogt, %in, %cst_0 : f32
      linalg.yield %10 : i1
    } -> tensor<4x33xi1>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %arg0, %6 : tensor<4x33xi1>, tensor<4x33xf32>, tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %10 = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %10 : f32
    } -> tensor<4x33xf32>
    return %9 : tensor<4x33xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> ()>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module @elu {
  func.func @main(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<4x33xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst, %arg0 : tensor<f32>, tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %6 = arith.cmpf ogt, %in, %in_1 : f32
      %7 = arith.select %6, %in, %in_1 : f32
      linalg.yield %7 : f32
    } -> tensor<4x33xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst, %arg0 : tensor<f32>, tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %6 = arith.cmpf olt, %in, %in_1 : f32
      %7 = arith.select %6, %in, %in_1 : f32
      linalg.yield %7 : f32
    } -> tensor<4x33xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %6 = math.exp %in : f32
      linalg.yield %6 : f32
    } -> tensor<4x33xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %6 = arith.subf %in, %cst_0 : f32
      linalg.yield %6 : f32
    } -> tensor<4x33xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%1, %4 : tensor<4x33xf32>, tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %6 = arith.addf %in, %in_1 : f32
      linalg.yield %6 : f32
    } -> tensor<4x33xf32>
    return %5 : tensor<4x33xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> ()>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module @leaky_relu {
  func.func @main(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = arith.constant 1.000000e-01 : f64
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<f32>
    %0 = tensor.empty() : tensor<4x33xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_0, %arg0 : tensor<f32>, tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %5 = arith.cmpf ogt, %in, %in_1 : f32
      %6 = arith.select %5, %in, %in_1 : f32
      linalg.yield %6 : f32
    } -> tensor<4x33xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_0, %arg0 : tensor<f32>, tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %5 = arith.cmpf olt, %in, %in_1 : f32
      %6 = arith.select %5, %in, %in_1 : f32
      linalg.yield %6 : f32
    } -> tensor<4x33xf32>
    %3 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %5 = arith.truncf %cst : f64 to f32
      %6 = arith.mulf %in, %5 : f32
      linalg.yield %6 : f32
    } -> tensor<4x33xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%1, %3 : tensor<4x33xf32>, tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %5 = arith.addf %in, %in_1 : f32
      linalg.yield %5 : f32
    } -> tensor<4x33xf32>
    return %4 : tensor<4x33xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @clamp {
  func.func @main(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = arith.constant -1.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<4x33xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.cmpf ult, %in, %cst : f32
      %3 = arith.select %2, %cst, %in : f32
      %4 = arith.cmpf ugt, %3, %cst_0 : f32
      %5 = arith.select %4, %cst_0, %3 : f32
      linalg.yield %5 : f32
    } -> tensor<4x33xf32>
    return %1 : tensor<4x33xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module @linear {
  func.func @main(%arg0: tensor<8x12xf32>, %arg1: tensor<10x12xf32>, %arg2: tensor<10xf32>) -> tensor<8x10xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<12x10xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<10x12xf32>) outs(%0 : tensor<12x10xf32>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<8x10xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<8x10xf32>) -> tensor<8x10xf32>
    %3 = linalg.matmul ins(%arg0, %transposed : tensor<8x12xf32>, tensor<12x10xf32>) outs(%2 : tensor<8x10xf32>) -> tensor<8x10xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %arg2 : tensor<8x10xf32>, tensor<10xf32>) outs(%1 : tensor<8x10xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %5 = arith.addf %in, %in_0 : f32
      linalg.yield %5 : f32
    } -> tensor<8x10xf32>
    return %4 : tensor<8x10xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module @linear_relu_f16 {
  func.func @main(%arg0: tensor<8x12xf16>, %arg1: tensor<10x12xf16>, %arg2: tensor<10xf16>) -> tensor<8x10xf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f16
    %0 = tensor.empty() : tensor<12x10xf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<10x12xf16>) outs(%0 : tensor<12x10xf16>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<8x10xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<8x10xf32>) -> tensor<8x10xf32>
    %3 = linalg.matmul ins(%arg0, %transposed : tensor<8x12xf16>, tensor<12x10xf16>) outs(%2 : tensor<8x10xf32>) -> tensor<8x10xf32>
    %4 = tensor.empty() : tensor<8x10xf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<8x10xf32>) outs(%4 : tensor<8x10xf16>) {
    ^bb0(%in: f32, %out: f16):
      %8 = arith.truncf %in : f32 to f16
      linalg.yield %8 : f16
    } -> tensor<8x10xf16>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %arg2 : tensor<8x10xf16>, tensor<10xf16>) outs(%4 : tensor<8x10xf16>) {
    ^bb0(%in: f16, %in_1: f16, %out: f16):
      %8 = arith.addf %in, %in_1 : f16
      linalg.yield %8 : f16
    } -> tensor<8x10xf16>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<8x10xf16>) outs(%4 : tensor<8x10xf16>) {
    ^bb0(%in: f16, %out: f16):
      %8 = arith.cmpf ugt, %in, %cst_0 : f16
      %9 = arith.select %8, %in, %cst_0 : f16
      linalg.yield %9 : f16
    } -> tensor<8x10xf16>
    return %7 : tensor<8x10xf16>
  }
}
// -----
module @bmm {
  func.func @main(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x4x5xf32>) -> tensor<2x3x5xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x3x5xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %2 = linalg.batch_matmul ins(%arg0, %arg1 : tensor<2x3x4xf32>, tensor<2x4x5xf32>) outs(%1 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    return %2 : tensor<2x3x5xf32>
  }
}
// -----
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module @attention {
  func.func @main(%arg0: tensor<1x2x6x8xf32>, %arg1: tensor<1x2x6x8xf32>, %arg2: tensor<1x2x6x8xf32>) -> tensor<1x2x6x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<1x2x6x6xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x2x6x6xf32>) -> tensor<1x2x6x6xf32>
    %2 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%1 : tensor<1x2x6x6xf32>) {
    ^bb0(%out: f32):
      %6 = linalg.index 2 : index
      %7 = linalg.index 3 : index
      %8 = arith.cmpi sge, %6, %7 : index
      %9 = arith.select %8, %cst, %cst_0 : f32
      linalg.yield %9 : f32
    } -> tensor<1x2x6x6xf32>
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<1x2x6x8xf32> into tensor<2x6x8xf32>
    %collapsed_1 = tensor.collapse_shape %arg1 [[0, 1], [2], [3]] : tensor<1x2x6x8xf32> into tensor<2x6x8xf32>
    %collapsed_2 = tensor.collapse_shape %arg2 [[0, 1], [2], [3]] : tensor<1x2x6x8xf32> into tensor<2x6x8xf32>
    %collapsed_3 = tensor.collapse_shape %2 [[0, 1], [2], [3]] : tensor<1x2x6x6xf32> into tensor<2x6x6xf32>
    %3 = tensor.empty() : tensor<2x6x8xf32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
    %5 = tm_tensor.attention ins(%collapsed, %collapsed_1, %collapsed_2, %collapsed_3 : tensor<2x6x8xf32>, tensor<2x6x8xf32>, tensor<2x6x8xf32>, tensor<2x6x6xf32>) outs(%4 : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
    %expanded = tensor.expand_shape %5 [[0, 1], [2], [3]] output_shape [1, 2, 6, 8] : tensor<2x6x8xf32> into tensor<1x2x6x8xf32>
    return %expanded : tensor<1x2x6x8xf32>
  }
}
// -----
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> ()>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module @attention_by_hand {
  func.func @main(%arg0: tensor<2x6x8xf32>, %arg1: tensor<2x6x8xf32>, %arg2: tensor<2x6x8xf32>, %arg3: tensor<6x6xf32>) -> tensor<2x6x8xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_2 = arith.constant 2.8284271247461903 : f64
    %0 = tensor.empty() : tensor<2x8x6xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<2x6x8xf32>) outs(%0 : tensor<2x8x6xf32>) permutation = [0, 2, 1] 
    %1 = tensor.empty() : tensor<2x6x6xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
    %3 = linalg.batch_matmul ins(%arg0, %transposed : tensor<2x6x8xf32>, tensor<2x8x6xf32>) outs(%2 : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<2x6x6xf32>) outs(%1 : tensor<2x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = arith.truncf %cst_2 : f64 to f32
      %23 = arith.divf %in, %22 : f32
      linalg.yield %23 : f32
    } -> tensor<2x6x6xf32>
    %5 = tensor.empty() : tensor<6x6xi1>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<6x6xf32>) outs(%5 : tensor<6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %22 = arith.cmpf oeq, %in, %cst : f32
      linalg.yield %22 : i1
    } -> tensor<6x6xi1>
    %7 = linalg.generic {indexing_maps = [#map2, #map3, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %cst_1, %4 : tensor<6x6xi1>, tensor<f32>, tensor<2x6x6xf32>) outs(%1 : tensor<2x6x6xf32>) {
    ^bb0(%in: i1, %in_3: f32, %in_4: f32, %out: f32):
      %22 = arith.select %in, %in_3, %in_4 : f32
      linalg.yield %22 : f32
    } -> tensor<2x6x6xf32>
    %8 = tensor.empty() : tensor<2x6xi64>
    %9 = linalg.fill ins(%c0_i64 : i64) outs(%8 : tensor<2x6xi64>) -> tensor<2x6xi64>
    %10 = tensor.empty() : tensor<2x6xf32>
    %11 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %12:2 = linalg.generic {indexing_maps = [#map, #map4, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<2x6x6xf32>) outs(%11, %9 : tensor<2x6xf32>, tensor<2x6xi64>) {
    ^bb0(%in: f32, %out: f32, %out_3: i64):
      %22 = linalg.index 2 : index
      %23 = arith.index_cast %22 : index to i64
      %24 = arith.maximumf %in, %out : f32
      %25 = arith.cmpf ogt, %in, %out : f32
      %26 = arith.select %25, %23, %out_3 : i64
      linalg.yield %24, %26 : f32, i64
    } -> (tensor<2x6xf32>, tensor<2x6xi64>)
    %expanded = tensor.expand_shape %12#0 [[0], [1, 2]] output_shape [2, 6, 1] : tensor<2x6xf32> into tensor<2x6x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %expanded : tensor<2x6x6xf32>, tensor<2x6x1xf32>) outs(%1 : tensor<2x6x6xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %22 = arith.subf %in, %in_3 : f32
      linalg.yield %22 : f32
    } -> tensor<2x6x6xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x6x6xf32>) outs(%1 : tensor<2x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = math.exp %in : f32
      linalg.yield %22 : f32
    } -> tensor<2x6x6xf32>
    %15 = tensor.empty() : tensor<2x6x1xf32>
    %16 = linalg.fill ins(%cst : f32) outs(%15 : tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map5], iterator_types = ["parallel", "parallel", "reduction"]} ins(%14 : tensor<2x6x6xf32>) outs(%16 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %22 = arith.addf %in, %out : f32
      linalg.yield %22 : f32
    } -> tensor<2x6x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map5, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %17 : tensor<2x6x6xf32>, tensor<2x6x1xf32>) outs(%1 : tensor<2x6x6xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %22 = arith.divf %in, %in_3 : f32
      linalg.yield %22 : f32
    } -> tensor<2x6x6xf32>
    %19 = tensor.empty() : tensor<2x6x8xf32>
    %20 = linalg.fill ins(%cst : f32) outs(%19 : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
    %21 = linalg.batch_matmul ins(%18, %arg2 : tensor<2x6x6xf32>, tensor<2x6x8xf32>) outs(%20 : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
    return %21 : tensor<2x6x8xf32>
  }
}
// -----
module @conv2d {
  func.func @main(%arg0: tensor<1x2x6x6xf32>, %arg1: tensor<3x2x3x3xf32>, %arg2: tensor<3xf32>) -> tensor<1x3x3x3xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg3: index, %arg4: index, %arg5: index, %arg6: index):
      tensor.yield %cst : f32
    } : tensor<1x2x6x6xf32> to tensor<1x2x8x8xf32>
    %0 = tensor.empty() : tensor<1x3x3x3xf32>
    %broadcasted = linalg.broadcast ins(%arg2 : tensor<3xf32>) outs(%0 : tensor<1x3x3x3xf32>) dimensions = [0, 2, 3] 
    %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded, %arg1 : tensor<1x2x8x8xf32>, tensor<3x2x3x3xf32>) outs(%broadcasted : tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>
    return %1 : tensor<1x3x3x3xf32>
  }
}
// -----
module @conv1d_depthwise {
  func.func @main(%arg0: tensor<1x3x8xf32>, %arg1: tensor<3x1x3xf32>) -> tensor<1x3x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3]] output_shape [1, 3, 8, 1] : tensor<1x3x8xf32> into tensor<1x3x8x1xf32>
    %expanded_0 = tensor.expand_shape %arg1 [[0], [1], [2, 3]] output_shape [3, 1, 3, 1] : tensor<3x1x3xf32> into tensor<3x1x3x1xf32>
    %padded = tensor.pad %expanded low[0, 0, 1, 0] high[0, 0, 1, 0] {
    ^bb0(%arg2: index, %arg3: index, %arg4: index, %arg5: index):
      tensor.yield %cst : f32
    } : tensor<1x3x8x1xf32> to tensor<1x3x10x1xf32>
    %0 = tensor.empty() : tensor<1x3x8x1xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x3x8x1xf32>) -> tensor<1x3x8x1xf32>
    %collapsed = tensor.collapse_shape %expanded_0 [[0, 1], [2], [3]] : tensor<3x1x3x1xf32> into tensor<3x3x1xf32>
    %2 = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %collapsed : tensor<1x3x10x1xf32>, tensor<3x3x1xf32>) outs(%1 : tensor<1x3x8x1xf32>) -> tensor<1x3x8x1xf32>
    %collapsed_1 = tensor.collapse_shape %2 [[0], [1], [2, 3]] : tensor<1x3x8x1xf32> into tensor<1x3x8xf32>
    return %collapsed_1 : tensor<1x3x8xf32>
  }
}
// -----
module @max_pool2d {
  func.func @main(%arg0: tensor<1x2x6x6xf32>) -> tensor<1x2x3x3xf32> {
    %cst = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<1x2x3x3xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
    %2 = tensor.empty() : tensor<2x2xf32>
    %3 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%arg0, %2 : tensor<1x2x6x6xf32>, tensor<2x2xf32>) outs(%1 : tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
    return %3 : tensor<1x2x3x3xf32>
  }
}
// -----
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module @avg_pool2d {
  func.func @main(%arg0: tensor<1x2x6x6xf32>) -> tensor<1x2x3x3xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 9.000000e+00 : f32
    %padded = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst : f32
    } : tensor<1x2x6x6xf32> to tensor<1x2x8x8xf32>
    %0 = tensor.empty() : tensor<1x2x3x3xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
    %2 = tensor.empty() : tensor<3x3xf32>
    %3 = linalg.pooling_nchw_sum {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded, %2 : tensor<1x2x8x8xf32>, tensor<3x3xf32>) outs(%1 : tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<1x2x3x3xf32>) outs(%0 : tensor<1x2x3x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %5 = arith.divf %in, %cst_0 : f32
      linalg.yield %5 : f32
    } -> tensor<1x2x3x3xf32>
    return %4 : tensor<1x2x3x3xf32>
  }
}
// -----
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module @adaptive_avg_pool {
  func.func @main(%arg0: tensor<1x2x6x6xf32>) -> tensor<1x2x1x1xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 3.600000e+01 : f32
    %0 = tensor.empty() : tensor<1x2x1x1xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x2x1x1xf32>) -> tensor<1x2x1x1xf32>
    %2 = tensor.empty() : tensor<6x6xf32>
    %3 = linalg.pooling_nchw_sum {dilations = dense<1> : vector<2xi64>, strides = dense<6> : vector<2xi64>} ins(%arg0, %2 : tensor<1x2x6x6xf32>, tensor<6x6xf32>) outs(%1 : tensor<1x2x1x1xf32>) -> tensor<1x2x1x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<1x2x1x1xf32>) outs(%0 : tensor<1x2x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %5 = arith.divf %in, %cst_0 : f32
      linalg.yield %5 : f32
    } -> tensor<1x2x1x1xf32>
    return %4 : tensor<1x2x1x1xf32>
  }
}
// -----
#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module @embedding {
  func.func @main(%arg0: tensor<2x5xi64>, %arg1: tensor<11x6xf32>) -> tensor<2x5x6xf32> {
    %c11 = arith.constant 11 : index
    %c0_i64 = arith.constant 0 : i64
    %0 = tensor.empty() : tensor<2x5x6xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x5xi64>) outs(%0 : tensor<2x5x6xf32>) {
    ^bb0(%in: i64, %out: f32):
      %2 = arith.index_cast %in : i64 to index
      %3 = linalg.index 2 : index
      %4 = arith.cmpi slt, %2, %c11 : index
      cf.assert %4, "index must be smaller than dim size"
      %5 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %5, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg1[%2, %3] : tensor<11x6xf32>
      linalg.yield %extracted : f32
    } -> tensor<2x5x6xf32>
    return %1 : tensor<2x5x6xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module @argmax {
  func.func @main(%arg0: tensor<4x33xf32>) -> tensor<4xi64> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<4xi64>
    %1 = linalg.fill ins(%c0_i64 : i64) outs(%0 : tensor<4xi64>) -> tensor<4xi64>
    %2 = tensor.empty() : tensor<4xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
    %4:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x33xf32>) outs(%3, %1 : tensor<4xf32>, tensor<4xi64>) {
    ^bb0(%in: f32, %out: f32, %out_0: i64):
      %5 = linalg.index 1 : index
      %6 = arith.index_cast %5 : index to i64
      %7 = arith.maximumf %in, %out : f32
      %8 = arith.cmpf ogt, %in, %out : f32
      %9 = arith.select %8, %6, %out_0 : i64
      linalg.yield %7, %9 : f32, i64
    } -> (tensor<4xf32>, tensor<4xi64>)
    return %4#1 : tensor<4xi64>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module @max_dim {
  func.func @main(%arg0: tensor<4x33xf32>) -> (tensor<4xf32>, tensor<4xi64>) {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<4xi64>
    %1 = linalg.fill ins(%c0_i64 : i64) outs(%0 : tensor<4xi64>) -> tensor<4xi64>
    %2 = tensor.empty() : tensor<4xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
    %4:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x33xf32>) outs(%3, %1 : tensor<4xf32>, tensor<4xi64>) {
    ^bb0(%in: f32, %out: f32, %out_0: i64):
      %5 = linalg.index 1 : index
      %6 = arith.index_cast %5 : index to i64
      %7 = arith.maximumf %in, %out : f32
      %8 = arith.cmpf ogt, %in, %out : f32
      %9 = arith.select %8, %6, %out_0 : i64
      linalg.yield %7, %9 : f32, i64
    } -> (tensor<4xf32>, tensor<4xi64>)
    return %4#0, %4#1 : tensor<4xf32>, tensor<4xi64>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module @min_dim {
  func.func @main(%arg0: tensor<4x33xf32>) -> (tensor<33xf32>, tensor<33xi64>) {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0x7F800000 : f32
    %0 = tensor.empty() : tensor<33xi64>
    %1 = linalg.fill ins(%c0_i64 : i64) outs(%0 : tensor<33xi64>) -> tensor<33xi64>
    %2 = tensor.empty() : tensor<33xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<33xf32>) -> tensor<33xf32>
    %4:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["reduction", "parallel"]} ins(%arg0 : tensor<4x33xf32>) outs(%3, %1 : tensor<33xf32>, tensor<33xi64>) {
    ^bb0(%in: f32, %out: f32, %out_0: i64):
      %5 = linalg.index 0 : index
      %6 = arith.index_cast %5 : index to i64
      %7 = arith.minimumf %in, %out : f32
      %8 = arith.cmpf olt, %in, %out : f32
      %9 = arith.select %8, %6, %out_0 : i64
      linalg.yield %7, %9 : f32, i64
    } -> (tensor<33xf32>, tensor<33xi64>)
    return %4#0, %4#1 : tensor<33xf32>, tensor<33xi64>
  }
}
// -----
module @cumsum {
  func.func @main(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<4x33xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x33xf32>) -> tensor<4x33xf32>
    %2 = tensor.empty() : tensor<4xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
    %4:2 = tm_tensor.scan dimension(1) inclusive(true) ins(%arg0 : tensor<4x33xf32>) outs(%1, %3 : tensor<4x33xf32>, tensor<4xf32>) {
    ^bb0(%arg1: f32, %arg2: f32):
      %5 = arith.addf %arg1, %arg2 : f32
      tm_tensor.yield %5 : f32
    } -> tensor<4x33xf32>, tensor<4xf32>
    return %4#0 : tensor<4x33xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<(d0) -> (d0)>
module @var_mean {
  func.func @main(%arg0: tensor<4x33xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 3.200000e+01 : f64
    %cst_2 = arith.constant 3.300000e+01 : f64
    %cst_3 = arith.constant 3.300000e+01 : f32
    %0 = tensor.empty() : tensor<4x33xf64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf64>) {
    ^bb0(%in: f32, %out: f64):
      %17 = arith.extf %in : f32 to f64
      linalg.yield %17 : f64
    } -> tensor<4x33xf64>
    %2 = tensor.empty() : tensor<4x1xf64>
    %3 = linalg.fill ins(%cst : f64) outs(%2 : tensor<4x1xf64>) -> tensor<4x1xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<4x33xf64>) outs(%3 : tensor<4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %17 = arith.addf %in, %out : f64
      linalg.yield %17 : f64
    } -> tensor<4x1xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<4x1xf64>) outs(%2 : tensor<4x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %17 = arith.divf %in, %cst_2 : f64
      linalg.yield %17 : f64
    } -> tensor<4x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %5 : tensor<4x33xf64>, tensor<4x1xf64>) outs(%0 : tensor<4x33xf64>) {
    ^bb0(%in: f64, %in_4: f64, %out: f64):
      %17 = arith.subf %in, %in_4 : f64
      linalg.yield %17 : f64
    } -> tensor<4x33xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %6 : tensor<4x33xf64>, tensor<4x33xf64>) outs(%0 : tensor<4x33xf64>) {
    ^bb0(%in: f64, %in_4: f64, %out: f64):
      %17 = arith.mulf %in, %in_4 : f64
      linalg.yield %17 : f64
    } -> tensor<4x33xf64>
    %8 = tensor.empty() : tensor<4xf64>
    %9 = linalg.fill ins(%cst : f64) outs(%8 : tensor<4xf64>) -> tensor<4xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%7 : tensor<4x33xf64>) outs(%9 : tensor<4xf64>) {
    ^bb0(%in: f64, %out: f64):
      %17 = arith.addf %in, %out : f64
      linalg.yield %17 : f64
    } -> tensor<4xf64>
    %11 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%10 : tensor<4xf64>) outs(%8 : tensor<4xf64>) {
    ^bb0(%in: f64, %out: f64):
      %17 = arith.divf %in, %cst_1 : f64
      linalg.yield %17 : f64
    } -> tensor<4xf64>
    %12 = tensor.empty() : tensor<4xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%11 : tensor<4xf64>) outs(%12 : tensor<4xf32>) {
    ^bb0(%in: f64, %out: f32):
      %17 = arith.truncf %in : f64 to f32
      linalg.yield %17 : f32
    } -> tensor<4xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<4xf32>) -> tensor<4xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x33xf32>) outs(%14 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.addf %in, %out : f32
      linalg.yield %17 : f32
    } -> tensor<4xf32>
    %16 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%15 : tensor<4xf32>) outs(%12 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %17 = arith.divf %in, %cst_3 : f32
      linalg.yield %17 : f32
    } -> tensor<4xf32>
    return %13, %16 : tensor<4xf32>, tensor<4xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0) -> (d0)>
module @std {
  func.func @main(%arg0: tensor<4x33xf32>) -> tensor<33xf32> {
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 3.000000e+00 : f64
    %cst_1 = arith.constant 4.000000e+00 : f64
    %0 = tensor.empty() : tensor<4x33xf64>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf64>) {
    ^bb0(%in: f32, %out: f64):
      %15 = arith.extf %in : f32 to f64
      linalg.yield %15 : f64
    } -> tensor<4x33xf64>
    %2 = tensor.empty() : tensor<1x33xf64>
    %3 = linalg.fill ins(%cst : f64) outs(%2 : tensor<1x33xf64>) -> tensor<1x33xf64>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel"]} ins(%1 : tensor<4x33xf64>) outs(%3 : tensor<1x33xf64>) {
    ^bb0(%in: f64, %out: f64):
      %15 = arith.addf %in, %out : f64
      linalg.yield %15 : f64
    } -> tensor<1x33xf64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<1x33xf64>) outs(%2 : tensor<1x33xf64>) {
    ^bb0(%in: f64, %out: f64):
      %15 = arith.divf %in, %cst_1 : f64
      linalg.yield %15 : f64
    } -> tensor<1x33xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %5 : tensor<4x33xf64>, tensor<1x33xf64>) outs(%0 : tensor<4x33xf64>) {
    ^bb0(%in: f64, %in_2: f64, %out: f64):
      %15 = arith.subf %in, %in_2 : f64
      linalg.yield %15 : f64
    } -> tensor<4x33xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %6 : tensor<4x33xf64>, tensor<4x33xf64>) outs(%0 : tensor<4x33xf64>) {
    ^bb0(%in: f64, %in_2: f64, %out: f64):
      %15 = arith.mulf %in, %in_2 : f64
      linalg.yield %15 : f64
    } -> tensor<4x33xf64>
    %8 = tensor.empty() : tensor<33xf64>
    %9 = linalg.fill ins(%cst : f64) outs(%8 : tensor<33xf64>) -> tensor<33xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["reduction", "parallel"]} ins(%7 : tensor<4x33xf64>) outs(%9 : tensor<33xf64>) {
    ^bb0(%in: f64, %out: f64):
      %15 = arith.addf %in, %out : f64
      linalg.yield %15 : f64
    } -> tensor<33xf64>
    %11 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%10 : tensor<33xf64>) outs(%8 : tensor<33xf64>) {
    ^bb0(%in: f64, %out: f64):
      %15 = arith.divf %in, %cst_0 : f64
      linalg.yield %15 : f64
    } -> tensor<33xf64>
    %12 = tensor.empty() : tensor<33xf32>
    %13 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%11 : tensor<33xf64>) outs(%12 : tensor<33xf32>) {
    ^bb0(%in: f64, %out: f32):
      %15 = arith.truncf %in : f64 to f32
      linalg.yield %15 : f32
    } -> tensor<33xf32>
    %14 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%13 : tensor<33xf32>) outs(%12 : tensor<33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %15 = math.sqrt %in : f32
      linalg.yield %15 : f32
    } -> tensor<33xf32>
    return %14 : tensor<33xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0) -> (d0)>
module @logsumexp {
  func.func @main(%arg0: tensor<4x33xf32>) -> tensor<4xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<4xi64>
    %1 = linalg.fill ins(%c0_i64 : i64) outs(%0 : tensor<4xi64>) -> tensor<4xi64>
    %2 = tensor.empty() : tensor<4xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
    %4:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x33xf32>) outs(%3, %1 : tensor<4xf32>, tensor<4xi64>) {
    ^bb0(%in: f32, %out: f32, %out_1: i64):
      %12 = linalg.index 1 : index
      %13 = arith.index_cast %12 : index to i64
      %14 = arith.maximumf %in, %out : f32
      %15 = arith.cmpf ogt, %in, %out : f32
      %16 = arith.select %15, %13, %out_1 : i64
      linalg.yield %14, %16 : f32, i64
    } -> (tensor<4xf32>, tensor<4xi64>)
    %expanded = tensor.expand_shape %4#0 [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
    %5 = tensor.empty() : tensor<4x33xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %expanded : tensor<4x33xf32>, tensor<4x1xf32>) outs(%5 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %12 = arith.subf %in, %in_1 : f32
      linalg.yield %12 : f32
    } -> tensor<4x33xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<4x33xf32>) outs(%5 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %12 = math.exp %in : f32
      linalg.yield %12 : f32
    } -> tensor<4x33xf32>
    %8 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%7 : tensor<4x33xf32>) outs(%8 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %12 = arith.addf %in, %out : f32
      linalg.yield %12 : f32
    } -> tensor<4xf32>
    %10 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%9 : tensor<4xf32>) outs(%2 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %12 = math.log %in : f32
      linalg.yield %12 : f32
    } -> tensor<4xf32>
    %11 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%4#0, %10 : tensor<4xf32>, tensor<4xf32>) outs(%2 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %12 = arith.addf %in, %in_1 : f32
      linalg.yield %12 : f32
    } -> tensor<4xf32>
    return %11 : tensor<4xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0) -> (d0)>
module @norm {
  func.func @main(%arg0: tensor<4x33xf32>) -> tensor<4xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 5.000000e-01 : f32
    %cst_1 = arith.constant 2.000000e+00 : f32
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x33xf32>) outs(%1 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %4 = math.absf %in : f32
      %5 = math.powf %4, %cst_1 : f32
      %6 = arith.addf %5, %out : f32
      linalg.yield %6 : f32
    } -> tensor<4xf32>
    %3 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel"]} ins(%2 : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %4 = math.powf %in, %cst_0 : f32
      linalg.yield %4 : f32
    } -> tensor<4xf32>
    return %3 : tensor<4xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0) -> (d0)>
module @amax_amin {
  func.func @main(%arg0: tensor<4x33xf32>) -> tensor<4xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0x7F800000 : f32
    %0 = tensor.empty() : tensor<4xi64>
    %1 = linalg.fill ins(%c0_i64 : i64) outs(%0 : tensor<4xi64>) -> tensor<4xi64>
    %2 = tensor.empty() : tensor<4xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
    %4:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x33xf32>) outs(%3, %1 : tensor<4xf32>, tensor<4xi64>) {
    ^bb0(%in: f32, %out: f32, %out_1: i64):
      %8 = linalg.index 1 : index
      %9 = arith.index_cast %8 : index to i64
      %10 = arith.maximumf %in, %out : f32
      %11 = arith.cmpf ogt, %in, %out : f32
      %12 = arith.select %11, %9, %out_1 : i64
      linalg.yield %10, %12 : f32, i64
    } -> (tensor<4xf32>, tensor<4xi64>)
    %5 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
    %6:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x33xf32>) outs(%5, %1 : tensor<4xf32>, tensor<4xi64>) {
    ^bb0(%in: f32, %out: f32, %out_1: i64):
      %8 = linalg.index 1 : index
      %9 = arith.index_cast %8 : index to i64
      %10 = arith.minimumf %in, %out : f32
      %11 = arith.cmpf olt, %in, %out : f32
      %12 = arith.select %11, %9, %out_1 : i64
      linalg.yield %10, %12 : f32, i64
    } -> (tensor<4xf32>, tensor<4xi64>)
    %7 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel"]} ins(%4#0, %6#0 : tensor<4xf32>, tensor<4xf32>) outs(%2 : tensor<4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %8 = arith.subf %in, %in_1 : f32
      linalg.yield %8 : f32
    } -> tensor<4xf32>
    return %7 : tensor<4xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module @prod {
  func.func @main(%arg0: tensor<4x5xf32>) -> tensor<4xf32> {
    %cst = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x5xf32>) outs(%1 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = arith.mulf %in, %out : f32
      linalg.yield %3 : f32
    } -> tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module @any_all {
  func.func @main(%arg0: tensor<4x33xf32>) -> (tensor<4xi1>, tensor<4xi1>) {
    %false = arith.constant false
    %true = arith.constant true
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant -5.000000e+00 : f32
    %0 = tensor.empty() : tensor<4x33xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x33xf32>) outs(%0 : tensor<4x33xi1>) {
    ^bb0(%in: f32, %out: i1):
      %8 = arith.cmpf ogt, %in, %cst : f32
      linalg.yield %8 : i1
    } -> tensor<4x33xi1>
    %2 = tensor.empty() : tensor<4xi1>
    %3 = linalg.fill ins(%false : i1) outs(%2 : tensor<4xi1>) -> tensor<4xi1>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<4x33xi1>) outs(%3 : tensor<4xi1>) {
    ^bb0(%in: i1, %out: i1):
      %8 = arith.ori %in, %out : i1
      linalg.yield %8 : i1
    } -> tensor<4xi1>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x33xf32>) outs(%0 : tensor<4x33xi1>) {
    ^bb0(%in: f32, %out: i1):
      %8 = arith.cmpf ogt, %in, %cst_0 : f32
      linalg.yield %8 : i1
    } -> tensor<4x33xi1>
    %6 = linalg.fill ins(%true : i1) outs(%2 : tensor<4xi1>) -> tensor<4xi1>
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%5 : tensor<4x33xi1>) outs(%6 : tensor<4xi1>) {
    ^bb0(%in: i1, %out: i1):
      %8 = arith.andi %in, %out : i1
      linalg.yield %8 : i1
    } -> tensor<4xi1>
    return %4, %7 : tensor<4xi1>, tensor<4xi1>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @where {
  func.func @main(%arg0: tensor<4x33xf32>, %arg1: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<4x33xi1>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x33xf32>) outs(%0 : tensor<4x33xi1>) {
    ^bb0(%in: f32, %out: i1):
      %4 = arith.cmpf ogt, %in, %cst : f32
      linalg.yield %4 : i1
    } -> tensor<4x33xi1>
    %2 = tensor.empty() : tensor<4x33xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %arg0, %arg1 : tensor<4x33xi1>, tensor<4x33xf32>, tensor<4x33xf32>) outs(%2 : tensor<4x33xf32>) {
    ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32):
      %4 = arith.select %in, %in_0, %in_1 : f32
      linalg.yield %4 : f32
    } -> tensor<4x33xf32>
    return %3 : tensor<4x33xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @gather {
  func.func @main(%arg0: tensor<4x33xf32>, %arg1: tensor<4x5xi64>) -> tensor<4x5xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %c33 = arith.constant 33 : index
    %c0_i64 = arith.constant 0 : i64
    %0 = tensor.empty() : tensor<4x5xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x5xf32>) -> tensor<4x5xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<4x5xi64>) outs(%1 : tensor<4x5xf32>) {
    ^bb0(%in: i64, %out: f32):
      %3 = linalg.index 0 : index
      %4 = arith.index_cast %in : i64 to index
      %5 = arith.cmpi slt, %4, %c33 : index
      cf.assert %5, "index must be smaller than dim size"
      %6 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %6, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg0[%3, %4] : tensor<4x33xf32>
      linalg.yield %extracted : f32
    } -> tensor<4x5xf32>
    return %2 : tensor<4x5xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module @index_select {
  func.func @main(%arg0: tensor<4x33xf32>, %arg1: tensor<5xi64>) -> tensor<4x5xf32> {
    %0 = tensor.empty() : tensor<4x5xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<5xi64>) outs(%0 : tensor<4x5xf32>) {
    ^bb0(%in: i64, %out: f32):
      %2 = arith.index_cast %in : i64 to index
      %3 = linalg.index 0 : index
      %extracted = tensor.extract %arg0[%3, %2] : tensor<4x33xf32>
      linalg.yield %extracted : f32
    } -> tensor<4x5xf32>
    return %1 : tensor<4x5xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module @index {
  func.func @main(%arg0: tensor<4x33xf32>, %arg1: tensor<3xi64>) -> tensor<3x33xf32> {
    %c0_i64 = arith.constant 0 : i64
    %c4_i64 = arith.constant 4 : i64
    %0 = tensor.empty() : tensor<3x33xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<3xi64>) outs(%0 : tensor<3x33xf32>) {
    ^bb0(%in: i64, %out: f32):
      %2 = arith.cmpi slt, %in, %c0_i64 : i64
      %3 = arith.addi %in, %c4_i64 : i64
      %4 = arith.select %2, %3, %in : i64
      %5 = arith.index_cast %4 : i64 to index
      %6 = linalg.index 1 : index
      %extracted = tensor.extract %arg0[%5, %6] : tensor<4x33xf32>
      linalg.yield %extracted : f32
    } -> tensor<3x33xf32>
    return %1 : tensor<3x33xf32>
  }
}
// -----
#map = affine_map<(d0) -> (d0, 0)>
#map1 = affine_map<(d0) -> (d0)>
module @scatter_add {
  func.func @main(%arg0: tensor<4x8xf32>, %arg1: tensor<4x5xi64>, %arg2: tensor<4x5xf32>) -> tensor<4x8xf32> {
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<20x1xi64>
    %1 = linalg.fill ins(%c0_i64 : i64) outs(%0 : tensor<20x1xi64>) -> tensor<20x1xi64>
    %2 = tensor.empty() : tensor<20xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<20xf32>) -> tensor<20xf32>
    %4:3 = linalg.generic {indexing_maps = [#map, #map, #map1], iterator_types = ["parallel"]} outs(%1, %1, %3 : tensor<20x1xi64>, tensor<20x1xi64>, tensor<20xf32>) {
    ^bb0(%out: i64, %out_1: i64, %out_2: f32):
      %8 = linalg.index 0 : index
      %9 = arith.remsi %8, %c5 : index
      %10 = arith.divsi %8, %c5 : index
      %11 = arith.remsi %10, %c4 : index
      %extracted = tensor.extract %arg1[%11, %9] : tensor<4x5xi64>
      %extracted_3 = tensor.extract %arg2[%11, %9] : tensor<4x5xf32>
      %12 = arith.index_cast %11 : index to i64
      linalg.yield %12, %extracted, %extracted_3 : i64, i64, f32
    } -> (tensor<20x1xi64>, tensor<20x1xi64>, tensor<20xf32>)
    %5 = tensor.empty() : tensor<20x2xi64>
    %6 = linalg.fill ins(%c0_i64 : i64) outs(%5 : tensor<20x2xi64>) -> tensor<20x2xi64>
    %inserted_slice = tensor.insert_slice %4#0 into %6[0, 0] [20, 1] [1, 1] : tensor<20x1xi64> into tensor<20x2xi64>
    %inserted_slice_0 = tensor.insert_slice %4#1 into %inserted_slice[0, 1] [20, 1] [1, 1] : tensor<20x1xi64> into tensor<20x2xi64>
    %7 = tm_tensor.scatter {dimension_map = array<i64: 0, 1>} unique_indices(false) ins(%4#2, %inserted_slice_0 : tensor<20xf32>, tensor<20x2xi64>) outs(%arg0 : tensor<4x8xf32>) {
    ^bb0(%arg3: f32, %arg4: f32):
      %8 = arith.addf %arg4, %arg3 : f32
      tm_tensor.yield %8 : f32
    } -> tensor<4x8xf32>
    return %7 : tensor<4x8xf32>
  }
}
// -----
module @index_put {
  func.func @main(%arg0: tensor<8x3xf32>, %arg1: tensor<5xi64>, %arg2: tensor<5x3xf32>) -> tensor<8x3xf32> {
    %expanded = tensor.expand_shape %arg1 [[0, 1]] output_shape [5, 1] : tensor<5xi64> into tensor<5x1xi64>
    %expanded_0 = tensor.expand_shape %arg2 [[0], [1, 2]] output_shape [5, 1, 3] : tensor<5x3xf32> into tensor<5x1x3xf32>
    %0 = tm_tensor.scatter {dimension_map = array<i64: 0>} unique_indices(false) ins(%expanded_0, %expanded : tensor<5x1x3xf32>, tensor<5x1xi64>) outs(%arg0 : tensor<8x3xf32>) {
    ^bb0(%arg3: f32, %arg4: f32):
      %1 = arith.addf %arg4, %arg3 : f32
      tm_tensor.yield %1 : f32
    } -> tensor<8x3xf32>
    return %0 : tensor<8x3xf32>
  }
}
// -----
module @cat_slice_t {
  func.func @main(%arg0: tensor<4x33xf32>, %arg1: tensor<3x4xf32>) -> tensor<4x7xf32> {
    %extracted_slice = tensor.extract_slice %arg0[0, 1] [4, 4] [1, 2] : tensor<4x33xf32> to tensor<4x4xf32>
    %0 = tensor.empty() : tensor<4x3xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<3x4xf32>) outs(%0 : tensor<4x3xf32>) permutation = [1, 0] 
    %concat = tensor.concat dim(1) %extracted_slice, %transposed : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x7xf32>
    return %concat : tensor<4x7xf32>
  }
}
// -----
module @stack {
  func.func @main(%arg0: tensor<4x33xf32>, %arg1: tensor<4x33xf32>) -> tensor<4x66xf32> {
    %expanded = tensor.expand_shape %arg0 [[0], [1, 2]] output_shape [4, 1, 33] : tensor<4x33xf32> into tensor<4x1x33xf32>
    %expanded_0 = tensor.expand_shape %arg1 [[0], [1, 2]] output_shape [4, 1, 33] : tensor<4x33xf32> into tensor<4x1x33xf32>
    %concat = tensor.concat dim(1) %expanded, %expanded_0 : (tensor<4x1x33xf32>, tensor<4x1x33xf32>) -> tensor<4x2x33xf32>
    %collapsed = tensor.collapse_shape %concat [[0], [1, 2]] : tensor<4x2x33xf32> into tensor<4x66xf32>
    return %collapsed : tensor<4x66xf32>
  }
}
// -----
module @pad {
  func.func @main(%arg0: tensor<4x33xf32>) -> tensor<7x36xf32> {
    %cst = arith.constant 1.500000e+00 : f32
    %padded = tensor.pad %arg0 low[0, 1] high[3, 2] {
    ^bb0(%arg1: index, %arg2: index):
      tensor.yield %cst : f32
    } : tensor<4x33xf32> to tensor<7x36xf32>
    return %padded : tensor<7x36xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @roll_flip {
  func.func @main(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %c3 = arith.constant 3 : index
    %extracted_slice = tensor.extract_slice %arg0[0, 30] [4, 3] [1, 1] : tensor<4x33xf32> to tensor<4x3xf32>
    %cast = tensor.cast %extracted_slice : tensor<4x3xf32> to tensor<4x?xf32>
    %extracted_slice_0 = tensor.extract_slice %arg0[0, 0] [4, 30] [1, 1] : tensor<4x33xf32> to tensor<4x30xf32>
    %cast_1 = tensor.cast %extracted_slice_0 : tensor<4x30xf32> to tensor<4x?xf32>
    %concat = tensor.concat dim(1) %cast, %cast_1 : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x33xf32>
    %0 = tensor.empty() : tensor<4x33xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<4x33xf32>) -> tensor<4x33xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%concat : tensor<4x33xf32>) outs(%1 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = linalg.index 0 : index
      %4 = linalg.index 1 : index
      %5 = arith.subi %c3, %3 : index
      %extracted = tensor.extract %concat[%5, %4] : tensor<4x33xf32>
      linalg.yield %extracted : f32
    } -> tensor<4x33xf32>
    return %2 : tensor<4x33xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @tril {
  func.func @main(%arg0: tensor<6x6xf32>) -> tensor<6x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<6x6xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<6x6xf32>) outs(%0 : tensor<6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = linalg.index 0 : index
      %3 = arith.index_cast %2 : index to i64
      %4 = linalg.index 1 : index
      %5 = arith.index_cast %4 : index to i64
      %6 = arith.cmpi sle, %5, %3 : i64
      %7 = arith.select %6, %in, %cst : f32
      linalg.yield %7 : f32
    } -> tensor<6x6xf32>
    return %1 : tensor<6x6xf32>
  }
}
// -----
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
module @one_hot {
  func.func @main(%arg0: tensor<5xi64>) -> tensor<5x7xi64> {
    %0 = tensor.empty() : tensor<7xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<7xi64>) {
    ^bb0(%out: i64):
      %6 = linalg.index 0 : index
      %7 = arith.index_cast %6 : index to i64
      linalg.yield %7 : i64
    } -> tensor<7xi64>
    %expanded = tensor.expand_shape %arg0 [[0, 1]] output_shape [5, 1] : tensor<5xi64> into tensor<5x1xi64>
    %2 = tensor.empty() : tensor<5x7xi1>
    %3 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded, %1 : tensor<5x1xi64>, tensor<7xi64>) outs(%2 : tensor<5x7xi1>) {
    ^bb0(%in: i64, %in_0: i64, %out: i1):
      %6 = arith.cmpi eq, %in, %in_0 : i64
      linalg.yield %6 : i1
    } -> tensor<5x7xi1>
    %4 = tensor.empty() : tensor<5x7xi64>
    %5 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<5x7xi1>) outs(%4 : tensor<5x7xi64>) {
    ^bb0(%in: i1, %out: i64):
      %6 = arith.extui %in : i1 to i64
      linalg.yield %6 : i64
    } -> tensor<5x7xi64>
    return %5 : tensor<5x7xi64>
  }
}
// -----
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
module @arange_mask {
  func.func @main(%arg0: tensor<4xi64>) -> tensor<4x9xf32> {
    %0 = tensor.empty() : tensor<9xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<9xi64>) {
    ^bb0(%out: i64):
      %6 = linalg.index 0 : index
      %7 = arith.index_cast %6 : index to i64
      linalg.yield %7 : i64
    } -> tensor<9xi64>
    %expanded = tensor.expand_shape %1 [[0, 1]] output_shape [1, 9] : tensor<9xi64> into tensor<1x9xi64>
    %expanded_0 = tensor.expand_shape %arg0 [[0, 1]] output_shape [4, 1] : tensor<4xi64> into tensor<4x1xi64>
    %2 = tensor.empty() : tensor<4x9xi1>
    %3 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_0 : tensor<1x9xi64>, tensor<4x1xi64>) outs(%2 : tensor<4x9xi1>) {
    ^bb0(%in: i64, %in_1: i64, %out: i1):
      %6 = arith.cmpi slt, %in, %in_1 : i64
      linalg.yield %6 : i1
    } -> tensor<4x9xi1>
    %4 = tensor.empty() : tensor<4x9xf32>
    %5 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<4x9xi1>) outs(%4 : tensor<4x9xf32>) {
    ^bb0(%in: i1, %out: f32):
      %6 = arith.uitofp %in : i1 to f32
      linalg.yield %6 : f32
    } -> tensor<4x9xf32>
    return %5 : tensor<4x9xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @int_divide {
  func.func @main(%arg0: tensor<4x6xi64>, %arg1: tensor<4x6xi64>) -> (tensor<4x6xi64>, tensor<4x6xi64>) {
    %c0_i64 = arith.constant 0 : i64
    %0 = tensor.empty() : tensor<4x6xi64>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<4x6xi64>, tensor<4x6xi64>) outs(%0 : tensor<4x6xi64>) {
    ^bb0(%in: i64, %in_0: i64, %out: i64):
      %3 = arith.sitofp %in : i64 to f64
      %4 = arith.sitofp %in_0 : i64 to f64
      %5 = arith.divf %3, %4 : f64
      %6 = math.floor %5 : f64
      %7 = arith.fptosi %6 : f64 to i64
      linalg.yield %7 : i64
    } -> tensor<4x6xi64>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<4x6xi64>, tensor<4x6xi64>) outs(%0 : tensor<4x6xi64>) {
    ^bb0(%in: i64, %in_0: i64, %out: i64):
      %3 = arith.remsi %in, %in_0 : i64
      %4 = arith.cmpi ne, %3, %c0_i64 : i64
      %5 = arith.cmpi slt, %in_0, %c0_i64 : i64
      %6 = arith.cmpi slt, %3, %c0_i64 : i64
      %7 = arith.xori %5, %6 : i1
      %8 = arith.andi %4, %7 : i1
      %9 = arith.addi %3, %in_0 : i64
      %10 = arith.select %8, %9, %3 : i64
      linalg.yield %10 : i64
    } -> tensor<4x6xi64>
    return %1, %2 : tensor<4x6xi64>, tensor<4x6xi64>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @pow_sqrt {
  func.func @main(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %cst = arith.constant 1.500000e+00 : f32
    %0 = tensor.empty() : tensor<4x33xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %6 = math.absf %in : f32
      linalg.yield %6 : f32
    } -> tensor<4x33xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %6 = math.powf %in, %cst : f32
      linalg.yield %6 : f32
    } -> tensor<4x33xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg0 : tensor<4x33xf32>, tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %6 = arith.mulf %in, %in_0 : f32
      linalg.yield %6 : f32
    } -> tensor<4x33xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %3 : tensor<4x33xf32>, tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %6 = arith.addf %in, %in_0 : f32
      linalg.yield %6 : f32
    } -> tensor<4x33xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %6 = math.sqrt %in : f32
      linalg.yield %6 : f32
    } -> tensor<4x33xf32>
    return %5 : tensor<4x33xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @trig {
  func.func @main(%arg0: tensor<4x33xf32>) -> tensor<4x33xf32> {
    %0 = tensor.empty() : tensor<4x33xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %6 = math.sin %in : f32
      linalg.yield %6 : f32
    } -> tensor<4x33xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %6 = math.cos %in : f32
      linalg.yield %6 : f32
    } -> tensor<4x33xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %2 : tensor<4x33xf32>, tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %6 = arith.mulf %in, %in_0 : f32
      linalg.yield %6 : f32
    } -> tensor<4x33xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %6 = math.atan %in : f32
      linalg.yield %6 : f32
    } -> tensor<4x33xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %4 : tensor<4x33xf32>, tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %6 = arith.addf %in, %in_0 : f32
      linalg.yield %6 : f32
    } -> tensor<4x33xf32>
    return %5 : tensor<4x33xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @round_types {
  func.func @main(%arg0: tensor<4x33xf32>) -> (tensor<4x33xi32>, tensor<4x33xf32>, tensor<4x33xf32>) {
    %0 = tensor.empty() : tensor<4x33xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %8 = math.roundeven %in : f32
      linalg.yield %8 : f32
    } -> tensor<4x33xf32>
    %2 = tensor.empty() : tensor<4x33xi32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x33xf32>) outs(%2 : tensor<4x33xi32>) {
    ^bb0(%in: f32, %out: i32):
      %8 = arith.fptosi %in : f32 to i32
      linalg.yield %8 : i32
    } -> tensor<4x33xi32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %8 = math.floor %in : f32
      linalg.yield %8 : f32
    } -> tensor<4x33xf32>
    %5 = tensor.empty() : tensor<4x33xbf16>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x33xf32>) outs(%5 : tensor<4x33xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %8 = arith.truncf %in : f32 to bf16
      linalg.yield %8 : bf16
    } -> tensor<4x33xbf16>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<4x33xbf16>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %8 = arith.extf %in : bf16 to f32
      linalg.yield %8 : f32
    } -> tensor<4x33xf32>
    return %3, %4, %7 : tensor<4x33xi32>, tensor<4x33xf32>, tensor<4x33xf32>
  }
}
// -----
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module @nearest {
  func.func @main(%arg0: tensor<1x2x3x3xf32>) -> tensor<1x2x6x6xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 2.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %0 = tensor.empty() : tensor<1x2x6x6xf32>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%0 : tensor<1x2x6x6xf32>) {
    ^bb0(%out: f32):
      %2 = linalg.index 1 : index
      %3 = linalg.index 2 : index
      %4 = linalg.index 3 : index
      %5 = arith.index_cast %3 : index to i64
      %6 = arith.sitofp %5 : i64 to f32
      %7 = arith.divf %6, %cst_0 : f32
      %8 = math.floor %7 : f32
      %9 = arith.maximumf %8, %cst : f32
      %10 = arith.minimumf %9, %cst_0 : f32
      %11 = arith.fptosi %10 : f32 to i64
      %12 = arith.index_cast %11 : i64 to index
      %13 = arith.index_cast %4 : index to i64
      %14 = arith.sitofp %13 : i64 to f32
      %15 = arith.divf %14, %cst_0 : f32
      %16 = math.floor %15 : f32
      %17 = arith.maximumf %16, %cst : f32
      %18 = arith.minimumf %17, %cst_0 : f32
      %19 = arith.fptosi %18 : f32 to i64
      %20 = arith.index_cast %19 : i64 to index
      %extracted = tensor.extract %arg0[%c0, %2, %12, %20] : tensor<1x2x3x3xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x6x6xf32>
    return %1 : tensor<1x2x6x6xf32>
  }
}
// -----
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d2, 0)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module @bilinear {
  func.func @main(%arg0: tensor<1x2x3x3xf32>) -> tensor<1x2x7x5xf32> {
    %c0_i64 = arith.constant 0 : i64
    %c2_i64 = arith.constant 2 : i64
    %c1_i64 = arith.constant 1 : i64
    %c3_i64 = arith.constant 3 : i64
    %cst = arith.constant 6.000000e-01 : f64
    %cst_0 = arith.constant 0.42857142857142855 : f64
    %cst_1 = arith.constant 5.000000e-01 : f32
    %cst_2 = arith.constant 0.000000e+00 : f32
    %cst_3 = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<7xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%0 : tensor<7xi64>) {
    ^bb0(%out: i64):
      %46 = linalg.index 0 : index
      %47 = arith.index_cast %46 : index to i64
      linalg.yield %47 : i64
    } -> tensor<7xi64>
    %2 = tensor.empty() : tensor<7xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%1 : tensor<7xi64>) outs(%2 : tensor<7xf32>) {
    ^bb0(%in: i64, %out: f32):
      %46 = arith.sitofp %in : i64 to f32
      linalg.yield %46 : f32
    } -> tensor<7xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%3 : tensor<7xf32>) outs(%2 : tensor<7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.addf %in, %cst_1 : f32
      linalg.yield %46 : f32
    } -> tensor<7xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%4 : tensor<7xf32>) outs(%2 : tensor<7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.truncf %cst_0 : f64 to f32
      %47 = arith.mulf %in, %46 : f32
      linalg.yield %47 : f32
    } -> tensor<7xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%5 : tensor<7xf32>) outs(%2 : tensor<7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.subf %in, %cst_1 : f32
      linalg.yield %46 : f32
    } -> tensor<7xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%6 : tensor<7xf32>) outs(%2 : tensor<7xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.cmpf ult, %in, %cst_2 : f32
      %47 = arith.select %46, %cst_2, %in : f32
      linalg.yield %47 : f32
    } -> tensor<7xf32>
    %expanded = tensor.expand_shape %7 [[0, 1]] output_shape [7, 1] : tensor<7xf32> into tensor<7x1xf32>
    %8 = tensor.empty() : tensor<7x1xi64>
    %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<7x1xf32>) outs(%8 : tensor<7x1xi64>) {
    ^bb0(%in: f32, %out: i64):
      %46 = arith.fptosi %in : f32 to i64
      linalg.yield %46 : i64
    } -> tensor<7x1xi64>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<7x1xi64>) outs(%8 : tensor<7x1xi64>) {
    ^bb0(%in: i64, %out: i64):
      %46 = arith.addi %in, %c1_i64 : i64
      linalg.yield %46 : i64
    } -> tensor<7x1xi64>
    %11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<7x1xi64>) outs(%8 : tensor<7x1xi64>) {
    ^bb0(%in: i64, %out: i64):
      %46 = arith.minsi %in, %c2_i64 : i64
      linalg.yield %46 : i64
    } -> tensor<7x1xi64>
    %12 = tensor.empty() : tensor<5xi64>
    %13 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%12 : tensor<5xi64>) {
    ^bb0(%out: i64):
      %46 = linalg.index 0 : index
      %47 = arith.index_cast %46 : index to i64
      linalg.yield %47 : i64
    } -> tensor<5xi64>
    %14 = tensor.empty() : tensor<5xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%13 : tensor<5xi64>) outs(%14 : tensor<5xf32>) {
    ^bb0(%in: i64, %out: f32):
      %46 = arith.sitofp %in : i64 to f32
      linalg.yield %46 : f32
    } -> tensor<5xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%15 : tensor<5xf32>) outs(%14 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.addf %in, %cst_1 : f32
      linalg.yield %46 : f32
    } -> tensor<5xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%16 : tensor<5xf32>) outs(%14 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.truncf %cst : f64 to f32
      %47 = arith.mulf %in, %46 : f32
      linalg.yield %47 : f32
    } -> tensor<5xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%17 : tensor<5xf32>) outs(%14 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.subf %in, %cst_1 : f32
      linalg.yield %46 : f32
    } -> tensor<5xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%18 : tensor<5xf32>) outs(%14 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.cmpf ult, %in, %cst_2 : f32
      %47 = arith.select %46, %cst_2, %in : f32
      linalg.yield %47 : f32
    } -> tensor<5xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%19 : tensor<5xf32>) outs(%12 : tensor<5xi64>) {
    ^bb0(%in: f32, %out: i64):
      %46 = arith.fptosi %in : f32 to i64
      linalg.yield %46 : i64
    } -> tensor<5xi64>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%20 : tensor<5xi64>) outs(%12 : tensor<5xi64>) {
    ^bb0(%in: i64, %out: i64):
      %46 = arith.addi %in, %c1_i64 : i64
      linalg.yield %46 : i64
    } -> tensor<5xi64>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%21 : tensor<5xi64>) outs(%12 : tensor<5xi64>) {
    ^bb0(%in: i64, %out: i64):
      %46 = arith.minsi %in, %c2_i64 : i64
      linalg.yield %46 : i64
    } -> tensor<5xi64>
    %23 = tensor.empty() : tensor<2xi64>
    %24 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%23 : tensor<2xi64>) {
    ^bb0(%out: i64):
      %46 = linalg.index 0 : index
      %47 = arith.index_cast %46 : index to i64
      linalg.yield %47 : i64
    } -> tensor<2xi64>
    %expanded_4 = tensor.expand_shape %24 [[0, 1, 2]] output_shape [2, 1, 1] : tensor<2xi64> into tensor<2x1x1xi64>
    %25 = tensor.empty() : tensor<1xi64>
    %26 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel"]} outs(%25 : tensor<1xi64>) {
    ^bb0(%out: i64):
      linalg.yield %c0_i64 : i64
    } -> tensor<1xi64>
    %expanded_5 = tensor.expand_shape %26 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1] : tensor<1xi64> into tensor<1x1x1x1xi64>
    %27 = tensor.empty() : tensor<1x2x7x5xf32>
    %28 = linalg.generic {indexing_maps = [#map2, #map3, #map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_5, %expanded_4, %9, %20 : tensor<1x1x1x1xi64>, tensor<2x1x1xi64>, tensor<7x1xi64>, tensor<5xi64>) outs(%27 : tensor<1x2x7x5xf32>) {
    ^bb0(%in: i64, %in_6: i64, %in_7: i64, %in_8: i64, %out: f32):
      %46 = arith.cmpi slt, %in, %c0_i64 : i64
      %47 = arith.addi %in, %c1_i64 : i64
      %48 = arith.select %46, %47, %in : i64
      %49 = arith.index_cast %48 : i64 to index
      %50 = arith.cmpi slt, %in_6, %c0_i64 : i64
      %51 = arith.addi %in_6, %c2_i64 : i64
      %52 = arith.select %50, %51, %in_6 : i64
      %53 = arith.index_cast %52 : i64 to index
      %54 = arith.cmpi slt, %in_7, %c0_i64 : i64
      %55 = arith.addi %in_7, %c3_i64 : i64
      %56 = arith.select %54, %55, %in_7 : i64
      %57 = arith.index_cast %56 : i64 to index
      %58 = arith.cmpi slt, %in_8, %c0_i64 : i64
      %59 = arith.addi %in_8, %c3_i64 : i64
      %60 = arith.select %58, %59, %in_8 : i64
      %61 = arith.index_cast %60 : i64 to index
      %extracted = tensor.extract %arg0[%49, %53, %57, %61] : tensor<1x2x3x3xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x7x5xf32>
    %29 = linalg.generic {indexing_maps = [#map2, #map3, #map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_5, %expanded_4, %9, %22 : tensor<1x1x1x1xi64>, tensor<2x1x1xi64>, tensor<7x1xi64>, tensor<5xi64>) outs(%27 : tensor<1x2x7x5xf32>) {
    ^bb0(%in: i64, %in_6: i64, %in_7: i64, %in_8: i64, %out: f32):
      %46 = arith.cmpi slt, %in, %c0_i64 : i64
      %47 = arith.addi %in, %c1_i64 : i64
      %48 = arith.select %46, %47, %in : i64
      %49 = arith.index_cast %48 : i64 to index
      %50 = arith.cmpi slt, %in_6, %c0_i64 : i64
      %51 = arith.addi %in_6, %c2_i64 : i64
      %52 = arith.select %50, %51, %in_6 : i64
      %53 = arith.index_cast %52 : i64 to index
      %54 = arith.cmpi slt, %in_7, %c0_i64 : i64
      %55 = arith.addi %in_7, %c3_i64 : i64
      %56 = arith.select %54, %55, %in_7 : i64
      %57 = arith.index_cast %56 : i64 to index
      %58 = arith.cmpi slt, %in_8, %c0_i64 : i64
      %59 = arith.addi %in_8, %c3_i64 : i64
      %60 = arith.select %58, %59, %in_8 : i64
      %61 = arith.index_cast %60 : i64 to index
      %extracted = tensor.extract %arg0[%49, %53, %57, %61] : tensor<1x2x3x3xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x7x5xf32>
    %30 = linalg.generic {indexing_maps = [#map2, #map3, #map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_5, %expanded_4, %11, %20 : tensor<1x1x1x1xi64>, tensor<2x1x1xi64>, tensor<7x1xi64>, tensor<5xi64>) outs(%27 : tensor<1x2x7x5xf32>) {
    ^bb0(%in: i64, %in_6: i64, %in_7: i64, %in_8: i64, %out: f32):
      %46 = arith.cmpi slt, %in, %c0_i64 : i64
      %47 = arith.addi %in, %c1_i64 : i64
      %48 = arith.select %46, %47, %in : i64
      %49 = arith.index_cast %48 : i64 to index
      %50 = arith.cmpi slt, %in_6, %c0_i64 : i64
      %51 = arith.addi %in_6, %c2_i64 : i64
      %52 = arith.select %50, %51, %in_6 : i64
      %53 = arith.index_cast %52 : i64 to index
      %54 = arith.cmpi slt, %in_7, %c0_i64 : i64
      %55 = arith.addi %in_7, %c3_i64 : i64
      %56 = arith.select %54, %55, %in_7 : i64
      %57 = arith.index_cast %56 : i64 to index
      %58 = arith.cmpi slt, %in_8, %c0_i64 : i64
      %59 = arith.addi %in_8, %c3_i64 : i64
      %60 = arith.select %58, %59, %in_8 : i64
      %61 = arith.index_cast %60 : i64 to index
      %extracted = tensor.extract %arg0[%49, %53, %57, %61] : tensor<1x2x3x3xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x7x5xf32>
    %31 = linalg.generic {indexing_maps = [#map2, #map3, #map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_5, %expanded_4, %11, %22 : tensor<1x1x1x1xi64>, tensor<2x1x1xi64>, tensor<7x1xi64>, tensor<5xi64>) outs(%27 : tensor<1x2x7x5xf32>) {
    ^bb0(%in: i64, %in_6: i64, %in_7: i64, %in_8: i64, %out: f32):
      %46 = arith.cmpi slt, %in, %c0_i64 : i64
      %47 = arith.addi %in, %c1_i64 : i64
      %48 = arith.select %46, %47, %in : i64
      %49 = arith.index_cast %48 : i64 to index
      %50 = arith.cmpi slt, %in_6, %c0_i64 : i64
      %51 = arith.addi %in_6, %c2_i64 : i64
      %52 = arith.select %50, %51, %in_6 : i64
      %53 = arith.index_cast %52 : i64 to index
      %54 = arith.cmpi slt, %in_7, %c0_i64 : i64
      %55 = arith.addi %in_7, %c3_i64 : i64
      %56 = arith.select %54, %55, %in_7 : i64
      %57 = arith.index_cast %56 : i64 to index
      %58 = arith.cmpi slt, %in_8, %c0_i64 : i64
      %59 = arith.addi %in_8, %c3_i64 : i64
      %60 = arith.select %58, %59, %in_8 : i64
      %61 = arith.index_cast %60 : i64 to index
      %extracted = tensor.extract %arg0[%49, %53, %57, %61] : tensor<1x2x3x3xf32>
      linalg.yield %extracted : f32
    } -> tensor<1x2x7x5xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%19, %20 : tensor<5xf32>, tensor<5xi64>) outs(%14 : tensor<5xf32>) {
    ^bb0(%in: f32, %in_6: i64, %out: f32):
      %46 = arith.sitofp %in_6 : i64 to f32
      %47 = arith.subf %in, %46 : f32
      linalg.yield %47 : f32
    } -> tensor<5xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%32 : tensor<5xf32>) outs(%14 : tensor<5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.cmpf ult, %in, %cst_2 : f32
      %47 = arith.select %46, %cst_2, %in : f32
      %48 = arith.cmpf ugt, %47, %cst_3 : f32
      %49 = arith.select %48, %cst_3, %47 : f32
      linalg.yield %49 : f32
    } -> tensor<5xf32>
    %34 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %28 : tensor<1x2x7x5xf32>, tensor<1x2x7x5xf32>) outs(%27 : tensor<1x2x7x5xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %46 = arith.subf %in, %in_6 : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x7x5xf32>
    %35 = linalg.generic {indexing_maps = [#map6, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34, %33 : tensor<1x2x7x5xf32>, tensor<5xf32>) outs(%27 : tensor<1x2x7x5xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %46 = arith.mulf %in, %in_6 : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x7x5xf32>
    %36 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %35 : tensor<1x2x7x5xf32>, tensor<1x2x7x5xf32>) outs(%27 : tensor<1x2x7x5xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %46 = arith.addf %in, %in_6 : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x7x5xf32>
    %37 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %30 : tensor<1x2x7x5xf32>, tensor<1x2x7x5xf32>) outs(%27 : tensor<1x2x7x5xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %46 = arith.subf %in, %in_6 : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x7x5xf32>
    %38 = linalg.generic {indexing_maps = [#map6, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %33 : tensor<1x2x7x5xf32>, tensor<5xf32>) outs(%27 : tensor<1x2x7x5xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %46 = arith.mulf %in, %in_6 : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x7x5xf32>
    %39 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %38 : tensor<1x2x7x5xf32>, tensor<1x2x7x5xf32>) outs(%27 : tensor<1x2x7x5xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %46 = arith.addf %in, %in_6 : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x7x5xf32>
    %40 = tensor.empty() : tensor<7x1xf32>
    %41 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded, %9 : tensor<7x1xf32>, tensor<7x1xi64>) outs(%40 : tensor<7x1xf32>) {
    ^bb0(%in: f32, %in_6: i64, %out: f32):
      %46 = arith.sitofp %in_6 : i64 to f32
      %47 = arith.subf %in, %46 : f32
      linalg.yield %47 : f32
    } -> tensor<7x1xf32>
    %42 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%41 : tensor<7x1xf32>) outs(%40 : tensor<7x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %46 = arith.cmpf ult, %in, %cst_2 : f32
      %47 = arith.select %46, %cst_2, %in : f32
      %48 = arith.cmpf ugt, %47, %cst_3 : f32
      %49 = arith.select %48, %cst_3, %47 : f32
      linalg.yield %49 : f32
    } -> tensor<7x1xf32>
    %43 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %36 : tensor<1x2x7x5xf32>, tensor<1x2x7x5xf32>) outs(%27 : tensor<1x2x7x5xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %46 = arith.subf %in, %in_6 : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x7x5xf32>
    %44 = linalg.generic {indexing_maps = [#map6, #map4, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %42 : tensor<1x2x7x5xf32>, tensor<7x1xf32>) outs(%27 : tensor<1x2x7x5xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %46 = arith.mulf %in, %in_6 : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x7x5xf32>
    %45 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %44 : tensor<1x2x7x5xf32>, tensor<1x2x7x5xf32>) outs(%27 : tensor<1x2x7x5xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %46 = arith.addf %in, %in_6 : f32
      linalg.yield %46 : f32
    } -> tensor<1x2x7x5xf32>
    return %45 : tensor<1x2x7x5xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module @gru_cell {
  func.func @main(%arg0: tensor<3x4xf32>, %arg1: tensor<3x5xf32>, %arg2: tensor<15x4xf32>, %arg3: tensor<15x5xf32>, %arg4: tensor<15xf32>, %arg5: tensor<15xf32>) -> tensor<3x5xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<4x15xf32>
    %transposed = linalg.transpose ins(%arg2 : tensor<15x4xf32>) outs(%0 : tensor<4x15xf32>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<3x15xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<3x15xf32>) -> tensor<3x15xf32>
    %3 = linalg.matmul ins(%arg0, %transposed : tensor<3x4xf32>, tensor<4x15xf32>) outs(%2 : tensor<3x15xf32>) -> tensor<3x15xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %arg4 : tensor<3x15xf32>, tensor<15xf32>) outs(%1 : tensor<3x15xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %19 = arith.addf %in, %in_7 : f32
      linalg.yield %19 : f32
    } -> tensor<3x15xf32>
    %5 = tensor.empty() : tensor<5x15xf32>
    %transposed_1 = linalg.transpose ins(%arg3 : tensor<15x5xf32>) outs(%5 : tensor<5x15xf32>) permutation = [1, 0] 
    %6 = linalg.matmul ins(%arg1, %transposed_1 : tensor<3x5xf32>, tensor<5x15xf32>) outs(%2 : tensor<3x15xf32>) -> tensor<3x15xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %arg5 : tensor<3x15xf32>, tensor<15xf32>) outs(%1 : tensor<3x15xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %19 = arith.addf %in, %in_7 : f32
      linalg.yield %19 : f32
    } -> tensor<3x15xf32>
    %extracted_slice = tensor.extract_slice %4[0, 0] [3, 5] [1, 1] : tensor<3x15xf32> to tensor<3x5xf32>
    %extracted_slice_2 = tensor.extract_slice %4[0, 5] [3, 5] [1, 1] : tensor<3x15xf32> to tensor<3x5xf32>
    %extracted_slice_3 = tensor.extract_slice %4[0, 10] [3, 5] [1, 1] : tensor<3x15xf32> to tensor<3x5xf32>
    %extracted_slice_4 = tensor.extract_slice %7[0, 0] [3, 5] [1, 1] : tensor<3x15xf32> to tensor<3x5xf32>
    %extracted_slice_5 = tensor.extract_slice %7[0, 5] [3, 5] [1, 1] : tensor<3x15xf32> to tensor<3x5xf32>
    %extracted_slice_6 = tensor.extract_slice %7[0, 10] [3, 5] [1, 1] : tensor<3x15xf32> to tensor<3x5xf32>
    %8 = tensor.empty() : tensor<3x5xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice, %extracted_slice_4 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%8 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %19 = arith.addf %in, %in_7 : f32
      linalg.yield %19 : f32
    } -> tensor<3x5xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<3x5xf32>) outs(%8 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.negf %in : f32
      %20 = math.exp %19 : f32
      %21 = arith.addf %20, %cst_0 : f32
      %22 = arith.divf %cst_0, %21 : f32
      linalg.yield %22 : f32
    } -> tensor<3x5xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_2, %extracted_slice_5 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%8 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %19 = arith.addf %in, %in_7 : f32
      linalg.yield %19 : f32
    } -> tensor<3x5xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<3x5xf32>) outs(%8 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.negf %in : f32
      %20 = math.exp %19 : f32
      %21 = arith.addf %20, %cst_0 : f32
      %22 = arith.divf %cst_0, %21 : f32
      linalg.yield %22 : f32
    } -> tensor<3x5xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%10, %extracted_slice_6 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%8 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %19 = arith.mulf %in, %in_7 : f32
      linalg.yield %19 : f32
    } -> tensor<3x5xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_3, %13 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%8 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %19 = arith.addf %in, %in_7 : f32
      linalg.yield %19 : f32
    } -> tensor<3x5xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<3x5xf32>) outs(%8 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = math.tanh %in : f32
      linalg.yield %19 : f32
    } -> tensor<3x5xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %15 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%8 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %19 = arith.subf %in, %in_7 : f32
      linalg.yield %19 : f32
    } -> tensor<3x5xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%12, %16 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%8 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %19 = arith.mulf %in, %in_7 : f32
      linalg.yield %19 : f32
    } -> tensor<3x5xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%15, %17 : tensor<3x5xf32>, tensor<3x5xf32>) outs(%8 : tensor<3x5xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %19 = arith.addf %in, %in_7 : f32
      linalg.yield %19 : f32
    } -> tensor<3x5xf32>
    return %18 : tensor<3x5xf32>
  }
}
// -----
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d1, d2)>
module @rope {
  func.func @main(%arg0: tensor<2x6x8xf32>, %arg1: tensor<6x4xf32>, %arg2: tensor<6x4xf32>) -> tensor<2x6x8xf32> {
    %extracted_slice = tensor.extract_slice %arg0[0, 0, 0] [2, 6, 4] [1, 1, 1] : tensor<2x6x8xf32> to tensor<2x6x4xf32>
    %extracted_slice_0 = tensor.extract_slice %arg0[0, 0, 4] [2, 6, 4] [1, 1, 1] : tensor<2x6x8xf32> to tensor<2x6x4xf32>
    %0 = tensor.empty() : tensor<2x6x4xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice, %arg1 : tensor<2x6x4xf32>, tensor<6x4xf32>) outs(%0 : tensor<2x6x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %7 = arith.mulf %in, %in_1 : f32
      linalg.yield %7 : f32
    } -> tensor<2x6x4xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_0, %arg2 : tensor<2x6x4xf32>, tensor<6x4xf32>) outs(%0 : tensor<2x6x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %7 = arith.mulf %in, %in_1 : f32
      linalg.yield %7 : f32
    } -> tensor<2x6x4xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %2 : tensor<2x6x4xf32>, tensor<2x6x4xf32>) outs(%0 : tensor<2x6x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %7 = arith.subf %in, %in_1 : f32
      linalg.yield %7 : f32
    } -> tensor<2x6x4xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_0, %arg1 : tensor<2x6x4xf32>, tensor<6x4xf32>) outs(%0 : tensor<2x6x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %7 = arith.mulf %in, %in_1 : f32
      linalg.yield %7 : f32
    } -> tensor<2x6x4xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice, %arg2 : tensor<2x6x4xf32>, tensor<6x4xf32>) outs(%0 : tensor<2x6x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %7 = arith.mulf %in, %in_1 : f32
      linalg.yield %7 : f32
    } -> tensor<2x6x4xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %5 : tensor<2x6x4xf32>, tensor<2x6x4xf32>) outs(%0 : tensor<2x6x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %7 = arith.addf %in, %in_1 : f32
      linalg.yield %7 : f32
    } -> tensor<2x6x4xf32>
    %concat = tensor.concat dim(2) %3, %6 : (tensor<2x6x4xf32>, tensor<2x6x4xf32>) -> tensor<2x6x8xf32>
    return %concat : tensor<2x6x8xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, 0)>
#map3 = affine_map<(d0, d1) -> ()>
#map4 = affine_map<() -> ()>
module @cross_entropy {
  func.func @main(%arg0: tensor<5x9xf32>, %arg1: tensor<5xi64>) -> tensor<f32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0xFF800000 : f32
    %c9 = arith.constant 9 : index
    %cst_0 = arith.constant 0.000000e+00 : f32
    %cst_1 = arith.constant 5.000000e+00 : f32
    %0 = tensor.empty() : tensor<5xi64>
    %1 = linalg.fill ins(%c0_i64 : i64) outs(%0 : tensor<5xi64>) -> tensor<5xi64>
    %2 = tensor.empty() : tensor<5xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<5xf32>) -> tensor<5xf32>
    %4:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<5x9xf32>) outs(%3, %1 : tensor<5xf32>, tensor<5xi64>) {
    ^bb0(%in: f32, %out: f32, %out_3: i64):
      %19 = linalg.index 1 : index
      %20 = arith.index_cast %19 : index to i64
      %21 = arith.maximumf %in, %out : f32
      %22 = arith.cmpf ogt, %in, %out : f32
      %23 = arith.select %22, %20, %out_3 : i64
      linalg.yield %21, %23 : f32, i64
    } -> (tensor<5xf32>, tensor<5xi64>)
    %expanded = tensor.expand_shape %4#0 [[0, 1]] output_shape [5, 1] : tensor<5xf32> into tensor<5x1xf32>
    %5 = tensor.empty() : tensor<5x9xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %expanded : tensor<5x9xf32>, tensor<5x1xf32>) outs(%5 : tensor<5x9xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %19 = arith.subf %in, %in_3 : f32
      linalg.yield %19 : f32
    } -> tensor<5x9xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<5x9xf32>) outs(%5 : tensor<5x9xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = math.exp %in : f32
      linalg.yield %19 : f32
    } -> tensor<5x9xf32>
    %8 = tensor.empty() : tensor<5x1xf32>
    %9 = linalg.fill ins(%cst_0 : f32) outs(%8 : tensor<5x1xf32>) -> tensor<5x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%7 : tensor<5x9xf32>) outs(%9 : tensor<5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.addf %in, %out : f32
      linalg.yield %19 : f32
    } -> tensor<5x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<5x1xf32>) outs(%8 : tensor<5x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = math.log %in : f32
      linalg.yield %19 : f32
    } -> tensor<5x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %11 : tensor<5x9xf32>, tensor<5x1xf32>) outs(%5 : tensor<5x9xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %19 = arith.subf %in, %in_3 : f32
      linalg.yield %19 : f32
    } -> tensor<5x9xf32>
    %expanded_2 = tensor.expand_shape %arg1 [[0, 1]] output_shape [5, 1] : tensor<5xi64> into tensor<5x1xi64>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_2 : tensor<5x1xi64>) outs(%9 : tensor<5x1xf32>) {
    ^bb0(%in: i64, %out: f32):
      %19 = linalg.index 0 : index
      %20 = arith.index_cast %in : i64 to index
      %21 = arith.cmpi slt, %20, %c9 : index
      cf.assert %21, "index must be smaller than dim size"
      %22 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %22, "index must be larger or equal to 0"
      %extracted = tensor.extract %12[%19, %20] : tensor<5x9xf32>
      linalg.yield %extracted : f32
    } -> tensor<5x1xf32>
    %14 = tensor.empty() : tensor<f32>
    %15 = linalg.fill ins(%cst_0 : f32) outs(%14 : tensor<f32>) -> tensor<f32>
    %16 = linalg.generic {indexing_maps = [#map, #map3], iterator_types = ["reduction", "reduction"]} ins(%13 : tensor<5x1xf32>) outs(%15 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.addf %in, %out : f32
      linalg.yield %19 : f32
    } -> tensor<f32>
    %17 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = []} ins(%16 : tensor<f32>) outs(%14 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.divf %in, %cst_1 : f32
      linalg.yield %19 : f32
    } -> tensor<f32>
    %18 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = []} ins(%17 : tensor<f32>) outs(%14 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %19 = arith.negf %in : f32
      linalg.yield %19 : f32
    } -> tensor<f32>
    return %18 : tensor<f32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> ()>
#map2 = affine_map<() -> ()>
module @mse_huber {
  func.func @main(%arg0: tensor<4x33xf32>, %arg1: tensor<4x33xf32>) -> (tensor<f32>, tensor<f32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.320000e+02 : f32
    %0 = tensor.empty() : tensor<4x33xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<4x33xf32>, tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %10 = arith.subf %in, %in_1 : f32
      linalg.yield %10 : f32
    } -> tensor<4x33xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %1 : tensor<4x33xf32>, tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %10 = arith.mulf %in, %in_1 : f32
      linalg.yield %10 : f32
    } -> tensor<4x33xf32>
    %3 = tensor.empty() : tensor<f32>
    %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<f32>) -> tensor<f32>
    %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "reduction"]} ins(%2 : tensor<4x33xf32>) outs(%4 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %10 = arith.addf %in, %out : f32
      linalg.yield %10 : f32
    } -> tensor<f32>
    %6 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%5 : tensor<f32>) outs(%3 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %10 = arith.divf %in, %cst_0 : f32
      linalg.yield %10 : f32
    } -> tensor<f32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x33xf32>) outs(%0 : tensor<4x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %10 = math.absf %in : f32
      linalg.yield %10 : f32
    } -> tensor<4x33xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "reduction"]} ins(%7 : tensor<4x33xf32>) outs(%4 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %10 = arith.addf %in, %out : f32
      linalg.yield %10 : f32
    } -> tensor<f32>
    %9 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%8 : tensor<f32>) outs(%3 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %10 = arith.divf %in, %cst_0 : f32
      linalg.yield %10 : f32
    } -> tensor<f32>
    return %6, %9 : tensor<f32>, tensor<f32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @topk {
  func.func @main(%arg0: tensor<4x33xf32>) -> (tensor<4x3xf32>, tensor<4x3xi64>) {
    %0 = tensor.empty() : tensor<4x33xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<4x33xi64>) {
    ^bb0(%out: i64):
      %3 = linalg.index 1 : index
      %4 = arith.index_cast %3 : index to i64
      linalg.yield %4 : i64
    } -> tensor<4x33xi64>
    %2:2 = tm_tensor.sort dimension(1) outs(%arg0, %1 : tensor<4x33xf32>, tensor<4x33xi64>) {
    ^bb0(%arg1: f32, %arg2: f32, %arg3: i64, %arg4: i64):
      %3 = arith.cmpf oge, %arg1, %arg2 : f32
      tm_tensor.yield %3 : i1
    } -> tensor<4x33xf32>, tensor<4x33xi64>
    %extracted_slice = tensor.extract_slice %2#0[0, 0] [4, 3] [1, 1] : tensor<4x33xf32> to tensor<4x3xf32>
    %extracted_slice_0 = tensor.extract_slice %2#1[0, 0] [4, 3] [1, 1] : tensor<4x33xi64> to tensor<4x3xi64>
    return %extracted_slice, %extracted_slice_0 : tensor<4x3xf32>, tensor<4x3xi64>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @sort {
  func.func @main(%arg0: tensor<4x33xf32>) -> (tensor<4x33xf32>, tensor<4x33xi64>) {
    %0 = tensor.empty() : tensor<4x33xi64>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<4x33xi64>) {
    ^bb0(%out: i64):
      %3 = linalg.index 1 : index
      %4 = arith.index_cast %3 : index to i64
      linalg.yield %4 : i64
    } -> tensor<4x33xi64>
    %2:2 = tm_tensor.sort dimension(1) outs(%arg0, %1 : tensor<4x33xf32>, tensor<4x33xi64>) {
    ^bb0(%arg1: f32, %arg2: f32, %arg3: i64, %arg4: i64):
      %3 = arith.cmpf ole, %arg1, %arg2 : f32
      tm_tensor.yield %3 : i1
    } -> tensor<4x33xf32>, tensor<4x33xi64>
    return %2#0, %2#1 : tensor<4x33xf32>, tensor<4x33xi64>
  }
}
// -----
module @einsum {
  func.func @main(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x5x4xf32>) -> tensor<2x3x5xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x4x5xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<2x5x4xf32>) outs(%0 : tensor<2x4x5xf32>) permutation = [0, 2, 1] 
    %1 = tensor.empty() : tensor<2x3x5xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    %3 = linalg.batch_matmul ins(%arg0, %transposed : tensor<2x3x4xf32>, tensor<2x4x5xf32>) outs(%2 : tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
    return %3 : tensor<2x3x5xf32>
  }
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
module @glu_mlp {
  func.func @main(%arg0: tensor<6x8xf32>, %arg1: tensor<16x8xf32>, %arg2: tensor<16x8xf32>, %arg3: tensor<8x16xf32>) -> tensor<6x8xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %0 = tensor.empty() : tensor<8x16xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<16x8xf32>) outs(%0 : tensor<8x16xf32>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<6x16xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<6x16xf32>) -> tensor<6x16xf32>
    %3 = linalg.matmul ins(%arg0, %transposed : tensor<6x8xf32>, tensor<8x16xf32>) outs(%2 : tensor<6x16xf32>) -> tensor<6x16xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<6x16xf32>) outs(%1 : tensor<6x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %12 = arith.negf %in : f32
      %13 = math.exp %12 : f32
      %14 = arith.addf %13, %cst_0 : f32
      %15 = arith.divf %cst_0, %14 : f32
      linalg.yield %15 : f32
    } -> tensor<6x16xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %3 : tensor<6x16xf32>, tensor<6x16xf32>) outs(%1 : tensor<6x16xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %12 = arith.mulf %in, %in_3 : f32
      linalg.yield %12 : f32
    } -> tensor<6x16xf32>
    %transposed_1 = linalg.transpose ins(%arg2 : tensor<16x8xf32>) outs(%0 : tensor<8x16xf32>) permutation = [1, 0] 
    %6 = linalg.matmul ins(%arg0, %transposed_1 : tensor<6x8xf32>, tensor<8x16xf32>) outs(%2 : tensor<6x16xf32>) -> tensor<6x16xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %6 : tensor<6x16xf32>, tensor<6x16xf32>) outs(%1 : tensor<6x16xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %12 = arith.mulf %in, %in_3 : f32
      linalg.yield %12 : f32
    } -> tensor<6x16xf32>
    %8 = tensor.empty() : tensor<16x8xf32>
    %transposed_2 = linalg.transpose ins(%arg3 : tensor<8x16xf32>) outs(%8 : tensor<16x8xf32>) permutation = [1, 0] 
    %9 = tensor.empty() : tensor<6x8xf32>
    %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<6x8xf32>) -> tensor<6x8xf32>
    %11 = linalg.matmul ins(%7, %transposed_2 : tensor<6x16xf32>, tensor<16x8xf32>) outs(%10 : tensor<6x8xf32>) -> tensor<6x8xf32>
    return %11 : tensor<6x8xf32>
  }
}
