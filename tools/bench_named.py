"""Compile time of random graphs with sizes that the launch knows: `python -m tools.bench_named`. Prints the
slowest seeds of each kind with the lines of their code, and exits 1 if one took more than five CPU seconds.

    python -m tools.bench_named --kind narrow --seeds 0:500

Kinds are those of `tests/property/named_graphs.py`: `named`, `clamped` (slices beyond the ends), `narrow`
(reductions over an outer axis of few columns) and `joined` (clamped slices under concats in each other). A
compile that takes longer than `--limit` CPU seconds is given up.
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

MOST_SECONDS = 5
SHOWN = 10
KINDS: dict[str, Callable[[int], RandomGraph]] = {
    "named": random_named_graph,
    "clamped": partial(random_named_graph, is_clamped=True),
    "narrow": random_narrow_graph,
    "joined": random_joined_graph,
}


class Taken(NamedTuple):
    """What a compile took. `note` says how it ended, if not with code."""

    seconds: float
    lines: int
    kind: str
    seed: int
    target: str
    note: str


class _GivenUp(BaseException):
    """The time is over: no error of the compiler, which nothing in it catches."""


def _give_up(_signal: int, _frame: FrameType | None) -> None:
    raise _GivenUp


def taken(kind: str, seed: int, limit: float) -> Taken:
    """CPU time and lines of a compile."""
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
    _ = parser.add_argument("--seeds", default="0:200", help="the first, and the one after the last")
    _ = parser.add_argument("--limit", type=float, default=30.0, help="CPU seconds of a compile")
    arguments = parser.parse_args()
    first, last = map(int, str(arguments.seeds).split(":"))
    _ = signal.signal(signal.SIGVTALRM, _give_up)
    is_slow = False
    for kind in arguments.kind or list(KINDS):
        found = sorted([taken(kind, seed, arguments.limit) for seed in range(first, last)], reverse=True)
        failed = [one for one in found if one.note and not one.note.startswith("refused")]
        seconds = sum([one.seconds for one in found])
        print(f"{kind}: {len(found)} graphs, {seconds:.0f} s, {len(failed)} without code")
        for one in dict.fromkeys([*found[:SHOWN], *failed]):
            print(f"  seed {one.seed:5} {one.target:8} {one.seconds:6.2f} s {one.lines:6} lines  {one.note}")
        is_slow = is_slow or bool(failed) or found[0].seconds > MOST_SECONDS
    sys.exit(is_slow)


if __name__ == "__main__":
    main()
