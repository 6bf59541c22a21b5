"""The dependence graph: each case states the code, and which instruction comes after which, with the reason above."""

from __future__ import annotations

import pytest

from asmgen.passes.dependence import Dependence, Dependences, Graph
from isa.mir import parse_kernel
from tests.unit.passes.assembly import kernel_of

TRUE, OUTPUT, ANTI, MEMORY, FENCE = Dependence

# (reason, code on physical registers, wanted: (later, earlier) -> why)
CASES: tuple[tuple[str, str, dict[tuple[int, int], Dependence]], ...] = (
    ("what is read", "v_mov_b32_e32 v0, 0 | v_mov_b32_e32 v1, v0", {(1, 0): TRUE}),
    ("nothing in common", "v_mov_b32_e32 v0, 0 | v_mov_b32_e32 v1, 0", {}),
    ("overwritten after it was read", "v_mov_b32_e32 v1, v0 | v_mov_b32_e32 v0, 0", {(1, 0): ANTI}),
    ("overwritten twice", "v_mov_b32_e32 v0, 0 | v_mov_b32_e32 v0, 1", {(1, 0): OUTPUT}),
    (
        "a part of a tuple",
        "s_mov_b32 s1, 0 | s_mov_b32 s3, 0 | s_mov_b64 s[4:5], s[0:1]",
        {(2, 0): TRUE},
    ),
    (
        "EXEC masks a vector instruction, and not a scalar one",
        "v_mov_b32_e32 v0, 0 | s_mov_b64 exec, s[0:1] | v_mov_b32_e32 v1, 0 | s_mov_b32 s4, 0",
        {(1, 0): ANTI, (2, 1): TRUE},
    ),
    (
        "lanes that are off have their values only under this EXEC",
        "v_readlane_b32 s4, v0, 3 | s_mov_b64 exec, s[0:1] | v_mov_b32_dpp v1, v0 row_shr:1 row_mask:0xf bank_mask:0xf",
        {(1, 0): ANTI, (2, 1): TRUE},
    ),
    (
        "SCC that nobody reads keeps nobody in order",
        "s_add_u32 s0, s1, s2 | s_and_b32 s3, s4, s5 | s_or_b32 s6, s7, s8",
        {},
    ),
    (
        "SCC between its writer and its reader",
        "s_and_b32 s3, s4, s5 | s_add_u32 s0, s1, s2 | s_addc_u32 s9, s10, s11 | s_or_b32 s6, s7, s8",
        {(1, 0): OUTPUT, (2, 1): TRUE, (3, 1): OUTPUT, (3, 2): ANTI},
    ),
    (
        "what shows whether VCC is 0 is read from VCC",
        "s_mov_b64 vcc, s[0:1] | s_mov_b32 s2, src_vccz",
        {(1, 0): TRUE},
    ),
    (
        "an SCC that is spelt out",
        "s_cmp_eq_u32 s0, s1 | s_mov_b32 s2, src_scc | s_and_b32 s3, s4, s5",
        {(1, 0): TRUE, (2, 0): OUTPUT, (2, 1): ANTI},
    ),
    (
        "M0 is read by what fills LDS",
        "s_mov_b32 m0, s0 | global_load_lds_dword v0, s[2:3]",
        {(1, 0): TRUE},
    ),
    ("loads commute", "global_load_dword v1, v0, s[2:3] | global_load_dword v2, v0, s[2:3]", {}),
    (
        "loads and stores do not, wherever they may go",
        "global_load_dword v1, v0, s[2:3] | global_store_dword v0, v3, s[4:5] | global_load_dword v2, v0, s[2:3]",
        {(1, 0): MEMORY, (2, 1): MEMORY},
    ),
    (
        "memory and LDS are apart, but not for a flat access",
        "ds_write_b32 v0, v1 | global_load_dword v2, v0, s[2:3] | ds_read_b32 v3, v0 | flat_load_dword v4, v[6:7]",
        {(2, 0): MEMORY, (3, 0): MEMORY},
    ),
    ("lanes exchanged through LDS touch none of it", "ds_write_b32 v0, v1 | ds_bpermute_b32 v2, v3, v4", {}),
    (
        "LDS accesses stay on their side of a barrier, arithmetic need not",
        "ds_write_b32 v0, v1 | v_mov_b32_e32 v5, 0 | s_barrier | ds_read_b32 v2, v3 | v_mov_b32_e32 v6, 0",
        {(2, 0): MEMORY, (3, 2): MEMORY},
    ),
    (
        "nothing passes a priority",
        "v_mov_b32_e32 v0, 0 | s_setprio 1 | v_mov_b32_e32 v1, 0",
        {(1, 0): FENCE, (2, 1): FENCE},
    ),
    (
        "nothing passes a wait",
        "global_load_dword v1, v0, s[2:3] | s_waitcnt vmcnt(0) | v_mov_b32_e32 v2, 0",
        {(1, 0): FENCE, (2, 1): FENCE},
    ),
    (
        "nothing passes a change of the mode",
        "v_add_f32_e32 v0, v1, v2 | s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 5 | v_add_f32_e32 v3, v1, v2",
        {(1, 0): FENCE, (2, 1): FENCE},
    ),
    (
        "a half is written into what the other half keeps",
        "v_mov_b32_e32 v1, 0 | global_load_short_d16_hi v1, v0, s[2:3] | v_mov_b32_e32 v2, v1",
        {(1, 0): TRUE, (2, 1): TRUE},
    ),
    (
        "a store may not pass an atomic operation",
        "global_atomic_add v0, v1, s[2:3] | global_store_dword v0, v3, s[4:5]",
        {(1, 0): MEMORY},
    ),
)


