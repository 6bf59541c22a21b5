"""`python -m tools.bench_mlir [TARGET...]`: the programs of examples/*.mlir next to clang -O3 on the same.

`tools.mlir_scoreboard` runs both on the emulator and counts what a wave does; its `Figures` say of what each
column is. Exits 1 where ours is worse in a column that must hold: waves a SIMD, instructions in loops,
cycles, instructions that write EXEC, branches on lanes, and for sgemm more than 1.1 of clang's instructions
for each multiply-add; 2 where clang-22 or llvm-mca-22 is missing.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence

from isa.targets import TARGETS, parse_target
from tools.clang_peer import CLANG
from tools.mca import MCA
from tools.mlir_scoreboard.cases import CASES, Case
from tools.mlir_scoreboard.figures import Figures, measure_clang, measure_ours, worse_in

_TITLES = (
    "target", "program", "compiler", "waves", "VGPRs", "in loops", "executed", "cycles", "EXEC", "scalar",
    "vector", "/ fma", "",
)  # fmt: skip
_LAYOUT = "{:<8} {:<10} {:<9} {:>5} {:>5} {:>8} {:>8} {:>7} {:>5} {:>6} {:>6} {:>6}  {}"


def show(case: Case, target: str) -> bool:
    """Print the two rows of a program; whether ours is no worse."""
    ours, clang = measure_ours(case, target), measure_clang(case, target)
    worse = worse_in(ours, clang)
    verdict = f"worse in {', '.join(worse)}" if worse else "no worse"
    print(_row((target, case.name, "asmgen"), ours, ""))
    print(_row(("", "", "clang"), clang, verdict), flush=True)
    return not worse


def _row(names: Sequence[str], figures: Figures, verdict: str) -> str:
    cycles = "-" if figures.cycles is None else f"{figures.cycles:.0f}"
    each = "" if figures.of_multiply_add is None else f"{figures.of_multiply_add:.2f}"
    counts = (figures.waves, figures.vgprs, figures.in_loops, figures.executed, cycles, figures.exec_writes)
    return _LAYOUT.format(*names, *counts, figures.scalar, figures.vector, each, verdict).rstrip()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench_mlir", description="The programs of examples/*.mlir next to clang's."
    )
    _ = parser.add_argument("targets", nargs="*", metavar="TARGET", help="all of them, where none is named")
    _ = parser.add_argument("--program", action="append", default=[], help="this one alone; may be repeated")
    options = parser.parse_args(arguments)
    names = {case.name for case in CASES}
    if unknown := [name for name in options.program if name not in names]:
        parser.error(f"got {unknown[0]!r}, wanted programs of {', '.join(sorted(names))}")
    for tool in (CLANG, MCA):
        if shutil.which(tool) is None:
            parser.error(f"{tool} is not installed")
    print(_LAYOUT.format(*_TITLES).rstrip())
    targets = [parse_target(name).target.name for name in options.targets] or list(TARGETS)
    cases = [case for case in CASES if not options.program or case.name in options.program]
    held = [show(case, target) for target in targets for case in cases]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
