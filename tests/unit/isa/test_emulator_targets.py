"""What targets differ in: wave sizes, entry registers, halves, dual instructions, lane exchange, buffers, barriers, waits."""

from __future__ import annotations

import struct
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from isa.diagnostics import InputError
from isa.emulator import load, run_image
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.sanitizer.faults import ALL_CHECKS, Check, SanitizerError
from tests.unit.isa.kernel_builds import compiled
from tests.unit.isa.programs import BEGIN, image_of, launch, out_on

Array = np.ndarray[Any, Any]
WORDS = np.random.default_rng(1).integers(0, 1 << 32, 64, dtype=np.uint32)
FLOATS = np.random.default_rng(2).standard_normal(64).astype(np.float32)
LANE = np.arange(64)
RDNA = ("gfx1100", "gfx1201")


def check(machine: str, body: str, x: Array, expected: Any, **options: Any) -> None:
    np.testing.assert_array_equal(out_on(machine, body, x, **options), np.asarray(expected).astype(x.dtype))


@pytest.mark.needs_llvm("clang-22", "ld.lld-22")
@pytest.mark.parametrize("assembly", [True, False])
@pytest.mark.parametrize("machine", ["gfx1100", "gfx1100:wave64", "gfx1201", "gfx1201:wave64", "gfx90a"])
def test_the_image_knows_its_wave_size(machine: str, assembly: bool) -> None:
    assert load(compiled("ids", "-O2", assembly, machine)).target == machine


@pytest.mark.parametrize("machine", RDNA)
def test_waves_of_32_have_masks_of_32_bits(machine: str) -> None:
    body = """
    v_mov_b32_e32 v2, 1
    s_mov_b32 exec_hi, 5
    v_cmp_lt_u32_e32 vcc_lo, 15, v0
    s_and_saveexec_b32 s8, vcc_lo
    v_mov_b32_e32 v2, 2
    v_mov_b32_e32 v3, exec_hi
    s_mov_b32 exec_lo, s8
    v_cndmask_b32_e32 v2, v2, v2, vcc_lo
    """
    check(machine, body, WORDS, np.where(LANE > 15, 2, 1))


@pytest.mark.parametrize("machine", RDNA)
def test_a_branch_on_vcc_looks_at_the_wave_alone(machine: str) -> None:
    body = "v_mov_b32_e32 v2, 1\ns_mov_b32 vcc_hi, 1\ns_mov_b32 vcc_lo, 0\ns_cbranch_vccz there\nv_mov_b32_e32 v2, 2\nthere:\n"
    check(machine, body, WORDS, np.ones(64))


@pytest.mark.parametrize("machine", RDNA)
def test_compares_that_write_exec_alone(machine: str) -> None:
    check(machine, "v_mov_b32_e32 v2, 0\nv_cmpx_gt_u32_e32 9, v0\nv_mov_b32_e32 v2, v1\n", WORDS, np.where(LANE < 9, WORDS, 0))


@pytest.mark.parametrize("machine", RDNA)
def test_dual_instructions_read_before_they_write(machine: str) -> None:
    check(machine, "v_mov_b32_e32 v2, 5\nv_dual_mov_b32 v2, v1 :: v_dual_mov_b32 v1, v2\nv_sub_nc_u32_e32 v2, v2, v1\n", WORDS, WORDS - np.uint32(5))


def test_dual_instructions_accumulate_and_select() -> None:
    begin = "v_mov_b32_e32 v2, 1.0\nv_mov_b32_e32 v6, v1\ns_mov_b32 vcc_lo, 0xff\n"
    body = begin + "v_dual_fmac_f32 v2, v1, v1 :: v_dual_cndmask_b32 v3, 2.0, v6\nv_add_f32_e32 v2, v2, v3\n"
    fused = (FLOATS.astype(np.float64) ** 2 + 1).astype(np.float32)
    check("gfx1100", body, FLOATS, fused + np.where(LANE % 32 < 8, FLOATS, np.float32(2)))


@pytest.mark.parametrize("machine", RDNA)
def test_halves_keep_the_other_half(machine: str) -> None:
    low, high = WORDS & 0xFFFF, WORDS >> 16
    spelt = {"gfx1100": ("v_mov_b16_e32 v2.h, v1.l", "v_add_nc_u16 v2.l, v1.h, v1.l"),
             "gfx1201": ("v_lshlrev_b16 v2, 0, v1 op_sel:[0,0,1]", "v_add_nc_u16 v2, v1, v1 op_sel:[1,0,0]")}[machine]  # fmt: skip
    if machine == "gfx1100":
        check(machine, f"v_mov_b32_e32 v2, 0x11112222\n{spelt[0]}\n", WORDS, low << 16 | 0x2222)
    check(machine, f"v_mov_b32_e32 v2, 0x11112222\n{spelt[1]}\n", WORDS, 0x11110000 | (low + high & 0xFFFF))


