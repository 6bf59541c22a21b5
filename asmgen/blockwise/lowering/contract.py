"""`contract` without a matrix instruction: outer products of what each lane has.

A vector of c takes, for every k, its row of a repeated and the elements of b under it: `c + a[m,k] *
b[k,n:]`.
"""

from __future__ import annotations

from asmgen.blockwise.layout.queries import register_offsets, vector_bits
from asmgen.blockwise.lowering.context import Context
from asmgen.blockwise.lowering.pointwise import register_of
from asmgen.blockwise.lowering.tile import Tile, gathered, grouping, groups, of_vectors, vectors
from asmgen.blockwise.types import TileType

LONGEST = 2  # bits of a vector where c has none yet


def contract(context: Context, a: Tile, b: Tile, c: Tile, type_: TileType) -> Tile:
    """c and the products of a's rows and b's columns, one k after the other."""
    builder = context.builder
    bits = grouping(c) or vector_bits(c.layout, 1)[:LONGEST]
    totals = vectors(builder, c, bits)
    offsets = register_offsets(c.layout)
    _, summed = a.type.shape
    for k in range(summed):
        for number, registers in enumerate(groups(c.layout, bits)):
            places = [offsets[register] for register in registers]
            of_a = [a.elements[register_of(a.layout, (m, k))] for m, _ in places]
            of_b = [b.elements[register_of(b.layout, (k, n))] for _, n in places]
            product = builder.mul(gathered(builder, of_a), gathered(builder, of_b))
            totals[number] = builder.add(product, totals[number])
    return of_vectors(type_, bits, totals, c.is_exact)
