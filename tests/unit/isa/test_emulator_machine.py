"""The machine: operands, modifiers, EXEC, control flow, memory spaces, MODE; each by a few instructions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any

import numpy as np
import pytest

from isa.diagnostics import InputError, InternalError
from isa.emulator.launching.launch import Settings
from isa.emulator.state.global_memory import Memory, MemoryFault
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import EXEC_PAIR, Waves
from isa.emulator.steps.plan import step_of
from isa.instruction import ExecMode, Instr, Row
from isa.semantics.matrix import MATRICES
from isa.semantics.mode import Approximation
from isa.table import table_named
from isa.text.printing import format_instr
from tests.rows import MACHINES, rows_in_turn
from tests.unit.isa.programs import BEGIN, END, launch, out_of, out_on
from tests.unit.isa.samples import IN_ONE_PROCESS, samples, some_samples

Array = np.ndarray[Any, Any]
LANE = np.arange(64)
WORDS = np.random.default_rng(1).integers(0, 1 << 32, 64, dtype=np.uint32)
FLOATS = np.random.default_rng(2).standard_normal(64).astype(np.float32)


def check(body: str, x: Array, expected: Any, **options: Any) -> None:
    got = out_of(body, x, **options)
    np.testing.assert_array_equal(got, np.asarray(expected).astype(x.dtype))


@cache
def random_words(shape: tuple[int, ...]) -> Array:
    return np.random.default_rng(6).integers(0, 1 << 32, shape, np.uint32)


def random_waves(lanes: int = 64) -> Waves:
    """Two waves with random registers, one of them with some lanes off, and a little memory."""
    memory = Memory()
    memory.add("buffer", 256)
    memory.freeze()
    waves = Waves(2, 1, 512, 128, memory, 64, 64, lanes)
    waves.u32[:] = random_words(waves.u32.shape)
    waves.s32[:] = random_words(waves.s32.shape)
    waves.s64[EXEC_PAIR, 0] = 2**64 - 1
    waves.mode_bits[:] = 0x3F0
    waves.choose(np.arange(2))
    return waves


REFUSED = ("is not modelled", "are not modelled", "upper word of a constant", "some lanes of a wave off", "has no named barriers")


@pytest.mark.broad
@IN_ONE_PROCESS
@pytest.mark.parametrize("machine", MACHINES)
def test_samples_of_every_row_decode_and_run(machine: str) -> None:
    """Each row on one of the machines that have it, every eighth of its samples."""
    decode_and_run(machine, rows_in_turn(machine), partial(some_samples, turn=MACHINES.index(machine), turns=8))


@pytest.mark.slow
@pytest.mark.parametrize("machine", MACHINES)
def test_every_sample_of_every_row_decodes_and_runs(machine: str) -> None:
    decode_and_run(machine, table_named(machine).rows, samples)


def decode_and_run(machine: str, rows: Iterable[Row], samples: Callable[[Row], Iterable[Instr]]) -> None:
    """On random registers, for both a full and a partial EXEC; memory accesses may fault, nothing else may go wrong."""
    table = table_named(machine)
    layout = RegisterLayout(256, 256, target=table.target)
    lanes = table.target.wave_size
    waves = random_waves(lanes)
    refused: list[str] = []
    with np.errstate(all="ignore"):
        for row in rows:
            for sample in samples(row):
                try:
                    step = step_of(sample, layout)
                    if step is not None:
                        step(random_waves(lanes) if row.writes or row.exec_mode is ExecMode.SCALAR else waves)
                except MemoryFault:
                    pass
                except (InputError, InternalError) as error:
                    assert any(words in str(error) for words in REFUSED), f"{format_instr(sample)}: {error}"
                    refused.append(row.name)
    assert set(refused) <= {
        "v_pk_add_f32", "v_pk_mul_f32", "v_pk_fma_f32", "v_pk_mov_b32", "s_getpc_b64", "s_setreg_b32", "s_setreg_imm32_b32", "ds_swizzle_b32",
        "s_movrels_b32", "s_movrels_b64", "s_movreld_b32", "s_movreld_b64", "v_movrels_b32", "v_movreld_b32", "v_movrelsd_b32", "s_getreg_b32",
        "s_sendmsg_rtn_b32",
        "s_sendmsg_rtn_b64", "s_barrier_signal", "s_barrier_signal_isfirst", "s_get_barrier_state", "s_barrier_init", "s_barrier_join",
        "s_barrier_leave", "ds_read_b64_tr_b4", "ds_read_b64_tr_b8", "ds_read_b64_tr_b16", "ds_read_b96_tr_b6",
        "global_load_tr_b64", "global_load_tr_b128", *MATRICES,
    }  # fmt: skip


def test_modifiers_of_sources_and_results() -> None:
    check("v_sub_f32_e64 v2, -|v1|, -1.0", FLOATS, -np.abs(FLOATS) + 1)
    check("v_mul_f32_e64 v2, v1, 2.0 clamp", FLOATS, np.clip(FLOATS * 2, 0, 1))
    check("v_add_f32_e64 v2, v1, 1.0 mul:4", FLOATS, (FLOATS + 1) * 4)
    check("v_add_f32_e64 v2, v1, 1.0 div:2", FLOATS, (FLOATS + 1) / 2)
    check("v_add_u32_e64 v2, v1, v1 clamp", WORDS, np.minimum(2 * WORDS.astype(np.uint64), 0xFFFFFFFF))


def test_nan_is_clamped_to_zero_under_dx10_clamp_only() -> None:
    nan = np.full(64, np.nan, np.float32)
    check("v_add_f32_e64 v2, v1, 0 clamp", nan, np.zeros(64))
    check("v_add_f32_e64 v2, v1, 0 clamp", nan, nan, mode=0x2F0)


def test_packed_halves_take_what_op_sel_says() -> None:
    pair = np.random.default_rng(3).standard_normal((64, 2)).astype(np.float16)
    words = pair.view(np.uint32)[:, 0]

    def packed(low: Array, high: Array) -> Array:
        return np.stack([low, high], -1).astype(np.float16).view(np.uint32)[:, 0]

    check("v_pk_add_f16 v2, v1, v1", words, packed(pair[:, 0] + pair[:, 0], pair[:, 1] + pair[:, 1]))
    check("v_pk_add_f16 v2, v1, v1 op_sel:[0,1] op_sel_hi:[1,0]", words, packed(pair[:, 0] + pair[:, 1], pair[:, 1] + pair[:, 0]))
    check("v_pk_mul_f16 v2, v1, 2.0 op_sel_hi:[1,0] neg_lo:[1,0]", words, packed(pair[:, 0] * -2, pair[:, 1] * 2))
    product = (pair[:, 1] * pair[:, 0].astype(np.float64) + 1).astype(np.float16).view(np.uint16)
    check("v_mov_b32_e32 v2, 7\nv_fma_f16 v2, v1, v1, 1.0 op_sel:[1,0,0,0]", words, product)
    kept = (pair[:, 1].astype(np.float64) + 1).astype(np.float16).view(np.uint16).astype(np.uint32) << 16 | 7
    check("v_mov_b32_e32 v2, 7\nv_fma_f16 v2, v1, 1.0, 1.0 op_sel:[1,0,0,1]\ns_nop 1", words, kept)


@pytest.mark.parametrize(("machine", "denormal"), [("gfx90a", 0.0), ("gfx942", 2.0**-15)])
def test_gfx90a_adds_products_of_denormal_halves_as_zeros(machine: str, denormal: float) -> None:
    """PyTorch's documentation, Numerical accuracy."""
    halves = np.tile(np.array([2.0**-15, 2.0**-14], np.float16), 64)
    ones = "v_mov_b32_e32 v3, 0x3c003c00\n"
    for name in ("v_dot2_f32_f16 v2, v1, v3, v2", "v_dot2c_f32_f16_e32 v2, v1, v3"):
        found = out_on(machine, f"{ones}v_mov_b32_e32 v2, 1.0\n{name}\ns_nop 3", halves.view(np.uint32)).view(np.float32)
        np.testing.assert_array_equal(found, 1.0 + 2.0**-14 + denormal)


