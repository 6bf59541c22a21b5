"""One record per gfx number: the machine's ways, so that no pass has to know a target by name."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from isa import dpp
from isa.diagnostics import InputError, Place, close_names
from isa.instruction import Event
from isa.lds_banks import CDNA3_LDS, CDNA4_LDS, RDNA3_LDS, RDNA4_LDS, LdsAccess


class Counter(NamedTuple):
    """One wait counter: how far it counts, which events it counts, and whether they come back in order.

    `name` is that of the operand or modifier by which a row waits for it; `wait` is the operation that does:
    s_waitcnt, which waits for several, or one of the counter's own.
    """

    name: str
    maximum: int
    events: frozenset[Event]
    # events whose results may overtake others of the same counter
    out_of_order: frozenset[Event] = frozenset()
    overwrites_in_order: bool = False  # a load may overwrite the register of an earlier one without a wait
    # LLVM does not count cache control in it; to count too few under way only waits for more
    ignores_caches: bool = False
    wait: str = "s_waitcnt"


class MemoryOrder(NamedTuple):
    """What orders global memory between the waves of a workgroup at a barrier (LLVM's AMDGPUUsage, memory
    models, fences of the scope workgroup).

    Accesses of the events `released` are done before the barrier. After it the operation `acquire`, with its
    modifiers, has the wave's cache forget what it holds.
    """

    released: frozenset[Event]
    acquire: str
    modifiers: tuple[tuple[str, int], ...] = ()


class ReductionStep(NamedTuple):
    """One step of a reduction over the lanes of a wave: it doubles the lanes that are combined.

    The instruction that combines reads the other lane itself, by a DPP control; or `exchange` is the
    operation that brings the other half's value first, in the form `form`. Both halves hold the same value in
    every lane by then, so that any lane of the other serves.
    """

    combined: int  # lanes so far
    control: int = 0
    exchange: str = ""
    form: str = ""


class Target(NamedTuple):
    """What the stages ask of a target. Sizes are in bytes, registers in 32-bit units."""

    name: str
    family: str  # whose table has its rows: cdna or rdna
    wave_size: int
    wave_sizes: tuple[int, ...]  # those it can run
    features: tuple[str, ...]  # that a target id may turn on and off
    vgpr_budget: int  # VGPRs and AGPRs together that a wave may have
    vgpr_file: int  # of one SIMD, a lane's share of it
    arch_vgprs: int  # addressable VGPRs
    vgpr_granule: int
    vgpr_alignment: int  # of tuples of VGPRs
    has_agprs: bool
    sgprs: int  # addressable, VCC apart
    sgpr_file: int
    sgpr_granule: int
    max_waves: int  # a SIMD's
    simds: int  # that share one LDS
    units: int  # of such SIMDs on the largest product: compute units, of RDNA workgroup processors
    lds_bytes: int  # that a workgroup may have
    lds_file: int  # that those SIMDs share
    lds_granule: int
    max_workgroup: int
    user_sgprs: int
    initial_sgprs: int  # the fewest SGPRs that a launch may ask the hardware to fill, unread ones among them
    preload: bool  # kernel arguments can be preloaded into SGPRs
    packed_workitem_id: bool  # v0 holds x, y and z in 10 bits each
    shift_reads_last_vgpr: bool  # a 64-bit shift by the last allocated VGPR works
    workgroup_ids_in_ttmp: bool  # x in ttmp9, y and z in the halves of ttmp7, in place of SGPRs
    architected_scratch: bool
    bounds_in_resource: bool  # a buffer resource says in its last word how bounds are checked
    wave_wide_bpermute: bool  # ds_bpermute reaches every lane of a wave of 64, not only those of its own half
    counters: tuple[Counter, ...]
    elf_machine_flag: int  # EF_AMDGPU_MACH of the ELF header
    reserved_sgprs: int  # that a wave has next to the numbered ones: VCC, XNACK_MASK, FLAT_SCRATCH
    descriptor: tuple[tuple[str, int], ...]  # directives of the kernel descriptor that hold for every kernel
    vector_memory_bytes: int  # of the encodings of buffer, global, flat and scratch accesses
    most_prefetched: int  # lines of 128 bytes of code that a launch can have fetched ahead, 0 where it cannot
    pad_word: int  # what fills the code after a kernel, where instruction prefetch reads on
    pad_words: int
    pad_alignment: int  # bytes, a cache line of code: where that padding begins
    # the operations that wait for two counters which have a wait of their own each
    combined_waits: tuple[str, ...]
    has_delay_alu: bool  # s_delay_alu spares a dependent instruction its stall
    deallocates_vgprs: bool  # a message gives a wave's VGPRs back while its last stores are under way
    reduction_steps: tuple[ReductionStep, ...]
    # of VGPRs, by number: operands of a matrix instruction are read faster from different ones; 0: any
    matrix_banks: int
    # None where a workgroup's waves share one cache that keeps their order
    workgroup_order: MemoryOrder | None
    lds_accesses: tuple[LdsAccess, ...]  # how those of 4, 8, 12 and 16 bytes a lane are served

    def steps_for(self, lanes: int) -> tuple[ReductionStep, ...]:
        """The steps that combine groups of `lanes` lanes. Up to a row of 16 every lane has the result, then
        the last at least."""
        return tuple(step for step in self.reduction_steps if step.combined < lanes)

    def lds_access(self, size: int, stores: bool) -> LdsAccess:
        """How an LDS access of `size` bytes a lane is served; fewer than 4 are as 4."""
        return next(
            access for access in self.lds_accesses if access.bytes == max(size, 4) and access.stores == stores
        )

    @property
    def reaches_whole_wave(self) -> bool:
        """Whether ds_bpermute reaches every lane of a wave."""
        return self.wave_wide_bpermute or self.wave_size == 32

    def user_sgpr_count(self, read: int, ids: int) -> int:
        """How many user SGPRs a launch fills, of which the kernel reads `read`; it reads `ids` ids of its
        workgroup."""
        return max(read, self.initial_sgprs - (0 if self.workgroup_ids_in_ttmp else ids))

    def occupancy(self, vgprs: int, sgprs: int, lds_bytes: int, threads: int) -> int:
        """Waves a SIMD can hold at once; `vgprs` counts both files, `threads` a workgroup's."""
        waves = min(
            self.max_waves, self.vgpr_file // max(self.vgpr_granule, round_up(vgprs, self.vgpr_granule))
        )
        if sgprs:
            waves = min(waves, self.sgpr_file // round_up(sgprs, self.sgpr_granule))
        return min(waves, self.workgroup_waves(lds_bytes, threads))

    def resident_groups(self, vgprs: int, sgprs: int, lds_bytes: int, threads: int) -> int:
        """Workgroups that the whole machine holds at once, at least one on each of its units."""
        size = round_up(max(threads, 1), self.wave_size) // self.wave_size
        groups = self.occupancy(vgprs, sgprs, 0, 1) * self.simds // size
        if lds_bytes:
            groups = min(groups, self.lds_file // round_up(lds_bytes, self.lds_granule))
        return self.units * max(1, groups)

    def workgroup_waves(self, lds_bytes: int, threads: int) -> int:
        """Waves of the fullest SIMD where as many whole workgroups are resident as the LDS and the places for
        waves allow."""
        size = round_up(max(threads, 1), self.wave_size) // self.wave_size
        groups = self.max_waves * self.simds // size
        if lds_bytes:
            groups = min(groups, self.lds_file // round_up(lds_bytes, self.lds_granule))
        return min(self.max_waves, max(1, round_up(groups * size, self.simds) // self.simds))


def round_up(value: int, granule: int) -> int:
    return -(-value // granule) * granule


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
# Loads of one kind may write VGPRs out of order here although they count down in order, so that overwriting
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

# round to nearest even, denormals kept, NaNs quieted, clamp gives 0 for NaN: what numpy compares with
_CDNA_DESCRIPTOR = (
    ("float_round_mode_32", 0),
    ("float_round_mode_16_64", 0),
    ("float_denorm_mode_32", 3),
    ("float_denorm_mode_16_64", 3),
    ("dx10_clamp", 1),
    ("ieee_mode", 1),
    ("tg_split", 0),
)

_RDNA4_DESCRIPTOR = (
    *_CDNA_DESCRIPTOR[:4], ("workgroup_processor_mode", 1), ("memory_ordered", 1), ("forward_progress", 1),
)  # fmt: skip
_RDNA3_DESCRIPTOR = (*_RDNA4_DESCRIPTOR, ("dx10_clamp", 1), ("ieee_mode", 1))

# Exchange with the neighbour, the neighbouring pair, the mirrored half row and row; then the last lane of a
# row and of two, or the other row and the other half of the wave.
_ROW_REDUCTION = (
    ReductionStep(1, dpp.quad_perm(1, 0, 3, 2)), ReductionStep(2, dpp.quad_perm(2, 3, 0, 1)),
    ReductionStep(4, dpp.control("row_half_mirror")), ReductionStep(8, dpp.control("row_mirror")),
)  # fmt: skip
_CDNA_REDUCTION = (
    *_ROW_REDUCTION,
    ReductionStep(16, dpp.control("row_bcast", 15)),
    ReductionStep(32, dpp.control("row_bcast", 31)),
)
_RDNA_REDUCTION = (
    *_ROW_REDUCTION,
    ReductionStep(16, exchange="v_permlanex16_b32", form="bound"),
    ReductionStep(32, exchange="v_permlane64_b32"),
)

# CDNA: the waves of a workgroup are on one compute unit, whose cache keeps the order of their accesses, since
# `tg_split` is off above. RDNA: in workgroup processor mode, which is on above, they are on two units, each
# with a cache of its own, through which stores go to memory.
_VECTOR_MEMORY = frozenset({Event.VMEM_LOAD, Event.VMEM_STORE})
_RDNA3_ORDER = MemoryOrder(_VECTOR_MEMORY, "buffer_gl0_inv")
_RDNA4_ORDER = MemoryOrder(_VECTOR_MEMORY, "global_inv", (("scope", 1),))  # SCOPE_SE

_CDNA2 = Target(
    name="gfx90a", family="cdna", wave_size=64, wave_sizes=(64,), features=("sramecc", "xnack"),
    vgpr_budget=512, vgpr_file=512, arch_vgprs=256, vgpr_granule=8, vgpr_alignment=2, has_agprs=True,
    sgprs=102, sgpr_file=800, sgpr_granule=16, max_waves=8, simds=4, units=110, lds_bytes=65536,
    lds_file=65536, lds_granule=512, max_workgroup=1024, user_sgprs=16, initial_sgprs=0, preload=True,
    packed_workitem_id=True, shift_reads_last_vgpr=False, workgroup_ids_in_ttmp=False,
    architected_scratch=False, bounds_in_resource=False, wave_wide_bpermute=True, counters=_CDNA_COUNTERS,
    pad_alignment=64, elf_machine_flag=0x3F, reserved_sgprs=6, descriptor=_CDNA_DESCRIPTOR,
    vector_memory_bytes=8, most_prefetched=0, pad_word=0xBF800000, pad_words=256, combined_waits=(),
    has_delay_alu=False, deallocates_vgprs=False, reduction_steps=_CDNA_REDUCTION, matrix_banks=0,
    workgroup_order=None, lds_accesses=CDNA3_LDS,
)  # fmt: skip
_CDNA3 = _CDNA2._replace(
    name="gfx942", units=304, architected_scratch=True, shift_reads_last_vgpr=True, elf_machine_flag=0x4C
)
_CDNA4 = _CDNA3._replace(
    name="gfx950", units=256, elf_machine_flag=0x4F, lds_bytes=163840, lds_file=163840, lds_granule=1280,
    lds_accesses=CDNA4_LDS,
)  # fmt: skip

# A wave's SGPRs are never short here: every wave has all of them. The descriptor puts workgroups on a
# workgroup processor, two compute units with the LDS of both. LDS is given in the granules of Mesa's
# ac_gpu_info (lds_alloc_granularity from gfx10.3 on).
_RDNA3 = _CDNA2._replace(
    name="gfx1100", family="rdna", wave_size=32, wave_sizes=(32, 64), features=(), vgpr_budget=256,
    vgpr_file=1536, vgpr_granule=24, vgpr_alignment=1, has_agprs=False, initial_sgprs=16, sgprs=106,
    sgpr_file=2048, sgpr_granule=128, max_waves=16, units=48, lds_file=131072, lds_granule=1024, preload=False,
    shift_reads_last_vgpr=True, architected_scratch=True, bounds_in_resource=True, wave_wide_bpermute=False,
    counters=_RDNA3_COUNTERS, elf_machine_flag=0x41, reserved_sgprs=2, descriptor=_RDNA3_DESCRIPTOR,
    pad_word=0xBF9F0000, pad_words=96, pad_alignment=128, reduction_steps=_RDNA_REDUCTION, has_delay_alu=True,
    deallocates_vgprs=True, most_prefetched=63, matrix_banks=4, workgroup_order=_RDNA3_ORDER,
    lds_accesses=RDNA3_LDS,
)  # fmt: skip
_RDNA4 = _RDNA3._replace(
    name="gfx1201", units=32, workgroup_ids_in_ttmp=True, wave_wide_bpermute=True, initial_sgprs=0,
    counters=_RDNA4_COUNTERS, elf_machine_flag=0x4E, vector_memory_bytes=12, most_prefetched=255,
    descriptor=_RDNA4_DESCRIPTOR, combined_waits=("s_wait_loadcnt_dscnt", "s_wait_storecnt_dscnt"),
    workgroup_order=_RDNA4_ORDER, lds_accesses=RDNA4_LDS,
)  # fmt: skip

TARGETS: dict[str, Target] = {target.name: target for target in (_CDNA2, _CDNA3, _CDNA4, _RDNA3, _RDNA4)}


class TargetId(NamedTuple):
    """A whole target id: the target and its features as clang takes them (`gfx942:sramecc+:xnack-`).

    `gfx1100:wave64` asks for waves of 64 lanes where the target has them; clang is told so apart from the id.
    """

    target: Target
    features: tuple[str, ...] = ()

    @property
    def clang(self) -> str:
        """The id as clang and the code object know it."""
        return ":".join((self.target.name, *self.features))

    @property
    def clang_options(self) -> tuple[str, ...]:
        """What clang has to be told next to the id."""
        return () if self.is_default_wave else (f"-mwavefrontsize{self.target.wave_size}",)

    @property
    def is_default_wave(self) -> bool:
        return self.target.wave_size == TARGETS[self.target.name].wave_size

    def __str__(self) -> str:
        return self.clang if self.is_default_wave else f"{self.clang}:wave{self.target.wave_size}"


@cache
def with_wave_size(target: Target, lanes: int) -> Target:
    """The target as it runs waves of `lanes` lanes: a lane's share of the registers halves as the wave
    doubles."""
    if lanes == target.wave_size:
        return target
    file, granule = (size * target.wave_size // lanes for size in (target.vgpr_file, target.vgpr_granule))
    initial = target.initial_sgprs if lanes == 32 else 0  # waves of 64 are free of that
    return target._replace(wave_size=lanes, vgpr_file=file, vgpr_granule=granule, initial_sgprs=initial)


@cache
def parse_target(text: str, place: Place | str = "--target") -> TargetId:
    """Read a target id; one that is no target's is an `InputError` TGT001 to TGT003 that lists what there
    is."""
    name, *features = text.split(":")
    if name not in TARGETS:
        raise InputError(
            place, "TGT001", f"unknown target {text!r}, wanted one of {', '.join(sorted(TARGETS))}",
            help=close_names(name, TARGETS),
        )  # fmt: skip
    target = TARGETS[name]
    waves = {f"wave{lanes}": lanes for lanes in target.wave_sizes}
    allowed = (
        *(feature + sign for feature in target.features for sign in "+-"),
        *(waves if len(waves) > 1 else ()),
    )
    for feature in features:
        if feature not in allowed:
            wanted = f"one of {', '.join(allowed)}" if allowed else "none"
            raise InputError(place, "TGT002", f"unknown feature {feature!r} of {name}, wanted {wanted}")
    if len({feature.rstrip("+-0123456789") for feature in features}) != len(features):
        raise InputError(place, "TGT003", f"a feature is given twice in {text!r}, wanted each at most once")
    lanes = next((waves[feature] for feature in features if feature in waves), target.wave_size)
    return TargetId(
        with_wave_size(target, lanes), tuple(sorted(feature for feature in features if feature not in waves))
    )
