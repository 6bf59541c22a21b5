"""Loads for the next trip of a loop, in the registers of the parameters that they become.

    loop(%now):  %next = load; %a = cvt %now; loop(%next)     %now is live after the load, so %next is copied
    loop(%now):  %a = cvt %now; %next = load; loop(%next)     the load fills the register of %now

A copy of a loaded value waits for the load in the trip that issues it. So if the readers of the parameter
need nothing that the trip itself loads, they come before the load, also behind the barrier with which a trip
begins. Readers that wait for other loads, and matrix instructions, would keep the load back for most of a
trip: the value is then copied.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from heapq import heapify, heappop, heappush

from asmgen.passes.clauses import is_global_load
from asmgen.passes.dependence import Dependence, Dependences, Graph
from isa.instruction import Trait, Unit
from isa.named_tuple import NamedTuple
from isa.program import Kernel
from isa.registers import Register, units_among

Readers = Mapping[int, frozenset[int]]  # the instructions that a load comes after, by the load
_WAITS = (Trait.LOAD, Trait.ATOMIC)
_ORDERED = (Dependence.MEMORY, Dependence.PHASE)  # without a wait: accesses of a kind issue in order


class CarriedLoad(NamedTuple):
    """A load of a block, by its place there, and the units of a loop's parameter that its result becomes in
    the next trip."""

    place: int
    units: frozenset[int]


def before_carried_loads(kernel: Kernel) -> Kernel:
    """The kernel with the readers of a loop's parameters before the loads that become these parameters."""
    carried = carried_loads(kernel)
    if not carried:
        return kernel
    blocks, dependences, is_other = list(kernel.blocks), Dependences(kernel), False
    for number, loads in carried.items():
        graph = dependences.of_block(number)
        readers = carried_readers(graph, loads)
        if any(reader > load for load, own_readers in readers.items() for reader in own_readers):
            order = _ordered(ordered_after(graph, readers), readers)
            code = blocks[number].instructions
            blocks[number] = blocks[number].with_instructions([code[at] for at in order])
            is_other = True
    return kernel.with_blocks(blocks) if is_other else kernel


def carried_loads(kernel: Kernel) -> dict[int, list[CarriedLoad]]:
    """The carried loads of each block, by the number of the block. The loop carries the result of such a load
    to its next trip, and nothing reads the parameter between the block and the next trip."""
    carried: dict[int, list[CarriedLoad]] = {}
    loops = list(_loops(kernel))
    loaded = _loaded(kernel) if loops else []
    reads = _Reads(kernel)
    for loop in loops:
        for number, results in loaded:
            loads = list(_loads_of(results, loop.becomes)) if loop.header <= number <= loop.latch else []
            if loads:
                units = frozenset[int]().union(*(load.units for load in loads))
                later = _read_later(number, loop.header, units, reads)
                carried.setdefault(number, []).extend(load for load in loads if later.isdisjoint(load.units))
    return {number: loads for number, loads in carried.items() if loads}


def _loaded(kernel: Kernel) -> list[tuple[int, list[tuple[int, Register]]]]:
    """The blocks that load from memory, by number, each with the places and the results of its loads."""
    loaded: list[tuple[int, list[tuple[int, Register]]]] = []
    for number, block in enumerate(kernel.blocks):
        loads = [(place, instr) for place, instr in enumerate(block.instructions) if is_global_load(instr)]
        if loads:
            loaded.append((number, [(place, result) for place, instr in loads for result in instr.defined()]))
    return loaded


class _Loop(NamedTuple):
    """The blocks of a loop by number, and the unit of a parameter that each unit becomes at its end."""

    header: int
    latch: int
    becomes: Mapping[int, int]


def _loops(kernel: Kernel) -> Iterator[_Loop]:
    headers = {block.label: number for number, block in enumerate(kernel.blocks) if block.vector_parameters}
    if not headers:
        return
    for latch, block in enumerate(kernel.blocks):
        for edge in block.logical:
            header = headers.get(edge.target, latch + 1)
            if header > latch:
                continue
            parameters = kernel.blocks[header].vector_parameters
            becomes = {
                unit: into
                for parameter, argument in zip(parameters, edge.arguments, strict=True)
                if isinstance(argument, Register)
                for into, unit in zip(parameter.units, argument.units, strict=True)
            }
            yield _Loop(header, latch, becomes)


def _loads_of(results: Sequence[tuple[int, Register]], becomes: Mapping[int, int]) -> Iterator[CarriedLoad]:
    for place, result in results:
        units = frozenset([becomes[unit] for unit in result.units if unit in becomes])
        if len(units) == result.count:
            yield CarriedLoad(place, units)


