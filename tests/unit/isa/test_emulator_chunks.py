"""Workgroups that wait for later workgroups: those start, as far as the machine runs them all at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from isa.diagnostics import InputError
from isa.emulator.launching.launch import Settings
from isa.emulator.sanitizer.faults import SanitizerError
from isa.targets import TARGETS
from tests.unit.isa.programs import launch

pytestmark = pytest.mark.broad

ALL_LDS = 65536  # of which a workgroup processor runs two
RESIDENT = 2 * TARGETS["gfx1201"].units
WAIT_FOR_LAST = """
s_load_b128 s[4:7], s[0:1], 0x0
v_mov_b32_e32 v3, 0
v_mov_b32_e32 v4, 7
s_wait_kmcnt 0x0
s_cmp_eq_u32 ttmp9, {last}
s_cbranch_scc1 other
{waits}
loop:
{counts}
global_load_b32 v5, v3, s[6:7] scope:SCOPE_DEV
s_wait_loadcnt 0x0
v_cmp_eq_u32_e32 vcc_lo, v5, v4
s_cbranch_vccz loop
global_inv scope:SCOPE_DEV
s_wait_loadcnt 0x0
global_load_b32 v6, v3, s[4:5]
s_cmp_lg_u32 ttmp9, 0
s_cbranch_scc1 out
s_wait_loadcnt 0x0
global_store_b32 v3, v6, s[6:7] offset:4
s_endpgm
other:
global_store_b32 v3, v4, s[4:5]
s_wait_storecnt 0x0
global_store_b32 v3, v4, s[6:7] scope:SCOPE_DEV
out:
s_endpgm
"""
ONLY_THE_FIRST = "s_cmp_lg_u32 ttmp9, 0\ns_cbranch_scc1 out"


def wait_for_last(groups: int, waits: str = "", counts: str = "", lacks: str = "none", **options: Any) -> Any:
    """The first workgroup stores, after its wait, the last workgroup's value from the other buffer, a 7."""
    text = WAIT_FOR_LAST.format(last=groups - 1, waits=waits, counts=counts).replace(lacks, "s_nop 0")
    words = [np.zeros(32, np.uint32), np.zeros(32, np.uint32)]
    return launch(text, words, grid=groups, block=32, machine="gfx1201", undefined=(), **options)[1][1]


@pytest.mark.parametrize("sanitize", [False, True])
def test_later_workgroups_start_while_a_chunk_waits_for_them(sanitize: bool) -> None:
    """Thirteen workgroups, of which two are a chunk; all but the last wait for it."""
    assert wait_for_last(13, sanitize=sanitize, settings=Settings(chunk_waves=2)) == 7


def test_the_sanitizer_knows_what_chunks_hand_on_that_take_turns() -> None:
    with pytest.raises(SanitizerError, match="not invalidated after the acquire"):
        wait_for_last(5, lacks="global_inv scope:SCOPE_DEV", sanitize=True, settings=Settings(chunk_waves=2))


def test_workgroups_beyond_what_the_machine_holds_do_not_start_and_that_is_told() -> None:
    told = f"6 workgroups start only when others end: gfx1201 runs {RESIDENT}"
    with pytest.raises(InputError, match=told) as caught:
        wait_for_last(RESIDENT + 6, lds_bytes=ALL_LDS)
    assert caught.value.code == "EMU021"


def test_workgroups_that_end_make_room_for_the_last() -> None:
    assert wait_for_last(2 * RESIDENT + 6, ONLY_THE_FIRST, lds_bytes=ALL_LDS) == 7


def test_loops_that_count_their_rounds_give_way_too() -> None:
    """Every round changes a register, so that the waves never stand still."""
    assert wait_for_last(5, counts="s_add_co_u32 s9, s9, 1", settings=Settings(chunk_waves=2)) == 7
