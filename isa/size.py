"""How many bytes an instruction takes: those of its encoding, and a literal after it (the ISA manuals'
chapters on encodings)."""

from __future__ import annotations

from functools import cache, lru_cache

from isa.constants import inline_spelling
from isa.instruction import Encoding, Immediate, Instr, Kind, Operand, OperandSpec, Row, Trait, Unit
from isa.target import Target

_WORD = 4
_LITERAL = 4
_BY_ENCODING = {
    Encoding.E32: 4, Encoding.E64: 8, Encoding.DPP: 8, Encoding.SDWA: 8, Encoding.DUAL: 8,
    Encoding.E64_DPP: 12,
}  # fmt: skip
_OF_ONE_WORD = frozenset({Unit.SALU, Unit.BRANCH, Unit.CONTROL, Unit.VALU})  # if the row names no encoding
_VECTOR_MEMORY = frozenset({Unit.VMEM, Unit.FLAT, Unit.SCRATCH})


def code_bytes(instr: Instr, target: Target) -> int:
    """The size of an instruction on a target, in bytes."""
    return _bytes_of(instr.row, instr.operands, target.vector_memory_bytes)


@lru_cache(1 << 12)
def _bytes_of(row: Row, operands: tuple[Operand, ...], vector_memory_bytes: int) -> int:
    has_literal = any(is_literal(operands[i], spec) for i, spec in _literals(row))
    return _row_bytes(row, vector_memory_bytes) + (_LITERAL if has_literal else 0)


@cache
def _literals(row: Row) -> tuple[tuple[int, OperandSpec], ...]:
    """The operands that may be a literal, by index."""
    return tuple((i, spec) for i, spec in enumerate(row.operands) if Kind.LITERAL in spec.kinds)


@cache
def _row_bytes(row: Row, vector_memory_bytes: int) -> int:
    """The size of an instruction of a row without a literal."""
    doubled = 2 if Trait.DOUBLE_LENGTH in row.traits else 1
    return doubled * _encoding_bytes(row, vector_memory_bytes)


def _encoding_bytes(row: Row, vector_memory_bytes: int) -> int:
    if row.encoding is not Encoding.PLAIN:
        return _BY_ENCODING[row.encoding]
    if row.unit in _OF_ONE_WORD:
        return _WORD
    return vector_memory_bytes if row.unit in _VECTOR_MEMORY else 2 * _WORD


def is_literal(operand: object, spec: OperandSpec) -> bool:
    """Whether an operand takes the word after the instruction."""
    if not isinstance(operand, Immediate) or Kind.LITERAL not in spec.kinds:
        return False
    return Kind.INLINE not in spec.kinds or inline_spelling(operand.bits, spec.type) is None
