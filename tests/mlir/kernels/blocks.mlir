// Blocks: an early return, a loop with two exits, a switch, and a block that two paths reach.
gpu.module @m {
  gpu.func @blocks(%in: memref<?xi32>, %out: memref<?xi32>, %n: i32) kernel {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %seven = arith.constant 7 : i32
    %many = arith.constant 20 : i32
    %i = gpu.global_id x
    %index = arith.index_cast %i : index to i32
    %outside = arith.cmpi sge, %index, %n : i32
    cf.cond_br %outside, ^end, ^start
  ^start:
    %v = memref.load %in[%i] : memref<?xi32>
    cf.br ^loop(%v, %zero : i32, i32)
  ^loop(%x: i32, %k: i32):
    %done = arith.cmpi eq, %k, %many : i32
    cf.cond_br %done, ^after(%x : i32), ^body
  ^body:
    %next = arith.muli %x, %three : i32
    %low = arith.andi %next, %seven : i32
    %found = arith.cmpi eq, %low, %seven : i32
    %raised = arith.addi %next, %one : i32
    %count = arith.addi %k, %one : i32
    cf.cond_br %found, ^broken, ^loop(%raised, %count : i32, i32)
  ^broken:
    %mixed = arith.addi %next, %k : i32
    cf.br ^after(%mixed : i32)
  ^after(%y: i32):
    %kind = arith.andi %y, %three : i32
    cf.switch %kind : i32, [
      default: ^store(%y : i32),
      0: ^store(%k : i32),
      1: ^other
    ]
  ^other:
    %negative = arith.cmpi slt, %y, %zero : i32
    cf.cond_br %negative, ^store(%one : i32), ^store(%kind : i32)
  ^store(%z: i32):
    memref.store %z, %out[%i] : memref<?xi32>
    cf.br ^end
  ^end:
    gpu.return
  }
}
