"""Each kind of fault is reported at its instruction, and the same program without the fault is not."""

from __future__ import annotations

import numpy as np
import pytest

from isa.diagnostics import InputError
from isa.emulator.sanitizer.faults import ALL_CHECKS, MEMORY_CHECKS, Check, SanitizerError
from isa.program import Argument
from tests.unit.isa.programs import BEGIN, END, launch, out_of, out_on

WORDS = np.random.default_rng(1).integers(0, 1 << 32, 64, dtype=np.uint32)
LINES_BEFORE = BEGIN.count("\n")


def fault_of(body: str, line: int, kind: Check, **options: object) -> SanitizerError:
    """The fault of a body, which must stand at its line `line` (from 1)."""
    with pytest.raises(SanitizerError) as caught:
        out_of(body, WORDS, **options)  # type: ignore[arg-type]
    assert caught.value.kind is kind, str(caught.value)
    assert str(caught.value.place) == f"test.s:{LINES_BEFORE + line}:1", str(caught.value)
    return caught.value


def test_a_load_read_before_its_wait() -> None:
    error = fault_of("global_load_dword v2, v10, s[4:5]\nv_add_u32_e32 v2, 1, v2", 2, Check.WAIT)
    assert "v2 is read before a wait on vmcnt" in str(error)
    assert error.instruction == "v_add_u32_e32 v2, 1, v2"
    out_of("global_load_dword v2, v10, s[4:5]\ns_waitcnt vmcnt(0)\nv_add_u32_e32 v2, 1, v2", WORDS)


def test_a_load_overwritten_before_its_wait() -> None:
    fault_of("global_load_dword v2, v10, s[4:5]\nv_mov_b32_e32 v2, 1", 2, Check.WAIT)
    fault_of("global_load_dword v3, v10, s[4:5]\nds_read_b32 v3, v10", 2, Check.WAIT, lds_bytes=256)
    out_of("global_load_dword v2, v10, s[4:5]\nglobal_load_dword v2, v10, s[4:5]\ns_waitcnt vmcnt(0)", WORDS)


@pytest.mark.parametrize(("count", "right"), [(0, True), (1, True), (2, False), (63, False)])
def test_counts_cover_the_older_loads(count: int, right: bool) -> None:
    body = (
        f"global_load_dword v2, v10, s[4:5]\nglobal_load_dword v3, v10, s[4:5]\ns_waitcnt vmcnt({count})\nv_add_u32_e32 v2, 1, v2\ns_waitcnt vmcnt(0)"
    )
    if right:
        out_of(body, WORDS)
    else:
        fault_of(body, 4, Check.WAIT)


def test_stores_count_too() -> None:
    """One vmcnt counts loads and stores in order, so a store after the load lets the count be 1."""
    out_of("global_load_dword v2, v10, s[4:5]\nglobal_store_dword v10, v10, s[6:7]\ns_waitcnt vmcnt(1)\nv_add_u32_e32 v2, 1, v2", WORDS)


def test_scalar_loads_come_back_out_of_order() -> None:
    body = "s_load_dword s8, s[0:1], 0x0\ns_load_dword s9, s[0:1], 0x4\ns_waitcnt lgkmcnt({})\nv_mov_b32_e32 v2, s8\ns_waitcnt lgkmcnt(0)"
    fault_of(body.format(1), 4, Check.WAIT)
    out_of(body.format(0), WORDS)


def test_lds_comes_back_in_order_among_itself() -> None:
    begin = "ds_write_b32 v10, v1\ns_waitcnt lgkmcnt(0)\n"
    body = begin + "ds_read_b32 v2, v10\nds_read_b32 v3, v10\ns_waitcnt lgkmcnt({})\nv_add_u32_e32 v2, 1, v2\ns_waitcnt lgkmcnt(0)"
    out_of(body.format(1), WORDS, lds_bytes=256)
    fault_of(body.format(2), 6, Check.WAIT, lds_bytes=256)
    with_scalar = begin + "ds_read_b32 v2, v10\ns_load_dword s8, s[0:1], 0x0\ns_waitcnt lgkmcnt(1)\nv_add_u32_e32 v2, 1, v2\ns_waitcnt lgkmcnt(0)"
    fault_of(with_scalar, 6, Check.WAIT, lds_bytes=256)


def test_a_wait_on_one_path_does_not_cover_the_other() -> None:
    body = """s_mov_b32 s8, 0
    global_load_dword v2, v10, s[4:5]
    s_cmp_eq_u32 s8, {}
    s_cbranch_scc1 join
    s_waitcnt vmcnt(0)
    join:
    v_add_u32_e32 v2, 1, v2"""
    fault_of(body.format(0), 7, Check.WAIT)
    out_of(body.format(1), WORDS)


