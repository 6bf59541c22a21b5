"""Conversions from and to floats without arithmetic (bf16 and the floats of 8 bits), and ops on elements of
fewer than 32 bits without an instruction of their own: computed in f32, i32 or u32, and cut or rounded once.

A number that is converted to such a float goes through an f32 that is exact or rounded to odd, so that it is
rounded once as a whole.
"""

from __future__ import annotations

from asmgen.graph import ops as graph
from asmgen.graph.infer.elementwise import to_bool
from asmgen.graph.rounded import rounded_to
from asmgen.ir.program import Op, Statement, Value
from asmgen.ir.types import (
    BF16,
    BOOL,
    ELEMENT_TYPES,
    F16,
    F32,
    F64,
    I32,
    I64,
    U32,
    U64,
    ElementType,
    LaneType,
    computed,
)
from asmgen.lanewise import ops
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math import simple
from asmgen.lanewise.math.tables import Expansion, Expansions, plain
from asmgen.lanewise.math.wide import arithmetic, bits
from asmgen.lanewise.math.wide.arithmetic import Expand
from asmgen.lanewise.small_floats import is_small_float

_ELEMENTS = tuple(dict.fromkeys(ELEMENT_TYPES.values()))
_CASTS = (graph.CONVERT, graph.BIT_CAST)
_RELATIONS = (ops.NOT_EQUAL, ops.LESS_EQUAL, ops.GREATER_EQUAL)


def narrow(others: Expansions) -> Expansions:
    """The expansions of the narrow types, made of the expansions of the other types."""
    return _conversions(others) | _arithmetic(others)


def _conversions(others: Expansions) -> Expansions:
    expansions: Expansions = {}
    for small in filter(is_small_float, _ELEMENTS):
        for other in _ELEMENTS:
            if other is small:
                expansions[graph.CONVERT, small.name, small.name] = plain(simple.identity)
                continue
            if other is not F32:
                expansions[graph.CONVERT, small.name, other.name] = _through_f32(others, other)
                expansions[graph.CONVERT, other.name, small.name] = _rounded_once(other, small)
    for small in filter(is_small_float, _ELEMENTS):
        expansions[graph.IDENTITY, small.name, small.name] = plain(simple.identity)
    return expansions


def _through_f32(others: Expansions, to: ElementType) -> Expansion:
    """Every such float is an f32."""
    then = others.get((graph.CONVERT, F32.name, to.name))

    def expand(builder: LaneBuilder, operands: tuple[Value, ...], statement: Statement) -> Value:
        wide_ = builder.convert(operands[0], F32)
        return builder.convert(wide_, to) if then is None else then(builder, (wide_,), statement)

    return expand


def _rounded_once(source: ElementType, to: ElementType) -> Expansion:
    exact = _to_f32(source, to)
    return lambda builder, operands, _statement: builder.convert(exact(builder, operands[0]), to)


def _to_f32(source: ElementType, to: ElementType) -> Expand:
    """An f32 that rounds to `to` as the number itself does. Integers that an f32 rounds are beyond the floats
    of 8 bits; bf16 has numbers as large as f32."""
    if source is F64:
        return arithmetic.f64_to_odd_f32
    if source in (I64, U64):
        odd = arithmetic.i64_to_odd_f64 if source is I64 else arithmetic.u64_to_odd_f64
        return lambda builder, x: arithmetic.f64_to_odd_f32(builder, odd(builder, x))
    if source in (I32, U32) and to is BF16:
        return lambda builder, x: arithmetic.f64_to_odd_f32(builder, builder.convert(x, F64))
    if source is BOOL:
        return _from_bool
    if source is F16 or source in (I32, U32) or is_small_float(source):
        return lambda builder, x: builder.convert(x, F32)
    return lambda builder, x: builder.convert(builder.convert(x, I32), F32)


def _from_bool(builder: LaneBuilder, condition: Value) -> Value:
    assert isinstance(condition.type, LaneType)
    return simple.from_bool(builder, condition, LaneType(F32, condition.type.lanes))


def _arithmetic(others: Expansions) -> Expansions:
    """Every pointwise op of lanes, on the types that no instruction computes."""
    expansions: Expansions = {}
    for element in _ELEMENTS:
        if computed(element) is element or element is F16:
            continue
        for op in (*graph.GRAPH_OPS.values(), *_RELATIONS):
            is_computed = op.pointwise and not op.chooses and op not in _CASTS
            if is_computed and (not op.types or element.name in op.types):
                result = BOOL if op in _RELATIONS or op.infer is to_bool else element
                expansions[op, element.name, result.name] = _COUNTS.get(op) or _widened(others, op, element)
    return expansions


_COUNTS: dict[Op, Expansion] = {
    graph.POPCOUNT: plain(bits.popcount_short), graph.LEADING_ZEROS: plain(bits.leading_zeros_short)
}  # fmt: skip


def _widened(others: Expansions, op: Op, element: ElementType) -> Expansion:
    to, rounded = computed(element), rounded_to(op, element)

    def expand(builder: LaneBuilder, operands: tuple[Value, ...], statement: Statement) -> Value:
        given = tuple([builder.convert(x, to) if x.type.element is element else x for x in operands])
        is_bool = statement.result.type.element is BOOL
        then = others.get((rounded, to.name, BOOL.name if is_bool else to.name))
        if then is None:
            (result,) = builder.apply(op, given, statement.attributes)
        else:
            result = then(builder, given, statement)
        return result if is_bool else builder.convert(result, element)

    return expand
