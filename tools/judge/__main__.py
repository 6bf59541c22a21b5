"""`python -m tools.judge FILE.s [--target T]`: the waits before each instruction, next to LLVM's."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from isa.targets import parse_target
from tools.judge import WEAKER, Judge, Judgement, functions_of, target_of
from tools.llvm_hazards.decode import Inserted


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.judge",
        description="Judge the waits and wait states of an assembly by LLVM's own passes.",
    )
    parser.add_argument("file", type=Path)
    parser.add_argument(
        "--target", default="", help="by default the file's; a plain id means that XNACK may be on"
    )
    parser.add_argument("--all", action="store_true", help="also show places without a difference")
    options = parser.parse_args(arguments)
    text = options.file.read_text()
    judge = Judge(parse_target(options.target or target_of(text) or "gfx942"))
    judgements = judge.judge(functions_of(text))
    for judgement in judgements:
        show(judgement, str(options.file), options.all)
    faults = sum(judgement.refused or bool(judgement.of_kind(WEAKER)) for judgement in judgements)
    return 1 if faults else 0


def show(judgement: Judgement, name: str, equal_too: bool) -> None:
    """Print a line for each place with waits of ours or LLVM's, and the verdict."""
    at_place = {
        index: [finding for finding in judgement.findings if finding.index == index]
        for index, _, _ in judgement.sides
    }
    for index, ours, theirs in judgement.sides:
        line = judgement.lines[index]
        verdict = ", ".join(f"{finding.kind} ({finding.what})" for finding in at_place[index]) or "equal"
        if at_place[index] or equal_too or ours[:3] != theirs[:3]:
            print(
                f"{name}:{line.number}: {verdict}: ours {spelt(ours)}, LLVM {spelt(theirs)}, "
                f"before {line.text}"
            )
    for finding in judgement.findings:
        if finding.index not in at_place:
            print(f"{name}:{finding}")
    kinds = [finding.kind for finding in judgement.findings]
    print(
        f"{name}: {judgement.places} places, "
        f"{', '.join(f'{kinds.count(kind)} {kind}' for kind in ('weaker', 'stronger', 'refused'))}"
    )


def spelt(side: Inserted) -> str:
    parts = [f"{side.states} states"] if side.states else []
    parts += [f"{name}({count})" for name, count in side.counts.items()]
    parts += [f"{side.idle} idle"] if side.idle else []
    parts += [f"delay {side.delay}"] if side.delay else []
    return " ".join(parts) or "nothing"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
