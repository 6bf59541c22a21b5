"""What becomes of a vector instruction's results: whole registers, their parts, lane masks, the lanes that
DPP leaves out."""

from __future__ import annotations

from typing import Any

import numpy as np

from isa.diagnostics import InternalError
from isa.dpp import dpp8_lanes
from isa.emulator.operands.dpp import LaneMap, dpp8_map, dpp_map, dpp_written
from isa.emulator.operands.modifiers import (
    LANE_CONTROLLED,
    dpp_valid,
    half_of,
    merge_sdwa,
    number,
)  # fmt: skip
from isa.emulator.operands.operands import (
    Reader,
    Writer,
    mask_writer,
    vector_writer,
)  # fmt: skip
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Waves
from isa.instruction import Encoding, Instr, Trait
from isa.lane_masks import MASK_TYPES, lane_masks
from isa.registers import EXEC, MODE, Register
from isa.semantics.accesses import Half

DPP8 = "dpp8"  # form and modifier


def implicit_registers(registers: tuple[Register, ...]) -> list[Register]:
    return sorted(register for register in registers if register != MODE)


def register_of(instr: Instr, index: int) -> Register:
    operand = instr.operands[index]
    if not isinstance(operand, Register):
        raise InternalError(
            "emulator", instr.row.mnemonic, f"{instr.row.operands[index].name} is not a register"
        )
    return operand


def keep_results(writers: list[Writer]) -> Writer:
    """A writer for all results of a function."""
    if len(writers) == 1:
        return writers[0]

    def write(w: Waves, results: Any) -> None:
        for writer, result in zip(writers, results, strict=True):
            writer(w, result)

    return write


def results_writer(instr: Instr, merged: int, layout: RegisterLayout) -> Writer:
    """The writer of a vector instruction; a compare that also writes EXEC gives both the same result."""
    row = instr.row
    writers = [_result_writer(instr, i, merged, layout) for i in row.defines]
    writers += [
        mask_writer(register, layout) for register in implicit_registers(row.writes) if register != EXEC
    ]
    if row.encoding in LANE_CONTROLLED:
        written = dpp_lanes_written(instr, layout)
        masks = [row.operands[i].type in MASK_TYPES for i in row.defines] + [True] * (
            len(writers) - len(row.defines)
        )
        writers = [
            _off_elsewhere(write, written) if mask else in_lanes(write, written)
            for write, mask in zip(writers, masks, strict=True)
        ]
    if EXEC in row.writes:
        write_exec = mask_writer(lane_masks(layout.lanes).exec, layout)
        if row.encoding in LANE_CONTROLLED:
            write_exec = _off_elsewhere(write_exec, dpp_lanes_written(instr, layout))
        return _both(writers[0], write_exec) if writers else write_exec
    return keep_results(writers) if writers else lambda w, value: None


def _result_writer(instr: Instr, index: int, merged: int, layout: RegisterLayout) -> Writer:
    """The writer of a destination: of all of it, or of a part if the instruction keeps the rest."""
    row = instr.row
    spec, register = row.operands[index], register_of(instr, index)
    if spec.type in MASK_TYPES:
        return mask_writer(register, layout)
    if spec.half:
        return half_writer(layout.row(register.first), half_of(instr, index))
    if (
        row.encoding is Encoding.SDWA
        and index == row.defines[0]
        and (merged >= 0 or number(instr, "dst_sel", 6) != 6)
    ):
        return _sdwa_writer(instr, register, layout)
    if merged >= 0 and Trait.HALF_WRITE in row.traits and index == row.defines[0]:
        tail = next((spec.tail for spec in row.modifiers if spec.name == "op_sel"), ())
        return part_writer(layout.row(register.first), tail, number(instr, "byte_sel"))
    return vector_writer(register, spec.type, layout)


def _both(first: Writer, second: Writer) -> Writer:
    """The first writer, then EXEC, with the same result."""

    def write(w: Waves, value: Any) -> None:
        first(w, value)
        second(w, value)

    return write


def _sdwa_writer(instr: Instr, register: Register, layout: RegisterLayout) -> Writer:
    """A result that goes into a byte or word of its destination."""
    row = layout.row(register.first)
    select, unused = number(instr, "dst_sel", 6), number(instr, "dst_unused")
    return lambda w, value: w.write_row(row, merge_sdwa(raw_bits(value), w.rows[row], select, unused))


def half_writer(row: int, half: Half) -> Writer:
    """A writer of sixteen bits into half of a register."""
    if half is Half.HIGH:
        return lambda w, value: w.write_row(
            row, (w.rows[row] & np.uint32(0xFFFF)) | (raw_bits(value) << np.uint32(16))
        )
    return lambda w, value: w.write_row(row, (w.rows[row] & np.uint32(0xFFFF0000)) | raw_bits(value))


def part_writer(row: int, tail: tuple[int, ...], byte: int) -> Writer:
    """A byte or a half of a register, by the width of the result: the last elements of op_sel say which, or
    byte_sel."""
    write_half = half_writer(row, Half.HIGH if tail and tail[-1] else Half.LOW)
    place = byte or (tail[-2] + 2 * tail[-1] if len(tail) > 1 else 0)
    shift, kept = np.uint32(8 * place), ~np.uint32(255 << 8 * place)

    def write(w: Waves, value: Any) -> None:
        if value.dtype.itemsize == 1:
            w.write_row(row, (w.rows[row] & kept) | (value.view(np.uint8).astype(np.uint32) << shift))
        else:
            write_half(w, value)

    return write


def raw_bits(value: Any) -> Any:
    """The bits of a 16- or 32-bit result in 32 bits."""
    if value.dtype.itemsize == 4:
        return value.view(np.uint32)
    return value.view(np.uint16).astype(np.uint32)


def dpp_lanes(instr: Instr, layout: RegisterLayout) -> LaneMap:
    """The lanes that a DPP16 or DPP8 operand reads."""
    if instr.row.form == DPP8:
        return dpp8_map(dpp8_lanes(number(instr, DPP8)), layout.lanes)
    return dpp_map(number(instr, "dpp_ctrl"), layout.lanes)


def dpp_lanes_written(instr: Instr, layout: RegisterLayout) -> Reader:
    """bool[wave, lane]: the lanes that row_mask and bank_mask allow and, unless bound_ctrl is set, that have
    a source.

    DPP8 is as with bound_ctrl: a source that is off reads as 0 (RDNA4 ISA, section 7.9.2).
    """
    enabled = dpp_written(number(instr, "row_mask", 15), number(instr, "bank_mask", 15), layout.lanes)
    bound_ctrl, inactive = (
        instr.row.form == DPP8 or bool(number(instr, "bound_ctrl")),
        bool(number(instr, "fi")),
    )
    lanes = dpp_lanes(instr, layout)

    return lambda w: np.broadcast_to(
        enabled if bound_ctrl else enabled & dpp_valid(lanes, w, inactive), (w.width, w.lanes)
    )


def _off_elsewhere(write: Writer, written: Reader) -> Writer:
    """A lane mask that is 0 for lanes in which the instruction writes nothing."""
    return lambda w, value: write(w, value & written(w))


def in_lanes(write: Writer, written: Reader) -> Writer:
    """A result that leaves the lanes alone which are not written."""

    def call(w: Waves, value: Any) -> None:
        writes = written(w)
        if writes.all():
            write(w, value)
            return
        w.within(writes if w.full else w.active & writes, lambda: write(w, value))

    return call
