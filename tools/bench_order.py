"""`python -m tools.bench_order [TARGET...]`: the scheduler's gain for each kernel, by llvm-mca.

The tool compiles each kernel of the catalogue with and without the scheduler, runs a wave on the emulator,
and prices the executed instructions (`tools.mca`). It does the same for random straight programs with every
load next to its use, as a person or a simple code generator writes them. Exits 1 if the scheduler makes any
kernel slower or reduces its waves, or if the random programs gain less than a quarter; 2 if llvm-mca-22 is
missing.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import asmgen
from asmgen.artifact import CompiledKernel
from asmgen.compilation import Compilation
from asmgen.ir.arrays import Array
from asmgen.kernels import CATALOGUE, build_kernel
from asmgen.options import Options
from asmgen.pipeline import advance
from asmgen.runtime.calls import Signature, program_parameters, run_kernels
from asmgen.verification.inputs import ordinary_inputs
from isa.build import build
from isa.emulator import load
from isa.emulator.launching.arguments import KernelCall
from isa.instruction import Instr, Operand
from isa.program import Abi, Argument, Block, Kernel
from isa.registers import Register, RegisterClass, sgpr, vgpr
from isa.targets import TARGETS, parse_target
from isa.text.printing import format_instr
from regalloc.verify import verify
from tools.mca import MCA, PricedLine, cycles
from tools.reasons import exit_status
from tools.scoreboard.sample import take_sample
from tools.scoreboard.table import geometric_mean

PROGRAMS = range(30)
_NUMBER = 4  # bytes
_STEPS = (6, 16)
_ARITHMETIC = ("v_add_f32_e32", "v_mul_f32_e32", "v_sub_f32_e32", "v_max_f32_e32")


def compiled_trace(seed: int, target: str, schedule: bool) -> list[Instr]:
    """The emitted instructions of a random program, which has a single block."""
    compilation = Compilation(parse_target(target), Options(schedule=schedule))
    compilation.stages.machine.append(program_of(seed, target))
    advance(compilation, "asm")
    return list(compilation.stages.finished[0].instructions())


def program_of(seed: int, target: str) -> Kernel:
    """The machine program of a seed, on virtual registers."""
    kernel = _Writer(seed, target).run()
    verify(kernel)
    return kernel


class _Writer:
    """Writes a program that reads two buffers and stores to a third. Each step loads a number, computes with
    it and earlier numbers, and sometimes stores; some steps use a transcendental function or another lane's
    number."""

    def __init__(self, seed: int, target: str) -> None:
        self._random = Random(seed)
        self._kernel = Kernel(
            f"program_{seed}",
            parse_target(target),
            arguments=(
                Argument("x", 0, 8, access="read_only", type="f32"),
                Argument("y", 8, 8, access="read_only", type="f32"),
                Argument("out", 16, 8, access="write_only", type="f32"),
            ),
            workgroup=(64, 1, 1),
            abi=Abi((("kernarg_segment_ptr", sgpr(0, 2)), ("workitem_id", vgpr(0)))),
            blocks=[Block("entry")],
        )
        self._values: list[Register] = []

    def run(self) -> Kernel:
        pointers = [self._new(RegisterClass.SGPR, 2) for _ in range(3)]
        for number, pointer in enumerate(pointers):
            self._emit("s_load_dwordx2", pointer, sgpr(0, 2), 8 * number)
        at = self._new(RegisterClass.VGPR)
        self._emit("v_lshlrev_b32_e32", at, 2, vgpr(0))
        steps = self._random.randint(*_STEPS)
        for step in range(steps):
            self._step(pointers, at, step)
            if step == steps - 1 or self._random.random() < 0.25:
                self._emit(
                    "global_store_dword", at, self._values[-1], pointers[2], form="saddr",
                    offset=256 * _NUMBER * step % 4096,
                )  # fmt: skip
        block = self._kernel.blocks[0]
        block.terminator = Instr(self._kernel.table.row("s_endpgm"), ())
        return self._kernel

    def _step(self, pointers: list[Register], at: Register, step: int) -> None:
        loaded = self._new(RegisterClass.VGPR)
        source = self._random.choice(pointers[:2])
        self._emit("global_load_dword", loaded, at, source, form="saddr", offset=_NUMBER * step)
        self._values.append(loaded)
        for _ in range(self._random.randint(2, 5)):
            result = self._new(RegisterClass.VGPR)
            chance = self._random.random()
            if chance < 0.1:
                self._emit("v_exp_f32_e32", result, self._values[-1])
            elif chance < 0.2:
                self._emit("ds_bpermute_b32", result, at, self._values[-1])
            else:
                other = self._random.choice(self._values[-6:])
                self._emit(self._random.choice(_ARITHMETIC), result, self._values[-1], other)
            self._values.append(result)

    def _new(self, register_class: RegisterClass, count: int = 1) -> Register:
        return self._kernel.new_register(register_class, count, count)

    def _emit(self, operation: str, *operands: Operand | int, form: str = "", offset: int = 0) -> None:
        row = self._kernel.table.row(operation, form)
        made = build(row, *operands)
        if offset:
            made = made.as_row(row, made.operands, (("offset", offset),))
        self._kernel.blocks[0].instructions.append(made)


SIZES = {"n": "20000", "rows": "16", "cols": "3000"}
LEAST_GAIN = 0.25  # of the cycles of random programs


class Cost(NamedTuple):
    """Cycles of a wave, summed over the kernels; the fewest waves for each SIMD; the most vector
    registers."""

    cycles: float
    waves: int
    vgprs: int


def cost_of(name: str, target: str, schedule: bool) -> Cost:
    """The cost of a kernel of the catalogue."""
    settings = [(size, SIZES[size]) for size in CATALOGUE[name].parameters if size in SIZES]
    program = asmgen.compile(build_kernel(name, settings), target=target, schedule=schedule)
    traces: list[list[Instr]] = []

    def launch(kernel: CompiledKernel, signature: Signature, buffers: list[Array]) -> list[Array]:
        assert kernel.grid is not None
        image = load(kernel.assembly, kernel.name, f"{kernel.name}.s")
        traces.append(take_sample(image, KernelCall(kernel.workgroups, kernel.block, tuple(buffers))).trace)
        return buffers

    _ = run_kernels(program, ordinary_inputs(program_parameters(program), 1), launch)
    resources = [kernel.resources for kernel in program.kernels]
    return Cost(
        sum(price(trace, target) for trace in traces),
        min(used.occupancy for used in resources),
        max(used.vgprs + used.agprs for used in resources),
    )


def price(trace: Sequence[Instr], target: str) -> float:
    """llvm-mca's cycles for the instructions. Raises AssertionError if llvm-mca prints none."""
    lines = [PricedLine(format_instr(instr), instr) for instr in trace]
    total = cycles(lines, parse_target(target))
    assert total is not None, "llvm-mca prints no cycles"
    return total


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.bench_order", description="The scheduler's gain.")
    _ = parser.add_argument("targets", nargs="*", metavar="TARGET", help="all targets by default")
    _ = parser.add_argument("--kernel", action="append", default=[], help="only this kernel; may be repeated")
    options = parser.parse_args(arguments)
    if shutil.which(MCA) is None:
        _ = sys.stderr.write(f"{MCA} is missing\n")
        return 2
    reasons: list[str] = []
    for target in options.targets or TARGETS:
        reasons += _of_catalogue(target, options.kernel or list(CATALOGUE))
        if not options.kernel:
            reasons += _of_random(target)
    return exit_status("bench_order", reasons)


