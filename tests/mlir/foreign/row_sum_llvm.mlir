// mlir-opt-22 '--pass-pipeline=builtin.module(func.func(convert-linalg-to-parallel-loops,gpu-map-parallel-loops),convert-parallel-loops-to-gpu,gpu-kernel-outlining,lower-affine,convert-scf-to-cf,gpu.module(convert-gpu-to-rocdl))' tests/mlir/foreign/sources/row_sum.mlir
module attributes {gpu.container_module} {
  func.func @row_sum(%arg0: memref<64x20xi32>, %arg1: memref<64xi32>) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c1 = arith.constant 1 : index
    %c20 = arith.constant 20 : index
    %c1_0 = arith.constant 1 : index
    %c64_1 = arith.constant 64 : index
    gpu.launch_func  @row_sum_kernel::@row_sum_kernel blocks in (%c64_1, %c1_0, %c1_0) threads in (%c1_0, %c1_0, %c1_0)  args(%c1 : index, %c0 : index, %arg0 : memref<64x20xi32>, %arg1 : memref<64xi32>, %c20 : index)
    return
  }
  gpu.module @row_sum_kernel attributes {llvm.data_layout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"} {
    llvm.func @row_sum_kernel(%arg0: i64, %arg1: i64, %arg2: !llvm.ptr, %arg3: !llvm.ptr, %arg4: i64, %arg5: i64, %arg6: i64, %arg7: i64, %arg8: i64, %arg9: !llvm.ptr, %arg10: !llvm.ptr, %arg11: i64, %arg12: i64, %arg13: i64, %arg14: i64) attributes {gpu.kernel, gpu.known_block_size = array<i32: 1, 1, 1>, rocdl.flat_work_group_size = "1,1", rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 1, 1, 1>} {
      %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %1 = llvm.insertvalue %arg9, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %2 = llvm.insertvalue %arg10, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %3 = llvm.insertvalue %arg11, %2[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %4 = llvm.insertvalue %arg12, %3[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %5 = llvm.insertvalue %arg13, %4[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %6 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
      %7 = llvm.insertvalue %arg2, %6[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %8 = llvm.insertvalue %arg3, %7[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %9 = llvm.insertvalue %arg4, %8[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %10 = llvm.insertvalue %arg5, %9[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %11 = llvm.insertvalue %arg7, %10[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %12 = llvm.insertvalue %arg6, %11[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %13 = llvm.insertvalue %arg8, %12[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %14 = rocdl.workgroup.id.x : i32
      %15 = llvm.sext %14 : i32 to i64
      %16 = llvm.mul %15, %arg0 overflow<nsw> : i64
      %17 = llvm.add %16, %arg1 : i64
      llvm.br ^bb1(%arg1 : i64)
    ^bb1(%18: i64):  // 2 preds: ^bb0, ^bb2
      %19 = llvm.icmp "slt" %18, %arg14 : i64
      llvm.cond_br %19, ^bb2, ^bb3
    ^bb2:  // pred: ^bb1
      %20 = llvm.extractvalue %13[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %21 = llvm.mlir.constant(20 : index) : i64
      %22 = llvm.mul %17, %21 overflow<nsw, nuw> : i64
      %23 = llvm.add %22, %18 overflow<nsw, nuw> : i64
      %24 = llvm.getelementptr inbounds|nuw %20[%23] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %25 = llvm.load %24 : !llvm.ptr -> i32
      %26 = llvm.extractvalue %5[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %27 = llvm.getelementptr inbounds|nuw %26[%17] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %28 = llvm.load %27 : !llvm.ptr -> i32
      %29 = llvm.add %25, %28 : i32
      %30 = llvm.extractvalue %5[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %31 = llvm.getelementptr inbounds|nuw %30[%17] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %29, %31 : i32, !llvm.ptr
      %32 = llvm.add %18, %arg0 : i64
      llvm.br ^bb1(%32 : i64)
    ^bb3:  // pred: ^bb1
      llvm.return
    }
  }
}

