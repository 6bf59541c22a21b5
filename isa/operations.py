"""The operations that rows compute, as far as rewriting needs them: the operation and its source operands.

Rows of several units and encodings share an operation, so a pattern is stated once and no pass knows a
mnemonic. Rewriting does nothing to a row without an operation but remove it, or put constants and copies into
its operands.
"""

from __future__ import annotations

from enum import Enum
from functools import cache

from isa.instruction import Encoding, Instr, Operand, Row, Trait
from isa.named_tuple import NamedTuple
from isa.operand_check import known_class
from isa.table import Table
from isa.verify import takes


class Operation(Enum):
    ADD = "add"
    SUBTRACT = "subtract"
    MULTIPLY = "multiply"
    MULTIPLY_24 = "multiply the low 24 bits"
    SHIFT_LEFT = "shift left"
    SHIFT_RIGHT = "shift right"
    SHIFT_RIGHT_SIGNED = "shift right, signed"
    AND = "and"
    OR = "or"
    XOR = "xor"
    NOT = "not"
    MINIMUM = "unsigned minimum"
    MAXIMUM = "unsigned maximum"
    MINIMUM_SIGNED = "signed minimum"
    MAXIMUM_SIGNED = "signed maximum"
    FIELD = "bit field"
    FIELD_SIGNED = "bit field, signed"
    SHIFT_ADD = "shift left, then add"
    SHIFT_OR = "shift left, then or"
    ADD_SHIFT = "add, then shift left"
    AND_OR = "and, then or"
    OR_THREE = "or of three"
    ADD_THREE = "add three"
    BYTES = "bytes of two words, by the numbers in a third"
    LOAD_BYTE = "load of a byte, extended by zeros"
    LOAD_HALF = "load of 16 bits, extended by zeros"
    LESS = "unsigned less, to SCC"
    LESS_SIGNED = "signed less, to SCC"
    LANE_COUNT = "number of lower lanes in a mask"
    BIT_COUNT = "number of set bits, then add"

    __hash__ = object.__hash__  # as of `isa.registers.RegisterClass`
    SELECT = "select"
    FLOAT_OF_UNSIGNED = "float of an unsigned integer"
    FLOAT_ADD = "float add"
    FLOAT_SUBTRACT = "float subtract"
    FLOAT_MULTIPLY = "float multiply"
    FLOAT_FMA = "float fma"
    FLOAT_MINIMUM = "float minimum, NaN loses"
    FLOAT_MAXIMUM = "float maximum, NaN loses"
    FLOAT_MINIMUM_OF_THREE = "float minimum of three, NaN stays"
    FLOAT_MAXIMUM_OF_THREE = "float maximum of three, NaN stays"
    PACKED_ADD = "packed float add"
    PACKED_MULTIPLY = "packed float multiply"


class Meaning(NamedTuple):
    """`sources` are operand indices in the operation's order; `bits` is its width, 16, 32 or 64."""

    operation: Operation
    sources: tuple[int, ...]
    bits: int


