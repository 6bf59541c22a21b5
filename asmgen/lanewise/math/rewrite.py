"""Algebraic forms that are cheaper as a whole than op by op, and contraction.

* gelu, 0.5 x (1 + tanh u) with u an odd polynomial of x, becomes x / (1 + 2**(-2 u log2 e)). Its error is
  absolute, 4 * 2**-23 |x| (docs/numerics.md); op by op, each result would have a relative bound.
* gelu, 0.5 x (1 + erf(c x)), becomes 0.5 x + 0.5 |x| (1 - 2**P(|x|)) within the same bound.
* rsqrt of a number with a known lower bound, as x + 1e-5 of a square x, needs no scaling.
* A shift by a count that a mask keeps below the bits of the type needs no comparison.
* A float in the range of a small integer, as after a clip, is converted to it without a clip (`saturated`).
* A small integer becomes a bf16 through f32 (`rounded_once`).
* A quotient of an i32 that is not negative, by a number, is that of a u32 (`unsigned`), and that of a bounded
  u32 takes a short reciprocal (`quotients`).
* The middle of two u32 that are in order is half of their sum (`midpoints`).
* Comparisons of numbers are decided, and `not` of a comparison is its inverse (`decided`).
* `less` or `equal` of the same numbers is `less_equal`, and so for `greater`.
* A choice between two floats by a comparison is often a single instruction (`choices`).
* A multiply that a single add or subtract reads becomes an fma.
* With fast math, products with numbers that elements have in common are changed first (`fast`).

The first three give statements of internal ops, `TANH_GATE`, `ERF_GATE` and `RSQRT_NORMAL`; their expansions
are in `f32`.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from msgspec.structs import replace

from asmgen.graph import ops as graph
from asmgen.graph.infer.elementwise import same_type
from asmgen.graph.ops import COMBINES
from asmgen.graph.rounded import function_of, rounded_to
from asmgen.ir.program import AttributeKind, AttributeSpec, Module, Op, Statement, Value, with_regions
from asmgen.ir.types import BF16, BOOL, ELEMENT_TYPES, F16, F32, F64, I32, I64, U32, U64, ElementType
from asmgen.lanewise import ops
from asmgen.lanewise.math.bounds import least
from asmgen.lanewise.math.cleanup import remove_dead
from asmgen.lanewise.math.definitions import Definitions, Rule, fma, negation
from asmgen.lanewise.math.f32.division import SMALL
from asmgen.lanewise.math.univariate import Univariate, univariate
from asmgen.lanewise.records import Reduction
from asmgen.lanewise.reduction_ops import LANE_REDUCE
from asmgen.options import MathOptions
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


def rewrite(module: Module, options: MathOptions) -> Module:
    """The module with whole forms recognised, and contracted if the options say so."""
    if options.nan == "ieee" and _reduces_halves(module):
        module = _chosen_narrow(module)
    module = _in_words(_truths(_decided(module)))
    gated = _replace(module, {graph.MUL}, _gate)
    gated = _replace(gated, {graph.LOGICAL_OR}, _or_equal, (BOOL,))
    floats = {each.op for each in gated.walk() if _is_of(each, (F32, F64))}
    if graph.WHERE in floats or {graph.MAX, graph.MIN} <= floats:
        gated = _chosen(gated, options)
    if gated is not module:
        module = remove_dead(gated)
    module = _replace(module, _SHIFTS, _shift_of_known_bits, (I32, U32, I64, U64))
    module = _unsigned(_inside(_summed_ends(module)))
    module = _rounded_once(_unclipped(module, options))
    if not options.fast:
        module = _replace(module, _ROOTS, _normal_root)
    if not options.contract:
        return module
    if options.fast:
        module = _fast(module)
    return _replace(module, {LANE_REDUCE, graph.ADD, graph.SUB}, _contracted, (F32, F16))


def _decided(module: Module) -> Module:
    """The module without comparisons of numbers, and without `not` of a comparison."""
    taken = {each.op for each in module.walk()}
    if taken.isdisjoint((graph.LOGICAL_XOR, graph.NOT)):
        return module
    from asmgen.lanewise.math import decided

    known = _replace(module, decided.COMPARED, decided.compared, (BOOL,))
    if known is not module:
        module = _replace(known, decided.DECIDED, decided.decided, _EVERY)
    return _replace(module, {graph.NOT}, decided.inverted, (BOOL,))


def _in_words(module: Module) -> Module:
    """The module with comparisons of an i64 with several small numbers in 32 bits."""
    longs = [
        each
        for each in module.walk()
        if each.op is graph.EQUAL and each.operands[0].type.element in (I64, U64)
    ]
    if len(longs) < 2:
        return module
    from asmgen.lanewise.math import shared_longs

    return _replace(module, shared_longs.EQUALITIES, shared_longs.compared_in_words, (BOOL,))


def _truths(module: Module) -> Module:
    """The module with bools of a lane reduced as such."""
    if not any(each.op is LANE_REDUCE and _is_of(each, (I32,)) for each in module.walk()):
        return module
    from asmgen.lanewise.math.truths import reduced_truths

    return _replace(module, {LANE_REDUCE}, reduced_truths, (I32,))


def _chosen(module: Module, options: MathOptions) -> Module:
    """The module with choices of floats as instructions."""
    from asmgen.lanewise.math.choices import rules

    for rule, taken, elements in rules(options):
        module = _replace(module, taken, rule, elements)
    return module


def _reduces_halves(module: Module) -> bool:
    """Whether a module reduces numbers of a lane, and widens f16."""
    reduces = widens = False
    for each in module.walk():
        reduces |= each.op is LANE_REDUCE
        widens |= each.op is graph.CONVERT and each.operands[0].type.element is F16
    return reduces and widens


def _chosen_narrow(module: Module) -> Module:
    """The module with extremes of f16 chosen before they are widened."""
    from asmgen.lanewise.math.extremes import choose_narrow

    narrow = choose_narrow(module)
    return module if narrow is module else remove_dead(narrow)


def _unsigned(module: Module) -> Module:
    """The module with divisions of an i32 that is not negative done as divisions of a u32, and those of a
    bounded u32 as products."""
    if not any(each.op in _DIVISIONS for each in module.walk()):
        return module
    from asmgen.lanewise.math.quotients import bounded_quotient
    from asmgen.lanewise.math.unsigned import rest_of_power, unsigned_division

    module = _replace(module, {graph.SUB}, rest_of_power, (I32, U32))
    module = _replace(module, _DIVISIONS, unsigned_division, (I32,))
    return _replace(module, {graph.DIV}, bounded_quotient, (U32,))


def _summed_ends(module: Module) -> Module:
    """The module with the middles of u32 in order as halves of sums."""
    if not any(each.op is graph.WHERE and _is_of(each, (U32,)) for each in module.walk()):
        return module
    from asmgen.lanewise.math.midpoints import sum_of_ends

    return _replace(module, {graph.ADD}, sum_of_ends, (U32,))


def _inside(module: Module) -> Module:
    """The module without extremes of integers and bounds that these keep anyway, and without choices by a
    sign that is 0."""
    taken = {each.op for each in module.walk() if _is_of(each, (I32, U32))}
    if taken.isdisjoint((*_EXTREMES, graph.WHERE)):
        return module
    from asmgen.lanewise.math.unsigned import bounded_extreme, never_negative

    module = _replace(module, {graph.WHERE}, never_negative, (I32,))
    return _replace(module, _EXTREMES, bounded_extreme, (I32, U32))


def _unclipped(module: Module, options: MathOptions) -> Module:
    """The module without the clips of conversions to small integers that are in range already."""
    if not any(each.op is graph.CONVERT and _is_of(each, _CLIPPED) for each in module.walk()):
        return module
    from asmgen.lanewise.math import saturated

    if options.nan == "propagate":
        module = _replace(module, {graph.CONVERT}, saturated.clip_of_integers, _CLIPPED)
    return _replace(module, {graph.CONVERT}, saturated.without_clip, _SMALL)


def _rounded_once(module: Module) -> Module:
    """The module with small integers converted to bf16 through f32."""
    if not any(each.op is graph.CONVERT and _is_of(each, (BF16,)) for each in module.walk()):
        return module
    from asmgen.lanewise.math.rounded_once import through_f32

    return _replace(module, {graph.CONVERT}, through_f32, (BF16,))


_SMALL = frozenset(ELEMENT_TYPES[name] for name in ("i8", "u8", "i16", "u16"))
_CLIPPED = _SMALL | {I32, U32}


_EVERY = frozenset(ELEMENT_TYPES.values())
_EXTREMES = frozenset({graph.MAX, graph.MIN})
_DIVISIONS = frozenset({graph.DIV, graph.MOD, graph.FMOD})


def _fast(module: Module) -> Module:
    """The module with the forms of fast math."""
    from asmgen.lanewise.math import fast

    module = _replace(module, {graph.MUL}, fast.product_of_factors)
    module = _replace(module, {graph.MUL}, fast.number_last)
    module = _replace(module, {graph.ADD}, fast.scaled_and_moved)
    return _replace(module, fast.EXPONENTIALS, fast.exponential_of_difference)


def _replace(
    module: Module, taken: Container[Op], rule: Rule, elements: Container[ElementType] = (F32,)
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
        else:
            yield with_regions(statement, lambda inner: _rebuilt(inner, replaced))


def _is_of(statement: Statement, elements: Container[ElementType]) -> bool:
    return len(statement.results) == 1 and statement.result.type.element in elements


# Shifts

_SHIFTS = {graph.LEFT_SHIFT: ops.SHIFT_LEFT, graph.RIGHT_SHIFT: ops.SHIFT_RIGHT}


def _shift_of_known_bits(shift: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """A shift by a count that the type has, as the hardware shifts: `x << (n & 31)`, `x >> ((x >> 28) + 4)`.
    The hardware reads the lowest bits of a count alone, so a mask of these may go."""
    x, by = shift.operands
    count, last = definitions.by(by, graph.BITWISE_AND), shift.result.type.element.bits - 1
    for mask, number in () if count is None else (count.operands, count.operands[::-1]):
        bits = definitions.literal(mask)
        if bits is not None and 0 <= bits <= last:
            return (replace(shift, op=_SHIFTS[shift.op], operands=(x, number if bits == last else by)),)
    if definitions.literal(by) is not None:
        return None
    from asmgen.lanewise.math.unsigned import largest

    most = largest(by, definitions)
    return None if most is None or most > last else (replace(shift, op=_SHIFTS[shift.op]),)


# Comparisons

_OR_EQUAL = {graph.LESS: ops.LESS_EQUAL, graph.GREATER: ops.GREATER_EQUAL}


def _or_equal(statement: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """Less, or equal, as a single comparison. It is false of a NaN, as both are."""
    for value, other in (statement.operands, statement.operands[::-1]):
        order, equality = definitions.of.get(value), definitions.by(other, graph.EQUAL)
        if order is None or equality is None or order.op not in _OR_EQUAL:
            continue
        if equality.operands in (order.operands, order.operands[::-1]):
            op = _OR_EQUAL[order.op]
            return (Statement(op, order.operands, statement.results, {}, (), statement.place),)
    return None


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


# Contraction


def _contracted(statement: Statement, definitions: Definitions) -> tuple[Statement, ...] | None:
    """An add or subtract with a product of its own, as an fma; the sum over a product of its own, as a chain
    of them. exp(a b - m) keeps the rounding of the product: if m is the greatest of them, as in a softmax,
    then exp(0) is 1 in every launch."""
    if statement.op is LANE_REDUCE:
        if COMBINES[Reduction.of(statement).op] is not graph.ADD:
            return None
        product = definitions.by(statement.operands[0], graph.MUL)
        if product is None or definitions.reads[product.result] != 1:
            return None
        return (Statement(LANE_DOT, product.operands, statement.results, {}, (), statement.place),)
    if statement.op is graph.SUB and statement.result in definitions.exponents:
        return None
    for position, value in enumerate(statement.operands):
        factors = _factors(value, definitions)
        if factors is not None:
            return (*factors.packed, *_fused(statement, position, factors))
    return None


class _Factors(NamedTuple):
    """The factors of a product, and the statements that make vectors of them."""

    a: Value
    b: Value
    packed: tuple[Statement, ...] = ()


def _factors(value: Value, definitions: Definitions) -> _Factors | None:
    """The factors of a product that a single statement reads. Lanes that have parts of several vectors, and
    so packs of products, contract the same sums as other lanes."""
    if definitions.reads[value] != 1:
        return None
    product, pack = definitions.by(value, graph.MUL), definitions.by(value, ops.PACK)
    if product is not None:
        a, b = product.operands
        return _Factors(a, b)
    products = [] if pack is None else [definitions.by(part, graph.MUL) for part in pack.operands]
    if pack is None or any(each is None or definitions.reads[each.result] != 1 for each in products):
        return None
    sides = zip(*[each.operands for each in products if each is not None], strict=True)
    packs = [
        replace(pack, operands=parts, results=(Value(f"{value.name}_{side}", value.type),))
        for side, parts in zip("ab", sides, strict=True)
    ]
    return _Factors(packs[0].result, packs[1].result, tuple(packs))


def _fused(statement: Statement, position: int, factors: _Factors) -> tuple[Statement, ...]:
    a, b, _ = factors
    other = statement.operands[1 - position]
    if statement.op is graph.ADD:
        return (fma(statement, a, b, other),)
    if position == 0:
        negated = negation(statement, other)
        return (negated, fma(statement, a, b, negated.result))
    negated = negation(statement, a)
    return (negated, fma(statement, negated.result, b, other))
