"""Stores to memory next to each other, on targets on which vector instructions wait for a store's registers."""

from __future__ import annotations

import pytest

from asmgen.passes.dependence import Dependences
from asmgen.passes.dependence.graph import Dependence, Graph
from asmgen.passes.schedule import schedule
from asmgen.passes.schedule.pressure import pressure_of
from asmgen.passes.schedule.stores import stores_of, with_stores_together
from isa.program import Kernel
from regalloc.liveness import compute_liveness
from tests.unit.passes.test_schedule import program

STORE = "global_store_b32 v0, %{0}, %p[2:3] offset:{1}"
MANY = 64


def in_turn(*values: str) -> str:
    """A conversion of v0 for each value, and its store, in turn."""
    pairs = [f"v_cvt_f32_u32_e32 %{name}, v0 | {STORE.format(name, 4 * place)}" for place, name in enumerate(values)]
    return " | ".join(pairs)


def kinds(kernel: Kernel, most: int = MANY) -> str:
    """The first letters of the mnemonics, in the new order with at most so many VGPRs, which keeps all dependences."""
    graph = Dependences(kernel).of_block(0)
    pressure = pressure_of(kernel, compute_liveness(kernel), 0)
    order = with_stores_together(range(len(graph.before)), graph, pressure, (most, MANY, 0))
    assert graph.allows(order)
    assert pressure.most(order)[0] <= most
    names = [graph.instructions[number].row.name for number in order]
    return "".join("S" if "store" in name else "L" if "load" in name else name[0] for name in names[1:])


def test_stores_wait_for_the_last() -> None:
    assert kinds(program(in_turn("v1", "v2", "v3"), target="gfx1201")) == "vvvSSS"


def test_stores_wait_that_may_be_in_any_order() -> None:
    kernel = program(in_turn("v1", "v2"), target="gfx1201")
    code = kernel.blocks[0].instructions[1:]
    graph = Graph(code, [{}, {0: Dependence.TRUE}, {}, {2: Dependence.TRUE}])
    pressure = pressure_of(kernel.with_blocks([kernel.blocks[0].with_instructions(code)]), compute_liveness(kernel), 0)
    assert with_stores_together(range(4), graph, pressure, (MANY, MANY, 0)) == [0, 2, 1, 3]


def test_no_more_registers_are_live_than_may_be() -> None:
    """With room for two of the values, the first two stores come before the third value."""
    assert kinds(program(in_turn("v1", "v2", "v3"), target="gfx1201"), most=2) == "vvSSvS"


def test_a_store_does_not_wait_for_a_later_load() -> None:
    load = "ds_load_b32 %v4, v0 | v_add_f32_e32 %v5, %v4, %v1"
    code = f"{in_turn('v1', 'v2')} | {load} | {STORE.format('v5', 8)}"
    assert kinds(program(code, target="gfx1201")) == "vvLSSvS"


def test_a_store_waits_for_an_earlier_load() -> None:
    load = "global_load_b32 %v4, v0, %p[0:1]"
    code = f"{load} | {in_turn('v1')} | v_add_f32_e32 %v5, %v4, %v1 | {STORE.format('v5', 8)}"
    assert kinds(program(code, target="gfx1201")) == "LvvSS"


def test_stores_to_lds_are_left_where_they_are() -> None:
    kernel = program(f"ds_store_b32 v0, v0 | {in_turn('v1')}", target="gfx1201")
    graph = Dependences(kernel).of_block(0)
    assert {graph.instructions[number].row.name for number in stores_of(graph)} == {"global_store_b32"}


def test_nothing_passes_a_barrier() -> None:
    code = f"{in_turn('v1')} | s_barrier | {in_turn('v2', 'v3')}"
    assert kinds(program(code, target="gfx1100")) == "vSsvvSS"


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201"])
def test_the_scheduler_moves_them_if_vector_instructions_wait(target: str) -> None:
    names = [instr.row.name for instr in schedule(program(in_turn("v1", "v2", "v3"), target=target)).blocks[0].instructions]
    assert all("store" in name for name in names[-3:])
