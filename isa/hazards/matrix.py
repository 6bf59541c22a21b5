"""Hazards of matrix results, CDNA3 ISA section 4.5 (dependency resolution of MFMA); figures are LLVM 22.1's for gfx942.

A matrix instruction of P passes writes D late. How late a consumer may come depends on what kind the producer is, on
P, and on how the consumer uses D: as a factor or outside the matrix unit, as an accumulator of just the same tuple
(forwarded), or as one that partly overlaps.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cache, partial
from typing import NamedTuple

from isa.hazards.rule import MEMORY_UNITS, Relation, Rule, is_dpp, is_vector, vector_defines, vector_registers, vector_uses
from isa.instruction import Instr, Row, Trait, Unit
from isa.registers import FIRST_VIRTUAL, Register

TABLE = "CDNA3 ISA 4.5, dependency resolution of matrix instructions"
_DOUBLE_PIPE = Register(FIRST_VIRTUAL - 1)  # no such register: stands for the double-precision pipe being busy
_DOUBLE_TYPES = frozenset({"f64", "f64x4"})


class Kind(Enum):
    XDL = "XDL"
    SINGLE = "f32 matrix"
    DOUBLE = "f64 matrix"


class Latency(NamedTuple):
    """Wait states after a producer of one kind and number of passes; `overwrite` guards its accumulator input."""

    kind: Kind
    passes: int
    use: int
    memory_read: int
    same: int
    different: int
    overwrite: int


LATENCIES = (
    Latency(Kind.XDL, 2, 5, 5, 2, 3, 1),
    Latency(Kind.XDL, 4, 7, 7, 0, 5, 3),
    Latency(Kind.XDL, 8, 11, 11, 0, 9, 7),
    Latency(Kind.XDL, 16, 19, 19, 0, 17, 15),
    Latency(Kind.SINGLE, 2, 4, 4, 2, 2, 0),
    Latency(Kind.SINGLE, 8, 10, 10, 0, 8, 0),
    Latency(Kind.SINGLE, 16, 18, 18, 0, 16, 0),
    Latency(Kind.DOUBLE, 4, 6, 9, 4, 4, 0),
    Latency(Kind.DOUBLE, 8, 11, 18, 0, 9, 0),
)


def kind_of(row: Row) -> Kind:
    if Trait.XDL in row.traits:
        return Kind.XDL
    return Kind.DOUBLE if row.operands[0].type in _DOUBLE_TYPES else Kind.SINGLE


def _is_matrix(row: Row) -> bool:
    return row.unit is Unit.MATRIX


def _is_producer(kind: Kind, passes: int, row: Row) -> bool:
    return _is_matrix(row) and row.passes == passes and kind_of(row) is kind


def _is_user(row: Row) -> bool:
    return _is_matrix(row) or is_vector(row) or _is_memory_user(row)


def _is_memory_user(row: Row) -> bool:
    return row.unit in MEMORY_UNITS or row.unit is Unit.LDS


def _is_outside_user(row: Row) -> bool:
    return is_vector(row) or _is_memory_user(row)


def _is_any_accumulator(row: Row) -> bool:
    return _is_matrix(row)


def _is_other_accumulator(row: Row) -> bool:
    return _is_matrix(row) and kind_of(row) is not Kind.XDL


def _factors_or_all(instr: Instr) -> tuple[Register, ...]:
    """What counts as a full use: the factors and the index of a matrix instruction, all registers of any other."""
    row = instr.row
    if not _is_matrix(row):
        return vector_registers(instr)
    accumulator = _accumulator_index(row)
    return tuple(o for i in row.uses if i != accumulator and isinstance(o := instr.operands[i], Register))


@cache
def _accumulator_index(row: Row) -> int:
    """C: the third source, or the tied destination of a sparse instruction."""
    return row.ties[0][0] if row.ties else next(i for i in row.uses if row.operands[i].name == "src2")


def _accumulator(instr: Instr) -> tuple[Register, ...]:
    accumulator = instr.operands[_accumulator_index(instr.row)]
    return (accumulator,) if isinstance(accumulator, Register) else ()


def _is_dense_xdl(passes: int, row: Row) -> bool:
    return _is_producer(Kind.XDL, passes, row) and not row.ties


def _is_plain_vector(row: Row) -> bool:
    """VALU without the dot products, whose results come by another way; LLVM counts their DPP forms as plain."""
    return is_vector(row) and (Trait.DOT not in row.traits or is_dpp(row))


def _is_double_matrix(row: Row) -> bool:
    return _is_matrix(row) and kind_of(row) is Kind.DOUBLE


def _double_pipe(_instr: Instr) -> tuple[Register, ...]:
    return (_DOUBLE_PIPE,)


def _is_double_fma(row: Row) -> bool:
    return Trait.DOUBLE_FMA in row.traits


def _rules_of(latency: Latency) -> list[Rule]:
    """The rules of one row of the table; those of no states are left out."""
    name = f"{latency.kind.value} result of {latency.passes} passes"
    made: Callable[[Row], bool] = partial(_is_producer, latency.kind, latency.passes)
    accumulators = _is_any_accumulator if latency.kind is Kind.XDL else _is_other_accumulator
    rules = [
        Rule(f"{name} used", TABLE, latency.use, made, vector_defines, _is_user, _factors_or_all),
        Rule(f"{name} read by memory", TABLE, latency.memory_read, made, vector_defines, _is_memory_user, vector_uses),
        Rule(f"{name} accumulated into", TABLE, latency.same, made, vector_defines, _is_any_accumulator, _accumulator, Relation.SAME),
        Rule(f"{name} partly accumulated into", TABLE, latency.different, made, vector_defines, accumulators, _accumulator, Relation.DIFFERENT),
        Rule(
            f"{latency.kind.value} accumulator of {latency.passes} passes overwritten", TABLE, latency.overwrite,
            partial(_is_dense_xdl, latency.passes), _accumulator, _is_outside_user, vector_defines,
        ),
    ]  # fmt: skip
    return [rule for rule in rules if rule.states]


MATRIX_RULES: tuple[Rule, ...] = (
    Rule("VALU result read by a matrix instruction", TABLE, 2, _is_plain_vector, vector_defines, _is_matrix, vector_uses),
    Rule("f64 matrix instruction before an f64 fma", TABLE, 2, _is_double_matrix, _double_pipe, _is_double_fma, _double_pipe),
    *(rule for latency in LATENCIES for rule in _rules_of(latency)),
)
