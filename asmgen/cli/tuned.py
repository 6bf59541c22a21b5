"""The fastest schedules that `tune` found, kept in the cache: later compiles of the same source use them.

An entry is found by the source, its parameters, the target and the options of the compile. It names the
version of asmgen that it belongs to, since another version may write another program by the same schedule.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from msgspec import DecodeError, Struct, ValidationError, msgpack

from asmgen.cache.store import Store, digest, open_store
from asmgen.cache.version import code_version
from asmgen.options import EXACT, Options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from asmgen.tuning.candidates import Build

OFF = "off"  # of --tuned
_USUAL_TARGET = "gfx942"
_PYTHON = ".py:"
# options of a compile that stay as the user gives them
_KEPT = (
    "entry", "max_vgprs", "waves_per_eu", "fast_math", "no_contract", "no_spill", "nan", "matrix_precision",
)  # fmt: skip
_STATED = ("--no-schedule", "--order")  # options that `tune` chooses, next to --schedule


class Tuned(Struct, frozen=True):
    """The schedules of all launches as values of `--schedule`, and the options that go with them. Without
    schedules those of the compiler are the fastest."""

    version: str
    schedules: tuple[str, ...]
    max_vgprs: int | None
    waves_per_eu: int | None
    schedule: bool
    order: str

    def applied(self, options: Options) -> Options:
        """The options with these schedules."""
        from msgspec.structs import replace

        return replace(
            options, schedules=self.schedules, max_vgprs=self.max_vgprs, waves_per_eu=self.waves_per_eu,
            schedule=self.schedule, order=self.order,
        )  # fmt: skip


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
    if content is None:
        return options
    try:
        tuned = msgpack.decode(content, type=Tuned)
    except (DecodeError, ValidationError):
        return options
    if not tuned.schedules:
        return options
    if tuned.version != code_version(store):
        _tell("the schedules that tune found are of another version of asmgen, and are not used")
        return options
    _tell(f"tune found {' '.join(tuned.schedules)}, which is used (--tuned off leaves it out)")
    return tuned.applied(options)


def keep_tuned(arguments: argparse.Namespace, schedules: Sequence[str], build: Build) -> bool:
    """Keep the fastest schedules for later compiles; whether they are kept."""
    key, store = _key(arguments), open_store(_tell)
    if key is None or store is None:
        return False
    tuned = Tuned(
        code_version(store), tuple(schedules), build.max_vgprs, build.waves_per_eu, build.schedule,
        build.order,
    )  # fmt: skip
    content = msgpack.encode(tuned)
    store.write(key, content)
    return store.read(key) == content


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
    if _PYTHON in name or (os.path.exists(name) and not os.path.isfile(name)):
        return None
    try:
        source = (os.path.basename(name), _digest_of(name) if os.path.exists(name) else "")
    except OSError:
        return None
    options = [
        (option, given[option]) for option in _KEPT if given.get(option) not in (None, "", False, EXACT)
    ]
    target = given["target"] or _USUAL_TARGET
    question = ("tuned", source, sorted(given["settings"]), target, options)
    return digest(repr(question).encode(errors="surrogatepass"))


def _digest_of(path: str) -> str:
    with open(path, "rb") as file:
        return digest(file.read())


def _tell(line: str) -> None:
    print(f"note: {line}", file=sys.stderr)


def _silent(_line: str) -> None:
    """Tell nothing: the command names a fault of the cache when it asks for its own answer."""
