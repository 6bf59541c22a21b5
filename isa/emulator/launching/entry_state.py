"""The entry of a kernel, and the registers that the hardware fills before it (AMDGPUUsage, "Initial Kernel
Execution State")."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from isa.diagnostics import InputError
from isa.emulator.launching.loaded import Loaded
from isa.emulator.program.image import Image
from isa.emulator.state.waves import EXEC_PAIR, SCRATCH_ADDRESS, Waves, pack_lanes
from isa.registers import FIRST_VGPR, FLAT_SCRATCH, Register, sgpr
from isa.targets import parse_target

_SWIZZLE, _ADD_LANE = 1 << 31, 1 << 23  # of the second and of the last word of a buffer resource


def entry_of(image: Image, entry: str) -> int:
    """The operation at which a kernel starts. `InputError` RUN020 for an unknown entry."""
    if entry not in ("preload", "prologue"):
        raise InputError("entry", "RUN020", f"entry is {entry!r}, wanted preload or prologue")
    if entry == "preload" and image.code.preload_entry is not None:
        return image.code.preload_entry
    return image.code.entry


def fill_entry_state(w: Waves, loaded: Loaded, groups: NDArray[np.intp], preload: bool) -> None:
    """Fill the registers as the hardware does. `groups` are the workgroups of the waves, by their places in
    the grid."""
    image = loaded.image
    for role, first, count in image.descriptor.entry_sgprs():
        if role == "preload" and not preload:
            continue
        values = _entry_values(role, count, loaded, groups, w)
        for i, value in enumerate(values):
            w.s32[(first + i) >> 1, :, (first + i) & 1] = value
    lanes = np.arange(w.per_group * w.lanes)
    x, y, z = loaded.launch.block
    active = lanes < x * y * z
    ids = (lanes % x, lanes // x % y, lanes // (x * y))
    packed = sum(ids[i] << (10 * i) for i in range(image.descriptor.workitem_dimensions))
    w.u32[0] = np.tile(
        np.where(active, packed, 0).astype(np.uint32).reshape(w.per_group, w.lanes),
        (w.count // w.per_group, 1),
    )
    masks = pack_lanes(active.reshape(w.per_group, w.lanes), (w.per_group, w.lanes))
    w.set_exec(np.tile(masks, w.count // w.per_group))
    if parse_target(image.target).target.architected_scratch:
        w.s64[FLAT_SCRATCH.first // 2] = np.uint64(SCRATCH_ADDRESS)
    w.mode_bits[:] = image.descriptor.mode


def _entry_values(role: str, count: int, loaded: Loaded, groups: NDArray[np.intp], w: Waves) -> list[Any]:
    """The 32-bit values of an entry role: scalars, or a value for each wave."""
    descriptor, (gx, gy, _) = loaded.image.descriptor, loaded.launch.grid
    match role:
        case "workgroup_id_x":
            return [groups % gx]
        case "workgroup_id_y":
            return [groups // gx % gy]
        case "workgroup_id_z":
            return [groups // (gx * gy)]
        case "workgroup_id_yz":
            return [groups // gx % gy | groups // (gx * gy) << 16]
        case "wave_id":
            return [np.arange(w.count) % w.per_group << 25]
        case "private_segment_buffer":
            low, high = _halves(SCRATCH_ADDRESS)
            return [low, high | _SWIZZLE, 0xFFFFFFFF, _ADD_LANE]
        case "flat_scratch_init":
            return _halves(SCRATCH_ADDRESS)
        case "private_segment_wavefront_offset":
            return [w.scratch_offsets()]
        case "preload":
            start = 4 * descriptor.preload_offset
            content = np.zeros(start + 4 * count, np.uint8)
            segment = loaded.memory.content(loaded.kernarg)[: len(content)]
            content[: len(segment)] = segment
            return list(content[start:].view(np.uint32))
        case "kernarg_segment_ptr":
            return _halves(loaded.kernarg.address)
        case "dispatch_ptr":
            return _halves(loaded.packet.address)
        case "queue_ptr":
            return _halves(loaded.queue.address)
        case "private_segment_size":
            return [descriptor.stack_bytes]
        case _:
            return [0] * count


def _halves(address: int) -> list[int]:
    return [address & 0xFFFFFFFF, address >> 32]


def entry_registers(image: Image, preload: bool) -> list[Register]:
    """Every register with a defined value at the entry."""
    roles = [
        sgpr(first, count)
        for role, first, count in image.descriptor.entry_sgprs()
        if role != "preload" or preload
    ]
    scratch = [FLAT_SCRATCH] if parse_target(image.target, image.place).target.architected_scratch else []
    return [*roles, Register(FIRST_VGPR), Register(EXEC_PAIR * 2, 2), *scratch]
