"""The code of a loop in another order of its trips: prologue, kernel and epilogue.

    loop(%i, %sum):                    load(%i) -> %x; more? -> last      the first trip begins
      %x = load(%i)                    loop(%i, %sum, %x):
      %new = %sum + %x          is       %new = %sum + %x                 the trip before ends
      more? -> loop(%next, %new)         %y = load(%i)                    the next trip begins
                                         more? -> loop(%next, %new, %y)
                                       last(%sum, %x):
                                         %new = %sum + %x                 the last trip ends

An instruction of stage s works for the trip that began s intervals before. The test of the loop is of stage
0, so each pass of the kernel begins a trip that the loop has: nothing is executed that the loop does not
execute. If fewer trips begin than there are stages, the prologue leaves for the part of the epilogue that is
left; it does not test trips that begin for certain. Values that pass from interval to interval are
parameters. A value that lives longer than an interval would have to be copied while the next value is made,
so the kernel is repeated: `copies` of it, each with registers of its own and a test of its own. (M. Lam,
Software pipelining, 1988.)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from msgspec.structs import replace

from asmgen.passes.schedule.modulo.blocks import (
    Labels,
    block_of,
    copied,
    fork,
    jump,
    renamed_block,
    units_read,
    with_own_registers,
)
from asmgen.passes.schedule.modulo.order import LoopOrder
from asmgen.passes.schedule.modulo.shape import Shape, only_test
from asmgen.passes.schedule.modulo.trips import certain_trips
from isa.footprint import Footprint
from isa.instruction import Instr
from isa.named_tuple import NamedTuple
from isa.program import Block, Kernel
from isa.registers import FIRST_VIRTUAL, Register, units_of

Instance = tuple[int, int]  # an instruction and its trip
Value = tuple[int, int]  # a value, by its first unit, and the trip that makes it
Values = dict[Value, Register]


def in_order(kernel: Kernel, shape: Shape, order: LoopOrder, copies: int) -> Kernel:
    """The kernel with a loop in an order of several stages."""
    return LoopCode(kernel, shape, order, copies).run()


def ways_out(stage: Iterable[int]) -> list[int]:
    """The interval of the epilogue with which trips go on after each number of trips, from 1 on; 0 if so few
    trips need code of their own. `stage` are the stages of all instructions."""
    stages = set(stage)
    last = max(stages)
    drain = [[at - each for each in stages if each >= at] for at in range(last + 1)]
    return [_begin(drain, trips) for trips in range(1, last)] + [1]


def _begin(drain: Sequence[Sequence[int]], trips: int) -> int:
    """The interval of the epilogue with which so few trips go on; 0 if they need code of their own, since an
    interval has instances of trips before the first, and others. `drain` are the trips of each interval."""
    for begin in range(1, len(drain)):
        before = [trip for some in drain[1:begin] for trip in some]
        later = [trip for some in drain[begin:] for trip in some]
        if all(trip <= -trips for trip in before) and all(trip > -trips for trip in later):
            return begin
    return 0


Name = tuple[int, int]  # a value, by its first unit, and the trips since the trip that makes it


class _Form(NamedTuple):
    """An instruction of any trip, the values that it names, and its operands that are values: the place of
    each, the number of the value, and the first and the number of its units, 0 for all."""

    instr: Instr
    names: Sequence[Name]
    places: Sequence[tuple[int, int, int, int]]


class _Head(NamedTuple):
    """The block with which a part of the epilogue begins, the values that it takes, and the trip that has
    begun last."""

    label: str
    values: Sequence[Value]
    last: int = 0


class Begun(NamedTuple):
    """A block without its ends."""

    label: str
    parameters: Sequence[Register]
    code: list[Instr]


class LoopCode:
    """In the epilogue, trips are counted from the last, which is 0; in the kernel from the trip that its
    first copy begins; in the prologue from the first."""

    def __init__(self, kernel: Kernel, shape: Shape, order: LoopOrder, copies: int) -> None:
        self._kernel = with_own_registers(kernel)
        self._shape, self._copies = shape, copies
        self._order = sorted(range(len(shape.code)), key=order.slot)
        self._stage = [order.stage(number) for number in range(len(shape.code))]
        self._stages = 1 + max(self._stage)
        self._certain = certain_trips(self._kernel, shape, self._stages)
        self._test = only_test(shape)
        self._labels = Labels(kernel)
        self._read = [units_read(block) for block in kernel.blocks]
        self._after = self._values_after()
        self._end = _Head(self._label("end"), sorted(set(self._after.values())))
        self._blocks: list[Block] = []
        self._leaving: list[Block] = []

    def run(self) -> Kernel:
        """The kernel with the loop in its order."""
        epilogue, heads = self._epilogue()
        self._loop([heads[self._stages - 1]] * self._copies, *self._prologue(heads))
        return self._in_place([*self._blocks, *self._leaving, *epilogue])

    def _in_place(self, made: Sequence[Block], far: Sequence[Block] = ()) -> Kernel:
        """The kernel with blocks in place of the loop, which leave for the block of the end, and with blocks
        behind all others."""
        shape, kernel = self._shape, self._kernel
        ends_with = {value: copied(kernel, value[0]) for value in self._end.values}
        after = {first: ends_with[value] for first, value in self._after.items()}
        way_out = Block("", linear=(shape.exits[0],), logical=(shape.exits[1],))
        out = renamed_block(kernel, way_out, after)
        end = block_of(kernel, self._end.label, ends_with.values(), (), (out.linear, out.logical))
        units = units_of([kernel.owners[first - FIRST_VIRTUAL].register for first in after])
        blocks: list[Block] = []
        for number, block in enumerate(kernel.blocks):
            if number == shape.number:
                blocks += [*made, end]
            elif block.label != shape.again:
                is_reader = not units.isdisjoint(self._read[number])
                blocks.append(renamed_block(kernel, block, after) if is_reader else block)
        return kernel.with_blocks([*blocks, *far])

    def _label(self, part: str) -> str:
        return self._labels.new(f"{self._shape.block.label}_{part}")

    def _values_after(self) -> dict[int, Value]:
        """The registers of the loop that are read after it, each with its value there."""
        shape, kernel = self._shape, self._kernel
        way_out = Block("", linear=(shape.exits[0],), logical=(shape.exits[1],))
        outside = [
            read
            for number, (block, read) in enumerate(zip(kernel.blocks, self._read, strict=True))
            if number != shape.number and block.label != shape.again
        ]
        values = {first: (first, 0) for first in shape.makers}
        values |= {first: (value, -1) for first, value in shape.passed.items()}
        of_unit = {
            unit: first for first in values for unit in kernel.owners[first - FIRST_VIRTUAL].register.units
        }
        read = {of_unit[unit] for unit in of_unit.keys() & set().union(*outside, units_read(way_out))}
        return {first: values[first] for first in sorted(read)}

    # ---- instances

    def _of_interval(self, interval: int, stages: range) -> list[Instance]:
        """The instances of an interval, of some stages, in the order of the kernel."""
        stage = self._stage
        return [(number, interval - stage[number]) for number in self._order if stage[number] in stages]

    def _needed(self, instances: Sequence[Instance], after: Iterable[Value]) -> set[Value]:
        """The values that must be there before some instances, if `after` are needed after them."""
        needed, shape = set(after), self._shape
        for number, trip in reversed(instances):
            for register in shape.code[number].defined():
                if register.is_virtual:
                    needed.discard((self._kernel.owner(register).first, trip))
            needed.update((use.value, trip - use.trips) for use in shape.uses[number])
        return needed

    def _written(self, instances: Iterable[Instance], values: Values) -> list[Instr]:
        """The code of instances, which adds to the values."""
        code: list[Instr] = []
        for number, trip in instances:
            instr, names, places = self._forms[number]
            registers: list[Register] = []
            for first, trips in names:
                value = first, trip - trips
                if not trips and value not in values:
                    values[value] = copied(self._kernel, first)
                registers.append(values[value])
            operands = list(instr.operands)
            for place, at, begin, count in places:
                operands[place] = registers[at].part(begin, count) if count else registers[at]
            code.append(instr.as_row(instr.row, tuple(operands), instr.modifiers))
        return code

    @cached_property
    def _forms(self) -> list[_Form]:
        return [self._form(instr) for instr in self._shape.code]

    def _form(self, instr: Instr) -> _Form:
        shape, owners = self._shape, self._kernel.owners
        names = dict[int, Name]()  # of values, by the first unit of the register
        for register in (*instr.used(), *instr.defined()):
            if register.is_virtual:
                first = owners[register.first - FIRST_VIRTUAL].first
                if first in shape.passed:
                    names[first] = shape.passed[first], 1
                elif first in shape.makers:
                    names[first] = first, 0
        at = {first: number for number, first in enumerate(names)}
        places: list[tuple[int, int, int, int]] = []
        for place, operand in enumerate(instr.operands):
            if isinstance(operand, Register) and operand.is_virtual:
                owner = owners[operand.first - FIRST_VIRTUAL]
                if owner.first in at:
                    count = operand.count if operand.count < owner.count else 0
                    places.append((place, at[owner.first], operand.first - owner.first, count))
        return _Form(replace(instr, touches=_in_any_trip(instr.touches)), list(names.values()), places)

    # ---- blocks

    def _branch(
        self, label: str, parameters: Iterable[Register], code: Sequence[Instr], out: str, on: str
    ) -> Block:
        block, way_out = self._shape.block, self._shape.exits[0].target
        ends = fork([out if edge.target == way_out else on for edge in block.linear])
        return block_of(self._kernel, label, parameters, code, ends, block.terminator)

    def _leave(self, head: _Head, values: Values, last: int) -> str:
        """The label of a block that leaves for the epilogue after a trip."""
        label = self._label("leave")
        arguments = [values[first, trip + last - head.last] for first, trip in head.values]
        self._leaving.append(block_of(self._kernel, label, (), (), jump(self._kernel, head.label, arguments)))
        return label

    def _prologue(self, heads: Mapping[int, _Head]) -> tuple[Begun, Values]:
        """Write the intervals before the kernel, but for their last block, which is only begun; the values
        after them."""
        block, kernel = self._shape.block, self._kernel
        values: Values = {
            (value, -1): kernel.owners[first - FIRST_VIRTUAL].register
            for first, value in self._shape.passed.items()
        }
        begun = Begun(block.label, (*block.scalar_parameters, *block.vector_parameters), [])
        for trips in range(1, self._stages):
            instances = self._of_interval(trips - 1, range(trips))
            if trips < self._certain:
                instances = [each for each in instances if each[0] != self._test]
            begun.code.extend(self._written(instances, values))
            if trips < self._certain:
                continue
            following, out = self._label("enter"), self._leave(heads[trips], values, trips - 1)
            self._blocks.append(self._branch(*begun, out, following))
            begun = Begun(following, (), [])
        return begun, values

    def _loop(self, heads: Sequence[_Head], begun: Begun, before: Values) -> None:
        """Write the kernel, which begins with the values of the prologue. `heads` are those of the epilogue
        after each copy."""
        kernel, copies = self._kernel, self._copies
        carried = self._carried(heads)
        first, again = self._label("kernel"), self._label("again")
        arguments = [before[value, trip + self._stages - 1] for value, trip in carried]
        self._blocks.append(block_of(kernel, *begun, jump(kernel, first, arguments)))
        values: Values = {value: copied(kernel, value[0]) for value in carried}
        label, parameters = first, list(values.values())
        for copy in range(copies):
            code = self._written(self._of_interval(copy, range(self._stages)), values)
            following = again if copy == copies - 1 else self._label("kernel")
            self._blocks.append(
                self._branch(label, parameters, code, self._leave(heads[copy], values, copy), following)
            )
            label, parameters = following, []
        arguments = [values[value, trip + copies] for value, trip in carried]
        self._blocks.append(block_of(kernel, again, (), (), jump(kernel, first, arguments)))

    def _carried(self, heads: Sequence[_Head]) -> list[Value]:
        """The values that the kernel needs from earlier intervals."""
        carried = set[Value]()
        while True:
            needed = {(value, trip + self._copies) for value, trip in carried}
            for copy in reversed(range(self._copies)):
                head = heads[copy]
                needed |= {(value, trip + copy - head.last) for value, trip in head.values}
                needed = self._needed(self._of_interval(copy, range(self._stages)), needed)
            if needed == carried:
                return sorted(carried)
            carried = needed

    # ---- the epilogue

    def _epilogue(self) -> tuple[list[Block], dict[int, _Head]]:
        """The blocks of the epilogue, and the block at which it begins after each number of trips. No code is
        written for fewer trips than are certain."""
        last = self._stages - 1
        fewest = min(self._certain, last)
        drain = [self._of_interval(at, range(at, self._stages)) for at in range(self._stages)]
        begins = {trips: begin for trips, begin in enumerate(ways_out(self._stage), 1) if trips >= fewest}
        blocks, heads = list[Block](), dict[int, _Head]()
        following, at = self._end, last
        while at >= 1:
            instances = drain[at]
            while at > 1 and at not in begins.values():
                at -= 1
                instances = [*drain[at], *instances]
            following = heads[at] = self._part(instances, following, blocks)
            at -= 1
        return blocks, {
            trips: heads[begin] if begin else self._few(trips, blocks) for trips, begin in begins.items()
        }

    def _few(self, trips: int, blocks: list[Block]) -> _Head:
        """A block with all that is left of so few trips."""
        drain = [self._of_interval(at, range(at, self._stages)) for at in range(1, self._stages)]
        return self._part([each for some in drain for each in some if each[1] > -trips], self._end, blocks)

    def _part(self, instances: Sequence[Instance], following: _Head, blocks: list[Block]) -> _Head:
        """A block of the epilogue, in front of those that are written."""
        kernel = self._kernel
        head = _Head(self._label("last"), sorted(self._needed(instances, following.values)))
        values: Values = {value: copied(kernel, value[0]) for value in head.values}
        parameters = list(values.values())
        code = self._written(instances, values)
        ends = jump(kernel, following.label, [values[value] for value in following.values])
        blocks.insert(0, block_of(kernel, head.label, parameters, code, ends))
        return head


def _in_any_trip(touches: tuple[Footprint, ...]) -> tuple[Footprint, ...]:
    """Memory that instances of different trips touch: the bytes of a trip are not known beside those of
    another."""
    if any(each.loop and each.loop in each.slot for each in touches):
        return ()
    return tuple([Footprint(each.space, each.object, each.slot) if each.loop else each for each in touches])
