// iree-compile --iree-hal-target-device=hip --iree-rocm-target=gfx942 --compile-to=executable-targets --mlir-print-ir-before=iree-convert-to-rocdl tests/mlir/foreign/sources/iree_matmul.mlir -o /dev/null 2>&1 | sed 1d
module {
  func.func @matmul_dispatch_0_matmul_64x64x32_f16xf16xf32() attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    %c51_i32 = arith.constant 51 : i32
    %c50_i32 = arith.constant 50 : i32
    %c49_i32 = arith.constant 49 : i32
    %c48_i32 = arith.constant 48 : i32
    %c35_i32 = arith.constant 35 : i32
    %c34_i32 = arith.constant 34 : i32
    %c33_i32 = arith.constant 33 : i32
    %c32_i32 = arith.constant 32 : i32
    %c19_i32 = arith.constant 19 : i32
    %c18_i32 = arith.constant 18 : i32
    %c17_i32 = arith.constant 17 : i32
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    %c1_i32 = arith.constant 1 : i32
    %c16_i32 = arith.constant 16 : i32
    %c256_i32 = arith.constant 256 : i32
    %c1024_i32 = arith.constant 1024 : i32
    %c8_i32 = arith.constant 8 : i32
    %c4_i32 = arith.constant 4 : i32
    %c0_i32 = arith.constant 0 : i32
    %c64_i32 = arith.constant 64 : i32
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %alloc = memref.alloc() : memref<4x16x4x16xf32, #gpu.address_space<workgroup>>
    %alloc_0 = memref.alloc() : memref<32x68xf16, #gpu.address_space<workgroup>>
    %alloc_1 = memref.alloc() : memref<64x36xf16, #gpu.address_space<workgroup>>
    %thread_id_x = gpu.thread_id x upper_bound 256
    %0 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(0) alignment(64) offset(%c0) flags("ReadOnly|Indirect") {iree_gpu.use_rocdl_buffer_instructions} : memref<64x32xf16, #gpu.address_space<global>>
    %assume_align = memref.assume_alignment %0, 64 : memref<64x32xf16, #gpu.address_space<global>>
    %1 = amdgpu.fat_raw_buffer_cast %assume_align resetOffset : memref<64x32xf16, #gpu.address_space<global>> to memref<64x32xf16, #amdgpu.address_space<fat_raw_buffer>>
    %2 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(1) alignment(64) offset(%c0) flags("ReadOnly|Indirect") {iree_gpu.use_rocdl_buffer_instructions} : memref<32x64xf16, #gpu.address_space<global>>
    %assume_align_2 = memref.assume_alignment %2, 64 : memref<32x64xf16, #gpu.address_space<global>>
    %3 = amdgpu.fat_raw_buffer_cast %assume_align_2 resetOffset : memref<32x64xf16, #gpu.address_space<global>> to memref<32x64xf16, #amdgpu.address_space<fat_raw_buffer>>
    %4 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) binding(2) alignment(64) offset(%c0) flags(Indirect) {iree_gpu.use_rocdl_buffer_instructions} : memref<64x64xf32, #gpu.address_space<global>>
    %assume_align_3 = memref.assume_alignment %4, 64 : memref<64x64xf32, #gpu.address_space<global>>
    %5 = amdgpu.fat_raw_buffer_cast %assume_align_3 resetOffset : memref<64x64xf32, #gpu.address_space<global>> to memref<64x64xf32, #amdgpu.address_space<fat_raw_buffer>>
    %6 = arith.index_castui %thread_id_x : index to i32
    %7 = arith.divui %6, %c64_i32 : i32
    %8 = arith.index_castui %7 : i32 to index
    %9 = arith.remui %6, %c64_i32 : i32
    %10 = arith.divui %6, %c4_i32 : i32
    %11 = arith.index_castui %10 : i32 to index
    %12 = arith.remui %6, %c4_i32 : i32
    %13 = arith.divui %6, %c8_i32 : i32
    %14 = arith.index_castui %13 : i32 to index
    %15 = arith.remui %6, %c8_i32 : i32
    %16 = arith.muli %12, %c8_i32 overflow<nsw> : i32
    %17 = arith.index_castui %16 : i32 to index
    %18 = arith.muli %15, %c8_i32 overflow<nsw> : i32
    %19 = arith.index_castui %18 : i32 to index
    %20 = arith.divui %9, %c16_i32 : i32
    %21 = arith.remui %9, %c16_i32 : i32
    %22 = arith.index_castui %21 : i32 to index
    %23 = arith.muli %20, %c4_i32 overflow<nsw> : i32
    %24 = arith.index_castui %23 : i32 to index
    cf.br ^bb1(%c0_i32 : i32)
  ^bb1(%25: i32):  // 2 preds: ^bb0, ^bb2
    %26 = arith.cmpi slt, %25, %c1024_i32 : i32
    cf.cond_br %26, ^bb2, ^bb3
  ^bb2:  // pred: ^bb1
    %27 = arith.addi %6, %25 : i32
    %28 = arith.divui %27, %c16_i32 : i32
    %29 = arith.index_castui %28 : i32 to index
    %30 = arith.remui %27, %c16_i32 : i32
    %31 = arith.divui %30, %c4_i32 : i32
    %32 = arith.index_castui %31 : i32 to index
    %33 = arith.remui %27, %c4_i32 : i32
    %34 = arith.divui %28, %c16_i32 : i32
    %35 = arith.index_castui %34 : i32 to index
    %36 = arith.remui %28, %c16_i32 : i32
    %37 = arith.index_castui %36 : i32 to index
    %38 = arith.muli %33, %c4_i32 overflow<nsw> : i32
    %39 = arith.index_castui %38 : i32 to index
    %40 = arith.muli %31, %c16_i32 overflow<nsw> : i32
    %41 = arith.addi %40, %38 overflow<nsw> : i32
    %42 = arith.index_castui %41 : i32 to index
    %43 = vector.load %5[%29, %42] : memref<64x64xf32, #amdgpu.address_space<fat_raw_buffer>>, vector<4xf32>
    vector.store %43, %alloc[%35, %37, %32, %39] : memref<4x16x4x16xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    %44 = arith.addi %25, %c256_i32 : i32
    cf.br ^bb1(%44 : i32)
  ^bb3:  // pred: ^bb1
    %45 = vector.load %1[%11, %17] : memref<64x32xf16, #amdgpu.address_space<fat_raw_buffer>>, vector<8xf16>
    %46 = vector.load %3[%14, %19] : memref<32x64xf16, #amdgpu.address_space<fat_raw_buffer>>, vector<8xf16>
    vector.store %45, %alloc_1[%11, %17] : memref<64x36xf16, #gpu.address_space<workgroup>>, vector<8xf16>
    vector.store %46, %alloc_0[%14, %19] : memref<32x68xf16, #gpu.address_space<workgroup>>, vector<8xf16>
    gpu.barrier memfence [#gpu.address_space<workgroup>]
    %47 = vector.load %alloc_1[%22, %24] : memref<64x36xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    %48 = arith.addi %23, %c16_i32 overflow<nsw> : i32
    %49 = arith.index_castui %48 : i32 to index
    %50 = vector.load %alloc_1[%22, %49] : memref<64x36xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    %51 = arith.addi %21, %c16_i32 overflow<nsw> : i32
    %52 = arith.index_castui %51 : i32 to index
    %53 = vector.load %alloc_1[%52, %24] : memref<64x36xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    %54 = vector.load %alloc_1[%52, %49] : memref<64x36xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    %55 = arith.addi %21, %c32_i32 overflow<nsw> : i32
    %56 = arith.index_castui %55 : i32 to index
    %57 = vector.load %alloc_1[%56, %24] : memref<64x36xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    %58 = vector.load %alloc_1[%56, %49] : memref<64x36xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    %59 = arith.addi %21, %c48_i32 overflow<nsw> : i32
    %60 = arith.index_castui %59 : i32 to index
    %61 = vector.load %alloc_1[%60, %24] : memref<64x36xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    %62 = vector.load %alloc_1[%60, %49] : memref<64x36xf16, #gpu.address_space<workgroup>>, vector<4xf16>
    %63 = arith.muli %7, %c16_i32 overflow<nsw> : i32
    %64 = arith.addi %63, %21 overflow<nsw> : i32
    %65 = arith.index_castui %64 : i32 to index
    %66 = vector.load %alloc_0[%24, %65] : memref<32x68xf16, #gpu.address_space<workgroup>>, vector<1xf16>
    %67 = arith.addi %23, %c1_i32 overflow<nsw> : i32
    %68 = arith.index_castui %67 : i32 to index
    %69 = vector.load %alloc_0[%68, %65] : memref<32x68xf16, #gpu.address_space<workgroup>>, vector<1xf16>
    %70 = arith.addi %23, %c2_i32 overflow<nsw> : i32
    %71 = arith.index_castui %70 : i32 to index
    %72 = vector.load %alloc_0[%71, %65] : memref<32x68xf16, #gpu.address_space<workgroup>>, vector<1xf16>
    %73 = arith.addi %23, %c3_i32 overflow<nsw> : i32
    %74 = arith.index_castui %73 : i32 to index
    %75 = vector.load %alloc_0[%74, %65] : memref<32x68xf16, #gpu.address_space<workgroup>>, vector<1xf16>
    %76 = vector.load %alloc_0[%49, %65] : memref<32x68xf16, #gpu.address_space<workgroup>>, vector<1xf16>
    %77 = arith.addi %23, %c17_i32 overflow<nsw> : i32
    %78 = arith.index_castui %77 : i32 to index
    %79 = vector.load %alloc_0[%78, %65] : memref<32x68xf16, #gpu.address_space<workgroup>>, vector<1xf16>
    %80 = arith.addi %23, %c18_i32 overflow<nsw> : i32
    %81 = arith.index_castui %80 : i32 to index
    %82 = vector.load %alloc_0[%81, %65] : memref<32x68xf16, #gpu.address_space<workgroup>>, vector<1xf16>
    %83 = arith.addi %23, %c19_i32 overflow<nsw> : i32
    %84 = arith.index_castui %83 : i32 to index
    %85 = vector.load %alloc_0[%84, %65] : memref<32x68xf16, #gpu.address_space<workgroup>>, vector<1xf16>
    %86 = vector.to_elements %66 : vector<1xf16>
    %87 = vector.to_elements %69 : vector<1xf16>
    %88 = vector.to_elements %72 : vector<1xf16>
    %89 = vector.to_elements %75 : vector<1xf16>
    %90 = vector.to_elements %76 : vector<1xf16>
    %91 = vector.to_elements %79 : vector<1xf16>
    %92 = vector.to_elements %82 : vector<1xf16>
    %93 = vector.to_elements %85 : vector<1xf16>
    %94 = vector.from_elements %86, %87, %88, %89 : vector<4xf16>
    %95 = vector.from_elements %90, %91, %92, %93 : vector<4xf16>
    %96 = vector.load %5[%24, %65] : memref<64x64xf32, #amdgpu.address_space<fat_raw_buffer>>, vector<1xf32>
    %97 = vector.load %5[%68, %65] : memref<64x64xf32, #amdgpu.address_space<fat_raw_buffer>>, vector<1xf32>
    %98 = vector.load %5[%71, %65] : memref<64x64xf32, #amdgpu.address_space<fat_raw_buffer>>, vector<1xf32>
    %99 = vector.load %5[%74, %65] : memref<64x64xf32, #amdgpu.address_space<fat_raw_buffer>>, vector<1xf32>
    %100 = vector.load %5[%49, %65] : memref<64x64xf32, #amdgpu.address_space<fat_raw_buffer>>, vector<1xf32>
    %101 = vector.load %5[%78, %65] : memref<64x64xf32, #amdgpu.address_space<fat_raw_buffer>>, vector<1xf32>
    %102 = vector.load %5[%81, %65] : memref<64x64xf32, #amdgpu.address_space<fat_raw_buffer>>, vector<1xf32>
    %103 = arith.addi %23, %c32_i32 overflow<nsw> : i32
    %104 = arith.index_castui %103 : i32 to index
    %105 = vector.load %5[%84, %65] : memref<64x64xf32, #amdgpu.address_space<fat_raw_buffer>>, vector<1xf32>
    %106 = arith.addi %23, %c33_i32 overflow<nsw> : i32
    %107 = arith.index_castui %106 : i32 to index
    %108 = vector.load %5[%104, %65] : memref<64x64xf32, #amdgpu.address_space<fat_raw_buffer>>, vector<1xf32>
    %109 = arith.addi %23, %c34_i32 overflow<nsw> : i32
    %110 = arith.index_castui %109 : i32 to index
    %111 = vector.load %5[%107, %65] : memref<64x64xf32, #amdgpu.address_space<fat_raw_buffer>>, vector<1xf32>
    %112 = arith.addi %23, %c35_i32 overflow<nsw> : i32
    %113 = arith.index_castui %112 : i32 to index
    %114 = vector.load %5[%110, %65] : memref<64x64xf32, #amdgpu.address_space<fat_raw_buffer>>, vector<1xf32>
    %115 = arith.addi %23, %c48_i32 overflow<nsw> : i32
    %116 = arith.index_castui %115 : i32 to index
    %117 = vector.load %5[%113, %65] : memref<64x64xf32, #amdgpu.address_space<fat_raw_buffer>>, vector<1xf32>
    %118 = arith.addi %23, %c49_i32 overflow<nsw> : i32
    %119 = arith.index_castui %118 : i32 to index
    %120 = vector.load %5[%116, %65] : memref<64x64xf32, #amdgpu.address_space<fat_raw_buffer>>, vector<1xf32>
    %121 = arith.addi %23, %c50_i32 overflow<nsw> : i32
    %122 = arith.index_castui %121 : i32 to index
    %123 = vector.load %5[%119, %65] : memref<64x64xf32, #amdgpu.address_space<fat_raw_buffer>>, vector<1xf32>
    %124 = arith.addi %23, %c51_i32 overflow<nsw> : i32
    %125 = arith.index_castui %124 : i32 to index
    %126 = vector.load %5[%122, %65] : memref<64x64xf32, #amdgpu.address_space<fat_raw_buffer>>, vector<1xf32>
    %127 = vector.load %5[%125, %65] : memref<64x64xf32, #amdgpu.address_space<fat_raw_buffer>>, vector<1xf32>
    %128 = vector.extract %96[0] : f32 from vector<1xf32>
    %129 = vector.extract %97[0] : f32 from vector<1xf32>
    %130 = vector.extract %98[0] : f32 from vector<1xf32>
    %131 = vector.extract %99[0] : f32 from vector<1xf32>
    %132 = vector.from_elements %128, %129, %130, %131 : vector<4xf32>
    %133 = amdgpu.mfma 16x16x16 %47 * %94 + %132 : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %134 = vector.extract %100[0] : f32 from vector<1xf32>
    %135 = vector.extract %101[0] : f32 from vector<1xf32>
    %136 = vector.extract %102[0] : f32 from vector<1xf32>
    %137 = vector.extract %105[0] : f32 from vector<1xf32>
    %138 = vector.from_elements %134, %135, %136, %137 : vector<4xf32>
    %139 = amdgpu.mfma 16x16x16 %53 * %94 + %138 : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %140 = vector.extract %108[0] : f32 from vector<1xf32>
    %141 = vector.extract %111[0] : f32 from vector<1xf32>
    %142 = vector.extract %114[0] : f32 from vector<1xf32>
    %143 = vector.extract %117[0] : f32 from vector<1xf32>
    %144 = vector.from_elements %140, %141, %142, %143 : vector<4xf32>
    %145 = amdgpu.mfma 16x16x16 %57 * %94 + %144 : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %146 = vector.extract %120[0] : f32 from vector<1xf32>
    %147 = vector.extract %123[0] : f32 from vector<1xf32>
    %148 = vector.extract %126[0] : f32 from vector<1xf32>
    %149 = vector.extract %127[0] : f32 from vector<1xf32>
    %150 = vector.from_elements %146, %147, %148, %149 : vector<4xf32>
    %151 = amdgpu.mfma 16x16x16 %61 * %94 + %150 : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %152 = amdgpu.mfma 16x16x16 %50 * %95 + %133 : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %153 = amdgpu.mfma 16x16x16 %54 * %95 + %139 : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %154 = amdgpu.mfma 16x16x16 %58 * %95 + %145 : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %155 = amdgpu.mfma 16x16x16 %62 * %95 + %151 : vector<4xf16>, vector<4xf16>, vector<4xf32>
    %156 = vector.extract %152[0] : f32 from vector<4xf32>
    %157 = vector.broadcast %156 : f32 to vector<1xf32>
    %158 = vector.extract %152[1] : f32 from vector<4xf32>
    %159 = vector.broadcast %158 : f32 to vector<1xf32>
    %160 = vector.extract %152[2] : f32 from vector<4xf32>
    %161 = vector.broadcast %160 : f32 to vector<1xf32>
    %162 = vector.extract %152[3] : f32 from vector<4xf32>
    %163 = vector.broadcast %162 : f32 to vector<1xf32>
    %164 = vector.extract %153[0] : f32 from vector<4xf32>
    %165 = vector.broadcast %164 : f32 to vector<1xf32>
    %166 = vector.extract %153[1] : f32 from vector<4xf32>
    %167 = vector.broadcast %166 : f32 to vector<1xf32>
    %168 = vector.extract %153[2] : f32 from vector<4xf32>
    %169 = vector.broadcast %168 : f32 to vector<1xf32>
    %170 = vector.extract %153[3] : f32 from vector<4xf32>
    %171 = vector.broadcast %170 : f32 to vector<1xf32>
    %172 = vector.extract %154[0] : f32 from vector<4xf32>
    %173 = vector.broadcast %172 : f32 to vector<1xf32>
    %174 = vector.extract %154[1] : f32 from vector<4xf32>
    %175 = vector.broadcast %174 : f32 to vector<1xf32>
    %176 = vector.extract %154[2] : f32 from vector<4xf32>
    %177 = vector.broadcast %176 : f32 to vector<1xf32>
    %178 = vector.extract %154[3] : f32 from vector<4xf32>
    %179 = vector.broadcast %178 : f32 to vector<1xf32>
    %180 = vector.extract %155[0] : f32 from vector<4xf32>
    %181 = vector.broadcast %180 : f32 to vector<1xf32>
    %182 = vector.extract %155[1] : f32 from vector<4xf32>
    %183 = vector.broadcast %182 : f32 to vector<1xf32>
    %184 = vector.extract %155[2] : f32 from vector<4xf32>
    %185 = vector.broadcast %184 : f32 to vector<1xf32>
    %186 = vector.extract %155[3] : f32 from vector<4xf32>
    %187 = vector.broadcast %186 : f32 to vector<1xf32>
    vector.store %157, %alloc[%c0, %24, %8, %22] : memref<4x16x4x16xf32, #gpu.address_space<workgroup>>, vector<1xf32>
    vector.store %159, %alloc[%c0, %68, %8, %22] : memref<4x16x4x16xf32, #gpu.address_space<workgroup>>, vector<1xf32>
    vector.store %161, %alloc[%c0, %71, %8, %22] : memref<4x16x4x16xf32, #gpu.address_space<workgroup>>, vector<1xf32>
    vector.store %163, %alloc[%c0, %74, %8, %22] : memref<4x16x4x16xf32, #gpu.address_space<workgroup>>, vector<1xf32>
    vector.store %165, %alloc[%c1, %24, %8, %22] : memref<4x16x4x16xf32, #gpu.address_space<workgroup>>, vector<1xf32>
    vector.store %167, %alloc[%c1, %68, %8, %22] : memref<4x16x4x16xf32, #gpu.address_space<workgroup>>, vector<1xf32>
    vector.store %169, %alloc[%c1, %71, %8, %22] : memref<4x16x4x16xf32, #gpu.address_space<workgroup>>, vector<1xf32>
    vector.store %171, %alloc[%c1, %74, %8, %22] : memref<4x16x4x16xf32, #gpu.address_space<workgroup>>, vector<1xf32>
    vector.store %173, %alloc[%c2, %24, %8, %22] : memref<4x16x4x16xf32, #gpu.address_space<workgroup>>, vector<1xf32>
    vector.store %175, %alloc[%c2, %68, %8, %22] : memref<4x16x4x16xf32, #gpu.address_space<workgroup>>, vector<1xf32>
    vector.store %177, %alloc[%c2, %71, %8, %22] : memref<4x16x4x16xf32, #gpu.address_space<workgroup>>, vector<1xf32>
    vector.store %179, %alloc[%c2, %74, %8, %22] : memref<4x16x4x16xf32, #gpu.address_space<workgroup>>, vector<1xf32>
    vector.store %181, %alloc[%c3, %24, %8, %22] : memref<4x16x4x16xf32, #gpu.address_space<workgroup>>, vector<1xf32>
    vector.store %183, %alloc[%c3, %68, %8, %22] : memref<4x16x4x16xf32, #gpu.address_space<workgroup>>, vector<1xf32>
    vector.store %185, %alloc[%c3, %71, %8, %22] : memref<4x16x4x16xf32, #gpu.address_space<workgroup>>, vector<1xf32>
    vector.store %187, %alloc[%c3, %74, %8, %22] : memref<4x16x4x16xf32, #gpu.address_space<workgroup>>, vector<1xf32>
    gpu.barrier memfence [#gpu.address_space<workgroup>]
    cf.br ^bb4(%c0_i32 : i32)
  ^bb4(%188: i32):  // 2 preds: ^bb3, ^bb5
    %189 = arith.cmpi slt, %188, %c1024_i32 : i32
    cf.cond_br %189, ^bb5, ^bb6
  ^bb5:  // pred: ^bb4
    %190 = arith.addi %6, %188 : i32
    %191 = arith.divui %190, %c16_i32 : i32
    %192 = arith.index_castui %191 : i32 to index
    %193 = arith.remui %190, %c16_i32 : i32
    %194 = arith.muli %193, %c4_i32 overflow<nsw> : i32
    %195 = arith.index_castui %194 : i32 to index
    %196 = arith.divui %191, %c16_i32 : i32
    %197 = arith.index_castui %196 : i32 to index
    %198 = arith.remui %191, %c16_i32 : i32
    %199 = arith.index_castui %198 : i32 to index
    %200 = arith.divui %194, %c16_i32 : i32
    %201 = arith.index_castui %200 : i32 to index
    %202 = arith.remui %194, %c16_i32 : i32
    %203 = arith.index_castui %202 : i32 to index
    %204 = vector.load %alloc[%197, %199, %201, %203] : memref<4x16x4x16xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    vector.store %204, %5[%192, %195] : memref<64x64xf32, #amdgpu.address_space<fat_raw_buffer>>, vector<4xf32>
    %205 = arith.addi %188, %c256_i32 : i32
    cf.br ^bb4(%205 : i32)
  ^bb6:  // pred: ^bb4
    gpu.barrier memfence [#gpu.address_space<workgroup>]
    memref.dealloc %alloc_1 : memref<64x36xf16, #gpu.address_space<workgroup>>
    memref.dealloc %alloc_0 : memref<32x68xf16, #gpu.address_space<workgroup>>
    memref.dealloc %alloc : memref<4x16x4x16xf32, #gpu.address_space<workgroup>>
    return
  }
  iree_codegen.dispatch_config @matmul_dispatch_0_matmul_64x64x32_f16xf16xf32 workgroup_size = [256, 1, 1] subgroup_size = 64 {
  ^bb0(%arg0: !hal.device):
    %c1 = arith.constant 1 : index
    iree_codegen.yield %c1, %c1, %c1 : index, index, index
  }
}

