"""Matrix instructions: whole waves, EXEC ignored. Operands are the words of their registers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec import Struct

from isa.constants import constant_width
from isa.emulator.operands.operands import Reader
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Step, Waves
from isa.instruction import Immediate, Instr, Trait
from isa.registers import Register
from isa.semantics.matrix import MatrixMultiply, Multiply
from isa.semantics.matrix_formats import ElementFormat
from isa.semantics.mode import Array

# of a format: the integers that its bits are, and the fields of the exponent and the sign
_FLUSHED = {
    "f16": (np.uint16, np.uint16(0x7C00), np.uint16(0x8000)),
    "bf16": (np.uint16, np.uint16(0x7F80), np.uint16(0x8000)),
    "f32": (np.uint32, np.uint32(0x7F800000), np.uint32(0x80000000)),
}


Rows = tuple[int, int]
"""The first row of a register, and the row after its last."""


class MatrixStep(Struct, frozen=True):
    """The step of a matrix instruction.

    * `kind`: instructions of equal kinds compute the same function of their operands
    * `rows`: those of A, B, C and D; None if other data takes part, or if D keeps a part of its words
    """

    kind: object
    rows: tuple[Rows, Rows, Rows, Rows] | None
    multiply: Callable[[Array, Array, Array], Array]
    run: Step

    def __call__(self, w: Waves) -> None:
        self.run(w)


def matrix_step(instr: Instr, what: MatrixMultiply, layout: RegisterLayout) -> MatrixStep:
    """D := A B + C, with the index of a sparse A or the scales of small floats if the row has them."""
    row = instr.row
    named = {spec.name: i for i, spec in enumerate(row.operands)}
    halves = ElementFormat(what.result).bits == 16
    factors = [instr.operands[named[name]] for name in ("src0", "src1", "src2")]
    a, b = (_words(instr, named[name], layout) for name in ("src0", "src1"))
    c = _words(instr, named["src2"], layout, halves)
    index = _words(instr, named["index"], layout) if "index" in named else None
    scales = [_words(instr, named[name], layout) for name in ("scale0", "scale1") if name in named]
    target = instr.operands[row.defines[0]]
    assert isinstance(target, Register)
    registers = _rows(target, layout)
    modifiers = {spec.name: instr.modifier(spec.name) for spec in row.modifiers}
    written = np.uint32(what.written(modifiers))
    kept = ~written
    multiply = what.with_modifiers(modifiers, layout.lanes)
    if Trait.FLUSHES in row.traits:
        multiply = _flushing(multiply, what)

    def step(w: Waves) -> None:
        places = index(w)[:, 0] if index is not None else None
        pair = (scales[0](w)[:, 0], scales[1](w)[:, 0]) if scales else None
        result = multiply(a(w), b(w), c(w), places, pair)
        w.blocks[registers] = w.blocks[registers] & kept | result & written if kept else result

    alone = index is None and not scales and not kept
    read = [_rows(each, layout) for each in factors if isinstance(each, Register)]
    rows = (read[0], read[1], read[2], registers) if alone and len(read) == len(factors) else None
    kind = row.name, tuple(sorted(modifiers.items()))
    return MatrixStep(kind, rows, lambda a, b, c: multiply(a, b, c, None, None), step)


def _flushing(multiply: Multiply, what: MatrixMultiply) -> Multiply:
    """The same with denormals as zeros, in operands and results."""

    def flushing(
        a: Array, b: Array, c: Array, index: Array | None, scales: tuple[Array, Array] | None
    ) -> Array:
        words = _flushed(a, what.first), _flushed(b, what.second), _flushed(c, what.result)
        return _flushed(multiply(*words, index, scales), what.result)

    return flushing


def _flushed(words: Array, format_: str) -> Array:
    """Words of floats of a format in which denormals are zeros of their sign."""
    dtype, exponent, sign = _FLUSHED[format_]
    bits = words.view(dtype)
    return np.where(bits & exponent, bits, bits & sign).view(words.dtype)


def _words(instr: Instr, index: int, layout: RegisterLayout, halves: bool = False) -> Reader:
    """[wave, register, lane] of an operand. A constant fills every element, and with `halves` both halves of
    a register: clang writes a single constant for equal 16-bit elements."""
    spec, operand = instr.row.operands[index], instr.operands[index]
    if isinstance(operand, Immediate):
        bits = (operand.bits & 0xFFFF) * 0x10001 if halves else operand.bits
        words = _repeated(bits, spec.type, spec.count)[:, None]
        return lambda w: np.broadcast_to(words, (w.width, spec.count, w.lanes))
    assert isinstance(operand, Register)
    rows = _rows(operand, layout)
    return lambda w: w.blocks[rows]


def _rows(register: Register, layout: RegisterLayout) -> Rows:
    first = layout.row(register.first)
    return first, first + register.count


def _repeated(bits: int, type_name: str, count: int) -> Array:
    """The words of an operand with the same constant in every element: as wide as its type's element."""
    words = [bits & 0xFFFFFFFF, bits >> 32] if constant_width(type_name) == 64 else [bits]
    return np.array(words * (count // len(words)), np.uint32)
