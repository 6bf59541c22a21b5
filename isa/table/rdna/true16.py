"""gfx1201's instructions spelt with halves of VGPRs, `v0.l` and `v0.h`: what LLVM calls real true16.

The machine chooses halves in every encoding, as gfx1100 does. LLVM 22 spells and makes them only with
`-mattr=+real-true16`, newer compilers by default. These rows are read, in text and in bytes, if no row of the
target's own spelling fits; the compiler uses none of them.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from isa.instruction import Encoding, ModifierSpec, Row
from isa.table.declare import RDNA4
from isa.table.declared import Declared
from isa.table.rdna.valu import swap
from isa.table.rdna.vector import MASK_KINDS, half_modifier, vop

_LONG = frozenset({Encoding.E64, Encoding.E64_DPP})
_FURTHER: tuple[Declared, ...] = (
    *vop("v_mov_b16", "b16 = b16", targets=RDNA4),
    swap("v_swap_b16", "b16", targets=RDNA4),
)


def rows_with_halves(rows: Iterable[Row]) -> tuple[Row, ...]:
    """The rows of gfx1201 that name halves, in that spelling, and those that only this spelling has."""
    further = [
        row
        for declaration in _FURTHER
        for row in ((declaration,) if isinstance(declaration, Row) else declaration.rows())
    ]
    return tuple(_spelt(row) for row in (*rows, *further) if _names_halves(row))


def _names_halves(row: Row) -> bool:
    return any(spec.half and not spec.hidden for spec in row.operands)


def _spelt(row: Row) -> Row:
    """The row with suffixes; the long encodings also say the halves by `op_sel`."""
    others = tuple(spec for spec in row.modifiers if spec.syntax != "half")
    choice = half_modifier(row.operands, True, _listed(row) if row.encoding in _LONG else ())
    signs = sum(spec.syntax == "source" for spec in others)
    return replace(row, modifiers=(*others[:signs], *choice, *others[signs:]), targets=RDNA4)


def _listed(row: Row) -> tuple[int, ...]:
    """The operands in the order of `op_sel`: sources, the accumulator, the result. A compare has an element
    for its result only in the plain encoding, and a row that reads a lane mask has no list."""
    before = next((spec for spec in row.modifiers if _is_list(spec)), None)
    if before is not None:
        return before.tail
    uses = tuple(i for i in row.uses if not row.operands[i].hidden)
    if uses and row.operands[uses[-1]].type in MASK_KINDS:
        return ()
    is_mask = all(row.operands[i].type in MASK_KINDS for i in row.defines)
    if is_mask and (not row.defines or row.encoding is Encoding.E64_DPP):
        return uses
    if not any(row.operands[i].half for i in row.defines):
        return (*uses, -1)
    accumulates = any(row.operands[use].hidden and row.operands[use].name == "src2" for use in row.uses)
    return (*uses, 0, 0) if accumulates else (*uses, 0)


def _is_list(spec: ModifierSpec) -> bool:
    return spec.syntax == "half" and bool(spec.tail)
