"""`python -m tools.fuzz --target T --count N --seed S`: LLVM judges our waits and wait states in random
programs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from isa.targets import parse_target
from tools.fuzz.running import Failure, Fuzzer
from tools.judge import STRONGER, WEAKER
from tools.judge.__main__ import spelt


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.fuzz",
        description="LLVM judges our waits and wait states in random programs.",
    )
    parser.add_argument("--target", default="gfx942", help="a target id: gfx942:xnack-, gfx1100:wave64")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--show", type=int, default=3, help="number of failures of each kind to shrink and show"
    )
    parser.add_argument("--kind", choices=(WEAKER, STRONGER), help="show only failures of this kind")
    parser.add_argument("--only", type=int, help="show only the program with this number")
    options = parser.parse_args(arguments)
    fuzzer = Fuzzer(parse_target(options.target), options.seed)
    figures = fuzzer.run(options.count)
    for kind in (WEAKER, STRONGER) if options.kind is None else (options.kind,):
        shown = [
            failure
            for failure in figures.failures
            if kind in failure.kinds and options.only in (None, failure.number)
        ]
        for failure in shown[: options.show]:
            _show(fuzzer, failure, kind)
    print(
        f"{options.target} seed {options.seed}: {figures.programs} programs, {figures.places} "
        f"places, {figures.weaker} weaker, "
        f"{figures.stronger} stronger ({figures.stronger_share:.2%}), {figures.refused} "
        f"refused; {len(fuzzer.refused)} instructions skipped"
    )
    for name, count in figures.corners.most_common():
        print(f"  corner {name}: {count}")
    if figures.delays:
        print(f"  delays: {', '.join(f'{count} {name}' for name, count in figures.delays.most_common())}")
    return 1 if figures.weaker else 0


def _show(fuzzer: Fuzzer, failure: Failure, kind: str) -> None:
    """Print a shrunk failure, with the waits at each place."""
    program = fuzzer.shrink(failure.program, kind)
    ((judgement, instrs),) = fuzzer.judged([program])
    faults = fuzzer.faults(judgement, instrs, kind)
    print(f"# {kind}: --target {fuzzer.target} --seed {fuzzer.seed} --only {failure.number}")
    sides = {index: (ours, theirs) for index, ours, theirs in judgement.sides}
    for index, line in enumerate(judgement.lines):
        texts = [
            f"{finding.what} {finding.ours}, LLVM {finding.wanted}"
            for finding in faults
            if finding.index == index
        ]
        ours, theirs = sides.get(index, (None, None))
        judged = (
            f"ours {spelt(ours)} | LLVM alone {spelt(theirs)}"
            if ours is not None and theirs is not None
            else ""
        )
        print(f"  {line.text:<64} {judged}{'  <-- ' + '; '.join(texts) if texts else ''}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
