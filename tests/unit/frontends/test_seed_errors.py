"""Errors of GPU Gen IR, and of calls of modules, at their lines."""

from __future__ import annotations

import pytest

import asmgen
from isa.diagnostics import InputError

LANES = "stage lanewise gfx942\nx = @param:x -> {16}\nz = @param:z -> {16}\ni = global_id\n"
GRID = "stage gridwise gfx942\nx = @param:x -> {256}\nz = @param:z -> {1}\n"
CALLED = "module @m {\na = @param:a -> {4}\nb = relu(a)\n@return(b)\n}\nmodule @n {\nx = @param:x -> {4}\n"
TILED = (
    "stage blockwise gfx942\nx = @param:x -> {{64,128}}\nz = @param:z -> {{64,128}}\ngroup = workgroup_id\n"
    "t = tile_region[tile={{{}}}](x, group)\ns = neg(t)\nc = copy(s, z)\n@return(c)\n"
)
CASES = {
    "nothing is stored": (LANES + "a = load(x, i)\n@return(a)\n", "GEN104", 6),
    "an op that is none": (LANES + "a = sload(x, i)\n@return(a)\n", "GEN003", 5),
    "an index that is f32": (LANES + "a = load(x, i)\nb = load(x, a)\n@return(b)\n", "GEN104", 6),
    "a value of another type": (LANES + "store = store(z, i, i)\n@return(store)\n", "GEN104", 5),
    "a load of 17": (LANES + "a = vector_load[size=17](x, i)\n@return(a)\n", "GEN104", 5),
    "one pad": (LANES + "p = pad_index[input_shape={8}, pads={2}](i)\nstore(z, i, 1.0)\n@return(store)\n", "GEN104", 5),
    "an axis that is none": (LANES + "p = reverse_index[input_shape={8}, axes={1}](i)\nstore(z, i, 1.0)\n@return(store)\n", "GEN104", 5),
    "a shape of no type": (LANES + "l = lds_allocate[shape={flat, {4}}]\n@return(l)\n", "GEN012", 5),
    "no copy": (GRID + "s = gridwise_reduce[op=sum, algo=wave, reduce_elements=256](x)\n@return(s)\n", "GEN104", 5),
    "a count of no axes": (GRID + "s = gridwise_reduce[op=sum, algo=wave, reduce_elements=16](x)\n@return(s)\n", "GEN104", 4),
    "an algorithm that is none": (GRID + "s = gridwise_reduce[op=sum, algo=grid](x)\n@return(s)\n", "GEN008", 4),
    "a workgroup of 100": (
        GRID + "s = gridwise_reduce[op=sum, algo=block, reduce_elements=256, block_size=100](x)\nc = copy(s, z)\n@return(c)\n", "GEN104", 4,
    ),
    "a schedule of a copy that is none": (GRID + "s = neg(x)\nc = copy[schedule=bogus](s, z)\n@return(c)\n", "GEN008", 5),
    "two algorithms": (
        GRID + "w = @param:w -> {1}\ns = gridwise_reduce[op=sum, algo=block, reduce_elements=256](x)\n"
        "t = gridwise_reduce[op=max, algo=wave, reduce_elements=256](x)\nc = copy(s, z)\nd = copy(t, w)\n@return(c, d)\n", "GEN104", 6,
    ),
    "a tile of another rank": (TILED.format("999,7,3"), "GEN104", 5),
    "a tile of elements that are not next to each other": (TILED.format("16,64"), "GEN104", 5),
    "a tile of fewer elements than a workgroup has": (TILED.format("4,128"), "GEN104", 5),
    "a tile of nothing": (TILED.format("0,128"), "GEN104", 5),
    "another type": (GRID + "s = neg(x)\nc = copy(s, z)\n@return(c)\n", "GEN104", 5),
    "several kernels": (
        GRID + "s = reduce_sum[axes={0}](x)\nr = reshape[dims={16,16}](x)\nm = reduce_max[axes={1}](r)\nn = reduce_min[axes={0}](m)\n"
        "o = reshape[dims={1}](n)\na = add(o, s)\nc = copy(a, z)\n@return(c)\n", "GEN104", 11,
    ),
    "a module that is none": (CALLED + "y = op[module=k](x)\n@return(y)\n}\n", "GEN021", 8),
    "two operands": (CALLED + "y = op[module=m](x, x)\n@return(y)\n}\n", "GEN021", 8),
    "two names": (CALLED + "y, z = op[module=m](x)\n@return(y)\n}\n", "GEN021", 8),
    "other dims": (CALLED + "t = reshape[dims={2,2}](x)\ny = op[module=m](t)\n@return(y)\n}\n", "GEN021", 9),
    "not pointwise": (
        "x = @param:x -> {4}\ny = pointwise(x) (a) {\nb = reverse[axes={0}](a)\n@return(b)\n}\n@return(y)\n", "GEN021", 2,
    ),
    "what is outside": ("x = @param:x -> {4}\ny = op(x) (a) {\nb = add(a, x)\n@return(b)\n}\n@return(y)\n", "GEN004", 3),
    "parameters that are too few": ("x = @param:x -> {4}\ny = op(x) () {\n@return(x)\n}\n@return(y)\n", "GEN021", 2),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_refused(name: str) -> None:
    text, code, line = CASES[name]
    with pytest.raises(InputError) as error:
        _ = asmgen.compile(text, target="gfx942")
    place = error.value.place
    assert error.value.code == code, str(error.value)
    assert getattr(place, "line", None) == line, str(error.value)


def test_the_tile_that_a_workgroup_has_is_taken() -> None:
    assert asmgen.compile(TILED.format("8,128"), target="gfx942").kernels
    with pytest.raises(InputError, match=r"no tile, or one of 1024 elements next to each other"):
        _ = asmgen.compile(TILED.format("64,128"), target="gfx942")
