"""Occupancy: how many waves each resource leaves a SIMD, and how far the next wave is."""

from __future__ import annotations

from msgspec import Struct

from asmgen.report.model import Limit, Occupancy
from isa.target import ACCUMULATOR_STEP, Target, round_up

LDS = "LDS"
VGPRS = "VGPRs"
SGPRS = "SGPRs"
WHOLE_WORKGROUPS = "whole workgroups"
WAVE_LIMIT = "wave limit"


def occupancy(
    target: Target, vgprs: int, sgprs: int, lds_bytes: int, threads: int, is_fixed: bool
) -> Occupancy:
    """Waves a SIMD runs; `vgprs` counts both files and `sgprs` the reserved SGPRs, before the granules.

    `waves` is the target's own count (`Target.occupancy`). The whole workgroups that fit may have fewer
    waves; their number is known if the size of a workgroup is (`is_fixed`), and `threads` is the largest size
    otherwise.
    """
    waves = target.occupancy(vgprs, sgprs, lds_bytes, threads)
    more = min(waves + 1, target.max_waves)
    limits = [
        _registers(_vector(target), vgprs, waves, more, target),
        _registers(_scalar(target), sgprs, waves, more, target),
    ]
    if lds_bytes:
        limits.append(_lds(target, lds_bytes, threads, waves, more))
    limiting = (
        tuple(limit.resource for limit in limits if limit.waves == waves)
        if waves < target.max_waves
        else (WAVE_LIMIT,)
    )
    limiting = limiting or (WHOLE_WORKGROUPS,)
    if is_fixed:
        limits.append(_workgroups(target, threads, waves))
    limits.append(Limit(WAVE_LIMIT, target.max_waves, target.max_waves, None, None))
    fewer = {limit.resource: limit.fewer or 0 for limit in limits}
    left = vgprs - fewer[VGPRS], sgprs - fewer[SGPRS], lds_bytes - fewer.get(LDS, 0)
    following = _next_step(limits, target.occupancy(*left, threads)) if waves < target.max_waves else ""
    return Occupancy(waves, target.max_waves, limiting, tuple(limits), following)


class _File(Struct, frozen=True):
    """A register file of a SIMD: its size a lane, its granule, and how many registers a wave can have."""

    name: str
    size: int
    granule: int
    addressable: int

    def most(self, waves: int) -> int:
        """The most registers with which a SIMD runs `waves` waves."""
        return min(self.size // waves // self.granule * self.granule, self.addressable)


def _vector(target: Target) -> _File:
    return _File(VGPRS, target.vgpr_file, target.vgpr_granule, target.vgpr_budget)


def _scalar(target: Target) -> _File:
    return _File(SGPRS, target.sgpr_file, target.sgpr_granule, target.sgprs + target.reserved_sgprs)


Steps = list[tuple[int, int]]
"""Numbers of waves of a SIMD, descending, and the most registers of a wave with which it runs them."""


def vgpr_steps(target: Target, agprs: int) -> Steps:
    """The steps of the VGPRs of waves with a number of AGPRs."""
    steps: Steps = []
    for waves, most in _steps(_vector(target), target.max_waves):
        left = (most - agprs) // ACCUMULATOR_STEP * ACCUMULATOR_STEP if agprs else most
        left = min(left, target.arch_vgprs)
        if left > 0 and (not steps or left > steps[-1][1]):
            steps.append((waves, left))
    return steps


def sgpr_steps(target: Target) -> Steps:
    """The steps of the SGPRs without the reserved; none if a wave may have all of them at the most waves."""
    steps = [
        (waves, most - target.reserved_sgprs) for waves, most in _steps(_scalar(target), target.max_waves)
    ]
    return steps if len(steps) > 1 else []


def _steps(file: _File, most_waves: int) -> Steps:
    steps: Steps = []
    for waves in range(most_waves, 0, -1):
        most = file.most(waves)
        if not steps or most > steps[-1][1]:
            steps.append((waves, most))
    return steps


def _registers(file: _File, count: int, waves: int, more: int, target: Target) -> Limit:
    own = min(file.size // round_up(max(count, 1), file.granule), target.max_waves)
    enough = file.size // more // file.granule * file.granule
    ceiling = file.most(max(waves, 1))
    return Limit(file.name, own, count, count - enough if own < more else None, max(0, ceiling - count))


def _lds(target: Target, lds_bytes: int, threads: int, waves: int, more: int) -> Limit:
    own = target.workgroup_waves(lds_bytes, threads)
    sizes = range(target.lds_granule, target.lds_bytes + 1, target.lds_granule)
    enough = max((size for size in sizes if target.workgroup_waves(size, threads) >= more), default=0)
    ceiling = max(
        (size for size in sizes if target.workgroup_waves(size, threads) >= waves), default=lds_bytes
    )
    is_asked = own < more <= target.workgroup_waves(0, threads)
    return Limit(LDS, own, lds_bytes, lds_bytes - enough if is_asked else None, max(0, ceiling - lds_bytes))


def _waves_of(target: Target, threads: int) -> int:
    return round_up(max(threads, 1), target.wave_size) // target.wave_size


def _workgroups(target: Target, threads: int, waves: int) -> Limit:
    """The waves of whole resident workgroups: the average over the SIMDs, rounded down."""
    size = _waves_of(target, threads)
    groups = waves * target.simds // size
    return Limit(WHOLE_WORKGROUPS, groups * size // target.simds, size, None, None)


def _next_step(limits: list[Limit], waves: int) -> str:
    """The reduction that gives another wave, in words. It gives `waves`, which may be several more."""
    wanted = [f"{limit.fewer} {_unit(limit)} fewer" for limit in limits if limit.fewer]
    return f"{waves} waves a SIMD with {' and '.join(wanted)}" if wanted else ""


def _unit(limit: Limit) -> str:
    if limit.resource == LDS:
        return "bytes of LDS"
    return limit.resource[:-1] if limit.fewer == 1 else limit.resource
