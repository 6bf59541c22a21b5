"""Matrix instructions of `amdgpu` and `rocdl`.

`amdgpu` gives the shape. `rocdl` gives the name of the instruction, and operands with the same bits as its
elements in any type: eight bytes are an i64, four bf16 a vector<4xi16>.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from asmgen.ir.program import Value
from asmgen.ir.types import ELEMENT_TYPES, U32, LaneType
from asmgen.lanewise import ops
from asmgen.lanewise.matrices import matrix_names, matrix_row, operand_types, semantics_of
from asmgen.mlir.lowering.arithmetic.lanes import as_signed, as_unsigned, bits_as, lanes_of
from asmgen.mlir.lowering.context import Lowering, rows
from asmgen.mlir.lowering.values import Lowered
from asmgen.mlir.source import Operation
from isa.diagnostics import close_names
from isa.instruction import Row
from isa.table import table_of

# Attributes that change the operands or the result of an instruction, with their neutral values.
_PLAIN: dict[str, object] = {
    "cbsz": 0, "abid": 0, "blgp": "none", "reducePrecision": False, "negateA": False, "negateB": False,
    "negateC": False, "subwordOffset": 0, "opsel": False, "clamp": False,
}  # fmt: skip


def multiply_by_shape(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """`mfma` and `wmma`: the product of A and B plus C, over a whole wave."""
    check_plain(lower, operation)
    values = [as_signed(lower.builder, lower.lane(operand)) for operand in operation.operands]
    for number, name in enumerate(("unsignedA", "unsignedB")):
        if operation.attributes.get(name):
            values[number] = as_unsigned(lower.builder, values[number])
    shape = tuple([operation.integer(name) for name in ("m", "n", "k")])
    by = _instruction(
        lower, shape, operation.integer("blocks", 1), [str(lanes_of(value)) for value in values]
    )
    if by is None:
        sizes = "x".join(map(str, shape))
        types = ", ".join(str(operand.type) for operand in operation.operands)
        got = f"{operation.name} {sizes} of {types} on {lower.target}"
        raise lower.refused(operation, "MLIR056", got, "a shape and types that the target multiplies")
    return (as_unsigned(lower.builder, lower.builder.matrix(by, *values)),)


def check_plain(lower: Lowering, operation: Operation) -> None:
    """`InputError` MLIR056 for an attribute that changes the operands or the result of the instruction."""
    for name, plain in _PLAIN.items():
        given = operation.attributes.get(name, plain)
        if given != plain and str(given) != plain:
            raise lower.refused(
                operation, "MLIR056", f"{operation.name} with {name} = {given}", f"{name} = {plain}"
            )


def _instruction(lower: Lowering, shape: tuple[int, ...], blocks: int, types: Sequence[str]) -> str | None:
    """The target's instruction with this shape and these operand types."""
    table = table_of(lower.target.target)
    for name in matrix_names(table):
        row = matrix_row(table, name)
        assert row is not None, name
        what = semantics_of(row).shape
        is_shape = (what.size, what.size, what.inner) == shape and what.blocks == blocks
        if is_shape and tuple(types) in operand_types(row):
            return name
    return None


BYTE = ELEMENT_TYPES["u8"]
# The table's names of instructions with up to 16 result elements, by LLVM's names.
_MFMA = {
    "f32.16x16x1f32": "f32_16x16x1_4b_f32",
    "f32.4x4x1f32": "f32_4x4x1_16b_f32", "f32.32x32x2f32": "f32_32x32x2_f32",
    "f32.16x16x4f32": "f32_16x16x4_f32",
    "f32.16x16x4f16": "f32_16x16x4_4b_f16", "f32.4x4x4f16": "f32_4x4x4_16b_f16",
    "f32.32x32x8f16": "f32_32x32x8_f16", "f32.16x16x16f16": "f32_16x16x16_f16",
    "f32.16x16x2bf16": "f32_16x16x2bf16",
    "f32.4x4x2bf16": "f32_4x4x2bf16", "f32.32x32x4bf16": "f32_32x32x4bf16",
    "f32.16x16x8bf16": "f32_16x16x8bf16",
    "f32.16x16x4bf16.1k": "f32_16x16x4_4b_bf16", "f32.4x4x4bf16.1k": "f32_4x4x4_16b_bf16",
    "f32.32x32x8bf16.1k": "f32_32x32x8_bf16", "f32.16x16x16bf16.1k": "f32_16x16x16_bf16",
    "i32.16x16x4i8": "i32_16x16x4_4b_i8",
    "i32.4x4x4i8": "i32_4x4x4_16b_i8", "i32.32x32x8i8": "i32_32x32x8i8", "i32.16x16x16i8": "i32_16x16x16i8",
    "i32.32x32x16.i8": "i32_32x32x16_i8", "i32.16x16x32.i8": "i32_16x16x32_i8",
    "i32.32x32x32.i8": "i32_32x32x32_i8", "i32.16x16x64.i8": "i32_16x16x64_i8",
    "f32.32x32x4.xf32": "f32_32x32x4_xf32", "f32.16x16x8.xf32": "f32_16x16x8_xf32",
    "f64.16x16x4f64": "f64_16x16x4_f64", "f64.4x4x4f64": "f64_4x4x4_4b_f64",
    **{
        f"f32.{shape}.{type_}": f"f32_{shape}_{type_}"
        for shape in ("16x16x32", "32x32x16") for type_ in ("f16", "bf16")
    },
    **{
        f"f32.{shape}.{first}.{second}": f"f32_{shape}_{first}_{second}"
        for shape in ("16x16x32", "32x32x16") for first in ("fp8", "bf8") for second in ("fp8", "bf8")
    },
}  # fmt: skip
_WMMA = {
    "f32.16x16x16.f16": "f32_16x16x16_f16", "f32.16x16x16.bf16": "f32_16x16x16_bf16",
    "f16.16x16x16.f16": "f16_16x16x16_f16", "bf16.16x16x16.bf16": "bf16_16x16x16_bf16",
    **{
        f"f32.16x16x16.{first}_{second}": f"f32_16x16x16_{first}_{second}"
        for first in ("fp8", "bf8") for second in ("fp8", "bf8")
    },
    "i32.16x16x16.iu8": "i32_16x16x16_iu8",
}  # fmt: skip
INSTRUCTIONS = {
    **{f"rocdl.mfma.{name}": f"v_mfma_{by}" for name, by in _MFMA.items()},
    **{f"rocdl.wmma.{name}": f"v_wmma_{by}" for name, by in _WMMA.items()},
}


