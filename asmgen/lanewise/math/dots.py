"""Sums of products of f16 and bf16 by dot products of pairs.

    lane_reduce[op=sum](add(mul(convert(a), convert(b)), mul(convert(c), convert(d)))) -> f32
    becomes lane_reduce[op=sum](dot_pairs(c, d, dot_pairs(a, b, 0))) -> f32

An instruction multiplies two pairs and adds both products, which are exact, to an f32. A sum of elements is
that of their products with 1. The conversions go away if nothing else reads them.

If an instruction may issue right after the previous instruction and read its sum, all pairs of many vectors
have a single sum. Otherwise each pair of a vector has a sum of its own.

The hardware flushes denormals of f32 (LLVM's `performFMACombine`). A sum of products of f16 is a multiple of
2^-48, and so never a denormal. Products of bf16 may be denormals, and need fast math.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from asmgen.graph import ops as graph
from asmgen.ir.program import Module, Statement, Value, with_regions
from asmgen.ir.types import F16, F32, HALVES, ElementType, LaneType
from asmgen.lanewise.math.definitions import Definitions
from asmgen.lanewise.records import Reduction
from asmgen.lanewise.reduction_ops import DOT_PAIRS, LANE_REDUCE, dot_row
from isa.instruction import Row, Trait
from isa.table import table_of
from isa.targets import Target

# Vectors from which on a single sum pays: its first instruction has another encoding, and the second
# waits for it
_LONG = 4

_Factors = tuple[Value, Value | None]  # of a product, of an element alone if there is no second


def with_dots(module: Module, target: Target, is_fast: bool) -> Module:
    """The module with dot products of pairs, as far as the target has them; of bf16 with fast math."""
    reduced = [each for each in module.walk() if each.op is LANE_REDUCE and _is_sum(each)]
    if not reduced:
        return module
    table = table_of(target)
    elements = HALVES if is_fast else (F16,)
    known = frozenset([element for element in elements if _is_taken(table.find(dot_row(element)), is_fast)])
    definitions = Definitions(module)
    sums = {each: found for each in reduced if (found := _factors(each, definitions, known))}
    if not sums:
        return module
    chained = {element: _has_no_latency(table.row(dot_row(element)), target) for element in known}
    return Module(module.name, tuple(_rebuilt(module.statements, sums, chained)))


def _is_taken(row: Row | None, is_fast: bool) -> bool:
    """Whether a row adds products; only with fast math if it takes denormals for zeros."""
    return row is not None and (is_fast or Trait.FLUSHES not in row.traits)


def _has_no_latency(row: Row, target: Target) -> bool:
    """Whether an instruction of a row may issue right after another, and read its result."""
    from isa.timing.machine import MACHINES
    from isa.timing.row_clocks import row_clocks

    machine = MACHINES[target.name]
    return row_clocks(row, machine).latency == machine.issue.clocks


def _is_sum(statement: Statement) -> bool:
    adds = graph.COMBINES[Reduction.of(statement).op] is graph.ADD
    return adds and statement.result.type.element is F32


def _factors(statement: Statement, definitions: Definitions, known: frozenset[ElementType]) -> list[_Factors]:
    """The factors of all products that a statement adds up; none if they are not all pairs of a type."""
    (value,) = statement.operands
    found = list(_terms(value, definitions))
    factors = [factor for pair in found if pair is not None for factor in pair if factor is not None]
    types = {factor.type for factor in factors}
    if None in found or len(types) != 1:
        return []
    (type_,) = types
    is_known = isinstance(type_, LaneType) and type_.element in known and type_.lanes % 2 == 0
    return [pair for pair in found if pair is not None] if is_known else []


def _terms(value: Value, definitions: Definitions) -> Iterator[_Factors | None]:
    """The factors of each term of a sum; None for a term that is no product of widened elements."""
    made = definitions.of.get(value)
    narrow = _narrow(value, definitions)
    if narrow is not None:
        yield narrow, None
    elif made is None or definitions.reads[value] != 1:
        yield None
    elif made.op is graph.ADD:
        for operand in made.operands:
            yield from _terms(operand, definitions)
    elif made.op is graph.MUL:
        a, b = [_narrow(operand, definitions) for operand in made.operands]
        yield (a, b) if a is not None and b is not None else None
    else:
        yield None


def _narrow(value: Value, definitions: Definitions) -> Value | None:
    """The f16 or bf16 that a value is."""
    widened = definitions.by(value, graph.CONVERT)
    if widened is None or value.type.element is not F32:
        return None
    (source,) = widened.operands
    return source if source.type.element in HALVES else None


def _rebuilt(
    statements: tuple[Statement, ...],
    sums: dict[Statement, list[_Factors]],
    chained: dict[ElementType, bool],
) -> Iterator[Statement]:
    for statement in statements:
        if statement in sums:
            yield from _dotted(statement, sums[statement], chained)
        else:
            yield with_regions(statement, lambda inner: _rebuilt(inner, sums, chained))


def _dotted(
    statement: Statement, factors: list[_Factors], chained: dict[ElementType, bool]
) -> Iterator[Statement]:
    """The sum as dot products, each added to the last, and the sum of their elements. `chained` says whether
    all pairs of a type may have a single sum."""
    name, place, first = statement.result.name, statement.place, factors[0][0].type
    assert isinstance(first, LaneType)
    is_chain = chained[first.element] and len(factors) >= _LONG
    sums = LaneType(F32, 1 if is_chain else first.lanes // 2)
    one = Value(f"{name}_one", first)
    total = Value(f"{name}_zero", sums)
    yield Statement(graph.LITERAL, (), (total,), {"values": (0.0,) * sums.lanes}, (), place)
    if any(second is None for _, second in factors):
        yield Statement(graph.LITERAL, (), (one,), {"values": (1.0,) * first.lanes}, (), place)
    for number, (a, b) in enumerate(factors):
        dot = Value(f"{name}_dot_{number}", sums)
        yield Statement(DOT_PAIRS, (a, one if b is None else b, total), (dot,), {}, (), place)
        total = dot
    yield replace(statement, operands=(total,))
