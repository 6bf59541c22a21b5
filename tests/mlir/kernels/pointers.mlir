// The LLVM dialect: pointers to global memory, LDS and private memory, structs, branches, atomics and calls.
module {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<64 x struct<(i32, f32)>>
  llvm.mlir.global internal @bins() {addr_space = 3 : i32} : !llvm.array<4 x i32>
  llvm.func @__ocml_exp2_f32(f32) -> f32
  llvm.func @step(%v: i32, %by: !llvm.struct<(i32, array<2 x i32>)>) -> i32 {
    %a = llvm.extractvalue %by[0] : !llvm.struct<(i32, array<2 x i32>)>
    %b = llvm.extractvalue %by[1, 1] : !llvm.struct<(i32, array<2 x i32>)>
    %m = llvm.mul %v, %a : i32
    %s = llvm.add %m, %b : i32
    llvm.return %s : i32
  }
  llvm.func @pointers(%x: !llvm.ptr<1>, %y: !llvm.ptr, %n: i32, %out: !llvm.ptr<1>, %sums: !llvm.ptr<1>, %wide: !llvm.ptr)
      attributes {gpu.kernel, rocdl.kernel, rocdl.reqd_work_group_size = array<i32: 64, 1, 1>} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %two = llvm.mlir.constant(2 : i32) : i32
    %three = llvm.mlir.constant(3 : i32) : i32
    %four = llvm.mlir.constant(4 : i32) : i32
    %c63 = llvm.mlir.constant(63 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %t = rocdl.workitem.id.x range <i32, 0, 64> : i32
    %g = rocdl.workgroup.id.x : i32
    %base = llvm.mul %g, %c64 : i32
    %i = llvm.add %base, %t : i32
    %iw = llvm.sext %i : i32 to i64
    // Global memory by elements of a type, and by bytes.
    %px = llvm.getelementptr inbounds %x[%iw] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %v = llvm.load %px : !llvm.ptr<1> -> i32
    %byte = llvm.mul %i, %four : i32
    %py = llvm.getelementptr %y[%byte] : (!llvm.ptr, i32) -> !llvm.ptr, i8
    %f = llvm.load %py : !llvm.ptr -> f32
    // Structs in LDS.
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %own = llvm.getelementptr %tile[0, %t, 0] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<64 x struct<(i32, f32)>>
    llvm.store %v, %own : i32, !llvm.ptr<3>
    %own1 = llvm.getelementptr %tile[0, %t, 1] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<64 x struct<(i32, f32)>>
    llvm.store %f, %own1 : f32, !llvm.ptr<3>
    %bins = llvm.mlir.addressof @bins : !llvm.ptr<3>
    %first = llvm.icmp "ult" %t, %four : i32
    llvm.cond_br %first, ^clear, ^cleared
  ^clear:
    %pb = llvm.getelementptr %bins[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %zero, %pb : i32, !llvm.ptr<3>
    llvm.br ^cleared
  ^cleared:
    llvm.fence syncscope("workgroup") release
    rocdl.s.barrier
    llvm.fence syncscope("workgroup") acquire
    %o = llvm.sub %c63, %t : i32
    %flat = llvm.addrspacecast %tile : !llvm.ptr<3> to !llvm.ptr
    %po = llvm.getelementptr %flat[%o] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i32, f32)>
    %ov = llvm.load %po : !llvm.ptr -> i32
    %po1 = llvm.getelementptr %po[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, f32)>
    %of = llvm.load %po1 : !llvm.ptr -> f32
    // A call with a struct.
    %s0 = llvm.mlir.poison : !llvm.struct<(i32, array<2 x i32>)>
    %s1 = llvm.insertvalue %n, %s0[0] : !llvm.struct<(i32, array<2 x i32>)>
    %s2 = llvm.insertvalue %one, %s1[1, 0] : !llvm.struct<(i32, array<2 x i32>)>
    %s3 = llvm.insertvalue %two, %s2[1, 1] : !llvm.struct<(i32, array<2 x i32>)>
    %stepped = llvm.call @step(%ov, %s3) : (i32, !llvm.struct<(i32, array<2 x i32>)>) -> i32
    // A loop of blocks that carries a pointer, and a switch.
    %begin = llvm.getelementptr %x[%base] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %u = llvm.mlir.zero : i32
    llvm.br ^loop(%u, %u, %begin : i32, i32, !llvm.ptr<1>)
  ^loop(%k: i32, %sum: i32, %at: !llvm.ptr<1>):
    %lv = llvm.load %at : !llvm.ptr<1> -> i32
    %next = llvm.add %sum, %lv : i32
    %following = llvm.getelementptr %at[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %k1 = llvm.add %k, %one : i32
    %rest = llvm.and %t, %three : i32
    %more = llvm.icmp "sle" %k1, %rest : i32
    llvm.cond_br %more, ^loop(%k1, %next, %following : i32, i32, !llvm.ptr<1>), ^after
  ^after:
    llvm.switch %rest : i32, ^other(%next : i32) [
      1: ^other(%stepped : i32),
      2: ^negative
    ]
  ^negative:
    %minus = llvm.sub %zero, %next : i32
    llvm.br ^other(%minus : i32)
  ^other(%chosen: i32):
    // Private memory at a number that is not constant.
    %own_memory = llvm.alloca %four x i32 : (i32) -> !llvm.ptr<5>
    %p2 = llvm.getelementptr %own_memory[%rest] : (!llvm.ptr<5>, i32) -> !llvm.ptr<5>, i32
    %p0 = llvm.getelementptr %own_memory[0] : (!llvm.ptr<5>) -> !llvm.ptr<5>, i32
    llvm.store %v, %p0 : i32, !llvm.ptr<5>
    llvm.store %chosen, %p2 : i32, !llvm.ptr<5>
    %pv = llvm.load %p0 : !llvm.ptr<5> -> i32
    // Exchange between lanes.
    %low = rocdl.mbcnt.lo %all, %zero : (i32, i32) -> i32
    %lane = rocdl.mbcnt.hi %all, %low : (i32, i32) -> i32
    %turned = llvm.xor %lane, %one : i32
    %address = llvm.shl %turned, %two : i32
    %exchanged = rocdl.ds_bpermute %address, %chosen : (i32, i32) -> i32
    %head = rocdl.readfirstlane %v : i32
    %third = rocdl.readlane %v, %three : (i32, i32) -> i32
    %positive = llvm.icmp "sgt" %v, %zero : i32
    %mask = rocdl.ballot %positive : i64
    %count = llvm.intr.ctpop(%mask) : (i64) -> i64
    %counted = llvm.trunc %count : i64 to i32
    // Atomics in LDS and in global memory.
    %pbin = llvm.getelementptr %bins[%rest] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %old = llvm.atomicrmw add %pbin, %one syncscope("workgroup") monotonic : !llvm.ptr<3>, i32
    %psum = llvm.getelementptr %sums[%rest] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %old1 = llvm.atomicrmw add %psum, %v syncscope("agent") monotonic : !llvm.ptr<1>, i32
    %psum4 = llvm.getelementptr %psum[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %old2 = llvm.atomicrmw max %psum4, %v acq_rel : !llvm.ptr<1>, i32
    %psum8 = llvm.getelementptr %psum[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %old3 = llvm.atomicrmw umin %psum8, %v acq_rel : !llvm.ptr<1>, i32
    rocdl.barrier
    %bin = llvm.load %pbin : !llvm.ptr<3> -> i32
    // Words of 64 bits, halves and bytes of the same memory, and vectors.
    %pw = llvm.getelementptr %wide[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i64
    %w = llvm.load %pw : !llvm.ptr -> i64
    %ph = llvm.getelementptr %pw[6] : (!llvm.ptr) -> !llvm.ptr, i8
    %h = llvm.load %ph : !llvm.ptr -> i16
    %hw = llvm.sext %h : i16 to i64
    %ww = llvm.add %w, %hw : i64
    %fw = llvm.freeze %ww : i64
    llvm.store %fw, %pw : i64, !llvm.ptr
    %scaled = llvm.call @__ocml_exp2_f32(%of) : (f32) -> f32
    %pout = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<12 x i32>
    %a0 = llvm.mlir.undef : vector<4xi32>
    %a1 = vector.insert %stepped, %a0[0] : i32 into vector<4xi32>
    %a2 = vector.insert %chosen, %a1[1] : i32 into vector<4xi32>
    %a3 = vector.insert %pv, %a2[2] : i32 into vector<4xi32>
    %a4 = vector.insert %exchanged, %a3[3] : i32 into vector<4xi32>
    llvm.store %a4, %pout : vector<4xi32>, !llvm.ptr<1>
    %q0 = llvm.getelementptr %pout[0, 4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, !llvm.array<12 x i32>
    llvm.store %head, %q0 : i32, !llvm.ptr<1>
    %q1 = llvm.getelementptr %pout[0, 5] : (!llvm.ptr<1>) -> !llvm.ptr<1>, !llvm.array<12 x i32>
    llvm.store %third, %q1 : i32, !llvm.ptr<1>
    %q2 = llvm.getelementptr %pout[0, 6] : (!llvm.ptr<1>) -> !llvm.ptr<1>, !llvm.array<12 x i32>
    llvm.store %counted, %q2 : i32, !llvm.ptr<1>
    %q3 = llvm.getelementptr %pout[0, 7] : (!llvm.ptr<1>) -> !llvm.ptr<1>, !llvm.array<12 x i32>
    llvm.store %bin, %q3 : i32, !llvm.ptr<1>
    %near = llvm.fmul %scaled, %scaled : f32
    %whole = llvm.fptosi %near : f32 to i32
    %q4 = llvm.getelementptr %pout[0, 8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, !llvm.array<12 x i32>
    llvm.store %whole, %q4 : i32, !llvm.ptr<1>
    llvm.return
  }
}
