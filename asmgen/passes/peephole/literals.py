"""A constant with a single reader moves into that instruction, if its short encoding takes it.

    s_mov_b32 s0, 0x249f0
    v_cmp_lt_u32_e64 vcc, v0, s0        is        v_cmp_gt_u32_e32 vcc, 0x249f0, v0

Runs on physical registers: only allocation decides whether a mask is in VCC, and the long encoding does not
take a 32-bit constant on every target.
"""

from __future__ import annotations

from asmgen.passes.ssa import is_copy
from isa.instruction import Encoding, Immediate, Instr
from isa.operand_check import known_class
from isa.operations import exchanged_rows
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
    readers = _only_readers(code)
    taken: set[int] = set()
    for move in sorted(readers):
        reader = readers[move]
        short = None
        if code[reader].row.encoding is Encoding.E64:
            short = _with_constant(code[reader], code[move], table)
        if short is not None:
            code[reader] = short
            taken.add(move)
    if not taken:
        return block
    return block.with_instructions([instr for number, instr in enumerate(code) if number not in taken])


def _only_readers(code: list[Instr]) -> dict[int, int]:
    """The moves of constants to an SGPR with a single reader, and that reader, by their numbers."""
    moves = {
        number: target for number, instr in enumerate(code) if (target := _constant_unit(instr)) is not None
    }
    units = set(moves.values())
    left: dict[int, list[int]] = {unit: [] for unit in units}  # of the number that a register has
    readers: dict[int, int] = {}
    for number in range(len(code) - 1 if moves else -1, -1, -1):
        used = code[number].units
        if number in moves and len(left[moves[number]]) == 1:
            (readers[number],) = left[moves[number]]
        if not units.isdisjoint(used.written):
            left.update([(unit, []) for unit in units.intersection(used.written)])
        if not units.isdisjoint(used.read):
            for unit in units.intersection(used.read):
                left[unit].append(number)
    return readers


def _constant_unit(instr: Instr) -> int | None:
    """The register that an instruction fills with a constant."""
    if not is_copy(instr) or not isinstance(instr.operands[1], Immediate):
        return None
    target = instr.operands[0]
    if not isinstance(target, Register) or target.count != 1 or target.overlaps(EXEC):
        return None
    return target.first


def _with_constant(reader: Instr, move: Instr, table: Table) -> Instr | None:
    """The short form of an instruction with a constant in place of the register; None if there is none."""
    register, constant = move.operands
    assert isinstance(register, Register), "a move of a constant to a register"
    reads = [each for each in reader.operands if isinstance(each, Register) and each.overlaps(register)]
    uses = reader.row.uses
    if reader.modifiers or reads != [register] or len(uses) < 2:  # a pair has the register and another
        return None
    operands = tuple([constant if operand == register else operand for operand in reader.operands])
    first, second, *_ = uses
    exchanged = list(operands)
    exchanged[first], exchanged[second] = operands[second], operands[first]
    for rows, ordered in (
        (table.named(reader.row.name), operands),
        (exchanged_rows(reader.row, table), tuple(exchanged)),
    ):
        for short in rows:
            if short.encoding is Encoding.E32 and takes(short, ordered, known_class):
                return reader.as_row(short, ordered)
    return None
