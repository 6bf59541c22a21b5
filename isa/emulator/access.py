"""Where memory instructions find their bytes: addresses of lanes in global memory, scratch and LDS.

A space turns an instruction's address operands into indexes of bytes in one flat numpy array, for the active
lanes alone, and reports accesses that lie outside. Indexes are int64[lane]; a full group has all 64 * waves
lanes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isa.diagnostics import InternalError
from isa.emulator.layout import RegisterLayout
from isa.emulator.memory import MemoryFault
from isa.emulator.modifiers import number
from isa.emulator.operands import APERTURES, Reader, scalar_reader, scalar_source, source_reader
from isa.emulator.waves import Waves
from isa.instruction import Immediate, Instr, Off, OperandSpec, Role, Unit
from isa.registers import FLAT_SCRATCH, M0, Register
from isa.semantics.mode import where

Indexes = NDArray[np.int64]


class Footprint(NamedTuple):
    """Byte indexes into `store`, for the lanes `lanes` of the group (None: all of them)."""

    store: NDArray[np.uint8]
    indexes: Indexes
    lanes: NDArray[np.intp] | None


Locate = Callable[[Waves, int, bool, int], Footprint]


def named(instr: Instr, name: str) -> tuple[Any, OperandSpec] | None:
    """The operand of this name and its spec, or None."""
    for spec, operand in zip(instr.row.operands, instr.operands, strict=True):
        if spec.name == name and spec.role is Role.USE:
            return operand, spec
    return None


def _reader(instr: Instr, name: str, layout: RegisterLayout) -> Reader | None:
    """A vector address operand; None where it is absent or `off`."""
    found = named(instr, name)
    if found is None or isinstance(found[0], Off):
        return None
    return source_reader(found[0], found[1], layout)


def _scalar(instr: Instr, name: str, layout: RegisterLayout) -> Reader | None:
    """A scalar address operand as [wave, 1]."""
    found = named(instr, name)
    if found is None or isinstance(found[0], Off):
        return None
    if isinstance(found[0], Immediate):
        value = np.uint32(found[0].bits)
        return lambda w: value
    read = scalar_source(found[0], found[1], layout)
    return lambda w: read(w)[:, None]


def compress(w: Waves, addresses: Any) -> tuple[Any, NDArray[np.intp] | None]:
    """Addresses of the active lanes alone, flat."""
    shape = (w.width, w.lanes)
    whole = addresses if addresses.shape == shape else np.broadcast_to(addresses, shape)
    if w.full:
        return whole.reshape(-1), None
    return whole.reshape(-1).take(w.lanes_on), w.lanes_on


def locator(instr: Instr, layout: RegisterLayout, whole: int = 0) -> Locate:
    """How this instruction's addresses become places. The last argument adds to the instruction's offset;
    `whole` are the bytes that it accesses, where they are located in parts.
    """
    unit = instr.row.unit
    if unit is Unit.LDS:
        return lds_locator(instr, layout)
    if unit is Unit.SCRATCH:
        return scratch_locator(instr, layout)
    if named(instr, "srsrc"):
        return buffer_locator(instr, layout, whole)
    return flat_locator(instr, layout) if unit is Unit.FLAT else global_locator(instr, layout)


def global_addresses(instr: Instr, layout: RegisterLayout) -> Reader:
    """uint64[wave, lane]: a VGPR address, or an SGPR base and a 32-bit VGPR offset; plus the immediate."""
    base, vector = _scalar(instr, "saddr", layout), _reader(instr, "vaddr", layout)
    offset = np.uint64(number(instr, "offset") & 0xFFFFFFFFFFFFFFFF)
    if vector is None:
        raise InternalError("emulator", instr.row.mnemonic, "a global access needs an address register")
    if base is None:
        return (lambda w: vector(w) + offset) if offset else vector
    if offset:
        return lambda w: vector(w) + (base(w) + offset)
    return lambda w: vector(w) + base(w)


def global_locator(instr: Instr, layout: RegisterLayout) -> Locate:
    read = global_addresses(instr, layout)

    def locate(w: Waves, size: int, writes: bool, more: int) -> Footprint:
        addresses, lanes = compress(w, read(w))
        return Footprint(w.memory.arena, w.memory.locate(addresses, size, writes), lanes)

    return locate


def flat_locator(instr: Instr, layout: RegisterLayout) -> Locate:
    """Flat addresses: the aperture in the upper half says LDS, scratch or memory, the same for every lane
    (`memory_by_memory`)."""
    read = global_addresses(instr, layout)
    shared, private = (APERTURES[unit] >> 32 for unit in (235, 237))

    def locate(w: Waves, size: int, writes: bool, more: int) -> Footprint:
        addresses, lanes = compress(w, read(w))
        upper = addresses >> np.uint64(32)
        low = (addresses & np.uint64(0xFFFFFFFF)).astype(np.int64)
        if addresses.size and (upper == shared).all():
            return lds_place(w, low, lanes, size)
        if addresses.size and (upper == private).all():
            check_flat_scratch(w, layout)
            return scratch_place(w, low, lanes, size)
        return Footprint(w.memory.arena, w.memory.locate(addresses, size, writes), lanes)

    return locate


def memory_by_memory(
    instr: Instr, step: Callable[[Waves], None], layout: RegisterLayout
) -> Callable[[Waves], None]:
    """A flat access whose lanes may reach into different memories: it is made for the lanes of each in
    turn."""
    read = global_addresses(instr, layout)
    apertures = [np.uint64(APERTURES[unit] >> 32) for unit in (235, 237)]

    def apart(w: Waves) -> None:
        upper = np.broadcast_to(read(w) >> np.uint64(32), (w.width, w.lanes))
        active = w.active_lanes()
        elsewhere = [active & (upper == aperture) for aperture in apertures]
        parts = [part for part in (*elsewhere, active & ~elsewhere[0] & ~elsewhere[1]) if part.any()]
        if len(parts) < 2:
            step(w)
            return
        for part in parts:
            w.within(part, lambda: step(w))

    return apart


def lds_locator(instr: Instr, layout: RegisterLayout) -> Locate:
    """LDS addresses: the sum of an address and the offset has 32 bits."""
    read = _reader(instr, "addr", layout) or _lane_addresses(layout)
    offset = number(instr, "offset")

    def locate(w: Waves, size: int, writes: bool, more: int) -> Footprint:
        addresses, lanes = compress(w, read(w))
        moved = addresses + np.uint32(offset + more) if offset + more else addresses
        return lds_place(w, moved, lanes, size)

    return locate


def _lane_addresses(layout: RegisterLayout) -> Reader:
    """Four bytes a lane from M0 on, for accesses that name no address (ds_read_addtid)."""
    base, lanes = scalar_reader(M0, "u32", layout), 4 * np.arange(layout.lanes, dtype=np.uint32)
    return lambda w: (base(w) & np.uint32(0xFFFF))[:, None] + lanes


def lds_place(w: Waves, addresses: NDArray[Any], lanes: NDArray[np.intp] | None, size: int) -> Footprint:
    """LDS addresses of the group's lanes, uint32 or int64, in the LDS of their workgroups."""
    more = ", and `run --lds N` gives N more to a kernel that leaves open how many"
    _within(addresses, size, w.lds_bytes, "LDS", more)
    starts = w.lds_starts if lanes is None else w.lds_starts.take(lanes)
    return Footprint(w.lds.reshape(-1), addresses.astype(np.int64) + starts, lanes)


