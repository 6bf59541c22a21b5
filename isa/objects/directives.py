"""The 64 bytes of a kernel descriptor from `.amdhsa_*` directives, with the defaults and the checks of LLVM's
assembler.

Source: AMDGPUUsage, "Kernel Descriptor" and "AMDHSA Kernel Directives".
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping

from isa.diagnostics import InputError, Place, close_names
from isa.named_tuple import NamedTuple
from isa.target import Target, round_up
from isa.targets import TargetId

ENTRY_OFFSET = 16  # offset of the distance to the kernel's code in the descriptor
# the words that directives fill
_LDS, _SCRATCH, _KERNARG, _RSRC3, _RSRC1, _RSRC2, _PROPERTIES, _PRELOAD = range(8)
_WIDTHS = (32, 32, 32, 32, 32, 32, 16, 16)
_SGPR_GRANULE, _VGPRS_OF_A_GRANULE = 8, 8  # as a descriptor counts them, in waves of the smaller size
_LARGEST_USER_SGPRS = 31
# SGPRs set apart, each count with those before
_RESERVED_VCC, _RESERVED_XNACK, _RESERVED_FLAT_SCRATCH = 2, 4, 6

Has = Callable[[Target], bool]


class _Field(NamedTuple):
    """Bits of the descriptor that a directive sets; `sgprs` is the number of SGPRs that the hardware fills if
    it is 1."""

    word: int
    first: int
    width: int
    default: int | Callable[[TargetId], int] = 0
    has: Has | None = None
    sgprs: int = 0


def _cdna(target: Target) -> bool:
    return target.has_agprs


def _rdna(target: Target) -> bool:
    return not target.has_agprs


def _before_12(target: Target) -> bool:
    return not target.workgroup_ids_in_ttmp


def _gfx11(target: Target) -> bool:
    return _rdna(target) and _before_12(target)


def _gfx12(target: Target) -> bool:
    return target.workgroup_ids_in_ttmp


def _architected(target: Target) -> bool:
    return target.architected_scratch


def _not_architected(target: Target) -> bool:
    return not target.architected_scratch


def _default_wave32(target: TargetId) -> int:
    return int(target.target.wave_size == 32)


def _preloads(target: Target) -> bool:
    return target.preload


_FIELDS: dict[str, _Field] = {
    "group_segment_fixed_size": _Field(_LDS, 0, 32),
    "private_segment_fixed_size": _Field(_SCRATCH, 0, 32),
    "kernarg_size": _Field(_KERNARG, 0, 32),
    "user_sgpr_private_segment_buffer": _Field(_PROPERTIES, 0, 1, has=_not_architected, sgprs=4),
    "user_sgpr_dispatch_ptr": _Field(_PROPERTIES, 1, 1, sgprs=2),
    "user_sgpr_queue_ptr": _Field(_PROPERTIES, 2, 1, sgprs=2),
    "user_sgpr_kernarg_segment_ptr": _Field(_PROPERTIES, 3, 1, sgprs=2),
    "user_sgpr_dispatch_id": _Field(_PROPERTIES, 4, 1, sgprs=2),
    "user_sgpr_flat_scratch_init": _Field(_PROPERTIES, 5, 1, has=_not_architected, sgprs=2),
    "user_sgpr_private_segment_size": _Field(_PROPERTIES, 6, 1, sgprs=1),
    "wavefront_size32": _Field(_PROPERTIES, 10, 1, _default_wave32, _rdna),
    "uses_dynamic_stack": _Field(_PROPERTIES, 11, 1),
    "user_sgpr_kernarg_preload_length": _Field(_PRELOAD, 0, 7, has=_preloads),
    "user_sgpr_kernarg_preload_offset": _Field(_PRELOAD, 7, 9, has=_preloads),
    "system_sgpr_private_segment_wavefront_offset": _Field(_RSRC2, 0, 1, has=_not_architected),
    "enable_private_segment": _Field(_RSRC2, 0, 1, has=_architected),
    "system_sgpr_workgroup_id_x": _Field(_RSRC2, 7, 1, 1),
    "system_sgpr_workgroup_id_y": _Field(_RSRC2, 8, 1),
    "system_sgpr_workgroup_id_z": _Field(_RSRC2, 9, 1),
    "system_sgpr_workgroup_info": _Field(_RSRC2, 10, 1),
    "system_vgpr_workitem_id": _Field(_RSRC2, 11, 2),
    "float_round_mode_32": _Field(_RSRC1, 12, 2),
    "float_round_mode_16_64": _Field(_RSRC1, 14, 2),
    "float_denorm_mode_32": _Field(_RSRC1, 16, 2),
    "float_denorm_mode_16_64": _Field(_RSRC1, 18, 2, 3),
    "dx10_clamp": _Field(_RSRC1, 21, 1, 1, _before_12),
    "round_robin_scheduling": _Field(_RSRC1, 21, 1, 0, _gfx12),
    "ieee_mode": _Field(_RSRC1, 23, 1, 1, _before_12),
    "fp16_overflow": _Field(_RSRC1, 26, 1),
    "workgroup_processor_mode": _Field(_RSRC1, 29, 1, 1, _rdna),
    "memory_ordered": _Field(_RSRC1, 30, 1, 1, _rdna),
    "forward_progress": _Field(_RSRC1, 31, 1, 1, _rdna),
    "tg_split": _Field(_RSRC3, 16, 1, 0, _cdna),
    "shared_vgpr_count": _Field(_RSRC3, 0, 4, 0, _gfx11),
    "inst_pref_size": _Field(_RSRC3, 4, 8, 0, _rdna),
    "exception_fp_ieee_invalid_op": _Field(_RSRC2, 24, 1),
    "exception_fp_denorm_src": _Field(_RSRC2, 25, 1),
    "exception_fp_ieee_div_zero": _Field(_RSRC2, 26, 1),
    "exception_fp_ieee_overflow": _Field(_RSRC2, 27, 1),
    "exception_fp_ieee_underflow": _Field(_RSRC2, 28, 1),
    "exception_fp_ieee_inexact": _Field(_RSRC2, 29, 1),
    "exception_int_div_zero": _Field(_RSRC2, 30, 1),
}
# these are worked out, and are no bits of their own
_OTHERS: dict[str, Has | None] = {
    "next_free_vgpr": None, "next_free_sgpr": None, "accum_offset": _cdna, "user_sgpr_count": None,
    "reserve_vcc": None, "reserve_xnack_mask": None, "reserve_flat_scratch": _not_architected,
}  # fmt: skip
_LARGEST = {
    "reserve_vcc": 1, "reserve_xnack_mask": 1, "reserve_flat_scratch": 1,
    "user_sgpr_kernarg_preload_length": 16,
}  # fmt: skip
_ALSO_ABSENT = ("named_barrier_count",)


class Stated(NamedTuple):
    """The value of a directive, and the line that it is in."""

    value: int
    line: int


def descriptor_bytes(stated: Mapping[str, Stated], target: TargetId, place: Place) -> bytes:
    """The descriptor of directives by their names without `.amdhsa_`, with 0 in place of the distance to the
    code.

    Raises InputError OBJ010 to OBJ014 at the line of the directive at fault, otherwise at `place`, the
    kernel's.
    """
    for name, (value, line) in stated.items():
        _check(name, value, target.target, Place(place.file, line, 1))
    values = {name: entry.value for name, entry in stated.items()}
    _check_together(values, target, place)
    words = [0] * len(_WIDTHS)
    for name, field in _FIELDS.items():
        if field.has is None or field.has(target.target):
            default = field.default if isinstance(field.default, int) else field.default(target)
            words[field.word] |= values.get(name, default) << field.first
    words[_RSRC1] |= _registers(values, target, place)
    words[_RSRC2] |= _user_sgprs(values, place) << 1
    if _cdna(target.target):
        words[_RSRC3] |= _accumulators(values, place)
    head = struct.pack("<IIIIq", *words[:3], 0, 0)
    return head + struct.pack("<20xIIIHHI", *words[3:], 0)


def _check(name: str, value: int, target: Target, place: Place) -> None:
    known = [*_FIELDS, *_OTHERS]
    if name not in known:
        if name in _ALSO_ABSENT:
            raise InputError(
                place, "OBJ011", f"{target.name} has no .amdhsa_{name}", help="leave the line out"
            )
        raise InputError(place, "OBJ010", f"unknown directive .amdhsa_{name}", help=close_names(name, known))
    field = _FIELDS.get(name)
    has = _OTHERS[name] if field is None else field.has
    if has is not None and not has(target):
        raise InputError(place, "OBJ011", f"{target.name} has no .amdhsa_{name}", help="leave the line out")
    width = 32 if field is None else _width(name, field, target)
    largest = _LARGEST.get(name, (1 << width) - 1)
    if not 0 <= value <= largest:
        raise InputError(place, "OBJ012", f".amdhsa_{name} is {value}, wanted 0 to {largest}")


def _width(name: str, field: _Field, target: Target) -> int:
    return target.most_prefetched.bit_length() if name == "inst_pref_size" else field.width


def _check_together(values: Mapping[str, int], target: TargetId, place: Place) -> None:
    """Refuse directives that disagree with each other or with the target."""
    has_xnack = _has_xnack(target)
    if values.get("reserve_xnack_mask", int(has_xnack)) != has_xnack:
        raise InputError(
            place,
            "OBJ014",
            f".amdhsa_reserve_xnack_mask is {int(not has_xnack)}, wanted {int(has_xnack)} for {target}",
        )
    if values.get("shared_vgpr_count", 0) and values.get("wavefront_size32"):
        raise InputError(
            place, "OBJ014", ".amdhsa_shared_vgpr_count is not 0, wanted 0 for waves of 32 lanes"
        )
    preloaded = values.get("user_sgpr_kernarg_preload_length", 0)
    end = 4 * (preloaded + values.get("user_sgpr_kernarg_preload_offset", 0))
    if preloaded and 0 < values.get("kernarg_size", 0) < end:
        raise InputError(
            place,
            "OBJ014",
            f"{end} bytes of arguments are preloaded, wanted at most {values['kernarg_size']}",
        )


def _lanes(values: Mapping[str, int], target: Target) -> int:
    """The lanes of a wave."""
    return (32 if values["wavefront_size32"] else 64) if "wavefront_size32" in values else target.wave_size


def _registers(values: Mapping[str, int], target: TargetId, place: Place) -> int:
    """The granules of VGPRs and of SGPRs, as the first ten bits of compute_pgm_rsrc1."""
    for required in (
        "next_free_vgpr",
        "next_free_sgpr",
        *(("accum_offset",) if _cdna(target.target) else ()),
    ):
        if required not in values:
            raise InputError(
                place,
                "OBJ013",
                f"the kernel descriptor has no .amdhsa_{required}, which {target.target.name} needs",
                help=f"add .amdhsa_{required} VALUE",
            )
    granule = _VGPRS_OF_A_GRANULE * min(target.target.wave_sizes) // _lanes(values, target.target)
    vgprs = round_up(max(1, values["next_free_vgpr"]), granule) // granule - 1
    if vgprs + 2 * values.get("shared_vgpr_count", 0) >= 1 << 6:
        raise InputError(
            place,
            "OBJ012",
            f".amdhsa_next_free_vgpr is {values['next_free_vgpr']}, wanted at most {granule << 6}",
        )
    if _rdna(target.target):
        return vgprs
    if values["next_free_sgpr"] > target.target.sgprs:
        raise InputError(
            place,
            "OBJ012",
            f".amdhsa_next_free_sgpr is {values['next_free_sgpr']}, wanted at most {target.target.sgprs}",
        )
    sgprs = values["next_free_sgpr"] + _reserved(values, target)
    return vgprs | round_up(max(1, sgprs), _SGPR_GRANULE) // _SGPR_GRANULE - 1 << 6


def _has_xnack(target: TargetId) -> bool:
    return "xnack" in target.target.features and "xnack-" not in target.features


def _reserved(values: Mapping[str, int], target: TargetId) -> int:
    """The SGPRs of a wave other than those numbered: VCC, the mask of XNACK and FLAT_SCRATCH, if they are
    reserved."""
    if target.target.architected_scratch or values.get("reserve_flat_scratch", 1):
        return _RESERVED_FLAT_SCRATCH
    if _has_xnack(target):
        return _RESERVED_XNACK
    return _RESERVED_VCC if values.get("reserve_vcc", 1) else 0


def _user_sgprs(values: Mapping[str, int], place: Place) -> int:
    """The number of user SGPRs that a launch fills: those of the enabled roles, or the directive's number."""
    enabled = sum(field.sgprs for name, field in _FIELDS.items() if field.sgprs and values.get(name, 0))
    enabled += values.get("user_sgpr_kernarg_preload_length", 0)
    stated = values.get("user_sgpr_count", enabled)
    if not enabled <= stated <= _LARGEST_USER_SGPRS:
        wanted = (
            f"at least {enabled}, for the enabled user SGPRs"
            if stated < enabled
            else f"at most {_LARGEST_USER_SGPRS}"
        )
        raise InputError(place, "OBJ012", f"user SGPRs are {stated}, wanted {wanted}")
    return stated


def _accumulators(values: Mapping[str, int], place: Place) -> int:
    """The first AGPR among the registers, in units of four."""
    offset = values["accum_offset"]
    if offset % 4 or not 4 <= offset <= 256:
        raise InputError(
            place, "OBJ012", f".amdhsa_accum_offset is {offset}, wanted a multiple of 4 from 4 to 256"
        )
    if offset > round_up(max(1, values["next_free_vgpr"]), 4):
        raise InputError(
            place,
            "OBJ012",
            f".amdhsa_accum_offset is {offset}, wanted at most the VGPRs, {values['next_free_vgpr']}",
        )
    return offset // 4 - 1
