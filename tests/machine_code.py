"""The instructions of a kernel's assembly, and of its loops, with their rows."""

from __future__ import annotations

from collections.abc import Sequence

from isa.instruction import Instr, Label, Operand, Trait
from isa.registers import Register
from isa.table import Table, table_named
from isa.text.parsing import parse_instr


def longest_loop(assembly: str, target: str) -> list[Instr]:
    """The instructions from a label to the last branch back to it, of the loop with the most."""
    code = _code(assembly, table_named(target))
    places = {line: number for number, line in enumerate(code) if isinstance(line, str)}
    loops: dict[str, list[Instr]] = {}
    for number, line in enumerate(code):
        if isinstance(line, str) or Trait.BRANCH not in line.row.traits:
            continue
        name = next((operand.name for operand in line.operands if isinstance(operand, Label)), "")
        if places.get(name, number) < number:
            loops[name] = [each for each in code[places[name] : number] if isinstance(each, Instr)]
    return max(loops.values(), key=len)


def code_of(assembly: str, target: str) -> list[Instr]:
    """The instructions of a kernel."""
    return [line for line in _code(assembly, table_named(target)) if isinstance(line, Instr)]


def _code(assembly: str, table: Table) -> list[Instr | str]:
    """The labels and the instructions of a kernel."""
    code: list[Instr | str] = []
    for raw in assembly.splitlines():
        line = raw.partition(";")[0].partition("//")[0].rstrip()
        if line.endswith(":") and not line[0].isspace():
            code.append(line[:-1])
        elif line.startswith("\t") and not line.lstrip().startswith("."):
            instr = parse_instr(line.strip(), table, "assembly")
            code.append(instr)
            if Trait.END in instr.row.traits:
                break
    return code


def _units(operands: Sequence[Operand]) -> frozenset[int]:
    return frozenset([unit for one in operands if isinstance(one, Register) for unit in one.units])


def reads(instr: Instr) -> frozenset[int]:
    """The registers that an instruction reads by its operands."""
    return _units([instr.operands[at] for at in instr.row.uses])


def writes(instr: Instr) -> frozenset[int]:
    """The registers that an instruction writes by its operands."""
    return _units([instr.operands[at] for at in instr.row.defines])
