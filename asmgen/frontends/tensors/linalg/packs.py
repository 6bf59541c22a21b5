"""Tensors in tiles: `linalg.pack` and `linalg.unpack`.

    %p = linalg.pack %a padding_value(%z : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 4]
         into %e : tensor<5x6xf32> -> tensor<3x2x2x4xf32>

is a pad to 6 by 8, a reshape to {3,2,2,4}, of which axes 0 and 2 count tiles, and a transpose to axes 0, 2, 1
and 3. `outer_dims_perm` permutes the axes that count tiles; axes without tiles are among these.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from asmgen.frontends.tensors.op_call import OpCall, Results
from asmgen.frontends.tensors.stablehlo.shapes import padded_by, permuted, reshaped, sliced
from asmgen.index.size import numbers
from asmgen.mlir.source import DYNAMIC
from isa.named_tuple import NamedTuple


class _Tiling(NamedTuple):
    """The tiles of a tensor: `split` has each of its axes as one axis, or as the number of tiles and the
    elements of a tile. Axis i of the packed tensor is axis `order[i]` of all of these."""

    split: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]

    @property
    def apart(self) -> tuple[int, ...]:
        return tuple([dim for dims in self.split for dim in dims])

    @property
    def whole(self) -> tuple[int, ...]:
        """The dims of the tensor with all elements of its last tiles."""
        return tuple([prod(dims) for dims in self.split])


def _tiling(call: OpCall, dims: tuple[int, ...]) -> _Tiling:
    tiled, tiles = call.operation.integers("inner_dims_pos"), call.operation.integers("static_inner_tiles")
    if DYNAMIC in tiles:
        call.refuse("sizes of tiles are operands, wanted numbers")
    tile_of = dict(zip(tiled, tiles, strict=True))
    split = tuple(
        [
            (-(-dim // tile_of[axis]), tile_of[axis]) if axis in tile_of else (dim,)
            for axis, dim in enumerate(dims)
        ]
    )
    first = [sum(map(len, split[:axis])) for axis in range(len(dims))]
    outer = call.operation.integers("outer_dims_perm") or range(len(dims))
    return _Tiling(split, (*[first[axis] for axis in outer], *[first[axis] + 1 for axis in tiled]))


def _pack(call: OpCall) -> Results:
    x, dims = call.arrays[0], numbers(call.arrays[0].type.dims)
    tiling = _tiling(call, dims)
    missing = tuple([whole - dim for whole, dim in zip(tiling.whole, dims, strict=True)])
    if any(missing):
        _, _, padding, *_ = call.operation.segments()
        assert padding, "the parser wants a padding value for tiles in part"
        nothing = (0,) * len(dims)
        x = padded_by(call, x, call.arrays[2], nothing, missing, nothing)
    return permuted(reshaped(x, tiling.apart), tiling.order)


def _unpack(call: OpCall) -> Results:
    dims = numbers(call.type.dims)
    tiling = _tiling(call, dims)
    apart = permuted(call.arrays[0], [tiling.order.index(axis) for axis in range(len(tiling.order))])
    return sliced(reshaped(apart, tiling.whole), (0,) * len(dims), dims)


RULES: dict[str, Callable[[OpCall], Results]] = {"linalg.pack": _pack, "linalg.unpack": _unpack}
