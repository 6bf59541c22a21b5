"""Machine programs to AMDHSA assembly text (AMDGPUUsage, "Assembler" and "Code Object")."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.emission.code import SourceFiles, checked_symbol, code_lines
from asmgen.emission.descriptor import descriptor_lines
from asmgen.emission.metadata import metadata_lines
from asmgen.emission.usage import RegisterUsage, Resources, check_kernel, register_usage, resources
from isa.program import Kernel
from isa.targets import TargetId

__all__ = ["Resources", "emit", "emit_file", "resources"]


def emit(kernel: Kernel, target: TargetId, usage: RegisterUsage | None = None) -> str:
    """The assembly file of an allocated kernel; `usage` may be passed if it has been counted.

    Raises `InputError` if the kernel needs more than the target has or its name cannot be a symbol, and
    `InternalError` if a register is still virtual or the ABI differs from the registers that the hardware
    fills.
    """
    return _file([(kernel, usage or register_usage(kernel))], target)


def emit_file(kernels: Sequence[Kernel], target: TargetId) -> str:
    """The assembly file of several kernels: a single code object with the kernels' names as symbols."""
    return _file([(kernel, register_usage(kernel)) for kernel in kernels], target)


def _file(usages: Sequence[tuple[Kernel, RegisterUsage]], target: TargetId) -> str:
    files = SourceFiles()
    code: list[str] = []
    for kernel, usage in usages:
        check_kernel(kernel, target.target, usage)
        code += _function_lines(kernel, files)
    lines = [
        f'\t.amdgcn_target "amdgcn-amd-amdhsa--{target.clang}"',
        "\t.amdhsa_code_object_version 5",
        "\t.text",
        *files.lines(),
        *code,
        # instruction prefetch reads on after the last instruction
        f"\t.p2alignl\t{target.target.pad_alignment.bit_length() - 1}, {target.target.pad_word:#x}",
        f"\t.fill\t{target.target.pad_words}, 4, {target.target.pad_word:#x}",
        '\t.section\t.rodata,"a",@progbits',
    ]
    for kernel, usage in usages:
        lines += ["\t.p2align\t6", *descriptor_lines(kernel, target.target, usage)]
    lines += metadata_lines(usages, target)
    return "\n".join(lines) + "\n"


def _function_lines(kernel: Kernel, files: SourceFiles) -> list[str]:
    name = checked_symbol(kernel.name, "kernel name")
    end = f".L{name}.end.of.code"
    return [
        f"\t.protected\t{name}",
        f"\t.globl\t{name}",
        "\t.p2align\t8",
        f"\t.type\t{name},@function",
        f"{name}:",
        *code_lines(kernel, files),
        f"{end}:",
        f"\t.size\t{name}, {end}-{name}",
    ]
