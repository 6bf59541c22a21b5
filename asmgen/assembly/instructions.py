"""An instruction by its name: the row that takes the operands, and the registers of its results.

    k.v_add_u32(a, b)            the row's sources in the order of the ISA manual; returns the result
    k.v_fmac_f32(a, b, c)        a source that shares its register with the result comes last
    k.v_mov_b32(a, row_shr=1, bound_ctrl=True)      modifiers by their names
    k.v_add_u32(a, b, into=r)    writes a variable

The name is the instruction's own on the target, or that of CDNA3 if the target has the instruction.
The rows of a name are tried in the assembler's order; the first that takes the operands is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from asmgen.assembly.recorder import Recorder
from asmgen.assembly.values import Modified, Registers, Target, registers, require_own
from isa.constants import FLOAT_TYPES, float_bits, immediate_bits
from isa.footprint import Footprint
from isa.instruction import (
    OFF,
    Encoding,
    Immediate,
    Instr,
    Kind,
    Label,
    ModifierValue,
    Off,
    Operand,
    OperandSpec,
    Row,
    Trait,
)
from isa.named_tuple import NamedTuple
from isa.operand_check import Fault, wanted
from isa.registers import EXEC, Register, RegisterClass, register_name
from isa.replay import replay_fault
from isa.table import Table
from isa.text.failure import Failure
from isa.text.modifiers import read_modifiers
from isa.text.plan import SOURCE_MODIFIERS, plan_of
from isa.text.unknown import unknown_instruction
from isa.verify import find_fault, reaches_every_register


class Loose(NamedTuple):
    """A number, or a register that the builder computed: it may be copied to another file for an operand.
    `number` is the number that was copied to a register."""

    value: Registers[Any] | int | float
    number: int | float | None = None


Given = Registers[Any] | Modified | Loose | Immediate | Off | Target
"""An operand when the row is chosen: index expressions are registers or numbers by then."""
ModifierGiven = bool | int | str | Sequence[int]
_EXCHANGES = frozenset({Encoding.SDWA, Encoding.DPP, Encoding.E64_DPP})
_BRANCHES = frozenset({Trait.BRANCH, Trait.CONDITIONAL_BRANCH, Trait.END, Trait.CALL})


@cache
def rows_of(table: Table, name: str) -> tuple[Row, ...]:
    """The rows that a name may mean; empty if the target has none."""
    rows = table.named(name) or table.doing(name)
    return tuple(row for row in rows if row.encoding is not Encoding.DUAL and reaches_every_register(row))


@cache
def sources_of(row: Row) -> tuple[int, ...]:
    """The indexes of the operands that a caller gives: those that are spelt, then those that share the
    register of a result."""
    spelt = [i for i in row.uses if not row.operands[i].hidden and row.operands[i].kinds is not Kind.OFF]
    return (*spelt, *(i for i in row.uses if row.operands[i].hidden))


class Call(NamedTuple):
    """A call of an instruction's method."""

    name: str
    operands: tuple[Given, ...]
    modifiers: dict[str, ModifierGiven]
    into: tuple[Registers[Any], ...] | None = None
    touches: tuple[Footprint, ...] = ()


_LEGAL_OPERANDS = 100  # how far a row got that takes each operand by itself


class _Misfit(NamedTuple):
    """Why a row does not take a call, and how far it got."""

    progress: int
    fault: Fault


def write(recorder: Recorder, call: Call) -> tuple[Registers[Any], ...]:
    """Append the instruction; its results. `InputError` ASM001 for a name that the target lacks, ISA001 to
    ISA008, ASM003 and ASM004 for operands and modifiers that no row takes, at the caller's line."""
    table = recorder.table
    rows = rows_of(table, call.name)
    if not rows:
        raise unknown_instruction(call.name, table, recorder.place())
    refuse(recorder, call, rows[0])
    furthest = _Misfit(-1, Fault("ASM004", "no form of it has no modifiers, wanted some"))
    for candidate in _candidates(recorder, call):
        for row in rows:
            if not call.modifiers and not is_plain(row, call.name):
                continue
            made = _instr(recorder, row, candidate)
            if isinstance(made, Instr):
                recorder.append(made)
                return _results(recorder, made, call)
            if candidate is call and made.progress > furthest.progress:
                furthest = made
    raise recorder.fault(furthest.fault.code, f"{call.name}: {furthest.fault.message}", notes=forms_of(rows))


def is_plain(row: Row, name: str) -> bool:
    """Whether a name alone means a row: a row that exchanges lanes or parts needs a modifier, or its own
    spelling."""
    return row.encoding not in _EXCHANGES or name == row.mnemonic