def test_a_load_carried_around_a_loop() -> None:
    body = """s_mov_b32 s8, 0
    v_mov_b32_e32 v2, 0
    loop:
    v_add_u32_e32 v3, 1, v2
    s_add_u32 s8, s8, 1
    global_load_dword v2, v10, s[4:5]
    s_cmp_lt_u32 s8, 3
    {}
    s_cbranch_scc1 loop
    s_waitcnt vmcnt(0)"""
    fault_of(body.format(""), 4, Check.WAIT)
    out_of(body.format("s_waitcnt vmcnt(0)"), WORDS)


def test_a_hazard_within_its_window() -> None:
    fault_of("v_mov_b32_e32 v3, v1\nv_readfirstlane_b32 s8, v3\nv_mov_b32_e32 v2, v1", 2, Check.HAZARD)
    error = fault_of("v_cmp_eq_u32_e32 vcc, v1, v1\ns_nop 0\nv_cndmask_b32_e32 v2, v1, v1, vcc", 3, Check.HAZARD)
    assert "1 more wait state" in str(error)
    out_of("v_cmp_eq_u32_e32 vcc, v1, v1\ns_nop 1\nv_cndmask_b32_e32 v2, v1, v1, vcc", WORDS)


def test_a_hazard_whose_remedy_is_no_wait_state() -> None:
    body, hazards = "v_rcp_f32_e32 v3, v1\n{between}\nv_add_f32_e32 v2, v3, v3", frozenset({Check.HAZARD})
    with pytest.raises(SanitizerError, match=r"missing before it: wait for va_vdst\(0\), by the rule transcendental"):
        out_on("gfx1100", body.format(between="s_nop 0"), WORDS, sanitize=hazards)
    out_on("gfx1100", body.format(between="s_waitcnt_depctr depctr_va_vdst(0)"), WORDS, sanitize=hazards)


def test_a_hazard_across_a_branch() -> None:
    body = "s_mov_b32 s8, 1\ns_cmp_eq_u32 s8, 1\nv_mov_b32_e32 v3, v1\ns_cbranch_scc1 there\ns_nop 7\nthere:\nv_mov_b32_dpp v2, v3 row_shr:1 {m}\n"
    text = body.replace("{m}", "row_mask:0xf bank_mask:0xf bound_ctrl:1")
    fault_of(text, 7, Check.HAZARD)
    out_of(text.replace("s_mov_b32 s8, 1", "s_mov_b32 s8, 2"), WORDS)


STORED = "\nv_mov_b32_e32 v2, s8"


def test_registers_never_written() -> None:
    """The fault is at the read of the register, and it is a fault since a value made of it is stored."""
    fault_of("v_add_u32_e32 v2, v1, v20", 1, Check.UNINITIALISED)
    fault_of("s_add_u32 s8, s40, 1" + STORED, 1, Check.UNINITIALISED)
    fault_of("s_cselect_b32 s8, 1, 2" + STORED, 1, Check.UNINITIALISED)
    part = "v_mov_b32_e32 v4, v1\nv_lshlrev_b64 v[2:3], 1, v[4:5]"
    error = fault_of(part + "\nv_mov_b32_e32 v2, v3", 2, Check.PARTIAL)
    assert "v5 is read and was never written" in str(error)
    out_of(part + "\nv_mov_b32_e32 v2, v3", WORDS, sanitize=ALL_CHECKS - {Check.PARTIAL})


@pytest.mark.parametrize(
    "body",
    [
        "v_mov_b32_e32 v4, v1\nv_lshlrev_b64 v[2:3], 1, v[4:5]",  # the low half is not made of the high half
        "s_or_b64 s[8:9], s[8:9], exec\ns_and_b64 exec, exec, s[8:9]\nv_mov_b32_e32 v2, v1",  # a loop's mask
        "v_writelane_b32 v20, s40, 0\ns_mov_b32 s41, s40\nv_mov_b32_e32 v2, v1",  # registers that a callee saves
        "v_add_u32_e32 v3, v1, v20\nv_and_b32_e32 v3, 0, v3\nv_add_u32_e32 v2, v1, v3",
        "v_lshlrev_b32_e32 v20, 16, v20\nv_and_b32_e32 v20, 0xffff, v20\nv_or_b32_e32 v2, v20, v1",
        "s_cselect_b32 s8, 1, 2\nv_mov_b32_e32 v2, v1",
    ],
)
def test_what_was_never_written_may_be_read_where_it_decides_nothing(body: str) -> None:
    out_of(body, WORDS)


