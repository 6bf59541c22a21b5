"""Vector and scalar ALU instructions, decoded once to a closure on `Waves`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from isa.diagnostics import InternalError
from isa.dpp import dpp8_lanes
from isa.emulator.lanes import LaneMap, dpp8_map, dpp_map, dpp_written
from isa.emulator.layout import Layout
from isa.emulator.modifiers import (
    FINISHED,
    FLOATS,
    LANE_CONTROLLED,
    dpp_valid,
    finish_float,
    half_of,
    halves_of,
    merge_sdwa,
    merged_source,
    number,
    sequence,
    signs_of,
    with_dpp,
    with_flush,
    with_sdwa,
    with_signs,
)  # fmt: skip
from isa.emulator.operands import (
    DTYPES,
    PACKED_HALVES,
    PACKED_WORDS,
    Reader,
    Writer,
    broadcast_reader,
    mask_writer,
    scalar_reader,
    scalar_source,
    scalar_writer,
    source_reader,
    vector_writer,
)  # fmt: skip
from isa.emulator.reports import refusal
from isa.emulator.waves import Waves
from isa.instruction import Encoding, Immediate, Instr, OperandSpec, Row, Trait
from isa.lane_masks import MASK_TYPES, lane_masks
from isa.registers import EXEC, MODE, Register
from isa.semantics.cross import LaneRead
from isa.semantics.floats import MixedFma
from isa.semantics.lane import LaneCallable, LaneFunction
from isa.semantics.memory import Half

Step = Callable[[Waves], None]
DPP8 = "dpp8"  # form and modifier
MASK_OF_UNITS = {1: "mask32", 2: "mask"}
_MATRIX_DTYPES: dict[str, type[np.generic]] = {"f16x4": np.float16}


def scalar_step(instr: Instr, function: LaneFunction, layout: Layout) -> Step:
    """A SALU instruction: sources and results are one value per wave."""
    row = instr.row
    readers = [_scalar_operand(instr, i, position, layout) for position, i in enumerate(row.uses)]
    readers += [scalar_reader(register, "b64" if register.count == 2 else "b32", layout) for register in _narrowed(row, row.reads)]
    writers = [_scalar_result(instr, i, layout) for i in row.defines]
    writers += [scalar_writer(register, layout) for register in _narrowed(row, row.writes)]
    floats = any(spec.type in FLOATS for spec in row.operands)
    clamp = bool(number(instr, "clamp"))
    call = _with_modes(function.call, number(instr, "omod"), clamp, function.flushes) if floats else function.call
    return _assemble(call, readers, _keep(writers))


def _scalar_operand(instr: Instr, index: int, position: int, layout: Layout) -> Reader:
    """A source with its abs and neg, where the row has them."""
    spec = instr.row.operands[index]
    absolute, negative = signs_of(instr, position, spec, len(instr.row.uses))
    return with_signs(scalar_source(instr.operands[index], spec, layout), absolute, negative)


def _scalar_result(instr: Instr, index: int, layout: Layout) -> Writer:
    """A scalar destination; 16-bit results clear the upper half of the register."""
    write, spec = scalar_writer(_register(instr, index), layout), instr.row.operands[index]
    if spec.type in PACKED_HALVES:
        return lambda w, value: write(w, np.ascontiguousarray(value).view(np.uint32)[..., 0])
    if np.dtype(DTYPES[spec.type]).itemsize == 2:
        return lambda w, value: write(w, _raw(np.asarray(value)))
    return write


def _implicit(registers: tuple[Register, ...]) -> list[Register]:
    return sorted(register for register in registers if register != MODE)


def _narrowed(row: Row, registers: tuple[Register, ...]) -> list[Register]:
    """The implicit registers of a scalar row; of EXEC the part that is as wide as the row's result, the mask it exchanges with EXEC."""
    width = row.operands[row.defines[0]].count if row.defines else EXEC.count
    return [EXEC.part(0, width) if register == EXEC else register for register in _implicit(registers)]


def _register(instr: Instr, index: int) -> Register:
    operand = instr.operands[index]
    if not isinstance(operand, Register):
        raise InternalError("emulator", instr.row.mnemonic, f"{instr.row.operands[index].name} is not a register")
    return operand


def _keep(writers: list[Writer]) -> Writer:
    """One writer for all results of a function."""
    if len(writers) == 1:
        return writers[0]

    def write(w: Waves, results: Any) -> None:
        for writer, result in zip(writers, results, strict=True):
            writer(w, result)

    return write


