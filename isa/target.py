"""The fields of a target's record. `isa.target_records` has a record for each gfx number."""

from __future__ import annotations

from isa.instruction import Event
from isa.lds_banks import LdsAccess
from isa.named_tuple import NamedTuple

WIDEST_ACCESS = 16
"""Bytes of the widest access that a lane makes of memory or LDS, on every target: four dwords."""

CACHE_LINE = 128
"""Bytes of a line of the second-level cache on every target (docs/memory.md)."""

ACCUMULATOR_STEP = 4
"""AGPRs begin at a multiple of so many registers of the unified file, and not at its first (AMDGPUUsage,
compute_pgm_rsrc3 of GFX90A, ACCUM_OFFSET)."""


class Counter(NamedTuple):
    """A wait counter: its maximum, the events that it counts, and whether they return in order.

    `name` is the operand or modifier by which a row waits for it. `wait` is the waiting operation: s_waitcnt,
    which waits for several counters, or the counter's own.
    """

    name: str
    maximum: int
    events: frozenset[Event]
    # events with results that may overtake others of the same counter
    out_of_order: frozenset[Event] = frozenset()
    overwrites_in_order: bool = False  # a load may overwrite the register of an earlier load without a wait
    # LLVM does not count cache control in it; to count too few under way only waits for more
    ignores_caches: bool = False
    wait: str = "s_waitcnt"


class MemoryOrder(NamedTuple):
    """The order of global memory between the waves of a workgroup at a barrier (LLVM's AMDGPUUsage, memory
    models, fences of the scope workgroup).

    Accesses of the events `released` complete before the barrier. After it, the operation `acquire`, with its
    modifiers, invalidates the wave's cache.
    """

    released: frozenset[Event]
    acquire: str
    modifiers: tuple[tuple[str, int], ...] = ()


class CacheOperation(NamedTuple):
    """An operation on a wave's caches, with its modifiers."""

    operation: str
    modifiers: tuple[tuple[str, int], ...] = ()


Modifiers = tuple[tuple[str, int], ...]


class OfScopes(NamedTuple):
    """The modifiers of an access that lanes of the workgroup, or of all workgroups, make atomically."""

    workgroup: Modifiers = ()
    agent: Modifiers = ()


class AgentOrder(NamedTuple):
    """The order of memory between the workgroups of a launch at an atomic operation of scope agent (LLVM's
    AMDGPUUsage, memory models, atomicrmw release and acquire): `release` before the waits and the operation,
    `acquire` after it and its own wait.

    `load` and `store` are the modifiers of an atomic load and of an atomic store, for the scopes workgroup
    and agent. `scopes` is the operation's scope modifier, if it has any, with the numbers for these.
    """

    release: tuple[CacheOperation, ...]
    acquire: tuple[CacheOperation, ...]
    load: OfScopes
    store: OfScopes
    scopes: tuple[str, int, int] | None = None


class ReductionStep(NamedTuple):
    """A step of a reduction over the lanes of a wave. It doubles the number of combined lanes.

    The combining instruction reads the other lane by a DPP control. Otherwise the operation `exchange`, in
    the form `form`, first brings the other half's value. Each half then has the same value in every lane, so
    any lane of it will do.
    """

    combined: int  # lanes so far
    control: int = 0
    exchange: str = ""
    form: str = ""


class LaneMove(NamedTuple):
    """A move of a lane's value to the lanes of some rows of 16. Other lanes keep their values.

    The source lane is given by a DPP control; by `selector`, a lane of the other row, if `exchange` is an
    operation; otherwise it is lane `lane` of the wave.
    """

    rows: int  # a bit for each row of the wave
    control: int = 0
    exchange: str = ""
    form: str = ""
    selector: int = 0
    lane: int = 0


class ScanStep(NamedTuple):
    """A step of a scan over the lanes of a wave. Before it, each lane has the combination of itself and up to
    `combined` previous lanes; the moves bring the combination of the lanes before those.
    """

    combined: int
    moves: tuple[LaneMove, ...]


