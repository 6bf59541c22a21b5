"""Merged spaces reach the same elements as the unmerged ones, checked by enumerating every point with numpy."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from asmgen.gen.indexing import access_strides, merge_dims, vector_width
from asmgen.ir.types import row_major

DIMS = st.lists(st.integers(1, 5), max_size=4).map(tuple)


def addresses(dims: tuple[int, ...], strides: tuple[int, ...]) -> np.ndarray:
    """The element offset of every point of the space, row-major."""
    grid = np.zeros(dims, dtype=np.int64)
    for axis, stride in enumerate(strides):
        shape = [1] * len(dims)
        shape[axis] = dims[axis]
        grid = grid + (np.arange(dims[axis]) * stride).reshape(shape)
    return grid.reshape(-1)


@given(DIMS, st.data())
def test_merging_keeps_every_address(dims: tuple[int, ...], data: st.DataObject) -> None:
    strides = data.draw(st.tuples(*[st.sampled_from([0, 1, 2, row_major(dims)[i]]) for i in range(len(dims))]))
    packed = row_major(dims)
    space = merge_dims(dims, [packed, strides])
    for original in (packed, strides):
        assert addresses(space.dims, space.strides(original)).tolist() == addresses(dims, original).tolist()


def test_packed_tensors_have_one_dim() -> None:
    dims = (2, 3, 4)
    assert merge_dims(dims, [row_major(dims), row_major(dims)]).dims == (24,)


def test_a_broadcast_dim_stays_apart() -> None:
    bias = access_strides(3, (4,), (1,), (2,))
    assert bias == (0, 0, 1)
    assert merge_dims((2, 3, 4), [row_major((2, 3, 4)), bias]).dims == (6, 4)


def test_dims_of_size_one_vanish() -> None:
    assert merge_dims((1, 5, 1), [row_major((1, 5, 1))]).dims == (5,)
    assert merge_dims((), []).dims == ()


def test_vector_width_is_bounded_by_bytes_elements_and_the_inner_dim() -> None:
    flat = merge_dims((1000,), [(1,)])
    assert vector_width(flat, 4) == 4
    assert vector_width(flat, 2) == 8
    assert vector_width(merge_dims((3,), [(1,)]), 4) == 2
    assert vector_width(merge_dims((), []), 4) == 1
    assert vector_width(merge_dims((4, 6), [(6, 1), (0, 1)]), 4) == 2  # 6 is a multiple of 2 only
    assert vector_width(merge_dims((4, 7), [(7, 1), (0, 1)]), 4) == 1
