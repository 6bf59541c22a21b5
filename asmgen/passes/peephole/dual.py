"""Pairs: two independent vector instructions become a dual instruction, on targets that have it
(`Encoding.DUAL`).

Runs on physical registers, after waits. No instruction moves across a wait, so no wait for memory comes
earlier. The second of a pair moves up to the first, past instructions on which it does not depend. A dual
instruction reads all operands before it writes, so the second may overwrite operands of the first. The rows
say which instructions, register banks and parities may form a pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import product

from asmgen.passes.dependence.passed import Named, Passed, named_by
from isa.instruction import Encoding, ExecMode, Instr, Operand, Row
from isa.named_tuple import NamedTuple
from isa.operand_check import known_class
from isa.operations import exchanged_operation, literal_form
from isa.program import Block, Kernel
from isa.registers import FIRST_VGPR, Register
from isa.table import Table
from isa.verify import bank_clash, reads_one_twice, takes
from regalloc.scan.linear_scan import result_banks

REACH = 12  # instructions that are looked at after the first of a pair
_SINGLE = frozenset({Encoding.E32, Encoding.E64, Encoding.PLAIN})


class _Half(NamedTuple):
    """An instruction as a component of a pair: the operation, and its operands there."""

    operation: str
    operands: tuple[Operand, ...]


class _Candidate(NamedTuple):
    """An instruction of a block: the registers that it names, the ways in which it can be in a pair, and the
    bank of its result if there are any."""

    instr: Instr
    named: Named
    halves: tuple[_Half, ...]
    bank: int


def pair(kernel: Kernel) -> Kernel:
    """An equivalent kernel with fewer instructions; the kernel itself if the target has no dual
    instructions."""
    duals = _duals(kernel.table)
    if not duals:
        return kernel
    banks = result_banks(kernel.table)
    return kernel.with_blocks([_paired(block, duals, kernel.table, banks) for block in kernel.blocks])


@cache
def _duals(table: Table) -> dict[tuple[str, str], Row]:
    """The dual rows by the operations of their components."""
    rows: dict[tuple[str, str], Row] = {}
    for row in table.duals:
        first, second = row.components
        rows[first.operation, second.operation] = row
    return rows


def _paired(block: Block, duals: dict[tuple[str, str], Row], table: Table, banks: int) -> Block:
    """`banks` are the bits of a VGPR's number by which the results of a pair have to differ."""
    candidates = [_candidate(instr, table, banks) for instr in block.instructions]
    placed = bytearray(len(candidates))
    result: list[Instr] = []
    for number, candidate in enumerate(candidates):
        if placed[number]:
            continue
        match = _partner(candidates, number, placed, duals) if candidate.halves else None
        placed[number] = 1
        if match is None:
            result.append(candidate.instr)
        else:
            index, joined = match
            placed[index] = 1
            result.append(joined)
    return block.with_instructions(result)


def _candidate(instr: Instr, table: Table, banks: int) -> _Candidate:
    halves = () if instr.modifiers else _halves(table, instr.row, instr.operands)
    return _Candidate(instr, named_by(instr), halves, _result(instr) & banks if halves else 0)


def _result(instr: Instr) -> int:
    """The number of the VGPR that an instruction writes."""
    result = instr.operands[instr.row.defines[0]]
    assert isinstance(result, Register)
    return result.first - FIRST_VGPR


@lru_cache(1 << 12)  # programs on physical registers repeat few instructions
def _halves(table: Table, row: Row, operands: tuple[Operand, ...]) -> tuple[_Half, ...]:
    """The ways in which an instruction without modifiers can be in a pair: unchanged, and with its sources
    exchanged."""
    if row.encoding not in _SINGLE or row.exec_mode is not ExecMode.MASKED:
        return ()
    component = table.components.get(row.operation)
    if component is None:
        return _with_literal(table, row, operands)
    spelt = _operands_in(component, operands)
    if spelt is None:
        return ()
    as_it_is, exchanged = _Half(row.operation, spelt), exchanged_operation(row)
    if len(spelt) < 3 or exchanged not in table.components:
        return (as_it_is,)
    return as_it_is, _Half(exchanged, (spelt[0], spelt[2], spelt[1], *spelt[3:]))


def _with_literal(table: Table, row: Row, operands: tuple[Operand, ...]) -> tuple[_Half, ...]:
    """An instruction with a small constant as the instruction that has a literal there."""
    form = literal_form(table, row, operands)
    if form is None or form[0].operation not in table.components:
        return ()
    return (_Half(form[0].operation, form[1]),)


def _operands_in(component: Row, operands: tuple[Operand, ...]) -> tuple[Operand, ...] | None:
    """The operands as the component spells them: a register that it reads implicitly is left out. None if
    they differ."""
    if len(operands) == len(component.operands) + 1 and operands[-1] in component.reads:
        operands = operands[:-1]
    return operands if len(operands) == len(component.operands) else None


def _partner(
    candidates: Sequence[_Candidate], number: int, placed: bytearray, duals: dict[tuple[str, str], Row]
) -> tuple[int, Instr] | None:
    """The first later instruction that forms a pair with an instruction: its number, and the pair."""
    between, first = Passed(), candidates[number]
    left = REACH
    for index in range(number + 1, len(candidates)):
        if placed[index]:
            continue
        second = candidates[index]
        if not left or second.named.stays:
            return None
        left -= 1
        is_half = second.halves and second.bank != first.bank
        if is_half and not second.named.read & first.named.written and between.let(second.named):
            joined = _joined(first, second, duals)
            if joined is not None:
                return index, joined
        between.add(second.named)
    return None


def _joined(first: _Candidate, second: _Candidate, duals: dict[tuple[str, str], Row]) -> Instr | None:
    """The dual instruction of two instructions, either as its first component; None if no row takes them."""
    for other, half in product(second.halves, first.halves):
        for x, y in ((half, other), (other, half)):
            row = duals.get((x.operation, y.operation))
            if row is None:
                continue
            operands = (*x.operands, *y.operands)
            if bank_clash(row, operands) is not None:  # most pairs fail here
                continue
            # LLVM 22's assembler refuses the same VGPR in both components, which gfx1201 itself takes
            if takes(row, operands, known_class) and not reads_one_twice(row, operands):
                return _with_origin(row, operands, first.instr, second.instr)
    return None


def _with_origin(row: Row, operands: tuple[Operand, ...], first: Instr, second: Instr) -> Instr:
    return Instr(row, operands, (), first.origin or second.origin, False, first.comment or second.comment)