def _of_catalogue(target: str, names: Sequence[str]) -> list[str]:
    """Print a target's kernels; return those that the scheduler makes worse."""
    reasons, parts = list[str](), list[float]()
    for name in names:
        before, after = (cost_of(name, target, schedule) for schedule in (False, True))
        worse = after.cycles > before.cycles or after.waves < before.waves
        parts.append(after.cycles / before.cycles)
        if worse:
            reasons.append(f"{target} {name}: more cycles or fewer waves with the scheduler")
        _ = sys.stdout.write(
            f"{target:8} {name:12} cycles {before.cycles:7.0f} -> {after.cycles:7.0f}  "
            f"waves {before.waves} -> {after.waves}  registers {before.vgprs} -> {after.vgprs}"
            f"{'  WORSE' if worse else ''}\n"
        )
    mean = geometric_mean(parts)
    _ = sys.stdout.write(f"{target:8} catalogue: {mean:.4f} of the cycles in the geometric mean\n")
    if mean > 1:
        reasons.append(f"{target}: {mean:.4f} of the catalogue's cycles, wanted at most 1")
    return reasons


def _of_random(target: str) -> list[str]:
    parts = [
        price(compiled_trace(seed, target, True), target) / price(compiled_trace(seed, target, False), target)
        for seed in PROGRAMS
    ]
    mean = geometric_mean(parts)
    _ = sys.stdout.write(
        f"{target:8} {len(parts)} random programs: {mean:.3f} of the cycles, {min(parts):.3f} to "
        f"{max(parts):.3f}\n"
    )
    most = 1 - LEAST_GAIN
    return (
        [f"{target}: {mean:.3f} of random programs' cycles, wanted at most {most:g}"] if mean > most else []
    )


if __name__ == "__main__":
    raise SystemExit(main())
