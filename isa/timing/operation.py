"""An instruction as the clock model sees it: its kind, how long it keeps its unit, its reads and its writes.

Everything comes from the instruction's row. The clock loop sees plain tuples of numbers, a tuple for each
instruction of the program, with the units of registers numbered densely.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from isa.fields import field_values
from isa.instruction import Immediate, Instr, Row, Trait, Unit
from isa.named_tuple import NamedTuple
from isa.registers import FIRST_VGPR, M0, NULL, SCC
from isa.target import Target
from isa.timing.machine import Machine
from isa.timing.memory import accesses_memory
from isa.timing.row_clocks import RowClocks, row_clocks
from isa.timing.vector_banks import bank_reads
from isa.waits import waited

# The kinds of operation. The loop compares numbers. The kinds of vector instruction come first:
# * PLAIN: it reads and writes vector registers, and needs no pipe; READER: it reads scalar registers too
# * MATRIX: it is a matrix instruction
# * VECTOR: any other; OFF: one of any kind without an active lane
PLAIN, READER, VECTOR, MATRIX, OFF, SCALAR, ACCESS, BRANCH, WAIT, BARRIER, IDLE, END, HINT = range(13)

# The ports of a SIMD, by which its waves share their units: a port takes an instruction a clock.
(VECTOR_PORT, SCALAR_PORT, SCALAR_MEMORY_PORT, VECTOR_MEMORY_PORT, LDS_PORT, BRANCH_PORT, OTHER_PORT) = range(
    7
)
PORTS = 7

_SCALARS = M0.first + 1  # SGPRs, VCC and M0 have lower numbers


class Operation(Struct, frozen=True):
    """An instruction as the clock loop sees it.

    * `number`: its place in the program
    * `kind`, `port`
    * `writes`: registers by their numbers among those that the program writes; `reads`: those that a vector
      instruction reads
    * `hold`: the clocks of the port
    * `ordered`: an instruction of the scalar ALU executes after the last scalar writer of these registers
    * `pipe`, `pipe_hold`: the pipe of the vector ALU that takes the instruction besides, and the clocks for
      which it takes no other
    * `execute_hold`: clocks for which execution in its ALU is busy
    * `scalar_reads`: the scalar registers that it reads; of a vector instruction, EXEC left out
    * `scalar_writes`: the scalar registers that it writes; of a vector instruction, they are not among
      `writes`
    * `sent`: the vector registers that an access reads
    * `gathered`: of a vector instruction, the registers that it reads from banks (`bank_reads`); () if that
      takes no time
    * `latency`: from execution to the first reader of the result in the same ALU. `scalar_latency`: from
      execution of a vector instruction to the issue of a scalar reader.
    * `events`: the counters that the access increments, by their places in `Target.counters`, and whether it
      completes in order
    * `waits`: the counters that the instruction waits for, and how many accesses may be left
    * `signals`: whether it arrives at a barrier
    * `idle_clocks`: of s_nop and s_sleep
    * `reads_scalar`, `writes_scalar`: whether it reads, and writes, scalar registers
    * `apart`: from the end of a matrix instruction to the issue of this instruction; 0 if it may run beside
    * `priority`: of the wave from now on; -1 to leave it
    * `clause`: accesses of the clause that it begins; 0 if it begins none
    * `done`: whether a hint waits until vector instructions, and until scalar instructions are done
    * `delays`: the delays of a hint: how many instructions after the next, the kind of the producer, and how
      many of that kind ago it was; or the clocks since the last scalar instruction
    """

    number: int
    kind: int
    port: int
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    scalar_reads: tuple[int, ...]
    scalar_writes: tuple[int, ...]
    sent: tuple[int, ...]
    gathered: tuple[tuple[int, int, int], ...]
    ordered: tuple[int, ...]
    hold: int
    pipe: int
    pipe_hold: int
    execute_hold: int
    latency: int
    scalar_latency: int
    events: tuple[tuple[int, bool], ...]
    waits: tuple[tuple[int, int], ...]
    signals: bool
    idle_clocks: int
    reads_scalar: bool
    apart: int
    priority: int
    writes_scalar: bool
    clause: int
    done: tuple[bool, bool]
    delays: tuple[tuple[int, int, int], ...]


class Gathering(Struct, frozen=True):
    """The fields of an `Operation` that decide how it reads its registers, and when its result may be
    read."""

    gathered: tuple[tuple[int, int, int], ...]
    writes: tuple[int, ...]
    hold: int
    latency: int


_NOTHING = Gathering((), (), 0, 0)


class Program(NamedTuple):
    """The operations of a program, and the number of registers that it writes. Nothing waits for others."""

    operations: tuple[Operation, ...]
    registers: int


def operations_of(instructions: Iterable[Instr], target: Target, machine: Machine) -> Program:
    """The operations of a program's instructions on a machine."""
    instructions = tuple(instructions)
    numbers = _numbers(instructions)
    rows: dict[Row, _OfRow] = {}
    operations: list[Operation] = []
    for instr in instructions:
        row = instr.row
        if row not in rows:
            rows[row] = _of_row(instr, target, machine)
        operations.append(_operation(len(operations), instr, rows[row], target, machine, numbers))
    return Program(tuple(operations), len(numbers))


