"""The sums of a trip of a matrix product, from its factors in registers and LDS."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.beside import beside
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.matrix import Instruction
from asmgen.blockwise.program import TileValue
from asmgen.blockwise.schedules.choices import Contract, products_read
from asmgen.blockwise.schedules.pages.product_factors import Factor
from asmgen.blockwise.schedules.pages.product_layouts import Operands, of_instruction, of_lanes
from asmgen.blockwise.types import TileType
from asmgen.graph.block_dots import has_powers
from asmgen.graph.fusion.siblings import Strip
from asmgen.index import Index
from asmgen.ir.types import E8M0, ElementType
from isa.target import Target


class Multiplier:
    """Multiplies the factors of a trip. `stored` is the bytes of an element of the results if lanes store
    several of them together, 0 if not. The factors have the type `element`."""

    def __init__(
        self,
        builder: TileBuilder,
        choice: Contract,
        strips: Sequence[Strip],
        operands: Operands,
        by: Instruction | None,
        stored: int,
        element: ElementType,
        target: Target,
    ) -> None:
        self._builder, self._choice, self._strips = builder, choice, strips
        self._operands, self._by, self._stored = operands, by, stored
        self._element, self._target = element, target

    def multiplied(
        self,
        factors: Sequence[Factor],
        read: Sequence[TileValue],
        so_far: Sequence[TileValue],
        slot: Index,
        of_scales: Sequence[Factor],
    ) -> list[TileValue]:
        """The sums of each product after a trip. Outer products read a few products along k at a time, since
        the factors of all of them would take most of a lane's registers."""
        choice, sums = self._choice, list(so_far)
        if choice.slices:
            return self._by_slices(factors, sums, slot)
        if choice.staggered:
            return self._in_turn(factors, sums, slot)
        length = choice.k if choice.by else products_read(choice, self._target)
        for first in range(0, choice.k, length):
            ready = [
                self.from_lds(factor, self._held(factor, length), first, slot) if factor.lds else loaded
                for factor, loaded in zip(factors, read, strict=True)
            ]
            powers = [self.from_lds(each, each.held, 0, slot, E8M0) for each in of_scales]
            if choice.buffers == 1 and first + length == choice.k:
                self._builder.barrier()
            sums = self.contracted([*factors, *of_scales], [*ready, *powers], sums)
        return sums

    def along(self, factors: Sequence[Factor], sums: Sequence[TileValue], slot: Index) -> list[TileValue]:
        """The sums of waves that lie along k, after the part of a trip that they have in LDS."""
        choice, found = self._choice, list(sums)
        length = choice.depth if choice.by else products_read(choice, self._target)
        for first in range(0, choice.depth, length):
            ready = [self.from_lds(factor, self._held(factor, length), first, slot) for factor in factors]
            found = self.contracted(factors, ready, found)
        return found

    def _by_slices(self, factors: Sequence[Factor], sums: list[TileValue], slot: Index) -> list[TileValue]:
        """The sums of a trip, slice by slice along k. The first slice is read at the end of a stage. Copies
        need a barrier before the products of the last slice: so they may start early in the trip. Stores of
        the next trip come before the barrier that they have in common with its first slice."""
        builder, choice = self._builder, self._choice
        assert choice.slices is not None and self._by is not None
        depth = choice.k // choice.slices
        own = of_instruction(replace(choice, k=depth), self._by, self._stored)

        def loaded(first: int) -> list[TileValue]:
            return [
                self.from_lds(factor, own.b if factor.number else own.a, first, slot) for factor in factors
            ]

        ready = loaded(0)
        builder.stage()
        for first in range(depth, choice.k, depth):
            following = loaded(first)
            if first + depth == choice.k and choice.copies:
                builder.barrier()
            sums = self.contracted(factors, ready, sums)
            ready = following
        return self.contracted(factors, ready, sums)

    def _in_turn(self, factors: Sequence[Factor], sums: list[TileValue], slot: Index) -> list[TileValue]:
        """The sums of a trip of waves out of step. Those that multiply issue before those that read.
        Priorities change outside of the barriers, so that the first half has begun to multiply when the pipe
        of the other half is empty: a trip takes 2,056 clocks, 2,072 with priorities inside."""
        builder = self._builder
        ready = [self.from_lds(factor, factor.held, 0, slot) for factor in factors]
        builder.priority(1)
        builder.barrier()
        sums = self.contracted(factors, ready, sums)
        builder.barrier()
        builder.priority(0)
        return sums

    def _held(self, factor: Factor, length: int) -> Layout:
        """The layout in which lanes multiply `length` products along k of a factor at a time."""
        if self._choice.by:
            return factor.held
        own = of_lanes(self._operands.c, length, factor.number)
        return beside(own, self._choice.waves) if self._choice.along else own

    def from_lds(
        self, factor: Factor, held: Layout, first: int, slot: Index, element: ElementType | None = None
    ) -> TileValue:
        """A part of a factor, or of scales of this type, from LDS, from its product `first` along k on."""
        assert factor.lds is not None
        at = () if held is factor.held else (first, 0) if factor.number else (0, first)
        at = (0, *at) if at and self._choice.along else at
        return self._builder.lds_load(
            factor.lds, TileType(element or self._element, held), at, slot, factor.by
        )

    def contracted(
        self,
        factors: Sequence[Factor],
        ready: Sequence[TileValue],
        sums: Sequence[TileValue],
    ) -> list[TileValue]:
        """The sums with the products of the factors that are ready, and of scales of the instruction."""
        tiles = {
            (factor.number, factor.value, factor.strip): tile
            for factor, tile in zip(factors, ready, strict=True)
        }
        return [
            self._builder.contract(
                tiles[0, dot.operands[0], row],
                tiles[1, dot.operands[1], column],
                total,
                self._choice.by,
                [tiles[number, dot.operands[2 + number], 0] for number in (0, 1)] if has_powers(dot) else (),
            )
            for (dot, (row, column), _), total in zip(self._strips, sums, strict=True)
        ]