def test_packed_words_and_their_halves() -> None:
    swapped = "v_pk_mul_f32 v[2:3], v[4:5], v[4:5] op_sel:[0,1] op_sel_hi:[1,0]"
    check(f"v_mov_b32_e32 v4, v1\nv_add_f32_e32 v5, 1.0, v1\n{swapped}\ns_nop 0\nv_sub_f32_e32 v2, v2, v3", FLOATS, FLOATS * 0)
    check("v_mov_b32_e32 v4, v1\nv_mov_b32_e32 v5, v1\nv_pk_add_f32 v[2:3], v[4:5], 2.0 op_sel_hi:[1,0]", FLOATS, FLOATS + 2)
    with pytest.raises(InputError, match="upper word of a constant"):
        out_of("v_mov_b32_e32 v4, v1\nv_mov_b32_e32 v5, v1\nv_pk_add_f32 v[2:3], v[4:5], 2.0", FLOATS)


def test_mixed_fma_reads_both_widths() -> None:
    pair = np.random.default_rng(4).standard_normal((64, 2)).astype(np.float16)
    words = pair.view(np.uint32)[:, 0]
    expected = (pair[:, 1].astype(np.float64) * 2 - pair[:, 0]).astype(np.float32)
    check("v_fma_mix_f32 v2, v1, 2.0, -v1 op_sel:[1,0,0] op_sel_hi:[1,0,1]", words, expected.view(np.uint32))
    # an inline constant of an f16 source is an f16
    check("v_fma_mix_f32 v2, v1, 2.0, -v1 op_sel:[1,0,0] op_sel_hi:[1,1,1]", words, expected.view(np.uint32))


