"""Loads from LDS of elements that were never written: the rule against brute force over all workgroups.

Elements that the rule refuses are read unwritten. The search of the rule is bounded, so it may leave some.
"""

from __future__ import annotations

import random

import pytest

from asmgen.blockwise.rules.unwritten import unwritten
from isa.diagnostics import InternalError
from tests.property.lds_programs import (
    Access,
    Item,
    Loop,
    Part,
    Program,
    Values,
    holders,
    kernel_of,
    random_program,
    text_of,
    workgroups,
)


def truth(program: Program) -> set[int]:
    """The numbers of the loads that read unwritten elements in some workgroup."""
    found: set[int] = set()
    for known in workgroups(program):
        _run(program.items, known, set(), found)
    return found


def _run(items: tuple[Item, ...], known: Values, written: set[tuple[int, ...]], found: set[int]) -> None:
    for item in items:
        match item:
            case Loop():
                for value in range(item.start.value(known), item.stop.value(known), item.step):
                    _run(item.body, {**known, item.counter: value}, written, found)
            case Part():
                _run(item.body, known, written, found)
            case Access():
                origin = [index.value(known) for index in item.origin]
                places = {(item.lds, item.slot.value(known), *map(int.__add__, origin, at)) for at in holders(item.layout)}
                if item.kind == "load" and not places <= written:
                    found.add(item.at)
                elif item.kind != "load":
                    written |= places
            case _:
                pass


def check(seed: int, count: int) -> tuple[int, int, int]:
    draw = random.Random(seed)
    right = fine = left = 0
    for turn in range(count):
        program = random_program(draw, draw.choice((2, 4, 6, 8)), copies=bool(turn % 2))
        try:
            kernel, numbers = kernel_of(program)
        except InternalError as error:  # an index with bounds that do not show that it is within the slots
            assert "goes from" in str(error) or "the tile has" in str(error), f"{text_of(program)}\n{error}"
            continue
        wanted = truth(program)
        found = {numbers[id(fault.statement)] for fault in unwritten(kernel)}
        assert found <= wanted, f"seed {seed}, program {turn}:\n{text_of(program)}\n{found - wanted}"
        right, fine, left = right + len(found), fine + (not wanted), left + bool(wanted - found)
    return right, fine, left


def test_a_refused_load_reads_what_was_never_written() -> None:
    right, fine, left = check(3, 60)
    print(f"{right} loads refused, {fine} programs are right, {left} have loads that were left")
    assert right > 20
    assert fine > 5
    assert left <= 5


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_more_refused_loads_read_what_was_never_written(seed: int) -> None:
    right, _, left = check(100 + seed, 2000)
    assert right > 200
    assert left <= 60
