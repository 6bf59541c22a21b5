"""Make a kernel of the corpus: compile it, check its waits, time it by the clock model, and run it against
its reference on the emulator."""

from __future__ import annotations

import importlib
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from shutil import which
from typing import Any

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from asmgen.cache.store import digest
from asmgen.check.findings import findings_in
from asmgen.check.listing import Listing
from asmgen.check.reading import listing_of_object, listing_of_text
from asmgen.compilation import Source, Stages
from asmgen.compiled import CompiledProgram
from asmgen.compiler import compile_read
from asmgen.gentext.parser import parse
from asmgen.graph.reference import compare, evaluate
from asmgen.gridwise.tiles import tiles
from asmgen.ir.arrays import Array
from asmgen.kernels import build_kernel
from asmgen.mlir.file import read_kernels
from asmgen.mlir.interpret import run_kernel
from asmgen.options import BUILTIN, Options, make_options
from asmgen.profile.files import launch_of_file
from asmgen.profile.launches import Launch, LaunchOptions
from asmgen.profile.sources import launches_of_source, profiled
from asmgen.profile.text import bound_text
from asmgen.runtime.calls import program_parameters
from asmgen.tuning.candidates import schedule_texts
from asmgen.tuning.neighbours import neighbours
from asmgen.verification.inputs import ordinary_inputs
from asmgen.verification.verify import hold, rules_of
from isa.diagnostics import InputError
from isa.emulator.sanitizer.faults import SanitizerError
from isa.targets import parse_target
from tests.mlir.random_programs import random_program
from tests.property.graphs import RandomGraph, random_graph
from tests.property.mixed_graphs import WITH_PRODUCTS, random_mixed_graph
from tests.property.moving_graphs import random_moving_graph
from tests.property.reduction_graphs import random_reduction_graph
from tools.clang_peer import CLANG
from tools.corpus.cases import CATALOGUED, GRAPH, HAND, MLIR, TRITON, Case
from tools.corpus.cases import CLANG as BY_CLANG
from tools.corpus.record import ABSENT, OK, REFUSED, WRONG, Record
from tools.corpus.triton import made
from tools.hand_peers import CASES, hand_kernel
from tools.profile_foreign import foreign

_MOST_STEPS = 300_000  # instructions of a launch that is timed
_MOST_STEPS_OF_GRAPH, _MOST_ELEMENTS = 5, 2500
_MLIR_STATEMENTS = (3, 5, 7, 9, 14)
_HAND_ERROR = 1e-4
_CLANG_GROUPS = 4  # workgroups that are timed
_WARM = (("rows", "2"), ("cols", "64"))
_GRAPHS: dict[str, Callable[[int], RandomGraph]] = {
    "pointwise": random_graph,
    "reductions": random_reduction_graph,
    "moves": random_moving_graph,
    "mixed": lambda seed: random_mixed_graph(seed, _MOST_STEPS_OF_GRAPH, _MOST_ELEMENTS),
    "products": lambda seed: random_mixed_graph(
        seed, _MOST_STEPS_OF_GRAPH, _MOST_ELEMENTS, weights=WITH_PRODUCTS
    ),
}


class Figures(Struct):
    """The fields of a record as they are found."""

    values: dict[str, Any] = field(default_factory=dict[str, Any])

    def record(self, case: Case, status: str = OK, reason: str = "") -> Record:
        return Record(case.name, case.family, case.kind, case.target, status, reason, **self.values)


class Wrong(Exception):
    """A kernel that is not right; the message describes the fault."""


def examine(case: Case) -> Record:
    """The record of a case. An error of our own, which no input may cause, passes through."""
    figures = Figures()
    try:
        _FAMILIES[case.family](case, figures)
    except Wrong as fault:
        return figures.record(case, WRONG, str(fault))
    except SanitizerError as fault:
        return figures.record(case, WRONG, _line(fault))
    except InputError as refusal:
        return figures.record(case, REFUSED, _line(refusal))
    except FileNotFoundError as missing:
        return figures.record(case, ABSENT, str(missing))
    return figures.record(case)


def warm_up() -> None:
    """Load what every kernel needs, so that no kernel's time has it."""
    for target in ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"):
        _ = examine(Case(0, CATALOGUED, "softmax", target, 1, _WARM, _WARM))


def _line(error: InputError) -> str:
    return f"{error.code} {error.message}"


