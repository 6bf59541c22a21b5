"""`--verify`: a program, and the same program at other sizes, run on the emulator and compared with the
reference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from asmgen.blockwise.matrix import flushes_products
from asmgen.compilation import Source
from asmgen.compiled import CompiledProgram
from asmgen.compiler import compile_read
from asmgen.graph.array_sizes import Values, sizes_of
from asmgen.graph.at_sizes import is_named, parameter_at
from asmgen.graph.reference import Rules
from asmgen.ir.arrays import Array
from asmgen.ir.program import Program, Stage, Statement
from asmgen.runtime.calls import program_parameters, signatures
from asmgen.runtime.run import resolve_device
from asmgen.verification.depth import additions
from asmgen.verification.factors import long_factors
from asmgen.verification.inputs import Inputs, lone_numbers, seeded_inputs
from asmgen.verification.large import LargeSubject, Progress, Scope, is_large, large_outcomes
from asmgen.verification.period import only_adds
from asmgen.verification.report import Verification
from asmgen.verification.runs import Outcome, Subject, Way, check_size, outcomes, up_to_a_fault, way_of, worst
from asmgen.verification.settings import NEAREST, Setting, emulated, settings
from asmgen.verification.sizes import NO_SIZES, Resizing, launch_sizes, resized_programs, sizes_text
from isa.diagnostics import InputError
from isa.named_tuple import NamedTuple

SEED = 20240

Emulate = Callable[[CompiledProgram, Sequence[Array], Setting], list[Array]]


def _untold(_done: int, _total: int) -> None:
    """Ignore progress."""


class _Conditions(NamedTuple):
    """The conditions of runs: the device, the seed of inputs, the emulator, and the receiver of progress."""

    device: str
    seed: int
    emulate: Emulate
    progress: Progress


def verify(
    program: CompiledProgram,
    device: str = "auto",
    seed: int = SEED,
    emulate: Emulate = emulated,
    progress: Progress = _untold,
) -> Verification:
    """Compare a program with the reference of its graph, and its graph at every size that is compiled
    differently.

    The program runs as `hold` does it. Each other size is compiled too and runs on the same kinds of inputs,
    in the plainest setting. The first run that breaks a bound is the last. `emulate` runs a program in a
    setting; `progress` receives the number of finished sizes. Raises `InputError` if the program has no
    graph, and the sanitizer's findings.
    """
    graph, options = _graph_of(program), program.compilation.options
    how, scope = _Conditions(device, seed, emulate, progress), Scope()
    if is_named(graph):
        return _verify_launches(program, how)
    first, first_notes = _compared(program, how, scope)
    notes, tried = [*first_notes], list[str]()

    def every_run() -> Iterator[list[Outcome]]:
        yield from first  # a fault ends the verification here, before the other sizes are lowered
        resizing = Resizing([], []) if is_large(graph) else resized_programs(graph, program.target, options)
        notes.extend(resizing.notes)
        for number, (name, other) in enumerate(resizing.programs, 1):
            progress(number, len(resizing.programs) + 1)
            try:
                compiled = compile_read(Source.of_program(name, other), program.target, options)
            except InputError as error:
                notes.append(f"not tried at {name}: {error.message}")
                continue
            tried.append(name)
            yield from _compare_resized(compiled, name, how)

    report = _report(program, every_run())
    return replace(report, notes=tuple(notes), sizes=tuple(tried), scope=str(scope))


def _verify_launches(program: CompiledProgram, how: _Conditions) -> Verification:
    """A code object at several values of its named dims: at the first in every setting, then in the
    plainest."""
    parameters, chosen = program_parameters(program), launch_sizes(program_parameters(program))
    first, notes = _compared(program, how, Scope(), sizes=chosen[0])

    def every_run() -> Iterator[list[Outcome]]:
        yield from first
        for number, sizes in enumerate(chosen[1:], 1):
            how.progress(number, len(chosen))
            at = [parameter_at(parameter, sizes) for parameter in parameters]
            yield from _compare_resized(program, sizes_text(sizes), how, at)

    report = _report(program, every_run())
    return replace(report, notes=notes, sizes=tuple(map(sizes_text, chosen)))


def hold(
    program: CompiledProgram,
    device: str = "auto",
    seed: int = SEED,
    inputs: Sequence[Array] | None = None,
    emulate: Emulate = emulated,
) -> Verification:
    """Compare a program, at its own size alone, with the reference of its graph, on seeded or on given
    inputs.

    The emulator runs the assembly text with approximate instructions at nearest and at both ends of their
    documented error, preloading kernels from both entries, and the code object if it differs from the text;
    `device` "hip" adds a run on the GPU. Raises as `verify`.
    """
    scope = Scope()
    runs, notes = _compared(program, _Conditions(device, seed, emulate, _untold), scope, inputs)
    report = _report(program, runs)
    return replace(report, notes=notes, scope=str(scope))


def _report(program: CompiledProgram, runs: Iterable[list[Outcome]]) -> Verification:
    bounds_hold = not program.compilation.options.fast_math
    comparisons = up_to_a_fault(runs, bounds_hold)
    return Verification(worst(comparisons, bounds_hold, _graph_of(program)), (), len(comparisons))


def rules_of(program: CompiledProgram) -> Rules:
    """The errors that a program may have: its options, and sums in trees of its kernels' height."""
    options = program.compilation.options
    height = additions(program.compilation.stages.programs[Stage.FINAL])
    is_open = program.graph is not None and is_named(program.graph)
    return Rules(
        options.contract,
        options.nan_rule,
        lambda elements: min(float(elements), height),
        is_open,
        options.matrix_precision,
        flushes_products(program.target.target),
    )


