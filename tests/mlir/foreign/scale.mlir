// mlir-opt-22 '--pass-pipeline=builtin.module(func.func(convert-linalg-to-parallel-loops,gpu-map-parallel-loops),convert-parallel-loops-to-gpu,gpu-kernel-outlining)' tests/mlir/foreign/sources/scale.mlir
#map = affine_map<(d0)[s0, s1] -> ((d0 - s0) ceildiv s1)>
#map1 = affine_map<(d0)[s0, s1] -> (d0 * s0 + s1)>
module attributes {gpu.container_module} {
  func.func @scale(%arg0: memref<64x32xf32>, %arg1: memref<64x32xf32>, %arg2: memref<64x32xf32>) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c1_0 = arith.constant 1 : index
    %0 = affine.apply #map(%c64)[%c0, %c1]
    %1 = affine.apply #map(%c32)[%c0, %c1]
    gpu.launch_func  @scale_kernel::@scale_kernel blocks in (%0, %1, %c1_0) threads in (%c1_0, %c1_0, %c1_0)  args(%c1 : index, %c0 : index, %arg0 : memref<64x32xf32>, %arg1 : memref<64x32xf32>, %arg2 : memref<64x32xf32>)
    return
  }
  gpu.module @scale_kernel {
    gpu.func @scale_kernel(%arg0: index, %arg1: index, %arg2: memref<64x32xf32>, %arg3: memref<64x32xf32>, %arg4: memref<64x32xf32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
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
      %0 = affine.apply #map1(%block_id_x)[%arg0, %arg1]
      %1 = affine.apply #map1(%block_id_y)[%arg0, %arg1]
      %2 = memref.load %arg2[%0, %1] : memref<64x32xf32>
      %3 = memref.load %arg3[%0, %1] : memref<64x32xf32>
      %4 = arith.addf %2, %3 : f32
      %5 = arith.mulf %4, %2 : f32
      memref.store %5, %arg4[%0, %1] : memref<64x32xf32>
      gpu.return
    }
  }
}

