"""The kernel descriptor as `.amdhsa_kernel` directives (AMDGPUUsage, "Kernel Descriptor" and "AMDHSA Kernel
Directives")."""

from __future__ import annotations

from collections.abc import Collection

from asmgen.emission.code import code_size
from asmgen.emission.entry import (
    FLAT_SCRATCH_INIT,
    PRELOAD,
    SCRATCH_OFFSET,
    SYSTEM_ROLES,
    USER_ROLES,
    WORKITEM,
    system_places,
    user_sgpr_count,
)
from asmgen.emission.usage import RegisterUsage
from asmgen.emission.verify import verify_declared
from isa.diagnostics import InternalError
from isa.program import Kernel
from isa.registers import Register, sgpr, vgpr
from isa.target import Target, round_up

PREFETCHED_LINE = 128  # bytes (AMDGPUUsage, compute_pgm_rsrc3, INST_PREF_SIZE)


def descriptor_lines(kernel: Kernel, target: Target, usage: RegisterUsage) -> list[str]:
    """The directives from `.amdhsa_kernel` to `.end_amdhsa_kernel`; registers are declared as used, never
    fewer."""
    check_entry(kernel, target)
    enabled = {role for role, _ in kernel.abi.entry}
    fields: list[tuple[str, int]] = [
        ("group_segment_fixed_size", kernel.lds_bytes),
        ("private_segment_fixed_size", kernel.scratch_bytes),
        ("kernarg_size", kernarg_size(kernel)),
        ("user_sgpr_count", user_sgpr_count(target, _read_sgprs(kernel), enabled)),
        *((f"user_sgpr_{role}", int(role in enabled)) for role in _said(enabled)),
    ]
    if target.preload:
        fields += [
            ("user_sgpr_kernarg_preload_length", kernel.abi.preload_dwords),
            ("user_sgpr_kernarg_preload_offset", 0),
        ]
    fields += [
        *_wave_fields(target),
        ("uses_dynamic_stack", 0),
        (_scratch_field(target), int(kernel.scratch_bytes > 0 or SCRATCH_OFFSET in enabled)),
        *((f"system_sgpr_{role}", int(role in enabled)) for role in SYSTEM_ROLES),
        ("system_sgpr_workgroup_info", 0),
        ("system_vgpr_workitem_id", _last_dimension(kernel)),
        ("next_free_vgpr", usage.unified_vgprs),
        ("next_free_sgpr", max(1, usage.sgprs)),
        *([("accum_offset", usage.accum_offset)] if target.has_agprs else []),
        ("reserve_vcc", int(usage.vcc)),
        *target.descriptor,
        *_prefetch(kernel, target),
    ]
    verify_declared(kernel, dict(fields))
    return [
        f"\t.amdhsa_kernel {kernel.name}",
        *(f"\t\t.amdhsa_{name} {value}" for name, value in fields),
        "\t.end_amdhsa_kernel",
    ]


def _said(enabled: Collection[str]) -> list[str]:
    """The roles in user SGPRs that every target has, and others if the kernel needs them."""
    return [role for role in USER_ROLES if role != FLAT_SCRATCH_INIT or role in enabled]


def kernarg_size(kernel: Kernel) -> int:
    """Bytes of the kernarg segment, in whole dwords, which scalar loads read."""
    return round_up(max((argument.offset + argument.size for argument in kernel.arguments), default=0), 4)


def _wave_fields(target: Target) -> list[tuple[str, int]]:
    """The wave size, on targets with a choice."""
    return [("wavefront_size32", int(target.wave_size == 32))] if len(target.wave_sizes) > 1 else []


def _prefetch(kernel: Kernel, target: Target) -> list[tuple[str, int]]:
    """The number of code lines fetched ahead of the first instruction, on targets that can do so: all lines,
    up to the descriptor's limit."""
    if not target.most_prefetched:
        return []
    lines = -(-code_size(kernel, target) // PREFETCHED_LINE)
    return [("inst_pref_size", min(lines, target.most_prefetched))]


def _scratch_field(target: Target) -> str:
    """The directives that ask for scratch memory. Its address comes in FLAT_SCRATCH, or its offset in a
    system SGPR.
    """
    return (
        "enable_private_segment"
        if target.architected_scratch
        else "system_sgpr_private_segment_wavefront_offset"
    )


def _read_sgprs(kernel: Kernel) -> int:
    """The user SGPRs that a kernel reads, preloaded arguments among them."""
    return (
        sum(register.count for role, register in kernel.abi.entry if role in USER_ROLES)
        + kernel.abi.preload_dwords
    )


def check_entry(kernel: Kernel, target: Target) -> None:
    """Compare the ABI's registers with the hardware's; `InternalError` if they differ."""
    fault = entry_fault(kernel, target)
    if fault:
        raise InternalError("emit", kernel.name, fault)


def entry_fault(kernel: Kernel, target: Target) -> str:
    """The fault in a kernel's ABI; empty if it agrees with the hardware."""
    given = dict(kernel.abi.entry)
    known = (*USER_ROLES, PRELOAD, *SYSTEM_ROLES, SCRATCH_OFFSET, WORKITEM)
    unknown = sorted(given.keys() - set(known))
    if unknown:
        return f"unknown entry role {unknown[0]}, wanted one of {', '.join(known)}"
    if given.get(PRELOAD, Register(0, 0)).count != kernel.abi.preload_dwords:
        return (
            f"preload is {kernel.abi.preload_dwords}, wanted the count of registers that the entry "
            f"role preload has"
        )
    if kernel.abi.preload_dwords and "kernarg_segment_ptr" not in given:
        return (
            "arguments are preloaded, wanted kernarg_segment_ptr as well, from which older "
            "firmware loads them"
        )
    for role, place in _hardware_places(kernel, target).items():
        register = given[role]
        if register.first != place.first:
            return f"{role} is expected at {register}, the hardware puts it at {place.part(0)}"
        if register.count != place.count:
            return f"{role} is expected in {register.count} registers, the hardware gives it {place.count}"
    return ""


def _hardware_places(kernel: Kernel, target: Target) -> dict[str, Register]:
    """The registers in which the hardware puts the values that a kernel enables."""
    enabled = {role for role, _ in kernel.abi.entry}
    places: dict[str, Register] = {}
    used = 0
    for role, count in {**USER_ROLES, PRELOAD: kernel.abi.preload_dwords}.items():
        if role in enabled:
            places[role] = sgpr(used, count)
            used += count
    places |= system_places(target, used, enabled)
    return {**places, WORKITEM: vgpr(0)} if WORKITEM in enabled else places


def _last_dimension(kernel: Kernel) -> int:
    """The highest dimension, 0 to 2, in which a workgroup has several work-items."""
    return max((axis for axis, size in enumerate(kernel.axes) if size > 1), default=0)
