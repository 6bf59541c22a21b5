"""Questions about a layout: the width of an access, the lanes with copies, the bits along an axis.

reg(0:1 0:2 1:0) lane(0:4 0:8 0:0)      four elements of a row make an access; lanes 0 and 4 have copies
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from asmgen.blockwise.layout.layout import Layout, Sizes, join, split
from isa.named_tuple import NamedTuple


class Bits(NamedTuple):
    """Bits of a holder: numbers of register bits, lane bits and wave bits."""

    registers: tuple[int, ...]
    lanes: tuple[int, ...]
    waves: tuple[int, ...]


@cache
def vector_bits(of: Layout, axis: int) -> tuple[int, ...]:
    """The register bits that together give 2, 4, 8, ... consecutive elements along `axis`, lowest step first.

    Memory is contiguous along `axis`: `1 << len(vector_bits(...))` elements make an access, aligned to its
    size within the tile. Any register bit will do, because renaming registers costs nothing.
    """
    unit = join(tuple([1 if at == axis else 0 for at in range(of.rank)]), of.sizes)
    bits: list[int] = []
    while len(bits) < len(of.registers) and of.sizes[axis] >> len(bits) > 1:
        basis = unit << len(bits)
        if basis not in of.registers or sum(bool(other & basis) for other in of.columns) > 1:
            break
        bits.append(of.registers.index(basis))
    return tuple(bits)


@cache
def copying(of: Layout) -> Bits:
    """The bits of copies: holders that differ in them have the same element. Only holders with 0 in these
    bits store."""
    return _bits(of, lambda basis: basis == 0)


@cache
def along(of: Layout, axis: int) -> Bits:
    """The bits with bases that step along an axis, and perhaps along other axes too."""
    return _bits(of, lambda basis: split(basis, of.sizes)[axis] != 0)


@cache
def within_axes(of: Layout, axes: tuple[int, ...]) -> Bits:
    """The bits with bases along `axes` only. A reduction along `axes` combines over these bits."""
    outside = _elements_along(of, tuple([axis for axis in range(of.rank) if axis not in axes]))
    return _bits(of, lambda basis: basis != 0 and not basis & outside)


@cache
def mixed(of: Layout, axes: tuple[int, ...]) -> tuple[int, ...]:
    """The bases that have parts both along `axes` and elsewhere."""
    inside = _elements_along(of, axes)
    return tuple([basis for basis in of.columns if basis & inside and basis & ~inside])


@cache
def kept_registers(of: Layout, axes: tuple[int, ...]) -> tuple[int, ...]:
    """For each register the register of a reduction's result along `axes` that it is combined into."""
    along = within_axes(of, axes).registers
    kept = [bit for bit, basis in enumerate(of.registers) if bit not in along and basis]
    counts = [1 if axis in axes else count for axis, count in enumerate(of.counts)]
    registers: list[int] = []
    for register in range(of.register_count):
        turn = split(register >> len(of.registers), of.counts)
        place = join(tuple([0 if axis in axes else at for axis, at in enumerate(turn)]), tuple(counts))
        inside = sum((register >> bit & 1) << at for at, bit in enumerate(kept))
        registers.append(inside | place << len(kept))
    return tuple(registers)


@cache
def register_offsets(of: Layout) -> tuple[Sizes, ...]:
    """For each register the coordinates of its element in lane 0 of wave 0.

    In another lane they are the XOR of these and of lane and wave's.
    """
    elements: list[Sizes] = []
    inside = [0]
    for basis in of.registers:
        inside += [basis ^ element for element in inside]
    for turn in range(of.repeats):
        origin = [at * size for at, size in zip(split(turn, of.counts), of.sizes, strict=True)]
        for element in inside:
            elements.append(
                tuple([start + at for start, at in zip(origin, split(element, of.sizes), strict=True)])
            )
    return tuple(elements)


def _elements_along(of: Layout, axes: tuple[int, ...]) -> int:
    """All bits of an element's number that are of coordinates along `axes`."""
    return join(tuple([size - 1 if axis in axes else 0 for axis, size in enumerate(of.sizes)]), of.sizes)


def _bits(of: Layout, is_one: Callable[[int], bool]) -> Bits:
    return Bits(
        *(
            tuple([bit for bit, basis in enumerate(part) if is_one(basis)])
            for part in (of.registers, of.lanes, of.waves)
        )
    )
