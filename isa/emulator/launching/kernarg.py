"""The memory of a kernel at its start: the arguments, hidden arguments included, the dispatch packet, the
queue, and the LDS."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from isa.diagnostics import InputError
from isa.emulator.launching.arguments import (
    LOCAL_POINTER,
    KernelCall,
    Pointer,
    explicit_arguments,
    value_bytes,
)
from isa.emulator.operands.operands import APERTURES
from isa.emulator.program.image import Image
from isa.emulator.state.global_memory import MemoryRange
from isa.named_tuple import NamedTuple
from isa.program import Argument
from isa.target import Target, round_up
from isa.targets import parse_target

KERNARG_GRANULE = (
    16  # alignment and size granule of a kernarg segment, so that its last 16 bytes may be read whole
)
PACKET_BYTES = 64
QUEUE_BYTES = 256
_SHARED, _PRIVATE = APERTURES[235] >> 32, APERTURES[237] >> 32
_QUEUE_SHARED, _QUEUE_PRIVATE = 16, 17  # words of amd_queue_t with the apertures' upper halves


class Lds(NamedTuple):
    """The LDS of a workgroup in bytes, and the LDS address of each argument that points to LDS, by the
    argument's offset."""

    total: int
    starts: dict[int, int]


def lds_of(image: Image, launch: KernelCall, target: Target) -> Lds:
    """The kernel's own LDS, then the targets of its `local` pointers, in order, then the launch's bytes.

    Raises InputError RUN005 if the sum exceeds a workgroup's limit.
    """
    if launch.lds_bytes < 0:
        raise InputError("lds_bytes", "RUN005", f"got {launch.lds_bytes}, wanted a number of bytes from 0 on")
    end = image.descriptor.lds_bytes
    starts: dict[int, int] = {}
    for argument, value in zip(explicit_arguments(image), launch.arguments, strict=True):
        if argument.kind == LOCAL_POINTER:
            starts[argument.offset] = round_up(end, argument.alignment)
            assert value is not None and not isinstance(value, Pointer), "check_argument wants a number"
            size = value.item() if isinstance(value, np.generic | np.ndarray) else value
            end = starts[argument.offset] + int(size)
    end += launch.lds_bytes
    if end > target.lds_bytes:
        message = (
            f"a workgroup of {image.name} would have {end} bytes of LDS, wanted at most {target.lds_bytes}"
        )
        raise InputError("lds_bytes", "RUN005", message)
    return Lds(end, starts)


def kernarg_bytes(
    image: Image, launch: KernelCall, regions: list[MemoryRange | None], size: int, queue: MemoryRange
) -> NDArray[np.uint8]:
    """The kernarg segment: pointers, values, and the hidden arguments that the kernel asks for. `regions` are
    those of the arguments, then those of the resident buffers."""
    result = np.zeros(size, np.uint8)
    explicit = iter(zip(regions, launch.arguments, strict=False))
    lds = lds_of(image, launch, parse_target(image.target, image.place).target)
    for argument in image.arguments:
        if argument.offset < 0 or argument.offset + argument.size > size:
            raise InputError(
                image.place,
                "RUN015",
                f"argument {argument.name} ends at {argument.offset + argument.size}, wanted at most {size}",
            )
        if argument.is_hidden:
            raw = hidden_argument(argument, launch, lds.total - image.descriptor.lds_bytes, queue).to_bytes(
                argument.size, "little"
            )
        else:
            region, value = next(explicit)
            if argument.kind == LOCAL_POINTER:
                value = lds.starts[argument.offset]
            if isinstance(value, Pointer):
                target = regions[value.buffer]
                assert target is not None, "check_pointers found the buffer"
                raw = (target.address + value.offset).to_bytes(8, "little")
            elif value is None or region is not None:
                raw = (0 if region is None else region.address).to_bytes(8, "little")
            else:
                raw = value_bytes(value, argument)
        if len(raw) != argument.size:
            raise InputError(
                image.place,
                "RUN016",
                f"argument {argument.name} has {argument.size} bytes in the metadata, wanted {len(raw)}",
            )
        result[argument.offset : argument.offset + argument.size] = np.frombuffer(raw, np.uint8)
    return result


def hidden_argument(argument: Argument, launch: KernelCall, dynamic_lds: int, queue: MemoryRange) -> int:
    """A hidden argument of code object version 5 (AMDGPUUsage, "Code Object V5 Metadata"); pointers to
    runtime services are null."""
    axes = {"x": 0, "y": 1, "z": 2}
    kind, _, axis = argument.kind.removeprefix("hidden_").rpartition("_")
    if axis in axes:
        i = axes[axis]
        values = {
            "block_count": launch.grid[i],
            "group_size": launch.block[i],
            "remainder": 0,
            "global_offset": 0,
        }
        if kind in values:
            return values[kind]
    return {
        "hidden_grid_dims": _dimensions(launch),
        "hidden_private_base": _PRIVATE,
        "hidden_shared_base": _SHARED,
        "hidden_dynamic_lds_size": dynamic_lds,
        "hidden_queue_ptr": queue.address,
    }.get(argument.kind, 0)


def _dimensions(launch: KernelCall) -> int:
    """The number of dimensions of the grid, up to the last dimension with several work-items."""
    return max([1, *(i + 1 for i in range(3) if launch.grid[i] * launch.block[i] > 1)])


def packet_bytes(image: Image, launch: KernelCall, kernarg: MemoryRange) -> NDArray[np.uint8]:
    """The AQL dispatch packet (HSA Platform System Architecture, 2.9.6)."""
    fields = np.zeros(PACKET_BYTES // 2, np.uint16)
    fields[1] = _dimensions(launch)
    fields[2:5] = launch.block
    words = fields.view(np.uint32)
    words[3:6] = [min(g * b, 0xFFFFFFFF) for g, b in zip(launch.grid, launch.block, strict=True)]
    words[6] = image.descriptor.stack_bytes
    words[7] = lds_of(image, launch, parse_target(image.target, image.place).target).total
    words.view(np.uint64)[5] = kernarg.address
    return words.view(np.uint8)


def queue_bytes() -> NDArray[np.uint8]:
    """The queue: the upper halves of the apertures (amd_queue_t, `group_segment_aperture_base_hi` and its
    neighbour)."""
    words = np.zeros(QUEUE_BYTES // 4, np.uint32)
    words[_QUEUE_SHARED], words[_QUEUE_PRIVATE] = _SHARED, _PRIVATE
    return words.view(np.uint8)
