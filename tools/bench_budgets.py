"""`python -m tools.bench_budgets [KERNEL...]`: kernels of the catalogue in every number of VGPRs.

Each kernel, at a small and at an odd size, is compiled with every budget from the registers that it wants
down to the first that is refused, and runs on the emulator. Spilling moves values without changing them, so
the results must be those of the kernel with all its registers, bit for bit. With few registers a lane may get
fewer elements and add in another order; the results must then be within the bounds of the float64 reference.

A line of the table has the instructions with all registers, with half and with the fewest, and the ratio of
the second to the first. Exits 1 if a result is wrong, or if half the registers cost more than twice the
instructions.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import asmgen
from asmgen.blockwise.text.printer import print_program
from asmgen.compiled import CompiledProgram
from asmgen.graph.reference import compare, evaluate
from asmgen.ir.arrays import Array
from asmgen.ir.program import Program
from asmgen.kernels import CATALOGUE, build_kernel
from asmgen.runtime.calls import program_parameters
from asmgen.verification.inputs import ordinary_inputs
from asmgen.verification.verify import rules_of
from isa.diagnostics import InputError
from isa.targets import TARGETS

SIZES = {
    "small": {"n": "300", "rows": "2", "cols": "64"},
    "odd": {"n": "1003", "rows": "3", "cols": "701"},
}
MOST = 2  # times the instructions that half the registers may cost


class KernelBudgets(NamedTuple):
    """A kernel's `instructions` by budget, and the budgets with `wrong` results."""

    name: str
    size: str
    target: str
    instructions: dict[int, int]
    wrong: tuple[int, ...]

    @property
    def wanted(self) -> int:
        """The registers that the kernel takes without a limit."""
        return max(self.instructions)

    @property
    def ratio(self) -> float:
        """The instructions with half the registers over those with all; 0 if half is refused."""
        return self.instructions.get(self.wanted // 2, 0) / self.instructions[self.wanted]

    def line(self) -> str:
        least = min(self.instructions)
        half = self.instructions.get(self.wanted // 2)
        text = (
            f"{self.name:20} {self.size:5} {self.target:8} {self.wanted:4} {self.instructions[self.wanted]:5}"
        )
        text += f" {half or '-':>5} {self.ratio:5.2f} {least:4} {self.instructions[least]:5}"
        return text + (f"  WRONG at {', '.join(map(str, self.wrong))}" if self.wrong else "")


def instructions(program: CompiledProgram) -> int:
    """The number of instructions in the text of all kernels."""
    return sum(
        line.startswith("\t") and not line.startswith(("\t.", "\t;"))
        for kernel in program.kernels
        for line in kernel.assembly.splitlines()
    )


def tile_text(program: CompiledProgram) -> str:
    """The tile programs of the workgroups, as text."""
    assert program.compilation.stages.blockwise is not None, "the catalogue has graphs"
    return print_program(program.compilation.stages.blockwise)


class Roomy:
    """A program with all the registers that it wants, and its results: the reference for the others."""

    def __init__(self, program: CompiledProgram) -> None:
        self._tiles = tile_text(program)
        self._inputs = ordinary_inputs(program_parameters(program), 1)
        self._results = self._run(program)

    def _run(self, program: CompiledProgram) -> list[Array]:
        return program(*self._inputs, device="emulator")

    def agrees(self, program: CompiledProgram) -> bool:
        """True if the same program in fewer registers is right on ordinary inputs, on the emulator."""
        results = self._run(program)
        if tile_text(program) == self._tiles:
            pairs = zip(results, self._results, strict=True)
            return all(result.tobytes() == wanted.tobytes() for result, wanted in pairs)
        assert program.graph is not None, "the catalogue has graphs"
        ranges = evaluate(program.graph, self._inputs, rules_of(program))
        return not any(compare(*pair).is_broken for pair in zip(ranges, results, strict=True))


def budgets(source: Program, target: str, wanted: int) -> Iterator[tuple[int, CompiledProgram]]:
    """The program for each number of VGPRs below `wanted`, until a number is refused as too few."""
    for budget in range(wanted - 1, 0, -1):
        try:
            yield budget, asmgen.compile(source, target=target, max_vgprs=budget)
        except InputError as refused:
            if refused.code != "RA002":
                raise
            return


def sweep(name: str, size: str, target: str, does_run: bool) -> KernelBudgets:
    """A kernel at a size, with every budget."""
    settings = [(each, SIZES[size][each]) for each in CATALOGUE[name].parameters if each in SIZES[size]]
    source = build_kernel(name, settings)
    roomy = asmgen.compile(source, target=target)
    wanted = max(kernel.resources.vgprs for kernel in roomy.kernels)
    wide = Roomy(roomy) if does_run else None
    counts, wrong = {wanted: instructions(roomy)}, list[int]()
    for budget, program in budgets(source, target, wanted):
        counts[budget] = instructions(program)
        is_within = all(kernel.resources.vgprs <= budget for kernel in program.kernels)
        if not is_within or (wide is not None and not wide.agrees(program)):
            wrong.append(budget)
    return KernelBudgets(name, size, target, counts, tuple(wrong))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench_budgets", description="Kernels of the catalogue in every number of VGPRs."
    )
    _ = parser.add_argument("kernel", nargs="*", default=list(CATALOGUE), metavar="KERNEL")
    _ = parser.add_argument("--target", action="append", default=[], choices=[*TARGETS], metavar="TARGET")
    _ = parser.add_argument("--compile-only", action="store_true", help="compile without running")
    options = parser.parse_args(arguments)
    sys.stdout.write("kernel               size  target   VGPRs count  half times least count\n")
    rows: list[KernelBudgets] = []
    for name in options.kernel:
        for target in options.target or TARGETS:
            for size in SIZES:
                rows.append(sweep(name, size, target, not options.compile_only))
                sys.stdout.write(rows[-1].line() + "\n")
                sys.stdout.flush()
    dear = [row for row in rows if row.ratio > MOST]
    wrong = [row for row in rows if row.wrong]
    count = sum(len(row.instructions) for row in rows)
    sys.stdout.write(
        f"{len(rows)} kernels, {count} programs: {len(wrong)} with wrong results, {len(dear)} with more than "
        f"{MOST} times the instructions in half the registers\n"
    )
    return 1 if dear or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
