"""Waits shortly after each other become a single wait."""

from __future__ import annotations

from asmgen.passes.waits.waitcnt import merge_waits
from tests.unit.passes.assembly import code_of, kernel_of

LOADS = ["s_waitcnt vmcnt(1)", "v_mov_b32_e32 v4, v0", "s_waitcnt vmcnt(0)", "v_mov_b32_e32 v5, v1"]


def merged(lines: list[str], target: str = "gfx1100") -> list[str]:
    return code_of(merge_waits(kernel_of("\n".join(lines), target)))


def test_the_first_wait_waits_for_what_the_second_does() -> None:
    assert merged(LOADS) == ["s_waitcnt vmcnt(0)", LOADS[1], LOADS[3]]


def test_without_dual_instructions_a_wait_goes_for_one_instruction_alone() -> None:
    assert merged(LOADS, "gfx942:xnack-") == ["s_waitcnt vmcnt(0)", LOADS[1], LOADS[3]]
    two = [LOADS[0], LOADS[1], "v_mov_b32_e32 v6, v0", *LOADS[2:]]
    assert merged(two, "gfx942:xnack-") == two


def test_waits_far_from_each_other_stay() -> None:
    far = [LOADS[0], *(f"v_mov_b32_e32 v{number}, v0" for number in range(4, 9)), *LOADS[2:]]
    assert merged(far) == far


def test_waits_for_other_counters_stay() -> None:
    others = [LOADS[0], LOADS[1], "s_waitcnt lgkmcnt(0)", LOADS[3]]
    assert merged(others) == others


def test_a_load_between_two_waits_keeps_them_apart() -> None:
    """After it the second wait's count is of other loads."""
    loads = [LOADS[0], "global_load_b32 v6, v7, s[0:1]", LOADS[2], LOADS[3]]
    assert merged(loads) == loads


STORES = ["s_wait_dscnt 0x1", "global_store_b32 v8, v0, s[0:1]", "s_wait_dscnt 0x0", "global_store_b32 v9, v1, s[0:1]"]


def test_a_store_to_memory_waits_for_what_the_next_one_does() -> None:
    assert merged(STORES, "gfx1201") == ["s_wait_dscnt 0x0", STORES[1], STORES[3]]


def test_a_store_that_a_wait_counts_keeps_waits_apart() -> None:
    """After a store to LDS the second wait's count is of other accesses."""
    to_lds = [STORES[0], "ds_store_b32 v8, v0", STORES[2], STORES[3]]
    assert merged(to_lds, "gfx1201") == to_lds
