"""The choices for a launch of a graph: its schedule, its grid, and the number of parts of its reductions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from math import prod
from typing import TYPE_CHECKING

from asmgen.blockwise.schedules.choices import Body, Choice, Column, Pairs, Pointwise
from asmgen.blockwise.schedules.choosing.budget import bounded, bounded_scan, has_too_many_columns
from asmgen.blockwise.schedules.choosing.choose import choose
from asmgen.blockwise.schedules.choosing.parts import (
    Share,
    share_of,
    share_of_known_rows,
    share_of_stored_rows,
)
from asmgen.blockwise.schedules.elements.sections import has_open_rows
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.work import Work
from asmgen.graph.fusion.keep import ComputedFactor, Verdict
from asmgen.graph.ops import REDUCE_MEAN, REDUCE_SUM, SLICE
from asmgen.gridwise.prepare import Multiplying
from asmgen.index.size import Size, at_least, at_most
from asmgen.ir.program import Statement, Value
from asmgen.options import TF32
from isa.target import Target

if TYPE_CHECKING:
    from asmgen.blockwise.schedules.choosing.epilogue import Taken
    from asmgen.blockwise.schedules.choosing.prologue import ShapesOfReaders
    from asmgen.graph.fusion.epilogues import Epilogue
    from asmgen.graph.fusion.short_reductions import Placed, Short
    from asmgen.graph.fusion.siblings import Joint, Siblings

Parts = Callable[[Graph, Target], Share]
OPEN_PART = 8192  # elements of a part, if only the launch knows how many parts there are
IN_PARTS = "it scans parts of rows"


def share_wanted(graph: Graph, target: Target) -> Share:
    """The parts in which several workgroups should do a workgroup's part of a reduction or a scan."""
    work = graph.work
    if graph.sorts:
        return Share(1, "a workgroup sorts whole rows")
    if graph.scans:
        from asmgen.blockwise.schedules.pages import scan

        if graph.way.part:
            return Share(1, IN_PARTS)
        share = _named(scan.share_of(graph, target), work)
        if share.parts == 1 or scan.is_recurrence(graph):
            return share
        return share._replace(length=scan.passed_part(graph, target))
    # parts store outputs of all elements in the lines that they read
    reads = work._replace(whole=False) if work.whole and _stores_beside(graph) else work
    share = share_of(work, choose(reads, target), target)
    if not any(isinstance(work.dims[axis], Size) for axis in work.reduced):
        share = share_of_known_rows(share, work, _begins_with_means(graph), target)
        if share.parts > 1 or not any(isinstance(dim, Size) for dim in work.dims):
            return share
        from asmgen.gridwise.few_results import share_of_few_results

        return share_of_few_results(graph, target, share_wanted)
    if work.levels == 1 or share.parts == 1 or share.length:
        return _named(share, work)
    if not _fits_parts(graph):
        return Share(1, "only the launch knows the size of rows that are read again")
    if work.whole:
        share = share_of_stored_rows(share, work, _begins_with_means(graph), target)
    return share if share.parts == 1 else _named(share, work)._replace(length=OPEN_PART)


def _stores_beside(graph: Graph) -> bool:
    """Whether the outputs with all dims need no reduction: launches of parts store them
    (`asmgen.gridwise.beside`)."""
    reached, pending = set[Value](), [*graph.whole]
    while pending:
        value = pending.pop()
        if value not in reached:
            reached.add(value)
            pending.extend(graph.defined[value].operands)
    return not any(reduction.result in reached for reduction in graph.reductions)


def _begins_with_means(graph: Graph) -> bool:
    """Whether the first reductions of a chain are sums or means."""
    return all(each.op in (REDUCE_SUM, REDUCE_MEAN) for each in graph.levels[0])


def _named(share: Share, work: Work) -> Share:
    """The share of reductions of named dims, of which the bounds of the dims may say whether there are few
    elements."""
    size = prod([work.dims[axis] for axis in work.reduced])
    if not share.whole or not at_least(size, share.whole + 1).is_possible:
        return Share(1, f"there are {share.whole} elements at most") if share.whole else share
    return share if at_most(size, share.whole).is_possible else share._replace(whole=0)


def shares_of(graphs: Iterable[Graph], parts: Parts, target: Target) -> dict[Value, Share]:
    """The parts of each reduction and each scan of rows, by its result; empty if none is in parts."""
    shares: dict[Value, Share] = {}
    for graph in graphs:
        if graph.of_rows and not graph.products:
            shares |= dict.fromkeys([each.result for each in graph.of_rows], parts(graph, target))
    return shares if any(share.parts > 1 for share in shares.values()) else {}


def _fits_parts(graph: Graph) -> bool:
    """Whether all reductions that need the result of another take the result of their own part for it. A part
    of a row then stays in registers, and its elements are read again only to store their results.
    """
    work, (first, *later) = graph.work, graph.levels
    if not work.reduces_fast or len(work.reduced) > 1:
        return False
    from asmgen.gridwise.shifted import moved_of

    moved = [moved_of(reduction, graph.defined) for level in later for reduction in level]
    return all(each is not None and graph.defined[each.shift] in first for each in moved)


