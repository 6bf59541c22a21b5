// mlir-opt-22 '--pass-pipeline=builtin.module(func.func(convert-linalg-to-parallel-loops,gpu-map-parallel-loops),convert-parallel-loops-to-gpu,gpu-kernel-outlining,lower-affine)' tests/mlir/foreign/sources/row_sum.mlir
module attributes {gpu.container_module} {
  func.func @row_sum(%arg0: memref<64x20xi32>, %arg1: memref<64xi32>) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c1 = arith.constant 1 : index
    %c20 = arith.constant 20 : index
    %c1_0 = arith.constant 1 : index
    %c64_1 = arith.constant 64 : index
    gpu.launch_func  @row_sum_kernel::@row_sum_kernel blocks in (%c64_1, %c1_0, %c1_0) threads in (%c1_0, %c1_0, %c1_0)  args(%c1 : index, %c0 : index, %arg0 : memref<64x20xi32>, %arg1 : memref<64xi32>, %c20 : index)
    return
  }
  gpu.module @row_sum_kernel {
    gpu.func @row_sum_kernel(%arg0: index, %arg1: index, %arg2: memref<64x20xi32>, %arg3: memref<64xi32>, %arg4: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      %block_id_x = gpu.block_id  x
      %block_id_y = gpu.block_id  y
      %block_id_z = gpu.block_id  z
      %thread_id_x = gpu.thread_id  x
      %thread_id_y = gpu.thread_id  y
      %thread_id_z = gpu.thread_id  z
      %grid_dim_x = gpu.grid_dim  x
      %grid_dim_y = gpu.grid_dim  y
      %grid_dim_z = gpu.grid_dim  z
      %block_dim_x = gpu.block_dim  x
      %block_dim_y = gpu.block_dim  y
      %block_dim_z = gpu.block_dim  z
      %0 = arith.muli %block_id_x, %arg0 overflow<nsw> : index
      %1 = arith.addi %0, %arg1 : index
      scf.for %arg5 = %arg1 to %arg4 step %arg0 {
        %2 = memref.load %arg2[%1, %arg5] : memref<64x20xi32>
        %3 = memref.load %arg3[%1] : memref<64xi32>
        %4 = arith.addi %2, %3 : i32
        memref.store %4, %arg3[%1] : memref<64xi32>
      }
      gpu.return
    }
  }
}

