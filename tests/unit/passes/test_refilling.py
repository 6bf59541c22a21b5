"""Loads for the next trip of a loop come right behind the stores to LDS of the registers that they fill."""

from __future__ import annotations

from itertools import pairwise

import asmgen
from asmgen.passes.dependence.graph import Dependence, Graph
from asmgen.passes.schedule.refilling import with_refilling_loads
from tests.unit.passes.test_schedule import program

CODE = (
    "v_add_u32_e32 %v8, 64, v0 | ds_write_b32 v0, %v1 | ds_write_b32 v0, %v2 offset:64 | v_add_u32_e32 %v9, 64, %v8"
    " | v_mov_b32_e32 %v7, 1 | global_load_dword %v3, %v8, %p[0:1] | global_load_dword %v4, %v9, %p[0:1]"
    " | global_load_dword %v5, v0, %p[0:1] | global_store_dword v0, %v7, %p[2:3]"
)
FILL = "v_mov_b32_e32 %v1, 0 | v_mov_b32_e32 %v2, 0"


def test_a_load_follows_the_store_and_its_address() -> None:
    """The third load refills nothing, and stays behind the others."""
    kernel = program(f"{FILL} | {CODE}")
    code = kernel.blocks[0].instructions
    names = [instr.row.name for instr in code]
    stores = [place for place, name in enumerate(names) if name == "ds_write_b32"]
    loads = [place for place, name in enumerate(names) if name == "global_load_dword"]
    needed = {loads[0]: (names.index("v_add_u32"), stores[0]), loads[1]: (stores[1] + 1, stores[1])}
    before = [dict[int, Dependence]() for _ in code]
    for load, (address, store) in needed.items():
        before[load] = {address: Dependence.TRUE, store: Dependence.ANTI}
    graph = Graph(code, before)
    order = with_refilling_loads(range(len(code)), graph)
    assert graph.allows(order)
    assert order.index(loads[0]) == order.index(stores[0]) + 1
    assert order.index(loads[1]) == order.index(stores[1] + 1) + 1
    assert order.index(loads[2]) == order.index(loads[2] - 3) + 1


def test_loads_take_turns_with_stores_in_the_loop_of_a_product_of_few_rows() -> None:
    text = "a = @param:a -> f16, {64,4096}\nb = @param:b -> f16, {1024,4096}\nt = transpose[permutation={1,0}](b)\nc = dot(a, t)\n@return(c)\n"
    kernel = asmgen.compile(text, target="gfx950").kernels[0]
    loop = kernel.assembly.partition("loop:")[2].partition("\ts_cbranch")[0]
    words = [line.split()[0] for line in loop.splitlines() if line.startswith("\t") and not line.startswith("\t.")]
    accesses = [word for word in words if word in ("ds_write_b128", "global_load_dwordx4")]
    changes = sum(one != other for one, other in pairwise(accesses))
    assert changes > len(accesses) // 2
