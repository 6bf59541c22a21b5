"""In which registers a kernel finds its arguments and ids when its first instruction runs.

Source: LLVM's AMDGPUUsage, "Initial Kernel Execution State". User SGPRs come first, system SGPRs follow
without a gap, only those that the descriptor enables. Where a launch has to fill more SGPRs than the kernel
reads, it fills user SGPRs nobody reads. Targets with the ids of a workgroup in trap registers have x in
ttmp9, and y and z in the halves of ttmp7.
"""

from __future__ import annotations

from collections.abc import Collection

from isa.registers import Register, sgpr
from isa.target import Target

FLAT_SCRATCH_INIT = "flat_scratch_init"
SCRATCH_OFFSET = "private_segment_wavefront_offset"
# in the order in which the hardware fills SGPRs; their sizes
USER_ROLES = {
    "dispatch_ptr": 2,
    "queue_ptr": 2,
    "kernarg_segment_ptr": 2,
    "dispatch_id": 2,
    FLAT_SCRATCH_INIT: 2,
    "private_segment_size": 1,
}
SYSTEM_ROLES = ("workgroup_id_x", "workgroup_id_y", "workgroup_id_z")
PRELOAD = "preload"
WORKITEM = "workitem_id"
_IDS_IN_TTMP = {
    "workgroup_id_x": Register(117),
    "workgroup_id_y": Register(115),
    "workgroup_id_z": Register(115),
}


def user_sgpr_count(target: Target, read: int, enabled: Collection[str]) -> int:
    """How many user SGPRs a launch fills, of which the kernel reads `read`; `enabled` are its roles."""
    return target.user_sgpr_count(read, sum(role in enabled for role in SYSTEM_ROLES))


def system_places(target: Target, read: int, enabled: Collection[str]) -> dict[str, Register]:
    """The registers of the enabled ids of a workgroup, after `read` user SGPRs that the kernel reads."""
    roles = [role for role in (*SYSTEM_ROLES, SCRATCH_OFFSET) if role in enabled]
    if target.workgroup_ids_in_ttmp:
        return {role: _IDS_IN_TTMP[role] for role in roles}
    first = user_sgpr_count(target, read, enabled)
    return {role: sgpr(first + i) for i, role in enumerate(roles)}
