"""Plain moves: the row that copies registers of a class, or fills them with a constant, as a target has
it."""

from __future__ import annotations

from functools import cache

from isa.instruction import Row
from isa.registers import RegisterClass
from isa.table import Table

_MOVES = {
    (RegisterClass.SGPR, 1): "s_mov_b32",
    (RegisterClass.SGPR, 2): "s_mov_b64",
    (RegisterClass.VGPR, 1): "v_mov_b32_e32",
    (RegisterClass.VGPR, 2): "v_mov_b64_e32",
    (RegisterClass.AGPR, 1): "v_accvgpr_mov_b32",
}
_CROSSINGS = {
    (RegisterClass.VGPR, RegisterClass.AGPR): "v_accvgpr_read_b32",
    (RegisterClass.AGPR, RegisterClass.VGPR): "v_accvgpr_write_b32",
}
_FILLS = {**_MOVES, (RegisterClass.AGPR, 1): "v_accvgpr_write_b32"}


@cache
def find_move(table: Table, register_class: RegisterClass, count: int) -> Row | None:
    """The row that copies `count` registers of a class at once; None if the target has none."""
    name = _MOVES.get((register_class, count))
    return None if name is None else table.find(name)


@cache
def find_fill(table: Table, register_class: RegisterClass, count: int) -> Row | None:
    """The row that puts a constant, or a register of another file, into `count` registers of a class at
    once."""
    name = _FILLS.get((register_class, count))
    return None if name is None else table.find(name)


@cache
def find_crossing(table: Table, to: RegisterClass, source: RegisterClass) -> Row | None:
    """The row that copies a register of a vector file to the other file; None if the target lacks either
    file."""
    name = _CROSSINGS.get((to, source))
    return None if name is None else table.find(name)


def copy_row(table: Table, to: RegisterClass, source: RegisterClass | None) -> Row:
    """The row that copies a register of a class, or a constant if it is None, to a register of class `to`. A
    target that lacks either file has no register of it to copy."""
    if source is to:
        row = find_move(table, to, 1)
    else:
        row = (source and find_crossing(table, to, source)) or find_fill(table, to, 1)
    assert row is not None, "every target moves single registers"
    return row
