"""Faults in the selection of addresses, accesses, branches and masks of lanes."""

from __future__ import annotations

from tests.mutants.planting import faults_in

FAULTS = (
    *faults_in(
        "asmgen/select/abi.py",
        (
            "self.parameters.index(parameter)", "max(0, self.parameters.index(parameter) - 1)",
            "the second buffer is read where the first one lies", "differences",
        ),
    ),
    *faults_in(
        "asmgen/select/address.py",
        (
            "= factor * literal", "= literal",
            "a constant of an index is not scaled to bytes", "softmax(rows=2,cols=40000)",
        ),
        (
            "shift), total))", "shift), part))",
            "a vector part of an index forgets the rest", "row_sum(rows=3,cols=9000)",
        ),
        (
            "1 if factor & (factor - 1) == 0 else None", "1",
            "a multiple of what is no power of two is a shift", "softmax f32 {16,4,107,6} axis 2",
        ),
        (
            "factor), total)", "factor), part)",
            "a multiply-add adds its factor", "softmax f32 {16,4,107,6} axis 2",
        ),
    ),
    *faults_in(
        "asmgen/select/bytes.py",
        (", lane % BYTES)", ", lane % 2)", "the third bool of four is the first", "where {1,3,4,5}"),
        (
            "8 * lane), mask", "8 * (lane & 1)), mask",
            "the third bool of four is written as the first", "less f32 {2,3,4,6}",
        ),
        (
            'v_or3_b32" if len(taken) == 3 else "v_or_b32", (joined,), tuple(taken',
            'v_or_b32", (joined,), tuple(taken[:2]',
            "the third byte of a bool is lost", "less f32 {2,3,4,6}",
        ),
    ),
    *faults_in(
        "asmgen/select/control.py",
        ("MaskOperation.AND,", "MaskOperation.OR,", "lanes without elements go on", "gelu(n=1000)"),
        (
            "join)\n    emitter.put_mask(MaskOperation.MOVE, emitter.masks.exec, saved)\n\n\ndef",
            "join)\n\n\ndef",
            "EXEC stays narrow behind an if", "row_sum(rows=5,cols=300)",
        ),
        (
            "emitter.put_mask(MaskOperation.AND_SAVE_EXEC, saved, mask)\n    then, join",
            "emitter.put_mask(MaskOperation.MOVE, saved, emitter.masks.exec)\n    then, join",
            "an if without an else is entered by all lanes", "outputs of two shapes",
        ),
    ),
    *faults_in(
        "asmgen/select/lds_places.py",
        (
            "-(-type_.elements * type_.element.bytes // ALIGNMENT) * ALIGNMENT", "type_.elements",
            "buffers of LDS overlap", "softmax(rows=5,cols=300)",
        ),
    ),
    *faults_in(
        "asmgen/select/loops.py",
        ('"s_cmp_lt_u32"', '"s_cmp_le_u32"', "a loop takes a turn more",
            "sum f32 {76,32,20,16} over {0,2}"),
        (
            "scalars, vectors)\n\n\nclass _Trip", "scalars, vectors[:1] * len(vectors))\n\n\nclass _Trip",
            "every result of a loop is the first", "loop of three",
        ),
    ),
    *faults_in(
        "asmgen/select/arguments.py",
        (
            "return pointers().part(POINTER_DWORDS * number,", "return pointers().part(0,",
            "pointers fetched together are all the first", "nine inputs",
        ),
        (
            "abi.register(KERNARG_POINTER), offset)", "abi.register(KERNARG_POINTER), max(0, offset - 8))",
            "pointers are fetched from where the ones before lie", "nine inputs",
        ),
    ),
    *faults_in(
        "asmgen/select/memory.py",
        (
            "global_load_ushort", "global_load_ubyte",
            "a lone half is loaded as a byte", "softmax(rows=33,cols=51,dtype=f16)",
        ),
        (
            ', "v_add_u32",', ', "v_sub_u32",',
            "an offset beyond the immediate is subtracted", "softmax(rows=2,cols=40000)",
        ),
    ),
)  # fmt: skip
