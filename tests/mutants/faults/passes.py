"""Faults of the passes on machine programs, before and after allocation."""

from __future__ import annotations

from tests.mutants.planting import fault

FAULTS = (
    fault(
        "_float_of_byte", "_FLOATS_OF_BYTES[field.first // _BYTE_BITS]", "_FLOATS_OF_BYTES[0]",
        "every byte is the lowest", "bytes as f32",
    ),
    fault(
        "common._key",
        "Trait.COMMUTES in instr.row.traits and (not instr.modifiers) and (len(operands) == 2) and (operands[0] != operands[1])",
        "not instr.modifiers and len(operands) == 2 and (operands[0] != operands[1])",
        "CSE merges a - b and b - a", "differences i32",
    ),
    fault(
        "Copies.note", "self._sources.get(theirs, theirs)", "theirs + 1",
        "a copy is replaced by the register after its source", "sub i32 {2,3,4,5} by {4,5}",
    ),
    fault(
        "scc_sources", "is_awaited and writer >= 0", "False",
        "a loop's comparison is dead", "sum f32 {76,32,20,16} over {0,2}",
    ),
    fault(
        "_IDENTITIES", "(Operation.SUBTRACT, 1, 0)", "(Operation.SUBTRACT, 0, 0)",
        "0 - x is x", "neg i32 {2,3,4,6}",
    ),
    fault(
        "_unmasked", "bits is not None and not facts.largest(other) & ~bits", "bits is not None",
        "a mask that clears bits is left out", "add f32 {2,3,4,4} by {4,4}",
    ),
    fault(
        "_cheaper_product", "bits.bit_length() - 1", "bits.bit_length()",
        "a product by a power of two is twice as large", "integers by constants",
    ),
    fault(
        "_cheaper_product",
        "all(facts.largest(source) < 1 << 24 for source in inputs)",
        "any(facts.largest(source) < 1 << 24 for source in inputs)",
        "a factor beyond 24 bits is cut", "integers by constants",
    ),
    fault("VECTOR_FUSIONS", '"v_add3_u32"', '"v_or3_b32"', "three integers are joined as bits", "sums of integers"),
    fault(
        "fused", "inner.other", "inner.inputs[0]",
        "a fused instruction forgets its other operand", "sums of integers",
    ),
    fault(
        "VECTOR_FUSIONS", '"v_add_lshl_u32"', '"v_lshl_add_u32"',
        "a shifted sum is a sum with a shift", "softmax(rows=33,cols=50)",
    ),
    fault(
        "_SCALAR_SHIFT_ADDS", '{2: "s_lshl2_add_u32"}', '{2: "s_lshl3_add_u32"}',
        "a scalar sum shifts by three", "sum then add",
    ),
    fault(
        "_without_redundant_moves", "held.forget(instr)", "_ = instr",
        "moves that bring a new value are removed", "loop of two",
    ),
    fault(
        "_short_constant", "source.bits - (1 << 32) if source.bits >> 31 else source.bits", "source.bits & 0x7FFF",
        "a constant of an instruction is cut to 15 bits", "sub i32 {2,3,4,5} by {4,5}",
    ),
    fault(
        "_short_forms", "exchanged_rows(target, table)", "table.named(target.name)",
        "operands are exchanged for a short encoding", "softmax(rows=5,cols=300)",
    ),
    fault(
        "dual._partner", "second.named.read & first.named.written", "0",
        "the second instruction of a pair reads the result of the first", "softmax(rows=5,cols=300)@gfx1100",
    ),
    fault(
        "dual._partner", "between.let(second.named)", "True",
        "the second instruction of a pair moves before its operands", "softmax(rows=5,cols=300)@gfx1100",
    ),
    fault(
        "fill._Filling._filler", "between.let(named)", "True",
        "an instruction moves before its operands", "softmax(rows=5,cols=300)",
    ),
    fault(
        "_Builder._write", "self._readers.pop(unit, ())", "()",
        "an instruction moves before the reader of what it overwrites", "row_sum(rows=33,cols=40)",
    ),
)  # fmt: skip
