// Vectors: loads and stores, arithmetic, parts, shuffles, reductions, private memory at constant and other indices.
gpu.module @m {
  gpu.func @vectors(%in: memref<?xf32>, %out: memref<?xf32>, %quads: memref<?xvector<4xf32>>)
      private(%own: memref<8xf32, #gpu.address_space<private>>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %half = arith.constant 0.5 : f32
    %ramp = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
    %i = gpu.global_id x
    %first = arith.muli %i, %c4 : index
    %v = vector.load %in[%first] : memref<?xf32>, vector<4xf32>
    %h = vector.broadcast %half : f32 to vector<4xf32>
    %w = vector.fma %v, %h, %ramp : vector<4xf32>
    %q = memref.load %quads[%i] : memref<?xvector<4xf32>>
    %u = vector.shuffle %w, %q [0, 5, 2, 7] : vector<4xf32>, vector<4xf32>
    %e = vector.extract %u[2] : f32 from vector<4xf32>
    %s = vector.reduction <maxnumf>, %q : vector<4xf32> into f32
    %es = arith.addf %e, %s : f32
    %z = vector.insert %es, %u[1] : f32 into vector<4xf32>
    scf.for %k = %c0 to %c8 step %c1 {
      %f = arith.index_cast %k : index to i32
      %g = arith.sitofp %f : i32 to f32
      memref.store %g, %own[%k] : memref<8xf32, #gpu.address_space<private>>
    }
    %chosen = arith.remui %i, %c8 : index
    %a = memref.load %own[%chosen] : memref<8xf32, #gpu.address_space<private>>
    memref.store %es, %own[%chosen] : memref<8xf32, #gpu.address_space<private>>
    %b = memref.load %own[%c4] : memref<8xf32, #gpu.address_space<private>>
    %y = vector.insert %a, %z[0] : f32 into vector<4xf32>
    %x = vector.insert %b, %y[3] : f32 into vector<4xf32>
    vector.store %x, %out[%first] : memref<?xf32>, vector<4xf32>
    gpu.return
  }
}
