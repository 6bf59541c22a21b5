"""The stages in order, from the graph to assembly text. Every stage is imported when it is first run.

A `Compilation` holds what each stage made; it can start at any of them, since every stage's text is a legal
input.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING

from asmgen.ir.program import Program, Stage
from asmgen.options import Options
from asmgen.trace import OFF, Channel, Trace
from isa.diagnostics import InputError, InternalError
from isa.program import Kernel
from isa.targets import TargetId

if TYPE_CHECKING:
    from asmgen.blockwise.program import TileProgram
    from regalloc.allocation import Allocation

STAGES = (*(stage.value for stage in Stage), "machine", "allocated", "asm", "obj")

GenPass = Callable[[Program, TargetId, Options, Trace], Program]


@dataclass(slots=True)
class Compilation:
    """What the stages made of one source, per stage; `programs` and the kernel lists are filled from the
    entry stage on. `tiles` is the program of stage blockwise where the source is one of tiles.

    `machine` is SSA on virtual registers as selected; `allocated` has physical registers, before the passes
    that follow allocation; `finished` is what is printed as assembly; `allocations` are what was allocated,
    and how: empty where the source is after allocation. All are in launch order. `trace` is told what
    the stages decide.
    """

    target: TargetId
    options: Options
    trace: Trace = OFF
    programs: dict[Stage, Program] = field(default_factory=dict)
    tiles: TileProgram | None = None
    machine: list[Kernel] = field(default_factory=list)
    allocated: list[Kernel] = field(default_factory=list)
    finished: list[Kernel] = field(default_factory=list)
    allocations: list[tuple[Kernel, Allocation]] = field(default_factory=list)


def _gridwise(program: Program, target: TargetId, _options: Options, _trace: Trace) -> Program:
    from asmgen.gen.gridwise import gridwise
    from asmgen.graph.fuse import fuse

    return gridwise(fuse(program), target)


def _blockwise(program: Program, target: TargetId, _options: Options, _trace: Trace) -> Program:
    from asmgen.gen.blockwise import blockwise

    return blockwise(program, target)


def _lanewise(program: Program, target: TargetId, _options: Options, _trace: Trace) -> Program:
    from asmgen.gen.lanewise import lanewise

    return lanewise(program, target)


def _final(program: Program, target: TargetId, options: Options, trace: Trace) -> Program:
    from asmgen.lanewise.final import final
    from asmgen.lanewise.math import MathOptions

    return final(
        program,
        target,
        MathOptions(fast=options.fast_math, contract=options.contract, nan=options.nan),
        trace,
    )


GEN_STAGES: tuple[tuple[Stage, GenPass], ...] = (
    (Stage.GRIDWISE, _gridwise),
    (Stage.BLOCKWISE, _blockwise),
    (Stage.LANEWISE, _lanewise),
    (Stage.FINAL, _final),
)


@contextmanager
def collector_off() -> Generator[None]:
    """No garbage collection inside: a compile makes many objects and no garbage cycles worth the pauses."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def advance(compilation: Compilation, stage: str) -> None:
    """Run what is left up to a stage of `STAGES`; nothing where the compilation is there or after
    already.

    Raises `InputError` where the program asks for what the target does not have.
    """
    wanted = STAGES.index(stage)
    run_gen_stages(compilation, wanted)
    if wanted >= STAGES.index("machine") and compilation.programs and not compilation.machine:
        run_select(compilation)
    if wanted >= STAGES.index("allocated") and not compilation.allocated:
        run_allocation(compilation)
    if wanted >= STAGES.index("asm") and not compilation.finished:
        run_final_passes(compilation)


def run_gen_stages(compilation: Compilation, wanted: int) -> None:
    """From the latest gen stage there is up to the stage of number `wanted`."""
    if (
        compilation.tiles is not None
        and not compilation.programs
        and wanted >= STAGES.index(Stage.LANEWISE.value)
    ):
        compilation.programs[Stage.LANEWISE] = _of_tiles(compilation.tiles, compilation)
    if not compilation.programs:
        return
    latest = max(compilation.programs, key=lambda stage: STAGES.index(stage.value))
    program = compilation.programs[latest]
    for stage, run in GEN_STAGES:
        if STAGES.index(latest.value) < STAGES.index(stage.value) <= wanted:
            program = run(program, compilation.target, compilation.options, compilation.trace)
            if compilation.options.verify_passes and stage in (Stage.LANEWISE, Stage.FINAL):
                verify_convergence(program)
            compilation.programs[stage] = program


