func.func @matmul(%a: memref<16x24xf32>, %b: memref<24x32xf32>, %c: memref<16x32xf32>) {
  linalg.matmul ins(%a, %b : memref<16x24xf32>, memref<24x32xf32>) outs(%c : memref<16x32xf32>)
  return
}
