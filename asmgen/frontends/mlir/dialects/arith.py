"""`arith`: constants, arithmetic, comparisons and conversions of integers, floats, indices and vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from asmgen.frontends.mlir.context import Lowering, rows
from asmgen.frontends.mlir.floats import of_op
from asmgen.frontends.mlir.indices import Indices, remainder
from asmgen.frontends.mlir.integers import (
    as_signed,
    as_unsigned,
    bitwise,
    extended,
    index_of_integer,
    integer_of_index,
    lanes_of,
    signed_element,
    truncated,
)
from asmgen.frontends.mlir.lowered import Index, Lowered, Pointer, View
from asmgen.frontends.mlir.relations import RELATIONS
from asmgen.frontends.mlir.source import Dense, Operation
from asmgen.frontends.mlir.types import IndexType, VectorType
from asmgen.graph import ops as graph
from asmgen.ir.program import Op, Value
from asmgen.ir.types import BOOL, U32, LaneType
from asmgen.lanewise import ops

_ORDERED = {
    "oeq": graph.EQUAL,
    "ogt": graph.GREATER,
    "oge": ops.GREATER_EQUAL,
    "olt": graph.LESS,
    "ole": ops.LESS_EQUAL,
}
# The ordered relation that fails where the unordered one holds.
_NEGATED = {"ugt": "ole", "uge": "olt", "ult": "oge", "ule": "ogt"}
_BITWISE = frozenset({graph.BITWISE_AND, ops.BITWISE_OR, ops.BITWISE_XOR})
OnIndices = Callable[[Indices, Index, Index], Index]


def constant(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """A number, or a vector of numbers."""
    value = operation.attributes["value"]
    type_ = operation.result.type
    if isinstance(type_, IndexType):
        assert isinstance(value, int)
        return (lower.indices.constant(value),)
    wanted = lower.lane_type(type_, operation)
    if isinstance(value, Dense):
        numbers = value.values
        if len(numbers) == 1:
            return (lower.builder.constant(numbers[0], wanted),)
        parts = [lower.builder.constant(number, wanted.element) for number in numbers]
        return (lower.builder.pack(*parts),)
    if not isinstance(value, int | float):
        raise lower.refused(
            operation, "MLIR013", f"the constant is {value}", "a number or dense<...> of numbers"
        )
    return (lower.builder.constant(value, wanted),)


def _both(lower: Lowering, operation: Operation) -> tuple[Lowered, Lowered]:
    return lower.value(operation.operands[0]), lower.value(operation.operands[1])


def _integers(
    on_indices: OnIndices, op: Op, on_bools: Op | None = None, *, signed: bool = False
) -> Callable[[Lowering, Operation], Sequence[Lowered]]:
    """An op of two integers: of indices by their bounds, of lanes by `op`, of signed ones where it looks at
    the sign, and of bools by `on_bools`."""

    def rule(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
        a, b = _both(lower, operation)
        if isinstance(a, Index) and isinstance(b, Index):
            return (on_indices(lower.indices, a, b),)
        assert isinstance(a, Value) and isinstance(b, Value)
        _ = lower.lane_type(operation.result.type, operation)
        if lanes_of(a).element is BOOL:
            return (_of_bools(lower, operation, on_bools, a, b),)
        if signed:
            a, b = as_signed(lower, a), as_signed(lower, b)
        if op is graph.FMOD:
            return (as_unsigned(lower, remainder(lower.builder, a, b)),)
        made = bitwise(lower, op, a, b) if op in _BITWISE else lower.builder.value(op, a, b)
        return (as_unsigned(lower, made),)

    return rule


def _of_bools(lower: Lowering, operation: Operation, op: Op | None, a: Value, b: Value) -> Value:
    if op is None:
        raise lower.refused(operation, "MLIR010", f"{operation.name} of i1", "an integer of 8 bits or more")
    return lower.builder.value(op, a, b)


def _signed_division(lower: Lowering, operation: Operation, *, up: bool) -> Sequence[Lowered]:
    """The quotient towards infinity, or towards minus infinity."""
    a, b = _both(lower, operation)
    if isinstance(a, Index) and isinstance(b, Index):
        return (lower.indices.ceil_divide(a, b) if up else lower.indices.floor_divide(a, b),)
    assert isinstance(a, Value) and isinstance(b, Value)
    builder = lower.builder
    x, y = as_signed(lower, a), as_signed(lower, b)
    quotient, rest = builder.div(x, y), remainder(builder, x, y)
    zero, one = builder.like(0, x), builder.like(1, x)
    differs = builder.logical_xor(builder.less(x, zero), builder.less(y, zero))
    inexact = builder.not_equal(rest, zero)
    if up:
        moved = builder.logical_and(builder.logical_not(differs), inexact)
        return (as_unsigned(lower, builder.where(moved, builder.add(quotient, one), quotient)),)
    moved = builder.logical_and(differs, inexact)
    return (as_unsigned(lower, builder.where(moved, builder.sub(quotient, one), quotient)),)


def ceildivsi(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    return _signed_division(lower, operation, up=True)


def floordivsi(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    return _signed_division(lower, operation, up=False)


def ceildivui(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    a, b = _both(lower, operation)
    if isinstance(a, Index) and isinstance(b, Index):
        quotient = lower.indices.divide(a, b, signed=False)
        rest = lower.indices.remainder(a, b, signed=False)
        constant = lower.indices.constant
        more = lower.indices.compare("ne", rest, constant(0))
        return (lower.indices.add(quotient, lower.indices.select(more, constant(1), constant(0))),)
    assert isinstance(a, Value) and isinstance(b, Value)
    builder = lower.builder
    quotient, rest = builder.div(a, b), remainder(builder, a, b)
    more = builder.not_equal(rest, builder.like(0, rest))
    return (builder.where(more, builder.add(quotient, builder.like(1, quotient)), quotient),)


def _shift(*, left: bool, signed: bool) -> Callable[[Lowering, Operation], Sequence[Lowered]]:
    def rule(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
        a, b = _both(lower, operation)
        if isinstance(a, Index) and isinstance(b, Index):
            moved = lower.indices.shift_left(a, b) if left else lower.indices.shift_right(a, b, signed=signed)
            return (moved,)
        assert isinstance(a, Value) and isinstance(b, Value)
        return (shifted(lower, operation, a, b, left=left, signed=signed),)

    return rule


def shifted(
    lower: Lowering, operation: Operation, a: Value, count: Value, *, left: bool, signed: bool
) -> Value:
    """An integer shifted; of 8 and 16 bits in 32."""
    builder, element = lower.builder, lanes_of(a).element
    if element is BOOL:
        raise lower.refused(operation, "MLIR010", f"{operation.name} of i1", "an integer of 8 bits or more")
    is_small = element.bits < U32.bits
    if is_small:
        a = extended(lower, a, U32, signed=signed)
        count = extended(lower, count, U32, signed=False)
    number = as_signed(lower, a) if signed else a
    moved = builder.shift_left(number, count) if left else builder.shift_right(number, count)
    moved = as_unsigned(lower, moved)
    return truncated(lower, moved, element) if is_small else moved


def compare_integers(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    relation = operation.text("predicate")
    a, b = _both(lower, operation)
    if isinstance(a, Index) and isinstance(b, Index):
        return (lower.indices.compare(relation, a, b),)
    assert isinstance(a, Value) and isinstance(b, Value)
    return (related(lower, relation, a, b),)


def related(lower: Lowering, relation: str, a: Value, b: Value) -> Value:
    """A bool: a relation of two integers of lanes."""
    if lanes_of(a).element is BOOL:
        return _related_bools(lower, relation, a, b)
    row = RELATIONS[relation]
    if row.is_signed:
        a, b = as_signed(lower, a), as_signed(lower, b)
    return lower.builder.value(row.op, a, b)


def _related_bools(lower: Lowering, relation: str, a: Value, b: Value) -> Value:
    """An i1 is 0 or 1 without a sign, and 0 or -1 with one."""
    builder = lower.builder
    if relation == "ne":
        return builder.logical_xor(a, b)
    if relation == "eq":
        return builder.logical_not(builder.logical_xor(a, b))
    row = RELATIONS[relation]
    greater, smaller = (b, a) if row.is_less != row.is_signed else (a, b)
    if row.is_strict:
        return builder.logical_and(greater, builder.logical_not(smaller))
    return builder.logical_or(greater, builder.logical_not(smaller))


def compare_floats(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    relation = operation.text("predicate")
    a, b = lower.lane(operation.operands[0]), lower.lane(operation.operands[1])
    builder = lower.builder
    if relation in _ORDERED:
        return (builder.value(_ORDERED[relation], a, b),)
    if relation in _NEGATED:
        return (builder.logical_not(builder.value(_ORDERED[_NEGATED[relation]], a, b)),)
    match relation:
        case "une":
            return (builder.not_equal(a, b),)
        case "one":
            return (builder.logical_or(builder.less(a, b), builder.greater(a, b)),)
        case "ueq":
            return (builder.logical_not(builder.logical_or(builder.less(a, b), builder.greater(a, b))),)
        case "ord":
            return (builder.logical_and(builder.equal(a, a), builder.equal(b, b)),)
        case "uno":
            return (builder.logical_or(builder.not_equal(a, a), builder.not_equal(b, b)),)
        case _:
            return (builder.constant(relation in ("alwaystrue", "true"), LaneType(BOOL, lanes_of(a).lanes)),)


def select(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    condition = lower.lane(operation.operands[0])
    return (chosen(lower, operation, condition, *[lower.value(one) for one in operation.operands[1:]]),)


def chosen(lower: Lowering, operation: Operation, condition: Value, a: Lowered, b: Lowered) -> Lowered:
    """`a` where a condition holds, else `b`."""
    from asmgen.frontends.mlir.control import check_same_memory, rebuilt, slots_of

    if isinstance(a, Index) and isinstance(b, Index):
        return lower.indices.select(condition, a, b)
    if isinstance(a, View | Pointer):
        check_same_memory((a,), (b,), operation)
        pairs = zip(slots_of(a), slots_of(b), strict=True)
        made = [
            lower.indices.select(condition, x, y)
            for x, y in pairs
            if isinstance(x, Index) and isinstance(y, Index)
        ]
        return rebuilt(a, made)
    assert isinstance(a, Value) and isinstance(b, Value)
    lanes = lanes_of(a).lanes
    if lanes > 1 and lanes_of(condition).lanes == 1:
        condition = lower.builder.splat(condition, lanes)
    return lower.builder.where(condition, a, b)


def _floats(op: Op) -> Callable[[Lowering, Operation], Sequence[Lowered]]:
    """An op of floats that lanewise has."""

    def rule(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
        _ = lower.lane_type(operation.result.type, operation)
        return (lower.builder.value(op, *[lower.lane(operand) for operand in operation.operands]),)

    return rule


def _extreme(op: Op) -> Callable[[Lowering, Operation], Sequence[Lowered]]:
    """`maximumf` and `minimumf`: a NaN wins."""

    def rule(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
        a, b = (lower.lane(operand) for operand in operation.operands)
        return (nan_or(lower, op, a, b),)

    return rule


def nan_or(lower: Lowering, op: Op, a: Value, b: Value) -> Value:
    """The op's result, or the first operand that is a NaN."""
    builder = lower.builder
    found = builder.where(builder.not_equal(b, b), b, builder.value(op, a, b))
    return builder.where(builder.not_equal(a, a), a, found)