def edges(graph: Graph) -> dict[tuple[int, int], Dependence]:
    return {(later, earlier): why for later, before in enumerate(graph.before) for earlier, why in before.items()}


@pytest.mark.parametrize(("reason", "code", "wanted"), CASES, ids=[case[0] for case in CASES])
def test_what_comes_after_what(reason: str, code: str, wanted: dict[tuple[int, int], Dependence]) -> None:
    kernel = kernel_of(code.replace(" | ", "\n"))
    assert edges(Dependences(kernel).of_block(0)) == wanted, reason


def test_an_scc_that_the_terminator_reads_is_written_last() -> None:
    kernel = kernel_of("s_cmp_eq_u32 s0, s1\ns_cbranch_scc1 entry")
    kernel.blocks[0].instructions.insert(0, kernel_of("s_and_b32 s2, s3, s4").blocks[0].instructions[0])
    assert edges(Dependences(kernel).of_block(0)) == {(1, 0): OUTPUT}


def test_orders_are_judged() -> None:
    graph = Dependences(kernel_of("v_mov_b32_e32 v0, 0\nv_mov_b32_e32 v1, v0\nv_mov_b32_e32 v2, 0")).of_block(0)
    assert graph.allows([0, 2, 1])
    assert graph.allows([2, 0, 1])
    assert not graph.allows([1, 0, 2])
    assert not graph.allows([0, 1])


# ---- buffers, on virtual registers

HEADER = """stage machine gfx942
kernel test
workgroup 64 1 1
argument a offset=0 size=8 kind=global_buffer space=global access=read_write type=f32
argument b offset=8 size=8 kind=global_buffer space=global access=write_only type=f32
argument c offset=16 size=8 kind=global_buffer space=global access=read_only type=f32
argument n offset=24 size=8 kind=by_value type=u64
entry kernarg_segment_ptr s[0:1]
entry workitem_id v0
register %p sgpr 8 align 4
register %ahead sgpr 2 align 2
register %step sgpr
register %x vgpr
register %y vgpr
block entry
  s_load_dwordx8 %p, s[0:1], 0
"""
STORE_TO_A = "global_store_dword v0, v0, %p[0:1]"
# (reason, code after the load of the pointers, whether the last instruction comes after the one before it)
BUFFERS = (
    ("the buffer that was stored to", f"{STORE_TO_A} | global_load_dword %x, v0, %p[0:1]", True),
    ("another buffer", f"{STORE_TO_A} | global_load_dword %x, v0, %p[2:3]", False),
    ("a buffer that nobody writes", f"{STORE_TO_A} | global_load_dword %x, v0, %p[4:5]", False),
    ("an address that was passed as a number", f"{STORE_TO_A} | global_load_dword %x, v0, %p[6:7]", True),
    (
        "an address that is computed from the pointer",
        f"s_add_u32 %ahead[0], %p[0], 64 | s_addc_u32 %ahead[1], %p[1], 0 | {STORE_TO_A} | global_load_dword %x, v0, %ahead",
        True,
    ),
    (
        "one that is computed from another pointer",
        f"s_add_u32 %ahead[0], %p[2], 64 | s_addc_u32 %ahead[1], %p[3], 0 | {STORE_TO_A} | global_load_dword %x, v0, %ahead",
        False,
    ),
    (
        "an address that was loaded from a buffer",
        "s_load_dwordx2 %ahead, %p[4:5], 0 | global_store_dword v0, v0, %p[0:1] | global_load_dword %x, v0, %ahead",
        True,
    ),
    ("a vector address, of which nothing is known", f"{STORE_TO_A} | global_load_dword %x, v[2:3], off", True),
    ("what the wave loaded before a barrier", "global_load_dword %x, v0, %p[0:1] | global_load_dword %y, v0, %p[0:1] | s_barrier", True),
    ("a buffer that nobody writes, after a barrier", "s_barrier | global_load_dword %x, v0, %p[4:5]", False),
    ("a buffer of the kernel, after a barrier", "s_barrier | global_load_dword %x, v0, %p[0:1]", True),
)


@pytest.mark.parametrize(("reason", "code", "wanted"), BUFFERS, ids=[case[0] for case in BUFFERS])
def test_buffers_are_told_apart_by_their_pointers(reason: str, code: str, wanted: bool) -> None:
    lines = "".join(f"  {line}\n" for line in code.split(" | "))
    graph = Dependences(parse_kernel(f"{HEADER}{lines}  terminator s_endpgm\n", "test.mir")).of_block(0)
    last = len(graph.instructions) - 1
    assert (last - 1 in graph.before[last]) is wanted, reason
