"""`kernel` without a kept answer: compile a source; print a summary or a stage, or verify the program."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from asmgen.artifact import shown
from asmgen.cache.store import folder_of
from asmgen.cli.grammar.parser import refuse_given
from asmgen.cli.outputs import write_stage
from asmgen.cli.reading import (
    check_against,
    is_code,
    options_of,
    reference_of,
    refuse_settings,
    settings_of_source,
    source_of,
    takes_dims,
)
from asmgen.cli.stages import TEXT_STAGES, assembly_text, code_object, stage_text
from asmgen.cli.terminal import collect_from_here
from asmgen.compiler import finish, start
from asmgen.index.size import Dim
from asmgen.ir.stage import LAUNCHES, Stage
from asmgen.pipeline import advance, collector_off
from asmgen.trace import OFF, make_trace
from isa.diagnostics import InputError
from isa.targets import parse_target

_OF_GRAPHS = ("--matrix-precision",)
_OF_NUMBERS = ("--fast-math", "--no-contract", "--nan", *_OF_GRAPHS)
_OF_REGISTERS = ("--max-vgprs", "--waves-per-eu", "--no-spill", "--no-schedule", "--order")
_SHOWN_SPILLS = 8

if TYPE_CHECKING:
    from asmgen.compilation import Compilation
    from asmgen.compiled import CompiledProgram


def execute(arguments: argparse.Namespace, emit: str | None) -> int:
    """Compile a source, and write the stage `emit` or print a summary. Return 1 if --verify finds a broken
    bound."""
    check_against(arguments)
    if is_code(arguments.source):
        from asmgen.cli.assembled import execute_assembled

        refuse_settings(arguments.source, settings_of_source(arguments))
        if arguments.time:
            message = (
                f"{arguments.source} is compiled code, which states no launch, wanted a source that does"
            )
            help = f"`python -m asmgen profile {arguments.source} --grid X --block X --arg A` launches it"
            raise InputError("--time", "PRF008", message, help=help)
        unused = (
            (*_OF_REGISTERS, "--trace") if arguments.against else (*_OF_NUMBERS, *_OF_REGISTERS, "--trace")
        )
        refuse_given(arguments, unused, f"{arguments.source} is already compiled")
        return execute_assembled(arguments, emit)
    compilation = _start(arguments)
    _refuse_unused(arguments, compilation)
    with collector_off():
        if emit in TEXT_STAGES:
            advance(compilation, emit)
            write_stage(arguments.output, emit, stage_text(compilation, emit, arguments.holders))
            if not arguments.verify:
                return 0
        program = finish(compilation)
    _tell_spills(compilation)
    if emit is None and not arguments.verify:
        print_summary(program, _times(program, arguments) if arguments.time else {})
    if emit == "asm":
        write_stage(arguments.output, emit, assembly_text(program))
    if emit == "obj":
        write_stage(arguments.output, emit, code_object(program))
    if emit == LAUNCHES:
        from asmgen.graph.array_sizes import dims_of  # loads numpy

        plan = program.launch_plan(**dims_of(_sizes(arguments)))
        write_stage(arguments.output, emit, plan.to_json())
    return _verify(program, arguments) if arguments.verify else 0


def _refuse_unused(arguments: argparse.Namespace, compilation: Compilation) -> None:
    """Refuse the options of stages that come before the source."""
    stages = compilation.stages
    above_lanes = any(made is not None for made in (stages.blockwise, stages.gridwise, stages.mlir))
    left = above_lanes or not stages.programs.keys().isdisjoint({Stage.GRAPH, Stage.LANEWISE})
    if not left and not arguments.against:
        refuse_given(arguments, _OF_NUMBERS, f"{arguments.source} starts after the stage final")
    if Stage.GRAPH not in stages.programs and not arguments.against:
        refuse_given(arguments, _OF_GRAPHS, f"{arguments.source} starts after the graph")
    if not above_lanes and not stages.programs and not stages.machine:
        refuse_given(arguments, _OF_REGISTERS, f"the registers of {arguments.source} are already allocated")
    if stages.tensors is not None:
        why = f"{arguments.source} is a tensor program with its own launch"
        refuse_given(arguments, ("--grid", "--block"), why)
        if arguments.sizes and not takes_dims(arguments):
            message = f"{why}, so --size would change nothing"
            raise InputError("--size", "CLI005", message, help="leave --size out")
    if not arguments.verify:
        refuse_given(arguments, ("--device",), "without --verify nothing runs")


def _start(arguments: argparse.Namespace) -> Compilation:
    target = parse_target(arguments.target)
    trace = OFF if arguments.trace is None else make_trace(arguments.trace, "--trace", sys.stderr.write)
    source = source_of(arguments.source, settings_of_source(arguments), arguments.entry)
    options = options_of(arguments)
    if Stage.GRAPH in source.stages.programs and folder_of() is not None:
        from asmgen.cli.tuned import with_tuned

        options = with_tuned(options, arguments)
    return start(source, target, options, trace)


def _tell_spills(compilation: Compilation) -> None:
    """Print the most expensive spilled values of each kernel on standard error."""
    for allocated in compilation.stages.allocations:
        if allocated.spilled:
            from regalloc.spill.notes import spill_lines

            for line in spill_lines(allocated.kernel.name, allocated.spilled, _SHOWN_SPILLS):
                print(f"note: {line}", file=sys.stderr)


def _verify(program: CompiledProgram, arguments: argparse.Namespace) -> int:
    from asmgen.cli.proof import prove, prove_against, prove_kernels

    collect_from_here()
    if program.compilation.stages.mlir is not None and arguments.against is None:
        sizes = arguments.sizes
        return prove_kernels(program, arguments.grid, arguments.block, arguments.device, sizes)
    reference = reference_of(arguments)
    return prove(program, arguments.device) if reference is None else prove_against(program, reference)


def _times(program: CompiledProgram, arguments: argparse.Namespace) -> dict[str, list[str]]:
    """A line for each different launch of a kernel, by the kernel's name."""
    from asmgen.profile.launches import LaunchOptions
    from asmgen.profile.sources import launches_of_source, profiled
    from asmgen.profile.text import time_line

    collect_from_here()
    options = LaunchOptions(grid=arguments.grid, block=arguments.block, sizes=_sizes(arguments))
    times: dict[str, list[str]] = {}
    for each, count in profiled(launches_of_source(program, arguments.source, options)).distinct:
        times.setdefault(each.profile.name, []).append(time_line(each.profile, count))
    return times


