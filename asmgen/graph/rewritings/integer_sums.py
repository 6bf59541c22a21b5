"""Sums of integers in f64, i64 or u64 become sums of i32 or u32, if these have every possible sum.

    c = convert[target_type=f64](x)           x of i8       w = convert[target_type=i32](x)
    y = reduce_sum[axes={0}](c)               becomes       s = reduce_sum[axes={0}](w)
                                                            y = convert[target_type=f64](s)

numpy takes the mean of integers in f64. It adds up small integers and counts truth values in i64 and u64, in
which each step takes two registers and a carry. A running sum adds up the elements of its axis at most. Sums
of more than 32 bits stay: if f64 is fast, they are faster so.
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.graph.ops import CONVERT, CUMSUM, DIV, REDUCE_MEAN, REDUCE_SUM
from asmgen.graph.rewritings.integer_bounds import Bounds, BoundsSearch, summed
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.ir.program import Module, Op, Statement, Value, definitions
from asmgen.ir.types import F64, I32, I64, U32, U64, ElementType

_LONG = (I64, U64)
_WIDE: dict[Op, tuple[ElementType, ...]] = {
    REDUCE_SUM: (F64, *_LONG), REDUCE_MEAN: (F64,), CUMSUM: _LONG,
}  # fmt: skip


def with_integer_sums(module: Module) -> Module:
    """The module with such sums and means."""
    defined = definitions(module)
    bounds = BoundsSearch(defined.get)
    rewriter = Rewriter(module)
    is_long = False
    for statement in module.statements:
        given = _added(statement, defined)
        element = None if given is None else _type_of_sums(statement, bounds.of(given))
        if given is None or element is None:
            rewriter.keep(statement)
        else:
            _write(rewriter, statement, given, element)
            is_long |= statement.result.type.element in _LONG
    return _with_simpler_readers(rewriter.module()) if is_long else rewriter.module()


def _with_simpler_readers(module: Module) -> Module:
    """The module with arithmetic on such sums in i32, too."""
    from asmgen.graph.rewritings.known_integers import with_known_integers

    return with_known_integers(module)


def _added(reduction: Statement, defined: Mapping[Value, Statement]) -> Value | None:
    """The integers that a statement adds up or averages in a wider type."""
    wide = _WIDE.get(reduction.op)
    if wide is None or len(reduction.operands) != 1 or reduction.result.type.element not in wide:
        return None
    convert = defined[reduction.operands[0]]
    if convert.op is not CONVERT:
        return None
    (given,) = convert.operands
    return None if given.type.element.is_float else given


def _type_of_sums(reduction: Statement, bounds: Bounds) -> ElementType | None:
    """A type of 32 bits that has all sums of integers; None if there is none. The upper word of a u32 in an
    i64 is 0."""
    of_sums = bounds.of_sums(summed(reduction))
    if of_sums is None:
        return None
    if of_sums.low >= 0 and reduction.result.type.element in _LONG:
        return U32 if of_sums.within(U32) else None
    return I32 if of_sums.within(I32) else None


def _write(rewriter: Rewriter, reduction: Statement, given: Value, element: ElementType) -> None:
    wide = rewriter.apply(CONVERT, (given,), reduction, "wide", target_type=element.name)
    to = reduction.result.type.element
    adds = REDUCE_SUM if reduction.op is REDUCE_MEAN else reduction.op
    total = rewriter.apply(adds, (wide,), reduction, "sum", **reduction.attributes)
    if reduction.op is not REDUCE_MEAN:
        rewriter.finish(CONVERT, (total,), reduction, target_type=to.name)
        return
    converted = rewriter.apply(CONVERT, (total,), reduction, "total", target_type=to.name)
    rewriter.finish(DIV, (converted, rewriter.literal(summed(reduction), to, reduction)), reduction)
