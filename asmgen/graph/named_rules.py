"""The rules for dims that only the launch knows. An op that breaks them is refused at its statement,
GEN903.

    y = add(x, b)                              x {n,1024}, b {1024}: n rows
    y = softmax[axis=1](x)                     x {4096,n}: strides of n
    y = reduce_sum[axes=0](x)                  parts of it in loops, and a launch that combines them
    y = cumsum[axis=0](x)                      pieces of the rows in loops
    y = slice[axes=0, starts=-8, ends=8](x)    as many as numpy takes (`asmgen.ir.slices`)
    y = pad[pads={2,0}, mode=reflect](x)       n is at least 3 (`asmgen.ir.named_dims`)
"""

from __future__ import annotations

from collections.abc import Iterator

from asmgen.index.minimums import is_loose
from asmgen.index.search import Conditions, TooManyParts, first_values
from asmgen.index.size import Size, has_minimum, least, symbols_of
from asmgen.ir.named_dims import needs_of
from asmgen.ir.program import Module, Statement
from asmgen.ir.types import TensorType
from isa.diagnostics import InputError

_LEAST = -(1 << 30)  # a size with a smaller lower bound is unknown,
_PART = 4  # and so is a size with loose bounds that is further below 0 than this part of its largest dim
_PARTS = 100  # of the ranges of the dims, in a search for an example


def check_named(module: Module) -> None:
    """Raises `InputError` GEN903 at the first statement that some sizes of its dims have too few elements
    for."""
    for statement in module.statements:
        for need in (*needs_of(statement), *_clamped_sizes(statement)):
            if least(need) >= 0:
                continue
            name = next(symbols_of((need,))).name
            raise InputError(
                statement.place or statement.op.name,
                "GEN903",
                f"{statement.op.name} needs {need} >= 0, which is {_why(need)}",
                help=f"write {name} as a number, and compile once for each",
            )


def _why(need: Size) -> str:
    """Dims for which a size is negative, if a short search finds them."""
    below = Conditions(zeros=(), least=(-need.expression - 1,), limits=())
    try:
        values = first_values(below, lambda _: True, _PARTS)
    except TooManyParts:
        values = None
    if values is None:
        return "not shown for every size"
    return f"false for {' and '.join([f'{symbol.name} = {value}' for symbol, value in values.items()])}"


def _clamped_sizes(statement: Statement) -> Iterator[Size]:
    """The sizes made of clamped sizes with bounds that are too loose: a kernel compares an index with them in
    32 bits, and adds a number to both so that neither is negative."""
    for value in statement.results:
        if isinstance(value.type, TensorType):
            sizes = (*value.type.dims, value.type.elements)
            yield from [size for size in sizes if isinstance(size, Size) and _is_unknown(size)]


def _is_unknown(size: Size) -> bool:
    """Whether the bounds of a size, computed term by term, allow it to be far below 0."""
    low, largest = least(size), max([dim.high for dim in size.expression.symbols], default=0)
    return has_minimum(size) and (low < _LEAST or (is_loose(size.expression) and -_PART * low > largest))