@pytest.mark.parametrize(
    ("what", "body"),
    [
        ("the address of an access", "global_load_dword v2, v20, s[4:5]\ns_waitcnt vmcnt(0)"),
        ("the address of an access", "s_load_dword s8, s[40:41], 0x0\ns_waitcnt lgkmcnt(0)\nv_mov_b32_e32 v2, v1"),
        ("the next instruction", "s_cbranch_vccnz there\nthere:\nv_mov_b32_e32 v2, v1"),
        ("the next instruction", "s_cbranch_scc1 there\nthere:\nv_mov_b32_e32 v2, v1"),
        ("which lanes are active", "s_and_b64 exec, exec, s[40:41]\nv_mov_b32_e32 v2, v1"),
        ("the result of an atomic in memory", "ds_write_b32 v10, v1\nds_add_u32 v10, v20\ns_waitcnt lgkmcnt(0)\nv_mov_b32_e32 v2, v1"),
        ("a mode", "s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s40\nv_mov_b32_e32 v2, v1"),
        ("the contents of memory", "v_mov_b32_e32 v2, v20"),
    ],
)
def test_what_was_never_written_decides(what: str, body: str) -> None:
    with pytest.raises(SanitizerError) as caught:
        out_of(body, WORDS, lds_bytes=256)
    assert caught.value.kind is Check.UNINITIALISED
    assert f"it decides {what}" in str(caught.value), str(caught.value)


def test_what_was_never_written_goes_through_scratch_and_lds() -> None:
    """Registers may be saved and restored unwritten; only values made of them count."""
    for there, back in (("scratch_store_dword off, {}, off", "scratch_load_dword {}, off, off"), ("ds_write_b32 v10, {}", "ds_read_b32 {}, v10")):
        saved = there.format("v20") + "\ns_waitcnt vmcnt(0) lgkmcnt(0)\n" + back.format("v20") + "\ns_waitcnt vmcnt(0) lgkmcnt(0)\n"
        out_of(saved + "v_mov_b32_e32 v2, v1", WORDS, scratch_bytes=16, lds_bytes=256)
        fault_of(saved + "v_mov_b32_e32 v2, v20", 3, Check.UNINITIALISED, scratch_bytes=16, lds_bytes=256)
        known = saved.replace("v20", "v1", 1)
        np.testing.assert_array_equal(out_of(known + "v_mov_b32_e32 v2, v20", WORDS, scratch_bytes=16, lds_bytes=256), WORDS)


WIDE_STORE = """
s_load_dwordx4 s[4:7], s[0:1], 0x0
v_lshlrev_b32_e32 v10, 4, v0
v_mov_b32_e32 v12, v0
v_mov_b32_e32 v16, v0
s_waitcnt lgkmcnt(0)
{}
global_store_dwordx4 v10, v[12:15], s[6:7]
s_endpgm
"""


@pytest.mark.parametrize(
    ("body", "right"),
    [
        ("", True),
        ("v_mov_b32_e32 v13, v20\nv_perm_b32 v14, v20, v21, v20\nv_cndmask_b32_e32 v15, v20, v21, vcc", True),
        ("v_add_u32_e32 v13, 1, v20\nv_add_u32_e32 v14, 2, v20\nv_add_u32_e32 v15, 3, v20", False),
        ("v_mul_f32_e32 v20, 2.0, v20\nv_mov_b32_e32 v14, v20", False),
        ("v_pk_add_f32 v[14:15], v[16:17], v[16:17]", True),  # three floats, computed two at a time
        ("v_pk_add_f32 v[14:15], v[18:19], v[16:17]", False),
        ("v_and_b32_e32 v13, 0xffff, v0\nv_lshl_or_b32 v13, v20, 16, v13", True),  # a half and its padding
        ("v_and_b32_e32 v13, 0xffff, v0\nv_lshl_or_b32 v13, v20, 16, v13\nv_add_u32_e32 v13, 1, v13", False),
        ("v_and_b32_e32 v13, 0xffff, v0\nv_lshl_or_b32 v13, v20, 16, v13\nv_pk_add_u16 v13, v13, v13", True),
        ("v_pk_add_u16 v13, v20, v20", False),
        ("v_xor_b32_e32 v13, v0, v20", False),
        ("scratch_load_dword v13, off, off\ns_waitcnt vmcnt(0)", True),
        ("scratch_store_dword off, v20, off\nscratch_load_dword v13, off, off\ns_waitcnt vmcnt(0)", True),
        ("v_add_u32_e32 v20, 1, v20\nscratch_store_dword off, v20, off\nscratch_load_dword v13, off, off\ns_waitcnt vmcnt(0)", False),
        ("scratch_load_dword v13, off, off\ns_waitcnt vmcnt(0)\nv_xor_b32_e32 v13, v0, v13", False),  # as generators do
    ],
)
def test_of_a_wide_store_words_may_be_copied_padding_but_nothing_computed_from_it(body: str, right: bool) -> None:
    def run() -> None:
        buffers = [np.zeros(256, np.uint32), np.zeros(256, np.uint32)]
        launch(WIDE_STORE.format("s_mov_b64 vcc, 0\ns_nop 4\n" + body), buffers, sanitize=True, scratch_bytes=16)

    if right:
        run()
        return
    with pytest.raises(SanitizerError, match="it decides the contents of memory") as caught:
        run()
    assert caught.value.kind in (Check.UNINITIALISED, Check.PARTIAL)


