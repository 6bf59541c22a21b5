"""Answers of commands that are kept: found by everything that they depend on, and given again.

An answer depends on the words of the command line, the content of the files that it names, the version of
asmgen's code, the schedules that `tune` has kept, and the assembler. A command is not answered from the cache
if it traces the compiler, reads or writes files that its words do not name, runs Python, or runs on a GPU.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from asmgen.cache.answer import Recorder
from asmgen.cache.store import Store, digest, digest_of, open_store
from asmgen.cache.version import code_version
from asmgen.cli.expansion import files_named
from asmgen.cli.grammar.parser import BATCH_NAMES, BATCH_OPTIONS
from asmgen.cli.outputs import write_output
from asmgen.cli.terminal import tell
from asmgen.files import ASSEMBLY_SUFFIXES, PYTHON_KERNEL, RUN_SUFFIX
from asmgen.options import BUILTIN

if TYPE_CHECKING:
    from asmgen.cache.answer import Answer

_WITHOUT_EFFECT = frozenset(
    ("options", "refuse", "refuse_rest", "sources", "output", "force", "given", "words", *BATCH_NAMES)
)
_PRUNES = "00"  # one of 256 answers prunes the cache
_GPU = "/dev/kfd"  # the device of ROCm's driver
_ASSEMBLER, _CLANG = "ASMGEN_ASSEMBLER", "ASMGEN_CLANG"

_FILES = ("trace", "coverage", "counters", "out_dir", "fix")  # options that write files beside that of -o
_PLAIN = None

Run = Callable[[], int]
Style = tuple[int, bool] | None
"""The columns of the terminal that text is printed on, and whether it has colours; None for other output."""


class Keeper:
    """Gives kept answers to a command, and keeps new answers, in the store that the environment names."""

    def __init__(self) -> None:
        self._keys: dict[str, str | None] = {}  # of the sources that are waiting for an answer

    @cached_property
    def _store(self) -> Store | None:
        return open_store(tell)

    @cached_property
    def _version(self) -> str:
        return code_version(self._store)

    def answered(self, arguments: argparse.Namespace, run: Run) -> int:
        """The exit status for a source: of its kept answer, which is given again, or of `run`."""
        key = self._key(arguments, _style(arguments))
        if key is None:
            return run()
        answer = self._found(key)
        if answer is not None:
            return answer.give(lambda data: write_output(arguments.output, data))
        with Recorder() as recorder:
            status = run()
        self._keep(key, arguments, recorder.answer(status), _style(arguments))
        return status

    def find(self, arguments: argparse.Namespace) -> Answer | None:
        """The kept answer for a source, if any. It is asked for before `keep`."""
        key = self._keys[arguments.source] = self._key(arguments)
        return None if key is None else self._found(key)

    def keep(self, arguments: argparse.Namespace, answer: Answer) -> None:
        """Keep the answer for a source, unless the source or the code has changed since `find`."""
        key = self._keys.pop(arguments.source, None)
        if key is not None:
            self._keep(key, arguments, answer)

    def identity(self, arguments: argparse.Namespace) -> str:
        """A digest of the question and of the content of its files, whether or not its answer may be kept."""
        return self._digest(arguments, _contents(arguments), _PLAIN)

    def _key(self, arguments: argparse.Namespace, style: Style = _PLAIN) -> str | None:
        """The key of an answer in a style; None if it is not kept."""
        if not _is_repeatable(arguments) or self._store is None:
            return None
        files = _contents(arguments)
        return None if files is None else self._digest(arguments, files, style)

    def _digest(self, arguments: argparse.Namespace, files: list[str] | None, style: Style) -> str:
        question = self._version, _question(arguments), files, style, self._tuned(arguments)
        return digest(repr(question).encode(errors="surrogatepass"))

    def _tuned(self, arguments: argparse.Namespace) -> str:
        """The digest of the schedules that are kept for the command."""
        if self._store is None:
            return ""
        from asmgen.cli.tuned import tuned_digest

        return tuned_digest(arguments, self._store)

    def _found(self, key: str) -> Answer | None:
        return None if self._store is None else _kept(self._store, key)

    def _keep(self, key: str, arguments: argparse.Namespace, answer: Answer, style: Style = _PLAIN) -> None:
        if (
            self._store is not None
            and self._version == code_version(self._store)
            and key == self._key(arguments, style)
        ):
            _keep(self._store, key, answer)


def _kept(store: Store, key: str) -> Answer | None:
    """The answer of an entry; None if it is missing or damaged."""
    content = store.read(key)
    if content is None:
        return None
    from msgspec import DecodeError, ValidationError
    from msgspec.msgpack import decode

    from asmgen.cache.answer import Answer

    try:
        return decode(content, type=Answer)
    except (DecodeError, ValidationError):
        store.tell_damage(key)
        return None


def _keep(store: Store, key: str, answer: Answer) -> None:
    from msgspec.msgpack import encode

    store.write(key, encode(answer))
    if key.startswith(_PRUNES):
        from asmgen.cache import upkeep

        with suppress(OSError):
            _ = upkeep.prune(store.folder, upkeep.LARGEST, None)


def _is_repeatable(arguments: argparse.Namespace) -> bool:
    """Whether the answer depends on nothing but the words and the files of the command line."""
    given = vars(arguments)
    runs = given.get("verify") or arguments.command.startswith("run:")
    is_on_gpu = runs and (given["device"] == "hip" or _may_use_gpu(given["device"]))
    writes_files = any(given.get(name) for name in _FILES)
    shows_sources = given.get("format") == "html"  # which debug information names
    return not (writes_files or given["allow_include"] or is_on_gpu or shows_sources)


def _may_use_gpu(device: str) -> bool:
    return device == "auto" and os.path.exists(_GPU)


def _question(arguments: argparse.Namespace) -> object:
    """The words of the command line and the environment, without the name of the output."""
    words = {name: value for name, value in vars(arguments).items() if name not in _WITHOUT_EFFECT}
    given = sorted(arguments.given - {"-o", "--force"} - BATCH_OPTIONS)
    colours = sys.stderr.isatty() and "NO_COLOR" not in os.environ
    return sorted(words.items()), given, _form(arguments.output), colours, _assembler(arguments)


def _style(arguments: argparse.Namespace) -> Style:
    if arguments.output not in (None, "-") or not sys.stdout.isatty():
        return _PLAIN
    from shutil import get_terminal_size

    return get_terminal_size().columns, "NO_COLOR" not in os.environ


def _form(output: str | None) -> str | None:
    """The part of the name of -o that notes depend on."""
    if output is None or output == "-":
        return output
    return os.path.splitext(output)[1] if os.path.isfile(output) or not os.path.exists(output) else "device"


def _assembler(arguments: argparse.Namespace) -> object:
    """The environment in which an assembler is looked for; None if the command needs none."""
    given = vars(arguments)
    emits_object = given.get("emit") == "obj" or (given.get("emit", "") is None and given["output"])
    reads_assembly = arguments.source.endswith((*ASSEMBLY_SUFFIXES, RUN_SUFFIX))
    if not (emits_object or given.get("verify") or reads_assembly) or given.get("assembler") == BUILTIN:
        return None
    named, clang = os.environ.get(_ASSEMBLER), os.environ.get(_CLANG, "")
    folders = () if named == BUILTIN else os.environ.get("PATH", "").split(os.pathsep)
    return named, clang, [(path, _changed(path)) for path in (os.path.realpath(clang), *folders)]


def _changed(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def _contents(arguments: argparse.Namespace) -> list[str] | None:
    """The digests of the files that the answer depends on; empty for a name that is not a file, such as a
    kernel of the catalogue. None if one of them runs Python, or is not a file that can be read twice."""
    try:
        named = files_named(arguments)
        if any(
            PYTHON_KERNEL in name or (os.path.exists(name) and not os.path.isfile(name)) for name in named
        ):
            return None
        return [digest_of(name) if os.path.exists(name) else "" for name in named]
    except (OSError, ValueError):
        return None
