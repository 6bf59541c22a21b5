"""`compile`: any source to kernels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from asmgen.artifact import CompiledKernel
from asmgen.compilation import Compilation, Source, Stages
from asmgen.compiled import CompiledProgram
from asmgen.index.size import Dim
from asmgen.ir.program import Module, Program, Stage
from asmgen.options import PROPAGATE, Options
from asmgen.pipeline import advance, collector_off
from asmgen.trace import OFF, Channel, Trace
from isa.diagnostics import InputError
from isa.targets import TargetId, parse_target

if TYPE_CHECKING:
    from pathlib import Path

    from asmgen.mlir.tensor_functions import TensorText

_FEWEST_VGPRS = 8  # no schedule chooses a smaller tile for fewer

Launch = tuple[tuple[Dim, Dim, Dim] | None, tuple[int, int, int]]
Choose = Callable[[Source, TargetId, Options], Options]


def compile_source(
    source: str | Path | Program | Callable[..., object],
    target: str,
    options: Options,
    inputs: Sequence[object] | None = None,
    choose: Choose | None = None,
) -> CompiledProgram:
    """Compile a path, gen text, a graph or a traced function (with `inputs`: specs or example arrays) for
    `target`. `choose` gives the options for the source as read.

    Raises `InputError` for anything in the source, the options or the target that cannot be accepted.
    """
    if isinstance(cast("object", source), CompiledProgram):
        raise InputError("source", "SRC011", "got a program that is compiled already, wanted its source")
    if isinstance(cast("object", target), list | tuple):
        message = f"got a {type(target).__name__} as the target, wanted a target id such as gfx942"
        raise InputError("target", "TGT001", message, help="inputs=[...] names the inputs")
    target_id = parse_target(str(target), "target")
    from asmgen.frontends.sources import read_source

    with collector_off():
        read = read_source(source, inputs, options)
        chosen = options if choose is None else choose(read, target_id, options)
        return compile_read(read, target_id, chosen)


def compile_read(source: Source, target: TargetId, options: Options) -> CompiledProgram:
    """Compile a source as read, for a target that the text of a later stage must agree with."""
    compilation = start(source, target, options)
    with collector_off():
        return finish(compilation)


def start(source: Source, target: TargetId, options: Options, trace: Trace = OFF) -> Compilation:
    """A compilation at the stage of its source; `trace` receives the decisions of its passes."""
    if source.target is not None and source.target != target:
        raise InputError(
            source.place,
            "STG001",
            f"the file is for {source.target}, --target is {target}",
            help=f"--target {source.target}",
        )
    if options.schedules and Stage.GRAPH not in source.stages.programs:
        message = f"{source.place} is not a tensor program, so its launches are not scheduled"
        raise InputError("--schedule", "SCH003", message, help="leave --schedule out")
    for stage in (Stage.LANEWISE, Stage.FINAL):
        if stage in source.stages.programs:
            check_lanes(source.stages.programs[stage])
    if not options.nan and source.stages.tensors is not None:  # the rule of StableHLO's maximum
        options = replace(options, nan=PROPAGATE)
    if source.stages.tensors is not None:
        trace.tell(Channel.ATTRIBUTES, _unread, source.stages.tensors)
    return Compilation(target, options, source.stages.copy(), trace)


def _unread(text: TensorText) -> Iterable[str]:
    from asmgen.frontends.tensors.unread import unread_attributes

    return unread_attributes(text)


def smaller_tiles(program: CompiledProgram) -> tuple[CompiledProgram, dict[str, str]] | None:
    """The program compiled with the next smaller tiles that the schedules choose if registers are few, and
    what changes in the tile of each kernel with another tile. None if the schedules have no smaller tile, or
    chose none: the source was a text of a later stage.
    """
    from asmgen.gridwise.cut import cut
    from asmgen.gridwise.tiles import tile_change, tiles

    compilation = program.compilation
    graph, chosen = compilation.stages.programs.get(Stage.GRAPH), compilation.stages.gridwise
    if graph is None or chosen is None:
        return None
    before = tiles(chosen)
    space = max(kernel.resources.vgprs for kernel in program.kernels)
    while (space := space * 3 // 4) >= _FEWEST_VGPRS:
        with collector_off():
            stages = Stages({Stage.GRAPH: graph})
            stages.gridwise, stages.blockwise = cut(
                graph, compilation.target, compilation.options.propagates_nan, room=space
            )
            after = tiles(stages.gridwise)
            if before.keys() != after.keys():
                return None
            changed = {
                name: tile_change(before[name], after[name]) for name in before if after[name] != before[name]
            }
            if changed:
                return finish(Compilation(compilation.target, compilation.options, stages)), changed
    return None


def check_lanes(program: Program) -> None:
    """Check the contract of lanewise on a text of lanewise or final; `InputError` if an op is out of its
    place."""
    from asmgen.lanewise.verify.rules import check_rules

    check_rules(program)


def finish(compilation: Compilation) -> CompiledProgram:
    """Run every remaining stage, and print the kernels."""
    from asmgen.emission.emit import emit, resources
    from asmgen.emission.usage import register_usage

    advance(compilation, "asm")
    stages = compilation.stages
    launches = (
        [launch_of(module, compilation.target) for module in stages.programs[Stage.FINAL].modules]
        if Stage.FINAL in stages.programs
        else []
    )
    usages = [register_usage(kernel) for kernel in stages.finished]
    kernels = tuple(
        CompiledKernel(
            name=kernel.name,
            target=compilation.target,
            assembly=emit(kernel, compilation.target, usage),
            grid=_grid(launches, i),
            block=kernel.workgroup,
            arguments=kernel.arguments,
            resources=resources(kernel, compilation.target.target, usage),
            preload_dwords=kernel.abi.preload_dwords,
            any_block=kernel.abi.any_block,
            assembler=compilation.options.assembler,
        )
        for i, (kernel, usage) in enumerate(zip(stages.finished, usages, strict=True))
    )
    return CompiledProgram(compilation.target, kernels, stages.programs.get(Stage.GRAPH), compilation)


def launch_of(module: Module, target: TargetId) -> Launch:
    """The grid in workgroups and the workgroup of a module's `launch`, within the limits of the target. The
    grid is None if only the launch knows it."""
    from asmgen.emission.usage import check_launch
    from asmgen.lanewise.ops import LAUNCH
    from asmgen.lanewise.records import LaunchAttributes

    for statement in module.statements:
        if statement.op is LAUNCH:
            launch = LaunchAttributes.of(statement)
            place = statement.place or module.name
            check_launch(module.name, launch.grid, launch.block, target.target, place)
            return None if launch.has_any_grid else launch.grid, launch.block
    raise InputError(
        module.name, "STG002", "the module has no launch statement, wanted launch as the first statement"
    )


def _grid(launches: list[Launch], index: int) -> tuple[Dim, Dim, Dim] | None:
    return launches[index][0] if launches else None