def _catalogued(case: Case, figures: Figures) -> None:
    source = Source.of_program(case.kind, build_kernel(case.kind, case.settings))
    program = _compiled(case, source, figures)
    _look_at(program, case, figures)
    if case.small != case.settings:
        small = Source.of_program(case.kind, build_kernel(case.kind, case.small))
        program = compile_read(small, parse_target(case.target), make_options(dict(case.options)))
    _hold(program, ordinary_inputs(program_parameters(program), case.seed), case, figures)


def _graph(case: Case, figures: Figures) -> None:
    graph = _GRAPHS[case.kind](case.seed)
    source = Source.of_program("graph.gen", parse(graph.text, "graph.gen"))
    program = _compiled(case, source, figures)
    _look_at(program, case, figures)
    _hold(program, graph.inputs, case, figures)


def _compiled(case: Case, source: Source, figures: Figures) -> CompiledProgram:
    target = parse_target(case.target)
    options = make_options({"assembler": BUILTIN, **dict(case.options)})
    if case.varied:
        options = _varied(case, source, options)
    start = time.process_time()
    program = compile_read(source, target, options)
    figures.values["compile_seconds"] = round(time.process_time() - start, 4)
    return program


def _varied(case: Case, source: Source, options: Options) -> Options:
    """The options with a neighbour of the schedule that the compiler chooses for a launch."""
    file = compile_read(source, parse_target(case.target), options).compilation.stages.gridwise
    chosen = {} if file is None else tiles(file)
    others = [(name, other) for name, choice in chosen.items() for other in neighbours(choice)]
    if not others:
        return options
    name, other = Random(case.seed).choice(others)
    return replace(options, schedules=schedule_texts(tuple((chosen | {name: other}).items())))


def _look_at(program: CompiledProgram, case: Case, figures: Figures) -> None:
    """Check the assembly and time the launches. `Wrong` for a missing wait."""
    _of_kernels(program, figures)
    for kernel in program.kernels:
        _check(listing_of_text(kernel.assembly, kernel.name), figures)
    _time(launches_of_source(program, case.kind, LaunchOptions()), figures)


def _of_kernels(program: CompiledProgram, figures: Figures) -> None:
    resources = [kernel.resources for kernel in program.kernels]
    figures.values |= {
        "kernels": len(resources),
        "vgprs": max(each.vgprs for each in resources),
        "agprs": max(each.agprs for each in resources),
        "sgprs": max(each.sgprs for each in resources),
        "lds_bytes": max(each.lds_bytes for each in resources),
        "scratch_bytes": max(each.scratch_bytes for each in resources),
        "assembly": digest("".join([kernel.assembly for kernel in program.kernels]).encode())[:16],
        "code_bytes": sum(len(kernel.code_object) for kernel in program.kernels),
    }


def _check(listing: Listing, figures: Figures) -> None:
    for function in listing.functions:
        figures.values["instructions"] = figures.values.get("instructions", 0) + len(function.instructions)
        for finding in findings_in(function, listing.target):
            if not finding.is_note:
                raise Wrong(f"{finding.code} {finding.message}: {finding.consumer.text}")


def _time(launches: Sequence[Launch], figures: Figures) -> None:
    profiles = profiled(launches, _MOST_STEPS).profiles
    figures.values |= {
        "clocks": round(sum(profile.launch_clocks for profile in profiles), 1),
        "microseconds": round(sum(profile.microseconds for profile in profiles), 4),
        "limit": "; ".join(dict.fromkeys(bound_text(profile).partition(",")[0] for profile in profiles)),
    }


def _hold(program: CompiledProgram, inputs: list[Array], case: Case, figures: Figures) -> None:
    """Compare with the reference of the graph. `Wrong` for a result beyond its bounds."""
    if not case.is_small:
        verdict = hold(program, "emulator", inputs=inputs)
        broken = [str(check) for check in verdict.checks if check.is_broken]
        figures.values["runs"] = verdict.runs
    else:
        results = program(*inputs, device="emulator")
        assert program.graph is not None, "the source is a graph"
        wanted = evaluate(program.graph, inputs, rules_of(program))
        comparisons = [compare(range_, result) for range_, result in zip(wanted, results, strict=True)]
        has_bounds = not program.compilation.options.fast_math
        broken = [str(comparison) for comparison in comparisons if comparison.is_broken and has_bounds]
        figures.values["runs"] = 1
    if broken:
        raise Wrong(" ".join(broken[0].split()))


