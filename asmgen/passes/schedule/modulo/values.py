"""The values of a loop of one block: how long an order keeps each of them in registers.

    loop(%old):  ds_read_b32 %x, %at;  v_add_u32 %sum, %x, %old;  loop(%sum)

| value | made by | read by |
|---|---|---|
| `%at` | no instruction of the loop: it is live in every trip as a whole | |
| `%x` | 0 | 1 of the same trip |
| `%sum` | 1 | 1 of the next trip |

A value is live from the issue of its instruction to the issue of its last reader. A reader frees the
registers of its operand for its own result. Values of several trips may be live at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from asmgen.passes.dependence.carried import back_edges
from asmgen.passes.schedule.modulo.order import LoopOrder
from asmgen.passes.schedule.pressure import all_units
from isa.instruction import Immediate
from isa.named_tuple import NamedTuple
from isa.names import RegisterNames
from isa.program import Block, Edge, Kernel
from isa.registers import FIRST_VIRTUAL, Register, RegisterClass
from regalloc.liveness import Liveness


class Reader(NamedTuple):
    """Instruction `number` reads the value, in the trip that comes so many `trips` later."""

    number: int
    trips: int


class LoopValue(NamedTuple):
    """Adjacent units of a register that an instruction makes and the same instructions read: `name` as
    assembly text spells them, their class and their number. A value without `maker` is live in all trips as a
    whole."""

    name: str
    register_class: RegisterClass
    units: int
    maker: int | None
    readers: Sequence[Reader]


def loop_values(kernel: Kernel, label: str, liveness: Liveness) -> list[LoopValue]:
    """The values of a loop of one block of a kernel in SSA, first those that are live in all trips. Physical
    registers do not count. `KeyError` if no block has the label."""
    block = kernel.block(label)
    edges = back_edges(kernel, block)
    if edges is None:
        raise KeyError(label)
    lives = _Lives(block, edges)
    lives.read_at_end(_left(kernel, block, edges, liveness))
    whole = {unit for unit in liveness.live_in(label) if unit >= FIRST_VIRTUAL} | lives.kept
    found = [(unit, None, ()) for unit in sorted(whole)]
    found += [
        (unit, maker, tuple(sorted(lives.readers[unit]))) for unit, maker in sorted(lives.maker.items())
    ]
    return list(_joined(kernel, found))


def registers(values: Sequence[LoopValue], order: LoopOrder) -> dict[RegisterClass, int]:
    """The most units of each class that are live at once in an order."""
    interval = order.interval
    ends: dict[RegisterClass, list[int]] = {}
    always: dict[RegisterClass, int] = {}
    for value in values:
        file = value.register_class
        begin, end = life(value, order)
        times, rest = divmod(end - begin, interval)
        always[file] = always.get(file, 0) + times * value.units
        changes = ends.setdefault(file, [0] * (2 * interval + 1))
        changes[begin % interval] += value.units
        changes[begin % interval + rest] -= value.units
    return {file: always[file] + _most(changes, interval) for file, changes in ends.items()}


def life(value: LoopValue, order: LoopOrder) -> tuple[int, int]:
    """The clock at which the life of a value begins in an order, and the clock at which it has ended. A value
    without readers lives for one clock, and a value without a maker for an interval."""
    if value.maker is None:
        return 0, order.interval
    begin = order.start[value.maker]
    reads = [order.start[number] + trips * order.interval for number, trips in value.readers]
    return begin, max([begin + 1, *reads])


def _most(changes: Sequence[int], interval: int) -> int:
    """The largest sum of lives in an interval, by the changes in two intervals after each other."""
    live, counts = 0, list[int]()
    for change in changes:
        live += change
        counts.append(live)
    return max(counts[clock] + counts[clock + interval] for clock in range(interval))


def _left(kernel: Kernel, block: Block, edges: tuple[Edge, Edge], liveness: Liveness) -> set[int]:
    """The virtual units that are read after the loop."""
    left: set[int] = set()
    for edge in (*block.linear, *block.logical):
        if edge not in edges and edges[0] not in kernel.block(edge.target).linear:
            left.update(unit for unit in liveness.live_in(edge.target) if unit >= FIRST_VIRTUAL)
            left.update(all_units(edge.arguments))
    return left


class _Lives:
    """By unit, the instruction that makes it, and its readers. `kept` are the parameters with values from
    before the loop."""

    def __init__(self, block: Block, edges: tuple[Edge, Edge]) -> None:
        self._code = block.code
        self._passed = dict(_passed(block.scalar_parameters, edges[0]))
        self._passed.update(_passed(block.vector_parameters, edges[1]))
        self.maker: dict[int, int] = {}
        for number, instr in enumerate(self._code):
            self.maker.update(dict.fromkeys(all_units(instr.defined()), number))
        self.readers: dict[int, set[Reader]] = {unit: set() for unit in self.maker}
        self.kept: set[int] = set()
        for number, instr in enumerate(self._code):
            for unit in all_units(instr.used()):
                self._read(unit, number)

    def read_at_end(self, units: Iterable[int]) -> None:
        """The end of the loop reads units too, as its last instruction does."""
        for unit in sorted(units):
            self._read(unit, len(self._code) - 1)

    def _read(self, unit: int, number: int) -> None:
        trips, parameter, seen = 0, unit, set[int]()
        while unit in self._passed and unit not in seen:
            seen.add(unit)
            unit, trips = self._passed[unit], trips + 1
        if unit in self.maker:
            self.readers[unit].add(Reader(number, trips))
        elif trips:
            self.kept.add(parameter)


def _passed(parameters: tuple[Register, ...], edge: Edge) -> Iterator[tuple[int, int]]:
    """The unit of each parameter, and the unit that it gets from the trip before; -1 for a constant."""
    for parameter, argument in zip(parameters, edge.arguments, strict=True):
        units = [-1] * parameter.count if isinstance(argument, Immediate) else argument.units
        yield from zip(parameter.units, units, strict=True)


_Life = tuple[int, int | None, tuple[Reader, ...]]  # of a unit: its maker and its readers


def _joined(kernel: Kernel, lives: Sequence[_Life]) -> Iterator[LoopValue]:
    """Values of adjacent units of a register with the same maker and the same readers."""
    names = RegisterNames(kernel.owners)
    begin = 0
    for end in range(1, len(lives) + 1):
        if end < len(lives) and _are_one(kernel, lives[end - 1], lives[end]):
            continue
        first, maker, readers = lives[begin]
        register = Register(first, end - begin)
        yield LoopValue(names(register), kernel.register_class(register), end - begin, maker, readers)
        begin = end


def _are_one(kernel: Kernel, one: _Life, next: _Life) -> bool:
    first = one[0] - FIRST_VIRTUAL
    are_owned_alike = next[0] == one[0] + 1 and kernel.owners[first] is kernel.owners[first + 1]
    return are_owned_alike and next[1:] == one[1:]
