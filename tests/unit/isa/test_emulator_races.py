"""Races between workgroups that hand values on by a flag: those that are caught, and those that may be
right."""

from __future__ import annotations

import numpy as np
import pytest

from isa.emulator.sanitizer.faults import Check, SanitizerError
from tests.unit.isa.programs import launch

BEGIN = """
s_load_b128 s[4:7], s[0:1], 0x0
v_mov_b32_e32 v4, 0
v_mov_b32_e32 v5, 1
s_cmp_eq_u32 s2, 0
s_waitcnt lgkmcnt(0)
"""
VISIBLE = "s_waitcnt_vscnt null, 0x0\n"
ACQUIRE = "s_waitcnt vmcnt(0)\nbuffer_gl1_inv\nbuffer_gl0_inv\n"
WAITS = f"""again:
global_load_b32 v2, v4, s[6:7] glc
{ACQUIRE}v_readfirstlane_b32 s8, v2
s_cmp_eq_u32 s8, 0
s_cbranch_scc1 again
"""


def raced(body: str, block: int = 1) -> SanitizerError | None:
    """The race of a body on gfx1100: buffers of zeros in s[4:5] and s[6:7], v4 = 0, v5 = 1, SCC set in group 0."""
    buffers = [np.zeros(64, np.uint32), np.zeros(64, np.uint32)]
    try:
        launch(BEGIN + body, buffers, grid=2, block=block, sanitize=True, undefined=(), machine="gfx1100")
    except SanitizerError as error:
        assert error.kind is Check.RACE, str(error)
        return error
    return None


@pytest.mark.parametrize(("wait", "right"), [(VISIBLE, True), ("", False)])
def test_a_flag_is_stored_after_the_wait_for_what_it_announces(wait: str, right: bool) -> None:
    store = "global_store_b32 v4, v5,"
    gives = f"s_cbranch_scc0 takes\n{store} s[4:5]\n{wait}{store} s[6:7]\ns_endpgm\n"
    takes = f"takes:\n{WAITS}global_load_b32 v2, v4, s[4:5]\ns_waitcnt vmcnt(0)\ns_endpgm\n"
    error = raced(gives + takes)
    assert (error is None) is right
    assert right or "no release and acquire orders that" in str(error), str(error)


TRIES = "v_mov_b32_e32 v6, 1\nv_mov_b32_e32 v7, 0\nglobal_atomic_cmpswap_b32 v2, v4, v[6:7], s[6:7] glc\n"
TRIED = TRIES + "s_waitcnt vmcnt(0)\n"


def test_a_wave_gives_back_by_a_store_what_it_has_taken_by_an_atomic() -> None:
    """A store races with another wave's atomic, but not if the last change of the word is an atomic of the
    same wave."""
    gives = f"global_store_b32 v4, v5, s[6:7]\ns_endpgm\ntakes:\n{TRIED}s_endpgm\n"
    assert raced(f"s_cbranch_scc0 takes\n{TRIED}{gives}") is None
    error = raced(f"s_cbranch_scc0 takes\n{gives}")
    assert error is not None and "another workgroup writes byte 0 of argument 1" in str(error), str(error)


@pytest.mark.parametrize(("exchanges", "right"), [(TRIED, True), ("", False)])
def test_each_lane_loads_plainly_what_it_exchanges_then(exchanges: str, right: bool) -> None:
    """Clang's loops of compare and swap begin so; many words may be loaded at once."""
    takes = f"takes:\nglobal_load_b32 v3, v4, s[6:7]\ns_waitcnt vmcnt(0)\n{exchanges}s_endpgm\n"
    error = raced(f"v_lshlrev_b32_e32 v4, 2, v0\ns_cbranch_scc0 takes\n{TRIED}s_endpgm\n{takes}", block=32)
    assert (error is None) is right


LOADS = [("s[6:7]", False, True), ("s[4:5]", True, False), ("", False, False)]


@pytest.mark.parametrize(("load", "runs", "right"), LOADS)
def test_an_atomic_load_that_did_not_run_may_be_of_the_word(load: str, runs: bool, right: bool) -> None:
    """Two workgroups store to a word, as Peterson's algorithm does to the word that names the next."""
    reads = f"global_load_b32 v2, v4, {load} glc\ns_waitcnt vmcnt(0)\n" if load else ""
    stores = "s_cselect_b32 s8, 1, 2\nv_mov_b32_e32 v6, s8\nglobal_store_b32 v4, v6, s[6:7]\n"
    error = raced(f"{stores}s_cmp_lt_u32 s2, {2 * runs}\ns_cbranch_scc0 done\n{reads}done:\ns_endpgm\n")
    assert (error is None) is right


