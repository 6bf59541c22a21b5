"""Buffers with other rows of a value than the other buffers: a row of a concat is in one operand.

    w = concat[axis=0](a, b)        {5,8} of {2,8} and {3,8}
    s = reduce_sum[axes={1}](w)     a row is a row of a, or of b
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from asmgen.blockwise.schedules.elements.indices import Indices
from asmgen.blockwise.schedules.elements.maps import Leaf, OperandElement, leaves, visited
from asmgen.blockwise.schedules.elements.merged_dims import Dims
from asmgen.graph.ops import CONCAT
from asmgen.index import Symbol
from asmgen.ir.program import Statement, Value


def of_other_rows(
    defined: Mapping[Value, Statement],
    roots: Sequence[Value],
    symbols: Indices,
    axes: Dims,
    streamed: Set[Leaf],
) -> int:
    """How many of the buffers that are read have other rows than another buffer. `symbols` are the dims of
    the roots; `axes` are the reduced dims. A row of f16 by weights of {4096,4096} and two of {1024,4096}
    takes 16,191 clocks on gfx950, and 17,949 if each is counted as a buffer with elements of every row.
    """
    rows = [index.symbols for axis, index in enumerate(symbols) if axis not in axes]
    kept = frozenset[Symbol]().union(*rows)
    count, seen = 0, set[Leaf]()
    for root in roots:
        for leaf, elements in visited(defined, root, symbols, seen=seen):
            if defined[leaf.value].op is CONCAT and _are_of_rows(elements, kept):
                read = [leaves(defined, each.value, each.indices) for each in elements]
                count += max(0, sum([not streamed.isdisjoint(each) for each in read]) - 1)
    return count


def _are_of_rows(elements: Sequence[OperandElement], kept: Set[Symbol]) -> bool:
    """Whether the row alone says which operand of a concat has an element."""
    conditions = [below for each in elements for below in each.where]
    return all((below.left.symbols | below.right.symbols) <= kept for below in conditions)
