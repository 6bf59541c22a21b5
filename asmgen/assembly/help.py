"""The text of `help(k.v_fma_f32)`: forms of an instruction, its operands, and the targets that have it."""

from __future__ import annotations

from asmgen.assembly.instructions import rows_of, sources_of
from isa.instruction import OperandSpec, Row
from isa.operand_check import wanted
from isa.table import Table, targets_with


def describe(name: str, table: Table) -> str:
    """The forms of an instruction on a target, in succession."""
    rows = rows_of(table, name)
    if not rows:
        return f"{table.target.name} has no instruction {name}."
    targets = targets_with(rows[0].name)
    forms = "\n".join(_form(row) for row in rows)
    return f"{name}, on {', '.join(targets)}\n\n{forms}"


def _form(row: Row) -> str:
    lines = [f"{row.mnemonic}({', '.join(row.operands[i].name for i in sources_of(row))})"]
    lines += [f"    {_operand(row.operands[i])}" for i in sources_of(row)]
    lines += [f"    returns {_operand(row.operands[i])}" for i in row.defines]
    if row.modifiers:
        lines.append(f"    modifiers: {', '.join(spec.name for spec in row.modifiers)}")
    return "\n".join(lines)


def _operand(spec: OperandSpec) -> str:
    shared = f", shares the register of {spec.tied}" if spec.tied else ""
    return f"{spec.name}: {spec.type} in {wanted(spec)}{shared}"
