"""Launching: arguments into simulated memory, waves with the registers the hardware fills, results back to
arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from isa.diagnostics import InputError
from isa.emulator.arguments import (
    KernelCall,
    Pointer,
    check_argument,
    check_count,
    check_pointers,
    explicit_arguments,
)
from isa.emulator.block_plans import BlockDecoder, Steps
from isa.emulator.chunks import Grid, Started, run_grid
from isa.emulator.global_memory import Memory, MemoryRange
from isa.emulator.image import Image
from isa.emulator.kernarg import (
    KERNARG_GRANULE,
    PACKET_BYTES,
    QUEUE_BYTES,
    kernarg_bytes,
    lds_of,
    packet_bytes,
    queue_bytes,
)
from isa.emulator.machine import STEP_LIMIT, Checker, Machine
from isa.emulator.observers import Observer, Observers
from isa.emulator.processes import WORTH, are_apart, cores, run_in_processes, shares
from isa.emulator.register_layout import RegisterLayout
from isa.emulator.waves import EXEC_PAIR, SCRATCH_ADDRESS, Waves, pack_lanes
from isa.objects.metadata import KernelMetadata
from isa.registers import FIRST_VGPR, FLAT_SCRATCH, Register, sgpr
from isa.semantics.mode import Approximation
from isa.target import Target, round_up
from isa.targets import parse_target

CHUNK_WAVES = 512
_SCRATCH_BYTES, _ALL_SCRATCH_BYTES = 1 << 27, 1 << 29  # of all waves of a chunk, and of all chunks at once
_SWIZZLE, _ADD_LANE = 1 << 31, 1 << 23  # of the second and of the last word of a buffer resource


def check_dimensions(image: Image | KernelMetadata, launch: KernelCall) -> None:
    """Raises InputError if grid or block are not legal for this kernel."""
    for name, sizes in (("grid", launch.grid), ("block", launch.block)):
        if any(size < 1 for size in sizes):
            raise InputError(name, "RUN001", f"{name} is {sizes}, wanted sizes of at least 1")
    x, y, z = launch.block
    if x * y * z > min(image.largest_workgroup, 1024):
        raise InputError(
            "block",
            "RUN002",
            f"a workgroup of {x * y * z} work-items, {image.name} allows "
            f"{min(image.largest_workgroup, 1024)}",
        )
    if image.required is not None and image.required != launch.block:
        raise InputError(
            "block", "RUN003", f"block is {launch.block}, {image.name} was compiled for {image.required}"
        )
    if any(g * b > 1 << 32 for g, b in zip(launch.grid, launch.block, strict=True)):
        raise InputError(
            "grid",
            "RUN004",
            f"grid {launch.grid} of blocks {launch.block} has more than 2**32 work-items in a dimension",
        )


class _Loaded(Struct):
    memory: Memory
    regions: list[MemoryRange | None]  # of the arguments, then of the resident buffers
    kernarg: MemoryRange
    packet: MemoryRange
    queue: MemoryRange


def load_arguments(image: Image, launch: KernelCall) -> _Loaded:
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
    return _Loaded(memory, regions, kernarg, packet, queue)


class Kept(Struct):
    """The memory of a launch, reused by later launches of the same code on the same arguments. Bytes that
    they do not write keep the values of the previous launch."""

    image: Image | None = None
    loaded: _Loaded | None = None
    places: tuple[int, ...] = ()

    def take(self, image: Image, launch: KernelCall) -> _Loaded:
        """The memory of the previous launch, or a new memory for the first launch."""
        given = [value for i, value in enumerate(launch.arguments) if i not in launch.undefined]
        places = tuple([value.ctypes.data for value in given if isinstance(value, np.ndarray)])
        if self.loaded is None or self.image is not image or self.places != places:
            self.loaded = None
            self.image, self.loaded, self.places = image, load_arguments(image, launch), places
        return self.loaded


class Settings(Struct, frozen=True):
    """Settings of the emulator: the results of approximate instructions, and the kernel's entry."""

    approximation: Approximation = Approximation.NEAREST
    entry: str = "preload"  # "preload" as new firmware enters, "prologue" as old firmware does
    chunk_waves: int = CHUNK_WAVES
    step_limit: int = STEP_LIMIT  # instructions of a chunk after which a kernel counts as endless
    seconds: float | None = None  # after which a run counts as endless
    progress: Callable[[int, int], None] | None = None  # told how many workgroups are done, and of how many
    groups: tuple[int, ...] | None = None  # the workgroups of the grid that run; all of them if None
    processes: int | None = None  # that a large grid may use; all cores if None
    kept: Kept | None = None  # memory to use again
    left_out: frozenset[int] = frozenset()  # operations that do not run


