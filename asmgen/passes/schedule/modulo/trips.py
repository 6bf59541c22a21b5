"""The trips of a loop with a counter between constants, and whether all of them together gain.

enter:  loop(0x0)
loop(%i):  ...  s_add_u32 %next, %i, 64;  s_cmp_lt_u32 %next, 896;  loop(%next)        14 trips
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from math import ceil

from asmgen.index.interval import WORD
from asmgen.passes.schedule.modulo.problem import Resource
from asmgen.passes.schedule.modulo.shape import Shape, goes_back_if_set, only_test
from asmgen.passes.ssa import constant
from isa.instruction import Immediate, Instr
from isa.named_tuple import NamedTuple
from isa.operations import Operation, plain_meaning, sources
from isa.program import Kernel
from isa.registers import Register
from isa.timing.machine import MACHINES

# All trips have to gain 1 / LEAST_GAIN of their clocks. Workgroups that share a unit hide half of the gain of
# a trip: products of gfx90a with 15 trips take 0.83 to 1.09 of their clocks, 1.00 in the mean, and those with
# 31 trips and more 0.70 to 1.09, 0.94 in the mean. With 15 trips, those of a workgroup alone take 0.83.
LEAST_GAIN, LEAST_GAIN_ALONE = 4, 8
# If LDS is busy for two thirds of the clocks of the matrix instructions of a product, workgroups wait for LDS
# and for loads at the same time, and hide little. Then some trips only have to gain the clocks of the start.
# On gfx942 34 such products of 9 to 23 trips and factors along k take 0.69 to 0.78 of their clocks, six with
# a factor across k 0.98 to 1.00; ten of 5 and 7 trips 0.91 to 1.10. On gfx90a, with LDS busy for at most
# 0.56, twelve products of 11 and 15 trips take 1.00 to 1.10.
_MUCH_LDS, _TRIPS_OF_LDS = 2 / 3, 8
# So many trips overlap, however little each gains, if only the launch knows their number. col_sum {?,?} needs
# 21 trips on gfx1100, and 8 on gfx942.
MOST_TRIPS = 64
_BYTES = 8  # of most instructions
_SIGN = 1 << 31
_COMPARE: dict[Operation, Callable[[int, int], bool]] = {
    Operation.LESS: lambda one, other: one < other,
    Operation.LESS_SIGNED: lambda one, other: one ^ _SIGN < other ^ _SIGN,
}


class AllTrips:
    """The trips of a loop together."""

    def __init__(self, kernel: Kernel, shape: Shape, busy: Mapping[Resource, int]) -> None:
        """`busy` has the clocks of a trip for which the waves of a workgroup keep each resource busy."""
        self._trips = trips = _mean_trips(kernel, shape)
        self._instructions = len(shape.code)
        target = kernel.target.target
        machine, is_alone = MACHINES[target.name], 0 < kernel.groups <= target.units
        self._kept = 1 / (LEAST_GAIN_ALONE if is_alone else LEAST_GAIN)
        is_of_lds = 0 < busy[Resource.MATRIX] * _MUCH_LDS <= busy[Resource.LDS]
        if is_of_lds and trips is not None and trips >= _TRIPS_OF_LDS:
            self._kept = 0.0
        self._fetch = _BYTES * machine.fetch.clocks / machine.fetched.clocks  # of an instruction

    def are_fewer(self, before: int, after: int, last: int, code: int) -> bool:
        """Whether all trips take far fewer clocks, if a trip takes `after` in place of `before` and ends
        `last` intervals after the next begins, in a loop of `code` instructions. True if any number of
        trips may be."""
        if self._trips is None:
            return True
        return self._begin(after, last, code) <= self._trips * self._gain(before, after)

    def fewest(self, before: int, after: int, last: int, copies: int) -> int:
        """The fewest trips that take far fewer clocks if `last` of them begin before the first whole pass
        of `copies` trips; MOST_TRIPS if more are needed."""
        gain, instructions = self._gain(before, after), self._instructions
        if self._begin(after, last, 2 * last * instructions) <= last * gain:
            return last
        start = self._begin(after, last, (2 * last + copies) * instructions)
        passes = max(1, ceil((start / gain - last) / copies)) if gain > 0 else MOST_TRIPS
        return min(last + passes * copies, MOST_TRIPS)

    def _begin(self, after: int, last: int, code: int) -> float:
        """The clocks besides those of each trip: the last trip ends later, and more code is fetched."""
        return last * after + (code - self._instructions) * self._fetch

    def _gain(self, before: int, after: int) -> float:
        """The clocks of a trip that are left for the start."""
        return before - before * self._kept - after


def _mean_trips(kernel: Kernel, shape: Shape) -> int | None:
    """The trips of a loop if they are known, and half of the most if only these are; None if any number may
    be."""
    known = known_trips(kernel, shape)
    most = most_trips(kernel, shape) if known is None else None
    return known if most is None else most // 2


class _Counter(NamedTuple):
    """A counter that the test of a loop compares with a constant: its value in the first trip, the constant
    that each trip adds, and whether the test reads the value of the next trip."""

    start: int
    step: int
    limit: int
    test: Instr
    is_next: bool


def known_trips(kernel: Kernel, shape: Shape) -> int | None:
    """The trips of a loop, at least 1; None if the program does not say them as constants."""
    counter = _counter(kernel, shape)
    return None if counter is None else max(1, -(-(counter.limit - counter.start) // counter.step))


def most_trips(kernel: Kernel, shape: Shape) -> int | None:
    """The trips that a loop makes at most, at least 1: those up to a minimum of its limit and a constant.
    None if there is no such minimum."""
    counter = counted(kernel, shape)
    if counter is None or counter.is_signed:
        return None
    limit = shape.code[counter.test].operands[counter.limit]
    most = _at_most(kernel, limit) if isinstance(limit, Register) else None
    start = _start(kernel, counter.parameter, {shape.block.label, shape.again})
    if most is None or start is None:
        return None
    return max(1, -(-(most - start) // counter.step))


def _at_most(kernel: Kernel, register: Register) -> int | None:
    """The constant of which a register is the minimum."""
    makers = [instr for instr in kernel.instructions() if register.first in instr.units.written]
    meaning = plain_meaning(makers[0]) if len(makers) == 1 else None
    if meaning is None or meaning.operation is not Operation.MINIMUM:
        return None
    return next((bits for bits in map(constant, sources(makers[0], meaning)) if bits is not None), None)


def certain_trips(kernel: Kernel, shape: Shape, most: int) -> int:
    """The trips that a loop makes for certain, `most` at most: a test between constants lets each of them
    follow the trip before."""
    counter = _counter(kernel, shape)
    meaning = None if counter is None else plain_meaning(counter.test)
    compare = None if meaning is None else _COMPARE.get(meaning.operation)
    if counter is None or meaning is None or compare is None or not goes_back_if_set(shape):
        return 1
    register, limit = sources(counter.test, meaning)
    if isinstance(register, Immediate) or constant(limit) != counter.limit:
        return 1
    for trip in range(1, most):
        added = counter.step * (trip if counter.is_next else trip - 1)
        if not compare(counter.start + added & WORD, counter.limit):
            return trip
    return most


class Counted(NamedTuple):
    """The test of a loop that compares a counter with a limit, and lets the next trip begin while the counter
    is less: its number, the places of the counter and the limit among its operands, the counter's parameter
    by its first unit, the constant that each trip adds, and whether the test reads the value of the next
    trip. No trip changes the limit."""

    test: int
    tested: int
    limit: int
    parameter: int
    step: int
    is_next: bool
    is_signed: bool


def counted(kernel: Kernel, shape: Shape) -> Counted | None:
    """The test of a loop that counts up to a limit; None if the loop has another test."""
    number = only_test(shape)
    test = shape.code[number]
    meaning = plain_meaning(test) if number >= 0 else None
    if meaning is None or meaning.operation not in _COMPARE or not goes_back_if_set(shape):
        return None
    at_tested, at_limit = meaning.sources
    tested, limit = test.operands[at_tested], test.operands[at_limit]
    changed = {*shape.passed, *shape.makers}
    if isinstance(limit, Register) and limit.is_virtual and kernel.owner(limit).first in changed:
        return None
    for parameter, value in shape.passed.items():
        step = _step(kernel, shape, parameter, value)
        if step and step < _SIGN and isinstance(tested, Register) and tested.first in (parameter, value):
            is_signed = meaning.operation is Operation.LESS_SIGNED
            is_next = tested.first == value
            return Counted(number, at_tested, at_limit, parameter, step, is_next, is_signed)
    return None


def _counter(kernel: Kernel, shape: Shape) -> _Counter | None:
    test = next((instr for instr in reversed(shape.code) if instr.units.writes_scc), None)
    limits = [] if test is None else [bits for bits in map(constant, test.operands) if bits is not None]
    if test is None or not limits:
        return None
    tested = {kernel.owner(register).first for register in test.used() if register.is_virtual}
    for parameter, value in shape.passed.items():
        step = _step(kernel, shape, parameter, value)
        if not step or tested.isdisjoint((parameter, value)):
            continue
        start = counter_start(kernel, shape, parameter)
        if start is not None:
            return _Counter(start, step, limits[-1], test, value in tested)
    return None


def _step(kernel: Kernel, shape: Shape, parameter: int, value: int) -> int | None:
    """The constant that each trip adds to a parameter; None if the value is no such sum."""
    makers: list[Instr] = [shape.code[number] for number in shape.makers[value]]
    meaning = plain_meaning(makers[0]) if len(makers) == 1 else None
    if meaning is None or meaning.operation is not Operation.ADD:
        return None
    added, own = None, False
    for source in sources(makers[0], meaning):
        if isinstance(source, Register):
            own = source.is_virtual and kernel.owner(source).first == parameter
        else:
            added = constant(source)
    return added if own else None


def counter_start(kernel: Kernel, shape: Shape, parameter: int) -> int | None:
    """The constant with which a counter begins; None if the program does not say it."""
    return _start(kernel, parameter, {shape.block.label, shape.again})


def _start(kernel: Kernel, parameter: int, inside: Set[str]) -> int | None:
    """The constant that a scalar parameter gets from the only edge to its block, but for the edges of blocks
    `inside` the loop. An edge may pass a parameter of an earlier block on."""
    for block in kernel.blocks:
        firsts = [each.first for each in block.scalar_parameters]
        if parameter not in firsts:
            continue
        place = firsts.index(parameter)
        given = [
            edge.arguments[place]
            for other in kernel.blocks
            if other.label not in inside
            for edge in other.linear
            if edge.target == block.label
        ]
        if len(given) != 1:
            return None
        (argument,) = given
        return _start(kernel, argument.first, inside) if isinstance(argument, Register) else argument.bits
    return None
