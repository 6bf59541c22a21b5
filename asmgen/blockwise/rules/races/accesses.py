"""The accesses of memory of a statement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from asmgen.blockwise.actions import AsyncCopy, For, LdsLoad, LdsStore, TileLoad, TileStore, Waves
from asmgen.blockwise.layout.layout import Layout
from asmgen.blockwise.program import TileStatement, TileValue, layout_of
from asmgen.blockwise.rules.races.meeting import Tile
from asmgen.blockwise.rules.races.path import Access, InBuffer, InLds


def accesses(statement: TileStatement, loops: tuple[For, ...], part: Waves | None) -> list[Access]:
    """The accesses of a statement in loops, and in a region of some waves. A copy reads a buffer, and then
    writes LDS."""
    first = part.first if part is not None else 0

    def access(memory: TileValue, place: InLds | InBuffer, layout: Layout, writes: bool) -> Access:
        return Access(statement, memory, place, Tile(layout, writes, first), loops, part)

    match action := statement.op:
        case LdsLoad():
            of = InLds(action.slot, action.origin)
            return [access(statement.operands[0], of, layout_of(statement.result), False)]
        case LdsStore():
            tile, lds = statement.operands
            return [access(lds, InLds(action.slot, action.origin), layout_of(tile), True)]
        case AsyncCopy():
            buffer, lds = statement.operands
            return [
                access(buffer, InBuffer(action.at, action.where), action.layout, False),
                access(lds, InLds(action.slot, action.origin), action.layout, True),
            ]
        case TileLoad():
            of = InBuffer(action.at, action.where)
            return [access(statement.operands[0], of, layout_of(statement.result), False)]
        case TileStore():
            tile, buffer = statement.operands[:2]
            if action.adds:  # additions have no order among each other, and a rule keeps others away
                return []
            return [access(buffer, InBuffer(action.at, action.where), layout_of(tile), True)]
        case _:
            return []


def every_access(
    statements: Sequence[TileStatement], loops: tuple[For, ...] = (), part: Waves | None = None
) -> Iterator[Access]:
    """The accesses of statements and of their regions."""
    for statement in statements:
        yield from accesses(statement, loops, part)
        for region in statement.regions:
            match statement.op:
                case For() as loop:
                    yield from every_access(region.statements, (*loops, loop), part)
                case Waves() as some:
                    yield from every_access(region.statements, loops, some)
                case _:
                    pass
