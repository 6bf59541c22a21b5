"""Runs the fuzzer: draws programs from a seed, runs our passes, and asks LLVM in batches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

from msgspec import Struct, field

from asmgen.passes.waits.delays import insert_delays
from asmgen.passes.waits.hazards import insert_nops
from asmgen.passes.waits.waitcnt import insert_waits
from isa.instruction import Instr
from isa.program import Kernel
from isa.targets import TargetId
from isa.text.printing import format_instr
from tools.fuzz.corners import Case, corner_of
from tools.fuzz.programs import Pool, Program, judged_lines, machine_program, smaller
from tools.judge import STRONGER, WEAKER, Finding, Judge, Judgement, Line
from tools.llvm_hazards import Refusal

BATCH = 500
_ROUNDS = 60  # of shrinking


def finish(kernel: Kernel) -> Kernel:
    """The passes after allocation that insert waits."""
    return insert_delays(insert_nops(insert_waits(kernel)))


class Failure(Struct, frozen=True):
    """A program for which LLVM wants more waits, or fewer; `number` is its number within the seed."""

    number: int
    program: Program
    kinds: frozenset[str]


class Figures(Struct):
    """The totals of a run; `corners` counts findings by the corner that explains them."""

    programs: int = 0
    refused: int = 0
    places: int = 0
    weaker: int = 0
    stronger: int = 0
    corners: Counter[str] = field(default_factory=Counter[str])
    delays: Counter[str] = field(default_factory=Counter[str])  # delay hints, by how ours compare with LLVM's
    failures: list[Failure] = field(default_factory=list)

    @property
    def stronger_share(self) -> float:
        return self.stronger / max(1, self.places)


class Fuzzer:
    """Random programs for a target and a seed; `share` and `part` are as in `Pool`."""

    def __init__(
        self,
        target: TargetId,
        seed: int,
        finish: Callable[[Kernel], Kernel] = finish,
        share: int = 1,
        part: int = 0,
    ) -> None:
        self.target = target
        self.seed = seed
        self.finish = finish
        self.pool = Pool(target, seed, share, part)
        self.judge = Judge(target)
        self.refused = self._drop_refused()

    def _drop_refused(self) -> list[str]:
        """Drop the instructions without machine IR in LLVM."""
        instrs = self.pool.instructions()
        texts = [format_instr(instr) for instr in instrs]
        answers = self.judge.oracle.run([[text] for text in texts], self.judge.hazard_passes)
        refused: list[str] = []
        for instr, answer in zip(instrs, answers, strict=True):
            if isinstance(answer, Refusal):
                self.pool.drop(instr)
                refused.append(str(answer))
        return refused

    def run(self, count: int) -> Figures:
        """Judge `count` programs."""
        figures = Figures()
        for first in range(0, count, BATCH):
            numbers = range(first, min(first + BATCH, count))
            programs = [self.pool.program(Random(f"{self.seed}/{number}")) for number in numbers]
            for number, program, (judgement, instrs) in zip(
                numbers, programs, self.judged(programs), strict=True
            ):
                self._count(figures, number, program, judgement, instrs)
        return figures

    def judged(self, programs: list[Program]) -> Iterator[tuple[Judgement, list[Instr | None]]]:
        """The judgement of each program, and the instruction of each of its lines."""
        texts = [judged_lines(self.finish(machine_program(program, self.target))) for program in programs]
        judgements = self.judge.judge([lines for lines, _ in texts])
        return zip(
            judgements,
            (_by_line(judgement, *text) for judgement, text in zip(judgements, texts, strict=True)),
            strict=True,
        )

    def _count(
        self,
        figures: Figures,
        number: int,
        program: Program,
        judgement: Judgement,
        instrs: list[Instr | None],
    ) -> None:
        figures.programs += 1
        figures.refused += judgement.refused
        figures.places += judgement.places
        figures.delays.update(
            _delays(ours.delay, theirs.delay)
            for _, ours, theirs in judgement.sides
            if ours.delay or theirs.delay
        )
        kinds: set[str] = set()
        strong_places: set[int] = set()
        for finding in judgement.findings:
            name = self.explained(finding, judgement, instrs)
            if name:
                figures.corners[name] += 1
            elif finding.kind == WEAKER:
                figures.weaker += 1
                kinds.add(WEAKER)
            elif finding.kind == STRONGER:
                strong_places.add(finding.index)
                kinds.add(STRONGER)
        figures.stronger += len(strong_places)
        if kinds:
            figures.failures.append(Failure(number, program, frozenset(kinds)))

    def explained(self, finding: Finding, judgement: Judgement, instrs: list[Instr | None]) -> str:
        """The name of the corner that explains a finding, or an empty text."""
        consumer = instrs[finding.index]
        if consumer is None:
            return ""
        others = tuple(
            instr
            for line, instr in zip(judgement.lines, instrs, strict=True)
            if instr is not None and self.judge.wait(line) is None
        )
        corner = corner_of(Case(finding, consumer, others, self.target.target))
        return corner.name if corner is not None else ""

    def faults(self, judgement: Judgement, instrs: list[Instr | None], kind: str) -> list[Finding]:
        """The findings of a kind that no corner explains."""
        return [
            finding for finding in judgement.of_kind(kind) if not self.explained(finding, judgement, instrs)
        ]

    def shrink(self, program: Program, kind: str) -> Program:
        """Shrink the program as long as it has a fault of this kind."""
        for _ in range(_ROUNDS):
            candidates = smaller(program)
            judged = zip(candidates, self.judged(candidates), strict=True)
            failing = next(
                (
                    candidate
                    for candidate, (judgement, instrs) in judged
                    if self.faults(judgement, instrs, kind)
                ),
                None,
            )
            if failing is None:
                return program
            program = failing
        return program


def _delays(ours: str, theirs: str) -> str:
    return (
        "the same"
        if ours == theirs
        else "ours alone"
        if not theirs
        else "LLVM's alone"
        if not ours
        else "different"
    )


def _by_line(judgement: Judgement, lines: list[Line], instrs: list[Instr | None]) -> list[Instr | None]:
    """The instructions of the lines that the judge compared."""
    by_number = {line.number: instr for line, instr in zip(lines, instrs, strict=True)}
    return [by_number[line.number] for line in judgement.lines]
