"""Measures programs in a process of its own: `python -m tools.judge_choices.measured` reads a `Job` and
writes a list of `Measured`, both as JSON."""

from __future__ import annotations

import sys
from hashlib import sha256

import msgspec
from msgspec import Struct

import asmgen
from isa.timing.chips import CHIPS
from tools.scoreboard.cases import Case
from tools.scoreboard.clocks import clocks_of
from tools.scoreboard.figures import Figures
from tools.scoreboard.programs import measure_ours


class Job(Struct):
    """The programs to measure for a target. A program with its code in `known` is only compiled."""

    target: str
    cases: list[Case]
    known: list[str] = []


class Measured(Struct):
    """The code of a program, as a digest; its clocks, launches included; and its figures on the scoreboard,
    None if its code is known."""

    code: str
    clocks: float = 0.0
    figures: Figures | None = None


def measure(job: Job) -> list[Measured]:
    known = frozenset(job.known)
    return [_measured(case, job.target, known) for case in job.cases]


def _measured(case: Case, target: str, known: frozenset[str]) -> Measured:
    program = asmgen.compile(case.text, target=target, fast_math=case.fast_math)
    parts = [f"{kernel.assembly} {kernel.workgroups} {kernel.block}" for kernel in program.kernels]
    code = sha256("".join(parts).encode()).hexdigest()
    if code in known:
        return Measured(code)
    ours = measure_ours(case, target)
    started = CHIPS[target].launch_clocks * len(ours.launches)
    return Measured(code, clocks_of(ours.launches) + started, ours.figures)


if __name__ == "__main__":
    job = msgspec.json.decode(sys.stdin.buffer.read(), type=Job)
    _ = sys.stdout.buffer.write(msgspec.json.encode(measure(job)))
