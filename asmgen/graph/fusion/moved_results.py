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

from asmgen.graph.ops import SLICE
from asmgen.graph.rewritings.moves import MOVES
from asmgen.graph.rewritings.reshapes import in_dims
from asmgen.index.size import Sizes
from asmgen.ir.program import Statement, Value
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
    """How a value is made of results of these dims; None if not by moves alone, or if it has these in
    their order."""
    moves: list[Statement] = []
    while (made := defined[value]).op.keeps_order or made.op in MOVES:
        moves.append(made)
        (value,) = made.operands
        if made.op in MOVES and (rows := in_dims(defined, value, (row_dims,))) is not None:
            while value is not rows:
                moves.append(defined[value])
                (value,) = moves[-1].operands
            moves.reverse()
            return MovedResult(rows, tuple(moves))
    return None
