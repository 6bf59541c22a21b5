"""`scan`: prefix steps by the bits along the axis, from the lowest bit on.

After some bits, each element has `before`, the elements before it in its block combined, and every block has
its `total`. The next bit joins two blocks: the elements of the later block get the total of the earlier block
before them. In reverse, the block with the lower coordinates is the later block.

- The lowest bits are scanned one element after the other if they are register bits. Later register bits join
  two blocks of the same lane.
- Lane bits of a row or more are a `dpp_scan`; for other lane bits the total of the other block is exchanged.
- For wave bits all totals go through LDS.

The part from other lanes is kept once for a block until the end, as `carry`, and so is the part before the
tile, which may come from other workgroups (`over_workgroups`).
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.blockwise import actions as ops
from asmgen.blockwise.layout.algebra import Part, project
from asmgen.blockwise.layout.layout import Layout, split
from asmgen.blockwise.layout.queries import kept_registers
from asmgen.blockwise.layout.steps import Step, leading, steps_along
from asmgen.blockwise.lowering import tile as tiles
from asmgen.blockwise.lowering.context import Context
from asmgen.blockwise.lowering.ops.exchange import from_last, from_waves
from asmgen.blockwise.lowering.ops.over_workgroups import Preceding
from asmgen.blockwise.lowering.ops.scan_elements import Element, elements_of
from asmgen.blockwise.lowering.tile import Tile, elements_as, scalar
from asmgen.blockwise.types import TileType
from asmgen.ir.program import Value, lane_type
from asmgen.ir.types import BOOL, U32, computed, is_cut
from asmgen.lanewise.reduction_ops import SCANNED, WHOLE_WORDS
from isa.diagnostics import InputError, Place
from isa.named_tuple import NamedTuple


class Found(NamedTuple):
    """A block's total and carry after a step of lanes."""

    total: Element
    carry: Element


