"""Checks whether an instruction is legal, by its row alone.

It checks each operand by itself (`isa.operand_check`), then the relations between operands (a single literal,
the constant bus, ties, files, banks), then modifiers. Of virtual registers it checks the class and the width;
alignment and ties are the allocator's work.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from math import lcm

from isa.constants import constant_width, inline_spelling, literal_bits
from isa.diagnostics import InputError, Place
from isa.dpp import format_control
from isa.instruction import (
    Immediate,
    Instr,
    ModifierSpec,
    ModifierValue,
    Operand,
    Row,
)
from isa.operand_check import (
    COUNTED,
    INLINE,
    LITERAL,
    ClassOf,
    Fault,
    known_class,
    operand_checks,
    operand_fault,
    register_kind,
)
from isa.registers import (
    FIRST_AGPR,
    FIRST_VGPR,
    FIRST_VIRTUAL,
    M0,
    VCC,
    VCC_LO,
    Register,
    RegisterClass,
    register_name,
)

_MOST_ANSWERS = 4096  # of a row that are kept


@cache
def _relates_operands(row: Row) -> bool:
    """Whether any operand is bound to another by a tie, a file or an early clobber."""
    return any(spec.early_clobber or spec.same_file or spec.tied for spec in row.operands)


@cache
def reaches_every_register(row: Row) -> bool:
    """Whether each operand may be any register of its class; else the row suits physical registers alone."""
    return not any(spec.reach for spec in row.operands)


def file_fault(row: Row, operands: tuple[Operand, ...], class_of: ClassOf) -> Fault | None:
    """Operands that share a file lie both in VGPRs or both in AGPRs."""
    by_name = {spec.name: operand for spec, operand in zip(row.operands, operands, strict=True)}
    for spec in row.operands:
        if not spec.same_file:
            continue
        first, second = by_name[spec.same_file], by_name[spec.name]
        if not isinstance(first, Register) or not isinstance(second, Register):
            continue
        classes = class_of(first), class_of(second)
        if None not in classes and RegisterClass.AV not in classes and classes[0] is not classes[1]:
            shown = f"{register_name(second)}, {spec.same_file} is {register_name(first)}"
            return Fault("ISA001", f"{spec.name} is {shown}, wanted both VGPRs or both AGPRs")
    return None


def shared_fault(row: Row, operands: tuple[Operand, ...], class_of: ClassOf) -> Fault | None:
    """The fault in limits that operands share: a single literal, and the scalar values that a vector
    instruction may read."""
    literals: set[int] = set()
    widths: set[int] = set()
    scalars: set[Register] = set()
    for check, operand in zip(operand_checks(row), operands, strict=True):
        if isinstance(operand, Immediate):
            if check.kinds & LITERAL and not (
                check.kinds & INLINE and inline_spelling(operand.bits, check.spec.type) is not None
            ):
                literals.add(literal_bits(operand.bits, check.spec.type) or 0)
                widths.add(constant_width(check.spec.type) // 64)
        elif (
            row.constant_bus_limit
            and check.is_use
            and isinstance(operand, Register)
            and not (operand == M0 and check.spec.name == "lane_select")
        ):
            register_class = class_of(operand)
            if register_class is not None and register_kind(operand, register_class) & COUNTED:
                scalars.add(operand)
    if len(literals) > 1:
        return Fault(
            "ISA005",
            f"{len(literals)} different literals ({', '.join(map(hex, sorted(literals)))}), wanted at most "
            "one literal",
        )
    if not row.constant_bus_limit:
        return None
    scalars.update(VCC for register in row.reads if register in (VCC, VCC_LO))
    # a literal that is read at two widths counts twice
    if len(scalars) + len(widths) > row.constant_bus_limit:
        names = [register_name(register) for register in sorted(scalars)] + [hex(bits) for bits in literals]
        return Fault(
            "ISA005",
            f"{len(scalars) + len(widths)} scalar values are read ({', '.join(names)}), wanted "
            f"{row.constant_bus_limit} at most",
        )
    return None


def tie_fault(row: Row, operands: tuple[Operand, ...]) -> Fault | None:
    """A tied source is its destination's register, and no source partly overlaps an early-clobbered
    destination."""
    for use, define in row.ties:
        source, result = operands[use], operands[define]
        if not isinstance(source, Register) or not isinstance(result, Register):
            return Fault(
                "ISA006",
                f"{row.operands[use].name} is not a register, wanted that of {row.operands[define].name}",
            )
        if not source.is_virtual and not result.is_virtual and source != result:
            shown = f"{register_name(source)} and {register_name(result)}"
            return Fault(
                "ISA006",
                f"{row.operands[use].name} and {row.operands[define].name} are {shown}, wanted the same "
                "register",
            )
    for define in row.defines:
        result = operands[define]
        if not row.operands[define].early_clobber or not isinstance(result, Register):
            continue
        for use in row.uses:
            source = operands[use]
            if isinstance(source, Register) and source != result and source.overlaps(result):
                shown = f"{register_name(source)} overlaps {register_name(result)}"
                return Fault(
                    "ISA006",
                    f"{row.operands[use].name} {shown}, wanted the same register, or no overlap",
                )
    return None


def modifier_fault(spec: ModifierSpec, value: ModifierValue) -> Fault | None:
    """The first fault in the value of a modifier."""
    if isinstance(spec.default, tuple) != isinstance(value, tuple):
        return Fault(
            "ISA007",
            f"{spec.name} is {value}, wanted {'a list' if isinstance(spec.default, tuple) else 'a number'}",
        )
    if isinstance(value, tuple):
        if len(value) != len(spec.default) if isinstance(spec.default, tuple) else True:
            return Fault(
                "ISA007", f"{spec.name} has {len(value)} elements, wanted as many as {spec.default} has"
            )
        values = value
    else:
        values = (value,)
    for element in values:
        if not spec.minimum <= element <= spec.maximum:
            return Fault("ISA007", f"{spec.name} is {value}, wanted {spec.minimum} to {spec.maximum}")
        if spec.syntax in ("source", "half") and element & ~spec.maximum:
            return Fault("ISA007", f"{spec.name} is {element:#b}, wanted only operands of {spec.maximum:#b}")
        if spec.syntax == "dpp" and format_control(element, spec.words) is None:
            return Fault("ISA007", f"{spec.name} is {element:#x}, wanted a lane control")
    return None


@cache
def _bound_modifiers(row: Row) -> tuple[tuple[ModifierSpec, int, ModifierSpec, tuple[int, ...]], ...]:
    """Modifiers that restrict another modifier: the modifier, its value, the other modifier, and the values
    allowed for the other."""
    specs = {spec.name: spec for spec in row.modifiers}
    return tuple(
        (spec, value, specs[other], allowed)
        for spec in row.modifiers
        for value, other, allowed in spec.constraints
    )


def combination_fault(row: Row, given: Mapping[str, ModifierValue]) -> Fault | None:
    """The fault of the first modifier that conflicts with another modifier's value."""
    for spec, value, other, allowed in _bound_modifiers(row):
        number = given.get(other.name, other.default)
        if given.get(spec.name, spec.default) == value and number not in allowed:
            words = " or ".join(other.words[index] for index in allowed)
            return Fault(
                "ISA007", f"{spec.name} is {spec.words[value]}, wanted {other.name} to be {words} next to it"
            )
    return None


