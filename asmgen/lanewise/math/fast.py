"""Forms that are cheaper with fast math, from numbers that elements have in common.

    x a b                x (a b), with a and b the same in every lane
    x a w                x w a, with a the same in every lane, unless it is added to something
    (x - m) a + b        x a + (b - m a), with m, a and b of a channel
    exp(x - m)           exp2(x log2 e - m log2 e), with m of a row

The numbers are multiplied once, and the elements take a multiply or an fma. What needs no number of a row
is computed while lanes exchange it. docs/numerics.md has the errors.
"""

from __future__ import annotations

from asmgen.graph import ops as graph
from asmgen.graph.rounded import rounded_to
from asmgen.ir.numbers import round_to
from asmgen.ir.program import Statement, Value
from asmgen.ir.types import BF16, BOOL, F16, LaneType
from asmgen.lanewise import ops
from asmgen.lanewise.math.definitions import Definitions, fma, negation
from asmgen.lanewise.math.f32.exponential import LOG2_E

_LARGEST_SHIFT = 2.0**127
EXPONENTIALS = frozenset({graph.EXP, rounded_to(graph.EXP, F16), rounded_to(graph.EXP, BF16)})


def product_of_factors(statement: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """x a b, with a and b the same in every lane, as x times a b: a product of one number saves that of a
    vector.
    """
    for whole, other in (statement.operands, statement.operands[::-1]):
        product, second = definitions.by(whole, graph.MUL), definitions.by(other, ops.SPLAT)
        if product is None or second is None or definitions.reads[whole] != 1:
            continue
        for x, inner in (product.operands, product.operands[::-1]):
            first = definitions.by(inner, ops.SPLAT)
            if first is not None:
                numbers = first.operands[0], second.operands[0]
                return _scaled(statement, x, _multiplied_numbers(statement, numbers, definitions))
    return None


def number_last(statement: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """x a w, with a the same in every lane, as x w times a. The number of a row comes late: the lanes wait
    for each other's parts of it, and multiply by w meanwhile. A product that is added to something stays: x a
    is the cheaper product then, as w and the addend are operands of an fma.
    """
    if statement.result in definitions.added:
        return None
    for whole, w in (statement.operands, statement.operands[::-1]):
        product = definitions.by(whole, graph.MUL)
        if product is None or definitions.by(w, ops.SPLAT) is not None or definitions.reads[whole] != 1:
            continue
        for x, a in (product.operands, product.operands[::-1]):
            if definitions.by(a, ops.SPLAT) is None or definitions.by(x, ops.SPLAT) is not None:
                continue
            early = Value(f"{statement.result.name}_early", x.type)
            return (
                Statement(graph.MUL, (x, w), (early,), {}, (), statement.place),
                Statement(graph.MUL, (early, a), statement.results, {}, (), statement.place),
            )
    return None


def _multiplied_numbers(
    statement: Statement, numbers: tuple[Value, Value], definitions: Definitions
) -> tuple[Statement, ...]:
    """The product of two numbers. If a factor is a lane of a vector of which all lanes are such factors, the
    whole vector is multiplied, which other products share.
    """
    result, place = statement.result, statement.place
    product = Value(f"{result.name}_factor", numbers[0].type)
    for lane, other in (numbers, numbers[::-1]):
        taken = definitions.by(lane, ops.EXTRACT)
        vector = None if taken is None else taken.operands[0]
        if taken is None or vector is None or not isinstance(vector.type, LaneType):
            continue
        if 2 * definitions.reads[vector] < vector.type.lanes:
            continue
        alike, whole = (Value(f"{result.name}_{name}", vector.type) for name in ("alike", "whole"))
        return (
            Statement(ops.SPLAT, (other,), (alike,), {"lanes": vector.type.lanes}, (), place),
            Statement(graph.MUL, (vector, alike), (whole,), {}, (), place),
            Statement(ops.EXTRACT, (whole,), (product,), taken.attributes, (), place),
        )
    return (Statement(graph.MUL, numbers, (product,), {}, (), place),)


def _scaled(statement: Statement, x: Value, made: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """x times the number that the last of some statements gives."""
    assert isinstance(x.type, LaneType), "a lane's values are vectors"
    factor = made[-1].result
    factors = Value(f"{factor.name}s", x.type)
    return (
        *made,
        Statement(ops.SPLAT, (factor,), (factors,), {"lanes": x.type.lanes}, (), statement.place),
        Statement(graph.MUL, (x, factors), statement.results, {}, (), statement.place),
    )


def scaled_and_moved(statement: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """(x - m) a + b as x a + (b - m a), if other elements have the same m, a and b, as those of a channel."""
    for whole, b in (statement.operands, statement.operands[::-1]):
        product = definitions.by(whole, graph.MUL)
        if product is None or not definitions.is_shared(b) or definitions.reads[whole] != 1:
            continue
        for inner, a in (product.operands, product.operands[::-1]):
            difference = definitions.by(inner, graph.SUB)
            if difference is None or not definitions.is_shared(a) or definitions.reads[inner] != 1:
                continue
            x, m = difference.operands
            if definitions.is_shared(m):
                return _moved(statement, x, m, a, b)
    return None


def _moved(statement: Statement, x: Value, m: Value, a: Value, b: Value) -> tuple[Statement, ...]:
    negated = negation(statement, a)  # of a, as m may be an f16 that the fma converts
    shift = Value(f"{statement.result.name}_shift", b.type)
    return (
        negated,
        Statement(ops.FMA, (m, negated.result, b), (shift,), {}, (), statement.place),
        fma(statement, x, a, shift),
    )


def exponential_of_difference(statement: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """exp(x - m) as exp2(x log2 e - m log2 e): a multiply for m, and an fma for each element. All elements
    of a softmax have the same rounding of m log2 e, so their quotients by the sum do not.
    """
    difference, result = definitions.by(statement.operands[0], graph.SUB), statement.result
    if difference is None or definitions.reads[difference.result] != 1:
        return None
    x, shift = difference.operands
    splat, place = definitions.by(shift, ops.SPLAT), statement.place
    if splat is None and definitions.reads[shift] < 2:
        return None
    m = shift if splat is None else splat.operands[0]

    made = _scale_of(statement, m)
    scale = made[-1].result
    negated = negation(statement, scale)
    shifted = Value(f"{result.name}_shift", m.type)
    made += [negated, Statement(graph.MUL, (m, negated.result), (shifted,), {}, (), place)]
    both = [scale, shifted]
    if splat is not None:
        both = [Value(f"{value.name}s", x.type) for value in (scale, shifted)]
        made += [
            Statement(ops.SPLAT, (value,), (wide,), splat.attributes, (), place)
            for value, wide in zip((scale, shifted), both, strict=True)
        ]
    argument = Value(f"{result.name}_argument", x.type)
    return (
        *made,
        Statement(ops.FMA, (x, *both), (argument,), {}, (), place),
        Statement(ops.HW_EXP2, (argument,), statement.results, {}, (), place),
    )


def _scale_of(statement: Statement, m: Value) -> list[Statement]:
    """log2 e; or 1 if m is so large that m log2 e may overflow: x - m is then 0 or far from 0, so exp2 is as
    right as exp. A row that is masked whole has the least number of f32 as its m.
    """
    assert isinstance(m.type, LaneType), "a lane's values are vectors"
    name, place = statement.result.name, statement.place
    plain = _literal(LOG2_E, Value(f"{name}_plain", m.type), statement)
    if statement.op is rounded_to(graph.EXP, F16):  # the least number of f16 is far from that
        return [plain]
    limit = _literal(_LARGEST_SHIFT, Value(f"{name}_limit", m.type), statement)
    one = _literal(1.0, Value(f"{name}_one", m.type), statement)
    size, scale = (Value(f"{name}_{part}", m.type) for part in ("size", "scale"))
    is_large = Value(f"{name}_is_large", LaneType(BOOL, m.type.lanes))
    return [
        plain,
        limit,
        one,
        Statement(graph.ABS, (m,), (size,), {}, (), place),
        Statement(graph.LESS, (limit.result, size), (is_large,), {}, (), place),
        Statement(graph.WHERE, (is_large, one.result, plain.result), (scale,), {}, (), place),
    ]


def _literal(number: float, value: Value, statement: Statement) -> Statement:
    """`number` in every lane of `value`."""
    assert isinstance(value.type, LaneType), "a lane's values are vectors"
    values = (round_to(number, value.type.element),) * value.type.lanes
    return Statement(graph.LITERAL, (), (value,), {"values": values}, (), statement.place)
