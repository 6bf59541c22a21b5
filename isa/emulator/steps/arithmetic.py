"""Vector and scalar ALU instructions, decoded once to a closure on `Waves`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from isa.constants import inline_spelling, parse_constant
from isa.emulator.operands.modifiers import (
    FINISHED,
    FLOATS,
    LANE_CONTROLLED,
    finish_float,
    halves_of,
    merged_source,
    number,
    sequence,
    signs_of,
    with_dpp,
    with_flush,
    with_sdwa,
    with_signs,
)  # fmt: skip
from isa.emulator.operands.operands import (
    DTYPES,
    PACKED_HALVES,
    PACKED_WORDS,
    PLAIN_BITS,
    Reader,
    Writer,
    broadcast_reader,
    scalar_result,
    scalar_value,
    source_reader,
    vector_target,
    vector_writer,
)  # fmt: skip
from isa.emulator.operands.results import (
    dpp_lanes,
    dpp_lanes_written,
    half_writer,
    implicit_registers,
    in_lanes,
    keep_results,
    raw_bits,
    register_of,
    results_writer,
)
from isa.emulator.program.reports import refusal
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Step, Waves
from isa.instruction import Encoding, Immediate, Instr, Operand, OperandSpec, Row, Trait
from isa.lane_masks import MASK_TYPES
from isa.registers import EXEC, Register
from isa.semantics.float_arithmetic import MixedFma
from isa.semantics.lane import LaneCallable, LaneFunction

_Given = TypeVar("_Given")  # what becomes of a result
MASK_OF_UNITS = {1: "mask32", 2: "mask"}


def scalar_step(instr: Instr, function: LaneFunction, layout: RegisterLayout) -> Step:
    """A SALU instruction: sources and results have a value for each wave."""
    row = instr.row
    readers = [_scalar_operand(instr, i, position, layout) for position, i in enumerate(row.uses)]
    readers += [
        scalar_value(register, PLAIN_BITS[register.count], layout) for register in _narrowed(row, row.reads)
    ]
    writers = [_scalar_result(instr, i, layout) for i in row.defines]
    writers += [scalar_result(register, layout) for register in _narrowed(row, row.writes)]
    floats = any(spec.type in FLOATS for spec in row.operands)
    clamp = bool(number(instr, "clamp"))
    call = (
        _with_modes(function.call, number(instr, "omod"), clamp, function.flushes)
        if floats
        else function.call
    )
    return _assemble(call, readers, keep_results(writers))


def _scalar_operand(instr: Instr, index: int, position: int, layout: RegisterLayout) -> Reader:
    """A source with its abs and neg, if the row has them."""
    spec = instr.row.operands[index]
    absolute, negative = signs_of(instr, position, spec, len(instr.row.uses))
    return with_signs(scalar_value(instr.operands[index], spec, layout), absolute, negative)


def _scalar_result(instr: Instr, index: int, layout: RegisterLayout) -> Writer:
    """A scalar destination; 16-bit results clear the upper half of the register."""
    write, spec = scalar_result(register_of(instr, index), layout), instr.row.operands[index]
    if spec.type in PACKED_HALVES:
        return lambda w, value: write(w, np.ascontiguousarray(value).view(np.uint32)[..., 0])
    if np.dtype(DTYPES[spec.type]).itemsize == 2:
        return lambda w, value: write(w, raw_bits(np.asarray(value)))
    return write


def _narrowed(row: Row, registers: tuple[Register, ...]) -> list[Register]:
    """The implicit registers of a scalar row; of EXEC the part that is as wide as the row's result, the mask
    it exchanges with EXEC."""
    width = row.operands[row.defines[0]].count if row.defines else EXEC.count
    return [
        EXEC.part(0, width) if register == EXEC else register for register in implicit_registers(registers)
    ]


def _assemble(
    call: LaneCallable, readers: list[Reader], write: Callable[[Waves, Any], _Given]
) -> Callable[[Waves], _Given]:
    """The step, with the reading of sources unrolled; it gives what `write` does."""
    if len(readers) == 1:
        (a,) = readers
        return lambda w: write(w, call(w.mode, a(w)))
    if len(readers) == 2:
        a, b = readers
        return lambda w: write(w, call(w.mode, a(w), b(w)))
    if len(readers) == 3:
        a, b, c = readers
        return lambda w: write(w, call(w.mode, a(w), b(w), c(w)))
    if len(readers) == 4:
        a, b, c, d = readers
        return lambda w: write(w, call(w.mode, a(w), b(w), c(w), d(w)))
    return lambda w: write(w, call(w.mode, *[read(w) for read in readers]))


def vector_step(instr: Instr, function: LaneFunction, layout: RegisterLayout) -> Step:
    """A VALU instruction in any encoding. If every lane is on, it computes into the result's register."""
    if _has_pairs_alone(instr):
        return _pair_step(instr, function, layout)
    call, readers, write = _vector_parts(instr, function, layout)
    masked, result = _assemble(call, readers, write), _whole_result(instr, layout)
    if function.into is None or result is None:
        return masked
    direct = _assemble(function.into, [result, *readers], _nothing)
    return lambda w: direct(w) if w.direct else masked(w)


