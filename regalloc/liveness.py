"""Liveness of every 32-bit unit, for kernels on virtual and on physical registers.

Scalar units (SGPRs, VCC, SCC, M0) live along linear edges, vector units along logical edges
(docs/architecture.md, "Machine programs"). The arguments of an edge are read at the end of its source block;
the parameters of a block are written before its first instruction. EXEC and MODE are always live and are not
tracked.

    liveness = compute_liveness(kernel)
    liveness.live_in("loop")        # ascending units live at the start of the block, without its parameters
    liveness.live_out("loop")       # units live at its end
    liveness.live_at("loop", 3)     # units live before instruction 3, or before the edge copies
    liveness.pressure               # by class: the maximum of live units, and its place

A unit below 1024 is a physical register (`isa.registers`); a higher unit belongs to
`kernel.owners[unit - 1024]`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property, reduce
from operator import gt

from msgspec import Struct

from isa.program import Block, Kernel
from isa.registers import FIRST_VIRTUAL, RegisterClass
from regalloc.cfg import ControlFlow, build_control_flow
from regalloc.dataflow import elements, solve
from regalloc.slots import (
    VECTOR_CLASSES,
    BlockSlots,
    block_slots,
    is_vector_unit,
    kernel_slots,
    physical_unit_class,
)

_FILES = tuple(RegisterClass)
_NUMBERS = {file: number for number, file in enumerate(_FILES)}


@cache
def _physical_files() -> list[int]:
    """The number of the class of each physical unit."""
    return [_NUMBERS[physical_unit_class(unit)] for unit in range(FIRST_VIRTUAL)]


class Pressure(Struct, frozen=True):
    """The maximum number of live units of a class, at instruction `index` of block `label`.

    An instruction's results count together with the values that outlive it, and its operands with the values
    live before it.
    """

    units: int
    label: str
    index: int


class Liveness:
    """Live sets at block edges, as bit sets over `universe`. Queries inside a block walk the block."""

    def __init__(
        self, kernel: Kernel, flow: ControlFlow, slots: list[BlockSlots], universe: list[int],
        entering: list[int], leaving: list[int],
    ) -> None:  # fmt: skip
        self.kernel = kernel
        self.flow = flow
        self.slots = slots
        self.universe = universe
        self._entering = entering
        self._leaving = leaving
        self._units: dict[int, list[int]] = {}  # of the sets that were asked about
        self._pressures: dict[int, dict[RegisterClass, Pressure]] = {}  # of the blocks that were asked about

    def entering(self, block: int) -> list[int]:
        """The units live at the start of a block, by block number."""
        return self._units_of(self._entering[block])

    def leaving(self, block: int) -> list[int]:
        """The units live at the end of a block, by block number."""
        return self._units_of(self._leaving[block])

    def lanes_entering(self, block: int) -> list[int]:
        """The vector units live at the start of a block, by block number."""
        return self._units_of(self._entering[block] & self._vector_bits)

    def entering_bits(self, block: int) -> int:
        """`entering` as a set of bits, with a bit for each place in `universe`."""
        return self._entering[block]

    def leaving_bits(self, block: int) -> int:
        """`leaving` as a set of bits."""
        return self._leaving[block]

    def virtual_bits(self, file: RegisterClass) -> int:
        """The virtual units of a class as a set of bits."""
        first = bisect_left(self.universe, FIRST_VIRTUAL)
        return self._file_bits[_NUMBERS[file]] >> first << first

    def in_parts(self, kernel: Kernel) -> Liveness:
        """The liveness of the same kernel with its tuples split: units keep their numbers and their class."""
        parted = Liveness(kernel, self.flow, self.slots, self.universe, self._entering, self._leaving)
        parted._units, parted._pressures = self._units, self._pressures
        return parted

    def reordered(self, kernel: Kernel) -> Liveness | None:
        """The liveness of a kernel with the same instructions in each block, in another order that keeps
        their dependences; None if more than the order differs. The same units are live between blocks."""
        slots, known = list[BlockSlots](), dict[int, dict[RegisterClass, Pressure]]()
        if kernel.owners is not self.kernel.owners or len(kernel.blocks) != len(self.kernel.blocks):
            return None
        for number, (old, new) in enumerate(zip(self.kernel.blocks, kernel.blocks, strict=True)):
            if new is old:
                slots.append(self.slots[number])
                if number in self._pressures:
                    known[number] = self._pressures[number]
            elif _has_same_code(old, new):
                slots.append(block_slots(new, self.slots[number].first))
            else:
                return None
        found = Liveness(kernel, self.flow, slots, self.universe, self._entering, self._leaving)
        found._units, found._pressures = self._units, known
        return found

    def _units_of(self, bits: int) -> list[int]:
        """The units of a set, in a list that is not to be changed."""
        units = self._units.get(bits)
        if units is None:
            units = self._units[bits] = [self.universe[i] for i in elements(bits)]
        return units

    def live_in(self, label: str) -> list[int]:
        """The units live at the start of the block, ascending, without its parameters. Raises KeyError for an
        unknown label."""
        return self.entering(self.flow.index[label])

    def live_out(self, label: str) -> list[int]:
        """The units live at the end of the block, ascending. Raises KeyError for an unknown label."""
        return self.leaving(self.flow.index[label])

    def live_at(self, label: str, index: int) -> list[int]:
        """The units live just before instruction `index`, ascending; `len(instructions)` is before the edge
        copies."""
        block = self.flow.index[label]
        slots = self.slots[block]
        live = set(self.leaving(block))
        for slot in range(len(slots.uses) - 1, index - 1, -1):
            live.difference_update(slots.defines[slot])
            live.update(slots.uses[slot])
        return sorted(live)

    @cached_property
    def pressure(self) -> dict[RegisterClass, Pressure]:
        """The largest pressure of each class that occurs, at its first such point in layout order."""
        best: dict[RegisterClass, Pressure] = {}
        for number in range(len(self.flow.labels)):
            if not self._may_exceed(number, best):
                continue
            for register_class, pressure in self.block_pressure(number).items():
                if register_class not in best or pressure.units > best[register_class].units:
                    best[register_class] = pressure
        return best

    def _may_exceed(self, number: int, best: Mapping[RegisterClass, Pressure]) -> bool:
        """Whether more units may be live in a block than in the blocks before it, with their pressure in
        `best`. All that a block keeps live enters it or is written in it: most blocks then need no walk."""
        if number in self._pressures:
            return True
        slots, entering = self.slots[number], self._entering[number]
        written = set(slots.parameters).union(*slots.defines)
        counts = [(entering & bits).bit_count() for bits in self._file_bits]
        for file in map(self._file_of, written):
            counts[file] += 1
        known = [best[file].units if file in best else 0 for file in _FILES]
        return any(map(gt, counts, known))

    def block_pressure(self, number: int) -> dict[RegisterClass, Pressure]:
        """By class the most units that are live at once in a block, at the first such instruction."""
        known = self._pressures.get(number)
        if known is None:
            known = self._pressures[number] = self._walk_for_pressure(number)
        return known

    def _walk_for_pressure(self, number: int) -> dict[RegisterClass, Pressure]:
        slots, live, file_of = self.slots[number], set(self.leaving(number)), self._file_of
        counts = [(self._leaving[number] & bits).bit_count() for bits in self._file_bits]
        most, places = list(counts), [-1] * len(_FILES)
        fullest = {file for file, count in enumerate(counts) if count}  # those with the most units so far

        def enter(units: Iterable[int]) -> None:
            for unit in units:
                if unit not in live:
                    live.add(unit)
                    file = file_of(unit)
                    counts[file] += 1
                    if counts[file] >= most[file]:
                        most[file] = counts[file]
                        fullest.add(file)

        if live:
            places = [len(slots.uses) - 1 if file in fullest else -1 for file in range(len(_FILES))]
        for index in range(len(slots.uses) - 1, -1, -1):
            defined, used = slots.defines[index], slots.uses[index]
            if not live.issuperset(defined):  # results without a reader count only here
                enter(defined)
                for file in fullest:
                    places[file] = index
            for unit in defined:
                if unit in live:
                    live.remove(unit)
                    file = file_of(unit)
                    counts[file] -= 1
                    fullest.discard(file)
            if not live.issuperset(used):
                enter(used)
            for file in fullest:
                places[file] = index
        if not live.issuperset(slots.parameters):
            enter(slots.parameters)
            for file in fullest:
                places[file] = 0
        label = self.flow.labels[number]
        return {
            file: Pressure(count, label, place)
            for file, count, place in zip(_FILES, most, places, strict=True)
            if count
        }

    @cached_property
    def _file_bits(self) -> list[int]:
        """By the number of a class, its units as a set of bits."""
        digits = [bytearray(b"0" * (len(self.universe) + 1)) for _ in _FILES]
        for place, unit in enumerate(self.universe, 1):
            digits[self._file_of(unit)][-place] = ord("1")
        return [int(of_file, 2) for of_file in digits]

    @cached_property
    def _vector_bits(self) -> int:
        """The vector units as a set of bits."""
        return reduce(int.__or__, [self._file_bits[_NUMBERS[file]] for file in VECTOR_CLASSES])

    @cached_property
    def _file_of(self) -> Callable[[int], int]:
        """The number of the class of each unit, in `_FILES`."""
        virtual = [_NUMBERS[owner.register_class] for owner in self.kernel.owners]
        return [*_physical_files(), *virtual].__getitem__


def _has_same_code(old: Block, new: Block) -> bool:
    """Whether blocks have the same instructions, in any order, and are the same otherwise."""
    return (
        new.label == old.label
        and new.terminator is old.terminator
        and (new.scalar_parameters, new.vector_parameters) == (old.scalar_parameters, old.vector_parameters)
        and (new.linear, new.logical) == (old.linear, old.logical)
        and len(new.instructions) == len(old.instructions)
        and set(map(id, new.instructions)) == set(map(id, old.instructions))
    )


LivenessOf = Callable[[Kernel], Liveness]


class RememberedLiveness:
    """`compute_liveness` with a memory, for passes that run in sequence: a pass gets the liveness that the
    previous pass computed for the same kernel, or for the kernel before its instructions got another order.
    Such a kernel must not be changed."""

    def __init__(self) -> None:
        self._known: tuple[Liveness, ...] = ()  # of the last kernels, the latest first

    def __call__(self, kernel: Kernel) -> Liveness:
        liveness = next((known for known in self._known if known.kernel is kernel), None)
        if liveness is None:
            reordered = filter(None, [known.reordered(kernel) for known in self._known])
            liveness = next(reordered, None) or compute_liveness(kernel)
            self._known = (liveness, *self._known[:1])
        return liveness


def compute_liveness(kernel: Kernel, flow: ControlFlow | None = None) -> Liveness:
    """Solve liveness for a kernel. Pass `flow` if it has been built already."""
    flow = flow or build_control_flow(kernel)
    slots = kernel_slots(kernel)
    exposed = [_exposed(block) for block in slots]
    universe = sorted(set[int]().union(*(reads for reads, _ in exposed)))
    bit = {unit: 1 << i for i, unit in enumerate(universe)}
    vector = sum(bit[unit] for unit in universe if is_vector_unit(kernel, unit))
    generate = [sum(bit[unit] for unit in reads) for reads, _ in exposed]
    kill = [sum(bit[unit] for unit in written if unit in bit) for _, written in exposed]
    entering = [0] * len(slots)
    leaving = [0] * len(slots)
    for graph, scope in ((flow.linear, ~vector), (flow.logical, vector)):
        order = graph.order[::-1]
        met, result = solve(
            order, graph.successors, graph.predecessors, [bits & scope for bits in generate], kill
        )
        for block in order:
            entering[block] |= result[block]
            leaving[block] |= met[block]
    return Liveness(kernel, flow, slots, universe, entering, leaving)


def _exposed(slots: BlockSlots) -> tuple[set[int], set[int]]:
    """The units a block reads before it writes them, and those it writes; parameters count as written
    first."""
    exposed: set[int] = set()
    written: set[int] = set(slots.parameters)
    for reads, writes in zip(slots.uses, slots.defines, strict=True):
        if not written.issuperset(reads):
            exposed.update([unit for unit in reads if unit not in written])
        written.update(writes)
    return exposed, written
