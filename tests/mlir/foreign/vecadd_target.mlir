// mlir-opt-22 '--pass-pipeline=builtin.module(rocdl-attach-target{chip=gfx942})' examples/vecadd.mlir
module {
  gpu.module @vecadd [#rocdl.target<chip = "gfx942">] {
    gpu.func @vecadd(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: i32) kernel {
      %block_id_x = gpu.block_id  x
      %block_dim_x = gpu.block_dim  x
      %thread_id_x = gpu.thread_id  x
      %0 = arith.muli %block_id_x, %block_dim_x : index
      %1 = arith.addi %0, %thread_id_x : index
      %2 = arith.index_cast %arg3 : i32 to index
      %3 = arith.cmpi slt, %1, %2 : index
      scf.if %3 {
        %4 = memref.load %arg0[%1] : memref<?xf32>
        %5 = memref.load %arg1[%1] : memref<?xf32>
        %6 = arith.addf %4, %5 : f32
        memref.store %6, %arg2[%1] : memref<?xf32>
      }
      gpu.return
    }
  }
}

