"""Loads of the scalar unit, and its clock, decoded once to a closure on `Waves`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isa.constants import BITS, SIGNED_FIELDS
from isa.emulator.operands.modifiers import number
from isa.emulator.operands.operands import scalar_reader, scalar_source, scalar_writer
from isa.emulator.program.reports import refusal
from isa.emulator.state.footprint import Footprint
from isa.emulator.state.global_memory import MemoryFault
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Step, Waves
from isa.emulator.steps.memory.data import extended, gather
from isa.instruction import Immediate, Instr
from isa.registers import NULL, Register
from isa.semantics.accesses import Load, ScalarLoad


def scalar_load_step(instr: Instr, load: ScalarLoad, layout: RegisterLayout) -> Step:
    """s_load_*: an address per wave, dword-aligned for whole dwords; s_buffer_load_* takes its base from a
    resource, and reads 0 in place of a dword that is not in its records."""
    operands, specs = instr.operands, instr.row.operands
    base, target = operands[1], operands[0]
    assert isinstance(base, Register) and isinstance(target, Register)
    address = scalar_reader(Register(base.first, 2), "u64", layout)
    offset = operands[2]
    move = None if isinstance(offset, Immediate) else scalar_source(offset, specs[2], layout)
    fixed = number(instr, "offset") + (
        _signed(offset.bits, specs[2].type) if isinstance(offset, Immediate) else 0
    )
    units = target.units if target != NULL else range(target.first, target.first + max(1, load.size // 4))
    writers = [scalar_writer(Register(unit) if target != NULL else NULL, layout) for unit in units]
    alignment = ~np.int64(min(load.size, 4) - 1)
    fetch = _buffer_words(base, load, layout) if base.count == 4 else _scalar_words(load)

    def step(w: Waves) -> None:
        start = address(w).astype(np.int64)
        move_by = np.full(w.width, fixed, np.int64) if move is None else move(w).astype(np.int64) + fixed
        values = fetch(w, start, move_by & alignment if base.count == 4 else start + move_by & alignment)
        for i, write in enumerate(writers):
            write(w, values[:, i])

    return step


ScalarWords = Callable[[Waves, Any, Any], NDArray[np.uint32]]


def _scalar_words(load: ScalarLoad) -> ScalarWords:
    """uint32[wave, word] at addresses."""
    return lambda w, start, addresses: _words_at(w, load, addresses, None)


def _words_at(
    w: Waves, load: ScalarLoad, addresses: Any, waves: NDArray[np.intp] | None
) -> NDArray[np.uint32]:
    """uint32[wave, word] at an address for each of these waves of the group, None for all."""
    try:
        indexes = w.memory.locate(addresses.view(np.uint64), load.size, False)
    except MemoryFault as fault:
        raise fault if waves is None else fault.among(waves) from None
    place = Footprint(w.memory.arena, indexes, waves)
    w.watch.read_scalar(w, place, load.size)
    if load.size < 4:
        return extended(place, Load(load.size, load.signed))[:, None]
    return gather(w.memory.arena, indexes, load.size)


def _buffer_words(resource: Register, load: ScalarLoad, layout: RegisterLayout) -> ScalarWords:
    """uint32[wave, word] at offsets into a buffer, a word at a time."""
    high, records = (scalar_reader(Register(resource.first + i), "u32", layout) for i in (1, 2))
    size = min(load.size, 4)
    word = ScalarLoad(size, load.signed)

    def fetch(w: Waves, start: Any, offsets: Any) -> NDArray[np.uint32]:
        stride = (high(w) >> np.uint32(16) & np.uint32(0x3FFF)).astype(np.int64)
        reach = records(w).astype(np.int64) * np.where(stride == 0, 1, stride)
        result = np.zeros((w.width, max(1, load.size // 4)), np.uint32)
        for i in range(result.shape[1]):
            at = offsets + 4 * i
            inside = (at >= 0) & (at + size <= reach)
            if inside.any():
                waves = None if inside.all() else np.flatnonzero(inside)
                addresses = ((start & 0xFFFFFFFFFFFF) + at)[inside]
                result[inside, i] = _words_at(w, word, addresses, waves)[:, 0]
        return result

    return fetch


def _signed(bits: int, type_name: str) -> int:
    """An immediate offset as a number."""
    width = BITS[type_name]
    bits &= (1 << width) - 1
    return bits - (1 << width) if type_name in SIGNED_FIELDS and bits >> (width - 1) else bits


_TIME_MESSAGE = 0x83  # MSG_RTN_GET_REALTIME


def clock_step(instr: Instr, layout: RegisterLayout) -> Step:
    target = instr.operands[0]
    assert isinstance(target, Register)
    if any(isinstance(operand, Immediate) and operand.bits != _TIME_MESSAGE for operand in instr.operands):
        raise refusal(instr, "a message that does not ask for the time is not modelled")
    write = scalar_writer(target, layout)

    def step(w: Waves) -> None:
        w.clock += 4
        write(w, np.full(w.width, w.clock, np.uint64))

    return step
