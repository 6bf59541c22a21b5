"""How many registers of each class are live at the instructions of a block, in any order of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from isa.instruction import Instr
from isa.program import Kernel
from isa.registers import FIRST_VIRTUAL, Register, RegisterClass

VECTOR, SCALAR = 0, 1
_FILES = {RegisterClass.VGPR: VECTOR, RegisterClass.AGPR: VECTOR, RegisterClass.SGPR: SCALAR}
Count = tuple[int, int]  # of vector registers and of scalar ones


class BlockPressure:
    """What a block's instructions define and read for the last time; virtual registers are counted alone."""

    def __init__(
        self, kernel: Kernel, code: Sequence[Instr], entering: Iterable[int], leaving: Iterable[int]
    ) -> None:
        self._owners = kernel.owners
        stays = {unit for unit in leaving if unit >= FIRST_VIRTUAL}
        self.defines: list[tuple[int, ...]] = [_units(instr, instr.row.defines) for instr in code]
        self.reads: list[tuple[int, ...]] = [
            tuple(dict.fromkeys(_units(instr, instr.row.uses))) for instr in code
        ]
        self._readers: dict[int, int] = dict.fromkeys(stays, 1)  # the end of the block is a reader
        for units in self.reads:
            for unit in units:
                self._readers[unit] = self._readers.get(unit, 0) + 1
        self._entering = [0, 0]
        for unit in {unit for unit in entering if unit >= FIRST_VIRTUAL}:
            self._entering[self.file(unit)] += 1

    def file(self, unit: int) -> int:
        return _FILES[self._owners[unit - FIRST_VIRTUAL].register_class]

    def walk(self) -> Walk:
        """From the beginning of the block."""
        return Walk(self, dict(self._readers), list(self._entering))

    def most(self, order: Iterable[int]) -> Count:
        """The largest pressure of an order."""
        walk = self.walk()
        for number in order:
            walk.take(number)
        return walk.most[VECTOR], walk.most[SCALAR]


class Walk:
    """A block on the way through an order of it: what is live, and was at most."""

    __slots__ = ("_block", "_readers", "live", "most")

    def __init__(self, block: BlockPressure, readers: dict[int, int], live: list[int]) -> None:
        self._block = block
        self._readers = readers
        self.live = live
        self.most = list(live)

    def grows(self, number: int) -> Count:
        """By how much the pressure changes if an instruction is next."""
        change = [0, 0]
        block = self._block
        for unit in block.reads[number]:
            if self._readers[unit] == 1:
                change[block.file(unit)] -= 1
        for unit in block.defines[number]:
            change[block.file(unit)] += 1
        return change[VECTOR], change[SCALAR]

    def take(self, number: int) -> None:
        block, live, most = self._block, self.live, self.most
        for unit in block.reads[number]:
            self._readers[unit] -= 1
            if not self._readers[unit]:
                live[block.file(unit)] -= 1
        unread = [0, 0]
        for unit in block.defines[number]:
            file = block.file(unit)
            live[file] += 1
            if not self._readers.get(unit):
                unread[file] += 1
        for file in (VECTOR, SCALAR):
            most[file] = max(most[file], live[file])
            live[file] -= unread[file]


def _units(instr: Instr, places: tuple[int, ...]) -> tuple[int, ...]:
    found: list[int] = []
    for i in places:
        operand = instr.operands[i]
        if isinstance(operand, Register) and operand.first >= FIRST_VIRTUAL:
            found += operand.units
    return tuple(found)
