"""Contract: a matrix product, a tile of the result a workgroup, through LDS.

    {256,128} x {128,192} of f32 on gfx942    contract[m=64, n=64, k=16, waves=4, buffers=2]
    a lane has 4 rows by 4 columns of the result, 16 lanes lie along the columns, 4 along the rows

    {128,64} x {64,128} of f16                contract[..., k=32, waves=4, by=v_mfma_f32_16x16x16_f16]
    a wave has 4 by 4 tiles of 16 by 16 of the result, which its instructions multiply

For each step of `k`:

1. Lanes load a tile of both operands, up to 16 bytes each.
2. They store it to LDS, with a swizzle without bank conflicts on either side.
3. They load it from LDS in the layouts of the product (`product_layouts`): rows of a and columns of b, or the
   tiles of the matrix instruction.

A matrix instruction takes adjacent k: elements of a row of a, and of a column of b. An operand in which these
are neighbours in memory, such as a or the transpose of b, is loaded along k. Otherwise, as for b, memory has
rows of the other axis. If the target has loads from LDS that transpose, they turn b. If not, a lane loads
several rows and stores them side by side, which takes an instruction for each register that it stores: 8 a
trip for 128x128x32 of 16 bits. Fewer do not suffice:

- a register has two k of a column, in any order of k, and memory has two columns of a row in a register. So
  each stored register joins halves of two loaded registers, and an instruction writes one such register;
- as the first factor of the transposed product b' a', b takes adjacent k in a register too. The smaller
  matrix instructions also do;
- accesses that move halves, such as ds_write_b16_d16_hi, are 16 in place of 4;
- after the load from LDS there are more registers to join: waves that share columns each do it.

If the choice is `apart`, each wave has columns of its own, and b needs no LDS: a wave loads it in the layout
of the instruction, in which a lane has all k of its part of a trip next to each other. So it computes b from
packed weights once, and a row of 256 weights of 4 bits is a line of memory.

Waves store to a buffer while others still read the previous buffer, so that a trip needs a single barrier.
If the choice is `staggered`, half of the waves does so while the other half multiplies, and a trip has a
barrier before and after its products. The loop has the stages of the choice, and
`asmgen.blockwise.pipelining` writes the loop that reads ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from typing import TYPE_CHECKING

from msgspec.structs import replace

from asmgen.blockwise.actions import SCALED, Stage, TileLoad
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.beside import beside
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.layout.placement import Placement
from asmgen.blockwise.matrix import instruction
from asmgen.blockwise.program import Kernel, TileValue, layout_of
from asmgen.blockwise.schedules.choices import MANY_PRODUCTS, PART, Contract
from asmgen.blockwise.schedules.elements.indices import Indices, unflattened
from asmgen.blockwise.schedules.elements.neighbours import elements_of_load, loaded_bytes
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.pages.product_factors import Factor, Planner, factor_of_scales, is_along_k
from asmgen.blockwise.schedules.pages.product_layouts import of_lines, of_outer_products, of_slices
from asmgen.blockwise.schedules.pages.product_parts import groups_of_parts, in_parts
from asmgen.blockwise.schedules.pages.product_places import Tiles, grid_of, id_names
from asmgen.blockwise.schedules.pages.product_quads import of_quads, spread, summed_quads
from asmgen.blockwise.schedules.pages.product_reads import (
    Depth,
    Reader,
    Turn,
    end_loads,
    with_fixed_loads_before,
)
from asmgen.blockwise.schedules.pages.product_results import Place, conditions, store_results
from asmgen.blockwise.schedules.pages.product_sums import Multiplier
from asmgen.blockwise.schedules.pages.product_versions import in_versions
from asmgen.blockwise.schedules.pages.product_waves import added_up, waves_with_elements
from asmgen.blockwise.schedules.pages.reduction import shared
from asmgen.blockwise.schedules.tiles.body import Body
from asmgen.blockwise.schedules.tiles.buffers import Buffers, output_buffers
from asmgen.blockwise.types import LdsType, TileType, coordinates
from asmgen.graph.block_dots import block_of, has_powers
from asmgen.graph.fusion.siblings import strips
from asmgen.graph.ops import ADD, MUL
from asmgen.index import Index, constant
from asmgen.index.size import Sizes
from asmgen.ir.program import Statement, Value, tensor_type
from asmgen.ir.types import E8M0, computed
from isa.named_tuple import NamedTuple
from isa.registers import DWORD
from isa.target import Target

if TYPE_CHECKING:
    from asmgen.blockwise.schedules.pages.product_halves import Halves

_SHORT = 32  # trips of a loop


def schedule(graph: Graph, choice: Contract, target: Target) -> Kernel:
    """The kernel of a graph with a `dot` of matrices, or with several of the same types that share a factor,
    and pointwise ops before and after them. Each matrix of a batch has workgroups of its own."""
    return _Product(graph, choice, target).kernel()


class _Strip(NamedTuple):
    """The sums of products that have the same place."""

    place: Place
    sums: dict[Value, TileValue]

    def mapped(self, change: Callable[[TileValue], TileValue]) -> _Strip:
        """The strip with other tiles of sums."""
        return self._replace(sums={value: change(tile) for value, tile in self.sums.items()})


class _Product:
    def __init__(self, graph: Graph, choice: Contract, target: Target) -> None:
        self._strips = strips(graph.products)
        first = min(self._strips, key=lambda strip: prod(strip.counts)).dot  # of the least rows and columns
        self._graph, self._choice, self._target = graph, choice, target
        *batch, self._m, self._n = tensor_type(first.result).dims
        self._batch, self._k = tuple(batch), tensor_type(first.operands[0]).dims[-1] // (choice.parts or 1)
        self._grid = grid = grid_of(tensor_type(first.result).dims, choice, target)
        names = id_names(grid, graph)
        self._builder = TileBuilder(graph.module.name, names, choice.waves, target.wave_size, graph.place)
        self._ids = dict(zip(grid, self._builder.ids, strict=True))
        self._buffers = Buffers(self._builder, graph.defined)
        element = tensor_type(first.operands[0]).element
        self._by = by = instruction(choice.by, target) if choice.by else None
        self._has_powers = has_powers(first)
        is_wide = self._stores_wide() and not (self._has_powers or choice.quads or choice.lines)
        stored = tensor_type(first.result).element.bytes if is_wide else 0
        self._factor = element if by else computed(element)  # type of the factors
        self._sum = computed(element)
        # that of a wave, if waves lie along k
        self._own = replace(choice, waves=1, k=choice.depth, slices=None) if choice.along else choice
        self._has_halves = bool(choice.staggered and choice.copies)
        if choice.quads:
            self._own = of_quads(self._own)
        if self._has_halves:
            self._own = replace(choice, m=choice.m // 2)
        own, of_load = self._own, elements_of_load(graph.defined, first.operands[1])
        self._operands = of_slices(own, by, stored, of_load) if by else of_outer_products(own, target)
        self._tiles = Tiles(graph, choice, tensor_type(first.result).dims, target)
        begin = self._ids[PART] * self._k if choice.parts else constant(0)
        depth = Depth(begin, self._k)
        self._reader = Reader(self._builder, self._buffers, graph, choice, depth, self._factor)
        self._multiplier = Multiplier(
            self._builder, choice, self._strips, self._operands, by, stored, self._factor, target
        )

    def kernel(self) -> Kernel:
        builder, choice, c = self._builder, self._choice, self._beside(self._operands.c)
        outputs = output_buffers(builder, self._graph)
        for name, of in (("a_tile", self._operands.a), ("b_tile", self._operands.b), ("c_tile", c)):
            _ = builder.layout(name, of if of is c else self._beside(of))
        column, row = self._ids["column"], self._ids["row"]
        batch = unflattened(self._ids.get("batch", constant(0)), self._batch) if self._batch else ()
        first = (self._tiles.first(0, row), self._tiles.first(1, column))
        tile = coordinates((choice.waves, choice.m, choice.n) if choice.quads else c.shape)[-2:]
        at = (*batch, first[0] + tile[0], first[1] + tile[1])
        if self._has_halves:
            for number, totals in enumerate(self._in_halves(batch, first)):
                of_half = (*at[:-2], at[-2] + number * self._own.m, at[-1])
                place = Place((*self._batch, self._m, self._n), of_half, (row, column))
                self._store(self._by_strips(place, first, totals), outputs)
            return builder.kernel()
        factors = [factor for side in (0, 1) for factor in self._factors(side)]
        of_scales = self._factors_of_scales()
        zeros = tuple([builder.fill(0, TileType(self._sum, c)) for _ in self._strips])
        stages = choice.stages or self._stages(factors)

        def turn(factors: Sequence[Factor], first: Indices) -> Turn:
            if choice.along:
                return self._turn_of_waves(factors, batch, first)
            return self._turn_of_group(factors, of_scales, stages, at, first)

        each = turn(factors, first)
        carried = (*zeros, *self._first_tiles(factors, batch, first, stages))
        if len(carried) > len(zeros):
            each = self._turn_with_next(factors, batch, first)
        counts = groups_of_parts(self._graph, choice) if self._tiles.is_alone else ()
        if counts:

            def of_part(number: Index, sums: Sequence[TileValue]) -> list[TileValue]:
                return [*self._in_trips(sums, turn(factors, (first[0], number * choice.n)))]

            totals = in_parts(builder, column, counts, zeros, of_part)
        else:
            filled = [factor._replace(fills=factor.number in self._tiles.open) for factor in factors]
            totals = self._in_trips(carried, each, turn(filled, first) if self._tiles.open else None)
        place = Place((*self._batch, self._m, self._n), at, (row, column))
        strips = self._by_strips(place, first, totals[: len(zeros)])
        if choice.along:
            self._store_summed(strips, outputs)
        else:
            self._store(self._over_parts(strips), outputs)
        return builder.kernel()

    def _turn_of_group(
        self, factors: Sequence[Factor], of_scales: Sequence[Factor], stages: int, at: Indices, first: Indices
    ) -> Turn:
        """A trip of waves next to each other, which multiply what all of them have stored to LDS. The results
        are at `at`, and the factors begin at the row and column `first`."""
        builder, choice, c, batch = self._builder, self._choice, self._operands.c, at[:-2]
        has_copies = any(factor.copy for factor in factors)

        def turn(counter: Index, carried: Sequence[TileValue]) -> list[TileValue]:
            slot = counter // choice.k % choice.buffers
            read = [self._reader.read(factor, batch, first, counter) for factor in factors]
            scales = [self._scales(strip.dot, at, counter) for strip in self._strips]
            powers = [self._reader.tile(each, batch, first, counter // SCALED, E8M0) for each in of_scales]
            for factor, loaded in zip(factors, read, strict=True):
                if factor.copy and factor.lds:
                    self._reader.copy(loaded, factor.lds, factor.copy, slot)
            if has_copies and not choice.slices:
                builder.order()
            if stages > 1:
                end_loads(builder)
            for factor, loaded in zip(factors, read, strict=True):
                if factor.lds and not factor.copy:
                    builder.lds_store(loaded, factor.lds, slot=slot)
            for factor, loaded in zip(of_scales, powers, strict=True):
                assert factor.lds is not None, "scales go through LDS"
                builder.lds_store(loaded, factor.lds, slot=slot)
            if stages > 2:
                builder.stage()
            if has_copies:
                builder.async_wait()
            if not choice.staggered:
                builder.barrier()
            so_far = [
                total if scale is None else builder.fill(0, TileType(self._sum, c))
                for total, scale in zip(carried, scales, strict=True)
            ]
            sums = self._multiplier.multiplied(factors, read, so_far, slot, of_scales)
            return [
                part if scale is None else builder.pointwise(ADD, total, builder.pointwise(MUL, part, scale))
                for part, total, scale in zip(sums, carried, scales, strict=True)
            ]

        return turn

    def _in_trips(
        self, carried: Sequence[TileValue], turn: Turn, wide: Turn | None = None
    ) -> Sequence[TileValue]:
        """The sums after all trips along k. If only the launch knows k, a loop of whole trips needs no
        conditions, and a loop that runs once or never has the elements that are left. {4096,k} by {k,4096} of
        f16 on gfx942 takes 294 thousand clocks for a k of 4,096, 679 if each trip has conditions. If there is
        a trip `wide`, the loop of whole trips has a second version with it."""
        builder, step, is_staggered = self._builder, self._choice.k, bool(self._choice.staggered)
        length, whole = -(-self._k // step) * step, self._k // step * step
        is_known = isinstance(self._k, int)

        def trips(turn: Turn, sums: Sequence[TileValue]) -> Sequence[TileValue]:
            once = with_fixed_loads_before(builder, turn)
            return builder.for_("k", 0, length if is_known else whole, step, sums, once, is_staggered)

        if wide is None:
            totals = trips(turn, carried)
        else:
            tiles = [self._tiles.size(side) for side in sorted(self._tiles.open)]
            totals = in_versions(builder, tiles, carried, partial(trips, wide), partial(trips, turn))
        if is_known or length is whole:
            return totals

        def last(counter: Index, carried: Sequence[TileValue]) -> list[TileValue]:
            with builder.nested() as statements:
                builder.barrier()  # other waves may still read the slot that this trip stores to
                sums = turn(counter, carried)
            builder.statements.extend([each for each in statements if not isinstance(each.op, Stage)])
            return sums

        return builder.for_("rest", whole, length, step, totals, last)

    def _store(self, strips: Sequence[_Strip], outputs: Sequence[TileValue]) -> None:
        stored = None
        if self._choice.lines:
            size = max([tensor_type(value).element.bytes for value in self._graph.returns])
            stored = of_lines(self._operands.c, size, self._choice, self._target)
            self._builder.barrier()  # the results take the memory of the factors
        for place, sums in strips:
            of = layout_of(next(iter(sums.values())))
            store_results(self._builder, self._buffers, self._graph, of, place, sums, outputs, stored)

    def _by_strips(self, place: Place, first: Indices, totals: Sequence[TileValue]) -> list[_Strip]:
        """The sums of products that have the same dims and strips, and the place of each strip. `place` and
        `first` are those of the smallest products."""
        found: dict[tuple[Sizes, tuple[int, int]], _Strip] = {}
        for (dot, numbers, counts), total in zip(self._strips, totals, strict=True):
            dims = tensor_type(dot.result).dims
            sides = zip(first, place.at[-2:], (self._choice.m, self._choice.n), numbers, counts, strict=True)
            at = [own + start * (count - 1) + number * size for start, own, size, number, count in sides]
            new = [self._tiles.new(side, place.numbers[side] * counts[side], at[side]) for side in (0, 1)]
            moved = place._replace(dims=dims, at=(*place.at[:-2], *at), where=(*new[0], *new[1]))
            found.setdefault((dims, numbers), _Strip(moved, {})).sums[dot.result] = total
        return list(found.values())

    def _in_halves(self, batch: Indices, first: Indices) -> Halves:
        """The sums of the top and the bottom half of a tile (`product_halves`)."""
        from asmgen.blockwise.schedules.pages.product_halves import Part, Steps, in_halves

        choice, builder, multiplier = self._choice, self._builder, self._multiplier
        assert isinstance(self._k, int), "the choice fits (`misfit`)"
        begins = {Part.TOP: 0, Part.BOTTOM: self._own.m}  # rows of the tile
        factors = {
            part: [factor._replace(begin=begins.get(part, 0)) for factor in self._factors(side)]
            for part, side in ((Part.TOP, 0), (Part.BOTTOM, 0), (Part.COLUMNS, 1))
        }

        def slot(counter: Index) -> Index:
            return counter // choice.k % choice.buffers

        def copy(part: Part, counter: Index) -> None:
            for factor in factors[part]:
                assert factor.lds is not None and factor.copy is not None, "the choice fits (`misfit`)"
                loaded = self._reader.read(factor, batch, first, counter)
                self._reader.copy(loaded, factor.lds, factor.copy, slot(counter))

        def read(part: Part, counter: Index) -> list[TileValue]:
            return [multiplier.from_lds(each, each.held, 0, slot(counter)) for each in factors[part]]

        def multiply(
            rows: list[TileValue], columns: list[TileValue], totals: list[TileValue]
        ) -> list[TileValue]:
            both = [*factors[Part.TOP], *factors[Part.COLUMNS]]
            return multiplier.contracted(both, [*rows, *columns], totals)

        zeros = [builder.fill(0, TileType(self._sum, self._operands.c)) for _ in self._strips]
        copies = {part: len(own) for part, own in factors.items()}
        return in_halves(builder, Steps(copies, copy, read, multiply), self._k, choice.k, zeros)

    def _first_tiles(
        self, factors: Sequence[Factor], batch: Indices, first: Indices, stages: int
    ) -> list[TileValue]:
        """The tiles of the first trip, if every trip loads those of the next; none if not.

        The last trip loads its own tiles again. So it is part of the loop, and a trip of outer products is
        written once: 4,096 cubed of f32 on gfx1100 takes 600 lines, 913 with an epilogue."""
        builder, k = self._builder, self._k
        is_whole = isinstance(k, int) and k % self._choice.k == 0
        has_scales = any(map(block_of, self._graph.products))
        if self._by or stages == 1 or has_scales or not (is_whole and self._has_many_products()):
            return []
        with builder.nested() as loads:
            tiles = [self._reader.read(factor, batch, first, constant(0)) for factor in factors]
        if not all(isinstance(load.op, TileLoad) and not load.op.where for load in loads):
            return []
        builder.statements.extend(loads)
        return tiles

    def _has_many_products(self) -> bool:
        """Whether each unit certainly has so many products that LDS alone binds the launch."""
        dims = [dim for dim in (*self._batch, self._m, self._n, self._k) if isinstance(dim, int)]
        is_known = len(dims) == len(self._batch) + 3
        return is_known and prod(dims) >= MANY_PRODUCTS * self._target.units

    def _turn_with_next(self, factors: Sequence[Factor], batch: Indices, first: Indices) -> Turn:
        """A trip of outer products that carries its tiles, and loads the tiles of the next trip."""
        choice, builder = self._choice, self._builder
        assert isinstance(self._k, int), "the trips are whole (`_first_tiles`)"
        last = self._k - choice.k

        def turn(counter: Index, carried: Sequence[TileValue]) -> list[TileValue]:
            slot, count = counter // choice.k % choice.buffers, len(self._strips)
            for factor, tile in zip(factors, carried[count:], strict=True):
                assert factor.lds is not None, "the factors go through LDS"
                builder.lds_store(tile, factor.lds, slot=slot)
            following = (counter + choice.k).at_most(last)
            loaded = [self._reader.read(factor, batch, first, following) for factor in factors]
            builder.barrier()
            sums = self._multiplier.multiplied(factors, carried[count:], carried[:count], slot, ())
            return [*sums, *loaded]

        return turn

    def _turn_of_waves(self, factors: Sequence[Factor], batch: Indices, first: Indices) -> Turn:
        """A trip of waves that lie along k. Each reads from LDS only the parts that it has stored itself, so
        that they wait for each other only in the end."""
        choice = self._choice

        def turn(counter: Index, carried: Sequence[TileValue]) -> list[TileValue]:
            slot, sums = counter // choice.k % choice.buffers, list(carried)
            read: list[list[TileValue]] = []
            for part in range(0, choice.k, choice.placed):
                if part:
                    self._builder.order()
                read.append([self._reader.read(factor, batch, first, counter + part) for factor in factors])
            if choice.stages != 1:
                end_loads(self._builder)
            if choice.quads:
                return self._multiplier.contracted(factors, read[0], sums)
            for loaded in read:
                for factor, tile in zip(factors, loaded, strict=True):
                    assert factor.lds is not None, "the factors go through LDS"
                    self._builder.lds_store(tile, factor.lds, slot=slot)
                sums = self._multiplier.along(factors, sums, slot)
            return sums

        return turn

    def _factors(self, side: int) -> list[Factor]:
        """The factors of all products on a side, each once."""
        planned = {
            (strip.dot.operands[side], strip.numbers[side]): strip.counts[side] for strip in self._strips
        }
        return [
            self._with_lds(self._planner.planned(side, value)._replace(strip=strip, strips=count))
            for (value, strip), count in planned.items()
        ]

    @property
    def _planner(self) -> Planner:
        return Planner(
            self._graph, self._choice, self._own, self._operands, self._factor, self._target,
            self._tiles.keeps_dims, self._has_many_products(),
        )  # fmt: skip

    def _with_lds(self, factor: Factor) -> Factor:
        return factor._replace(lds=self._lds(factor.placement)) if factor.placement else factor

    def _beside(self, layout: Layout) -> Layout:
        """The layout of the parts of all waves, if waves lie along k."""
        return beside(layout, self._choice.waves) if self._choice.along else layout

    def _over_parts(self, strips: Sequence[_Strip]) -> list[_Strip]:
        """The sums of all workgroups that have a part of k, if there are several."""
        choice, tiles = self._choice, [tile for strip in strips for tile in strip.sums.values()]
        if not choice.parts:
            return list(strips)
        from asmgen.blockwise.schedules.pages.product_across import over_workgroups

        lanes = self._target.wave_size
        totals = over_workgroups(self._builder, self._grid, lanes, tiles)
        return [strip.mapped(totals.__getitem__) for strip in strips]

    def _store_summed(self, strips: Sequence[_Strip], outputs: Sequence[TileValue]) -> None:
        """Add up the parts of k that waves have, and store the sums. Only as many waves add up several strips
        as have elements of their own."""
        builder, waves = self._builder, self._choice.waves
        if self._choice.quads:
            strips = [strip.mapped(partial(summed_quads, builder)) for strip in strips]
        parts = [part for strip in strips for part in strip.sums.values()]
        wanted = spread(parts[0]) if self._choice.quads else shared(layout_of(parts[0]), (0,))
        if wanted is not None and len(parts) > 1 and not (self._graph.reductions or self._choice.parts):
            waves = waves_with_elements(wanted)
        with added_up(builder, parts, wanted, waves, self._target) as sums:
            self._store(self._over_parts([strip.mapped(sums.__getitem__) for strip in strips]), outputs)

    def _stores_wide(self) -> bool:
        """Whether a lane has adjacent columns of several tiles of the instruction, and stores them together.
        Loads that turn b read columns that are next to each other. In a long loop, whole accesses of the
        results save less than the other order of columns costs: 4,096 by 14,336 by 4,096 of f16 on gfx942
        takes 800 thousand clocks, 788 without it. Waves out of step multiply while others read, which hides
        the other order: 4,096 cubed of f16 on gfx942 takes 280 thousand clocks, 288 without it."""
        if self._choice.staggered and self._choice.copies is None:
            return True
        is_short = isinstance(self._k, int) and self._k <= _SHORT * self._choice.k
        along_k = all(is_along_k(self._graph, 1, dot.operands[1]) for dot in self._graph.products)
        return along_k and (self._choice.copies is not None or is_short)

    def _scales(self, dot: Statement, at: Indices, counter: Index) -> TileValue | None:
        """For each result the product of the scales of its row and of its column, in the block of a trip."""
        block = block_of(dot)
        if not block:
            return None
        *batch, row, column = at
        number = counter // block
        where = conditions(at, (*self._batch, self._m, self._n))
        body = Body(self._builder, self._buffers, self._operands.c, where, is_loose=True)
        of_rows, of_columns = dot.operands[2:]
        rows = body.value(of_rows, (*batch, row, number))
        return self._builder.pointwise(MUL, rows, body.value(of_columns, (*batch, number, column)))

    def _factors_of_scales(self) -> list[Factor]:
        """The scales by which the instruction multiplies, each once, through LDS: many lanes need each."""
        if not self._has_powers or self._by is None:
            return []
        sides = [
            dict.fromkeys([(number, dot.operands[2 + number]) for dot in self._graph.products])
            for number in (0, 1)
        ]
        found: list[Factor] = []
        for number, value in [pair for side in sides for pair in side]:
            factor = factor_of_scales(number, value, self._own, self._by, self._target)
            assert factor.placement is not None, "scales go through LDS"
            type_ = LdsType(E8M0, factor.placement, self._choice.buffers)
            found.append(factor._replace(lds=self._builder.lds(type_)))
        return found

    def _stages(self, factors: Sequence[Factor]) -> int:
        """2, or 1 if the results and the tiles of the next trip take more than half of a lane's registers.

        Sums of matrix instructions may be in AGPRs, and leave the VGPRs to the tiles."""
        defined, results = self._graph.defined, self._operands.c
        carried = sum([each.loaded.register_count * loaded_bytes(defined, each.value) for each in factors])
        if not self._choice.by:
            carried += len(self._strips) * results.register_count * self._sum.bytes
        return 2 if 2 * carried <= DWORD * self._target.arch_vgprs else 1

    def _lds(self, placement: Placement) -> TileValue:
        return self._builder.lds(LdsType(self._factor, placement, self._choice.buffers))
