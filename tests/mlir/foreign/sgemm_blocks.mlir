// mlir-opt-22 --convert-scf-to-cf --canonicalize examples/sgemm.mlir
module {
  gpu.module @sgemm {
    gpu.func @sgemm(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: i32) workgroup(%arg4 : memref<16x16xf32, #gpu.address_space<workgroup>>, %arg5 : memref<16x16xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 16, 16, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %cst = arith.constant 0.000000e+00 : f32
      %0 = arith.index_castui %arg3 : i32 to index
      %thread_id_x = gpu.thread_id  x
      %thread_id_y = gpu.thread_id  y
      %global_id_x = gpu.global_id  x
      %global_id_y = gpu.global_id  y
      %1 = arith.muli %global_id_y, %0 : index
      cf.br ^bb1(%c0, %cst : index, f32)
    ^bb1(%2: index, %3: f32):  // 2 preds: ^bb0, ^bb5
      %4 = arith.cmpi slt, %2, %0 : index
      cf.cond_br %4, ^bb2, ^bb6
    ^bb2:  // pred: ^bb1
      %5 = arith.addi %2, %thread_id_x : index
      %6 = arith.addi %2, %thread_id_y : index
      %7 = arith.addi %1, %5 : index
      %8 = arith.muli %6, %0 : index
      %9 = arith.addi %8, %global_id_x : index
      %10 = memref.load %arg0[%7] : memref<?xf32>
      %11 = memref.load %arg1[%9] : memref<?xf32>
      memref.store %10, %arg4[%thread_id_y, %thread_id_x] : memref<16x16xf32, #gpu.address_space<workgroup>>
      memref.store %11, %arg5[%thread_id_y, %thread_id_x] : memref<16x16xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      cf.br ^bb3(%c0, %3 : index, f32)
    ^bb3(%12: index, %13: f32):  // 2 preds: ^bb2, ^bb4
      %14 = arith.cmpi slt, %12, %c16 : index
      cf.cond_br %14, ^bb4, ^bb5
    ^bb4:  // pred: ^bb3
      %15 = memref.load %arg4[%thread_id_y, %12] : memref<16x16xf32, #gpu.address_space<workgroup>>
      %16 = memref.load %arg5[%12, %thread_id_x] : memref<16x16xf32, #gpu.address_space<workgroup>>
      %17 = arith.mulf %15, %16 : f32
      %18 = arith.addf %13, %17 : f32
      %19 = arith.addi %12, %c1 : index
      cf.br ^bb3(%19, %18 : index, f32)
    ^bb5:  // pred: ^bb3
      gpu.barrier
      %20 = arith.addi %2, %c16 : index
      cf.br ^bb1(%20, %13 : index, f32)
    ^bb6:  // pred: ^bb1
      %21 = arith.addi %1, %global_id_x : index
      memref.store %3, %arg2[%21] : memref<?xf32>
      gpu.return
    }
  }
}

