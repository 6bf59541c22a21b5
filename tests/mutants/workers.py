"""Judge faults in processes of their own, forked from a process that has loaded numpy and `isa` but no compiler."""

from __future__ import annotations

import hashlib
import multiprocessing
import resource
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from tests.mutants.oracle import Array, differs, input_sets
from tests.mutants.planting import Fault, plant

if TYPE_CHECKING:
    from asmgen.compiled import CompiledProgram

_PRELOADED = [
    "numpy",
    "ml_dtypes",
    "isa.emulator.runner",
    "isa.emulator.sanitizer.sanitizer",
    "isa.text",
    "isa.table",
    "tests.mutants.workers",
]
_MOST_SECONDS = 300  # of CPU time in a process: a fault may make a pass endless
_T = TypeVar("_T")


class Made(Struct, frozen=True):
    """A compiled program: its digest, and its outputs on each set of inputs.

    `refused` is the exception of compiling, here or at a size that `--verify` tries; `crash` is the exception
    of a run. `is_wrong` means that outputs differ from the honest outputs, or that a run crashed. `named` is
    the verdict of `--verify`, if it was asked.
    """

    digest: str = ""
    outputs: tuple[tuple[Array, ...], ...] = ()
    refused: str = ""
    crash: str = ""
    is_wrong: bool = False
    named: str = ""


class Question(Struct, frozen=True):
    """A task for a process: compile `programs` with a fault, or with the honest compiler if it is None.

    If `honest` is given, programs with another digest are run and their outputs are compared. `enough` wrong
    programs end the search. `verify` asks `--verify` about each wrong program, or about every program if
    `run` is off.
    """

    fault: Fault | None
    programs: tuple[str, ...]
    honest: Mapping[str, Made] = field(default_factory=dict[str, "Made"])
    run: bool = True
    verify: bool = False
    enough: int = 1 << 30


def answered(question: Question) -> dict[str, Made]:
    """Answer a question in a new process."""
    resource.setrlimit(resource.RLIMIT_CPU, (_MOST_SECONDS, _MOST_SECONDS))
    if question.fault is not None:
        plant(question.fault)
    found: dict[str, Made] = {}
    for name in question.programs:
        found[name] = _made(name, question)
        if sum(made.is_wrong for made in found.values()) >= question.enough:
            break
    return found


def _made(name: str, question: Question) -> Made:
    from tests.mutants.programs import compiled
    from tests.mutants.verdict import fault_named

    program, failure = _attempt(lambda: compiled(name))
    if program is None:
        return Made(refused=failure)
    made = Made(_digest(program))
    honest = question.honest.get(name)
    if honest is not None and honest.digest == made.digest:
        return made
    if question.run:
        made = _run(program, made, honest)
    if question.verify and (made.is_wrong or not question.run):
        named, failure = _attempt(lambda: fault_named(program))
        made = replace(made, refused=failure) if named is None else replace(made, named=named)
    return made


def _digest(program: CompiledProgram) -> str:
    """A digest of the assembly, and of the results that the kernels write."""
    from asmgen.runtime.calls import signatures

    said = [*(kernel.assembly for kernel in program.kernels), *(str(one.results) for one in signatures(program))]
    return hashlib.sha256("\n".join(said).encode()).hexdigest()


def _run(program: CompiledProgram, made: Made, honest: Made | None) -> Made:
    from tests.mutants.buffers import parameter_types

    assert program.graph is not None, "the programs here come from graphs"
    outputs: list[tuple[Array, ...]] = []
    sets = list(input_sets(parameter_types(program.graph)))
    runs = [("preload", arrays) for arrays in sets] + [("prologue", sets[0])]
    for number, (entry, arrays) in enumerate(runs):
        found, failure = _attempt(lambda entry=entry, arrays=arrays: emulated(program, arrays, entry))
        if found is None:
            return replace(made, crash=failure, is_wrong=True)
        outputs.append(found)
        if honest is not None and _differ(honest.outputs[number], found):
            return replace(made, is_wrong=True)
    return replace(made, outputs=tuple(outputs))


def _differ(honest: Sequence[Array], found: Sequence[Array]) -> bool:
    if [one.shape for one in honest] != [one.shape for one in found]:
        return True
    return any(differs(*pair) for pair in zip(honest, found, strict=True))


def emulated(program: CompiledProgram, arrays: Sequence[Array], entry: str) -> tuple[Array, ...]:
    """The results of a program from one of its entries, without the sanitizer."""
    from asmgen.artifact import CompiledKernel
    from asmgen.runtime.calls import Signature, run_kernels
    from isa.emulator import run

    def execute(kernel: CompiledKernel, _signature: Signature, buffers: list[Array]) -> list[Array]:
        assert kernel.grid is not None, "a kernel of a graph has a grid"
        return run(kernel.assembly, kernel.name, kernel.workgroups, kernel.block, buffers, entry=entry)

    return tuple(run_kernels(program, arrays, execute))


def _attempt(action: Callable[[], _T]) -> tuple[_T | None, str]:
    """The result of an action, or None and its exception: a fault in the compiler may raise anything."""
    with ThreadPoolExecutor(1) as executor:
        future = executor.submit(action)
        failure = future.exception()
    return (future.result(), "") if failure is None else (None, f"{type(failure).__name__}: {failure}")


@contextmanager
def pool(processes: int = 1) -> Generator[ProcessPoolExecutor]:
    """A pool whose processes answer a single question each."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_PRELOADED)
    with ProcessPoolExecutor(processes, mp_context=context, max_tasks_per_child=1) as executor:
        yield executor