def multiply_by_name(by: str, lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """The product of A and B plus C, over a whole wave."""
    check_plain(lower, operation)
    table = table_of(lower.target.target)
    row = matrix_row(table, by)
    if row is None:
        names = [name for name, other in INSTRUCTIONS.items() if other in set(matrix_names(table))]
        got = f"{operation.name} on {lower.target}"
        wanted = "a matrix instruction that the target has"
        raise lower.refused(operation, "MLIR056", got, wanted, close_names(operation.name, names))
    given = [lower.lane(operand) for operand in operation.operands]
    wanted = [_lane_type(type_) for type_ in _types(operation, row)]
    values = [_as(lower, factor, type_, operation) for factor, type_ in zip(given, wanted, strict=True)]
    product = lower.builder.matrix(by, *values)
    return (bits_as(lower.builder, product, lower.lane_type(operation.result.type, operation).element),)


def _types(operation: Operation, row: Row) -> tuple[str, ...]:
    """The operand types. Attributes say which factors are signed, if the row takes both."""
    are_signed = [bool(operation.attributes.get(name)) for name in ("signA", "signB")]
    taken = operand_types(row)
    fitting = [types for types in taken if [type_.startswith("i") for type_ in types[:2]] == are_signed]
    return taken[0] if len(taken) == 1 else fitting[0]


def _lane_type(text: str) -> LaneType:
    element, _, count = text.partition("x")
    return LaneType(ELEMENT_TYPES[element], int(count or 1))


def _as(lower: Lowering, value: Value, wanted: LaneType, operation: Operation) -> Value:
    """The bits of a value as another type. Bytes are extracted from words."""
    own = lanes_of(value)
    if own.lanes == wanted.lanes and own.element.bits == wanted.element.bits:
        return bits_as(lower.builder, value, wanted.element)
    has_words = own.element.bits >= U32.bits and wanted.element.bits == BYTE.bits
    if not has_words or own.lanes * own.element.bits != wanted.lanes * wanted.element.bits:
        types = ", ".join(str(operand.type) for operand in operation.operands)
        got = f"{operation.name} of {types} on {lower.target}"
        raise lower.refused(operation, "MLIR056", got, f"operands with the bits of {wanted}")
    builder = lower.builder
    parts = [
        builder.shift_right(word, builder.like(first, word)) if first else word
        for word in _words(lower, value)
        for first in range(0, U32.bits, BYTE.bits)
    ]
    return bits_as(lower.builder, builder.convert(builder.pack(*parts), BYTE), wanted.element)


def _words(lower: Lowering, value: Value) -> list[Value]:
    """The 32-bit words of a vector of 32-bit or 64-bit elements, the lowest first."""
    builder, own = lower.builder, lanes_of(value)
    lanes = [value] if own.lanes == 1 else [builder.extract(value, i) for i in range(own.lanes)]
    if own.element.bits == U32.bits:
        return [bits_as(lower.builder, lane, U32) for lane in lanes]
    plain = [bits_as(lower.builder, lane, ELEMENT_TYPES["u64"]) for lane in lanes]
    return [builder.value(half, number) for number in plain for half in (ops.LOW_WORD, ops.HIGH_WORD)]


ROWS = rows(
    {
        "amdgpu.mfma": multiply_by_shape,
        "amdgpu.wmma": multiply_by_shape,
        **{name: partial(multiply_by_name, by) for name, by in INSTRUCTIONS.items()},
    },
)
