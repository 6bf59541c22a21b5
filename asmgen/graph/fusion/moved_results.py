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

from collections.abc import Iterator, Mapping, Sequence

from asmgen.graph.ops import SLICE, TRANSPOSE
from asmgen.graph.rewritings.moves import MOVES, permutation_of, source_of
from asmgen.graph.rewritings.reshapes import in_dims
from asmgen.index.size import Dim, Sizes
from asmgen.ir.program import Statement, Value, tensor_type
from asmgen.ir.shapes import SharedParts, shared_parts
from asmgen.ir.slices import kept_by
from isa.named_tuple import NamedTuple

_TILE = 16  # rows and columns of most matrix instructions


class MovedResult(NamedTuple):
    """A value made of results by `moves`, the first of which reads `rows`: results in the dims of the
    reductions or of the product."""

    rows: Value
    moves: tuple[Statement, ...]

    @property
    def has_slices(self) -> bool:
        """Whether some results are not stored."""
        return any(move.op is SLICE for move in self.moves)

    @property
    def is_of_tiles(self) -> bool:
        """Whether each slice of results of a product begins and ends with columns of a tile of a matrix
        instruction. Of others the rule of races does not always show that no workgroup stores what another
        stores."""
        if not self.has_slices:
            return True
        columns = tensor_type(self.rows).dims[-1]
        slices = [number for number, move in enumerate(self.moves) if move.op is SLICE]
        ends = [end for number in slices for end in _ends(self.moves[number], self.moves[:number])]
        return columns % _TILE == 0 and all(end % _TILE == 0 and set(rows) <= {0} for *rows, end in ends)


def _ends(part: Statement, before: Sequence[Statement]) -> Iterator[Sizes]:
    """The elements of the results with which a slice begins along its axes, and before which it ends."""
    dims = tensor_type(part.operands[0]).dims
    for axis, (first, end) in enumerate(kept_by(part)):
        for each in {first, end} - {0, dims[axis]}:
            yield source_of(before, (*(0,) * axis, each, *(0,) * (len(dims) - axis - 1)))


def moved_result(defined: Mapping[Value, Statement], value: Value, row_dims: Sizes) -> MovedResult | None:
    """How a value is made of results of these dims; None if not by moves alone, if it has these in their
    order, if a move changes a dim that only the launch knows, or if a reshape divides a sum of indices."""
    moves: list[Statement] = []
    while (made := defined[value]).op.keeps_order or made.op in MOVES:
        moves.append(made)
        (value,) = made.operands
        if made.op in MOVES and (rows := in_dims(defined, value, (row_dims,))) is not None:
            while value is not rows:
                moves.append(defined[value])
                (value,) = moves[-1].operands
            moves.reverse()
            is_apart = all(map(_keeps_open_dims, moves)) and _are_dims_apart(moves)
            return MovedResult(rows, tuple(moves)) if is_apart else None
    return None


def _are_dims_apart(moves: Sequence[Statement]) -> bool:
    """Whether reshapes divide no sum of indices. The rule of races does not always show that elements of
    others have places of their own, as those of {160,128} in rows of 160."""
    is_sum = [False] * tensor_type(moves[0].operands[0]).rank
    for move in moves:
        if move.op is TRANSPOSE:
            is_sum = [is_sum[axis] for axis in permutation_of(move)]
        elif move.op is not SLICE:
            shared = shared_parts(tensor_type(move.operands[0]).dims, tensor_type(move.result).dims)
            sums = shared and _sums_of_parts(shared, is_sum)
            if sums is None:
                return False
            is_sum = sums
    return True


def _sums_of_parts(shared: SharedParts, is_sum: Sequence[bool]) -> list[bool] | None:
    """Whether the index of each dim of a reshape is a sum; None if a sum is divided."""
    parts: list[bool] = []
    for own, of_sum in zip(shared.own, is_sum, strict=True):
        if of_sum and len(own) > 1:
            return None
        parts += [of_sum] * len(own)
    sums: list[bool] = []
    for made in shared.made:
        sums.append(len(made) > 1 or True in parts[: len(made)])
        parts = parts[len(made) :]
    return sums


def _keeps_open_dims(move: Statement) -> bool:
    """Whether each dim that only the launch knows stays as it is."""
    before, after = [_split(tensor_type(each).dims) for each in (move.operands[0], move.result)]
    if move.op is SLICE:
        return len(before) == len(after) == 1
    return move.op is TRANSPOSE or before == after


def _split(dims: Sizes) -> list[Dim]:
    """The dims that only the launch knows, and the products of the dims before, between and after them."""
    split: list[Dim] = [1]
    for dim in dims:
        if isinstance(dim, int):
            split[-1] *= dim
        else:
            split += [dim, 1]
    return split
