"""Algebraic forms that are cheaper as a whole than op by op, and contraction.

* gelu, 0.5 x (1 + tanh u) with u an odd polynomial of x, becomes x / (1 + 2**(-2 u log2 e)). Its error is
  absolute, 4 * 2**-23 |x| (docs/numerics.md); op by op, each result would have a relative bound.
* gelu, 0.5 x (1 + erf(c x)), becomes 0.5 x + 0.5 |x| (1 - 2**P(|x|)) within the same bound.
* rsqrt of a number with a known lower bound, as x + 1e-5 of a square x, needs no scaling.
* A multiply that a single add or subtract reads becomes an fma.

The first three give statements of internal ops, `TANH_GATE`, `ERF_GATE` and `RSQRT_NORMAL`; their expansions
are in `f32`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping

from msgspec.structs import replace

from asmgen.graph import ops as graph
from asmgen.graph.infer import same_type
from asmgen.graph.ops import COMBINES
from asmgen.graph.rounded import function_of, rounded_to
from asmgen.ir.numbers import round_to
from asmgen.ir.program import AttributeKind, AttributeSpec, Module, Op, Region, Statement, Value
from asmgen.ir.types import BF16, F16, F32, ElementType, LaneType
from asmgen.lanewise import ops
from asmgen.lanewise.math.bounds import least
from asmgen.lanewise.math.cleanup import remove_dead
from asmgen.lanewise.math.f32.division import SMALL
from asmgen.lanewise.math.f32.exponential import LOG2_E
from asmgen.lanewise.math.options import MathOptions
from asmgen.lanewise.records import Reduction, splat_literal
from asmgen.lanewise.reduction_ops import LANE_REDUCE
from isa.named_tuple import NamedTuple

TANH_GATE = Op(
    "tanh_gate",
    frozenset(),
    1,
    1,
    same_type,
    (AttributeSpec("coefficients", AttributeKind.LIST),),
    pointwise=True,
)
ERF_GATE = Op(
    "erf_gate", frozenset(), 1, 1, same_type, (AttributeSpec("scale", AttributeKind.FLOAT),), pointwise=True
)
RSQRT_NORMAL = Op("rsqrt_normal", frozenset(), 1, 1, same_type, pointwise=True)

LANE_DOT = Op("lane_dot", frozenset(), 2, 2, LANE_REDUCE.infer)

_LONGEST_PRODUCT = 8

_Rule = Callable[[Statement, "Definitions"], "tuple[Statement, ...] | None"]


class Definitions:
    """What defines each value of a module, and how often it is read."""

    def __init__(self, module: Module) -> None:
        self.of: dict[Value, Statement] = {}
        statements = list(module.walk())
        self.reads = Counter([operand for statement in statements for operand in statement.operands])
        for statement in statements:
            for result in statement.results:
                self.of[result] = statement

    def by(self, value: Value, op: Op) -> Statement | None:
        """The statement of `value` if its op is `op`."""
        statement = self.of.get(value)
        return statement if statement is not None and statement.op is op else None

    def is_shared(self, value: Value) -> bool:
        """Whether several statements read a value, or the number that it has in every lane."""
        made = self.by(value, ops.SPLAT)
        return self.reads[value] > 1 or (made is not None and self.reads[made.operands[0]] > 1)

    def literal(self, value: Value) -> float | None:
        """The number in every lane of `value` if it is a literal."""
        statement = self.of.get(value)
        number = None if statement is None else splat_literal(statement)
        return None if number is None else float(number)


def rewrite(module: Module, options: MathOptions) -> Module:
    """The module with whole forms recognised, and contracted if the options say so."""
    gated = _replace(module, {graph.MUL}, _gate)
    if gated is not module:
        module = remove_dead(gated)
    if not options.fast:
        module = _replace(module, _ROOTS, _normal_root)
    if not options.contract:
        return module
    if options.fast:
        module = _replace(module, {graph.MUL}, _product_of_factors)
        module = _replace(module, {graph.ADD}, _scaled_and_moved)
        module = _replace(module, _EXPONENTIALS, _exponential_of_difference)
    return _replace(module, {LANE_REDUCE, graph.ADD, graph.SUB}, _contracted, (F32, F16))


def _replace(
    module: Module, taken: Container[Op], rule: _Rule, elements: Container[ElementType] = (F32,)
) -> Module:
    """The module with each statement of some ops replaced by the result of `rule`, if any; the same module if
    nothing was replaced."""
    asked = [each for each in module.walk() if each.op in taken and _is_of(each, elements)]
    if not asked:
        return module
    definitions = Definitions(module)
    replaced = {s: new for s in asked if (new := rule(s, definitions)) is not None}
    if not replaced:
        return module
    return Module(module.name, tuple(_rebuilt(module.statements, replaced)))


def _rebuilt(
    statements: tuple[Statement, ...], replaced: dict[Statement, tuple[Statement, ...]]
) -> Iterator[Statement]:
    for statement in statements:
        if statement in replaced:
            yield from replaced[statement]
        elif statement.regions:
            regions = tuple(
                [
                    Region(region.parameters, tuple(_rebuilt(region.statements, replaced)))
                    for region in statement.regions
                ]
            )
            yield replace(statement, regions=regions)
        else:
            yield statement


def _is_of(statement: Statement, elements: Container[ElementType]) -> bool:
    return len(statement.results) == 1 and statement.result.type.element in elements


# Gates


def _gate(statement: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """gelu's forms, whatever the order of the factors."""
    constant, factors = _product(statement, definitions)
    if constant != 0.5 or len(factors) != 2:
        return None
    for x, sum_ in (factors, factors[::-1]):
        for inner in _one_plus(sum_, definitions):
            replaced = _tanh_gate(statement, x, inner, definitions) or _erf_gate(
                statement, x, inner, definitions
            )
            if replaced is not None:
                return (replaced,)
    return None


