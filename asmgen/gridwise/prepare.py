"""Prepares a graph before launches are cut from it: only products, reductions and pointwise ops are left,
each in the type in which it is computed.

Softmax and the norms become reductions and pointwise ops, contractions become products of matrices, and
composite pointwise ops the ops that they consist of. `asmgen.graph.rewritings.rows` lists the other steps.

Types narrower than 32 bits are reduced and scanned as f32, i32 or u32: `convert`, the reduction, `convert`
back, so values between launches are not rounded. For integers the lower bits are the same either way; a mean
divides the sum of the narrow type.

Statements that no result needs are left out, so that no launch is cut for them.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from asmgen.graph.block_dots import PRODUCTS, ProductParts
from asmgen.graph.compose.compose import compose
from asmgen.graph.compose.decompose import decompose
from asmgen.graph.needed import needed
from asmgen.graph.ops import (
    COMBINES,
    CONVERT,
    CUMMAX,
    CUMMIN,
    DEQUANTIZE,
    DIV,
    DOT,
    IDENTITY,
    LITERAL,
    MIN,
    MULTIBROADCAST,
    REDUCE_MEAN,
    REDUCE_SUM,
    REDUCTIONS,
    SCANS,
    SORTS,
)
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.graph.rewritings.rows import CONTRACTIONS, INTEGERS, REDUCED, ops_of, rewritten
from asmgen.index.size import Size, Sizes
from asmgen.ir.identities import identity
from asmgen.ir.numbers import integer_range
from asmgen.ir.program import Module, Statement, Value, definitions, tensor_type
from asmgen.ir.types import I32, U32, ElementType, TensorType, computed
from asmgen.options import BF16_PARTS
from isa.named_tuple import NamedTuple


class Multiplying(NamedTuple):
    """How a target multiplies matrices.

    * `parts`: in how many parts along k a product is multiplied; one of 0 parts becomes a sum
    * `is_exact`: whether matrix instructions multiply numbers of a type, and exactly
    * `precision`: that of f32 factors; matrices of f32 become parts of bf16
      (`asmgen.graph.rewritings.precision`)
    """

    parts: ProductParts = lambda _defined: lambda _dot: 0
    is_exact: Callable[[ElementType], bool] = lambda _element: False
    precision: str = ""


_SUMS = Multiplying()


def prepare(
    module: Module, propagates_nan: bool = False, products: Multiplying = _SUMS, joins_rows: bool = False
) -> Module:
    """`propagates_nan` is the rule of max and min. With `joins_rows`, products of a row by several weights
    become a single product."""
    multiplied = _with_products(decompose(_merged(_with_regular(needed(module)))), products, joins_rows)
    simple = _merged(rewritten(compose(rewritten(multiplied, INTEGERS), propagates_nan), REDUCED))
    rewriter = _Preparation(simple)
    for statement in simple.statements:
        is_of_rows = statement.op in REDUCTIONS or statement.op in SCANS
        if (is_of_rows or statement.op in SORTS) and 0 in _dims(statement):
            rewriter.nothing(statement)
        elif is_of_rows and _is_narrow(statement):
            rewriter.reduce_wide(statement)
        else:
            rewriter.keep(statement)
    return _with_rows_first(rewriter.module())


def _with_regular(module: Module) -> Module:
    """Literals of many numbers are computed if these are regular."""
    if all(each.op is not LITERAL or tensor_type(each.result).elements == 1 for each in module.statements):
        return module
    from asmgen.graph.rewritings.regular_literals import with_regular_literals

    return with_regular_literals(module)


def _merged(module: Module) -> Module:
    """The module without statements that are equal to an earlier statement."""
    computed_of = [(each.op, each.operands) for each in module.statements if each.operands]
    if len(computed_of) == len(set(computed_of)):
        return module
    from asmgen.graph.rewritings.equal import merge_equal

    return merge_equal(module)


def _with_rows_first(module: Module) -> Module:
    """Reductions over more axes than another of the same dims are in two steps, if they need its result."""
    axes = {each.attributes["axes"] for each in module.statements if each.op in REDUCTIONS}
    if len(axes) < 2 or MULTIBROADCAST not in ops_of(module):
        return module
    from asmgen.graph.rewritings.rows_first import with_rows_first

    return with_rows_first(module)


def _with_products(module: Module, products: Multiplying, joins_rows: bool) -> Module:
    """Contractions as the matrix products that a schedule takes, and the others as sums."""
    parts, module = products.parts, rewritten(module, CONTRACTIONS)
    if {CONVERT, DOT} <= ops_of(module):
        from asmgen.graph.rewritings.narrow_factors import with_narrow_factors
        from asmgen.graph.rewritings.zero_points import with_zero_points_apart

        module = with_zero_points_apart(module, products.is_exact)
        module = with_narrow_factors(module, products.is_exact)
    if {DEQUANTIZE, DOT} <= ops_of(module):
        from asmgen.graph.block_dots import with_block_dots

        module = with_block_dots(module, parts)
    if any(value.type.element.is_code for statement in module.statements for value in statement.results):
        from asmgen.graph.rewritings.codes import with_numbers

        module = with_numbers(module)
    if DEQUANTIZE in ops_of(module):
        from asmgen.graph.rewritings.block_scales import with_repeated_scales

        module = with_repeated_scales(module)
    if products.precision in BF16_PARTS and DOT in ops_of(module):
        from asmgen.graph.rewritings.precision import with_parts

        parts_of = parts(definitions(module))
        module = with_parts(module, products.precision, lambda dot: bool(parts_of(dot)))
    if PRODUCTS.isdisjoint(ops_of(module)):
        return module
    if joins_rows:
        from asmgen.graph.rewritings.joined_rows import with_joined_rows

        parts_of = parts(definitions(module))
        module = with_joined_rows(module, lambda dot: not parts_of(dot))
    from asmgen.graph.rewritings.products import with_sums

    return with_sums(module, parts)


def _dims(statement: Statement) -> Sizes:
    return _dims_of(statement.result)


def _dims_of(value: Value) -> Sizes:
    assert isinstance(value.type, TensorType), "a graph's values are tensors"
    return value.type.dims


def _is_narrow(statement: Statement) -> bool:
    element = statement.result.type.element
    return computed(element) is not element


class _Preparation(Rewriter):
    """Reductions, scans and sorts in the types and sizes in which launches have them."""

    def nothing(self, statement: Statement) -> None:
        """A result without elements: any number, broadcast to none of it."""
        number = self.literal(0, statement.result.type.element, statement)
        none = self.apply(MULTIBROADCAST, (number,), statement, "none", out_lens=_dims(statement))
        self.finish(IDENTITY, (none,), statement)

    def reduce_wide(self, statement: Statement) -> None:
        narrow = statement.result.type.element
        wide = computed(narrow).name
        given = tuple([self.widened(operand, statement) for operand in statement.operands])
        if statement.op is REDUCE_MEAN and not narrow.is_float:
            self._mean(statement, given[0])
            return
        reduced = self.apply(statement.op, given, statement, wide, **statement.attributes)
        if statement.op in (CUMMAX, CUMMIN) and statement.attributes["exclusive"] and not narrow.is_float:
            reduced = self._within(statement, reduced)
        self.finish(CONVERT, (reduced,), statement, target_type=narrow.name)

    def _within(self, scan: Statement, reduced: Value) -> Value:
        """An exclusive maximum or minimum, which begins with the end of the range of the narrow type."""
        narrow = scan.result.type.element
        number = self.literal(identity(SCANS[scan.op], narrow), computed(narrow), scan)
        return self.apply(COMBINES[SCANS[scan.op]], (reduced, number), scan, "within")

    def _mean(self, statement: Statement, given: Value) -> None:
        """A sum as the narrow type has it, divided by a count that may be beyond that type."""
        narrow = statement.result.type.element
        total = self.apply(REDUCE_SUM, (given,), statement, "sum", **statement.attributes)
        cut = self.apply(CONVERT, (total,), statement, "cut", target_type=narrow.name)
        wide = self.apply(CONVERT, (cut,), statement, "total", target_type=computed(narrow).name)
        mean = self.apply(DIV, (wide, self._count(statement)), statement, "mean")
        self.finish(CONVERT, (mean,), statement, target_type=narrow.name)

    def _count(self, statement: Statement) -> Value:
        """How many elements a mean has, at most the largest i32: 16 bits divided by that, or more, are 0."""
        wide = computed(statement.result.type.element)
        dims = zip(_dims_of(statement.operands[0]), _dims(statement), strict=True)
        count, most = prod([dim for dim, left in dims if dim != left]), integer_range(I32)[1]
        if not isinstance(count, Size):
            return self.literal(min(count, most), wide, statement)
        number = self.size(count, statement)
        least = self.apply(MIN, (number, self.literal(most, U32, statement)), statement, "at_most")
        return self.apply(CONVERT, (least,), statement, "divisor", target_type=wide.name)
