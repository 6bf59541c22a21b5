// iree-compile --iree-hal-target-device=hip --iree-rocm-target=gfx942 --compile-to=executable-targets --mlir-print-ir-before=iree-convert-to-rocdl tests/mlir/foreign/sources/iree_reduce.mlir -o /dev/null 2>&1 | sed 1d
module {
  func.func @reduce_dispatch_0_reduction_128x512_f32() attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %c4_i32 = arith.constant 4 : i32
    %c256_i32 = arith.constant 256 : i32
    %c2_i32 = arith.constant 2 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %cst = arith.constant 0.000000e+00 : f32
    %c63_i32 = arith.constant 63 : i32
    %c0 = arith.constant 0 : index
    %thread_id_x = gpu.thread_id x upper_bound 128
    %0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(0) alignment(64) offset(%c0) flags("ReadOnly|Indirect") {iree_gpu.use_rocdl_buffer_instructions} : memref<128x512xf32, #gpu.address_space<global>>
    %assume_align = memref.assume_alignment %0, 64 : memref<128x512xf32, #gpu.address_space<global>>
    %1 = amdgpu.fat_raw_buffer_cast %assume_align resetOffset : memref<128x512xf32, #gpu.address_space<global>> to memref<128x512xf32, #amdgpu.address_space<fat_raw_buffer>>
    %2 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(1) alignment(64) offset(%c0) flags(Indirect) {iree_gpu.use_rocdl_buffer_instructions} : memref<128xf32, #gpu.address_space<global>>
    %assume_align_0 = memref.assume_alignment %2, 64 : memref<128xf32, #gpu.address_space<global>>
    %3 = amdgpu.fat_raw_buffer_cast %assume_align_0 resetOffset : memref<128xf32, #gpu.address_space<global>> to memref<128xf32, #amdgpu.address_space<fat_raw_buffer>>
    %workgroup_id_x = hal.interface.workgroup.id[0] upper_bound 128 : index
    %4 = arith.index_castui %thread_id_x : index to i32
    %5 = arith.divui %4, %c64_i32 : i32
    %6 = arith.remui %4, %c64_i32 : i32
    %7 = arith.muli %5, %c256_i32 overflow<nsw> : i32
    %8 = arith.muli %6, %c4_i32 overflow<nsw> : i32
    %9 = arith.addi %7, %8 overflow<nsw> : i32
    %10 = arith.index_castui %9 : i32 to index
    %11 = vector.load %3[%workgroup_id_x] : memref<128xf32, #amdgpu.address_space<fat_raw_buffer>>, vector<1xf32>
    %12 = vector.load %1[%workgroup_id_x, %10] : memref<128x512xf32, #amdgpu.address_space<fat_raw_buffer>>, vector<4xf32>
    %13 = arith.index_castui %5 : i32 to index
    %14 = vector.reduction <add>, %12, %cst : vector<4xf32> into f32
    %15 = arith.addf %14, %cst : f32
    %16 = arith.addf %15, %cst : f32
    %17 = amdgpu.dpp %16 %16 quad_perm([1 : i32, 0 : i32, 3 : i32, 2 : i32]) bound_ctrl(true) : f32
    %18 = arith.addf %16, %17 : f32
    %19 = amdgpu.dpp %18 %18 quad_perm([2 : i32, 3 : i32, 0 : i32, 1 : i32]) bound_ctrl(true) : f32
    %20 = arith.addf %18, %19 : f32
    %21 = amdgpu.dpp %20 %20 row_half_mirror(unit) bound_ctrl(true) : f32
    %22 = arith.addf %20, %21 : f32
    %23 = amdgpu.dpp %22 %22 row_mirror(unit) bound_ctrl(true) : f32
    %24 = arith.addf %22, %23 : f32
    %25 = amdgpu.dpp %24 %24 row_bcast_15(unit) row_mask(10) : f32
    %26 = arith.addf %24, %25 : f32
    %27 = amdgpu.dpp %26 %26 row_bcast_31(unit) bound_ctrl(true) : f32
    %28 = arith.addf %27, %26 : f32
    %29 = rocdl.readlane %28, %c63_i32 : (f32, i32) -> f32
    %alloc = memref.alloc() : memref<1x4xf32, #gpu.address_space<workgroup>>
    gpu.barrier memfence [#gpu.address_space<workgroup>]
    %30 = arith.cmpi eq, %6, %c0_i32 : i32
    cf.cond_br %30, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %31 = vector.broadcast %29 : f32 to vector<1xf32>
    vector.store %31, %alloc[%c0, %13] : memref<1x4xf32, #gpu.address_space<workgroup>>, vector<1xf32>
    cf.br ^bb2
  ^bb2:  // 2 preds: ^bb0, ^bb1
    gpu.barrier memfence [#gpu.address_space<workgroup>]
    %32 = arith.remui %4, %c2_i32 : i32
    %33 = arith.index_castui %32 : i32 to index
    %34 = vector.load %alloc[%c0, %33] : memref<1x4xf32, #gpu.address_space<workgroup>>, vector<1xf32>
    %35 = vector.extract %34[0] : f32 from vector<1xf32>
    %36 = arith.addf %35, %cst : f32
    %37 = amdgpu.dpp %36 %36 quad_perm([1 : i32, 0 : i32, 3 : i32, 2 : i32]) bound_ctrl(true) : f32
    %38 = arith.addf %36, %37 : f32
    %39 = vector.broadcast %38 : f32 to vector<1xf32>
    %40 = arith.addf %39, %11 : vector<1xf32>
    %41 = arith.cmpi eq, %4, %c0_i32 : i32
    cf.cond_br %41, ^bb3, ^bb4
  ^bb3:  // pred: ^bb2
    vector.store %40, %3[%workgroup_id_x] : memref<128xf32, #amdgpu.address_space<fat_raw_buffer>>, vector<1xf32>
    cf.br ^bb4
  ^bb4:  // 2 preds: ^bb2, ^bb3
    return
  }
  iree_codegen.dispatch_config @reduce_dispatch_0_reduction_128x512_f32 workgroup_size = [128, 1, 1] subgroup_size = 64 {
  ^bb0(%arg0: !hal.device):
    %c128 = arith.constant 128 : index
    %c1 = arith.constant 1 : index
    iree_codegen.yield %c128, %c1, %c1 : index, index, index
  }
}

