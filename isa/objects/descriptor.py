"""The kernel descriptor, from `.amdhsa_*` directives or from its 64 bytes (AMDGPUUsage, "Kernel
Descriptor")."""

from __future__ import annotations

import struct

from msgspec import Struct

from isa.diagnostics import InputError, Place
from isa.target import Target, round_up

DESCRIPTOR_BYTES = 64
USER_ROLES = (
    ("private_segment_buffer", 4), ("dispatch_ptr", 2), ("queue_ptr", 2), ("kernarg_segment_ptr", 2),
    ("dispatch_id", 2), ("flat_scratch_init", 2), ("private_segment_size", 1),
)  # fmt: skip
# ttmp9, ttmp7, ttmp8: AMDGPUUsage, "Trap handler registers"
_IDS_IN_TTMP = (("workgroup_id_x", 117), ("workgroup_id_yz", 115), ("wave_id", 116))
_SYSTEM_ROLES = ("workgroup_id_x", "workgroup_id_y", "workgroup_id_z")
_MODE_FIELDS = (
    ("float_round_mode_32", 0, 0), ("float_round_mode_16_64", 2, 0), ("float_denorm_mode_32", 4, 0),
    ("float_denorm_mode_16_64", 6, 3), ("dx10_clamp", 8, 1), ("ieee_mode", 9, 1),
)  # fmt: skip
_DX10_CLAMP, _DX10_NAME = 8, "dx10_clamp"

LARGEST_SCRATCH = 1 << 17  # bytes a lane that the emulator gives
_DYNAMIC_STACK = 1 << 14  # additional bytes for each lane if the depth of a kernel's calls is unknown
_LARGEST = {
    "private_segment_fixed_size": LARGEST_SCRATCH, "kernarg_size": 1 << 16, "next_free_vgpr": 512,
    "accum_offset": 256, "wavefront_size32": 1, "user_sgpr_count": 16, "user_sgpr_kernarg_preload_length": 16,
    "user_sgpr_kernarg_preload_offset": 511, "system_vgpr_workitem_id": 2, "float_round_mode_32": 3,
    "float_round_mode_16_64": 3, "float_denorm_mode_32": 3, "float_denorm_mode_16_64": 3, "dx10_clamp": 1,
    "ieee_mode": 1,
}  # fmt: skip


class Descriptor(Struct, frozen=True):
    """The hardware's setup of a wave.

    * `user`: the enabled user SGPR roles in order
    * `mode`: MODE's low bits
    * `agpr_offset`: the number of the `vgprs` that are VGPRs; the rest are AGPRs
    * `wave_size`: in lanes
    * `ids_in_ttmp`: the numbers of the workgroup are in trap registers
    * `scratch_offset`: an SGPR has the wave's byte offset in scratch
    * `user_sgprs`: the number of SGPRs before those of the system, if the user roles take fewer
    * `sgprs`: the number of SGPRs of a wave, in whole granules
    * `dynamic_stack`: the kernel uses more scratch than `scratch_bytes`
    * `spread`: the waves of a workgroup run on several compute units, each with a cache of its own
    """

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
    wave_size: int = 64
    ids_in_ttmp: bool = False
    scratch_offset: bool = False
    user_sgprs: int = 0
    sgprs: int = 128
    dynamic_stack: bool = False
    spread: bool = False

    @property
    def stack_bytes(self) -> int:
        """The bytes of scratch that a lane gets."""
        return self.scratch_bytes + _DYNAMIC_STACK * self.dynamic_stack

    def entry_sgprs(self) -> list[tuple[str, int, int]]:
        """(role, first SGPR, count) of everything the hardware writes, in order; `preload` is the preloaded
        arguments."""
        result: list[tuple[str, int, int]] = []
        at = 0
        sizes = dict(USER_ROLES)
        for role in self.user:
            result.append((role, at, sizes[role]))
            at += sizes[role]
        if self.preload_dwords:
            result.append(("preload", at, self.preload_dwords))
            at += self.preload_dwords
        if self.ids_in_ttmp:
            return [*result, *((role, unit, 1) for role, unit in _IDS_IN_TTMP)]
        at = max(at, self.user_sgprs)
        enabled = (
            *zip(_SYSTEM_ROLES, self.workgroup_ids, strict=True),
            ("workgroup_info", self.workgroup_info),
        )
        for role, wanted in (*enabled, ("private_segment_wavefront_offset", self.scratch_offset)):
            if wanted:
                result.append((role, at, 1))
                at += 1
        return result


