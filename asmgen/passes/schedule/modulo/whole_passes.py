"""The code of a loop in another order of its trips, with a single test for all copies of the kernel.

    loop(%i, %sum):      enough(%i)? -> enter, few         trips for the prologue?
    few:                 -> rest(%i, %sum)
    enter:               the first trips begin
                         enough(%next)? -> kernel, drain   trips for a pass of the kernel?
    kernel(...):         trips begin and end, one in each copy
                         enough(%next)? -> kernel          trips for another pass?
    drain(...):          the trips that have begun end
                         more(%next)? -> rest
    rest(%i, %sum):      the loop as it was

A counter that is less than the limit less `n` steps is less than the limit for `n` trips more. So the trips
of a pass need no tests of their own, and no trip leaves a copy for code of its own. The trips that are left
after the last pass, fewer than copies, do not overlap. If the trips of the prologue gain nothing without a
pass, the first test asks for the trips of both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from asmgen.index.interval import WORD
from asmgen.passes.schedule.modulo.blocks import block_of, copied, jump
from asmgen.passes.schedule.modulo.loop_code import Begun, Instance, LoopCode, Value, Values
from asmgen.passes.schedule.modulo.order import LoopOrder
from asmgen.passes.schedule.modulo.shape import Shape
from asmgen.passes.schedule.modulo.trips import Counted, certain_trips, counted, counter_start, known_trips
from isa.instruction import Immediate, Instr, Trait
from isa.named_tuple import NamedTuple
from isa.program import Block, Kernel
from isa.registers import FIRST_VIRTUAL, Register, RegisterClass

MOST_STEP = 1 << 30  # of all trips that a test asks for together
Limit = Register | Immediate
_SIGN = 1 << 31


class WithRest(NamedTuple):
    """A kernel with a loop in passes, and the block with the loop as it was, by label."""

    kernel: Kernel
    rest: str


def in_whole_passes(
    kernel: Kernel, shape: Shape, order: LoopOrder, copies: int, fewest: int
) -> WithRest | None:
    """The kernel with a loop in an order of several stages, in passes of a trip for each of several copies.
    Fewer trips than `fewest` run as before. None if the loop does not count up to a limit, if it has fewer
    trips for certain, or if it has a barrier: the ends of its trips are long then, and the loop as it was
    would be much code besides."""
    counter, trips = counted(kernel, shape), known_trips(kernel, shape)
    if copies == 1 or counter is None or (fewest + copies) * counter.step > MOST_STEP:
        return None
    if trips is not None and trips < fewest:
        return None
    limit, rows = shape.code[counter.test].operands[counter.limit], [instr.row for instr in shape.code]
    if not isinstance(limit, Register | Immediate) or any(Trait.BARRIER in row.traits for row in rows):
        return None
    passes = _WholePasses(kernel, shape, order, copies, fewest, counter, limit)
    return WithRest(passes.run(), passes.rest)


class _WholePasses(LoopCode):
    """Trips are counted from the first in the prologue, from the first of a pass in the kernel, from the next
    to begin in the drain, and from its own in the rest, the block `rest`."""

    def __init__(
        self, kernel: Kernel, shape: Shape, order: LoopOrder, copies: int, fewest: int, counter: Counted,
        limit: Limit,
    ) -> None:  # fmt: skip
        super().__init__(kernel, shape, order, copies)
        self._fewest, self._counter, self._limit = fewest, counter, limit
        self.rest = self._label("rest")

    def run(self) -> Kernel:
        """The kernel with the loop in its order."""
        begun = self._guard()
        self._other_trips()
        near = [*self._blocks, *self._leaving]
        self._blocks, self._leaving = [], []
        self._passes(begun, *self._first_trips(begun))
        return self._in_place(near, [*self._blocks, *self._leaving])

    def _guard(self) -> Begun:
        """Write the test whether there are enough trips, unless they begin for certain; the block of the
        prologue."""
        block, kernel, counter, trips = self._shape.block, self._kernel, self._counter, self._fewest
        parameters = (*block.scalar_parameters, *block.vector_parameters)
        if certain_trips(kernel, self._shape, trips) == trips:
            return Begun(block.label, parameters, [])
        enter, few = self._label("enter"), self._label("few")
        code = self._test_of_trips(trips - 1 if counter.is_next else trips - 2)
        self._blocks.append(self._branch(block.label, parameters, code, few, enter))
        self._blocks.append(block_of(kernel, few, (), (), jump(kernel, self.rest, parameters)))
        return Begun(enter, (), [])

    def _test_of_trips(self, steps: int) -> list[Instr]:
        """The test whether the counter of the first trip and so many steps are less than the limit. A counter
        that begins with a constant needs no other instruction, if the sum is a counter too."""
        counter, kernel = self._counter, self._kernel
        start, away = counter_start(kernel, self._shape, counter.parameter), steps * counter.step
        sign = _SIGN if counter.is_signed else 0
        if start is not None and (start ^ sign) + away <= WORD and isinstance(self._limit, Register):
            return [self._test_of(Immediate(start + away & WORD), self._limit)]
        code, limit = self._limit_less(steps)
        return [*code, self._test_of(kernel.owners[counter.parameter - FIRST_VIRTUAL].register, limit)]

    def _limit_less(self, steps: int) -> tuple[list[Instr], Limit]:
        """The limit less so many steps, or the least of all counters if that is less, and the instructions
        that make it."""
        counter, kernel, limit = self._counter, self._kernel, self._limit
        least, away = _SIGN if counter.is_signed else 0, steps * counter.step
        if isinstance(limit, Immediate):
            return [], Immediate((max(away, limit.bits ^ least) - away) ^ least)
        less, result = [kernel.new_register(RegisterClass.SGPR) for _ in range(2)]
        subtract = kernel.table.row("s_sub_i32" if counter.is_signed else "s_sub_u32")
        return [
            Instr(subtract, (less, limit, Immediate(away))),
            Instr(kernel.table.row("s_cselect_b32"), (result, Immediate(least), less)),
        ], result

    def _test_of(self, tested: Limit, limit: Limit) -> Instr:
        test = self._shape.code[self._counter.test]
        operands = list(test.operands)
        operands[self._counter.tested], operands[self._counter.limit] = tested, limit
        return test.as_row(test.row, tuple(operands), test.modifiers)

    def _without_test(self, interval: int, stages: range) -> list[Instance]:
        return [each for each in self._of_interval(interval, stages) if each[0] != self._counter.test]

    def _first_trips(self, begun: Begun) -> tuple[Limit, Values]:
        """Write the begin of the first trips; the limit of a pass, and the values after them."""
        kernel = self._kernel
        values: Values = {
            (value, -1): kernel.owners[first - FIRST_VIRTUAL].register
            for first, value in self._shape.passed.items()
        }
        code, limit = self._limit_less(self._copies - 1)
        begun.code.extend(code)
        for interval in range(self._stages - 1):
            begun.code.extend(self._written(self._without_test(interval, range(interval + 1)), values))
        return limit, values

    def _passes(self, begun: Begun, limit: Limit, before: Values) -> None:
        """Write the kernel, and the drain behind it."""
        kernel, copies, begin = self._kernel, self._copies, self._stages - 1
        every, drained = range(self._stages), self._drained()
        ends = self._carried_to_drain(drained)
        carried = self._carried_to_pass(ends)
        label, again, drain = [self._label(part) for part in ("kernel", "again", "drain")]
        if not self._has_trips(begin + copies):
            begun.code.append(self._test_of_pass(limit, begin - 1, before))
            full, few = self._label("full"), self._label("drained")
            self._leaving.append(self._jump_to(few, drain, ends, before, begin))
            self._blocks.append(self._branch(*begun, few, full))
            begun = Begun(full, (), [])
        arguments = self._arguments(carried, before, begin)
        self._blocks.append(block_of(kernel, *begun, jump(kernel, label, arguments)))
        values: Values = {value: copied(kernel, value[0]) for value in carried}
        kernel_begun = Begun(label, list(values.values()), [])
        for copy in range(copies - 1):
            kernel_begun.code.extend(self._written(self._without_test(copy, every), values))
            following = self._label("kernel")
            self._blocks.append(block_of(kernel, *kernel_begun, jump(kernel, following, ())))
            kernel_begun = Begun(following, (), [])
        kernel_begun.code.extend(self._written(self._without_test(copies - 1, every), values))
        kernel_begun.code.append(self._test_of_pass(limit, copies - 1, values))
        last = self._label("drained")
        self._blocks.append(self._branch(*kernel_begun, last, again))
        self._blocks.append(self._jump_to(again, label, carried, values, copies))
        self._blocks.append(self._jump_to(last, drain, ends, values, copies))
        self._drain(drain, ends, drained)

    def _drain(self, label: str, carried: Sequence[Value], drained: Sequence[Instance]) -> None:
        """Write the block in which the trips that have begun end."""
        values: Values = {value: copied(self._kernel, value[0]) for value in carried}
        parameters, more = list(values.values()), self._label("more")
        code = self._written(drained, values)
        self._blocks.append(self._branch(label, parameters, code, self._leave(self._end, values, -1), more))
        passed = [(value, -1) for value in self._shape.passed.values()]
        self._leaving.append(self._jump_to(more, self.rest, passed, values, 0))

    def _has_trips(self, trips: int) -> bool:
        """Whether so many trips begin for certain behind the guard."""
        return self._fewest >= trips or certain_trips(self._kernel, self._shape, trips) == trips

    def _test_of_pass(self, limit: Limit, last: int, values: Values) -> Instr:
        """The test whether a pass has its trips, if `last` has begun last."""
        (test,) = self._written([(self._counter.test, last)], dict(values))
        tested = test.operands[self._counter.tested]
        assert isinstance(tested, Register)
        return self._test_of(tested, limit)

    def _arguments(self, carried: Iterable[Value], values: Values, begun: int) -> list[Register]:
        """The values that a pass or the drain needs, if so many trips have begun."""
        return [values[value, trip + begun] for value, trip in carried]

    def _jump_to(
        self, label: str, target: str, carried: Iterable[Value], values: Values, begun: int
    ) -> Block:
        ends = jump(self._kernel, target, self._arguments(carried, values, begun))
        return block_of(self._kernel, label, (), (), ends)

    def _instances_of_pass(self) -> list[Instance]:
        intervals = [self._without_test(copy, range(self._stages)) for copy in range(self._copies)]
        return [each for some in intervals for each in some]

    def _drained(self) -> list[Instance]:
        """The ends of the trips that have begun, and the test of the last."""
        intervals = [self._without_test(at - 1, range(at, self._stages)) for at in range(1, self._stages)]
        return [*[each for some in intervals for each in some], (self._counter.test, -1)]

    def _carried_to_drain(self, drained: Sequence[Instance]) -> list[Value]:
        """The values that the drain needs from earlier trips."""
        left = {(value, -1) for value in self._shape.passed.values()}
        left |= {(value, trip - 1) for value, trip in self._end.values}
        return sorted(self._needed(drained, left))

    def _carried_to_pass(self, ends: Sequence[Value]) -> list[Value]:
        """The values that a pass needs from earlier passes, or that the drain needs from there."""
        copies, tested, pass_ = self._copies, self._shape.uses[self._counter.test], self._instances_of_pass()
        left = {(value, trip + copies) for value, trip in ends}
        left |= {(use.value, copies - 1 - use.trips) for use in tested}
        carried = set[Value]()
        while True:
            following = {(value, trip + copies) for value, trip in carried}
            needed = self._needed(pass_, left | following)
            if needed == carried:
                return sorted(carried)
            carried = needed

    def _other_trips(self) -> None:
        """Write the loop as it was, for trips without a pass."""
        kernel, shape = self._kernel, self._shape
        values: Values = {(value, -1): copied(kernel, first) for first, value in shape.passed.items()}
        parameters = list(values.values())
        code = self._written([(number, 0) for number in range(len(shape.code))], values)
        out, again = self._leave(self._end, values, 0), self._label("rest_again")
        self._blocks.append(self._branch(self.rest, parameters, code, out, again))
        arguments = [values[value, 0] for value in shape.passed.values()]
        self._blocks.append(block_of(kernel, again, (), (), jump(kernel, self.rest, arguments)))
