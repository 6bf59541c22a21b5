"""Compare the heuristic's and the exact orders of random loops, and run the loops in both.

    python -m tools.check_orders                         1,000 loops from seed 1000 on
    python -m tools.check_orders --loops 50 --seed 7     others

A row of the table is a target:

| column | loops |
|---|---|
| loops | all |
| orders | that the heuristic gives an order |
| proven | for which the solver proved that no order is shorter than the exact order |
| overlap | with an exact order of several stages; only these have a ratio |
| shorter | of which the exact order is shorter than the heuristic's |
| mean, most | the heuristic's interval by the exact interval: geometric mean, and the largest |
| runs | runs on the emulator with the sanitizer, in both orders if they differ |
| faults | with other results than the loop as it is, an illegal order, or a longer exact order |

Exits 1 if a loop has a fault, or if the mean of all is above 1.05. It needs OR-tools (the extra `exact`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from time import process_time

from asmgen.cli.progress import progress
from tests.property.exact_overlaps import NEAR, Compared, compare, mean_ratio
from tools.reasons import exit_status

TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")
_TITLES = ("loops", "orders", "proven", "overlap", "shorter", "mean", "most", "runs", "faults")
_WIDTH = 9


def row(compared: Sequence[Compared]) -> tuple[str, ...]:
    """The cells of a row, by the titles."""
    ratios = [each.ratio for each in compared if each.ratio is not None]
    counts = (
        len(compared),
        sum(each.found.heuristic is not None for each in compared),
        sum(each.found.is_proven for each in compared),
        len(ratios),
        sum(ratio > 1 for ratio in ratios),
    )
    runs, faults = sum(each.runs for each in compared), sum(bool(each.faults) for each in compared)
    means = f"{mean_ratio(ratios):.4f}", f"{max(ratios, default=1.0):.2f}"
    return (*(f"{count:,}" for count in counts), *means, f"{runs:,}", str(faults))


def table(compared: Sequence[tuple[str, Compared]]) -> Iterator[str]:
    """The lines of the table, by target and of all."""
    yield f"{'':<9}" + "".join(f"{title:>{_WIDTH}}" for title in _TITLES)
    for target in sorted({target for target, _ in compared}, key=TARGETS.index):
        yield f"{target:<9}" + _cells([each for name, each in compared if name == target])
    yield f"{'all':<9}" + _cells([each for _, each in compared])


def _cells(compared: Sequence[Compared]) -> str:
    return "".join(f"{cell:>{_WIDTH}}" for cell in row(compared))


def reasons(compared: Sequence[tuple[int, str, Compared]]) -> Iterator[str]:
    """A line for each fault, and a line if the heuristic is too far from the exact orders."""
    for seed, target, each in compared:
        for fault in each.faults:
            yield f"seed {seed} on {target}: {fault}"
    mean = mean_ratio([each.ratio for _, _, each in compared if each.ratio is not None])
    if mean > NEAR:
        yield f"the heuristic's intervals are {mean:.4f} times the exact intervals, wanted at most {NEAR}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.check_orders",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    _ = parser.add_argument("--loops", type=int, default=1000, help="random loops, 1000 by default")
    _ = parser.add_argument("--seed", type=int, default=1000, help="the seed of the first, 1000 by default")
    _ = parser.add_argument("--seconds", type=float, default=60.0, help="of a search, 60 by default")
    given = parser.parse_args(arguments)
    if given.loops < 1:
        parser.error(f"argument --loops: got {given.loops}, wanted at least 1")
    made: list[tuple[int, str, Compared]] = []
    with progress("comparing orders of random loops") as tell:
        for seed in range(given.seed, given.seed + given.loops):
            target = TARGETS[seed % len(TARGETS)]
            made.append((seed, target, compare(seed, target, given.seconds)))
            tell(len(made), given.loops)
    for line in table([(target, each) for _, target, each in made]):
        print(line)
    print(f"{process_time():.0f} s of CPU")
    return exit_status("check_orders", reasons(made))


if __name__ == "__main__":
    sys.exit(main())
