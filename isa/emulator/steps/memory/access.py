"""Addresses of memory instructions: the bytes of each lane in global memory, scratch and LDS.

A space turns an instruction's address operands into byte indexes in a flat numpy array, for the active lanes
only, and reports accesses out of bounds. Indexes are int64[lane]; a full group has all 64 * waves lanes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isa.diagnostics import InternalError
from isa.emulator.operands.modifiers import number
from isa.emulator.operands.operands import APERTURES, Reader, scalar_reader
from isa.emulator.state.footprint import Footprint
from isa.emulator.state.global_memory import MemoryFault
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Waves
from isa.emulator.steps.memory.addressing import (
    Locate,
    check_within,
    compress,
    named,
    scalar_address,
    scratch_place,
    vector_address,
)
from isa.emulator.steps.memory.buffers import buffer_locator
from isa.instruction import Instr, Unit
from isa.registers import FLAT_SCRATCH, M0


def locator(instr: Instr, layout: RegisterLayout, whole: int = 0) -> Locate:
    """The function from an instruction's addresses to places. Its last argument is added to the instruction's
    offset; `whole` is the size of the whole access in bytes, if it is located in parts.
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
    base, vector = scalar_address(instr, "saddr", layout), vector_address(instr, "vaddr", layout)
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
    """A flat access, done for the lanes of each memory in turn, because lanes may access different
    memories."""
    read = global_addresses(instr, layout)
    apertures = [np.uint64(APERTURES[unit] >> 32) for unit in (235, 237)]

    def apart(w: Waves) -> None:
        upper = read(w) >> np.uint64(32)
        reached = [upper == aperture for aperture in apertures]
        if not reached[0].any() and not reached[1].any():
            step(w)
            return
        active = w.active_lanes()
        elsewhere = [active & lanes for lanes in reached]
        parts = [part for part in (*elsewhere, active & ~elsewhere[0] & ~elsewhere[1]) if part.any()]
        if len(parts) < 2:
            step(w)
            return
        for part in parts:
            w.within(part, lambda: step(w))

    return apart


def lds_locator(instr: Instr, layout: RegisterLayout) -> Locate:
    """LDS addresses: the sum of an address and the offset has 32 bits."""
    read = vector_address(instr, "addr", layout) or _lane_addresses(layout)
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
    check_within(addresses, size, w.lds_bytes, "LDS", more)
    starts = w.lds_starts if lanes is None else w.lds_starts.take(lanes)
    return Footprint(w.lds.reshape(-1), addresses.astype(np.int64) + starts, lanes)


def scratch_locator(instr: Instr, layout: RegisterLayout) -> Locate:
    """Scratch: a byte offset of 32 bits into the lane's own memory, from a VGPR, an SGPR and the
    immediate."""
    base, vector = scalar_address(instr, "saddr", layout), vector_address(instr, "vaddr", layout)
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
    """Raises MemoryFault if the kernel must set up FLAT_SCRATCH and it is not the start of the wave's
    scratch."""
    if not layout.target.architected_scratch and np.any(
        w.s64[FLAT_SCRATCH.first >> 1, w.select] != w.scratch_addresses()
    ):
        raise MemoryFault("FLAT_SCRATCH is not the start of this wave's scratch", 0)
