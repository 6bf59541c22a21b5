"""Waits: each case states the code and the code that is wanted, with the reason above."""

from __future__ import annotations

import pytest

from asmgen.passes.waits.waitcnt import drop_idle_waits, insert_waits
from tests.unit.passes.assembly import code_of, kernel_of, lines_of

IN_TURN = "global_load_dword v5, v2, s[0:1] | global_load_dword v6, v2, s[2:3]"

CASES: tuple[tuple[str, str, str], ...] = (
    (
        "a loaded register is read",
        "global_load_dword v0, v2, s[0:1] | v_mov_b32_e32 v1, v0",
        "global_load_dword v0, v2, s[0:1] | s_waitcnt vmcnt(0) | v_mov_b32_e32 v1, v0",
    ),
    (
        "loads land in order: the first is there when one is left",
        "global_load_dword v0, v2, s[0:1] | global_load_dword v1, v2, s[2:3] | v_mov_b32_e32 v3, v0",
        "global_load_dword v0, v2, s[0:1] | global_load_dword v1, v2, s[2:3] | s_waitcnt vmcnt(1) | v_mov_b32_e32 v3, v0",
    ),
    (
        "a store counts too",
        "global_load_dword v0, v2, s[0:1] | global_store_dword v2, v4, s[2:3] | v_mov_b32_e32 v3, v0",
        "global_load_dword v0, v2, s[0:1] | global_store_dword v2, v4, s[2:3] | s_waitcnt vmcnt(1) | v_mov_b32_e32 v3, v0",
    ),
    (
        "a loaded register is overwritten",
        "global_load_dword v0, v2, s[0:1] | v_mov_b32_e32 v0, 0",
        "global_load_dword v0, v2, s[0:1] | s_waitcnt vmcnt(0) | v_mov_b32_e32 v0, 0",
    ),
    (
        "no wait needed because loads of one counter land in order",
        "global_load_dword v0, v2, s[0:1] | global_load_dword v0, v2, s[2:3]",
        "global_load_dword v0, v2, s[0:1] | global_load_dword v0, v2, s[2:3]",
    ),
    (
        "results of different counters may land in any order",
        "ds_read_b32 v0, v1 | global_load_dword v0, v2, s[0:1]",
        "ds_read_b32 v0, v1 | s_waitcnt lgkmcnt(0) | global_load_dword v0, v2, s[0:1]",
    ),
    (
        "no wait needed because store data and addresses are read before a later instruction writes them",
        "global_store_dword v2, v4, s[2:3] | v_mov_b32_e32 v4, 0 | v_mov_b32_e32 v2, 0",
        "global_store_dword v2, v4, s[2:3] | v_mov_b32_e32 v4, 0 | v_mov_b32_e32 v2, 0",
    ),
    (
        "scalar loads come back out of order: only zero says anything",
        "s_load_dword s4, s[0:1], 0x0 | s_load_dword s5, s[0:1], 0x4 | s_mov_b32 s6, s4",
        "s_load_dword s4, s[0:1], 0x0 | s_load_dword s5, s[0:1], 0x4 | s_waitcnt lgkmcnt(0) | s_mov_b32 s6, s4",
    ),
    (
        "LDS reads alone are in order",
        "ds_read_b32 v0, v1 | ds_read_b32 v2, v1 offset:4 | v_mov_b32_e32 v3, v0",
        "ds_read_b32 v0, v1 | ds_read_b32 v2, v1 offset:4 | s_waitcnt lgkmcnt(1) | v_mov_b32_e32 v3, v0",
    ),
    (
        "LDS reads beside a scalar load are not",
        "ds_read_b32 v0, v1 | s_load_dword s5, s[0:1], 0x4 | v_mov_b32_e32 v3, v0",
        "ds_read_b32 v0, v1 | s_load_dword s5, s[0:1], 0x4 | s_waitcnt lgkmcnt(0) | v_mov_b32_e32 v3, v0",
    ),
    (
        "a flat load may come from either memory: both counters, to zero",
        "flat_load_dword v0, v[2:3] | ds_read_b32 v8, v9 | v_mov_b32_e32 v1, v0",
        "flat_load_dword v0, v[2:3] | ds_read_b32 v8, v9 | s_waitcnt vmcnt(0) lgkmcnt(0) | v_mov_b32_e32 v1, v0",
    ),
    (
        "after a wait for a flat load, other loads land in order again",
        f"flat_load_dword v0, v[2:3] | v_mov_b32_e32 v1, v0 | {IN_TURN} | v_mov_b32_e32 v7, v5",
        f"flat_load_dword v0, v[2:3] | s_waitcnt vmcnt(0) lgkmcnt(0) | v_mov_b32_e32 v1, v0 | {IN_TURN} | s_waitcnt vmcnt(1) | v_mov_b32_e32 v7, v5",
    ),
    (
        "two counters in one wait",
        "global_load_dword v0, v2, s[0:1] | ds_read_b32 v1, v3 | v_add_f32_e32 v4, v0, v1",
        "global_load_dword v0, v2, s[0:1] | ds_read_b32 v1, v3 | s_waitcnt vmcnt(0) lgkmcnt(0) | v_add_f32_e32 v4, v0, v1",
    ),
    (
        "one wait serves all later uses",
        "global_load_dword v0, v2, s[0:1] | v_mov_b32_e32 v1, v0 | v_mov_b32_e32 v3, v0",
        "global_load_dword v0, v2, s[0:1] | s_waitcnt vmcnt(0) | v_mov_b32_e32 v1, v0 | v_mov_b32_e32 v3, v0",
    ),
    (
        "a part of a tuple waits for the whole load",
        "global_load_dwordx4 v[0:3], v4, s[0:1] | v_mov_b32_e32 v5, v2",
        "global_load_dwordx4 v[0:3], v4, s[0:1] | s_waitcnt vmcnt(0) | v_mov_b32_e32 v5, v2",
    ),
    (
        "LDS writes are done before the barrier tells of them",
        "ds_write_b32 v0, v1 | s_barrier",
        "ds_write_b32 v0, v1 | s_waitcnt lgkmcnt(0) | s_barrier",
    ),
    (
        "no wait needed because global memory is no business of the barrier",
        "global_store_dword v2, v4, s[2:3] | s_barrier",
        "global_store_dword v2, v4, s[2:3] | s_barrier",
    ),
    (
        "LDS that a load fills behind the registers' back is read",
        "global_load_lds_dword v0, s[0:1] | ds_read_b32 v1, v2",
        "global_load_lds_dword v0, s[0:1] | s_waitcnt vmcnt(0) | ds_read_b32 v1, v2",
    ),
    (
        "no wait needed before the end of the program",
        "global_load_dword v0, v2, s[0:1]",
        "global_load_dword v0, v2, s[0:1]",
    ),
    (
        "an existing wait is respected",
        "global_load_dword v0, v2, s[0:1] | s_waitcnt vmcnt(0) | v_mov_b32_e32 v1, v0",
        "global_load_dword v0, v2, s[0:1] | s_waitcnt vmcnt(0) | v_mov_b32_e32 v1, v0",
    ),
    (
        "an existing wait that is too weak is tightened, its other counter kept",
        "global_load_dword v0, v2, s[0:1] | s_waitcnt vmcnt(1) lgkmcnt(3) | v_mov_b32_e32 v1, v0",
        "global_load_dword v0, v2, s[0:1] | s_waitcnt vmcnt(0) lgkmcnt(3) | v_mov_b32_e32 v1, v0",
    ),
    (
        "the second half loads into a register whose first half is under way: they land in order",
        "global_load_short_d16 v0, v2, s[0:1] | global_load_short_d16_hi v0, v2, s[0:1] | v_mov_b32_e32 v1, v0",
        "global_load_short_d16 v0, v2, s[0:1] | global_load_short_d16_hi v0, v2, s[0:1] | s_waitcnt vmcnt(0) | v_mov_b32_e32 v1, v0",
    ),
    (
        "a branch on VCC waits for it",
        "s_load_dwordx2 vcc, s[0:1], 0x0 | s_cbranch_vccz out | s_nop 0 | out:",
        "s_load_dwordx2 vcc, s[0:1], 0x0 | s_waitcnt lgkmcnt(0) | s_cbranch_vccz out | s_nop 0",
    ),
)

