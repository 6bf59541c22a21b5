"""Products that share a factor and may be a single kernel, such as the gate and the up projection of a
decoder.

    g = dot(x, gate)
    u = dot(x, up)      the same x, and a result of the same dims
    h = mul(g, u)       both meet here: the kernel stores h alone

A workgroup then loads its tile of x once, and has a tile of sums for each product.
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.graph.block_dots import PRODUCTS, block_of, has_powers
from asmgen.graph.ops import REDUCTIONS, RETURN, SCANS, SORTS
from asmgen.ir.program import Statement, Value, tensor_type
from isa.named_tuple import NamedTuple

MOST = 3  # products of a kernel, such as the queries, keys and values of attention
_APART = frozenset({*REDUCTIONS, *SCANS, *SORTS, *PRODUCTS})  # ops that begin kernels of their own


class Siblings(NamedTuple):
    """Products of the same dims and types that share the factor of `side`, 0 or 1. `meet` says whether they
    meet in a pointwise op, so that their kernel has a single result."""

    dots: tuple[Statement, ...]
    side: int
    meet: bool

    @property
    def shared(self) -> Value:
        """The factor that they share."""
        return self.dots[0].operands[self.side]


class Joint(NamedTuple):
    """Whether siblings are a single kernel, and the reason in words."""

    is_joint: bool
    why: str


def siblings(defined: Mapping[Value, Statement]) -> list[Siblings]:
    """The sets of such products of a graph, in its order. A product is in one set at most."""
    shared: dict[tuple[object, ...], list[Statement]] = {}
    for statement in defined.values():
        if statement.op in PRODUCTS:
            for side in (0, 1):
                shared.setdefault(_kind(statement, side), []).append(statement)
    found: list[Siblings] = []
    taken: set[Value] = set()
    for (side, *_), dots in shared.items():
        free = [dot for dot in dots if dot.result not in taken]
        if 1 < len(free) <= MOST and _are_apart(defined, free):
            assert isinstance(side, int)
            found.append(Siblings(tuple(free), side, _meet(defined, free)))
            taken.update(dot.result for dot in free)
    return found


def _kind(dot: Statement, side: int) -> tuple[object, ...]:
    """The facts that products of one kernel share; the first is the side of the shared factor."""
    factor, other = [tensor_type(dot.operands[number]) for number in (side, 1 - side)]
    result = tensor_type(dot.result)
    is_known = dot.op, block_of(dot), has_powers(dot), factor.dims, other.dims, result.element
    return side, dot.operands[side], *is_known


def _are_apart(defined: Mapping[Value, Statement], dots: list[Statement]) -> bool:
    """Whether no product is made of another."""
    made = {dot.result for dot in dots}
    reached: set[Value] = set()
    pending = [operand for dot in dots for operand in dot.operands]
    while pending:
        value = pending.pop()
        if value in made:
            return False
        if value not in reached:
            reached.add(value)
            pending.extend(defined[value].operands)
    return True


def _meet(defined: Mapping[Value, Statement], dots: list[Statement]) -> bool:
    """Whether an element of a pointwise value is made of an element of each product."""
    needs = {dot.result: frozenset([number]) for number, dot in enumerate(dots)}
    dims = tensor_type(dots[0].result).dims
    for statement in defined.values():
        op = statement.op
        if op in _APART or op is RETURN or op.moves_elements or len(statement.results) != 1:
            continue
        own = [needs[operand] for operand in statement.operands if operand in needs]
        if own and tensor_type(statement.result).dims == dims:
            needs[statement.result] = frozenset[int]().union(*own)
            if len(needs[statement.result]) == len(dots):
                return True
    return False
