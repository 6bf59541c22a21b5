"""The profile of any source that the command line or a caller names."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from asmgen.artifact import Artifact
from asmgen.graph.array_sizes import dims_of
from asmgen.profile.build import Profiled, profile_launch
from asmgen.profile.files import launch_of_file
from asmgen.profile.launches import Launch, LaunchOptions
from asmgen.profile.result import Profile
from isa.diagnostics import InputError, close_names
from isa.targets import TargetId


def profiled(
    launches: Sequence[Launch], max_steps: int | None = None, tell: Callable[[int, int], None] | None = None
) -> Profile:
    """The profile of launches; the same launch is profiled once. `tell` gets the number of those done and of
    all. `InputError` RUN025 for `max_steps` below 1."""
    if max_steps is not None and max_steps < 1:
        raise InputError("max_steps", "RUN025", f"got {max_steps}, wanted a number of instructions from 1 on")
    made: dict[int, Profiled] = {}
    for number, launch in enumerate(launches):
        if tell is not None:
            tell(number, len(launches))
        if id(launch) not in made:
            made[id(launch)] = profile_launch(launch, max_steps)
    return Profile(tuple([made[id(launch)] for launch in launches]))


def launch_of_code(
    code: str | bytes, name: str, target: TargetId | None, options: LaunchOptions, allow_include: bool = False
) -> Launch:
    """The launch of a kernel of assembly text or of a code object."""
    _refuse_sizes(options)
    return launch_of_file(code, name, target, options, allow_include)


def launched_as(
    code: str | bytes, name: str, others: Sequence[Launch], allow_include: bool = False
) -> list[Launch]:
    """The kernels of compiled code, launched as the kernels of these names of another build."""
    launches: list[Launch] = []
    for other in others:
        call = other.call
        options = LaunchOptions(other.name, call.grid, call.block, call.arguments, lds_bytes=call.lds_bytes)
        launches.append(launch_of_file(code, name, None, options, allow_include))
    return launches


def launches_of_source(program: Artifact, source: str, options: LaunchOptions) -> list[Launch]:
    """The launches of a compiled program in order."""
    stages = program.compilation.stages
    if options.lds_bytes and (stages.mlir is not None or stages.programs):
        message = "got --lds for a source that states its own LDS, wanted none"
        raise InputError("--lds", "PRF007", message, help="leave --lds out")
    if stages.mlir is not None:
        from asmgen.profile.mlir_launches import launches_of_mlir

        return launches_of_mlir(program, source, options)
    if not stages.programs:
        return [_machine_launch(program, source, options)]
    from asmgen.profile.programs import launches_of_program

    for option, given in (("--grid", options.grid), ("--block", options.block)):
        if given is not None:
            message = f"got {option} for a source that states its own launches, wanted none"
            raise InputError(option, "PRF007", message, help=f"leave {option} out")
    dims = dims_of(options.sizes)
    launches = launches_of_program(program, source, options.arguments, dims, options.cleared)
    if options.kernel is None:
        return launches
    names = list(dict.fromkeys(launch.name for launch in launches))
    if options.kernel not in names:
        message = f"the program has no kernel {options.kernel!r}, wanted one of {', '.join(names)}"
        raise InputError("--kernel", "LNC001", message, help=close_names(options.kernel, names))
    return [launch for launch in launches if launch.name == options.kernel]


def _machine_launch(program: Artifact, source: str, options: LaunchOptions) -> Launch:
    """The launch of a machine program, which states its workgroup but not its grid."""
    names = [kernel.name for kernel in program.kernels]
    name = options.kernel or (names[0] if len(names) == 1 else None)
    kernel = next((each for each in program.kernels if each.name == name), None)
    if kernel is None:
        message = f"the file has {len(names)} kernels, wanted the name of a single kernel: {', '.join(names)}"
        raise InputError("--kernel", "LNC001", message)
    block = options.block or (None if kernel.any_block else kernel.block)
    _refuse_sizes(options)
    options = replace(options, kernel=kernel.name, block=block)
    return launch_of_file(kernel.assembly, source, None, options)


def _refuse_sizes(options: LaunchOptions) -> None:
    if options.sizes:
        message = (
            f"got a size of {next(iter(options.sizes))}, wanted none: a compiled kernel has no named dims"
        )
        raise InputError("--size", "PRF002", message, help="--arg 'f32[4096]' gives an array its size")
