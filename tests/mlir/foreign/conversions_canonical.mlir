// mlir-opt-22 --canonicalize --cse tests/mlir/kernels/conversions.mlir
module {
  gpu.module @m {
    gpu.func @conversions(%arg0: memref<?xi32>, %arg1: memref<?xf32>, %arg2: memref<?x16xi64>) kernel {
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
      %idx11 = index.constant 11
      %idx12 = index.constant 12
      %idx13 = index.constant 13
      %idx14 = index.constant 14
      %idx15 = index.constant 15
      %cst = arith.constant -1.500000e+00 : f32
      %cst_0 = arith.constant 1.250000e+00 : f32
      %c-1640531527_i32 = arith.constant -1640531527 : i32
      %global_id_x = gpu.global_id  x
      %0 = memref.load %arg0[%global_id_x] : memref<?xi32>
      %1 = memref.load %arg1[%global_id_x] : memref<?xf32>
      %sum, %overflow = arith.addui_extended %0, %c-1640531527_i32 : i32, i1
      %low, %high = arith.mulsi_extended %0, %c-1640531527_i32 : i32
      %low_1, %high_2 = arith.mului_extended %0, %c-1640531527_i32 : i32
      %2 = arith.extui %overflow : i1 to i64
      %3 = arith.extsi %sum : i32 to i64
      %4 = arith.extsi %high : i32 to i64
      %5 = arith.extui %high_2 : i32 to i64
      %6 = arith.extf %1 : f32 to f64
      %7 = arith.bitcast %6 : f64 to i64
      %8 = arith.truncf %1 : f32 to f16
      %9 = arith.bitcast %8 : f16 to i16
      %10 = arith.extui %9 : i16 to i64
      %11 = arith.truncf %1 : f32 to bf16
      %12 = arith.bitcast %11 : bf16 to i16
      %13 = arith.extsi %12 : i16 to i64
      %14 = arith.fptosi %1 : f32 to i64
      %15 = math.absf %1 : f32
      %16 = arith.fptoui %15 : f32 to i8
      %17 = arith.extui %16 : i8 to i64
      %18 = arith.trunci %0 : i32 to i16
      %19 = arith.select %overflow, %18, %9 : i16
      %20 = arith.extsi %19 : i16 to i64
      %21 = math.clampf %1 to [%cst, %cst_0] : f32
      %22 = arith.bitcast %21 : f32 to i32
      %23 = arith.extui %22 : i32 to i64
      %24 = index.casts %0 : i32 to index
      %25 = index.casts %24 : index to i64
      %26 = index.castu %0 : i32 to index
      %27 = index.castu %26 : index to i64
      %28 = index.sizeof
      %29 = arith.index_cast %28 : index to i64
      %30 = arith.extf %8 : f16 to f64
      %31 = arith.bitcast %30 : f64 to i64
      %32 = arith.extui %low : i32 to i64
      memref.store %2, %arg2[%global_id_x, %c0] : memref<?x16xi64>
      memref.store %3, %arg2[%global_id_x, %c1] : memref<?x16xi64>
      memref.store %4, %arg2[%global_id_x, %c2] : memref<?x16xi64>
      memref.store %5, %arg2[%global_id_x, %c3] : memref<?x16xi64>
      memref.store %7, %arg2[%global_id_x, %c4] : memref<?x16xi64>
      memref.store %10, %arg2[%global_id_x, %c5] : memref<?x16xi64>
      memref.store %13, %arg2[%global_id_x, %c6] : memref<?x16xi64>
      memref.store %14, %arg2[%global_id_x, %c7] : memref<?x16xi64>
      memref.store %17, %arg2[%global_id_x, %c8] : memref<?x16xi64>
      memref.store %20, %arg2[%global_id_x, %c9] : memref<?x16xi64>
      memref.store %23, %arg2[%global_id_x, %c10] : memref<?x16xi64>
      memref.store %25, %arg2[%global_id_x, %idx11] : memref<?x16xi64>
      memref.store %27, %arg2[%global_id_x, %idx12] : memref<?x16xi64>
      memref.store %29, %arg2[%global_id_x, %idx13] : memref<?x16xi64>
      memref.store %31, %arg2[%global_id_x, %idx14] : memref<?x16xi64>
      memref.store %32, %arg2[%global_id_x, %idx15] : memref<?x16xi64>
      gpu.return
    }
  }
}

