"""Results of reductions, or of a product, which the kernel of these stores at other places itself: a slice of
them, or all of them in another order.

    y = reduce_sum[axes={1}](p)                          {6144,1} of {6144,4096}
    q = slice[axes={0}, starts={0}, ends={4096}](y)      the kernel of y stores q and k: a row is in one of
    k = slice[axes={0}, starts={4096}, ends={6144}](y)   them, and no launch copies rows

    y = dot(a, b)                                        {8,512,1024}
    h = reshape[dims={8,512,16,64}](y)                   the kernel of y stores t, the heads apart, and no
    t = transpose[permutation={0,2,1,3}](h)              launch copies y
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.graph.ops import SLICE, TRANSPOSE
from asmgen.graph.rewritings.moves import MOVES
from asmgen.graph.rewritings.reshapes import in_dims
from asmgen.index.size import Dim, Sizes
from asmgen.ir.program import Statement, Value, tensor_type
from isa.named_tuple import NamedTuple


class MovedResult(NamedTuple):
    """A value made of results by `moves`, the first of which reads `rows`: results in the dims of the
    reductions or of the product."""

    rows: Value
    moves: tuple[Statement, ...]

    @property
    def has_slices(self) -> bool:
        """Whether some results are not stored."""
        return any(move.op is SLICE for move in self.moves)


def moved_result(defined: Mapping[Value, Statement], value: Value, row_dims: Sizes) -> MovedResult | None:
    """How a value is made of results of these dims; None if not by moves alone, if it has these in their
    order, or if a move changes a dim that only the launch knows."""
    moves: list[Statement] = []
    while (made := defined[value]).op.keeps_order or made.op in MOVES:
        moves.append(made)
        (value,) = made.operands
        if made.op in MOVES and (rows := in_dims(defined, value, (row_dims,))) is not None:
            while value is not rows:
                moves.append(defined[value])
                (value,) = moves[-1].operands
            moves.reverse()
            return MovedResult(rows, tuple(moves)) if all(map(_keeps_open_dims, moves)) else None
    return None


def _keeps_open_dims(move: Statement) -> bool:
    """Whether each dim that only the launch knows stays as it is."""
    dims, made = [tensor_type(each).dims for each in (move.operands[0], move.result)]
    if move.op is SLICE:
        return all(isinstance(dim, int) or dim == after for dim, after in zip(dims, made, strict=True))
    return move.op is TRANSPOSE or _split(dims) == _split(made)


def _split(dims: Sizes) -> list[Dim]:
    """The dims that only the launch knows, and the products of the dims before, between and after them."""
    split: list[Dim] = [1]
    for dim in dims:
        if isinstance(dim, int):
            split[-1] *= dim
        else:
            split += [dim, 1]
    return split
