"""Values that take over each other's registers: one life, and the same registers in any order."""

from __future__ import annotations

import random

import pytest

from asmgen.passes.schedule.modulo import LoopOrder
from asmgen.passes.schedule.modulo.merged import Life, merged
from asmgen.passes.schedule.modulo.values import LoopValue, Reader, registers
from isa.registers import RegisterClass

VGPR = RegisterClass.VGPR


def value(maker: int | None, *readers: tuple[int, int], units: int = 4, file: RegisterClass = VGPR) -> LoopValue:
    return LoopValue(f"%{maker}", file, units, maker, tuple(Reader(*each) for each in readers))


def test_a_sum_takes_its_registers_in_any_order() -> None:
    """Two instructions add to four registers in turn; a third reads the result of the second, of two trips
    before."""
    assert merged([value(0, (1, 0)), value(1, (0, 1))]) == (4, [])
    assert merged([value(0, (1, 0)), value(1, (0, 2))]) == (8, [])
    assert merged([value(0, (1, 0)), value(1, (0, 1), (2, 0))]) == (0, [Life(4, 0, [Reader(0, 1), Reader(2, 0)], 2)])


def test_only_values_of_one_size_and_class_merge() -> None:
    assert merged([value(0, (1, 0)), value(1, (2, 0), units=2)]) == (0, [Life(4, 0, [Reader(1, 0)], 1), Life(2, 1, [Reader(2, 0)], 1)])
    assert merged([value(0, (1, 0)), value(1, file=RegisterClass.SGPR)]) == (0, [Life(4, 0, [Reader(1, 0)], 1)])
    assert merged([value(None), value(0, (0, 1))]) == (8, [])


def test_a_value_without_readers_ends_after_its_maker() -> None:
    assert merged([value(0, (1, 0)), value(1)]) == (0, [Life(4, 0, [Reader(1, 0)], 1), Life(4, 1, [], 1)])


@pytest.mark.parametrize("seed", range(40))
def test_merged_lives_take_the_registers_of_their_values(seed: int) -> None:
    """In orders in which each reader comes after the maker."""
    draw = random.Random(seed)
    count = draw.randint(2, 6)
    order = LoopOrder(draw.randint(2, 9), sorted(draw.sample(range(40), count)))
    values = [
        value(maker, *{(later, draw.randint(0, 2)) for later in range(maker + 1, count) if draw.random() < 0.4},
              units=draw.choice((1, 1, 2)))
        for maker in range(count)
    ]  # fmt: skip
    lives = merged(values)
    again = [LoopValue("", VGPR, life.units, life.maker, life.readers) for life in lives.lives]
    again.append(LoopValue("", VGPR, lives.always, None, ()))
    assert registers(again, order) == registers(values, order)
