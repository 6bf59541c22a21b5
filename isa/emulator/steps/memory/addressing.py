"""What all ways of addressing memory have in common: the bytes that an access touches, its address operands,
and the limits of LDS and scratch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isa.emulator.operands.operands import Reader, scalar_source, source_reader
from isa.emulator.state.footprint import Footprint, Indexes
from isa.emulator.state.global_memory import MemoryFault
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Waves
from isa.instruction import Immediate, Instr, Off, OperandSpec, Role

Locate = Callable[[Waves, int, bool, int], Footprint]


def named(instr: Instr, name: str) -> tuple[Any, OperandSpec] | None:
    """The operand of this name and its spec, or None."""
    for spec, operand in zip(instr.row.operands, instr.operands, strict=True):
        if spec.name == name and spec.role is Role.USE:
            return operand, spec
    return None


def vector_address(instr: Instr, name: str, layout: RegisterLayout) -> Reader | None:
    """A vector address operand; None if it is absent or `off`."""
    operand = named(instr, name)
    if operand is None or isinstance(operand[0], Off):
        return None
    return source_reader(operand[0], operand[1], layout)


def scalar_address(instr: Instr, name: str, layout: RegisterLayout) -> Reader | None:
    """A scalar address operand as [wave, 1]."""
    operand = named(instr, name)
    if operand is None or isinstance(operand[0], Off):
        return None
    if isinstance(operand[0], Immediate):
        value = np.uint32(operand[0].bits)
        return lambda w: value
    read = scalar_source(operand[0], operand[1], layout)
    return lambda w: read(w)[:, None]


def compress(w: Waves, addresses: Any) -> tuple[Any, NDArray[np.intp] | None]:
    """Addresses of the active lanes alone, flat."""
    shape = (w.width, w.lanes)
    whole = addresses if addresses.shape == shape else np.broadcast_to(addresses, shape)
    if w.full:
        return whole.reshape(-1), None
    return whole.reshape(-1).take(w.lanes_on), w.lanes_on


def reaches_all(w: Waves, place: Footprint) -> bool:
    """Whether every active lane found its bytes: in a buffer some may be out of range."""
    return place.lanes is None or len(place.lanes) == (
        w.width * w.lanes if w.full else np.count_nonzero(w.active)
    )


def check_within(addresses: NDArray[Any], size: int, limit: int, what: str, more: str = "") -> None:
    """Raises MemoryFault if an access does not lie in the `limit` bytes of a memory."""
    if addresses.size and (
        int(addresses.max()) + size > limit or (addresses.dtype.kind == "i" and int(addresses.min()) < 0)
    ):
        outside = (addresses < 0) | (addresses.astype(np.int64) + size > limit)
        wrong = np.flatnonzero(outside)
        lane = int(wrong[0])
        message = f"{size} bytes at {int(addresses[lane])} are out of bounds: {what} has {limit} bytes{more}"
        raise MemoryFault(message, lane, wrong)


def scratch_place(w: Waves, addresses: Indexes, lanes: NDArray[np.intp] | None, size: int) -> Footprint:
    """Bytes of each lane's own scratch."""
    check_within(addresses, size, w.scratch_bytes, "scratch")
    flat = np.arange(w.width * w.lanes) if lanes is None else lanes
    owner = w.indexes[flat // w.lanes] * w.lanes + flat % w.lanes
    return Footprint(w.scratch.reshape(-1), addresses + owner * w.scratch_bytes, lanes)
