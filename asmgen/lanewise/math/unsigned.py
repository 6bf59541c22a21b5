"""Quotients and remainders of an i32 that is never negative, by a number: those of a u32 take fewer
instructions, since no sign is corrected.

    k = convert[target_type=i32](lane)        the places along an axis, as torch and JAX count them
    q = div(k, five)                          four instructions; two of a u32
    r = sub(k, mul(div(k, four), four))       the lowest two bits of k

An extreme of such an integer and a bound that it keeps anyway is the integer:

    y = min(bitwise_and(x, seven), nine)      y = bitwise_and(x, seven)
"""

from __future__ import annotations

from collections.abc import Callable

from asmgen.graph import ops as graph
from asmgen.graph.ops import LITERAL
from asmgen.ir.program import Statement, Value
from asmgen.ir.types import BOOL, ELEMENT_TYPES, I32, U8, U32, LaneType
from asmgen.lanewise import ops
from asmgen.lanewise.math.definitions import Definitions
from asmgen.lanewise.records import Multiple, axis_of, splat_literal

_MOST_I32, _MOST_U32 = (1 << 31) - 1, (1 << 32) - 1
_MOST_OF_SMALL = {BOOL: 1, U8: (1 << 8) - 1, ELEMENT_TYPES["u16"]: (1 << 16) - 1}
_DEEPEST = 24  # statements that are followed from a value

_KEEP_LOWER_BOUNDS = frozenset({graph.MAX, graph.MIN, graph.CONVERT, graph.BIT_CAST, graph.IDENTITY})
_RIGHT_SHIFTS = frozenset({ops.SHIFT_RIGHT, graph.RIGHT_SHIFT})
_Largest = Callable[[Value], "int | None"]


