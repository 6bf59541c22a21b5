// A work-item writes global memory, and after the barrier another one of its workgroup reads it.
gpu.module @fence {
  gpu.func @fence(%data: memref<?xi32>, %out: memref<?xi32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c1 = arith.constant 1 : index
    %two = arith.constant 2 : i32
    %thread = gpu.thread_id x
    %size = gpu.block_dim x
    %i = gpu.global_id x
    %value = memref.load %data[%i] : memref<?xi32>
    %twice = arith.muli %value, %two : i32
    memref.store %twice, %data[%i] : memref<?xi32>
    gpu.barrier
    %last = arith.subi %size, %c1 : index
    %mirrored = arith.subi %last, %thread : index
    %start = arith.subi %i, %thread : index
    %other = arith.addi %start, %mirrored : index
    %seen = memref.load %data[%other] : memref<?xi32>
    memref.store %seen, %out[%i] : memref<?xi32>
    gpu.return
  }
}
