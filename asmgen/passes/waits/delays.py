"""Delays: `s_delay_alu` before an ALU instruction that reads a result still in computation (gfx11 and later).

Such a reader stalls. The delay is a hint: the wave does not try to issue in vain, and other waves go first.
An instruction has room for two delays: for the next instruction, and for the same or one of the following
five.

The model is that of LLVM's amdgpu-insert-delay-alu, found by asking it: an instruction takes a cycle to
issue, and a result is ready after its latency, or for the vector ALU after four further vector instructions,
for the transcendental unit after three.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache, partial

from msgspec import Struct

from asmgen.passes.forward import insert_needed
from isa.clauses import clause_kind, clause_length
from isa.fields import field_values, pack_fields
from isa.instruction import (
    Encoding,
    Event,
    Immediate,
    Instr,
    Kind,
    ModifierValue,
    Operand,
    Row,
    Trait,
    Unit,
)
from isa.named_tuple import NamedTuple
from isa.program import Block, Kernel
from isa.registers import FIRST_AGPR, FIRST_VGPR, Register

VALUS_TOLD = 4  # s_delay_alu can name any of the last four vector instructions,
TRANSES_TOLD = 3  # and any of the last three transcendental instructions,
CYCLES_TOLD = 3  # and up to three cycles of the scalar ALU
_DEAD = 1 << 20
_LONGEST = 40  # cycles until any result is ready
_MEMORY = frozenset({Unit.VMEM, Unit.FLAT, Unit.SCRATCH, Unit.LDS})
_VECTOR = frozenset({Unit.VALU, Unit.MATRIX})
_SCALAR = frozenset({Unit.SALU, Unit.CONTROL, Unit.BRANCH})
_FLOATS = frozenset({"f16", "f32", "f16x2"})
_LONG_INTEGERS = frozenset({"i64", "u64", "b64"})
_REMEMBERED = 1 << 12  # delays that are kept: programs repeat few
_HIGH_HALF = 1 << 16  # added to a VGPR's number: the halves of a register are separate entries


class Delay(NamedTuple):
    """The results for which a reader waits: the distance in instructions to the vector and the transcendental
    instruction that it depends on, and the cycles until the result is ready. `trans_valus` counts vector
    instructions since the transcendental instruction. Absent parts have the distance `_DEAD` and 0 cycles."""

    valus: int = _DEAD
    valu_cycles: int = 0
    transes: int = _DEAD
    trans_valus: int = _DEAD
    trans_cycles: int = 0
    scalar_cycles: int = 0


NO_DELAY = Delay()


@lru_cache(_REMEMBERED)
def _both(delay: Delay, other: Delay) -> Delay:
    """The nearest instructions and the longest times of two delays."""
    return Delay(
        min(delay.valus, other.valus), max(delay.valu_cycles, other.valu_cycles),
        min(delay.transes, other.transes),
        min(delay.trans_valus, other.trans_valus), max(delay.trans_cycles, other.trans_cycles),
        max(delay.scalar_cycles, other.scalar_cycles),
    )  # fmt: skip


@lru_cache(_REMEMBERED)
def _after(delay: Delay, valus: int, transes: int, cycles: int) -> Delay:
    """A delay after so many instructions and cycles, without the parts that are over."""
    valu, trans, scalar = (
        delay.valu_cycles - cycles,
        delay.trans_cycles - cycles,
        delay.scalar_cycles - cycles,
    )
    if valu <= 0 and trans <= 0 and scalar <= 0:
        return NO_DELAY
    is_valu = valu > 0 and delay.valus + valus <= VALUS_TOLD
    is_trans = trans > 0 and delay.transes + transes <= TRANSES_TOLD
    return Delay(
        delay.valus + valus if is_valu else _DEAD, valu if is_valu else 0,
        delay.transes + transes if is_trans else _DEAD, delay.trans_valus + valus if is_trans else _DEAD,
        trans if is_trans else 0, max(scalar, 0),
    )  # fmt: skip


_MASKS = frozenset({"mask", "mask32"})
_MASK_BESIDE = Delay(valus=0, valu_cycles=2)  # a carry next to a sum is there sooner


class _Entry(Struct, frozen=True):
    """A result, and the number of instructions issued when it was written."""

    delay: Delay
    valus: int
    transes: int
    cycles: int


class DelayState:
    """Pending results by register, or by half of a register, and the number of instructions issued since the
    start of the block."""

    __slots__ = ("cycles", "last_scalar", "pending", "transes", "valus")

    def __init__(self) -> None:
        self.pending: dict[int, _Entry] = {}
        self.last_scalar = -1  # the SGPR that a vector or transcendental instruction of the block wrote last
        self.valus = self.transes = self.cycles = 0

    def copy(self) -> DelayState:
        other = DelayState()
        other.pending = dict(self.pending)
        other.valus, other.transes, other.cycles = self.valus, self.transes, self.cycles
        return other

    def merge(self, other: DelayState) -> bool:
        """Join the state at the end of another path into this state at the entry of a block."""
        changed = False
        for key, entry in other.pending.items():
            delay = other._now(entry)
            if delay == NO_DELAY:
                continue
            mine = self.pending.get(key)
            joined = delay if mine is None else _both(self._now(mine), delay)
            if mine is None or joined != self._now(mine):
                self.pending[key] = _Entry(joined, self.valus, self.transes, self.cycles)
                changed = True
        return changed

    def meet(self, instr: Instr) -> Delay:
        """Let `instr` issue. Returns the delay that must precede it."""
        row = instr.row
        facts = _facts(row)
        if facts.waits_for_vector or (facts.waits_for_alu and _waits_for_vector(row, instr.operands)):
            self.pending.clear()
        elif facts.waits_for_scalars:
            self._scalars_done()
        told = NO_DELAY
        if facts.result is not None:
            named = _named(row, instr.operands, instr.modifiers)
            told = self._read(named.read) if self.pending else NO_DELAY
            self._write(named.written)
            if named.scalar >= 0:
                self.last_scalar = named.scalar
        self.valus += facts.is_vector
        self.transes += facts.is_trans
        self.cycles += _cycles(instr) if facts.is_nop else 1
        return told

    def _now(self, entry: _Entry) -> Delay:
        cycles = self.cycles - entry.cycles
        if cycles >= _LONGEST:
            return NO_DELAY
        return _after(entry.delay, self.valus - entry.valus, self.transes - entry.transes, cycles)

    def _scalars_done(self) -> None:
        """A scalar instruction waits for every SGPR that the vector ALU writes, and so for the vector
        instructions before. As in LLVM, it covers none of them if a transcendental instruction wrote the last
        of these SGPRs."""
        entry = self.pending.get(self.last_scalar)
        if entry is None:
            return
        distance = self._now(entry).valus
        self.last_scalar = -1
        for key, other in list(self.pending.items()):
            delay = self._now(other)
            if delay.valus >= distance and delay.valu_cycles > 0:
                del self.pending[key]

    def _read(self, read: Sequence[int]) -> Delay:
        told, pending = NO_DELAY, self.pending
        for key in read:
            entry = pending.pop(key, None)
            if entry is not None:
                now = self._now(entry)
                if now is not NO_DELAY:
                    told = now if told is NO_DELAY else _both(told, now)
        return told

    def _write(self, written: Sequence[tuple[Delay, Sequence[int]]]) -> None:
        for delay, keys in written:
            entry = _Entry(delay, self.valus, self.transes, self.cycles)
            for key in keys:
                self.pending[key] = entry


class _Facts(NamedTuple):
    """The facts about a row that matter for delays. `result` is the delay of an immediate reader of its
    results; None if it is not an ALU instruction. Operands that the text does not spell are left out, as
    in LLVM, VCC of the short encodings included."""

    waits_for_vector: bool  # issues once the vector ALU is done
    waits_for_alu: bool
    waits_for_scalars: bool
    is_vector: bool
    is_trans: bool
    is_nop: bool
    reads: tuple[tuple[int, int], ...]  # each with the operand that it is a half of
    writes: tuple[int, ...]
    result: Delay | None


@cache
def _facts(row: Row) -> _Facts:
    kept = {use for use, _ in row.ties if Trait.LANE_WRITE in row.traits}
    stands_at = dict(row.ties)
    return _Facts(
        waits_for_vector=row.unit in _MEMORY or Event.EXPORT in row.events or _is_answered(row),
        waits_for_alu=Trait.WAIT_ALU in row.traits,
        waits_for_scalars=_waits_for_scalars(row),
        is_vector=row.unit in _VECTOR,
        is_trans=row.unit is Unit.TRANS,
        is_nop=Trait.NOP in row.traits,
        reads=tuple(
            (i, stands_at.get(i, i)) for i in row.uses if row.operands[i].fixed is None and i not in kept
        ),
        writes=tuple(i for i in row.defines if row.operands[i].fixed is None),
        result=_result(row),
    )


def _waits_for_scalars(row: Row) -> bool:
    """Whether this instruction issues only after the vector ALU has written all SGPRs: it works with scalars,
    and is not a wait or a hint."""
    if row.unit not in _SCALAR:
        return row.unit is Unit.SMEM
    registers = Kind.SGPR | Kind.NULL | Kind.M0
    has_state = bool(
        row.events or row.reads or row.writes or any(spec.kinds & registers for spec in row.operands)
    )
    return row.unit is Unit.BRANCH or has_state


def _is_answered(row: Row) -> bool:
    """Whether this sends a message and brings the answer; it waits for the vector ALU first."""
    return (
        Event.MESSAGE in row.events
        and bool(row.defines)
        and any(row.operands[i].kinds & Kind.FIELDS for i in row.uses)
    )


def _result(row: Row) -> Delay | None:
    types = {spec.type for spec in row.operands}
    if row.unit is Unit.TRANS:
        is_scalar = all(row.operands[i].kinds & Kind.SGPR for i in row.defines)
        return Delay(
            transes=0, trans_valus=0, trans_cycles=_LONGEST if "f64" in types else 7 if is_scalar else 10
        )
    if row.unit in _VECTOR:
        return Delay(valus=0, valu_cycles=_vector_latency(row, types))
    if row.unit in _SCALAR:
        return Delay(scalar_cycles=4 if types & _FLOATS or (row.events and not _is_answered(row)) else 2)
    return None


def _vector_latency(row: Row, types: set[str]) -> int:
    if row.unit is Unit.MATRIX:
        return 5
    if "f64" in types:
        return 38
    if Trait.QUARTER in row.traits:
        return 8
    exchanges = len(row.defines) == 2 and row.encoding is not Encoding.DUAL and types.isdisjoint(_MASKS)
    return 6 if types & _LONG_INTEGERS or exchanges else 5


class _Named(NamedTuple):
    """The registers, or halves of registers, that an instruction reads, those that it writes, each with the
    delay of an immediate reader, and the last SGPR that it writes as a vector or transcendental instruction,
    or -1."""

    read: tuple[int, ...]
    written: tuple[tuple[Delay, tuple[int, ...]], ...]
    scalar: int


@lru_cache(_REMEMBERED)
def _named(
    row: Row, operands: tuple[Operand, ...], modifiers: tuple[tuple[str, ModifierValue], ...]
) -> _Named:
    instr, facts = Instr(row, operands, modifiers), _facts(row)
    read: list[int] = []
    for index, place in facts.reads:
        operand = operands[index]
        if isinstance(operand, Register):
            read += _keys(instr, place, operand)
    written: list[tuple[Delay, tuple[int, ...]]] = []
    scalar = -1
    for number, index in enumerate(facts.writes):
        delay = _MASK_BESIDE if number and row.operands[index].type in _MASKS else facts.result
        operand = operands[index]
        if isinstance(operand, Register) and delay is not None:
            written.append((delay, tuple(_keys(instr, index, operand))))
            if (facts.is_vector or facts.is_trans) and operand.first < FIRST_VGPR:
                scalar = operand.first
    return _Named(tuple(read), tuple(written), scalar)


def _keys(instr: Instr, index: int, register: Register) -> range | tuple[int, ...]:
    """The registers of an operand; VGPRs in halves if the target's text has halves."""
    if not FIRST_VGPR <= register.first < FIRST_AGPR:
        return register.units
    if not _spells_half(instr.row, index):
        return _both_halves(register)
    halves = instr.modifier("half")
    high = isinstance(halves, int) and halves >> index & 1
    return (register.first + _HIGH_HALF if high else register.first,)


