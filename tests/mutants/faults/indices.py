"""Faults of index expressions, which give the place of the elements of a tile."""

from __future__ import annotations

from tests.mutants.planting import fault

FAULTS = (
    fault(
        "expression._quotient", "rest.high // divisor", "0",
        "a quotient that begins with zero is zero", "add f32 {2,3,4,4} by {4,4}",
    ),
    fault(
        "expression._remainder", "_remainder(smaller, divisor // common) * common", "_remainder(smaller, divisor // common)",
        "a remainder lacks its common factor", "sub i32 {2,3,4,5} by {4,5}",
    ),
    fault(
        "Index.substitute", "self.constant", "0",
        "substitution drops the constant of an index", "vecadd(n=261)",
    ),
    fault(
        "_interned", "atom.low if coefficient > 0 else atom.high", "atom.high",
        "the lower bound of an index is its upper bound", "vecadd(n=261)",
    ),
    fault(
        "_interned", "atom.high if coefficient > 0 else atom.low", "atom.low",
        "the upper bound of an index is its lower bound", "vecadd(n=261)",
    ),
    fault(
        "expression._minimum", "of.high", "of.low",
        "an index whose lower bound is below a limit is not clamped", "vecadd(n=999,dtype=f16)",
    ),
    fault(
        "expression._joined", "atom.by * gone[0].by", "atom.by",
        "two joined remainders become the inner remainder", "sub i32 {2,3,4,5} by {4,5}",
    ),
)  # fmt: skip