def wave_size_of(values: dict[str, int], target: Target) -> int:
    """The lanes of a wave under these directives; the target's own number by default."""
    return (
        {0: 64, 1: 32}[values["wavefront_size32"] & 1] if "wavefront_size32" in values else target.wave_size
    )


def _largest(target: Target) -> dict[str, int]:
    return _LARGEST | {"group_segment_fixed_size": target.lds_bytes}


def _mode(bits: int, target: Target) -> int:
    """MODE's low bits as the descriptor states them; a target without dx10_clamp and ieee clamps NaN to 0 and
    quiets none."""
    return bits if _DX10_NAME in dict(target.descriptor) else bits & 0xFF | 1 << _DX10_CLAMP


def default_mode(target: Target) -> int:
    """MODE under the directives that the target's record has for every kernel."""
    stated = dict(target.descriptor)
    return _mode(sum(stated.get(name, default) << shift for name, shift, default in _MODE_FIELDS), target)


def _check_directives(values: dict[str, int], target: Target, place: Place) -> None:
    """Raise `InputError` LOAD005 for a missing directive that the target needs, LOAD013 for a number out of
    range."""
    for required in ("next_free_vgpr", *(("accum_offset",) if target.has_agprs else ())):
        if required not in values:
            raise InputError(
                place,
                "LOAD005",
                f"the kernel descriptor has no .amdhsa_{required}, which {target.name} needs",
                help=f"put it before .end_amdhsa_kernel: .amdhsa_{required} 32",
            )
    largest = _largest(target)
    for name, value in values.items():
        if not 0 <= value <= largest.get(name, value):
            raise InputError(
                place,
                "LOAD013",
                f".amdhsa_{name} is {value}, wanted 0 to {largest.get(name, 'a positive number')}",
                help="without the directive, it has LLVM's default",
            )


def from_directives(values: dict[str, int], target: Target, place: Place) -> Descriptor:
    """The descriptor of `.amdhsa_NAME VALUE` directives (names without the prefix); those left out have
    LLVM's defaults.

    `target` runs waves of `wave_size_of(values, target)` lanes. Raises `InputError` LOAD005 or LOAD013.
    """
    _check_directives(values, target, place)
    mode = 0
    for name, shift, default in _MODE_FIELDS:
        mode |= values.get(name, default) << shift
    ids = tuple(
        bool(values.get(f"system_sgpr_{role}", 1 if role == "workgroup_id_x" else 0))
        for role in _SYSTEM_ROLES
    )
    x, y, z = ids
    vgprs = round_up(max(values["next_free_vgpr"], 1), _encoding_granule(target))
    offset = values["accum_offset"] if target.has_agprs else vgprs
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
        mode=_mode(mode, target),
        wave_size=target.wave_size,
        ids_in_ttmp=target.workgroup_ids_in_ttmp,
        user_sgprs=values.get("user_sgpr_count", 0),
        sgprs=round_up(
            values.get("next_free_sgpr", target.sgprs) + target.reserved_sgprs, target.sgpr_granule
        ),
        scratch_offset=not target.architected_scratch
        and bool(values.get("system_sgpr_private_segment_wavefront_offset", 0)),
        dynamic_stack=bool(values.get("uses_dynamic_stack", 0)),
        spread=bool(values.get(target.spread_by, target.spreads)),
    )


