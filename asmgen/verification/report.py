"""What a verification found: one line an output, and what could not be tried."""

from __future__ import annotations

from msgspec import Struct

from asmgen.graph.reference import Comparison


class OutputVerdict(Struct, frozen=True):
    """The worst run of one output: how it was run, and how far it is from the reference there."""

    output: str
    run: str
    comparison: Comparison
    bounds_hold: bool = True

    @property
    def is_broken(self) -> bool:
        return self.bounds_hold and self.comparison.is_broken

    def __str__(self) -> str:
        verdict = (
            "BROKEN"
            if self.is_broken
            else "ok"
            if self.bounds_hold
            else "not held to the bounds under --fast-math"
        )
        return f"{self.output}: {verdict}, {self.comparison} ({self.run})"


class Verification(Struct, frozen=True):
    """What was checked, one entry an output, the other sizes that were tried, and what could not be.

    `runs` counts how often the program was run. `scope` says which workgroups of a large program ran.
    """

    checks: tuple[OutputVerdict, ...]
    notes: tuple[str, ...]
    runs: int
    sizes: tuple[str, ...] = ()
    scope: str = ""

    @property
    def is_broken(self) -> bool:
        return any(check.is_broken for check in self.checks)
