"""The wave's hardware registers as instructions read and write them, decoded once to a closure on `Waves`."""

from __future__ import annotations

import numpy as np

from isa.emulator.operands.operands import scalar_source, scalar_writer
from isa.emulator.program.reports import refusal
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Step, Waves
from isa.hwreg import MODE_ID, TRAPSTS_ID, ClockPart, clock_part, decode
from isa.instruction import Immediate, Instr
from isa.registers import Register
from isa.semantics.control import ModeField

_TICKS = 4  # that the clock goes on when it is read, so that it never seems to stand still


def get_register_step(instr: Instr, layout: RegisterLayout) -> Step:
    """s_getreg: MODE, the clock, or TRAPSTS, in which no exception is ever noted."""
    target, field = instr.operands
    assert isinstance(target, Register) and isinstance(field, Immediate)
    number, offset, width = decode(field.bits)
    write = scalar_writer(target, layout)
    mask = np.uint32((1 << width) - 1)
    clock = clock_part(number, instr.row.operands[1].type)
    if clock is None and number not in (MODE_ID, TRAPSTS_ID):
        raise refusal(instr, f"hardware register {number} is not modelled")

    def step(w: Waves) -> None:
        if clock is not None:
            bits = np.full(w.width, _read_clock(w, clock), np.uint32)
        else:
            bits = w.mode_bits[w.select] if number == MODE_ID else np.zeros(w.width, np.uint32)
        write(w, (bits >> np.uint32(offset)) & mask)

    return step


def _read_clock(w: Waves, part: ClockPart) -> int:
    w.clock += _TICKS
    return w.clock >> part.first & ((1 << part.bits) - 1)


def set_register_step(instr: Instr, layout: RegisterLayout) -> Step:
    """s_setreg: MODE changes how the wave computes; other registers have no effect here."""
    field, source = instr.operands
    assert isinstance(field, Immediate)
    number, offset, width = decode(field.bits)
    read = scalar_source(source, instr.row.operands[1], layout)
    mask = np.uint32(((1 << width) - 1) << offset)
    if number == TRAPSTS_ID:
        return lambda w: None
    if number != MODE_ID:
        raise refusal(instr, f"hardware register {number} is not modelled")

    def step(w: Waves) -> None:
        value = (np.asarray(read(w)) << np.uint32(offset)) & mask
        w.mode_bits[w.select] = (w.mode_bits[w.select] & ~mask) | value
        w.refresh_mode()

    return step


def mode_field_step(instr: Instr, field: ModeField) -> Step:
    """s_round_mode, s_denorm_mode."""
    operand = instr.operands[0]
    assert isinstance(operand, Immediate)
    bits, mask = np.uint32((operand.bits & 15) << field.shift), np.uint32(15 << field.shift)

    def step(w: Waves) -> None:
        w.mode_bits[w.select] = (w.mode_bits[w.select] & ~mask) | bits
        w.refresh_mode()

    return step
