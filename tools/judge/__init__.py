"""Judges the waits and wait states of an assembly by LLVM's own passes; the command is `python -m tools.judge
FILE.s`."""

from __future__ import annotations

from collections.abc import Sequence

from isa.targets import parse_target
from tools.judge.judging import REFUSED, STRONGER, WEAKER, Finding, Judge, Judgement, missing, oracle_for
from tools.judge.lines import Line, after_prologue, bare_list, kernels, target_of

__all__ = [
    "REFUSED", "STRONGER", "WEAKER", "Finding", "Judge", "Judgement", "Line", "bare_list", "functions_of",
    "judge", "kernels", "missing", "oracle_for", "target_of",
]  # fmt: skip


def judge(assembly: str, target: str = "") -> list[Finding]:
    """Every difference between an assembly's waits and LLVM's, in text order. `target` defaults to the
    file's."""
    judge = Judge(parse_target(target or target_of(assembly)))
    return [finding for judgement in judge.judge(functions_of(assembly)) for finding in judgement.findings]


def functions_of(assembly: str) -> Sequence[list[Line]]:
    """The functions of a text; a text without directives is a single list of instructions."""
    return (
        [after_prologue(lines) for lines in kernels(assembly)]
        if target_of(assembly)
        else [bare_list(assembly)]
    )
