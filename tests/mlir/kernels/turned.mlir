// Rotation in groups of 8 lanes, and broadcasts of the first lane and of one that is named.
gpu.module @m {
  gpu.func @turned(%in: memref<?xi32>, %out: memref<?x5xi32>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %five = arith.constant 5 : i32
    %i = gpu.global_id x
    %v = memref.load %in[%i] : memref<?xi32>
    %a, %pa = gpu.rotate %v, 3, 8 : i32
    %b, %pb = gpu.rotate %v, 1, 32 : i32
    %c = gpu.subgroup_broadcast %v, first_active_lane : i32
    %d = gpu.subgroup_broadcast %v, specific_lane %five : i32
    %s = gpu.subgroup_reduce add %v cluster(size = 4, stride = 2) : (i32) -> i32
    memref.store %a, %out[%i, %c0] : memref<?x5xi32>
    memref.store %b, %out[%i, %c1] : memref<?x5xi32>
    memref.store %c, %out[%i, %c2] : memref<?x5xi32>
    memref.store %d, %out[%i, %c3] : memref<?x5xi32>
    memref.store %s, %out[%i, %c4] : memref<?x5xi32>
    gpu.return
  }
}
