"""The shared state of the lowering of a kernel: the builder, indices, LDS, and conversions of elements
between their own type, the type in which lanes compute and the type that lanes exchange.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import reduce

from msgspec import Struct, field

from asmgen.blockwise.actions import Below, Combine, Number, Waves
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.lowering.addresses.access import Accesses, Reach, accesses
from asmgen.blockwise.lowering.addresses.conditions import all_below
from asmgen.blockwise.lowering.addresses.indices import IndexValues
from asmgen.blockwise.lowering.addresses.places import Places
from asmgen.blockwise.lowering.tile import Element, Tile, scalar, splatted
from asmgen.blockwise.program import Kernel
from asmgen.blockwise.rules.access import data_symbols
from asmgen.graph.ops import ADD, MAX, MIN, MUL
from asmgen.index import Index, Symbol, symbol
from asmgen.index.expression import as_symbol, only
from asmgen.index.size import Dim, least_where
from asmgen.ir.numbers import round_to
from asmgen.ir.program import Attribute, Op, Statement, Value, lane_type
from asmgen.ir.types import BOOL, I32, U32, ElementType, LaneType, computed, tensor
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.ops import LDS_ALLOCATE
from asmgen.lanewise.reduction_ops import IS_LANE
from isa.diagnostics import InputError
from isa.targets import Target

COMBINES: dict[Combine, Op] = {
    Combine.SUM: ADD,
    Combine.PROD: MUL,
    Combine.MAX: MAX,
    Combine.MIN: MIN,
    Combine.ANY: MAX,
    Combine.ALL: MIN,
}


_TOGETHER = 8  # values that are combined pair by pair at a time


class Context(Struct):
    """`buffers` are the LDS statements, which go to the head of the module. `loops` is the number of loops
    around the current statement, and `floors` the lower bounds of named dims inside these loops.
    """

    builder: LaneBuilder
    kernel: Kernel
    target: Target
    places: Places
    indices: IndexValues
    loops: int = 0
    out_of_step: str = ""  # why waves cannot meet at a barrier here
    floors: dict[Symbol, int] = field(default_factory=dict)
    buffers: list[Statement] = field(default_factory=list)
    not_negative: set[Value] = field(default_factory=set)  # i32 values that are known not to be
    _reached: dict[Reach, Accesses] = field(default_factory=dict)
    _scratch: dict[ElementType, tuple[Value, int]] = field(default_factory=dict)
    grown: dict[Value, Value] = field(default_factory=dict)  # buffers that a larger buffer replaced
    _written: set[Value] = field(default_factory=set)
    _of_waves: dict[Symbol, Index] = field(default_factory=dict)  # by image of the local id, as in SGPRs

    # Named dims

    @contextmanager
    def at_least(self, floors: dict[Symbol, int]) -> Generator[None]:
        """Statements inside run only if dims are at least as large as `floors`."""
        before, self.floors = self.floors, self.floors | floors
        yield
        self.floors = before

    def least(self, size: Dim) -> int:
        """The smallest value that a size has here."""
        return least_where(size, self.floors)

    # Elements

    def computed(self, value: Value) -> Value:
        """A value in the type in which lanes compute it."""
        return self.rounded(value, computed(lane_type(value).element))

    def rounded(self, value: Value, element: ElementType) -> Value:
        """A value as another type: rounded, cut to its lower bits, or widened. A widened literal is a
        literal.
        """
        source, lanes = lane_type(value)
        if source is element:
            return value
        number = self.builder.literal_of(value)
        if number is not None and source.is_float and element.is_float and element.bits > source.bits:
            return self.literal(round_to(number, source), element, lanes)
        return self.builder.convert(value, element)

    def literal(self, number: Number, element: ElementType, lanes: int = 1) -> Value:
        return self.builder.constant(number, LaneType(element, lanes))

    def chosen(self, condition: Value, a: Value, b: Value) -> Value:
        """Vector `a` if a scalar condition is true, else `b`."""
        builder = self.builder
        each = splatted(builder, condition, lane_type(a).lanes)
        if lane_type(a).element is not BOOL:
            return builder.where(each, a, b)
        if builder.literal_of(a) and builder.literal_of(b) == 0:
            return each
        return builder.logical_or(
            builder.logical_and(each, a), builder.logical_and(builder.logical_not(each), b)
        )

    def word(self, value: Value) -> Value:
        """A bool as the i32 that lanes exchange it in."""
        if lane_type(value).element is not BOOL:
            return value
        lanes = lane_type(value).lanes
        return self.builder.where(value, self.literal(1, I32, lanes), self.literal(0, I32, lanes))

    def of_word(self, value: Value, element: ElementType) -> Value:
        if element is not BOOL:
            return value
        return self.builder.not_equal(value, self.builder.like(0, value))

    # Accesses

    def accesses(self, reach: Reach, data: Sequence[Tile] = ()) -> Accesses:
        """How the registers of a tile reach a buffer; computed once for equal reaches without data. `data`
        are the tiles that `v0`, `v1`, ... name.
        """
        if data:
            return accesses(self.places, reach, self.data_of(reach.layout, data))
        if reach not in self._reached:
            self._reached[reach] = accesses(self.places, reach)
        return self._reached[reach]

    def data_of(self, layout: Layout, data: Sequence[Tile]) -> list[dict[Symbol, Index]]:
        """For each register the index that `v0`, `v1`, ... are."""
        names = [as_symbol(index) for index in data_symbols(len(data))]
        made = {element: self._datum(element) for tile in data for element in tile.elements}
        return [
            {name: made[tile.elements[register]] for name, tile in zip(names, data, strict=True)}
            for register in range(layout.register_count)
        ]

    def _datum(self, element: Element) -> Index:
        value = scalar(self.builder, element)
        is_index = lane_type(value).element is U32
        return self.indices.data(value if is_index else self.builder.convert(value, U32))

    # Lanes

    def all_of(self, conditions: Sequence[Value | bool]) -> Value | bool:
        """Whether all conditions are true."""
        if any(condition is False for condition in conditions):
            return False
        both: Value | None = None
        for condition in conditions:
            if not isinstance(condition, bool):
                both = condition if both is None else self._both(both, condition)
        return True if both is None else both

    def any_of(self, conditions: Sequence[Value | bool]) -> Value | bool:
        """Whether any condition is true."""
        if any(condition is True for condition in conditions):
            return True
        values = [condition for condition in dict.fromkeys(conditions) if not isinstance(condition, bool)]
        return reduce(self.builder.logical_or, values) if values else False

    def _both(self, first: Value, second: Value) -> Value:
        """Whether two conditions are true: the same value each time, so that stores share a branch on it."""
        return self.indices.once((first, second), lambda: self.builder.logical_and(first, second))

    def holds(self, where: Sequence[Below | bool]) -> Value | bool:
        """Whether all conditions are true."""
        return self.all_of(all_below(self.indices, where))

    def one_of_copies(
        self, lanes: Sequence[int], waves: Sequence[int], is_last: bool = False
    ) -> Value | bool:
        """Whether this lane is the first of the lanes that differ only in these bits, so that all of them are
        0. With `is_last`, if all lanes of a wave are copies, it is the last lane of the wave.
        """
        shift = self.kernel.lanes.bit_length() - 1
        bits = sum(1 << bit for bit in (*lanes, *(shift + wave for wave in waves)))
        if not bits:
            return True
        if bits == self.kernel.lanes - 1:
            return self.builder.value(IS_LANE, lane=bits if is_last else 0)
        builder, local = self.builder, self.indices.local()
        if bits != self.kernel.lanes * self.kernel.waves - 1:
            local = builder.bitwise_and(local, builder.constant(bits, U32))
        return builder.equal(local, builder.constant(self.kernel.lanes - 1 if is_last else 0, U32))

    def guarded(self, condition: Value | bool, body: Callable[[], None]) -> None:
        """`body` in a branch on the condition."""

        def region() -> tuple[Value, ...]:
            body()
            return ()

        if isinstance(condition, bool):
            _ = region() if condition else ()
        else:
            _ = self.builder.if_(condition, region)

    # Waves

    @contextmanager
    def staggered(self) -> Generator[None]:
        """Inside, the second half of the waves is a barrier behind the first half."""
        builder = self.builder
        is_second = self.is_part(self.kernel.waves // 2, 1)

        def pass_barrier() -> tuple[Value, ...]:
            builder.stagger()
            return ()

        _ = builder.if_(is_second, pass_barrier)
        self.out_of_step = "are out of step in a staggered loop"
        yield
        self.out_of_step = ""
        _ = builder.if_(is_second, lambda: (), pass_barrier)

    def in_waves(
        self,
        action: Waves,
        body: Callable[[], Sequence[Value]],
        otherwise: Callable[[], Sequence[Value]] | None,
    ) -> tuple[Value, ...]:
        """`body` in a branch that some waves take. If it has results, the other waves have those of
        `otherwise`."""
        before, self.out_of_step = self.out_of_step, "are not all in a region of some waves"

        def nested() -> Sequence[Value]:
            with self.indices.nested():
                return body()

        is_part = self.is_part(action.count, action.first // action.count)
        values = self.builder.if_(is_part, nested, otherwise)
        self.out_of_step = before
        return values

    def is_part(self, waves: int, number: int) -> Value:
        """Whether a wave is in part `number`, if each part of the workgroup has `waves` waves."""
        builder, bits = self.builder, (self.kernel.lanes * waves).bit_length() - 1
        part = builder.shift_right(self.indices.local(), builder.constant(bits, U32))
        return builder.equal(builder.read_first_lane(part), builder.constant(number, U32))

    # LDS

    def of_wave(self, waves: tuple[int, ...]) -> Index:
        """The XOR of the columns of those bits of the wave's number that are set, as a number of the wave."""
        own = self.places.image((0,) * (self.kernel.lanes.bit_length() - 1) + waves)
        for image in own.symbols:
            if image not in self._of_waves:
                value = self.builder.read_first_lane(self.indices.value(only(image)))
                shared = symbol(f"{image.name} of the wave", image.low, image.high, image.multiple)
                self.indices.define(as_symbol(shared), value)
                self._of_waves[image] = shared
        return own.substitute(self._of_waves)

    def lds(self, element: ElementType, elements: int, name: str = "lds", slots: int = 1) -> Value:
        """A new buffer in LDS, of slots of the same size."""
        value = Value(self.builder.fresh(name), tensor(element, (elements,)))
        attributes: dict[str, Attribute] = {"size": elements, "type": element.name, "slots": slots}
        self.buffers.append(Statement(LDS_ALLOCATE, (), (value,), attributes))
        return value

    def scratch(self, element: ElementType, elements: int) -> Value:
        """A buffer through which tiles go: all tiles of the type, in succession. It has the size of the
        largest; a larger buffer replaces a smaller buffer that was given out before (`grown`)."""
        known, size = self._scratch.get(element, (None, 0))
        if known is not None and size >= elements:
            return known
        larger = self.lds(element, elements)
        self._scratch[element] = larger, elements
        if known is not None:
            self.buffers = [each for each in self.buffers if each.result is not known]
            self.grown = {old: larger if new is known else new for old, new in self.grown.items()}
            self.grown[known] = larger
            if known in self._written:
                self._written.add(larger)
        return larger

    def before_write(self, lds: Value) -> None:
        """A barrier, if the buffer may still be read by other waves: in a loop, or from an earlier
        statement.

        Raises `InputError` BLK013 if the waves are out of step: they exchange values at barriers.
        """
        if self.out_of_step:
            message = f"waves exchange values through LDS here, and {self.out_of_step}"
            help = "write the exchange as lds_store, barrier and lds_load, or move it out"
            raise InputError(self.builder.place or self.kernel.name, "BLK013", message, help=help)
        if self.loops or lds in self._written:
            self.builder.barrier()
        self._written.add(lds)


def tree(builder: LaneBuilder, op: Combine, values: Sequence[Value]) -> Value:
    """Values combined pair by pair; of many a few at a time, so that those can be forgotten."""
    parts = list(values)
    while len(parts) > _TOGETHER:
        parts = [
            tree(builder, op, parts[first : first + _TOGETHER]) for first in range(0, len(parts), _TOGETHER)
        ]
    while len(parts) > 1:
        pairs = [builder.value(COMBINES[op], a, b) for a, b in zip(parts[::2], parts[1::2], strict=False)]
        parts = [*pairs, *parts[len(pairs) * 2 :]]
    return parts[0]