def _assemble(call: LaneCallable, readers: list[Reader], write: Writer) -> Step:
    """The step, with the reading of sources unrolled."""
    if len(readers) == 1:
        (a,) = readers
        return lambda w: write(w, call(w.mode, a(w)))
    if len(readers) == 2:
        a, b = readers
        return lambda w: write(w, call(w.mode, a(w), b(w)))
    if len(readers) == 3:
        a, b, c = readers
        return lambda w: write(w, call(w.mode, a(w), b(w), c(w)))
    return lambda w: write(w, call(w.mode, *[read(w) for read in readers]))


def vector_step(instr: Instr, function: LaneFunction, layout: Layout) -> Step:
    """A VALU instruction in any encoding."""
    return _assemble(*_vector_parts(instr, function, layout))


def dual_step(parts: list[tuple[Instr, LaneFunction]], layout: Layout) -> Step:
    """Two operations at once: everything is read before anything is written."""
    results: list[Any] = [None] * len(parts)
    compute: list[Step] = []
    writers: list[Writer] = []
    for i, (instr, function) in enumerate(parts):
        call, readers, write = _vector_parts(instr, function, layout)
        compute.append(_assemble(call, readers, partial(_put_aside, results, i)))
        writers.append(write)

    def step(w: Waves) -> None:
        for each in compute:
            each(w)
        for write, result in zip(writers, results, strict=True):
            write(w, result)

    return step


def _put_aside(results: list[Any], index: int, w: Waves, value: Any) -> None:
    """A copy, since a result may be a view of a register."""
    results[index] = np.array(value)


def _vector_parts(instr: Instr, function: LaneFunction, layout: Layout) -> tuple[LaneCallable, list[Reader], Writer]:
    """What a VALU instruction computes, from what, and what becomes of it."""
    row = instr.row
    merged = merged_source(row)
    uses = [i for i in row.uses if i != merged]
    _check_words(instr, uses)
    readers = [_vector_source(instr, i, position, len(uses), layout) for position, i in enumerate(uses)]
    readers += [broadcast_reader(register, MASK_OF_UNITS[register.count], layout) for register in _implicit(row.reads) if register != EXEC]
    call = function.call
    clamp, omod = bool(number(instr, "clamp")), number(instr, "omod")
    float_result = bool(row.defines) and row.operands[row.defines[0]].type in FINISHED
    if clamp and not float_result and row.defines:
        call = function.saturating or function.call  # what cannot overflow has nothing to clamp
    floats = any(row.operands[i].type in FINISHED for i in (*uses, *row.defines))
    if floats:
        call = _with_modes(call, omod, clamp and float_result, function.flushes)
    return call, readers, _vector_writer(instr, merged, layout)


def _check_words(instr: Instr, uses: list[int]) -> None:
    """A constant is one word. Its upper word is 0 where it is 0, as clang counts on; of others nobody says what it is."""
    for position, i in enumerate(uses):
        spec, operand = instr.row.operands[i], instr.operands[i]
        if not isinstance(operand, Immediate) or not operand.bits or spec.type not in PACKED_WORDS:
            continue
        if any(halves_of(instr, position, len(uses), spec)):
            raise refusal(instr, f"{spec.name} takes the upper word of a constant, which is not defined; wanted op_sel_hi 0 there")


def _with_modes(call: LaneCallable, omod: int, clamp: bool, flushes: bool) -> LaneCallable:
    """Denormal flushing around a function, where MODE asks for it, and the output modifiers."""

    def flushed(mode: Any, *sources: Any) -> Any:
        if not flushes or (mode.denormals_32 == 3 and mode.denormals_16_64 == 3):
            return call(mode, *sources)
        results = call(mode, *[with_flush(x, mode.denormals_32, mode.denormals_16_64, 1) for x in sources])
        if isinstance(results, tuple):
            return tuple(with_flush(x, mode.denormals_32, mode.denormals_16_64, 2) for x in results)  # pyright: ignore[reportUnknownVariableType]
        return with_flush(results, mode.denormals_32, mode.denormals_16_64, 2)

    if not omod and not clamp:
        return flushed

    def modified(mode: Any, *sources: Any) -> Any:
        results = flushed(mode, *sources)
        if isinstance(results, tuple):
            first, *rest = results  # pyright: ignore[reportUnknownVariableType]
            return (finish_float(first, omod, clamp, mode.dx10_clamp), *rest)
        return finish_float(results, omod, clamp, mode.dx10_clamp)

    return modified


