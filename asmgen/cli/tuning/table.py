"""The output of `tune`: the fastest candidates with their limits, those that failed, and the command for the
fastest."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Mapping, Sequence

from asmgen.cli.tuning.judges import Judging
from asmgen.tuning.candidates import Candidate, schedule_texts
from asmgen.tuning.combined import Combined
from asmgen.tuning.search import Search
from asmgen.tuning.subject import Found, Subject
from isa.diagnostics import InputError

_NAMED = 5  # candidates that failed

Failures = Mapping[Candidate, InputError]


def print_table(
    arguments: argparse.Namespace, search: Search, found: Found, subject: Subject, judging: Judging,
    failures: Failures,
) -> None:  # fmt: skip
    """Print the best combinations, each with the limit of each launch, or with the spread of its times on
    the device."""
    count, measured, without = search.counts
    candidates = f"{count} candidate{'s' * (count != 1)}"
    reasons = f"{without - len(failures)} not compiled, {len(failures)} failed or stopped at a limit"
    print(
        f"{arguments.source} for {arguments.target} by {judging.name}: {candidates}, "
        f"{measured} measured whole, {without} without a time ({reasons})"
    )
    clocks = [f"{'clocks':>12}"] if judging.has_clocks else []
    print(" ".join([f"{'us':>10}", *clocks, "VGPRs", " schedule"]))
    for combined in found.best:
        mark = " (the default)" if combined == found.usual else ""
        clocks = [f"{combined.clocks:>12,.0f}"] if judging.has_clocks else []
        figures = " ".join([f"{combined.microseconds:>10.2f}", *clocks, f"{combined.vgprs:>5}"])
        print(f"{figures}  {' '.join(_plain(combined, subject))}{mark}")
        for name, time in zip(subject.names, combined.times, strict=True):
            of = f"{name}: " if len(subject.names) > 1 else ""
            print(f"{'':>{len(figures) + 1}} {of}{time.binds}")


def print_failures(subject: Subject, failures: Failures, found: Found) -> None:
    """Name candidates that fail or reach a limit, and combinations that fail or are wrong as a whole program,
    on standard error."""
    lines = [f"{candidate.text}: {error.place}: {error.message}" for candidate, error in failures.items()]
    lines = [*lines[:_NAMED], *([f"and {len(lines) - _NAMED} more"] if len(lines) > _NAMED else [])]
    for combined, error in found.rejected:
        lines.append(
            f"{' '.join(_plain(combined, subject))}: {error.message} ({error.code}), so it is left out"
        )
    for line in lines:
        print(f"note: {line}", file=sys.stderr)


def print_result(arguments: argparse.Namespace, usual: Combined, found: Found, subject: Subject) -> None:
    """Print the command for the fastest combination, if it is faster than the default."""
    if found.faster is None:
        print("the default is the fastest")
    else:
        print(f"{found.share:.3f} of the default's time ({usual.microseconds:.2f} us):")
        print(f"  {shlex.join(command_words(arguments, found.faster, subject))}")


def command_words(arguments: argparse.Namespace, combined: Combined, subject: Subject) -> list[str]:
    """The words of the command that compiles the program with a combination."""
    words = ["python", "-m", "asmgen", "kernel", arguments.source]
    for name, value in arguments.settings:
        words += ["--set", f"{name}={value}"]
    words += ["--target", arguments.target, *_number_words(arguments)]
    for text in schedule_texts(subject.schedules(combined)):
        words += ["--schedule", text]
    return words + combined.build.words


def _plain(combined: Combined, subject: Subject) -> Sequence[str]:
    return [*schedule_texts(subject.schedules(combined)), *combined.build.words]


def _number_words(arguments: argparse.Namespace) -> list[str]:
    """The options that change results, as the user gave them."""
    words = [word for word in ("--fast-math", "--no-contract") if word in arguments.given]
    for word, value in (("--nan", arguments.nan), ("--matrix-precision", arguments.matrix_precision)):
        words += [word, value] if word in arguments.given else []
    return words
