"""Splats: a packed instruction reads the same register for both of its lanes, in place of two copies of it.

    v_mov_b32 v12, v0;  v_mov_b32 v13, v0;  v_pk_mul_f32 v[2:3], v[2:3], v[12:13]
    v_pk_mul_f32 v[2:3], v[2:3], v[0:1] op_sel_hi:[1,0]

The operand becomes the aligned pair, of VGPRs or SGPRs, that includes the register. The instruction does not
use the other half of the pair, but must not wait for it: this block computed or read it before, it was set
at the start of the wave, or a load fills it that is older or right after the load of the register.

Runs on physical registers. Copies without readers are removed.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import cache

from asmgen.passes.ssa import is_copy
from isa.instruction import Instr, Operand, Row, Trait
from isa.lane_masks import writes_exec
from isa.program import Block, Kernel
from isa.registers import FIRST_AGPR, FIRST_VGPR, VCC, Register, Units
from regalloc.dataflow import solve

_FILLS_LATER = frozenset({Trait.LOAD, Trait.ATOMIC})
PAIRS = frozenset({"f32x2"})  # operands of which `op_sel` and `op_sel_hi` choose a word for each lane


def read_splats(kernel: Kernel) -> Kernel:
    """An equivalent kernel with fewer copies."""
    if not any(_has_halves(instr.row) for instr in kernel.instructions()):
        return kernel
    given = frozenset(unit for _, register in kernel.abi.entry for unit in register.units)
    changed = [
        _with_splats_read(block, frozenset[int]() if number else given)
        for number, block in enumerate(kernel.blocks)
    ]
    if all(new is old for new, old in zip(changed, kernel.blocks, strict=True)):
        return kernel
    both = zip(changed, _read_later(changed), strict=True)
    return kernel.with_blocks([_without_idle_copies(block, later) for block, later in both])


@cache
def _has_halves(row: Row) -> bool:
    return any(spec.name == "op_sel_hi" for spec in row.modifiers) and any(
        row.operands[index].type in PAIRS for index in row.uses
    )


def _with_splats_read(block: Block, given: frozenset[int]) -> Block:
    """The block with packed instructions that read the same register for both lanes, or the block itself.
    `given` are the units that are ready before it."""
    copies, changed = _Copies(given), False
    for instr in block.instructions:
        may_read = bool(copies.of) and _has_halves(instr.row) and copies.are_read(instr)
        better = _with_splats(instr, copies) if may_read else instr
        changed |= better is not instr
        copies.note(better)
    return block.with_instructions(copies.code) if changed else block


def _copies_registers(instr: Instr) -> bool:
    """Whether an instruction copies VGPRs to VGPRs or an SGPR to an SGPR."""
    if not is_copy(instr):
        return False
    target, source = instr.operands
    return (
        isinstance(target, Register) and isinstance(source, Register)
        and ((FIRST_VGPR <= target.first < FIRST_AGPR and FIRST_VGPR <= source.first < FIRST_AGPR)
             or (_is_scalar(target) and _is_scalar(source)))
    )  # fmt: skip


def _is_scalar(register: Register) -> bool:
    """Whether a register is of the SGPRs that are numbered."""
    return register.first + register.count <= VCC.first


def _read_later(blocks: Sequence[Block]) -> list[int]:
    """The units that blocks which a wave may reach from each block read as they were before them, as a bit
    set."""
    numbers = {block.label: number for number, block in enumerate(blocks)}
    after = [[numbers[edge.target] for edge in block.linear if edge.target in numbers] for block in blocks]
    before: list[list[int]] = [[] for _ in blocks]
    for number, targets in enumerate(after):
        for target in targets:
            before[target].append(number)
    order = range(len(blocks) - 1, -1, -1)
    later, _ = solve(order, after, before, [_exposed(block) for block in blocks], [0] * len(blocks))
    return later


def _exposed(block: Block) -> int:
    """The units that a block may read as they were before it, as a bit set. A write of some lanes leaves the
    others."""
    read, written = 0, 0
    for instr in block.code:
        units = instr.units
        read |= _bits(units.read) & ~written
        written |= _bits(units.written)
        if writes_exec(instr):
            written = 0
    return read


def _bits(units: Units) -> int:
    bits = 0
    for unit in units:
        bits |= 1 << unit
    return bits


class _Copies:
    """The registers after some instructions of a block: the source of each copy, and the registers that are
    ready."""

    def __init__(self, given: frozenset[int]) -> None:
        self.of: dict[int, int] = {}
        self.code: list[Instr] = []
        self._given = given
        self._sources: set[int] = set()  # the values of `of`

    def note(self, instr: Instr) -> None:
        self.code.append(instr)
        if self.of:
            self._forget(instr)
        if _copies_registers(instr):
            target, source = instr.operands
            assert isinstance(target, Register) and isinstance(source, Register)
            for mine, theirs in zip(target.units, source.units, strict=True):
                if theirs != mine:
                    self.of[mine] = theirs
                    self._sources.add(theirs)

    def _forget(self, instr: Instr) -> None:
        """A written register is not a copy any more, and has no copies any more."""
        if writes_exec(instr):
            self.of.clear()
        for unit in instr.units.written:
            if unit in self._sources:
                self.of = {mine: theirs for mine, theirs in self.of.items() if theirs != unit}
                self._sources.remove(unit)
            _ = self.of.pop(unit, None)

    def are_read(self, instr: Instr) -> bool:
        """Whether an instruction reads a copy."""
        return not self.of.keys().isdisjoint(instr.units.read)

    def has(self, unit: int, beside: int) -> bool:
        """Whether a unit is ready when `beside` is, a unit that is read anyway: the last instruction to write
        it was no load, a load that issued before that of `beside`, or one of the loads right after it.
        """
        is_later = False
        for instr in reversed(self.code):
            is_load = not instr.row.traits.isdisjoint(_FILLS_LATER)
            if is_load and beside in instr.units.written:
                return True
            if is_later and not is_load:
                return False
            if unit in instr.units.written:
                if not is_load:
                    return True
                is_later = True
            elif unit in instr.units.read and not is_later:
                return True
        return not is_later and unit in self._given


def _with_splats(instr: Instr, copies: _Copies) -> Instr:
    """The instruction with each pair of copies of a register replaced."""
    low, high = _halves(instr, "op_sel", 0), _halves(instr, "op_sel_hi", 1)
    operands = list(instr.operands)
    for position, index in enumerate(instr.row.uses):
        splat = _splat(operands[index], low[position], high[position], copies)
        if splat is not None and instr.row.operands[index].type in PAIRS:
            operands[index], half = splat
            low[position] = high[position] = half
    if (low, high) == (_halves(instr, "op_sel", 0), _halves(instr, "op_sel_hi", 1)):
        return instr
    chosen = dict(instr.modifiers) | {"op_sel": tuple(low), "op_sel_hi": tuple(high)}
    modifiers = tuple(
        [
            (spec.name, chosen[spec.name])
            for spec in instr.row.modifiers
            if spec.name in chosen and chosen[spec.name] != spec.default
        ]
    )
    return instr.as_row(instr.row, tuple(operands), modifiers)


def _halves(instr: Instr, name: str, otherwise: int) -> list[int]:
    given = instr.modifier(name)
    count = len(instr.row.uses)
    return list(given) if isinstance(given, tuple) and given else [otherwise] * count


def _splat(operand: Operand, low: int, high: int, copies: _Copies) -> tuple[Register, int] | None:
    """The aligned pair that includes the source of both halves, and the half that it is."""
    if not isinstance(operand, Register) or operand.count != len((low, high)):
        return None
    units = operand.first + low, operand.first + high
    sources = {copies.of.get(unit, unit) for unit in units}
    if len(sources) > 1 or copies.of.keys().isdisjoint(units):
        return None
    (source,) = sources
    half = source % 2
    other = source + 1 - 2 * half
    return (Register(source - half, 2), half) if copies.has(other, source) else None


def _used(instr: Instr) -> Set[int]:
    """The units that an instruction reads, without halves of pairs that it does not choose."""
    if not _has_halves(instr.row):
        return frozenset(instr.units.read)
    low, high = _halves(instr, "op_sel", 0), _halves(instr, "op_sel_hi", 1)
    pairs, used = set[int](), set[int]()
    for position, index in enumerate(instr.row.uses):
        operand = instr.operands[index]
        if not isinstance(operand, Register):
            continue
        if instr.row.operands[index].type in PAIRS and operand.count == len((low, high)):
            pairs.update(operand.units)
            used |= {operand.first + low[position], operand.first + high[position]}
        else:
            used.update(operand.units)
    return used.union(unit for unit in instr.units.read if unit not in pairs)


def _without_idle_copies(block: Block, after: int) -> Block:
    """The block without copies between registers that have no readers; `after` are the units that blocks
    after it read, as a bit set. A later write ends the life of a
    value, unless EXEC changes in between: then other lanes may read the old value."""
    going = {
        position: written
        for position, instr in enumerate(block.instructions)
        if is_copy(instr) and _may_go(instr, written := instr.units.written)
    }
    if not going:
        return block
    asked = set[int]().union(*going.values())
    later, read, kept = {unit for unit in asked if after >> unit & 1}, set[int](), list[Instr]()
    first = min(going)
    for position in range(len(block.instructions) - 1, first - 1, -1):
        instr = block.instructions[position]
        written = going.get(position)
        if written is not None and read.isdisjoint(written) and later.isdisjoint(written):
            continue
        kept.append(instr)
        if writes_exec(instr):
            later |= read
            read.clear()
        read.difference_update(instr.units.written)
        read.update(asked.intersection(_used(instr)))
    return block.with_instructions(block.instructions[:first] + kept[::-1])


def _may_go(copy: Instr, written: Units) -> bool:
    """Whether a copy may be removed if its result is not read: a copy to VGPRs, of a register or a constant,
    or from SGPRs to SGPRs."""
    return min(written) >= FIRST_VGPR or _copies_registers(copy)
