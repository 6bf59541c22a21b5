"""`scan`: prefix steps by the bits along the axis, from the lowest on.

After the bits up to one, an element's `before` has what is before it in its block of elements, and every
block has its `total`. The next bit joins two blocks: the upper one's elements have the lower one's total
before them. Of register bits both are the lane's own; of lane bits the other's total is exchanged; of waves
all totals go through LDS. What comes from other lanes is kept once for a block, the `carry`, until the end.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.blockwise import actions as ops
from asmgen.blockwise.layout.algebra import Part
from asmgen.blockwise.layout.layout import is_power_of_two, split
from asmgen.blockwise.lowering.context import COMBINES, Context, identity
from asmgen.blockwise.lowering.exchange import from_lane, from_waves
from asmgen.blockwise.lowering.tile import Element, Tile, lane_type, scalar
from asmgen.blockwise.types import TileType
from asmgen.ir.program import Value
from asmgen.ir.types import U32
from isa.diagnostics import InputError, Place

Step = tuple[int, Part, int]  # the size of a block, and the bit that chooses one of two


class ScanState:
    """The state of a scan: for each register what is before its element, and the total of its block."""

    def __init__(self, context: Context, action: ops.Scan, tile: Tile) -> None:
        self._context = context
        self._builder = context.builder
        self._op = action.op
        self._action = action
        self._tile = tile
        count = tile.layout.register_count
        self._own = [context.word(scalar(context.builder, element)) for element in tile.elements]
        self._before: list[Value | None] = [None] * count
        self._carry: list[Value | None] = [None] * count
        self._total = list(self._own)

    def run(self, place: Place | str) -> Tile:
        """The result. `InputError` where the bits of the layout are not single steps along the axis."""
        layout = self._tile.layout
        steps = _steps(self._tile.type, self._action.axis)
        if steps is None:
            raise InputError(
                place,
                "BLK011",
                "scan along bases that mix coordinates, wanted one step each",
                help="relayout the operand",
            )
        position = 0
        while position < len(steps):
            _, part, bit = steps[position]
            if part is Part.REGISTERS:
                self._registers(1 << bit)
            elif part is Part.LANES:
                self._lanes(bit)
            else:
                run = _leading(steps[position:])
                self._waves(run)
                position += len(run) - 1
            position += 1
        self._turns()
        values = [self._finished(register) for register in range(layout.register_count)]
        element = self._tile.type.element
        whole = tuple([Element(self._context.of_word(value, element)) for value in values])
        return Tile(self._tile.type, whole, False)

    def _combined(self, a: Value | None, b: Value | None) -> Value | None:
        if a is None or b is None:
            return b if a is None else a
        return self._builder.value(COMBINES[self._op], a, b)

    def _joined(self, low: int, high: int) -> None:
        """Register `high`'s block is after register `low`'s."""
        total = self._total[low]
        if self._carry[high] is None and self._carry[low] is None:
            self._before[high] = self._combined(total, self._before[high])
        else:
            self._carry[high] = self._combined(total, self._carry[high])

    def _registers(self, bit: int) -> None:
        for low in [register for register in range(len(self._own)) if not register & bit]:
            self._joined(low, low | bit)
            both = self._combined(self._total[low], self._total[low | bit])
            assert both is not None
            self._total[low] = self._total[low | bit] = both

    def _lanes(self, bit: int) -> None:
        """The other block's total comes from the lane whose number differs in the bit."""
        builder, mask = self._builder, self._builder.constant(1 << bit, U32)
        is_upper = builder.not_equal(
            builder.bitwise_and(self._context.indices.lane(), mask), builder.constant(0, U32)
        )
        made: dict[tuple[Value, Value | None], tuple[Value, Value]] = {}
        for register, (total, carry) in enumerate(zip(self._total, self._carry, strict=True)):
            if (total, carry) not in made:
                other = from_lane(self._context, total, bit)
                made[total, carry] = (
                    builder.value(COMBINES[self._op], total, other),
                    self._chosen(is_upper, other, carry),
                )
            self._total[register], self._carry[register] = made[total, carry]

    def _chosen(self, is_after: Value, other: Value, carry: Value | None) -> Value:
        """The carry with another block's total before it, where that block is before this one."""
        now = carry if carry is not None else self._nothing(other)
        joined = self._combined(other, carry)
        assert joined is not None
        return self._builder.where(is_after, joined, now)

    def _nothing(self, like: Value) -> Value:
        return self._builder.like(identity(self._op, lane_type(like).element), like)

    def _waves(self, bits: Sequence[int]) -> None:
        """All totals of the waves that differ in some bits, in the order of these."""
        context, builder = self._context, self._builder
        layout = self._tile.layout
        taken = [
            bit
            for bit, basis in enumerate(layout.lanes)
            if _is_along(self._tile.type, basis, self._action.axis)
        ]
        copies = [bit for bit, basis in enumerate(layout.lanes) if not basis]
        totals = list(dict.fromkeys(self._total))
        found = from_waves(context, totals, [*taken, *copies], bits)
        lanes = len(layout.lanes)
        columns = [0] * (lanes + len(layout.waves))
        for at, bit in enumerate(bits):
            columns[lanes + bit] = 1 << at
        own = context.indices.value(context.indices.image(tuple(columns)))
        for register, (total, carry) in enumerate(zip(self._total, self._carry, strict=True)):
            waves = found[totals.index(total)]
            whole, before = waves[0], self._nothing(total)
            for number, wave in enumerate(waves[:-1]):
                is_after = builder.less(builder.constant(number, U32), own)
                joined = wave if number == 0 else builder.value(COMBINES[self._op], before, wave)
                before = builder.where(is_after, joined, before)
            for wave in waves[1:]:
                whole = builder.value(COMBINES[self._op], whole, wave)
            self._total[register] = whole
            self._carry[register] = self._combined(before, carry)

    def _turns(self) -> None:
        """Repeated tiles follow each other along the axis."""
        layout, axis = self._tile.layout, self._action.axis
        size = 1 << len(layout.registers)
        for register in range(size, layout.register_count):
            turn = split(register // size, layout.counts)
            if turn[axis]:
                earlier = [place - (at == axis) for at, place in enumerate(turn)]
                number = 0
                for place, other in zip(earlier, layout.counts, strict=True):
                    number = number * other + place
                low = number * size + register % size
                self._joined(low, register)
                both = self._combined(self._total[low], self._total[register])
                assert both is not None
                self._total[register] = both

    def _finished(self, register: int) -> Value:
        before = self._before[register]
        if not self._action.exclusive:
            before = self._combined(before, self._own[register])
        whole = self._combined(self._carry[register], before)
        return whole if whole is not None else self._nothing(self._own[register])


def _is_along(type_: TileType, basis: int, axis: int) -> bool:
    return split(basis, type_.layout.sizes)[axis] != 0


def _steps(type_: TileType, axis: int) -> list[Step] | None:
    """The bits along an axis, the lowest first; None where one is not a single step."""
    layout = type_.layout
    parts = ((Part.REGISTERS, layout.registers), (Part.LANES, layout.lanes), (Part.WAVES, layout.waves))
    steps: list[Step] = []
    for part, bases in parts:
        for bit, basis in enumerate(bases):
            if not _is_along(type_, basis, axis):
                continue
            if not is_power_of_two(basis):
                return None
            steps.append((split(basis, layout.sizes)[axis], part, bit))
    return sorted(steps, key=lambda step: step[0])


def _leading(steps: Sequence[Step]) -> list[int]:
    """The wave bits with which the steps begin."""
    found: list[int] = []
    for _, part, bit in steps:
        if part is not Part.WAVES:
            break
        found.append(bit)
    return found
