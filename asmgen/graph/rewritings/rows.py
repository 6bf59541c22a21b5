"""The rewritings of a graph before launches are cut from it, as rows in the order in which they run.

A row names a function and the ops without which it changes nothing. Few graphs have them, so the file of the
function is loaded for the first graph that does. `asmgen.gridwise.prepare` runs the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module

from asmgen.graph.block_dots import PRODUCTS
from asmgen.graph.ops import (
    ADDITIONS,
    CONCAT,
    CONVERT,
    CUMSUM,
    DOT,
    DOT_GENERAL,
    EQUAL,
    GRAPH_OPS,
    IOTA,
    LEADING_ZEROS,
    LITERAL,
    NOT,
    POPCOUNT,
    REDUCE_MEAN,
    REDUCE_SUM,
    REDUCTIONS,
    RESHAPE,
    SCANS,
    SLICE,
    SORTS,
    SQRT,
    STEP,
    TAKE_ALONG_AXIS,
    TRANSPOSE,
    WHERE,
    WINDOWS,
)
from asmgen.ir.program import Module, Op
from isa.named_tuple import NamedTuple

_OF_ROWS = frozenset({DOT, DOT_GENERAL, *REDUCTIONS, *SCANS, *SORTS})
_KEEP_ORDER = frozenset({op for op in GRAPH_OPS.values() if op.keeps_order})


class Rewriting(NamedTuple):
    """A function of a file of this folder, from a module to a module. It changes only graphs that have an op
    of each set of `needs`."""

    file: str
    function: str
    needs: tuple[frozenset[Op], ...]

    def load(self) -> Callable[[Module], Module]:
        """The function."""
        file = import_module(f"asmgen.graph.rewritings.{self.file}")
        function: Callable[[Module], Module] = getattr(file, self.function)
        return function

    def may_change(self, ops: set[Op]) -> bool:
        """Whether the function may change a graph with these ops."""
        return not any(needed.isdisjoint(ops) for needed in self.needs)


def ops_of(module: Module) -> set[Op]:
    """The ops of the statements of a module."""
    return {statement.op for statement in module.statements}


def rewritten(module: Module, rewritings: Iterable[Rewriting]) -> Module:
    """The module after each of the rewritings."""
    for rewriting in rewritings:
        if rewriting.may_change(ops_of(module)):
            module = rewriting.load()(module)
    return module


def _row(file: str, function: str, *needs: Op | Iterable[Op]) -> Rewriting:
    sets = [frozenset((need,) if isinstance(need, Op) else need) for need in needs]
    return Rewriting(file, function, tuple(sets))


# Of products and reductions, few results that are needed are made alone. Contractions become products of
# matrices, each of which is multiplied once.
CONTRACTIONS = (
    _row("needed_elements", "with_needed_elements", (SLICE, STEP), _OF_ROWS),
    _row("concats", "with_whole_concats", CONCAT),
    _row("contractions", "with_dots", DOT_GENERAL),
    _row("row_batches", "with_batches_as_rows", DOT),
    _row("turned_products", "with_turned_products", DOT, TRANSPOSE),
    _row("repeated", "with_products_once", PRODUCTS),
)

# Known numbers become literals. Sorts become sorts of integers, of as many elements as are read. Integers of
# known bounds become simpler.
INTEGERS = (
    _row("known_floats", "with_known_floats", LITERAL, SQRT),
    _row("short_sorts", "with_short_sorts", SORTS),
    _row("sort_keys", "with_sort_keys", SORTS),
    _row("scatters", "with_scatter_starts", ADDITIONS),
    _row("known_integers", "with_known_integers", (IOTA, POPCOUNT, LEADING_ZEROS)),
)

# Reductions take few elements, and as few views as possible need code for their indices.
REDUCED = (
    _row("negated", "without_negated_choices", NOT, WHERE),
    _row("integer_sums", "with_integer_sums", CONVERT, (REDUCE_SUM, REDUCE_MEAN, CUMSUM)),
    _row("simplify", "without_trivial_reductions"),
    _row("early_converts", "with_early_converts", CONVERT, TRANSPOSE, REDUCTIONS),
    _row("plain_transposes", "with_plain_transposes", TRANSPOSE),
    _row("one_hot", "with_chosen_elements", REDUCE_SUM, WHERE, EQUAL, IOTA),
    _row("early_choices", "with_early_choices", TAKE_ALONG_AXIS, REDUCTIONS),
    _row("window_slices", "with_window_slices", REDUCTIONS, WINDOWS),
    _row("late_reshapes", "with_late_reshapes", (*REDUCTIONS, *PRODUCTS), _KEEP_ORDER),
    _row("reshapes", "without_undone_reshapes"),
    _row("stacked_reductions", "with_stacked_reductions", REDUCTIONS, CONCAT),
    _row("equal_lengths", "with_equal_lengths", REDUCTIONS, SLICE),
    _row("mirrors", "with_mirrors", CONCAT),
    _row("rolls", "with_rolls", CONCAT),
    _row("stacks", "with_windows", CONCAT),
    _row("window_slices", "with_window_slices", REDUCTIONS, WINDOWS),
    _row("flat_stacks", "with_flat_stacks", CONCAT),
    _row("merged_axes", "with_split_axes", RESHAPE, REDUCTIONS),
    _row("plain_transposes", "with_plain_transposes", TRANSPOSE),
)
