"""The matrix instructions that a program may name, by the rows of its target.

An instruction is named by its operation, which is CDNA3's name on every CDNA target. It may be used if both
factors are dense, no modifier selects the type of their elements, and D fills whole registers:

    v_mfma_f32_16x16x16_f16     f32x4 = matrix(f16x4, f16x4, f32x4)      on gfx90a, gfx942 and gfx950
    v_wmma_f32_16x16x16_f16     f32x8 = matrix(f16x16, f16x16, f32x8)    on gfx1100 in waves of 32 lanes
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from asmgen.ir.program import Statement
from asmgen.lanewise.records import instruction_of
from isa.diagnostics import close_names
from isa.instruction import Row, Trait, Unit
from isa.named_tuple import NamedTuple
from isa.semantics import resolve
from isa.semantics.matrix import MatrixMultiply
from isa.table import Table

Array = NDArray[Any]
OPERANDS = ("src0", "src1", "src2")  # a, b and c
_EIGHT_BITS = {
    "fp8": "fp8e4m3fn", "bf8": "fp8e5m2", "fp8_fnuz": "fp8e4m3fnuz", "bf8_fnuz": "fp8e5m2fnuz",
}  # fmt: skip
_UNLIKE = frozenset({Trait.SPARSE, Trait.HALF_WRITE})


class Misfit(NamedTuple):
    """The reason why the target has no such instruction, and help for the user."""

    rule: str
    help: str = ""


def matrix_row(table: Table, name: str) -> Row | None:
    """The row of a matrix instruction that `matrix` may name; None if the target has none."""
    row = table.find(name)
    return row if row is not None and _is_dense(row) else None


def misfit(statement: Statement, table: Table) -> Misfit | None:
    """Why the target's row does not take the operands of a `matrix`, if so."""
    name = instruction_of(statement)
    row = matrix_row(table, name)
    if row is None:
        target = table.target
        where = f"{target.name} in waves of {target.wave_size} lanes"
        rule = f"{name} is no matrix instruction of {where} with dense factors"
        return Misfit(rule, close_names(name, matrix_names(table)))
    got = [str(value.type) for value in statement.operands]
    wanted = operand_types(row)
    if got == wanted:
        return None
    return Misfit(f"the operands of {name} are {', '.join(got)}, wanted {', '.join(wanted)}")


def matrix_names(table: Table) -> list[str]:
    """Every instruction that `matrix` may name, in the order of the table."""
    return list(dict.fromkeys([row.operation for row in table.rows if _is_dense(row)]))


def operand_types(row: Row) -> list[str]:
    """The lane types of A, B and C. A row calls 8-bit floats fp8 and bf8 on each target; its semantics say
    which floats these are."""
    what = semantics_of(row)
    formats = (what.first, what.second, what.result)
    types = [spec.type for spec in row.operands if spec.name in OPERANDS]
    named = [_EIGHT_BITS.get(format_, "") for format_ in formats]
    return [
        f"{name}x{type_.partition('x')[2]}" if name else type_
        for name, type_ in zip(named, types, strict=True)
    ]


def semantics_of(row: Row) -> MatrixMultiply:
    """The function of a matrix row, and its shape and layouts."""
    what = resolve(row.semantics)
    assert isinstance(what, MatrixMultiply), row
    return what


def multiplied(table: Table, name: str, a: Array, b: Array, c: Array) -> Array:
    """The result of an instruction for operands [lane, element] of whole waves, in the type of c.

    It is computed as in the emulator: on the words of the registers.
    """
    multiply = semantics_of(table.row(name)).with_modifiers({}, table.target.wave_size)
    words = multiply(_words(a, table), _words(b, table), _words(c, table), None, None)
    return np.ascontiguousarray(np.swapaxes(words, 1, 2)).view(c.dtype).reshape(len(c), -1)


def _words(operand: Array, table: Table) -> Array:
    """[wave, register, lane] of the lanes' registers."""
    words = np.ascontiguousarray(operand.reshape(len(operand), -1)).view(np.uint32)
    by_lane = words.reshape(-1, table.target.wave_size, words.shape[1])
    return np.ascontiguousarray(by_lane.swapaxes(1, 2))


def _is_dense(row: Row) -> bool:
    """Whether D := A B + C of the types that the row states is all that it does."""
    uses = tuple([row.operands[use].name for use in row.uses])
    if row.unit is not Unit.MATRIX or uses != OPERANDS or row.traits & _UNLIKE:
        return False
    what = semantics_of(row)
    return not what.chosen and not what.signed_by_neg
