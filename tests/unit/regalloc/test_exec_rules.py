"""Decision 2: each case breaks if the rule is left out. Programs are run before and after allocation as
well."""

from __future__ import annotations

import importlib
from collections.abc import Callable

import numpy as np
import pytest

from isa.diagnostics import InternalError
from isa.emulator.runner import run_kernel
from isa.mir.parser import parse_kernel
from isa.program import Kernel
from regalloc import allocate, allocate_and_rewrite
from regalloc.verify import verify
from tests.unit.regalloc.programs import lines, machine

PROLOGUE = """register %out sgpr 2 align 2
register %address vgpr
"""
LOAD = """  s_load_dwordx2 %out, s[0:1], 0x0
  v_lshlrev_b32_e32 %address, 2, v0
"""
LANES = np.arange(64, dtype=np.uint32)


def run(kernel: Kernel) -> np.ndarray:
    return run_kernel(kernel, (1, 1, 1), [np.zeros(64, np.uint32)])[0]


def agrees(body: str, expected: np.ndarray) -> list[str]:
    """The program gives `expected` on virtual registers and after allocation; its text after allocation."""
    kernel = machine(body)
    verify(kernel)
    rewritten, _ = allocate_and_rewrite(kernel)
    assert run(kernel).tolist() == expected.tolist()
    assert run(rewritten).tolist() == expected.tolist()
    return lines(rewritten)


UNIFORM_ACROSS_ELSE = (
    PROLOGUE
    + """register %m sgpr 2 align 2
register %saved sgpr 2 align 2
register %u sgpr
register %s1 sgpr
register %t vgpr
register %e vgpr
register %r vgpr
block entry
"""
    + LOAD
    + """  s_add_u32 %u, s2, 100
  v_cmp_lt_u32_e64 %m, 7, v0
  s_and_saveexec_b64 %saved, %m
  terminator s_cbranch_execz flip
  linear flip, then
  logical then, else
block then
  s_add_u32 %s1, s2, 5
  v_add_u32_e32 %t, %s1, v0
  linear flip
  logical join(%t)
block flip
  s_andn2_b64 exec, %saved, exec
  linear else
block else
  v_add_u32_e32 %e, %u, v0
  linear join
  logical join(%e)
block join vector(%r)
  s_mov_b64 exec, %saved
  global_store_dword %address, %r, %out
  terminator s_endpgm
"""
)


def test_a_uniform_value_across_the_then_that_runs_before_its_else() -> None:
    """%u is read in `else` only; the wave runs `then` first, so %s1 must not take its register."""
    kernel = machine(UNIFORM_ACROSS_ELSE)
    agrees(UNIFORM_ACROSS_ELSE, np.where(LANES > 7, LANES + 5, LANES + 100).astype(np.uint32))
    allocation = allocate(kernel)
    by_name = {owner.name: owner for owner in kernel.owners}
    assert allocation.units[by_name["u"].first] != allocation.units[by_name["s1"].first]


def test_lane_values_of_then_and_else_may_share_a_register() -> None:
    """Lanes of `then` keep %t while `else` runs under the other half of EXEC: one register serves both, without a copy."""
    text = agrees(UNIFORM_ACROSS_ELSE, np.where(LANES > 7, LANES + 5, LANES + 100).astype(np.uint32))
    assert not [line for line in text if "# copy" in line]


LANE_VALUE = (
    PROLOGUE
    + """register %m sgpr 2 align 2
register %saved sgpr 2 align 2
register %t vgpr
register %e vgpr
register %r vgpr
register %z vgpr
register %w vgpr
register %q vgpr
register %k sgpr
block entry
"""
    + LOAD
    + """  v_cmp_lt_u32_e64 %m, 7, v0
  s_and_saveexec_b64 %saved, %m
  terminator s_cbranch_execz flip
  linear flip, then
  logical then, else
block then
  v_add_u32_e32 %t, 1, v0
  linear flip
  logical join(%t)
block flip
  s_andn2_b64 exec, %saved, exec
  linear else
block else
  v_mov_b32_e32 %z, 0
  v_writelane_b32 %w, 55, 40 !tied(%z)
  v_readlane_b32 %k, %w, 40
  v_add_u32_e32 %e, %k, v0
  linear join
  logical join(%e)
block join vector(%r)
  s_mov_b64 exec, %saved
  v_add_u32_e32 %q, %r, v0
  global_store_dword %address, %q, %out
  terminator s_endpgm
"""
)


def test_a_lane_value_across_v_writelane() -> None:
    """Lane 40 waits with its %r, a copy of %t, while `else` writes lane 40 of %w, whatever EXEC says."""
    agrees(LANE_VALUE, np.where(LANES > 7, 2 * LANES + 1, 2 * LANES + 55).astype(np.uint32))
    kernel = machine(LANE_VALUE)
    allocation = allocate(kernel)
    by_name = {owner.name: owner.first for owner in kernel.owners}
    assert allocation.units[by_name["w"]] != allocation.units[by_name["r"]]


