"""What a launch may ask of a target, as errors of the input."""

from __future__ import annotations

from math import prod

from asmgen.emission.usage import RegisterUsage
from asmgen.index.size import least
from isa.diagnostics import InputError, Place
from isa.program import Kernel
from isa.target import Target

MAX_WORK_ITEMS = 2**32


def check_launch(
    name: str, grid: tuple[int, int, int], block: tuple[int, int, int], target: Target, place: Place | str
) -> None:
    """Refuse a workgroup or a grid (in workgroups) that the target cannot launch. A grid of named dims
    is looked at when they are known.

    The dispatch packet counts work-items in 32 bits per dimension; indices here count them in 32 bits over
    all.
    """
    threads = block[0] * block[1] * block[2]
    if min(block) < 1 or threads > target.max_workgroup:
        raise InputError(
            place,
            "LIM001",
            f"{name} has {threads} work-items a workgroup, wanted 1 to {target.max_workgroup} "
            f"on {target.name}",
        )
    work_items = grid[0] * grid[1] * grid[2] * threads
    if min(grid) < 0 or least(work_items) > MAX_WORK_ITEMS:
        raise InputError(
            place, "LIM002", f"{name} launches {work_items} work-items, wanted at most {MAX_WORK_ITEMS}"
        )


def check_kernel(kernel: Kernel, target: Target, usage: RegisterUsage) -> None:
    """Refuse a kernel that takes more LDS, VGPRs or user SGPRs than the target leaves it."""
    check_launch(kernel.name, (1, 1, 1), kernel.workgroup, target, kernel.name)
    if kernel.lds_bytes > target.lds_bytes:
        raise InputError(
            kernel.name,
            "LIM003",
            f"{kernel.lds_bytes} bytes of LDS are used, {target.name} has {target.lds_bytes}",
        )
    threads = prod(kernel.workgroup)
    budget = target.workgroup_vgprs(threads)
    if usage.unified_vgprs > budget:
        raise InputError(
            kernel.name, "LIM004",
                    f"{usage.unified_vgprs} VGPRs are used, a workgroup of {threads} work-items leaves "
                    f"{budget}",
            help="a smaller workgroup leaves more",
        )  # fmt: skip
    if usage.vgprs > target.arch_vgprs or usage.sgprs > target.sgprs:
        wanted = f"{target.name} has {target.arch_vgprs} and {target.sgprs}"
        raise InputError(
            kernel.name, "LIM005", f"{usage.vgprs} VGPRs and {usage.sgprs} SGPRs are used, {wanted}"
        )