def gatherings_of(instructions: Sequence[Instr], machine: Machine) -> list[Gathering]:
    """How the vector instructions of a program read their registers, a record for each instruction; without
    registers for all others. Faster than `operations_of`."""
    numbers, banks = _numbers(instructions), machine.banks.clocks
    rows: dict[Row, RowClocks] = {}
    found: list[Gathering] = []
    for instr in instructions:
        row = instr.row
        gathered = bank_reads(instr, banks, numbers) if banks and row.unit in _VECTOR_UNITS else ()
        if not gathered:
            found.append(_NOTHING)
            continue
        clocks = rows.get(row) or rows.setdefault(row, row_clocks(row, machine))
        writes = [unit for unit in instr.units.written if unit >= FIRST_VGPR]
        found.append(Gathering(gathered, _numbered(writes, numbers), clocks.hold, clocks.latency))
    return found


def _numbers(instructions: Iterable[Instr]) -> dict[int, int]:
    """The units that a program writes, numbered densely."""
    written = dict.fromkeys([unit for instr in instructions for unit in instr.units.written])
    _ = written.pop(NULL.first, None)
    return {unit: number for number, unit in enumerate(written)}


def without_lanes(operations: Sequence[Operation]) -> list[Operation]:
    """The operations as a wave without an active lane executes them."""
    return [replace(each, kind=OFF) if each.kind <= OFF else each for each in operations]


class _OfRow(NamedTuple):
    """The fields of an `Operation` that its row alone decides. `waits`: whether it waits for counters.
    `has_hints`: whether it has one of the traits of which the operands say more."""

    kind: int
    port: int
    clocks: RowClocks
    events: tuple[tuple[int, bool], ...]
    signals: bool
    apart: int
    waits: bool
    has_hints: bool


def _of_row(instr: Instr, target: Target, machine: Machine) -> _OfRow:
    row, kind = instr.row, _kind(instr)
    return _OfRow(
        kind=kind,
        port=_port(row, kind),
        clocks=row_clocks(row, machine),
        events=_events(row, target) if kind == ACCESS else (),
        signals=Trait.SIGNAL in row.traits,
        apart=machine.packed.clocks if kind == VECTOR and _is_packed(row) else 0,
        waits=Trait.WAIT in row.traits,
        has_hints=not row.traits.isdisjoint(_HINTS),
    )


def _operation(
    number: int, instr: Instr, of_row: _OfRow, target: Target, machine: Machine, numbers: Mapping[int, int]
) -> Operation:
    units, kind, clocks = instr.units, of_row.kind, of_row.clocks
    read, written = units.read, units.written
    scalars = [unit for unit in read if unit < _SCALARS]
    is_vector = kind <= OFF
    scalar_reads = scalars if is_vector else [unit for unit in read if unit < FIRST_VGPR]
    scalar_writes = [unit for unit in written if unit < FIRST_VGPR]
    writes = [unit for unit in written if unit >= FIRST_VGPR] if is_vector else written
    if kind == VECTOR and not (scalar_writes or of_row.apart or clocks.pipe_hold):
        kind = READER if scalar_reads else PLAIN
    ordered: Sequence[int] = ()
    if of_row.port == SCALAR_PORT:
        ordered = (*read, SCC.first) if SCC.first in written else read
    hints = of_row.has_hints
    return Operation(
        number=number,
        kind=kind,
        port=of_row.port,
        reads=_numbered(read, numbers) if is_vector else (),
        writes=_numbered(writes, numbers),
        scalar_reads=_numbered(scalar_reads, numbers),
        scalar_writes=_numbered(scalar_writes, numbers),
        sent=_numbered([unit for unit in read if unit >= FIRST_VGPR], numbers) if kind == ACCESS else (),
        gathered=bank_reads(instr, machine.banks.clocks, numbers)
        if is_vector and machine.banks.clocks
        else (),
        ordered=_numbered(ordered, numbers),
        hold=clocks.hold,
        pipe=clocks.pipe,
        pipe_hold=clocks.pipe_hold,
        execute_hold=clocks.execute_hold,
        latency=clocks.latency,
        scalar_latency=machine.vector_to_scalar.clocks,
        events=of_row.events,
        waits=_waits(instr, target) if of_row.waits else (),
        signals=of_row.signals,
        idle_clocks=_idle_clocks(instr, machine) if hints else 0,
        reads_scalar=bool(scalars),
        writes_scalar=bool([unit for unit in scalar_writes if unit < _SCALARS]),
        apart=of_row.apart,
        priority=_immediate(instr) & 3 if hints and Trait.PRIORITY in instr.row.traits else -1,
        clause=(_immediate(instr) & 0x3F) + 1 if hints and Trait.CLAUSE in instr.row.traits else 0,
        done=_done(instr) if hints else (False, False),
        delays=_delays(instr) if hints else (),
    )