def bank_fault(row: Row, operands: tuple[Operand, ...]) -> Fault | None:
    """Operands that are read or written at once lie in different banks of VGPRs."""
    clash = bank_clash(row, operands)
    if clash is None:
        return None
    (first, left), (second, right), bits = clash
    shown = (
        f"{row.operands[first].name} and {row.operands[second].name} are {register_name(left)} and "
        f"{register_name(right)}"
    )
    return Fault("ISA003", f"{shown}, wanted registers with different numbers modulo {bits + 1}")


def bank_clash(
    row: Row, operands: tuple[Operand, ...]
) -> tuple[tuple[int, Register], tuple[int, Register], int] | None:
    """Two operands by number, with their VGPRs, that are in the same bank and must not be, and the bits of
    their numbers that name the bank."""
    for first, second, bits in row.banks:
        left, right = operands[first], operands[second]
        if not isinstance(left, Register) or not isinstance(right, Register):
            continue
        if (left.first ^ right.first) & bits or not FIRST_VGPR <= left.first < FIRST_VIRTUAL:
            continue
        if not FIRST_VGPR <= right.first < FIRST_VIRTUAL:
            continue
        if row.reads_one_twice and left == right and first not in row.defines:
            continue
        return (first, left), (second, right), bits
    return None


def reads_one_twice(row: Row, operands: tuple[Operand, ...]) -> bool:
    """Whether two sources that must otherwise lie in different banks are the same VGPR."""
    pairs = (
        (operands[first], operands[second]) for first, second, _ in row.banks if first not in row.defines
    )
    return any(
        first == second and isinstance(first, Register) and first.first >= FIRST_VGPR
        for first, second in pairs
    )


@cache
def _spells_halves(row: Row) -> bool:
    """Whether a suffix alone says which half of a register an operand is."""
    return any(spec.name == "half" and not spec.tail for spec in row.modifiers)


def half_fault(instr: Instr, class_of: ClassOf) -> Fault | None:
    """The fault of a half that is chosen by a suffix alone and is not of a VGPR."""
    chosen = dict(instr.modifiers).get("half", 0) if _spells_halves(instr.row) else 0
    if not isinstance(chosen, int) or not chosen:
        return None
    for index, operand in enumerate(instr.operands):
        is_vector = isinstance(operand, Register) and class_of(operand) in (None, RegisterClass.VGPR)
        if chosen >> index & 1 and not is_vector:
            name = instr.row.operands[index].name
            return Fault("ISA007", f"half has bit {index}, which wants a VGPR, and {name} is none")
    return None