def test_sub_dword_operands() -> None:
    byte2 = WORDS >> 16 & 255
    check("v_mov_b32_sdwa v2, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2", WORDS, byte2)
    check("v_mov_b32_sdwa v2, sext(v1) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2", WORDS, byte2.astype(np.int8).astype(np.int32))
    preserve = "v_mov_b32_e32 v2, -1\nv_mov_b32_sdwa v2, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2\ns_nop 1"
    check(preserve, WORDS, 0xFFFF00FF | byte2 << 8)
    check("v_mov_b32_sdwa v2, v1 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:WORD_0\ns_nop 1", WORDS, WORDS << 16)


DPP = [
    ("quad_perm:[3,2,1,0]", LANE ^ 3, LANE >= 0),
    ("row_shl:3", LANE + 3, LANE % 16 < 13),
    ("row_shr:5", LANE - 5, LANE % 16 >= 5),
    ("row_ror:4", LANE & ~15 | (LANE - 4) & 15, LANE >= 0),
    ("wave_shl:1", LANE + 1, LANE < 63),
    ("wave_rol:1", (LANE + 1) & 63, LANE >= 0),
    ("wave_shr:1", LANE - 1, LANE > 0),
    ("wave_ror:1", (LANE - 1) & 63, LANE >= 0),
    ("row_mirror", LANE & ~15 | 15 - (LANE & 15), LANE >= 0),
    ("row_half_mirror", LANE & ~7 | 7 - (LANE & 7), LANE >= 0),
    ("row_bcast:15", (LANE & ~15) - 1, LANE >= 16),
    ("row_bcast:31", (LANE & ~31) - 1, LANE >= 32),
    ("row_newbcast:5", LANE & ~15 | 5, LANE >= 0),
]


@pytest.mark.parametrize(("control", "source", "valid"), DPP, ids=[control for control, _, _ in DPP])
def test_dpp_controls(control: str, source: Array, valid: Array) -> None:
    moved = WORDS[np.where(valid, source, 0)]
    begin = "v_mov_b32_e32 v2, 9\ns_nop 4\n"
    check(f"{begin}v_mov_b32_dpp v2, v1 {control} row_mask:0xf bank_mask:0xf", WORDS, np.where(valid, moved, 9))
    check(f"{begin}v_mov_b32_dpp v2, v1 {control} row_mask:0xf bank_mask:0xf bound_ctrl:1", WORDS, np.where(valid, moved, 0))


