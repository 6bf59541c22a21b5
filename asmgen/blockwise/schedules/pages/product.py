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

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import prod
from typing import TYPE_CHECKING

from msgspec.structs import replace

from asmgen.blockwise.actions import SCALED, Action, AsyncCopy, Below, Order, Stage, TileLoad
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.beside import beside
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.layout.placement import Placement
from asmgen.blockwise.matrix import instruction
from asmgen.blockwise.program import Kernel, TileStatement, TileValue, layout_of
from asmgen.blockwise.schedules.choices import MANY_PRODUCTS, PART, Contract
from asmgen.blockwise.schedules.elements.indices import Conditions, Indices, unflattened
from asmgen.blockwise.schedules.elements.neighbours import loaded_bytes
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.pages.product_copies import Copied
from asmgen.blockwise.schedules.pages.product_factors import Factor, Planner, factor_of_scales, is_along_k
from asmgen.blockwise.schedules.pages.product_layouts import of_lines, of_outer_products, of_slices
from asmgen.blockwise.schedules.pages.product_parts import groups_of_parts, in_parts
from asmgen.blockwise.schedules.pages.product_quads import in_memory, of_quads, spread, summed_quads
from asmgen.blockwise.schedules.pages.product_results import Place, conditions, store_results
from asmgen.blockwise.schedules.pages.product_sums import Multiplier
from asmgen.blockwise.schedules.pages.product_versions import first_of_tile, in_versions, open_sides
from asmgen.blockwise.schedules.pages.product_waves import added_up, waves_with_elements
from asmgen.blockwise.schedules.pages.reduction import shared
from asmgen.blockwise.schedules.tiles.body import Body
from asmgen.blockwise.schedules.tiles.buffers import Buffers, output_buffers
from asmgen.blockwise.types import LdsType, TileType, Type, coordinates
from asmgen.graph.block_dots import block_of, has_powers
from asmgen.graph.fusion.siblings import strips
from asmgen.graph.ops import ADD, MUL
from asmgen.graph.rewritings.reshapes import merges_or_splits_dims
from asmgen.index import Index, constant
from asmgen.index.reach import is_within
from asmgen.index.size import Dim, Sizes, symbols_of
from asmgen.ir.builder import StatementBuilder
from asmgen.ir.program import Statement, Value, tensor_type
from asmgen.ir.types import E8M0, ElementType, computed
from isa.named_tuple import NamedTuple
from isa.registers import DWORD
from isa.table import table_of
from isa.target import WIDEST_ACCESS, Target

if TYPE_CHECKING:
    from asmgen.blockwise.schedules.pages.product_halves import Halves