def _has_pairs_alone(instr: Instr) -> bool:
    """Whether every operand is two floats in two units; a computed scalar has both in a single unit."""
    places = (*instr.row.defines, *instr.row.uses)
    operands = [instr.operands[i] for i in places]
    computed = any(isinstance(operand, Register) and operand.count != 2 for operand in operands)
    return not computed and all(instr.row.operands[i].type == "f32x2" for i in places)


def _pair_step(instr: Instr, function: LaneFunction, layout: RegisterLayout) -> Step:
    """Two floats for each lane, in separate registers: computed in turn, and written after both are known."""
    uses, target = instr.row.uses, register_of(instr, instr.row.defines[0])
    _check_words(instr, list(uses))
    call = _with_modes(function.call, number(instr, "omod"), bool(number(instr, "clamp")), function.flushes)
    compute: list[Callable[[Waves], Any]] = []
    for part in range(2):
        readers = [_word_source(instr, i, position, part, layout) for position, i in enumerate(uses)]
        compute.append(_assemble(call, readers, _copied))
    writers = [vector_writer(target.part(part), "f32", layout) for part in range(2)]

    def step(w: Waves) -> None:
        results = [each(w) for each in compute]
        for write, result in zip(writers, results, strict=True):
            write(w, result)

    return step


def _word_source(instr: Instr, index: int, position: int, part: int, layout: RegisterLayout) -> Reader:
    """The word of a pair that op_sel and op_sel_hi choose for a part of the result, with that part's sign."""
    spec, operand = instr.row.operands[index], instr.operands[index]
    count = len(instr.row.uses)
    word = halves_of(instr, position, count, spec)[part]
    _, negative = signs_of(instr, position, spec, count)
    if isinstance(operand, Immediate):
        chosen: Operand = Immediate(0 if word else operand.bits)
    else:
        chosen = operand.part(word) if isinstance(operand, Register) else operand
    read = source_reader(chosen, OperandSpec(spec.name, spec.role, spec.kinds, "f32"), layout)
    return with_signs(read, False, isinstance(negative, tuple) and negative[part])


def _whole_result(instr: Instr, layout: RegisterLayout) -> Reader | None:
    """The register that the instruction overwrites completely with the function's result, if it has 32
    bits."""
    row = instr.row
    partial_write = row.encoding in (*LANE_CONTROLLED, Encoding.SDWA) or Trait.HALF_WRITE in row.traits
    if (
        partial_write
        or len(row.defines) != 1
        or implicit_registers(row.writes)
        or number(instr, "clamp")
        or number(instr, "omod")
    ):
        return None
    spec = row.operands[row.defines[0]]
    if spec.half or spec.type not in ("b32", "u32", "i32", "f32"):
        return None
    return vector_target(register_of(instr, row.defines[0]), spec.type, layout)


def _nothing(w: Waves, value: Any) -> None:
    """The write of a result that is already in its register."""


def dual_step(parts: list[tuple[Instr, LaneFunction]], layout: RegisterLayout) -> Step:
    """Two operations at once: everything is read before anything is written."""
    compute: list[Callable[[Waves], Any]] = []
    writers: list[Writer] = []
    for instr, function in parts:
        call, readers, write = _vector_parts(instr, function, layout)
        compute.append(_assemble(call, readers, _copied))
        writers.append(write)

    def step(w: Waves) -> None:
        results = [each(w) for each in compute]
        for write, result in zip(writers, results, strict=True):
            write(w, result)

    return step


def _copied(w: Waves, value: Any) -> Any:
    """A result to be written later: a copy if it is a view of a register."""
    return value if getattr(value, "base", value) is None else np.array(value)


