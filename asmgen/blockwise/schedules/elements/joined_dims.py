"""Joins the kept dims of a reduction to a single dim, and the reduced dims to another, though memory does not
go on from one dim to the next. An element of a joined dim is found by division.

    2x2 pooling      {28672,2,28,2} over 1 and 3    rows {28672,28}, of 4 elements each: {802816,4}
    {32,64,7,7,3} over 1 and 3                      the 448 reduced elements are a single dim
    {100000,5,3} over 1                             rows {100000,3}: a wave takes the columns of several rows

A size that only the launch knows prevents this, except for the first of the kept dims and the first of the
reduced dims: no index is divided by it. Rows of several such dims have a version with a single dim
(`as_one_row`).
"""

from __future__ import annotations

from math import prod

from asmgen.blockwise.schedules.elements.merged_dims import Dims
from asmgen.index.size import Dim, Size, Sizes, most

OF_LANE = 64  # reduced elements that a lane takes alone, at most,
SHORT_ROW = 1024  # elements of several dims that are reduced as a single dim
LONG_ROW = 32768  # or up to so many elements,
FEW_LANES = 256  # if the last of the dims has less elements than a usual workgroup has lanes,
MOST_LANES = 1024  # or than the largest has, and there are
FEW_ROWS = 8  # more rows of them
FEW_COLUMNS = 32  # kept columns: with fewer, a wave takes the columns of several rows,
MANY_GROUPS = 16384  # if there are so many rows


def joined(groups: tuple[Dims, ...], dims: Sizes, axes: Dims, is_stored: bool) -> tuple[Dims, ...]:
    """The groups. Reduced groups may be joined, and kept groups too, each in the place of the last.
    `is_stored` says whether elements of all dims are stored: the rules do not show that elements of a long
    joined dim are stored once."""
    reduced = [group for group in groups if group[0] in axes]
    kept = [group for group in groups if group[0] not in axes]
    count = _elements(reduced, dims)
    if isinstance(count, Size):
        is_divided = any(isinstance(_elements([group], dims), Size) for group in reduced[1:])
        is_along = groups[-1] == reduced[-1] and len(reduced) > 1
        return as_one_row(groups, axes) if is_along and not is_divided else groups
    is_of_lanes = not is_stored and _is_of_lanes(groups, reduced, count, dims)
    if len(reduced) > 1 and (count <= SHORT_ROW or is_of_lanes):
        groups = _as_one(groups, reduced)
    return _as_one(groups, kept) if len(kept) > 1 and _is_joined(groups, kept, count, dims) else groups


def as_one_row(groups: tuple[Dims, ...], axes: Dims) -> tuple[Dims, ...]:
    """The groups, of which all reduced groups are joined."""
    return _as_one(groups, [group for group in groups if group[0] in axes])


def _is_of_lanes(groups: tuple[Dims, ...], reduced: list[Dims], count: int, dims: Sizes) -> bool:
    """Whether a loop over the outer reduced dims would leave lanes idle, or be as long as its trips wait for
    memory. The sum of x[:, 1:] of {1000,18} f32 takes 5.0 us on gfx942 in place of 755.3."""
    columns = _elements(reduced[-1:], dims)
    if groups[-1] != reduced[-1] or count > LONG_ROW or isinstance(columns, Size):
        return False
    return columns < FEW_LANES or (columns < MOST_LANES and count > FEW_ROWS * columns)


def _is_joined(groups: tuple[Dims, ...], kept: list[Dims], count: int, dims: Sizes) -> bool:
    """Whether the kept dims become a single dim: if a lane takes the reduced elements of several results, or
    a wave the columns of several rows."""
    columns, others = _elements(kept[-1:], dims), most(_elements(kept[:-1], dims))
    if isinstance(columns, Size):
        return False
    if count <= OF_LANE and others * columns >= MANY_GROUPS:
        return not any(isinstance(_elements([group], dims), Size) for group in kept[1:])
    return groups[-1] == kept[-1] and columns < FEW_COLUMNS and others >= MANY_GROUPS


def _elements(groups: list[Dims], dims: Sizes) -> Dim:
    return prod([dims[axis] for group in groups for axis in group])


def _as_one(groups: tuple[Dims, ...], some: list[Dims]) -> tuple[Dims, ...]:
    whole = tuple([axis for group in some for axis in group])
    return tuple([whole if group == some[-1] else group for group in groups if group not in some[:-1]])
