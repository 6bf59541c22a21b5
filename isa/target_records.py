"""A record for each gfx number, so that no pass tests a target's name.

Each record is written out in full: a line is true of its own target and of no other.
"""

from __future__ import annotations

from isa import dpp
from isa.instruction import Event
from isa.lds_banks import CDNA2_LDS, CDNA3_LDS, CDNA4_LDS, RDNA3_LDS, RDNA4_LDS
from isa.target import (
    AgentOrder,
    CacheOperation,
    Counter,
    LaneMove,
    MemoryOrder,
    OfScopes,
    ReductionStep,
    ScanStep,
    Target,
)

_CDNA_COUNTERS = (
    Counter(
        "vmcnt", 63, frozenset({Event.VMEM_LOAD, Event.VMEM_STORE}), overwrites_in_order=True,
        ignores_caches=True,
    ),
    Counter("expcnt", 7, frozenset({Event.EXPORT})),
    Counter(
        "lgkmcnt", 15, frozenset({Event.LDS, Event.FLAT_LDS, Event.SMEM_LOAD, Event.MESSAGE}),
        frozenset({Event.SMEM_LOAD, Event.FLAT_LDS, Event.MESSAGE}),
    ),
)  # fmt: skip
# A flat access counts for memory and for LDS at once; from gfx10 on it keeps the order of each.
_RDNA3_COUNTERS = (
    Counter("vmcnt", 63, frozenset({Event.VMEM_LOAD}), overwrites_in_order=True),
    Counter("expcnt", 7, frozenset({Event.EXPORT})),
    Counter(
        "lgkmcnt", 63, frozenset({Event.LDS, Event.FLAT_LDS, Event.SMEM_LOAD, Event.MESSAGE}),
        frozenset({Event.SMEM_LOAD, Event.MESSAGE}),
    ),
    Counter("vscnt", 63, frozenset({Event.VMEM_STORE}), wait="s_waitcnt_vscnt"),
)  # fmt: skip
# Loads of the same kind may write VGPRs out of order here although they count down in order, so overwriting
# needs a wait.
_RDNA4_COUNTERS = (
    Counter("loadcnt", 63, frozenset({Event.VMEM_LOAD}), wait="s_wait_loadcnt"),
    Counter("samplecnt", 63, frozenset(), wait="s_wait_samplecnt"),
    Counter("bvhcnt", 7, frozenset(), wait="s_wait_bvhcnt"),
    Counter("storecnt", 63, frozenset({Event.VMEM_STORE}), wait="s_wait_storecnt"),
    Counter("dscnt", 63, frozenset({Event.LDS, Event.FLAT_LDS}), wait="s_wait_dscnt"),
    Counter("expcnt", 7, frozenset({Event.EXPORT}), wait="s_wait_expcnt"),
    Counter(
        "kmcnt", 31, frozenset({Event.SMEM_LOAD, Event.MESSAGE}), frozenset({Event.SMEM_LOAD, Event.MESSAGE}),
        wait="s_wait_kmcnt",
    ),
)  # fmt: skip

# Round to nearest even, keep denormals, clamp NaN to 0. Without IEEE mode a signalling NaN loses in max and
# min, as a quiet NaN does; with it, v_max_f32 of a signalling NaN and a number is NaN.
_CDNA_DESCRIPTOR = (
    ("float_round_mode_32", 0),
    ("float_round_mode_16_64", 0),
    ("float_denorm_mode_32", 3),
    ("float_denorm_mode_16_64", 3),
    ("dx10_clamp", 1),
    ("ieee_mode", 0),
    ("tg_split", 0),
)

_RDNA4_DESCRIPTOR = (
    *_CDNA_DESCRIPTOR[:4], ("workgroup_processor_mode", 1), ("memory_ordered", 1), ("forward_progress", 1),
)  # fmt: skip
_RDNA3_DESCRIPTOR = (*_RDNA4_DESCRIPTOR, ("dx10_clamp", 1), ("ieee_mode", 0))

