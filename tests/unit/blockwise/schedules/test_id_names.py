"""Named dims of products that have the usual names of the ids of workgroups."""

from __future__ import annotations

import numpy as np

import asmgen
from tests.device import chosen_device

_TEXT = """
    a = @param:a -> f16, {batch,20,k}
    b = @param:b -> f16, {batch,k,column}
    c = dot(a, b)
    @return(c)
"""


def test_no_id_has_the_name_of_a_dim() -> None:
    program = asmgen.compile(_TEXT, target="gfx942")
    tiles = program.compilation.stages.blockwise
    assert tiles is not None
    (kernel,) = tiles.kernels
    ids, dims = {id_.name for id_ in kernel.grid}, {dim.name for dim in kernel.dims}
    assert ids.isdisjoint(dims)
    assert dims == {"batch", "k", "column"}
    a = np.random.default_rng(1).integers(-2, 3, (2, 20, 70)).astype(np.float16)
    b = np.random.default_rng(2).integers(-2, 3, (2, 70, 33)).astype(np.float16)
    (c,) = program(a, b, device=chosen_device())
    assert (c == a.astype(np.float64) @ b.astype(np.float64)).all()