def operands_fault(row: Row, operands: tuple[Operand, ...], class_of: ClassOf) -> Fault | None:
    """The first thing wrong with operands for a row."""
    return None if takes(row, operands, class_of) else _operands_fault(row, operands, class_of)


def takes(row: Row, operands: tuple[Operand, ...], class_of: ClassOf) -> bool:
    """Whether operands are legal for a row.

    Answers are cached by the shape of the operands. Overlaps matter only for rows with an early clobber, and
    are checked each time.
    """
    known = _answers(row)
    if known is None:
        return _operands_fault(row, operands, class_of) is None
    answers, period = known
    shape = shape_of(operands, class_of, period)
    answer = answers.get(shape)
    if answer is None:
        if len(answers) >= _MOST_ANSWERS:
            answers.clear()
        answer = answers[shape] = _operands_fault(row, operands, class_of) is None
    return answer


def shape_of(operands: tuple[Operand, ...], class_of: ClassOf, period: int = 0) -> tuple[object, ...]:
    """Operands with the properties that a row can ask of each register in its place: of a virtual register
    the class, of a vector register the file and the number modulo `period`, of both the width, and the first
    operand that is the same register. Scalar registers stay, and vector registers if `period` is 0."""
    shape: list[object] = []
    for operand in operands:
        if isinstance(operand, Register):
            first, count = operand
            if first >= FIRST_VIRTUAL:
                shape.append((class_of(operand), count, operands.index(operand)))
                continue
            if first >= FIRST_VGPR and period:
                shape.append((first >= FIRST_AGPR, first % period, count, operands.index(operand)))
                continue
        shape.append(operand)
    return tuple(shape)


@cache
def _answers(row: Row) -> tuple[dict[tuple[object, ...], bool], int] | None:
    """Whether operands of a shape are legal for a row, as far as it was asked, with the period of the shapes;
    None of a row with an early clobber. Reaches and fixed vector registers depend on the whole number, and
    banks on its last bits."""
    if any(spec.early_clobber for spec in row.operands):
        return None
    is_numbered = any(
        spec.reach or (spec.fixed is not None and spec.fixed.first >= FIRST_VGPR) for spec in row.operands
    )
    periods = [spec.align for spec in row.operands] + [bits + 1 for _, _, bits in row.banks]
    return {}, 0 if is_numbered else lcm(*periods)


def _operands_fault(row: Row, operands: tuple[Operand, ...], class_of: ClassOf) -> Fault | None:
    checks = operand_checks(row)
    if len(checks) != len(operands):
        return Fault(
            "ISA008",
            f"{len(operands)} operands, wanted {len(checks)}: "
            f"{', '.join(check.spec.name for check in checks)}",
        )
    for check, operand in zip(checks, operands, strict=True):
        fault = operand_fault(check, operand, class_of)
        if fault is not None:
            return fault
    return relation_fault(row, operands, class_of)


def relation_fault(row: Row, operands: tuple[Operand, ...], class_of: ClassOf) -> Fault | None:
    """The first fault of operands that are legal each by itself."""
    if row.banks:
        fault = bank_fault(row, operands)
        if fault is not None:
            return fault
    if _relates_operands(row):
        fault = tie_fault(row, operands) or file_fault(row, operands, class_of)
        if fault is not None:
            return fault
    return shared_fault(row, operands, class_of)


def find_fault(instr: Instr, class_of: ClassOf = known_class) -> Fault | None:
    """The first thing wrong with an instruction, or None."""
    if instr.row.modifiers or instr.modifiers:
        fault = _modifiers_fault(instr.row, instr.modifiers) or half_fault(instr, class_of)
        if fault is not None:
            return fault
    return operands_fault(instr.row, instr.operands, class_of)


@lru_cache(_MOST_ANSWERS)
def _modifiers_fault(row: Row, modifiers: tuple[tuple[str, ModifierValue], ...]) -> Fault | None:
    """The first thing wrong with modifiers, whatever the operands are."""
    specs = {spec.name: spec for spec in row.modifiers}
    for name, value in modifiers:
        if name not in specs:
            return Fault("ISA007", f"no modifier {name}, wanted one of {', '.join(specs) or 'none'}")
        fault = modifier_fault(specs[name], value)
        if fault is not None:
            return fault
    return combination_fault(row, dict(modifiers))


def verify_instr(instr: Instr, register_class_of: ClassOf, place: Place | str) -> None:
    """Raise InputError ISA001-ISA008 if an instruction is not legal for its row."""
    fault = find_fault(instr, register_class_of)
    if fault is not None:
        raise InputError(place, fault.code, f"{instr.row.mnemonic}: {fault.message}")
