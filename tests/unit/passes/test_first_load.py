"""The first load of a kernel comes right after the instructions that compute its address."""

from __future__ import annotations

import pytest

import asmgen
from asmgen.passes.dependence import Dependences
from asmgen.passes.schedule.first_load import with_first_load
from isa.program import Kernel
from tests.unit.passes.test_schedule import program

ADDRESSES = "s_lshl_b32 %s1, s2, 13 | v_lshlrev_b32_e32 %v1, 4, v0 | v_lshl_add_u32 %v2, v0, 4, %s1"
LOADS = "global_load_dword %v3, %v1, %p[0:1] | global_load_dword %v4, %v2, %p[0:1]"
READER = "v_add_f32_e32 %v5, %v3, %v4 | global_store_dword v0, %v5, %p[2:3]"


def ordered(kernel: Kernel) -> list[str]:
    """The rows in the new order, which keeps all dependences."""
    graph = Dependences(kernel).of_block(0)
    order = with_first_load(range(len(graph.before)), graph)
    assert graph.allows(order)
    return [graph.instructions[number].row.name for number in order]


def test_addresses_of_later_loads_come_after_it() -> None:
    found = ordered(program(f"{ADDRESSES} | {LOADS} | {READER}"))
    wanted = ["v_lshlrev_b32", "global_load_dword", "s_lshl_b32", "v_lshl_add_u32", "global_load_dword"]
    assert found[1:6] == wanted


def test_it_stays_behind_instructions_that_wait_for_memory() -> None:
    """Those before them issue while the wave waits anyway."""
    waits = "v_mov_b32_e32 %v6, 1 | s_add_u32 %s2, %p[0:0], 4 | v_mov_b32_e32 %v7, 2 | v_lshlrev_b32_e32 %v1, 4, v0"
    found = ordered(program(f"{waits} | global_load_dword %v3, %v1, %p[0:1] | global_store_dword v0, %v3, %p[2:3]"))
    assert found[1:6] == ["v_mov_b32", "s_add_u32", "v_lshlrev_b32", "global_load_dword", "v_mov_b32"]


def test_a_block_without_loads_stays() -> None:
    found = ordered(program("v_mov_b32_e32 %v1, 1 | global_store_dword v0, %v1, %p[2:3]"))
    assert found == ["s_load_dwordx4", "v_mov_b32", "global_store_dword"]


@pytest.mark.parametrize(("target", "between"), [("gfx942", True), ("gfx1100", False)])
def test_loads_stay_together_if_the_target_has_clauses(target: str, between: bool) -> None:
    text = "a = @param:a -> f16, {1,4096}\nb = @param:b -> f16, {1024,4096}\nt = transpose[permutation={1,0}](b)\nc = dot(a, t)\n@return(c)\n"
    (kernel,) = asmgen.compile(text, target=target).kernels
    lines = [line.split()[0] for line in kernel.assembly.splitlines() if line.startswith("\t") and not line.startswith("\t.")]
    loads = [place for place, name in enumerate(lines) if name.startswith("global_load")]
    assert (loads[1] - loads[0] > 1) == between
