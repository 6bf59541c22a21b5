"""The kernels and their arguments in code object metadata, version 3 and later: of YAML as the AMDGPU backend
prints it (`yaml.py`), or of msgpack."""

from __future__ import annotations

from typing import Any, cast

from msgspec import Struct

from isa.diagnostics import InputError, Place, close_names
from isa.objects.yaml import METADATA_HELP
from isa.program import Argument

_LARGEST_SEGMENT = 1 << 16  # bytes of kernel arguments that are read


class RegisterCounts(Struct, frozen=True):
    """A kernel's registers by its metadata: `vgprs` counts both files, `sgprs` includes the reserved SGPRs;
    None if the metadata does not say."""

    vgprs: int | None = None
    agprs: int | None = None
    sgprs: int | None = None
    vgpr_spills: int | None = None
    sgpr_spills: int | None = None


NOT_COUNTED = RegisterCounts()


class KernelMetadata(Struct, frozen=True):
    """A kernel's metadata for a launch. `required` is the workgroup size that the kernel was compiled for, if
    any."""

    name: str
    symbol: str
    arguments: tuple[Argument, ...]
    kernarg_size: int
    largest_workgroup: int
    required: tuple[int, int, int] | None
    counts: RegisterCounts = NOT_COUNTED


LARGEST_WORKGROUP = 1024  # work-items; the limit of a launch by default


def kernels_of(metadata: Any, place: Place) -> list[KernelMetadata]:
    """The kernels that metadata lists. Raises InputError LOAD011 if a required field is missing."""
    kernels = cast(dict[str, Any], metadata).get("amdhsa.kernels") if isinstance(metadata, dict) else None
    if not isinstance(kernels, list):
        raise InputError(place, "LOAD011", "the metadata has no list amdhsa.kernels", help=METADATA_HELP)
    return [_kernel(kernel, place) for kernel in cast(list[Any], kernels)]


def _kernel(fields: Any, place: Place) -> KernelMetadata:
    try:
        name = str(fields[".name"])
        required = fields.get(".reqd_workgroup_size")
        return KernelMetadata(
            name,
            str(fields.get(".symbol", name + ".kd")),
            tuple(_argument(argument, i) for i, argument in enumerate(fields.get(".args") or ())),
            min(int(fields.get(".kernarg_segment_size", 0)), _LARGEST_SEGMENT),
            int(fields.get(".max_flat_workgroup_size", LARGEST_WORKGROUP)),
            (int(required[0]), int(required[1]), int(required[2])) if required else None,
            _counts(fields),
        )
    except (KeyError, TypeError, IndexError, ValueError, AttributeError) as error:
        message = f"the metadata of a kernel lacks a field or has it in another form: {error}"
        raise InputError(place, "LOAD011", message, help=METADATA_HELP) from None


def _counts(fields: Any) -> RegisterCounts:
    names = (".vgpr_count", ".agpr_count", ".sgpr_count", ".vgpr_spill_count", ".sgpr_spill_count")
    vgprs, agprs, sgprs, vgpr_spills, sgpr_spills = (
        int(fields[name]) if name in fields else None for name in names
    )
    return RegisterCounts(vgprs, agprs, sgprs, vgpr_spills, sgpr_spills)


def _argument(fields: Any, index: int) -> Argument:
    offset, size = int(fields[".offset"]), int(fields[".size"])
    if not 0 <= offset < _LARGEST_SEGMENT or not 0 < size <= _LARGEST_SEGMENT:
        raise ValueError(f"argument {index} has {size} bytes at offset {offset}")
    alignment = int(fields.get(".pointee_align", 1))
    if not 0 < alignment <= _LARGEST_SEGMENT:
        raise ValueError(f"argument {index} is aligned to {alignment}")
    access = str(fields.get(".actual_access", fields.get(".access", "")))
    return Argument(
        str(fields.get(".name", f"arg{index}")), offset, size, str(fields[".value_kind"]),
        str(fields.get(".address_space", "")), "" if access == "default" else access,
        str(fields.get(".type_name", "")), alignment,
    )  # fmt: skip


def choose(names: list[str], wanted: str | None, place: Place) -> str:
    """The name of the kernel to run: the requested kernel, or the only kernel."""
    if wanted is None:
        if len(names) == 1:
            return names[0]
        raise InputError(
            place,
            "LOAD002",
            f"the file has {len(names)} kernels, and none was named; it has "
            f"{', '.join(sorted(names)) or 'none'}",
            help="name it: --kernel NAME",
        )
    if wanted not in names:
        known = ", ".join(sorted(names)) or "(the file has none)"
        raise InputError(
            place, "LOAD003", f"there is no kernel {wanted!r}, wanted one of {known}",
            help=close_names(wanted, names),
        )  # fmt: skip
    return wanted
