// mlir-opt-22 '--pass-pipeline=builtin.module(gpu.module(convert-gpu-to-rocdl))' tests/mlir/foreign/sources/reverse.mlir
module {
  gpu.module @m attributes {llvm.data_layout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"} {
    llvm.mlir.global internal @__wg_reverse_0() {addr_space = 3 : i32} : !llvm.array<64 x f32>
    llvm.func @__ocml_exp2_f32(f32) -> f32
    llvm.func @__ocml_log2_f32(f32) -> f32
    llvm.func @reverse(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: !llvm.ptr, %arg6: !llvm.ptr, %arg7: i64, %arg8: i64, %arg9: i64, %arg10: i64, %arg11: i64, %arg12: f32) attributes {gpu.kernel, gpu.known_block_size = array<i32: 64, 1, 1>, rocdl.flat_work_group_size = "64,64", rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
      %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
      %1 = llvm.insertvalue %arg5, %0[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %2 = llvm.insertvalue %arg6, %1[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %3 = llvm.insertvalue %arg7, %2[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %4 = llvm.insertvalue %arg8, %3[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %5 = llvm.insertvalue %arg10, %4[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %6 = llvm.insertvalue %arg9, %5[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %7 = llvm.insertvalue %arg11, %6[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %8 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
      %9 = llvm.insertvalue %arg0, %8[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %10 = llvm.insertvalue %arg1, %9[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %11 = llvm.insertvalue %arg2, %10[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %12 = llvm.insertvalue %arg3, %11[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %13 = llvm.insertvalue %arg4, %12[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %14 = llvm.mlir.addressof @__wg_reverse_0 : !llvm.ptr<3>
      %15 = llvm.getelementptr %14[0, 0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, !llvm.array<64 x f32>
      %16 = llvm.mlir.poison : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)>
      %17 = llvm.insertvalue %15, %16[0] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)> 
      %18 = llvm.insertvalue %15, %17[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)> 
      %19 = llvm.mlir.constant(0 : index) : i64
      %20 = llvm.insertvalue %19, %18[2] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)> 
      %21 = llvm.mlir.constant(64 : index) : i64
      %22 = llvm.insertvalue %21, %20[3, 0] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)> 
      %23 = llvm.mlir.constant(1 : index) : i64
      %24 = llvm.insertvalue %23, %22[4, 0] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)> 
      %25 = llvm.mlir.constant(64 : index) : i64
      %26 = llvm.mlir.constant(63 : index) : i64
      %27 = rocdl.workgroup.id.x : i32
      %28 = llvm.sext %27 : i32 to i64
      %29 = rocdl.workitem.id.x range <i32, 0, 64> : i32
      %30 = llvm.sext %29 : i32 to i64
      %31 = llvm.mul %28, %25 : i64
      %32 = llvm.add %31, %30 : i64
      %33 = llvm.extractvalue %13[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
      %34 = llvm.getelementptr inbounds|nuw %33[%32] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %35 = llvm.load %34 : !llvm.ptr -> f32
      %36 = llvm.extractvalue %24[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)> 
      %37 = llvm.getelementptr inbounds|nuw %36[%30] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
      llvm.store %35, %37 : f32, !llvm.ptr<3>
      rocdl.barrier
      %38 = llvm.sub %26, %30 : i64
      %39 = llvm.extractvalue %24[1] : !llvm.struct<(ptr<3>, ptr<3>, i64, array<1 x i64>, array<1 x i64>)> 
      %40 = llvm.getelementptr inbounds|nuw %39[%38] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
      %41 = llvm.load %40 : !llvm.ptr<3> -> f32
      %42 = llvm.fcmp "ogt" %41, %arg12 : f32
      llvm.cond_br %42, ^bb1, ^bb2(%41 : f32)
    ^bb1:  // pred: ^bb0
      %43 = llvm.intr.sqrt(%41) : (f32) -> f32
      %44 = llvm.call @__ocml_exp2_f32(%43) : (f32) -> f32
      %45 = llvm.call @__ocml_log2_f32(%44) : (f32) -> f32
      llvm.br ^bb2(%45 : f32)
    ^bb2(%46: f32):  // 2 preds: ^bb0, ^bb1
      %47 = llvm.extractvalue %7[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %48 = llvm.extractvalue %7[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %49 = llvm.getelementptr %47[%48] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %50 = llvm.extractvalue %7[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
      %51 = llvm.mul %28, %50 overflow<nsw, nuw> : i64
      %52 = llvm.add %51, %30 overflow<nsw, nuw> : i64
      %53 = llvm.getelementptr inbounds|nuw %49[%52] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %46, %53 : f32, !llvm.ptr
      llvm.return
    }
  }
}