def _vector_source(instr: Instr, index: int, position: int, count: int, layout: Layout) -> Reader:
    """One source with its modifiers, in the hardware's order: lanes or bytes are picked, then abs, then neg."""
    row = instr.row
    spec, operand = row.operands[index], instr.operands[index]
    halves = halves_of(instr, position, count, spec)
    accumulator = spec.hidden
    if row.encoding is Encoding.SDWA and spec.type not in MASK_TYPES and not accumulator:
        raw = source_reader(operand, OperandSpec(spec.name, spec.role, spec.kinds, "b32"), layout)
        read = with_sdwa(raw, number(instr, f"src{position}_sel", 6), bool(number(instr, "sext") >> position & 1), spec)
    else:
        read = source_reader(operand, spec, layout, halves)
    if row.encoding in LANE_CONTROLLED and position == 0:
        read = with_dpp(read, dpp_lanes(instr, layout), bool(number(instr, "fi")))
    absolute, negative = signs_of(instr, position, spec, count)
    return with_signs(read, absolute, negative)


def _vector_writer(instr: Instr, merged: int, layout: Layout) -> Writer:
    """The results of a vector instruction; a compare that also writes EXEC gives one result to both."""
    row = instr.row
    writers = [_result_writer(instr, i, merged, layout) for i in row.defines]
    writers += [mask_writer(register, layout) for register in _implicit(row.writes) if register != EXEC]
    if row.encoding in LANE_CONTROLLED:
        written = _dpp_lanes_written(instr, layout)
        masks = [row.operands[i].type in MASK_TYPES for i in row.defines] + [True] * (len(writers) - len(row.defines))
        writers = [_off_elsewhere(write, written) if mask else _in_lanes(write, written) for write, mask in zip(writers, masks, strict=True)]
    if EXEC in row.writes:
        write_exec = mask_writer(lane_masks(layout.lanes).exec, layout)
        if row.encoding in LANE_CONTROLLED:
            write_exec = _off_elsewhere(write_exec, _dpp_lanes_written(instr, layout))
        return _both(writers[0], write_exec) if writers else write_exec
    return _keep(writers) if writers else lambda w, value: None


def _result_writer(instr: Instr, index: int, merged: int, layout: Layout) -> Writer:
    """One destination: all of it, or the part that the instruction writes where it keeps the rest."""
    row = instr.row
    spec, register = row.operands[index], _register(instr, index)
    if spec.type in MASK_TYPES:
        return mask_writer(register, layout)
    if spec.half:
        return half_writer(layout.row(register.first), half_of(instr, index))
    if row.encoding is Encoding.SDWA and index == row.defines[0] and (merged >= 0 or number(instr, "dst_sel", 6) != 6):
        return _sdwa_writer(instr, register, layout)
    if merged >= 0 and Trait.HALF_WRITE in row.traits and index == row.defines[0]:
        tail = next((spec.tail for spec in row.modifiers if spec.name == "op_sel"), ())
        return part_writer(layout.row(register.first), tail, number(instr, "byte_sel"))
    return vector_writer(register, spec.type, layout)


def _both(first: Writer, second: Writer) -> Writer:
    """The first writer, then EXEC, from one result."""

    def write(w: Waves, value: Any) -> None:
        first(w, value)
        second(w, value)

    return write


def _sdwa_writer(instr: Instr, register: Register, layout: Layout) -> Writer:
    """A result that goes into a byte or word of its destination."""
    row = layout.row(register.first)
    select, unused = number(instr, "dst_sel", 6), number(instr, "dst_unused")
    return lambda w, value: w.write_row(row, merge_sdwa(_raw(value), w.u32[row, w.select], select, unused))


def half_writer(row: int, half: Half) -> Writer:
    """Sixteen bits into one half of a register."""
    if half is Half.HIGH:
        return lambda w, value: w.write_row(row, (w.u32[row, w.select] & np.uint32(0xFFFF)) | (_raw(value) << np.uint32(16)))
    return lambda w, value: w.write_row(row, (w.u32[row, w.select] & np.uint32(0xFFFF0000)) | _raw(value))


def part_writer(row: int, tail: tuple[int, ...], byte: int) -> Writer:
    """A byte or a half of a register, by the width of the result: the last elements of op_sel say which, or byte_sel."""
    write_half = half_writer(row, Half.HIGH if tail and tail[-1] else Half.LOW)
    place = byte or (tail[-2] + 2 * tail[-1] if len(tail) > 1 else 0)
    shift, kept = np.uint32(8 * place), ~np.uint32(255 << 8 * place)

    def write(w: Waves, value: Any) -> None:
        if value.dtype.itemsize == 1:
            w.write_row(row, (w.u32[row, w.select] & kept) | (value.view(np.uint8).astype(np.uint32) << shift))
        else:
            write_half(w, value)

    return write


