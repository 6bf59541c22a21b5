"""How many registers of each class are live at the instructions of a block, in any order of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import count

from isa.program import Kernel
from isa.registers import FIRST_VIRTUAL, Register, RegisterClass
from regalloc.liveness import Liveness
from regalloc.slots import BlockSlots

VECTOR, SCALAR, ACCUMULATOR = FILES = range(3)
_FILES = {
    RegisterClass.VGPR: VECTOR,
    RegisterClass.SGPR: SCALAR,
    RegisterClass.AGPR: ACCUMULATOR,
    RegisterClass.AV: VECTOR,
}
Count = tuple[int, int, int]  # of VGPRs, of SGPRs and of AGPRs


def pressure_of(kernel: Kernel, liveness: Liveness, number: int) -> BlockPressure:
    """The pressure of a block of a kernel."""
    block = kernel.blocks[number]
    entering = [*liveness.entering(number), *all_units(block.scalar_parameters, block.vector_parameters)]
    edges = [argument for edge in (*block.linear, *block.logical) for argument in edge.arguments]
    leaving = [*liveness.leaving(number), *all_units(edges)]
    if block.terminator is not None:
        leaving += all_units(block.terminator.used())
    return BlockPressure(kernel, liveness.slots[number], entering, leaving)


def all_units(*groups: Iterable[object]) -> list[int]:
    """The virtual units of the registers among operands."""
    units: list[int] = []
    for group in groups:
        for register in group:
            if isinstance(register, Register):
                first, count = register
                if first >= FIRST_VIRTUAL:
                    units += range(first, first + count)
    return units


class BlockPressure:
    """The units that a block's instructions define and read for the last time. Only virtual registers count.

    Units are renumbered from 0 in the order in which the block meets them, so that the tables read at every
    step are lists.
    """

    def __init__(
        self, kernel: Kernel, slots: BlockSlots, entering: Iterable[int], leaving: Iterable[int]
    ) -> None:
        self._owners = kernel.owners
        self._numbers: dict[int, int] = defaultdict(count().__next__)
        end = slots.copies  # the slots of the instructions come first
        numbers = self._numbers
        self.defines = [
            tuple([numbers[unit] for unit in units if unit >= FIRST_VIRTUAL]) for units in slots.defines[:end]
        ]
        each_once = [units if len(units) < 2 else dict.fromkeys(units) for units in slots.uses[:end]]
        self.reads = [
            tuple([numbers[unit] for unit in units if unit >= FIRST_VIRTUAL]) for units in each_once
        ]
        self.files = [self._file(unit) for unit in self._numbers]
        self._readers = [0] * len(self._numbers)
        for unit in leaving:
            if unit in self._numbers:
                self._readers[self._numbers[unit]] = 1  # the end of the block is a reader
        for units in self.reads:
            for unit in units:
                self._readers[unit] += 1
        self._entering = [0] * len(FILES)
        for unit in {unit for unit in entering if unit >= FIRST_VIRTUAL}:
            self._entering[self._file(unit)] += 1

    def _file(self, unit: int) -> int:
        return _FILES[self._owners[unit - FIRST_VIRTUAL].register_class]

    def walk(self) -> Walk:
        """From the beginning of the block."""
        return Walk(self, list(self._readers), list(self._entering))

    def most(self, order: Iterable[int]) -> Count:
        """The largest pressure of an order."""
        walk = self.walk()
        for number in order:
            _ = walk.take(number)
        return count_of(walk.most)


def count_of(registers: Sequence[int]) -> Count:
    """Numbers of registers by file, as a count."""
    return registers[VECTOR], registers[SCALAR], registers[ACCUMULATOR]


class Walk:
    """A walk through an order of a block: the current number of live registers, and its maximum so far."""

    __slots__ = ("_defines", "_files", "_readers", "_reads", "live", "most")

    def __init__(self, block: BlockPressure, readers: list[int], live: list[int]) -> None:
        self._reads, self._defines, self._files = block.reads, block.defines, block.files
        self._readers = readers
        self.live = live
        self.most = list(live)

    def has_room(self, number: int, budget: Count) -> bool:
        """Whether a budget has room for an instruction even if nothing that it reads ends there."""
        defines, live, files = self._defines[number], self.live, self._files
        count = len(defines)
        for unit in defines:
            file = files[unit]
            if live[file] + count > budget[file]:
                return False
        return True

    def grows(self, number: int) -> Count:
        """By how much the pressure changes if an instruction is next."""
        change = [0] * len(FILES)
        readers, files = self._readers, self._files
        for unit in self._reads[number]:
            if readers[unit] == 1:
                change[files[unit]] -= 1
        for unit in self._defines[number]:
            change[files[unit]] += 1
        return count_of(change)

    def growth(self, number: int) -> int:
        """The same of all files together."""
        readers, change = self._readers, len(self._defines[number])
        for unit in self._reads[number]:
            if readers[unit] == 1:
                change -= 1
        return change

    def take(self, number: int) -> int:
        """Go past an instruction; by how many the registers grew that are live after it."""
        live, most, readers, files = self.live, self.most, self._readers, self._files
        before = sum(live)
        for unit in self._reads[number]:
            readers[unit] -= 1
            if not readers[unit]:
                live[files[unit]] -= 1
        defines = self._defines[number]
        for unit in defines:
            live[files[unit]] += 1
        for unit in defines:
            file = files[unit]
            if live[file] > most[file]:
                most[file] = live[file]
        for unit in defines:
            if not readers[unit]:
                live[files[unit]] -= 1
        return sum(live) - before
