"""Products of a row, or of a few, by several weights become a product by all of them, of which the results
are slices.

    q = dot(x, transpose(wq))      x is {1,4096}, wq {4096,4096}
    k = dot(x, transpose(wk))      wk is {1024,4096}

becomes

    y = dot(x, transpose(concat[axis=0](wq, wk)))      {1,5120}: a kernel in place of two
    q = slice[axes={1}, starts={0}, ends={4096}](y)
    k = slice[axes={1}, starts={4096}, ends={5120}](y)

The products of a row are sums: each row of the weights is in one of them. Of several rows, a workgroup
multiplies by columns of one of the weights.

Weights of the same dims stay as they are: a kernel has the sums of all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod

from asmgen.graph.ops import CONCAT, DOT, DOT_GENERAL, PARAM, RESHAPE, SLICE, TRANSPOSE
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.index.size import Sizes
from asmgen.ir.program import Module, Statement, Value, definitions, tensor_type

_MOST = 3  # products, such as the queries, keys and values of attention: a lane loads each of the weights
_ROWS = 64  # of products, at most: those of more have tiles that copy the weights straight to LDS
_TILE = 16  # columns of a matrix instruction: a kernel stores slices of whole tiles


def may_join_rows(module: Module) -> bool:
    """Whether a graph has products of few rows with a different number of results."""
    sizes: dict[Value, set[object]] = {}
    for statement in module.statements:
        if statement.op in (DOT, DOT_GENERAL) and _has_few_rows(tensor_type(statement.result).dims):
            sizes.setdefault(statement.operands[0], set()).add(tensor_type(statement.result).elements)
    return any(len(each) > 1 for each in sizes.values())


def with_joined_rows(module: Module, is_sum: Callable[[Statement], bool]) -> Module:
    """The module with a product in place of those that share their rows: a single row if they are sums by
    `is_sum`, several if they are not. Parameters come first, so that all weights are there."""
    defined = definitions(module)
    alike: dict[tuple[object, ...], list[Statement]] = {}
    for statement in module.statements:
        if statement.op is DOT and _is_of_rows(statement, defined) and _can_join(statement, is_sum):
            alike.setdefault(_kind(statement), []).append(statement)
    joined = [dots for dots in alike.values() if len(dots) <= _MOST and len({_size(dot) for dot in dots}) > 1]
    if not joined:
        return module
    of_dot = {dot.result: dots for dots in joined for dot in dots}
    order = sorted(module.statements, key=lambda statement: statement.op is not PARAM)
    writer = _Writer(Module(module.name, tuple(order)), defined)
    for statement in order:
        if statement.results and statement.result in of_dot:
            writer.write(statement, of_dot[statement.result])
        else:
            writer.keep(statement)
    return writer.module()


class _Writer(Rewriter):
    """Writes the joined products, and their slices in the places of the products."""

    def __init__(self, module: Module, defined: Mapping[Value, Statement]) -> None:
        super().__init__(module)
        self._factors = defined
        self._parts: dict[Value, tuple[Value, int]] = {}  # of a product: all results, and its first

    def write(self, dot: Statement, dots: Sequence[Statement]) -> None:
        """A product as a slice of the product of all of `dots`, itself among them."""
        if dot.result not in self._parts:
            self._join(dots)
        whole, first = self._parts[dot.result]
        ends = (first + _size(dot),)
        part = self.apply(SLICE, (whole,), dot, axes=(1,), starts=(first,), ends=ends)
        self.finish(RESHAPE, (part,), dot, dims=tensor_type(dot.result).dims)

    def _join(self, dots: Sequence[Statement]) -> None:
        first = dots[0]
        weights = tuple([self._factors[dot.operands[1]].operands[0] for dot in dots])
        whole = self.apply(CONCAT, weights, first, axis=0)
        turned = self.apply(TRANSPOSE, (whole,), first, permutation=(1, 0))
        product = self.apply(DOT, (first.operands[0], turned), first, "joined", **first.attributes)
        begin = 0
        for dot in dots:
            self._parts[dot.result] = product, begin
            begin += _size(dot)


def _kind(dot: Statement) -> tuple[object, ...]:
    """The facts that products share to be joined."""
    return dot.operands[0], tensor_type(dot.operands[1]).element, tuple(dot.attributes.items())


def _size(dot: Statement) -> int:
    """The results of a product of a row."""
    size = tensor_type(dot.result).dims[-1]
    assert isinstance(size, int), "the dims are known"
    return size


def _can_join(dot: Statement, is_sum: Callable[[Statement], bool]) -> bool:
    (rows, _), size = tensor_type(dot.operands[0]).dims, _size(dot)
    return is_sum(dot) if rows == 1 else size % _TILE == 0 and not is_sum(dot)


def _has_few_rows(dims: Sizes) -> bool:
    rows = prod(dims[:-1])
    return len(dims) > 1 and isinstance(rows, int) and rows <= _ROWS


def _is_of_rows(dot: Statement, defined: Mapping[Value, Statement]) -> bool:
    """Whether a product multiplies few rows by each row of weights in memory."""
    row, turned = [tensor_type(factor).dims for factor in dot.operands]
    made = defined[dot.operands[1]]
    is_known = all(isinstance(dim, int) for dim in (*row, *turned))
    is_matrix = len(row) == len(turned) == 2
    return is_known and is_matrix and _has_few_rows(row) and _is_turned(made, defined)


def _is_turned(made: Statement, defined: Mapping[Value, Statement]) -> bool:
    return made.op is TRANSPOSE and defined[made.operands[0]].op is PARAM
