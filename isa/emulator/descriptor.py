"""The kernel descriptor, from `.amdhsa_*` directives or from its 64 bytes (AMDGPUUsage, "Kernel Descriptor")."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from isa.diagnostics import InputError, Place

USER_ROLES = (("dispatch_ptr", 2), ("queue_ptr", 2), ("kernarg_segment_ptr", 2), ("dispatch_id", 2), ("private_segment_size", 1))
_SYSTEM_ROLES = ("workgroup_id_x", "workgroup_id_y", "workgroup_id_z")
_MODE_FIELDS = (
    ("float_round_mode_32", 0, 0), ("float_round_mode_16_64", 2, 0), ("float_denorm_mode_32", 4, 0), ("float_denorm_mode_16_64", 6, 3),
    ("dx10_clamp", 8, 1), ("ieee_mode", 9, 1),
)  # fmt: skip


LARGEST_SCRATCH = 1 << 17  # bytes a lane that the emulator gives
_LARGEST = {
    "group_segment_fixed_size": 1 << 16, "private_segment_fixed_size": LARGEST_SCRATCH, "kernarg_size": 1 << 16, "next_free_vgpr": 512,
    "accum_offset": 256, "user_sgpr_kernarg_preload_length": 16, "user_sgpr_kernarg_preload_offset": 511, "system_vgpr_workitem_id": 2,
    "float_round_mode_32": 3, "float_round_mode_16_64": 3, "float_denorm_mode_32": 3, "float_denorm_mode_16_64": 3, "dx10_clamp": 1, "ieee_mode": 1,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Descriptor:
    """What the hardware sets up for a wave. `user` names the enabled user SGPR roles in order; `mode` is MODE's low bits;
    `agpr_offset` says how many of the `vgprs` are VGPRs, the rest being AGPRs."""

    lds_bytes: int = 0
    scratch_bytes: int = 0
    kernarg_size: int = 0
    user: tuple[str, ...] = ("kernarg_segment_ptr",)
    preload_dwords: int = 0
    preload_offset: int = 0
    workgroup_ids: tuple[bool, bool, bool] = (True, True, True)
    workgroup_info: bool = False
    workitem_dimensions: int = 1
    vgprs: int = 512
    agpr_offset: int = 256
    mode: int = 0x3C0

    def entry_sgprs(self) -> list[tuple[str, int, int]]:
        """(role, first SGPR, count) of everything the hardware writes, in order; `preload` is the preloaded arguments."""
        result: list[tuple[str, int, int]] = []
        at = 0
        sizes = dict(USER_ROLES)
        for role in self.user:
            result.append((role, at, sizes[role]))
            at += sizes[role]
        if self.preload_dwords:
            result.append(("preload", at, self.preload_dwords))
            at += self.preload_dwords
        for role, enabled in zip(_SYSTEM_ROLES, self.workgroup_ids, strict=True):
            if enabled:
                result.append((role, at, 1))
                at += 1
        if self.workgroup_info:
            result.append(("workgroup_info", at, 1))
        return result


def from_directives(values: dict[str, int], place: Place) -> Descriptor:
    """The descriptor of `.amdhsa_NAME VALUE` directives (names without the prefix); those left out have LLVM's defaults."""
    for required in ("next_free_vgpr", "accum_offset"):
        if required not in values:
            raise InputError(place, "LOAD005", f"the kernel descriptor has no .amdhsa_{required}, which gfx942 needs")
    for name, value in values.items():
        if not 0 <= value <= _LARGEST.get(name, value):
            raise InputError(place, "LOAD013", f".amdhsa_{name} is {value}, wanted 0 to {_LARGEST.get(name, 'a positive number')}")
    mode = 0
    for name, shift, default in _MODE_FIELDS:
        mode |= values.get(name, default) << shift
    ids = tuple(bool(values.get(f"system_sgpr_{role}", 1 if role == "workgroup_id_x" else 0)) for role in _SYSTEM_ROLES)
    x, y, z = ids
    vgprs, offset = -(-max(values["next_free_vgpr"], 1) // 8) * 8, values["accum_offset"]
    return Descriptor(
        lds_bytes=values.get("group_segment_fixed_size", 0),
        scratch_bytes=values.get("private_segment_fixed_size", 0),
        kernarg_size=values.get("kernarg_size", 0),
        user=tuple(role for role, _ in USER_ROLES if values.get(f"user_sgpr_{role}", 0)),
        preload_dwords=values.get("user_sgpr_kernarg_preload_length", 0),
        preload_offset=values.get("user_sgpr_kernarg_preload_offset", 0),
        workgroup_ids=(x, y, z),
        workgroup_info=bool(values.get("system_sgpr_workgroup_info", 0)),
        workitem_dimensions=values.get("system_vgpr_workitem_id", 0) + 1,
        vgprs=vgprs,
        agpr_offset=min(offset, vgprs),
        mode=mode,
    )


def from_bytes(data: bytes, place: Place) -> tuple[Descriptor, int]:
    """The descriptor of a code object's 64 bytes, and the entry's byte offset from the descriptor."""
    if len(data) < 64:
        raise InputError(place, "LOAD006", f"the kernel descriptor has {len(data)} bytes, wanted 64")
    lds, scratch, kernarg = struct.unpack_from("<III", data, 0)
    if lds > _LARGEST["group_segment_fixed_size"] or scratch > LARGEST_SCRATCH or kernarg > _LARGEST["kernarg_size"]:
        sizes = f"{lds} bytes of LDS, {scratch} of scratch, {kernarg} of arguments"
        raise InputError(place, "LOAD013", f"the descriptor asks for {sizes}: more than there is")
    (entry,) = struct.unpack_from("<q", data, 16)
    rsrc3, rsrc1, rsrc2 = struct.unpack_from("<III", data, 44)
    properties, preload = struct.unpack_from("<HH", data, 56)
    vgprs = ((rsrc1 & 0x3F) + 1) * 8
    bits = (("dispatch_ptr", 1), ("queue_ptr", 2), ("kernarg_segment_ptr", 3), ("dispatch_id", 4), ("private_segment_size", 6))
    mode = rsrc1 >> 12 & 0xFF | (rsrc1 >> 21 & 1) << 8 | (rsrc1 >> 23 & 1) << 9
    descriptor = Descriptor(
        lds_bytes=lds,
        scratch_bytes=scratch,
        kernarg_size=kernarg,
        user=tuple(role for role, bit in bits if properties >> bit & 1),
        preload_dwords=preload & 0x7F,
        preload_offset=preload >> 7,
        workgroup_ids=(bool(rsrc2 >> 7 & 1), bool(rsrc2 >> 8 & 1), bool(rsrc2 >> 9 & 1)),
        workgroup_info=bool(rsrc2 >> 10 & 1),
        workitem_dimensions=(rsrc2 >> 11 & 3) + 1,
        vgprs=vgprs,
        agpr_offset=min(((rsrc3 & 0x3F) + 1) * 4, vgprs),
        mode=mode,
    )
    return descriptor, entry