class ScanState:
    """The state of a scan: for each register the prefix of its element, and the total of its block. `parts`
    are the tiles of the parts of an element (`scan_elements`)."""

    def __init__(
        self,
        context: Context,
        action: ops.Scan,
        parts: Sequence[Tile],
        before: Tile | None,
        words: Value | None = None,
    ) -> None:
        self._context = context
        self._builder = context.builder
        self._op = action.op
        self._action = action
        self._tile = tile = parts[-1]
        self._elements = elements_of(context, action)
        count = tile.layout.register_count
        self._own: list[Element] = list(zip(*[self._computed(part) for part in parts], strict=True))
        self._before: list[Element | None] = [None] * count
        self._carry: list[Element | None] = [None] * count
        self._total = list(self._own)
        self._first = list(self._own)  # of the lane's own elements of the block
        self._row = kept_registers(tile.layout, (action.axis,))
        self._initial: list[Element] = []
        self._start: list[Element] = []  # in place of `_initial` if a lane begins with it
        self._words = words
        if before is not None:
            self._initial = [self._preceding(value) for value in self._computed(before)]

    def _computed(self, tile: Tile) -> list[Value]:
        """The elements in the type in which lanes compute."""
        elements = elements_as(self._builder, tile, computed(tile.type.element))
        return [self._context.word(scalar(self._builder, element)) for element in elements]

    def _preceding(self, value: Value) -> Element:
        """An element that comes before all others: nothing needs its factor."""
        nothing = self._elements.nothing((value,), lane_type(value).element)
        return (*nothing[:-1], value)

    def run(self, place: Place | str) -> tuple[Tile, ...]:
        """The results. Raises `InputError` BLK011 if the bits of the layout are not single steps along the
        axis.
        """
        layout = self._tile.layout
        steps = steps_along(self._tile.layout, self._action.axis)
        if steps is None:
            raise InputError(
                place,
                "BLK011",
                "scan along bases that mix coordinates, wanted single steps",
                help="relayout the operand",
            )
        if self._takes_rows(steps):
            self._start, self._initial = self._initial, []
        position = 0
        while position < len(steps):
            _, part, bit = steps[position]
            row = self._row_lanes(steps[position:])
            if part is Part.REGISTERS and not position:
                run = leading(steps, Part.REGISTERS)
                self._in_turn(run)
                position += len(run)
            elif part is Part.REGISTERS:
                self._registers(1 << bit)
                position += 1
            elif part is Part.WAVES:
                run = leading(steps[position:], Part.WAVES)
                self._waves(run, steps[:position])
                position += len(run)
            elif row:
                position += row.bit_length() - 1
                is_last = position == len(steps) and not self._initial and not self._has_turns()
                self._row_of_lanes(row, is_last)
            else:
                self._lanes(bit)
                position += 1
        self._turns()
        if self._words is not None:
            preceding = Preceding(self._context, self._action, self._words, self._initial[0][-1])
            self._initial = [(preceding.of(self._total[self._last][-1]),)]
        values = [self._finished(register)[-1] for register in range(layout.register_count)]
        whole = self._tile_of(self._tile.type, values)
        if not (self._initial or self._start) or self._words is not None:
            return (whole,)
        totals = dict(zip(self._row, self._total, strict=True))  # of the last of repeated tiles
        if self._action.reverse:
            totals = dict(zip(self._row[::-1], self._total[::-1], strict=True))
        after = [totals[number] for number in range(len(self._start))]
        after += [self._value(before, totals[number]) for number, before in enumerate(self._initial)]
        row = TileType(self._tile.type.element, _row_layout(self._tile.type, self._action.axis))
        return whole, self._tile_of(row, [element[-1] for element in after])

    @property
    def _last(self) -> int:
        """A register with the total of the whole row, if there is a single row."""
        return 0 if self._action.reverse else len(self._total) - 1

    def _tile_of(self, type_: TileType, values: Sequence[Value]) -> Tile:
        context, element = self._context, type_.element
        if element is BOOL:
            return Tile(type_, tuple([tiles.Element(context.of_word(value, element)) for value in values]))
        return Tile(type_, tuple([tiles.Element(context.rounded(value, element)) for value in values]))

    def _value(self, early: Element, late: Element) -> Element:
        return self._elements.combined(early, late)

    def _combined(self, early: Element | None, late: Element | None) -> Element | None:
        if early is None or late is None:
            return late if early is None else early
        return self._value(early, late)

    def _joined(self, low: int, high: int) -> None:
        """Join the blocks of two registers. The block with the greater coordinates is the later block, in a
        reverse scan the earlier block."""
        early, late = (high, low) if self._action.reverse else (low, high)
        total = self._total[early]
        if self._carry[late] is None and self._carry[early] is None:
            self._before[late] = self._combined(total, self._before[late])
        else:
            self._carry[late] = self._combined(total, self._carry[late])

    def _grown(self, low: int, high: int) -> Element:
        """The total of two blocks."""
        early, late = (high, low) if self._action.reverse else (low, high)
        return self._value(self._total[early], self._total[late])

    def _takes_rows(self, steps: Sequence[Step]) -> bool:
        """Whether a lane has whole rows and begins with what precedes them. A step of a linear recurrence is
        then a single fma in place of two and a product."""
        is_of_lane = {part for _, part, _ in steps} == {Part.REGISTERS}
        return self._op is ops.Combine.LINEAR and is_of_lane and not self._has_turns() and self._words is None

    def _in_turn(self, bits: Sequence[int]) -> None:
        """Scan the adjacent elements of a lane in succession. `bits` of a register's number are that of
        its element.
        """
        places = range(1 << len(bits))
        offsets = [sum(1 << bit for at, bit in enumerate(bits) if place >> at & 1) for place in places]
        if self._action.reverse:
            offsets.reverse()
        every = sum(1 << bit for bit in bits)
        for block in [register for register in range(len(self._own)) if not register & every]:
            registers = [block | offset for offset in offsets]
            up_to = self._start[self._row[registers[0]]] if self._start else None
            for register in registers:
                self._before[register] = up_to
                up_to = self._combined(up_to, self._own[register])
            assert up_to is not None, "a lane has elements"
            for register in registers:
                self._first[register], self._total[register] = self._own[registers[0]], up_to

    def _registers(self, bit: int) -> None:
        made: dict[tuple[Element, Element], Element] = {}
        for low in [register for register in range(len(self._own)) if not register & bit]:
            high = low | bit
            self._joined(low, high)
            pair = self._total[low], self._total[high]
            if pair not in made:
                made[pair] = self._grown(low, high)
            self._total[low] = self._total[high] = made[pair]
            first = self._first[high if self._action.reverse else low]
            self._first[low] = self._first[high] = first

    # Lanes

    def _row_lanes(self, steps: Sequence[Step]) -> int:
        """The number of adjacent lanes in the first steps, if a `dpp_scan` does these steps; else 0."""
        if lane_type(self._own[0][-1]).element not in WHOLE_WORDS:
            return 0
        count = 0
        while count < len(steps) and steps[count][1:] == (Part.LANES, count):
            count += 1
        return 1 << count if 1 << count in SCANNED else 0

    def _row_of_lanes(self, lanes: int, is_last: bool) -> None:
        """Scan adjacent lanes by `dpp_scan`. The carry of a lane is then the scanned value of the lane before
        it."""
        elements = self._elements
        made: dict[tuple[Element, Element | None, Element], Found] = {}
        for register, key in enumerate(self._blocks()):
            total, carry, nothing = key
            if key not in made:
                up_to = elements.over_lanes(total, lanes)
                before = elements.of_lane_before(up_to, nothing, lanes)
                after = before if carry is None else self._value(before, carry)
                last = up_to if is_last else tuple([self._last_of(part, lanes) for part in up_to])
                made[key] = Found(last, after)
            self._total[register], self._carry[register] = made[key]

    def _last_of(self, value: Value, lanes: int) -> Value:
        """The value of the last lane of a group, or of the first lane in reverse."""
        context, builder = self._context, self._builder
        reverse = self._action.reverse
        if lanes == context.kernel.lanes and not reverse:
            return from_last(context, value)
        if lanes == context.kernel.lanes:
            return builder.lane_shuffle(value, builder.constant(0, U32))
        lane, mask = context.indices.lane(), lanes - 1
        bits = builder.constant(~mask & context.kernel.lanes - 1 if reverse else mask, U32)
        of = builder.bitwise_and(lane, bits) if reverse else builder.bitwise_or(lane, bits)
        return builder.lane_shuffle(value, of)

    def _blocks(self) -> list[tuple[Element, Element | None, Element]]:
        """For each register the total of its block, the carry, and a value that changes no result of the
        block."""
        nothing = [self._nothing(register) for register in range(len(self._own))]
        return list(zip(self._total, self._carry, nothing, strict=True))

    def _lanes(self, bit: int) -> None:
        """Join the blocks of two lanes that differ in the bit: the total of the other block comes from the
        other lane."""
        builder, mask = self._builder, self._builder.constant(1 << bit, U32)
        own = builder.bitwise_and(self._context.indices.lane(), mask)
        compare = builder.equal if self._action.reverse else builder.not_equal
        is_late = compare(own, builder.constant(0, U32))
        made: dict[tuple[Element, Element | None, Element], Found] = {}
        for register, key in enumerate(self._blocks()):
            total, carry, nothing = key
            if key not in made:
                other = self._elements.of_lane(total, bit)
                both = self._elements.of_both(total, other, is_late)
                made[key] = Found(both, self._chosen(is_late, other, carry, nothing))
            self._total[register], self._carry[register] = made[key]

    def _chosen(self, is_after: Value, other: Element, carry: Element | None, nothing: Element) -> Element:
        """The carry, with another block's total before it if that block comes before this block."""
        joined = other if carry is None else self._value(other, carry)
        return self._elements.where(is_after, joined, nothing if carry is None else carry)

    def _nothing(self, register: int) -> Element:
        """A value that changes no result of the register's block. It is the identity element; but for a
        maximum or minimum that includes the lane's own first element it is this element, so that a block of
        NaN stays NaN."""
        if self._op in (ops.Combine.MAX, ops.Combine.MIN) and not self._action.exclusive:
            return self._first[register]
        like, element = self._own[register], self._tile.type.element
        return self._elements.nothing(like, element if is_cut(element) else lane_type(like[-1]).element)

    # Waves and repeated tiles

    def _waves(self, bits: Sequence[int], done: Sequence[Step]) -> None:
        """Join the blocks of the waves that differ in `bits`, in the order of the bits. The lanes of the
        steps that are `done` have the same total."""
        context, layout = self._context, self._tile.layout
        taken = [bit for _, part, bit in done if part is Part.LANES]
        copies = [bit for bit, basis in enumerate(layout.lanes) if not basis]
        totals = list(dict.fromkeys(self._total))
        values = [part for total in totals for part in total]
        waves = from_waves(context, values, [*taken, *copies], bits)
        each = len(values) // len(totals)
        found = [[*zip(*waves[at : at + each], strict=True)] for at in range(0, len(waves), each)]
        lanes = len(layout.lanes)
        columns = [0] * (lanes + len(layout.waves))
        for at, bit in enumerate(bits):
            columns[lanes + bit] = 1 << at
        own = context.indices.value(context.places.image(tuple(columns)))
        made: dict[tuple[Element, Element | None, Element], Found] = {}
        for register, key in enumerate(self._blocks()):
            total, carry, nothing = key
            if key not in made:
                whole, before = self._over_waves(found[totals.index(total)], own, nothing)
                made[key] = Found(whole, before if carry is None else self._value(before, carry))
            self._total[register], self._carry[register] = made[key]

    def _over_waves(self, waves: Sequence[Element], own: Value, nothing: Element) -> tuple[Element, Element]:
        """The total of all waves, and what comes before the wave with the number `own`."""
        builder, numbers = self._builder, list(range(len(waves)))
        if self._action.reverse:
            waves, numbers = waves[::-1], numbers[::-1]
        whole, before = waves[0], nothing
        for number, wave in zip(numbers[:-1], waves[:-1], strict=True):
            place = builder.constant(number, U32)
            is_late = builder.less(own, place) if self._action.reverse else builder.less(place, own)
            joined = wave if wave is waves[0] else self._value(before, wave)
            before = self._elements.where(is_late, joined, before)
        for wave in waves[1:]:
            whole = self._value(whole, wave)
        return whole, before

    def _has_turns(self) -> bool:
        return self._tile.layout.counts[self._action.axis] > 1

    def _turns(self) -> None:
        """Repeated tiles follow each other along the axis."""
        layout, axis = self._tile.layout, self._action.axis
        size = 1 << len(layout.registers)
        turns = [split(register // size, layout.counts)[axis] for register in range(layout.register_count)]
        made: dict[tuple[Element, Element], Element] = {}
        for turn in sorted(set(turns), reverse=self._action.reverse):
            for register in [register for register, of in enumerate(turns) if of == turn]:
                self._join_turn(register, size, -1 if self._action.reverse else 1, made)

    def _join_turn(
        self, register: int, size: int, step: int, made: dict[tuple[Element, Element], Element]
    ) -> None:
        """Join a repeated tile to the previous tile; the total of the previous tile covers all tiles before.
        `made` maps the totals of two tiles to their joint total, since several registers have the same
        totals."""
        layout, axis = self._tile.layout, self._action.axis
        turn = list(split(register // size, layout.counts))
        turn[axis] -= step
        if not 0 <= turn[axis] < layout.counts[axis]:
            return
        number = 0
        for place, count in zip(turn, layout.counts, strict=True):
            number = number * count + place
        early = number * size + register % size
        low, high = (register, early) if self._action.reverse else (early, register)
        self._joined(low, high)
        pair = self._total[low], self._total[high]
        if pair not in made:
            made[pair] = self._grown(low, high)
        self._total[register] = made[pair]

    def _finished(self, register: int) -> Element:
        before = self._before[register]
        if not self._action.exclusive:
            before = self._combined(before, self._own[register])
        carry = self._carry[register]
        if self._action.exclusive and self._op in (ops.Combine.MAX, ops.Combine.MIN):
            carry = self._combined(self._nothing(register), carry)  # if all earlier elements are NaN
        if self._initial:
            carry = self._combined(self._initial[self._row[register]], carry)
        whole = self._combined(carry, before)
        return whole if whole is not None else self._nothing(register)


def _row_layout(type_: TileType, axis: int) -> Layout:
    made = project(type_.layout, (axis,))
    assert made is not None, "the operand that comes before has it"
    return made