def to_float(lower: Lowering, operation: Operation, *, signed: bool) -> Sequence[Lowered]:
    """`sitofp` and `uitofp`."""
    value = lower.lane(operation.operands[0])
    wanted = lower.lane_type(operation.result.type, operation)
    if lanes_of(value).element is BOOL:
        value = extended(lower, value, U32, signed=signed)
    number = as_signed(lower, value) if signed else value
    return (lower.builder.convert(number, wanted.element),)


def to_integer(lower: Lowering, operation: Operation, *, signed: bool) -> Sequence[Lowered]:
    """`fptosi` and `fptoui`."""
    value = lower.lane(operation.operands[0])
    wanted = lower.lane_type(operation.result.type, operation).element
    if wanted is BOOL:
        return (lower.builder.not_equal(value, lower.builder.like(0.0, value)),)
    element = signed_element(wanted) if signed else wanted
    return (as_unsigned(lower, lower.builder.convert(value, element)),)


def change_float(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """`extf` and `truncf`."""
    wanted = lower.lane_type(operation.result.type, operation)
    return (lower.builder.convert(lower.lane(operation.operands[0]), wanted.element),)


def extend(lower: Lowering, operation: Operation, *, signed: bool) -> Sequence[Lowered]:
    """`extsi` and `extui`."""
    wanted = lower.lane_type(operation.result.type, operation).element
    return (extended(lower, lower.lane(operation.operands[0]), wanted, signed=signed),)


def truncate(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    wanted = lower.lane_type(operation.result.type, operation).element
    return (truncated(lower, lower.lane(operation.operands[0]), wanted),)


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
        return (integer_of_index(lower, given, lower.lane_type(type_, operation).element),)
    assert isinstance(given, Value)
    return (index_of_integer(lower, given, signed=signed),)


def _cast_vector(
    lower: Lowering, operation: Operation, given: Lowered, type_: VectorType, signed: bool
) -> Value:
    assert isinstance(given, Value)
    wanted = lower.lane_type(type_, operation).element
    if wanted.bits > lanes_of(given).element.bits:
        return extended(lower, given, wanted, signed=signed)
    return truncated(lower, given, wanted)


def add_with_carry(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """`addui_extended`: the sum, and whether it has another bit."""
    a, b = (lower.lane(operand) for operand in operation.operands)
    total = lower.builder.add(a, b)
    return total, lower.builder.less(total, a)


def subtract_with_borrow(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """`subui_extended`: the difference, and whether the second is the larger."""
    a, b = (lower.lane(operand) for operand in operation.operands)
    return lower.builder.sub(a, b), lower.builder.less(a, b)


def multiply_wide(lower: Lowering, operation: Operation, *, signed: bool) -> Sequence[Lowered]:
    """`mulsi_extended` and `mului_extended`: both halves of the product."""
    builder = lower.builder
    a, b = (lower.lane(operand) for operand in operation.operands)
    element = lanes_of(a).element
    if element.bits >= U32.bits:
        x, y = (as_signed(lower, one) if signed else one for one in (a, b))
        return builder.mul(a, b), as_unsigned(lower, builder.multiply_high(x, y))
    x, y = (extended(lower, one, U32, signed=signed) for one in (a, b))
    product = builder.mul(x, y)
    high = builder.shift_right(product, builder.like(element.bits, product))
    return truncated(lower, product, element), truncated(lower, high, element)


ROWS = rows(
    {
        "arith.constant": constant,
        "arith.addi": _integers(Indices.add, graph.ADD, graph.LOGICAL_XOR),
        "arith.subi": _integers(Indices.sub, graph.SUB, graph.LOGICAL_XOR),
        "arith.muli": _integers(Indices.mul, graph.MUL, graph.LOGICAL_AND),
        "arith.divsi": _integers(Indices.divide, graph.DIV, signed=True),
        "arith.divui": _integers(lambda i, a, b: i.divide(a, b, signed=False), graph.DIV),
        "arith.remsi": _integers(Indices.remainder, graph.FMOD, signed=True),
        "arith.remui": _integers(lambda i, a, b: i.remainder(a, b, signed=False), graph.FMOD),
        "arith.ceildivsi": ceildivsi,
        "arith.ceildivui": ceildivui,
        "arith.floordivsi": floordivsi,
        "arith.andi": _integers(
            lambda i, a, b: i.bitwise(graph.BITWISE_AND, a, b), graph.BITWISE_AND, graph.LOGICAL_AND
        ),
        "arith.ori": _integers(
            lambda i, a, b: i.bitwise(ops.BITWISE_OR, a, b), ops.BITWISE_OR, graph.LOGICAL_OR
        ),
        "arith.xori": _integers(
            lambda i, a, b: i.bitwise(ops.BITWISE_XOR, a, b), ops.BITWISE_XOR, graph.LOGICAL_XOR
        ),
        "arith.shli": _shift(left=True, signed=False),
        "arith.shrsi": _shift(left=False, signed=True),
        "arith.shrui": _shift(left=False, signed=False),
        "arith.maxsi": _integers(Indices.greatest, graph.MAX, graph.LOGICAL_AND, signed=True),
        "arith.maxui": _integers(lambda i, a, b: i.greatest(a, b, signed=False), graph.MAX, graph.LOGICAL_OR),
        "arith.minsi": _integers(Indices.least, graph.MIN, graph.LOGICAL_OR, signed=True),
        "arith.minui": _integers(lambda i, a, b: i.least(a, b, signed=False), graph.MIN, graph.LOGICAL_AND),
        "arith.cmpi": compare_integers,
        "arith.cmpf": compare_floats,
        "arith.select": select,
        "arith.addf": _floats(graph.ADD),
        "arith.subf": _floats(graph.SUB),
        "arith.mulf": _floats(graph.MUL),
        "arith.divf": of_op(graph.DIV),
        "arith.remf": of_op(graph.FMOD),
        "arith.negf": _floats(graph.NEG),
        "arith.maximumf": _extreme(graph.MAX),
        "arith.minimumf": _extreme(graph.MIN),
        "arith.maxnumf": _floats(graph.MAX),
        "arith.minnumf": _floats(graph.MIN),
        "arith.maximumnumf": _floats(graph.MAX),
        "arith.minimumnumf": _floats(graph.MIN),
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
        "arith.addui_extended": add_with_carry,
        "arith.subui_extended": subtract_with_borrow,
        "arith.mulsi_extended": partial(multiply_wide, signed=True),
        "arith.mului_extended": partial(multiply_wide, signed=False),
    }
)
