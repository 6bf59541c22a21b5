"""The addresses of a run of loads from LDS come before the run."""

from __future__ import annotations

from asmgen.passes.dependence import Dependences
from asmgen.passes.schedule.addresses import with_addresses_first
from tests.unit.passes.test_schedule import program

STORE = "global_store_b32 v0, %v9, %p[2:3]"


def order_of(code: str) -> list[int]:
    """The new order of a block's instructions, counted from the first behind the load of the arguments."""
    graph = Dependences(program(code, target="gfx1100")).of_block(0)
    order = with_addresses_first(range(len(graph.before)), graph)
    assert graph.allows(order)
    return [number - 1 for number in order[1:]]


def test_an_address_passes_the_loads_before_it() -> None:
    code = "ds_load_b32 %v1, v0 | v_xor_b32_e32 %v2, 32, v0 | ds_load_b32 %v3, %v2 | v_add_f32_e32 %v9, %v1, %v3"
    assert order_of(f"{code} | {STORE}") == [1, 0, 2, 3, 4]


def test_an_address_that_needs_a_load_stays() -> None:
    code = "ds_load_b32 %v1, v0 | v_xor_b32_e32 %v2, 32, %v1 | ds_load_b32 %v9, %v2"
    assert order_of(f"{code} | {STORE}") == [0, 1, 2, 3]


def test_other_instructions_end_a_run() -> None:
    """An order may have them there on purpose: they issue while the wave waits for the load."""
    code = "ds_load_b32 %v1, v0 | v_mov_b32_e32 %v4, 1 | v_xor_b32_e32 %v2, 32, v0 | ds_load_b32 %v3, %v2"
    assert order_of(f"{code} | v_add_f32_e32 %v5, %v1, %v3 | v_add_f32_e32 %v9, %v5, %v4 | {STORE}") == list(range(7))