# Exchange with the neighbour, the neighbouring pair, the mirrored half row and row; then the last lane of a
# row and of two, or the other row and the other half of the wave.
_ROW_REDUCTION = (
    ReductionStep(1, dpp.quad_perm(1, 0, 3, 2)), ReductionStep(2, dpp.quad_perm(2, 3, 0, 1)),
    ReductionStep(4, dpp.control("row_half_mirror")), ReductionStep(8, dpp.control("row_mirror")),
)  # fmt: skip
_ROW_EXCHANGES = {
    **{mask: dpp.quad_perm(*[lane ^ mask for lane in range(4)]) for mask in (1, 2, 3)},
    7: dpp.control("row_half_mirror"), 8: dpp.control("row_ror", 8), 15: dpp.control("row_mirror"),
}  # fmt: skip
_CDNA_EXCHANGES = tuple([_ROW_EXCHANGES.get(mask, 0) for mask in range(16)])
_RDNA_EXCHANGES = (0, *[dpp.control("row_xmask", mask) for mask in range(1, 16)])
_CDNA_REDUCTION = (
    *_ROW_REDUCTION,
    ReductionStep(16, dpp.control("row_bcast", 15)),
    ReductionStep(32, dpp.control("row_bcast", 31)),
)
_LONGEST_CLAUSE = 32  # LLVM 22.1's for gfx11 and later; the instruction could say 64
_RDNA_REDUCTION = (
    *_ROW_REDUCTION,
    ReductionStep(16, exchange="v_permlanex16_b32", form="bound"),
    ReductionStep(32, exchange="v_permlane64_b32"),
)


def _row_scan(control: str) -> tuple[ScanStep, ...]:
    """Within rows, by shifts."""
    return tuple([ScanStep(n, (LaneMove(0xF, dpp.control(control, n)),)) for n in (1, 2, 4, 8)])


_CDNA_SCAN = (
    (
        *_row_scan("row_shr"),
        ScanStep(16, (LaneMove(0xA, dpp.control("row_bcast", 15)),)),
        ScanStep(32, (LaneMove(0xC, dpp.control("row_bcast", 31)),)),
    ),
    (
        *_row_scan("row_shl"),
        ScanStep(16, (LaneMove(0x1, lane=16), LaneMove(0x4, lane=48))),
        ScanStep(32, (LaneMove(0x3, lane=32),)),
    ),
)
_RDNA_SCAN = (
    (
        *_row_scan("row_shr"),
        ScanStep(16, (LaneMove(0xA, exchange="v_permlanex16_b32", form="bound", selector=0xFFFFFFFF),)),
        ScanStep(32, (LaneMove(0xC, lane=31),)),
    ),
    (
        *_row_scan("row_shl"),
        ScanStep(16, (LaneMove(0x5, exchange="v_permlanex16_b32", form="bound", selector=0),)),
        ScanStep(32, (LaneMove(0x3, lane=32),)),
    ),
)

# CDNA: the waves of a workgroup are on one compute unit. Its cache keeps the order of their accesses, since
# `tg_split` is off above. RDNA: in workgroup processor mode, which is on above, they are on two units, each
# with a cache of its own, through which stores go to memory.
_VECTOR_MEMORY = frozenset({Event.VMEM_LOAD, Event.VMEM_STORE})
_RDNA3_ORDER = MemoryOrder(_VECTOR_MEMORY, "buffer_gl0_inv")
_RDNA4_ORDER = MemoryOrder(_VECTOR_MEMORY, "global_inv", (("scope", 1),))  # SCOPE_SE
_GLC, _BY_SC = (("glc", 1),), OfScopes((("sc0", 1),), (("sc1", 1),))
_CDNA2_AGENT = AgentOrder((), (CacheOperation("buffer_wbinvl1_vol"),), OfScopes((), _GLC), OfScopes())
_CDNA3_AGENT = AgentOrder(
    (CacheOperation("buffer_wbl2", (("sc1", 1),)),),
    (CacheOperation("buffer_inv", (("sc1", 1),)),),
    _BY_SC,
    _BY_SC,
)
_RDNA3_AGENT = AgentOrder(
    (), (CacheOperation("buffer_gl1_inv"), CacheOperation("buffer_gl0_inv")), OfScopes(_GLC, _GLC), OfScopes()
)
_SCOPE_DEV = (("scope", 2),)
_BY_SCOPE = OfScopes((("scope", 1),), _SCOPE_DEV)
_RDNA4_AGENT = AgentOrder(
    (CacheOperation("global_wb", _SCOPE_DEV),),
    (CacheOperation("global_inv", _SCOPE_DEV),),
    _BY_SCOPE,
    _BY_SCOPE,
    ("scope", 1, 2),
)