def _sizes(arguments: argparse.Namespace) -> Mapping[str, tuple[int, ...]]:
    """The sizes of --size by name."""
    from asmgen.cli.profiling import sizes_by_name

    return sizes_by_name(arguments.sizes)


def print_summary(
    program: CompiledProgram, times: Mapping[str, Sequence[str]] = MappingProxyType({})
) -> None:
    """Print the kernels of a program with their launches, arguments and resources. `times` are lines of
    kernels by their names."""
    launches = Counter(launch.kernel.name for launch in program.launches)
    for kernel in program.kernels:
        taken = kernel.resources
        print(f"{kernel.name} for {kernel.target}")
        times_launched = f", {launches[kernel.name]} times" if launches[kernel.name] > 1 else ""
        groups = f"{_launch(kernel.grid)} workgroups of {_launch(kernel.block)} work-items"
        print(f"  launch: {groups}{times_launched}")
        for argument in kernel.arguments:
            what = " ".join(part for part in (argument.kind, argument.type, argument.access) if part)
            print(f"  argument {argument.name}: {what}, {argument.size} bytes at {argument.offset}")
        print(
            f"  registers: {taken.vgprs} VGPRs, {taken.agprs} AGPRs, {taken.sgprs} SGPRs, "
            f"{taken.spills} spills"
        )
        print(
            f"  memory: {taken.lds_bytes} bytes of LDS, {taken.scratch_bytes} bytes of scratch per work-item"
        )
        print(f"  occupancy: {taken.occupancy} waves per SIMD")
        for time in times.get(kernel.name, ()):
            print(f"  time: {time}")


def _launch(sizes: tuple[Dim, Dim, Dim] | None) -> str:
    return "?" if sizes is None else shown(sizes)
