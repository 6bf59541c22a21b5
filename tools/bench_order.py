"""`python -m tools.bench_order [TARGET...]`: what the scheduler gains, by llvm-mca, kernel by kernel.

Each kernel of the catalogue is compiled with the scheduler and without it; a wave of each is run on the
emulator, and the instructions that it ran are priced (`tools.mca`). So are random programs, in which every
load is next to its use. Exits 1 where a kernel has more cycles with the scheduler or fewer waves, or where
the random programs gain less than a quarter; 2 where llvm-mca-22 is missing.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from math import exp, log
from typing import NamedTuple

import asmgen
from asmgen.artifact import CompiledKernel
from asmgen.ir.arrays import Array
from asmgen.kernels import CATALOGUE, build_kernel
from asmgen.runtime.calls import Signature, program_parameters, run_kernels
from asmgen.verification.samples import ordinary_inputs
from isa.emulator import load
from isa.emulator.arguments import KernelCall
from isa.instruction import Instr
from isa.targets import TARGETS, parse_target
from isa.text import format_instr
from tools.load_next_to_use import PROGRAMS, compiled_trace
from tools.mca import MCA, PricedLine, cycles
from tools.scoreboard.sample import take_sample

SIZES = {"n": "20000", "rows": "16", "cols": "3000"}
LEAST_GAIN = 0.25  # of the cycles of random programs


class Cost(NamedTuple):
    """What a program costs: cycles of a wave of each kernel, and the fewest waves that a SIMD holds."""

    cycles: float
    waves: int
    vgprs: int


def cost_of(name: str, target: str, schedule: bool) -> Cost:
    """A kernel of the catalogue."""
    settings = [(size, SIZES[size]) for size in CATALOGUE[name].parameters if size in SIZES]
    program = asmgen.compile(build_kernel(name, settings), target=target, schedule=schedule)
    traces: list[list[Instr]] = []

    def launch(kernel: CompiledKernel, signature: Signature, buffers: list[Array]) -> list[Array]:
        assert kernel.grid is not None
        image = load(kernel.assembly, kernel.name, f"{kernel.name}.s")
        traces.append(take_sample(image, KernelCall(kernel.grid, kernel.block, tuple(buffers))).trace)
        return buffers

    _ = run_kernels(program, ordinary_inputs(program_parameters(program), 1), launch)
    resources = [kernel.resources for kernel in program.kernels]
    return Cost(
        sum(price(trace, target) for trace in traces),
        min(one.occupancy for one in resources),
        max(one.vgprs + one.agprs for one in resources),
    )


def price(trace: Sequence[Instr], target: str) -> float:
    """llvm-mca's cycles of some instructions; AssertionError where it gives none."""
    lines = [PricedLine(format_instr(instr), instr) for instr in trace]
    found = cycles(lines, parse_target(target))
    assert found is not None, "llvm-mca gives no cycles"
    return found


def geometric_mean(parts: Sequence[float]) -> float:
    return exp(sum(map(log, parts)) / len(parts))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench_order", description="What the scheduler gains."
    )
    _ = parser.add_argument("targets", nargs="*", metavar="TARGET", help="all of them, where none is named")
    _ = parser.add_argument("--kernel", action="append", default=[], help="this one alone; may be repeated")
    options = parser.parse_args(arguments)
    if shutil.which(MCA) is None:
        _ = sys.stderr.write(f"{MCA} is missing\n")
        return 2
    failed = False
    for target in options.targets or TARGETS:
        failed |= not _of_catalogue(target, options.kernel or list(CATALOGUE))
        if not options.kernel:
            failed |= not _of_random(target)
    return int(failed)


def _of_catalogue(target: str, names: Sequence[str]) -> bool:
    holds, parts = True, list[float]()
    for name in names:
        before, after = (cost_of(name, target, schedule) for schedule in (False, True))
        worse = after.cycles > before.cycles or after.waves < before.waves
        parts.append(after.cycles / before.cycles)
        holds &= not worse
        _ = sys.stdout.write(
            f"{target:8} {name:12} cycles {before.cycles:7.0f} -> {after.cycles:7.0f}  "
            f"waves {before.waves} -> {after.waves}  registers {before.vgprs} -> {after.vgprs}"
            f"{'  WORSE' if worse else ''}\n"
        )
    mean = geometric_mean(parts)
    _ = sys.stdout.write(f"{target:8} catalogue: {mean:.4f} of the cycles in the geometric mean\n")
    return holds and mean <= 1


def _of_random(target: str) -> bool:
    parts = [
        price(compiled_trace(seed, target, True), target) / price(compiled_trace(seed, target, False), target)
        for seed in PROGRAMS
    ]
    mean = geometric_mean(parts)
    _ = sys.stdout.write(
        f"{target:8} {len(parts)} random programs: {mean:.3f} of the cycles, {min(parts):.3f} to "
        f"{max(parts):.3f}\n"
    )
    return mean <= 1 - LEAST_GAIN


if __name__ == "__main__":
    raise SystemExit(main())
