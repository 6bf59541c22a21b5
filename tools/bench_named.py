"""`python -m tools.bench_named`: compile time of random graphs with sizes that are known at launch.

Prints the slowest seeds of each kind with their lines of code. Exits 1 if a seed takes more than five CPU
seconds.

    python -m tools.bench_named --kind narrow --seeds 0:500

Kinds are those of `tests/property/named_graphs.py`: `named`, `clamped` (slices beyond the ends), `narrow`
(reductions over an outer axis of few columns) and `joined` (clamped slices in nested concats). A compile is
stopped after `--limit` CPU seconds.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import NamedTuple

import asmgen
from isa.diagnostics import InputError, InternalError
from isa.targets import TARGETS
from tests.property.graphs import RandomGraph
from tests.property.named_graphs import random_joined_graph, random_named_graph, random_narrow_graph
from tools.reasons import exit_status

MOST_SECONDS = 5
SHOWN = 10
KINDS: dict[str, Callable[[int], RandomGraph]] = {
    "named": random_named_graph,
    "clamped": partial(random_named_graph, is_clamped=True),
    "narrow": random_narrow_graph,
    "joined": random_joined_graph,
}


class Taken(NamedTuple):
    """The cost of a compile. `note` says how it ended, if it produced no code."""

    seconds: float
    lines: int
    kind: str
    seed: int
    target: str
    note: str


class _GivenUp(BaseException):
    """The time limit is over. Not an `Exception`, so the compiler does not catch it."""


def _give_up(_signal: int, _frame: FrameType | None) -> None:
    raise _GivenUp


def taken(kind: str, seed: int, limit: float) -> Taken:
    """Measure a compile: CPU time and lines."""
    target = list(TARGETS)[seed % len(TARGETS)]
    lines, note, text = 0, "", KINDS[kind](seed).text
    start = time.process_time()
    _ = signal.setitimer(signal.ITIMER_VIRTUAL, limit)
    try:
        program = asmgen.compile(text, target=target)
        lines = sum([kernel.assembly.count("\n") for kernel in program.kernels])
    except InputError as error:
        note = f"refused, {error.code}"
    except InternalError as error:
        note = f"failed: {error}"
    except _GivenUp:
        note = "given up"
    finally:
        _ = signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return Taken(time.process_time() - start, lines, kind, seed, target, note)


def main() -> None:
    """Compile and print."""
    parser = argparse.ArgumentParser(prog="bench_named", description=__doc__)
    _ = parser.add_argument("--kind", choices=list(KINDS), action="append")
    _ = parser.add_argument("--seeds", default="0:200", help="FIRST:END, without END")
    _ = parser.add_argument("--limit", type=float, default=30.0, help="limit of CPU seconds for a compile")
    arguments = parser.parse_args()
    first, last = map(int, str(arguments.seeds).split(":"))
    _ = signal.signal(signal.SIGVTALRM, _give_up)
    reasons: list[str] = []
    for kind in arguments.kind or list(KINDS):
        compiles = sorted([taken(kind, seed, arguments.limit) for seed in range(first, last)], reverse=True)
        failed = [each for each in compiles if each.note and not each.note.startswith("refused")]
        seconds = sum([each.seconds for each in compiles])
        print(f"{kind}: {len(compiles)} graphs, {seconds:.0f} s, {len(failed)} without code")
        for each in dict.fromkeys([*compiles[:SHOWN], *failed]):
            place = f"seed {each.seed:5} {each.target:8}"
            print(f"  {place} {each.seconds:6.2f} s {each.lines:6} lines  {each.note}")
        if failed:
            reasons.append(f"{kind}: {len(failed)} graphs without code")
        if compiles[0].seconds > MOST_SECONDS:
            reasons.append(f"{kind}: {compiles[0].seconds:.2f} s for a graph, wanted {MOST_SECONDS:g}")
    sys.exit(exit_status("bench_named", reasons))


if __name__ == "__main__":
    main()
