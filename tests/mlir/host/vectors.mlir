// The host makes vectors, and passes them by value; the kernel takes bytes of vectors apart and packs them.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @mix(%by: vector<4xi8>, %factor: vector<2xf32>, %x: memref<?xvector<4xi8>>, %y: memref<?xf32>) kernel {
      %i = gpu.global_id x
      %v = memref.load %x[%i] : memref<?xvector<4xi8>>
      %s = arith.addi %v, %by : vector<4xi8>
      %a = vector.extract %s[2] : i8 from vector<4xi8>
      %t = vector.insert %a, %v[0] : i8 into vector<4xi8>
      %u = vector.shuffle %t, %s [3, 4, 0, 7] : vector<4xi8>, vector<4xi8>
      memref.store %u, %x[%i] : memref<?xvector<4xi8>>
      %f = memref.load %y[%i] : memref<?xf32>
      %p = vector.extract %factor[0] : f32 from vector<2xf32>
      %q = vector.extract %factor[1] : f32 from vector<2xf32>
      %g = arith.mulf %f, %p : f32
      %h = arith.addf %g, %q : f32
      memref.store %h, %y[%i] : memref<?xf32>
      gpu.return
    }
  }
  func.func @main(%x: memref<?x4xi8>, %y: memref<?xf32>, %a: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %count = memref.dim %y, %c0 : memref<?xf32>
    %groups = arith.divui %count, %c16 : index
    %by = arith.constant dense<[1, 2, -3, 4]> : vector<4xi8>
    %half = arith.constant 0.5 : f32
    %factor = vector.from_elements %a, %half : vector<2xf32>
    %bytes = memref.alloc(%count) : memref<?xvector<4xi8>>
    scf.for %i = %c0 to %count step %c1 {
      %row = vector.load %x[%i, %c0] : memref<?x4xi8>, vector<4xi8>
      memref.store %row, %bytes[%i] : memref<?xvector<4xi8>>
    }
    gpu.launch_func @kernels::@mix blocks in (%groups, %c1, %c1) threads in (%c16, %c1, %c1)
      args(%by : vector<4xi8>, %factor : vector<2xf32>, %bytes : memref<?xvector<4xi8>>, %y : memref<?xf32>)
    scf.for %i = %c0 to %count step %c1 {
      %row = memref.load %bytes[%i] : memref<?xvector<4xi8>>
      vector.store %row, %x[%i, %c0] : memref<?x4xi8>, vector<4xi8>
    }
    return
  }
}