def test_a_half_accumulates_on_its_own_half() -> None:
    pair = np.random.default_rng(3).standard_normal((64, 2)).astype(np.float16)
    product = (pair[:, 0].astype(np.float64) * pair[:, 1] + 1).astype(np.float16).view(np.uint16).astype(np.uint32)
    body = "v_mov_b32_e32 v2, 0x3c000000\nv_fmac_f16_e32 v2.h, v1.l, v1.h\n"
    check("gfx1100", body, pair.view(np.uint32)[:, 0], product << 16)


@pytest.mark.parametrize("machine", RDNA)
def test_null_reads_as_zero_and_drops_what_is_written(machine: str) -> None:
    check(machine, "v_add_co_u32 v2, null, v1, v1\ns_mov_b32 null, 7\ns_mov_b64 s[8:9], null\nv_add_nc_u32_e32 v2, s8, v2\n", WORDS, WORDS * 2)
    check(machine, "v_mov_b32_e32 v2, null\n", WORDS, WORDS * 0)


def test_workgroup_numbers_in_trap_registers() -> None:
    split = "s_lshr_b32 s8, ttmp7, 16\ns_and_b32 s9, ttmp7, 0xffff\ns_mul_i32 s8, s8, 100\ns_mul_i32 s9, s9, 10\n"
    body = split + "s_add_co_i32 s8, s8, s9\ns_add_co_i32 s8, s8, ttmp9\nv_mov_b32_e32 v2, s8\n"
    store = "s_load_b64 s[6:7], s[0:1], 0x0\ns_wait_kmcnt 0x0\nv_mov_b32_e32 v10, s8\nv_lshlrev_b32_e32 v10, 2, v10\n"
    image = image_of(body + store + "global_store_b32 v10, v2, s[6:7]\ns_endpgm\n", machine="gfx1201")
    out = np.zeros(1000, np.uint32)
    result = run_image(image, KernelCall((2, 3, 4), (1, 1, 1), (out, out), frozenset({0})))[0]
    expected = out.copy()
    places = [100 * z + 10 * y + x for x in range(2) for y in range(3) for z in range(4)]
    expected[places] = places
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("machine", RDNA)
def test_lane_controls_of_rdna(machine: str) -> None:
    check(machine, "v_mov_b32_dpp v2, v1 row_share:5 row_mask:0xf bank_mask:0xf\n", WORDS, WORDS[(LANE & ~15) | 5])
    check(machine, "v_mov_b32_dpp v2, v1 row_xmask:9 row_mask:0xf bank_mask:0xf\n", WORDS, WORDS[LANE ^ 9])
    check(machine, "v_mov_b32_dpp v2, v1 dpp8:[7,6,5,4,3,2,1,0]\n", WORDS, WORDS[LANE ^ 7])
    three = "v_mov_b32_e32 v2, 0\nv_add3_u32_e64_dpp v2, v1, v1, v1 row_xmask:1 row_mask:0xf bank_mask:0xf\n"
    check(machine, three, WORDS, WORDS[LANE ^ 1] + 2 * WORDS)


@pytest.mark.parametrize(("fetches", "expected"), [("", 7), (" bound_ctrl:1", 0), (" fi:1", None)])
def test_inactive_lanes_are_fetched_where_the_control_says_so(fetches: str, expected: int | None) -> None:
    """Lane 2 of each quad is off, and lane 3 reads it."""
    body = f"v_mov_b32_e32 v2, 7\ns_mov_b32 exec_lo, 0xbbbbbbbb\nv_mov_b32_dpp v2, v1 quad_perm:[0,1,2,2] row_mask:0xf bank_mask:0xf{fetches}\n"
    third = WORDS[LANE - 1] if expected is None else expected
    check("gfx1100", body, WORDS, np.where(LANE % 4 == 2, 7, np.where(LANE % 4 == 3, third, WORDS)))


