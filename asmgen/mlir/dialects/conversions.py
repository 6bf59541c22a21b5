"""`arith`: conversions between integers, floats and indices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from asmgen.ir.program import Value
from asmgen.ir.types import BOOL, U32
from asmgen.mlir.lowering.arithmetic.lanes import (
    as_signed,
    as_unsigned,
    extended,
    index_of_integer,
    integer_of_index,
    lanes_of,
    signed_element,
    truncated,
)
from asmgen.mlir.lowering.context import Lowering, rows
from asmgen.mlir.lowering.values import Index, Lowered
from asmgen.mlir.source import Operation
from asmgen.mlir.types import VectorType


def to_float(lower: Lowering, operation: Operation, *, signed: bool) -> Sequence[Lowered]:
    """`sitofp` and `uitofp`."""
    value = lower.lane(operation.operands[0])
    wanted = lower.lane_type(operation.result.type, operation)
    if lanes_of(value).element is BOOL:
        value = extended(lower.builder, value, U32, signed=signed)
    number = as_signed(lower.builder, value) if signed else value
    return (lower.builder.convert(number, wanted.element),)


def to_integer(lower: Lowering, operation: Operation, *, signed: bool) -> Sequence[Lowered]:
    """`fptosi` and `fptoui`."""
    value = lower.lane(operation.operands[0])
    wanted = lower.lane_type(operation.result.type, operation).element
    if wanted is BOOL:
        return (lower.builder.not_equal(value, lower.builder.like(0.0, value)),)
    element = signed_element(wanted) if signed else wanted
    return (as_unsigned(lower.builder, lower.builder.convert(value, element)),)


def change_float(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """`extf` and `truncf`."""
    wanted = lower.lane_type(operation.result.type, operation)
    return (lower.builder.convert(lower.lane(operation.operands[0]), wanted.element),)


def extend(lower: Lowering, operation: Operation, *, signed: bool) -> Sequence[Lowered]:
    """`extsi` and `extui`."""
    wanted = lower.lane_type(operation.result.type, operation).element
    return (extended(lower.builder, lower.lane(operation.operands[0]), wanted, signed=signed),)


def truncate(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    wanted = lower.lane_type(operation.result.type, operation).element
    return (truncated(lower.builder, lower.lane(operation.operands[0]), wanted),)


def bitcast(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    value = lower.lane(operation.operands[0])
    wanted = lower.lane_type(operation.result.type, operation)
    if lanes_of(value).lanes != wanted.lanes or BOOL in (lanes_of(value).element, wanted.element):
        raise lower.refused(operation, "MLIR010", f"a bitcast to {wanted}", "elements of as many bits")
    return (value if lanes_of(value) == wanted else lower.builder.bit_cast(value, wanted.element),)


def index_cast(lower: Lowering, operation: Operation, *, signed: bool) -> Sequence[Lowered]:
    """`index_cast` and `index_castui`: between integers and indices."""
    given = lower.value(operation.operands[0])
    type_ = operation.result.type
    if isinstance(type_, VectorType):
        return (_cast_vector(lower, operation, given, type_, signed),)
    if isinstance(given, Index):
        return (integer_of_index(lower.indices, given, lower.lane_type(type_, operation).element),)
    assert isinstance(given, Value)
    return (index_of_integer(lower.indices, given, signed=signed),)


def _cast_vector(
    lower: Lowering, operation: Operation, given: Lowered, type_: VectorType, signed: bool
) -> Value:
    assert isinstance(given, Value)
    wanted = lower.lane_type(type_, operation).element
    if wanted.bits > lanes_of(given).element.bits:
        return extended(lower.builder, given, wanted, signed=signed)
    return truncated(lower.builder, given, wanted)


ROWS = rows(
    {
        "arith.sitofp": partial(to_float, signed=True),
        "arith.uitofp": partial(to_float, signed=False),
        "arith.fptosi": partial(to_integer, signed=True),
        "arith.fptoui": partial(to_integer, signed=False),
        "arith.extf": change_float,
        "arith.truncf": change_float,
        "arith.extsi": partial(extend, signed=True),
        "arith.extui": partial(extend, signed=False),
        "arith.trunci": truncate,
        "arith.bitcast": bitcast,
        "arith.index_cast": partial(index_cast, signed=True),
        "arith.index_castui": partial(index_cast, signed=False),
    }
)
