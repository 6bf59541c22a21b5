// mlir-opt-22 --convert-scf-to-cf --canonicalize examples/dotproduct.mlir
module {
  gpu.module @dotproduct {
    gpu.func @dotproduct(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: i32) workgroup(%arg4 : memref<256xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c128 = arith.constant 128 : index
      %cst = arith.constant 0.000000e+00 : f32
      %thread_id_x = gpu.thread_id  x
      %block_id_x = gpu.block_id  x
      %global_id_x = gpu.global_id  x
      %block_dim_x = gpu.block_dim  x
      %grid_dim_x = gpu.grid_dim  x
      %0 = arith.muli %block_dim_x, %grid_dim_x : index
      %1 = arith.index_cast %arg3 : i32 to index
      cf.br ^bb1(%global_id_x, %cst : index, f32)
    ^bb1(%2: index, %3: f32):  // 2 preds: ^bb0, ^bb2
      %4 = arith.cmpi slt, %2, %1 : index
      cf.cond_br %4, ^bb2, ^bb3
    ^bb2:  // pred: ^bb1
      %5 = memref.load %arg0[%2] : memref<?xf32>
      %6 = memref.load %arg1[%2] : memref<?xf32>
      %7 = arith.mulf %5, %6 : f32
      %8 = arith.addf %3, %7 : f32
      %9 = arith.addi %2, %0 : index
      cf.br ^bb1(%9, %8 : index, f32)
    ^bb3:  // pred: ^bb1
      memref.store %3, %arg4[%thread_id_x] : memref<256xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      cf.br ^bb4(%c128 : index)
    ^bb4(%10: index):  // 2 preds: ^bb3, ^bb7
      %11 = arith.cmpi ugt, %10, %c0 : index
      cf.cond_br %11, ^bb5(%10 : index), ^bb8
    ^bb5(%12: index):  // pred: ^bb4
      %13 = arith.cmpi ult, %thread_id_x, %12 : index
      cf.cond_br %13, ^bb6, ^bb7
    ^bb6:  // pred: ^bb5
      %14 = arith.addi %thread_id_x, %12 : index
      %15 = memref.load %arg4[%thread_id_x] : memref<256xf32, #gpu.address_space<workgroup>>
      %16 = memref.load %arg4[%14] : memref<256xf32, #gpu.address_space<workgroup>>
      %17 = arith.addf %15, %16 : f32
      memref.store %17, %arg4[%thread_id_x] : memref<256xf32, #gpu.address_space<workgroup>>
      cf.br ^bb7
    ^bb7:  // 2 preds: ^bb5, ^bb6
      gpu.barrier
      %18 = arith.shrui %12, %c1 : index
      cf.br ^bb4(%18 : index)
    ^bb8:  // pred: ^bb4
      %19 = arith.cmpi eq, %thread_id_x, %c0 : index
      cf.cond_br %19, ^bb9, ^bb10
    ^bb9:  // pred: ^bb8
      %20 = memref.load %arg4[%c0] : memref<256xf32, #gpu.address_space<workgroup>>
      memref.store %20, %arg2[%block_id_x] : memref<?xf32>
      cf.br ^bb10
    ^bb10:  // 2 preds: ^bb8, ^bb9
      gpu.return
    }
  }
}