# DATA_FORMAT 32, NUM_FORMAT float: the flags that MLIR's AMDGPUToROCDL gives raw buffers on gfx9
_RAW_BYTES = 4 << 15 | 7 << 12


GFX90A = Target(
    name="gfx90a",
    family="cdna",
    generation="cdna2",
    wave_size=64,
    wave_sizes=(64,),
    features=("sramecc", "xnack"),
    vgpr_budget=512,
    vgpr_file=512,
    arch_vgprs=256,
    vgpr_granule=8,
    vgpr_alignment=2,
    has_agprs=True,
    sgprs=102,
    sgpr_file=800,
    sgpr_granule=16,
    max_waves=8,
    products="MI200",
    compute_units=110,  # of a die of an MI250X
    simds=4,
    units=110,
    spread_by="tg_split",
    lds_bytes=65536,
    lds_file=65536,
    lds_granule=512,
    max_workgroup=1024,
    user_sgprs=16,
    initial_sgprs=0,
    preload=True,
    slow_f64=False,
    packed_f32=True,
    packed_workitem_id=True,
    shift_reads_last_vgpr=False,
    workgroup_ids_in_ttmp=False,
    architected_scratch=False,
    bounds_in_resource=False,
    wave_wide_bpermute=True,
    lds_copy_bytes=(4,),
    raw_resource=_RAW_BYTES,
    memory_sums_flush=True,
    counters=_CDNA_COUNTERS,
    elf_machine_flag=0x3F,
    reserved_sgprs=6,
    descriptor=_CDNA_DESCRIPTOR,
    vector_memory_bytes=8,
    most_prefetched=0,
    pad_word=0xBF800000,
    pad_words=256,
    pad_alignment=64,
    combined_waits=(),
    has_delay_alu=False,
    rewritten_sgprs_wait=False,
    last_cache_bytes=8 << 20,
    stream_stores=(("glc", 1), ("slc", 1)),
    longest_clause=0,
    deallocates_vgprs=False,
    reduction_steps=_CDNA_REDUCTION,
    scan_steps=_CDNA_SCAN,
    row_exchanges=_CDNA_EXCHANGES,
    rows_exchange="",
    wave_shifts=(dpp.control("wave_shr", 1), dpp.control("wave_shl", 1)),
    matrix_banks=0,
    workgroup_order=None,
    agent_order=_CDNA2_AGENT,
    lds_accesses=CDNA2_LDS,
)

GFX942 = Target(
    name="gfx942",
    family="cdna",
    generation="cdna3",
    wave_size=64,
    wave_sizes=(64,),
    features=("sramecc", "xnack"),
    vgpr_budget=512,
    vgpr_file=512,
    arch_vgprs=256,
    vgpr_granule=8,
    vgpr_alignment=2,
    has_agprs=True,
    sgprs=102,
    sgpr_file=800,
    sgpr_granule=16,
    max_waves=8,
    products="MI300",
    compute_units=304,  # of an MI300X
    simds=4,
    units=304,
    spread_by="tg_split",
    lds_bytes=65536,
    lds_file=65536,
    lds_granule=512,
    max_workgroup=1024,
    user_sgprs=16,
    initial_sgprs=0,
    preload=True,
    slow_f64=False,
    packed_f32=True,
    packed_workitem_id=True,
    shift_reads_last_vgpr=True,
    workgroup_ids_in_ttmp=False,
    architected_scratch=True,
    bounds_in_resource=False,
    wave_wide_bpermute=True,
    lds_copy_bytes=(4,),
    raw_resource=_RAW_BYTES,
    memory_sums_flush=False,
    counters=_CDNA_COUNTERS,
    elf_machine_flag=0x4C,
    reserved_sgprs=6,
    descriptor=_CDNA_DESCRIPTOR,
    vector_memory_bytes=8,
    most_prefetched=0,
    pad_word=0xBF800000,
    pad_words=256,
    pad_alignment=64,
    combined_waits=(),
    has_delay_alu=False,
    rewritten_sgprs_wait=False,
    last_cache_bytes=256 << 20,
    stream_stores=(("nt", 1),),
    longest_clause=0,
    deallocates_vgprs=False,
    reduction_steps=_CDNA_REDUCTION,
    scan_steps=_CDNA_SCAN,
    row_exchanges=_CDNA_EXCHANGES,
    rows_exchange="",
    wave_shifts=(dpp.control("wave_shr", 1), dpp.control("wave_shl", 1)),
    matrix_banks=0,
    workgroup_order=None,
    agent_order=_CDNA3_AGENT,
    lds_accesses=CDNA3_LDS,
)

