"""`arith`: arithmetic of integers and indices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from asmgen.graph import ops as graph
from asmgen.ir.program import Op, Value
from asmgen.ir.types import BOOL, U32
from asmgen.mlir.lowering.arithmetic import quotients
from asmgen.mlir.lowering.arithmetic.index_builder import IndexBuilder
from asmgen.mlir.lowering.arithmetic.lanes import (
    as_signed,
    as_unsigned,
    bitwise,
    extended,
    lanes_of,
    truncated,
)
from asmgen.mlir.lowering.context import Lowering, rows
from asmgen.mlir.lowering.values import Index, Lowered
from asmgen.mlir.source import Operation

_BITWISE = frozenset({graph.BITWISE_AND, graph.BITWISE_OR, graph.BITWISE_XOR})

OnIndices = Callable[[IndexBuilder, Index, Index], Index]


def both(lower: Lowering, operation: Operation) -> tuple[Lowered, Lowered]:
    return lower.value(operation.operands[0]), lower.value(operation.operands[1])


def _integers(
    on_indices: OnIndices, op: Op, on_bools: Op | None = None, *, signed: bool = False
) -> Callable[[Lowering, Operation], Sequence[Lowered]]:
    """The rule of an op on two integers: `on_indices` for indices, `on_bools` for bools, else `op`, on signed
    lanes if `signed`."""

    def rule(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
        a, b = both(lower, operation)
        if isinstance(a, Index) and isinstance(b, Index):
            return (on_indices(lower.indices, a, b),)
        assert isinstance(a, Value) and isinstance(b, Value)
        _ = lower.lane_type(operation.result.type, operation)
        if lanes_of(a).element is BOOL:
            return (_of_bools(lower, operation, on_bools, a, b),)
        if signed:
            a, b = as_signed(lower.builder, a), as_signed(lower.builder, b)
        if op is graph.FMOD:
            return (as_unsigned(lower.builder, quotients.integer_remainder(lower.builder, a, b)),)
        made = bitwise(lower.builder, op, a, b) if op in _BITWISE else lower.builder.value(op, a, b)
        return (as_unsigned(lower.builder, made),)

    return rule


def _of_bools(lower: Lowering, operation: Operation, op: Op | None, a: Value, b: Value) -> Value:
    if op is None:
        raise lower.refused(operation, "MLIR010", f"{operation.name} of i1", "an integer of 8 bits or more")
    return lower.builder.value(op, a, b)


def _signed_division(lower: Lowering, operation: Operation, *, up: bool) -> Sequence[Lowered]:
    """The quotient rounded up, or down."""
    a, b = both(lower, operation)
    if isinstance(a, Index) and isinstance(b, Index):
        divide = quotients.ceil_divide if up else quotients.floor_divide
        return (divide(lower.indices, a, b),)
    assert isinstance(a, Value) and isinstance(b, Value)
    builder = lower.builder
    x, y = as_signed(lower.builder, a), as_signed(lower.builder, b)
    quotient, rest = builder.div(x, y), quotients.integer_remainder(builder, x, y)
    zero, one = builder.like(0, x), builder.like(1, x)
    differs = builder.logical_xor(builder.less(x, zero), builder.less(y, zero))
    inexact = builder.not_equal(rest, zero)
    if up:
        moved = builder.logical_and(builder.logical_not(differs), inexact)
        return (as_unsigned(lower.builder, builder.where(moved, builder.add(quotient, one), quotient)),)
    moved = builder.logical_and(differs, inexact)
    return (as_unsigned(lower.builder, builder.where(moved, builder.sub(quotient, one), quotient)),)


def ceildivsi(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    return _signed_division(lower, operation, up=True)


def floordivsi(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    return _signed_division(lower, operation, up=False)


def ceildivui(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    a, b = both(lower, operation)
    if isinstance(a, Index) and isinstance(b, Index):
        return (quotients.ceil_divide_unsigned(lower.indices, a, b),)
    assert isinstance(a, Value) and isinstance(b, Value)
    builder = lower.builder
    quotient, rest = builder.div(a, b), quotients.integer_remainder(builder, a, b)
    more = builder.not_equal(rest, builder.like(0, rest))
    return (builder.where(more, builder.add(quotient, builder.like(1, quotient)), quotient),)


def _shift(*, left: bool, signed: bool) -> Callable[[Lowering, Operation], Sequence[Lowered]]:
    def rule(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
        a, b = both(lower, operation)
        if isinstance(a, Index) and isinstance(b, Index):
            moved = lower.indices.shift_left(a, b) if left else lower.indices.shift_right(a, b, signed=signed)
            return (moved,)
        assert isinstance(a, Value) and isinstance(b, Value)
        return (shifted(lower, operation, a, b, left=left, signed=signed),)

    return rule


def shifted(
    lower: Lowering, operation: Operation, a: Value, count: Value, *, left: bool, signed: bool
) -> Value:
    """An integer shifted. Integers of 8 and 16 bits are shifted in 32 bits."""
    builder, element = lower.builder, lanes_of(a).element
    if element is BOOL:
        raise lower.refused(operation, "MLIR010", f"{operation.name} of i1", "an integer of 8 bits or more")
    is_small = element.bits < U32.bits
    if is_small:
        a = extended(lower.builder, a, U32, signed=signed)
        count = extended(lower.builder, count, U32, signed=False)
    number = as_signed(lower.builder, a) if signed else a
    moved = builder.shift_left(number, count) if left else builder.shift_right(number, count)
    moved = as_unsigned(lower.builder, moved)
    return truncated(lower.builder, moved, element) if is_small else moved


def add_with_carry(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """`addui_extended`: the sum and the carry."""
    a, b = (lower.lane(operand) for operand in operation.operands)
    total = lower.builder.add(a, b)
    return total, lower.builder.less(total, a)


def subtract_with_borrow(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """`subui_extended`: the difference and the borrow."""
    a, b = (lower.lane(operand) for operand in operation.operands)
    return lower.builder.sub(a, b), lower.builder.less(a, b)


def multiply_wide(lower: Lowering, operation: Operation, *, signed: bool) -> Sequence[Lowered]:
    """`mulsi_extended` and `mului_extended`: both halves of the product."""
    builder = lower.builder
    a, b = (lower.lane(operand) for operand in operation.operands)
    element = lanes_of(a).element
    if element.bits >= U32.bits:
        x, y = (as_signed(lower.builder, number) if signed else number for number in (a, b))
        return builder.mul(a, b), as_unsigned(lower.builder, builder.multiply_high(x, y))
    x, y = (extended(lower.builder, number, U32, signed=signed) for number in (a, b))
    product = builder.mul(x, y)
    high = builder.shift_right(product, builder.like(element.bits, product))
    return truncated(lower.builder, product, element), truncated(lower.builder, high, element)


ROWS = rows(
    {
        "arith.addi": _integers(IndexBuilder.add, graph.ADD, graph.LOGICAL_XOR),
        "arith.subi": _integers(IndexBuilder.sub, graph.SUB, graph.LOGICAL_XOR),
        "arith.muli": _integers(IndexBuilder.mul, graph.MUL, graph.LOGICAL_AND),
        "arith.divsi": _integers(quotients.divide, graph.DIV, signed=True),
        "arith.divui": _integers(lambda i, a, b: quotients.divide(i, a, b, signed=False), graph.DIV),
        "arith.remsi": _integers(quotients.remainder, graph.FMOD, signed=True),
        "arith.remui": _integers(lambda i, a, b: quotients.remainder(i, a, b, signed=False), graph.FMOD),
        "arith.ceildivsi": ceildivsi,
        "arith.ceildivui": ceildivui,
        "arith.floordivsi": floordivsi,
        "arith.andi": _integers(
            lambda i, a, b: i.bitwise(graph.BITWISE_AND, a, b), graph.BITWISE_AND, graph.LOGICAL_AND
        ),
        "arith.ori": _integers(
            lambda i, a, b: i.bitwise(graph.BITWISE_OR, a, b), graph.BITWISE_OR, graph.LOGICAL_OR
        ),
        "arith.xori": _integers(
            lambda i, a, b: i.bitwise(graph.BITWISE_XOR, a, b), graph.BITWISE_XOR, graph.LOGICAL_XOR
        ),
        "arith.shli": _shift(left=True, signed=False),
        "arith.shrsi": _shift(left=False, signed=True),
        "arith.shrui": _shift(left=False, signed=False),
        "arith.maxsi": _integers(IndexBuilder.greatest, graph.MAX, graph.LOGICAL_AND, signed=True),
        "arith.maxui": _integers(lambda i, a, b: i.greatest(a, b, signed=False), graph.MAX, graph.LOGICAL_OR),
        "arith.minsi": _integers(IndexBuilder.least, graph.MIN, graph.LOGICAL_OR, signed=True),
        "arith.minui": _integers(lambda i, a, b: i.least(a, b, signed=False), graph.MIN, graph.LOGICAL_AND),
        "arith.addui_extended": add_with_carry,
        "arith.subui_extended": subtract_with_borrow,
        "arith.mulsi_extended": partial(multiply_wide, signed=True),
        "arith.mului_extended": partial(multiply_wide, signed=False),
    }
)
