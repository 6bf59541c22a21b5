"""Wrong edits of assembly: a result changed before its store, a removed lane step, a removed barrier.

The row of an instruction says which edit applies.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from isa.build import build
from isa.diagnostics import Place
from isa.instruction import Encoding, Instr, Trait, Unit
from isa.registers import Register
from isa.table import Table, table_named
from isa.text.lines import split_comment
from isa.text.parsing import parse_instr
from isa.text.printing import format_instr

KINDS = ("result zeroed", "result doubled", "DPP step taken out", "DPP step made a copy", "barrier taken out")
_DOUBLED = {"f32": "v_add_f32_e32", "f16": "v_pk_add_f16", "i32": "v_add_u32_e32"}
_SETTLED = 4  # wait states that let every result be read


class Edit(Struct, frozen=True):
    """An assembly text with one mistake; `line` counts from 1."""

    kind: str
    line: int
    text: str


def edits(assembly: str, target: str, element: str) -> Iterator[Edit]:
    """Every edit of a kernel whose results have the element type named."""
    lines = assembly.splitlines(keepends=True)
    table = table_named(target)
    for number, line in enumerate(lines):
        code = split_comment(line)[0].strip()
        if not code or code.startswith(".") or code.endswith(":") or not table.named(code.split()[0]):
            continue
        for kind, changed in _changes(parse_instr(code, table, Place("edited", number + 1)), line, table, element):
            yield Edit(kind, number + 1, "".join([*lines[:number], *changed, *lines[number + 1 :]]))


def _changes(instr: Instr, line: str, table: Table, element: str) -> Iterator[tuple[str, list[str]]]:
    """The kind of an edit of a line, and the new text of the line."""
    row = instr.row
    if Trait.STORE in row.traits and row.unit is Unit.VMEM:
        data = next(instr.operands[i] for i in row.uses if row.operands[i].name == "vdata")
        assert isinstance(data, Register), "what is stored is in registers"
        result = data.part(0)
        zeroed = build(table.row("v_mov_b32_e32"), result, 0)
        doubled = build(table.row(_DOUBLED[element]), result, result, result)
        for kind, wrong in zip(KINDS, (zeroed, doubled), strict=False):
            yield kind, [_line(build(table.row("s_nop"), _SETTLED)), _line(wrong), line]
    elif row.encoding is Encoding.DPP:
        yield KINDS[2], []
        yield (
            KINDS[3],
            [_line(build(table.row("v_mov_b32_e32"), *(instr.operands[i] for i in _copied(instr))))],
        )
    elif Trait.BARRIER in row.traits:
        yield KINDS[4], []


def _copied(instr: Instr) -> tuple[int, int]:
    """The result and the source from the lane itself: the last source that is not an old value of the result."""
    tied = {use for use, _ in instr.row.ties}
    return instr.row.defines[0], [use for use in instr.row.uses if use not in tied][-1]


def _line(instr: Instr) -> str:
    return f"\t{format_instr(instr)}\n"