def refuse(recorder: Recorder, call: Call, row: Row) -> None:
    """Raise `InputError` for an instruction that the builder puts itself, such as a branch."""
    recorder.require_open()
    if not row.traits.isdisjoint(_BRANCHES):
        raise recorder.fault("HND013", f"got {call.name}, wanted a branch of the builder", _OF_BRANCHES)
    if EXEC in row.writes or any(value.register.overlaps(EXEC) for value in call.into or ()):
        raise recorder.fault(
            "HND014", f"{call.name} writes EXEC, wanted lanes chosen by a condition", _OF_EXEC
        )
    for value in call.operands:
        inner = (
            value.registers
            if isinstance(value, Modified)
            else value.value
            if isinstance(value, Loose)
            else value
        )
        if isinstance(inner, Registers):
            require_own(recorder, inner)


_OF_BRANCHES = "k.s_branch(label), k.loop, k.uniform_if, k.end"
_OF_EXEC = "with k.where(mask): ..."


def _candidates(recorder: Recorder, call: Call) -> Iterator[Call]:
    """The call, then calls with numbers and computed registers copied: one of them, then all. A copy that no
    row takes is dead code, which `passes.combine` removes."""
    yield call
    loose = [i for i, operand in enumerate(call.operands) if isinstance(operand, Loose)]
    for places in [*((i,) for i in loose), tuple(loose)] if len(loose) > 1 else [tuple(loose)][: len(loose)]:
        for make in (_in_sgpr, _in_vgpr):
            operands = list(call.operands)
            for i in places:
                operand = operands[i]
                assert isinstance(operand, Loose)
                operands[i] = make(recorder, operand)
            yield call._replace(operands=tuple(operands))


def _in_sgpr(recorder: Recorder, loose: Loose) -> Given:
    """A number in an SGPR; a register as it is."""
    if isinstance(loose.value, Registers):
        return loose
    moved = recorder.scalar_constant(pattern(loose.value))
    return Loose(registers(recorder, moved, RegisterClass.SGPR), loose.value)


def _in_vgpr(recorder: Recorder, loose: Loose) -> Given:
    """A number or a register in a VGPR."""
    if isinstance(loose.value, Registers):
        return registers(recorder, recorder.to_vgpr(loose.value.register), RegisterClass.VGPR)
    moved = recorder.vector_constant(pattern(loose.value))
    return Loose(registers(recorder, moved, RegisterClass.VGPR), loose.value)


def pattern(number: int | float) -> int:
    """The bits of a number in a register: of an integer, or of an f32."""
    bits = immediate_bits(number, "b32") if isinstance(number, int) else float_bits(number, "f32")
    return 0 if bits is None else bits


def forms_of(rows: Sequence[Row]) -> tuple[str, ...]:
    """The operands of each form of an instruction, for messages."""
    forms = dict.fromkeys(
        f"{row.mnemonic}({', '.join(row.operands[i].name for i in sources_of(row))})" for row in rows
    )
    return tuple(f"takes {form}" for form in forms)


def _instr(recorder: Recorder, row: Row, call: Call) -> Instr | _Misfit:
    """The instruction of a row, or why the row does not take the call."""
    places = sources_of(row)
    if len(call.operands) != len(places):
        names = ", ".join(row.operands[i].name for i in places) or "none"
        message = f"got {len(call.operands)} operands, wanted {len(places)}: {names}"
        return _Misfit(0, Fault("ASM003", message))
    operands: list[Operand] = [OFF] * len(row.operands)
    signs: dict[str, int] = dict.fromkeys(SOURCE_MODIFIERS, 0)
    plan = plan_of(row)
    for step, (place, given) in enumerate(zip(places, call.operands, strict=True)):
        spec = row.operands[place]
        operand = _operand(spec, given)
        if isinstance(operand, Fault):
            return _Misfit(2 + step, operand)
        operands[place] = operand
        if isinstance(given, Modified):
            for name in given.names:
                signs[name] |= plan.source_bit[place]
    modifiers = _modifiers(row, call, signs)
    if isinstance(modifiers, Fault):
        return _Misfit(_LEGAL_OPERANDS, modifiers)
    fault = _define(recorder, row, call, operands)
    if fault is None:
        made = Instr(row, tuple(operands), modifiers, recorder.origin, touches=call.touches)
        fault = find_fault(made, recorder.kernel.register_class) or replay_fault(made, recorder.kernel.target)
        if fault is None:
            return made
    return _Misfit(_LEGAL_OPERANDS + 1, fault)