RDNA3 = "gfx1100"
RDNA4 = "gfx1201"
LOAD = "global_load_b32 v0, v2, s[0:1]"
OTHER_LOAD = "global_load_b32 v1, v2, s[0:1]"
# asked of LLVM: python -m tools.llvm_hazards gfx1100 si-insert-waitcnts < sequence
BY_TARGET: tuple[tuple[str, str, str], ...] = (
    ("loads land in order", RDNA3, f"{LOAD} | {OTHER_LOAD} | s_waitcnt vmcnt(1) | v_mov_b32_e32 v3, v0"),
    ("loads land in order", RDNA4, f"{LOAD} | {OTHER_LOAD} | s_wait_loadcnt 0x1 | v_mov_b32_e32 v3, v0"),
    ("stores count apart", RDNA3, f"{LOAD} | global_store_b32 v2, v4, s[0:1] | s_waitcnt vmcnt(0) | v_mov_b32_e32 v3, v0"),
    ("stores count apart", RDNA4, f"{LOAD} | global_store_b32 v2, v4, s[0:1] | s_wait_loadcnt 0x0 | v_mov_b32_e32 v3, v0"),
    ("a load overwrites in order", RDNA3, f"{LOAD} | {LOAD} | s_waitcnt vmcnt(0) | v_mov_b32_e32 v3, v0"),
    ("a load overwrites out of order", RDNA4, f"{LOAD} | s_wait_loadcnt 0x0 | {LOAD} | s_wait_loadcnt 0x0 | v_mov_b32_e32 v3, v0"),
    ("a second half is a load of its own", RDNA4, "global_load_d16_b16 v0, v2, s[0:1] | s_wait_loadcnt 0x0 | global_load_d16_hi_b16 v0, v2, s[0:1]"),
    (
        "a flat load keeps the order of both counters",
        RDNA3,
        f"flat_load_b32 v0, v[2:3] | ds_load_b32 v8, v9 | {OTHER_LOAD} | s_waitcnt vmcnt(1) lgkmcnt(1) | v_mov_b32_e32 v3, v0",
    ),
    (
        "a flat load keeps the order of both counters",
        RDNA4,
        f"flat_load_b32 v0, v[2:3] | ds_load_b32 v8, v9 | {OTHER_LOAD} | s_wait_loadcnt_dscnt 0x101 | v_mov_b32_e32 v3, v0",
    ),
    ("LDS beside a scalar load", RDNA3, "ds_load_b32 v0, v1 | s_load_b32 s5, s[0:1], 0x4 | s_waitcnt lgkmcnt(0) | v_mov_b32_e32 v3, v0"),
    ("scalar loads count apart", RDNA4, "ds_load_b32 v0, v1 | s_load_b32 s5, s[0:1], 0x4 | s_wait_dscnt 0x0 | v_mov_b32_e32 v3, v0"),
    ("two waits in one", RDNA4, f"{LOAD} | ds_load_b32 v1, v3 | s_wait_loadcnt_dscnt 0x0 | v_add_f32_e32 v4, v0, v1"),
    (
        "two waits that have no one instruction",
        RDNA4,
        f"{LOAD} | s_load_b32 s4, s[6:7], 0x0 | {OTHER_LOAD} | s_wait_loadcnt 0x1 | s_wait_kmcnt 0x0 | v_add_f32_e32 v3, s4, v0",
    ),
    ("a returning atomic is a load", RDNA3, "global_atomic_add_u32 v0, v2, v4, s[0:1] glc | s_waitcnt vmcnt(0) | v_mov_b32_e32 v3, v0"),
    ("an invalidation comes after the loads", RDNA3, f"{LOAD} | s_waitcnt vmcnt(0) | buffer_gl0_inv"),
    ("an invalidation counts as a load", RDNA4, f"{LOAD} | global_inv | s_wait_loadcnt 0x1 | v_mov_b32_e32 v3, v0"),
    ("LDS accesses are done before the signal", RDNA4, "ds_store_b32 v0, v1 | s_wait_dscnt 0x0 | s_barrier_signal -1 | s_barrier_wait -1"),
    ("and those behind it need not be at the wait", RDNA4, "s_barrier_signal -1 | ds_load_b32 v0, v1 | s_barrier_wait -1"),
    ("LDS accesses are done before the barrier", RDNA3, "ds_store_b32 v0, v1 | s_waitcnt lgkmcnt(0) | s_barrier"),
    ("whether it was the first comes with the answer", RDNA4, "s_barrier_signal_isfirst -1 | s_wait_kmcnt 0x0 | s_cselect_b32 s0, 1, s0"),
    ("a wait of RDNA3 for one counter counts", RDNA3, f"{LOAD} | s_waitcnt_vmcnt null, 0x0 | v_mov_b32_e32 v3, v0"),
    ("an exchange between lanes is no access of LDS", RDNA3, "ds_bpermute_b32 v0, v1, v2 | s_barrier"),
    ("gfx90a's invalidation comes after the loads", "gfx90a", "global_load_dword v0, v2, s[0:1] | s_waitcnt vmcnt(0) | buffer_wbinvl1"),
)  # fmt: skip


