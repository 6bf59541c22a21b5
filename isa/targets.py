"""One record per gfx number: the machine's ways, so that no pass has to know a target by name."""

from __future__ import annotations

from dataclasses import dataclass

from isa import dpp
from isa.diagnostics import InputError, Place
from isa.instruction import Event


@dataclass(frozen=True, slots=True)
class Counter:
    """One wait counter: its name in s_waitcnt, how far it counts, which events it counts, and whether they come back in order."""

    name: str
    maximum: int
    events: frozenset[Event]
    out_of_order: frozenset[Event] = frozenset()  # events whose results may overtake others of the same counter
    overwrites_in_order: bool = False  # a load may overwrite the register of an earlier one without a wait


@dataclass(frozen=True, slots=True)
class Target:
    """What the stages ask of a target. Sizes are in bytes, registers in 32-bit units."""

    name: str
    wave_size: int
    vgpr_budget: int  # VGPRs and AGPRs together that a wave may have
    vgpr_file: int  # of one SIMD, a lane's share of it
    arch_vgprs: int  # addressable VGPRs
    vgpr_granule: int
    sgprs: int  # addressable, VCC apart
    sgpr_file: int
    sgpr_granule: int
    max_waves: int  # a SIMD's
    simds: int  # that share one LDS
    lds_bytes: int
    lds_granule: int
    max_workgroup: int
    user_sgprs: int
    preload: bool  # kernel arguments can be preloaded into SGPRs
    packed_workitem_id: bool  # v0 holds x, y and z in 10 bits each
    architected_scratch: bool
    counters: tuple[Counter, ...]
    elf_machine_flag: int  # EF_AMDGPU_MACH of the ELF header
    reserved_sgprs: int  # that a wave has beside the numbered ones: VCC, XNACK_MASK, FLAT_SCRATCH
    descriptor: tuple[tuple[str, int], ...]  # directives of the kernel descriptor that hold for every kernel
    pad_word: int  # what fills the code behind a kernel, where instruction prefetch reads on
    pad_words: int
    reduction_steps: tuple[tuple[int, int], ...]  # lanes combined so far, and the DPP control of the step that doubles them

    def steps_for(self, lanes: int) -> tuple[int, ...]:
        """The DPP controls that combine groups of `lanes` lanes. Up to a row of 16 every lane has the result, then the last."""
        return tuple(control for combined, control in self.reduction_steps if combined < lanes)

    def occupancy(self, vgprs: int, sgprs: int, lds_bytes: int, threads: int) -> int:
        """Waves a SIMD can hold at once; `vgprs` counts both files, `threads` a workgroup's."""
        waves = min(self.max_waves, self.vgpr_file // max(self.vgpr_granule, round_up(vgprs, self.vgpr_granule)))
        if sgprs:
            waves = min(waves, self.sgpr_file // round_up(sgprs, self.sgpr_granule))
        if lds_bytes:
            groups = self.lds_bytes // round_up(lds_bytes, self.lds_granule)
            waves = min(waves, max(1, groups * (round_up(threads, self.wave_size) // self.wave_size) // self.simds))
        return waves


def round_up(value: int, granule: int) -> int:
    return -(-value // granule) * granule


_CDNA_COUNTERS = (
    Counter("vmcnt", 63, frozenset({Event.VMEM_LOAD, Event.VMEM_STORE}), overwrites_in_order=True),
    Counter("expcnt", 7, frozenset({Event.EXPORT})),
    Counter(
        "lgkmcnt", 15, frozenset({Event.LDS, Event.FLAT_LDS, Event.SMEM_LOAD, Event.MESSAGE}),
        frozenset({Event.SMEM_LOAD, Event.FLAT_LDS, Event.MESSAGE}),
    ),
)

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

# Exchange with the neighbour, the neighbouring pair, the mirrored half row and row; then the last lane of a row, and of two.
_CDNA_REDUCTION = (
    (1, dpp.quad_perm(1, 0, 3, 2)), (2, dpp.quad_perm(2, 3, 0, 1)), (4, dpp.control("row_half_mirror")), (8, dpp.control("row_mirror")),
    (16, dpp.control("row_bcast", 15)), (32, dpp.control("row_bcast", 31)),
)  # fmt: skip

TARGETS: dict[str, Target] = {
    "gfx942": Target(
        name="gfx942", wave_size=64, vgpr_budget=512, vgpr_file=512, arch_vgprs=256, vgpr_granule=8, sgprs=102, sgpr_file=800,
        sgpr_granule=16, max_waves=8, simds=4, lds_bytes=65536, lds_granule=512, max_workgroup=1024, user_sgprs=16, preload=True,
        packed_workitem_id=True, architected_scratch=True, counters=_CDNA_COUNTERS, elf_machine_flag=0x4C, reserved_sgprs=6,
        descriptor=_CDNA_DESCRIPTOR, pad_word=0xBF800000, pad_words=256, reduction_steps=_CDNA_REDUCTION,
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class TargetId:
    """A whole target id, `gfx942:sramecc+:xnack-`: the target and its features as clang takes them."""

    target: Target
    features: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ":".join((self.target.name, *self.features))


def parse_target(text: str, place: Place | str = "--target") -> TargetId:
    """Read a target id; an unknown one is an `InputError` that lists the known ones."""
    name, *features = text.split(":")
    if name not in TARGETS:
        raise InputError(place, "TGT001", f"unknown target {text!r}, wanted one of {', '.join(sorted(TARGETS))}")
    allowed = ("sramecc+", "sramecc-", "xnack+", "xnack-")
    for feature in features:
        if feature not in allowed:
            raise InputError(place, "TGT002", f"unknown target feature {feature!r}, wanted one of {', '.join(allowed)}")
    if len({feature[:-1] for feature in features}) != len(features):
        raise InputError(place, "TGT003", f"a feature stands twice in {text!r}, wanted each at most once")
    return TargetId(TARGETS[name], tuple(sorted(features)))