WAITS_BY_FLAT = """
s_add_u32 flat_scratch_lo, s0, s3
s_addc_u32 flat_scratch_hi, s1, 0
s_mov_b64 s[8:9], src_shared_base
s_mov_b64 s[10:11], src_private_base
v_mov_b32_e32 v4, 0x400
v_mov_b32_e32 v5, s9
v_mov_b32_e32 v6, 0
v_mov_b32_e32 v7, s11
v_lshlrev_b32_e32 v10, 2, v0
v_readfirstlane_b32 s8, v0
s_cmp_eq_u32 s8, 0
s_cbranch_scc0 again
ds_write_b32 v10, v0
s_waitcnt lgkmcnt(0)
v_mov_b32_e32 v2, 1
ds_write_b32 v4, v2
s_endpgm
again:
{sleep}
flat_load_dword v2, v[4:5]
s_waitcnt vmcnt(0) lgkmcnt(0)
flat_store_dword v[6:7], v2
flat_load_dword v3, v[6:7]
s_waitcnt vmcnt(0) lgkmcnt(0)
v_readfirstlane_b32 s8, v3
s_cmp_eq_u32 s8, 0
s_cbranch_scc1 again
v_subrev_u32_e32 v10, 0x100, v10
ds_read_b32 v2, v10
s_waitcnt lgkmcnt(0)
s_endpgm
"""


@pytest.mark.parametrize(("sleep", "right"), [("s_sleep 1", True), ("s_nop 0", False)])
def test_a_loop_that_sleeps_waits_though_it_stores_to_scratch_by_flat_addresses(sleep: str, right: bool) -> None:
    """Clang's -O0 for gfx90a keeps the variables of a lane so, and no bits say that its loads of LDS are atomic.

    A loop that does not sleep may as well sum its loads in a variable.
    """

    def run() -> None:
        launch(
            WAITS_BY_FLAT.format(sleep=sleep), [], arguments=(), block=128, sanitize=frozenset({Check.RACE}), machine="gfx90a",
            lds_bytes=2048, user=("flat_scratch_init",), scratch_offset=True, scratch_bytes=16,
        )  # fmt: skip

    if right:
        run()
        return
    with pytest.raises(SanitizerError) as caught:
        run()
    assert caught.value.kind is Check.RACE


def raced_in_a_workgroup(text: str, waves: int = 4, lds_bytes: int = 16) -> str:
    """The first line of the race that waves of gfx942 have, or nothing: buffers of zeros in s[4:5] and s[6:7], the wave's
    number in s8, v4 = 0, v7 = 1, one lane active, and LDS that begins with two zeros."""
    begin = """
    s_load_dwordx4 s[4:7], s[0:1], 0x0
    v_mov_b32_e32 v4, 0
    v_mov_b32_e32 v5, 0
    v_mov_b32_e32 v7, 1
    v_lshlrev_b32_e32 v6, 2, v0
    v_lshrrev_b32_e32 v3, 6, v0
    s_nop 4
    v_readfirstlane_b32 s8, v3
    s_waitcnt lgkmcnt(0)
    v_cmpx_eq_u32_e32 vcc, 0, v0
    ds_write_b64 v4, v[4:5]
    s_mov_b64 exec, 1
    s_waitcnt lgkmcnt(0)
    s_barrier
    """
    buffers = [np.zeros(64, np.uint32), np.zeros(64, np.uint32)]
    try:
        launch(begin + text, buffers, block=64 * waves, sanitize=frozenset({Check.RACE}), undefined=(), lds_bytes=lds_bytes)
    except SanitizerError as error:
        return str(error).splitlines()[0]
    return ""


READ = "global_load_dword v2, v4, s[4:5]\ns_waitcnt vmcnt(0)\n"
RAISE = f"{READ}v_add_u32_e32 v2, 1, v2\nglobal_store_dword v4, v2, s[4:5]\n"
ONE_RAISES = f"s_cmp_eq_u32 s8, {{}}\ns_cbranch_scc0 done\n{RAISE}done:\ns_endpgm\n"


@pytest.mark.parametrize("wave", [0, 3])
def test_a_wave_changes_what_all_waves_have_read_before_the_barrier(wave: int) -> None:
    """Its own read after the barrier does not make the reads before the barrier unknown."""
    one = ONE_RAISES.format(wave)
    assert not raced_in_a_workgroup(f"{READ}s_barrier\n{one}")
    assert "reads byte 0 of argument 0" in raced_in_a_workgroup(f"{READ}{one}")
    assert "reads byte 0 of argument 0" in raced_in_a_workgroup(f"{READ}s_barrier\n{READ}{one}")


