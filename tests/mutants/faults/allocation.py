"""Faults of register allocation. They are planted without the check of allocations."""

from __future__ import annotations

from tests.mutants.planting import fault

FAULTS = (
    fault(
        "LinearScan._fits", "owner.count == 1 and not self.special >> base & 1", "owner.count == 1",
        "another value gets a register that is reserved for a tuple", "softmax(rows=5,cols=300)",
    ),
    fault("LinearScan._hold", "self.occupied |= 1 << place", "", "another value gets a register that is in use", "vecadd(n=261)"),
    fault(
        "LinearScan._candidates", "(inside & ~self._parked(unit) if parked else inside) >> k", "(inside & ~self._parked(unit) if parked else inside)",
        "a tuple takes registers that are not all free", "softmax(rows=5,cols=300)",
    ),
    fault(
        "_walk_block", "end_of[unit] = written", "end_of[unit] = written - 2",
        "a value dies before its last use", "row_sum(rows=5,cols=300)",
    ),
    fault(
        "_walk_block", "dict.fromkeys(leaving, begin + 2 * len(block.uses))", "dict[int, int]()",
        "values live out of a block count as dead there", "row_sum(rows=5,cols=300)",
    ),
    fault(
        "CopyPlacer._arguments", "not self.unread.issuperset(parameter.units)", "self.unread.issuperset(parameter.units)",
        "the edges of a loop have no copies", "loop of three",
    ),
    fault(
        "_rewrite_block",
        "insertions.get((number, len(block.instructions)), ())",
        "insertions.get((number, len(block.instructions)), ())[1:]",
        "the first copy at the end of a block is left out", "sum f32 {76,32,20,16} over {0,2}",
    ),
    fault(
        "_rewrite_block",
        "not _moves_nothing(rewritten)",
        "Trait.MOVE not in rewritten.row.traits or not isinstance(rewritten.operands[1], Register)",
        "moves between registers are left out", "softmax(rows=5,cols=300)",
    ),
    fault(
        "_rewrite_block", "block.linear", "block.linear[::-1]",
        "the sides of a branch are exchanged", "softmax(rows=2,cols=40000)",
    ),
)  # fmt: skip