# the steps in which a descriptor counts SGPRs; a wave gets whole granules of the target
_SGPR_ENCODING_GRANULE = 8


def _encoding_granule(target: Target) -> int:
    """The granule in which a descriptor counts VGPRs: 8, or half of it for the larger waves of a target with
    two wave sizes."""
    return 8 * min(target.wave_sizes) // target.wave_size


def wave_size_in_bytes(data: bytes, target: Target) -> int:
    """The lanes of a wave by the descriptor's kernel code properties, if the target has two wave sizes."""
    return (
        (32 if data[57] >> 2 & 1 else 64)
        if len(target.wave_sizes) > 1 and len(data) >= DESCRIPTOR_BYTES
        else target.wave_size
    )


def from_bytes(data: bytes, target: Target, place: Place) -> tuple[Descriptor, int]:
    """The descriptor of a code object's 64 bytes, and the entry's byte offset from the descriptor.

    `target` runs waves of `wave_size_in_bytes(data, target)` lanes.
    """
    if len(data) < DESCRIPTOR_BYTES:
        message = f"the kernel descriptor has {len(data)} bytes, wanted {DESCRIPTOR_BYTES}"
        raise InputError(place, "LOAD006", message, help="link the code object again")
    lds, scratch, kernarg = struct.unpack_from("<III", data, 0)
    if lds > target.lds_bytes or scratch > LARGEST_SCRATCH or kernarg > _LARGEST["kernarg_size"]:
        sizes = f"{lds} bytes of LDS, {scratch} of scratch, {kernarg} of arguments"
        message = f"the descriptor asks for {sizes}, wanted no more than {target.name} has"
        limits = target.lds_bytes, LARGEST_SCRATCH, _LARGEST["kernarg_size"]
        help = f"at most {limits[0]} bytes of LDS, {limits[1]} of scratch, {limits[2]} of arguments"
        raise InputError(place, "LOAD013", message, help=help)
    (entry,) = struct.unpack_from("<q", data, 16)
    rsrc3, rsrc1, rsrc2 = struct.unpack_from("<III", data, 44)
    properties, preload = struct.unpack_from("<HH", data, 56)
    vgprs = ((rsrc1 & 0x3F) + 1) * _encoding_granule(target)
    mode = rsrc1 >> 12 & 0xFF | (rsrc1 >> 21 & 1) << 8 | (rsrc1 >> 23 & 1) << 9
    descriptor = Descriptor(
        lds_bytes=lds,
        scratch_bytes=scratch,
        kernarg_size=kernarg,
        user=tuple(role for bit, (role, _) in enumerate(USER_ROLES) if properties >> bit & 1),
        preload_dwords=preload & 0x7F if target.preload else 0,
        preload_offset=preload >> 7 if target.preload else 0,
        workgroup_ids=(bool(rsrc2 >> 7 & 1), bool(rsrc2 >> 8 & 1), bool(rsrc2 >> 9 & 1)),
        workgroup_info=bool(rsrc2 >> 10 & 1),
        workitem_dimensions=(rsrc2 >> 11 & 3) + 1,
        vgprs=vgprs,
        agpr_offset=min(((rsrc3 & 0x3F) + 1) * 4, vgprs) if target.has_agprs else vgprs,
        mode=_mode(mode, target),
        wave_size=target.wave_size,
        ids_in_ttmp=target.workgroup_ids_in_ttmp,
        user_sgprs=rsrc2 >> 1 & 0x1F,
        sgprs=round_up(((rsrc1 >> 6 & 0xF) + 1) * _SGPR_ENCODING_GRANULE, target.sgpr_granule),
        scratch_offset=not target.architected_scratch and bool(rsrc2 & 1),
        dynamic_stack=bool(properties >> 11 & 1),
        spread=bool({"workgroup_processor_mode": rsrc1 >> 29, "tg_split": rsrc3 >> 16}[target.spread_by] & 1),
    )
    return descriptor, entry
