"""The output of `tune --format json`."""

from __future__ import annotations

import argparse
import json

from asmgen.cli.tuning.judges import Judging
from asmgen.cli.tuning.table import Failures, command_words
from asmgen.tuning.candidates import schedule_texts
from asmgen.tuning.combined import Combined
from asmgen.tuning.search import Search
from asmgen.tuning.subject import Found, Subject


def print_json(
    arguments: argparse.Namespace, search: Search, found: Found, subject: Subject, judging: Judging,
    failures: Failures,
) -> None:  # fmt: skip
    """Print the search as an object. Clocks are null if a device is the judge."""
    count, measured, without = search.counts
    document = {
        "source": arguments.source,
        "target": arguments.target,
        "judge": judging.name,
        "candidates": count,
        "measured": measured,
        "not_compiled": without - len(failures),
        "failures": [
            {"candidate": each.text, "code": error.code, "message": error.message}
            for each, error in failures.items()
        ],
        "best": [_combined(each, found, subject, judging) for each in found.best],
        "share": found.share,
        "command": None if found.faster is None else command_words(arguments, found.faster, subject),
    }
    print(json.dumps(document, indent=1))


def _combined(combined: Combined, found: Found, subject: Subject, judging: Judging) -> dict[str, object]:
    """A combination of candidates as an object."""
    launches = zip(subject.names, combined.times, strict=True)
    return {
        "microseconds": combined.microseconds,
        "clocks": combined.clocks if judging.has_clocks else None,
        "vgprs": combined.vgprs,
        "schedules": schedule_texts(subject.schedules(combined)),
        "options": combined.build.words,
        "is_default": combined == found.usual,
        "launches": [
            {"name": name, "microseconds": time.microseconds, "limit": time.binds} for name, time in launches
        ],
    }
