// The host reads what a kernel has counted, and goes on until nothing is left to do: odd numbers become
// 3 n + 1, even ones half of them, until all are 1.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @step(%x: memref<?xi32>, %left: memref<i32>) kernel {
      %i = gpu.global_id x
      %one = arith.constant 1 : i32
      %three = arith.constant 3 : i32
      %v = memref.load %x[%i] : memref<?xi32>
      %more = arith.cmpi ne, %v, %one : i32
      scf.if %more {
        %bit = arith.andi %v, %one : i32
        %odd = arith.cmpi eq, %bit, %one : i32
        %half = arith.shrui %v, %one : i32
        %times = arith.muli %v, %three : i32
        %up = arith.addi %times, %one : i32
        %new = arith.select %odd, %up, %half : i32
        memref.store %new, %x[%i] : memref<?xi32>
        %old = memref.atomic_rmw addi %one, %left[] : (i32, memref<i32>) -> i32
      }
      gpu.return
    }
  }
  func.func @main(%x: memref<?xi32>) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %count = memref.dim %x, %c0 : memref<?xi32>
    %groups = arith.divui %count, %c16 : index
    %left = memref.alloc() : memref<i32>
    %trips = scf.while (%trip = %zero) : (i32) -> i32 {
      memref.store %zero, %left[] : memref<i32>
      gpu.launch_func @kernels::@step blocks in (%groups, %c1, %c1) threads in (%c16, %c1, %c1)
        args(%x : memref<?xi32>, %left : memref<i32>)
      %more = memref.load %left[] : memref<i32>
      %goes = arith.cmpi ne, %more, %zero : i32
      scf.condition(%goes) %trip : i32
    } do {
    ^bb0(%trip: i32):
      %next = arith.addi %trip, %one : i32
      scf.yield %next : i32
    }
    memref.dealloc %left : memref<i32>
    return %trips : i32
  }
}
