"""Reductions of matrix products in the kernels of the products (`asmgen.graph.fusion.epilogues`): which of
them, and the graph in which they are in parts as long as a tile.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from asmgen.blockwise.schedules.choosing.epilogue import Taken
from asmgen.graph.fusion.epilogues import Epilogue, epilogues
from asmgen.graph.fusion.fuse import FusedKernel
from asmgen.graph.ops import REDUCE_MEAN, REDUCTIONS
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.gridwise.division import Division, Run
from asmgen.gridwise.partial import Partial, in_two_steps
from asmgen.gridwise.shifted import Defined, moved_of, shifted
from asmgen.index.size import Size
from asmgen.ir.program import Module, Statement, Value, definitions, is_made_of, tensor_type
from isa.named_tuple import NamedTuple

IsTaken = Callable[[Epilogue, bool], Taken]  # the flag: whether the reductions may be in parts


class Reduced(NamedTuple):
    """A graph, the reductions that kernels of products take, with their products, and the verdicts."""

    module: Module
    of_products: Mapping[Value, tuple[Statement, ...]]
    verdicts: Sequence[tuple[Epilogue, Taken]]


def reduced_by_products(
    module: Module, kernels: Sequence[FusedKernel], is_taken: IsTaken, propagates_nan: bool
) -> Reduced:
    """The graph of the kernels with the reductions that kernels of products take: a kernel those of its rows,
    or those of its columns."""
    of_products: dict[Value, tuple[Statement, ...]] = {}
    verdicts: list[tuple[Epilogue, Taken]] = []
    defined = definitions(module)
    for epilogue in epilogues(kernels):
        taken = is_taken(epilogue, _fits_parts(epilogue, defined))
        if taken.is_taken and any(dots == epilogue.dots for dots in of_products.values()):
            taken = Taken(False, 0, "the launch of the product reduces along another dim already")
        verdicts.append((epilogue, taken))
        if taken.is_taken and taken.length:
            module, parts = _in_parts(module, epilogue, taken.length, propagates_nan)
            of_products |= dict.fromkeys(parts, epilogue.dots)
        elif taken.is_taken:
            of_products |= {each.result: epilogue.dots for each in epilogue.reductions}
    return Reduced(module, of_products, verdicts)


def _fits_parts(epilogue: Epilogue, defined: Defined) -> bool:
    """Whether all reductions that need the result of another take that of their own part for it. Only the
    launch knows by how many elements the mean of a named dim divides."""
    has_mean = any(each.op is REDUCE_MEAN for each in epilogue.reductions)
    if has_mean and isinstance(epilogue.dims[epilogue.axis], Size):
        return False
    own = {each.result for each in epilogue.reductions}
    return all(_fits_part(each, own, defined) for each in epilogue.reductions)


def _fits_part(reduction: Statement, own: set[Value], defined: Defined) -> bool:
    """Whether a reduction needs none of `own`, or a value that its part may take its own for."""
    moved = moved_of(reduction, defined)
    if moved is not None and moved.shift in own:
        return True
    return not is_made_of(reduction.operands, own, defined)


def _in_parts(
    module: Module, epilogue: Epilogue, length: int, propagates_nan: bool
) -> tuple[Module, list[Value]]:
    """The graph with the reductions in parts of so many elements, and the results of the parts."""
    rewriter, defined = Rewriter(module), definitions(module)
    taken = {each.result for each in epilogue.reductions}
    how = _division(epilogue, length)
    done: dict[Value, Partial] = {}
    for statement in module.statements:
        if not statement.results or statement.result not in taken:
            rewriter.keep(statement)
        elif not shifted(rewriter, statement, defined, done):
            done[statement.result] = in_two_steps(rewriter, statement, how, propagates_nan)
    made = rewriter.module()
    parts = [
        each.result
        for each in made.statements
        if each.op in REDUCTIONS and tensor_type(each.operands[0]).dims == how.apart
        if each.result not in defined
    ]
    return made, parts


def _division(epilogue: Epilogue, length: int) -> Division:
    axis, dims = epilogue.axis, epilogue.dims
    kept = tensor_type(epilogue.reductions[0].result).dims
    size = dims[axis]
    parts = (size + (length - 1)) // length
    return Division(dims, kept, Run(axis, axis, size), parts, length, (), 0)
