"""MLIR as a source: kernels of the GPU dialect.

    gpu.module @kernels {
      gpu.func @twice(%x: memref<?xf32>) kernel {
        %i = gpu.global_id x
        %a = memref.load %x[%i] : memref<?xf32>
        %b = arith.addf %a, %a : f32
        memref.store %b, %x[%i] : memref<?xf32>
        gpu.return
      }
    }

`reader` has MLIR's own parser read and verify the text, and copies it into the records of `source`. `kernels`
finds the kernels. `lower` makes a lanewise module of each, op by op, by the rows of `table`: one file for
each dialect in `dialects`.
"""
