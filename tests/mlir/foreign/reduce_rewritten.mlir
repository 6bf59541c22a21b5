// mlir-opt-22 --test-gpu-rewrite tests/mlir/kernels/reduce.mlir
module {
  gpu.module @m {
    gpu.func @reduces(%arg0: memref<?xi32>, %arg1: memref<?x4xi32>, %arg2: memref<?xf32>, %arg3: memref<?xf32>) workgroup(%arg4 : memref<32xi32, #gpu.address_space<workgroup>>, %arg5 : memref<32xi32, #gpu.address_space<workgroup>>, %arg6 : memref<32xi32, #gpu.address_space<workgroup>>, %arg7 : memref<32xf32, #gpu.address_space<workgroup>>) kernel {
      %c16_i32 = arith.constant 16 : i32
      %c8_i32 = arith.constant 8 : i32
      %c4_i32 = arith.constant 4 : i32
      %c2_i32 = arith.constant 2 : i32
      %c1_i32 = arith.constant 1 : i32
      %c32_i32 = arith.constant 32 : i32
      %c0_i32 = arith.constant 0 : i32
      %c31_i32 = arith.constant 31 : i32
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %block_id_x = gpu.block_id  x
      %block_dim_x = gpu.block_dim  x
      %0 = arith.muli %block_id_x, %block_dim_x : index
      %thread_id_x = gpu.thread_id  x
      %1 = arith.addi %thread_id_x, %0 : index
      %2 = memref.load %arg0[%1] : memref<?xi32>
      %3 = memref.load %arg2[%1] : memref<?xf32>
      %block_dim_x_0 = gpu.block_dim  x
      %4 = arith.index_cast %block_dim_x_0 : index to i32
      %block_dim_y = gpu.block_dim  y
      %5 = arith.index_cast %block_dim_y : index to i32
      %block_dim_z = gpu.block_dim  z
      %6 = arith.index_cast %block_dim_z : index to i32
      %thread_id_x_1 = gpu.thread_id  x
      %7 = arith.index_cast %thread_id_x_1 : index to i32
      %thread_id_y = gpu.thread_id  y
      %8 = arith.index_cast %thread_id_y : index to i32
      %thread_id_z = gpu.thread_id  z
      %9 = arith.index_cast %thread_id_z : index to i32
      %10 = arith.muli %9, %5 : i32
      %11 = arith.addi %10, %8 : i32
      %12 = arith.muli %11, %4 : i32
      %13 = arith.muli %4, %5 : i32
      %14 = arith.addi %12, %7 : i32
      %15 = arith.muli %13, %6 : i32
      %16 = arith.andi %14, %c31_i32 : i32
      %17 = arith.cmpi eq, %16, %c0_i32 : i32
      %18 = arith.subi %14, %16 : i32
      %19 = arith.subi %15, %18 : i32
      %20 = arith.cmpi slt, %19, %c32_i32 : i32
      cf.cond_br %20, ^bb1, ^bb17
    ^bb1:  // pred: ^bb0
      %shuffleResult, %valid = gpu.shuffle  xor %2, %c1_i32, %19 : i32
      cf.cond_br %valid, ^bb2, ^bb3
    ^bb2:  // pred: ^bb1
      %21 = arith.addi %2, %shuffleResult : i32
      cf.br ^bb4(%21 : i32)
    ^bb3:  // pred: ^bb1
      cf.br ^bb4(%2 : i32)
    ^bb4(%22: i32):  // 2 preds: ^bb2, ^bb3
      %shuffleResult_2, %valid_3 = gpu.shuffle  xor %22, %c2_i32, %19 : i32
      cf.cond_br %valid_3, ^bb5, ^bb6
    ^bb5:  // pred: ^bb4
      %23 = arith.addi %22, %shuffleResult_2 : i32
      cf.br ^bb7(%23 : i32)
    ^bb6:  // pred: ^bb4
      cf.br ^bb7(%22 : i32)
    ^bb7(%24: i32):  // 2 preds: ^bb5, ^bb6
      %shuffleResult_4, %valid_5 = gpu.shuffle  xor %24, %c4_i32, %19 : i32
      cf.cond_br %valid_5, ^bb8, ^bb9
    ^bb8:  // pred: ^bb7
      %25 = arith.addi %24, %shuffleResult_4 : i32
      cf.br ^bb10(%25 : i32)
    ^bb9:  // pred: ^bb7
      cf.br ^bb10(%24 : i32)
    ^bb10(%26: i32):  // 2 preds: ^bb8, ^bb9
      %shuffleResult_6, %valid_7 = gpu.shuffle  xor %26, %c8_i32, %19 : i32
      cf.cond_br %valid_7, ^bb11, ^bb12
    ^bb11:  // pred: ^bb10
      %27 = arith.addi %26, %shuffleResult_6 : i32
      cf.br ^bb13(%27 : i32)
    ^bb12:  // pred: ^bb10
      cf.br ^bb13(%26 : i32)
    ^bb13(%28: i32):  // 2 preds: ^bb11, ^bb12
      %shuffleResult_8, %valid_9 = gpu.shuffle  xor %28, %c16_i32, %19 : i32
      cf.cond_br %valid_9, ^bb14, ^bb15
    ^bb14:  // pred: ^bb13
      %29 = arith.addi %28, %shuffleResult_8 : i32
      cf.br ^bb16(%29 : i32)
    ^bb15:  // pred: ^bb13
      cf.br ^bb16(%28 : i32)
    ^bb16(%30: i32):  // 2 preds: ^bb14, ^bb15
      cf.br ^bb18(%30 : i32)
    ^bb17:  // pred: ^bb0
      %shuffleResult_10, %valid_11 = gpu.shuffle  xor %2, %c1_i32, %c32_i32 : i32
      %31 = arith.addi %2, %shuffleResult_10 : i32
      %shuffleResult_12, %valid_13 = gpu.shuffle  xor %31, %c2_i32, %c32_i32 : i32
      %32 = arith.addi %31, %shuffleResult_12 : i32
      %shuffleResult_14, %valid_15 = gpu.shuffle  xor %32, %c4_i32, %c32_i32 : i32
      %33 = arith.addi %32, %shuffleResult_14 : i32
      %shuffleResult_16, %valid_17 = gpu.shuffle  xor %33, %c8_i32, %c32_i32 : i32
      %34 = arith.addi %33, %shuffleResult_16 : i32
      %shuffleResult_18, %valid_19 = gpu.shuffle  xor %34, %c16_i32, %c32_i32 : i32
      %35 = arith.addi %34, %shuffleResult_18 : i32
      cf.br ^bb18(%35 : i32)
    ^bb18(%36: i32):  // 2 preds: ^bb16, ^bb17
      cf.cond_br %17, ^bb19, ^bb20
    ^bb19:  // pred: ^bb18
      %37 = arith.divsi %14, %c32_i32 : i32
      %38 = arith.index_cast %37 : i32 to index
      memref.store %36, %arg4[%38] : memref<32xi32, #gpu.address_space<workgroup>>
      cf.br ^bb21
    ^bb20:  // pred: ^bb18
      cf.br ^bb21
    ^bb21:  // 2 preds: ^bb19, ^bb20
      gpu.barrier
      %39 = arith.addi %15, %c31_i32 : i32
      %40 = arith.divsi %39, %c32_i32 : i32
      %41 = arith.cmpi slt, %14, %40 : i32
      cf.cond_br %41, ^bb22, ^bb41
    ^bb22:  // pred: ^bb21
      %42 = arith.index_cast %14 : i32 to index
      %43 = memref.load %arg4[%42] : memref<32xi32, #gpu.address_space<workgroup>>
      %44 = arith.cmpi slt, %40, %c32_i32 : i32
      cf.cond_br %44, ^bb23, ^bb39
    ^bb23:  // pred: ^bb22
      %shuffleResult_20, %valid_21 = gpu.shuffle  xor %43, %c1_i32, %40 : i32
      cf.cond_br %valid_21, ^bb24, ^bb25
    ^bb24:  // pred: ^bb23
      %45 = arith.addi %43, %shuffleResult_20 : i32
      cf.br ^bb26(%45 : i32)
    ^bb25:  // pred: ^bb23
      cf.br ^bb26(%43 : i32)
    ^bb26(%46: i32):  // 2 preds: ^bb24, ^bb25
      %shuffleResult_22, %valid_23 = gpu.shuffle  xor %46, %c2_i32, %40 : i32
      cf.cond_br %valid_23, ^bb27, ^bb28
    ^bb27:  // pred: ^bb26
      %47 = arith.addi %46, %shuffleResult_22 : i32
      cf.br ^bb29(%47 : i32)
    ^bb28:  // pred: ^bb26
      cf.br ^bb29(%46 : i32)
    ^bb29(%48: i32):  // 2 preds: ^bb27, ^bb28
      %shuffleResult_24, %valid_25 = gpu.shuffle  xor %48, %c4_i32, %40 : i32
      cf.cond_br %valid_25, ^bb30, ^bb31
    ^bb30:  // pred: ^bb29
      %49 = arith.addi %48, %shuffleResult_24 : i32
      cf.br ^bb32(%49 : i32)
    ^bb31:  // pred: ^bb29
      cf.br ^bb32(%48 : i32)
    ^bb32(%50: i32):  // 2 preds: ^bb30, ^bb31
      %shuffleResult_26, %valid_27 = gpu.shuffle  xor %50, %c8_i32, %40 : i32
      cf.cond_br %valid_27, ^bb33, ^bb34
    ^bb33:  // pred: ^bb32
      %51 = arith.addi %50, %shuffleResult_26 : i32
      cf.br ^bb35(%51 : i32)
    ^bb34:  // pred: ^bb32
      cf.br ^bb35(%50 : i32)
    ^bb35(%52: i32):  // 2 preds: ^bb33, ^bb34
      %shuffleResult_28, %valid_29 = gpu.shuffle  xor %52, %c16_i32, %40 : i32
      cf.cond_br %valid_29, ^bb36, ^bb37
    ^bb36:  // pred: ^bb35
      %53 = arith.addi %52, %shuffleResult_28 : i32
      cf.br ^bb38(%53 : i32)
    ^bb37:  // pred: ^bb35
      cf.br ^bb38(%52 : i32)
    ^bb38(%54: i32):  // 2 preds: ^bb36, ^bb37
      cf.br ^bb40(%54 : i32)
    ^bb39:  // pred: ^bb22
      %shuffleResult_30, %valid_31 = gpu.shuffle  xor %43, %c1_i32, %c32_i32 : i32
      %55 = arith.addi %43, %shuffleResult_30 : i32
      %shuffleResult_32, %valid_33 = gpu.shuffle  xor %55, %c2_i32, %c32_i32 : i32
      %56 = arith.addi %55, %shuffleResult_32 : i32
      %shuffleResult_34, %valid_35 = gpu.shuffle  xor %56, %c4_i32, %c32_i32 : i32
      %57 = arith.addi %56, %shuffleResult_34 : i32
      %shuffleResult_36, %valid_37 = gpu.shuffle  xor %57, %c8_i32, %c32_i32 : i32
      %58 = arith.addi %57, %shuffleResult_36 : i32
      %shuffleResult_38, %valid_39 = gpu.shuffle  xor %58, %c16_i32, %c32_i32 : i32
      %59 = arith.addi %58, %shuffleResult_38 : i32
      cf.br ^bb40(%59 : i32)
    ^bb40(%60: i32):  // 2 preds: ^bb38, ^bb39
      memref.store %60, %arg4[%c0] : memref<32xi32, #gpu.address_space<workgroup>>
      cf.br ^bb42
    ^bb41:  // pred: ^bb21
      cf.br ^bb42
    ^bb42:  // 2 preds: ^bb40, ^bb41
      gpu.barrier
      %61 = memref.load %arg4[%c0] : memref<32xi32, #gpu.address_space<workgroup>>
      %block_dim_x_40 = gpu.block_dim  x
      %62 = arith.index_cast %block_dim_x_40 : index to i32
      %block_dim_y_41 = gpu.block_dim  y
      %63 = arith.index_cast %block_dim_y_41 : index to i32
      %block_dim_z_42 = gpu.block_dim  z
      %64 = arith.index_cast %block_dim_z_42 : index to i32
      %thread_id_x_43 = gpu.thread_id  x
      %65 = arith.index_cast %thread_id_x_43 : index to i32
      %thread_id_y_44 = gpu.thread_id  y
      %66 = arith.index_cast %thread_id_y_44 : index to i32
      %thread_id_z_45 = gpu.thread_id  z
      %67 = arith.index_cast %thread_id_z_45 : index to i32
      %68 = arith.muli %67, %63 : i32
      %69 = arith.addi %68, %66 : i32
      %70 = arith.muli %69, %62 : i32
      %71 = arith.muli %62, %63 : i32
      %72 = arith.addi %70, %65 : i32
      %73 = arith.muli %71, %64 : i32
      %74 = arith.andi %72, %c31_i32 : i32
      %75 = arith.cmpi eq, %74, %c0_i32 : i32
      %76 = arith.subi %72, %74 : i32
      %77 = arith.subi %73, %76 : i32
      %78 = arith.cmpi slt, %77, %c32_i32 : i32
      cf.cond_br %78, ^bb43, ^bb59
    ^bb43:  // pred: ^bb42
      %shuffleResult_46, %valid_47 = gpu.shuffle  xor %2, %c1_i32, %77 : i32
      cf.cond_br %valid_47, ^bb44, ^bb45
    ^bb44:  // pred: ^bb43
      %79 = arith.maxsi %2, %shuffleResult_46 : i32
      cf.br ^bb46(%79 : i32)
    ^bb45:  // pred: ^bb43
      cf.br ^bb46(%2 : i32)
    ^bb46(%80: i32):  // 2 preds: ^bb44, ^bb45
      %shuffleResult_48, %valid_49 = gpu.shuffle  xor %80, %c2_i32, %77 : i32
      cf.cond_br %valid_49, ^bb47, ^bb48
    ^bb47:  // pred: ^bb46
      %81 = arith.maxsi %80, %shuffleResult_48 : i32
      cf.br ^bb49(%81 : i32)
    ^bb48:  // pred: ^bb46
      cf.br ^bb49(%80 : i32)
    ^bb49(%82: i32):  // 2 preds: ^bb47, ^bb48
      %shuffleResult_50, %valid_51 = gpu.shuffle  xor %82, %c4_i32, %77 : i32
      cf.cond_br %valid_51, ^bb50, ^bb51
    ^bb50:  // pred: ^bb49
      %83 = arith.maxsi %82, %shuffleResult_50 : i32
      cf.br ^bb52(%83 : i32)
    ^bb51:  // pred: ^bb49
      cf.br ^bb52(%82 : i32)
    ^bb52(%84: i32):  // 2 preds: ^bb50, ^bb51
      %shuffleResult_52, %valid_53 = gpu.shuffle  xor %84, %c8_i32, %77 : i32
      cf.cond_br %valid_53, ^bb53, ^bb54
    ^bb53:  // pred: ^bb52
      %85 = arith.maxsi %84, %shuffleResult_52 : i32
      cf.br ^bb55(%85 : i32)
    ^bb54:  // pred: ^bb52
      cf.br ^bb55(%84 : i32)
    ^bb55(%86: i32):  // 2 preds: ^bb53, ^bb54
      %shuffleResult_54, %valid_55 = gpu.shuffle  xor %86, %c16_i32, %77 : i32
      cf.cond_br %valid_55, ^bb56, ^bb57
    ^bb56:  // pred: ^bb55
      %87 = arith.maxsi %86, %shuffleResult_54 : i32
      cf.br ^bb58(%87 : i32)
    ^bb57:  // pred: ^bb55
      cf.br ^bb58(%86 : i32)
    ^bb58(%88: i32):  // 2 preds: ^bb56, ^bb57
      cf.br ^bb60(%88 : i32)
    ^bb59:  // pred: ^bb42
      %shuffleResult_56, %valid_57 = gpu.shuffle  xor %2, %c1_i32, %c32_i32 : i32
      %89 = arith.maxsi %2, %shuffleResult_56 : i32
      %shuffleResult_58, %valid_59 = gpu.shuffle  xor %89, %c2_i32, %c32_i32 : i32
      %90 = arith.maxsi %89, %shuffleResult_58 : i32
      %shuffleResult_60, %valid_61 = gpu.shuffle  xor %90, %c4_i32, %c32_i32 : i32
      %91 = arith.maxsi %90, %shuffleResult_60 : i32
      %shuffleResult_62, %valid_63 = gpu.shuffle  xor %91, %c8_i32, %c32_i32 : i32
      %92 = arith.maxsi %91, %shuffleResult_62 : i32
      %shuffleResult_64, %valid_65 = gpu.shuffle  xor %92, %c16_i32, %c32_i32 : i32
      %93 = arith.maxsi %92, %shuffleResult_64 : i32
      cf.br ^bb60(%93 : i32)
    ^bb60(%94: i32):  // 2 preds: ^bb58, ^bb59
      cf.cond_br %75, ^bb61, ^bb62
    ^bb61:  // pred: ^bb60
      %95 = arith.divsi %72, %c32_i32 : i32
      %96 = arith.index_cast %95 : i32 to index
      memref.store %94, %arg5[%96] : memref<32xi32, #gpu.address_space<workgroup>>
      cf.br ^bb63
    ^bb62:  // pred: ^bb60
      cf.br ^bb63
    ^bb63:  // 2 preds: ^bb61, ^bb62
      gpu.barrier
      %97 = arith.addi %73, %c31_i32 : i32
      %98 = arith.divsi %97, %c32_i32 : i32
      %99 = arith.cmpi slt, %72, %98 : i32
      cf.cond_br %99, ^bb64, ^bb83
    ^bb64:  // pred: ^bb63
      %100 = arith.index_cast %72 : i32 to index
      %101 = memref.load %arg5[%100] : memref<32xi32, #gpu.address_space<workgroup>>
      %102 = arith.cmpi slt, %98, %c32_i32 : i32
      cf.cond_br %102, ^bb65, ^bb81
    ^bb65:  // pred: ^bb64
      %shuffleResult_66, %valid_67 = gpu.shuffle  xor %101, %c1_i32, %98 : i32
      cf.cond_br %valid_67, ^bb66, ^bb67
    ^bb66:  // pred: ^bb65
      %103 = arith.maxsi %101, %shuffleResult_66 : i32
      cf.br ^bb68(%103 : i32)
    ^bb67:  // pred: ^bb65
      cf.br ^bb68(%101 : i32)
    ^bb68(%104: i32):  // 2 preds: ^bb66, ^bb67
      %shuffleResult_68, %valid_69 = gpu.shuffle  xor %104, %c2_i32, %98 : i32
      cf.cond_br %valid_69, ^bb69, ^bb70
    ^bb69:  // pred: ^bb68
      %105 = arith.maxsi %104, %shuffleResult_68 : i32
      cf.br ^bb71(%105 : i32)
    ^bb70:  // pred: ^bb68
      cf.br ^bb71(%104 : i32)
    ^bb71(%106: i32):  // 2 preds: ^bb69, ^bb70
      %shuffleResult_70, %valid_71 = gpu.shuffle  xor %106, %c4_i32, %98 : i32
      cf.cond_br %valid_71, ^bb72, ^bb73
    ^bb72:  // pred: ^bb71
      %107 = arith.maxsi %106, %shuffleResult_70 : i32
      cf.br ^bb74(%107 : i32)
    ^bb73:  // pred: ^bb71
      cf.br ^bb74(%106 : i32)
    ^bb74(%108: i32):  // 2 preds: ^bb72, ^bb73
      %shuffleResult_72, %valid_73 = gpu.shuffle  xor %108, %c8_i32, %98 : i32
      cf.cond_br %valid_73, ^bb75, ^bb76
    ^bb75:  // pred: ^bb74
      %109 = arith.maxsi %108, %shuffleResult_72 : i32
      cf.br ^bb77(%109 : i32)
    ^bb76:  // pred: ^bb74
      cf.br ^bb77(%108 : i32)
    ^bb77(%110: i32):  // 2 preds: ^bb75, ^bb76
      %shuffleResult_74, %valid_75 = gpu.shuffle  xor %110, %c16_i32, %98 : i32
      cf.cond_br %valid_75, ^bb78, ^bb79
    ^bb78:  // pred: ^bb77
      %111 = arith.maxsi %110, %shuffleResult_74 : i32
      cf.br ^bb80(%111 : i32)
    ^bb79:  // pred: ^bb77
      cf.br ^bb80(%110 : i32)
    ^bb80(%112: i32):  // 2 preds: ^bb78, ^bb79
      cf.br ^bb82(%112 : i32)
    ^bb81:  // pred: ^bb64
      %shuffleResult_76, %valid_77 = gpu.shuffle  xor %101, %c1_i32, %c32_i32 : i32
      %113 = arith.maxsi %101, %shuffleResult_76 : i32
      %shuffleResult_78, %valid_79 = gpu.shuffle  xor %113, %c2_i32, %c32_i32 : i32
      %114 = arith.maxsi %113, %shuffleResult_78 : i32
      %shuffleResult_80, %valid_81 = gpu.shuffle  xor %114, %c4_i32, %c32_i32 : i32
      %115 = arith.maxsi %114, %shuffleResult_80 : i32
      %shuffleResult_82, %valid_83 = gpu.shuffle  xor %115, %c8_i32, %c32_i32 : i32
      %116 = arith.maxsi %115, %shuffleResult_82 : i32
      %shuffleResult_84, %valid_85 = gpu.shuffle  xor %116, %c16_i32, %c32_i32 : i32
      %117 = arith.maxsi %116, %shuffleResult_84 : i32
      cf.br ^bb82(%117 : i32)
    ^bb82(%118: i32):  // 2 preds: ^bb80, ^bb81
      memref.store %118, %arg5[%c0] : memref<32xi32, #gpu.address_space<workgroup>>
      cf.br ^bb84
    ^bb83:  // pred: ^bb63
      cf.br ^bb84
    ^bb84:  // 2 preds: ^bb82, ^bb83
      gpu.barrier
      %119 = memref.load %arg5[%c0] : memref<32xi32, #gpu.address_space<workgroup>>
      %block_dim_x_86 = gpu.block_dim  x
      %120 = arith.index_cast %block_dim_x_86 : index to i32
      %block_dim_y_87 = gpu.block_dim  y
      %121 = arith.index_cast %block_dim_y_87 : index to i32
      %block_dim_z_88 = gpu.block_dim  z
      %122 = arith.index_cast %block_dim_z_88 : index to i32
      %thread_id_x_89 = gpu.thread_id  x
      %123 = arith.index_cast %thread_id_x_89 : index to i32
      %thread_id_y_90 = gpu.thread_id  y
      %124 = arith.index_cast %thread_id_y_90 : index to i32
      %thread_id_z_91 = gpu.thread_id  z
      %125 = arith.index_cast %thread_id_z_91 : index to i32
      %126 = arith.muli %125, %121 : i32
      %127 = arith.addi %126, %124 : i32
      %128 = arith.muli %127, %120 : i32
      %129 = arith.muli %120, %121 : i32
      %130 = arith.addi %128, %123 : i32
      %131 = arith.muli %129, %122 : i32
      %132 = arith.andi %130, %c31_i32 : i32
      %133 = arith.cmpi eq, %132, %c0_i32 : i32
      %134 = arith.subi %130, %132 : i32
      %135 = arith.subi %131, %134 : i32
      %136 = arith.cmpi slt, %135, %c32_i32 : i32
      cf.cond_br %136, ^bb85, ^bb106
    ^bb85:  // pred: ^bb84
      %shuffleResult_92, %valid_93 = gpu.shuffle  xor %2, %c1_i32, %135 : i32
      cf.cond_br %valid_93, ^bb86, ^bb88(%2 : i32)
    ^bb86:  // pred: ^bb85
      cf.br ^bb87
    ^bb87:  // pred: ^bb86
      %137 = arith.xori %2, %shuffleResult_92 : i32
      cf.br ^bb88(%137 : i32)
    ^bb88(%138: i32):  // 2 preds: ^bb85, ^bb87
      cf.br ^bb89
    ^bb89:  // pred: ^bb88
      %shuffleResult_94, %valid_95 = gpu.shuffle  xor %138, %c2_i32, %135 : i32
      cf.cond_br %valid_95, ^bb90, ^bb92(%138 : i32)
    ^bb90:  // pred: ^bb89
      cf.br ^bb91
    ^bb91:  // pred: ^bb90
      %139 = arith.xori %138, %shuffleResult_94 : i32
      cf.br ^bb92(%139 : i32)
    ^bb92(%140: i32):  // 2 preds: ^bb89, ^bb91
      cf.br ^bb93
    ^bb93:  // pred: ^bb92
      %shuffleResult_96, %valid_97 = gpu.shuffle  xor %140, %c4_i32, %135 : i32
      cf.cond_br %valid_97, ^bb94, ^bb96(%140 : i32)
    ^bb94:  // pred: ^bb93
      cf.br ^bb95
    ^bb95:  // pred: ^bb94
      %141 = arith.xori %140, %shuffleResult_96 : i32
      cf.br ^bb96(%141 : i32)
    ^bb96(%142: i32):  // 2 preds: ^bb93, ^bb95
      cf.br ^bb97
    ^bb97:  // pred: ^bb96
      %shuffleResult_98, %valid_99 = gpu.shuffle  xor %142, %c8_i32, %135 : i32
      cf.cond_br %valid_99, ^bb98, ^bb100(%142 : i32)
    ^bb98:  // pred: ^bb97
      cf.br ^bb99
    ^bb99:  // pred: ^bb98
      %143 = arith.xori %142, %shuffleResult_98 : i32
      cf.br ^bb100(%143 : i32)
    ^bb100(%144: i32):  // 2 preds: ^bb97, ^bb99
      cf.br ^bb101
    ^bb101:  // pred: ^bb100
      %shuffleResult_100, %valid_101 = gpu.shuffle  xor %144, %c16_i32, %135 : i32
      cf.cond_br %valid_101, ^bb102, ^bb104(%144 : i32)
    ^bb102:  // pred: ^bb101
      cf.br ^bb103
    ^bb103:  // pred: ^bb102
      %145 = arith.xori %144, %shuffleResult_100 : i32
      cf.br ^bb104(%145 : i32)
    ^bb104(%146: i32):  // 2 preds: ^bb101, ^bb103
      cf.br ^bb105(%146 : i32)
    ^bb105(%147: i32):  // 2 preds: ^bb104, ^bb115
      cf.br ^bb116
    ^bb106:  // pred: ^bb84
      %shuffleResult_102, %valid_103 = gpu.shuffle  xor %2, %c1_i32, %c32_i32 : i32
      cf.br ^bb107
    ^bb107:  // pred: ^bb106
      %148 = arith.xori %2, %shuffleResult_102 : i32
      cf.br ^bb108
    ^bb108:  // pred: ^bb107
      %shuffleResult_104, %valid_105 = gpu.shuffle  xor %148, %c2_i32, %c32_i32 : i32
      cf.br ^bb109
    ^bb109:  // pred: ^bb108
      %149 = arith.xori %148, %shuffleResult_104 : i32
      cf.br ^bb110
    ^bb110:  // pred: ^bb109
      %shuffleResult_106, %valid_107 = gpu.shuffle  xor %149, %c4_i32, %c32_i32 : i32
      cf.br ^bb111
    ^bb111:  // pred: ^bb110
      %150 = arith.xori %149, %shuffleResult_106 : i32
      cf.br ^bb112
    ^bb112:  // pred: ^bb111
      %shuffleResult_108, %valid_109 = gpu.shuffle  xor %150, %c8_i32, %c32_i32 : i32
      cf.br ^bb113
    ^bb113:  // pred: ^bb112
      %151 = arith.xori %150, %shuffleResult_108 : i32
      cf.br ^bb114
    ^bb114:  // pred: ^bb113
      %shuffleResult_110, %valid_111 = gpu.shuffle  xor %151, %c16_i32, %c32_i32 : i32
      cf.br ^bb115
    ^bb115:  // pred: ^bb114
      %152 = arith.xori %151, %shuffleResult_110 : i32
      cf.br ^bb105(%152 : i32)
    ^bb116:  // pred: ^bb105
      cf.cond_br %133, ^bb117, ^bb118
    ^bb117:  // pred: ^bb116
      %153 = arith.divsi %130, %c32_i32 : i32
      %154 = arith.index_cast %153 : i32 to index
      memref.store %147, %arg6[%154] : memref<32xi32, #gpu.address_space<workgroup>>
      cf.br ^bb119
    ^bb118:  // pred: ^bb116
      cf.br ^bb119
    ^bb119:  // 2 preds: ^bb117, ^bb118
      gpu.barrier
      %155 = arith.addi %131, %c31_i32 : i32
      %156 = arith.divsi %155, %c32_i32 : i32
      %157 = arith.cmpi slt, %130, %156 : i32
      cf.cond_br %157, ^bb120, ^bb153
    ^bb120:  // pred: ^bb119
      %158 = arith.index_cast %130 : i32 to index
      %159 = memref.load %arg6[%158] : memref<32xi32, #gpu.address_space<workgroup>>
      %160 = arith.cmpi slt, %156, %c32_i32 : i32
      cf.cond_br %160, ^bb121, ^bb142
    ^bb121:  // pred: ^bb120
      %shuffleResult_112, %valid_113 = gpu.shuffle  xor %159, %c1_i32, %156 : i32
      cf.cond_br %valid_113, ^bb122, ^bb124(%159 : i32)
    ^bb122:  // pred: ^bb121
      cf.br ^bb123
    ^bb123:  // pred: ^bb122
      %161 = arith.xori %159, %shuffleResult_112 : i32
      cf.br ^bb124(%161 : i32)
    ^bb124(%162: i32):  // 2 preds: ^bb121, ^bb123
      cf.br ^bb125
    ^bb125:  // pred: ^bb124
      %shuffleResult_114, %valid_115 = gpu.shuffle  xor %162, %c2_i32, %156 : i32
      cf.cond_br %valid_115, ^bb126, ^bb128(%162 : i32)
    ^bb126:  // pred: ^bb125
      cf.br ^bb127
    ^bb127:  // pred: ^bb126
      %163 = arith.xori %162, %shuffleResult_114 : i32
      cf.br ^bb128(%163 : i32)
    ^bb128(%164: i32):  // 2 preds: ^bb125, ^bb127
      cf.br ^bb129
    ^bb129:  // pred: ^bb128
      %shuffleResult_116, %valid_117 = gpu.shuffle  xor %164, %c4_i32, %156 : i32
      cf.cond_br %valid_117, ^bb130, ^bb132(%164 : i32)
    ^bb130:  // pred: ^bb129
      cf.br ^bb131
    ^bb131:  // pred: ^bb130
      %165 = arith.xori %164, %shuffleResult_116 : i32
      cf.br ^bb132(%165 : i32)
    ^bb132(%166: i32):  // 2 preds: ^bb129, ^bb131
      cf.br ^bb133
    ^bb133:  // pred: ^bb132
      %shuffleResult_118, %valid_119 = gpu.shuffle  xor %166, %c8_i32, %156 : i32
      cf.cond_br %valid_119, ^bb134, ^bb136(%166 : i32)
    ^bb134:  // pred: ^bb133
      cf.br ^bb135
    ^bb135:  // pred: ^bb134
      %167 = arith.xori %166, %shuffleResult_118 : i32
      cf.br ^bb136(%167 : i32)
    ^bb136(%168: i32):  // 2 preds: ^bb133, ^bb135
      cf.br ^bb137
    ^bb137:  // pred: ^bb136
      %shuffleResult_120, %valid_121 = gpu.shuffle  xor %168, %c16_i32, %156 : i32
      cf.cond_br %valid_121, ^bb138, ^bb140(%168 : i32)
    ^bb138:  // pred: ^bb137
      cf.br ^bb139
    ^bb139:  // pred: ^bb138
      %169 = arith.xori %168, %shuffleResult_120 : i32
      cf.br ^bb140(%169 : i32)
    ^bb140(%170: i32):  // 2 preds: ^bb137, ^bb139
      cf.br ^bb141(%170 : i32)
    ^bb141(%171: i32):  // 2 preds: ^bb140, ^bb151
      cf.br ^bb152
    ^bb142:  // pred: ^bb120
      %shuffleResult_122, %valid_123 = gpu.shuffle  xor %159, %c1_i32, %c32_i32 : i32
      cf.br ^bb143
    ^bb143:  // pred: ^bb142
      %172 = arith.xori %159, %shuffleResult_122 : i32
      cf.br ^bb144
    ^bb144:  // pred: ^bb143
      %shuffleResult_124, %valid_125 = gpu.shuffle  xor %172, %c2_i32, %c32_i32 : i32
      cf.br ^bb145
    ^bb145:  // pred: ^bb144
      %173 = arith.xori %172, %shuffleResult_124 : i32
      cf.br ^bb146
    ^bb146:  // pred: ^bb145
      %shuffleResult_126, %valid_127 = gpu.shuffle  xor %173, %c4_i32, %c32_i32 : i32
      cf.br ^bb147
    ^bb147:  // pred: ^bb146
      %174 = arith.xori %173, %shuffleResult_126 : i32
      cf.br ^bb148
    ^bb148:  // pred: ^bb147
      %shuffleResult_128, %valid_129 = gpu.shuffle  xor %174, %c8_i32, %c32_i32 : i32
      cf.br ^bb149
    ^bb149:  // pred: ^bb148
      %175 = arith.xori %174, %shuffleResult_128 : i32
      cf.br ^bb150
    ^bb150:  // pred: ^bb149
      %shuffleResult_130, %valid_131 = gpu.shuffle  xor %175, %c16_i32, %c32_i32 : i32
      cf.br ^bb151
    ^bb151:  // pred: ^bb150
      %176 = arith.xori %175, %shuffleResult_130 : i32
      cf.br ^bb141(%176 : i32)
    ^bb152:  // pred: ^bb141
      memref.store %171, %arg6[%c0] : memref<32xi32, #gpu.address_space<workgroup>>
      cf.br ^bb154
    ^bb153:  // pred: ^bb119
      cf.br ^bb154
    ^bb154:  // 2 preds: ^bb152, ^bb153
      gpu.barrier
      %177 = memref.load %arg6[%c0] : memref<32xi32, #gpu.address_space<workgroup>>
      %178 = gpu.subgroup_reduce  add %2 cluster(size = 4) : (i32) -> i32
      %block_dim_x_132 = gpu.block_dim  x
      %179 = arith.index_cast %block_dim_x_132 : index to i32
      %block_dim_y_133 = gpu.block_dim  y
      %180 = arith.index_cast %block_dim_y_133 : index to i32
      %block_dim_z_134 = gpu.block_dim  z
      %181 = arith.index_cast %block_dim_z_134 : index to i32
      %thread_id_x_135 = gpu.thread_id  x
      %182 = arith.index_cast %thread_id_x_135 : index to i32
      %thread_id_y_136 = gpu.thread_id  y
      %183 = arith.index_cast %thread_id_y_136 : index to i32
      %thread_id_z_137 = gpu.thread_id  z
      %184 = arith.index_cast %thread_id_z_137 : index to i32
      %185 = arith.muli %184, %180 : i32
      %186 = arith.addi %185, %183 : i32
      %187 = arith.muli %186, %179 : i32
      %188 = arith.muli %179, %180 : i32
      %189 = arith.addi %187, %182 : i32
      %190 = arith.muli %188, %181 : i32
      %191 = arith.andi %189, %c31_i32 : i32
      %192 = arith.cmpi eq, %191, %c0_i32 : i32
      %193 = arith.subi %189, %191 : i32
      %194 = arith.subi %190, %193 : i32
      %195 = arith.cmpi slt, %194, %c32_i32 : i32
      cf.cond_br %195, ^bb155, ^bb171
    ^bb155:  // pred: ^bb154
      %shuffleResult_138, %valid_139 = gpu.shuffle  xor %3, %c1_i32, %194 : f32
      cf.cond_br %valid_139, ^bb156, ^bb157
    ^bb156:  // pred: ^bb155
      %196 = arith.addf %3, %shuffleResult_138 : f32
      cf.br ^bb158(%196 : f32)
    ^bb157:  // pred: ^bb155
      cf.br ^bb158(%3 : f32)
    ^bb158(%197: f32):  // 2 preds: ^bb156, ^bb157
      %shuffleResult_140, %valid_141 = gpu.shuffle  xor %197, %c2_i32, %194 : f32
      cf.cond_br %valid_141, ^bb159, ^bb160
    ^bb159:  // pred: ^bb158
      %198 = arith.addf %197, %shuffleResult_140 : f32
      cf.br ^bb161(%198 : f32)
    ^bb160:  // pred: ^bb158
      cf.br ^bb161(%197 : f32)
    ^bb161(%199: f32):  // 2 preds: ^bb159, ^bb160
      %shuffleResult_142, %valid_143 = gpu.shuffle  xor %199, %c4_i32, %194 : f32
      cf.cond_br %valid_143, ^bb162, ^bb163
    ^bb162:  // pred: ^bb161
      %200 = arith.addf %199, %shuffleResult_142 : f32
      cf.br ^bb164(%200 : f32)
    ^bb163:  // pred: ^bb161
      cf.br ^bb164(%199 : f32)
    ^bb164(%201: f32):  // 2 preds: ^bb162, ^bb163
      %shuffleResult_144, %valid_145 = gpu.shuffle  xor %201, %c8_i32, %194 : f32
      cf.cond_br %valid_145, ^bb165, ^bb166
    ^bb165:  // pred: ^bb164
      %202 = arith.addf %201, %shuffleResult_144 : f32
      cf.br ^bb167(%202 : f32)
    ^bb166:  // pred: ^bb164
      cf.br ^bb167(%201 : f32)
    ^bb167(%203: f32):  // 2 preds: ^bb165, ^bb166
      %shuffleResult_146, %valid_147 = gpu.shuffle  xor %203, %c16_i32, %194 : f32
      cf.cond_br %valid_147, ^bb168, ^bb169
    ^bb168:  // pred: ^bb167
      %204 = arith.addf %203, %shuffleResult_146 : f32
      cf.br ^bb170(%204 : f32)
    ^bb169:  // pred: ^bb167
      cf.br ^bb170(%203 : f32)
    ^bb170(%205: f32):  // 2 preds: ^bb168, ^bb169
      cf.br ^bb172(%205 : f32)
    ^bb171:  // pred: ^bb154
      %shuffleResult_148, %valid_149 = gpu.shuffle  xor %3, %c1_i32, %c32_i32 : f32
      %206 = arith.addf %3, %shuffleResult_148 : f32
      %shuffleResult_150, %valid_151 = gpu.shuffle  xor %206, %c2_i32, %c32_i32 : f32
      %207 = arith.addf %206, %shuffleResult_150 : f32
      %shuffleResult_152, %valid_153 = gpu.shuffle  xor %207, %c4_i32, %c32_i32 : f32
      %208 = arith.addf %207, %shuffleResult_152 : f32
      %shuffleResult_154, %valid_155 = gpu.shuffle  xor %208, %c8_i32, %c32_i32 : f32
      %209 = arith.addf %208, %shuffleResult_154 : f32
      %shuffleResult_156, %valid_157 = gpu.shuffle  xor %209, %c16_i32, %c32_i32 : f32
      %210 = arith.addf %209, %shuffleResult_156 : f32
      cf.br ^bb172(%210 : f32)
    ^bb172(%211: f32):  // 2 preds: ^bb170, ^bb171
      cf.cond_br %192, ^bb173, ^bb174
    ^bb173:  // pred: ^bb172
      %212 = arith.divsi %189, %c32_i32 : i32
      %213 = arith.index_cast %212 : i32 to index
      memref.store %211, %arg7[%213] : memref<32xf32, #gpu.address_space<workgroup>>
      cf.br ^bb175
    ^bb174:  // pred: ^bb172
      cf.br ^bb175
    ^bb175:  // 2 preds: ^bb173, ^bb174
      gpu.barrier
      %214 = arith.addi %190, %c31_i32 : i32
      %215 = arith.divsi %214, %c32_i32 : i32
      %216 = arith.cmpi slt, %189, %215 : i32
      cf.cond_br %216, ^bb176, ^bb195
    ^bb176:  // pred: ^bb175
      %217 = arith.index_cast %189 : i32 to index
      %218 = memref.load %arg7[%217] : memref<32xf32, #gpu.address_space<workgroup>>
      %219 = arith.cmpi slt, %215, %c32_i32 : i32
      cf.cond_br %219, ^bb177, ^bb193
    ^bb177:  // pred: ^bb176
      %shuffleResult_158, %valid_159 = gpu.shuffle  xor %218, %c1_i32, %215 : f32
      cf.cond_br %valid_159, ^bb178, ^bb179
    ^bb178:  // pred: ^bb177
      %220 = arith.addf %218, %shuffleResult_158 : f32
      cf.br ^bb180(%220 : f32)
    ^bb179:  // pred: ^bb177
      cf.br ^bb180(%218 : f32)
    ^bb180(%221: f32):  // 2 preds: ^bb178, ^bb179
      %shuffleResult_160, %valid_161 = gpu.shuffle  xor %221, %c2_i32, %215 : f32
      cf.cond_br %valid_161, ^bb181, ^bb182
    ^bb181:  // pred: ^bb180
      %222 = arith.addf %221, %shuffleResult_160 : f32
      cf.br ^bb183(%222 : f32)
    ^bb182:  // pred: ^bb180
      cf.br ^bb183(%221 : f32)
    ^bb183(%223: f32):  // 2 preds: ^bb181, ^bb182
      %shuffleResult_162, %valid_163 = gpu.shuffle  xor %223, %c4_i32, %215 : f32
      cf.cond_br %valid_163, ^bb184, ^bb185
    ^bb184:  // pred: ^bb183
      %224 = arith.addf %223, %shuffleResult_162 : f32
      cf.br ^bb186(%224 : f32)
    ^bb185:  // pred: ^bb183
      cf.br ^bb186(%223 : f32)
    ^bb186(%225: f32):  // 2 preds: ^bb184, ^bb185
      %shuffleResult_164, %valid_165 = gpu.shuffle  xor %225, %c8_i32, %215 : f32
      cf.cond_br %valid_165, ^bb187, ^bb188
    ^bb187:  // pred: ^bb186
      %226 = arith.addf %225, %shuffleResult_164 : f32
      cf.br ^bb189(%226 : f32)
    ^bb188:  // pred: ^bb186
      cf.br ^bb189(%225 : f32)
    ^bb189(%227: f32):  // 2 preds: ^bb187, ^bb188
      %shuffleResult_166, %valid_167 = gpu.shuffle  xor %227, %c16_i32, %215 : f32
      cf.cond_br %valid_167, ^bb190, ^bb191
    ^bb190:  // pred: ^bb189
      %228 = arith.addf %227, %shuffleResult_166 : f32
      cf.br ^bb192(%228 : f32)
    ^bb191:  // pred: ^bb189
      cf.br ^bb192(%227 : f32)
    ^bb192(%229: f32):  // 2 preds: ^bb190, ^bb191
      cf.br ^bb194(%229 : f32)
    ^bb193:  // pred: ^bb176
      %shuffleResult_168, %valid_169 = gpu.shuffle  xor %218, %c1_i32, %c32_i32 : f32
      %230 = arith.addf %218, %shuffleResult_168 : f32
      %shuffleResult_170, %valid_171 = gpu.shuffle  xor %230, %c2_i32, %c32_i32 : f32
      %231 = arith.addf %230, %shuffleResult_170 : f32
      %shuffleResult_172, %valid_173 = gpu.shuffle  xor %231, %c4_i32, %c32_i32 : f32
      %232 = arith.addf %231, %shuffleResult_172 : f32
      %shuffleResult_174, %valid_175 = gpu.shuffle  xor %232, %c8_i32, %c32_i32 : f32
      %233 = arith.addf %232, %shuffleResult_174 : f32
      %shuffleResult_176, %valid_177 = gpu.shuffle  xor %233, %c16_i32, %c32_i32 : f32
      %234 = arith.addf %233, %shuffleResult_176 : f32
      cf.br ^bb194(%234 : f32)
    ^bb194(%235: f32):  // 2 preds: ^bb192, ^bb193
      memref.store %235, %arg7[%c0] : memref<32xf32, #gpu.address_space<workgroup>>
      cf.br ^bb196
    ^bb195:  // pred: ^bb175
      cf.br ^bb196
    ^bb196:  // 2 preds: ^bb194, ^bb195
      gpu.barrier
      %236 = memref.load %arg7[%c0] : memref<32xf32, #gpu.address_space<workgroup>>
      memref.store %61, %arg1[%1, %c0] : memref<?x4xi32>
      memref.store %119, %arg1[%1, %c1] : memref<?x4xi32>
      memref.store %177, %arg1[%1, %c2] : memref<?x4xi32>
      memref.store %178, %arg1[%1, %c3] : memref<?x4xi32>
      memref.store %236, %arg3[%1] : memref<?xf32>
      gpu.return
    }
  }
}

