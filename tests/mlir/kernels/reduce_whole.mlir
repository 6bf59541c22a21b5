// Reductions over a workgroup of any size: by an operation, and by a region.
gpu.module @m {
  gpu.func @reduces(%in: memref<?xi32>, %out: memref<?x4xi32>, %floats: memref<?xf32>, %sums: memref<?xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %i = gpu.global_id x
    %v = memref.load %in[%i] : memref<?xi32>
    %x = memref.load %floats[%i] : memref<?xf32>
    %sum = gpu.all_reduce add %v uniform {} : (i32) -> (i32)
    %most = gpu.all_reduce maxsi %v uniform {} : (i32) -> (i32)
    %mixed = gpu.all_reduce %v uniform {
    ^bb0(%a: i32, %b: i32):
      %s = arith.xori %a, %b : i32
      gpu.yield %s : i32
    } : (i32) -> (i32)
    %group = gpu.subgroup_reduce add %v cluster(size = 4) : (i32) -> (i32)
    %total = gpu.all_reduce add %x uniform {} : (f32) -> (f32)
    memref.store %sum, %out[%i, %c0] : memref<?x4xi32>
    memref.store %most, %out[%i, %c1] : memref<?x4xi32>
    memref.store %mixed, %out[%i, %c2] : memref<?x4xi32>
    memref.store %group, %out[%i, %c3] : memref<?x4xi32>
    memref.store %total, %sums[%i] : memref<?xf32>
    gpu.return
  }
}