MASK_AT_JOIN = (
    PROLOGUE
    + """register %m sgpr 2 align 2
register %saved sgpr 2 align 2
register %mt sgpr 2 align 2
register %me sgpr 2 align 2
register %carried sgpr 2 align 2
register %merged sgpr 2 align 2
register %a sgpr 2 align 2
register %b sgpr 2 align 2
register %r vgpr
block entry
"""
    + LOAD
    + """  v_cmp_lt_u32_e64 %m, 7, v0
  s_and_saveexec_b64 %saved, %m
  terminator s_cbranch_execz skip
  linear skip, then
  logical then, else
block then
  v_cmp_lt_u32_e64 %mt, 40, v0
  linear flip(%mt)
  logical join
block skip
  linear flip(0x0)
block flip scalar(%carried)
  s_andn2_b64 exec, %saved, exec
  linear else
block else
  v_cmp_gt_u32_e64 %me, 3, v0
  s_andn2_b64 %a, %carried, exec
  s_and_b64 %b, %me, exec
  s_or_b64 %merged, %a, %b
  linear join
  logical join
block join
  s_mov_b64 exec, %saved
  v_cndmask_b32_e64 %r, 0, 1, %merged
  global_store_dword %address, %r, %out
  terminator s_endpgm
"""
)


def test_a_mask_merged_at_a_join() -> None:
    """(a & ~exec) | (b & exec): the mask of `then` lives along linear edges through the `else` that its lanes skip."""
    agrees(MASK_AT_JOIN, ((LANES > 40) | (LANES < 3)).astype(np.uint32))


UNIFORM_OUT_OF_LOOP = (
    PROLOGUE
    + """register %saved sgpr 2 align 2
register %c sgpr 2 align 2
register %u sgpr
register %v sgpr
register %i vgpr
register %turn vgpr
register %j vgpr
register %limit vgpr
block entry
"""
    + LOAD
    + """  v_and_b32_e32 %limit, 3, v0
  s_mov_b64 %saved, exec
  linear head(0xa)
  logical head(0x0, 0xa)
block head scalar(%u) vector(%i, %turn)
  v_cmp_lt_u32_e64 %c, %i, %limit
  s_and_b64 exec, exec, %c
  terminator s_cbranch_execz exit
  linear exit, body
  logical exit, body
block body
  v_add_u32_e32 %j, 1, %i
  s_add_u32 %v, %u, 10
  linear head(%v)
  logical head(%j, %v)
block exit
  s_mov_b64 exec, %saved
  global_store_dword %address, %turn, %out
  terminator s_endpgm
"""
)


def test_a_uniform_value_out_of_a_divergent_loop() -> None:
    """Each lane keeps the value of its own last turn: the copy at the end of the body runs under EXEC of the lanes that go on."""
    text = agrees(UNIFORM_OUT_OF_LOOP, (10 * (LANES & 3) + 10).astype(np.uint32))
    body = text[text.index("block body") :]
    assert any(line.startswith("v_mov_b32_e32") and ", s" in line for line in body)


LANE_VALUES_EXCHANGED = (
    PROLOGUE
    + """register %m sgpr 2 align 2
register %saved sgpr 2 align 2
register %t vgpr
register %e vgpr
register %r vgpr
register %q vgpr
register %zx vgpr
register %zy vgpr
register %x0 vgpr
register %y0 vgpr
register %x vgpr
register %y vgpr
register %i sgpr
register %j sgpr
register %k sgpr
block entry
"""
    + LOAD
    + """  v_cmp_lt_u32_e64 %m, 7, v0
  s_and_saveexec_b64 %saved, %m
  terminator s_cbranch_execz flip
  linear flip, then
  logical then, else
block then
  v_add_u32_e32 %t, 1, v0
  linear flip
  logical join(%t)
block flip
  s_andn2_b64 exec, %saved, exec
  linear else
block else
  v_mov_b32_e32 %zx, 0
  v_mov_b32_e32 %zy, 0
  v_writelane_b32 %x0, 55, 40 !tied(%zx)
  v_writelane_b32 %y0, 33, 40 !tied(%zy)
  linear head(0x0)
  logical head(%x0, %y0)
block head scalar(%i) vector(%x, %y)
  s_cmp_lt_u32 %i, 3
  terminator s_cbranch_scc0 after
  linear after, body
  logical after, body
block body
  s_add_u32 %j, %i, 1
  linear head(%j)
  logical head(%y, %x)
block after
  v_readlane_b32 %k, %x, 40
  v_add_u32_e32 %e, %k, v0
  linear join
  logical join(%e)
block join vector(%r)
  s_mov_b64 exec, %saved
  v_add_u32_e32 %q, %r, v0
  global_store_dword %address, %q, %out
  terminator s_endpgm
"""
)


