// iree-compile --iree-hal-target-device=hip --iree-rocm-target=gfx942 --compile-to=executable-targets --mlir-print-ir-before=iree-convert-to-rocdl tests/mlir/foreign/sources/iree_add.mlir -o /dev/null 2>&1 | sed 1d
module {
  func.func @add_dispatch_0_elementwise_1024_f32() attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c256_i32 = arith.constant 256 : i32
    %c4_i32 = arith.constant 4 : i32
    %c0 = arith.constant 0 : index
    %thread_id_x = gpu.thread_id x upper_bound 64
    %0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(0) alignment(64) offset(%c0) flags("ReadOnly|Indirect") {iree_gpu.use_rocdl_buffer_instructions} : memref<1024xf32, #gpu.address_space<global>>
    %assume_align = memref.assume_alignment %0, 64 : memref<1024xf32, #gpu.address_space<global>>
    %1 = amdgpu.fat_raw_buffer_cast %assume_align resetOffset : memref<1024xf32, #gpu.address_space<global>> to memref<1024xf32, #amdgpu.address_space<fat_raw_buffer>>
    %2 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(1) alignment(64) offset(%c0) flags("ReadOnly|Indirect") {iree_gpu.use_rocdl_buffer_instructions} : memref<1024xf32, #gpu.address_space<global>>
    %assume_align_0 = memref.assume_alignment %2, 64 : memref<1024xf32, #gpu.address_space<global>>
    %3 = amdgpu.fat_raw_buffer_cast %assume_align_0 resetOffset : memref<1024xf32, #gpu.address_space<global>> to memref<1024xf32, #amdgpu.address_space<fat_raw_buffer>>
    %4 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(2) alignment(64) offset(%c0) flags(Indirect) {iree_gpu.use_rocdl_buffer_instructions} : memref<1024xf32, #gpu.address_space<global>>
    %assume_align_1 = memref.assume_alignment %4, 64 : memref<1024xf32, #gpu.address_space<global>>
    %5 = amdgpu.fat_raw_buffer_cast %assume_align_1 resetOffset : memref<1024xf32, #gpu.address_space<global>> to memref<1024xf32, #amdgpu.address_space<fat_raw_buffer>>
    %workgroup_id_x = hal.interface.workgroup.id[0] upper_bound 4 : index
    %6 = arith.index_castui %thread_id_x : index to i32
    %7 = arith.muli %6, %c4_i32 overflow<nsw> : i32
    %8 = arith.index_castui %workgroup_id_x : index to i32
    %9 = arith.muli %8, %c256_i32 overflow<nsw> : i32
    %10 = arith.addi %7, %9 : i32
    %11 = arith.index_castui %10 : i32 to index
    %12 = vector.load %1[%11] : memref<1024xf32, #amdgpu.address_space<fat_raw_buffer>>, vector<4xf32>
    %13 = vector.load %3[%11] : memref<1024xf32, #amdgpu.address_space<fat_raw_buffer>>, vector<4xf32>
    %14 = arith.addf %12, %13 : vector<4xf32>
    vector.store %14, %5[%11] : memref<1024xf32, #amdgpu.address_space<fat_raw_buffer>>, vector<4xf32>
    return
  }
  iree_codegen.dispatch_config @add_dispatch_0_elementwise_1024_f32 workgroup_size = [64, 1, 1] subgroup_size = 64 {
  ^bb0(%arg0: !hal.device):
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    iree_codegen.yield %c4, %c1, %c1 : index, index, index
  }
}

