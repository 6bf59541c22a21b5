// Two kernels in a loop, buffers of the device, copies, a fill, a table, and a function that is called.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @scale(%x: memref<?xf32>, %by: f32, %count: index) kernel {
      %i = gpu.global_id x
      %inside = arith.cmpi ult, %i, %count : index
      scf.if %inside {
        %a = memref.load %x[%i] : memref<?xf32>
        %b = arith.mulf %a, %by : f32
        memref.store %b, %x[%i] : memref<?xf32>
      }
      gpu.return
    }
    gpu.func @add(%x: memref<?xf32>, %y: memref<?xf32>) kernel {
      %i = gpu.global_id x
      %zero = arith.constant 0 : index
      %count = memref.dim %y, %zero : memref<?xf32>
      %inside = arith.cmpi ult, %i, %count : index
      scf.if %inside {
        %a = memref.load %x[%i] : memref<?xf32>
        %b = memref.load %y[%i] : memref<?xf32>
        %c = arith.addf %a, %b : f32
        memref.store %c, %y[%i] : memref<?xf32>
      }
      gpu.return
    }
  }
  memref.global "private" constant @factors : memref<3xf32> = dense<[2.0, -0.5, 4.0]>
  func.func @groups(%count: index) -> index {
    %size = arith.constant 32 : index
    %groups = arith.ceildivui %count, %size : index
    return %groups : index
  }
  // sum = 0.25 + x * 2 + x * 2 * -0.5 + x * 2 * -0.5 * 4; the last x * ... is in `last`.
  func.func @main(%x: memref<?xf32>, %last: memref<?xf32>) -> (memref<?xf32>, index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %quarter = arith.constant 0.25 : f32
    %count = memref.dim %x, %c0 : memref<?xf32>
    %groups = func.call @groups(%count) : (index) -> index
    %device = gpu.alloc (%count) : memref<?xf32>
    %sum = gpu.alloc (%count) : memref<?xf32>
    gpu.memcpy %device, %x : memref<?xf32>, memref<?xf32>
    gpu.memset %sum, %quarter : memref<?xf32>, f32
    %factors = memref.get_global @factors : memref<3xf32>
    %launches = scf.for %i = %c0 to %c3 step %c1 iter_args(%done = %c0) -> (index) {
      %by = memref.load %factors[%i] : memref<3xf32>
      gpu.launch_func @kernels::@scale blocks in (%groups, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%device : memref<?xf32>, %by : f32, %count : index)
      gpu.launch_func @kernels::@add blocks in (%groups, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%device : memref<?xf32>, %sum : memref<?xf32>)
      %c2 = arith.constant 2 : index
      %next = arith.addi %done, %c2 : index
      scf.yield %next : index
    }
    memref.copy %device, %last : memref<?xf32> to memref<?xf32>
    gpu.dealloc %device : memref<?xf32>
    return %sum, %launches : memref<?xf32>, index
  }
}