def _numbered(units: Sequence[int], numbers: Mapping[int, int]) -> tuple[int, ...]:
    """The numbers of registers, without those that the program does not write."""
    known = [numbers[unit] for unit in units if unit in numbers]
    return tuple(dict.fromkeys(known)) if len(known) > 1 else tuple(known)


# of these, an immediate says more
_HINTS = frozenset({Trait.NOP, Trait.SLEEP, Trait.PRIORITY, Trait.WAIT_ALU, Trait.DELAY, Trait.CLAUSE})


_VECTOR_UNITS = frozenset({Unit.VALU, Unit.TRANS, Unit.MATRIX})


def _kind(instr: Instr) -> int:
    row = instr.row
    traits = row.traits
    if row.unit is Unit.VALU or row.unit is Unit.TRANS:
        return VECTOR
    if row.unit is Unit.MATRIX:
        return MATRIX
    if accesses_memory(instr):
        return ACCESS
    if Trait.END in traits:
        return END
    if row.unit is Unit.BRANCH:
        return BRANCH
    if Trait.BARRIER in traits:
        return BARRIER
    if not traits.isdisjoint(_WAITS):
        return WAIT
    if Trait.DELAY in traits or Trait.WAIT_ALU in traits:
        return HINT
    if Trait.NOP in traits or Trait.SLEEP in traits:
        return IDLE
    return SCALAR


_WAITS = frozenset({Trait.WAIT, Trait.CLAUSE})

_MEMORY_PORTS = {Unit.SMEM: SCALAR_MEMORY_PORT, Unit.LDS: LDS_PORT}


def _port(row: Row, kind: int) -> int:
    if kind <= OFF:
        return VECTOR_PORT
    if kind == ACCESS:
        return _MEMORY_PORTS.get(row.unit, VECTOR_MEMORY_PORT)
    if kind == BRANCH:
        return BRANCH_PORT
    return SCALAR_PORT if row.unit is Unit.SALU else OTHER_PORT


def _is_packed(row: Row) -> bool:
    """Whether a vector instruction works on pairs of f32."""
    return any(row.operands[i].type == "f32x2" for i in row.defines)


def _events(row: Row, target: Target) -> tuple[tuple[int, bool], ...]:
    """The counters that an access increments, and whether its events keep their order in them."""
    counters: list[tuple[int, bool]] = []
    for place, counter in enumerate(target.counters):
        counted = counter.events.intersection(row.events)
        if counted:
            counters.append((place, counted.isdisjoint(counter.out_of_order)))
    return tuple(counters)


def _waits(instr: Instr, target: Target) -> tuple[tuple[int, int], ...]:
    counts: Mapping[str, int] = waited(instr)
    return tuple(
        (place, counts[counter.name])
        for place, counter in enumerate(target.counters)
        if counts.get(counter.name, counter.maximum) < counter.maximum
    )


def _idle_clocks(instr: Instr, machine: Machine) -> int:
    traits = instr.row.traits
    if Trait.SLEEP in traits:
        return (_immediate(instr) & 0x7F) * machine.sleep.clocks
    return (_immediate(instr) & 0xF) * machine.issue.clocks if Trait.NOP in traits else 0


def _immediate(instr: Instr) -> int:
    """The first immediate of an instruction, or 0."""
    return next((operand.bits for operand in instr.operands if isinstance(operand, Immediate)), 0)


_VECTOR_FIELDS = ("va_vdst", "va_sdst", "va_ssrc", "va_vcc")


def _done(instr: Instr) -> tuple[bool, bool]:
    """Whether a wait for the ALUs waits for all vector, and for all scalar instructions."""
    if Trait.WAIT_ALU not in instr.row.traits:
        return False, False
    fields = _fields(instr)
    return any(fields[name] == 0 for name in _VECTOR_FIELDS), fields["sa_sdst"] == 0


AGO_VECTOR, AGO_TRANSCENDENTAL, SINCE_SCALAR = range(3)
# the meaning of an INSTID (RDNA3 ISA, S_DELAY_ALU); FMA_ACCUM_CYCLE_1 asks for nothing here
_INSTIDS = {
    **{n: (AGO_VECTOR, n) for n in range(1, 5)},
    **{4 + n: (AGO_TRANSCENDENTAL, n) for n in range(1, 4)},
    **{8 + n: (SINCE_SCALAR, n) for n in range(1, 4)},
}


def _delays(instr: Instr) -> tuple[tuple[int, int, int], ...]:
    """The delays of an s_delay_alu."""
    if Trait.DELAY not in instr.row.traits:
        return ()
    fields = _fields(instr)
    named = ((0, fields["instid0"]), (fields["instskip"], fields["instid1"]))
    return tuple((skip, *_INSTIDS[name]) for skip, name in named if name in _INSTIDS)


def _fields(instr: Instr) -> dict[str, int]:
    spec, operand = instr.row.operands[0], instr.operands[0]
    return field_values(spec, operand.bits) if isinstance(operand, Immediate) else {}
