"""Races in LDS: the proof (`asmgen.blockwise.rules.races`) against brute force over all ids, trips, elements
and waves.

No race may be missed, and each case that is named must be a race. Refusals that brute force finds safe are
counted and printed with the reason (`-s`); a case is never named for them.
"""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.rules.codes import BrokenRule
from asmgen.blockwise.rules.races.judge import Case, races
from isa.diagnostics import InternalError
from tests.property.lds_programs import (
    Access,
    Barrier,
    Item,
    Loop,
    Meeting,
    Number,
    Pair,
    Program,
    Wait,
    hold_counts,
    is_race,
    kernel_of,
    name,
    number,
    racing,
    random_program,
    smaller,
    text_of,
)


class Outcome(NamedTuple):
    """What differs: pairs that race and were missed, named cases that are none, and refusals without need."""

    missed: set[Pair]
    untrue: list[tuple[Pair, Case]]
    needless: dict[Pair, str]
    racing: set[Pair]


def outcome(program: Program) -> Outcome:
    kernel, numbers = kernel_of(program)
    truth = racing(program)
    found = {(numbers[id(race.earlier)], numbers[id(race.statement)]): race for race in races(kernel)}
    cases = [(pair, race.case) for pair, race in found.items() if race.case is not None]
    untrue = [(pair, case) for pair, case in cases if not is_race(program, pair, dict(case.known), met(case))]
    needless = {pair: race.rule for pair, race in found.items() if pair not in truth}
    return Outcome(truth - set(found), untrue, needless, truth)


def met(case: Case) -> Meeting:
    """The meeting of a case. Loops next to each other have counters of different names in a kernel."""
    first, second = [tuple([value for _, value in side.counters]) for side in (case.earlier, case.later)]
    assert case.slot is not None, "these programs have races of LDS alone"
    return Meeting((first, second), case.slot, case.element, (case.earlier.wave, case.later.wave))


def is_wrong(program: Program) -> bool:
    try:
        result = outcome(program)
    except (BrokenRule, InternalError):
        return False
    return bool(result.missed or result.untrue)


def smallest(program: Program) -> Program:
    """The program with everything left out that it is wrong without."""
    for other in smaller(program):
        if is_wrong(other):
            return smallest(other)
    return program


COPIES = Layout((8,), (4,), (1, 2), (0,))  # wave 0 writes all
ROWS, CROSSED = Layout((8,), (), (1, 2), (4,)), Layout((8,), (), (1, 4), (2,))


def access(at: int, kind: str, slot: Number, layout: Layout = ROWS) -> Access:
    return Access(at, kind, 0, slot, (number(0),), layout)


def loop(trips: int, *body: Item, staggered: bool = False) -> Loop:
    return Loop("k", number(0), number(trips), 1, body, staggered)


K = name("k")
K0 = number(0)
IN_TURN, NEXT, THREE_ON = Number("mod", K, 4), *[Number("mod", Number("+", K, number(more)), 4) for more in (1, 3)]
PICKED: dict[str, tuple[tuple[Item, ...], set[Pair]]] = {
    "the last trip and behind the loop": (
        (loop(4, Barrier(), access(0, "store", IN_TURN)), access(1, "load", number(3), CROSSED)),
        {(0, 1)},
    ),
    "an earlier trip and behind": ((loop(4, Barrier(), access(0, "store", IN_TURN)), access(1, "load", number(2), CROSSED)), set()),
    "the trip before the last": ((loop(2, access(0, "store", K)), access(1, "load", number(0), CROSSED)), {(0, 1)}),
    "before the loop and the first trip": ((access(0, "store", number(0)), loop(4, access(1, "load", K, CROSSED), Barrier())), {(0, 1)}),
    "before the loop and the second": ((access(0, "store", number(1)), loop(4, access(1, "load", K, CROSSED), Barrier())), set()),
    "past a loop without trips": ((access(0, "store", number(1)), loop(0, Barrier()), access(1, "load", number(1), CROSSED)), {(0, 1)}),
    "three trips later": (
        (loop(4, access(0, "store", K), access(1, "load", NEXT, CROSSED)),),
        {(0, 1), (1, 0)},
    ),
    "a barrier between waves that are out of step": (
        (loop(4, access(0, "store", K), Barrier(), access(1, "load", K, CROSSED), staggered=True),),
        {(0, 1)},
    ),
    "two barriers between them": (
        (loop(4, access(0, "store", K), Barrier(), Barrier(), access(1, "load", K, CROSSED), staggered=True),),
        set(),
    ),
    "before a staggered loop and in it": ((access(0, "store", K0), loop(4, access(1, "load", K0, CROSSED), Barrier(), staggered=True)), {(0, 1)}),
    "the first half stores before the second half loads": (
        (loop(4, Barrier(), access(0, "store", K, COPIES), access(1, "load", K, CROSSED), Barrier(), staggered=True),),
        set(),
    ),
    "past a loop that puts waves out of step": ((access(0, "store", K0), loop(1, loop(1, staggered=True)), access(1, "load", K0, CROSSED)), set()),
    "a copy two trips later": (
        (loop(8, access(0, "copy", IN_TURN), Wait(1), Barrier(), access(1, "load", THREE_ON, CROSSED)),),
        set(),
    ),
    "a copy that the first trip waits for": ((access(0, "copy", number(2)), loop(4, access(1, "store", K, CROSSED), Barrier(), Wait(0))), set()),
    "a copy that the second trip may meet": ((access(0, "copy", number(1)), loop(4, access(1, "store", K, CROSSED), Barrier(), Wait(0))), {(0, 1)}),
    "a copy that is under way": (
        (loop(8, access(0, "copy", IN_TURN), Wait(2), Barrier(), access(1, "load", THREE_ON, CROSSED)),),
        {(0, 1)},
    ),
}


@pytest.mark.parametrize("what", list(PICKED))
def test_each_kind_of_path(what: str) -> None:
    items, pairs = PICKED[what]
    program = Program({"row": 1}, {}, 2, (((8,), 4),), items)
    assert racing(program) == pairs
    assert not any(outcome(program)[:3]), outcome(program)


def check(seed: int, count: int, accesses: tuple[int, ...], copies: bool) -> tuple[int, int, list[str]]:
    draw = random.Random(seed)
    unsafe = safe = 0
    needless: list[str] = []
    for turn in range(count):
        program = random_program(draw, draw.choice(accesses), copies)
        try:
            result = outcome(program)
        except InternalError as error:  # an index with bounds that do not show that it is within the slots
            assert "goes from" in str(error) or "the tile has" in str(error), f"{text_of(program)}\n{error}"
            continue
        if result.missed or result.untrue:
            least = smallest(program)
            pytest.fail(f"seed {seed}, program {turn}:\n{text_of(least)}\n{outcome(least)}")
        unsafe, safe = unsafe + bool(result.racing), safe + (not result.racing)
        needless += [f"seed {seed}, program {turn}: {rule}\n{text_of(program)}" for rule in result.needless.values()]
    return unsafe, safe, needless


@pytest.mark.parametrize("copies", [False, True])
def test_two_accesses_race_as_brute_force_says(copies: bool) -> None:
    hold_counts(*check(26, 200, (2,), copies), least=30, most=2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_programs_race_as_brute_force_says(seed: int) -> None:
    hold_counts(*check(100 + seed, 1000, (2, 2, 3, 4, 6), bool(seed % 2)), least=100, most=20)
