// mlir-opt-22 --mlir-print-op-generic examples/dotproduct.mlir
"builtin.module"() ({
  "gpu.module"() <{sym_name = "dotproduct"}> ({
    "gpu.func"() <{function_type = (memref<?xf32>, memref<?xf32>, memref<?xf32>, i32) -> (), known_block_size = array<i32: 256, 1, 1>}> ({
    ^bb0(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: i32, %arg4: memref<256xf32, #gpu.address_space<workgroup>>):
      %0 = "arith.constant"() <{value = 0 : index}> : () -> index
      %1 = "arith.constant"() <{value = 1 : index}> : () -> index
      %2 = "arith.constant"() <{value = 128 : index}> : () -> index
      %3 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
      %4 = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      %5 = "gpu.block_id"() <{dimension = #gpu<dim x>}> : () -> index
      %6 = "gpu.global_id"() <{dimension = #gpu<dim x>}> : () -> index
      %7 = "gpu.block_dim"() <{dimension = #gpu<dim x>}> : () -> index
      %8 = "gpu.grid_dim"() <{dimension = #gpu<dim x>}> : () -> index
      %9 = "arith.muli"(%7, %8) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %10 = "arith.index_cast"(%arg3) : (i32) -> index
      %11 = "scf.for"(%6, %10, %9, %3) ({
      ^bb0(%arg7: index, %arg8: f32):
        %22 = "memref.load"(%arg0, %arg7) : (memref<?xf32>, index) -> f32
        %23 = "memref.load"(%arg1, %arg7) : (memref<?xf32>, index) -> f32
        %24 = "arith.mulf"(%22, %23) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        %25 = "arith.addf"(%arg8, %24) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "scf.yield"(%25) : (f32) -> ()
      }) : (index, index, index, f32) -> f32
      "memref.store"(%11, %arg4, %4) : (f32, memref<256xf32, #gpu.address_space<workgroup>>, index) -> ()
      "gpu.barrier"() : () -> ()
      %12 = "scf.while"(%2) ({
      ^bb0(%arg6: index):
        %21 = "arith.cmpi"(%arg6, %0) <{predicate = 8 : i64}> : (index, index) -> i1
        "scf.condition"(%21, %arg6) : (i1, index) -> ()
      }, {
      ^bb0(%arg5: index):
        %15 = "arith.cmpi"(%4, %arg5) <{predicate = 6 : i64}> : (index, index) -> i1
        "scf.if"(%15) ({
          %17 = "arith.addi"(%4, %arg5) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
          %18 = "memref.load"(%arg4, %4) : (memref<256xf32, #gpu.address_space<workgroup>>, index) -> f32
          %19 = "memref.load"(%arg4, %17) : (memref<256xf32, #gpu.address_space<workgroup>>, index) -> f32
          %20 = "arith.addf"(%18, %19) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
          "memref.store"(%20, %arg4, %4) : (f32, memref<256xf32, #gpu.address_space<workgroup>>, index) -> ()
          "scf.yield"() : () -> ()
        }, {
        }) : (i1) -> ()
        "gpu.barrier"() : () -> ()
        %16 = "arith.shrui"(%arg5, %1) : (index, index) -> index
        "scf.yield"(%16) : (index) -> ()
      }) : (index) -> index
      %13 = "arith.cmpi"(%4, %0) <{predicate = 0 : i64}> : (index, index) -> i1
      "scf.if"(%13) ({
        %14 = "memref.load"(%arg4, %0) : (memref<256xf32, #gpu.address_space<workgroup>>, index) -> f32
        "memref.store"(%14, %arg2, %5) : (f32, memref<?xf32>, index) -> ()
        "scf.yield"() : () -> ()
      }, {
      }) : (i1) -> ()
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "dotproduct", workgroup_attributions = 1 : i64} : () -> ()
  }) : () -> ()
}) : () -> ()

