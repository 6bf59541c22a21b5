"""Assembly text to instructions. The rows of a mnemonic are tried in the assembler's order; the first legal
row is taken."""

from __future__ import annotations

import re

from isa.constants import constant_width
from isa.diagnostics import InputError, Place
from isa.instruction import Instr, Kind, ModifierValue, Operand, OperandSpec, Row
from isa.operand_check import Fault, known_class, wanted
from isa.registers import FIRST_VGPR, FLAT_SCRATCH, VCC, XNACK_MASK, Register
from isa.table import Table
from isa.text.failure import Failure, Mismatch
from isa.text.modifiers import read_modifiers
from isa.text.operands import Atom, read_atom, read_constant
from isa.text.plan import SOURCE_MODIFIERS, Spelling, plan_of
from isa.text.unknown import unknown_instruction
from isa.verify import operands_fault

_HALF = re.compile(r"\.[lh]\b")
_MNEMONIC = re.compile(r"\s*([a-z]\w*)(?![^\s])\s*", re.ASCII)
# text with blanks and commas between its tokens: no quotes, bars or parentheses, no blank in brackets
_PLAIN = re.compile(r'(?:[^&\[\](){}|"]++|\[[^\]\s,]*+\])*+')
_TOKEN = re.compile(r'\s*([,&]|(?:[^\s,&\[\](){}|"]+|\[[^\]]*\]|\((?:[^()]|\([^()]*\))*\)|\|[^|]*\|)+)')


def parse_instr(text: str, table: Table, place: Place | str) -> Instr:
    """An instruction from text without label and comment. Raises InputError ASM001-ASM004, ISA001-ISA008."""
    if "%" in text:
        raise InputError(place, "ASM002", f"{text.strip()!r} names a virtual register, wanted assembly")
    return parse_machine_instr(text, table, place)


def parse_machine_instr(text: str, table: Table, place: Place | str) -> Instr:
    """As `parse_instr`, and virtual registers may be there as `register_name` spells them: `%1024`,
    `%[1024:1027]`."""
    if "::" in text:
        return _parse_dual(text, table, place)
    head = _MNEMONIC.match(text)
    rows = table.named(head.group(1)) if head else ()
    if head and _HALF.search(text) and table.halves is not None:
        rows += table.halves.named(head.group(1))
    if not head or not rows:
        raise unknown_instruction((text.split() or [text])[0], table, place)
    before = plan_of(rows[0]).fields
    tokens = _tokens(text, head.end(), place) if before < 0 else _field_tokens(text[head.end() :], before)
    furthest: Failure | None = None
    for row in rows:
        result = _parse_row(row, tokens, table.target.sgprs)
        if isinstance(result, Instr):
            return result
        if furthest is None or result.progress > furthest.progress:
            furthest = result
    assert furthest is not None
    raise InputError(place, furthest.fault.code, f"{head.group(1)}: {furthest.fault.message}")


def _parse_dual(text: str, table: Table, place: Place | str) -> Instr:
    """A dual instruction, `first :: second`."""
    texts = text.split("::")
    heads = [_MNEMONIC.match(part) for part in texts]
    name = " :: ".join(
        head.group(1) if head else part.strip() for head, part in zip(heads, texts, strict=True)
    )
    row = next(iter(table.named(name)), None)
    if row is None:
        raise unknown_instruction(name, table, place)
    operands: list[Operand] = []
    for component, head, part in zip(row.components, heads, texts, strict=True):
        assert head is not None
        result = _parse_row(component, _tokens(part, head.end(), place), table.target.sgprs)
        if isinstance(result, Failure):
            raise InputError(place, result.fault.code, f"{component.mnemonic}: {result.fault.message}")
        operands += result.operands
    fault = operands_fault(row, tuple(operands), known_class)
    if fault is not None:
        raise InputError(place, fault.code, f"{name}: {fault.message}")
    return Instr(row, tuple(operands))


def _tokens(text: str, start: int, place: Place | str) -> list[str]:
    """Operands, modifiers and the commas between; white space inside brackets is dropped."""
    if _PLAIN.fullmatch(text, start):
        return text[start:].replace(",", " , ").split()
    tokens: list[str] = []
    position, end = start, len(text.rstrip())
    for match in _TOKEN.finditer(text, start, end):
        if match.start() != position:
            break
        position, token = match.end(), match[1]
        tokens.append(token if token.isalnum() else "".join(token.split()))
    if position < end:
        raise InputError(
            place, "ASM002", f"{text[position:end]!r} cannot be read, wanted operands and modifiers"
        )
    return tokens


def _field_tokens(text: str, before: int) -> list[str]:
    """The operands before an operand of fields, which takes the rest: blanks, commas and bars included."""
    parts = ["".join(part.split()) for part in text.split(",", before)]
    return [token for part in parts for token in (",", part)][1:] if any(parts) else []


