// A kernel that is the body of a gpu.launch in a host function; it reads values of the function around it.
func.func @main(%data: memref<?x16xi32>, %add: i32, %out: memref<?x16xi32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %seven = arith.constant 7 : i32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    %v = memref.load %data[%bx, %tx] : memref<?x16xi32>
    %s = arith.addi %v, %add : i32
    %t = arith.muli %s, %seven : i32
    %n = arith.index_cast %sx : index to i32
    %u = arith.addi %t, %n : i32
    memref.store %u, %out[%bx, %tx] : memref<?x16xi32>
    gpu.terminator
  }
  return
}