# Name of the row's operation, what that is, width, sources by operand index.
_MEANINGS: tuple[tuple[str, Operation, int, tuple[int, ...]], ...] = (
    ("v_add_u32", Operation.ADD, 32, (1, 2)),
    ("s_add_u32", Operation.ADD, 32, (1, 2)),
    ("s_add_i32", Operation.ADD, 32, (1, 2)),
    ("v_sub_u32", Operation.SUBTRACT, 32, (1, 2)),
    ("v_subrev_u32", Operation.SUBTRACT, 32, (2, 1)),
    ("s_sub_u32", Operation.SUBTRACT, 32, (1, 2)),
    ("s_sub_i32", Operation.SUBTRACT, 32, (1, 2)),
    ("v_mul_lo_u32", Operation.MULTIPLY, 32, (1, 2)),
    ("s_mul_i32", Operation.MULTIPLY, 32, (1, 2)),
    ("v_mul_u32_u24", Operation.MULTIPLY_24, 32, (1, 2)),
    ("v_lshlrev_b32", Operation.SHIFT_LEFT, 32, (2, 1)),
    ("s_lshl_b32", Operation.SHIFT_LEFT, 32, (1, 2)),
    ("v_lshrrev_b32", Operation.SHIFT_RIGHT, 32, (2, 1)),
    ("s_lshr_b32", Operation.SHIFT_RIGHT, 32, (1, 2)),
    ("v_ashrrev_i32", Operation.SHIFT_RIGHT_SIGNED, 32, (2, 1)),
    ("s_ashr_i32", Operation.SHIFT_RIGHT_SIGNED, 32, (1, 2)),
    ("v_and_b32", Operation.AND, 32, (1, 2)),
    ("s_and_b32", Operation.AND, 32, (1, 2)),
    ("v_or_b32", Operation.OR, 32, (1, 2)),
    ("s_or_b32", Operation.OR, 32, (1, 2)),
    ("v_xor_b32", Operation.XOR, 32, (1, 2)),
    ("s_xor_b32", Operation.XOR, 32, (1, 2)),
    ("v_not_b32", Operation.NOT, 32, (1,)),
    ("v_min_u32", Operation.MINIMUM, 32, (1, 2)),
    ("s_min_u32", Operation.MINIMUM, 32, (1, 2)),
    ("v_max_u32", Operation.MAXIMUM, 32, (1, 2)),
    ("s_max_u32", Operation.MAXIMUM, 32, (1, 2)),
    ("v_min_i32", Operation.MINIMUM_SIGNED, 32, (1, 2)),
    ("s_min_i32", Operation.MINIMUM_SIGNED, 32, (1, 2)),
    ("v_max_i32", Operation.MAXIMUM_SIGNED, 32, (1, 2)),
    ("s_max_i32", Operation.MAXIMUM_SIGNED, 32, (1, 2)),
    ("v_bfe_u32", Operation.FIELD, 32, (1, 2, 3)),
    ("v_bfe_i32", Operation.FIELD_SIGNED, 32, (1, 2, 3)),
    ("v_lshl_add_u32", Operation.SHIFT_ADD, 32, (1, 2, 3)),
    ("v_lshl_or_b32", Operation.SHIFT_OR, 32, (1, 2, 3)),
    ("v_add_lshl_u32", Operation.ADD_SHIFT, 32, (1, 2, 3)),
    ("v_and_or_b32", Operation.AND_OR, 32, (1, 2, 3)),
    ("v_or3_b32", Operation.OR_THREE, 32, (1, 2, 3)),
    ("v_add3_u32", Operation.ADD_THREE, 32, (1, 2, 3)),
    ("v_perm_b32", Operation.BYTES, 32, (1, 2, 3)),
    ("global_load_ubyte", Operation.LOAD_BYTE, 32, ()),
    ("buffer_load_ubyte", Operation.LOAD_BYTE, 32, ()),
    ("ds_read_u8", Operation.LOAD_BYTE, 32, ()),
    ("global_load_ushort", Operation.LOAD_HALF, 32, ()),
    ("buffer_load_ushort", Operation.LOAD_HALF, 32, ()),
    ("ds_read_u16", Operation.LOAD_HALF, 32, ()),
    ("s_cmp_lt_u32", Operation.LESS, 32, (0, 1)),
    ("s_cmp_lt_i32", Operation.LESS_SIGNED, 32, (0, 1)),
    ("v_mbcnt_lo_u32_b32", Operation.LANE_COUNT, 32, (1, 2)),
    ("v_mbcnt_hi_u32_b32", Operation.LANE_COUNT, 32, (1, 2)),
    ("v_bcnt_u32_b32", Operation.BIT_COUNT, 32, (1, 2)),
    ("v_cndmask_b32", Operation.SELECT, 32, (1, 2)),
    ("v_cvt_f32_u32", Operation.FLOAT_OF_UNSIGNED, 32, (1,)),
    ("v_add_f32", Operation.FLOAT_ADD, 32, (1, 2)),
    ("v_sub_f32", Operation.FLOAT_SUBTRACT, 32, (1, 2)),
    ("v_subrev_f32", Operation.FLOAT_SUBTRACT, 32, (2, 1)),
    ("v_mul_f32", Operation.FLOAT_MULTIPLY, 32, (1, 2)),
    ("v_fma_f32", Operation.FLOAT_FMA, 32, (1, 2, 3)),
    ("v_min_f32", Operation.FLOAT_MINIMUM, 32, (1, 2)),
    ("v_max_f32", Operation.FLOAT_MAXIMUM, 32, (1, 2)),
    ("v_minimum3_f32", Operation.FLOAT_MINIMUM_OF_THREE, 32, (1, 2, 3)),
    ("v_maximum3_f32", Operation.FLOAT_MAXIMUM_OF_THREE, 32, (1, 2, 3)),
    ("v_add_f16", Operation.FLOAT_ADD, 16, (1, 2)),
    ("v_sub_f16", Operation.FLOAT_SUBTRACT, 16, (1, 2)),
    ("v_subrev_f16", Operation.FLOAT_SUBTRACT, 16, (2, 1)),
    ("v_mul_f16", Operation.FLOAT_MULTIPLY, 16, (1, 2)),
    ("v_add_f64", Operation.FLOAT_ADD, 64, (1, 2)),
    ("v_mul_f64", Operation.FLOAT_MULTIPLY, 64, (1, 2)),
    ("v_pk_add_f32", Operation.PACKED_ADD, 32, (1, 2)),
    ("v_pk_mul_f32", Operation.PACKED_MULTIPLY, 32, (1, 2)),
    ("v_pk_add_f16", Operation.PACKED_ADD, 16, (1, 2)),
    ("v_pk_mul_f16", Operation.PACKED_MULTIPLY, 16, (1, 2)),
)
# An operation on three sources, and the operation that does the same onto its last.
ACCUMULATING = {
    "v_fma_f16": "v_fmac_f16", "v_fma_f32": "v_fmac_f32", "v_fma_f64": "v_fmac_f64",
    "v_dot2_f32_f16": "v_dot2c_f32_f16", "v_dot2_f32_bf16": "v_dot2c_f32_bf16",
}  # fmt: skip
# An operation on three sources, and the operations with a literal as the addend and as a factor.
_WITH_LITERAL = {"v_fma_f32": ("v_fmaak_f32", "v_fmamk_f32")}
# A relation of a and b, and the same relation of b and a. Other relations stay the same.
_RELATIONS = {"lt": "gt", "le": "ge", "nlt": "ngt", "nle": "nge"}
_BOTH_WAYS = {**_RELATIONS, **{other: relation for relation, other in _RELATIONS.items()}}
_SUBTRACTIONS = {f"v_sub_{of}": f"v_subrev_{of}" for of in ("f16", "f32", "u16", "u32")}
# An operation, and the operation that takes its first two sources exchanged.
_EXCHANGED = {
    **_SUBTRACTIONS,
    **{reverse: operation for operation, reverse in _SUBTRACTIONS.items()},
    **{
        f"{compare}_{relation}_{of}": f"{compare}_{other}_{of}"
        for compare in ("v_cmp", "v_cmpx")
        for relation, other in _BOTH_WAYS.items()
        for of in ("f16", "f32", "f64", "i16", "u16", "i32", "u32", "i64", "u64")
    },
}
# An operation on a constant, and the operation that encodes a signed constant of 16 bits.
SHORT_CONSTANTS = {"s_mov_b32": "s_movk_i32"}
_ENCODINGS = frozenset({Encoding.PLAIN, Encoding.E32, Encoding.E64})