def test_reading_an_unwritten_register_with_every_lane_off_is_no_fault() -> None:
    out_of("s_mov_b64 exec, 0\nv_add_u32_e32 v3, v1, v20\ns_mov_b64 exec, -1\nv_mov_b32_e32 v2, v1", WORDS)


def test_memory_never_written() -> None:
    fault_of("ds_read_b32 v2, v10\ns_waitcnt lgkmcnt(0)", 1, Check.UNINITIALISED, lds_bytes=256)
    fault_of("scratch_load_dword v2, off, off\ns_waitcnt vmcnt(0)", 1, Check.UNINITIALISED, scratch_bytes=16)
    fault_of("global_load_dword v2, v10, s[6:7]\ns_waitcnt vmcnt(0)", 1, Check.UNINITIALISED)
    out_of("global_store_dword v10, v1, s[6:7]\ns_waitcnt vmcnt(0)\nglobal_load_dword v2, v10, s[6:7]\ns_waitcnt vmcnt(0)", WORDS)
    partly = "global_store_short v10, v1, s[6:7] offset:2\ns_waitcnt vmcnt(0)\nglobal_load_dword v2, v10, s[6:7]\ns_waitcnt vmcnt(0)"
    fault_of(partly, 3, Check.UNINITIALISED)


def test_out_of_bounds() -> None:
    error = fault_of("global_load_dword v2, v10, s[4:5] offset:4\ns_waitcnt vmcnt(0)", 1, Check.BOUNDS)
    assert "(lane 63)" in str(error) and "256 bytes" in str(error)
    fault_of("ds_write_b32 v10, v1", 1, Check.BOUNDS, lds_bytes=128)
    fault_of("v_mov_b32_e32 v3, 0\nglobal_store_dword v3, v1, s[4:5] offset:-4", 2, Check.BOUNDS)


TWO_WAVES = """
v_lshrrev_b32_e32 v3, 6, v0
v_and_b32_e32 v4, 63, v0
v_lshlrev_b32_e32 v4, 2, v4
v_lshl_add_u32 v5, v3, 8, v4
v_xor_b32_e32 v6, 0x100, v5
ds_write_b32 v5, v0
{between}
ds_read_b32 v2, v6
s_waitcnt lgkmcnt(0)
s_endpgm
"""


def two_waves(between: str) -> None:
    launch(TWO_WAVES.format(between=between), [], arguments=(), block=128, sanitize=True, lds_bytes=512)


def test_races_need_a_barrier_and_the_wait_before_it() -> None:
    two_waves("s_waitcnt lgkmcnt(0)\ns_barrier")
    for between in ("s_nop 0", "s_waitcnt lgkmcnt(0)", "s_barrier", "s_barrier\ns_waitcnt lgkmcnt(0)"):
        with pytest.raises(SanitizerError) as caught:
            two_waves(between)
        assert caught.value.kind is Check.RACE, between


NEIGHBOURS = """
ds_store_b32 v10, v1
v_xor_b32_e32 v3, 0x80, v10
{between}
ds_load_b32 v2, v3
{wait}
"""
WHOLE = {"gfx1100": ("s_waitcnt lgkmcnt(0)", "s_barrier"), "gfx1201": ("s_wait_dscnt 0x0", "s_barrier_signal -1\ns_barrier_wait -1")}
SPLIT = ("s_wait_dscnt 0x0", "s_barrier_signal -1", "s_barrier_wait -1")
FOUR_WAVES = np.arange(128, dtype=np.uint32) * 3


def four_waves(machine: str, *between: str) -> None:
    """Four waves of 32 lanes store, and each loads the word of the next wave or of the wave before."""
    body = NEIGHBOURS.format(between="\n".join(between), wait=WHOLE[machine][0])
    got = out_on(machine, body, FOUR_WAVES, lds_bytes=512, sanitize=frozenset({Check.RACE, Check.WAIT}))
    np.testing.assert_array_equal(got, FOUR_WAVES[np.arange(128) ^ 32])


@pytest.mark.parametrize("machine", WHOLE)
def test_races_of_waves_of_32_lanes(machine: str) -> None:
    wait, barrier = WHOLE[machine]
    four_waves(machine, wait, barrier)
    for between in ((), (wait,), (barrier,), (barrier, wait)):
        with pytest.raises(SanitizerError) as caught:
            four_waves(machine, *between)
        assert caught.value.kind is Check.RACE, between


