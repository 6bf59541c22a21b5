"""Random programs packed into as few registers as a search finds: the checker accepts every move, what
needed no copy needs none, and the emulator agrees."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from isa.mir.printer import print_kernel
from isa.program import Kernel
from isa.registers import RegisterClass
from regalloc import build_pools, check, rewrite
from regalloc.allocate import build_problem, solve
from regalloc.pools import Pool
from regalloc.scan.linear_scan import LinearScan, Places, Problem
from regalloc.scan.packing import Packing
from regalloc.scan.ways import allocate_class
from regalloc.spill.allocate import allocate_with_spills
from tests.property.machine_programs import machine_program
from tests.property.outcomes import outcome
from tests.property.wide_programs import wide_program

STEPS = 300

Make = Callable[[int], Kernel]


def scanned(problem: Problem, pool: Pool) -> Places:
    """The first scan's places; of SGPRs, which wide programs have few of, whatever places there are."""
    return allocate_class(problem, pool) if pool.register_class is RegisterClass.SGPR else LinearScan(problem, pool).run()


def packed(problem: Problem, pool: Pool) -> Places:
    """The same units, one register fewer each time until a search fails."""
    packing = Packing(problem, pool, scanned(problem, pool), STEPS)
    while packing.total() and packing.pack(packing.total() - 1):
        pass
    return packing.places()


def saved(kernel: Kernel) -> int:
    """How many VGPRs packing saves."""
    pools = build_pools(kernel, frozenset(), None)
    problem = build_problem(kernel)
    before = solve(problem, pools, place_class=scanned)
    after = solve(problem, pools, place_class=packed)
    assert after.statistics.coalesced >= before.statistics.coalesced
    rewritten = rewrite(kernel, after)
    check(kernel, after, rewritten)
    assert outcome(rewritten) == outcome(kernel), print_kernel(kernel)
    return before.statistics.vgprs - after.statistics.vgprs


def narrow(seed: int) -> Kernel:
    return machine_program(seed, 8)[0]


def wide(seed: int) -> Kernel:
    """With the SGPRs that do not fit in memory."""
    return allocate_with_spills(wide_program(seed)[0], frozenset(), 256).kernel


@pytest.mark.parametrize("make", [narrow, wide])
def test_random_programs_are_packed(make: Make) -> None:
    assert sum(saved(make(seed)) > 0 for seed in range(12)) > 2


@pytest.mark.slow
@pytest.mark.parametrize("start", range(100, 1100, 100))
def test_many_random_programs_are_packed(start: int) -> None:
    assert sum(saved(make(seed)) > 0 for seed in range(start, start + 100) for make in (narrow, wide)) > 20
