"""Sizes that only the launch knows as numbers of a program, such as the divisor of a mean.

A named dim n is the first element of the numbers 0 to n in reverse, which a kernel computes from its argument
n without a load.
"""

from __future__ import annotations

from typing import Any

from asmgen.frontends.tensors.extents import Extents
from asmgen.frontends.tensors.types import element_of, graph_type
from asmgen.frontends.traced.array import Array, Tracer, apply
from asmgen.frontends.traced.making import iota
from asmgen.index.expression import only
from asmgen.index.nodes import Symbol
from asmgen.index.size import Dim, Size, size_of
from asmgen.ir.types import ElementType
from asmgen.mlir.source import Ssa


def numbers_of_sizes(extents: Extents, ssa: Ssa, tracer: Tracer) -> Array:
    """The array of sizes that an operation reads as the value `ssa`."""
    element, dims = element_of(ssa.type, ssa.place), graph_type(ssa.type, ssa.place).dims
    numbers = [number_of(size, element, tracer) for size in extents.sizes]
    if len(numbers) == 1:
        return apply("multibroadcast", numbers[0], out_lens=dims) if dims else numbers[0]
    listed = apply("concat", *[apply("unsqueeze", each, axes=(0,)) for each in numbers], axis=0)
    return apply("reshape", listed, dims=dims)


def number_of(size: Dim, element: ElementType, tracer: Tracer) -> Array:
    """A size as an array of rank 0."""
    if not isinstance(size, Size):
        return Array(tracer.number(size, element, tracer.place()), tracer)
    (atom, times), *others = size.expression.terms
    if isinstance(atom, Symbol) and times == 1 and not others and not size.expression.constant:
        return apply("convert", _dim(atom, tracer), target_type=element.name)
    values: dict[Symbol, Any] = {
        symbol: apply("convert", _dim(symbol, tracer), target_type="i64")
        for symbol in sorted(size.expression.symbols, key=lambda symbol: symbol.name)
    }
    return apply("convert", size.expression.evaluate(values, 0), target_type=element.name)


def _dim(symbol: Symbol, tracer: Tracer) -> Array:
    """A named dim as an i32, which it fits: a tensor of bytes has less than 2^31 elements."""
    downwards = apply("reverse", iota(tracer, 0, (size_of(only(symbol)) + 1,)), axes=(0,))
    return apply("squeeze", apply("slice", downwards, axes=(0,), starts=(0,), ends=(1,)), axes=(0,))