def test_a_split_barrier_orders_what_is_done_before_its_signal() -> None:
    """Neither a wait between the halves, nor a wait behind both, helps accesses that were under way when the
    wave arrived."""
    wait, signal, join = SPLIT
    four_waves("gfx1201", wait, signal, join)
    four_waves("gfx1201", wait, signal, wait, join)
    for between in ((signal, wait, join), (signal, join, wait)):
        with pytest.raises(SanitizerError) as caught:
            four_waves("gfx1201", *between)
        assert caught.value.kind is Check.RACE, between


@pytest.mark.parametrize(("store", "load", "races"), [("v10", "v10", False), ("v10", "v3", True), ("v3", "v10", True)])
def test_what_is_stored_between_the_halves_of_a_barrier_is_not_ordered_by_it(store: str, load: str, races: bool) -> None:
    text = f"""
    v_xor_b32_e32 v3, 0x80, v10
    s_barrier_signal -1
    ds_store_b32 {store}, v1
    s_wait_dscnt 0x0
    s_barrier_wait -1
    ds_load_b32 v2, {load}
    s_wait_dscnt 0x0
    """
    if not races:
        out_on("gfx1201", text, FOUR_WAVES, lds_bytes=512, sanitize=frozenset({Check.RACE}))
        return
    with pytest.raises(SanitizerError) as caught:
        out_on("gfx1201", text, FOUR_WAVES, lds_bytes=512, sanitize=frozenset({Check.RACE}))
    assert caught.value.kind is Check.RACE
    ordered = text.replace("s_barrier_wait -1", "s_barrier_wait -1\ns_barrier_signal -1\ns_barrier_wait -1")
    out_on("gfx1201", ordered, FOUR_WAVES, lds_bytes=512, sanitize=frozenset({Check.RACE}))


LATE_READERS = """
v_and_b32_e32 v3, 0x7f, v10
v_cmpx_le_u32_e32 64, v0
s_cbranch_execnz late
arrive:
s_mov_b32 exec_lo, -1
{barrier}
ds_store_b32 v10, v1
s_branch done
late:
ds_load_b32 v2, v3
{wait}
s_branch arrive
done:
"""


def test_waves_arrive_at_a_split_barrier_before_others_read_what_they_write_after_it() -> None:
    wait, barrier = WHOLE["gfx1201"]
    race = frozenset({Check.RACE})
    text = LATE_READERS.format(barrier=barrier, wait=wait)
    out_on("gfx1201", text, FOUR_WAVES, lds_bytes=512, sanitize=race)
    for without, found in ((barrier, "no barrier"), (wait, "without a wait: completion.*\n.*\n.*\n.* several waves of workgroup 0")):
        with pytest.raises(SanitizerError, match=found):
            out_on("gfx1201", text.replace(without, ""), FOUR_WAVES, lds_bytes=512, sanitize=race)


def test_two_waves_that_store_to_the_same_bytes() -> None:
    text = "v_and_b32_e32 v4, 63, v0\nv_lshlrev_b32_e32 v4, 2, v4\nds_write_b32 v4, v0\ns_endpgm\n"
    launch(text, [], arguments=(), block=64, sanitize=True, lds_bytes=256)
    with pytest.raises(SanitizerError) as caught:
        launch(text, [], arguments=(), block=128, sanitize=True, lds_bytes=256)
    assert caught.value.kind is Check.RACE
    launch(text, [], arguments=(), block=128, sanitize=False, lds_bytes=256)


def test_a_store_after_another_waves_read() -> None:
    text = """
    v_and_b32_e32 v4, 63, v0
    v_lshlrev_b32_e32 v4, 2, v4
    v_lshrrev_b32_e32 v3, 6, v0
    v_cmp_eq_u32_e32 vcc, 0, v3
    s_mov_b64 s[8:9], exec
    s_and_b64 exec, exec, vcc
    ds_write_b32 v4, v0
    s_mov_b64 exec, s[8:9]
    s_waitcnt lgkmcnt(0)
    s_barrier
    ds_read_b32 v5, v4
    s_waitcnt lgkmcnt(0)
    {between}
    s_and_b64 exec, exec, vcc
    ds_write_b32 v4, v0
    s_endpgm
    """
    launch(text.format(between="s_barrier"), [], arguments=(), block=128, sanitize=True, lds_bytes=256)
    with pytest.raises(SanitizerError) as caught:
        launch(text.format(between="s_nop 0"), [], arguments=(), block=128, sanitize=True, lds_bytes=256)
    assert caught.value.kind is Check.RACE


def test_atomics_do_not_race_with_each_other_but_with_plain_accesses() -> None:
    begin = """
    v_mov_b32_e32 v4, 0
    v_cmp_eq_u32_e32 vcc, 0, v0
    s_mov_b64 s[8:9], exec
    s_and_b64 exec, exec, vcc
    ds_write_b32 v4, v4
    s_mov_b64 exec, s[8:9]
    s_waitcnt lgkmcnt(0)
    s_barrier
    ds_add_u32 v4, v0
    s_waitcnt lgkmcnt(0)
    """
    end = "ds_read_b32 v5, v4\ns_waitcnt lgkmcnt(0)\ns_endpgm\n"
    launch(begin + "s_barrier\n" + end, [], arguments=(), block=256, sanitize=True, lds_bytes=4)
    with pytest.raises(SanitizerError) as caught:
        launch(begin + end, [], arguments=(), block=256, sanitize=True, lds_bytes=4)
    assert caught.value.kind is Check.RACE


