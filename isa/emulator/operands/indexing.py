"""Registers with computed numbers: relative moves by M0, and CDNA's mode in which vector instructions index
by M0.

The sanitizer sees the registers that such an instruction names, not those that it accesses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from isa.emulator.operands.operands import (
    Reader,
    scalar_reader,
    scalar_source,
    scalar_writer,
    source_reader,
    vector_writer,
)
from isa.emulator.program.code import Operation, ends_block
from isa.emulator.program.reports import refusal
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Step, Waves
from isa.instruction import ExecMode, Immediate, Instr, Unit
from isa.registers import FIRST_VGPR, M0, Register
from isa.semantics import resolve
from isa.semantics.control import Control, IndexMode, RelativeMove


def relative_move_step(
    instr: Instr, what: RelativeMove, layout: RegisterLayout, check: Callable[[Instr], None]
) -> Step:
    """A move with M0 added to its source or destination register; `check` refuses registers that the kernel
    lacks."""
    positions = frozenset(place for place, moved in ((0, what.destination), (1, what.source)) if moved)
    target_spec, source_spec = instr.row.operands[:2]
    is_scalar = instr.row.exec_mode is ExecMode.SCALAR

    def made(index: int) -> Step:
        reached = _shifted(instr, positions, index, layout)
        check(reached)
        target, source = reached.operands[:2]
        assert isinstance(target, Register)
        write = (
            scalar_writer(target, layout) if is_scalar else vector_writer(target, target_spec.type, layout)
        )
        read = (
            scalar_source(source, source_spec, layout)
            if is_scalar
            else source_reader(source, source_spec, layout)
        )
        return lambda w: write(w, read(w))

    return _by_index(scalar_reader(M0, "u32", layout), made)


def index_mode_step(instr: Instr, layout: RegisterLayout) -> Step:
    """s_set_gpr_idx_on: the index and the choice of operands go into M0 (CDNA3 ISA, S_SET_GPR_IDX_ON)."""
    read, write = scalar_source(instr.operands[0], instr.row.operands[0], layout), scalar_writer(M0, layout)
    kept, old = np.uint32(0xFFFF0F00), scalar_reader(M0, "u32", layout)
    choice = np.uint32(_chosen(instr) << 12)
    return lambda w: write(w, (old(w) & kept) | choice | (read(w) & np.uint32(255)))


def set_index_step(instr: Instr, layout: RegisterLayout) -> Step:
    """s_set_gpr_idx_idx: the low byte of M0."""
    read, write = scalar_source(instr.operands[0], instr.row.operands[0], layout), scalar_writer(M0, layout)
    old = scalar_reader(M0, "u32", layout)
    return lambda w: write(w, (old(w) & np.uint32(0xFFFFFF00)) | (read(w) & np.uint32(255)))


def set_index_choice_step(instr: Instr, layout: RegisterLayout) -> Step:
    """s_set_gpr_idx_mode: bits 12 to 15 of M0."""
    write, old = scalar_writer(M0, layout), scalar_reader(M0, "u32", layout)
    choice = np.uint32(_chosen(instr) << 12)
    return lambda w: write(w, (old(w) & np.uint32(0xFFFF0FFF)) | choice)


def _chosen(instr: Instr) -> int:
    """Bit i of the choice is that of source i, bit 3 that of the destination."""
    choice = instr.operands[-1]
    assert isinstance(choice, Immediate)
    return choice.bits & 15


def operands_indexed(mode: Instr, instr: Instr) -> frozenset[int]:
    """The operands of a vector instruction that an s_set_gpr_idx_on or _mode before it applies to."""
    chosen = _chosen(mode)
    sources = {use for position, use in enumerate(instr.row.uses[:3]) if chosen >> position & 1}
    return frozenset(sources | (set(instr.row.defines[:1]) if chosen & 8 else set()))


def indexing_of(operations: Sequence[Operation]) -> list[Instr | None]:
    """For each operation the instruction that turned on the VGPR indexing in force, which ends with the
    block."""
    result: list[Instr | None] = []
    indexing: Instr | None = None
    for operation in operations:
        result.append(indexing)
        meaning = resolve(operation.row.semantics) if isinstance(operation, Instr) else None
        if ends_block(operation):
            indexing = None
        elif isinstance(meaning, IndexMode) and isinstance(operation, Instr):
            indexing = operation if meaning.on else None
        elif meaning is Control.SET_INDEX_CHOICE and indexing is not None and isinstance(operation, Instr):
            indexing = operation
    return result


def destination_index(instr: Instr, indexing: Instr | None, layout: RegisterLayout) -> Reader | None:
    """The number that is added to the destination of an instruction, for each wave; None if none is."""
    read = scalar_reader(M0, "u32", layout)
    meaning = resolve(instr.row.semantics)
    if isinstance(meaning, RelativeMove):
        return read if meaning.destination else None
    is_vector = instr.row.unit is Unit.VALU and instr.row.exec_mode is ExecMode.MASKED
    if indexing is None or not is_vector or operands_indexed(indexing, instr).isdisjoint(instr.row.defines):
        return None
    return lambda w: read(w) & np.uint32(255)


def indexed_step(
    instr: Instr, positions: frozenset[int], layout: RegisterLayout, make: Callable[[Instr], Step | None]
) -> Step:
    """A vector instruction with the low byte of M0 added to its VGPR operands at `positions`."""
    read = scalar_reader(M0, "u32", layout)
    vectors = frozenset(
        i
        for i in positions
        if isinstance(operand := instr.operands[i], Register) and layout.is_vector(operand)
    )

    def made(index: int) -> Step:
        step = make(_shifted(instr, vectors, index, layout))
        if step is None:
            raise refusal(instr, "it is not modelled with indexed registers")
        return step

    return _by_index(lambda w: read(w) & np.uint32(255), made)


def _shifted(instr: Instr, positions: frozenset[int], index: int, layout: RegisterLayout) -> Instr:
    """The instruction with the registers that it accesses as operands. Raises InputError EMU002 beyond the
    machine's registers."""
    operands = list(instr.operands)
    for i in positions:
        operand = operands[i]
        if isinstance(operand, Register):
            reached = Register(operand.first + index, operand.count)
            end = FIRST_VGPR + layout.target.arch_vgprs if layout.is_vector(operand) else layout.target.sgprs
            if reached.first + reached.count > end:
                raise refusal(
                    instr,
                    f"an index of {index} from {operand} on, beyond the machine's registers, is not modelled",
                )
            operands[i] = reached
    return replace(instr, operands=tuple(operands))


def _by_index(read: Reader, make: Callable[[int], Step]) -> Step:
    """The step that belongs to each wave's index, made when it is first met."""
    made: dict[int, Step] = {}

    def one(index: int) -> Step:
        if index not in made:
            made[index] = make(index)
        return made[index]

    def step(w: Waves) -> None:
        indexes: Any = np.broadcast_to(read(w), (w.width,)).copy()
        group = w.indexes
        different = np.unique(indexes)
        if len(different) == 1:
            one(int(different[0]))(w)
            return
        for index in different:
            w.choose(group[indexes == index])
            one(int(index))(w)
        w.choose(group)

    return step
