"""Products that share a factor and may be a single kernel, such as the gate and the up projection of a
decoder.

    g = dot(x, gate)
    u = dot(x, up)      the same x, and a result of the same dims
    h = mul(g, u)       both meet here: the kernel stores h alone

A workgroup then loads its tile of x once, and has a tile of sums for each product.

    q = dot(x, queries)    {8,4096}
    k = dot(x, keys)       {8,1024}: a workgroup has four tiles of q next to each other, and one of k

Products may differ in the dim that they do not share. The grid is that of the smallest product, and a
workgroup has several tiles of a larger product, its strips.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice

from asmgen.graph.block_dots import PRODUCTS, block_of, has_powers
from asmgen.graph.ops import REDUCTIONS, RETURN, SCANS, SORTS
from asmgen.ir.program import Statement, Value, tensor_type
from isa.named_tuple import NamedTuple

MOST = 3  # products of a kernel, such as the queries, keys and values of attention
MOST_STRIPS = 10  # of products of different dims: 8,192 queries, 1,024 keys and as many values
_APART = frozenset({*REDUCTIONS, *SCANS, *SORTS, *PRODUCTS})  # ops that begin kernels of their own


class Siblings(NamedTuple):
    """Products of the same types that share the factor of `side`, 0 or 1. `meet` says whether they meet in a
    pointwise op, so that their kernel has a single result. `is_even` says whether they have the same dims."""

    dots: tuple[Statement, ...]
    side: int
    meet: bool
    is_even: bool

    @property
    def shared(self) -> Value:
        """The factor that they share."""
        return self.dots[0].operands[self.side]


class Joint(NamedTuple):
    """Whether siblings are a single kernel, and the reason in words."""

    is_joint: bool
    why: str


class Strip(NamedTuple):
    """A tile of a product that a workgroup has: number `numbers` of `counts` tiles next to each other, by
    rows and by columns."""

    dot: Statement
    numbers: tuple[int, int]
    counts: tuple[int, int]


def strips(dots: Sequence[Statement]) -> list[Strip]:
    """The tiles that a workgroup has of products that share a factor."""
    return [
        Strip(dot, (row, column), counts)
        for dot in dots
        for counts in (strips_of(dot, dots),)
        for row in range(counts[0])
        for column in range(counts[1])
    ]


def strips_of(dot: Statement, dots: Sequence[Statement]) -> tuple[int, int]:
    """How many tiles of a product a workgroup has, by rows and by columns: the multiple of the smallest."""
    rows, columns = [_times(dot, dots, axis) for axis in (-2, -1)]
    return rows, columns


def lines_of(dots: Sequence[Statement]) -> tuple[int, int]:
    """The tiles of the first and of the second factors that a workgroup has, each factor once."""
    rows, columns = [
        sum({dot.operands[side]: strips_of(dot, dots)[side] for dot in dots}.values()) for side in (0, 1)
    ]
    return rows, columns


def _times(dot: Statement, dots: Sequence[Statement], axis: int) -> int:
    own, *sizes = [tensor_type(each.result).dims[axis] for each in (dot, *dots)]
    known = [size for size in sizes if isinstance(size, int)]
    return max(1, own // max(1, min(known))) if isinstance(own, int) and len(known) == len(sizes) else 1


def decided(
    defined: Mapping[Value, Statement], verdict: Callable[[Siblings], Joint]
) -> list[tuple[Siblings, Joint]]:
    """The sets of such products of a graph, in its order, and whether each is a single kernel. A product is
    in one set at most, or in a set of products with different dims that is not a single kernel."""
    made: list[tuple[Siblings, Joint]] = []
    taken: set[Value] = set()
    places = {value: place for place, value in enumerate(defined)}
    for kind in (_kind_of_uneven, _kind):
        for side, dots in _sharing(defined, kind):
            free = [dot for dot in dots if dot.result not in taken]
            if not 1 < len(free) <= MOST or not _are_apart(defined, places, free):
                continue
            is_even = kind is _kind
            if not is_even and not are_multiples(free, side):
                continue
            group = Siblings(tuple(free), side, is_even and _meet(defined, places, free), is_even)
            joint = verdict(group)
            made.append((group, joint))
            if joint.is_joint or is_even:
                taken.update(dot.result for dot in free)
    return made


_Kind = Callable[[Statement, int], tuple[object, ...]]


def _sharing(defined: Mapping[Value, Statement], kind: _Kind) -> Iterable[tuple[int, list[Statement]]]:
    """The products of a graph that share a factor and these facts, and the side of the factor."""
    shared: dict[tuple[object, ...], list[Statement]] = {}
    for statement in defined.values():
        if statement.op in PRODUCTS:
            for side in (0, 1):
                shared.setdefault((side, *kind(statement, side)), []).append(statement)
    for (side, *_), dots in shared.items():
        assert isinstance(side, int)
        yield side, dots


def _kind(dot: Statement, side: int) -> tuple[object, ...]:
    """The facts that products of one kernel share if they have the same dims."""
    factor, other = [tensor_type(dot.operands[number]) for number in (side, 1 - side)]
    result = tensor_type(dot.result)
    return dot.operands[side], dot.op, block_of(dot), has_powers(dot), factor.dims, other.dims, result.element


def _kind_of_uneven(dot: Statement, side: int) -> tuple[object, ...]:
    """The facts that products of one kernel share if they differ in the dim that they do not share."""
    result = tensor_type(dot.result)
    axis = len(result.dims) - 1 - side
    others = (*result.dims[:axis], *result.dims[axis + 1 :])
    other = tensor_type(dot.operands[1 - side])
    return dot.operands[side], dot.op, len(dot.operands), others, other.element, result.element


def are_multiples(dots: Sequence[Statement], side: int) -> bool:
    """Whether products of different dims, without scales along k, have few strips."""
    sizes = [tensor_type(dot.result).dims[-1 - side] for dot in dots]
    known = [size for size in sizes if isinstance(size, int) and size]
    if len(known) < len(sizes) or any(block_of(dot) or has_powers(dot) for dot in dots):
        return False
    least = min(known)
    are_whole = not any(size % least for size in known)
    return are_whole and len(known) < sum(known) // least <= MOST_STRIPS


def _are_apart(
    defined: Mapping[Value, Statement], places: Mapping[Value, int], dots: list[Statement]
) -> bool:
    """Whether no product is made of another. `places` has the places of values in the graph: no value before
    the first product is made of any."""
    results = {dot.result for dot in dots}
    first = min([places[result] for result in results])
    pending, reached = [operand for dot in dots for operand in dot.operands], set[Value]()
    while pending:
        value = pending.pop()
        if value in results:
            return False
        if value not in reached and places[value] > first:
            reached.add(value)
            pending.extend(defined[value].operands)
    return True


def _meet(defined: Mapping[Value, Statement], places: Mapping[Value, int], dots: list[Statement]) -> bool:
    """Whether an element of a pointwise value is made of an element of each product."""
    needs = {dot.result: frozenset([number]) for number, dot in enumerate(dots)}
    dims = tensor_type(dots[0].result).dims
    for statement in islice(defined.values(), min([places[result] for result in needs]), None):
        op = statement.op
        if op in _APART or op is RETURN or op.moves_elements or len(statement.results) != 1:
            continue
        own = [needs[operand] for operand in statement.operands if operand in needs]
        if own and tensor_type(statement.result).dims == dims:
            needs[statement.result] = frozenset[int]().union(*own)
            if len(needs[statement.result]) == len(dots):
                return True
    return False