def mixed_step(instr: Instr, what: MixedFma, layout: Layout) -> Step:
    """v_fma_mix: sources of two types, chosen by op_sel_hi."""
    row = instr.row
    uses = row.uses[:3]
    low, wide = sequence(instr, "op_sel", 3, 0), sequence(instr, "op_sel_hi", 3, 0)
    readers: list[Reader] = []
    for i, index in enumerate(uses):
        spec = row.operands[index]
        if wide[i]:
            spec = OperandSpec(spec.name, spec.role, spec.kinds, "f16")
        read = source_reader(instr.operands[index], spec, layout, (low[i], 1))
        if i == 0 and row.encoding in LANE_CONTROLLED:
            read = with_dpp(read, dpp_lanes(instr, layout), bool(number(instr, "fi")))
        signed = with_signs(read, bool(number(instr, "abs") >> i & 1), bool(number(instr, "neg") >> i & 1))
        readers.append(_as_f32(signed) if wide[i] else signed)
    target = _register(instr, row.defines[0])
    write = vector_writer(target, "f32", layout) if what.half is None else half_writer(layout.row(target.first), what.half)
    if row.encoding in LANE_CONTROLLED:
        write = _in_lanes(write, _dpp_lanes_written(instr, layout))
    return _assemble(_with_modes(what.call, 0, bool(number(instr, "clamp")), True), readers, write)


def _as_f32(read: Reader) -> Reader:
    return lambda w: read(w).astype(np.float32)


def _raw(value: Any) -> Any:
    """The bits of a 16- or 32-bit result in 32 bits."""
    if value.dtype.itemsize == 4:
        return value.view(np.uint32)
    return value.view(np.uint16).astype(np.uint32)


def dpp_lanes(instr: Instr, layout: Layout) -> LaneMap:
    """The lanes that a DPP16 or DPP8 operand reads."""
    if instr.row.form == DPP8:
        return dpp8_map(dpp8_lanes(number(instr, DPP8)), layout.lanes)
    return dpp_map(number(instr, "dpp_ctrl"), layout.lanes)


def _dpp_lanes_written(instr: Instr, layout: Layout) -> Reader:
    """bool[wave, lane]: the lanes that row_mask and bank_mask allow and, unless bound_ctrl is set, that have a source.

    DPP8 is as with bound_ctrl: a source that is off reads as 0 (RDNA4 ISA, section 7.9.2).
    """
    enabled = dpp_written(number(instr, "row_mask", 15), number(instr, "bank_mask", 15), layout.lanes)
    bound_ctrl, inactive = instr.row.form == DPP8 or bool(number(instr, "bound_ctrl")), bool(number(instr, "fi"))
    lanes = dpp_lanes(instr, layout)

    return lambda w: np.broadcast_to(enabled if bound_ctrl else enabled & dpp_valid(lanes, w, inactive), (w.width, w.lanes))


def _off_elsewhere(write: Writer, written: Reader) -> Writer:
    """A lane mask that is 0 where the instruction writes nothing."""
    return lambda w, value: write(w, value & written(w))


def _in_lanes(write: Writer, written: Reader) -> Writer:
    """A result that leaves the lanes alone which are not written."""

    def call(w: Waves, value: Any) -> None:
        writes = written(w)
        if writes.all():
            write(w, value)
            return
        full, active, mask = w.full, w.active, w.mask
        w.active = writes if full else active & writes
        w.mask = np.uint32(0) - w.active.astype(np.uint32)
        w.full = False
        write(w, value)
        w.full, w.active, w.mask = full, active, mask

    return call


def lane_read_step(instr: Instr, what: LaneRead, layout: Layout) -> Step:
    """v_readlane, v_readfirstlane: a VGPR's lane to an SGPR."""
    row = instr.row
    source = source_reader(instr.operands[row.uses[0]], row.operands[row.uses[0]], layout)
    scalars = [scalar_source(instr.operands[i], row.operands[i], layout) for i in row.uses[1:]]
    write = scalar_writer(_register(instr, row.defines[0]), layout)
    call = what.call
    return lambda w: write(w, call(source(w), w.exec_masks(), *[read(w) for read in scalars]))


def lane_write_step(instr: Instr, layout: Layout) -> Step:
    """v_writelane: one lane of a VGPR, whatever EXEC says."""
    row = instr.row
    value = scalar_source(instr.operands[row.uses[0]], row.operands[row.uses[0]], layout)
    lane = scalar_source(instr.operands[row.uses[1]], row.operands[row.uses[1]], layout)
    target = layout.row(_register(instr, row.defines[0]).first)

    def step(w: Waves) -> None:
        lanes = np.broadcast_to(np.asarray(lane(w)), (w.width,)) & np.uint32(w.lanes - 1)
        w.u32[target, w.indexes, lanes] = value(w)

    return step
