"""Products of which only the launch knows the columns or rows that memory has next to each other."""

import re

import numpy as np
import pytest

import asmgen
from tests.device import chosen_device
from tests.rows import spread

TEXTS = {
    "columns": "a = @param:a -> f32, {20,16}\nb = @param:b -> f32, {16,n}\nc = dot(a, b)\n@return(c)\n",
    "rows": "t = @param:t -> f32, {16,n}\na = transpose[permutation={1,0}](t)\nb = @param:b -> f32, {16,20}\nc = dot(a, b)\n@return(c)\n",
}
CASES = spread([(target, name) for target in ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201") for name in TEXTS], each=1)


@pytest.mark.parametrize(("target", "name"), CASES)
def test_a_matrix_that_fills_a_tile_is_read_in_whole_accesses(target: str, name: str) -> None:
    """The last tile ends with the matrix. A matrix without a whole tile is read by single elements."""
    columns = name == "columns"
    tile = "m=32, n=128" if columns else "m=128, n=32"
    program = asmgen.compile(TEXTS[name], target=target, schedules=(f"contract[{tile}, k=16, waves=4, buffers=2]",))
    loads = re.findall(r"global_load_(?:dwordx4|b128)", program.kernels[0].assembly)
    assert len(loads) > 2 * 3  # each version has at most three of the other factor
    rng = np.random.default_rng(1)
    for n in (1, 127, 128, 129, 260):
        fixed, open_ = rng.standard_normal((20, 16), np.float32), rng.standard_normal((16, n), np.float32)
        given = (fixed, open_) if columns else (open_, np.ascontiguousarray(fixed.T))
        (result,) = program(*given, device=chosen_device())
        wanted = (fixed.astype(float) @ open_) if columns else (open_.T.astype(float) @ fixed.T)
        assert np.abs(result - wanted).max() < 1e-5


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201"])
def test_waves_along_k_read_whole_accesses(target: str) -> None:
    """Outer products of f32 by waves that share the products along k, with columns and k of the launch."""
    text = "a = @param:a -> f32, {20,k}\nb = @param:b -> f32, {k,n}\nc = dot(a, b)\n@return(c)\n"
    program = asmgen.compile(text, target=target, schedules=("contract[m=32, n=32, k=32, waves=4, buffers=1, along=1]",))
    assert program.kernels[0].assembly.count("\tglobal_load_b128") > 4
    rng = np.random.default_rng(2)
    for n in (1, 31, 33, 70):
        a, b = rng.standard_normal((20, 70), np.float32), rng.standard_normal((70, n), np.float32)
        (result,) = program(a, b, device=chosen_device())
        assert np.abs(result - a.astype(float) @ b).max() < 1e-5