def test_dpp_masks_and_inactive_sources() -> None:
    enabled = ((0b1010 >> (LANE // 16)) & 1 & (0b0110 >> (LANE % 16 // 4))).astype(bool)
    body = "v_mov_b32_e32 v2, 9\ns_nop 4\nv_mov_b32_dpp v2, v1 quad_perm:[1,0,3,2] row_mask:0xa bank_mask:0x6"
    check(body, WORDS, np.where(enabled, WORDS[LANE ^ 1], 9))
    body = "v_mov_b32_e32 v2, 9\ns_mov_b64 exec, 0x55555555\ns_nop 4\nv_mov_b32_dpp v2, v1 quad_perm:[1,1,2,2] row_mask:0xf bank_mask:0xf"
    active = (LANE < 32) & (LANE % 2 == 0)
    source = LANE & ~3 | np.array([1, 1, 2, 2])[LANE & 3]
    check(body, WORDS, np.where(active & active[source], WORDS[source], 9))


def test_dpp_in_place() -> None:
    body = "s_nop 1\nv_mov_b32_dpp v1, v1 row_shr:1 row_mask:0xf bank_mask:0xf\nv_mov_b32_e32 v2, v1"
    check(body, WORDS, WORDS[np.where(LANE % 16, LANE - 1, LANE)])


def test_inactive_lanes_keep_their_value() -> None:
    body = "v_mov_b32_e32 v2, 5\nv_cmp_lt_u32_e32 vcc, 20, v0\ns_and_saveexec_b64 s[8:9], vcc\nv_mov_b32_e32 v2, v1\ns_mov_b64 exec, s[8:9]"
    check(body, WORDS, np.where(LANE > 20, WORDS, 5))


def test_compares_write_zero_for_inactive_lanes() -> None:
    body = "s_mov_b64 exec, 0xff\nv_cmp_ne_u32_e32 vcc, 3, v0\ns_mov_b64 exec, -1\nv_mov_b32_e32 v2, vcc_hi\nv_or_b32_e32 v2, vcc_lo, v2"
    check(body, WORDS, np.full(64, 0xF7), sanitize=False)
    check("v_mov_b32_e32 v2, 0\nv_cmpx_lt_u32_e32 vcc, 9, v0\nv_mov_b32_e32 v2, 1\ns_mov_b64 exec, -1", WORDS, LANE > 9, sanitize=False)


def test_lane_reads_and_writes_ignore_exec() -> None:
    body = "v_mov_b32_e32 v2, 0\ns_mov_b64 exec, 1\ns_nop 4\nv_readlane_b32 s8, v1, 40\ns_nop 4\nv_writelane_b32 v2, s8, 33\ns_mov_b64 exec, -1"
    check(body, WORDS, np.where(LANE == 33, WORDS[40], 0))
    body = "s_mov_b64 exec, 0xff00\ns_nop 4\nv_readfirstlane_b32 s8, v1\ns_mov_b64 exec, -1\ns_nop 4\nv_mov_b32_e32 v2, s8"
    check(body, WORDS, np.full(64, WORDS[8]))


def test_swizzle_patterns() -> None:
    for pattern, source in (
        ("swizzle(SWAP,16)", LANE ^ 16),
        ("swizzle(REVERSE,8)", LANE ^ 7),
        ("swizzle(BROADCAST,8,3)", LANE & ~7 | 3),
        ("swizzle(QUAD_PERM,2,3,0,0)", LANE & ~3 | np.array([2, 3, 0, 0])[LANE & 3]),
    ):
        check(f"ds_swizzle_b32 v2, v1 offset:{pattern}\ns_waitcnt lgkmcnt(0)", WORDS, WORDS[source])


def test_lds_permutations() -> None:
    body = "v_lshlrev_b32_e32 v3, 2, v1\nds_permute_b32 v2, v3, v0\ns_waitcnt lgkmcnt(0)"
    target = np.random.default_rng(5).permutation(64).astype(np.uint32)
    check(body, target, np.argsort(target))
    colliding = np.zeros(64, np.uint32)
    check(body, colliding, np.where(LANE == 0, 63, 0))


SUB_DWORD = """
v_lshlrev_b32_e32 v3, 2, v0
ds_write_b32 v3, v1
s_waitcnt lgkmcnt(0)
v_mov_b32_e32 v2, -1
{load}
s_waitcnt lgkmcnt(0)
"""


@pytest.mark.parametrize(
    ("load", "expected"),
    [
        ("ds_read_u8 v2, v3 offset:1", WORDS >> 8 & 255),
        ("ds_read_i8 v2, v3 offset:3", (WORDS >> 24).astype(np.uint8).view(np.int8).astype(np.int32)),
        ("ds_read_u16 v2, v3 offset:2", WORDS >> 16),
        ("ds_read_i16 v2, v3", WORDS.astype(np.uint16).view(np.int16).astype(np.int32)),
        ("ds_read_u8_d16 v2, v3", WORDS & 255 | 0xFFFF0000),
        ("ds_read_u8_d16_hi v2, v3", (WORDS & 255) << 16 | 0xFFFF),
        ("ds_read_u16_d16_hi v2, v3", WORDS << 16 | 0xFFFF),
    ],
)
def test_sub_dword_loads(load: str, expected: Array) -> None:
    check(SUB_DWORD.format(load=load), WORDS, expected, lds_bytes=256)


def test_lds_pairs_and_wide_accesses() -> None:
    body = """
    v_lshlrev_b32_e32 v3, 2, v0
    ds_write_b32 v3, v1
    ds_write_b32 v3, v0 offset:256
    s_waitcnt lgkmcnt(0)
    ds_read2st64_b32 v[4:5], v3 offset1:1
    s_waitcnt lgkmcnt(0)
    v_add_u32_e32 v2, v4, v5
    """
    check(body, WORDS, WORDS + LANE.astype(np.uint32), lds_bytes=512)
    wide = """
    v_lshlrev_b32_e32 v3, 4, v0
    v_mov_b32_e32 v4, v1
    v_mov_b32_e32 v5, 1
    v_mov_b32_e32 v6, 2
    v_mov_b32_e32 v7, v0
    ds_write_b128 v3, v[4:7]
    s_waitcnt lgkmcnt(0)
    ds_read_b96 v[12:14], v3 offset:4
    s_waitcnt lgkmcnt(0)
    v_add3_u32 v2, v12, v13, v14
    """
    check(wide, WORDS, LANE + 3, lds_bytes=1024)


def test_lds_returns_the_value_before() -> None:
    body = "v_mov_b32_e32 v3, 0\nv_mov_b32_e32 v4, 0\nds_write_b32 v3, v4\ns_waitcnt lgkmcnt(0)\nds_add_rtn_u32 v2, v3, v1\ns_waitcnt lgkmcnt(0)"
    check(body, WORDS, np.cumsum(WORDS, dtype=np.uint32) - WORDS, lds_bytes=4)
    body = "v_mov_b32_e32 v3, 0\nds_write_b32 v3, v3\nv_mov_b32_e32 v4, 2\ns_waitcnt lgkmcnt(0)\nds_inc_rtn_u32 v2, v3, v4\ns_waitcnt lgkmcnt(0)"
    check(body, WORDS, LANE % 3, lds_bytes=4)


def test_scratch_belongs_to_each_lane() -> None:
    body = """
    scratch_store_dword off, v1, off offset:8
    v_mov_b32_e32 v3, 4
    s_mov_b32 s8, 4
    s_waitcnt vmcnt(0)
    scratch_load_dword v2, v3, s8
    s_waitcnt vmcnt(0)
    """
    check(body, WORDS, WORDS, scratch_bytes=16)


def test_buffer_accesses_out_of_range_read_zero() -> None:
    body = """
    s_mov_b32 s8, s4
    s_and_b32 s9, s5, 0xffff
    s_mov_b32 s10, 128
    s_mov_b32 s11, 0x27000
    v_mov_b32_e32 v2, 3
    buffer_load_dword v2, v10, s[8:11], 0 offen
    s_waitcnt vmcnt(0)
    """
    check(body, WORDS, np.where(LANE < 32, WORDS, 0))


def test_64_bit_memory_addresses_and_negative_offsets() -> None:
    body = """
    v_mov_b32_e32 v4, s4
    v_mov_b32_e32 v5, s5
    v_add_co_u32_e32 v4, vcc, v4, v10
    s_nop 1
    v_addc_co_u32_e32 v5, vcc, 0, v5, vcc
    v_add_co_u32_e32 v4, vcc, 16, v4
    s_nop 1
    v_addc_co_u32_e32 v5, vcc, 0, v5, vcc
    global_load_dword v2, v[4:5], off offset:-16
    s_waitcnt vmcnt(0)
    """
    check(body, WORDS, WORDS)


def test_flat_accesses_reach_lds_and_memory() -> None:
    body = """
    ds_write_b32 v10, v0
    s_waitcnt lgkmcnt(0)
    s_mov_b64 s[8:9], src_shared_base
    v_mov_b32_e32 v4, v10
    v_mov_b32_e32 v5, s9
    flat_load_dword v6, v[4:5]
    s_waitcnt vmcnt(0) lgkmcnt(0)
    v_add_u32_e32 v2, v6, v1
    """
    check(body, WORDS, WORDS + LANE.astype(np.uint32), lds_bytes=256)


def test_lds_dma() -> None:
    body = """
    s_mov_b32 m0, 0
    s_nop 0
    global_load_lds_dword v10, s[4:5] offset:0
    s_waitcnt vmcnt(0)
    ds_read_b32 v2, v10
    s_waitcnt lgkmcnt(0)
    """
    check(body, WORDS, WORDS, lds_bytes=256)


def test_lanes_leave_a_loop_when_their_data_says_so() -> None:
    body = """
    v_and_b32_e32 v3, 15, v1
    v_mov_b32_e32 v2, 0
    s_mov_b64 s[8:9], exec
    loop:
    v_add_u32_e32 v2, 1, v2
    v_cmp_lt_u32_e32 vcc, v2, v3
    s_and_b64 exec, exec, vcc
    s_cbranch_execnz loop
    s_mov_b64 exec, s[8:9]
    """
    check(body, WORDS, np.maximum(WORDS & 15, 1))


def test_waves_go_apart_and_meet_again() -> None:
    body = """
    v_readfirstlane_b32 s8, v0
    s_lshr_b32 s8, s8, 6
    s_mov_b32 s9, 0
    loop:
    s_add_u32 s9, s9, 3
    s_cmp_eq_u32 s8, 0
    s_cbranch_scc1 out
    s_sub_u32 s8, s8, 1
    s_branch loop
    out:
    v_mov_b32_e32 v2, s9
    """
    got = out_of(body, np.zeros(512, np.uint32), waves=8)
    np.testing.assert_array_equal(got, np.repeat((np.arange(8) + 1) * 3, 64).astype(np.uint32))


def test_partial_waves_and_many_workgroups() -> None:
    text = BEGIN + "s_mul_i32 s8, s2, 400\nv_add_u32_e32 v11, s8, v10\nv_mov_b32_e32 v2, s2\nglobal_store_dword v11, v2, s[6:7]\ns_endpgm\n"
    data, result = np.zeros(100, np.uint32), np.zeros(100 * 300, np.uint32)
    got = launch(text, [data, result], grid=300, block=100, sanitize=True)[1]
    np.testing.assert_array_equal(got, np.repeat(np.arange(300), 100))


def test_mode_rounds_and_flushes() -> None:
    third = np.full(64, 1 / 3, np.float32)
    up = "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 1\ns_nop 1\nv_mul_f32_e32 v2, v1, v1"
    nearest = np.float32(np.float64(third[0]) ** 2)
    expected = nearest if nearest >= np.float64(third[0]) ** 2 else np.nextafter(nearest, np.float32(1))
    check(up, third, np.full(64, expected))
    tiny = np.full(64, 1e-40, np.float32)
    check("v_add_f32_e32 v2, v1, v1", tiny, tiny + tiny)
    check("v_add_f32_e32 v2, v1, v1", tiny, np.zeros(64), mode=0x3C0)
    flush = "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0\ns_nop 1\nv_add_f32_e32 v2, v1, v1"
    check(flush, tiny, np.zeros(64))
    check("s_getreg_b32 s8, hwreg(HW_REG_MODE, 4, 4)\nv_mov_b32_e32 v2, s8", WORDS, np.full(64, 15), mode=0x3F0)


def test_approximation_reaches_the_functions() -> None:
    x = np.abs(FLOATS) + 1
    results = [launch(BEGIN + "v_rcp_f32_e32 v2, v1" + END, [x, x], settings=Settings(approximation))[1] for approximation in Approximation]
    nearest, low, high = results
    np.testing.assert_array_equal(low, np.nextafter(nearest, np.float32(0)))
    np.testing.assert_array_equal(high, np.nextafter(nearest, np.float32(9)))


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        ("loop:\ns_branch loop", "EMU011", "does the kernel end?"),
        ("s_branch nowhere", "EMU014", "nowhere"),
        ("v_mov_b32_e32 v60, v1", "EMU003", "beyond the VGPRs"),
        ("s_getreg_b32 s8, hwreg(HW_REG_HW_ID)", "EMU002", "hardware register 4 is not modelled"),
        ("s_trap 2\ns_getreg_b32 s8, hwreg(HW_REG_HW_ID)", "EMU019", "the program stops itself, by s_trap"),
        ("s_sethalt 0\ns_sethalt 1", "EMU019", "by s_sethalt"),
        ("s_sendmsghalt sendmsg(MSG_INTERRUPT)", "EMU019", "by s_sendmsghalt"),
        ("global_load_dword v2, v10, s[4:5] offset:256", "EMU020", "out of bounds: argument 0 (in) has 256 bytes, and this is byte 256"),
        ("s_mov_b64 s[4:5], 0\nglobal_load_dword v2, v10, s[4:5]", "EMU020", "a null pointer, wanted an address inside of argument 0 (in)"),
        ("global_store_dword v10, v1, s[0:1]", "EMU020", "read-only"),
        ("ds_read_b32 v2, v10", "EMU020", "LDS has 16 bytes"),
    ],
)
def test_faults_name_the_instruction_and_its_line(body: str, code: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        out_of(body, WORDS, sanitize=False, lds_bytes=16, settings=Settings(step_limit=1000))
    assert caught.value.code == code
    assert words in str(caught.value)
    assert str(caught.value).startswith("test.s:")


def test_a_program_without_an_end() -> None:
    with pytest.raises(InputError) as caught:
        launch(BEGIN, [WORDS, WORDS])
    assert caught.value.code == "EMU012"


def test_a_barrier_that_not_every_wave_reaches() -> None:
    text = "v_readfirstlane_b32 s8, v0\ns_cmp_eq_u32 s8, 0\ns_cbranch_scc1 skip\ns_barrier\nskip:\ns_barrier\ns_endpgm\n"
    with pytest.raises(InputError) as caught:
        endless = "v_readfirstlane_b32 s8, v0\ns_cmp_eq_u32 s8, 0\nloop:\ns_cbranch_scc1 loop\ns_barrier\ns_endpgm\n"
        launch(endless, [WORDS, WORDS], block=128, settings=Settings(step_limit=1000))
    assert caught.value.code == "EMU011"
    launch(text, [WORDS, WORDS], block=128)


def test_constants_of_packed_words() -> None:
    """What clang writes: a splat by op_sel_hi, a zero in both words, a pair of equal words by v_pk_mov_b32."""
    begin = "v_mov_b32_e32 v4, v1\nv_mul_f32_e32 v5, 2.0, v1\n"
    end = "\ns_nop 0\nv_add_f32_e32 v2, v2, v3"
    check(f"{begin}v_pk_add_f32 v[2:3], v[4:5], 0 neg_lo:[1,1] neg_hi:[1,1]{end}", FLOATS, -FLOATS - 2 * FLOATS)
    check(f"{begin}v_pk_mov_b32 v[2:3], 1.0, 1.0{end}", FLOATS, FLOATS * 0 + 2)
    check(f"{begin}v_pk_mov_b32 v[2:3], v[4:5], -4.0 op_sel:[1,0]{end}", FLOATS, FLOATS * 2 - 4)
    for undefined in ("v_pk_mul_f32 v[2:3], v[4:5], 2.0", "v_pk_mov_b32 v[2:3], v[4:5], 2.0 op_sel:[0,1]"):
        with pytest.raises(InputError, match="upper word of a constant"):
            check(f"{begin}{undefined}", FLOATS, FLOATS)


def test_a_byte_of_a_destination_that_keeps_the_others() -> None:
    start = "v_mov_b32_e32 v2, 0x11223344\nv_cvt_pkaccum_u8_f32 v2, v1, "
    for position in range(4):
        kept = np.uint32(0x11223344 & ~(255 << 8 * position))
        body = f"v_mul_f32_e32 v1, 0x42c80000, v1\n{start}{position}"
        byte = np.clip(np.rint(FLOATS * np.float32(100)), 0, 255).astype(np.uint32)
        check(body, FLOATS.view(np.uint32), kept | byte << np.uint32(8 * position))


@pytest.mark.parametrize(
    ("instruction", "wanted"),
    [
        ("v_cvt_flr_i32_f32_e32 v2, v1", (0, 0, 0)),
        ("v_cvt_rpi_i32_f32_e32 v2, v1", (0, 0, 0)),
        ("v_max_f32_e64 v2, v1, v1 clamp", (0, 0, 0)),
        ("v_med3_f32 v2, v1, 0, 1.0", (0, 0, 0)),  # LLVM puts the clamp in its place
    ],
)
def test_what_becomes_of_minus_zero_and_nan_where_no_manual_says(instruction: str, wanted: tuple[int, ...]) -> None:
    """docs/semantics.md: -0, a quiet NaN and a signalling NaN."""
    given = np.array([0x80000000, 0x7FC00000, 0x7F800005] + [0] * 61, np.uint32)
    assert tuple(out_of(instruction, given)[:3]) == wanted


@pytest.mark.parametrize("destination", ["v0", "v2"])
def test_an_atomic_gives_the_old_value_to_any_register(destination: str) -> None:
    """The first register of the file is one like others."""
    body = f"v_mov_b32_e32 v0, 3\nglobal_atomic_add {destination}, v10, v0, s[4:5] sc0\ns_waitcnt vmcnt(0)\nv_mov_b32_e32 v2, {destination}\n"
    x = np.arange(64, dtype=np.uint32) * 7
    changed, old = launch(BEGIN + body + END, [x.copy(), np.zeros_like(x)])
    np.testing.assert_array_equal(old, x)
    np.testing.assert_array_equal(changed, x + 3)


@pytest.mark.parametrize(("stride", "records"), [(0, 16), (8, 2)])
def test_a_scalar_load_of_a_buffer_gives_zero_for_what_is_outside(stride: int, records: int) -> None:
    """CDNA3 ISA, scalar buffer loads: the range is num_records bytes, times the stride if it has a stride,
    dword by dword."""
    body = f"""
s_mov_b32 s8, s4
s_and_b32 s9, s5, 0xffff
s_or_b32 s9, s9, {stride << 16:#x}
s_mov_b32 s10, {records}
s_mov_b32 s11, 0
v_mov_b32_e32 v2, 9
s_buffer_load_dwordx4 s[12:15], s[8:11], 0x4
s_buffer_load_dword s16, s[8:11], 0x10
s_waitcnt lgkmcnt(0)
""" + "".join(f"v_writelane_b32 v2, s{12 + i}, {i}\n" for i in range(5))
    (found,) = launch(BEGIN + body + END, [WORDS.copy(), np.zeros_like(WORDS)])[1:]
    np.testing.assert_array_equal(found[:6], [*WORDS[1:4], 0, 0, 9])


@pytest.mark.parametrize("instruction", ["s_memtime", "s_memrealtime"])
def test_time_goes_on_between_two_readings(instruction: str) -> None:
    """64 bits, all of which are written."""
    body = f"""
s_mov_b64 s[8:9], -1
s_mov_b64 s[10:11], -1
{instruction} s[8:9]
{instruction} s[10:11]
s_waitcnt lgkmcnt(0)
v_mov_b32_e32 v2, s9
v_writelane_b32 v2, s8, 1
v_writelane_b32 v2, s10, 2
v_writelane_b32 v2, s11, 3
"""
    found = [int(word) for word in out_of(body, WORDS)[:4]]
    assert 0 < (found[0] << 32) + found[1] < (found[3] << 32) + found[2] < 1 << 32
