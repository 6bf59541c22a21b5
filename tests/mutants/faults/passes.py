"""Faults in the passes on machine programs, before allocation and after it."""

from __future__ import annotations

from tests.mutants.planting import faults_in

FAULTS = (
    *faults_in(
        "asmgen/passes/common.py",
        (
            "Trait.COMMUTES in instr.row.traits\n        and not instr", "not instr",
            "a - b and b - a count as one", "differences i32",
        ),
    ),
    *faults_in(
        "asmgen/passes/copies.py",
        (
            "self._sources.get(theirs, theirs)", "theirs + 1",
            "a copy is taken for the register after its source", "sub i32 {2,3,4,5} by {4,5}",
        ),
    ),
    *faults_in(
        "asmgen/passes/dead.py",
        (
            "        if last is not None:\n            self._mark(number, last)\n", "",
            "a loop's comparison is dead", "sum f32 {76,32,20,16} over {0,2}",
        ),
    ),
    *faults_in(
        "asmgen/passes/fold.py",
        ("SUBTRACT, 1, 0", "SUBTRACT, 0, 0", "0 - x is x", "neg i32 {2,3,4,6}"),
        (
            "None and not facts.largest(other) & ~bits", "None",
            "a mask that clears bits is left out", "add f32 {2,3,4,4} by {4,4}",
        ),
        (
            "Immediate(bits.bit_length() - 1)", "Immediate(bits.bit_length())",
            "a product by a power of two is twice as large", "integers by constants",
        ),
        ("all(facts.largest", "any(facts.largest", "a factor beyond 24 bits is cut", "integers by constants"),
    ),
    *faults_in(
        "asmgen/passes/fusions.py",
        (', "v_add3_u32")', ', "v_or3_b32")', "three integers are joined as bits", "sums of integers"),
        (
            "2], inner.other)", "2], inner.inputs[0])",
            "a fused instruction forgets its other operand", "sums of integers",
        ),
        (
            "v_add_lshl_u32", "v_lshl_add_u32",
            "a shifted sum is a sum with a shift", "softmax(rows=33,cols=50)",
        ),
        ("s_lshl2_add_u32", "s_lshl3_add_u32", "a scalar sum shifts by three", "sum then add"),
    ),
    *faults_in(
        "asmgen/passes/peephole.py",
        (
            "held.forget(instr)", "_ = instr",
            "moves are left out that would have brought a new value", "loop of two",
        ),
        (
            "- (1 << 32) if source.bits >> 31 else source.bits", "& 0x7FFF",
            "a constant of an instruction is cut to 15 bits", "sub i32 {2,3,4,5} by {4,5}",
        ),
        (
            "Trait.COMMUTES in target.traits and len", "len",
            "operands are exchanged for a short encoding", "softmax(rows=5,cols=300)",
        ),
    ),
    *faults_in(
        "asmgen/passes/dual.py",
        (
            "(one == number and why is Dependence.ANTI)", "one == number",
            "the second of a pair reads what the first has not written yet",
            "softmax(rows=5,cols=300)@gfx1100",
        ),
        (
            "placed[one] or (", "one != number or (",
            "the second of a pair moves past what it needs", "softmax(rows=5,cols=300)@gfx1100",
        ),
    ),
    *faults_in(
        "asmgen/passes/fill.py",
        (
            "not self._is_free(number, span)", "False",
            "an instruction moves before what it reads", "softmax(rows=5,cols=300)",
        ),
    ),
    *faults_in(
        "asmgen/passes/dependence/graph.py",
        (
            "for reader in self._readers.pop(unit, ()):", "for reader in ():",
            "an instruction moves before the reader of what it overwrites", "row_sum(rows=33,cols=40)",
        ),
    ),
)  # fmt: skip
