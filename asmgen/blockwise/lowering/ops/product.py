"""`contract`: outer products in the registers of a lane, or a matrix instruction for each tile of c and k.

Without a matrix instruction each vector of c is, for every k, `c[m,n:] + a[m,k] * b[k,n:]`: an element of a
times a vector of b.

With a matrix instruction, its `division` gives the registers of each tile: a layout of {32,32} that consists
of four tiles of {16,16} has the registers of each tile in the instruction's own order. For each k all tiles
of c are multiplied in turn, so that no product depends on the product before it.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.blockwise.layout.algebra import Division, divide
from asmgen.blockwise.layout.beside import matrix_of
from asmgen.blockwise.layout.layout import Layout, Sizes
from asmgen.blockwise.layout.queries import register_offsets, vector_bits
from asmgen.blockwise.lowering.context import Context
from asmgen.blockwise.lowering.ops.pointwise import register_of
from asmgen.blockwise.lowering.tile import (
    Bits,
    Element,
    Tile,
    elements_as,
    gathered,
    grouping,
    groups,
    of_vectors,
    vector_elements,
    vectors,
)
from asmgen.blockwise.matrix import Instruction, instruction
from asmgen.blockwise.types import TileType
from asmgen.ir.program import Value
from asmgen.ir.types import computed
from asmgen.lanewise.builder import LaneBuilder

LONGEST = 2  # bits of a vector if c has no vectors yet
# A dual instruction reads no two of its first factors, or of its second, from the same bank. Factors of four
# adjacent k have the four banks, so for each k the fourth column has the bank of a. A pair of such products
# has two k, and columns next to each other: the other k comes 3 columns later.
APART = 3


def contract(context: Context, a: Tile, b: Tile, c: Tile, type_: TileType) -> Tile:
    """c plus the products of a's rows and b's columns, for each k in turn, rounded to c's type once. Several
    matrices in waves of their own have the code of a single matrix."""
    a, b, c = [_of_wave(tile) for tile in (a, b, c)]
    builder, element = context.builder, computed(type_.element)
    bits = grouping(c) or vector_bits(c.layout, 1)[:LONGEST]
    totals = vectors(builder, c, bits, context.computed)
    of_a, of_b = [_Factors(builder, tile, elements_as(builder, tile, element)) for tile in (a, b)]
    offsets = register_offsets(c.layout)
    places_of = [[offsets[register] for register in registers] for registers in groups(c.layout, bits)]
    for k, number in _order(a.type.shape[1], len(places_of)):
        left = of_a.vector([(m, k) for m, _ in places_of[number]])
        right = of_b.vector([(k, n) for _, n in places_of[number]])
        totals[number] = builder.add(builder.mul(left, right), totals[number])
    return of_vectors(type_, bits, [context.rounded(total, type_.element) for total in totals])


class _Factors:
    """The elements of a factor by their coordinates, and vectors of them, each made once."""

    def __init__(self, builder: LaneBuilder, tile: Tile, elements: Sequence[Element]) -> None:
        self._builder = builder
        self._elements: dict[Sizes, Element] = {}
        for place, element in zip(register_offsets(tile.layout), elements, strict=True):
            _ = self._elements.setdefault(place, element)
        self._made: dict[tuple[Element, ...], Value] = {}

    def vector(self, places: Sequence[Sizes]) -> Value:
        """The vector of the elements at some coordinates."""
        elements = tuple([self._elements[place] for place in places])
        vector = self._made.get(elements)
        if vector is None:
            vector = self._made[elements] = gathered(self._builder, elements)
        return vector


def _order(summed: int, count: int) -> list[tuple[int, int]]:
    """The products of `count` vectors, each by its k and its vector. Every other k comes `APART` vectors
    later, among the products of the k before it."""
    late = min(APART, count - 1)
    all_ = [(k, number) for k in range(summed) for number in range(count)]
    return sorted(all_, key=lambda each: (each[0] // 2 * count + each[0] % 2 * late + each[1], each[0]))


def by_instruction(
    context: Context, by: str, a: Tile, b: Tile, c: Tile, type_: TileType, scales: Sequence[Tile] = ()
) -> Tile:
    """c plus the products of the tiles of a and b. They change places if c is transposed in its registers."""
    a, b, c = [_of_wave(tile) for tile in (a, b, c)]
    of_a, of_b, of_c = [_Parts(context, tile, number, by) for number, tile in enumerate((a, b, c))]
    is_turned = _instruction(context, by).is_turned(c.type.layout)
    powers = [_of_wave(tile) for tile in scales]
    places = register_offsets(of_c.placed)
    totals = {place: of_c.vector(place) for place in places}
    for k in range(of_a.placed.shape[1]):
        for m, n in places:
            factors = (of_a.vector((m, k)), of_b.vector((k, n)))
            left, right = reversed(factors) if is_turned else factors
            of_factors = [
                _scale(context, by, tile, number, place)
                for number, (tile, place) in enumerate(zip(powers, ((m, k), (k, n)), strict=False))
            ]
            ordered = reversed(of_factors) if is_turned else of_factors
            totals[m, n] = context.builder.matrix(by, left, right, totals[m, n], *ordered)
    elements: dict[int, Element] = {}
    for place, total in totals.items():
        elements.update(zip(of_c.registers(place), vector_elements(total), strict=True))
    return Tile(type_, tuple([elements[register] for register in range(type_.layout.register_count)]))


def operand_bits(context: Context, by: str, number: int, layout: Layout) -> Bits:
    """The register bits of the vectors of an operand, in which loops carry it: an instruction's tiles; parts
    of rows if the target multiplies in pairs; else none.
    """
    if by:
        return _division(context, _matrix(layout), number, by).bits
    return vector_bits(_matrix(layout), 1)[:LONGEST] if context.target.packed_f32 else ()


def _of_wave(tile: Tile) -> Tile:
    """The matrix that a wave has."""
    return Tile(TileType(tile.type.element, _matrix(tile.layout)), tile.elements, tile.in_last)


def _matrix(layout: Layout) -> Layout:
    matrix = matrix_of(layout)
    assert matrix is not None, "the verifier has found a matrix for each wave"
    return matrix


def _division(context: Context, layout: Layout, number: int, by: str) -> Division:
    division = _instruction(context, by).division(number, layout)
    assert division is not None, "the verifier has divided it"
    return division


def _instruction(context: Context, by: str) -> Instruction:
    matrix = instruction(by, context.target)
    assert matrix is not None, "the verifier knows the instruction"
    return matrix


def _scale(context: Context, by: str, tile: Tile, number: int, place: Sizes) -> Value:
    """The scales of an instruction's tile of a factor, a scale in each lane."""
    scales = _instruction(context, by).scales
    division = divide(tile.layout, scales[number]) if scales else None
    assert division is not None, "the verifier has divided it"
    at = register_of(division.quotient, place)
    first = sum(1 << bit for index, bit in enumerate(division.rest) if at >> index & 1)
    first |= at >> len(division.rest) << len(tile.layout.registers)
    return gathered(context.builder, [tile.elements[first]])


class _Parts:
    """An operand as the instruction's tiles; each is one vector, made when it is first asked for."""

    def __init__(self, context: Context, tile: Tile, number: int, by: str) -> None:
        self._context = context
        self._tile = tile
        self._division = _division(context, tile.layout, number, by)
        self._made: dict[Sizes, Value] = {}

    @property
    def placed(self) -> Layout:
        """The places of the tiles."""
        return self._division.quotient

    def vector(self, place: Sizes) -> Value:
        """The registers of the tile at a place of lane 0 in wave 0."""
        if place not in self._made:
            elements = [self._tile.elements[register] for register in self.registers(place)]
            self._made[place] = gathered(self._context.builder, elements)
        return self._made[place]

    def registers(self, place: Sizes) -> list[int]:
        """The registers of a tile, in the instruction's order."""
        division, number = self._division, register_of(self.placed, place)
        own = len(division.rest)
        first = sum(1 << bit for at, bit in enumerate(division.rest) if number >> at & 1)
        first |= number >> own << len(self._tile.layout.registers)
        return [
            first | sum(1 << bit for at, bit in enumerate(division.bits) if step >> at & 1)
            for step in range(1 << len(division.bits))
        ]
