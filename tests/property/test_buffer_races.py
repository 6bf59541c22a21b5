"""Races in buffers: the proof (`asmgen.blockwise.rules.races`) against brute force over all workgroups, trips,
elements and waves.

No race may be missed. A named case must be a race, but a store of equal values in some cases and of others in
other cases may be refused as a whole. Refusals that brute force finds safe are counted and printed (`-s`).
"""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

from asmgen.blockwise.rules.races.judge import races
from tests.property.buffer_programs import Pair, Program, kernel_of, racing, random_program, smaller, text_of
from tests.property.lds_programs import hold_counts


class Outcome(NamedTuple):
    """What differs: pairs that race and were missed, named cases that are none, and refusals without need."""

    missed: set[Pair]
    untrue: set[Pair]
    needless: set[Pair]
    racing: set[Pair]


def outcome(program: Program) -> Outcome:
    kernel, numbers = kernel_of(program)
    truth = racing(program)
    found: dict[Pair, bool] = {}
    for race in races(kernel):
        one, other = sorted((numbers[id(race.earlier)], numbers[id(race.statement)]))
        found[one, other] = found.get((one, other), False) or race.case is not None
    meeting = truth.races | truth.harmless
    untrue = {pair for pair, is_named in found.items() if is_named and pair not in meeting}
    return Outcome(truth.races - set(found), untrue, set(found) - meeting, truth.races)


def smallest(program: Program) -> Program:
    """The program with everything left out that it is wrong without."""
    for other in smaller(program):
        result = outcome(other)
        if result.missed or result.untrue:
            return smallest(other)
    return program


def check(seed: int, count: int) -> tuple[int, int, list[str]]:
    draw = random.Random(seed)
    unsafe = safe = 0
    needless: list[str] = []
    for turn in range(count):
        program = random_program(draw, draw.choice((1, 2, 2, 3)))
        result = outcome(program)
        if result.missed or result.untrue:
            least = smallest(program)
            pytest.fail(f"seed {seed}, program {turn}:\n{text_of(least)}\n{outcome(least)}")
        unsafe, safe = unsafe + bool(result.racing), safe + (not result.racing)
        if result.needless:
            needless.append(f"seed {seed}, program {turn}: {result.needless}\n{text_of(program)}")
    return unsafe, safe, needless


def test_buffers_race_as_brute_force_says() -> None:
    hold_counts(*check(26, 80), least=20, most=2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_more_buffers_race_as_brute_force_says(seed: int) -> None:
    hold_counts(*check(100 + seed, 1000), least=100, most=20)
