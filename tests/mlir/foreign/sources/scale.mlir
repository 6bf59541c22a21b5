func.func @scale(%a: memref<64x32xf32>, %b: memref<64x32xf32>, %c: memref<64x32xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%a, %b : memref<64x32xf32>, memref<64x32xf32>) outs(%c : memref<64x32xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    %p = arith.mulf %s, %x : f32
    linalg.yield %p : f32
  }
  return
}
