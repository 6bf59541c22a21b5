"""The verdict of a verification: a line an output, and the parts that could not be tried."""

from __future__ import annotations

from msgspec import Struct

from asmgen.graph.reference import Comparison

_SHOWN_OPS = 4


class OutputVerdict(Struct, frozen=True):
    """The worst run of an output, and its distance from the reference. The bounds follow from the `ops` of
    the graph."""

    output: str
    run: str
    comparison: Comparison
    bounds_hold: bool = True
    ops: tuple[str, ...] = ()

    @property
    def is_broken(self) -> bool:
        return self.bounds_hold and self.comparison.is_broken

    def __str__(self) -> str:
        verdict = (
            "BROKEN"
            if self.is_broken
            else "ok"
            if self.bounds_hold
            else "bounds do not apply under --fast-math"
        )
        first, *others = str(self.comparison).split("\n")
        lines = [f"{self.output}: {verdict}, {first}", *others, f"  run: {self.run}"]
        if others and self.ops and self.bounds_hold:
            lines.append(f"  bound: that of {_listed(self.ops)} (docs/numerics.md)")
        return "\n".join(lines)


def _listed(ops: tuple[str, ...]) -> str:
    shown = ", ".join(ops[:_SHOWN_OPS])
    return shown if len(ops) <= _SHOWN_OPS else f"{shown} and {len(ops) - _SHOWN_OPS} other ops"


class Verification(Struct, frozen=True):
    """The checks, an entry an output, the other sizes that were tried, and notes on those that could not be.

    `runs` counts the runs of the program. `scope` says which workgroups of a large program ran.
    """

    checks: tuple[OutputVerdict, ...]
    notes: tuple[str, ...]
    runs: int
    sizes: tuple[str, ...] = ()
    scope: str = ""

    @property
    def is_broken(self) -> bool:
        return any(check.is_broken for check in self.checks)