def test_a_cycle_of_copies_in_all_lanes_spares_what_a_waiting_lane_reads() -> None:
    """Lanes wait with %r while `body` exchanges %x and %y in all lanes. The copy's register is another."""
    rewritten, _ = allocate_and_rewrite(machine(LANE_VALUES_EXCHANGED))
    assert run(rewritten).tolist() == np.where(LANES > 7, 2 * LANES + 1, 2 * LANES + 33).tolist()


LANE_VALUE_KEPT = (
    PROLOGUE
    + """register %m sgpr 2 align 2
register %z vgpr
register %w vgpr
register %w2 vgpr
register %k sgpr
register %l sgpr
register %n sgpr
register %r vgpr
block entry
"""
    + LOAD
    + """  v_mov_b32_e32 %z, 0
  v_cmp_gt_u32_e64 %m, 8, v0
  s_mov_b64 exec, %m
  v_writelane_b32 %w, 11, 40 !tied(%z)
  v_writelane_b32 %w2, 22, 41 !tied(%w)
  v_readlane_b32 %k, %w, 40
  v_readlane_b32 %l, %w2, 40
  s_add_u32 %n, %k, %l
  v_add_u32_e32 %r, %n, v0
  global_store_dword %address, %r, %out
  terminator s_endpgm
"""
)


def test_a_lane_value_is_copied_in_all_lanes() -> None:
    """%w is read after %w2 takes it over: the copy between them runs under a full EXEC, which is restored, and SCC is left alone."""
    text = agrees(LANE_VALUE_KEPT, np.where(LANES < 8, LANES + 22, 0).astype(np.uint32))
    copies = [line for line in text if "# copy" in line]
    assert [line.split()[0] for line in copies] == ["s_mov_b64", "s_mov_b64", "v_mov_b32_e32", "s_mov_b64"]
    assert copies[1] == "s_mov_b64 exec, -1  # copy"


LANE_VALUE_KEPT_BY_32_LANES = """stage machine gfx1100
kernel test
workgroup 32 1 1
argument out offset=0 size=8 kind=global_buffer space=global access=write_only type=u32
entry kernarg_segment_ptr s[0:1]
entry workitem_id v0
register %out sgpr 2 align 2
register %address vgpr
register %m sgpr
register %z vgpr
register %w vgpr
register %w2 vgpr
register %k sgpr
register %l sgpr
register %n sgpr
register %r vgpr
block entry
  s_load_b64 %out, s[0:1], 0x0
  v_lshlrev_b32_e32 %address, 2, v0
  v_mov_b32_e32 %z, 0
  v_cmp_gt_u32_e64 %m, 8, v0
  s_mov_b32 exec_lo, %m
  v_writelane_b32 %w, 11, 20 !tied(%z)
  v_writelane_b32 %w2, 22, 21 !tied(%w)
  v_readlane_b32 %k, %w, 20
  v_readlane_b32 %l, %w2, 20
  s_add_u32 %n, %k, %l
  v_add_nc_u32_e32 %r, %n, v0
  global_store_b32 %address, %r, %out
  terminator s_endpgm
"""


def test_a_lane_value_is_copied_in_all_32_lanes() -> None:
    """A wave of 32 lanes has a full EXEC if its lower half is full."""
    rewritten, _ = allocate_and_rewrite(parse_kernel(LANE_VALUE_KEPT_BY_32_LANES, "test.mir"))
    assert "s_mov_b32 exec_lo, -1  # copy" in lines(rewritten)
    stored = run_kernel(rewritten, (1, 1, 1), [np.zeros(32, np.uint32)])[0]
    assert stored.tolist() == np.where(LANES[:32] < 8, LANES[:32] + 22, 0).tolist()


LANE_VALUE_AT_A_JOIN = (
    PROLOGUE
    + """register %m sgpr 2 align 2
register %saved sgpr 2 align 2
register %z vgpr
register %w vgpr
register %t vgpr
register %r vgpr
register %k sgpr
register %sum vgpr
block entry
"""
    + LOAD
    + """  v_mov_b32_e32 %z, 0
  v_writelane_b32 %w, 55, 40 !tied(%z)
  v_cmp_lt_u32_e64 %m, 7, v0
  s_and_saveexec_b64 %saved, %m
  terminator s_cbranch_execz flip
  linear flip, then
  logical then, else
block then
  v_add_u32_e32 %t, 5, v0
  linear flip
  logical join(%t)
block flip
  s_andn2_b64 exec, %saved, exec
  linear else
block else
  linear join
  logical join(%w)
block join vector(%r)
  s_mov_b64 exec, %saved
  v_readlane_b32 %k, %w, 40
  v_add_u32_e32 %sum, %k, %r
  global_store_dword %address, %sum, %out
  terminator s_endpgm
"""
)


