"""The figures of a case for a target: our program's, clang's and Triton's."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

import asmgen
from asmgen.artifact import CompiledKernel
from asmgen.compiled import CompiledProgram
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.program import argument_name, tensor_type
from asmgen.runtime.calls import Signature, program_parameters, run_kernels
from isa.emulator import load
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.program.image import Image
from tools.clang_peer import compile_command
from tools.scoreboard.cases import Case, ClangKernel
from tools.scoreboard.clocks import clocks_of
from tools.scoreboard.figures import Figures, figures_of
from tools.scoreboard.sample import Sample, take_sample
from tools.scoreboard.table import KernelFigures, Row
from tools.scoreboard.triton import triton_rows

Array = NDArray[Any]


class Ours(NamedTuple):
    """Our figures, and the arrays for a peer: the arguments, then the results."""

    figures: Figures
    arguments: list[Array]
    inputs: int  # number of arguments that are not results
    launches: list[tuple[Image, KernelCall]]

    @property
    def largest(self) -> tuple[int, int]:
        """The bytes of the largest argument that is not a result, and its number."""
        sizes = [array.nbytes for array in self.arguments[: self.inputs]]
        number = max(range(len(sizes)), key=lambda number: sizes[number])
        return sizes[number], number


def measure_ours(case: Case, target: str) -> Ours:
    """The figures of our program."""
    program = asmgen.compile(case.text, target=target, fast_math=case.fast_math)
    given = arguments_of(program, case)
    names = [argument_name(statement) for statement in program_parameters(program)]
    largest = max(range(len(given)), key=lambda number: given[number].nbytes)
    samples: list[Sample] = []
    places: list[int] = []
    launches: list[tuple[Image, KernelCall]] = []

    def launch(kernel: CompiledKernel, signature: Signature, buffers: list[Array]) -> list[Array]:
        assert kernel.grid is not None, "a kernel of a graph has a grid"
        image = load(kernel.assembly, kernel.name, f"{kernel.name}.s")
        call = KernelCall(kernel.workgroups, kernel.block, tuple(buffers))
        launches.append((image, call))
        samples.append(take_sample(image, call))
        here = [argument_name(statement) for statement in signature.parameters]
        places.append(here.index(names[largest]) if names[largest] in here else -1)
        return buffers

    results = run_kernels(program, given, launch)
    size = given[largest].nbytes
    figures = figures_of(samples, case.elements, (size, *places))
    return Ours(figures, [*given, *results], len(given), launches)


def arguments_of(program: CompiledProgram, case: Case) -> list[Array]:
    """Random numbers, since the executed instructions may depend on them, and integers in increasing
    order."""
    arguments: list[Array] = []
    drawn = np.random.default_rng(1)
    for statement in program_parameters(program):
        type_ = tensor_type(statement.result)
        dtype = numpy_dtype(type_.element)
        numbers: Array = drawn.random(type_.shape, np.float32)
        if argument_name(statement) not in case.positive:
            numbers -= 0.5
        if dtype == np.bool_:
            numbers = numbers < 0
        elif np.issubdtype(dtype, np.integer):
            places = np.arange(prod(type_.shape)).reshape(type_.shape)
            numbers = places % case.most if case.most and dtype == np.int32 else places
        arguments.append(numbers.astype(dtype))
    return arguments


def clang_launches(
    kernel: ClangKernel, target: str, buffers: Sequence[Array]
) -> Iterator[tuple[Image, KernelCall]]:
    """The launches of clang -O3's kernel on the buffers. Raises CalledProcessError if clang refuses,
    FileNotFoundError without clang."""
    scratch = [np.zeros(kernel.scratch, np.uint8)] if kernel.scratch else []
    for launch in (kernel, *kernel.then):
        code = _code_object(launch.source, target, launch.offsets)
        image = load(code, launch.entry, f"{launch.source}.hsaco")
        arguments = (*buffers, *scratch, *map(np.float32, launch.scalars))
        yield image, KernelCall(launch.grid(image.descriptor.wave_size), (launch.lanes, 1, 1), arguments)


def measure_clang(kernel: ClangKernel, case: Case, target: str, ours: Ours) -> Figures:
    """The figures of clang -O3's kernel."""
    size, largest = ours.largest
    samples = [take_sample(image, call) for image, call in clang_launches(kernel, target, ours.arguments)]
    return figures_of(samples, case.elements, (size, *[largest] * len(samples)))


def with_clocks(row: Row, case: Case, ours: Ours) -> Row:
    """A row with the clocks of ours and of clang's kernels. Those of Triton are unknown: its code objects are
    not kept."""
    kernels = {kernel.name: kernel for kernel in case.peers}
    peers = tuple(
        KernelFigures(peer.name, replace(peer.figures, clocks=_clang_clocks(kernel, row.target, ours)))
        if (kernel := kernels.get(peer.name))
        else peer
        for peer in row.peers
    )
    return replace(row, ours=replace(row.ours, clocks=clocks_of(ours.launches)), peers=peers)


def _clang_clocks(kernel: ClangKernel, target: str, ours: Ours) -> float:
    return clocks_of(clang_launches(kernel, target, ours.arguments))


@cache
def _code_object(source: str, target: str, offsets: bool) -> bytes:
    with TemporaryDirectory(prefix="asmgen-") as directory:
        path = Path(directory, "kernel.hsaco")
        command = compile_command(source, str(path), target, (), offsets)
        _ = subprocess.run(command, check=True, capture_output=True)
        return path.read_bytes()


def peers_of(case: Case, target: str, ours: Ours) -> Iterator[KernelFigures]:
    """The figures of each peer of a case: clang's, measured, and Triton's, from its file."""
    for kernel in case.peers:
        yield KernelFigures(kernel.name, measure_clang(kernel, case, target, ours))
    for row in triton_rows(target, case.title):
        yield KernelFigures(f"triton {row.choice}", row.figures)
