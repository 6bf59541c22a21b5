"""Pairs: two independent vector instructions become one dual instruction, where the target has those
(`Encoding.DUAL`).

Runs on physical registers, after waits, which nothing moves across, so that no wait for memory comes
earlier. The second of a pair moves up to the first. A dual instruction reads everything before it writes, so
that the second may overwrite what the first reads. What may be in a pair, banks and parities of registers
among it, is in the rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from isa.instruction import Encoding, ExecMode, Instr, Operand, Row, Trait, Unit
from isa.operand_check import known_class
from isa.operations import EXCHANGED
from isa.program import Block, Kernel
from isa.registers import EXEC, Register
from isa.table import Table
from isa.verify import takes

REACH = 12  # instructions that are looked at after the first of a pair
_SINGLE = frozenset({Encoding.E32, Encoding.E64})
_CROSSED = frozenset({Unit.VALU, Unit.TRANS, Unit.SALU})


class _Half(NamedTuple):
    """An instruction as a component of a pair: the operation, and its operands there."""

    operation: str
    operands: tuple[Operand, ...]


def pair(kernel: Kernel) -> Kernel:
    """An equivalent kernel with fewer instructions; as it is where the target has no dual ones."""
    duals = _duals(kernel.table)
    if not duals:
        return kernel
    components = {component.operation: component for row in duals.values() for component in row.components}
    return kernel.with_blocks([_paired(block, duals, components) for block in kernel.blocks])


@cache
def _duals(table: Table) -> dict[tuple[str, str], Row]:
    """The dual rows by the operations of their components."""
    found: dict[tuple[str, str], Row] = {}
    for row in table.duals:
        first, second = row.components
        found[first.operation, second.operation] = row
    return found


def _paired(block: Block, duals: dict[tuple[str, str], Row], components: dict[str, Row]) -> Block:
    rest = list(block.instructions)
    result: list[Instr] = []
    position = 0
    while position < len(rest):
        first = rest[position]
        halves = tuple(_halves(first, components))
        found = _partner(rest, position, halves, components, duals) if halves else None
        if found is None:
            result.append(first)
        else:
            index, joined = found
            result.append(joined)
            del rest[index]
        position += 1
    return block.with_instructions(result)


def _halves(instr: Instr, components: dict[str, Row]) -> Iterator[_Half]:
    """The ways in which an instruction can be in a pair: as it is, and with its sources exchanged."""
    row = instr.row
    if instr.modifiers or row.encoding not in _SINGLE or row.exec_mode is not ExecMode.MASKED:
        return
    component = components.get(row.operation)
    operands = None if component is None else _operands_in(component, instr)
    if operands is None:
        return
    yield _Half(row.operation, operands)
    if len(operands) < 3:
        return
    exchanged = (operands[0], operands[2], operands[1], *operands[3:])
    if Trait.COMMUTES in row.traits:
        yield _Half(row.operation, exchanged)
    elif (other := EXCHANGED.get(row.operation)) in components:
        yield _Half(other, exchanged)


def _operands_in(component: Row, instr: Instr) -> tuple[Operand, ...] | None:
    """The operands as the component has them: a register that it reads unspelt is left out. None where they
    differ."""
    operands = instr.operands
    if len(operands) == len(component.operands) + 1 and operands[-1] in component.reads:
        operands = operands[:-1]
    return operands if len(operands) == len(component.operands) else None


def _partner(
    rest: list[Instr],
    position: int,
    halves: tuple[_Half, ...],
    components: dict[str, Row],
    duals: dict[tuple[str, str], Row],
) -> tuple[int, Instr] | None:
    """The first instruction after one that forms a pair with it, its position, and the pair."""
    first = rest[position]
    written, read = _units(first.defined()), set[int]()
    for index in range(position + 1, min(len(rest), position + 1 + REACH)):
        second = rest[index]
        reads, writes = _units(second.used()), _units(second.defined())
        if written.isdisjoint(reads | writes) and read.isdisjoint(writes):
            for other in _halves(second, components):
                joined = _joined(first, halves, second, other, duals)
                if joined is not None:
                    return index, joined
        if not _may_be_crossed(second):
            return None
        written |= writes
        read |= reads
    return None


def _may_be_crossed(instr: Instr) -> bool:
    """Whether the second of a pair may move up past an instruction on other registers."""
    return instr.row.unit in _CROSSED and not any(register.overlaps(EXEC) for register in instr.defined())


def _units(registers: tuple[Register, ...]) -> set[int]:
    """The units of registers, EXEC apart, which nothing here changes."""
    return {unit for register in registers if not register.overlaps(EXEC) for unit in register.units}


def _joined(
    first: Instr, halves: tuple[_Half, ...], second: Instr, other: _Half, duals: dict[tuple[str, str], Row]
) -> Instr | None:
    """The dual instruction of two, either of them as its first component; None where no row takes them."""
    for half in halves:
        for x, y in ((half, other), (other, half)):
            row = duals.get((x.operation, y.operation))
            operands = (*x.operands, *y.operands)
            if row is not None and takes(row, operands, known_class):
                return Instr(
                    row, operands, (), first.origin or second.origin, False, first.comment or second.comment
                )
    return None
