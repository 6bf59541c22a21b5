// python tests/mlir/foreign/sources/jax_functions.txt swish | iree-compile --iree-input-type=stablehlo --compile-to=input - | sed 's/util\.func/func.func/; s/util\.return/return/' | mlir-opt-22 '--pass-pipeline=builtin.module(canonicalize,one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map},func.func(convert-linalg-to-parallel-loops,gpu-map-parallel-loops),convert-parallel-loops-to-gpu,gpu-kernel-outlining,lower-affine,canonicalize,cse)' | sed 's/{alignment = 64 : i64}/alignment = 64/'
module @jit_swish attributes {gpu.container_module} {
  func.func public @main(%arg0: memref<64x32xf32>) -> memref<64x32xf32> {
    %c32 = arith.constant 32 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %cst = arith.constant 1.000000e+00 : f32
    %alloc = memref.alloc() alignment = 64 : memref<64x32xf32>
    gpu.launch_func  @main_kernel::@main_kernel blocks in (%c64, %c32, %c1) threads in (%c1, %c1, %c1)  args(%c1 : index, %c0 : index, %arg0 : memref<64x32xf32>, %alloc : memref<64x32xf32>)
    %alloc_0 = memref.alloc() alignment = 64 : memref<64x32xf32>
    gpu.launch_func  @main_kernel_0::@main_kernel blocks in (%c64, %c32, %c1) threads in (%c1, %c1, %c1)  args(%c1 : index, %c0 : index, %alloc : memref<64x32xf32>, %alloc_0 : memref<64x32xf32>)
    %alloc_1 = memref.alloc() alignment = 64 : memref<64x32xf32>
    gpu.launch_func  @main_kernel_1::@main_kernel blocks in (%c64, %c32, %c1) threads in (%c1, %c1, %c1)  args(%c1 : index, %c0 : index, %alloc_0 : memref<64x32xf32>, %cst : f32, %alloc_1 : memref<64x32xf32>)
    %alloc_2 = memref.alloc() alignment = 64 : memref<64x32xf32>
    gpu.launch_func  @main_kernel_2::@main_kernel blocks in (%c64, %c32, %c1) threads in (%c1, %c1, %c1)  args(%c1 : index, %c0 : index, %alloc_1 : memref<64x32xf32>, %cst : f32, %alloc_2 : memref<64x32xf32>)
    %alloc_3 = memref.alloc() alignment = 64 : memref<64x32xf32>
    gpu.launch_func  @main_kernel_3::@main_kernel blocks in (%c64, %c32, %c1) threads in (%c1, %c1, %c1)  args(%c1 : index, %c0 : index, %arg0 : memref<64x32xf32>, %alloc_2 : memref<64x32xf32>, %alloc_3 : memref<64x32xf32>)
    return %alloc_3 : memref<64x32xf32>
  }
  gpu.module @main_kernel {
    gpu.func @main_kernel(%arg0: index, %arg1: index, %arg2: memref<64x32xf32>, %arg3: memref<64x32xf32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      %block_id_x = gpu.block_id  x
      %block_id_y = gpu.block_id  y
      %0 = arith.muli %block_id_x, %arg0 overflow<nsw> : index
      %1 = arith.addi %0, %arg1 : index
      %2 = arith.muli %block_id_y, %arg0 overflow<nsw> : index
      %3 = arith.addi %2, %arg1 : index
      %4 = memref.load %arg2[%1, %3] : memref<64x32xf32>
      %5 = arith.negf %4 : f32
      memref.store %5, %arg3[%1, %3] : memref<64x32xf32>
      gpu.return
    }
  }
  gpu.module @main_kernel_0 {
    gpu.func @main_kernel(%arg0: index, %arg1: index, %arg2: memref<64x32xf32>, %arg3: memref<64x32xf32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      %block_id_x = gpu.block_id  x
      %block_id_y = gpu.block_id  y
      %0 = arith.muli %block_id_x, %arg0 overflow<nsw> : index
      %1 = arith.addi %0, %arg1 : index
      %2 = arith.muli %block_id_y, %arg0 overflow<nsw> : index
      %3 = arith.addi %2, %arg1 : index
      %4 = memref.load %arg2[%1, %3] : memref<64x32xf32>
      %5 = math.exp %4 : f32
      memref.store %5, %arg3[%1, %3] : memref<64x32xf32>
      gpu.return
    }
  }
  gpu.module @main_kernel_1 {
    gpu.func @main_kernel(%arg0: index, %arg1: index, %arg2: memref<64x32xf32>, %arg3: f32, %arg4: memref<64x32xf32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      %block_id_x = gpu.block_id  x
      %block_id_y = gpu.block_id  y
      %0 = arith.muli %block_id_x, %arg0 overflow<nsw> : index
      %1 = arith.addi %0, %arg1 : index
      %2 = arith.muli %block_id_y, %arg0 overflow<nsw> : index
      %3 = arith.addi %2, %arg1 : index
      %4 = memref.load %arg2[%1, %3] : memref<64x32xf32>
      %5 = arith.addf %4, %arg3 : f32
      memref.store %5, %arg4[%1, %3] : memref<64x32xf32>
      gpu.return
    }
  }
  gpu.module @main_kernel_2 {
    gpu.func @main_kernel(%arg0: index, %arg1: index, %arg2: memref<64x32xf32>, %arg3: f32, %arg4: memref<64x32xf32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      %block_id_x = gpu.block_id  x
      %block_id_y = gpu.block_id  y
      %0 = arith.muli %block_id_x, %arg0 overflow<nsw> : index
      %1 = arith.addi %0, %arg1 : index
      %2 = arith.muli %block_id_y, %arg0 overflow<nsw> : index
      %3 = arith.addi %2, %arg1 : index
      %4 = memref.load %arg2[%1, %3] : memref<64x32xf32>
      %5 = arith.divf %arg3, %4 : f32
      memref.store %5, %arg4[%1, %3] : memref<64x32xf32>
      gpu.return
    }
  }
  gpu.module @main_kernel_3 {
    gpu.func @main_kernel(%arg0: index, %arg1: index, %arg2: memref<64x32xf32>, %arg3: memref<64x32xf32>, %arg4: memref<64x32xf32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      %block_id_x = gpu.block_id  x
      %block_id_y = gpu.block_id  y
      %0 = arith.muli %block_id_x, %arg0 overflow<nsw> : index
      %1 = arith.addi %0, %arg1 : index
      %2 = arith.muli %block_id_y, %arg0 overflow<nsw> : index
      %3 = arith.addi %2, %arg1 : index
      %4 = memref.load %arg2[%1, %3] : memref<64x32xf32>
      %5 = memref.load %arg3[%1, %3] : memref<64x32xf32>
      %6 = arith.mulf %4, %5 : f32
      memref.store %6, %arg4[%1, %3] : memref<64x32xf32>
      gpu.return
    }
  }
}

