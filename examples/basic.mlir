// Each work-item doubles its element: a pointer and a number, as the smallest program of a runtime has them.
gpu.module @basic {
  gpu.func @basic(%data: memref<?xi32>, %count: i32) kernel {
    %i = gpu.global_id x
    %n = arith.index_cast %count : i32 to index
    %inside = arith.cmpi slt, %i, %n : index
    scf.if %inside {
      %value = memref.load %data[%i] : memref<?xi32>
      %twice = arith.addi %value, %value : i32
      memref.store %twice, %data[%i] : memref<?xi32>
    }
    gpu.return
  }
}