_BY_OPERATION = {name: Meaning(operation, sources, bits) for name, operation, bits, sources in _MEANINGS}


def meaning_of(row: Row) -> Meaning | None:
    """The operation of a row, or None if no pattern knows it. Modifiers of the instruction may still change
    it."""
    return _BY_OPERATION.get(row.operation) if row.encoding in _ENCODINGS else None


def exchanged_operation(row: Row) -> str:
    """The operation that does the same with its first two sources exchanged; "" if there is none."""
    return row.operation if Trait.COMMUTES in row.traits else _EXCHANGED.get(row.operation, "")


def exchanged_rows(row: Row, table: Table) -> tuple[Row, ...]:
    """The encodings of that operation; none if the target lacks it."""
    other = table.find(exchanged_operation(row), row.form)
    return table.named(other.name) if other is not None else ()


@cache
def literal_forms(table: Table, target: Row) -> tuple[tuple[Row, tuple[int, ...]], ...]:
    """The rows that do the same as `target` with a literal in a place, and the order of their operands."""
    rows = [table.find(name) for name in _WITH_LITERAL.get(target.operation, ())]
    if target.encoding is not Encoding.E64:
        return ()
    return tuple([(row, order) for row in rows if row is not None for order in ((0, 1, 2, 3), (0, 2, 1, 3))])


def literal_form(
    table: Table, target: Row, operands: tuple[Operand, ...]
) -> tuple[Row, tuple[Operand, ...]] | None:
    """The first of these rows that takes physical operands, and their order there; None if there is none."""
    for row, order in literal_forms(table, target):
        ordered = tuple([operands[i] for i in order])
        if takes(row, ordered, known_class):
            return row, ordered
    return None


def plain_meaning(instr: Instr) -> Meaning | None:
    """The operation of an instruction that has no modifier to change it."""
    return None if instr.modifiers else meaning_of(instr.row)


def sources(instr: Instr, meaning: Meaning) -> tuple[Operand, ...]:
    return tuple(instr.operands[i] for i in meaning.sources)
