"""The instructions that decide a kernel's addresses, its active lanes and the way of its waves.

A recording has no numbers that a kernel computes, so the others need not run: of a product of matrices, the
multiplications. The live registers are found backwards from addresses, EXEC and branches. The data of a store
count only if a value that decides is loaded from that memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from isa.emulator.program.code import Code, Operation, ends_block
from isa.emulator.recording.full_lanes import full_lanes
from isa.emulator.steps.memory.data import DATA
from isa.instruction import Instr, Label, Role, Row, Trait, Unit
from isa.lane_masks import LaneMasks, lane_masks, writes_exec
from isa.named_tuple import NamedTuple
from isa.registers import FIRST_VGPR, M0, UNTRACKED, Register
from isa.semantics import resolve
from isa.semantics.control import Control, IndexMode, RelativeMove

_ALUS = frozenset({Unit.VALU, Unit.TRANS, Unit.MATRIX, Unit.SALU})
_GLOBAL, _LDS, _SCRATCH = 1, 2, 4
_SPACES = {
    Unit.LDS: _LDS, Unit.SCRATCH: _SCRATCH, Unit.VMEM: _GLOBAL, Unit.FLAT: _GLOBAL | _LDS | _SCRATCH,
    Unit.SMEM: 0,
}  # fmt: skip
"""The memory that the accesses of a unit reach. Scalar loads read what no wave of the launch writes."""


class _Live(NamedTuple):
    """The live registers in bits: registers with live values in lanes that are on, and in lanes that are
    off."""

    on: int
    off: int


class _Half(NamedTuple):
    """The registers that a half of a dual instruction reads and writes, in bits."""

    reads: int
    writes: int


class _Facts(NamedTuple):
    """An instruction as sets of registers, in bits.

    * `reads`: besides the data of a store; `data`: that. `is_wide`: whether it reads lanes that are off.
    * `halves`: the halves of a dual instruction: the reads of a half count only if it decides; else ()
    * `writes`: of lanes that are on; `writes_all`: of all lanes, and scalar registers
    * `kills`: of `writes`, the registers that keep nothing of their old values
    * `space`: the memory that it accesses; `loads`: whether its result comes from there
    * `copies`: whether it copies from there to LDS
    * `runs`: whether it runs in any case
    * `masks`: whether it turns lanes on or off; `is_full`: whether all are on before
    """

    reads: int
    data: int
    is_wide: bool
    writes: int
    writes_all: int
    kills: int
    space: int
    loads: bool
    copies: bool
    runs: bool
    masks: bool
    is_full: bool
    halves: tuple[_Half, ...] = ()


class _Idle(NamedTuple):
    """The number of an operation of which the results decide nothing, and whether it runs in any case."""

    number: int
    runs: bool


class _Block(NamedTuple):
    first: int
    facts: Sequence[_Facts]
    successors: Sequence[int]


def undecided(code: Code, lanes: int) -> frozenset[int]:
    """The operations that decide nothing, with waves of `lanes` lanes; none of a code that calls functions or
    names registers by a number in a register."""
    return frozenset([number for number, runs in _idle(code, lanes) if not runs])


def unread(code: Code, lanes: int) -> frozenset[int]:
    """The operations of which the results decide nothing: besides `undecided`, loads among others, which run
    in any case, since their addresses matter."""
    return frozenset([number for number, _ in _idle(code, lanes)])


def _idle(code: Code, lanes: int) -> list[_Idle]:
    if any(_is_unknown(operation, code) for operation in code.operations):
        return []
    blocks = _blocks(code, lane_masks(lanes))
    read = 0  # memory of which the contents decide
    while True:
        more, idle = _live(blocks, read)
        if more == read:
            return idle
        read = more


def _is_unknown(operation: Operation, code: Code) -> bool:
    """Whether the registers or the target of an operation are unknown."""
    if not isinstance(operation, Instr):
        return True
    traits = operation.row.traits
    if not _BRANCHES.isdisjoint(traits) and _target(operation, code) is None:
        return True
    return _names_by_number(operation.row)


@cache
def _names_by_number(row: Row) -> bool:
    """Whether the registers of a row, or of those after it, may depend on a number in a register."""
    try:
        meaning = resolve(row.semantics)
    except KeyError:
        return True
    return isinstance(meaning, IndexMode | RelativeMove) or meaning in _INDEXING


_BRANCHES = frozenset({Trait.BRANCH, Trait.CONDITIONAL_BRANCH, Trait.CALL})
_INDEXING = (Control.SET_INDEX, Control.SET_INDEX_CHOICE)


def _target(branch: Instr, code: Code) -> int | None:
    """The target of a branch; None if a register has it."""
    target = branch.operands[-1] if branch.operands else None
    return code.labels.get(target.name) if isinstance(target, Label) else None


def _live(blocks: Sequence[_Block], read: int) -> tuple[int, list[_Idle]]:
    """The memory that decides, if that of `read` does, and the idle operations."""
    before = [_Live(0, 0)] * len(blocks)
    changed = True
    while changed:
        changed = False
        for number in reversed(range(len(blocks))):
            live, more, _ = _through(blocks[number], before, read)
            read |= more
            if live != before[number]:
                before[number], changed = live, True
    idle: list[_Idle] = []
    for block in blocks:
        idle += _through(block, before, read)[2]
    return read, idle


def _through(block: _Block, before: Sequence[_Live], read: int) -> tuple[_Live, int, list[_Idle]]:
    """The live registers at the start of a block, the memory that it reads to decide, and its idle
    operations."""
    on = off = 0
    for successor in block.successors:
        live = before[successor]
        on, off = on | live.on, off | live.off
    idle: list[_Idle] = []
    index = block.first + len(block.facts)
    for facts in reversed(block.facts):
        index -= 1
        decides = bool(facts.writes & on or facts.writes_all & (on | off))
        if not decides:
            idle.append(_Idle(index, facts.runs))
            if not facts.runs:
                continue
        if facts.masks:
            on = off = on | off
        reads = facts.reads
        if facts.halves:
            reads = _union(half.reads for half in facts.halves if half.writes & on)
        if decides or facts.space & read:
            reads |= facts.data
        on = on & ~facts.kills & ~facts.writes_all | reads
        off &= ~facts.writes_all
        if facts.is_wide:
            off |= reads
        if facts.is_full:
            off = 0
        if (decides and facts.loads) or (facts.copies and read & _LDS):
            read |= facts.space
    return _Live(on, off), read, idle


def _blocks(code: Code, masks: LaneMasks) -> list[_Block]:
    operations, count = code.operations, len(code.operations)
    entries = {0, code.entry, code.entry if code.preload_entry is None else code.preload_entry}
    targets = {index for index in code.labels.values() if index < count}
    after = {index + 1 for index, operation in enumerate(operations) if ends_block(operation)}
    starts = sorted((entries | targets | after) - {count})
    numbers = {start: number for number, start in enumerate(starts)}
    ends = [*starts[1:], count]
    parts = [
        [instr for instr in operations[start:end] if isinstance(instr, Instr)]
        for start, end in zip(starts, ends, strict=True)
    ]
    successors = [[numbers[at] for at in _successors(code, end - 1) if at in numbers] for end in ends]
    full = full_lanes(parts, successors, [numbers[entry] for entry in sorted(entries)], masks)
    # no other access reaches the dwords of scratch
    reaching = [instr for part in parts for instr in part if _SPACES.get(instr.row.unit, 0) & _SCRATCH]
    has_slots = all(instr.row.unit is Unit.SCRATCH and _slots(instr) for instr in reaching)
    return [
        _Block(start, [_facts(*each, has_slots) for each in zip(part, lanes, strict=True)], following)
        for start, part, lanes, following in zip(starts, parts, full, successors, strict=True)
    ]


def _successors(code: Code, index: int) -> list[int]:
    instr = code.operations[index]
    assert isinstance(instr, Instr)
    traits = instr.row.traits
    if Trait.END in traits:
        return []
    target = None if traits.isdisjoint(_BRANCHES) else _target(instr, code)
    taken = [] if target is None else [target]
    goes_on = Trait.CONDITIONAL_BRANCH in traits or Trait.BRANCH not in traits or instr.row.defines
    return [index + 1, *taken] if goes_on else taken


def _facts(instr: Instr, is_full: bool, has_slots: bool) -> _Facts:
    """The facts of an instruction, before which all lanes are on or not. With `has_slots` the dwords of
    scratch are as good as registers."""
    row, units = instr.row, instr.units
    if has_slots and row.unit is Unit.SCRATCH:
        return _of_slots(instr, is_full)
    is_access = bool(row.events) and row.unit in _SPACES
    data = _bits(_stored(instr)) if is_access else 0
    is_wide = row.unit is Unit.MATRIX or Trait.CROSS_LANE in row.traits
    partly = Trait.CROSS_LANE in row.traits or Trait.HALF_WRITE in row.traits
    partly |= any(row.operands[i].half for i in row.defines)
    written = _bits(units.written)
    scalars = written & (1 << FIRST_VGPR) - 1
    everywhere = written if row.unit is Unit.MATRIX else 0 if partly else scalars
    return _Facts(
        reads=_bits(units.read) & ~data,
        data=data,
        is_wide=is_wide,
        writes=written,
        writes_all=everywhere,
        kills=0 if partly else written,
        space=_SPACES[row.unit] if is_access else 0,
        loads=is_access and not row.traits.isdisjoint(_LOADS),
        copies=Trait.LDS_DMA in row.traits,
        runs=row.unit not in _ALUS
        or Trait.SIDE_EFFECT in row.traits
        or not written
        or not _ALWAYS.isdisjoint(units.written),
        masks=writes_exec(instr),
        is_full=is_full,
        halves=tuple([_half(half) for half in instr.parts()]) if row.components else (),
    )


def _half(instr: Instr) -> _Half:
    return _Half(_bits(instr.units.read), _bits(instr.units.written))


def _of_slots(instr: Instr, is_full: bool) -> _Facts:
    """The facts of an access of scratch at a constant offset."""
    stored, slots, loaded = _bits(_stored(instr)), _bits(_slots(instr)), _bits(instr.units.written)
    writes = loaded or slots
    return _Facts(
        reads=_bits(instr.units.read) & ~stored, data=stored or slots, is_wide=False, writes=writes,
        writes_all=0, kills=writes, space=0, loads=False,
        copies=False, runs=True, masks=False, is_full=is_full,
    )  # fmt: skip


def _slots(instr: Instr) -> range:
    """The dwords that an access of scratch loads or stores, numbered after the registers; none if a register
    has the address, or if it is less than a dword."""
    row = instr.row
    offset = instr.modifier("offset") if any(spec.name == "offset" for spec in row.modifiers) else 0
    moved = {*_stored(instr), *instr.units.written}
    own = [each for each in instr.operands if isinstance(each, Register) and not moved.issuperset(each.units)]
    is_plain = len(row.traits & _MOVES) == 1 and Trait.HALF_WRITE not in row.traits and not own
    if not is_plain or not isinstance(offset, int) or offset < 0 or (offset | row.memory_bytes) % _DWORD:
        return range(0)
    first = _FIRST_SLOT + offset // _DWORD
    return range(first, first + row.memory_bytes // _DWORD)


_DWORD = 4
_FIRST_SLOT = 2048
_MOVES = frozenset({Trait.LOAD, Trait.STORE, Trait.ATOMIC, Trait.LDS_DMA})


def _stored(instr: Instr) -> list[int]:
    """The registers with the values that an access stores."""
    return [
        unit
        for spec, operand in zip(instr.row.operands, instr.operands, strict=True)
        if spec.role is Role.USE and spec.name in DATA and isinstance(operand, Register)
        for unit in operand.units
    ]


_LOADS = frozenset({Trait.LOAD, Trait.ATOMIC})
_ALWAYS = UNTRACKED | {M0.first}  # registers that more instructions may read than name them


def _union(sets: Iterable[int]) -> int:
    union = 0
    for each in sets:
        union |= each
    return union


def _bits(units: Iterable[int]) -> int:
    bits = 0
    for unit in units:
        bits |= 1 << unit
    return bits
