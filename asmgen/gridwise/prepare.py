"""Prepares a graph before launches are cut from it: only reductions and pointwise ops are left, each in the
type in which it is computed.

- numbers of microscaling types are computed from their bits (`asmgen.graph.codes`);
- sorts of which the first elements are read are sorts of so many (`asmgen.graph.short_sorts`);
- sorts become sorts of integers (`asmgen.graph.sort_keys`);
- arithmetic of integers with known bounds becomes simpler (`asmgen.graph.known_integers`);
- composite pointwise ops become the ops that they consist of (`asmgen.graph.compose`);
- contractions become products of matrices (`asmgen.graph.contractions`), each of which is multiplied once
  (`asmgen.graph.repeated`);
- products of small floats with scales multiply the floats (`asmgen.graph.block_dots`);
- scales of blocks are repeated (`asmgen.graph.block_scales`);
- f32 matrices become sums of bf16 matrices, if the user asks (`asmgen.graph.precision`);
- matrix products that no schedule takes become sums of products (`asmgen.graph.products`);
- softmax and the norms become reductions and pointwise ops (`asmgen.graph.decompose`);
- reductions of nothing, of a single element, and those without a result are removed
  (`asmgen.graph.simplify`);
- choices by negated conditions become choices by the conditions (`asmgen.graph.negated`);
- sums of integers that are converted to f64 become sums of integers (`asmgen.graph.integer_sums`);
- transposes that move dims of 1 alone become reshapes (`asmgen.graph.plain_transposes`);
- sums of a single element of a row become that element (`asmgen.graph.one_hot`);
- elements are chosen before they are computed with (`asmgen.graph.early_choices`);
- reshapes of results come after the pointwise ops that read them (`asmgen.graph.late_reshapes`);
- reshapes that undo each other are removed (`asmgen.graph.reshapes`);
- concats of concats, and slices of them, read the operands (`asmgen.graph.concats`);
- a value between mirrored parts of itself is a pad (`asmgen.graph.mirrors`);
- two parts of a value that change places are a roll (`asmgen.graph.rolls`);
- equal slices of a value that are stacked are windows (`asmgen.graph.stacks`);
- reshapes of concats come before them (`asmgen.graph.flat_stacks`);
- axes that a reshape has merged are reduced as they were (`asmgen.graph.merged_axes`);
- types narrower than 32 bits are reduced and scanned as f32, i32 or u32: `convert`, the reduction, `convert`
  back, so values between launches are not rounded. For integers the lower bits are the same either way; a
  mean divides the sum of the narrow type.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod

from asmgen.graph.block_dots import PRODUCTS, has_several
from asmgen.graph.compose import compose
from asmgen.graph.decompose import decompose
from asmgen.graph.ops import (
    ADD,
    ADDITIONS,
    COMBINES,
    CONCAT,
    CONVERT,
    CUMMAX,
    CUMMIN,
    DEQUANTIZE,
    DIV,
    DOT,
    DOT_GENERAL,
    EQUAL,
    IDENTITY,
    IOTA,
    LEADING_ZEROS,
    MIN,
    MULTIBROADCAST,
    NOT,
    POPCOUNT,
    REDUCE_MEAN,
    REDUCE_SUM,
    REDUCTIONS,
    RESHAPE,
    SCANS,
    SLICE,
    SORTS,
    TAKE_ALONG_AXIS,
    TRANSPOSE,
    WHERE,
)
from asmgen.graph.reshapes import without_undone_reshapes
from asmgen.graph.rewriter import Rewriter
from asmgen.graph.rounded import WIDEN
from asmgen.graph.simplify import without_trivial_reductions
from asmgen.index.size import Size, Sizes
from asmgen.ir.identities import identity
from asmgen.ir.numbers import integer_range
from asmgen.ir.program import Module, Op, Statement, Value, definitions
from asmgen.ir.types import I32, U32, TensorType, computed
from asmgen.options import BF16_PARTS

ProductParts = Callable[[Statement, Mapping[Value, Statement]], int]


def _none(_dot: Statement, _defined: Mapping[Value, Statement]) -> int:
    return 0


def prepare(
    module: Module, propagates_nan: bool = False, parts: ProductParts = _none, precision: str = ""
) -> Module:
    """`propagates_nan` is the rule of max and min. `parts` says in how many parts along k a matrix product is
    multiplied; one of 0 parts becomes a sum. `precision` is that of f32 factors, of which matrices become
    parts of bf16 (`asmgen.graph.precision`)."""
    whole = _with_whole_concats(decompose(module))
    multiplied = _with_block_dots(_with_products_once(_with_dots(whole)), parts)
    whole = _with_repeated_scales(_with_numbers(multiplied))
    decomposed = _with_sums(_with_precision(whole, parts, precision), parts)
    sorted_ = _with_scatter_starts(_with_sort_keys(decomposed))
    composed = compose(_with_known_integers(sorted_), propagates_nan)
    simple = without_trivial_reductions(_with_integer_sums(_without_negated_choices(composed)))
    simple = _with_early_choices(_with_chosen_elements(_with_plain_transposes(simple)))
    simple = _with_split_axes(_with_joined(without_undone_reshapes(_with_late_reshapes(simple))))
    rewriter = _Preparation(simple)
    for statement in simple.statements:
        is_of_rows = statement.op in REDUCTIONS or statement.op in SCANS
        if (is_of_rows or statement.op in SORTS) and 0 in _dims(statement):
            rewriter.nothing(statement)
        elif is_of_rows and _is_narrow(statement):
            rewriter.reduce_wide(statement)
        else:
            rewriter.keep(statement)
    return rewriter.module()


# Few graphs have the ops of a rewriting: its file is loaded when the first of them is prepared.


def _ops(module: Module) -> set[Op]:
    return {statement.op for statement in module.statements}


def _with_numbers(module: Module) -> Module:
    if not any(value.type.element.is_code for statement in module.statements for value in statement.results):
        return module
    from asmgen.graph.codes import with_numbers

    return with_numbers(module)


def _with_dots(module: Module) -> Module:
    if DOT_GENERAL not in _ops(module):
        return module
    from asmgen.graph.contractions import with_dots

    return with_dots(module)


def _with_products_once(module: Module) -> Module:
    if not has_several(module.statements):
        return module
    from asmgen.graph.repeated import with_products_once

    return with_products_once(module)


def _with_block_dots(module: Module, parts: ProductParts) -> Module:
    if not {DEQUANTIZE, DOT} <= _ops(module):
        return module
    from asmgen.graph.block_dots import with_block_dots

    return with_block_dots(module, parts)


def _with_repeated_scales(module: Module) -> Module:
    if DEQUANTIZE not in _ops(module):
        return module
    from asmgen.graph.block_scales import with_repeated_scales

    return with_repeated_scales(module)


def _with_precision(module: Module, parts: ProductParts, precision: str) -> Module:
    if precision not in BF16_PARTS or DOT not in _ops(module):
        return module
    from asmgen.graph.precision import with_parts

    defined = definitions(module)
    return with_parts(module, precision, lambda dot: bool(parts(dot, defined)))


def _with_sums(module: Module, parts: ProductParts) -> Module:
    if PRODUCTS.isdisjoint(_ops(module)):
        return module
    from asmgen.graph.products import with_sums

    return with_sums(module, parts)


def _with_sort_keys(module: Module) -> Module:
    if _ops(module).isdisjoint(SORTS):
        return module
    from asmgen.graph.short_sorts import with_short_sorts
    from asmgen.graph.sort_keys import with_sort_keys

    return with_sort_keys(with_short_sorts(module))


def _with_scatter_starts(module: Module) -> Module:
    if _ops(module).isdisjoint(ADDITIONS):
        return module
    from asmgen.graph.scatters import with_scatter_starts

    return with_scatter_starts(module)


def _with_integer_sums(module: Module) -> Module:
    ops = _ops(module)
    if CONVERT not in ops or ops.isdisjoint((REDUCE_SUM, REDUCE_MEAN)):
        return module
    from asmgen.graph.integer_sums import with_integer_sums

    return with_integer_sums(module)


def _with_known_integers(module: Module) -> Module:
    if _ops(module).isdisjoint((IOTA, POPCOUNT, LEADING_ZEROS)):
        return module
    from asmgen.graph.known_integers import with_known_integers

    return with_known_integers(module)


def _without_negated_choices(module: Module) -> Module:
    if not {NOT, WHERE} <= _ops(module):
        return module
    from asmgen.graph.negated import without_negated_choices

    return without_negated_choices(module)


def _with_plain_transposes(module: Module) -> Module:
    if TRANSPOSE not in _ops(module):
        return module
    from asmgen.graph.plain_transposes import with_plain_transposes

    return with_plain_transposes(module)


def _with_chosen_elements(module: Module) -> Module:
    if not {REDUCE_SUM, WHERE, EQUAL, IOTA} <= _ops(module):
        return module
    from asmgen.graph.one_hot import with_chosen_elements

    return with_chosen_elements(module)


def _with_early_choices(module: Module) -> Module:
    ops = _ops(module)
    if TAKE_ALONG_AXIS not in ops or ops.isdisjoint(REDUCTIONS):
        return module
    from asmgen.graph.early_choices import with_early_choices

    return with_early_choices(module)


def _with_late_reshapes(module: Module) -> Module:
    ops = _ops(module)
    if ops.isdisjoint(REDUCTIONS) or not any(op.keeps_order for op in ops):
        return module
    from asmgen.graph.late_reshapes import with_late_reshapes

    return with_late_reshapes(module)


def _with_whole_concats(module: Module) -> Module:
    if CONCAT not in _ops(module):
        return module
    from asmgen.graph.concats import with_whole_concats

    return with_whole_concats(module)


def _with_joined(module: Module) -> Module:
    if CONCAT not in _ops(module):
        return module
    from asmgen.graph.flat_stacks import with_flat_stacks
    from asmgen.graph.mirrors import with_mirrors
    from asmgen.graph.rolls import with_rolls
    from asmgen.graph.stacks import with_windows

    return with_flat_stacks(with_windows(with_rolls(with_mirrors(module))))


def _with_split_axes(module: Module) -> Module:
    ops = _ops(module)
    if RESHAPE not in ops or ops.isdisjoint(REDUCTIONS):
        return module
    from asmgen.graph.merged_axes import with_split_axes

    return with_split_axes(module)


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
        given = tuple([self._widened(operand, statement) for operand in statement.operands])
        if statement.op is REDUCE_MEAN and not narrow.is_float:
            self._mean(statement, given[0])
            return
        reduced = self.apply(statement.op, given, statement, wide, **statement.attributes)
        if statement.op in (CUMMAX, CUMMIN) and statement.attributes["exclusive"] and not narrow.is_float:
            reduced = self._within(statement, reduced)
        self.finish(CONVERT, (reduced,), statement, target_type=narrow.name)

    def _widened(self, operand: Value, statement: Statement) -> Value:
        element = operand.type.element
        if element.is_float:
            return self.apply(WIDEN, (operand,), statement, "wide")
        return self.apply(CONVERT, (operand,), statement, "wide", target_type=computed(element).name)

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
        places = self.apply(IOTA, (), statement, "places", axis=0, out_lens=(count,))
        last = self.apply(SLICE, (places,), statement, "last", axes=(0,), starts=(count - 1,), ends=(count,))
        unsigned = self.apply(CONVERT, (last,), statement, "unsigned", target_type=U32.name)
        number = self.apply(ADD, (unsigned, self.literal(1, U32, statement)), statement, "count")
        least = self.apply(MIN, (number, self.literal(most, U32, statement)), statement, "at_most")
        return self.apply(CONVERT, (least,), statement, "divisor", target_type=wide.name)
