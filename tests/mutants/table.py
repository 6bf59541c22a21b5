"""`python -m tests.mutants [faults] [wrong] [edits] [--only TEXT]` prints the verdicts of `--verify` as Markdown.

It runs for many minutes. `--only` takes the programs, faults or kernels with TEXT in their name.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from asmgen.kernels import CATALOGUE
from tests.mutants.builders import Subject
from tests.mutants.conformance import (
    CATALOGUE_SUBJECTS,
    DEFAULTS,
    NORM_SUBJECTS,
    POINTWISE_SUBJECTS,
    REDUCE_SUBJECTS,
)
from tests.mutants.edits import KINDS as EDITS
from tests.mutants.faults import FAULTS
from tests.mutants.test_edited_assembly import found_edits, shapes
from tests.mutants.test_wrong_results import found_ways
from tests.mutants.workers import Question, answered, pool
from tests.mutants.wrong_results import KINDS

_CONFORMANCE = {
    "pointwise": POINTWISE_SUBJECTS,
    "reductions": REDUCE_SUBJECTS,
    "softmax and norms": NORM_SUBJECTS,
}
_NAMED, _MISSED, _NONE = "named", "missed", "not applicable"


def wrong_results(only: str) -> None:
    groups = {name: [s for s in (*CATALOGUE_SUBJECTS, *DEFAULTS) if s.kernel == name] for name in CATALOGUE}
    groups |= {f"conformance: {name}": list(subjects) for name, subjects in _CONFORMANCE.items()}
    missed: list[str] = []
    reasons: Counter[tuple[str, str]] = Counter()
    print(
        f"## Wrong results\n\n{_row(('programs', 'of them', *KINDS))}{_row(['---'] * (2 + len(KINDS)))}",
        end="",
    )
    for group, subjects in groups.items():
        chosen = [subject for subject in subjects if only in subject.name]
        counts = {kind: Counter[str]() for kind in KINDS}
        for subject in chosen:
            _tell(subject.name)
            for kind, ways in found_ways(subject).items():
                counts[kind].update(_counted(subject, kind, ways, missed, reasons))
        if chosen:
            print(_row((group, str(len(chosen)), *(_shown(counts[kind]) for kind in KINDS))), end="", flush=True)
    _list("Not found", missed)
    _list(
        "Not applicable",
        [f"{kind}: {reason} ({count} programs)" for (kind, reason), count in sorted(reasons.items())],
    )


def _counted(
    subject: Subject,
    kind: str,
    ways: dict[str, str] | str,
    missed: list[str],
    reasons: Counter[tuple[str, str]],
) -> list[str]:
    if isinstance(ways, str):
        reasons[kind, ways] += 1
        return [_NONE]
    missed += [f"{subject.name}: {kind}, {name}" for name, said in ways.items() if not said]
    return [_NAMED if said else _MISSED for said in ways.values()]


def planted_faults(only: str) -> None:
    print(
        f"\n## Faults planted in the compiler\n\n{_row(('definition', 'what it breaks', 'program', 'named'))}",
        _row(["---"] * 4),
        end="",
    )
    counts: Counter[str] = Counter()
    for fault in FAULTS:
        if only not in f"{fault.where} {fault.breaks}":
            continue
        _tell(f"{fault.where}: {fault.breaks}")
        with pool() as executor:
            made = executor.submit(answered, Question(fault, fault.programs, run=False, verify=True)).result()
        for name, found in made.items():
            counts[_NAMED if found.named else _MISSED] += 1
            print(_row((fault.where, fault.breaks, name, found.named[:60] or "NOT NAMED")), end="", flush=True)
    print(f"\n{len(FAULTS)} faults; {_shown(counts)} (fault and program)")


def edited_assembly(only: str) -> None:
    print(
        f"\n## Edited assembly, `--against`\n\n{_row(('kernel', *EDITS))}{_row(['---'] * (1 + len(EDITS)))}",
        end="",
    )
    missed: list[str] = []
    for kernel in CATALOGUE:
        if only not in kernel:
            continue
        counts = {kind: Counter[str]() for kind in EDITS}
        with tempfile.TemporaryDirectory() as folder:
            for settings in shapes(kernel):
                _tell(f"{kernel} {settings}")
                for edit, said in found_edits(kernel, settings, Path(folder)):
                    counts[edit.kind][_NAMED if said else _MISSED] += 1
                    missed += [] if said else [f"{kernel} {dict(settings)}: line {edit.line}, {edit.kind}"]
        print(_row((kernel, *(_shown(counts[kind]) for kind in EDITS))), end="", flush=True)
    _list("Not found", missed)


def _shown(counts: Counter[str]) -> str:
    return ", ".join(f"{counts[what]} {what}" for what in (_NAMED, _MISSED, _NONE) if counts[what]) or "none to make"


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "/").replace("\n", " ") for cell in cells) + " |\n"


def _list(title: str, lines: list[str]) -> None:
    print(f"\n{title}: {len(lines)}\n")
    print("".join(f"* {line}\n" for line in lines), end="", flush=True)


def _tell(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


_TABLES: dict[str, Callable[[str], None]] = {
    "faults": planted_faults,
    "wrong": wrong_results,
    "edits": edited_assembly,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    _ = parser.add_argument("tables", nargs="*", choices=[*_TABLES, []], help="the tables to print; default: all")
    _ = parser.add_argument("--only", default="", help="a part of the name")
    arguments = parser.parse_args()
    for name in arguments.tables or _TABLES:
        _TABLES[name](arguments.only)