@cache
def _spells_half(row: Row, index: int) -> bool:
    return row.operands[index].half and any(spec.name == "half" and spec.spelt for spec in row.modifiers)


@cache
def _both_halves(register: Register) -> tuple[int, ...]:
    return (*register.units, *(unit + _HIGH_HALF for unit in register.units))


@lru_cache(_REMEMBERED)
def _waits_for_vector(row: Row, operands: tuple[Operand, ...]) -> bool:
    """Whether a wait for the ALUs names results of the vector ALU, and wants all of them."""
    fields = (
        (spec, value) for spec, value in zip(row.operands, operands, strict=True) if spec.kinds & Kind.FIELDS
    )
    return any(
        field_values(spec, value.bits).get("va_vdst") == 0
        for spec, value in fields
        if isinstance(value, Immediate)
    )


def _cycles(instr: Instr) -> int:
    """How long a NOP takes to issue, which it says itself."""
    count = instr.operands[0]
    return count.bits + 1 if isinstance(count, Immediate) else 1


# RDNA3 ISA, S_DELAY_ALU: the meaning of an INSTID
_VALU_DEP = 0
_TRANS_DEP = 4
_SALU_CYCLE = 8
_LONGEST_SKIP = 5


def insert_delays(kernel: Kernel) -> Kernel:
    """A kernel with delays for the dependences of its ALU instructions, over all linear paths; the kernel
    itself if the target has no delays.

    Runs last, since every instruction counts as time. Existing delays are replaced.
    """
    if not kernel.table.target.has_delay_alu:
        return kernel
    delay = kernel.table.row("s_delay_alu")
    return insert_needed(_without_delays(kernel), DelayState(), _meet, partial(_put, delay))


