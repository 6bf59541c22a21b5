// mlir-opt-22 --mlir-print-op-generic '--pass-pipeline=builtin.module(func.func(convert-linalg-to-parallel-loops,gpu-map-parallel-loops),convert-parallel-loops-to-gpu,lower-affine)' tests/mlir/foreign/sources/matmul.mlir
"builtin.module"() ({
  "func.func"() <{function_type = (memref<16x24xf32>, memref<24x32xf32>, memref<16x32xf32>) -> (), sym_name = "matmul"}> ({
  ^bb0(%arg0: memref<16x24xf32>, %arg1: memref<24x32xf32>, %arg2: memref<16x32xf32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 16 : index}> : () -> index
    %2 = "arith.constant"() <{value = 1 : index}> : () -> index
    %3 = "arith.constant"() <{value = 32 : index}> : () -> index
    %4 = "arith.constant"() <{value = 24 : index}> : () -> index
    %5 = "arith.constant"() <{value = 1 : index}> : () -> index
    %6 = "arith.constant"() <{value = 16 : index}> : () -> index
    %7 = "arith.constant"() <{value = 32 : index}> : () -> index
    "gpu.launch"(%6, %7, %5, %5, %5, %5) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
    ^bb0(%arg3: index, %arg4: index, %arg5: index, %arg6: index, %arg7: index, %arg8: index, %arg9: index, %arg10: index, %arg11: index, %arg12: index, %arg13: index, %arg14: index):
      %8 = "arith.muli"(%arg3, %2) <{overflowFlags = #arith.overflow<nsw>}> : (index, index) -> index
      %9 = "arith.addi"(%8, %0) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %10 = "arith.muli"(%arg4, %2) <{overflowFlags = #arith.overflow<nsw>}> : (index, index) -> index
      %11 = "arith.addi"(%10, %0) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      "scf.for"(%0, %4, %2) ({
      ^bb0(%arg15: index):
        %12 = "memref.load"(%arg0, %9, %arg15) <{nontemporal = false}> : (memref<16x24xf32>, index, index) -> f32
        %13 = "memref.load"(%arg1, %arg15, %11) <{nontemporal = false}> : (memref<24x32xf32>, index, index) -> f32
        %14 = "memref.load"(%arg2, %9, %11) <{nontemporal = false}> : (memref<16x32xf32>, index, index) -> f32
        %15 = "arith.mulf"(%12, %13) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        %16 = "arith.addf"(%14, %15) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "memref.store"(%16, %arg2, %9, %11) <{nontemporal = false}> : (f32, memref<16x32xf32>, index, index) -> ()
        "scf.yield"() : () -> ()
      }) : (index, index, index) -> ()
      "gpu.terminator"() : () -> ()
    }) {SCFToGPU_visited, workgroup_attributions = 0 : i64} : (index, index, index, index, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