@pytest.mark.parametrize("machine", [*RDNA, "gfx1100:wave64"])
def test_permutations_within_and_between_rows(machine: str) -> None:
    begin = "s_mov_b32 s8, 0x76543210\ns_mov_b32 s9, 0x01234567\n"
    within = np.array([0, 1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 1, 0])[LANE & 15]
    check(machine, begin + "v_permlane16_b32 v2, v1, s8, s9\n", WORDS, WORDS[(LANE & ~15) | within])
    check(machine, begin + "v_permlanex16_b32 v2, v1, s8, s9\n", WORDS, WORDS[(LANE & ~15 ^ 16) | within])


def test_the_halves_of_a_wave_of_64_exchanged() -> None:
    check("gfx1100:wave64", "v_permlane64_b32 v2, v1\n", WORDS, WORDS[LANE ^ 32])


@pytest.mark.parametrize(("machine", "wide"), [("gfx1100:wave64", False), ("gfx1201:wave64", True), ("gfx942", True)])
def test_how_far_bpermute_reaches(machine: str, wide: bool) -> None:
    waits = {"gfx1100:wave64": "s_waitcnt lgkmcnt(0)", "gfx1201:wave64": "s_wait_dscnt 0x0", "gfx942": "s_waitcnt lgkmcnt(0)"}
    body = f"v_mov_b32_e32 v3, 0xa0\nds_bpermute_b32 v2, v3, v1\n{waits[machine]}\n"
    check(machine, body, WORDS, np.full(64, WORDS[40]) if wide else WORDS[(LANE & 32) | 8])


def test_rows_and_halves_swapped() -> None:
    half = np.where(LANE < 32, 1000 + LANE, WORDS[LANE ^ 32])
    check("gfx950", "v_add_u32_e32 v2, 0x3e8, v0\nv_permlane32_swap_b32_e32 v2, v1\n", WORDS, half)
    row = np.where(LANE & 16, WORDS[LANE ^ 16], 1000 + LANE)
    check("gfx950", "v_add_u32_e32 v2, 0x3e8, v0\nv_permlane16_swap_b32_e32 v2, v1\n", WORDS, row)


def test_any_function_of_three_bits() -> None:
    third = np.uint32(0x0F0F0F0F)
    majority = (WORDS & LANE) | (WORDS & third) | (LANE & third)
    check("gfx950", "v_mov_b32_e32 v3, 0xf0f0f0f\nv_bitop3_b32 v2, v1, v0, v3 bitop3:0xe8\n", WORDS, majority)


def test_scaled_small_floats() -> None:
    codes = np.random.default_rng(5).integers(0, 0x78, 64).astype(np.uint32)
    values = codes.astype(np.uint8).view(ml_dtypes.float8_e4m3fn).astype(np.float32)
    scale = struct.unpack("<I", struct.pack("<f", 8.0))[0]
    got = out_on("gfx950", f"s_mov_b32 s8, {scale:#x}\nv_cvt_scalef32_f32_fp8 v2, v1, s8\n", codes)
    np.testing.assert_array_equal(got.view(np.float32), values * 8)
    back = out_on("gfx950", f"s_mov_b32 s8, {scale:#x}\nv_mov_b32_e32 v2, 0x7777\nv_cvt_scalef32_pk_fp8_f32 v2, v1, v1, s8 op_sel:[0,0,0,1]\n",
                  (values * 8).view(np.uint32))  # fmt: skip
    np.testing.assert_array_equal(back, codes << 24 | codes << 16 | 0x7777)


@pytest.mark.parametrize(("machine", "name"), [("gfx942", "float8_e4m3fnuz"), ("gfx950", "float8_e4m3fn"), ("gfx1201", "float8_e4m3fn")])
def test_the_8_bit_floats_of_each_target(machine: str, name: str) -> None:
    codes = np.arange(64, dtype=np.uint32) + 0x40
    expected = codes.astype(np.uint8).view(getattr(ml_dtypes, name)).astype(np.float32)
    np.testing.assert_array_equal(out_on(machine, "v_cvt_f32_fp8_e32 v2, v1\n", codes).view(np.float32), expected)


def test_floats_of_the_scalar_unit() -> None:
    begin = "s_mov_b32 s8, 0x40490fdb\ns_mul_f32 s9, s8, 2.0\ns_fmac_f32 s9, s8, 1.0\n"
    body = begin + "s_cmp_gt_f32 s9, s8\ns_cselect_b32 s9, s9, 0\nv_mov_b32_e32 v2, s9\n"
    pi = np.float32(np.pi)
    check("gfx1201", body, FLOATS, np.full(64, (np.float64(pi * 2) + pi).astype(np.float32)))


