"""Reads and writes of a single lane of a vector register by the wave."""

from __future__ import annotations

import numpy as np

from isa.emulator.operands.operands import (
    scalar_source,
    scalar_writer,
    source_reader,
)  # fmt: skip
from isa.emulator.operands.results import register_of
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Step, Waves
from isa.instruction import Instr
from isa.semantics.cross import LaneRead


def lane_read_step(instr: Instr, what: LaneRead, layout: RegisterLayout) -> Step:
    """v_readlane, v_readfirstlane: a VGPR's lane to an SGPR."""
    row = instr.row
    source = source_reader(instr.operands[row.uses[0]], row.operands[row.uses[0]], layout)
    scalars = [scalar_source(instr.operands[i], row.operands[i], layout) for i in row.uses[1:]]
    write = scalar_writer(register_of(instr, row.defines[0]), layout)
    call = what.call
    return lambda w: write(w, call(source(w), w.exec_masks(), *[read(w) for read in scalars]))


def lane_write_step(instr: Instr, layout: RegisterLayout) -> Step:
    """v_writelane: write a lane of a VGPR, whatever EXEC is."""
    row = instr.row
    value = scalar_source(instr.operands[row.uses[0]], row.operands[row.uses[0]], layout)
    lane = scalar_source(instr.operands[row.uses[1]], row.operands[row.uses[1]], layout)
    target = layout.row(register_of(instr, row.defines[0]).first)

    def step(w: Waves) -> None:
        lanes = np.asarray(lane(w)) & np.uint32(w.lanes - 1)
        w.u32[target, w.indexes, lanes] = value(w)

    return step