@pytest.mark.parametrize(("reason", "target", "wanted"), BY_TARGET, ids=[f"{case[1]}: {case[0]}" for case in BY_TARGET])
def test_by_target(reason: str, target: str, wanted: str) -> None:
    lines = wanted.split(" | ")
    is_given = "counts" in reason and "null" in wanted
    before = [line for line in lines if is_given or not line.startswith(("s_wait_", "s_waitcnt"))]
    assert code_of(insert_waits(kernel_of("\n".join(before), target))) == lines, reason


def test_existing_waits_are_tightened_together() -> None:
    """LLVM merges them too."""
    code = f"{LOAD}\nds_load_b32 v1, v3\ns_wait_storecnt 0x0\ns_wait_dscnt 0x0\nv_add_f32_e32 v4, v0, v1"
    assert code_of(insert_waits(kernel_of(code, RDNA4)))[2:4] == ["s_wait_loadcnt_dscnt 0x0", "s_wait_storecnt 0x0"]


def test_the_counter_of_gfx11_holds_63_lds_reads() -> None:
    reads = [f"ds_load_b32 v{number}, v100" for number in range(70)]
    assert code_of(insert_waits(kernel_of("\n".join([*reads, "v_mov_b32_e32 v101, v0"]), RDNA3)))[-2] == "s_waitcnt lgkmcnt(62)"


