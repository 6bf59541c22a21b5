// Each work-item doubles its element of global memory, and after the barrier all of its workgroup read the first one.
gpu.module @shared_reduce {
  gpu.func @shared_reduce(%input: memref<?x256xi32>, %result: memref<?x256xi32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : i32
    %block = gpu.block_id x
    %tid = gpu.thread_id x
    %value = memref.load %input[%block, %tid] : memref<?x256xi32>
    %doubled = arith.muli %value, %c2 : i32
    memref.store %doubled, %input[%block, %tid] : memref<?x256xi32>
    gpu.barrier
    %first = memref.load %input[%block, %c0] : memref<?x256xi32>
    memref.store %first, %result[%block, %tid] : memref<?x256xi32>
    gpu.return
  }
}
