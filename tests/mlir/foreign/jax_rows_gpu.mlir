// python tests/mlir/foreign/sources/jax_functions.txt rows | iree-compile --iree-input-type=stablehlo --compile-to=input - | sed 's/util\.func/func.func/; s/util\.return/return/' | mlir-opt-22 '--pass-pipeline=builtin.module(canonicalize,one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map},func.func(convert-linalg-to-parallel-loops,gpu-map-parallel-loops),convert-parallel-loops-to-gpu,gpu-kernel-outlining,lower-affine,canonicalize,cse)' | sed 's/{alignment = 64 : i64}/alignment = 64/'
module @jit_rows attributes {gpu.container_module} {
  func.func public @main(%arg0: memref<48x20xf32>) -> memref<48xf32> {
    %c20 = arith.constant 20 : index
    %c1 = arith.constant 1 : index
    %c48 = arith.constant 48 : index
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 2.000000e+00 : f32
    %alloc = memref.alloc() alignment = 64 : memref<48x20xf32>
    gpu.launch_func  @main_kernel::@main_kernel blocks in (%c48, %c20, %c1) threads in (%c1, %c1, %c1)  args(%c1 : index, %c0 : index, %arg0 : memref<48x20xf32>, %cst_0 : f32, %alloc : memref<48x20xf32>)
    %alloc_1 = memref.alloc() alignment = 64 : memref<48xf32>
    gpu.launch_func  @main_kernel_0::@main_kernel blocks in (%c48, %c1, %c1) threads in (%c1, %c1, %c1)  args(%c1 : index, %c0 : index, %cst : f32, %alloc_1 : memref<48xf32>)
    gpu.launch_func  @main_kernel_1::@main_kernel blocks in (%c48, %c1, %c1) threads in (%c1, %c1, %c1)  args(%c1 : index, %c0 : index, %alloc : memref<48x20xf32>, %alloc_1 : memref<48xf32>, %c20 : index)
    return %alloc_1 : memref<48xf32>
  }
  gpu.module @main_kernel {
    gpu.func @main_kernel(%arg0: index, %arg1: index, %arg2: memref<48x20xf32>, %arg3: f32, %arg4: memref<48x20xf32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      %block_id_x = gpu.block_id  x
      %block_id_y = gpu.block_id  y
      %0 = arith.muli %block_id_x, %arg0 overflow<nsw> : index
      %1 = arith.addi %0, %arg1 : index
      %2 = arith.muli %block_id_y, %arg0 overflow<nsw> : index
      %3 = arith.addi %2, %arg1 : index
      %4 = memref.load %arg2[%1, %3] : memref<48x20xf32>
      %5 = arith.mulf %4, %arg3 : f32
      memref.store %5, %arg4[%1, %3] : memref<48x20xf32>
      gpu.return
    }
  }
  gpu.module @main_kernel_0 {
    gpu.func @main_kernel(%arg0: index, %arg1: index, %arg2: f32, %arg3: memref<48xf32>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      %block_id_x = gpu.block_id  x
      %0 = arith.muli %block_id_x, %arg0 overflow<nsw> : index
      %1 = arith.addi %0, %arg1 : index
      memref.store %arg2, %arg3[%1] : memref<48xf32>
      gpu.return
    }
  }
  gpu.module @main_kernel_1 {
    gpu.func @main_kernel(%arg0: index, %arg1: index, %arg2: memref<48x20xf32>, %arg3: memref<48xf32>, %arg4: index) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
      %block_id_x = gpu.block_id  x
      %0 = arith.muli %block_id_x, %arg0 overflow<nsw> : index
      %1 = arith.addi %0, %arg1 : index
      scf.for %arg5 = %arg1 to %arg4 step %arg0 {
        %2 = memref.load %arg2[%1, %arg5] : memref<48x20xf32>
        %3 = memref.load %arg3[%1] : memref<48xf32>
        %4 = arith.addf %3, %2 : f32
        memref.store %4, %arg3[%1] : memref<48xf32>
      }
      gpu.return
    }
  }
}

