"""The trips of a loop with a counter between constants, and whether all of them together gain.

enter:  loop(0x0)
loop(%i):  ...  s_add_u32 %next, %i, 64;  s_cmp_lt_u32 %next, 896;  loop(%next)        14 trips
"""

from __future__ import annotations

from collections.abc import Set

from asmgen.passes.schedule.modulo.shape import Shape
from asmgen.passes.ssa import constant
from isa.instruction import Instr
from isa.operations import Operation, plain_meaning, sources
from isa.program import Kernel
from isa.registers import Register
from isa.timing.machine import MACHINES

# All trips have to gain 1 / LEAST_GAIN of their clocks. Workgroups that share a unit hide half of the gain of
# a trip: products of gfx90a with 15 trips take 0.83 to 1.09 of their clocks, 1.00 in the mean, and those with
# 31 trips and more 0.70 to 1.09, 0.94 in the mean. With 15 trips, those of a workgroup alone take 0.83.
LEAST_GAIN, LEAST_GAIN_ALONE = 4, 8
_BYTES = 8  # of most instructions


class AllTrips:
    """The trips of a loop together."""

    def __init__(self, kernel: Kernel, shape: Shape) -> None:
        self._trips, self._instructions = known_trips(kernel, shape), len(shape.code)
        target = kernel.target.target
        machine, is_alone = MACHINES[target.name], 0 < kernel.groups <= target.units
        self._least_gain = LEAST_GAIN_ALONE if is_alone else LEAST_GAIN
        self._fetch = _BYTES * machine.fetch.clocks / machine.fetched.clocks  # of an instruction

    def are_fewer(self, before: int, after: int, last: int, code: int) -> bool:
        """Whether all trips take far fewer clocks, if a trip takes `after` in place of `before` and ends
        `last` intervals after the next begins, in a loop of `code` instructions. True if the trips are
        unknown."""
        if self._trips is None:
            return True
        whole = self._trips * before
        fetch = (code - self._instructions) * self._fetch
        return (self._trips + last) * after + fetch <= whole - whole // self._least_gain


def known_trips(kernel: Kernel, shape: Shape) -> int | None:
    """The trips of a loop, at least 1; None if the program does not say them as constants."""
    test = next((instr for instr in reversed(shape.code) if instr.units.writes_scc), None)
    limits = [] if test is None else [bits for bits in map(constant, test.operands) if bits is not None]
    if test is None or not limits:
        return None
    tested = {kernel.owner(register).first for register in test.used() if register.is_virtual}
    for parameter, value in shape.passed.items():
        step = _step(kernel, shape, parameter, value)
        if not step or tested.isdisjoint((parameter, value)):
            continue
        start = _start(kernel, parameter, {shape.block.label, shape.again})
        if start is not None:
            return max(1, -(-(limits[-1] - start) // step))
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
