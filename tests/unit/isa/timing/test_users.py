"""How many units of a die use the same lines: a grid of 16 by 16 workgroups that load rows and columns."""

from __future__ import annotations

import numpy as np
import pytest

from isa.emulator.launching.arguments import KernelCall
from isa.emulator.recording.record import record_start
from isa.targets import TARGETS
from isa.timing.caches import CACHES
from isa.timing.chip import Taken, residence
from isa.timing.users import die_users, groups_of_die
from tests.unit.isa.programs import image_of

# workgroup (x, y) loads row y of a and column x of b, and stores to a place of its own
PRODUCT = """
s_load_dwordx4 s[4:7], s[0:1], 0x0
v_lshlrev_b32_e32 v10, 2, v0
s_and_b32 s8, s2, 15
s_lshl_b32 s8, s8, 8
s_lshr_b32 s9, s2, 4
s_lshl_b32 s9, s9, 8
s_lshl_b32 s2, s2, 8
v_add_u32_e32 v11, s8, v10
v_add_u32_e32 v12, s9, v10
v_add_u32_e32 v13, s2, v10
s_mov_b32 s10, 0
s_waitcnt lgkmcnt(0)
again:
global_load_dword v1, v12, s[4:5]
global_load_dword v2, v11, s[6:7]
s_waitcnt vmcnt(0)
s_add_u32 s10, s10, 1
s_cmp_lt_u32 s10, 1000
s_cbranch_scc1 again
global_store_dword v13, v1, s[4:5]
s_endpgm
"""
ROW, COLUMN = 12, 13
# all workgroups load the row of b; every second of a die by another instruction, which loads 4 lines of it,
# and 4 lines of a that no other workgroup loads
JOINED = """
s_load_dwordx4 s[4:7], s[0:1], 0x0
v_lshlrev_b32_e32 v10, 2, v0
s_lshl_b32 s8, s2, 8
v_add_u32_e32 v11, s8, v10
s_bitcmp1_b32 s2, 3
s_waitcnt lgkmcnt(0)
s_cbranch_scc1 other
global_load_dword v1, v10, s[6:7]
s_branch done
other:
global_load_dword v1, v10, s[6:7]
global_load_dword v2, v11, s[4:5]
done:
s_endpgm
"""
ONE, OTHER, OWN = 7, 9, 10
# both waves of a workgroup load the same row
TWICE = """
s_load_dwordx4 s[4:7], s[0:1], 0x0
v_and_b32_e32 v10, 63, v0
v_lshlrev_b32_e32 v10, 2, v10
s_waitcnt lgkmcnt(0)
global_load_dword v1, v10, s[6:7]
s_endpgm
"""
# the first lanes load the first 128 bytes, the others 128 bytes of their workgroup
HALVES = """
s_load_dwordx4 s[4:7], s[0:1], 0x0
v_lshlrev_b32_e32 v10, 2, v0
v_lshrrev_b32_e32 v9, 5, v0
s_lshl_b32 s8, s2, 8
v_mul_lo_u32 v9, v9, s8
v_add_u32_e32 v10, v9, v10
s_waitcnt lgkmcnt(0)
global_load_dword v1, v10, s[6:7]
s_endpgm
"""
TARGET = TARGETS["gfx942"]
UNITS = TARGET.units


def test_workgroups_of_a_die_share_rows_and_columns() -> None:
    """Every eighth workgroup is on the first die: two columns of 16 rows."""
    a, b = np.zeros(1 << 16, np.uint32), np.zeros(1 << 12, np.uint32)
    image = image_of(PRODUCT)
    where = residence(TARGET, Taken(64, 16, 16, 0, spreads=True), 256)
    groups = groups_of_die(where, CACHES["gfx942"], 0)
    assert groups == range(0, 256, 8)
    starts = record_start(image, KernelCall((256, 1, 1), (64, 1, 1), (a, b)), groups, len(image.code.operations))
    assert len(starts.waves) == 32
    assert all(len(wave.steps) < 100 for wave in starts.waves), "a wave runs through the code once"
    assert die_users(starts, UNITS, 1) == {ROW: 2.0, COLUMN: 16.0}


def test_workgroups_share_a_line_that_they_load_by_different_instructions() -> None:
    a, b = np.zeros(1 << 14, np.uint32), np.zeros(64, np.uint32)
    image = image_of(JOINED)
    groups = range(0, 256, 8)
    starts = record_start(image, KernelCall((256, 1, 1), (64, 1, 1), (a, b)), groups, len(image.code.operations))
    assert die_users(starts, UNITS, 1) == {ONE: 32.0, OTHER: 32.0, OWN: 1.0}


def test_two_waves_of_a_workgroup_count_once() -> None:
    image = image_of(TWICE)
    arrays = np.zeros(64, np.uint32), np.zeros(64, np.uint32)
    starts = record_start(image, KernelCall((32, 1, 1), (128, 1, 1), tuple(arrays)), range(0, 32, 8), len(image.code.operations))
    assert len(starts.waves) == 8
    assert die_users(starts, UNITS, 1) == {4: 4.0}


@pytest.mark.parametrize(("units", "at_once", "row", "column"), ((128, 1, 2, 16), (128, 2, 2, 8), (64, 4, 2, 4), (8, 2, 1, 16)))
def test_workgroups_that_run_at_once_on_a_unit_count_once(units: int, at_once: int, row: int, column: int) -> None:
    """If the machine has 128 units, workgroups 0 and 128 are on one of them, and load the same column. If it has 8,
    workgroups 0 and 8 are, and load the same row. Those that follow ask again."""
    a, b = np.zeros(1 << 16, np.uint32), np.zeros(1 << 12, np.uint32)
    image = image_of(PRODUCT)
    starts = record_start(image, KernelCall((256, 1, 1), (64, 1, 1), (a, b)), range(0, 256, 8), len(image.code.operations))
    assert die_users(starts, units, at_once) == {ROW: row, COLUMN: column}


def test_a_unit_pays_for_a_line_of_its_workgroups_once() -> None:
    """A unit has two of four workgroups at once, and asks for two lines that all load, and for four others. Of 12 lines
    that it asks for in both rounds, it pays for 4/2 + 8."""
    a, b = np.zeros(64, np.uint32), np.zeros(1 << 12, np.uint32)
    image = image_of(HALVES)
    starts = record_start(image, KernelCall((32, 1, 1), (64, 1, 1), (a, b)), range(0, 32, 8), len(image.code.operations))
    assert die_users(starts, 8, 2) == {7: pytest.approx(12 / 10)}


def test_workgroups_that_run_later_count_if_the_cache_keeps_their_lines() -> None:
    full = residence(TARGET, Taken(1024, 128, 16, 1 << 16, spreads=True), 10_000)
    assert (full.units, full.at_once) == (304, 1)
    assert groups_of_die(full, CACHES["gfx942"], 1 << 30) == range(0, 304, 8)
    assert groups_of_die(full, CACHES["gfx942"], 1 << 20) == range(0, 1024, 8)
    assert not groups_of_die(full._replace(target=TARGETS["gfx90a"]), CACHES["gfx90a"], 0)
