"""The factors of a matrix product: how lanes load them, their places in LDS, and how they are multiplied."""

from __future__ import annotations

from math import prod

from asmgen.blockwise.actions import SCALED
from asmgen.blockwise.layout.algebra import transpose
from asmgen.blockwise.layout.banks import TileAccess
from asmgen.blockwise.layout.beside import beside, placed_beside
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.layout.placement import Placement
from asmgen.blockwise.layout.swizzle import chosen, chosen_in_order, chosen_plainly, chosen_to_read
from asmgen.blockwise.matrix import Instruction
from asmgen.blockwise.program import TileValue
from asmgen.blockwise.schedules.choices import Contract
from asmgen.blockwise.schedules.elements.neighbours import elements_of_load, is_along
from asmgen.blockwise.schedules.elements.straight import is_copied
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.pages.product_copies import Copied, Reader, copied
from asmgen.blockwise.schedules.pages.product_layouts import Operands, as_read, of_scales
from asmgen.blockwise.transposes import transposing_load, transposing_loads
from asmgen.ir.program import Value, tensor_type
from asmgen.ir.types import E8M0, ElementType
from isa.named_tuple import NamedTuple
from isa.target import WIDEST_ACCESS, Target


class Factor(NamedTuple):
    """A factor on the side `number` of the products: the layouts in which lanes load it from memory and
    multiply it, its place in LDS, the load from there that transposes, how it goes straight to LDS, if it
    does, and its LDS. Without LDS, lanes multiply the elements that they load. A workgroup has `strips` tiles
    of it next to each other, of which this is number `strip`, and begins at its row or column `begin`. The
    matrix has at least as many of them as a tile if it `fills` the tile."""

    number: int
    value: Value
    loaded: Layout
    held: Layout
    placement: Placement | None = None
    by: str = ""
    copy: Copied | None = None
    lds: TileValue | None = None
    strip: int = 0
    strips: int = 1
    begin: int = 0
    fills: bool = False


