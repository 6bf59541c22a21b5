"""The code of a loop in another order of its trips, with a single test for all copies of the kernel.

    loop(%i, %sum):      enough(%i)? -> enter, few         trips for the prologue and a pass of the kernel?
    few:                 -> rest(%i, %sum)
    enter:               the first trips begin
    kernel(...):         trips begin and end, one in each copy
                         enough(%next)? -> kernel          trips for another pass?
    drain:               the trips that have begun end
                         more(%next)? -> rest
    rest(%i, %sum):      the loop as it was

A counter that is less than the limit less `n` steps is less than the limit for `n` trips more. So the trips
of a pass need no tests of their own, and no trip leaves a copy for code of its own. The trips that are left
after the last pass, fewer than copies, do not overlap.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.passes.schedule.modulo.blocks import block_of, copied, jump
from asmgen.passes.schedule.modulo.loop_code import Begun, Instance, LoopCode, Value, Values
from asmgen.passes.schedule.modulo.order import LoopOrder
from asmgen.passes.schedule.modulo.shape import Shape
from asmgen.passes.schedule.modulo.trips import Counted, certain_trips, counted
from isa.instruction import Immediate, Instr, Trait
from isa.program import Kernel
from isa.registers import FIRST_VIRTUAL, Register, RegisterClass

MOST_STEP = 1 << 30  # of all trips of the prologue and two passes together
Limit = Register | Immediate
_SIGN = 1 << 31


def in_whole_passes(kernel: Kernel, shape: Shape, order: LoopOrder, copies: int) -> Kernel | None:
    """The kernel with a loop in an order of several stages, in passes of a trip for each of several copies.
    None if the loop does not count up to a limit, or if it has a barrier: the ends of its trips are long
    then, and the loop as it was would be much code besides."""
    stages, counter = 1 + max(map(order.stage, range(len(shape.code)))), counted(kernel, shape)
    if copies == 1 or counter is None or (stages + copies) * counter.step > MOST_STEP:
        return None
    limit, rows = shape.code[counter.test].operands[counter.limit], [instr.row for instr in shape.code]
    if not isinstance(limit, Register | Immediate) or any(Trait.BARRIER in row.traits for row in rows):
        return None
    return _WholePasses(kernel, shape, order, copies, counter, limit).run()


class _WholePasses(LoopCode):
    """Trips are counted from the first in the prologue, from the first of a pass in the kernel and the drain,
    and from its own in the rest."""

    def __init__(
        self, kernel: Kernel, shape: Shape, order: LoopOrder, copies: int, counter: Counted, limit: Limit
    ) -> None:
        super().__init__(kernel, shape, order, copies)
        self._counter, self._limit = counter, limit
        self._rest = self._label("rest")

    def run(self) -> Kernel:
        """The kernel with the loop in its order."""
        begun = self._guard()
        self._other_trips()
        near = [*self._blocks, *self._leaving]
        self._blocks, self._leaving = [], []
        self._passes(begun, *self._first_trips(begun))
        return self._in_place(near, [*self._blocks, *self._leaving])

    def _guard(self) -> Begun:
        """Write the test whether the prologue and a pass have their trips, unless they have them for certain;
        the block of the prologue."""
        block, kernel, counter = self._shape.block, self._kernel, self._counter
        parameters, trips = (
            (*block.scalar_parameters, *block.vector_parameters),
            self._stages - 1 + self._copies,
        )
        if certain_trips(kernel, self._shape, trips) == trips:
            return Begun(block.label, parameters, [])
        enter, few = self._label("enter"), self._label("few")
        first = kernel.owners[counter.parameter - FIRST_VIRTUAL].register
        code, limit = self._limit_less(trips - 1 if counter.is_next else trips - 2)
        code.append(self._test_of(first, limit))
        self._blocks.append(self._branch(block.label, parameters, code, few, enter))
        self._blocks.append(block_of(kernel, few, (), (), jump(kernel, self._rest, parameters)))
        return Begun(enter, (), [])

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

    def _test_of(self, tested: Register, limit: Limit) -> Instr:
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
        """Write the kernel, and the block in which the trips that have begun end."""
        kernel, copies, counter = self._kernel, self._copies, self._counter
        every = range(self._stages)
        pass_, drained = self._instances_of_pass(), self._instances_of_drain()
        carried = self._carried_by(pass_, drained)
        label, again, drain = [self._label(part) for part in ("kernel", "again", "drain")]
        arguments = [before[value, trip + self._stages - 1] for value, trip in carried]
        self._blocks.append(block_of(kernel, *begun, jump(kernel, label, arguments)))
        values: Values = {value: copied(kernel, value[0]) for value in carried}
        kernel_begun = Begun(label, list(values.values()), [])
        for copy in range(copies - 1):
            kernel_begun.code.extend(self._written(self._without_test(copy, every), values))
            following = self._label("kernel")
            self._blocks.append(block_of(kernel, *kernel_begun, jump(kernel, following, ())))
            kernel_begun = Begun(following, (), [])
        kernel_begun.code.extend(self._written(self._without_test(copies - 1, every), values))
        (test,) = self._written([(counter.test, copies - 1)], dict(values))
        tested = test.operands[counter.tested]
        assert isinstance(tested, Register)
        kernel_begun.code.append(self._test_of(tested, limit))
        self._blocks.append(self._branch(*kernel_begun, drain, again))
        arguments = [values[value, trip + copies] for value, trip in carried]
        self._blocks.append(block_of(kernel, again, (), (), jump(kernel, label, arguments)))
        code = self._written(drained, values)
        more, out = self._label("more"), self._leave(self._end, values, copies - 1)
        self._blocks.append(self._branch(drain, (), code, out, more))
        arguments = [values[value, copies - 1] for value in self._shape.passed.values()]
        self._leaving.append(block_of(kernel, more, (), (), jump(kernel, self._rest, arguments)))

    def _instances_of_pass(self) -> list[Instance]:
        intervals = [self._without_test(copy, range(self._stages)) for copy in range(self._copies)]
        return [each for some in intervals for each in some]

    def _instances_of_drain(self) -> list[Instance]:
        """The ends of the trips that have begun, and the test of the last."""
        last = self._copies - 1
        intervals = [self._without_test(last + at, range(at, self._stages)) for at in range(1, self._stages)]
        return [*[each for some in intervals for each in some], (self._counter.test, last)]

    def _carried_by(self, pass_: Sequence[Instance], drained: Sequence[Instance]) -> list[Value]:
        """The values that a pass needs from earlier passes."""
        copies, tested = self._copies, self._shape.uses[self._counter.test]
        left = {(value, copies - 1) for value in self._shape.passed.values()}
        left |= {(value, trip + copies - 1) for value, trip in self._end.values}
        left = self._needed(drained, left) | {(use.value, copies - 1 - use.trips) for use in tested}
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
        self._blocks.append(self._branch(self._rest, parameters, code, out, again))
        arguments = [values[value, 0] for value in shape.passed.values()]
        self._blocks.append(block_of(kernel, again, (), (), jump(kernel, self._rest, arguments)))
