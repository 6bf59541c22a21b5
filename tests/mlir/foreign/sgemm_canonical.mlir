// mlir-opt-22 --canonicalize --cse examples/sgemm.mlir
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
      %2 = scf.for %arg6 = %c0 to %0 step %c16 iter_args(%arg7 = %cst) -> (f32) {
        %4 = arith.addi %arg6, %thread_id_x : index
        %5 = arith.addi %arg6, %thread_id_y : index
        %6 = arith.addi %1, %4 : index
        %7 = arith.muli %5, %0 : index
        %8 = arith.addi %7, %global_id_x : index
        %9 = memref.load %arg0[%6] : memref<?xf32>
        %10 = memref.load %arg1[%8] : memref<?xf32>
        memref.store %9, %arg4[%thread_id_y, %thread_id_x] : memref<16x16xf32, #gpu.address_space<workgroup>>
        memref.store %10, %arg5[%thread_id_y, %thread_id_x] : memref<16x16xf32, #gpu.address_space<workgroup>>
        gpu.barrier
        %11 = scf.for %arg8 = %c0 to %c16 step %c1 iter_args(%arg9 = %arg7) -> (f32) {
          %12 = memref.load %arg4[%thread_id_y, %arg8] : memref<16x16xf32, #gpu.address_space<workgroup>>
          %13 = memref.load %arg5[%arg8, %thread_id_x] : memref<16x16xf32, #gpu.address_space<workgroup>>
          %14 = arith.mulf %12, %13 : f32
          %15 = arith.addf %arg9, %14 : f32
          scf.yield %15 : f32
        }
        gpu.barrier
        scf.yield %11 : f32
      }
      %3 = arith.addi %1, %global_id_x : index
      memref.store %2, %arg2[%3] : memref<?xf32>
      gpu.return
    }
  }
}

