// Returns from inside of a loop, and a device function of blocks that is called.
gpu.module @m {
  func.func @first_power(%x: i32) -> i32 {
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %most = arith.constant 1000 : i32
    cf.br ^loop(%one : i32)
  ^loop(%p: i32):
    %reached = arith.cmpi uge, %p, %x : i32
    cf.cond_br %reached, ^found, ^more
  ^found:
    return %p : i32
  ^more:
    %next = arith.muli %p, %two : i32
    %large = arith.cmpi ugt, %next, %most : i32
    cf.cond_br %large, ^none, ^loop(%next : i32)
  ^none:
    return %x : i32
  }
  gpu.func @early(%in: memref<?xi32>, %out: memref<?xi32>) kernel {
    %i = gpu.global_id x
    %v = memref.load %in[%i] : memref<?xi32>
    %p = func.call @first_power(%v) : (i32) -> i32
    memref.store %p, %out[%i] : memref<?xi32>
    gpu.return
  }
}
