"""Faults of the selection of addresses, accesses, branches and masks of lanes."""

from __future__ import annotations

from tests.mutants.planting import fault

FAULTS = (
    fault(
        "Interface.argument", "self.parameters.index(parameter)", "max(0, self.parameters.index(parameter) - 1)",
        "the second buffer is read at the place of the first buffer", "differences",
    ),
    fault(
        "linear_form", "factor * literal", "literal",
        "a constant of an index is not scaled to bytes", "softmax(rows=2,cols=40000)",
    ),
    fault(
        "_add_vector", "(part, Immediate(shift), total)", "(part, Immediate(shift), part)",
        "the vector part of an index drops the rest", "row_sum(rows=3,cols=9000)",
    ),
    fault(
        "address._shift", "factor.bit_length() - 1 if factor & (factor - 1) == 0 else None", "factor.bit_length() - 1",
        "a multiple by a number that is not a power of two is a shift", "softmax f32 {16,4,107,6} axis 2",
    ),
    fault(
        "_put_multiple", "(part, Immediate(factor), total)", "(part, Immediate(factor), part)",
        "a multiply-add adds its factor", "softmax f32 {16,4,107,6} axis 2",
    ),
    fault("masks_of_bytes", "lane % DWORD", "lane % 2", "the third bool of four is read as the first", "where {1,3,4,5}"),
    fault(
        "_join_bytes", "8 * lane", "8 * (lane & 1)",
        "the third bool of four is written as the first", "less f32 {2,3,4,6}",
    ),
    fault(
        "_join_bytes",
        'put_vector(s.emitter, "v_or3_b32" if len(taken) == 3 else "v_or_b32", (joined,), tuple(taken))',
        'put_vector(s.emitter, "v_or_b32", (joined,), tuple(taken[:2]))',
        "the third byte of a bool is lost", "less f32 {2,3,4,6}",
    ),
    fault("_last_if", "MaskOperation.AND", "MaskOperation.OR", "lanes without elements continue", "gelu(n=1000)"),
    fault(
        "_one_sided_if", "emitter.put_mask(MaskOperation.MOVE, emitter.masks.exec, saved)", "",
        "EXEC stays narrow behind an if", "row_sum(rows=5,cols=300)",
    ),
    fault(
        "_one_sided_if",
        "emitter.put_mask(MaskOperation.AND_SAVE_EXEC, saved, mask)",
        "emitter.put_mask(MaskOperation.MOVE, saved, emitter.masks.exec)",
        "all lanes enter an if without an else", "outputs of two shapes",
    ),
    fault(
        "allocated_bytes", "round_up(number(type_.elements) * type_.element.bytes, WIDEST_ACCESS)", "number(type_.elements)",
        "buffers of LDS overlap", "softmax(rows=5,cols=300)",
    ),
    fault(
        "_LESS_SCALAR", '{False: "s_cmp_lt_u32"}', '{False: "s_cmp_le_u32"}',
        "a loop runs one more trip", "sum f32 {76,32,20,16} over {0,2}",
    ),
    fault(
        "_entered_for",
        "take_arguments(s, statement.results, scalars, vectors)",
        "take_arguments(s, statement.results, scalars, vectors[:1] * len(vectors))",
        "every result of a loop is the first result", "loop of three",
    ),
    fault(
        "_pointer_of", "POINTER_DWORDS * number", "0",
        "pointers fetched together are all the first pointer", "nine inputs",
    ),
    fault(
        "_fetch",
        "s.emitter.put_access((KERNEL_ARGUMENTS,), name, register, pointer, offset)",
        "s.emitter.put_access((KERNEL_ARGUMENTS,), name, register, pointer, max(0, offset - 8))",
        "pointers are fetched from the place of the pointer before", "nine inputs",
    ),
    fault(
        "global_memory.LOADS", '"global_load_ushort"', '"global_load_ubyte"',
        "a lone half is loaded as a byte", "softmax(rows=33,cols=51,dtype=f16)",
    ),
    fault(
        "_with_offset.make", '"v_add_u32"', '"v_sub_u32"',
        "an offset beyond the immediate is subtracted", "softmax(rows=3,cols=9001)",
    ),
)  # fmt: skip