def _mlir(case: Case, figures: Figures) -> None:
    statements = Random(case.seed).choice(_MLIR_STATEMENTS)
    made = random_program(case.seed, statements)
    file = read_kernels(made.text, "kernel.mlir")
    program = _compiled(case, Source("kernel.mlir", None, Stages(mlir=file)), figures)
    _of_kernels(program, figures)
    for kernel in program.kernels:
        _check(listing_of_text(kernel.assembly, kernel.name), figures)
    launch = LaunchOptions(grid=made.grid, block=made.block, arguments=made.arguments)
    _time(launches_of_source(program, "kernel.mlir", launch), figures)
    (kernel,) = file.kernels
    wave = program.target.target.wave_size
    wanted: list[Any] = [each.copy() if isinstance(each, np.ndarray) else each for each in made.arguments]
    run_kernel(file.module, kernel, made.grid, made.block, wanted, wave)
    after = program.kernel(kernel.name).launch(
        grid=made.grid, block=made.block, args=made.arguments, device="emulator"
    )
    arrays: list[Array] = [each for each in wanted if isinstance(each, np.ndarray)]
    for number, (got, expected) in enumerate(zip(after, arrays, strict=True)):
        if not np.array_equal(got, expected):
            raise Wrong(f"array {number}: {int(np.sum(got != expected))} of {got.size} elements differ")
    figures.values["runs"] = 1


def _hand(case: Case, figures: Figures) -> None:
    (peer,) = [each for each in CASES if each.name == case.kind]
    start = time.process_time()
    program = hand_kernel(peer).compile(case.target)
    figures.values["compile_seconds"] = round(time.process_time() - start, 4)
    _of_kernels(program, figures)
    (kernel,) = program.kernels
    _check(listing_of_text(kernel.assembly, kernel.name), figures)
    if not case.is_small:  # the arrays are large
        grid, arguments = peer.launch(program.target.target.wave_size)
        options = LaunchOptions(kernel.name, grid, kernel.block, arguments)
        _time([launch_of_file(kernel.assembly, kernel.name, None, options)], figures)
    error = float(importlib.import_module(f"examples.by_hand.{case.kind}").verify(case.target))
    if not error < _HAND_ERROR:
        raise Wrong(f"the largest relative error is {error:g}")
    figures.values["runs"] = 1


def _by_clang(case: Case, figures: Figures) -> None:
    """A random kernel in OpenCL C by clang: it has no reference, but `check` must find no missing wait."""
    if which(CLANG) is None:
        raise FileNotFoundError(f"{CLANG} is not installed")
    kernel = foreign(case.seed, 0)
    with tempfile.TemporaryDirectory(prefix="asmgen-") as folder:
        built = kernel.built(Path(folder))
    if built is None:
        raise FileNotFoundError(f"{CLANG} refuses the kernel")
    figures.values |= {"kernels": 1, "code_bytes": len(built), "assembly": digest(built)[:16]}
    _check(listing_of_object(built, "k.hsaco"), figures)
    if not case.is_small:  # a loop may take many trips
        options = LaunchOptions(
            "k", (_CLANG_GROUPS, 1, 1), (32 * kernel.waves, 1, 1), tuple(kernel.arguments())
        )
        _time([launch_of_file(built, "k.hsaco", None, options)], figures)


def _by_triton(case: Case, figures: Figures) -> None:
    """A kernel by Triton: `check` must find no missing wait, and numpy the same results."""
    kernel = made(case.kind, case.target, case.seed)
    figures.values |= {"kernels": 1, "code_bytes": len(kernel.code), "assembly": digest(kernel.code)[:16]}
    _check(listing_of_object(kernel.code, "k.hsaco"), figures)
    if kernel.faults:
        raise Wrong(kernel.faults[0])
    sizes = (kernel.choice.groups, 1, 1), (kernel.choice.lanes, 1, 1)
    options = LaunchOptions(
        kernel.choice.kernel, *sizes, tuple(kernel.arguments), lds_bytes=kernel.choice.lds
    )
    _time([launch_of_file(kernel.code, "k.hsaco", None, options)], figures)
    figures.values["runs"] = 1


_FAMILIES: dict[str, Callable[[Case, Figures], None]] = {
    CATALOGUED: _catalogued, GRAPH: _graph, MLIR: _mlir, HAND: _hand, BY_CLANG: _by_clang,
    TRITON: _by_triton,
}  # fmt: skip
