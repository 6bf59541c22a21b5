"""`python -m tools.search_cliffs [TARGET...]`: random programs that take far longer than their bytes.

Prints the programs with the most clocks of the clock model for the clocks that their bytes need, the worst of
each kind first, then the slowest compiles. Each has its seed; `--show SEED` prints its text.

    python -m tools.search_cliffs gfx942 gfx1100 --seeds 0:300
    python -m tools.search_cliffs --kind reduction --seeds 0:100
    python -m tools.search_cliffs --show 17

Exits 1 if a program takes more than `--most` times its bound, or a compile more than MOST_SECONDS.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence

from asmgen.cli.progress import progress
from isa.targets import TARGETS
from tools.reasons import exit_status
from tools.search_cliffs.judged import Judged, judged
from tools.search_cliffs.programs import KINDS, random_program

MOST_SECONDS = 3.0


def worst_of_kinds(found: Iterable[Judged], shown: int) -> list[Judged]:
    """The programs with the largest factors of each kind, the kind with the largest first."""
    by_kind: dict[str, list[Judged]] = {}
    for each in sorted(found, key=lambda one: -one.factor):
        by_kind.setdefault(each.program.kind, []).append(each)
    return [each for kind in by_kind.values() for each in kind[:shown]]


def _line(each: Judged) -> str:
    program = each.program
    dims = "".join(f" {name}={size}" for name, size in program.dims.items())
    figures = f"{each.factor:8.1f} {each.clocks:12.0f} clocks {each.launches} launches {each.seconds:6.2f} s"
    steps = [line.split(" = ")[1] for line in program.text.splitlines() if " = " in line]
    first = f"{figures} {each.target:8} {program.kind} --show {program.seed}{dims} {each.note}"
    return f"{first}\n      {'; '.join(steps)}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.search_cliffs", description="Programs far above the bound of their bytes."
    )
    _ = parser.add_argument(
        "targets", nargs="*", metavar="TARGET", help="seeds take the targets in turn; all by default"
    )
    _ = parser.add_argument("--seeds", default="0:100", help="FIRST:END, without END")
    _ = parser.add_argument(
        "--kind", choices=list(KINDS), help="the main step of each program; a random kind by default"
    )
    _ = parser.add_argument("--shown", type=int, default=3, help="programs of each kind to print")
    _ = parser.add_argument("--most", type=float, default=30.0, help="times the bound that are no find")
    _ = parser.add_argument("--limit", type=float, default=60.0, help="CPU seconds of a program")
    _ = parser.add_argument("--show", type=int, metavar="SEED", help="print the text of a seed")
    options = parser.parse_args(arguments)
    if options.show is not None:
        print(random_program(options.show, options.kind).text, end="")
        return 0
    first, last = map(int, str(options.seeds).split(":"))
    targets = options.targets or list(TARGETS)
    found: list[Judged] = []
    with progress("programs") as tell:
        for seed in range(first, last):
            found.append(
                judged(random_program(seed, options.kind), targets[seed % len(targets)], options.limit)
            )
            tell(seed + 1 - first, last - first)
    for each in worst_of_kinds(found, options.shown):
        print(_line(each))
    slow = sorted([each for each in found if each.seconds > MOST_SECONDS], key=lambda one: -one.seconds)
    print(f"{len(found)} programs, {len(slow)} compiles of more than {MOST_SECONDS:g} s")
    for each in slow:
        print(_line(each))
    failed = [each for each in found if each.note.startswith("InternalError")]
    far = [each for each in found if each.factor > options.most]
    reasons = [f"{each.target} seed {each.program.seed}: {each.factor:.1f} times the bound" for each in far]
    reasons += [f"{each.target} seed {each.program.seed}: {each.seconds:.1f} s of a compile" for each in slow]
    reasons += [f"{each.target} seed {each.program.seed}: {each.note}" for each in failed]
    return exit_status("search_cliffs", reasons)


if __name__ == "__main__":
    sys.exit(main())
