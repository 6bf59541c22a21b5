// iree-compile --iree-hal-target-device=hip --iree-rocm-target=gfx942 --compile-to=executable-targets tests/mlir/foreign/sources/iree_add.mlir
module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #hal.device.target<"hip", [#hal.executable.target<"rocm", "rocm-hsaco-fb", {abi = "hip", iree.encoding.resolver = #iree_gpu.gpu_encoding_resolver<>, iree_codegen.default_tuning_spec = #rocm.builtin.tuning_module<"iree_default_tuning_spec_gfx942.mlir">, iree_codegen.target_info = #iree_gpu.target<arch = "gfx942", features = "", wgp = <compute = fp64|fp32|fp16|int64|int32|int16|int8, storage = b64|b32|b16|b8, subgroup = shuffle|arithmetic, dot = dp4xi8toi32, mma = [<MFMA_F32_16x16x16_BF16>, <MFMA_F32_32x32x8_BF16>, <MFMA_F32_16x16x32_F8E5M2FNUZ>, <MFMA_F32_16x16x32_F8E5M2FNUZ_F8E4M3FNUZ>, <MFMA_F32_16x16x32_F8E4M3FNUZ>, <MFMA_F32_16x16x32_F8E4M3FNUZ_F8E5M2FNUZ>, <MFMA_F32_32x32x16_F8E5M2FNUZ>, <MFMA_F32_32x32x16_F8E5M2FNUZ_F8E4M3FNUZ>, <MFMA_F32_32x32x16_F8E4M3FNUZ>, <MFMA_F32_32x32x16_F8E4M3FNUZ_F8E5M2FNUZ>, <MFMA_I32_16x16x32_I8>, <MFMA_I32_32x32x16_I8>, <MFMA_F64_16x16x4_F64>, <MFMA_F32_16x16x4_F32>, <MFMA_F32_16x16x16_F16>, <MFMA_F32_32x32x8_F16>, <MFMA_F32_4x4x4x16B_F16>, <MFMA_F32_16x16x4x4B_F16>, <MFMA_F32_32x32x4x2B_F16>, <MFMA_F32_4x4x4x16B_BF16>, <MFMA_F32_16x16x4x4B_BF16>, <MFMA_F32_32x32x4x2B_BF16>, <MFMA_F32_4x4x1x16B_F32>, <MFMA_F32_16x16x1x4B_F32>, <MFMA_F32_32x32x1x2B_F32>, <MFMA_F64_4x4x4x4B_F64>, <MFMA_I32_4x4x4x16B_I8>, <MFMA_I32_16x16x4x4B_I8>, <MFMA_I32_32x32x4x2B_I8>], subgroup_size_choices = [64], max_workgroup_sizes = [1024, 1024, 1024], max_thread_count_per_workgroup = 1024, max_workgroup_memory_bytes = 65536, max_workgroup_counts = [2147483647, 2147483647, 2147483647], max_load_instruction_bits = 128, simds_per_wgp = 4, vgpr_space_bits = 16384, dma_sizes = [32], workgroup_memory_bank_count = 32>>, ukernels = "none"}>]> : !hal.device
  hal.executable private @add_dispatch_0 {
    hal.executable.variant public @rocm_hsaco_fb target(<"rocm", "rocm-hsaco-fb", {abi = "hip", iree.encoding.resolver = #iree_gpu.gpu_encoding_resolver<>, iree_codegen.default_tuning_spec = #rocm.builtin.tuning_module<"iree_default_tuning_spec_gfx942.mlir">, iree_codegen.target_info = #iree_gpu.target<arch = "gfx942", features = "", wgp = <compute = fp64|fp32|fp16|int64|int32|int16|int8, storage = b64|b32|b16|b8, subgroup = shuffle|arithmetic, dot = dp4xi8toi32, mma = [<MFMA_F32_16x16x16_BF16>, <MFMA_F32_32x32x8_BF16>, <MFMA_F32_16x16x32_F8E5M2FNUZ>, <MFMA_F32_16x16x32_F8E5M2FNUZ_F8E4M3FNUZ>, <MFMA_F32_16x16x32_F8E4M3FNUZ>, <MFMA_F32_16x16x32_F8E4M3FNUZ_F8E5M2FNUZ>, <MFMA_F32_32x32x16_F8E5M2FNUZ>, <MFMA_F32_32x32x16_F8E5M2FNUZ_F8E4M3FNUZ>, <MFMA_F32_32x32x16_F8E4M3FNUZ>, <MFMA_F32_32x32x16_F8E4M3FNUZ_F8E5M2FNUZ>, <MFMA_I32_16x16x32_I8>, <MFMA_I32_32x32x16_I8>, <MFMA_F64_16x16x4_F64>, <MFMA_F32_16x16x4_F32>, <MFMA_F32_16x16x16_F16>, <MFMA_F32_32x32x8_F16>, <MFMA_F32_4x4x4x16B_F16>, <MFMA_F32_16x16x4x4B_F16>, <MFMA_F32_32x32x4x2B_F16>, <MFMA_F32_4x4x4x16B_BF16>, <MFMA_F32_16x16x4x4B_BF16>, <MFMA_F32_32x32x4x2B_BF16>, <MFMA_F32_4x4x1x16B_F32>, <MFMA_F32_16x16x1x4B_F32>, <MFMA_F32_32x32x1x2B_F32>, <MFMA_F64_4x4x4x4B_F64>, <MFMA_I32_4x4x4x16B_I8>, <MFMA_I32_16x16x4x4B_I8>, <MFMA_I32_32x32x4x2B_I8>], subgroup_size_choices = [64], max_workgroup_sizes = [1024, 1024, 1024], max_thread_count_per_workgroup = 1024, max_workgroup_memory_bytes = 65536, max_workgroup_counts = [2147483647, 2147483647, 2147483647], max_load_instruction_bits = 128, simds_per_wgp = 4, vgpr_space_bits = 16384, dma_sizes = [32], workgroup_memory_bank_count = 32>>, ukernels = "none"}>) {
      hal.executable.export public @add_dispatch_0_elementwise_1024_f32 ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) count(%arg0: !hal.device) -> (index, index, index) {
        %c4 = arith.constant 4 : index
        %c1 = arith.constant 1 : index
        hal.return %c4, %c1, %c1 : index, index, index
      } <workgroup_size = [64 : index, 1 : index, 1 : index], subgroup_size = 64>
      builtin.module {
        llvm.func @add_dispatch_0_elementwise_1024_f32(%arg0: !llvm.ptr<1> {llvm.align = 16 : i32, llvm.inreg, llvm.noalias, llvm.nonnull, llvm.noundef, llvm.readonly}, %arg1: !llvm.ptr<1> {llvm.align = 16 : i32, llvm.inreg, llvm.noalias, llvm.nonnull, llvm.noundef, llvm.readonly}, %arg2: !llvm.ptr<1> {llvm.align = 16 : i32, llvm.inreg, llvm.noalias, llvm.nonnull, llvm.noundef}) attributes {gpu.known_block_size = array<i32: 64, 1, 1>, rocdl.flat_work_group_size = "64,64", rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
          %0 = llvm.mlir.constant(256 : i32) : i32
          %1 = llvm.mlir.constant(4 : i32) : i32
          %2 = llvm.mlir.constant(0 : i64) : i64
          %3 = rocdl.workitem.id.x range <i32, 0, 64> : i32
          %4 = llvm.sext %3 : i32 to i64
          %5 = llvm.mlir.poison : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)>
          %6 = llvm.insertvalue %arg0, %5[0] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %7 = llvm.insertvalue %arg0, %6[1] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %8 = llvm.mlir.constant(0 : i64) : i64
          %9 = llvm.insertvalue %8, %7[2] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %10 = llvm.mlir.constant(1024 : i64) : i64
          %11 = llvm.insertvalue %10, %9[3, 0] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %12 = llvm.mlir.constant(1 : i64) : i64
          %13 = llvm.insertvalue %12, %11[4, 0] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %14 = llvm.extractvalue %13[1] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %15 = llvm.mlir.constant(true) : i1
          %16 = llvm.mlir.constant(64 : i64) : i64
          llvm.intr.assume %15 ["align"(%14, %16 : !llvm.ptr<1>, i64)] : i1
          %17 = llvm.mlir.constant(4096 : i64) : i64
          %18 = llvm.extractvalue %13[1] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %19 = llvm.mlir.constant(0 : i64) : i64
          %20 = llvm.extractvalue %13[3] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %21 = llvm.extractvalue %13[4] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %22 = llvm.mlir.constant(0 : i16) : i16
          %23 = llvm.mlir.constant(159744 : i32) : i32
          %24 = llvm.trunc %17 : i64 to i32
          %25 = rocdl.make.buffer.rsrc %18, %22, %24, %23 : <1>, i32 to <7>
          %26 = llvm.mlir.poison : !llvm.struct<(ptr<7>, ptr<7>, i64, array<1 x i64>, array<1 x i64>)>
          %27 = llvm.insertvalue %25, %26[0] : !llvm.struct<(ptr<7>, ptr<7>, i64, array<1 x i64>, array<1 x i64>)> 
          %28 = llvm.insertvalue %25, %27[1] : !llvm.struct<(ptr<7>, ptr<7>, i64, array<1 x i64>, array<1 x i64>)> 
          %29 = llvm.insertvalue %19, %28[2] : !llvm.struct<(ptr<7>, ptr<7>, i64, array<1 x i64>, array<1 x i64>)> 
          %30 = llvm.insertvalue %20, %29[3] : !llvm.struct<(ptr<7>, ptr<7>, i64, array<1 x i64>, array<1 x i64>)> 
          %31 = llvm.insertvalue %21, %30[4] : !llvm.struct<(ptr<7>, ptr<7>, i64, array<1 x i64>, array<1 x i64>)> 
          %32 = llvm.mlir.poison : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)>
          %33 = llvm.insertvalue %arg1, %32[0] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %34 = llvm.insertvalue %arg1, %33[1] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %35 = llvm.mlir.constant(0 : i64) : i64
          %36 = llvm.insertvalue %35, %34[2] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %37 = llvm.mlir.constant(1024 : i64) : i64
          %38 = llvm.insertvalue %37, %36[3, 0] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %39 = llvm.mlir.constant(1 : i64) : i64
          %40 = llvm.insertvalue %39, %38[4, 0] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %41 = llvm.extractvalue %40[1] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %42 = llvm.mlir.constant(true) : i1
          %43 = llvm.mlir.constant(64 : i64) : i64
          llvm.intr.assume %42 ["align"(%41, %43 : !llvm.ptr<1>, i64)] : i1
          %44 = llvm.mlir.constant(4096 : i64) : i64
          %45 = llvm.extractvalue %40[1] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %46 = llvm.mlir.constant(0 : i64) : i64
          %47 = llvm.extractvalue %40[3] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %48 = llvm.extractvalue %40[4] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %49 = llvm.mlir.constant(0 : i16) : i16
          %50 = llvm.mlir.constant(159744 : i32) : i32
          %51 = llvm.trunc %44 : i64 to i32
          %52 = rocdl.make.buffer.rsrc %45, %49, %51, %50 : <1>, i32 to <7>
          %53 = llvm.mlir.poison : !llvm.struct<(ptr<7>, ptr<7>, i64, array<1 x i64>, array<1 x i64>)>
          %54 = llvm.insertvalue %52, %53[0] : !llvm.struct<(ptr<7>, ptr<7>, i64, array<1 x i64>, array<1 x i64>)> 
          %55 = llvm.insertvalue %52, %54[1] : !llvm.struct<(ptr<7>, ptr<7>, i64, array<1 x i64>, array<1 x i64>)> 
          %56 = llvm.insertvalue %46, %55[2] : !llvm.struct<(ptr<7>, ptr<7>, i64, array<1 x i64>, array<1 x i64>)> 
          %57 = llvm.insertvalue %47, %56[3] : !llvm.struct<(ptr<7>, ptr<7>, i64, array<1 x i64>, array<1 x i64>)> 
          %58 = llvm.insertvalue %48, %57[4] : !llvm.struct<(ptr<7>, ptr<7>, i64, array<1 x i64>, array<1 x i64>)> 
          %59 = llvm.mlir.poison : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)>
          %60 = llvm.insertvalue %arg2, %59[0] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %61 = llvm.insertvalue %arg2, %60[1] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %62 = llvm.mlir.constant(0 : i64) : i64
          %63 = llvm.insertvalue %62, %61[2] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %64 = llvm.mlir.constant(1024 : i64) : i64
          %65 = llvm.insertvalue %64, %63[3, 0] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %66 = llvm.mlir.constant(1 : i64) : i64
          %67 = llvm.insertvalue %66, %65[4, 0] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %68 = llvm.extractvalue %67[1] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %69 = llvm.mlir.constant(true) : i1
          %70 = llvm.mlir.constant(64 : i64) : i64
          llvm.intr.assume %69 ["align"(%68, %70 : !llvm.ptr<1>, i64)] : i1
          %71 = llvm.mlir.constant(4096 : i64) : i64
          %72 = llvm.extractvalue %67[1] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %73 = llvm.mlir.constant(0 : i64) : i64
          %74 = llvm.extractvalue %67[3] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %75 = llvm.extractvalue %67[4] : !llvm.struct<(ptr<1>, ptr<1>, i64, array<1 x i64>, array<1 x i64>)> 
          %76 = llvm.mlir.constant(0 : i16) : i16
          %77 = llvm.mlir.constant(159744 : i32) : i32
          %78 = llvm.trunc %71 : i64 to i32
          %79 = rocdl.make.buffer.rsrc %72, %76, %78, %77 : <1>, i32 to <7>
          %80 = llvm.mlir.poison : !llvm.struct<(ptr<7>, ptr<7>, i64, array<1 x i64>, array<1 x i64>)>
          %81 = llvm.insertvalue %79, %80[0] : !llvm.struct<(ptr<7>, ptr<7>, i64, array<1 x i64>, array<1 x i64>)> 
          %82 = llvm.insertvalue %79, %81[1] : !llvm.struct<(ptr<7>, ptr<7>, i64, array<1 x i64>, array<1 x i64>)> 
          %83 = llvm.insertvalue %73, %82[2] : !llvm.struct<(ptr<7>, ptr<7>, i64, array<1 x i64>, array<1 x i64>)> 
          %84 = llvm.insertvalue %74, %83[3] : !llvm.struct<(ptr<7>, ptr<7>, i64, array<1 x i64>, array<1 x i64>)> 
          %85 = llvm.insertvalue %75, %84[4] : !llvm.struct<(ptr<7>, ptr<7>, i64, array<1 x i64>, array<1 x i64>)> 
          %86 = rocdl.workgroup.id.x range <i32, 0, 4> : i32
          %87 = llvm.sext %86 : i32 to i64
          %88 = llvm.trunc %4 : i64 to i32
          %89 = llvm.mul %88, %1 overflow<nsw> : i32
          %90 = llvm.trunc %87 : i64 to i32
          %91 = llvm.mul %90, %0 overflow<nsw> : i32
          %92 = llvm.add %89, %91 : i32
          %93 = llvm.zext %92 : i32 to i64
          %94 = llvm.extractvalue %31[1] : !llvm.struct<(ptr<7>, ptr<7>, i64, array<1 x i64>, array<1 x i64>)> 
          %95 = llvm.getelementptr %94[%93] : (!llvm.ptr<7>, i64) -> !llvm.ptr<7>, f32
          %96 = llvm.load %95 <alignment = 4> : !llvm.ptr<7> -> vector<4xf32>
          %97 = llvm.extractvalue %58[1] : !llvm.struct<(ptr<7>, ptr<7>, i64, array<1 x i64>, array<1 x i64>)> 
          %98 = llvm.getelementptr %97[%93] : (!llvm.ptr<7>, i64) -> !llvm.ptr<7>, f32
          %99 = llvm.load %98 <alignment = 4> : !llvm.ptr<7> -> vector<4xf32>
          %100 = llvm.fadd %96, %99 : vector<4xf32>
          %101 = llvm.extractvalue %85[1] : !llvm.struct<(ptr<7>, ptr<7>, i64, array<1 x i64>, array<1 x i64>)> 
          %102 = llvm.getelementptr %101[%93] : (!llvm.ptr<7>, i64) -> !llvm.ptr<7>, f32
          llvm.store %100, %102 <alignment = 4> : vector<4xf32>, !llvm.ptr<7>
          llvm.return
        }
      }
    }
  }
  util.func public @add(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @add(%input0: tensor<1024xf32>, %input1: tensor<1024xf32>) -> (%output0: tensor<1024xf32>)"}} {
    %c0 = arith.constant 0 : index
    %c4096 = arith.constant 4096 : index
    %c1024 = arith.constant 1024 : index
    %element_type_f32 = hal.element_type<f32> : i32
    %dense_row_major = hal.encoding_type<dense_row_major> : i32
    hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("input0") shape([%c1024]) type(%element_type_f32) encoding(%dense_row_major)
    %0 = stream.tensor.import on(#hal.device.affinity<@__device_0>) %arg0 : !hal.buffer_view -> tensor<1024xf32> in !stream.resource<external>{%c4096}
    hal.buffer_view.assert<%arg1 : !hal.buffer_view> message("input1") shape([%c1024]) type(%element_type_f32) encoding(%dense_row_major)
    %1 = stream.tensor.import on(#hal.device.affinity<@__device_0>) %arg1 : !hal.buffer_view -> tensor<1024xf32> in !stream.resource<external>{%c4096}
    %result, %result_timepoint = stream.resource.alloca uninitialized on(#hal.device.affinity<@__device_0>) : !stream.resource<external>{%c4096} => !stream.timepoint
    %2 = stream.cmd.execute on(#hal.device.affinity<@__device_0>) await(%result_timepoint) => with(%0 as %arg2: !stream.resource<external>{%c4096}, %1 as %arg3: !stream.resource<external>{%c4096}, %result as %arg4: !stream.resource<external>{%c4096}) {
      stream.cmd.dispatch @add_dispatch_0::@rocm_hsaco_fb::@add_dispatch_0_elementwise_1024_f32 {
        ro %arg2[%c0 for %c4096] : !stream.resource<external>{%c4096},
        ro %arg3[%c0 for %c4096] : !stream.resource<external>{%c4096},
        wo %arg4[%c0 for %c4096] : !stream.resource<external>{%c4096}
      }
    } => !stream.timepoint
    %3 = stream.timepoint.await %2 => %result : !stream.resource<external>{%c4096}
    %4 = stream.tensor.export on(#hal.device.affinity<@__device_0>) %3 : tensor<1024xf32> in !stream.resource<external>{%c4096} -> !hal.buffer_view
    util.return %4 : !hal.buffer_view
  }
}