def _product(statement: Statement, definitions: Definitions) -> tuple[float, list[Value]]:
    """A product as its constant and its other factors."""
    constant = 1.0
    factors: list[Value] = []
    pending = list(statement.operands)
    while pending and len(factors) + len(pending) <= _LONGEST_PRODUCT:
        value = pending.pop()
        number = definitions.literal(value)
        inner = definitions.by(value, graph.MUL)
        if number is not None:
            constant *= number
        elif inner is not None:
            pending.extend(inner.operands)
        else:
            factors.append(value)
    return constant, factors + pending


def _one_plus(value: Value, definitions: Definitions) -> Iterator[Statement]:
    """The definition of y if `value` is 1 + y."""
    sum_ = definitions.by(value, graph.ADD)
    if sum_ is None:
        return
    for term, other in (sum_.operands, sum_.operands[::-1]):
        if definitions.literal(term) == 1.0 and other in definitions.of:
            yield definitions.of[other]


def _tanh_gate(
    statement: Statement, x: Value, inner: Statement, definitions: Definitions
) -> Statement | None:
    if function_of(inner.op) is not graph.TANH:
        return None
    argument = _polynomial_of(x, inner.operands[0], definitions)
    if argument is None or not argument.is_odd_of_one_sign:
        return None
    return Statement(
        TANH_GATE, (x,), statement.results, {"coefficients": argument.odd_coefficients()}, (), statement.place
    )


def _erf_gate(statement: Statement, x: Value, inner: Statement, definitions: Definitions) -> Statement | None:
    if function_of(inner.op) is not graph.ERF:
        return None
    argument = _polynomial_of(x, inner.operands[0], definitions)
    if (
        argument is None
        or set(argument.coefficients) != {1}
        or not 2.0**-20 < argument.coefficients[1] < 2.0**20
    ):
        return None
    return Statement(
        ERF_GATE, (x,), statement.results, {"scale": argument.coefficients[1]}, (), statement.place
    )


def _polynomial_of(x: Value, value: Value, definitions: Definitions) -> Univariate | None:
    return univariate(value, x, definitions.of, definitions.literal)


# rsqrt, and rsqrt of numbers that need no scaling
_ROOTS = {graph.RSQRT: RSQRT_NORMAL, rounded_to(graph.RSQRT, BF16): rounded_to(graph.RSQRT, F16)}


