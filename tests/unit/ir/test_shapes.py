"""Dims of reshapes."""

from __future__ import annotations

import pytest

from asmgen.ir.shapes import SharedParts, shared_parts


@pytest.mark.parametrize(("dims", "to", "wanted"), [
    ((6, 8), (24, 2), (((6,), (4, 2)), ((6, 4), (2,)))),
    ((6, 1, 8), (2, 3, 8), (((2, 3), (), (8,)), ((2,), (3,), (8,)))),
    ((3300, 7), (300, 77), (((300, 11), (7,)), ((300,), (11, 7)))),
    ((1, 4), (4, 1, 1), (((), (4,)), ((4,), (), ()))),
    ((), (1,), ((), ((),))),
    ((6, 8), (8, 6), None),
    ((160, 128), (128, 160), None),
    ((0, 4), (4, 0), None),
])  # fmt: skip
def test_parts_of_dims(dims: tuple[int, ...], to: tuple[int, ...], wanted: SharedParts | None) -> None:
    assert shared_parts(dims, to) == wanted