def test_comments_of_combined_waits() -> None:
    kernel = insert_waits(kernel_of(f"{LOAD}\nds_load_b32 v1, v3\nv_add_f32_e32 v4, v0, v1", RDNA4))
    assert sorted(kernel.blocks[0].instructions[2].comment.split("; ")) == ["dscnt: ds_load_b32", "loadcnt: global_load_b32"]


def instructions(text: str) -> str:
    return text.replace(" | ", "\n")


@pytest.mark.parametrize(("reason", "before", "after"), CASES, ids=[case[0] for case in CASES])
def test_exact(reason: str, before: str, after: str) -> None:
    assert code_of(insert_waits(kernel_of(instructions(before)))) == after.split(" | "), reason


def test_a_full_counter_tells_nothing() -> None:
    loads = [f"global_load_dword v{number}, v100, s[0:1]" for number in range(70)]
    code = code_of(insert_waits(kernel_of("\n".join([*loads, "v_mov_b32_e32 v101, v0"]))))
    # 69 are younger, but the counter stops at 63, and at 63 it is unknown how many came back
    assert code[-2] == "s_waitcnt vmcnt(62)"


def test_the_stronger_of_two_ways_decides() -> None:
    code = """
        global_load_dword v0, v2, s[0:1]
        s_cbranch_scc1 join
        global_load_dword v1, v2, s[2:3]
        join:
        v_mov_b32_e32 v3, v0
    """
    # over the taken branch nothing is younger than the load of v0
    assert code_of(insert_waits(kernel_of(code)))[-2:] == ["s_waitcnt vmcnt(0)", "v_mov_b32_e32 v3, v0"]


