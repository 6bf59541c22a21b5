"""Tiles that the workgroups along an id add up in memory (`sum_parts`).

    every wave writes its elements to the sums           its own words, next to those of its neighbours
    it waits for these stores, and counts itself         an atomic addition, one for each wave of a workgroup
    the wave that comes last reads the elements of       in the order of the workgroups, so that the result is
    all workgroups and adds them up                      the same in every run
    it sets the count to 0 for the next launch

No wave waits for another: the last goes on, and the others end. A wave reads the elements that the same wave
of the other workgroups has written, in the same registers, so no lanes or waves exchange anything, and the
words lie as the lanes do.

All accesses are atomic for all workgroups, so that no cache of a die keeps an old word, or delays a new word.
The count therefore needs the waits of a release, but no write-back and no invalidation of caches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asmgen.blockwise.actions import SumParts
from asmgen.blockwise.lowering.context import Context
from asmgen.blockwise.lowering.tile import Element, Tile, scalar
from asmgen.blockwise.rules.summed_parts import word_of
from asmgen.graph.ops import ADD
from asmgen.index import Index, constant
from asmgen.index.expression import only
from asmgen.index.size import most
from asmgen.ir.program import Attribute, Value
from asmgen.ir.types import U32
from asmgen.lanewise.atomic_ops import ATOMIC, ATOMIC_LOAD, ATOMIC_STORE
from asmgen.lanewise.ops import HIGH_WORD, JOIN_WORDS, LOW_WORD
from asmgen.lanewise.reduction_ops import IS_LANE

_TOGETHER = 16  # words that a lane reads at a time
_COUNT: dict[str, Attribute] = {"op": "add", "order": "waits", "scope": "agent", "offset": 0}


def sum_parts(
    context: Context,
    action: SumParts,
    tiles: Sequence[Tile],
    buffers: tuple[Value, Value],
    after: Callable[[Sequence[Tile]], None],
) -> None:
    """Add up the tiles of the workgroups along the id; `buffers` are the sums and the arrivals. `after` makes
    the statements after it from the totals."""
    parts = _Parts(context, action, tiles, *buffers)
    parts.write()
    is_last = parts.arrive()

    def last() -> None:
        with context.indices.nested():
            after(parts.totals())
            parts.clear()

    context.guarded(is_last, last)


class _Parts:
    def __init__(
        self, context: Context, action: SumParts, tiles: Sequence[Tile], sums: Value, arrived: Value
    ) -> None:
        self._context, self._builder = context, context.builder
        self._tiles, self._sums, self._arrived = tiles, sums, arrived
        kernel = context.kernel
        counts = dict(zip(kernel.grid, kernel.workgroups, strict=True))
        part = self._part = next(each for each in kernel.grid if each.name == action.over)
        self._count = most(counts.pop(part))
        self._word = word_of([tile.type for tile in tiles])
        self._places = [
            (number, tuple(range(first, first + self._word.bytes // U32.bytes)))
            for number, tile in enumerate(tiles)
            for first in range(0, tile.layout.register_count, self._word.bytes // U32.bytes)
        ]
        group = constant(0)
        for each, count in reversed(counts.items()):
            group = group * count + only(each)
        items = kernel.lanes * kernel.waves
        self._next = items * self._word.bytes  # bytes from a word of a lane to its next word
        self._words = len(self._places) * items
        lane = context.indices.data(context.indices.local(), items - 1)
        self._first = group * (self._count * self._words) + lane
        self._own = self._first + only(part) * self._words
        wave = constant(0)
        if kernel.waves > 1:
            wave = context.of_wave(tuple([1 << bit for bit in range(kernel.waves.bit_length() - 1)]))
        self._counter: Index = group * kernel.waves + wave

    def write(self) -> None:
        """Write the tiles of this workgroup."""
        at = self._context.indices.value(self._own)
        for number, (tile, registers) in enumerate(self._places):
            own = [self._bits(scalar(self._builder, self._tiles[tile].elements[each])) for each in registers]
            word = own[0] if len(own) == 1 else self._builder.value(JOIN_WORDS, *own)
            _ = self._builder.emit(ATOMIC_STORE, self._sums, at, word, offset=number * self._next)

    def arrive(self) -> Value:
        """Whether this wave is the last: the others have written their tiles."""
        builder = self._builder
        zero, one = builder.constant(0, U32), builder.constant(1, U32)
        at = self._context.indices.value(self._counter)

        def count() -> tuple[Value, ...]:
            return builder.apply(ATOMIC, (self._arrived, at, one), dict(_COUNT), "before")

        (before,) = builder.if_(self._is_first(), count, lambda: (zero,))
        return builder.equal(builder.read_first_lane(before), builder.constant(self._count - 1, U32))

    def clear(self) -> None:
        """Let the count begin again, for the next launch."""
        builder = self._builder
        zero, at = builder.constant(0, U32), self._context.indices.value(self._counter)

        def clear() -> None:
            _ = builder.emit(ATOMIC_STORE, self._arrived, at, zero)

        self._context.guarded(self._is_first(), clear)

    def totals(self) -> list[Tile]:
        """The sums of all workgroups. Of two, the order of the addition makes no difference, so that a wave
        reads the tiles of the other alone."""
        if self._count == 2:
            at = self._first + (1 - only(self._part)) * self._words
            totals = self._added(self._elements(), self._read(self._context.indices.value(at), 0))
        else:
            totals = self._of_all()
        elements = iter(totals)
        return [
            tile._replace(
                elements=tuple([Element(next(elements)) for _ in range(tile.layout.register_count)])
            )
            for tile in self._tiles
        ]

    def _of_all(self) -> list[Value]:
        """The sums of all workgroups, in their order. Loads of several are under way at a time."""
        at, totals = self._context.indices.value(self._first), list[Value]()
        together = max(1, _TOGETHER // len(self._places))
        for first in range(0, self._count, together):
            parts = range(first, min(first + together, self._count))
            for read in [self._read(at, part * self._words * self._word.bytes) for part in parts]:
                totals = self._added(totals, read) if totals else read
        return totals

    def _added(self, some: Sequence[Value], others: Sequence[Value]) -> list[Value]:
        return [self._builder.value(ADD, one, other) for one, other in zip(some, others, strict=True)]

    def _elements(self) -> list[Value]:
        """The elements of this workgroup, by tile and register."""
        return [scalar(self._builder, each) for tile in self._tiles for each in tile.elements]

    def _read(self, at: Value, first: int) -> list[Value]:
        """The elements of a workgroup that are `first` bytes behind a word."""
        builder = self._builder
        found: list[Value] = []
        for number, (tile, registers) in enumerate(self._places):
            word = builder.value(ATOMIC_LOAD, self._sums, at, offset=first + number * self._next, name="word")
            own = [word] if len(registers) == 1 else [builder.value(op, word) for op in (LOW_WORD, HIGH_WORD)]
            found += [builder.bit_cast(half, self._tiles[tile].type.element) for half in own]
        return found

    def _bits(self, value: Value) -> Value:
        return self._builder.bit_cast(value, U32)

    def _is_first(self) -> Value:
        return self._builder.value(IS_LANE, lane=0)
