"""Faults in the allocation of registers that its own check lets through."""

from __future__ import annotations

from tests.mutants.planting import faults_in

FAULTS = (
    *faults_in(
        "regalloc/linear_scan.py",
        (
            "1 and not self.special >> base & 1", "1",
            "a register promised to a tuple is given away", "softmax(rows=5,cols=300)",
        ),
        (
            "occupied |= 1 << place\n        self.", "",
            "a register that holds a value is given away", "vecadd(n=261)",
        ),
        (
            "& ~taken) >> k", "& ~taken)",
            "a tuple takes registers that are not all free", "softmax(rows=5,cols=300)",
        ),
    ),
    *faults_in(
        "regalloc/intervals.py",
        (
            "unit] = written\n", "unit] = written - 2\n",
            "a value dies before its last use", "row_sum(rows=5,cols=300)",
        ),
        (
            ".fromkeys(leaving, begin + 2 * len(block.uses)", "[int, int](",
            "what leaves a block counts as dead there", "row_sum(rows=5,cols=300)",
        ),
    ),
    *faults_in(
        "regalloc/copies.py",
        (
            "if not self.unread", "if self.unread",
            "the edges of a loop have no copies", "loop of three",
        ),
    ),
    *faults_in(
        "regalloc/allocate.py",
        (
            "instructions)), ())", "instructions)), ())[1:]",
            "the first copy at the end of a block is left out", "sum f32 {76,32,20,16} over {0,2}",
        ),
        (
            "not _moves_nothing(rewritten",
            "Trait.MOVE not in rewritten.row.traits or not isinstance(rewritten.operands[1], Register",
            "moves between registers are left out", "softmax(rows=5,cols=300)",
        ),
        (
            "in block.linear)", "in block.linear[::-1])",
            "the sides of a branch are exchanged", "softmax(rows=2,cols=40000)",
        ),
    ),
)  # fmt: skip
