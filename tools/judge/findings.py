"""What the judge finds: one difference between what we wait for and what LLVM does."""

from __future__ import annotations

from msgspec import Struct, field

from tools.judge.lines import Line
from tools.llvm_hazards.decode import Inserted

WEAKER, STRONGER, REFUSED = "weaker", "stronger", "refused"


class Finding(Struct, frozen=True):
    """One difference: `kind` is weaker, stronger or refused; `what` a counter, `states` or `idle`; `wanted`
    is LLVM's.

    `index` is the place among the labels and instructions judged.
    """

    kind: str
    line: Line
    what: str
    ours: int
    wanted: int
    reason: str = ""
    index: int = -1

    def __str__(self) -> str:
        if self.kind == REFUSED:
            return f"{self.line.number}: refused: {self.reason}"
        return (
            f"{self.line.number}: {self.kind}: {self.what} {self.ours}, LLVM {self.wanted}, before "
            f"{self.line.text}"
        )


class Judgement(Struct):
    """One function: the findings in the order of the text, how many places were compared, and what was at
    each.

    `sides` holds, of each place where either side has something, the index, what we have and what LLVM puts
    there.
    """

    lines: list[Line]
    findings: list[Finding] = field(default_factory=list)
    places: int = 0
    sides: list[tuple[int, Inserted, Inserted]] = field(default_factory=list)

    @property
    def refused(self) -> bool:
        return any(finding.kind == REFUSED for finding in self.findings)

    def of_kind(self, kind: str) -> list[Finding]:
        return [finding for finding in self.findings if finding.kind == kind]


def missing(findings: list[Finding]) -> list[Finding]:
    """Those that make a program wrong, or that LLVM could not judge."""
    return [finding for finding in findings if finding.kind in (WEAKER, REFUSED)]