class Target(NamedTuple):
    """A target's properties. Sizes are in bytes, registers in 32-bit units."""

    name: str
    family: str  # the table with its rows: cdna or rdna
    generation: str  # chooses formats, rules and rows: cdna2, cdna3, cdna4, rdna3 or rdna4
    wave_size: int
    wave_sizes: tuple[int, ...]  # those it can run
    features: tuple[str, ...]  # that a target id may turn on and off
    vgpr_budget: int  # VGPRs and AGPRs together that a wave may have
    vgpr_file: int  # VGPRs of a SIMD for each lane
    arch_vgprs: int  # addressable VGPRs
    vgpr_granule: int
    vgpr_alignment: int  # of tuples of VGPRs
    has_agprs: bool
    sgprs: int  # addressable, VCC apart
    sgpr_file: int
    sgpr_granule: int
    max_waves: int  # a SIMD's
    products: str  # as AMD sells it, in short
    compute_units: int  # of the largest product of this gfx number, as AMD's product pages give it
    simds: int  # that share an LDS
    units: int  # of such SIMDs on the largest product: compute units, of RDNA workgroup processors
    spread_by: str  # the directive by which the waves of a workgroup run on several compute units
    lds_bytes: int  # that a workgroup may have
    lds_file: int  # that those SIMDs share
    lds_granule: int
    max_workgroup: int
    user_sgprs: int
    initial_sgprs: int  # the fewest SGPRs that a launch may ask the hardware to fill, unread SGPRs included
    preload: bool  # kernel arguments can be preloaded into SGPRs
    slow_f64: bool  # f64 takes many times the clocks of f32
    packed_f32: bool  # there are instructions that compute two f32, in pairs of registers
    packed_workitem_id: bool  # v0 contains x, y and z in 10 bits each
    shift_reads_last_vgpr: bool  # a 64-bit shift by the last allocated VGPR works
    workgroup_ids_in_ttmp: bool  # x in ttmp9, y and z in the halves of ttmp7, in place of SGPRs
    architected_scratch: bool
    bounds_in_resource: bool  # a buffer resource says in its last word how bounds are checked
    wave_wide_bpermute: bool  # ds_bpermute reaches every lane of a wave of 64, not only those of its own half
    # whole dwords of a lane that a load straight to LDS moves, in bytes; smaller loads write a dword too
    lds_copy_bytes: tuple[int, ...]
    raw_resource: int  # the last word of the resource of a buffer of bytes
    memory_sums_flush: bool  # an atomic f32 sum in memory takes denormals for zeros
    counters: tuple[Counter, ...]
    elf_machine_flag: int  # EF_AMDGPU_MACH of the ELF header
    reserved_sgprs: int  # that a wave has besides the numbered SGPRs: VCC, XNACK_MASK, FLAT_SCRATCH
    descriptor: tuple[tuple[str, int], ...]  # directives of the descriptor that every kernel has
    vector_memory_bytes: int  # of the encodings of buffer, global, flat and scratch accesses
    most_prefetched: int  # lines of 128 bytes of code that a launch can prefetch; 0 if it cannot
    pad_word: int  # fills the code after a kernel, which instruction prefetch reads
    pad_words: int
    pad_alignment: int  # bytes, a cache line of code: the alignment of that padding
    # the operations that wait for two counters which have a wait of their own each
    combined_waits: tuple[str, ...]
    has_delay_alu: bool  # s_delay_alu spares a dependent instruction its stall
    rewritten_sgprs_wait: bool  # readers of an SGPR wait if the VALU has read its previous value
    last_cache_bytes: int  # of the cache nearest to memory that a kernel's accesses share
    # the modifiers of a store that is not to stay in a cache (LLVM AMDGPUUsage, memory model: nontemporal)
    stream_stores: tuple[tuple[str, int], ...]
    longest_clause: int  # memory instructions of an s_clause; 0 without s_clause
    deallocates_vgprs: bool  # a message gives a wave's VGPRs back while its last stores are under way
    reduction_steps: tuple[ReductionStep, ...]
    scan_steps: tuple[tuple[ScanStep, ...], tuple[ScanStep, ...]]  # from the first lane on, from the last on
    row_exchanges: tuple[int, ...]  # the DPP controls by which a lane reads the lane of its row of which the
    # number differs in the bits of a mask, by the mask; 0: none
    rows_exchange: str  # the operation by which a lane reads any lane of the other row of a pair, or ""
    wave_shifts: tuple[int, int]  # the DPP controls by which a lane reads the lane before, or after; 0: none
    # of VGPRs, by number: a matrix instruction reads its operands faster from different banks; 0: any
    matrix_banks: int
    # None if a workgroup's waves share a cache that keeps their order
    workgroup_order: MemoryOrder | None
    agent_order: AgentOrder
    lds_accesses: tuple[LdsAccess, ...]  # how those of 4, 8, 12 and 16 bytes a lane are served

    def __hash__(self) -> int:
        """The hash of the fields that distinguish targets: tables and rules are looked up by target many
        times a compile."""
        return hash((self.name, self.wave_size))

    def steps_for(self, lanes: int) -> tuple[ReductionStep, ...]:
        """The steps that combine groups of `lanes` lanes. Up to a row of 16 every lane has the result, then
        the last at least."""
        return tuple(step for step in self.reduction_steps if step.combined < lanes)

    def scan_steps_for(self, lanes: int, reverse: bool) -> tuple[ScanStep, ...]:
        """The steps that scan groups of `lanes` lanes, a row or more."""
        return tuple(step for step in self.scan_steps[reverse] if step.combined < lanes)

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
        """How many user SGPRs a launch fills for a kernel that reads `read` of them and `ids` ids of its
        workgroup."""
        return max(read, self.initial_sgprs - (0 if self.workgroup_ids_in_ttmp else ids))

    def occupancy(self, vgprs: int, sgprs: int, lds_bytes: int, threads: int) -> int:
        """Resident waves of a SIMD; `vgprs` counts both files, `threads` a workgroup's threads."""
        waves = min(
            self.max_waves, self.vgpr_file // max(self.vgpr_granule, round_up(vgprs, self.vgpr_granule))
        )
        if sgprs:
            waves = min(waves, self.sgpr_file // round_up(sgprs, self.sgpr_granule))
        return min(waves, self.workgroup_waves(lds_bytes, threads))

    @property
    def spreads(self) -> bool:
        """Whether the waves of a workgroup run on several compute units by default."""
        return bool(dict(self.descriptor)[self.spread_by])

    def on_compute_units(self) -> Target:
        """The target with each workgroup on a single compute unit, and that unit's part of the LDS."""
        parts = self.compute_units // self.units
        return self._replace(
            simds=self.simds // parts, lds_file=self.lds_file // parts, units=self.compute_units
        )

    def resident_groups(self, vgprs: int, sgprs: int, lds_bytes: int, threads: int) -> int:
        """Workgroups that are resident on the whole machine, at least a workgroup for each of its units."""
        size = round_up(max(threads, 1), self.wave_size) // self.wave_size
        groups = self.occupancy(vgprs, sgprs, 0, 1) * self.simds // size
        if lds_bytes:
            groups = min(groups, self.lds_file // round_up(lds_bytes, self.lds_granule))
        return self.units * max(1, groups)

    def workgroup_vgprs(self, threads: int) -> int:
        """VGPRs of both files that a wave may have so that all waves of a workgroup of `threads` fit at
        once."""
        waves = round_up(max(threads, 1), self.wave_size) // self.wave_size
        share = self.vgpr_file // (-(-waves // self.simds))
        return min(self.vgpr_budget, share - share % self.vgpr_granule)

    def workgroup_waves(self, lds_bytes: int, threads: int) -> int:
        """Waves of the fullest SIMD with as many resident workgroups as the LDS and the wave slots allow."""
        size = round_up(max(threads, 1), self.wave_size) // self.wave_size
        groups = self.max_waves * self.simds // size
        if lds_bytes:
            groups = min(groups, self.lds_file // round_up(lds_bytes, self.lds_granule))
        return min(self.max_waves, max(1, round_up(groups * size, self.simds) // self.simds))


def round_up(value: int, granule: int) -> int:
    return -(-value // granule) * granule


def accumulator_start(vgprs: int) -> int:
    """The first register of the unified file that is an AGPR of a wave with `vgprs` VGPRs."""
    return max(ACCUMULATOR_STEP, round_up(vgprs, ACCUMULATOR_STEP))


def unified_registers(vgprs: int, agprs: int) -> int:
    """The registers of the unified file that VGPRs and AGPRs take together, with the gap between them."""
    return accumulator_start(vgprs) + agprs if agprs else vgprs