def _graph_of(program: CompiledProgram) -> Program:
    if program.graph is None:
        raise no_graph()
    return program.graph


def no_graph() -> InputError:
    """The refusal of a source without a graph, which would give the expected results."""
    message = "the source comes after the graph, wanted a graph, which gives the expected results"
    help = "--against PROGRAM compares it with the graph of another source"
    return InputError("--verify", "VER002", message, help=help)


def _compared(
    program: CompiledProgram,
    how: _Conditions,
    scope: Scope,
    inputs: Sequence[Array] | None = None,
    sizes: Mapping[str, int] = NO_SIZES,
) -> tuple[Iterator[list[Outcome]], tuple[str, ...]]:
    """Every run of a program, on `inputs` or on seeded inputs, and notes on the runs. `scope` receives the
    workgroups that ran."""
    graph, device, seed = _graph_of(program), how.device, how.seed
    if not sizes and is_named(graph):
        sizes = _sizes_of_launch(program_parameters(program), inputs)
    check_size([signature.at(sizes) for signature in signatures(program)])
    parameters = [parameter_at(parameter, sizes) for parameter in program_parameters(program)]
    chosen, notes = settings(program)

    def run(arrays: Sequence[Array], setting: Setting) -> list[Array]:
        return how.emulate(program, arrays, setting)

    ways = [way_of(setting, run) for setting in chosen]
    if device == "hip":
        ways.append(
            Way(resolve_device(device, program.target), lambda arrays: program(*arrays, device=device))
        )
    if inputs is None and device != "hip" and not sizes and is_large(graph):
        subject = LargeSubject(program, graph, rules_of(program), chosen, run)
        return large_outcomes(subject, seed, scope, how.progress), notes
    if program.compilation.stages.tensors is not None:
        from asmgen.verification.tensors import specified

        of_semantics, unknown = specified(program, parameters)
        ways, notes = [*ways, *of_semantics], (*notes, *unknown)
    if inputs is not None:
        sets = [Inputs("given inputs", list(inputs))]
    else:
        sets = seeded_inputs(parameters, seed, long_factors(graph, parameters))
        if not only_adds(graph):
            sets.append(lone_numbers(parameters, seed))
    return outcomes(Subject(graph, rules_of(program), tuple(ways)), sets), notes


def _sizes_of_launch(parameters: Sequence[Statement], inputs: Sequence[Array] | None) -> Values:
    """The values of the named dims that given inputs have, or the first of the ladder."""
    if inputs is None:
        return launch_sizes(parameters)[0]
    return sizes_of(parameters, [array.shape for array in inputs])


def _compare_resized(
    program: CompiledProgram, name: str, how: _Conditions, parameters: Sequence[Statement] = ()
) -> Iterator[list[Outcome]]:
    """Every run of a program at another size: the same kinds of inputs, in the plainest setting alone."""
    way = Way(f"{NEAREST}, at {name}", lambda arrays: how.emulate(program, arrays, NEAREST))
    graph, parameters = _graph_of(program), parameters or program_parameters(program)
    sets = seeded_inputs(parameters, how.seed, long_factors(graph, parameters))
    return outcomes(Subject(graph, rules_of(program), (way,)), sets)