@pytest.mark.parametrize(("last", "right"), [(3, True), (2, False)])
def test_the_last_wave_by_a_counter_in_lds_changes_what_all_waves_have_read(last: int, right: bool) -> None:
    counts = "ds_add_rtn_u32 v5, v4, v7\ns_waitcnt lgkmcnt(0)\nv_readfirstlane_b32 s8, v5\n"
    assert (not raced_in_a_workgroup(READ + counts + ONE_RAISES.format(last))) is right


FLAGS = """
s_cmp_eq_u32 s8, 3
s_cbranch_scc1 done
s_cmp_eq_u32 s8, 2
s_cbranch_scc1 writes
s_cmp_eq_u32 s8, {late}
s_cbranch_scc0 reads
s_mov_b32 s9, 20
turn:
s_sub_u32 s9, s9, 1
s_cmp_eq_u32 s9, 0
s_cbranch_scc0 turn
reads:
global_load_dword v2, v4, s[4:5]
s_waitcnt vmcnt(0)
v_mov_b32_e32 v8, s8
v_lshlrev_b32_e32 v8, 2, v8
ds_write_b32 v8, v7
s_endpgm
writes:
{load}
s_waitcnt lgkmcnt(0)
v_cmp_eq_u32_e32 vcc, 0, v2
s_cbranch_vccnz writes
v_cmp_eq_u32_e32 vcc, 0, v3
s_cbranch_vccnz writes
global_store_dword v4, v7, s[4:5]
done:
s_endpgm
"""


@pytest.mark.parametrize("late", [0, 1, 9])
def test_a_wave_changes_what_two_others_have_read_after_a_flag_of_each(late: int) -> None:
    """The two read at different times, and a fourth wave reads nothing."""
    assert not raced_in_a_workgroup(FLAGS.format(late=late, load="ds_read_b64 v[2:3], v4"))
    one = "v_mov_b32_e32 v3, 1\nds_read_b32 v2, v4"
    assert "reads byte 0 of argument 0" in raced_in_a_workgroup(FLAGS.format(late=late, load=one))


LOCKED = """
again:
ds_cmpst_rtn_b32 v2, v4, v5, v7
s_waitcnt lgkmcnt(0)
v_cmp_eq_u32_e32 vcc, 0, v2
s_cbranch_vccz again
ds_read_b32 v2, v4 offset:4
s_waitcnt lgkmcnt(0)
v_add_u32_e32 v2, 1, v2
{store}
{release}
s_endpgm
"""
FLAT = "s_mov_b64 s[10:11], src_shared_base\nv_mov_b32_e32 v9, s11\nv_mov_b32_e32 v8, 4\nflat_store_dword v[8:9], v2"


@pytest.mark.parametrize("release", ["ds_write_b32 v4, v5", "ds_wrxchg_rtn_b32 v3, v4, v5\ns_waitcnt lgkmcnt(0)"])
def test_a_lock_in_lds_is_given_back_without_a_wait_for_the_store_before(release: str) -> None:
    """LDS serves the accesses of a wave in order (LLVM's memory models: a release of local memory has no wait), except flat ones."""
    store, wait = "ds_write_b32 v4, v2 offset:4", "s_waitcnt vmcnt(0) lgkmcnt(0)\n"
    assert not raced_in_a_workgroup(LOCKED.format(store=store, release=release))
    assert not raced_in_a_workgroup(LOCKED.format(store=FLAT, release=wait + release))
    assert "writes byte 4 of LDS" in raced_in_a_workgroup(LOCKED.format(store=FLAT, release=release))
    assert "byte 4 of LDS" in raced_in_a_workgroup(LOCKED.format(store=release, release=store))


EXCHANGES = """
s_mov_b64 exec, -1
s_mov_b64 s[10:11], src_shared_base
v_mov_b32_e32 v9, s11
v_mov_b32_e32 v8, v6
flat_store_dword v[8:9], v0 {bits}
s_waitcnt vmcnt(0) lgkmcnt(0)
v_xor_b32_e32 v8, 0x100, v8
flat_load_dword v2, v[8:9] {bits}
s_waitcnt vmcnt(0) lgkmcnt(0)
s_endpgm
"""


@pytest.mark.parametrize(
    ("bits", "right"),
    [("sc0 sc1", False), ("sc0", True), ("", False)],  # as of volatile accesses, of atomic accesses of a workgroup, of plain accesses
)
def test_waves_exchange_many_words_of_lds_by_flat_accesses(bits: str, right: bool) -> None:
    assert (not raced_in_a_workgroup(EXCHANGES.format(bits=bits), waves=2, lds_bytes=512)) is right
