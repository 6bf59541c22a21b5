"""The kernels of a code object, and the target that it is for."""

from __future__ import annotations

from isa.diagnostics import Place
from isa.objects.descriptor import DESCRIPTOR_BYTES, wave_size_in_bytes
from isa.objects.elf import elf_object
from isa.objects.metadata import KernelMetadata, choose
from isa.targets import TargetId, with_wave_size


def with_waves(target: TargetId, descriptor: bytes) -> TargetId:
    """The target at the wave size that a kernel descriptor states."""
    return target._replace(
        target=with_wave_size(target.target, wave_size_in_bytes(descriptor, target.target))
    )


def object_target(data: bytes, name: str) -> TargetId:
    """The target of a code object, at the wave size of its first kernel. InputError LOAD02x as of
    `load_code_object`."""
    elf = elf_object(data, Place(name))
    target = elf.target()
    kernels = elf.metadata()
    return (
        with_waves(target, elf.bytes_at(elf.symbol(kernels[0].symbol), DESCRIPTOR_BYTES))
        if kernels
        else target
    )


def object_kernel(data: bytes, name: str, kernel: str | None) -> KernelMetadata:
    """The metadata of a kernel of a code object (of the only kernel by default), which is all that a launch
    on a GPU needs.

    Raises InputError LOAD02x as `load_code_object`; llvm-objdump is not needed.
    """
    place = Place(name)
    kernels = {entry.name: entry for entry in elf_object(data, place).metadata()}
    return kernels[choose(sorted(kernels), kernel, place)]


def object_kernel_names(data: bytes, name: str, needs_metadata: bool = True) -> list[str]:
    """The kernels of a code object, sorted. InputError LOAD0xx as of `load_code_object`."""
    elf = elf_object(data, Place(name))
    _ = elf.target()
    return sorted(entry.name for entry in elf.metadata(needs_metadata))
