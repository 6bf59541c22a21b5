"""`memref`: what a memref says of itself, and its dims in another order."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.mlir import quotients
from asmgen.mlir.affine_maps import AffineMap, Dim
from asmgen.mlir.context import Lowering, rows
from asmgen.mlir.lowered import Index, Lowered, View
from asmgen.mlir.source import Operation


def extract_strided_metadata(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """The first element of the memory, the offset from it, sizes and strides, in elements of the memref."""
    view, indices = lower.view(operation.operands[0]), lower.indices

    def elements(number: Index) -> Index:
        return quotients.floor_divide(indices, number, indices.constant(view.lanes))

    base = View(view.memory, indices.constant(0), (), (), view.lanes)
    sizes = [lower.size_of(view, number) for number in range(len(view.sizes))]
    return base, elements(view.offset), *sizes, *[elements(stride) for stride in view.strides]


def transpose(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """The dims of the result are those that the permutation names."""
    view = lower.view(operation.operands[0])
    map_ = operation.attributes["permutation"]
    assert isinstance(map_, AffineMap), map_
    order = [one.number for one in map_.results if isinstance(one, Dim)]
    unknown = tuple([view.unknown[number] for number in order]) if view.unknown else ()
    sizes, strides = (tuple([given[number] for number in order]) for given in (view.sizes, view.strides))
    return (view._replace(sizes=sizes, strides=strides, unknown=unknown),)


def rank(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    return (lower.indices.constant(len(lower.view(operation.operands[0]).sizes)),)


ROWS = rows(
    {
        "memref.extract_strided_metadata": extract_strided_metadata,
        "memref.transpose": transpose,
        "memref.rank": rank,
    }
)
