"""`python -m tools.bench_bounds [KERNEL...]`: the VGPRs that the catalogue takes, next to lower bounds.

The first bound is the pressure: the largest number of registers that are live at once. If a kernel takes more
than a register and more than a twentieth above it, an exact search looks for a placement in fewer registers.
Each part of a virtual register is a rectangle, live stretches by registers, at the register's alignment, and
rectangles must not overlap. If no placement exists in N registers, N + 1 is a lower bound. The search knows
liveness and tuples only, and is independent of the allocator. It ignores copies, operands with a fixed
register, and values in inactive lanes, so its bound may be too low, never too high.

A line has the pressure, the proved bound, the registers taken, and the most that the kernel may take. Exits 1
if a kernel takes more than a register and more than a twentieth above its bound. The search is Google's
CP-SAT, of the extra `bounds` (`pip install '.[bounds]'`), and runs for at most `--seconds` for each kernel.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, NamedTuple

import asmgen
from asmgen.kernels import CATALOGUE, build_kernel
from isa.program import Kernel
from isa.registers import FIRST_AGPR, FIRST_VGPR, FIRST_VIRTUAL, RegisterClass
from isa.targets import TARGETS
from regalloc.allocate import build_problem
from regalloc.intervals import Segments, from_results
from regalloc.scan.linear_scan import Problem
from regalloc.scan.ways import most_registers

SECONDS = 300


class KernelBounds(NamedTuple):
    """A kernel: the registers that are `live` at once, a proved lower `bound`, and the registers `taken`."""

    name: str
    target: str
    live: int
    bound: int
    taken: int

    @property
    def is_within(self) -> bool:
        return self.taken <= most_registers(self.bound)

    def line(self) -> str:
        verdict = "" if self.is_within else "ABOVE"
        bound = str(self.bound) if self.bound > self.live else ""
        most = most_registers(self.bound)
        return f"{self.name:16}{self.target:9}{self.live:5}{bound:>7}{self.taken:7}{most:6}  {verdict}"


def rows(names: Sequence[str], seconds: float) -> Iterator[KernelBounds]:
    """Every kernel of the named programs of the catalogue, on every target."""
    for name in names:
        for target in TARGETS:
            kernels = asmgen.compile(build_kernel(name, []), target=target).compilation.stages.allocations
            for number, kernel in enumerate(kernels):
                statistics = kernel.allocation.statistics
                live = statistics.pressure[RegisterClass.VGPR].units
                bound = proved_bound(kernel.kernel, live, statistics.vgprs, seconds)
                yield KernelBounds(
                    name if len(kernels) == 1 else f"{name} {number + 1}",
                    target,
                    live,
                    bound,
                    statistics.vgprs,
                )


def proved_bound(kernel: Kernel, live: int, taken: int, seconds: float) -> int:
    """A lower bound of a kernel's VGPRs: the pressure if it is near to the registers taken, otherwise the
    least number that is near, if the search proves it."""
    wanted = next(bound for bound in count(live) if taken <= most_registers(bound))
    if wanted == live or not is_too_few(build_problem(kernel), wanted - 1, seconds):
        return live
    return wanted


def is_too_few(problem: Problem, registers: int, seconds: float) -> bool:
    """True if the search proves that no placement in `registers` VGPRs keeps each value in a fixed place.
    False if it finds a placement, or no answer within `seconds`."""
    cp_model: Any = importlib.import_module("ortools.sat.python.cp_model")
    model = cp_model.CpModel()
    times: list[Any] = []
    places: list[Any] = []
    widths: list[int] = []

    def occupy(stretches: Segments, place: Any, width: int) -> None:
        for start, end in stretches:
            times.append(model.new_fixed_size_interval_var(start, end - start, ""))
            places.append(model.new_fixed_size_interval_var(place, width, ""))
            widths.append(width)

    for unit, stretches in problem.intervals.segments.items():
        if FIRST_VGPR <= unit < FIRST_AGPR:
            occupy(stretches, unit - FIRST_VGPR, 1)
    owners = {owner.first: owner for owner in problem.kernel.owners}
    for owner in owners.values():
        if owner.register_class is RegisterClass.VGPR:
            base = owner.align * model.new_int_var(0, (registers - owner.count) // owner.align, owner.name)
            for first, width in _alike(problem, owner.first, owner.count):
                occupy(_stretches(problem, first), base + (first - owner.first), width)
    model.add_no_overlap_2d(times, places)
    model.add_cumulative(times, widths, registers)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = 2
    solver.parameters.use_timetabling_in_no_overlap_2d = True
    solver.parameters.use_energetic_reasoning_in_no_overlap_2d = True
    return solver.solve(model) == cp_model.INFEASIBLE


def _alike(problem: Problem, first: int, width: int) -> Iterator[tuple[int, int]]:
    """Groups of adjacent units of a register that are live at the same points: the first unit and the
    number."""
    begin = first
    for unit in range(first + 1, first + width + 1):
        if unit == first + width or _stretches(problem, unit) != _stretches(problem, begin):
            yield begin, unit - begin
            begin = unit


def _stretches(problem: Problem, unit: int) -> Segments:
    """The live stretches of a unit. A value that may take over an operand's register counts from the
    operand's end."""
    if unit not in problem.intervals.segments:
        return []
    taken_over = unit in problem.constraints.overlays and unit >= FIRST_VIRTUAL
    stretches = from_results(problem.intervals, unit) if taken_over else problem.intervals.segments[unit]
    return [(start, end) for start, end in stretches if start < end]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.bench_bounds", description=__doc__)
    _ = parser.add_argument(
        "kernels", nargs="*", metavar="KERNEL", help="names of the catalogue; all by default"
    )
    _ = parser.add_argument(
        "--seconds", type=float, default=SECONDS, help=f"limit of each search, {SECONDS} by default"
    )
    given = parser.parse_args()
    unknown = [name for name in given.kernels if name not in CATALOGUE]
    if unknown:
        parser.error(f"{', '.join(unknown)}: not in the catalogue, which has {' '.join(CATALOGUE)}")
    if importlib.util.find_spec("ortools") is None:
        parser.error("OR-tools is not installed, which the extra `bounds` brings: pip install '.[bounds]'")
    print(f"{'kernel':16}{'target':9}{'live':>5}{'bound':>7}{'taken':>7}{'most':>6}")
    measured: list[KernelBounds] = []
    for row in rows(given.kernels or list(CATALOGUE), given.seconds):
        measured.append(row)
        print(row.line(), flush=True)
    above = sum(not row.is_within for row in measured)
    print(f"{len(measured)} kernels, {above} more than a register and a twentieth above the proved bound")
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