class _Ways(NamedTuple):
    """The blocks after a block, by number, and the units that it passes to them."""

    targets: tuple[int, ...]
    passed: frozenset[int]


class _Reads:
    """The ways between the blocks of a kernel, by number, and the units that they read. Few blocks have
    carried loads, so most kernels need none of it."""

    def __init__(self, kernel: Kernel) -> None:
        self._blocks = kernel.blocks
        self._ways: dict[int, _Ways] = {}
        self._of_code: dict[int, frozenset[int]] = {}

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {block.label: number for number, block in enumerate(self._blocks)}

    def ways(self, number: int) -> _Ways:
        """The ways out of a block."""
        ways = self._ways.get(number)
        if ways is None:
            edges = (*self._blocks[number].linear, *self._blocks[number].logical)
            targets = dict.fromkeys([self._numbers[edge.target] for edge in edges])
            passed = units_among([argument for edge in edges for argument in edge.arguments])
            ways = self._ways[number] = _Ways(tuple(targets), frozenset(passed))
        return ways

    def of_code(self, number: int) -> frozenset[int]:
        """The units that the instructions of a block read."""
        units = self._of_code.get(number)
        if units is None:
            code = self._blocks[number].code
            units = self._of_code[number] = frozenset[int]().union(*[instr.units.read for instr in code])
        return units


def _read_later(number: int, header: int, units: frozenset[int], reads: _Reads) -> set[int]:
    """Those of some units that instructions or edges read after a block and before the header of its loop."""
    read: set[int] = set()
    waiting, seen = [number], {header}
    while waiting:
        ways = reads.ways(waiting.pop())
        read |= units & ways.passed
        for target in ways.targets:
            if target not in seen:
                seen.add(target)
                waiting.append(target)
                read |= units & reads.of_code(target)
    return read


def ordered_after(graph: Graph, readers: Readers) -> Graph:
    """The graph in which the readers of a parameter come before the load that becomes it."""
    if not readers:
        return graph
    before = list(graph.before)
    for load, own_readers in readers.items():
        before[load] = dict.fromkeys(own_readers, Dependence.ANTI) | before[load]
    return Graph(graph.instructions, before)


def carried_readers(graph: Graph, loads: Sequence[CarriedLoad]) -> Readers:
    """For each load the readers of the parameter that it becomes, if they can come before the load."""
    units = frozenset[int]().union(*(load.units for load in loads))
    waits, readers_of = _waits(graph), _readers(graph, units)
    readers: dict[int, frozenset[int]] = {}
    for place, units in loads:
        own_readers = frozenset(reader for unit in units for reader in readers_of.get(unit, ()))
        if own_readers and not any(waits[reader] for reader in own_readers):
            readers[place] = own_readers
    return readers


def _readers(graph: Graph, units: frozenset[int]) -> Mapping[int, Sequence[int]]:
    """The instructions that read each of some units."""
    readers: dict[int, list[int]] = {}
    for place, instr in enumerate(graph.instructions):
        for unit in units.intersection(instr.units.read):
            readers.setdefault(unit, []).append(place)
    return readers


def _waits(graph: Graph) -> Sequence[bool]:
    """For each instruction, whether it is of the matrix unit, or needs a load or an instruction that is."""
    waits: list[bool] = []
    for instr, before in zip(graph.instructions, graph.before, strict=True):
        row = instr.row
        is_slow = row.unit is Unit.MATRIX or not row.traits.isdisjoint(_WAITS)
        needed = [number for number, why in before.items() if why not in _ORDERED]
        waits.append(is_slow or any(waits[number] for number in needed))
    return waits


def _ordered(graph: Graph, readers: Readers) -> Sequence[int]:
    """The instructions in their order, but readers and the instructions that they need right before the first
    load that waits for them."""
    rank = list(range(len(graph.instructions)))
    for load in sorted(readers, reverse=True):
        pending = list(readers[load])
        while pending:
            number = pending.pop()
            if rank[number] > load:
                rank[number] = load
                pending += graph.before[number]
    left = [len(before) for before in graph.before]
    ready = [(rank[number], number) for number, count in enumerate(left) if not count]
    heapify(ready)
    order: list[int] = []
    while ready:
        _, number = heappop(ready)
        order.append(number)
        for later in graph.after[number]:
            left[later] -= 1
            if not left[later]:
                heappush(ready, (rank[later], later))
    return order