def test_checks_can_be_chosen() -> None:
    out_of("v_mov_b32_e32 v3, v1\nv_readfirstlane_b32 s8, v3\nv_mov_b32_e32 v2, v1", WORDS, sanitize=MEMORY_CHECKS)
    assert issubclass(SanitizerError, InputError)


def test_a_preloaded_argument_counts_as_written_only_where_it_is() -> None:
    text = "s_bitcmp1_b32 s2, 0\ns_cbranch_scc1 end\nend:\ns_endpgm\n"
    arguments = (Argument("x", 0, 4, "by_value"),)
    launch(text, [7], arguments=arguments, preload_dwords=1, workgroup_ids=(False, False, False), sanitize=True, undefined=())
    with pytest.raises(SanitizerError):
        launch(text, [7], arguments=arguments, workgroup_ids=(False, False, False), sanitize=True, undefined=())


def test_the_end_of_a_test_program_is_clean() -> None:
    launch(BEGIN + "v_mov_b32_e32 v2, v1" + END, [WORDS, WORDS], sanitize=True)


@pytest.mark.parametrize(("machine", "wait"), [("gfx1201", "s_wait_loadcnt_dscnt 0x101"), ("gfx1100", "s_waitcnt vmcnt(1) lgkmcnt(1)")])
def test_flat_loads_keep_their_order_where_the_target_says_so(machine: str, wait: str) -> None:
    address = "v_add_co_u32 v4, vcc_lo, s4, v10\nv_add_co_ci_u32_e64 v5, null, s5, 0, vcc_lo\n"
    body = address + f"flat_load_b32 v2, v[4:5]\nflat_load_b32 v3, v[4:5]\n{wait}\nv_add_nc_u32_e32 v2, 0, v2\n"
    out_on(machine, body, FOUR_WAVES, sanitize=frozenset({Check.WAIT}))
    with pytest.raises(SanitizerError):
        out_on(machine, body.replace("v_add_nc_u32_e32 v2, 0, v2", "v_add_nc_u32_e32 v2, 0, v3"), FOUR_WAVES, sanitize=frozenset({Check.WAIT}))


def test_lanes_of_one_wave_that_store_different_values_to_one_word_of_lds() -> None:
    collide = "v_and_b32_e32 v3, 4, v10\nds_write_b32 v3, {}\ns_waitcnt lgkmcnt(0)\nv_mov_b32_e32 v2, v1"
    error = fault_of(collide.format("v1"), 2, Check.RACE, lds_bytes=256)
    assert "lanes of a wave store different values to byte" in str(error)
    out_of(collide.format("v3"), WORDS, lds_bytes=256)


COPY = "s_mov_b32 m0, 0\ns_nop 0\nglobal_load_lds_dword v[4:5], off\n{}ds_read_b32 v2, v10\ns_waitcnt lgkmcnt(0)\n"
ADDRESS = "v_mov_b32_e32 v5, s5\nv_add_co_u32_e32 v4, vcc, s4, v10\ns_nop 1\nv_addc_co_u32_e32 v5, vcc, 0, v5, vcc\ns_nop 4\n"


def test_what_is_copied_to_lds_is_read_after_its_wait() -> None:
    out_of(ADDRESS + COPY.format("s_waitcnt vmcnt(0)\n"), WORDS, lds_bytes=256)
    with pytest.raises(SanitizerError, match="before the wait for the copy") as caught:
        out_of(ADDRESS + COPY.format(""), WORDS, lds_bytes=256)
    assert caught.value.kind is Check.WAIT


def test_a_store_to_lds_overtakes_a_copy() -> None:
    """Each wave copies and stores to parts of LDS. After a barrier the other wave may read the store, and the copy only after its wait."""
    begin = ADDRESS + "v_readfirstlane_b32 s8, v10\ns_mov_b32 m0, s8\nv_xor_b32_e32 v3, 0x100, v10\nglobal_load_lds_dword v[4:5], off\n"
    store = "ds_write_b32 v10, v1 offset:512\ns_waitcnt lgkmcnt(0)\ns_barrier\nds_read_b32 v2, v3 offset:512\ns_waitcnt lgkmcnt(0)\n"
    copy = "{}\ns_barrier\nds_read_b32 v2, v3\ns_waitcnt lgkmcnt(0)"
    words = np.arange(128, dtype=np.uint32)
    copied = out_of(begin + store + copy.format("s_waitcnt vmcnt(0)"), words, waves=2, lds_bytes=1024)
    np.testing.assert_array_equal(copied, np.roll(words, 64))
    with pytest.raises(SanitizerError, match="byte 256 of LDS") as caught:
        out_of(begin + store + copy.format(""), words, waves=2, lds_bytes=1024)
    assert caught.value.kind is Check.RACE


