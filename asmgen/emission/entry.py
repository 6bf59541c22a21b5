"""The registers of a kernel's arguments and ids when its first instruction runs, and the prologue for
firmware that does not preload arguments.

User SGPRs come first; the system SGPRs that the descriptor enables follow without a gap. If a launch has to
fill more SGPRs than the kernel reads, it fills user SGPRs that nothing reads. Targets with the ids of a
workgroup in trap registers have x in ttmp9, and y and z in the halves of ttmp7.

Firmware that preloads enters 256 bytes after the kernel's symbol. Older firmware ignores the descriptor's
request and enters at the symbol; the instructions there load the same SGPRs.

Source: LLVM's AMDGPUUsage, "Initial Kernel Execution State" and "Preloaded Kernel Arguments".
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from isa.build import build
from isa.instruction import Instr, Origin
from isa.program import Kernel
from isa.registers import Register, sgpr
from isa.table import Table
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
WORKGROUP_ID_BITS = 16  # of each of two ids in a register
_IDS_IN_TTMP = {
    "workgroup_id_x": Register(117),
    "workgroup_id_y": Register(115),
    "workgroup_id_z": Register(115),
}


def user_sgpr_count(target: Target, read: int, enabled: Collection[str]) -> int:
    """How many user SGPRs a launch fills for a kernel that reads `read` of them; `enabled` are its roles."""
    return target.user_sgpr_count(read, sum(role in enabled for role in SYSTEM_ROLES))


def system_places(target: Target, read: int, enabled: Collection[str]) -> dict[str, Register]:
    """The registers of the enabled ids of a workgroup, after `read` user SGPRs that the kernel reads."""
    roles = [role for role in (*SYSTEM_ROLES, SCRATCH_OFFSET) if role in enabled]
    if target.workgroup_ids_in_ttmp:
        return {role: _IDS_IN_TTMP[role] for role in roles}
    first = user_sgpr_count(target, read, enabled)
    return {role: sgpr(first + i) for i, role in enumerate(roles)}


def first_bit(target: Target, role: str) -> int:
    """The lowest bit of an id of a workgroup in its register. The id z is in the upper half of a trap
    register, also if the kernel does not read the id y in the lower half."""
    return WORKGROUP_ID_BITS if target.workgroup_ids_in_ttmp and role == SYSTEM_ROLES[2] else 0


_ORIGIN = Origin("preload")
_LOADS = {1: "s_load_dword", 2: "s_load_dwordx2", 4: "s_load_dwordx4", 8: "s_load_dwordx8"}


def preload_prologue(kernel: Kernel) -> tuple[Instr, ...]:
    """The loads of a kernel's preloaded SGPRs and the wait for them; nothing if it preloads none.

    The emitter, which knows the body's label, adds the branch to the body.
    """
    if not kernel.abi.preload_dwords:
        return ()
    base = kernel.abi.register("kernarg_segment_ptr")
    return _loads(kernel.table, base, kernel.abi.register("preload"))


@cache
def _loads(table: Table, base: Register, preloaded: Register) -> tuple[Instr, ...]:
    loads: list[Instr] = []
    done = 0
    while done < preloaded.count:
        count = _widest(preloaded.first + done, preloaded.count - done)
        loads.append(
            build(
                table.row(_LOADS[count]),
                Register(preloaded.first + done, count),
                base,
                4 * done,
                origin=_ORIGIN,
            )
        )
        done += count
    return (*loads, build(table.row("s_waitcnt"), lgkmcnt=0, origin=_ORIGIN))


def _widest(first: int, left: int) -> int:
    """The number of SGPRs from `first` that a load can fill: a pair starts at an even SGPR, more at a
    multiple of 4."""
    return next(count for count in (8, 4, 2, 1) if count <= left and first % min(count, 4) == 0)