def _without_delays(kernel: Kernel) -> Kernel:
    return kernel.with_blocks([_kept(block) for block in kernel.blocks])


def _kept(block: Block) -> Block:
    return block.with_instructions(
        [instr for instr in block.instructions if Trait.DELAY not in instr.row.traits]
    )


def _meet(state: DelayState, instr: Instr) -> tuple[int, ...] | None:
    told = state.meet(instr)
    if told is NO_DELAY:
        return None
    return _identifiers(told) or None


def _identifiers(told: Delay) -> tuple[int, ...]:
    """At most two dependences: transcendental, then vector unless the former is the more recent, then
    scalar."""
    identifiers: list[int] = []
    if told.transes <= TRANSES_TOLD:
        identifiers.append(_TRANS_DEP + told.transes)
    if told.valus <= VALUS_TOLD and told.valus <= told.trans_valus:
        identifiers.append(_VALU_DEP + told.valus)
    if told.scalar_cycles and len(identifiers) < 2:
        identifiers.append(_SALU_CYCLE + min(told.scalar_cycles, CYCLES_TOLD))
    return tuple(identifiers)


def _put(row: Row, result: list[Instr], identifiers: tuple[int, ...], consumer: Instr) -> None:
    if _is_in_clause(result):
        return
    if len(identifiers) == 1 and _joined(row, result, identifiers[0]):
        return
    result.append(Instr(row, _operands(row, identifiers), origin=consumer.origin))


