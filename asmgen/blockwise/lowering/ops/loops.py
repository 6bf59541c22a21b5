"""`for`: a loop of lanewise that carries the vectors of the carried tiles. A loop of at most one trip is an
`if`, so that no later stage moves its statements out of it.

Registers of a tile may have the same element: of bytes with two numbers each, which `unpack` takes apart, two
registers have each byte. A loop carries one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext

from asmgen.blockwise import actions as ops
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.layout.queries import vector_bits
from asmgen.blockwise.lowering.context import Context
from asmgen.blockwise.lowering.tile import Bits, Tile, grouping, of_vectors, vectors
from asmgen.blockwise.types import TileType
from asmgen.index.size import floors_of
from asmgen.ir.program import Value
from asmgen.ir.types import U32

LONGEST = 3  # bits of a carried vector, if nothing determines its length

Body = Callable[[Sequence[Tile]], Sequence[Tile]]


def loop(
    context: Context,
    action: ops.For,
    carried: Sequence[Tile],
    wanted: Sequence[Bits],
    copies: Sequence[Bits],
    body: Body,
) -> list[Tile]:
    """Make a loop with carried tiles. `wanted` are the register bits of the carried vectors; if empty, the
    vectors of the initial tile. `copies` are the register bits that make no difference, in any trip.
    """
    builder, indices = context.builder, context.indices
    whole = [tile.type for tile in carried]
    initial = [without_copies(tile, same) for tile, same in zip(carried, copies, strict=True)]
    bits = [asked or vector_form(tile) for tile, asked in zip(initial, wanted, strict=True)]
    first = [value for tile, own in zip(initial, bits, strict=True) for value in vectors(builder, tile, own)]
    start, stop = indices.value(action.start), indices.value(action.stop)
    types = [tile.type for tile in initial]
    is_once = (action.stop - action.start).high <= action.step and not action.staggered
    trip = builder.fresh(f"trip_{action.counter.name}")
    indices.count(action.counter, action.start, 0 if is_once else action.step, trip)

    def tiles(values: Sequence[Value]) -> list[Tile]:
        rest = list(values)
        found: list[Tile] = []
        for type_, own, of, same in zip(types, bits, whole, copies, strict=True):
            count = type_.layout.register_count >> len(own)
            found.append(_with_copies(of_vectors(type_, own, rest[:count]), of, same))
            rest = rest[count:]
        return found

    def turn(counter: Value, carried: tuple[Value, ...]) -> list[Value]:
        indices.define(action.counter, counter)
        with indices.nested(), context.at_least(floors_of(action.stop - action.start)):
            context.loops += not is_once
            after = body(tiles(carried))
            context.loops -= not is_once
            return [
                value
                for tile, own, same in zip(after, bits, copies, strict=True)
                for value in vectors(builder, without_copies(tile, same), own)
            ]

    if is_once:
        return tiles(builder.if_(builder.less(start, stop), lambda: turn(start, tuple(first)), lambda: first))
    step = builder.constant(action.step, U32)
    with context.staggered() if action.staggered else nullcontext():
        results = builder.for_(start, stop, step, first, turn, trip)
    return tiles(results)


def without_copies(tile: Tile, copies: Bits) -> Tile:
    """A tile with one of the registers that differ in the bits of `copies` alone."""
    if not copies:
        return tile
    of, together = tile.layout, sum(1 << bit for bit in copies)
    kept = [register for register in range(of.register_count) if not register & together]
    bases = tuple([basis for bit, basis in enumerate(of.registers) if bit not in copies])
    type_ = tile.type._replace(layout=of._replace(registers=bases))
    return Tile(type_, tuple([tile.elements[register] for register in kept]), tile.in_last)


def _with_copies(tile: Tile, type_: TileType, copies: Bits) -> Tile:
    """The tile of all registers."""
    if not copies:
        return tile
    together = sum(1 << bit for bit in copies)
    kept = [register for register in range(type_.layout.register_count) if not register & together]
    of_kept = dict(zip(kept, tile.elements, strict=True))
    elements = [of_kept[register & ~together] for register in range(type_.layout.register_count)]
    return Tile(type_, tuple(elements), tile.in_last)


def vector_form(tile: Tile) -> Bits:
    """The register bits of the vectors that a tile consists of; if it does not, of the longest vectors along
    one axis."""
    return grouping(tile) or _bits_of(tile.layout)


def _bits_of(layout: Layout) -> Bits:
    return max((vector_bits(layout, axis) for axis in range(layout.rank)), key=len)[:LONGEST]
