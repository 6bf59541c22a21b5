// Vectors from elements and back, in other shapes, and read and written as wholes.
gpu.module @m {
  gpu.func @parts(%in: memref<?xf32>, %out: memref<?x4xf32>) kernel {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %zero = arith.constant 0.0 : f32
    %half = arith.constant 0.5 : f32
    %i = gpu.global_id x
    %start = arith.muli %i, %c4 : index
    %v = vector.transfer_read %in[%start], %zero {in_bounds = [true]} : memref<?xf32>, vector<4xf32>
    %a:4 = vector.to_elements %v : vector<4xf32>
    %w = vector.from_elements %a#3, %a#1, %half, %a#0 : vector<4xf32>
    %table = vector.shape_cast %w : vector<4xf32> to vector<2x2xf32>
    %line = vector.shape_cast %table : vector<2x2xf32> to vector<4xf32>
    %halves = vector.broadcast %half : f32 to vector<4xf32>
    %sum = arith.addf %line, %halves : vector<4xf32>
    vector.transfer_write %sum, %out[%i, %c0] {in_bounds = [true]} : vector<4xf32>, memref<?x4xf32>
    gpu.return
  }
}