def entry_of(image: Image, entry: str) -> int:
    if entry not in ("preload", "prologue"):
        raise InputError("entry", "RUN020", f"entry is {entry!r}, wanted preload or prologue")
    if entry == "preload" and image.code.preload_entry is not None:
        return image.code.preload_entry
    return image.code.entry


def execute(
    image: Image,
    launch: KernelCall,
    layout: RegisterLayout,
    settings: Settings,
    checker: Checker | None = None,
    steps: Steps | None = None,
    observers: Sequence[Observer] = (),
) -> list[NDArray[Any]]:
    """Run the grid, or the workgroups that the settings choose; the array arguments as they are afterwards,
    in order, then the resident buffers. `steps` are the decoded instructions of other orders of the code, on
    the same layout."""
    check_dimensions(image, launch)
    loaded = load_arguments(image, launch) if settings.kept is None else settings.kept.take(image, launch)
    is_shared = steps is None and not settings.left_out
    decoder = (
        decoder_of(image, layout) if is_shared else BlockDecoder(image.code, layout, steps, settings.left_out)
    )
    observing = Observers(image.code.operations, observers) if observers else None
    machine = Machine(decoder, checker, observing, settings.step_limit, settings.seconds)
    entry = entry_of(image, settings.entry)
    x, y, z = launch.block
    per_group = -(-x * y * z // layout.lanes)
    sizes = lds_of(image, launch, layout.target).total, image.descriptor.stack_bytes
    chosen = None if settings.groups is None else np.array(settings.groups, np.intp)
    groups = launch.grid[0] * launch.grid[1] * launch.grid[2] if chosen is None else len(chosen)
    scratch = per_group * layout.lanes * max(1, image.descriptor.stack_bytes)
    most = min(settings.chunk_waves // per_group, _SCRATCH_BYTES // scratch)
    resident = min(_resident_groups(image, layout.target, sizes[0], x * y * z), _ALL_SCRATCH_BYTES // scratch)

    def start(first: int, count: int) -> Started:
        waves = Waves(
            count * per_group, per_group, layout.rows, layout.pairs, loaded.memory, *sizes, layout.lanes
        )
        waves.approximation = settings.approximation
        places = first + waves.workgroup
        own = places if chosen is None else chosen[places]
        waves.numbers = own * per_group + np.arange(waves.count) % per_group
        fill_entry_state(waves, image, launch, loaded, own, layout.target, settings.entry == "preload")
        if checker is not None:
            checker.begin(waves, machine, first * per_group, groups * per_group)
        if observing is not None:
            observing.begin(waves)
        return Started(waves, machine.run(waves, entry, own))

    grid = Grid(groups, max(1, most), max(1, resident), layout.target.name)

    def rest(first: int) -> bool:
        """The workgroups from `first` on, on all cores if they take long enough."""
        processes = cores() if settings.processes is None else settings.processes
        chunks = -(-(groups - first) // grid.chunk)
        if min(processes, chunks) < 2 or machine.taken * chunks < WORTH or not are_apart(image.code):
            return False

        def tell(done: int, total: int) -> None:
            if settings.progress is not None:
                settings.progress(first + (groups - first) * done // total, groups)

        def run_part(part: range) -> None:
            share = grid._replace(groups=len(part), resident=max(1, grid.resident // processes))
            is_this_process = part.start == first
            told = tell if is_this_process else None
            run_grid(share, lambda at, count: start(part[at], count), None, None, told)

        return run_in_processes(loaded.memory, shares(range(first, groups), grid.chunk, processes), run_part)

    with np.errstate(all="ignore"):
        is_watched = checker is not None or observing is not None
        run_grid(grid, start, checker, observing, settings.progress, None if is_watched else rest)
    return _results(launch, loaded)


@lru_cache(maxsize=16)
def layout_of(image: Image) -> RegisterLayout:
    """The registers that the descriptor of a kernel declares."""
    descriptor = image.descriptor
    agprs = descriptor.vgprs - descriptor.agpr_offset
    target = parse_target(image.target, image.place).target
    return RegisterLayout(descriptor.agpr_offset, agprs, target=target, sgprs=descriptor.sgprs)


@lru_cache(maxsize=16)
def decoder_of(image: Image, layout: RegisterLayout) -> BlockDecoder:
    """The blocks of a kernel, decoded once for all of its runs."""
    return BlockDecoder(image.code, layout)


def _resident_groups(image: Image, target: Target, lds_bytes: int, threads: int) -> int:
    """The number of workgroups that are resident on the machine."""
    target = target if image.descriptor.spread else target.on_compute_units()
    return target.resident_groups(image.descriptor.vgprs, image.descriptor.sgprs, lds_bytes, threads)


def _results(launch: KernelCall, loaded: _Loaded) -> list[NDArray[Any]]:
    results: list[NDArray[Any]] = []
    contents = [*launch.arguments, *[each.content for each in launch.resident]]
    for region, value in zip(loaded.regions, contents, strict=True):
        if region is not None:
            assert isinstance(value, np.ndarray)
            results.append(loaded.memory.content(region).view(value.dtype).reshape(value.shape))
    return results


def fill_entry_state(
    w: Waves,
    image: Image,
    launch: KernelCall,
    loaded: _Loaded,
    groups: NDArray[np.intp],
    target: Target,
    preload: bool,
) -> None:
    """Registers as the hardware leaves them (AMDGPUUsage, "Initial Kernel Execution State"). `groups` are the
    workgroups of the waves, by their places in the grid."""
    for role, first, count in image.descriptor.entry_sgprs():
        if role == "preload" and not preload:
            continue
        values = _entry_values(role, count, image, launch, loaded, groups, w)
        for i, value in enumerate(values):
            w.s32[(first + i) >> 1, :, (first + i) & 1] = value
    lanes = np.arange(w.per_group * w.lanes)
    x, y, z = launch.block
    active = lanes < x * y * z
    ids = (lanes % x, lanes // x % y, lanes // (x * y))
    packed = sum(ids[i] << (10 * i) for i in range(image.descriptor.workitem_dimensions))
    w.u32[0] = np.tile(
        np.where(active, packed, 0).astype(np.uint32).reshape(w.per_group, w.lanes),
        (w.count // w.per_group, 1),
    )
    masks = pack_lanes(active.reshape(w.per_group, w.lanes), (w.per_group, w.lanes))
    w.set_exec(np.tile(masks, w.count // w.per_group))
    if target.architected_scratch:
        w.s64[FLAT_SCRATCH.first // 2] = np.uint64(SCRATCH_ADDRESS)
    w.mode_bits[:] = image.descriptor.mode


def _entry_values(
    role: str,
    count: int,
    image: Image,
    launch: KernelCall,
    loaded: _Loaded,
    groups: NDArray[np.intp],
    w: Waves,
) -> list[Any]:
    """The 32-bit values of an entry role: scalars, or a value for each wave."""
    gx, gy, _ = launch.grid
    match role:
        case "workgroup_id_x":
            return [groups % gx]
        case "workgroup_id_y":
            return [groups // gx % gy]
        case "workgroup_id_z":
            return [groups // (gx * gy)]
        case "workgroup_id_yz":
            return [groups // gx % gy | groups // (gx * gy) << 16]
        case "wave_id":
            return [np.arange(w.count) % w.per_group << 25]
        case "private_segment_buffer":
            low, high = _halves(SCRATCH_ADDRESS)
            return [low, high | _SWIZZLE, 0xFFFFFFFF, _ADD_LANE]
        case "flat_scratch_init":
            return _halves(SCRATCH_ADDRESS)
        case "private_segment_wavefront_offset":
            return [w.scratch_offsets()]
        case "preload":
            start = 4 * image.descriptor.preload_offset
            content = np.zeros(start + 4 * count, np.uint8)
            segment = loaded.memory.content(loaded.kernarg)[: len(content)]
            content[: len(segment)] = segment
            return list(content[start:].view(np.uint32))
        case "kernarg_segment_ptr":
            return _halves(loaded.kernarg.address)
        case "dispatch_ptr":
            return _halves(loaded.packet.address)
        case "queue_ptr":
            return _halves(loaded.queue.address)
        case "private_segment_size":
            return [image.descriptor.stack_bytes]
        case _:
            return [0] * count


def _halves(address: int) -> list[int]:
    return [address & 0xFFFFFFFF, address >> 32]


def entry_registers(image: Image, preload: bool) -> list[Register]:
    """Every register with a defined value at the entry."""
    roles = [
        sgpr(first, count)
        for role, first, count in image.descriptor.entry_sgprs()
        if role != "preload" or preload
    ]
    scratch = [FLAT_SCRATCH] if parse_target(image.target, image.place).target.architected_scratch else []
    return [*roles, Register(FIRST_VGPR), Register(EXEC_PAIR * 2, 2), *scratch]