def multiplying(target: Target, precision: str) -> Multiplying:
    """How a target multiplies matrices, those of f32 in a precision."""
    from asmgen.blockwise.matrix import multiplies_exactly

    parts = partial(parts_of_products, target=target, rounds=precision == TF32)
    return Multiplying(parts, partial(multiplies_exactly, target=target), precision)


def parts_of_products(
    defined: Mapping[Value, Statement], target: Target, rounds: bool = False
) -> Callable[[Statement], int]:
    """For each product of a graph, in how many parts along k the schedule of matrix products multiplies it;
    0 if it does not take it. With `rounds` it may round factors of f32. Products that are a single kernel
    have the same parts."""
    from asmgen.blockwise.schedules.choosing.contract import best_parts, takes
    from asmgen.graph.fusion.siblings import decided

    @cache
    def siblings() -> dict[Statement, Siblings]:
        groups = decided(defined, lambda group: verdict_of_siblings(group, defined, target, rounds))
        return {dot: group for group, joint in groups if joint.is_joint for dot in group.dots}

    def parts(dot: Statement) -> int:
        if not takes(dot, target):
            return 0
        group = siblings().get(dot) if dot.result in defined else None
        if group is None:
            return best_parts((dot,), defined, target, rounds).parts
        results = 1 if group.meet else len(group.dots)
        return best_parts(group.dots, defined, target, rounds, results, group.is_even).parts

    return parts


def verdict_of_siblings(
    group: Siblings,
    defined: Mapping[Value, Statement],
    target: Target,
    rounds: bool = False,
    cuts: bool = True,
) -> Joint:
    """Whether products that share a factor are a single kernel."""
    from asmgen.blockwise.schedules.choosing.joint import verdict

    return verdict(group, defined, target, rounds, cuts)


def verdict_of_epilogue(epilogue: Epilogue, parts: bool, target: Target, rounds: bool = False) -> Taken:
    """Whether the kernel of products takes reductions of their results. `parts` says whether these may be in
    parts."""
    from asmgen.blockwise.schedules.choosing.epilogue import verdict

    return verdict(epilogue, parts, target, rounds)


def verdict_of_factor(
    factor: ComputedFactor, target: Target, known: ShapesOfReaders | None = None
) -> Verdict:
    """Whether a computed factor of a product is stored. `known` has the shapes of products of its graph."""
    from asmgen.blockwise.schedules.choosing.prologue import verdict

    return verdict(factor, target, {} if known is None else known)


def verdict_of_sums(short: Short, target: Target) -> Placed:
    """Whether the readers of sums of few elements compute them."""
    from asmgen.blockwise.schedules.choosing.short import verdict

    return verdict(short, target)


def clocks_of_kernel(graph: Graph, parts: Parts, target: Target) -> float:
    """The estimated clocks of a kernel of known dims."""
    from asmgen.blockwise.schedules.choosing.kernel_clocks import clocks_of

    share = parts(graph, target) if graph.reductions else Share(1)
    return clocks_of(graph, share, target)


def clocks_of_launch(graph: Graph, parts: Parts, target: Target) -> float:
    """The same, of a kernel with matrix products by the tile that it would have."""
    if graph.body is not Body.PRODUCT:
        return clocks_of_kernel(graph, parts, target)
    from asmgen.blockwise.schedules.choosing.contract import clocks_of_products
    from asmgen.blockwise.schedules.choosing.joint import launch_clocks

    return launch_clocks(target) + clocks_of_products(graph, target)


def chosen(graph: Graph, target: Target) -> Choice:
    """The schedule of a graph in a single launch."""
    if graph.body is Body.PRODUCT:
        from asmgen.blockwise.schedules.choosing.contract import choose_contract

        return choose_contract(graph, target)
    if graph.scatter is not None:
        from asmgen.blockwise.schedules.pages import scatter

        return scatter.choose(graph.scatter, target)
    if graph.sorts:
        from asmgen.blockwise.schedules.pages import sort

        return sort.choose(graph, target)
    if graph.scans:
        from asmgen.blockwise.schedules.pages import scan

        choice = scan.choose(graph, target)
        return choice if graph.way.is_passed_on else bounded_scan(choice, graph, target)
    if graph.transposed is not None:
        from asmgen.blockwise.schedules.choosing.squares import choose_squares

        squares = choose_squares(graph, graph.transposed, target)
        if squares is not None:
            return squares
    choice = choose(graph.work, target)
    if isinstance(choice, Column) and has_too_many_columns(choice, graph, target):
        from asmgen.blockwise.schedules.choosing.column import lanes_along_columns

        choice = lanes_along_columns(graph.work, target)
    if isinstance(choice, Pairs):
        return choice
    choice = bounded(choice, graph, target)
    if isinstance(choice, Pointwise) and any(statement.op is SLICE for statement in graph.module.statements):
        from asmgen.blockwise.schedules.choosing.stencils import in_rows

        choice = in_rows(choice, graph, target)
    if isinstance(choice, Pointwise) and has_open_rows(graph.sections):
        from asmgen.blockwise.schedules.choosing.light import with_short_rows

        choice = with_short_rows(choice, graph.sections[0], target)
    if isinstance(choice, Pointwise) and graph.work.is_light and choice.rows is None:
        from asmgen.blockwise.schedules.choosing.light import lightened

        return lightened(choice, graph, target)
    return choice
