"""The output of `tune`: the fastest candidates with their limits, and the command for the first."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence

from asmgen.tuning.candidates import schedule_texts
from asmgen.tuning.combined import Combined
from asmgen.tuning.search import Search
from asmgen.tuning.subject import Found, Subject


def print_table(arguments: argparse.Namespace, search: Search, found: Found, subject: Subject) -> None:
    """Print the best combinations, each with the limit of each launch."""
    count, measured, without = search.counts
    candidates = f"{count} candidate{'s' * (count != 1)}"
    print(
        f"{arguments.source} for {arguments.target}: {candidates}, {measured} measured whole, "
        f"{without} without a time (not compiled, or stopped at a limit)"
    )
    print(f"{'us':>10} {'clocks':>12} {'VGPRs':>5}  schedule")
    for combined in found.best:
        mark = " (the default)" if combined == found.usual else ""
        figures = f"{combined.microseconds:>10.2f} {combined.clocks:>12,.0f} {combined.vgprs:>5}"
        print(f"{figures}  {' '.join(_plain(combined, subject))}{mark}")
        for name, time in zip(subject.names, combined.times, strict=True):
            of = f"{name}: " if len(subject.names) > 1 else ""
            print(f"{'':>30} {of}{time.binds}")


def print_result(arguments: argparse.Namespace, found: Found, subject: Subject) -> None:
    """Print the command for the fastest combination, if it is faster than the default."""
    if found.usual is None:
        print("no candidate compiles")
    elif found.faster is None:
        print("the default is the fastest")
    else:
        words = ["python", "-m", "asmgen", "kernel", arguments.source]
        for name, value in arguments.settings:
            words += ["--set", f"{name}={value}"]
        words += ["--target", arguments.target, *_number_words(arguments)]
        for text in schedule_texts(subject.schedules(found.faster)):
            words += ["--schedule", text]
        words += found.faster.build.words
        print(f"{found.share:.3f} of the default's time ({found.usual.microseconds:.2f} us):")
        print(f"  {shlex.join(words)}")


def _plain(combined: Combined, subject: Subject) -> Sequence[str]:
    return [*schedule_texts(subject.schedules(combined)), *combined.build.words]


def _number_words(arguments: argparse.Namespace) -> list[str]:
    """The options that change results, as the user gave them."""
    words = [word for word in ("--fast-math", "--no-contract") if word in arguments.given]
    for word, value in (("--nan", arguments.nan), ("--matrix-precision", arguments.matrix_precision)):
        words += [word, value] if word in arguments.given else []
    return words