GFX950 = Target(
    name="gfx950",
    family="cdna",
    generation="cdna4",
    wave_size=64,
    wave_sizes=(64,),
    features=("sramecc", "xnack"),
    vgpr_budget=512,
    vgpr_file=512,
    arch_vgprs=256,
    vgpr_granule=8,
    vgpr_alignment=2,
    has_agprs=True,
    sgprs=102,
    sgpr_file=800,
    sgpr_granule=16,
    max_waves=8,
    products="MI350",
    compute_units=256,  # of an MI355X
    simds=4,
    units=256,
    spread_by="tg_split",
    lds_bytes=163840,
    lds_file=163840,
    lds_granule=1280,
    max_workgroup=1024,
    user_sgprs=16,
    initial_sgprs=0,
    preload=True,
    slow_f64=False,
    packed_f32=True,
    packed_workitem_id=True,
    shift_reads_last_vgpr=True,
    workgroup_ids_in_ttmp=False,
    architected_scratch=True,
    bounds_in_resource=False,
    wave_wide_bpermute=True,
    lds_copy_bytes=(4, 12, 16),
    raw_resource=_RAW_BYTES,
    memory_sums_flush=False,
    counters=_CDNA_COUNTERS,
    elf_machine_flag=0x4F,
    reserved_sgprs=6,
    descriptor=_CDNA_DESCRIPTOR,
    vector_memory_bytes=8,
    most_prefetched=0,
    pad_word=0xBF800000,
    pad_words=256,
    pad_alignment=64,
    combined_waits=(),
    has_delay_alu=False,
    rewritten_sgprs_wait=False,
    last_cache_bytes=256 << 20,
    stream_stores=(("nt", 1),),
    longest_clause=0,
    deallocates_vgprs=False,
    reduction_steps=_CDNA_REDUCTION,
    scan_steps=_CDNA_SCAN,
    row_exchanges=_CDNA_EXCHANGES,
    rows_exchange="",
    wave_shifts=(dpp.control("wave_shr", 1), dpp.control("wave_shl", 1)),
    matrix_banks=0,
    workgroup_order=None,
    agent_order=_CDNA3_AGENT,
    lds_accesses=CDNA4_LDS,
)