def test_a_load_at_the_end_of_a_loop_is_waited_for_at_its_top() -> None:
    code = """
        v_mov_b32_e32 v0, 0
        loop:
        v_add_f32_e32 v1, v1, v0
        global_load_dword v0, v2, s[0:1]
        s_cbranch_scc1 loop
    """
    assert lines_of(insert_waits(kernel_of(code)))[1:4] == ["loop:", "s_waitcnt vmcnt(0)", "v_add_f32_e32 v1, v1, v0"]


def test_each_wait_names_what_it_waits_for() -> None:
    kernel = insert_waits(kernel_of("global_load_dword v0, v2, s[0:1]\nds_read_b32 v1, v3\nv_add_f32_e32 v4, v0, v1"))
    assert kernel.blocks[0].instructions[2].comment == "vmcnt: global_load_dword; lgkmcnt: ds_read_b32"


def test_idempotent() -> None:
    for _, before, _ in CASES:
        once = insert_waits(kernel_of(instructions(before)))
        assert lines_of(insert_waits(once)) == lines_of(once)


IDLE: tuple[tuple[str, str, str, str], ...] = (
    ("nothing is under way", RDNA3, "s_waitcnt vmcnt(0) | s_waitcnt_vscnt null, 0x0 | s_barrier", "s_barrier"),
    (
        "a load is, no store", RDNA3, f"{LOAD} | s_waitcnt vmcnt(0) | s_waitcnt_vscnt null, 0x0 | s_barrier",
        f"{LOAD} | s_waitcnt vmcnt(0) | s_barrier",
    ),
    ("one of two", RDNA4, f"{LOAD} | s_wait_loadcnt_dscnt 0x0", f"{LOAD} | s_wait_loadcnt_dscnt 0x0"),
    ("once", RDNA4, f"{LOAD} | s_wait_loadcnt 0x0 | s_wait_loadcnt 0x0", f"{LOAD} | s_wait_loadcnt 0x0"),
    ("cache control", "gfx942", "buffer_wbl2 sc1 | s_waitcnt vmcnt(0)", "buffer_wbl2 sc1 | s_waitcnt vmcnt(0)"),
)  # fmt: skip


@pytest.mark.parametrize(("reason", "target", "before", "after"), IDLE, ids=[case[0] for case in IDLE])
def test_idle_waits_go(reason: str, target: str, before: str, after: str) -> None:
    assert code_of(drop_idle_waits(kernel_of(instructions(before), target))) == after.split(" | "), reason


def test_a_wait_that_one_path_needs_stays() -> None:
    code = f"s_cbranch_scc1 join\n{LOAD}\njoin:\ns_waitcnt vmcnt(0)\ns_barrier"
    assert code_of(drop_idle_waits(kernel_of(code, RDNA3)))[-2:] == ["s_waitcnt vmcnt(0)", "s_barrier"]
