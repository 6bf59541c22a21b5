"""Whether a vector or scalar ALU instruction may move up past others, from the physical registers that they
name. Cheaper than a graph if a pass asks about few instructions, each past its neighbours.
"""

from __future__ import annotations

from functools import cache, lru_cache

from asmgen.passes.dependence.facts import order_facts, ordered_units
from isa.instruction import Instr, Operand, Row
from isa.named_tuple import NamedTuple
from isa.registers import SCC, Register

_FLAG = 1 << SCC.first


class Named(NamedTuple):
    """The units that an instruction reads and writes, a bit for each."""

    read: int
    written: int
    drops_flag: bool  # it writes an SCC that nothing reads, which is in neither
    stays: bool  # it passes nothing, and nothing passes it
    is_barrier: bool  # nor a barrier, if the waves of the kernel have priorities


class Passed:
    """Instructions that another instruction would pass, none of which stays."""

    __slots__ = ("_drop_flag", "_read", "_written")

    def __init__(self) -> None:
        self._read = self._written = 0
        self._drop_flag = False

    def add(self, named: Named) -> None:
        self._read |= named.read
        self._written |= named.written
        self._drop_flag |= named.drops_flag

    def let(self, named: Named) -> bool:
        """Whether an instruction that does not stay may pass them."""
        touched = self._read | self._written
        if named.read & self._written or named.written & touched:
            return False
        return not (touched & _FLAG if named.drops_flag else self._drop_flag and named.written & _FLAG)


def named_by(instr: Instr, is_awaited: bool = True) -> Named:
    """The units of an instruction. `is_awaited` says whether an SCC that it writes is read."""
    return _named(instr.row, instr.operands, is_awaited)


@lru_cache(1 << 12)  # programs on physical registers repeat few instructions
def _named(row: Row, operands: tuple[Operand, ...], is_awaited: bool) -> Named:
    read, written, drops_flag, stays, is_barrier = _by_row(row)
    for i in row.uses:
        operand = operands[i]
        if isinstance(operand, Register):
            read |= _bits(operand)
    for i in row.defines:
        operand = operands[i]
        if isinstance(operand, Register):
            written |= _bits(operand)
    if drops_flag and is_awaited:
        return Named(read, written | _FLAG, False, stays, is_barrier)
    return Named(read, written, drops_flag, stays, is_barrier)


@cache
def _by_row(row: Row) -> Named:
    """The units that a row names whatever the operands are."""
    facts = order_facts(row)
    read, written = [sum(1 << unit for unit in units) for units in (facts.reads, facts.writes)]
    read |= _FLAG if facts.reads_flag else 0
    return Named(read, written, facts.writes_flag, facts.fence, facts.barrier)


@cache
def _bits(register: Register) -> int:
    """A bit for each unit by which a register orders instructions."""
    return sum(1 << unit for unit in ordered_units(register))
