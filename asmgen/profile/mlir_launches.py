"""The launches of an MLIR file: those of its host functions, or of a kernel with a grid and a workgroup."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from asmgen.artifact import Artifact
from asmgen.mlir.host.ops import LaunchedKernel
from asmgen.profile.launches import Launch, LaunchOptions, Sizes
from asmgen.runtime.formals import Formal
from asmgen.runtime.host_function import launch_on, passed, runnable
from asmgen.runtime.kernel_launch import launchable
from asmgen.verification.mlir.arguments import Chosen, argument_of, check_names, is_open
from asmgen.verification.mlir.host import verified_functions
from isa.diagnostics import InputError
from isa.emulator import load
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.program.source_lines import without_own_lines

MOST_ITEMS = 1 << 14  # of a launch that the emulator runs for the launches after it
_MOST_INTEGER = 101  # of arrays of integers


def launches_of_mlir(program: Artifact, source: str, options: LaunchOptions) -> list[Launch]:
    """The launches of a file: those of its host functions, unless the options name a kernel, a grid or a
    block; then the kernel, or every kernel, is launched by itself.

    Raises `InputError` PRF003 for a kernel without a launch, PRF004 for arguments without a size.
    """
    kernel = options.kernel
    if not (options.grid or options.block or kernel):
        functions, _ = verified_functions(program)
        if functions:
            return [
                launch
                for function in functions
                for launch in _of_function(program, function.name, source, options)
            ]
    numbers = range(len(program.kernels))
    if kernel is not None:
        numbers = [i for i in numbers if program.kernels[i].name == kernel] or [_number(program, kernel)]
    return [_of_kernel(program, i, source, options) for i in numbers]


def _number(program: Artifact, name: str) -> int:
    names = [kernel.name for kernel in program.kernels]
    if name not in names:
        message = f"the file has no kernel {name!r}, wanted one of {', '.join(names)}"
        raise InputError("--kernel", "LNC001", message)
    return names.index(name)


def _of_function(program: Artifact, name: str, source: str, options: LaunchOptions) -> list[Launch]:
    function = runnable(program, name)
    launches: list[Launch] = []

    def launcher(launch: LaunchedKernel) -> None:
        file = program.compilation.stages.mlir
        assert file is not None, "the program comes from MLIR"
        args = [
            passed(value, ssa.type, launch.operation)
            for ssa, value in zip(launch.kernel.arguments, launch.values, strict=True)
        ]
        number = file.kernels.index(launch.kernel)
        launches.append(_launch(program, number, source, launch.grid, launch.block, args))
        if prod(launch.grid) * prod(launch.block) <= MOST_ITEMS:
            launch_on(program, launch, "emulator", sanitize=False)

    _ = function.run_with(options.arguments or _arguments(name, function.formals, options.sizes), launcher)
    return launches


def _of_kernel(program: Artifact, number: int, source: str, options: LaunchOptions) -> Launch:
    file = program.compilation.stages.mlir
    assert file is not None, "the program comes from MLIR"
    kernel = file.kernels[number]
    grid, block = options.grid or kernel.grid, options.block or kernel.block
    if grid is None or block is None:
        missing = " ".join(
            f"{option} X" for option, sizes in (("--grid", grid), ("--block", block)) if sizes is None
        )
        message = f"the launch of {kernel.name} is not known, wanted {missing}"
        raise InputError(kernel.place, "PRF003", message, help=missing)
    formals = launchable(program, number).formals
    args = options.arguments or _arguments(kernel.name, formals, options.sizes)
    return _launch(program, number, source, grid, block, args)


def _arguments(name: str, formals: Sequence[Formal], chosen: Chosen) -> list[object]:
    check_names(chosen, formals)
    missing = [formal.name for formal in formals if is_open(formal) and formal.name not in chosen]
    if missing:
        message = f"{name} needs the sizes of its arguments {', '.join(missing)}, which are not known"
        help = " ".join(f"--size {name}=N" for name in missing)
        raise InputError(name, "PRF004", message, help=f"{help}, or --arg for each argument")
    return [argument_of(formal, chosen, 0, _MOST_INTEGER, i) for i, formal in enumerate(formals)]


def _launch(
    program: Artifact, number: int, source: str, grid: Sizes, block: Sizes, args: Sequence[object]
) -> Launch:
    compiled = launchable(program, number)
    if len(args) != len(compiled.formals):
        names = ", ".join(formal.name for formal in compiled.formals)
        message = f"got {len(args)} arguments for {compiled.kernel.name}, wanted {len(compiled.formals)}"
        raise InputError("--arg", "LNC002", f"{message}: {names}")
    taken = [formal.taken(value) for formal, value in zip(compiled.formals, args, strict=True)]
    values = tuple([value for each in taken for value in each.values])
    kernel = compiled.kernel
    image = without_own_lines(load(kernel.assembly, kernel.name, kernel.name))
    return Launch(image, KernelCall(grid, block, values), source)