def _of_tiles(tiles: TileProgram, compilation: Compilation) -> Program:
    from asmgen.blockwise.lowering import lower

    program = lower(tiles, compilation.target)
    if compilation.options.verify_passes:
        verify_convergence(program)
    return program


def verify_convergence(program: Program) -> None:
    """`check_convergence` of what the stages here made: `InternalError` where an op is out of its place."""
    from asmgen.lanewise.convergence import check_convergence

    try:
        check_convergence(program)
    except InputError as fault:
        raise InternalError(program.stage.value, str(fault.place), fault.message) from fault


def run_select(compilation: Compilation) -> None:
    from asmgen.select import select, select_input
    from regalloc.verify import verify

    is_lowered = Stage.GRAPH in compilation.programs  # by the stages here, and not written by a user
    for module in compilation.programs[Stage.FINAL].modules:
        kernel = (select if is_lowered else select_input)(module, compilation.target, compilation.trace)
        verify(kernel)
        compilation.machine.append(kernel)


def run_allocation(compilation: Compilation) -> None:
    """Passes on SSA, then registers; `InputError` RA001 where they do not suffice."""
    from asmgen.passes.combine import combine
    from asmgen.passes.invariants import move_invariants
    from regalloc import check, rewrite

    for kernel in compilation.machine:
        budget = compilation.target.target.workgroup_vgprs(prod(kernel.workgroup))
        max_vgprs = min(budget, compilation.options.max_vgprs or budget)
        combined, allocation = _allocation(
            move_invariants(combine(kernel, compilation.trace), max_vgprs),
            max_vgprs,
            compilation.options,
            compilation.trace,
        )
        allocated = rewrite(combined, allocation)
        check(combined, allocation, allocated)
        compilation.allocated.append(allocated)
        compilation.allocations.append((combined, allocation))


def _allocation(kernel: Kernel, max_vgprs: int, options: Options, trace: Trace) -> tuple[Kernel, Allocation]:
    """The kernel with what fills its wait states, as far as that costs no registers, and its allocation."""
    from asmgen.passes.hoist import fits, hoistings
    from regalloc import allocate
    from regalloc.placement_lines import live_ranges, placements
    from regalloc.verify import verify

    candidate, allocation = kernel, None
    for candidate in hoistings(kernel):
        if options.verify_passes:
            verify(candidate)
        trace.tell(Channel.LIVENESS, live_ranges, candidate)
        allocation = allocate(candidate, max_vgprs=max_vgprs)
        trace.tell(Channel.REGALLOC, placements, candidate, allocation)
        if candidate is kernel or fits(kernel, allocation.statistics.vgprs):
            break
    assert allocation is not None, "there is always a candidate"
    return candidate, allocation


def run_final_passes(compilation: Compilation) -> None:
    """What is between allocation and text: peephole, waits, pairs, hazards, VGPRs given back, delays."""
    from asmgen.emission.verify import verify_physical
    from asmgen.passes.deallocate import deallocate
    from asmgen.passes.delays import insert_delays
    from asmgen.passes.dual import pair
    from asmgen.passes.fill import fill
    from asmgen.passes.hazards import insert_nops
    from asmgen.passes.layout import arrange
    from asmgen.passes.peephole import peephole
    from asmgen.passes.rewriting_lines import insertions
    from asmgen.passes.waitcnt import drop_idle_waits, insert_waits

    told = {
        insert_waits: Channel.WAITS,
        insert_nops: Channel.HAZARDS,
        deallocate: Channel.HAZARDS,
        insert_delays: Channel.HAZARDS,
    }
    for kernel in compilation.allocated:
        finished = kernel
        for run in (
            arrange, peephole, fill, drop_idle_waits, insert_waits, pair, insert_nops, deallocate,
            insert_delays,
        ):  # fmt: skip
            before, finished = finished, run(finished)
            if run in told:
                compilation.trace.tell(told[run], insertions, before, finished)
            if compilation.options.verify_passes:
                verify_physical(finished)
        verify_physical(finished)
        compilation.finished.append(finished)