@cache
def _operands(row: Row, identifiers: tuple[int, ...]) -> tuple[Immediate]:
    fields: dict[str, int] = dict(zip(("instid0", "instid1"), identifiers, strict=False))
    return (Immediate(pack_fields(row.operands[0], fields)),)


def _is_in_clause(before: list[Instr]) -> bool:
    """Whether a clause is open after some instructions: nothing may be put into it."""
    for distance, instr in enumerate(reversed(before)):
        if Trait.CLAUSE in instr.row.traits:
            return distance < clause_length(instr)
        if clause_kind(instr) is None and Trait.NOP not in instr.row.traits:
            return False
    return False


def _joined(row: Row, result: list[Instr], identifier: int) -> bool:
    """Put a second dependence into the previous delay, if it has room and is near enough."""
    for skip, index in enumerate(range(len(result) - 1, max(-1, len(result) - 2 - _LONGEST_SKIP), -1)):
        before = result[index]
        if before.row is row:
            operand = before.operands[0]
            assert isinstance(operand, Immediate), "the delays here are all of this pass"
            operands = _operands_of_both(row, operand.bits, skip, identifier)
            if operands is not None:
                result[index] = before.as_row(row, operands)
            return operands is not None
    return False


@cache
def _operands_of_both(row: Row, before: int, skip: int, identifier: int) -> tuple[Immediate] | None:
    """The operand of a delay with a second dependence; None if it has two already."""
    fields = field_values(row.operands[0], before)
    if fields["instid1"]:
        return None
    fields |= {"instskip": skip, "instid1": identifier}
    return (Immediate(pack_fields(row.operands[0], fields)),)