def unsigned_division(division: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """The division of an i32 as one of a u32, if its first operand is not negative and its second is a number
    above 0."""
    x, by = division.operands
    number = definitions.literal(by)
    if number is None or number <= 0 or largest(x, definitions) is None:
        return None
    assert isinstance(x.type, LaneType)
    name, type_ = division.result.name, LaneType(U32, x.type.lanes)
    bits, divisor, result = (Value(f"{name}_{part}", type_) for part in ("bits", "by", "u32"))
    numbers = (int(number),) * type_.lanes
    place = division.place
    return (
        Statement(graph.BIT_CAST, (x,), (bits,), {"target_type": U32.name}, (), place),
        Statement(LITERAL, (), (divisor,), {"values": numbers}, (), place),
        Statement(division.op, (bits, divisor), (result,), dict(division.attributes), (), place),
        Statement(graph.BIT_CAST, (result,), division.results, {"target_type": I32.name}, (), place),
    )


def rest_of_power(difference: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """The remainder by a power of two, `x - x / 4 * 4`, of a number that is not negative: its lowest bits."""
    x, multiple = difference.operands
    product = definitions.by(multiple, graph.MUL)
    quotient = None if product is None else definitions.by(product.operands[0], graph.DIV)
    if product is None or quotient is None or quotient.operands[0] is not x:
        return None
    power, by = [definitions.literal(each.operands[1]) for each in (product, quotient)]
    if power is None or power != by or power <= 0 or int(power) & (int(power) - 1):
        return None
    if x.type.element is not U32 and largest(x, definitions) is None:
        return None
    assert isinstance(x.type, LaneType)
    mask = Value(f"{difference.result.name}_mask", x.type)
    numbers = (int(power) - 1,) * x.type.lanes
    return (
        Statement(LITERAL, (), (mask,), {"values": numbers}, (), difference.place),
        Statement(graph.BITWISE_AND, (x, mask), difference.results, {}, (), difference.place),
    )


def bounded_extreme(extreme: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """A minimum with a number that its other operand never exceeds, as of an index that is clamped twice, or
    a maximum with a number that its other operand is never below: the other operand. So is the minimum with
    a sum of it, as of an index that counts from the end if it is negative."""
    for x, bound in (extreme.operands, extreme.operands[::-1]):
        if extreme.op is graph.MIN and _is_sum_with(x, bound, definitions):
            return (Statement(graph.IDENTITY, (x,), extreme.results, {}, (), extreme.place),)
        number = definitions.literal(bound)
        if number is None:
            continue
        most = largest(x, definitions)
        is_kept = most is not None and (
            most <= number if extreme.op is graph.MIN else _lower_bound(x, definitions) >= number
        )
        if is_kept:
            return (Statement(graph.IDENTITY, (x,), extreme.results, {}, (), extreme.place),)
    return None


def _is_sum_with(x: Value, total: Value, definitions: Definitions) -> bool:
    """Whether `total` is x and another number, neither of them negative."""
    source, made = _bits_of(x, definitions), definitions.by(_bits_of(total, definitions), graph.ADD)
    return made is not None and source in made.operands and largest(made.result, definitions) is not None


def _bits_of(value: Value, definitions: Definitions) -> Value:
    cast = definitions.by(value, graph.BIT_CAST)
    return value if cast is None else cast.operands[0]


def never_negative(choice: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """`where(x < 0, x + n, x)` of an index that is not negative: the index."""
    condition, _, otherwise = choice.operands
    test = definitions.by(condition, graph.LESS)
    if test is None or definitions.literal(test.operands[1]) != 0:
        return None
    if largest(test.operands[0], definitions) is None:
        return None
    return (Statement(graph.IDENTITY, (otherwise,), choice.results, {}, (), choice.place),)


def _lower_bound(value: Value, definitions: Definitions, deepest: int = _DEEPEST) -> int:
    """A number that no element of an integer is below if the integer is known not to be negative."""
    statement = definitions.of.get(value)
    if statement is None or deepest == 0 or value.type.element.is_float:
        return 0
    number = splat_literal(statement)
    if number is not None:
        return int(number)
    if statement.op is graph.CLIP:
        _, low, high = [_lower_bound(each, definitions, deepest - 1) for each in statement.operands]
        return min(low, high)
    choose = min if statement.op is graph.MIN else max
    if statement.op not in _KEEP_LOWER_BOUNDS:
        return 0
    return choose([_lower_bound(each, definitions, deepest - 1) for each in statement.operands])


def largest(value: Value, definitions: Definitions, deepest: int = _DEEPEST) -> int | None:
    """A number that no element of an integer of up to 32 bits exceeds, below 2**31; None if none is known, or
    if the value may be negative."""
    if value not in definitions.largest:
        definitions.largest[value] = _largest(value, definitions, deepest)
    return definitions.largest[value]


def _largest(value: Value, definitions: Definitions, deepest: int) -> int | None:
    if value.type.element in _MOST_OF_SMALL:
        return _MOST_OF_SMALL[value.type.element]
    if deepest == 0 or value.type.element not in (U32, I32):
        return None
    loop = definitions.counted.get(value)
    if loop is not None and value.type.element is U32:
        return largest(loop.operands[1], definitions, deepest - 1)  # its stop
    statement = definitions.of.get(value)
    if statement is None:
        return None
    number = splat_literal(statement)
    if number is not None:
        return _within(int(number))
    if statement.op is ops.LOCAL_ID:
        return definitions.most_local_id(axis_of(statement))

    def of(inner: Value) -> int | None:
        return largest(inner, definitions, deepest - 1)

    if statement.op in _RIGHT_SHIFTS:
        return _shifted(statement, definitions, of)
    if statement.op is graph.SUB:
        return _difference(statement, definitions, of)
    if statement.op is graph.BITWISE_XOR:
        return _MOST_I32 if _is_without_sign(statement, definitions) else None
    rule = _RULES.get(statement.op)
    return None if rule is None else rule(statement, of)


def _within(number: int) -> int | None:
    return number if 0 <= number <= _MOST_I32 else None


def _same(statement: Statement, of: _Largest) -> int | None:
    return of(statement.operands[0])


def _sum(statement: Statement, of: _Largest) -> int | None:
    known = [bound for operand in statement.operands if (bound := of(operand)) is not None]
    return _within(sum(known)) if len(known) == len(statement.operands) else None


def _difference(statement: Statement, definitions: Definitions, of: _Largest) -> int | None:
    """The bound of a number less another that it is never below."""
    x, by = statement.operands
    most, number = of(x), definitions.literal(by)
    if most is None or number is None or not 0 <= number <= _lower_bound(x, definitions):
        return None
    return most - int(number)


def _chosen(statement: Statement, of: _Largest) -> int | None:
    """The bound of a choice: that of both values."""
    known = [bound for operand in statement.operands[1:] if (bound := of(operand)) is not None]
    return max(known) if len(known) == len(statement.operands[1:]) else None


def _larger(statement: Statement, of: _Largest) -> int | None:
    """The bound of a `max`. An i32 is not negative if one of its operands is not."""
    known = [bound for operand in statement.operands if (bound := of(operand)) is not None]
    is_whole = len(known) == len(statement.operands)
    if is_whole or statement.result.type.element is U32 or not known:
        return max(known) if is_whole else None
    return _MOST_I32


def _smaller(statement: Statement, of: _Largest) -> int | None:
    """The bound of a `min`. An i32 may be negative if either of its operands may."""
    known = [bound for operand in statement.operands if (bound := of(operand)) is not None]
    is_whole = len(known) == len(statement.operands)
    return min(known, default=None) if is_whole or statement.result.type.element is U32 else None


def _clipped(statement: Statement, of: _Largest) -> int | None:
    """The bound of a `clip` between numbers that are not negative."""
    _, low, high = statement.operands
    return None if of(low) is None else of(high)


def _product(statement: Statement, of: _Largest) -> int | None:
    first, second = (of(operand) for operand in statement.operands)
    return None if first is None or second is None else _within(first * second)


def _least(statement: Statement, of: _Largest) -> int | None:
    """A bit that any operand of `bitwise_and` lacks is not in the result."""
    return min((bound for operand in statement.operands if (bound := of(operand)) is not None), default=None)


def _shifted(statement: Statement, definitions: Definitions, of: _Largest) -> int | None:
    """A shift to the right leaves few bits even of an unknown u32. A count that the type does not have shifts
    by other counts, or gives 0."""
    x, by = statement.operands
    count, most = definitions.literal(by), of(x)
    if most is None and x.type.element is U32:
        most = _MOST_U32
    if most is None or count is None:
        return None if most is None else _within(most)
    return _within(most >> int(count) if 0 <= count < x.type.element.bits else most)


def _is_without_sign(statement: Statement, definitions: Definitions) -> bool:
    """Whether an i32 is combined with copies of its own sign by `bitwise_xor`: the result is not negative."""
    for x, other in (statement.operands, statement.operands[::-1]):
        sign = definitions.of.get(other)
        if sign is None or sign.op not in _RIGHT_SHIFTS or x.type.element is not I32:
            continue
        if sign.operands[0] is x and definitions.literal(sign.operands[1]) == I32.bits - 1:
            return True
    return False


def _multiple(statement: Statement, of: _Largest) -> int | None:
    multiple = Multiple.of(statement)
    return _within(multiple.by * multiple.most)


_RULES: dict[object, Callable[[Statement, _Largest], int | None]] = {
    ops.MULTIPLE: _multiple,
    graph.WHERE: _chosen,
    graph.CLIP: _clipped,
    graph.ADD: _sum,
    graph.MAX: _larger,
    graph.MIN: _smaller,
    graph.MUL: _product,
    graph.BITWISE_AND: _least,
    **dict.fromkeys((graph.CONVERT, graph.BIT_CAST, graph.IDENTITY, ops.EXTRACT, ops.SPLAT), _same),
}