def _normal_root(statement: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """rsqrt of a number that is known not to need scaling."""
    if least(statement.operands[0], definitions.of.get) < SMALL:
        return None
    op = _ROOTS[statement.op]
    return (Statement(op, statement.operands, statement.results, {}, (), statement.place),)


# Products, with --fast-math


def _product_of_factors(statement: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
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


def _multiplied_numbers(
    statement: Statement, numbers: tuple[Value, Value], definitions: Definitions
) -> tuple[Statement, ...]:
    """The product of two numbers. If one is a lane of a vector whose lanes are factors alike, the whole
    vector is multiplied, which other products share.
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


def _scaled_and_moved(statement: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
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
    negated = _negated(statement, a)  # of a, as m may be an f16 that the fma converts
    shift = Value(f"{statement.result.name}_shift", b.type)
    return (
        negated,
        Statement(ops.FMA, (m, negated.result, b), (shift,), {}, (), statement.place),
        _fma(statement, x, a, shift),
    )


# exp of a difference from what a row has in common, with --fast-math
_EXPONENTIALS = frozenset({graph.EXP, rounded_to(graph.EXP, F16), rounded_to(graph.EXP, BF16)})


def _exponential_of_difference(
    statement: Statement, definitions: Definitions
) -> tuple[Statement, ...] | None:
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

    factor = _literal(-LOG2_E, Value(f"{result.name}_factor", m.type), statement)
    scale = _literal(LOG2_E, Value(f"{result.name}_scale", x.type), statement)
    scaled = Value(f"{result.name}_shift", m.type)
    made = [factor, scale, Statement(graph.MUL, (m, factor.result), (scaled,), {}, (), place)]
    if splat is not None:
        wide = Value(f"{result.name}_shifts", shift.type)
        made.append(Statement(ops.SPLAT, (scaled,), (wide,), splat.attributes, (), place))
    argument = Value(f"{result.name}_argument", x.type)
    return (
        *made,
        Statement(ops.FMA, (x, scale.result, made[-1].result), (argument,), {}, (), place),
        Statement(ops.HW_EXP2, (argument,), statement.results, {}, (), place),
    )


def _literal(number: float, value: Value, statement: Statement) -> Statement:
    """`number` in every lane of `value`."""
    assert isinstance(value.type, LaneType), "a lane's values are vectors"
    values = (round_to(number, value.type.element),) * value.type.lanes
    return Statement(graph.LITERAL, (), (value,), {"values": values}, (), statement.place)


# Contraction


def _contracted(statement: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """An add or subtract with a product of its own, as an fma; the sum over a product of its own, as a chain
    of them."""
    if statement.op is LANE_REDUCE:
        if COMBINES[Reduction.of(statement).op] is not graph.ADD:
            return None
        product = definitions.by(statement.operands[0], graph.MUL)
        if product is None or definitions.reads[product.result] != 1:
            return None
        return (Statement(LANE_DOT, product.operands, statement.results, {}, (), statement.place),)
    for position, value in enumerate(statement.operands):
        product = definitions.by(value, graph.MUL)
        if product is not None and definitions.reads[value] == 1:
            return _fused(statement, position, product)
    return None


def _fused(statement: Statement, position: int, product: Statement) -> tuple[Statement, ...]:
    a, b = product.operands
    other = statement.operands[1 - position]
    if statement.op is graph.ADD:
        return (_fma(statement, a, b, other),)
    if position == 0:
        negated = _negated(statement, other)
        return (negated, _fma(statement, a, b, negated.result))
    negated = _negated(statement, a)
    return (negated, _fma(statement, negated.result, b, other))


def _fma(statement: Statement, a: Value, b: Value, c: Value) -> Statement:
    return Statement(ops.FMA, (a, b, c), statement.results, {}, (), statement.place)


def _negated(statement: Statement, value: Value) -> Statement:
    result = Value(f"{statement.result.name}_neg_{value.name}", value.type)
    return Statement(graph.NEG, (value,), (result,), {}, (), statement.place)


_LARGEST_DEGREE = 5
_LARGEST_DEPTH = 12


class Univariate(NamedTuple):
    """A polynomial; `coefficients` by power, without zeros."""

    coefficients: dict[int, float]

    @property
    def is_odd_of_one_sign(self) -> bool:
        """Whether the polynomial is x times a sum of terms of the same sign in x**2: no cancellation for any
        x, so that Horner's scheme errs like the ops do."""
        positive = [coefficient > 0 for coefficient in self.coefficients.values()]
        return (
            bool(positive)
            and 1 in self.coefficients
            and all(power % 2 for power in self.coefficients)
            and len(set(positive)) == 1
        )

    def odd_coefficients(self) -> tuple[float, ...]:
        """The coefficients of x, x**3, x**5, ... up to the largest power."""
        return tuple([self.coefficients.get(power, 0.0) for power in range(1, max(self.coefficients) + 1, 2)])


def univariate(
    value: Value,
    x: Value,
    defined: Mapping[Value, Statement],
    literal: Callable[[Value], float | None],
    depth: int = 0,
) -> Univariate | None:
    """`value` as a polynomial of `x` with constant coefficients; None if it is no polynomial, or of too high
    a degree."""
    if value is x:
        return Univariate({1: 1.0})
    number = literal(value)
    if number is not None:
        return Univariate({0: number} if number else {})
    statement = defined.get(value)
    if statement is None or depth == _LARGEST_DEPTH or statement.op not in _COMBINED:
        return None
    parts: list[Univariate] = []
    for operand in statement.operands:
        part = univariate(operand, x, defined, literal, depth + 1)
        if part is None:
            return None
        parts.append(part)
    combined = _COMBINED[statement.op](*parts)
    return combined if max(combined.coefficients, default=0) <= _LARGEST_DEGREE else None


def _sum(a: Univariate, b: Univariate) -> Univariate:
    powers = dict.fromkeys((*a.coefficients, *b.coefficients))
    total = {power: a.coefficients.get(power, 0.0) + b.coefficients.get(power, 0.0) for power in powers}
    return Univariate({power: coefficient for power, coefficient in total.items() if coefficient})


def _negative(a: Univariate) -> Univariate:
    return Univariate({power: -coefficient for power, coefficient in a.coefficients.items()})


def _difference(a: Univariate, b: Univariate) -> Univariate:
    return _sum(a, _negative(b))


def _multiplied(a: Univariate, b: Univariate) -> Univariate:
    total: dict[int, float] = {}
    for power, coefficient in a.coefficients.items():
        for other, factor in b.coefficients.items():
            total[power + other] = total.get(power + other, 0.0) + coefficient * factor
    return Univariate({power: coefficient for power, coefficient in total.items() if coefficient})


_COMBINED: dict[object, Callable[..., Univariate]] = {
    graph.ADD: _sum,
    graph.SUB: _difference,
    graph.MUL: _multiplied,
    graph.NEG: _negative,
}
