"""Accesses of memory through a buffer resource, with its bounds."""

from __future__ import annotations

from typing import Any

import numpy as np

from isa.emulator.operands.modifiers import number
from isa.emulator.operands.operands import Reader, scalar_source, source_reader
from isa.emulator.state.footprint import Footprint
from isa.emulator.state.global_memory import MemoryFault
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Waves
from isa.emulator.steps.memory.addressing import Locate, compress, named, scalar_address, scratch_place
from isa.instruction import Instr, OperandSpec, Role
from isa.named_tuple import NamedTuple
from isa.registers import Register
from isa.semantics.mode import where


def buffer_locator(instr: Instr, layout: RegisterLayout, whole: int) -> Locate:
    """A buffer access through its resource: base (48 bits), stride, number of records (CDNA3 ISA and RDNA3
    ISA, section 9.1.5).

    Lanes out of range read 0 and store nothing, as on the hardware. A raw buffer checks each part of an
    access by itself, other buffers the `whole` access. A resource that adds the lane number is the wave's
    scratch; other swizzled resources are refused.
    """
    resource = named(instr, "srsrc")
    assert resource is not None and isinstance(resource[0], Register)
    words = [
        scalar_source(Register(unit), OperandSpec("srsrc", Role.USE, resource[1].kinds, "u32"), layout)
        for unit in resource[0].units
    ]
    soffset = scalar_address(instr, "soffset", layout)
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
        try:
            indexes = w.memory.locate(addresses.reshape(-1)[lanes], size, writes)
        except MemoryFault as fault:
            on = np.arange(inside.size) if w.full else w.lanes_on
            raise fault.among(np.searchsorted(on, lanes)) from None
        return Footprint(w.memory.arena, indexes, lanes)

    return locate


class _Bounds(NamedTuple):
    """The inputs of a buffer access's bounds check; `linear` is the byte offset including the scalar offset,
    which `within` leaves out."""

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


def private_buffer_place(w: Waves, base: Any, offsets: Any, size: int) -> Footprint:
    """Scratch by a buffer resource with the wave's own offset in its base."""
    if np.any(base[:, 0].astype(np.uint64) != w.scratch_addresses()):
        raise MemoryFault("the base of the private segment buffer is not the start of this wave's scratch", 0)
    addresses, lanes = compress(w, offsets)
    return scratch_place(w, addresses, lanes, size)


def _vector_parts(instr: Instr, layout: RegisterLayout, both: bool) -> list[Reader]:
    """The vector address of a buffer access: index, offset, or both in a pair."""
    operand = named(instr, "vaddr")
    if operand is None or not isinstance(operand[0], Register):
        return []
    spec = OperandSpec("vaddr", Role.USE, operand[1].kinds, "u32")
    units = operand[0].units if both else operand[0].units[:1]
    return [source_reader(Register(unit), spec, layout) for unit in units]
