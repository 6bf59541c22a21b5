"""Index spaces: how the elements of an output, numbered row-major, reach the elements of the buffers it is
made of.

A *space* is the dims of one output. An *access* says where a buffer's element for a point of the space lies:
one stride per dim of the space, in elements, 0 where the buffer is broadcast. Adjacent dims that every access
walks alike are merged, so that most programs have a space of one dim.
"""

from __future__ import annotations

from typing import NamedTuple

Strides = tuple[int, ...]
DimMap = tuple[
    int | None, ...
]  # for each dim of a value, the dim of the space it follows; None where it does not move


class Space(NamedTuple):
    """Dims without those of size 1, adjacent ones merged; `merged[i]` lists the original dims of dim i,
    outermost first."""

    dims: tuple[int, ...]
    merged: tuple[tuple[int, ...], ...]

    @property
    def elements(self) -> int:
        count = 1
        for dim in self.dims:
            count *= dim
        return count

    def strides(self, original: Strides) -> Strides:
        """The strides over the merged dims of an access given over the original dims."""
        return tuple(original[group[-1]] for group in self.merged)


def access_strides(rank: int, dims: tuple[int, ...], strides: Strides, dim_map: DimMap) -> Strides:
    """The access over a space of `rank` dims of a buffer with `dims` and `strides`, whose dims follow
    `dim_map`."""
    result = [0] * rank
    for dim, stride, target in zip(dims, strides, dim_map, strict=True):
        if target is not None and dim > 1:
            result[target] += stride
    return tuple(result)


def merge_dims(dims: tuple[int, ...], accesses: list[Strides]) -> Space:
    """The smallest space on which every access is still a stride per dim."""
    merged: list[list[int]] = []
    sizes: list[int] = []
    for index, size in enumerate(dims):
        if size == 1:
            continue
        if merged and all(strides[merged[-1][-1]] == strides[index] * size for strides in accesses):
            merged[-1].append(index)
            sizes[-1] *= size
        else:
            merged.append([index])
            sizes.append(size)
    return Space(tuple(sizes), tuple(tuple(group) for group in merged))


def vector_width(space: Space, widest_bytes: int) -> int:
    """How many consecutive elements one lane takes.

    At most 16 bytes of the widest element type, a power of two, no more than the space has. A space of one
    dim takes any width, since the last lane may step back; with more dims the innermost one must be a
    multiple, so that the elements of a lane differ in it alone.
    """
    width = max(1, 16 // widest_bytes)
    while width > 1 and (width > space.elements or (len(space.dims) > 1 and space.dims[-1] % width)):
        width //= 2
    return width