class Planner(NamedTuple):
    """Plans the factors of a graph's products. `own` is the choice for a wave, if waves lie along k, and
    `element` the type of the factors in LDS. `keeps_dims` says that no reshape merges or splits dims. If
    LDS alone binds the launch, it `is_long`: a trip should have few instructions for addresses of LDS.
    4,096 cubed of f32 on gfx1201 takes 9.4 million clocks with a swizzle, 8.9 without; 2,048 cubed takes
    1.28 and 1.47."""

    graph: Graph
    choice: Contract
    own: Contract
    operands: Operands
    element: ElementType
    target: Target
    keeps_dims: bool
    is_long: bool

    def planned(self, number: int, value: Value) -> Factor:
        """A factor before it has LDS."""
        choice, (a, b, _, run, adjacent) = self.own, self.operands
        shape, held = ((choice.k, choice.n), b) if number else ((choice.m, choice.k), a)
        if choice.quads or (number and choice.apart):
            return self._of_waves(Factor(number, value, held, held))
        factor = Factor(number, value, self._loaded(number, value, shape, run, adjacent), held)
        if number and run > 1 and not is_along_k(self.graph, number, value):
            rows = self._loaded(number, value, shape, 1, 1)
            by, turning = self._turning(rows, b)
            factor = factor._replace(loaded=rows, by=by, placement=turning) if turning else factor
        copy = self._copied(factor)
        if copy:
            return factor._replace(copy=copy, loaded=copy.layout, placement=copy.placement)
        placement = factor.placement or self._placed(factor)
        return self._of_waves(factor._replace(placement=placement))

    def _of_waves(self, factor: Factor) -> Factor:
        """The parts of all waves of a factor, if waves lie along k."""
        if not self.choice.along:
            return factor
        waves, place = self.choice.waves, factor.placement
        loaded, held = beside(factor.loaded, waves), beside(factor.held, waves)
        placement = placed_beside(place, waves) if place else None
        return factor._replace(loaded=loaded, held=held, placement=placement)

    def _copied(self, factor: Factor) -> Copied | None:
        """How a factor goes straight to LDS; None if it goes through registers."""
        choice, target, size, number = self.choice, self.target, self.element.bytes, factor.number
        along_k = is_along_k(self.graph, number, factor.value)
        if choice.copies is None or not (along_k or factor.by):
            return None
        if not is_copied(self.graph.defined, factor.value, self.element, choice.copies):
            return None
        # a column beyond the last one of a reshaped factor is the first one of another row
        columns = tensor_type(factor.value).dims[-1]
        is_even = isinstance(columns, int) and columns % choice.n == 0
        if number and along_k and not (self.keeps_dims or is_even):
            return None
        load = transposing_load(factor.by, target) if factor.by else None
        named = load.addresses(factor.held) if load else factor.held
        assert named is not None, factor.by
        reader = Reader(named, load.elements * size if load else WIDEST_ACCESS, size)
        along = number ^ 1 if along_k else number
        return copied(reader, along, choice.copies // size, choice.waves, target)

    def _placed(self, factor: Factor) -> Placement:
        """The place of a factor in LDS. Lanes read all elements of an outer product along k together, even if
        memory has them apart, and each store has a single element. 2,048 cubed of f32 on gfx1201 takes 1.28
        million clocks, 1.56 with reads along k: the registers of such a read are free at different times, so
        that a lane cannot read the next factors while it multiplies."""
        accesses = factor.loaded, factor.held, self.element.bytes, self.target
        if self.choice.by:
            return chosen(*accesses)[-1]
        plain = chosen_plainly(*accesses) if self.is_long else None
        return plain or chosen_in_order(*accesses)

    def _loaded(self, number: int, value: Value, shape: tuple[int, int], run: int, adjacent: int) -> Layout:
        """The layout in which an operand is loaded, along its neighbours in memory. If these are not along k,
        a lane has `run` elements along k, and stores them together."""
        choice, target = self.own, self.target
        access, along_k = WIDEST_ACCESS // self.element.bytes, is_along_k(self.graph, number, value)
        if choice.along:  # a lane unpacks all that it loads at a time, and every lane loads
            of_lane = max(access, prod(shape) // target.wave_size)
            access = min(of_lane, elements_of_load(self.graph.defined, value))
        run, adjacent = (1, 1) if along_k else (run, adjacent)
        rows, columns = shape
        if along_k is (number == 0):
            return as_read(rows, columns, access, run, adjacent, choice, target)
        return transpose(as_read(columns, rows, access, run, adjacent, choice, target), (1, 0))

    def _turning(self, written: Layout, read: Layout) -> tuple[str, Placement | None]:
        """The load from LDS that transposes a tile, and the tile's placement; if there is none, no name and
        no placement. Outer products read rows."""
        loads = transposing_loads(self.target) if self.choice.by else ()
        for load in loads:
            named = load.addresses(read) if load.loads(self.element) else None
            if named is not None:
                access = TileAccess(named, tuple(range(load.own)), self.element.bytes, False)
                placement = chosen_to_read(written, access, self.target)
                if placement is not None:
                    return load.name, placement
        return "", None


def factor_of_scales(number: int, value: Value, choice: Contract, by: Instruction, target: Target) -> Factor:
    """The scales by which the instruction multiplies a factor, {M,K/32} or {K/32,N}, before they have LDS."""
    held = of_scales(choice, by)[number]
    lines, blocks = choice.n if number else choice.m, choice.k // SCALED
    read = as_read(lines, blocks, blocks, 1, 1, choice, target)
    loaded = transpose(read, (1, 0)) if number else read
    return Factor(number, value, loaded, held, chosen(loaded, held, E8M0.bytes, target)[-1])


def is_along_k(graph: Graph, number: int, value: Value) -> bool:
    """Whether the elements of a row of a, or of a column of b, are neighbours in memory."""
    return is_along(graph.defined, value, -1 - number)
