"""The loads from LDS that transpose, as a program may name them, by the rows of its target.

    ds_read_b64_tr_b16      f16x4 = lds_transpose_load[by=ds_read_b64_tr_b16, size=4](lds, index)    on gfx950

Each lane's index names 4 adjacent elements. The lanes of each group of 16 then exchange them, so that a lane
gets an element of each of 4 other lanes (`isa.semantics.transposes`). Elements have any type of their width.
"""

from __future__ import annotations

import numpy as np

from asmgen.ir.program import Statement
from asmgen.ir.types import BOOL, LaneType
from asmgen.lanewise.matrices import Array, Misfit
from asmgen.lanewise.records import instruction_of
from isa.diagnostics import close_names
from isa.instruction import Row, Trait, Unit
from isa.semantics import resolve
from isa.semantics.transposes import TransposedLoad
from isa.table import Table

_KIND = frozenset({Trait.LOAD, Trait.CROSS_LANE})
_BYTE = 8  # bits: no element is smaller


def transpose_row(table: Table, name: str) -> Row | None:
    """The row of a transposing load from LDS; None if the target has none of the name."""
    row = table.find(name)
    return row if row is not None and _is_named(row) else None


def transpose_names(table: Table) -> list[str]:
    """Every load that `lds_transpose_load` may name, in the order of the table."""
    return list(dict.fromkeys([row.operation for row in table.rows if _is_named(row)]))


def semantics_of(row: Row) -> TransposedLoad:
    what = resolve(row.semantics)
    assert isinstance(what, TransposedLoad), row
    return what


def misfit(statement: Statement, table: Table) -> Misfit | None:
    """Why the target's row does not load the tile that an `lds_transpose_load` states; None if it does."""
    name, result = instruction_of(statement), statement.result.type
    row = transpose_row(table, name)
    if row is None:
        names = transpose_names(table)
        has = f"wanted {' or '.join(names)}" if names else "which has none; wanted lds_load"
        rule = f"{name} is not a load from LDS of {table.target.name} that transposes, {has}"
        return Misfit(rule, close_names(name, names))
    what = semantics_of(row)
    assert isinstance(result, LaneType), statement
    if result.element is BOOL or (result.element.bits, result.lanes) != (what.bits, what.elements):
        wanted = f"{what.elements} elements of {what.bits} bits"
        return Misfit(f"{name} loads {wanted}, and the statement {result.lanes} of {result.element}")
    return None


def transposed(loaded: Array, row: Row) -> Array:
    """[lane, element] that the lanes of whole waves get, from the elements that their indices name."""
    what = semantics_of(row)
    waves = loaded.reshape(-1, what.lanes * what.elements)
    return np.ascontiguousarray(waves[:, what.origins().reshape(-1)]).reshape(loaded.shape)


def _is_named(row: Row) -> bool:
    if row.unit is not Unit.LDS or not row.traits >= _KIND:
        return False
    return semantics_of(row).bits % _BYTE == 0
