"""The fastest schedules that a search found, kept in the cache: later compiles use them.

An entry is found by a key. The key of a command has the words of its command line (`asmgen.cli.tuned`), so
that a kept answer loads no compiler. The key of `asmgen.compile` has the program. An entry names the version
of asmgen that it belongs to, since another version may write another program by the same schedule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import DecodeError, Struct, ValidationError, msgpack
from msgspec.structs import replace

from asmgen.cache.store import Store, digest, open_store
from asmgen.cache.version import code_version
from asmgen.options import Options
from asmgen.tuning.build import Build

if TYPE_CHECKING:
    from asmgen.compilation import Source
    from asmgen.ir.program import Program, Statement
    from isa.targets import TargetId

ON, OFF = "on", "off"
MODEL = "the clock model"
# options of a compile that stay as the user gives them
_KEPT = ("fast_math", "contract", "max_vgprs", "waves_per_eu", "spill", "nan", "matrix_precision")
_STATED = ("schedules", "schedule", "order")  # options that a search chooses

Tell = Callable[[str], None]


class Tuned(Struct, frozen=True):
    """The schedules of all launches as values of `--schedule`, and the options that go with them. Without
    schedules those of the compiler are the fastest. `judge` timed them."""

    version: str
    schedules: tuple[str, ...]
    build: Build
    judge: str

    def applied(self, options: Options) -> Options:
        """The options with these schedules."""
        return replace(self.build.applied(options), schedules=self.schedules)


def keep(keys: Iterable[str], schedules: Sequence[str], build: Build, judge: str, tell: Tell) -> bool:
    """Keep the fastest schedules by a judge under each key; whether they are kept. `tell` receives notes
    about the cache."""
    store = open_store(tell)
    if store is None:
        return False
    content = msgpack.encode(Tuned(code_version(store), tuple(schedules), build, judge))
    are_kept: list[bool] = []
    for key in keys:
        store.write(key, content)
        are_kept.append(store.read(key) == content)
    return any(are_kept)


def with_kept(options: Options, content: bytes, store: Store, tell: Tell) -> Options:
    """The options with the schedules of an entry, which `tell` receives; the same options if they are of
    another version, or if the compiler's own are the fastest."""
    try:
        tuned = msgpack.decode(content, type=Tuned)
    except (DecodeError, ValidationError):
        return options
    if not tuned.schedules:
        return options
    if tuned.version != code_version(store):
        tell("the schedules that tune found are of another version of asmgen, and are not used")
        return options
    schedules = " ".join(tuned.schedules)
    tell(f"tune found {schedules} by {tuned.judge}, which is used (--tuned off leaves it out)")
    return tuned.applied(options)


def for_program(source: Source, target: TargetId, options: Options) -> Options:
    """The options of a compile with the schedules that are kept for a tensor program; the same options if
    there are none, or if they state schedules. Nothing is printed: a library writes to no stream."""
    from asmgen.ir.stage import Stage

    program = source.stages.programs.get(Stage.GRAPH)
    usual = Options()
    if program is None or any(getattr(options, name) != getattr(usual, name) for name in _STATED):
        return options
    store = open_store(_silent)
    if store is None:
        return options
    content = store.read(key_of(program, target, options))
    return options if content is None else with_kept(options, content, store, _silent)


def key_of(program: Program, target: TargetId, options: Options) -> str:
    """The key of the schedules for a program, a target and options."""
    usual = Options()
    given = [
        (name, getattr(options, name)) for name in _KEPT if getattr(options, name) != getattr(usual, name)
    ]
    question = ("tuned program", list(_lines(program)), str(target), given)
    return digest(repr(question).encode(errors="surrogatepass"))


def _lines(program: Program) -> Iterator[str]:
    """A program as text, with a digest instead of the numbers of a large literal."""
    from asmgen.graph.printer import statement_lines

    for module in program.modules:
        yield module.name
        for statement in module.statements:
            numbers = _constants(statement)
            if numbers is None:
                yield from statement_lines(statement, "")
            else:
                yield f"{statement.result.name} {statement.result.type} {digest(numbers)}"


def _constants(statement: Statement) -> bytes | None:
    """The bytes of a literal that is an array; None for other statements."""
    from asmgen.ir.constants import Constants

    values = statement.attributes.get("values")
    return values.array.tobytes() if isinstance(values, Constants) else None


def _silent(_line: str) -> None:
    """Tell nothing."""
