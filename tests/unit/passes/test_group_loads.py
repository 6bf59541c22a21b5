"""Loads are next to each other: the addresses of later loads are computed before the first."""

from __future__ import annotations

from asmgen.passes.motion.group_loads import group_loads
from isa.mir.parser import parse_kernel
from isa.program import Kernel
from regalloc.verify import verify
from tests.unit.passes.test_schedule import HEADER, place, program

APART = (
    "global_load_dword %v1, v0, %p[0:1] | v_add_u32_e32 %v2, 0x2000, v0 | global_load_dword %v3, %v2, %p[0:1] | global_store_dword v0, %v3, %p[2:3]"
)


def grouped(code: str, target: str) -> Kernel:
    made = group_loads(program(code, target=target))
    verify(made)
    return made


def test_what_a_load_needs_comes_before_the_group_where_there_are_clauses() -> None:
    lines = APART.replace("dword", "b32").replace("v_add_u32", "v_add_nc_u32").split(" | ")
    registers = "".join(f"register %v{number} vgpr\n" for number in (1, 2, 3))
    code = "".join(f"  {line}\n" for line in ("s_load_b128 %p, s[0:1], 0", *lines, "terminator s_endpgm"))
    made = group_loads(parse_kernel(f"{HEADER.replace('gfx942', 'gfx1100')}{registers}block entry\n{code}", "test.mir"))
    verify(made)
    assert place(made, "v_add") < place(made, "global_load_b32 %v1") == place(made, "global_load_b32 %v3") - 1


def test_the_address_itself_stays_next_to_its_load_elsewhere() -> None:
    made = grouped(APART, "gfx942")
    assert place(made, "global_load_dword %v1") < place(made, "v_add") == place(made, "global_load_dword %v3") - 1


def test_what_the_address_is_made_of_moves_there() -> None:
    """The mask is made long before the instruction that chooses by it, which needs two others in between."""
    masked = "v_cmp_gt_u32_e64 %m1, 5, v0 | v_cndmask_b32_e64 %v2, 0, v0, %m1"
    made = grouped(APART.replace("v_add_u32_e32 %v2, 0x2000, v0", masked), "gfx942")
    assert place(made, "v_cmp") < place(made, "global_load_dword %v1") < place(made, "v_cndmask")


def test_a_load_whose_address_another_loads_is_of_another_group() -> None:
    code = APART.replace("0x2000, v0", "0x2000, %v1")
    kernel = program(code)
    assert [i.row.name for i in grouped(code, "gfx942").instructions()] == [i.row.name for i in kernel.instructions()]


def test_a_group_that_takes_longer_is_not_made() -> None:
    """All waits for the first load: what would come before it makes the kernel longer."""
    code = (
        "global_load_dword %v1, v0, s[0:1] | v_add_u32_e32 %v2, 8, v0 | v_lshlrev_b32_e32 %v3, 1, %v2 | v_lshlrev_b32_e32 %v4, 1, %v3"
        " | global_load_dword %v5, %v4, s[0:1] | v_add_u32_e32 %v6, 1, %v1 | v_add_u32_e32 %v7, 1, %v6 | v_add_u32_e32 %v8, 1, %v7"
        " | v_add_u32_e32 %v9, 1, %v8 | v_add_u32_e32 %v10, 1, %v9 | v_add_u32_e32 %v11, %v10, %v5 | global_store_dword v0, %v11, %p[2:3]"
    )
    kernel = program(code)
    assert [i.row.name for i in grouped(code, "gfx942").instructions()] == [i.row.name for i in kernel.instructions()]