def test_a_carry_that_is_lost() -> None:
    load = "global_load_dword v2, v[4:5], off\ns_waitcnt vmcnt(0)"
    np.testing.assert_array_equal(out_of(ADDRESS + load, WORDS), WORDS)
    lost = ADDRESS.replace("v_addc_co_u32_e32 v5, vcc, 0, v5, vcc", "v_add_u32_e32 v5, 0, v5")
    with pytest.raises(SanitizerError, match="a carry into the upper half of the address was lost") as caught:
        out_of(lost + load, WORDS)
    assert caught.value.kind is Check.BOUNDS


def test_fewer_user_sgprs_than_the_descriptor_enables() -> None:
    with pytest.raises(SanitizerError, match="user_sgpr_count is 1"):
        out_of("v_mov_b32_e32 v2, v1", WORDS, user_sgprs=1)
    out_of("v_mov_b32_e32 v2, v1", WORDS, user_sgprs=2)


EXCHANGE = {
    "gfx942": ("", ""), "gfx1100": ("s_waitcnt_vscnt null, 0x0", "buffer_gl0_inv"), "gfx1201": ("s_wait_storecnt 0x0", "global_inv scope:SCOPE_SE"),
}  # fmt: skip


def exchanged(machine: str, wait: str, barrier: str, invalidate: str) -> None:
    """Each wave stores to global memory, and loads after the barrier the word that the next wave stored."""
    store, load = ("global_store_dword", "global_load_dword") if machine == "gfx942" else ("global_store_b32", "global_load_b32")
    ready = {"gfx942": "s_waitcnt vmcnt(0)", "gfx1100": "s_waitcnt vmcnt(0)", "gfx1201": "s_wait_loadcnt 0x0"}[machine]
    waves = 128 if machine != "gfx942" else 256
    flip = 0x80 if machine != "gfx942" else 0x100
    body = f"v_xor_b32_e32 v3, {flip:#x}, v10\n{store} v10, v1, s[6:7]\n{wait}\n{barrier}\n{invalidate}\n{load} v2, v3, s[6:7]\n{ready}\n"
    second = "s_barrier" if machine != "gfx1201" else "s_barrier_signal -1\ns_barrier_wait -1"
    out_on(machine, body + second, np.arange(waves, dtype=np.uint32), sanitize=frozenset({Check.RACE}))


@pytest.mark.parametrize("machine", EXCHANGE)
def test_global_memory_between_the_waves_of_a_workgroup(machine: str) -> None:
    wait, invalidate = EXCHANGE[machine]
    barrier = "s_barrier" if machine != "gfx1201" else "s_barrier_signal -1\ns_barrier_wait -1"
    exchanged(machine, wait, barrier, invalidate)
    wrong = [(wait, "", invalidate, "no barrier")]
    if wait:
        wrong += [("", barrier, invalidate, "without a wait"), (wait, barrier, "", "was not invalidated")]
    for one, two, three, message in wrong:
        with pytest.raises(SanitizerError, match=message) as caught:
            exchanged(machine, one, two, three)
        assert caught.value.kind is Check.RACE


def test_workgroups_that_store_to_one_place() -> None:
    """The same value from all is no race; and atomics are none."""
    text = BEGIN + "v_mov_b32_e32 v3, 0\nv_mov_b32_e32 v2, {}\n{} v3, v2, s[6:7]\ns_endpgm\n"
    for value, store, races in (("s2", "global_store_dword", True), ("7", "global_store_dword", False), ("s2", "global_atomic_add", False)):
        if not races:
            launch(text.format(value, store), [WORDS, WORDS], grid=4, sanitize=True, undefined=())
            continue
        with pytest.raises(SanitizerError, match="another workgroup writes byte 0 of argument 1") as caught:
            launch(text.format(value, store), [WORDS, WORDS], grid=4, sanitize=True, undefined=())
        assert caught.value.kind is Check.RACE


def test_a_scalar_load_races_with_stores_of_other_workgroups() -> None:
    """A counter that is raised by a load and a store: every workgroup stores the same, but reads what others write."""
    text = BEGIN + "v_mov_b32_e32 v3, 0\n{}v_mov_b32_e32 v2, 7\nglobal_store_dword v3, v2, s[6:7]\ns_endpgm\n"
    launch(text.format(""), [WORDS, WORDS], grid=4, sanitize=True, undefined=())
    with pytest.raises(SanitizerError) as caught:
        launch(text.format("s_load_dword s8, s[6:7], 0x0\ns_waitcnt lgkmcnt(0)\n"), [WORDS, WORDS], grid=4, sanitize=True, undefined=())
    assert caught.value.kind is Check.RACE


