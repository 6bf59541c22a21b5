// mlir-opt-22 '--pass-pipeline=builtin.module(func.func(convert-linalg-to-parallel-loops,gpu-map-parallel-loops),convert-parallel-loops-to-gpu,gpu-kernel-outlining,lower-affine,canonicalize,cse)' tests/mlir/foreign/sources/scale.mlir
module attributes {gpu.container_module} {
  func.func @scale(%arg0: memref<64x32xf32>, %arg1: memref<64x32xf32>, %arg2: memref<64x32xf32>) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func  @scale_kernel::@scale_kernel blocks in (%c64, %c32, %c1) threads in (%c1, %c1, %c1)  args(%c1 : index, %c0 : index, %arg0 : memref<64x32xf32>, %arg1 : memref<64x32xf32>, %arg2 : memref<64x32xf32>)
    return
  }
  gpu.module @scale_kernel {
    gpu.func @scale_kernel(%arg0: index, %arg1: index, %arg2: memref<64x32xf32>, %arg3: memref<64x32xf32>, %arg4: memref<64x32xf32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      %block_id_x = gpu.block_id  x
      %block_id_y = gpu.block_id  y
      %0 = arith.muli %block_id_x, %arg0 overflow<nsw> : index
      %1 = arith.addi %0, %arg1 : index
      %2 = arith.muli %block_id_y, %arg0 overflow<nsw> : index
      %3 = arith.addi %2, %arg1 : index
      %4 = memref.load %arg2[%1, %3] : memref<64x32xf32>
      %5 = memref.load %arg3[%1, %3] : memref<64x32xf32>
      %6 = arith.addf %4, %5 : f32
      %7 = arith.mulf %6, %4 : f32
      memref.store %7, %arg4[%1, %3] : memref<64x32xf32>
      gpu.return
    }
  }
}