def test_minima_that_keep_or_drop_a_nan() -> None:
    nan = np.where(LANE & 1, FLOATS, np.float32(np.nan))
    check("gfx1201", "v_min_num_f32_e32 v2, 2.0, v1\n", nan, np.where(LANE & 1, np.minimum(FLOATS, 2), 2))
    check("gfx1201", "v_minimum_f32 v2, v1, 2.0\n", nan, np.where(LANE & 1, np.minimum(FLOATS, 2), np.nan))


@pytest.mark.parametrize(("mode", "inside"), [(3, LANE < 5), (2, LANE >= 0), (1, LANE >= 0)])
def test_a_buffer_says_how_bounds_are_checked(mode: int, inside: Array) -> None:
    """20 records: bytes if the buffer is raw; otherwise the index, which is 0, counts, or whether there is
    any record."""
    resource = f"s_mov_b32 s8, s4\ns_mov_b32 s9, s5\ns_mov_b32 s10, 20\ns_mov_b32 s11, {mode << 28:#x}\n"
    body = f"{resource}buffer_load_b32 v2, v10, s[8:11], 0 offen\ns_waitcnt vmcnt(0)\n"
    check("gfx1100", body, WORDS, np.where(inside, WORDS, 0))


PRIVATE = ("private_segment_buffer", "kernarg_segment_ptr", "flat_scratch_init")
SCRATCH = """
s_load_dwordx4 s[12:15], s[4:5], 0x0
s_add_u32 s0, s0, s9
s_addc_u32 s1, s1, 0
v_lshlrev_b32_e32 v10, 2, v0
s_waitcnt lgkmcnt(0)
global_load_dword v1, v10, s[12:13]
s_waitcnt vmcnt(0)
buffer_store_dword v1, off, s[0:3], 0 offset:8
s_add_u32 flat_scratch_lo, s6, s9
s_addc_u32 flat_scratch_hi, s7, 0
s_mov_b64 s[16:17], src_private_base
v_mov_b32_e32 v4, 8
v_mov_b32_e32 v5, s17
flat_load_dword v2, v[4:5]
s_waitcnt vmcnt(0) lgkmcnt(0)
global_store_dword v10, v2, s[14:15]
s_endpgm
"""


def private_program(text: str) -> Array:
    values = np.arange(128, dtype=np.uint32) * 3
    return launch(text, [values, np.zeros(128, np.uint32)], block=128, machine="gfx90a", user=PRIVATE, scratch_offset=True, scratch_bytes=16)[1]


def test_scratch_that_the_kernel_sets_up() -> None:
    np.testing.assert_array_equal(private_program(SCRATCH), np.arange(128) * 3)


@pytest.mark.parametrize("left_out", ["s_add_u32 s0, s0, s9", "s_add_u32 flat_scratch_lo, s6, s9"])
def test_scratch_that_the_kernel_sets_up_wrongly(left_out: str) -> None:
    with pytest.raises(InputError, match="not the start of this wave's scratch"):
        private_program(SCRATCH.replace(left_out, left_out.replace("s9", "0")))


BARRIER = "s_barrier_signal -1\ns_barrier_wait -1\n"


def test_split_barriers_order_the_waves_of_a_workgroup() -> None:
    body = f"""
    ds_store_b32 v10, v1
    s_wait_dscnt 0x0
    {BARRIER}
    v_xor_b32_e32 v3, 0x80, v10
    ds_load_b32 v2, v3
    s_wait_dscnt 0x0
    """
    check("gfx1201", body, WORDS, WORDS[LANE ^ 32], lds_bytes=256, sanitize=frozenset({Check.RACE, Check.WAIT}))
    with pytest.raises(SanitizerError, match="no barrier"):
        out_on("gfx1201", body.replace(BARRIER, ""), WORDS, lds_bytes=256, sanitize=frozenset({Check.RACE}))
    with pytest.raises(InputError, match="not signalled"):
        out_on("gfx1201", body.replace("s_barrier_signal -1", ""), WORDS, lds_bytes=256)


