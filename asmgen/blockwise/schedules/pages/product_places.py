"""The tile of the results that each workgroup of a product has."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from asmgen.blockwise.actions import Action, Below
from asmgen.blockwise.schedules.choices import PART, Contract
from asmgen.blockwise.schedules.elements.indices import Conditions
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.pages.product_parts import groups_of_parts
from asmgen.blockwise.schedules.pages.product_versions import first_of_tile, open_sides
from asmgen.blockwise.types import Type
from asmgen.graph.block_dots import block_of
from asmgen.graph.rewritings.reshapes import merges_or_splits_dims
from asmgen.index import Index
from asmgen.index.size import Dim, Sizes, symbols_of
from asmgen.ir.builder import StatementBuilder
from asmgen.ir.program import tensor_type
from isa.table import table_of
from isa.target import Target


def grid_of(dims: Sizes, choice: Contract, target: Target) -> dict[str, Dim]:
    """The ids of workgroups, and how many each has, for results of these dims."""
    *batch, rows, columns = dims
    tiles: dict[str, Dim] = {"column": -(-columns // choice.n), "row": -(-rows // choice.m)}
    # parts are of a single matrix, and a workgroup has three ids at most
    batches: dict[str, Dim] = {"batch": prod(batch)} if batch and not choice.parts else {}
    shares = all(count != 1 for count in tiles.values()) and _fills_dies(batches, target)
    parts: dict[str, Dim] = {PART: choice.parts} if choice.parts else {}
    return {**parts, **batches, **tiles} if shares else {**parts, **tiles, **batches}


def id_names(grid: Mapping[str, Dim], graph: Graph) -> dict[str, Dim]:
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


class Tiles:
    """The rows and columns of the tile of each workgroup.

    `open` are the sides of which the loop has two versions. If `keeps_dims`, no reshape merges or splits
    dims. If `is_alone`, the kernel has a single product and no reductions."""

    def __init__(self, graph: Graph, choice: Contract, dims: Sizes, target: Target) -> None:
        self._graph, self._choice = graph, choice
        *_, self._rows, self._columns = dims
        self._has_halves = bool(choice.staggered and choice.copies)
        self._has_duals = not choice.by and bool(table_of(target).duals)
        self.keeps_dims = not any(merges_or_splits_dims(one) for one in graph.module.statements)
        self.is_alone = len(graph.products) == 1 and not graph.reductions
        self.open = self._open_sides()

    def _open_sides(self) -> frozenset[int]:
        """The sides of which the loop has two versions (`product_versions`), if the kernel has no other loops
        and a single product."""
        choice, graph = self._choice, self._graph
        if not (self.keeps_dims and self.is_alone) or choice.quads or self._has_halves:
            return frozenset()
        if groups_of_parts(graph, choice) or any(map(block_of, graph.products)):
            return frozenset()
        return open_sides(graph.defined, graph.products[0], (choice.m, choice.n))

    def size(self, side: int) -> tuple[int, Dim]:
        """The rows or columns of a tile, and those of the matrix."""
        return (self._choice.n, self._columns) if side else (self._choice.m, self._rows)

    def first(self, side: int, id_: Index) -> Index:
        """The first row or column of a workgroup's tile. The last tile ends with the matrix, and has results
        in common with the tile before it. So no element that is loaded needs a condition, if the matrix has
        as many rows and columns as a tile."""
        size, dim = self.size(side)
        if side in self.open:
            return first_of_tile(id_, size, dim)
        start = id_ * size
        return start.at_most(dim - size) if self._ends_with(size, dim) else start

    def _ends_with(self, size: int, dim: Dim) -> bool:
        """Whether the last tile ends with the matrix. Reductions would count its results twice. Stores of two
        halves, and those of slices, have no further condition."""
        has_slices = any(moved.has_slices for moved in self._graph.moved_products.values())
        is_whole = not (self._has_halves or has_slices or self._graph.reductions)
        return isinstance(dim, int) and dim > size and is_whole

    def new(self, side: int, number: Index, at: Index) -> Conditions:
        """The condition that an element is in no tile before that of this number. Without it, both workgroups
        store the same."""
        size, dim = self.size(side)
        is_twice = self._ends_with(size, dim) and dim % size != 0 and not self._stores_alike()
        return (Below(number * size, at + 1),) if is_twice or side in self.open else ()

    def _stores_alike(self) -> bool:
        """Whether two tiles certainly store the same results for an element. The rule of races shows this
        only if no reshape of a factor or a result merges or splits dims. Several products may all be NaN in a
        row, with other bits each; which of them an instruction returns depends on the order of its operands,
        and so on the register. Dual instructions exchange the factors of some registers too.
        The rule does not follow sums of workgroups."""
        has_others = self._has_duals or self.open or self._choice.parts or self._graph.moved_products
        return self.keeps_dims and self.is_alone and not has_others
