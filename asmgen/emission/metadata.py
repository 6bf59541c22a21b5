"""Code object metadata v5 as the `.amdgpu_metadata` text (AMDGPUUsage, "Code Object V5 Metadata")."""

from __future__ import annotations

from collections.abc import Iterable

from asmgen.emission.code import quoted
from asmgen.emission.descriptor import kernarg_size
from asmgen.emission.usage import RegisterUsage
from isa.program import STRING_TAG, Argument, Kernel
from isa.targets import TargetId
from regalloc.spill.memory import spill_counts

_TRUTH = ("true", "false")
_NUMBERS = ("inf", "infinity", "nan")
Pair = tuple[str, str | int]


def metadata_lines(kernels: Iterable[tuple[Kernel, RegisterUsage]], target: TargetId) -> list[str]:
    """The note of a code object: its target, and each kernel's arguments and resources."""
    lines = [
        "\t.amdgpu_metadata",
        "---",
        "amdhsa.version:",
        "  - 1",
        "  - 2",
        f"amdhsa.target: amdgcn-amd-amdhsa--{target.clang}",
        "amdhsa.kernels:",
    ]
    for kernel, usage in kernels:
        lines += _kernel_lines(kernel, usage, target)
    return [*lines, "...", "\t.end_amdgpu_metadata"]


def _kernel_lines(kernel: Kernel, usage: RegisterUsage, target: TargetId) -> list[str]:
    x, y, z = kernel.workgroup
    spills = spill_counts(kernel)
    pairs: list[Pair] = [
        (".name", _name(kernel.name, kernel.name)),
        (".symbol", f"{kernel.name}.kd"),
        (".kernarg_segment_size", kernarg_size(kernel)),
        (".kernarg_segment_align", _alignment(kernel)),
        (".group_segment_fixed_size", kernel.lds_bytes),
        (".private_segment_fixed_size", kernel.scratch_bytes),
        (".uses_dynamic_stack", "false"),
        (".wavefront_size", target.target.wave_size),
        (".sgpr_count", usage.sgprs + target.target.reserved_sgprs),
        (".vgpr_count", usage.unified_vgprs),
        (".agpr_count", usage.agprs),
        (".sgpr_spill_count", spills.sgprs),
        (".vgpr_spill_count", spills.vgprs),
        (".max_flat_workgroup_size", x * y * z),
    ]
    lines = _item_lines(pairs, "  ")
    if not kernel.abi.any_block:
        lines += ["    .reqd_workgroup_size:", *(f"      - {size}" for size in kernel.workgroup)]
    if not kernel.arguments:
        return [*lines, "    .args: []"]
    lines.append("    .args:")
    for argument in kernel.arguments:
        lines += _item_lines(_argument_pairs(argument), "      ")
    return lines


def _alignment(kernel: Kernel) -> int:
    """That of a pointer, or of the largest vector that is passed by value."""
    by_value = [argument.size for argument in kernel.arguments if argument.kind == "by_value"]
    return max([8, *by_value])


def _argument_pairs(argument: Argument) -> list[Pair]:
    pairs: list[Pair] = [
        (".offset", argument.offset),
        (".size", argument.size),
        (".value_kind", argument.kind),
    ]
    if not argument.is_hidden:
        pairs.insert(0, (".name", _name(argument.name, quoted(argument.name))))
    if argument.type:
        pairs.append((".type_name", quoted(argument.type)))
    if argument.address_space:
        pairs.append((".address_space", argument.address_space))
    if argument.access:
        pairs.append((".actual_access", argument.access))
    return pairs


def _name(name: str, written: str) -> str:
    """A name as YAML has it; LLVM reads words of truth and of numbers as such in quotes too, unless a tag
    says that they are text."""
    return f"{STRING_TAG} {written}" if name in _TRUTH or name.lower() in _NUMBERS else written


def _item_lines(pairs: list[Pair], indent: str) -> list[str]:
    """A YAML list item that is a map."""
    return [f"{indent}{'- ' if i == 0 else '  '}{key}: {value}" for i, (key, value) in enumerate(pairs)]
