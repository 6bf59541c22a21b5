"""The kernel descriptor as `.amdhsa_kernel` directives (AMDGPUUsage, "Kernel Descriptor" and "AMDHSA Kernel Directives")."""

from __future__ import annotations

from asmgen.emission.usage import RegisterUsage
from isa.diagnostics import InternalError
from isa.program import Kernel
from isa.registers import FIRST_VGPR, Register
from isa.targets import Target

# in the order in which the hardware fills SGPRs
USER_ROLES = ("dispatch_ptr", "queue_ptr", "kernarg_segment_ptr", "dispatch_id", "private_segment_size")
SYSTEM_ROLES = ("workgroup_id_x", "workgroup_id_y", "workgroup_id_z")
_ENTRY_SIZES = {**dict.fromkeys(USER_ROLES, 2), "private_segment_size": 1, **dict.fromkeys(SYSTEM_ROLES, 1)}


def descriptor_lines(kernel: Kernel, target: Target, usage: RegisterUsage) -> list[str]:
    """The directives from `.amdhsa_kernel` to `.end_amdhsa_kernel`; registers are declared as used, never fewer."""
    check_entry(kernel)
    enabled = {role for role, _ in kernel.abi.entry}
    fields: list[tuple[str, int]] = [
        ("group_segment_fixed_size", kernel.lds_bytes),
        ("private_segment_fixed_size", kernel.scratch_bytes),
        ("kernarg_size", kernarg_size(kernel)),
        ("user_sgpr_count", user_sgprs(kernel)),
        *((f"user_sgpr_{role}", int(role in enabled)) for role in USER_ROLES),
    ]
    if target.preload:
        fields += [("user_sgpr_kernarg_preload_length", kernel.abi.preload_dwords), ("user_sgpr_kernarg_preload_offset", 0)]
    fields += [
        ("uses_dynamic_stack", 0),
        ("enable_private_segment", int(kernel.scratch_bytes > 0)),
        *((f"system_sgpr_{role}", int(role in enabled)) for role in SYSTEM_ROLES),
        ("system_sgpr_workgroup_info", 0),
        ("system_vgpr_workitem_id", _last_dimension(kernel)),
        ("next_free_vgpr", usage.unified_vgprs),
        ("next_free_sgpr", max(1, usage.sgprs)),
        ("accum_offset", usage.accum_offset),
        ("reserve_vcc", int(usage.vcc)),
        *target.descriptor,
    ]
    return [f"\t.amdhsa_kernel {kernel.name}", *(f"\t\t.amdhsa_{name} {value}" for name, value in fields), "\t.end_amdhsa_kernel"]


def kernarg_size(kernel: Kernel) -> int:
    """Bytes of the kernarg segment."""
    return max((argument.offset + argument.size for argument in kernel.arguments), default=0)


def user_sgprs(kernel: Kernel) -> int:
    """How many SGPRs are filled before the system ones, preloaded arguments among them."""
    return sum(register.count for role, register in kernel.abi.entry if role in USER_ROLES) + kernel.abi.preload_dwords


def check_entry(kernel: Kernel) -> None:
    """Hold the ABI's registers against where the hardware puts the enabled values; `InternalError` where they differ."""
    fault = entry_fault(kernel)
    if fault:
        raise InternalError("emit", kernel.name, fault)


def entry_fault(kernel: Kernel) -> str:
    """What is wrong with a kernel's ABI; empty where it is what the hardware does."""
    given = dict(kernel.abi.entry)
    known = (*USER_ROLES, "preload", *SYSTEM_ROLES, "workitem_id")
    unknown = sorted(given.keys() - set(known))
    if unknown:
        return f"unknown entry role {unknown[0]}, wanted one of {', '.join(known)}"
    if given.get("preload", Register(0, 0)).count != kernel.abi.preload_dwords:
        return f"preload is {kernel.abi.preload_dwords}, wanted the count of registers that the entry role preload has"
    if kernel.abi.preload_dwords and "kernarg_segment_ptr" not in given:
        return "arguments are preloaded, wanted kernarg_segment_ptr as well, from which older firmware loads them"
    expected = 0
    for role in (*USER_ROLES, "preload", *SYSTEM_ROLES):
        register = given.get(role)
        if register is None:
            continue
        if register.first != expected:
            return f"{role} is expected at {register}, the hardware puts it at s{expected}"
        if register.count != _ENTRY_SIZES.get(role, register.count):
            return f"{role} is expected in {register.count} registers, the hardware gives it {_ENTRY_SIZES[role]}"
        expected += register.count
    workitem = given.get("workitem_id", Register(FIRST_VGPR))
    return "" if workitem == Register(FIRST_VGPR) else f"workitem_id is expected at {workitem}, the hardware puts it at v0"


def _last_dimension(kernel: Kernel) -> int:
    """The highest dimension, 0 to 2, in which a workgroup is more than one work-item."""
    return max((axis for axis, size in enumerate(kernel.workgroup) if size > 1), default=0)