def _operand(spec: OperandSpec, given: Given) -> Operand | Fault:
    """An operand; numbers become bits of its type."""
    if isinstance(given, Modified):
        return given.registers.register
    value = given.value if isinstance(given, Loose) else given
    if isinstance(value, Registers):
        number = given.number if isinstance(given, Loose) else None
        fault = None if number is None or _bits(spec, number) is not None else _not_of_type(spec, number)
        return fault or value.register
    if isinstance(value, Off | Immediate):
        return value
    if isinstance(value, Target):
        return Label(value.name)
    if not spec.kinds & (Kind.SIMM | Kind.INLINE | Kind.LITERAL | Kind.FIELDS):
        return Fault("ISA001", f"{spec.name} is {value}, wanted {wanted(spec)}")
    bits = _bits(spec, value)
    return _not_of_type(spec, value) if bits is None else Immediate(bits)


def _bits(spec: OperandSpec, number: int | float) -> int | None:
    """The bits of a number in an operand; None if its type has none."""
    if isinstance(number, int):
        return immediate_bits(number, spec.type)
    return float_bits(number, spec.type) if spec.type in FLOAT_TYPES | {"b32"} else None


def _not_of_type(spec: OperandSpec, number: int | float) -> Fault:
    return Fault("ISA004", f"{spec.name} is {number}, wanted a number of type {spec.type}")


def _modifiers(row: Row, call: Call, signs: dict[str, int]) -> tuple[tuple[str, ModifierValue], ...] | Fault:
    given: dict[str, ModifierValue] = {}
    plan = plan_of(row)
    for name, mask in signs.items():
        spec = plan.source_specs.get(name)
        if mask and (spec is None or mask & ~spec.maximum):
            return Fault("ASM004", f"an operand has the modifier {name}, wanted it without")
        if mask:
            given[name] = mask
    counters = {spec.name for spec in row.modifiers if spec.syntax == "counter"}
    tokens = [
        _token(name, value, name in counters) for name, value in call.modifiers.items() if value is not False
    ]
    failure: Failure | None = read_modifiers(row, plan, tokens, given)
    if failure is not None:
        return failure.fault
    return tuple(
        (spec.name, given[spec.name])
        for spec in row.modifiers
        if given.get(spec.name, spec.default) != spec.default
    )


def _token(name: str, value: ModifierGiven, is_counter: bool) -> str:
    """A modifier as assembly spells it."""
    if value is True:
        return name
    if is_counter:
        return f"{name}({value})"
    if isinstance(value, int | str):
        return f"{name}:{value}"
    return f"{name}:[{','.join(map(str, value))}]"


def _define(recorder: Recorder, row: Row, call: Call, operands: list[Operand]) -> Fault | None:
    """Fill in the results: fresh registers, or those of `into`."""
    into = call.into
    if into is not None and len(into) != len(row.defines):
        return Fault("ASM003", f"into has {len(into)} results, wanted {len(row.defines)}")
    for number, place in enumerate(row.defines):
        spec = row.operands[place]
        if into is not None:
            operands[place] = into[number].register
        elif spec.fixed is not None:
            return Fault("ISA001", f"{spec.name} is a new register, wanted {register_name(spec.fixed)}")
        else:
            operands[place] = _fresh(recorder, row, place, operands)
    return None


def _fresh(recorder: Recorder, row: Row, place: int, operands: list[Operand]) -> Register:
    """New registers for a result, in the file of the operand that it shares a register with."""
    spec = row.operands[place]
    if not spec.kinds & (Kind.VGPR | Kind.AGPR):
        return recorder.sgpr(spec.count)
    partners = [
        operands[i] for i, other in enumerate(row.operands) if spec.name in (other.tied, other.same_file)
    ]
    if Kind.AGPR in spec.kinds and any(
        isinstance(one, Register) and recorder.kernel.register_class(one) is RegisterClass.AGPR
        for one in partners
    ):
        align = min(spec.count, recorder.target.vgpr_alignment)
        return recorder.kernel.new_register(RegisterClass.AGPR, spec.count, align)
    return recorder.vgpr(spec.count)


def _results(recorder: Recorder, made: Instr, call: Call) -> tuple[Registers[Any], ...]:
    if call.into is not None:
        return call.into
    results: list[Registers[Any]] = []
    for place in made.row.defines:
        register = made.operands[place]
        assert isinstance(register, Register)
        results.append(registers(recorder, register, recorder.kernel.register_class(register)))
    return tuple(results)
