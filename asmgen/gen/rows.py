"""How a reduction's rows are shared out over lanes.

A *row* is what one result is made of: the elements of the reduced dims, the last ones as a rule. `lanes`
lanes share a row; each takes `vector` consecutive elements at a time, `chunks` times, so that the lanes'
accesses are contiguous.
"""

from __future__ import annotations

from typing import NamedTuple

from asmgen.gen.indexing import Space, Strides, merge_dims

LONGEST_ROW_OF_A_WAVE = 64  # elements; longer rows take a workgroup
LANES_OF_A_ROW = (
    16  # that share one at most where several rows share a wave: they combine without leaving a DPP row
)
WORKGROUP = 256
LARGEST_WORKGROUP = 1024
RESIDENT_ELEMENTS = 32  # that a lane keeps of a row, from one reduction to the next
STRIDED = 3  # elements between neighbours of a row from which lanes take rows of their own


class RowLayout(NamedTuple):
    """`rows` rows of `columns` elements; `outer` and `inner` are their merged spaces.

    `lanes` is 1 (algorithm lane), 2 to 16 (wave) or the workgroup (block).
    """

    outer: Space
    inner: Space
    lanes: int
    vector: int
    block: int

    @property
    def rows(self) -> int:
        return self.outer.elements

    @property
    def columns(self) -> int:
        return self.inner.elements

    @property
    def algorithm(self) -> str:
        if self.lanes == 1:
            return "lane"
        return "block" if self.lanes > LANES_OF_A_ROW else "wave"

    @property
    def rows_of_group(self) -> int:
        """Rows that a workgroup takes."""
        return self.block // self.lanes

    @property
    def chunk(self) -> int:
        """Elements of a row that its lanes take at a time."""
        return self.lanes * self.vector

    @property
    def chunks(self) -> int:
        return -(-self.columns // self.chunk)

    @property
    def whole_chunks(self) -> int:
        """Chunks in which every lane has elements."""
        return self.columns // self.chunk

    @property
    def is_resident(self) -> bool:
        """Whether a lane can keep its part of a row in registers."""
        return self.chunks * self.vector <= RESIDENT_ELEMENTS

    @property
    def groups(self) -> int:
        return -(-self.rows // self.rows_of_group)


def split_dims(dims: tuple[int, ...], axes: tuple[int, ...], accesses: list[Strides]) -> tuple[Space, Space]:
    """The outer space, of the dims that are not among the reduced `axes`, and the inner one, of those that
    are."""
    kept = tuple(dim for dim in range(len(dims)) if dim not in axes)
    return _space_of(dims, kept, accesses), _space_of(dims, axes, accesses)


def _space_of(dims: tuple[int, ...], chosen: tuple[int, ...], accesses: list[Strides]) -> Space:
    space = merge_dims(
        tuple(dims[dim] for dim in chosen), [tuple(strides[dim] for dim in chosen) for strides in accesses]
    )
    return Space(space.dims, tuple(tuple(chosen[dim] for dim in group) for group in space.merged))


def row_layout(
    dims: tuple[int, ...],
    axes: tuple[int, ...],
    accesses: list[Strides],
    of_rows: list[Strides],
    widest_bytes: int,
    wave: int,
) -> RowLayout:
    """Choose the algorithm by shape.

    `accesses` gives the strides of every buffer that is read over the whole of `dims`, `of_rows` those of the
    buffers with one element a row. Rows whose neighbours lie apart while neighbouring rows lie together take
    a lane each; short rows share a wave, long ones have a workgroup.
    """
    outer, inner = split_dims(dims, axes, [*accesses, *of_rows])
    strided = bool(accesses) and all(
        min((s for s in inner.strides(strides) if s), default=STRIDED) >= STRIDED for strides in accesses
    )
    lies_together = all(not outer.dims or outer.strides(strides)[-1] <= 1 for strides in accesses)
    columns = inner.elements
    if columns <= 2 or (strided and lies_together and outer.elements >= wave):
        return RowLayout(outer, inner, 1, _vector(inner, columns, 1, widest_bytes), WORKGROUP)
    if columns <= LONGEST_ROW_OF_A_WAVE:
        return _wave_layout(outer, inner, widest_bytes)
    if columns <= LARGEST_WORKGROUP * 8:
        lanes = min(WORKGROUP, -(-columns // wave) * wave)
    else:
        lanes = LARGEST_WORKGROUP
    return RowLayout(outer, inner, lanes, _vector(inner, columns, lanes, widest_bytes), lanes)


def _wave_layout(outer: Space, inner: Space, widest_bytes: int) -> RowLayout:
    """As many lanes as make one vector access of the row."""
    lanes = 2
    while (
        lanes < LANES_OF_A_ROW
        and lanes * _vector(inner, inner.elements, lanes * 2, widest_bytes) < inner.elements
    ):
        lanes *= 2
    return RowLayout(outer, inner, lanes, _vector(inner, inner.elements, lanes, widest_bytes), WORKGROUP)


def _vector(inner: Space, columns: int, lanes: int, widest_bytes: int) -> int:
    """Consecutive elements of a lane: at most 16 bytes, a divisor of the innermost dim, no more than the row
    has for each lane."""
    width = max(1, 16 // widest_bytes)
    innermost = inner.dims[-1] if inner.dims else 1
    while width > 1 and (innermost % width or width * lanes > columns):
        width //= 2
    return width
