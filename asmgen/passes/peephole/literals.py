"""A constant with a single reader moves into that instruction, if its short encoding takes it.

    s_mov_b32 s0, 0x249f0
    v_cmp_lt_u32_e64 vcc, v0, s0        is        v_cmp_gt_u32_e32 vcc, 0x249f0, v0

Runs on physical registers: only allocation decides whether a mask is in VCC, and the long encoding does not
take a 32-bit constant on every target.
"""

from __future__ import annotations

from collections.abc import Iterator

from asmgen.passes.ssa import is_copy
from isa.instruction import Encoding, Immediate, Instr, Row
from isa.operand_check import known_class
from isa.operations import EXCHANGED
from isa.program import Block, Kernel
from isa.registers import EXEC, Register
from isa.table import Table
from isa.verify import takes


def take_literals(kernel: Kernel) -> Kernel:
    """An equivalent kernel with fewer moves of constants."""
    return kernel.with_blocks([_taken(block, kernel.table) for block in kernel.blocks])


def _taken(block: Block, table: Table) -> Block:
    """Only blocks without successors are rewritten: there all readers of a register are visible."""
    if block.linear:
        return block
    code = list(block.instructions)
    position = 0
    while position < len(code):
        reader = _only_reader(code, position)
        short = None if reader is None else _with_constant(code[reader], code[position], table)
        if reader is None or short is None:
            position += 1
            continue
        code[reader] = short
        del code[position]
    return block.with_instructions(code)


def _only_reader(code: list[Instr], position: int) -> int | None:
    """The only instruction that reads the SGPR of a constant."""
    move = code[position]
    if not is_copy(move) or not isinstance(move.operands[1], Immediate):
        return None
    target = move.operands[0]
    if not isinstance(target, Register) or target.count != 1 or target.overlaps(EXEC):
        return None
    reader: int | None = None
    units = {target.first}
    for number in range(position + 1, len(code)):
        instr = code[number]
        if not units.isdisjoint(instr.units.read):
            if reader is not None or instr.row.encoding is not Encoding.E64:
                return None
            reader = number
        if not units.isdisjoint(instr.units.written):
            break
    return reader


def _with_constant(reader: Instr, move: Instr, table: Table) -> Instr | None:
    """The short form of an instruction with a constant in place of the register; None if there is none."""
    if reader.modifiers:
        return None
    register, constant = move.operands
    operands = tuple([constant if operand == register else operand for operand in reader.operands])
    uses = reader.row.uses
    if sum(operand is constant for operand in operands) != 1 or len(uses) < 2:
        return None
    first, second, *_ = uses
    exchanged = list(operands)
    exchanged[first], exchanged[second] = operands[second], operands[first]
    for row, ordered in (
        (reader.row, operands),
        *[(row, tuple(exchanged)) for row in _swapped(reader.row, table)],
    ):
        for short in table.named(row.name):
            if short.encoding is Encoding.E32 and takes(short, ordered, known_class):
                return reader.as_row(short, ordered)
    return None


def _swapped(row: Row, table: Table) -> Iterator[Row]:
    """The row that does the same with its sources exchanged."""
    other = table.find(EXCHANGED.get(row.operation, ""))
    if other is not None:
        yield other
