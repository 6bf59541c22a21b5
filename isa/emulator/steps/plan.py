"""Decoding: an operation becomes a step, once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from isa.diagnostics import InputError
from isa.emulator.operands.indexing import (
    index_mode_step,
    relative_move_step,
    set_index_choice_step,
    set_index_step,
)
from isa.emulator.operands.modifiers import given
from isa.emulator.operands.operands import constant_reader, scalar_reader, scalar_writer, vector_reader
from isa.emulator.program.code import ParallelCopies
from isa.emulator.program.reports import place_of, refusal
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Step, Waves
from isa.emulator.steps.arithmetic import dual_step, mixed_step, scalar_step, vector_step
from isa.emulator.steps.barrier_steps import named_barrier, signal_step, state_step
from isa.emulator.steps.exchange import half_exchange_step, row_permute_step
from isa.emulator.steps.hardware_registers import get_register_step, mode_field_step, set_register_step
from isa.emulator.steps.lane_access import lane_read_step, lane_write_step
from isa.emulator.steps.matrices import matrix_step
from isa.emulator.steps.memory.access import memory_by_memory
from isa.emulator.steps.memory.atomics import atomic_step, lane_count_step, pair_exchange_step
from isa.emulator.steps.memory.lds_transfer import lds_dma_step, lds_exchange_step
from isa.emulator.steps.memory.scalar_memory import clock_step, scalar_load_step
from isa.emulator.steps.memory.transfer import load_step, pair_load_step, pair_store_step, store_step
from isa.emulator.steps.memory.transposes import transposed_load_step
from isa.instruction import ExecMode, Immediate, Instr, Trait, Unit
from isa.registers import FIRST_AGPR, FIRST_VGPR, Register
from isa.semantics import resolve
from isa.semantics.accesses import (
    AtomicUpdate,
    LaneCount,
    LdsDma,
    Load,
    PairExchange,
    PairLoad,
    PairStore,
    ReadTime,
    ScalarLoad,
    Store,
)
from isa.semantics.control import Branch, Control, IndexMode, ModeField, RelativeMove
from isa.semantics.cross import LaneRead, LaneWrite, LdsExchange
from isa.semantics.exchange import HalfExchange, RowPermute
from isa.semantics.float_arithmetic import MixedFma
from isa.semantics.lane import ByModifier, Components, LaneFunction, flushing
from isa.semantics.matrix import MatrixMultiply
from isa.semantics.transposes import TransposedLoad


def semantics_of(instr: Instr) -> Any:
    try:
        return resolve(instr.row.semantics)
    except KeyError:
        raise InputError(
            place_of(instr),
            "EMU001",
            f"{instr.row.mnemonic} has no semantics in the emulator",
            help="--device hip runs it on a GPU",
        ) from None


def step_of(instr: Instr, layout: RegisterLayout) -> Step | None:
    """The step of an instruction, or None if it has no effect (waits, hints). The machine handles control
    flow."""
    check_declared(instr, layout)
    step = _own_step(instr, layout)
    if step is not None and instr.row.unit is Unit.FLAT:
        step = memory_by_memory(instr, step, layout)
    ties = [(instr.operands[define], instr.operands[use]) for use, define in instr.row.ties]
    apart = tuple((a, b) for a, b in ties if isinstance(a, Register) and isinstance(b, Register) and a != b)
    return _after_ties(apart, step, layout) if apart and step is not None else step


def _after_ties(pairs: tuple[tuple[Register, Register], ...], step: Step, layout: RegisterLayout) -> Step:
    """On virtual registers a tied operand may lie apart from its result, which then starts with its content
    in every lane."""
    units = [(a, b) for target, source in pairs for a, b in zip(target.units, source.units, strict=True)]
    rows = [(layout.row(a), layout.row(b)) for a, b in units if layout.is_vector(Register(a))]
    scalars = ParallelCopies(
        tuple((Register(a), Register(b)) for a, b in units if not layout.is_vector(Register(a))), vector=False
    )
    copy_scalars = copies_step(scalars, layout)

    def tied(w: Waves) -> None:
        copy_scalars(w)
        for target, source in rows:
            w.u32[target, w.select] = w.u32[source, w.select]
        step(w)

    return tied


def components_of(instr: Instr) -> list[Instr]:
    """The operations of a dual instruction, each as an instruction of its own."""
    components: list[Instr] = []
    first = 0
    for row in instr.row.components:
        components.append(Instr(row, instr.operands[first : first + len(row.operands)], (), instr.origin))
        first += len(row.operands)
    return components


def _own_step(instr: Instr, layout: RegisterLayout) -> Step | None:
    """The step without its ties."""
    meaning = _meaning_of(instr)
    if isinstance(meaning, Control):
        return _control_step(instr, meaning, layout)
    make = _STEPS.get(type(meaning))
    if make is None:
        raise _not_modelled(instr)
    return make(instr, meaning, layout)


def _meaning_of(instr: Instr) -> object:
    meaning = semantics_of(instr)
    if isinstance(meaning, ByModifier):
        return meaning.of(*(given(instr, name) for name in meaning.names))
    return meaning


def _not_modelled(instr: Instr) -> InputError:
    return refusal(instr, "it is not modelled by the emulator")


def _lane_step(instr: Instr, meaning: LaneFunction, layout: RegisterLayout) -> Step:
    is_scalar = instr.row.exec_mode is ExecMode.SCALAR
    if Trait.FLUSHES in instr.row.traits:
        meaning = flushing(meaning)
    return (scalar_step if is_scalar else vector_step)(instr, meaning, layout)


def _load_step(instr: Instr, meaning: Load, layout: RegisterLayout) -> Step:
    if Trait.LDS_DMA in instr.row.traits:
        return lds_dma_step(instr, LdsDma(meaning.size, meaning.signed), layout)
    return load_step(instr, meaning, layout)


def _relative_step(instr: Instr, meaning: RelativeMove, layout: RegisterLayout) -> Step:
    return relative_move_step(instr, meaning, layout, lambda reached: check_declared(reached, layout))


def _dual_step(instr: Instr, _meaning: Components, layout: RegisterLayout) -> Step:
    return dual_step([(part, semantics_of(part)) for part in components_of(instr)], layout)


_STEPS: dict[type, Callable[[Instr, Any, RegisterLayout], Step | None]] = {
    AtomicUpdate: atomic_step,
    Branch: lambda instr, meaning, layout: None,
    Components: _dual_step,
    HalfExchange: lambda instr, meaning, layout: half_exchange_step(instr, layout),
    IndexMode: lambda instr, meaning, layout: index_mode_step(instr, layout) if meaning.on else None,
    LaneCount: lane_count_step,
    LaneFunction: _lane_step,
    LaneRead: lane_read_step,
    LaneWrite: lambda instr, meaning, layout: lane_write_step(instr, layout),
    LdsDma: lds_dma_step,
    LdsExchange: lds_exchange_step,
    Load: _load_step,
    MatrixMultiply: matrix_step,
    MixedFma: mixed_step,
    ModeField: lambda instr, meaning, layout: mode_field_step(instr, meaning),
    PairExchange: pair_exchange_step,
    PairLoad: pair_load_step,
    PairStore: pair_store_step,
    ReadTime: lambda instr, meaning, layout: clock_step(instr, layout),
    RelativeMove: _relative_step,
    RowPermute: row_permute_step,
    ScalarLoad: scalar_load_step,
    Store: store_step,
    TransposedLoad: transposed_load_step,
}


def _control_step(instr: Instr, control: Control, layout: RegisterLayout) -> Step | None:
    """The step of a control operation; None if the machine does it, or if it has no effect."""
    match control:
        case Control.NOTHING:
            return _cached if Trait.CACHE in instr.row.traits else None
        case Control.GIVE_WAY | Control.END | Control.BARRIER | Control.AWAIT | Control.TRAP | Control.HALT:
            return None
        case Control.SET_PC | Control.SWAP_PC | Control.CALL:
            return None
        case Control.SIGNAL | Control.SIGNAL_IS_FIRST:
            return signal_step(instr, control is Control.SIGNAL_IS_FIRST, layout)
        case Control.NAMED_BARRIER:
            raise named_barrier(instr, layout)
        case _ if (make := _CONTROL_STEPS.get(control)) is not None:
            return make(instr, layout)
        case _:
            raise _not_modelled(instr)


_CONTROL_STEPS: dict[Control, Callable[[Instr, RegisterLayout], Step]] = {
    Control.BARRIER_STATE: state_step,
    Control.GET_REGISTER: get_register_step,
    Control.SET_INDEX: set_index_step,
    Control.SET_INDEX_CHOICE: set_index_choice_step,
    Control.SET_REGISTER: set_register_step,
}


def _cached(w: Waves) -> None:
    """A cache operation: the sanitizer alone sees it."""
    w.watch.cached(w)


def program_counter_step(instr: Instr, following: int, layout: RegisterLayout) -> Step:
    """s_getpc_b64: the address of the next instruction."""
    target = instr.operands[0]
    assert isinstance(target, Register)
    write = scalar_writer(target, layout)
    return lambda w: write(w, np.full(w.width, following, np.uint64))


def check_declared(instr: Instr, layout: RegisterLayout) -> None:
    """The kernel descriptor must give the wave every register that an instruction names."""
    for operand in instr.operands:
        if isinstance(operand, Register) and not layout.has(operand):
            file = (
                "AGPR" if operand.first >= FIRST_AGPR else "VGPR" if operand.first >= FIRST_VGPR else "SGPR"
            )
            raise InputError(
                place_of(instr),
                "EMU003",
                f"{instr.row.mnemonic} uses {operand}, beyond the {file}s that the descriptor declares",
                help="raise the number of registers in the kernel descriptor",
            )


def copies_step(copies: ParallelCopies, layout: RegisterLayout) -> Step:
    """Parallel copies between registers, unit by unit, all sources read first."""
    reads: list[Callable[[Waves], Any]] = []
    targets: list[Register] = []
    for target, source in copies.pairs:
        for i, unit in enumerate(target.units):
            targets.append(Register(unit))
            reads.append(_copy_source(source, i, copies.vector, layout))
    if copies.vector:
        rows = [layout.row(target.first) for target in targets]

        def vector(w: Waves) -> None:
            values = [np.array(read(w)) for read in reads]
            for row, value in zip(rows, values, strict=True):
                w.write_row(row, value)

        return vector
    writers = [scalar_writer(target, layout) for target in targets]

    def scalar(w: Waves) -> None:
        values = [np.array(read(w)) for read in reads]
        for write, value in zip(writers, values, strict=True):
            write(w, value)

    return scalar


def _copy_source(
    source: Register | Immediate, index: int, vector: bool, layout: RegisterLayout
) -> Callable[[Waves], Any]:
    if isinstance(source, Immediate):
        return constant_reader(np.uint32(source.bits >> (32 * index) & 0xFFFFFFFF))
    register = source.part(index)
    if layout.is_vector(register):
        return vector_reader(register, "u32", layout)
    read = scalar_reader(register, "u32", layout)
    return (lambda w: read(w)[:, None]) if vector else read
