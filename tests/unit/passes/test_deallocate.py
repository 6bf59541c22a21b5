"""VGPRs given back before the end: when, and when not, as clang does it (its -S on kernels of these shapes, and LLVM's wait pass)."""

from __future__ import annotations

import pytest

from asmgen.passes.waits.deallocate import deallocate
from tests.unit.passes.assembly import code_of, kernel_of, lines_of

TOLD = ["s_nop 0", "s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)"]
MANY = "v_mov_b32_e32 v200, v0"  # so many VGPRs that fewer than 16 waves fit
STORE = "global_store_b32 v2, v0, s[0:1]"
TARGETS = ("gfx1100", "gfx1201")


def after(code: str, target: str) -> list[str]:
    return code_of(deallocate(kernel_of(code.replace(" | ", "\n"), target)))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("store", [STORE, "global_atomic_add_u32 v2, v0, s[0:1]", "buffer_store_b32 v0, off, s[0:3], null"])
def test_the_message_stands_between_the_last_store_and_the_end(target: str, store: str) -> None:
    assert after(f"{MANY} | {store}", target)[2:] == TOLD


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (MANY, "there is no store"),
        (f"{MANY} | ds_store_b32 v2, v0", "a store to LDS does not hold VGPRs for long"),
        (f"{MANY} | scratch_store_b32 off, v0, off", "the scratch it writes would go away"),
        (f"{MANY} | scratch_store_b32 off, v0, off | {STORE}", "the same"),
        (f"{MANY} | flat_store_b32 v[2:3], v0", "it may write scratch"),
        (STORE, "no more waves fit however few registers there are"),
        (f"v_mov_b32_e32 v95, v0 | {STORE}", "16 waves of 96 VGPRs fit"),
    ],
)  # fmt: skip
def test_no_message(target: str, code: str, reason: str) -> None:
    assert after(code, target) == code.split(" | "), reason


def test_one_vgpr_more_and_a_wave_does_not_fit() -> None:
    assert after(f"v_mov_b32_e32 v96, v0 | {STORE}", "gfx1100")[2:] == TOLD


def test_a_wave_of_64_takes_twice_the_room() -> None:
    assert after(f"v_mov_b32_e32 v47, v0 | {STORE}", "gfx1100:wave64")[2:] == []
    assert after(f"v_mov_b32_e32 v48, v0 | {STORE}", "gfx1100:wave64")[2:] == TOLD


@pytest.mark.parametrize(("target", "wait"), [("gfx1100", "s_waitcnt_vscnt null, 0x0"), ("gfx1201", "s_wait_storecnt 0x0")])
def test_a_wave_that_has_waited_for_its_stores_ends_at_once(target: str, wait: str) -> None:
    """LLVM sends the message even then; it gains nothing."""
    assert after(f"{MANY} | {STORE} | {wait}", target)[3:] == []
    assert after(f"{MANY} | scratch_store_b32 off, v0, off | {wait} | {STORE}", target)[4:] == TOLD


@pytest.mark.parametrize(("target", "wait"), [("gfx1100", "s_waitcnt_vscnt null, 0x1"), ("gfx1201", "s_wait_storecnt 0x1")])
def test_a_store_to_scratch_may_be_the_last_to_leave(target: str, wait: str) -> None:
    code = f"{MANY} | scratch_store_b32 off, v0, off | {STORE} | {wait}"
    assert after(code, target) == code.split(" | ")


def test_each_end_has_its_own_stores() -> None:
    code = f"{MANY} | s_cbranch_scc0 out | {STORE} | s_endpgm | out: | s_nop 1"
    assert after(code, "gfx1100") == [MANY, "s_cbranch_scc0 out", STORE, *TOLD, "s_nop 1"]


def test_a_store_on_one_of_two_paths_is_enough() -> None:
    code = f"{MANY} | s_cbranch_scc0 out | {STORE} | out: | s_nop 1"
    assert after(code, "gfx1201")[-2:] == TOLD


def test_idempotent() -> None:
    once = deallocate(kernel_of(f"{MANY}\n{STORE}", "gfx1100"))
    assert lines_of(deallocate(once)) == lines_of(once)


def test_cdna_has_no_such_message() -> None:
    code = "v_mov_b32_e32 v200, v0 | global_store_dword v2, v0, s[0:1]"
    assert after(code, "gfx942") == code.split(" | ")
