"""Exchanges values between the lanes of a wave, and between waves through LDS.

A reduction over a whole wave leaves its result in the last lane. If the result is only stored, that lane
stores it; if other lanes need it, they read it from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from asmgen.blockwise.lowering.context import Context
from asmgen.blockwise.lowering.tile import Element, Tile, gathered, scalar, vector_elements
from asmgen.index import Index, constant
from asmgen.ir.program import Value, lane_type
from asmgen.ir.types import U32
from isa.target import WIDEST_ACCESS


def from_lane(context: Context, value: Value, bit: int) -> Value:
    """The value of the lane with the same number except for a bit."""
    builder = context.builder
    other = builder.bitwise_xor(context.indices.lane(), builder.constant(1 << bit, U32))
    return builder.lane_shuffle(value, other)


def from_last(context: Context, value: Value) -> Value:
    """The value of the last lane of the wave."""
    builder = context.builder
    return builder.lane_shuffle(value, builder.constant(context.kernel.lanes - 1, U32))


def everywhere(context: Context, tile: Tile) -> Tile:
    """The tile with its elements in every lane that is to have them."""
    if not tile.in_last:
        return tile
    words = [context.word(scalar(context.builder, element)) for element in tile.elements]
    passed = {word: from_last(context, word) for word in words}
    whole = [Element(context.of_word(passed[word], tile.type.element)) for word in words]
    return tile._replace(elements=tuple(whole), in_last=False)


def from_waves(
    context: Context, values: Sequence[Value], copies: Sequence[int], bits: Sequence[int]
) -> list[list[Value]]:
    """For each value those of the waves that differ in `bits`, in the order of these bits, the first the
    lowest.
    """
    found: list[list[Value]] = []
    for vectors in vectors_from_waves(context, values, copies, bits):
        each = [vector_elements(vector) for vector in vectors]
        found += [[scalar(context.builder, one) for one in ones] for ones in zip(*each, strict=True)]
    return found


def vectors_from_waves(
    context: Context, values: Sequence[Value], copies: Sequence[int], bits: Sequence[int]
) -> list[list[Value]]:
    """The same for vectors of adjacent values that fit in an access of LDS.

    Lanes with numbers that differ only in the bits `copies` have the same value, and the first of them
    writes it. Every wave reads the same values in the same order.
    """
    builder = context.builder
    lanes = context.kernel.lanes.bit_length() - 1
    kept = [bit for bit in range(lanes) if bit not in copies]
    slots = 1 << len(kept)
    of_wave = slots * len(values)
    element = lane_type(values[0]).element
    lds = context.lds(element, of_wave * context.kernel.waves)
    length = gcd(len(values), WIDEST_ACCESS // element.bytes)
    steps = [of_wave << wave for wave in range(context.kernel.waves.bit_length() - 1)]
    own = _at(context, kept, length, steps)
    firsts = range(0, len(values), length)
    places = [context.indices.address(own + number * slots, element.bytes, length) for number in firsts]
    elements = [Element(value) for value in values]
    written = [gathered(builder, elements[first : first + length]) for first in firsts]

    def write() -> None:
        for (index, offset, touched), value in zip(places, written, strict=True):
            builder.lds_store(lds, index, value, offset, touched)

    first = context.one_of_copies(copies, ())
    context.before_write(lds)
    context.guarded(first, write)
    builder.barrier()
    waves = range(len(steps))
    others = _at(context, kept, length, [0 if wave in bits else steps[wave] for wave in waves])
    found: list[list[Value]] = []
    if of_wave == 1 and len(bits) == len(waves):
        return [_in_order(context, lds, 1 << len(bits), bits)]
    for number in firsts:
        from_here = [
            others + number * slots + of_wave * _deposited(count, bits) for count in range(1 << len(bits))
        ]
        addresses = [context.indices.address(place, element.bytes, length) for place in from_here]
        found.append(
            [builder.lds_load(lds, index, length, offset, touched) for index, offset, touched in addresses]
        )
    return found


def _in_order(context: Context, lds: Value, waves: int, bits: Sequence[int]) -> list[Value]:
    """A number of each wave. The numbers are adjacent, so accesses of 16 bytes read them."""
    builder, longest = context.builder, WIDEST_ACCESS // lds.type.element.bytes
    loaded: list[Value] = []
    for first in range(0, waves, longest):
        count = min(longest, waves - first)
        touched = context.indices.touched(constant(first), lds.type.element.bytes, count)
        part = builder.lds_load(lds, builder.constant(first, U32), count, touched=touched)
        loaded += [builder.extract(part, at) for at in range(count)] if count > 1 else [part]
    return [loaded[_deposited(count, bits)] for count in range(waves)]


def _at(context: Context, kept: Sequence[int], length: int, of_waves: Sequence[int]) -> Index:
    """The place of a lane's vector among those that are written, and its wave's."""
    lanes = context.kernel.lanes.bit_length() - 1
    columns = [length << kept.index(bit) if bit in kept else 0 for bit in range(lanes)]
    within = context.places.image((*columns, *[0] * len(of_waves)))
    of_wave = constant(0)
    for wave, step in enumerate(of_waves):
        if step:
            bit = [0] * (lanes + len(of_waves))
            bit[lanes + wave] = 1
            of_wave += context.places.image(tuple(bit)) * step
    return within + of_wave


def _deposited(count: int, bits: Sequence[int]) -> int:
    """The number of a wave: the bits of `count`, moved to the places `bits`."""
    return sum(1 << bit for at, bit in enumerate(bits) if count >> at & 1)
