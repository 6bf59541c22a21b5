"""The schedules that `tune` has kept, for a command: found by the words of its command line.

The words are the source with its content, its parameters, the target and the options of the compile.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from asmgen.cache.store import Store, digest, digest_of, open_store
from asmgen.cli.terminal import tell
from asmgen.files import PYTHON_KERNEL
from asmgen.options import EXACT
from asmgen.tuning.kept import OFF, keep, with_kept

if TYPE_CHECKING:
    from asmgen.options import Options
    from asmgen.tuning.build import Build

_USUAL_TARGET = "gfx942"
# options of a compile that stay as the user gives them
_KEPT = (
    "entry", "max_vgprs", "waves_per_eu", "fast_math", "no_contract", "no_spill", "nan", "matrix_precision",
)  # fmt: skip
_STATED = ("--no-schedule", "--order")  # options that `tune` chooses, next to --schedule


def tuned_digest(arguments: argparse.Namespace, store: Store | None) -> str:
    """A digest of the schedules that are kept for a command, on which its answer depends; empty if there are
    none."""
    content = _content(arguments, store)
    return "" if content is None else digest(content)


def with_tuned(options: Options, arguments: argparse.Namespace) -> Options:
    """The options of a compile with the schedules that are kept for it, which a note names; the same options
    if there are none."""
    if not _uses(arguments):
        return options
    store = open_store(_silent)
    content = _content(arguments, store)
    return options if content is None or store is None else with_kept(options, content, store, tell)


def keep_tuned(
    arguments: argparse.Namespace, schedules: Sequence[str], build: Build, judge: str, *more: str
) -> bool:
    """Keep the fastest schedules by a judge for later commands, and under `more` keys; whether they are
    kept."""
    key = _key(arguments)
    return keep([*([] if key is None else [key]), *more], schedules, build, judge, tell)


def _uses(arguments: argparse.Namespace) -> bool:
    """Whether a command uses kept schedules: it states none."""
    if getattr(arguments, "tuned", OFF) == OFF or getattr(arguments, "schedules", None):
        return False
    return arguments.given.isdisjoint(_STATED)


def _content(arguments: argparse.Namespace, store: Store | None) -> bytes | None:
    if store is None or not _uses(arguments):
        return None
    key = _key(arguments)
    return None if key is None else store.read(key)


def _key(arguments: argparse.Namespace) -> str | None:
    """The key of the schedules for a source, its parameters, the target and the options; None for a source
    that runs Python or cannot be read. Launches have names after the file."""
    name, given = arguments.source, vars(arguments)
    if PYTHON_KERNEL in name or (os.path.exists(name) and not os.path.isfile(name)):
        return None
    try:
        source = (os.path.basename(name), digest_of(name) if os.path.exists(name) else "")
    except OSError:
        return None
    options = [
        (option, given[option]) for option in _KEPT if given.get(option) not in (None, "", False, EXACT)
    ]
    target = given["target"] or _USUAL_TARGET
    question = ("tuned", source, sorted(given["settings"]), target, options)
    return digest(repr(question).encode(errors="surrogatepass"))


def _silent(_line: str) -> None:
    """Tell nothing: the command names a fault of the cache when it asks for its own answer."""
