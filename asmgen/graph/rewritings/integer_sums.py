"""Sums of integers that are converted to f64 become sums of integers.

    c = convert[target_type=f64](x)           x of i8       w = convert[target_type=i32](x)
    y = reduce_sum[axes={0}](c)               becomes       s = reduce_sum[axes={0}](w)
                                                            y = convert[target_type=f64](s)

numpy takes the mean of integers so. Sums of more than 32 bits stay: if f64 is fast, they are faster so.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from asmgen.graph.ops import CONVERT, DIV, REDUCE_MEAN, REDUCE_SUM
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.index.size import Size
from asmgen.ir.numbers import integer_range
from asmgen.ir.program import Module, Statement, Value, definitions, tensor_type
from asmgen.ir.types import F64, I32, ElementType


def with_integer_sums(module: Module) -> Module:
    """The module with such sums and means."""
    defined = definitions(module)
    rewriter = Rewriter(module)
    for statement in module.statements:
        summed = _summed(statement, defined)
        count = 0 if summed is None else _count(statement)
        if summed is None or not _fits(summed.type.element, count):
            rewriter.keep(statement)
        else:
            _write(rewriter, statement, summed, count)
    return rewriter.module()


def _summed(reduction: Statement, defined: Mapping[Value, Statement]) -> Value | None:
    """The integers that a statement adds up or averages in f64."""
    if reduction.op not in (REDUCE_SUM, REDUCE_MEAN) or reduction.result.type.element is not F64:
        return None
    convert = defined[reduction.operands[0]]
    if convert.op is not CONVERT:
        return None
    (given,) = convert.operands
    return None if given.type.element.is_float else given


def _count(reduction: Statement) -> int:
    """How many elements each sum has; 0 if only the launch knows it."""
    dims = zip(tensor_type(reduction.operands[0]).dims, tensor_type(reduction.result).dims, strict=True)
    counts = [dim for dim, left in dims if dim != left]
    known = [dim for dim in counts if not isinstance(dim, Size)]
    return prod(known) if len(known) == len(counts) else 0


def _write(rewriter: Rewriter, reduction: Statement, summed: Value, count: int) -> None:
    wide = rewriter.apply(CONVERT, (summed,), reduction, "wide", target_type=I32.name)
    total = rewriter.apply(REDUCE_SUM, (wide,), reduction, "sum", axes=reduction.attributes["axes"])
    if reduction.op is REDUCE_SUM:
        rewriter.finish(CONVERT, (total,), reduction, target_type=F64.name)
        return
    converted = rewriter.apply(CONVERT, (total,), reduction, "total", target_type=F64.name)
    rewriter.finish(DIV, (converted, rewriter.literal(count, F64, reduction)), reduction)


def _fits(element: ElementType, count: int) -> bool:
    """Whether a sum of some integers has 32 bits."""
    low, high = integer_range(element)
    least, most = integer_range(I32)
    return count > 0 and least <= low * count and high * count <= most
