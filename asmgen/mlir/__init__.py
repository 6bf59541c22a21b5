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

* `file` reads a file: `reading` has MLIR's own parser read and verify the text, and copies the result into
  the records of `source` and `types`. `kernels` finds the kernels.
* `lower` makes a lanewise module of each kernel. `lowering` has the state, the arithmetic, the memory and the
  control flow; `dialects` has a rule for each op.
* `interpret` runs a kernel thread by thread and judges the lowering. `host` runs functions of the host.
"""
