"""Layouts and placements as arrays: by wave, lane and register, and by element."""

from __future__ import annotations

from functools import lru_cache
from math import prod

import numpy as np
from numpy.typing import NDArray

from asmgen.blockwise.layout import f2
from asmgen.blockwise.layout.layout import Layout, Sizes
from asmgen.blockwise.layout.placement import Placement
from asmgen.blockwise.layout.queries import copying

Numbers = NDArray[np.int64]


@lru_cache(maxsize=256)
def coordinates(layout: Layout) -> tuple[Numbers, ...]:
    """For each axis the coordinate of the element of every holder: int64[wave, lane, register]."""
    parts = (layout.registers, layout.lanes, layout.waves)
    registers, lanes, waves = (np.array(f2.image(part), np.int64) for part in parts)
    number: Numbers = (
        waves[:, None, None] ^ lanes[None, :, None] ^ np.tile(registers, layout.repeats)[None, None, :]
    )
    inside = _split(number, layout.sizes)
    turns = _split(np.repeat(np.arange(layout.repeats), len(registers)), layout.counts)
    return tuple([place + turn * size for place, turn, size in zip(inside, turns, layout.sizes, strict=True)])


def _split(numbers: Numbers, sizes: Sizes) -> tuple[Numbers, ...]:
    """The coordinates of row-major numbers."""
    parts: list[Numbers] = []
    for size in reversed(sizes):
        parts.append(numbers % size)
        numbers = numbers // size
    return tuple(reversed(parts))


@lru_cache(maxsize=256)
def elements(layout: Layout) -> Numbers:
    """The row-major number, in the whole tile, of the element of every holder."""
    return np.ravel_multi_index(coordinates(layout), layout.shape)


@lru_cache(maxsize=256)
def waves(layout: Layout) -> Numbers:
    """The wave of every holder."""
    number: Numbers = np.arange(layout.wave_count)[:, None, None]
    return np.broadcast_to(number, elements(layout).shape)


@lru_cache(maxsize=256)
def writers(layout: Layout) -> NDArray[np.bool_]:
    """Whether a holder is the first of those with copies of an element: bool[wave, lane, register]."""
    copies = copying(layout)
    shape = layout.wave_count, layout.lane_count, layout.register_count
    written = np.ones(shape, np.bool_)
    for axis, bits in enumerate((copies.waves, copies.lanes, copies.registers)):
        number = np.arange(shape[axis]).reshape([-1 if at == axis else 1 for at in range(3)])
        written = written & ((number & sum(1 << bit for bit in bits)) == 0)
    return written


@lru_cache(maxsize=256)
def offsets(placement: Placement) -> Numbers:
    """The offset of each element in a slot of LDS, by its coordinates, padding included."""
    counts = placement.repeat or (1,) * len(placement.sizes)
    turns = _split(np.arange(prod(counts)), counts)
    inside = _split(np.array(f2.image(placement.offsets)), placement.sizes)
    pairs = zip(turns, inside, placement.sizes, strict=True)
    at = tuple([(turn[:, None] * size + place[None, :]).reshape(-1) for turn, place, size in pairs])
    number = np.arange(len(at[0]))
    every, extra = placement.padding
    table = np.zeros(placement.shape, np.int64)
    table[at] = number + number // every * extra if every else number
    return table


@lru_cache(maxsize=256)
def _places(layout: Layout) -> Numbers:
    """The register of each element in each lane of each wave, or -1 if the lane does not have the element:
    int64[wave, lane, element].
    """
    have = elements(layout)
    places = np.full((*have.shape[:2], prod(layout.shape)), -1)
    own: Numbers = np.indices(have.shape)[2]
    np.put_along_axis(places, have, own, axis=2)
    return places


def registers_of(layout: Layout, wanted: Numbers) -> Numbers:
    """The register in which each lane of each wave has an element itself.

    `wanted` and the result are by wave, lane and register. Raises `ValueError` if a lane does not have the
    element.
    """
    registers = np.take_along_axis(_places(layout), wanted, axis=2)
    if (registers < 0).any():
        wave, lane, register = (int(numbers[0]) for numbers in np.nonzero(registers < 0))
        raise ValueError(
            f"lane {lane} of wave {wave} has no element {wanted[wave, lane, register]} of its own"
        )
    return registers
