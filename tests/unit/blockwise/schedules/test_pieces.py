"""Pieces of a row: every element once, and what lanes without elements have instead."""

from __future__ import annotations

from math import prod

import pytest

from asmgen.blockwise.actions import Mask, TileLoad
from asmgen.blockwise.schedules.choices import Row
from asmgen.blockwise.schedules.elements.indices import flattened, unflattened
from asmgen.blockwise.schedules.pages.pieces import stretches, within
from asmgen.blockwise.schedules.pages.row import tiling
from asmgen.blockwise.schedules.schedule import schedule
from asmgen.blockwise.types import TileType
from asmgen.index import constant, symbol
from asmgen.index.expression import as_symbol
from asmgen.index.size import number
from isa.targets import TARGETS
from tests.unit.blockwise.schedules.graphs import reduced, softmax

TARGET = TARGETS["gfx942"]


@pytest.mark.parametrize("columns", [2, 3, 4, 63, 256, 257, 300, 512, 1100, 2047, 9001])
@pytest.mark.parametrize("repeat", [1, 3])
def test_each_element_is_of_one_piece(columns: int, repeat: int) -> None:
    made = tiling(reduced((2, columns), (1,)).work, Row(1, 64, 1, 1, 4, repeat), TARGET)
    done = 0
    for stretch in stretches(made, columns):
        assert stretch.first == done
        size = stretch.trips * stretch.layout.shape[made.axis]
        done = stretch.first + size if stretch.limit is None else stretch.limit
        assert stretch.is_whole(made.axis) and number(stretch.first) < number(done) <= number(stretch.first + size)
    assert done == columns


def test_lanes_beyond_the_end_have_the_last_elements() -> None:
    place = symbol("place", 0, 15)
    element, condition = within(constant(100), place, 4, 108)
    found = [element.evaluate({as_symbol(place): at}, 0) for at in range(16)]
    assert found == [*range(100, 108), *range(104, 108), *range(104, 108)]
    assert [condition.left.evaluate({as_symbol(place): at}, 0) < 108 for at in range(16)] == [True] * 8 + [False] * 8


@pytest.mark.parametrize("dims", [(1, 5, 2, 65, 2), (5, 7, 11), (3, 4), (2, 1, 1, 150)])
def test_the_element_of_a_place_has_its_number(dims: tuple[int, ...]) -> None:
    """So that the place itself is the address in all buffers."""
    size = prod(dims)
    place, _ = within(constant(0), symbol("place", 0, 4095), 4, size)
    assert flattened(unflattened(place, dims), dims) is place


def test_loads_have_no_conditions_and_a_sum_has_one_a_lane() -> None:
    """A maximum has none: it may have the last columns twice."""
    kernel = schedule(softmax((5, 300), 1).module, Row(1, 64, 2, 1, 4, 1), TARGET)
    assert all(not statement.op.where for statement in kernel.walk() if isinstance(statement.op, TileLoad))
    (mask,) = [statement for statement in kernel.walk() if isinstance(statement.op, Mask)]
    assert isinstance(mask.result.type, TileType) and mask.result.type.layout.register_count == 1
