"""Faults in index expressions, by which tiles say where their elements are."""

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
        "an index whose parts are replaced loses its constant", "vecadd(n=261)",
    ),
    fault(
        "_interned", "atom.low if coefficient > 0 else atom.high", "atom.high",
        "the least that an index is counts as its greatest", "vecadd(n=261)",
    ),
    fault(
        "_interned", "atom.high if coefficient > 0 else atom.low", "atom.low",
        "the greatest that an index is counts as its least", "vecadd(n=261)",
    ),
    fault(
        "expression._minimum", "of.high", "of.low",
        "an index that begins below a limit is not held to it", "vecadd(n=999,dtype=f16)",
    ),
    fault(
        "expression._joined", "atom.by * gone[0].by", "atom.by",
        "two remainders are joined as the inner one", "sub i32 {2,3,4,5} by {4,5}",
    ),
)  # fmt: skip
