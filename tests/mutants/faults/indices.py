"""Faults in index expressions, by which tiles say where their elements are."""

from __future__ import annotations

from tests.mutants.planting import faults_in

FAULTS = (
    *faults_in(
        "asmgen/index/expression.py",
        (
            "if rest.low // divisor == rest.high // divisor:\n        return whole",
            "if rest.low // divisor == 0:\n        return whole",
            "a quotient that begins with zero is zero", "add f32 {2,3,4,4} by {4,4}",
        ),
        (
            "divisor // common) * common + rest.constant % common",
            "divisor // common) + rest.constant % common",
            "a remainder lacks its common factor", "sub i32 {2,3,4,5} by {4,5}",
        ),
        (
            "result = constant(self.constant)", "result = constant(0)",
            "an index whose parts are replaced loses its constant", "vecadd(n=261)",
        ),
        (
            "low += coefficient * (atom.low if coefficient > 0 else atom.high)",
            "low += coefficient * atom.high",
            "the least that an index is counts as its greatest", "vecadd(n=261)",
        ),
        (
            "high += coefficient * (atom.high if coefficient > 0 else atom.low)",
            "high += coefficient * atom.low",
            "the greatest that an index is counts as its least", "vecadd(n=261)",
        ),
        (
            "of.high <= limit", "of.low <= limit",
            "an index that begins below a limit is not held to it", "vecadd(n=999,dtype=f16)",
        ),
        (
            "atom.by * gone[0].by", "atom.by",
            "two remainders are joined as the inner one", "sub i32 {2,3,4,5} by {4,5}",
        ),
    ),
)  # fmt: skip