def test_a_lane_value_is_passed_to_a_join_under_exec() -> None:
    """The lanes of `then` wait with %r when `else` gives its lanes %w: a copy in every lane would destroy theirs."""
    text = agrees(LANE_VALUE_AT_A_JOIN, np.where(LANES > 7, LANES + 60, 55).astype(np.uint32))
    assert not [line for line in text if line.startswith("s_mov_b64 exec, -1")]


IN_A_COMMON_LOOP = (
    PROLOGUE
    + """register %zero vgpr
register %i sgpr
register %j sgpr
register %acc vgpr
register %next vgpr
register %m sgpr 2 align 2
register %saved sgpr 2 align 2
register %last sgpr 2 align 2
register %seven vgpr
block entry
"""
    + LOAD
    + """  v_mov_b32_e32 %zero, 0
  linear head(0x0)
  logical head(%zero)
block head scalar(%i) vector(%acc)
  v_cmp_gt_u32_e64 %m, 2, v0
  s_and_saveexec_b64 %saved, %m
  terminator s_cbranch_execz join
  linear join, then
  logical then, join
block then
  v_mov_b32_e32 %seven, 7
  global_store_dword %address, %seven, %out
  linear join
  logical join
block join
  s_mov_b64 exec, %saved
  v_writelane_b32 %next, 7, %i !tied(%acc)
  s_add_u32 %j, %i, 1
  s_cmp_lt_u32 %j, 5
  terminator s_cbranch_scc0 done
  linear done, again
  logical done, again
block again
  linear head(%j)
  logical head(%next)
block done
  v_cmp_gt_u32_e64 %last, 8, v0
  s_and_b64 exec, exec, %last
  global_store_dword %address, %next, %out
  terminator s_endpgm
"""
)


def test_what_every_lane_makes_alike_is_not_kept_apart() -> None:
    """No lane waits at the write of %next, though EXEC changes in the loop and after it: %acc is its
    register."""
    text = agrees(IN_A_COMMON_LOOP, np.where(LANES < 5, 7, 0).astype(np.uint32))
    assert not [line for line in text[text.index("block join") :] if "v_mov" in line]


def test_scalar_instructions_may_come_before_all_lanes_are_on_again() -> None:
    """No lane waits at the write of %next, though an addition comes before the move to EXEC."""
    move, addition = "  s_mov_b64 exec, %saved\n", "  s_add_u32 %j, %i, 1\n"
    text = IN_A_COMMON_LOOP.replace(addition, "").replace(move, addition + move)
    assert [line for line in agrees(text, np.where(LANES < 5, 7, 0).astype(np.uint32)) if line.startswith("v_writelane_b32")]


def no_parked_values(kernel: object, liveness: object, lanes: object) -> dict[int, set[int]]:
    del kernel, liveness, lanes
    return {}


def no_lane_values(kernel: object, liveness: object) -> set[int]:
    del kernel, liveness
    return set()


@pytest.mark.parametrize(
    ("body", "rule", "without"), [(LANE_VALUE, "parked_values", no_parked_values), (LANE_VALUE_KEPT, "lane_values", no_lane_values)]
)
def test_the_checker_finds_the_allocation_without_the_rule(
    body: str, rule: str, without: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.import_module("regalloc.allocate"), rule, without)
    with pytest.raises(InternalError, match="register allocation check"):
        allocate_and_rewrite(machine(body))


def test_scc_lives_across_an_edge_copy() -> None:
    """The swap at the end of `body` comes between s_cmp and the branch that reads SCC: moves only, through a third register."""
    kernel = machine(
        """register %a sgpr
register %b sgpr
register %c sgpr
register %d sgpr
block entry
  s_add_u32 %c, s2, 1
  s_add_u32 %d, s2, 2
  linear head(%c, %d)
  logical head
block head scalar(%a, %b)
  s_cmp_lt_u32 %a, %b
  linear tail(%b, %a)
  logical tail
block tail scalar(%e, %f)
  s_cselect_b32 %r, %e, %f
  s_mov_b32 s9, %r
  s_nop 0
  s_mov_b32 s10, s9
  terminator s_endpgm
""".replace("register %d sgpr\n", "register %d sgpr\nregister %e sgpr\nregister %f sgpr\nregister %r sgpr\n")
    )
    verify(kernel)
    rewritten, _ = allocate_and_rewrite(kernel)
    verify(rewritten)
    text = lines(rewritten)
    between = text[text.index("block head") + 2 : text.index("block tail")]
    assert all(line.startswith(("s_mov_b32", "linear", "logical")) for line in between)
