// mlir-opt-22 '--pass-pipeline=builtin.module(func.func(convert-affine-for-to-gpu{gpu-block-dims=1 gpu-thread-dims=1}),gpu-kernel-outlining)' tests/mlir/foreign/sources/stencil.mlir
module attributes {gpu.container_module} {
  func.func @stencil(%arg0: memref<66xf32>, %arg1: memref<64xf32>) {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %0 = arith.subi %c8, %c0 : index
    %c1 = arith.constant 1 : index
    %c0_0 = arith.constant 0 : index
    %c8_1 = arith.constant 8 : index
    %1 = arith.subi %c8_1, %c0_0 : index
    %c1_2 = arith.constant 1 : index
    %c1_3 = arith.constant 1 : index
    gpu.launch_func  @stencil_kernel::@stencil_kernel blocks in (%0, %c1_3, %c1_3) threads in (%1, %c1_3, %c1_3)  args(%c0 : index, %c0_0 : index, %arg0 : memref<66xf32>, %arg1 : memref<64xf32>)
    return
  }
  gpu.module @stencil_kernel {
    gpu.func @stencil_kernel(%arg0: index, %arg1: index, %arg2: memref<66xf32>, %arg3: memref<64xf32>) kernel {
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
      %0 = arith.addi %arg0, %block_id_x : index
      %1 = arith.addi %arg1, %thread_id_x : index
      %2 = affine.load %arg2[%0 * 8 + %1] : memref<66xf32>
      %3 = affine.load %arg2[%0 * 8 + %1 + 2] : memref<66xf32>
      %4 = arith.addf %2, %3 : f32
      affine.store %4, %arg3[%0 * 8 + %1] : memref<64xf32>
      gpu.return
    }
  }
}