def _within(addresses: NDArray[Any], size: int, limit: int, what: str, more: str = "") -> None:
    if addresses.size and (
        int(addresses.max()) + size > limit or (addresses.dtype.kind == "i" and int(addresses.min()) < 0)
    ):
        outside = (addresses < 0) | (addresses.astype(np.int64) + size > limit)
        lane = int(np.argmax(outside))
        raise MemoryFault(
            f"{size} bytes at {int(addresses[lane])} are out of bounds: {what} has {limit} bytes{more}", lane
        )


def scratch_locator(instr: Instr, layout: RegisterLayout) -> Locate:
    """Scratch: a byte offset of 32 bits into the lane's own memory, from a VGPR, an SGPR and the
    immediate."""
    base, vector = _scalar(instr, "saddr", layout), _reader(instr, "vaddr", layout)
    offset = number(instr, "offset")

    def locate(w: Waves, size: int, writes: bool, more: int) -> Footprint:
        address: Any = np.full((w.width, 1), offset, np.int64)
        for read in (base, vector):
            if read is not None:
                address = address + read(w).astype(np.int64)
        addresses, lanes = compress(w, address & 0xFFFFFFFF)
        check_flat_scratch(w, layout)
        return scratch_place(w, addresses, lanes, size)

    return locate


def check_flat_scratch(w: Waves, layout: RegisterLayout) -> None:
    """MemoryFault where the kernel has to set FLAT_SCRATCH up and it is not where this wave's scratch
    begins."""
    if not layout.target.architected_scratch and np.any(
        w.s64[FLAT_SCRATCH.first >> 1, w.select] != w.scratch_addresses()
    ):
        raise MemoryFault("FLAT_SCRATCH is not where this wave's scratch begins", 0)


