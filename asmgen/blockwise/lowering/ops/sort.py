"""`sort`: a network of compares between the places of a tile along the axis.

A merge joins two sorted blocks of keys. It first compares each key with the key at the mirrored place of the
other block, then with the keys at half of the distance, a quarter of it, and so on (bitonic, all blocks
ascending). A place keeps the lesser key if it comes first, and the greater key otherwise.

- Keys in registers: a minimum and a maximum of two registers. Blocks of registers are sorted by Batcher's
  odd-even network at first, which has fewer compares.
- Keys of other lanes are brought by `lane_exchange`. The median of both and a bound is the minimum or the
  maximum, as the lane's bound is the least or the greatest number.
- Keys of other waves go through LDS.

If only the first keys are asked for, blocks of that size are sorted. Two blocks are then compared at mirrored
places, and the lesser keys stay: they are the first keys of both, and a merge sorts them.

A key of 32 bits with a number is a single number of 64 bits, the key in the upper half. A key of 64 bits and
its number are compared in succession.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd

from asmgen.blockwise import actions as ops
from asmgen.blockwise.layout.algebra import Part
from asmgen.blockwise.layout.steps import leading, steps_along
from asmgen.blockwise.lowering.context import Context
from asmgen.blockwise.lowering.tile import Element, Tile, gathered, scalar, vector_elements
from asmgen.blockwise.types import TileType
from asmgen.graph.ops import MAX, MIN
from asmgen.ir.numbers import integer_range
from asmgen.ir.program import Op, Value, lane_type
from asmgen.ir.types import I32, I64, U32, U64
from asmgen.lanewise.ops import HIGH_WORD, JOIN_WORDS, LOW_WORD
from isa.named_tuple import NamedTuple
from isa.target import WIDEST_ACCESS

_WORDS = {32: U32, 64: U64}  # the types in LDS, by bits: all sorts of a kernel share them
Entry = tuple[Value, ...]  # a key, and its number if that is not a part of it


def sort(
    context: Context, action: ops.Sort, tiles: Sequence[Tile], results: Sequence[TileType]
) -> tuple[Tile, ...]:
    """The sorted keys, and the numbers that moved with them."""
    columns = [[scalar(context.builder, element) for element in tile.elements] for tile in tiles]
    is_joined = len(tiles) > 1 and tiles[0].type.element in (I32, U32)
    if is_joined:
        columns = [[_joined(context, *pair) for pair in zip(*columns, strict=True)]]
    made = _Network(context, action, tiles[0], list(zip(*columns, strict=True))).run()
    sorted_ = list(zip(*made, strict=True))
    if is_joined:
        sorted_ = [_words(context, op, sorted_[0]) for op in (HIGH_WORD, LOW_WORD)]
    return tuple([_tile(context, *part) for part in zip(results, sorted_, strict=True)])


def _joined(context: Context, key: Value, number: Value) -> Value:
    whole = I64 if lane_type(key).element is I32 else U64
    low, high = (context.builder.bit_cast(word, U32) for word in (number, key))
    return context.builder.value(JOIN_WORDS, low, high, type=whole.name)


def _words(context: Context, op: Op, values: Sequence[Value]) -> Entry:
    return tuple([context.builder.value(op, value) for value in values])


def _tile(context: Context, type_: TileType, values: Sequence[Value]) -> Tile:
    cast = [context.builder.bit_cast(value, type_.element) for value in values]
    return Tile(type_, tuple([Element(value) for value in cast]))


class _Masks(NamedTuple):
    """The bits of register, lane and wave in which two places differ."""

    registers: int
    lanes: int
    waves: int


class _Network:
    """The entry of each register so far; registers of keys that are out are removed."""

    def __init__(self, context: Context, action: ops.Sort, keys: Tile, entries: Sequence[Entry]) -> None:
        steps = steps_along(keys.layout, action.axis)
        assert steps is not None, "its rule has checked them"
        self._context, self._builder = context, context.builder
        self._steps = steps
        self._entries = dict(enumerate(entries))
        self._element = lane_type(entries[0][0]).element
        self._is_word = self._element in (I32, U32)
        self._bits = (action.first or keys.layout.shape[action.axis]).bit_length() - 1
        self._sorted_bits = max(1, action.blocks).bit_length() - 1
        self._uppers: dict[int, Value] = {}
        self._bounds: dict[int, Value] = {}
        self._lds: list[Value] = []

    def run(self) -> list[Entry]:
        """The entries of the registers that are left, in their order."""
        done = self._sorted_bits
        if not done:
            run = leading(self._steps, Part.REGISTERS)[: self._bits]
            self._sort_registers(run)
            done = len(run)
        for bit in range(done, self._bits):
            self._compare((2 << bit) - 1, bit)
            self._merge(bit)
        others = sorted(range(self._bits, len(self._steps)), key=self._order)
        for bit in others:
            self._take(bit)
            self._merge(self._bits)
        return [self._entries[register] for register in sorted(self._entries)]

    def _order(self, bit: int) -> int:
        """Bits of registers first: the later steps then have fewer registers."""
        return list(Part).index(self._steps[bit].part)

    def _merge(self, bits: int) -> None:
        for bit in reversed(range(bits)):
            self._compare(1 << bit, bit)

    def _sort_registers(self, run: Sequence[int]) -> None:
        """Sort the registers that differ in the bits `run` of their number."""
        offsets = [
            sum(1 << bit for at, bit in enumerate(run) if place >> at & 1) for place in range(1 << len(run))
        ]
        blocks = [register for register in self._entries if not register & offsets[-1]]
        for stage in odd_even(len(offsets)):
            pairs = [(offsets[low], offsets[high]) for low, high in stage]
            self._exchange([(block | low, block | high) for low, high in pairs for block in blocks])

    def _masks(self, places: int) -> _Masks:
        """The bits of the holders of two places that differ in these bits."""
        masks = dict.fromkeys(Part, 0)
        for number, (_, part, bit) in enumerate(self._steps):
            if places >> number & 1:
                masks[part] |= 1 << bit
        return _Masks(masks[Part.REGISTERS], masks[Part.LANES], masks[Part.WAVES])

    def _compare(self, places: int, bit: int) -> None:
        """Compare the keys at places that differ in the bits `places`; the place with a 0 in `bit`, the
        highest of them, keeps the lesser key."""
        masks, (_, part, own) = self._masks(places), self._steps[bit]
        if not masks.lanes and not masks.waves:
            lower = [register for register in self._entries if not register >> own & 1]
            self._exchange([(register, register ^ masks.registers) for register in lower])
            return
        brought = self._brought(masks)
        for register, entry in list(self._entries.items()):
            other = brought[register]
            if part is not Part.REGISTERS:
                self._entries[register] = self._chosen(entry, other, self._number(part, own))
            elif register >> own & 1:
                self._entries[register] = self._greater(entry, other)
            else:
                self._entries[register] = self._lesser(entry, other)

    def _take(self, bit: int) -> None:
        """Keep the lesser of the keys at mirrored places of two blocks."""
        masks, (_, part, own) = self._masks(1 << bit | (1 << self._bits) - 1), self._steps[bit]
        brought, out = self._brought(masks), 1 << own if part is Part.REGISTERS else 0
        self._entries = {
            register: self._lesser(entry, brought[register])
            for register, entry in self._entries.items()
            if not register & out
        }

    # Two entries

    def _exchange(self, pairs: Sequence[tuple[int, int]]) -> None:
        """The lesser of two registers' entries to the first, and the greater to the second, of pairs without
        registers in common."""
        for low, high in pairs:
            a, b = self._entries[low], self._entries[high]
            if self._is_word:
                self._entries[low], self._entries[high] = self._lesser(a, b), self._greater(a, b)
            else:
                is_swapped = self._is_less(b, a)
                self._entries[low] = self._where(is_swapped, b, a)
                self._entries[high] = self._where(is_swapped, a, b)

    def _is_less(self, a: Entry, b: Entry) -> Value:
        builder, is_less = self._builder, self._builder.less(a[0], b[0])
        if len(a) == 1:
            return is_less
        is_before = builder.logical_and(builder.equal(a[0], b[0]), builder.less(a[1], b[1]))
        return builder.logical_or(is_less, is_before)

    def _where(self, condition: Value, a: Entry, b: Entry) -> Entry:
        return tuple([self._builder.where(condition, own, other) for own, other in zip(a, b, strict=True)])

    def _lesser(self, a: Entry, b: Entry) -> Entry:
        if self._is_word:
            return (self._builder.value(MIN, *a, *b),)
        return self._where(self._is_less(b, a), b, a)

    def _greater(self, a: Entry, b: Entry) -> Entry:
        if self._is_word:
            return (self._builder.value(MAX, *a, *b),)
        return self._where(self._is_less(a, b), b, a)

    def _chosen(self, own: Entry, other: Entry, bit: int) -> Entry:
        """The greater entry in lanes that have the bit in their number, the lesser entry in the others."""
        builder = self._builder
        if self._is_word:
            return (builder.med3(own[0], other[0], self._bound(bit)),)
        is_taken = builder.not_equal(self._is_less(other, own), self._is_upper(bit))
        return self._where(is_taken, other, own)

    def _number(self, part: Part, bit: int) -> int:
        """The bit of the work-item's number that is a bit of its lane or of its wave."""
        return bit if part is Part.LANES else bit + self._context.kernel.lanes.bit_length() - 1

    def _is_upper(self, bit: int) -> Value:
        if bit not in self._uppers:
            builder = self._builder
            own = builder.bitwise_and(self._context.indices.local(), builder.constant(1 << bit, U32))
            self._uppers[bit] = builder.not_equal(own, builder.constant(0, U32))
        return self._uppers[bit]

    def _bound(self, bit: int) -> Value:
        if bit not in self._bounds:
            low, high = [self._context.literal(end, self._element) for end in integer_range(self._element)]
            self._bounds[bit] = self._builder.where(self._is_upper(bit), high, low)
        return self._bounds[bit]

    # Entries of others

    def _brought(self, masks: _Masks) -> dict[int, Entry]:
        """For each register the entry at the place that differs in these bits."""
        if masks.waves:
            columns = [self._through_lds(number, masks) for number in range(len(self._entries[0]))]
            return dict(zip(self._entries, zip(*columns, strict=True), strict=True))
        others = {register: self._entries[register ^ masks.registers] for register in self._entries}
        if not masks.lanes:
            return others
        return {
            register: tuple([self._builder.lane_exchange(part, masks.lanes) for part in entry])
            for register, entry in others.items()
        }

    def _through_lds(self, number: int, masks: _Masks) -> list[Value]:
        """A part of the entries. A lane's are accesses of 16 bytes; accesses of all lanes are adjacent."""
        context, builder = self._context, self._builder
        parts = {register: entry[number] for register, entry in self._entries.items()}
        registers, lanes = list(parts), context.kernel.lanes
        element = lane_type(parts[0]).element
        word = _WORDS[element.bits]
        items, length = lanes * context.kernel.waves, gcd(len(registers), WIDEST_ACCESS // element.bytes)
        if number == len(self._lds):
            self._lds.append(context.scratch(word, items * len(registers)))
        lds, own = self._lds[number], context.indices.local()
        differs = builder.constant(masks.lanes | masks.waves << lanes.bit_length() - 1, U32)
        write, read = (self._scaled(item, length) for item in (own, builder.bitwise_xor(own, differs)))
        offsets = {first: first * items * element.bytes for first in range(0, len(registers), length)}
        context.before_write(lds)
        for first, offset in offsets.items():
            group = registers[first : first + length]
            elements = [Element(builder.bit_cast(parts[register], word)) for register in group]
            builder.lds_store(lds, write, gathered(builder, elements), offset=offset)
        builder.barrier()
        found: list[Value] = []
        for offset in offsets.values():
            loaded = builder.lds_load(lds, read, length, offset=offset)
            words = [scalar(builder, each) for each in vector_elements(loaded)]
            found += [builder.bit_cast(each, element) for each in words]
        brought = dict(zip(registers, found, strict=True))
        return [brought[register ^ masks.registers] for register in registers]

    def _scaled(self, item: Value, length: int) -> Value:
        shift = length.bit_length() - 1
        return self._builder.shift_left(item, self._builder.constant(shift, U32)) if shift else item


def odd_even(count: int) -> Iterator[list[tuple[int, int]]]:
    """The compares of Batcher's odd-even merge sort of `count` places, a power of two, in stages of pairs
    without a place in common."""
    size = 1
    while size < count:
        distance = size
        while distance:
            firsts = range(distance % size, count - distance, 2 * distance)
            lows = [low for first in firsts for low in range(first, first + distance)]
            yield [
                (low, low + distance) for low in lows if low // (2 * size) == (low + distance) // (2 * size)
            ]
            distance //= 2
        size *= 2