def _parse_row(row: Row, tokens: list[str], sgprs: int) -> Instr | Failure:
    """The instruction of a row that the tokens give."""
    plan = plan_of(row)
    spelt = _operand_tokens(tokens, len(plan.visible))
    if isinstance(spelt, Fault):
        return Failure(Mismatch.OTHER_FORM, spelt)
    operands: list[Operand | None] = [None] * len(row.operands)
    given: dict[str, ModifierValue] = {}
    for step, (index, token) in enumerate(zip(plan.visible, spelt, strict=True)):
        operand = _read_operand(row.operands[index], plan, index, token, given, sgprs)
        if isinstance(operand, Fault):
            return Failure(Mismatch.UNREADABLE + step, operand)
        operands[index] = operand
    for use, define in row.ties:
        if row.operands[use].hidden:
            operands[use] = operands[define]
    failure = read_modifiers(row, plan, tokens[max(0, 2 * len(spelt) - 1) :], given)
    if failure is not None:
        return failure
    complete = tuple(operand for operand in operands if operand is not None)
    fault = operands_fault(row, complete, known_class)
    if fault is not None:
        return Failure(Mismatch.NOT_LEGAL, fault)
    kept = (
        [
            (spec.name, given[spec.name])
            for spec in row.modifiers
            if given.get(spec.name, spec.default) != spec.default
        ]
        if given
        else []
    )
    return Instr(row, complete, tuple(kept))


def _operand_tokens(tokens: list[str], count: int) -> list[str] | Fault:
    """The operands among the tokens: every second token, with commas between."""
    spelt = tokens[: 2 * count : 2]
    commas = tokens[1 : 2 * count - 1 : 2] if count else []
    if len(spelt) < count or commas.count(",") != len(commas) or "," in spelt:
        return Fault("ASM003", f"too few operands, wanted {count}")
    if count and tokens[2 * count - 1 : 2 * count] == [","]:
        return Fault("ASM003", f"too many operands, wanted {count}")
    return spelt


def _read_operand(
    spec: OperandSpec, plan: Spelling, index: int, token: str, given: dict[str, ModifierValue], sgprs: int
) -> Operand | Fault:
    """An operand; its source modifiers go into `given`."""
    atom = read_atom(token)
    if atom is None:
        return Fault("ASM002", f"operand {token!r} cannot be read, wanted {wanted(spec)}")
    operand = atom.register or read_constant(spec, atom.text)
    if operand is None or (atom.register is not None and not _is_there(atom.register, sgprs)):
        return Fault("ISA004", f"{spec.name} is {token}, wanted {wanted(spec)}{_bits(spec)}")
    if atom.half is not None and not _note_half(spec, plan, index, atom, given):
        by_op_sel = (
            ", its half chosen by op_sel"
            if plan.half is not None and not plan.half.spelt and spec.half
            else ""
        )
        return Fault("ISA004", f"{spec.name} is {token}, wanted {wanted(spec)} without .l and .h{by_op_sel}")
    if not atom.modifiers:
        return operand
    for bit, name in enumerate(SOURCE_MODIFIERS):
        if atom.modifiers >> bit & 1:
            modifier = plan.source_specs.get(name)
            if modifier is None or not modifier.maximum & plan.source_bit[index]:
                return Fault("ASM004", f"{spec.name} is {token}, wanted it without {name}")
            before = given.get(name, 0)
            given[name] = (before if isinstance(before, int) else 0) | plan.source_bit[index]
    return operand


def _is_there(register: Register, sgprs: int) -> bool:
    """Whether a target with so many SGPRs has a register. SGPRs of RDNA have the numbers of FLAT_SCRATCH and
    XNACK_MASK."""
    if FLAT_SCRATCH.first <= register.first < XNACK_MASK.first + XNACK_MASK.count:
        return sgprs < VCC.first
    return not sgprs < register.first + register.count <= VCC.first


def _note_half(
    spec: OperandSpec, plan: Spelling, index: int, atom: Atom, given: dict[str, ModifierValue]
) -> bool:
    """Put the half that a suffix chooses into `given`; False if the operand takes no suffix."""
    takes_suffix = plan.half is not None and plan.half.spelt and spec.half
    if not takes_suffix or atom.register is None or atom.half is None or atom.register.first < FIRST_VGPR:
        return False
    for name, bit in (("half", atom.half), ("suffixed", 1)):
        before = given.get(name, 0)
        given[name] = (before if isinstance(before, int) else 0) | bit << index
    return True


def _bits(spec: OperandSpec) -> str:
    return (
        f" of {constant_width(spec.type)} bits"
        if spec.kinds & (Kind.SIMM | Kind.INLINE | Kind.LITERAL)
        else ""
    )