Turn = Callable[[Index, Sequence[TileValue]], list[TileValue]]

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
        tiles: dict[str, Dim] = {"column": -(-self._n // choice.n), "row": -(-self._m // choice.m)}
        # parts are of a single matrix, and a workgroup has three ids at most
        batches: dict[str, Dim] = {"batch": prod(batch)} if batch and not choice.parts else {}
        shares = all(count != 1 for count in tiles.values()) and _fills_dies(batches, target)
        parts: dict[str, Dim] = {PART: choice.parts} if choice.parts else {}
        grid = {**parts, **batches, **tiles} if shares else {**parts, **tiles, **batches}
        self._grid, names = grid, _id_names(grid, graph)
        self._builder = TileBuilder(graph.module.name, names, choice.waves, target.wave_size, graph.place)
        self._ids = dict(zip(grid, self._builder.ids, strict=True))
        # along k
        self._begin = self._ids[PART] * self._k if choice.parts else constant(0)
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
        own = self._own
        self._operands = of_slices(own, by, stored) if by else of_outer_products(own, target)
        self._keeps_dims = not any(merges_or_splits_dims(one) for one in graph.module.statements)
        self._is_alone = len(graph.products) == 1 and not graph.reductions
        self._open = self._open_sides()
        self._has_duals = not choice.by and bool(table_of(target).duals)
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
        first = (self._first(0, row), self._first(1, column))
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
        counts = groups_of_parts(self._graph, choice) if self._is_alone else ()
        if counts:

            def of_part(number: Index, sums: Sequence[TileValue]) -> list[TileValue]:
                return [*self._in_trips(sums, turn(factors, (first[0], number * choice.n)))]

            totals = in_parts(builder, column, counts, zeros, of_part)
        else:
            filled = [factor._replace(fills=factor.number in self._open) for factor in factors]
            totals = self._in_trips(carried, each, turn(filled, first) if self._open else None)
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
            read = [self._read(factor, batch, first, counter) for factor in factors]
            scales = [self._scales(strip.dot, at, counter) for strip in self._strips]
            powers = [self._tile(each, batch, first, counter // SCALED, E8M0) for each in of_scales]
            for factor, loaded in zip(factors, read, strict=True):
                if factor.copy and factor.lds:
                    self._copy(loaded, factor.lds, factor.copy, slot)
            if has_copies and not choice.slices:
                builder.order()
            if stages > 1:
                self._end_loads()
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
            return builder.for_("k", 0, length if is_known else whole, step, sums, turn, is_staggered)

        if wide is None:
            totals = trips(turn, carried)
        else:
            tiles = [self._size(side) for side in sorted(self._open)]
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
            new = [self._new(side, place.numbers[side] * counts[side], at[side]) for side in (0, 1)]
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
                loaded = self._read(factor, batch, first, counter)
                self._copy(loaded, factor.lds, factor.copy, slot(counter))

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
            tiles = [self._read(factor, batch, first, constant(0)) for factor in factors]
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
            loaded = [self._read(factor, batch, first, following) for factor in factors]
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
                read.append([self._read(factor, batch, first, counter + part) for factor in factors])
            if choice.stages != 1:
                self._end_loads()
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
            self._keeps_dims, self._has_many_products(),
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

    def _open_sides(self) -> frozenset[int]:
        """The sides of which the loop has two versions (`product_versions`), if the kernel has no other loops
        and a single product."""
        choice, graph = self._choice, self._graph
        if not (self._keeps_dims and self._is_alone) or choice.quads or self._has_halves:
            return frozenset()
        if groups_of_parts(graph, choice) or any(map(block_of, graph.products)):
            return frozenset()
        return open_sides(graph.defined, graph.products[0], (choice.m, choice.n))

    def _size(self, side: int) -> tuple[int, Dim]:
        """The rows or columns of a tile, and those of the matrix."""
        return (self._choice.n, self._n) if side else (self._choice.m, self._m)

    def _first(self, side: int, id_: Index) -> Index:
        """The first row or column of a workgroup's tile. The last tile ends with the matrix, and has results
        in common with the tile before it. So no element that is loaded needs a condition, if the matrix has
        as many rows and columns as a tile."""
        size, dim = self._size(side)
        if side in self._open:
            return first_of_tile(id_, size, dim)
        start = id_ * size
        return start.at_most(dim - size) if self._ends_with(size, dim) else start

    def _ends_with(self, size: int, dim: Dim) -> bool:
        """Whether the last tile ends with the matrix. Reductions would count its results twice. Stores of two
        halves, and those of slices, have no further condition."""
        has_slices = any(moved.has_slices for moved in self._graph.moved_products.values())
        is_whole = not (self._has_halves or has_slices or self._graph.reductions)
        return isinstance(dim, int) and dim > size and is_whole

    def _new(self, side: int, number: Index, at: Index) -> Conditions:
        """The condition that an element is in no tile before that of this number. Without it, both workgroups
        store the same."""
        size, dim = self._size(side)
        is_twice = self._ends_with(size, dim) and dim % size != 0 and not self._stores_alike()
        return (Below(number * size, at + 1),) if is_twice or side in self._open else ()

    def _stores_alike(self) -> bool:
        """Whether two tiles certainly store the same results for an element. The rule of races shows this
        only if no reshape of a factor or a result merges or splits dims. Several products may all be NaN in a
        row, with other bits each; which of them an instruction returns depends on the order of its operands,
        and so on the register. Dual instructions exchange the factors of some registers too.
        The rule does not follow sums of workgroups."""
        has_others = self._has_duals or self._open or self._choice.parts or self._graph.moved_products
        return self._keeps_dims and self._is_alone and not has_others

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

    def _copy(self, tile: TileValue, lds: TileValue, copy: Copied, slot: Index) -> None:
        """Copy the tile of a load to LDS, in place of the load."""
        (made,) = [each for each in self._builder.statements if tile in each.results]
        assert isinstance(made.op, TileLoad), made
        self._builder.statements.remove(made)
        self._builder.async_copy(made.operands[0], lds, copy.layout, made.op, slot)

    def _stages(self, factors: Sequence[Factor]) -> int:
        """2, or 1 if the results and the tiles of the next trip take more than half of a lane's registers.

        Sums of matrix instructions may be in AGPRs, and leave the VGPRs to the tiles."""
        defined, results = self._graph.defined, self._operands.c
        carried = sum([each.loaded.register_count * loaded_bytes(defined, each.value) for each in factors])
        if not self._choice.by:
            carried += len(self._strips) * results.register_count * self._sum.bytes
        return 2 if 2 * carried <= DWORD * self._target.arch_vgprs else 1

    def _end_loads(self) -> None:
        """End the first stage after the loads; the computations from them come after it."""
        statements = self._builder.statements
        loads: list[TileStatement] = []
        rest: list[TileStatement] = []
        computed_here: set[TileValue] = set()
        for statement in statements:
            is_ahead = isinstance(statement.op, TileLoad | AsyncCopy | Order) and computed_here.isdisjoint(
                statement.operands
            )
            (loads if is_ahead else rest).append(statement)
            if not is_ahead:
                computed_here.update(statement.results)
        statements[:] = loads
        self._builder.stage()
        statements += rest

    def _lds(self, placement: Placement) -> TileValue:
        return self._builder.lds(LdsType(self._factor, placement, self._choice.buffers))

    def _read(self, factor: Factor, batch: Indices, first: Indices, counter: Index) -> TileValue:
        """A tile of a factor; the batch dims of a factor that it lacks, or has once, broadcast."""
        wave, counter = coordinates(factor.loaded.shape)[:-2], counter + self._begin
        counter = counter + wave[0] * self._choice.depth if wave else counter
        return self._tile(factor, batch, first, counter, self._factor)

    def _tile(
        self, factor: Factor, batch: Indices, first: Indices, counter: Index, element: ElementType
    ) -> TileValue:
        """A tile of numbers along k, or of their scales, as this type."""
        number, value, of = factor.number, factor.value, factor.loaded
        row, column = self._in_memory(number, coordinates(of.shape)[-2:])
        size = self._choice.n if number else self._choice.m
        start = first[number] * factor.strips + factor.strip * size + factor.begin
        at = (counter + row, start + column) if number else (start + row, counter + column)
        dims = tensor_type(value).dims
        own = batch[len(batch) + 2 - len(dims) :]
        outer = tuple([constant(0) if dim == 1 else index for dim, index in zip(dims[:-2], own, strict=True)])
        # elements beyond the rows of a, and the columns of b, are of results that are not stored
        k, asked = dims[-1 - number], list(at)
        if factor.fills:
            asked[number] = constant(size - 1)  # then all elements of the tile exist
        where, is_inside = conditions((*outer, *asked), dims), is_within(at[1 - number], k)
        is_over = not is_inside and self._reads_over_ends(factor, asked)
        body = Body(self._builder, self._buffers, of, where, is_loose=is_over or is_inside)
        tile = body.value(value, (*outer, *at))
        if is_over:
            return self._builder.mask(body.narrowed(tile, element), conditions((at[1 - number],), (k,)), 0)
        # along a k of 1, the elements are loaded once, without the condition that there are no others
        if not is_inside and body.where and (k == 1 or not self._buffers.is_only_read(value)):
            tile = self._builder.mask(tile, body.where, 0)
        return body.narrowed(tile, element)

    def _reads_over_ends(self, factor: Factor, at: Sequence[Index]) -> bool:
        """Whether loads of elements at `at` read over the ends of rows, and elements beyond k are replaced in
        the trip that multiplies them. The last elements of a row would otherwise take more than two accesses,
        in each trip if rows are shorter than the tile, and in the last trip if they lie along k. Of a long
        loop, the last trip is too few clocks: 777 cubed of bf16 on gfx1201 takes 31,342 clocks, 33,217 over
        the ends. In short loops, three accesses of 32 bits take less time. In trips of several parts
        along k, loads of a part come before the stores of the part before it."""
        if factor.copy or self._choice.along:
            return False
        number, type_ = factor.number, tensor_type(factor.value)
        axis = 1 - number if is_along_k(self._graph, number, factor.value) else number
        row, size = type_.dims[axis - 2], type_.element.bytes
        is_even = isinstance(row, int) and row * size % (WIDEST_ACCESS // 2) == 0
        if is_even or not conditions((at[axis],), (row,)):
            return False
        is_short = isinstance(self._k, int) and self._k <= 2 * self._choice.k
        return size < DWORD if is_short else axis == number

    def _in_memory(self, number: int, at: Indices) -> Indices:
        """The element of a factor's tile in memory that is an element of the instruction's tile."""
        if not self._choice.quads:
            return at
        line, along = in_memory(at[number], at[1 - number], WIDEST_ACCESS // self._factor.bytes)
        return (along, line) if number else (line, along)


def _id_names(grid: Mapping[str, Dim], graph: Graph) -> dict[str, Dim]:
    """The grid with names of ids that are no names of dims, such as a dim `batch`."""
    values = [value for statement in graph.module.statements for value in statement.results]
    sizes = [size for value in values for size in tensor_type(value).dims]
    fresh = StatementBuilder[Action, Type]({dim.name for dim in symbols_of(sizes)}).fresh
    return {fresh(name): count for name, count in grid.items()}


def _fills_dies(batches: Mapping[str, Dim], target: Target) -> bool:
    """Whether the machine has several dies, and their number divides that of the matrices. Workgroups go to
    the dies in turn, so if the matrices come first, each die has all tiles of its own matrices: these share
    rows and columns in its cache. Tiles of a single row or column share half of that: 8 by 14,336 by 4,096
    of f16 on gfx950 would take 40.3 thousand clocks, 39.7 as it is."""
    from isa.timing.caches import CACHES

    dies = int(CACHES[target.name].dies.value)
    return dies > 1 and all(isinstance(count, int) and count % dies == 0 for count in batches.values())
