func.func @row_sum(%a: memref<64x20xi32>, %c: memref<64xi32>) {
  linalg.reduce ins(%a : memref<64x20xi32>) outs(%c : memref<64xi32>) dimensions = [1]
    (%x: i32, %y: i32) {
      %s = arith.addi %x, %y : i32
      linalg.yield %s : i32
    }
  return
}
