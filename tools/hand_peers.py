"""Compares the kernels of examples/by_hand with the same kernels in OpenCL C, by clang-22.

    python -m tools.hand_peers [TARGET...]

Prints VGPRs, instructions and clocks of both, the clocks by the clock model for a launch that fills the chip.
Exit 1 if a kernel by hand takes more instructions or clocks, or registers that cost a wave.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from asmgen.assembly import HandKernel
from asmgen.profile.build import profile_launch
from asmgen.profile.launches import Launch
from isa.emulator import load
from isa.emulator.launching.arguments import ArgumentValue, KernelCall
from isa.emulator.program.image import Image
from isa.instruction import Trait
from isa.named_tuple import NamedTuple
from isa.targets import parse_target
from tools.clang_peer import compile_command

TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")
SOURCE = "by_hand"


Grid = tuple[int, int, int]
Arguments = tuple[ArgumentValue, ...]


class Case(NamedTuple):
    """A file of examples/by_hand: `launch` gives the grid and the arguments of a launch that fills the chips,
    for waves of some lanes. `kernel` is the kernel's name, by default that of the file."""

    name: str
    launch: Callable[[int], tuple[Grid, Arguments]]
    kernel: str = ""
    targets: tuple[str, ...] = TARGETS

    @property
    def symbol(self) -> str:
        """The name of the kernel."""
        return self.kernel or self.name


class Figures(NamedTuple):
    """The clocks and resources of a kernel."""

    waves: int
    vgprs: int
    instructions: int
    clocks: int


def _saxpy(_: int) -> tuple[Grid, Arguments]:
    floats = np.ones(1 << 22, np.float32)
    return (1 << 14, 1, 1), (floats, floats.copy(), np.float32(2), np.uint32(1 << 22))


def _dot_product(_: int) -> tuple[Grid, Arguments]:
    floats = np.ones(1 << 22, np.float32)
    return (1 << 12, 1, 1), (floats, floats.copy(), np.zeros(1 << 12, np.float32), np.uint32(1 << 22))


def _transpose(_: int) -> tuple[Grid, Arguments]:
    matrix = np.ones((1024, 1024), np.float32)
    return (32, 32, 1), (matrix, np.zeros_like(matrix), np.uint32(1024), np.uint32(1024))


def _softmax(lanes: int) -> tuple[Grid, Arguments]:
    rows = np.ones((1 << 12, 1024), np.float32)
    return (16 * lanes, 1, 1), (rows, np.zeros_like(rows))


def _bitonic_sort(_: int) -> tuple[Grid, Arguments]:
    keys = np.random.default_rng(1).integers(0, 1 << 32, (512, 1024), dtype=np.uint32)
    return (512, 1, 1), (keys,)


def _scan(_: int) -> tuple[Grid, Arguments]:
    numbers = np.ones(1 << 22, np.uint32)
    words = np.zeros(1 << 12, np.uint64)
    return (1 << 12, 1, 1), (numbers, numbers.copy(), words, np.zeros(1, np.uint32))


def _gemm(_: int) -> tuple[Grid, Arguments]:
    left, result = np.ones((4096, 1024), np.float16), np.zeros((4096, 4096), np.float32)
    return (32, 32, 1), (left, left.copy(), result, np.uint32(4096), np.uint32(1024))


CASES = (
    Case("saxpy", _saxpy),
    Case("dot_product", _dot_product),
    Case("transpose", _transpose),
    Case("softmax", _softmax),
    Case("bitonic_sort", _bitonic_sort),
    Case("scan", _scan),
    Case("gemm_mfma", _gemm, "gemm", ("gfx90a", "gfx942", "gfx950")),
    Case("gemm_wmma", _gemm, "gemm", ("gfx1201",)),
)


def figures(image: Image, case: Case, block: Grid, instructions: int) -> Figures:
    """The waves of a SIMD by registers, the instructions, and the clocks of a launch."""
    lanes = parse_target(image.target).target.wave_size
    grid, arguments = case.launch(lanes)
    profile = profile_launch(Launch(image, KernelCall(grid, block, arguments), case.name)).profile
    waves = parse_target(image.target).target.occupancy(profile.vgprs, 0, 0, 1)
    return Figures(waves, profile.vgprs, instructions, round(profile.launch_clocks))


def length(image: Image) -> int:
    """The instructions up to the last end of the program."""
    ends = [number for number, instr in enumerate(image.code.instructions) if Trait.END in instr.row.traits]
    return max(ends) + 1


def is_more(ours: Figures, theirs: Figures) -> bool:
    """Whether ours leaves room for fewer waves, or takes more instructions or clocks."""
    return ours.waves < theirs.waves or ours.instructions > theirs.instructions or ours.clocks > theirs.clocks


def clang_object(target: str) -> bytes:
    with TemporaryDirectory(prefix="asmgen-") as directory:
        path = Path(directory, "kernel.hsaco")
        options = (f"-DWAVE={parse_target(target).target.wave_size}",)
        _ = subprocess.run(compile_command(SOURCE, str(path), target, options, offsets=False), check=True)
        return path.read_bytes()


def hand_kernel(case: Case) -> HandKernel:
    return getattr(importlib.import_module(f"examples.by_hand.{case.name}"), case.symbol)


def main(arguments: Sequence[str] | None = None) -> int:
    targets = list(sys.argv[1:] if arguments is None else arguments) or list(TARGETS)
    more = 0
    print(f"{'target':8} {'kernel':13} {'VGPRs':>13} {'instructions':>15} {'clocks':>17}   by hand / clang")
    for target in targets:
        peers = clang_object(target)
        for case in (case for case in CASES if target in case.targets):
            program = hand_kernel(case).compile(target)
            (kernel,), (finished,) = program.kernels, program.compilation.stages.finished
            own = load(kernel.code_object, kernel.name, case.name)
            ours = figures(own, case, kernel.block, sum(1 for _ in finished.instructions()))
            image = load(peers, case.symbol, SOURCE)
            theirs = figures(image, case, kernel.block, length(image))
            columns = [f"{one:>6} /{other:>6}" for one, other in zip(ours[1:], theirs[1:], strict=True)]
            mark = "   more" if is_more(ours, theirs) else ""
            more += bool(mark)
            print(
                f"{target:8} {case.name:13} {columns[0]} {columns[1]:>15} {columns[2]:>17}{mark}", flush=True
            )
    return 1 if more else 0


if __name__ == "__main__":
    sys.exit(main())
