"""The order of instructions is free as far as the dependence graph says: any order computes the same bits.

An edge that the graph lacks shows as other bits, or as a finding of the sanitizer, in some order. An ordinary run tries three orders of each of
the catalogue's kernels, and of random machine programs, which mix SCC, EXEC and lanes more than a kernel does; the slow set tries
twenty of each on every target, and 500 programs.
"""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from isa.emulator import run_kernel
from regalloc import allocate, rewrite
from tests.any_size import OF_ANY_SIZE, settings_of
from tests.property.machine_programs import describe, machine_program
from tests.property.orders import Case, hold_orders, in_random_order

TARGETS = ("gfx942", "gfx1100", "gfx90a", "gfx1201", "gfx950")
ORDERS, MORE_ORDERS = range(3), range(100, 120)
PROGRAMS, MORE_PROGRAMS = range(700, 706), range(50000, 50500)
SIZES = {"n": "300", "rows": "3", "cols": "70"}


def _case(name: str, target: str) -> Case:
    return Case(name, settings_of(name, SIZES), target)


IN_TURN = [_case(name, TARGETS[number % len(TARGETS)]) for number, name in enumerate(OF_ANY_SIZE)]
EVERY = [_case(name, target) for name in OF_ANY_SIZE for target in TARGETS]


@pytest.mark.parametrize("case", IN_TURN, ids=lambda case: f"{case.name}-{case.target}")
def test_any_legal_order_gives_the_same_bits(case: Case) -> None:
    assert hold_orders(case, ORDERS) == len(ORDERS)


@pytest.mark.slow
@pytest.mark.parametrize("case", EVERY, ids=lambda case: f"{case.name}-{case.target}")
def test_any_of_many_legal_orders_gives_the_same_bits(case: Case) -> None:
    assert hold_orders(case, MORE_ORDERS) == len(MORE_ORDERS)


def hold_program(seed: int) -> None:
    """A random machine program in an order on virtual registers, and that in an order on physical
    registers."""
    kernel, mix = machine_program(seed)
    random = Random(seed)
    x = np.random.default_rng(seed).integers(0, 1 << 32, 64, dtype=np.uint32)
    wanted = run_kernel(kernel, (1, 1, 1), [x.copy(), np.zeros(64, np.uint32)])[1]
    ordered = in_random_order(kernel, random)
    physical = in_random_order(rewrite(ordered, allocate(ordered)), random)
    for version in (ordered, physical):
        found = run_kernel(version, (1, 1, 1), [x.copy(), np.zeros(64, np.uint32)])[1]
        assert np.array_equal(wanted, found), describe(seed, mix)


def test_random_machine_programs_in_any_order() -> None:
    for seed in PROGRAMS:
        hold_program(seed)


@pytest.mark.slow
def test_more_random_machine_programs_in_any_order() -> None:
    for seed in MORE_PROGRAMS:
        hold_program(seed)
