"""`python -m tools.bench_bounds [KERNEL...]`: the VGPRs that the catalogue takes and needs.

The first bound is the pressure, the registers that are live at once at some point. Where a kernel takes more
than a register and more than a twentieth beyond that, an exact search says whether tuples need more: each
part of a virtual register is a rectangle, its live stretches by its registers, that lies somewhere within so
many registers, begins where its alignment wants, and lies over no other. It knows of liveness and tuples and
asks nothing of the allocator. If no placement exists in so many registers, one more is a lower bound, and the
kernel is measured by that one. (What it leaves out makes it find too few, never too many: copies that would
be needed, operands with a fixed register, values that are parked in inactive lanes.)

A line has the pressure, the bound that the search proves, what is taken and what that may be. Exits 1 where a
kernel takes more than a register and more than a twentieth beyond every bound that was proved. The search is
Google's CP-SAT, `pip install '.[bounds]'`, and has `--seconds` for each kernel.
"""

from __future__ import annotations

import argparse
import importlib
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
from regalloc.linear_scan import Problem
from regalloc.ways import most_registers

SECONDS = 300


class Row(NamedTuple):
    """One kernel: `live` registers at once, a lower `bound` that is proved, and those that are `taken`."""

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


def rows(names: Sequence[str], seconds: float) -> Iterator[Row]:
    """Every kernel of some programs of the catalogue on every target."""
    for name in names:
        for target in TARGETS:
            found = asmgen.compile(build_kernel(name, []), target=target).compilation.allocations
            for number, one in enumerate(found):
                statistics = one.allocation.statistics
                live = statistics.pressure[RegisterClass.VGPR].units
                bound = proved_bound(one.kernel, live, statistics.vgprs, seconds)
                yield Row(
                    name if len(found) == 1 else f"{name} {number + 1}", target, live, bound, statistics.vgprs
                )


def proved_bound(kernel: Kernel, live: int, taken: int, seconds: float) -> int:
    """A lower bound of the VGPRs of a kernel: the pressure where that is near to what is taken, else the
    least that is, if the search proves it."""
    wanted = next(bound for bound in count(live) if taken <= most_registers(bound))
    if wanted == live or not is_too_few(build_problem(kernel), wanted - 1, seconds):
        return live
    return wanted


def is_too_few(problem: Problem, registers: int, seconds: float) -> bool:
    """Whether no placement in so many VGPRs exists in which each value stays where it is. False where the
    search finds one, or no answer in so many seconds."""
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
    """The units of a register in groups of neighbours that are live at the same points: the first, and how
    many."""
    begin = first
    for unit in range(first + 1, first + width + 1):
        if unit == first + width or _stretches(problem, unit) != _stretches(problem, begin):
            yield begin, unit - begin
            begin = unit


def _stretches(problem: Problem, unit: int) -> Segments:
    """Where a unit is live; what may take over an operand's register, from where that ends."""
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
        "--seconds", type=float, default=SECONDS, help=f"of each search, {SECONDS} by default"
    )
    given = parser.parse_args()
    unknown = [name for name in given.kernels if name not in CATALOGUE]
    if unknown:
        parser.error(f"{', '.join(unknown)}: no kernel of the catalogue, which has {' '.join(CATALOGUE)}")
    print(f"{'kernel':16}{'target':9}{'live':>5}{'bound':>7}{'taken':>7}{'most':>6}")
    found: list[Row] = []
    for row in rows(given.kernels or list(CATALOGUE), given.seconds):
        found.append(row)
        print(row.line(), flush=True)
    above = sum(not row.is_within for row in found)
    print(f"{len(found)} kernels, {above} above a register and a twentieth more than what is proved")
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
