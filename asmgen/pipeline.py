"""The stages in order, from the graph to assembly text. Every stage is imported when it is first run.

A compilation can start at any stage, since the text of every stage is a legal input.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from functools import cache

from asmgen.compilation import Compilation
from asmgen.ir.program import Program
from asmgen.ir.stage import STAGES, Stage
from asmgen.trace import Channel
from isa.diagnostics import InputError, InternalError
from isa.lane_masks import reads_exec
from isa.program import Kernel


@contextmanager
def collector_off() -> Generator[None]:
    """No garbage collection inside: a compile makes many objects and no garbage cycles.

    The objects of the compile count as old at its end, because a collection of them took a tenth of a small
    compile. The caller's own young garbage is collected before, so that it does not become old.
    """
    if not gc.isenabled():
        yield
        return
    _ = gc.collect(1)
    gc.disable()
    try:
        yield
    finally:
        if not _has_frozen(os.getpid()):  # objects that the caller froze stay frozen
            gc.freeze()
            gc.unfreeze()
        gc.enable()


@cache
def _has_frozen(_process: int) -> bool:
    """True if the process has frozen objects. A count of them takes 20 ms in a worker of a batch."""
    return gc.get_freeze_count() > 0


def advance(compilation: Compilation, stage: str) -> None:
    """Run the remaining steps up to a stage of `STAGES`; nothing if the compilation has reached the stage.

    Raises `InputError` if the program needs a feature that the target lacks.
    """
    wanted = STAGES.index(stage)
    for name, run in _STEPS:
        if STAGES.index(name) <= wanted:
            run(compilation)


def cut_launches(compilation: Compilation) -> None:
    """From the graph to launches and the tile program of each; both follow from the schedules."""
    stages = compilation.stages
    if stages.gridwise is None and Stage.GRAPH in stages.programs:
        from asmgen.budget import room
        from asmgen.gridwise.cut import cut

        options, target = compilation.options, compilation.target
        graph, space = stages.programs[Stage.GRAPH], room(target.target, options)
        stated = None
        if options.schedules:
            from asmgen.gridwise.stated import read_stated

            stated = read_stated(options.schedules)
        stages.gridwise, stages.blockwise = cut(
            graph,
            target,
            options.propagates_nan,
            room=space,
            stated=stated,
            precision=options.matrix_precision,
        )
        compilation.trace.tell(Channel.ATTRIBUTES, _donated, compilation)
        compilation.trace.tell(Channel.FUSE, _fused, compilation)
        compilation.trace.tell(Channel.SCHEDULES, _schedules, compilation)


def _donated(compilation: Compilation) -> Iterable[str]:
    from asmgen.gridwise.in_place import donation_lines

    stages = compilation.stages
    if stages.gridwise is None or stages.blockwise is None:
        return ()
    return donation_lines(stages.programs[Stage.GRAPH], stages.gridwise, stages.blockwise.kernels)


def _fused(compilation: Compilation) -> Iterable[str]:
    from asmgen.gridwise.fuse_lines import fuse_lines

    graphs, options = compilation.stages.programs[Stage.GRAPH], compilation.options
    return fuse_lines(graphs, compilation.target.target, options.propagates_nan, options.matrix_precision)


def _schedules(compilation: Compilation) -> Iterable[str]:
    from asmgen.gridwise.lines import schedule_lines

    file = compilation.stages.gridwise
    return schedule_lines(file) if file is not None else ()


def make_tiles(compilation: Compilation) -> None:
    """From the launches of a text to tile programs."""
    stages = compilation.stages
    if stages.blockwise is None and stages.gridwise is not None:
        from asmgen.gridwise.lower import tile_program

        stages.blockwise = tile_program(stages.gridwise, compilation.options.propagates_nan)


def lower_mlir(compilation: Compilation) -> None:
    """From MLIR kernels to lanewise."""
    stages = compilation.stages
    if Stage.LANEWISE in stages.programs or stages.mlir is None:
        return
    from asmgen.lanewise.verify.rules import check_rules
    from asmgen.mlir.lower import lower_kernels

    file = stages.mlir
    program = lower_kernels(file.module, file.kernels, compilation.target)
    check_rules(program)
    stages.programs[Stage.LANEWISE] = program


def lower_tiles(compilation: Compilation) -> None:
    """From tiles to lanewise."""
    stages = compilation.stages
    if Stage.LANEWISE in stages.programs or stages.blockwise is None:
        return
    from asmgen.blockwise.lowering import lower

    stages.programs[Stage.LANEWISE] = lower(stages.blockwise, compilation.target)
    _check_made(compilation, Stage.LANEWISE)


def expand(compilation: Compilation) -> None:
    """From lanewise to final: functions become the steps that compute them."""
    stages = compilation.stages
    if Stage.FINAL in stages.programs or Stage.LANEWISE not in stages.programs:
        return
    from asmgen.lanewise.final import final
    from asmgen.lanewise.math import MathOptions

    options = compilation.options
    numbers = MathOptions(fast=options.fast_math, contract=options.contract, nan=options.nan_rule)
    lanes = stages.programs[Stage.LANEWISE]
    stages.programs[Stage.FINAL] = final(lanes, compilation.target, numbers, compilation.trace)
    _check_made(compilation, Stage.FINAL)


def _check_made(compilation: Compilation, stage: Stage) -> None:
    if compilation.options.verify_passes:
        verify_convergence(compilation.stages.programs[stage])


def verify_convergence(program: Program) -> None:
    """`check_convergence` of a program that the stages made: `InternalError` if an op is out of its place."""
    from asmgen.lanewise.verify.convergence import check_convergence

    try:
        check_convergence(program)
    except InputError as fault:
        raise InternalError(program.stage.value, str(fault.place), fault.message) from fault


def record(compilation: Compilation) -> None:
    """From a Python function that writes instructions to machine SSA."""
    stages = compilation.stages
    if not stages.machine and stages.recorded is not None:
        stages.machine = stages.recorded(compilation.target)


def run_select(compilation: Compilation) -> None:
    """From lanes to machine SSA on virtual registers."""
    stages = compilation.stages
    if stages.machine or Stage.FINAL not in stages.programs:
        return
    from asmgen.select import select, select_input
    from regalloc.verify import verify

    is_lowered = stages.blockwise is not None  # by the stages here, and not written by a user
    for module in stages.programs[Stage.FINAL].modules:
        kernel = (select if is_lowered else select_input)(module, compilation.target, compilation.trace)
        verify(kernel)
        stages.machine.append(kernel)


def run_allocation(compilation: Compilation) -> None:
    """Passes on SSA, then registers; `InputError` RA001 if registers do not suffice."""
    stages = compilation.stages
    if stages.allocated:
        return
    from asmgen.to_registers import ToRegisters
    from regalloc import check, rewrite

    for kernel in stages.machine:
        allocation = ToRegisters(kernel, compilation.options, compilation.trace).run()
        allocated = rewrite(allocation.kernel, allocation.allocation)
        check(allocation.kernel, allocation.allocation, allocated)
        stages.allocated.append(allocated)
        stages.allocations.append(allocation)


def _with_defaults_first(kernel: Kernel) -> Kernel:
    """The kernel after `set_defaults_first`, which is imported only if lanes may skip a branch."""
    if not any(block.terminator is not None and reads_exec(block.terminator) for block in kernel.blocks):
        return kernel
    from asmgen.passes.peephole.defaults import set_defaults_first

    return set_defaults_first(kernel)


def final_passes() -> tuple[Callable[[Kernel], Kernel], ...]:
    """The passes between allocation and text, in their order."""
    from asmgen.passes.block_order import arrange
    from asmgen.passes.clauses import form_clauses
    from asmgen.passes.peephole.bank_order import order_by_banks
    from asmgen.passes.peephole.dual import pair
    from asmgen.passes.peephole.literals import take_literals
    from asmgen.passes.peephole.peephole import peephole
    from asmgen.passes.peephole.splats import read_splats
    from asmgen.passes.waits.deallocate import deallocate
    from asmgen.passes.waits.delays import insert_delays
    from asmgen.passes.waits.fill import fill
    from asmgen.passes.waits.hazards import insert_nops
    from asmgen.passes.waits.waitcnt import drop_idle_waits, insert_waits, merge_waits

    return (
        _with_defaults_first, arrange, take_literals, peephole, read_splats, fill, drop_idle_waits,
        insert_waits, merge_waits, pair, order_by_banks, insert_nops, form_clauses, deallocate, insert_delays,
    )  # fmt: skip


def run_final_passes(compilation: Compilation) -> None:
    """Run `final_passes`, with the verifiers."""
    stages = compilation.stages
    if stages.finished:
        return
    from asmgen.emission.verify import verify_clauses, verify_physical
    from asmgen.passes.combine.lines import insertions
    from asmgen.passes.waits.deallocate import deallocate
    from asmgen.passes.waits.delays import insert_delays
    from asmgen.passes.waits.hazards import insert_nops
    from asmgen.passes.waits.waitcnt import insert_waits

    passes = final_passes()
    told: dict[Callable[[Kernel], Kernel], Channel] = {
        insert_waits: Channel.WAITS,
        insert_nops: Channel.HAZARDS,
        deallocate: Channel.HAZARDS,
        insert_delays: Channel.HAZARDS,
    }
    for kernel in stages.allocated:
        finished = kernel
        for run in passes:
            before, finished = finished, run(finished)
            if run in told:
                compilation.trace.tell(told[run], insertions, before, finished)
            if compilation.options.verify_passes:
                verify_physical(finished)
        verify_physical(finished)
        verify_clauses(finished)
        stages.finished.append(finished)


# Each step takes a compilation to its stage, and does nothing if the compilation has reached the stage.
_STEPS = (
    (Stage.GRIDWISE.value, cut_launches),
    (Stage.BLOCKWISE.value, make_tiles),
    (Stage.LANEWISE.value, lower_mlir),
    (Stage.LANEWISE.value, lower_tiles),
    (Stage.FINAL.value, expand),
    ("machine", record),
    ("machine", run_select),
    ("allocated", run_allocation),
    ("asm", run_final_passes),
)
