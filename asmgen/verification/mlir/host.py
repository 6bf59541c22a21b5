"""Compares a function of the host with the interpreter, launch by launch.

The function runs whole on a device. Before each launch the interpreter runs the kernel thread by thread on a
copy of the function's memory; afterwards both must agree. Each launch is judged by itself, and the next
launch uses the results of the device.
"""

from __future__ import annotations

from typing import Any

from asmgen.artifact import Artifact
from asmgen.mlir.host.functions import HostFunction, check_function, host_functions
from asmgen.mlir.host.heap import array_of
from asmgen.mlir.host.ops import LaunchedKernel, launched
from asmgen.mlir.interpret import run_kernel
from asmgen.mlir.interpret.places import Array, Place
from asmgen.runtime.host_function import launch_on, runnable
from asmgen.runtime.program_formals import formals_of, formals_of_host
from asmgen.runtime.run import resolve_device
from asmgen.verification.mlir.arguments import NOTHING_CHOSEN, Chosen, run_without_fault
from asmgen.verification.mlir.kernel import Verdict, compared
from isa.diagnostics import InputError
from isa.named_tuple import NamedTuple

ITEMS = 64  # of a dynamic dim without a given size
MOST_ITEMS = 1 << 18  # of a launch in the interpreter


def verified_functions(program: Artifact) -> tuple[list[HostFunction], list[str]]:
    """The functions to run whole, and a line for each function that cannot run on the host. Functions are run
    whole if they launch only compiled kernels and no other function calls them."""
    file = program.compilation.stages.mlir
    assert file is not None, "the program comes from MLIR"
    outer: list[HostFunction] = []
    told: list[str] = []
    functions = host_functions(file.module)
    inner = {callee for function in functions for callee in function.called}
    for function in functions:
        if function.name in inner or any(
            launched(launch, file.kernels) is None for launch in function.launches
        ):
            continue
        try:
            check_function(file.module, function.name)
            _ = formals_of_host(function)
        except InputError as error:
            what = f"{function.name}: not run, its kernels are by themselves"
            told.append(f"{what}: {error.place}: {error.message}")
            continue
        outer.append(function)
    return outer, told


class Run(NamedTuple):
    """The findings of a run, and the numbers of the kernels it launched."""

    verdict: Verdict
    kernels: frozenset[int]


def verify_function(
    program: Artifact, function: HostFunction, device: str = "auto", chosen: Chosen = NOTHING_CHOSEN
) -> Run:
    """Run a function whole with generated arguments. `InputError` if the interpreter finds a fault of a
    kernel or of the function with every candidate for its integers."""
    function_ = runnable(program, function.name)
    where = resolve_device(device, program.target)

    def run(given: list[Any]) -> _Judge:
        judge = _Judge(program, where, function.name)
        _ = function_.run_with(given, judge)
        return judge

    judge, by_default = run_without_fault(function_.formals, chosen, ITEMS, run)
    launches = f"{function.name}: {judge.launches} launch{'' if judge.launches == 1 else 'es'}"
    sizes = [f"{function.name}: {by_default}"] if by_default else []
    return Run(Verdict((*judge.lines, *sizes, launches), judge.is_broken), frozenset(judge.kernels))


class _Judge:
    """Runs launches on a device and in the interpreter."""

    def __init__(self, program: Artifact, device: str, function: str) -> None:
        self._program = program
        self._device = device
        self._function = function
        self.lines: list[str] = []
        self.is_broken = False
        self.launches = 0
        self.kernels: set[int] = set()

    def __call__(self, launch: LaunchedKernel) -> None:
        mine = self._interpreted(launch)
        launch_on(self._program, launch, self._device, sanitize=True)
        self.launches += 1
        file = self._program.compilation.stages.mlir
        assert file is not None
        number = file.kernels.index(launch.kernel)
        self.kernels.add(number)
        taken = formals_of(self._program, number)
        for formal, value, other in zip(taken, launch.values, mine, strict=True):
            if not formal.is_written:
                continue
            what = f"{self._function} {self.launches}. launch: {launch.kernel.name} {formal.name}"
            verdict = compared(what, array_of(value, launch.operation), array_of(other, launch.operation))
            self.lines += verdict.lines
            self.is_broken |= verdict.is_broken

    def _interpreted(self, launch: LaunchedKernel) -> list[Any]:
        """The arguments after the interpreter has run the kernel."""
        items = 1
        for size in (*launch.grid, *launch.block):
            items *= size
        if items > MOST_ITEMS:
            message = (
                f"a launch of {items} work-items, wanted at most {MOST_ITEMS}: the interpreter runs each"
            )
            help = "--entry NAME --grid X --block X verifies a kernel by itself"
            raise InputError(launch.operation.place, "MLIR078", message, help=help)
        copies: dict[int, Array] = {}
        mine: list[Any] = []
        for value in launch.values:
            if isinstance(value, Place):
                memory = copies.setdefault(id(value.memory), value.memory.copy())
                value = value._replace(memory=memory)
            mine.append(value)
        file = self._program.compilation.stages.mlir
        assert file is not None
        wave = self._program.target.target.wave_size
        run_kernel(file.module, launch.kernel, launch.grid, launch.block, mine, wave)
        return mine
