"""Sums of few elements, which their readers compute instead of a launch of their own.

    m = mul(x, x)                                           a = slice[axes={1}, starts={0}, ends={1}](m)
    s = reduce_sum[axes={1}](m)      m has 2 columns        b = slice[axes={1}, starts={1}, ends={2}](m)
    y = reduce_max[axes={0}](s)                   becomes   s = add(a, b)
                                                            y = reduce_max[axes={0}](s)

Programs take the lengths of vectors and distances between points so. A kernel qualifies if it has such sums
alone, or maxima and minima, and only later kernels read them. The caller decides if its readers then take
less time (`asmgen.blockwise.schedules.choosing.short`). A kernel that combines the results of a few parts of
long rows is such a kernel too: a softmax of a row in parts is two launches, not three.

All readers round a sum alike: they add its elements in the same order, and `alike.py` rounds a product
first if readers might contract it differently. A launch may round elements of 16 bits that another
launch does not round (docs/numerics.md), so sums of these have a single reader.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import product
from math import prod

from msgspec.structs import replace

from asmgen.graph.block_dots import PRODUCTS
from asmgen.graph.fusion.fuse import FusedKernel
from asmgen.graph.fusion.keep import is_move
from asmgen.graph.ops import (
    ADD,
    CONVERT,
    LITERAL,
    MAX,
    MIN,
    MUL,
    PARAM,
    REDUCE_MAX,
    REDUCE_MEAN,
    REDUCE_MIN,
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
MOST_PARTS = 128  # if these are the results of parts: a lane combines them once for many elements
_COMBINED = {
    REDUCE_SUM: ADD,
    REDUCE_MEAN: ADD,
    REDUCE_PROD: MUL,
    REDUCE_MAX: MAX,
    REDUCE_MIN: MIN,
}
_OTHERS = frozenset({*PRODUCTS, *SORTS, *SCANS, SCATTER_ADD})


class Short(NamedTuple):
    """A kernel of such sums, how many elements each of them adds, and the kernels that read them."""

    kernel: FusedKernel
    reductions: tuple[Statement, ...]
    length: int
    readers: tuple[FusedKernel, ...]

    @property
    def sums(self) -> frozenset[Value]:
        return frozenset([each.result for each in self.reductions])


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
    most: int = MOST,
    others: Collection[Value] = (),
) -> InReaders:
    """The graph and its kernels, with sums of at most `most` elements in their readers if the verdict says
    so, `others` excepted. `cut` gives the kernels of another graph. The verdict on a kernel that reads such
    sums comes after the verdict on these.
    """
    verdicts: list[tuple[Short, Placed]] = []
    while True:
        decided = {*others, *[value for short, _ in verdicts for value in short.sums]}
        found = _Placing(kernels, cut, verdict, most, decided).verdicts()
        verdicts += found
        moved = {value for short, placed in found if placed.is_in_readers for value in short.sums}
        if not moved:
            return InReaders(module, kernels, verdicts)
        module = _written(module, moved)
        kernels = cut(module)


class _Placing:
    """Decides on the kernels in launch order. Only the readers of sums are cut again, so a long graph takes a
    time of its length. Ends early if readers of sums could be a single kernel, since others might join it.
    """

    def __init__(
        self,
        kernels: Sequence[FusedKernel],
        cut: Callable[[Module], list[FusedKernel]],
        verdict: Callable[[Short], Placed],
        most: int,
        decided: Collection[Value],
    ) -> None:
        self._kernels = list(kernels)
        self._read = [_parameters(kernel) for kernel in kernels]
        self._cut, self._verdict, self._most, self._decided = cut, verdict, most, decided

    def verdicts(self) -> list[tuple[Short, Placed]]:
        """The verdicts on kernels of sums that are not `decided`."""
        found: list[tuple[Short, Placed]] = []
        for number in range(len(self._kernels)):
            places = self._readers(self._kernels[number])
            readers = [self._kernels[place] for place in places]
            short = _short(self._kernels[number], readers, self._most)
            if short is None or not short.sums.isdisjoint(self._decided):
                continue
            placed = self._verdict(short)
            fewer = self._cut(_written(_joined(short), short.sums)) if placed.is_in_readers else []
            if len(fewer) > len(places):
                placed = Placed(False, "readers would have more values than kernels compute")
            found.append((short, placed))
            if placed.is_in_readers and not self._replace(places, fewer):
                break
        return found

    def _readers(self, kernel: FusedKernel) -> list[int]:
        sent = [output.value for output in kernel.outputs]
        return [place for place, read in enumerate(self._read) if not read.isdisjoint(sent)]

    def _replace(self, places: Sequence[int], fewer: Sequence[FusedKernel]) -> bool:
        """Put the kernels that compute the sums too in the places of the readers, if each of them has the
        results of a reader."""
        by_results = {_results(kernel): kernel for kernel in fewer}
        if {_results(self._kernels[place]) for place in places} != by_results.keys():
            return False
        for place in places:
            reader = self._kernels[place]
            self._kernels[place] = FusedKernel(by_results[_results(reader)].module, reader.outputs)
            self._read[place] = _parameters(self._kernels[place])
        return True


def _parameters(kernel: FusedKernel) -> frozenset[Value]:
    return frozenset([each.result for each in kernel.module.statements[:-1] if each.op is PARAM])


def _results(kernel: FusedKernel) -> frozenset[Value]:
    return frozenset([output.value for output in kernel.outputs])


def _joined(short: Short) -> Module:
    """A graph of the sums and their readers."""
    made: dict[Value, Statement] = {}
    for kernel in (short.kernel, *short.readers):
        for statement in kernel.module.statements[:-1]:
            made.setdefault(statement.results[0], statement)
    returned = tuple([output.value for reader in short.readers for output in reader.outputs])
    *_, return_ = short.kernel.module.statements
    return Module(short.kernel.module.name, (*made.values(), replace(return_, operands=returned)))


def _short(kernel: FusedKernel, readers: Sequence[FusedKernel], most: int) -> Short | None:
    """A kernel and its readers, if it is such a kernel of sums of at most `most` elements."""
    defined = definitions(kernel.module)
    reductions = tuple([each for each in defined.values() if each.op in REDUCTIONS])
    if not reductions or not all(1 < _count(each) <= most for each in reductions):
        return None
    if not all(output.result is None for output in kernel.outputs) or _has_others(defined):
        return None
    if any(_has_others(definitions(each.module)) for each in readers):
        return None
    if len(readers) > 1 and any(_may_round(each) for each in defined.values()):
        return None
    return Short(kernel, reductions, _count(reductions[0]), tuple(readers))


def _has_others(defined: Mapping[Value, Statement]) -> bool:
    return any(each.op in _OTHERS for each in defined.values())


def _may_round(statement: Statement) -> bool:
    """Whether a launch may round a result to 16 bits that another launch keeps in f32."""
    if statement.op in (PARAM, LITERAL, CONVERT) or is_move(statement):
        return False
    element = statement.result.type.element
    return element.is_float and computed(element) is not element


def _count(statement: Statement) -> int:
    """How many elements a sum, a mean, a product, a maximum or a minimum has; 0 of another statement, and if
    only the launch knows."""
    if statement.op not in _COMBINED:
        return 0
    if statement.op is REDUCE_MEAN and not statement.result.type.element.is_float:
        return 0
    lengths = [length for _, length in _reduced(statement)]
    known = [length for length in lengths if isinstance(length, int)]
    return prod(known) if len(known) == len(lengths) else 0


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
