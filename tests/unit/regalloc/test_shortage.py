"""RA001: the message when registers run out."""

from __future__ import annotations

import pytest

from isa.diagnostics import InputError
from regalloc import allocate, allocate_and_rewrite
from tests.unit.regalloc.programs import machine


def wide(count: int, extra: str = "") -> str:
    """`count` quadruples that live across a loop."""
    registers = "".join(f'register %acc{i} vgpr 4 align 2 at ["gemm.py", {18 + i}, 1]\n' for i in range(count))
    reads = "".join(f'  ds_read_b128 %acc{i}, v0 !origin ["load", "gemm.py", {18 + i}, 1]\n' for i in range(count))
    writes = "".join(f"  ds_write_b128 v0, %acc{i}\n" for i in range(count))
    return f"""
register %i sgpr
register %j sgpr
register %sum vgpr
register %next vgpr at ["gemm.py", 41, 1]
{registers}{extra}block entry
{reads}  linear head(0x0)
  logical head(0x0)
block head scalar(%i) vector(%sum)
  s_cmp_lt_u32 %i, 8
  terminator s_cbranch_scc0 exit
  linear exit, body
  logical exit, body
block body
  v_add_u32_e32 %next, v0, %sum !origin ["add", "gemm.py", 41, 7]
  s_add_u32 %j, %i, 1
  linear head(%j)
  logical head(%next)
block exit
{writes}  ds_write_b32 v0, %sum
  terminator s_endpgm
"""


def shortage(body: str, workgroup: int = 64, max_vgprs: int | None = None, reserved: frozenset[int] = frozenset()) -> InputError:
    with pytest.raises(InputError) as raised:
        allocate(machine(body, workgroup), reserved, max_vgprs)
    return raised.value


def test_the_whole_report() -> None:
    error = shortage(wide(4), max_vgprs=16)
    assert str(error).splitlines() == [
        "gemm.py:21:1: error[RA001]: 18 VGPRs are live, the budget is 16 (at the 1st s_cmp_lt_u32 of head)",
        "  note: the pool: v0-v15, 18 in use there, none free; --max-vgprs 16",
        "  note: live across the loop: %acc0 (4, line 18), %acc1 (4, line 19), %acc2 (4, line 20), %acc3 (4, line 21), v0",
        "  note: live there: %sum (1)",
        "  help: --max-vgprs 18 or more, at most 256 here; fewer elements per lane (a smaller vector width or tile) keeps fewer values live",
    ]
    assert error.code == "RA001"


def test_what_the_loop_only_carries_is_told_apart() -> None:
    body = wide(3, "register %x vgpr 4 align 2\n").replace(
        "  s_add_u32 %j, %i, 1\n", "  ds_read_b128 %x, v0\n  ds_write_b128 v0, %x\n  s_add_u32 %j, %i, 1\n"
    )
    error = shortage(body, max_vgprs=16)
    assert error.notes[1] == "live across the loop: %acc0 (4, line 18), %acc1 (4, line 19), %acc2 (4, line 20), v0"
    assert error.notes[2] == "live there: %next (1, line 41), %x (4)"


def test_the_place_is_that_of_the_instruction() -> None:
    error = shortage(wide(4).replace("  linear head(0x0)\n", "  s_nop 0\n  linear head(0x0)\n", 1), max_vgprs=8)
    assert str(error.place).startswith("gemm.py:")


def test_a_large_workgroup_leaves_less() -> None:
    allocate_and_rewrite(machine(wide(40), 512))
    error = shortage(wide(40), 1024)
    assert "the budget is 128" in error.message
    assert "a workgroup of 1024 leaves each lane 128 registers" in error.notes[0]
    assert error.help.startswith("a workgroup of 768 leaves 168; ")


def test_more_than_the_machine_has() -> None:
    error = shortage(wide(64))
    assert "258 VGPRs are live, the budget is 256" in error.message
    assert "gfx942 addresses 256" in error.notes[0]
    assert error.help.startswith("fewer elements per lane")


def test_gaps_are_told_from_a_shortage() -> None:
    """Every second register is free, and no two neighbours."""
    reserved = frozenset(range(257, 257 + 255, 2))
    body = "register %t vgpr 2 align 2\nblock entry\n  ds_read_b64 %t, v0\n  ds_write_b64 v0, %t\n  terminator s_endpgm\n"
    error = shortage(body, reserved=reserved)
    assert error.message == "no room for %t (2 VGPRs, aligned to 2), the budget is 128 (at the 1st ds_read_b64 of entry)"
    assert "v0, v2, v4" in error.notes[0]


def test_scalars_run_out_too() -> None:
    registers = "".join(f"register %s{i} sgpr\n" for i in range(110))
    sets = "".join(f"  s_add_u32 %s{i}, s2, {i % 60}\n" for i in range(110))
    uses = "".join(f"  v_add_u32_e32 %v{i}, %s{i}, v0\n" for i in range(110))
    vectors = "".join(f"register %v{i} vgpr\n" for i in range(110))
    error = shortage(f"{registers}{vectors}block entry\n{sets}{uses}  terminator s_endpgm\n")
    assert "SGPRs are live, the budget is 104" in error.message
    assert error.help.startswith("keep fewer uniform values at once")