def _vector_parts(
    instr: Instr, function: LaneFunction, layout: RegisterLayout
) -> tuple[LaneCallable, list[Reader], Writer]:
    """The function of a VALU instruction, its sources, and the write of its result."""
    row = instr.row
    merged = merged_source(row)
    uses = [i for i in row.uses if i != merged]
    _check_words(instr, uses)
    readers = [_vector_source(instr, i, position, len(uses), layout) for position, i in enumerate(uses)]
    readers += [
        broadcast_reader(register, MASK_OF_UNITS[register.count], layout)
        for register in implicit_registers(row.reads)
        if register != EXEC
    ]
    call = function.call
    clamp, omod = bool(number(instr, "clamp")), number(instr, "omod")
    float_result = bool(row.defines) and row.operands[row.defines[0]].type in FINISHED
    if clamp and not float_result and row.defines:
        call = function.saturating or function.call  # what cannot overflow has nothing to clamp
    floats = any(row.operands[i].type in FINISHED for i in (*uses, *row.defines))
    if floats:
        call = _with_modes(call, omod, clamp and float_result, function.flushes)
    return call, readers, results_writer(instr, merged, layout)


def _check_words(instr: Instr, uses: list[int]) -> None:
    """Refuse a 64-bit read of a constant, which has a single word. Only 0 has a known upper word, 0, which
    clang's code relies on."""
    for position, i in enumerate(uses):
        spec, operand = instr.row.operands[i], instr.operands[i]
        if not isinstance(operand, Immediate) or not operand.bits or spec.type not in PACKED_WORDS:
            continue
        if any(halves_of(instr, position, len(uses), spec)):
            raise refusal(
                instr,
                f"{spec.name} takes the upper word of a constant, which is not defined; wanted "
                f"op_sel_hi 0 there",
            )


def _with_modes(call: LaneCallable, omod: int, clamp: bool, flushes: bool) -> LaneCallable:
    """A function with denormal flushing, if MODE asks for it, and the output modifiers."""

    def flushed(mode: Any, *sources: Any) -> Any:
        if not flushes or mode.keeps_denormals:
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


def _vector_source(instr: Instr, index: int, position: int, count: int, layout: RegisterLayout) -> Reader:
    """A source with its modifiers in the hardware's order: lanes or bytes first, then abs, then neg."""
    row = instr.row
    spec, operand = row.operands[index], instr.operands[index]
    halves = halves_of(instr, position, count, spec)
    accumulator = spec.hidden
    if row.encoding is Encoding.SDWA and spec.type not in MASK_TYPES and not accumulator:
        raw = source_reader(operand, OperandSpec(spec.name, spec.role, spec.kinds, "b32"), layout)
        read = with_sdwa(
            raw, number(instr, f"src{position}_sel", 6), bool(number(instr, "sext") >> position & 1), spec
        )
    else:
        read = source_reader(operand, spec, layout, halves)
    if row.encoding in LANE_CONTROLLED and position == 0:
        read = with_dpp(read, dpp_lanes(instr, layout), bool(number(instr, "fi")))
    absolute, negative = signs_of(instr, position, spec, count)
    return with_signs(read, absolute, negative)


def mixed_step(instr: Instr, what: MixedFma, layout: RegisterLayout) -> Step:
    """v_fma_mix: sources of two types, chosen by op_sel_hi."""
    row = instr.row
    uses = row.uses[:3]
    low, wide = sequence(instr, "op_sel", 3, 0), sequence(instr, "op_sel_hi", 3, 0)
    readers: list[Reader] = []
    for i, index in enumerate(uses):
        spec, operand = row.operands[index], instr.operands[index]
        if wide[i]:
            operand = _as_half(operand, spec)
            spec = OperandSpec(spec.name, spec.role, spec.kinds, "f16")
        read = source_reader(operand, spec, layout, (low[i], 1))
        if i == 0 and row.encoding in LANE_CONTROLLED:
            read = with_dpp(read, dpp_lanes(instr, layout), bool(number(instr, "fi")))
        signed = with_signs(read, bool(number(instr, "abs") >> i & 1), bool(number(instr, "neg") >> i & 1))
        readers.append(_as_f32(signed) if wide[i] else signed)
    target = register_of(instr, row.defines[0])
    write = (
        vector_writer(target, "f32", layout)
        if what.half is None
        else half_writer(layout.row(target.first), what.half)
    )
    if row.encoding in LANE_CONTROLLED:
        write = in_lanes(write, dpp_lanes_written(instr, layout))
    return _assemble(_with_modes(what.call, 0, bool(number(instr, "clamp")), True), readers, write)


def _as_half(operand: Operand, spec: OperandSpec) -> Operand:
    """An inline constant as an f16 source reads it: 1.0 is 0x3c00. Other operands keep their bits."""
    inline = inline_spelling(operand.bits, spec.type) if isinstance(operand, Immediate) else None
    half = None if inline is None else parse_constant(inline, "f16")
    return operand if half is None else Immediate(half)


def _as_f32(read: Reader) -> Reader:
    return lambda w: read(w).astype(np.float32)
