"""The simulated memory of a launch: arrays, the kernarg segment, the dispatch packet and the queue."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from isa.emulator.launching.arguments import (
    KernelCall,
    Pointer,
    check_argument,
    check_count,
    check_pointers,
    explicit_arguments,
)
from isa.emulator.launching.kernarg import (
    KERNARG_GRANULE,
    PACKET_BYTES,
    QUEUE_BYTES,
    kernarg_bytes,
    packet_bytes,
    queue_bytes,
)
from isa.emulator.program.image import Image
from isa.emulator.state.global_memory import Memory, MemoryRange
from isa.target import round_up


class Loaded(Struct):
    """A kernel, its launch, the memory of the launch, and the addresses of the memory's parts."""

    image: Image
    launch: KernelCall
    memory: Memory
    regions: list[MemoryRange | None]  # of the arguments, then of the resident buffers
    kernarg: MemoryRange
    packet: MemoryRange
    queue: MemoryRange

    def results(self) -> list[NDArray[Any]]:
        """The array arguments as they are now, in order, then the resident buffers."""
        results: list[NDArray[Any]] = []
        contents = [*self.launch.arguments, *[each.content for each in self.launch.resident]]
        for region, value in zip(self.regions, contents, strict=True):
            if region is not None:
                assert isinstance(value, np.ndarray)
                results.append(self.memory.content(region).view(value.dtype).reshape(value.shape))
        return results


def load_arguments(image: Image, launch: KernelCall) -> Loaded:
    """Simulated memory with every array, the kernarg segment and the dispatch packet. Resident buffers come
    first, so that they have the same addresses in every launch."""
    wanted = explicit_arguments(image)
    check_count(wanted, len(launch.arguments), image.name)
    check_pointers(launch)
    memory = Memory()
    sections = [
        memory.place(f"section {name}", address, len(content), writable)
        for name, address, content, writable in image.sections
    ]
    resident = [memory.add(each.name, each.content.nbytes, defined=each.defined) for each in launch.resident]
    written_through = {
        value.buffer
        for argument, value in zip(wanted, launch.arguments, strict=True)
        if isinstance(value, Pointer) and argument.access != "read_only"
    }
    regions: list[MemoryRange | None] = []
    for i, (argument, value) in enumerate(zip(wanted, launch.arguments, strict=True)):
        check_argument(argument, value, i)
        if isinstance(value, np.ndarray) and argument.is_buffer:
            is_defined = i not in launch.undefined and argument.access != "write_only"
            is_writable = argument.access != "read_only" or i in written_through
            defined = None if is_defined else np.zeros(value.nbytes, np.bool_)
            regions.append(memory.add(f"argument {i} ({argument.name})", value.nbytes, is_writable, defined))
        else:
            regions.append(None)
    regions += resident
    kernarg_size = round_up(max(image.kernarg_size, image.descriptor.kernarg_size, 4), KERNARG_GRANULE)
    kernarg = memory.add("the kernarg segment", kernarg_size, writable=False)
    packet = memory.add("the dispatch packet", PACKET_BYTES, writable=False)
    queue = memory.add("the queue", QUEUE_BYTES, writable=False)
    memory.freeze()
    for region, section in zip(sections, image.sections, strict=True):
        memory.content(region)[:] = np.frombuffer(section.content, np.uint8)
    contents = [*launch.arguments, *[each.content for each in launch.resident]]
    for region, value in zip(regions, contents, strict=True):
        if region is not None:
            assert isinstance(value, np.ndarray)
            if value.nbytes and not (any(value.strides) or value.flat[0]):
                continue  # zeros, which memory is made of; large buffers take no time then
            memory.content(region)[:] = np.ascontiguousarray(value).reshape(-1).view(np.uint8)
    memory.content(kernarg)[:] = kernarg_bytes(image, launch, regions, kernarg.size, queue)
    memory.content(packet)[:] = packet_bytes(image, launch, kernarg)
    memory.content(queue)[:] = queue_bytes()
    return Loaded(image, launch, memory, regions, kernarg, packet, queue)


class Kept(Struct):
    """The memory of a launch, reused by later launches of the same code on the same arguments. Bytes that
    they do not write keep the values of the previous launch."""

    loaded: Loaded | None = None
    places: tuple[int, ...] = ()

    def take(self, image: Image, launch: KernelCall) -> Loaded:
        """The memory of the previous launch, or a new memory for the first launch."""
        given = [value for i, value in enumerate(launch.arguments) if i not in launch.undefined]
        places = tuple([value.ctypes.data for value in given if isinstance(value, np.ndarray)])
        if self.loaded is None or self.loaded.image is not image or self.places != places:
            self.loaded = None  # before the new memory
            self.loaded, self.places = load_arguments(image, launch), places
        return replace(self.loaded, launch=launch)