def scratch_place(w: Waves, addresses: Indexes, lanes: NDArray[np.intp] | None, size: int) -> Footprint:
    _within(addresses, size, w.scratch_bytes, "scratch")
    flat = np.arange(w.width * w.lanes) if lanes is None else lanes
    owner = w.indexes[flat // w.lanes] * w.lanes + flat % w.lanes
    return Footprint(w.scratch.reshape(-1), addresses + owner * w.scratch_bytes, lanes)


def buffer_locator(instr: Instr, layout: RegisterLayout, whole: int) -> Locate:
    """A buffer access through its resource: base (48 bits), stride, number of records (CDNA3 ISA and RDNA3
    ISA, section 9.1.5).

    Lanes out of range read 0 and store nothing, as the hardware does. A raw buffer bounds each part of an
    access by itself, another one the `whole`. A resource that adds the lane number is the one of the wave's
    scratch; other swizzled ones are refused.
    """
    resource = named(instr, "srsrc")
    assert resource is not None and isinstance(resource[0], Register)
    words = [
        scalar_source(Register(unit), OperandSpec("srsrc", Role.USE, resource[1].kinds, "u32"), layout)
        for unit in resource[0].units
    ]
    soffset = _scalar(instr, "soffset", layout)
    both = bool(number(instr, "idxen")) and bool(number(instr, "offen"))
    vector = _vector_parts(instr, layout, both)
    indexed, offset = bool(number(instr, "idxen")), number(instr, "offset")
    swizzled = 3 if layout.target.bounds_in_resource else 2
    inside_of = _bounds_by_mode if layout.target.bounds_in_resource else _bounds_by_stride

    def locate(w: Waves, size: int, writes: bool, more: int) -> Footprint:
        low, high, records, flags = (read(w).astype(np.int64)[:, None] for read in words)
        base, stride = low | (high & 0xFFFF) << 32, high >> 16 & 0x3FFF
        parts = [part(w).astype(np.int64) for part in vector]
        index: Any = parts[0] if indexed else np.zeros((1, 1), np.int64)
        within: Any = (parts[-1] if parts and (both or not indexed) else 0) + (offset + more)
        extra: Any = 0 if soffset is None else np.asarray(soffset(w)).astype(np.int64)
        if (flags >> 23 & 1).all():
            return private_buffer_place(w, base, within + extra // w.lanes & 0xFFFFFFFF, size)
        if (high >> 30 & swizzled).any() or (flags >> 23 & 1).any():
            raise MemoryFault("a swizzled buffer is not modelled", 0)
        linear = index * stride + within
        inside = inside_of(
            _Bounds(
                index,
                within,
                linear + extra,
                records,
                stride,
                flags >> 28 & 3,
                indexed,
                max(size, whole - more),
            ),
            size,
        )
        inside = np.broadcast_to(inside, (w.width, w.lanes)) & w.active_lanes()
        addresses = np.broadcast_to(base + linear + extra, (w.width, w.lanes)).astype(np.uint64)
        lanes = np.flatnonzero(inside)
        return Footprint(w.memory.arena, w.memory.locate(addresses.reshape(-1)[lanes], size, writes), lanes)

    return locate


class _Bounds(NamedTuple):
    """What a bounds check of a buffer access looks at; `linear` is the byte offset with the scalar one,
    which is no part of `within`."""

    index: Any
    within: Any
    linear: Any
    records: Any
    stride: Any
    mode: Any
    indexed: bool
    payload: int


def _bounds_by_stride(b: _Bounds, size: int) -> Any:
    """Raw without a stride or an index: the bytes lie within the records; else the index and the record's
    bytes do."""
    reach = where(b.stride == 0, b.records, b.records * b.stride)
    return where(
        (b.stride == 0) | (not b.indexed),
        b.linear + size <= reach,
        (b.index < b.records) & (b.within + b.payload <= b.stride),
    )


def _bounds_by_mode(b: _Bounds, size: int) -> Any:
    """By OOB_SELECT of the resource: 0 structured, 1 the index alone, 2 whether there are records, 3 raw."""
    whole_records = b.index < b.records
    modes = [
        whole_records & (b.within + b.payload <= b.stride),
        whole_records,
        b.records != 0,
        b.linear + size <= b.records,
    ]
    modes = np.broadcast_arrays(*modes, b.mode)[:4]
    return np.choose(np.broadcast_to(b.mode, modes[0].shape), modes)


def reaches_all(w: Waves, place: Footprint) -> bool:
    """Whether every active lane found its bytes: in a buffer some may be out of range."""
    return place.lanes is None or len(place.lanes) == (
        w.width * w.lanes if w.full else np.count_nonzero(w.active)
    )


def private_buffer_place(w: Waves, base: Any, offsets: Any, size: int) -> Footprint:
    """Scratch by a buffer resource, whose base the wave's own offset has been added to."""
    if np.any(base[:, 0].astype(np.uint64) != w.scratch_addresses()):
        raise MemoryFault("the base of the private segment buffer is not where this wave's scratch begins", 0)
    addresses, lanes = compress(w, offsets)
    return scratch_place(w, addresses, lanes, size)


def _vector_parts(instr: Instr, layout: RegisterLayout, both: bool) -> list[Reader]:
    """The vector address of a buffer access: index, offset, or both in a pair."""
    found = named(instr, "vaddr")
    if found is None or not isinstance(found[0], Register):
        return []
    spec = OperandSpec("vaddr", Role.USE, found[1].kinds, "u32")
    units = found[0].units if both else found[0].units[:1]
    return [source_reader(Register(unit), spec, layout) for unit in units]
