"""Facts of a tile program from its text, without a run: workgroups, widths of loads, reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from asmgen.blockwise.actions import For, LdsAllocate, TileLoad
from asmgen.blockwise.layout.queries import register_offsets
from asmgen.blockwise.program import Kernel, TileStatement
from asmgen.blockwise.types import TileType, coordinates
from asmgen.index import Symbol
from asmgen.index.expression import as_symbol
from asmgen.index.size import numbers
from asmgen.ir.types import TensorType


def workgroups(kernel: Kernel) -> int:
    return prod([axis.high + 1 for axis in kernel.grid])


def uses_lds(kernel: Kernel) -> bool:
    """Whether waves combine, or LDS is allocated."""
    return kernel.waves > 1 and any(isinstance(statement.op, LdsAllocate) or _combines_waves(statement) for statement in kernel.walk())


def _combines_waves(statement: TileStatement) -> bool:
    if not statement.operands or not statement.results:
        return False
    (source, *_), (result, *_) = statement.operands, statement.results
    if not isinstance(source.type, TileType) or not isinstance(result.type, TileType) or type(statement.op).__name__ != "Reduce":
        return False
    return sum(map(bool, result.type.layout.waves)) < sum(map(bool, source.type.layout.waves))


def loads(kernel: Kernel, name: str) -> list[tuple[TileStatement, int]]:
    """The loads of a parameter, each with how often a workgroup makes it."""

    def within(statements: Sequence[TileStatement], trips: int) -> Iterator[tuple[TileStatement, int]]:
        for statement in statements:
            action = statement.op
            if isinstance(action, For):
                turns = -(-(action.stop - action.start).constant // action.step)
                yield from within(statement.regions[0].statements, trips * turns)
            elif isinstance(action, TileLoad) and statement.operands[0].name == name:
                yield statement, trips

    return list(within(kernel.statements, 1))


def reads(kernel: Kernel, name: str) -> float:
    """How often each element of a parameter is read; places without elements are read too here."""
    total, size = 0, 1
    for statement, trips in loads(kernel, name):
        tile, buffer = statement.result.type, statement.operands[0].type
        assert isinstance(tile, TileType) and isinstance(buffer, TensorType)
        total, size = total + prod(tile.shape) * trips * workgroups(kernel), buffer.size
    return total / size


def bytes_of_access(statement: TileStatement) -> int:
    """The bytes next to each other that a lane has of a load, 16 at most: the widest access that it can make."""
    tile, buffer, action = statement.result.type, statement.operands[0].type, statement.op
    assert isinstance(tile, TileType) and isinstance(buffer, TensorType) and isinstance(action, TileLoad)
    names = [as_symbol(index) if index.terms else None for index in coordinates(tile.shape)]
    others: dict[Symbol, int] = {symbol: 0 for index in action.at for symbol in index.symbols}
    addresses: list[int] = []
    for place in register_offsets(tile.layout):
        known = others | {name: at for name, at in zip(names, place, strict=True) if name is not None}
        addresses.append(sum(index.evaluate(known, 0) * stride for index, stride in zip(action.at, numbers(buffer.strides), strict=True)))
    addresses.sort()
    run = next(
        (length for length in range(1, len(addresses)) if addresses[length] != addresses[0] + length),
        len(addresses),
    )
    return min(16, run * buffer.element.bytes)
