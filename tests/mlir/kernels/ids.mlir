// Every id and size of a launch of three dimensions.
gpu.module @m {
  gpu.func @ids(%out: memref<?x12xindex>) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %c9 = arith.constant 9 : index
    %c10 = arith.constant 10 : index
    %c11 = arith.constant 11 : index
    %dx = gpu.block_dim x
    %dy = gpu.block_dim y
    %dz = gpu.block_dim z
    %gx = gpu.grid_dim x
    %gy = gpu.grid_dim y
    %gz = gpu.grid_dim z
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %bz = gpu.block_id z
    %x = gpu.global_id x
    %y = gpu.global_id y
    %z = gpu.global_id z
    %lane = gpu.lane_id
    %wave = gpu.subgroup_id : index
    %lanes = gpu.subgroup_size : index
    %waves = gpu.num_subgroups : index
    %width = arith.muli %dx, %gx : index
    %height = arith.muli %dy, %gy : index
    %plane = arith.muli %z, %height : index
    %rows = arith.addi %plane, %y : index
    %before = arith.muli %rows, %width : index
    %i = arith.addi %before, %x : index
    %ten = arith.muli %bz, %c10 : index
    %zs = arith.addi %dz, %ten : index
    %hundred = arith.muli %by, %c10 : index
    %bs = arith.addi %bx, %hundred : index
    memref.store %dx, %out[%i, %c0] : memref<?x12xindex>
    memref.store %dy, %out[%i, %c1] : memref<?x12xindex>
    memref.store %zs, %out[%i, %c2] : memref<?x12xindex>
    memref.store %gx, %out[%i, %c3] : memref<?x12xindex>
    memref.store %gy, %out[%i, %c4] : memref<?x12xindex>
    memref.store %gz, %out[%i, %c5] : memref<?x12xindex>
    memref.store %bs, %out[%i, %c6] : memref<?x12xindex>
    memref.store %lane, %out[%i, %c7] : memref<?x12xindex>
    memref.store %wave, %out[%i, %c8] : memref<?x12xindex>
    memref.store %lanes, %out[%i, %c9] : memref<?x12xindex>
    memref.store %waves, %out[%i, %c10] : memref<?x12xindex>
    memref.store %i, %out[%i, %c11] : memref<?x12xindex>
    gpu.return
  }
}
