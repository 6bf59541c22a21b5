"""How many VGPRs a wave may have: by the target, by the size of the workgroup and by the options."""

from __future__ import annotations

from math import prod

from asmgen.options import Options
from isa.diagnostics import InputError
from isa.named_tuple import NamedTuple
from isa.program import Kernel
from isa.target import Target


class VgprBudget(NamedTuple):
    """Registers that a wave may have: VGPRs, and VGPRs with AGPRs if both share a file.

    A requested occupancy bounds the whole file, AGPRs included. A requested number of VGPRs does not limit
    AGPRs.
    """

    vgprs: int
    unified: int


def vgpr_budget(kernel: Kernel, options: Options) -> VgprBudget:
    """The VGPRs that a wave may have, by the workgroup's size and the options. `InputError` OPT002 for more
    VGPRs than the target has, OPT006 for more waves than a SIMD has places for."""
    target = kernel.target.target
    _check_vgprs(target, options)
    budget = target.workgroup_vgprs(prod(kernel.workgroup))
    if options.waves_per_eu is not None:
        budget = min(budget, _of_waves(target, options.waves_per_eu))
    return VgprBudget(min(budget, target.arch_vgprs, options.max_vgprs or budget), budget)


def room(target: Target, options: Options) -> int | None:
    """The registers for each lane by the options, from which a schedule chooses its elements; None if the
    options set no bound. AGPRs also count if VGPRs alone are few. Raises as `vgpr_budget`."""
    _check_vgprs(target, options)
    bounds: list[int] = []
    if options.waves_per_eu is not None:
        bounds.append(_of_waves(target, options.waves_per_eu))
    if options.max_vgprs is not None and not target.has_agprs:
        bounds.append(options.max_vgprs)
    return min(bounds, default=None)


def _check_vgprs(target: Target, options: Options) -> None:
    if options.max_vgprs is not None and options.max_vgprs > target.arch_vgprs:
        message = f"got {options.max_vgprs}, wanted at most {target.arch_vgprs} on {target.name}"
        raise InputError("max_vgprs", "OPT002", message)


def _of_waves(target: Target, waves: int) -> int:
    """The registers of a wave if a SIMD runs `waves` of them."""
    if waves > target.max_waves:
        raise InputError(
            "waves_per_eu", "OPT006", f"got {waves}, wanted at most {target.max_waves} on {target.name}"
        )
    return target.vgpr_file // waves // target.vgpr_granule * target.vgpr_granule
