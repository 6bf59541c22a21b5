"""`python -m tools.bench_peers [TARGET...]`: our programs next to clang -O3's and Triton's code.

The tool compiles each program of `tools.scoreboard.cases` and clang's kernels of tools/clang-kernels for the
target, runs some workgroups on the emulator, and counts the executed instructions (`tools.scoreboard.figures`
describes the columns). Triton's figures are in tools/peers.json. docs/scoreboard.md says how to read the
table. Exits 1 if ours is worse than a peer in any column, or if the programs that reduce or move data have
more than 0.85 of the best peer's instructions in the geometric mean; 2 if clang-22 or llvm-mca-22 is missing.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterator, Sequence

from isa.targets import TARGETS, parse_target
from tools.clang_peer import CLANG
from tools.mca import MCA
from tools.scoreboard.cases import CASES as CATALOGUE
from tools.scoreboard.cases import Case
from tools.scoreboard.everyday import EVERYDAY
from tools.scoreboard.programs import measure_ours, measure_peer
from tools.scoreboard.table import (
    MOST_INSTRUCTIONS,
    CompilerFigures,
    Means,
    as_json,
    geometric_mean,
    show,
    worse_in,
)

_CYCLES = "cycles/e"
CASES = (*CATALOGUE, *EVERYDAY)


def rows_of(case: Case, target: str) -> Iterator[CompilerFigures]:
    """Ours first, then each peer."""
    program = f"{case.name}, fast math" if case.fast_math else case.name
    ours = measure_ours(case, target)
    yield CompilerFigures(target, program, "asmgen", ours.figures)
    for kernel in case.peers:
        figures = measure_peer(kernel, case, target, ours)
        yield CompilerFigures(target, program, kernel.name, figures, tuple(worse_in(ours.figures, figures)))


def means_of(target: str, rows: Sequence[CompilerFigures], reducing: Sequence[str]) -> Means:
    """The summary of a target's rows; the mean is over the programs in `reducing`."""
    parts: list[float] = []
    for ours in (row for row in rows if row.worse is None and row.program in reducing):
        peers = [
            row.figures.instructions for row in rows if row.program == ours.program and row.worse is not None
        ]
        parts.append(ours.figures.instructions / min(peers))
    longer = dict.fromkeys(row.program for row in rows if row.worse is not None and _CYCLES in row.worse)
    return Means(target, geometric_mean(parts) if parts else 0.0, tuple(longer))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench_peers", description="Our programs next to other compilers' code."
    )
    _ = parser.add_argument("targets", nargs="*", metavar="TARGET", help="all targets by default")
    _ = parser.add_argument(
        "--program", action="append", default=[], help="only this program; may be repeated"
    )
    _ = parser.add_argument("--large", action="store_true", help="also programs with 1 GB of arguments")
    _ = parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args(arguments)
    names = {case.name for case in CASES}
    if unknown := [name for name in options.program if name not in names]:
        parser.error(
            f"{unknown[0]!r} is not a program of the scoreboard, wanted any of {', '.join(sorted(names))}"
        )
    for tool in (CLANG, MCA):
        if shutil.which(tool) is None:
            parser.error(f"{tool} is not installed")
    cases = [case for case in CASES if options.large or not case.large or case.name in options.program]
    cases = [case for case in cases if not options.program or case.name in options.program]
    reducing = [f"{case.name}, fast math" if case.fast_math else case.name for case in cases if case.reduces]
    rows: list[CompilerFigures] = []
    means: list[Means] = []
    for target in [parse_target(name).target.name for name in options.targets] or list(TARGETS):
        added = [row for case in cases for row in rows_of(case, target)]
        rows += added
        means.append(means_of(target, added, reducing))
    if options.json:
        print(as_json(rows, means))
    else:
        show(rows, means)
    is_short = any(mean.instructions > MOST_INSTRUCTIONS for mean in means)
    return 1 if is_short or any(row.worse for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