# A wave's SGPRs are never short on RDNA: every wave has all of them. The descriptor puts workgroups on a
# workgroup processor, two compute units with the LDS of both. LDS is given in the granules of Mesa's
# ac_gpu_info (lds_alloc_granularity from gfx10.3 on).
GFX1100 = Target(
    name="gfx1100",
    family="rdna",
    generation="rdna3",
    wave_size=32,
    wave_sizes=(32, 64),
    features=(),
    vgpr_budget=256,
    vgpr_file=1536,
    arch_vgprs=256,
    vgpr_granule=24,
    vgpr_alignment=1,
    has_agprs=False,
    sgprs=106,
    sgpr_file=2048,
    sgpr_granule=128,
    max_waves=16,
    products="RX 7900",
    compute_units=96,  # of an RX 7900 XTX
    simds=4,
    units=48,
    spread_by="workgroup_processor_mode",
    lds_bytes=65536,
    lds_file=131072,
    lds_granule=1024,
    max_workgroup=1024,
    user_sgprs=16,
    initial_sgprs=16,
    preload=False,
    slow_f64=True,
    packed_f32=False,
    packed_workitem_id=True,
    shift_reads_last_vgpr=True,
    workgroup_ids_in_ttmp=False,
    architected_scratch=True,
    bounds_in_resource=True,
    wave_wide_bpermute=False,
    lds_copy_bytes=(),
    raw_resource=0,
    memory_sums_flush=False,
    counters=_RDNA3_COUNTERS,
    elf_machine_flag=0x41,
    reserved_sgprs=2,
    descriptor=_RDNA3_DESCRIPTOR,
    vector_memory_bytes=8,
    most_prefetched=63,
    pad_word=0xBF9F0000,
    pad_words=96,
    pad_alignment=128,
    combined_waits=(),
    has_delay_alu=True,
    rewritten_sgprs_wait=False,
    last_cache_bytes=96 << 20,
    stream_stores=(("glc", 1), ("slc", 1), ("dlc", 1)),
    longest_clause=_LONGEST_CLAUSE,
    deallocates_vgprs=True,
    reduction_steps=_RDNA_REDUCTION,
    scan_steps=_RDNA_SCAN,
    row_exchanges=_RDNA_EXCHANGES,
    rows_exchange="v_permlanex16_b32",
    wave_shifts=(0, 0),
    matrix_banks=4,
    workgroup_order=_RDNA3_ORDER,
    agent_order=_RDNA3_AGENT,
    lds_accesses=RDNA3_LDS,
)

GFX1201 = Target(
    name="gfx1201",
    family="rdna",
    generation="rdna4",
    wave_size=32,
    wave_sizes=(32, 64),
    features=(),
    vgpr_budget=256,
    vgpr_file=1536,
    arch_vgprs=256,
    vgpr_granule=24,
    vgpr_alignment=1,
    has_agprs=False,
    sgprs=106,
    sgpr_file=2048,
    sgpr_granule=128,
    max_waves=16,
    products="RX 9070",
    compute_units=64,  # of an RX 9070 XT
    simds=4,
    units=32,
    spread_by="workgroup_processor_mode",
    lds_bytes=65536,
    lds_file=131072,
    lds_granule=1024,
    max_workgroup=1024,
    user_sgprs=16,
    initial_sgprs=0,
    preload=False,
    slow_f64=True,
    packed_f32=False,
    packed_workitem_id=True,
    shift_reads_last_vgpr=True,
    workgroup_ids_in_ttmp=True,
    architected_scratch=True,
    bounds_in_resource=True,
    wave_wide_bpermute=True,
    lds_copy_bytes=(),
    raw_resource=0,
    memory_sums_flush=False,
    counters=_RDNA4_COUNTERS,
    elf_machine_flag=0x4E,
    reserved_sgprs=2,
    descriptor=_RDNA4_DESCRIPTOR,
    vector_memory_bytes=12,
    most_prefetched=255,
    pad_word=0xBF9F0000,
    pad_words=96,
    pad_alignment=128,
    combined_waits=("s_wait_loadcnt_dscnt", "s_wait_storecnt_dscnt"),
    has_delay_alu=True,
    rewritten_sgprs_wait=True,
    last_cache_bytes=64 << 20,
    stream_stores=(("th", 1),),  # TH_STORE_NT
    longest_clause=_LONGEST_CLAUSE,
    deallocates_vgprs=True,
    reduction_steps=_RDNA_REDUCTION,
    scan_steps=_RDNA_SCAN,
    row_exchanges=_RDNA_EXCHANGES,
    rows_exchange="v_permlanex16_b32",
    wave_shifts=(0, 0),
    matrix_banks=4,
    workgroup_order=_RDNA4_ORDER,
    agent_order=_RDNA4_AGENT,
    lds_accesses=RDNA4_LDS,
)


RECORDS = (GFX90A, GFX942, GFX950, GFX1100, GFX1201)
