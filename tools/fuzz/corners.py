"""Where we and LLVM part, and are right to: each corner with its reason, told by rows and facts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from isa.instruction import Instr, Trait
from isa.targets import Target
from tools.judge import STRONGER, WEAKER, Finding


@dataclass(frozen=True, slots=True)
class Case:
    """One finding with the instructions around it: `consumer` waits, `others` are all of the program's, waits apart."""

    finding: Finding
    consumer: Instr
    others: tuple[Instr, ...]
    target: Target


@dataclass(frozen=True, slots=True)
class Corner:
    """A difference that is no fault: of this kind, where `holds`."""

    name: str
    reason: str
    kind: str
    holds: Callable[[Case], bool]


def corner_of(case: Case) -> Corner | None:
    return next((corner for corner in CORNERS if corner.kind == case.finding.kind and corner.holds(case)), None)


def _with_lds_dma(case: Case) -> bool:
    return any(Trait.LDS_DMA in instr.row.traits for instr in case.others)


def _before_a_barrier(case: Case) -> bool:
    return bool(case.consumer.row.traits & {Trait.BARRIER, Trait.SIGNAL})


CORNERS: tuple[Corner, ...] = (
    Corner("barrier", "the waits before a barrier are the memory legaliser's, which this judge is not", STRONGER, _before_a_barrier),
    Corner(
        "LDS DMA", "LLVM waits for what comes to LDS only where memory operands say so; the text has none", STRONGER,
        lambda case: _with_lds_dma(case) and case.finding.what != "states",
    ),
)  # fmt: skip
_ = WEAKER
