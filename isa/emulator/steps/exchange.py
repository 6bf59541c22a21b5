"""Instructions that exchange lanes inside the vector unit, decoded once to a closure on `Waves`."""

from __future__ import annotations

import numpy as np

from isa.emulator.operands.modifiers import sequence
from isa.emulator.operands.operands import source_reader, vector_reader, vector_writer
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Step, Waves
from isa.instruction import Instr
from isa.registers import Register
from isa.semantics.exchange import RowPermute


def row_permute_step(instr: Instr, what: RowPermute, layout: RegisterLayout) -> Step:
    """The bits of op_sel are "fetch inactive lanes" and "0 from inactive lanes". Otherwise a lane without an
    active source keeps its value."""
    row, operands = instr.row, instr.operands
    target = operands[row.defines[0]]
    uses = [i for i in row.uses if not row.operands[i].hidden]
    assert isinstance(target, Register)
    data, *selectors = (source_reader(operands[i], row.operands[i], layout) for i in uses)
    old, write = vector_reader(target, "u32", layout), vector_writer(target, "u32", layout)
    tail = next((spec.tail for spec in row.modifiers if spec.name == "op_sel"), ())
    inactive, zero = (bool(bit) for bit in (*sequence(instr, "op_sel", 2 - len(tail), 0), *tail)[:2])

    def step(w: Waves) -> None:
        lanes = np.broadcast_to(what.lanes([read(w) for read in selectors], w.lanes), (w.width, w.lanes))
        moved = np.take_along_axis(np.ascontiguousarray(data(w)).view(np.uint32), lanes, 1)
        if not (w.full or inactive):
            active = np.take_along_axis(w.active_lanes(), lanes, 1)
            moved = np.where(active, moved, np.uint32(0) if zero else old(w))
        write(w, moved)

    return step


def half_exchange_step(instr: Instr, layout: RegisterLayout) -> Step:
    """Active lanes read the lane 32 away, active or not."""
    row = instr.row
    source, target = instr.operands[row.uses[0]], instr.operands[row.defines[0]]
    assert isinstance(target, Register)
    data, write = (
        source_reader(source, row.operands[row.uses[0]], layout),
        vector_writer(target, "u32", layout),
    )
    lanes = np.arange(layout.lanes) ^ 32

    def step(w: Waves) -> None:
        if w.lanes == 64:
            write(w, data(w).view(np.uint32)[:, lanes])

    return step
