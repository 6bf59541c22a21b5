"""The table of declarations: the word of a declaration, its record, and the accesses that launches may
make."""

from __future__ import annotations

from asmgen.graph.ops import PARAM
from asmgen.gridwise.program import Buffer, LaunchProgram, Parameter, Result, Scalar, Temporary
from asmgen.ir.program import Statement, Value
from asmgen.ir.types import LaneType
from isa.named_tuple import NamedTuple


class BufferKind(NamedTuple):
    """`word` is its declaration in text. `written`: a launch writes it, before others read it. `is_kept`: it
    has a lifetime, and some launch reads it. `by_value`: it has an element type and no sizes.
    """

    word: str
    record: type[Buffer]
    written: bool = False
    is_kept: bool = False
    by_value: bool = False


ROWS = (
    BufferKind("parameter", Parameter),
    BufferKind("scalar", Scalar, by_value=True),
    BufferKind("result", Result, written=True),
    BufferKind("temporary", Temporary, written=True, is_kept=True),
)
BY_WORD = {row.word: row for row in ROWS}
_BY_RECORD = {row.record: row for row in ROWS}


def declared(program: LaunchProgram) -> tuple[Statement, ...]:
    """The arguments of a program, as `@param` statements in their order."""
    types = program.types
    values = [
        Value(each.name, LaneType(each.shape.element) if kind_of(each).by_value else types[each.name])
        for each in program.inputs
    ]
    return tuple([Statement(PARAM, (), (value,), {"name": value.name}) for value in values])


def kind_of(buffer: Buffer) -> BufferKind:
    return _BY_RECORD[type(buffer)]
