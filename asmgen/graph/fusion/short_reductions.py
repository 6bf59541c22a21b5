"""Sums of few elements, which their readers compute instead of a launch of their own.

    m = mul(x, x)                                           a = slice[axes={1}, starts={0}, ends={1}](m)
    s = reduce_sum[axes={1}](m)      m has 2 columns        b = slice[axes={1}, starts={1}, ends={2}](m)
    y = reduce_max[axes={0}](s)                   becomes   s = add(a, b)
                                                            y = reduce_max[axes={0}](s)

Programs take the lengths of vectors and distances between points so. A kernel qualifies if it has such sums
alone, and only later kernels read them. The caller decides if its readers then take less time
(`asmgen.blockwise.schedules.choosing.short`).

All readers round a sum alike: they add its elements in the same order, and `alike.py` rounds a product
first if readers might contract it differently. A launch may round elements of 16 bits that another
launch does not round (docs/numerics.md), so sums of these have a single reader.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import product
from math import prod

from asmgen.graph.block_dots import PRODUCTS
from asmgen.graph.fusion.fuse import FusedKernel
from asmgen.graph.fusion.keep import is_move
from asmgen.graph.ops import (
    ADD,
    CONVERT,
    LITERAL,
    MUL,
    PARAM,
    REDUCE_MEAN,
    REDUCE_PROD,
    REDUCE_SUM,
    REDUCTIONS,
    SCANS,
    SCATTER_ADD,
    SLICE,
    SORTS,
)
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.index.size import Dim, most
from asmgen.ir.numbers import round_float
from asmgen.ir.program import Module, Statement, Value, definitions, tensor_type
from asmgen.ir.types import computed
from isa.named_tuple import NamedTuple

MOST = 8  # elements of a sum: the code of each reader has all of them
_COMBINED = {REDUCE_SUM: ADD, REDUCE_MEAN: ADD, REDUCE_PROD: MUL}
_OTHERS = frozenset({*PRODUCTS, *SORTS, *SCANS, SCATTER_ADD})


class Short(NamedTuple):
    """A kernel of such sums, how many elements each of them adds, and the kernels that read them."""

    kernel: FusedKernel
    reductions: tuple[Statement, ...]
    length: int
    readers: tuple[FusedKernel, ...]


class Placed(NamedTuple):
    """Whether the readers of sums of few elements compute them, and why."""

    is_in_readers: bool
    why: str


class InReaders(NamedTuple):
    """A graph, its kernels, and the verdicts on its kernels of such sums."""

    module: Module
    kernels: list[FusedKernel]
    verdicts: list[tuple[Short, Placed]]


def in_readers(
    module: Module,
    kernels: list[FusedKernel],
    cut: Callable[[Module], list[FusedKernel]],
    verdict: Callable[[Short], Placed],
) -> InReaders:
    """The graph and its kernels, with such sums in their readers if the verdict says so. `cut` gives the
    kernels of another graph. The verdict on a kernel that reads such sums comes after the verdict on these.
    """
    verdicts: list[tuple[Short, Placed]] = []
    apart: set[Value] = set()
    while short := _first(kernels, apart):
        sums, decided = {each.result for each in short.reductions}, verdict(short)
        if decided.is_in_readers:
            written = _written(module, sums)
            fewer = cut(written)
            if len(fewer) < len(kernels):
                module, kernels = written, fewer
            else:
                decided = Placed(False, "readers would have more values than kernels compute")
        apart |= sums
        verdicts.append((short, decided))
    return InReaders(module, kernels, verdicts)


def _first(kernels: Sequence[FusedKernel], apart: Collection[Value]) -> Short | None:
    """The first such kernel, in launch order, of which no sum is in `apart`."""
    for kernel in kernels:
        short = _short(kernel, kernels)
        if short is not None and not any(each.result in apart for each in short.reductions):
            return short
    return None


def _short(kernel: FusedKernel, kernels: Sequence[FusedKernel]) -> Short | None:
    defined = definitions(kernel.module)
    reductions = tuple([each for each in defined.values() if each.op in REDUCTIONS])
    if not reductions or not all(_count(each) for each in reductions):
        return None
    if not all(output.result is None for output in kernel.outputs) or _has_others(defined):
        return None
    sent = {output.value for output in kernel.outputs}
    readers = tuple([each for each in kernels if each is not kernel and _reads(each, sent)])
    if any(_has_others(definitions(each.module)) for each in readers):
        return None
    if len(readers) > 1 and any(_may_round(each) for each in defined.values()):
        return None
    return Short(kernel, reductions, _count(reductions[0]), readers)


def _has_others(defined: Mapping[Value, Statement]) -> bool:
    return any(each.op in _OTHERS for each in defined.values())


def _may_round(statement: Statement) -> bool:
    """Whether a launch may round a result to 16 bits that another launch keeps in f32."""
    if statement.op in (PARAM, LITERAL, CONVERT) or is_move(statement):
        return False
    element = statement.result.type.element
    return element.is_float and computed(element) is not element


def _reads(kernel: FusedKernel, values: Collection[Value]) -> bool:
    return any(each.op is PARAM and each.result in values for each in kernel.module.statements[:-1])


def _count(statement: Statement) -> int:
    """Of how many elements a statement is a sum, a mean or a product of few; 0 if it is another."""
    if statement.op not in _COMBINED:
        return 0
    if statement.op is REDUCE_MEAN and not statement.result.type.element.is_float:
        return 0
    lengths = [length for _, length in _reduced(statement)]
    known = [length for length in lengths if isinstance(length, int)]
    return prod(known) if len(known) == len(lengths) and 1 < prod(known) <= MOST else 0


def _reduced(statement: Statement) -> list[tuple[int, Dim]]:
    """The axes of a reduction, and how many elements each has."""
    dims, kept = tensor_type(statement.operands[0]).dims, tensor_type(statement.result).dims
    return [(axis, dim) for axis, (dim, left) in enumerate(zip(dims, kept, strict=True)) if dim != left]


def _written(module: Module, sums: Collection[Value]) -> Module:
    """The graph in which statements combine the elements of each of `sums`."""
    rewriter = Rewriter(module)
    for statement in module.statements:
        if statement.results and statement.result in sums:
            _write(rewriter, statement)
        else:
            rewriter.keep(statement)
    return rewriter.module()


def _write(rewriter: Rewriter, reduction: Statement) -> None:
    axes, op = tuple([axis for axis, _ in _reduced(reduction)]), _COMBINED[reduction.op]
    places = product(*[range(most(length)) for _, length in _reduced(reduction)])
    total, *others = [_element(rewriter, reduction, axes, place) for place in places]
    *others, last = others
    for other in others:
        total = rewriter.apply(op, (total, other), reduction)
    if reduction.op is not REDUCE_MEAN:
        rewriter.finish(op, (total, last), reduction)
        return
    element = reduction.result.type.element
    whole = rewriter.apply(op, (total, last), reduction, "sum")
    reciprocal = rewriter.literal(round_float(1 / _count(reduction), element), element, reduction)
    rewriter.finish(MUL, (whole, reciprocal), reduction)


def _element(
    rewriter: Rewriter, reduction: Statement, axes: tuple[int, ...], place: tuple[int, ...]
) -> Value:
    """The elements of the operand at a place along the axes."""
    ends = tuple([at + 1 for at in place])
    return rewriter.apply(SLICE, reduction.operands, reduction, "part", axes=axes, starts=place, ends=ends)