SANITIZED = frozenset({Check.HAZARD})


def test_a_scalar_read_of_any_sgpr_settles_what_valu_writes_to_sgprs() -> None:
    """LLVM relies on it if VALU has read the SGPR on another path, as in a loop with a call in it."""
    body = "s_mov_b32 s8, 1\ns_mov_b32 s10, 2\nv_mov_b32_e32 v3, s8\nv_readfirstlane_b32 s8, v1\n{}v_mov_b32_e32 v2, s8"
    out_on("gfx1201", body.format("s_mov_b32 s9, s10\n"), FOUR_WAVES, sanitize=SANITIZED)
    with pytest.raises(SanitizerError, match=r"wait for va_sdst\(0\)"):
        out_on("gfx1201", body.format("s_mov_b32 s9, 1\n"), FOUR_WAVES, sanitize=SANITIZED)


GOES_AND_COMES_BACK = """s_mov_b32 s8, 1
s_call_b64 s[30:31], function
s_branch rest
function:
{}
s_setpc_b64 s[30:31]
rest:"""


def test_a_function_reads_the_address_to_come_back_to_at_once() -> None:
    """LLVM takes every SGPR for read by VALU at the beginning of a function, but not for written."""
    out_on("gfx1201", GOES_AND_COMES_BACK.format(""), FOUR_WAVES, sanitize=SANITIZED)
    with pytest.raises(SanitizerError, match=r"wait for sa_sdst\(0\)"):
        out_on("gfx1201", GOES_AND_COMES_BACK.format("s_mov_b32 s8, 2\ns_mov_b32 s9, s8"), FOUR_WAVES, sanitize=SANITIZED)


CALLED = """s_mov_b64 s[8:9], exec
{}
s_branch rest
function:
v_cndmask_b32_e64 v2, v1, v10, s[8:9]
s_setpc_b64 s[30:31]
rest:
s_mov_b32 s8, 16
v_mov_b32_e32 v2, s8"""


def test_a_lane_mask_that_a_function_has_read_is_overwritten_after_it() -> None:
    """LLVM's hazard recogniser looks at one function at a time, so its code has no wait there."""
    words = np.arange(64, dtype=np.uint32)
    out_on("gfx1100:wave64", CALLED.format("s_call_b64 s[30:31], function"), words, sanitize=SANITIZED)
    with pytest.raises(SanitizerError, match=r"wait for sa_sdst\(0\)"):
        out_on("gfx1100:wave64", CALLED.format("v_cndmask_b32_e64 v2, v1, v10, s[8:9]"), words, sanitize=SANITIZED)


@pytest.mark.parametrize("machine", ["gfx1100", "gfx1201"])
def test_a_wait_until_the_wave_is_idle_is_one_for_every_counter_and_every_result(machine: str) -> None:
    """RDNA3 and RDNA4 ISA, S_WAIT_IDLE: "wait for all activity in the wave to be complete", with all dependency counters at zero."""
    loads = "global_load_b32 v2, v10, s[4:5]\ns_load_b32 s8, s[0:1], 0x0\nds_store_b32 v10, v1\nds_load_b32 v3, v10\n{}\n"
    body = loads + "v_add_nc_u32_e32 v3, v3, v2\nv_add_nc_u32_e32 v2, s8, v3"
    out_on(machine, body.format("s_wait_idle"), FOUR_WAVES, lds_bytes=512)
    with pytest.raises(SanitizerError, match="is read before a wait"):
        out_on(machine, body.format("s_nop 0"), FOUR_WAVES, lds_bytes=512, sanitize=frozenset({Check.WAIT}))


def test_a_wait_until_the_wave_is_idle_settles_results_inside_the_alus() -> None:
    body = "v_rcp_f32_e32 v3, v1\n{}\nv_add_f32_e32 v2, v3, v3"
    out_on("gfx1100", body.format("s_wait_idle"), FOUR_WAVES, sanitize=SANITIZED)
    with pytest.raises(SanitizerError, match=r"wait for va_vdst\(0\)"):
        out_on("gfx1100", body.format("s_nop 0"), FOUR_WAVES, sanitize=SANITIZED)
    masks = "s_mov_b32 s8, 1\nv_mov_b32_e32 v3, s8\nv_readfirstlane_b32 s8, v1\n{}\nv_mov_b32_e32 v2, s8"
    out_on("gfx1201", masks.format("s_wait_idle"), FOUR_WAVES, sanitize=SANITIZED)
    with pytest.raises(SanitizerError, match=r"wait for va_sdst\(0\)"):
        out_on("gfx1201", masks.format("s_nop 0"), FOUR_WAVES, sanitize=SANITIZED)
