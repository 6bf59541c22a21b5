"""The YAML of `.amdgpu_metadata` as data for msgpack. Every known key has the kind that LLVM requires.

Source: AMDGPUUsage, "Code Object V5 Metadata".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from isa.diagnostics import InputError, Place
from isa.objects.yaml import parse_yaml

_STRINGS = frozenset(
    {
        ".name", ".symbol", ".language", ".vec_type_hint", ".device_enqueue_symbol", ".kind", ".type_name",
        ".value_kind", ".value_type", ".address_space", ".access", ".actual_access", "amdhsa.target",
    }
)  # fmt: skip
_INTEGERS = frozenset(
    {
        ".size", ".offset", ".align", ".pointee_align", ".kernarg_segment_size", ".group_segment_fixed_size",
        ".private_segment_fixed_size", ".kernarg_segment_align", ".wavefront_size", ".sgpr_count",
        ".vgpr_count", ".agpr_count", ".max_flat_workgroup_size", ".sgpr_spill_count", ".vgpr_spill_count",
        ".workgroup_processor_mode", ".uniform_work_group_size",
    }
)  # fmt: skip
_BOOLEANS = frozenset({".is_const", ".is_restrict", ".is_volatile", ".is_pipe", ".uses_dynamic_stack"})
_REQUIRED = (
    ".name", ".symbol", ".kernarg_segment_size", ".group_segment_fixed_size", ".private_segment_fixed_size",
    ".kernarg_segment_align", ".wavefront_size", ".sgpr_count", ".vgpr_count", ".max_flat_workgroup_size",
)  # fmt: skip


def read_metadata(lines: list[tuple[int, str]], name: str, place: Place) -> Any:
    """The metadata of lines with their numbers. Raises InputError LOAD010 for unsupported YAML, OBJ040 for a
    value of the wrong kind, OBJ041 for a kernel without a required key."""
    value = parse_yaml(lines, name)
    kernels: Any = cast(dict[str, Any], value).get("amdhsa.kernels") if isinstance(value, dict) else None
    if not isinstance(kernels, list):
        raise InputError(place, "OBJ041", "the metadata has no amdhsa.kernels, wanted a list of the kernels")
    for kernel in cast(list[Any], kernels):
        fields = cast(dict[str, Any], kernel) if isinstance(kernel, dict) else {}
        if missing := [key for key in _REQUIRED if key not in fields]:
            raise InputError(
                place,
                "OBJ041",
                f"kernel {fields.get('.name', '?')} in the metadata, wanted also {', '.join(missing)}",
            )
    return _typed(value, "", place)


def _typed(value: Any, key: str, place: Place) -> Any:
    if isinstance(value, dict):
        return {name: _typed(entry, name, place) for name, entry in cast(dict[str, Any], value).items()}
    if isinstance(value, list):
        return [_typed(entry, "", place) for entry in cast(list[Any], value)]
    if key in _STRINGS:
        return _checked(value, str, key, place)
    if key in _INTEGERS and not isinstance(value, bool):
        return _checked(value, int, key, place)
    return _checked(value, bool, key, place) if key in _BOOLEANS else value


def _checked(value: Any, kind: Callable[[Any], Any], key: str, place: Place) -> Any:
    if isinstance(value, cast(type, kind)):
        return value
    raise InputError(
        place, "OBJ040", f"{key} is {value!r} in the metadata, wanted {cast(type, kind).__name__}"
    )