LOADS = {
    "gfx90a": ("global_load_dword v2, v10, s[4:5]", "s_waitcnt vmcnt(0)", "vmcnt"),
    "gfx1100": ("global_load_b32 v2, v10, s[4:5]", "s_waitcnt vmcnt(0)", "vmcnt"),
    "gfx1201": ("global_load_b32 v2, v10, s[4:5]", "s_wait_loadcnt 0x0", "loadcnt"),
}
LDS_LOADS = {
    "gfx1100": ("ds_store_b32 v10, v1\nds_load_b32 v2, v10", "s_waitcnt lgkmcnt(0)", "lgkmcnt"),
    "gfx1201": ("ds_store_b32 v10, v1\nds_load_b32 v2, v10", "s_wait_dscnt 0x0", "dscnt"),
}
SCALAR_LOADS = {
    "gfx1100": ("s_load_b32 s8, s[4:5], 0x0", "s_waitcnt lgkmcnt(0)", "lgkmcnt"),
    "gfx1201": ("s_load_b32 s8, s[4:5], 0x0", "s_wait_kmcnt 0x0", "kmcnt"),
}
USES = {id(LOADS): "v_mov_b32_e32 v2, v2\n", id(LDS_LOADS): "v_mov_b32_e32 v2, v2\n", id(SCALAR_LOADS): "v_mov_b32_e32 v2, s8\n"}


@pytest.mark.parametrize(("machine", "loads"), [(machine, loads) for loads in (LOADS, LDS_LOADS, SCALAR_LOADS) for machine in loads])
def test_each_scheme_of_waits_is_watched(machine: str, loads: dict[str, tuple[str, str, str]]) -> None:
    load_text, wait, counter = loads[machine]
    use = USES[id(loads)]
    out_on(machine, f"{load_text}\n{wait}\n{use}", WORDS, lds_bytes=256, sanitize=ALL_CHECKS - {Check.HAZARD})
    with pytest.raises(SanitizerError, match=f"before a wait on {counter} covers"):
        out_on(machine, f"{load_text}\n{use}", WORDS, lds_bytes=256, sanitize=ALL_CHECKS - {Check.HAZARD})


def test_gfx90a_loads_into_lds_by_a_flag_of_the_plain_load() -> None:
    body = "s_mov_b32 m0, 256\nglobal_load_dword v10, s[4:5] lds\ns_waitcnt vmcnt(0)\nds_read_b32 v2, v10 offset:256\ns_waitcnt lgkmcnt(0)\n"
    check("gfx90a", body, WORDS, WORDS, lds_bytes=512)


RESOURCE = "s_mov_b64 s[8:9], s[4:5]\ns_movk_i32 s10, 0xfc\ns_mov_b32 s11, 0x27000\n"


def test_a_raw_buffer_bounds_each_dword_by_itself() -> None:
    """63 words: the last lane's second word is out of range, and the lane before it has no more than that.
    Each of a pair is read."""
    pairs = "buffer_load_dwordx2 v[2:3], v10, s[8:11], 0 offen\ns_waitcnt vmcnt(0)\nv_xor_b32_e32 v2, v2, v3\n"
    known = np.append(WORDS[:63], np.zeros(2, np.uint32))
    check("gfx942", RESOURCE + pairs, WORDS, known[:64] ^ known[1:])
    store = "v_mov_b32_e32 v3, 9\nv_lshlrev_b32_e32 v4, 3, v0\ns_mov_b64 s[8:9], s[6:7]\ns_mov_b64 exec, 0xffffffff\n"
    body = f"{RESOURCE}v_mov_b32_e32 v2, v1\n{store}buffer_store_dwordx2 v[2:3], v4, s[8:11], 0 offen\ns_endpgm\n"
    got = launch(BEGIN + body, [WORDS, np.full(64, 5, np.uint32)])[1]
    np.testing.assert_array_equal(got, np.append(np.stack([WORDS[:32], WORDS[:32] * 0 + 9], 1).reshape(-1)[:63], np.uint32(5)))


def test_what_a_buffer_has_not_in_range_is_zero_in_lds() -> None:
    body = RESOURCE + "s_mov_b32 m0, 0\nbuffer_load_dword v10, s[8:11], 0 offen lds\ns_waitcnt vmcnt(0)\nds_read_b32 v2, v10\ns_waitcnt lgkmcnt(0)\n"
    check("gfx942", body, WORDS, np.append(WORDS[:63], np.uint32(0)), lds_bytes=256)


def test_the_scalar_offset_counts_in_the_range_of_a_raw_buffer() -> None:
    body = RESOURCE + "s_mov_b32 s12, 4\nbuffer_load_dword v2, v10, s[8:11], s12 offen\ns_waitcnt vmcnt(0)\n"
    check("gfx942", body, WORDS, np.append(WORDS[1:63], np.zeros(2, np.uint32)))
