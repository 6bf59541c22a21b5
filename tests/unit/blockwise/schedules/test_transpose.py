"""Transposes whose squares the lanes of one wave exchange among themselves."""

from __future__ import annotations

import pytest

from asmgen.blockwise.layout.layout import Holder
from asmgen.blockwise.layout.relayout import MoveKind, relayout
from asmgen.blockwise.schedules.pages.transpose import LEAST, axes_of, choose, is_worth, schedule
from asmgen.blockwise.schedules.work import Graph
from isa.targets import parse_target
from tests.unit.blockwise.schedules.graphs import graph_of

BANKS = 32


def transposed(element: str = "f32", dims: tuple[int, int] = (100, 70)) -> Graph:
    return graph_of(f"x = @param:x -> {element}, {{{dims[0]},{dims[1]}}}\no = transpose[permutation={{1,0}}](x)\n@return(o)\n")


@pytest.mark.parametrize("name", ["gfx90a", "gfx942", "gfx950"])
def test_each_register_comes_from_one_lane_and_each_lane_of_a_half_from_another_bank(name: str) -> None:
    target = parse_target(name).target
    choice = choose(transposed(), target)
    kernel = schedule(transposed(), choice, target)
    layouts = dict(kernel.layouts)
    way = relayout(layouts["read"], layouts["written"])
    assert way.kind is MoveKind.LANES and choice.waves == 1
    for register in range(16):
        wanted = [way.source_of(Holder(register, lane, 0)) for lane in range(64)]
        assert len({source.register for source in wanted}) == 1
        for half in (wanted[:BANKS], wanted[BANKS:]):
            assert len({source.lane % BANKS for source in half}) == BANKS


@pytest.mark.parametrize(("element", "name"), [("f16", "gfx942"), ("f32", "gfx1201"), ("f32", "gfx1100:wave64")])
def test_other_squares_go_through_lds(element: str, name: str) -> None:
    """Of smaller elements, and where lanes do not reach the whole wave, or it has 32."""
    assert choose(transposed(element), parse_target(name).target).waves > 1


@pytest.mark.parametrize(("dims", "is_full"), [((LEAST, LEAST), True), ((LEAST, LEAST - 1), False), ((LEAST - 1, LEAST), False)])
def test_a_square_is_worth_it_as_soon_as_it_is_full(dims: tuple[int, int], is_full: bool) -> None:
    graph = transposed(dims=dims)
    axes = axes_of(graph)
    assert axes is not None and is_worth(graph, axes) is is_full
