"""What random kernels have shown, each as the smallest kernel of it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.mlir.judge import holds, launch

_REDUCE = """gpu.module @m {
gpu.func @reduce(%in: memref<?xi32>, %out: memref<?xi32>) kernel
    attributes {known_block_size = array<i32: 8, 4, 4>} {
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %x = gpu.thread_id x
  %y = gpu.thread_id y
  %z = gpu.thread_id z
  %row = arith.muli %y, %c8 : index
  %plane = arith.muli %z, %c32 : index
  %xy = arith.addi %x, %row : index
  %i = arith.addi %xy, %plane : index
  %v = memref.load %in[%i] : memref<?xi32>
  %sum = gpu.all_reduce add %v uniform {} : (i32) -> i32
  memref.store %sum, %out[%i] : memref<?xi32>
  gpu.return
}
}
"""


def test_waves_of_a_block_of_three_dimensions_are_numbered_through_all_of_them() -> None:
    values = np.arange(128, dtype=np.int32)
    _, found = launch(_REDUCE, (1, 1, 1), (8, 4, 4), [values, np.zeros_like(values)], "gfx1100")
    assert (found == values.sum()).all()


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_atomics_of_every_kind_do_what_they_are_named_for(target: str) -> None:
    """One lane, and operands that no two kinds of an integer make the same number of."""
    kinds = ("addi", "andi", "assign", "maxs", "maxu", "mins", "minu", "muli", "ori", "xori")
    lines = ["gpu.module @m {", "gpu.func @kinds(%out: memref<10xi32>, %v: i32) kernel {"]
    for number, kind in enumerate(kinds):
        lines += [
            f"%c{number} = arith.constant {number} : index",
            f"%r{number} = memref.atomic_rmw {kind} %v, %out[%c{number}] : (i32, memref<10xi32>) -> i32",
        ]
    text = "\n".join([*lines, "gpu.return", "}", "}", ""])
    before, given = 13, -88
    (found,) = launch(text, (1, 1, 1), (1, 1, 1), [np.full(len(kinds), before, np.int32), given], target)
    assert found.tolist() == [-75, 13 & -88, -88, 13, -88, -88, 13, 13 * -88, 13 | -88, 13 ^ -88]


def test_a_negative_number_that_is_passed_is_large_without_its_sign() -> None:
    text = """gpu.module @m {
gpu.func @largest(%out: memref<1xi32>, %v: i32) kernel {
  %c0 = arith.constant 0 : index
  %old = memref.atomic_rmw maxu %v, %out[%c0] : (i32, memref<1xi32>) -> i32
  gpu.return
}
}
"""
    (found,) = holds(text, (1, 1, 1), (1, 1, 1), [np.ones(1, np.int32), -5], ("gfx90a",))
    assert found.tolist() == [-5]
