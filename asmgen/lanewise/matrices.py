"""The matrix instructions that a program may name, by the rows of its target.

An instruction is named by its operation, which is CDNA3's name on every CDNA target. It may be used if both
factors are dense, D fills whole registers, and no modifier selects the type of their elements but its sign:

    v_mfma_f32_16x16x16_f16     f32x4 = matrix(f16x4, f16x4, f32x4)      on gfx90a, gfx942 and gfx950
    v_wmma_f32_16x16x16_f16     f32x8 = matrix(f16x16, f16x16, f32x8)    on gfx1100 in waves of 32 lanes
    v_wmma_i32_16x16x16_iu8     i32x8 = matrix(u8x16, i8x16, i32x8)      each factor is of i8 or of u8
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asmgen.ir.program import Statement
from asmgen.ir.types import E8M0
from asmgen.lanewise.records import instruction_of
from isa.diagnostics import close_names
from isa.instruction import ModifierValue, Row, Trait, Unit
from isa.named_tuple import NamedTuple
from isa.semantics import resolve
from isa.semantics.matrix import MatrixMultiply
from isa.table import Table

Array = NDArray[Any]
OPERANDS = ("src0", "src1", "src2")  # a, b and c
SCALES = ("scale0", "scale1")  # of a and of b: a power of two for each 32 elements along k
_CHOSEN = {"float8_e4m3fn": 0, "float8_e5m2": 1}  # the number by which cbsz or blgp chooses a format
_CHOSEN_TYPES = ("fp8e4m3fn", "fp8e5m2")
_EIGHT_BITS = {
    "fp8": "fp8e4m3fn", "bf8": "fp8e5m2", "fp8_fnuz": "fp8e4m3fnuz", "bf8_fnuz": "fp8e5m2fnuz",
}  # fmt: skip
_EITHER_SIGN = {"u8": ("i8", "u8")}  # by a format that a modifier makes signed: the types of a factor
_SUMS_OF_EITHER = ("i32", "u32")  # have the same bits
_UNLIKE = frozenset({Trait.SPARSE, Trait.HALF_WRITE})


class Misfit(NamedTuple):
    """The reason why the target has no such instruction, and help for the user."""

    rule: str
    help: str = ""


@cache
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
        rule = f"{name} is not a matrix instruction of {where} with dense factors"
        return Misfit(rule, close_names(name, matrix_names(table)))
    got = tuple([str(value.type) for value in statement.operands])
    taken = operand_types(row)
    if got in taken:
        return None
    wanted = [" or ".join(dict.fromkeys(each)) for each in zip(*taken, strict=True)]
    return Misfit(f"the operands of {name} are {', '.join(got)}, wanted {', '.join(wanted)}")


def matrix_names(table: Table) -> list[str]:
    """Every instruction that `matrix` may name, in the order of the table."""
    return list(dict.fromkeys([row.operation for row in table.rows if _is_dense(row)]))


@cache
def operand_types(row: Row) -> Sequence[tuple[str, ...]]:
    """The lane types of A, B and C in each combination that the row takes, signed types first. A row calls
    8-bit floats fp8 and bf8 on each target; its semantics say which floats these are."""
    what = semantics_of(row)
    types = [spec.type for spec in row.operands if spec.name in (*OPERANDS, *SCALES)]
    if what.chosen:
        scales = [(E8M0.name,)] * (len(types) - len(OPERANDS))
        elements = (_CHOSEN_TYPES, _CHOSEN_TYPES, ("",), *scales)
    elif what.signed_by_neg:
        elements = (_EITHER_SIGN[what.first], _EITHER_SIGN[what.second], _SUMS_OF_EITHER)
    else:
        formats = (what.first, what.second, what.result)
        elements = tuple([(_EIGHT_BITS.get(format_, ""),) for format_ in formats])
    named = [
        [_named(element, type_) for element in each] for each, type_ in zip(elements, types, strict=True)
    ]
    return tuple(product(*named))


def _named(element: str, type_: str) -> str:
    """The type with another element; without one the type itself."""
    count = type_.partition("x")[2]
    return f"{element}x{count}" if element and count else element or type_


def modifiers_of(row: Row, factors: Sequence[str]) -> dict[str, ModifierValue]:
    """The modifiers by which a row multiplies factors of types with these names in numpy or ml_dtypes."""
    what = semantics_of(row)
    if what.chosen:
        first, second = [_CHOSEN[name] for name in factors]
        return {"cbsz": first, "blgp": second}
    if not what.signed_by_neg:
        return {}
    return {"neg_lo": tuple([int(np.dtype(name).kind == "i") for name in factors])}


def semantics_of(row: Row) -> MatrixMultiply:
    """The function of a matrix row, and its shape and layouts."""
    what = resolve(row.semantics)
    assert isinstance(what, MatrixMultiply), row
    return what


def multiplied(table: Table, name: str, a: Array, b: Array, c: Array, *scales: Array) -> Array:
    """The result of an instruction for operands [lane, element] of whole waves, in the type of c.

    It is computed as in the emulator: on the words of the registers.
    """
    row = table.row(name)
    modifiers = modifiers_of(row, [factor.dtype.name for factor in (a, b)])
    multiply = semantics_of(row).with_modifiers(modifiers, table.target.wave_size)
    powers = [each.view(np.uint8).astype(np.uint32).reshape(-1, table.target.wave_size) for each in scales]
    of_both = (powers[0], powers[1]) if powers else None
    words = multiply(_words(a, table), _words(b, table), _words(c, table), None, of_both)
    return np.ascontiguousarray(np.swapaxes(words, 1, 2)).view(c.dtype).reshape(len(c), -1)


def _words(operand: Array, table: Table) -> Array:
    """[wave, register, lane] of the lanes' registers."""
    words = np.ascontiguousarray(operand.reshape(len(operand), -1)).view(np.uint32)
    by_lane = words.reshape(-1, table.target.wave_size, words.shape[1])
    return np.ascontiguousarray(by_lane.swapaxes(1, 2))


def _is_dense(row: Row) -> bool:
    """Whether D := A B + C of the types that the row states is all that it does."""
    uses = tuple([row.operands[use].name for use in row.uses])
    if row.unit is not Unit.MATRIX or row.traits & _UNLIKE:
        return False
    if uses == (*OPERANDS, *SCALES):
        return not row.form  # both factors have 8 bits
    what = semantics_of(row)
    is_plain = not what.chosen and (not what.signed_by_neg or what.first in _EITHER_SIGN)
    return uses == OPERANDS and is_plain
