// c = a + b, with a guard for the last workgroup.
gpu.module @vecadd {
  gpu.func @vecadd(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %count: i32) kernel {
    %block = gpu.block_id x
    %size = gpu.block_dim x
    %thread = gpu.thread_id x
    %start = arith.muli %block, %size : index
    %i = arith.addi %start, %thread : index
    %n = arith.index_cast %count : i32 to index
    %inside = arith.cmpi slt, %i, %n : index
    scf.if %inside {
      %x = memref.load %a[%i] : memref<?xf32>
      %y = memref.load %b[%i] : memref<?xf32>
      %sum = arith.addf %x, %y : f32
      memref.store %sum, %c[%i] : memref<?xf32>
    }
    gpu.return
  }
}
