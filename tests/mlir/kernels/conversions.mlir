// Numbers of one type as another, and results in two parts.
gpu.module @m {
  gpu.func @conversions(%in: memref<?xi32>, %floats: memref<?xf32>, %out: memref<?x16xi64>) kernel {
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
    %c11 = index.constant 11
    %c12 = index.constant 12
    %c13 = index.constant 13
    %c14 = index.constant 14
    %c15 = index.constant 15
    %low = arith.constant -1.5 : f32
    %high = arith.constant 1.25 : f32
    %other = arith.constant -1640531527 : i32
    %yes = index.bool.constant true
    %i = gpu.global_id x
    %v = memref.load %in[%i] : memref<?xi32>
    %f = memref.load %floats[%i] : memref<?xf32>
    %sum, %carry = arith.addui_extended %v, %other : i32, i1
    %sl, %sh = arith.mulsi_extended %v, %other : i32
    %ul, %uh = arith.mului_extended %v, %other : i32
    %both = arith.andi %carry, %yes : i1
    %w0 = arith.extui %both : i1 to i64
    %w1 = arith.extsi %sum : i32 to i64
    %w2 = arith.extsi %sh : i32 to i64
    %w3 = arith.extui %uh : i32 to i64
    %d = arith.extf %f : f32 to f64
    %w4 = arith.bitcast %d : f64 to i64
    %h = arith.truncf %f : f32 to f16
    %hb = arith.bitcast %h : f16 to i16
    %w5 = arith.extui %hb : i16 to i64
    %bf = arith.truncf %f : f32 to bf16
    %bb = arith.bitcast %bf : bf16 to i16
    %w6 = arith.extsi %bb : i16 to i64
    %w7 = arith.fptosi %f : f32 to i64
    %af = math.absf %f : f32
    %small = arith.fptoui %af : f32 to i8
    %w8 = arith.extui %small : i8 to i64
    %t = arith.trunci %v : i32 to i16
    %chosen = arith.select %both, %t, %hb : i16
    %w9 = arith.extsi %chosen : i16 to i64
    %clamped = math.clampf %f to [%low, %high] : f32
    %cb = arith.bitcast %clamped : f32 to i32
    %w10 = arith.extui %cb : i32 to i64
    %s = index.casts %v : i32 to index
    %w11 = index.casts %s : index to i64
    %u = index.castu %v : i32 to index
    %w12 = index.castu %u : index to i64
    %bits = index.sizeof
    %w13 = arith.index_cast %bits : index to i64
    %eighth = arith.truncf %d : f64 to f16
    %wide = arith.extf %eighth : f16 to f64
    %w14 = arith.bitcast %wide : f64 to i64
    %w15 = arith.extui %sl : i32 to i64
    memref.store %w0, %out[%i, %c0] : memref<?x16xi64>
    memref.store %w1, %out[%i, %c1] : memref<?x16xi64>
    memref.store %w2, %out[%i, %c2] : memref<?x16xi64>
    memref.store %w3, %out[%i, %c3] : memref<?x16xi64>
    memref.store %w4, %out[%i, %c4] : memref<?x16xi64>
    memref.store %w5, %out[%i, %c5] : memref<?x16xi64>
    memref.store %w6, %out[%i, %c6] : memref<?x16xi64>
    memref.store %w7, %out[%i, %c7] : memref<?x16xi64>
    memref.store %w8, %out[%i, %c8] : memref<?x16xi64>
    memref.store %w9, %out[%i, %c9] : memref<?x16xi64>
    memref.store %w10, %out[%i, %c10] : memref<?x16xi64>
    memref.store %w11, %out[%i, %c11] : memref<?x16xi64>
    memref.store %w12, %out[%i, %c12] : memref<?x16xi64>
    memref.store %w13, %out[%i, %c13] : memref<?x16xi64>
    memref.store %w14, %out[%i, %c14] : memref<?x16xi64>
    memref.store %w15, %out[%i, %c15] : memref<?x16xi64>
    gpu.return
  }
}
