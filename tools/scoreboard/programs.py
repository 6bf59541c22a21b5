"""The figures of a case for a target: our program's, clang's and Triton's."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

import asmgen
from asmgen.artifact import CompiledKernel
from asmgen.compiled import CompiledProgram
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.program import argument_name, tensor_type
from asmgen.runtime.calls import Signature, program_parameters, run_kernels
from isa.emulator import load
from isa.emulator.arguments import KernelCall
from isa.emulator.image import Image
from isa.target import round_up
from isa.targets import TARGETS
from tools.clang_peer import compile_command
from tools.scoreboard.cases import GROUP_LANES, Case, ClangKernel, TritonKernel
from tools.scoreboard.figures import Figures, figures_of
from tools.scoreboard.sample import Sample, take_sample

Array = NDArray[Any]
_TRITON = Path(__file__).parents[1] / "peers.json"
_WIDTH = re.compile(r"(?:dword|b)(x?\d*)$")
_BYTES = {"ubyte": 1, "ushort": 2, "short": 2, "u16": 2, "d16": 2}


class Ours(NamedTuple):
    """Our figures, and the arrays for a peer: the arguments, then the results."""

    figures: Figures
    arguments: list[Array]
    inputs: int  # number of arguments that are not results


def measure_ours(case: Case, target: str) -> Ours:
    """The figures of our program."""
    program = asmgen.compile(case.text, target=target, fast_math=case.fast_math)
    given = arguments_of(program, case)
    names = [argument_name(statement) for statement in program_parameters(program)]
    largest = max(range(len(given)), key=lambda number: given[number].nbytes)
    samples: list[Sample] = []
    places: list[int] = []

    def launch(kernel: CompiledKernel, signature: Signature, buffers: list[Array]) -> list[Array]:
        assert kernel.grid is not None, "a kernel of a graph has a grid"
        image = load(kernel.assembly, kernel.name, f"{kernel.name}.s")
        samples.append(take_sample(image, KernelCall(kernel.workgroups, kernel.block, tuple(buffers))))
        here = [argument_name(statement) for statement in signature.parameters]
        places.append(here.index(names[largest]) if names[largest] in here else -1)
        return buffers

    results = run_kernels(program, given, launch)
    size = given[largest].nbytes
    return Ours(figures_of(samples, case.elements, (size, *places)), [*given, *results], len(given))


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
    sizes = [array.nbytes for array in ours.arguments[: ours.inputs]]
    largest = max(range(len(sizes)), key=lambda number: sizes[number])
    samples = [take_sample(image, call) for image, call in clang_launches(kernel, target, ours.arguments)]
    return figures_of(samples, case.elements, (sizes[largest], *[largest] * len(samples)))


@cache
def _code_object(source: str, target: str, offsets: bool) -> bytes:
    with TemporaryDirectory(prefix="asmgen-") as directory:
        path = Path(directory, "kernel.hsaco")
        command = compile_command(source, str(path), target, (), offsets)
        _ = subprocess.run(command, check=True, capture_output=True)
        return path.read_bytes()


class TritonRow(Struct, frozen=True):
    """A row of peers.json: the figures of a Triton 3.9 kernel for a target, counted in its assembly. `mem`
    counts accesses by mnemonic."""

    target: str
    kernel: str
    vgpr: int
    sgpr: int
    lds_bytes: int
    instructions: int
    nop_states: int
    mca_once: float
    mem: dict[str, int]


@cache
def triton_rows() -> dict[tuple[str, str], TritonRow]:
    """The rows by target and kernel."""
    rows = [TritonRow(**row) for row in json.loads(_TRITON.read_text(encoding="utf-8"))]
    return {(row.target, row.kernel): row for row in rows}


def measure_triton(kernel: TritonKernel, target: str) -> Figures:
    """The known figures of Triton's kernel, which is straight, so that each instruction runs once."""
    row = triton_rows()[target, kernel.kernel]
    record = TARGETS[target]
    return Figures(
        elements_a_lane=kernel.elements,
        vgprs=row.vgpr,
        launches=1,
        instructions=row.instructions / kernel.elements,
        nops=row.nop_states / kernel.elements,
        waves=record.occupancy(round_up(row.vgpr, record.vgpr_granule), row.sgpr, row.lds_bytes, GROUP_LANES),
        load=_mean(row.mem, "load"),
        store=_mean(row.mem, "store"),
        cycles=None,
    )


def _mean(accesses: dict[str, int], kind: str) -> float | None:
    """Mean bytes of a load or store of memory, from the mnemonics."""
    sizes = [
        _width(name)
        for name, count in accesses.items()
        if f"_{kind}_" in name and not name.startswith("ds_")
        for _ in range(count)
    ]
    return sum(sizes) / len(sizes) if sizes else None


def _width(mnemonic: str) -> int:
    last = mnemonic.rsplit("_", 1)[1]
    width = _WIDTH.match(last)
    if width is None:
        return _BYTES[last]
    number = width[1]
    return int(number) // 8 if last[0] == "b" else 4 * int(number.lstrip("x") or 1)


def measure_peer(kernel: ClangKernel | TritonKernel, case: Case, target: str, ours: Ours) -> Figures:
    """The figures of a peer of a case."""
    if isinstance(kernel, TritonKernel):
        return measure_triton(kernel, target)
    return measure_clang(kernel, case, target, ours)
