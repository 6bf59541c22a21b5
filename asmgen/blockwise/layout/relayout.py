"""Changes of layout: renamed registers, an exchange between lanes, or a transfer through LDS.

reg(1) lane(2 4)  ->  reg(2) lane(1 4)    lanes exchange: lane bit 0 and register bit 0 change places
"""

from __future__ import annotations

from enum import Enum
from functools import cache

from asmgen.blockwise.layout import f2
from asmgen.blockwise.layout.layout import Holder, Layout
from isa.named_tuple import NamedTuple


class MoveKind(Enum):
    """The cheapest way in which a change of layout can be made."""

    NOTHING = "nothing"  # the same layout
    REGISTERS = "registers"  # a lane has all its elements; its registers get other names
    LANES = "lanes"  # a wave has all its elements; its lanes exchange
    LDS = "lds"


class Relayout(NamedTuple):
    """A change of layout: bit j of the result's holder sets the bits `columns[j]` of the source's holder.

    `columns` is None if the layouts repeat differently; the tile then goes through LDS.
    """

    source: Layout
    result: Layout
    kind: MoveKind
    columns: f2.Columns | None

    def source_of(self, holder: Holder) -> Holder:
        """The source's holder with the element of the result's `holder`; among copies the nearest."""
        assert self.columns is not None, "the way between different repeats is not a map of bits"
        result, source = self.result, self.source
        number = f2.apply(self.columns, result.number(holder))
        registers, lanes = len(source.registers), len(source.lanes)
        turn = holder.register >> len(result.registers)
        register = number & (1 << registers) - 1 | turn << registers
        return Holder(register, number >> registers & source.lane_count - 1, number >> registers + lanes)


@cache
def relayout(source: Layout, result: Layout) -> Relayout:
    """The change from a layout to another of the same shape with the same lanes and waves."""
    assert source.shape == result.shape, (source, result)
    assert (len(source.lanes), len(source.waves)) == (len(result.lanes), len(result.waves)), (source, result)
    if source == result:
        return Relayout(
            source, result, MoveKind.NOTHING, tuple([1 << bit for bit in range(len(result.columns))])
        )
    if source.sizes != result.sizes:
        return Relayout(source, result, MoveKind.LDS, None)
    columns = _columns(source, result)
    return Relayout(source, result, _kind(source, result, columns), columns)


def _columns(source: Layout, result: Layout) -> f2.Columns:
    """The inverse of the source after the result. A lane or wave bit that the source copies over is free, and
    kept as it is.
    """
    columns: list[int] = []
    shift = len(source.registers) - len(result.registers)
    for bit, basis in enumerate(result.columns):
        column = f2.solve(source.columns, basis)
        assert column is not None, "a layout reaches every element"
        is_lane_or_wave = bit >= len(result.registers)
        if is_lane_or_wave and source.columns[bit + shift] == 0:
            column |= 1 << bit + shift
        columns.append(column)
    return tuple(columns)


def _kind(source: Layout, result: Layout, columns: f2.Columns) -> MoveKind:
    """The kind of a change: registers are renamed if each element stays in its lane, lanes exchange elements
    if each stays in its wave, and otherwise the tile goes through LDS."""
    registers, lanes = len(source.registers), len(source.lanes)
    shift = registers - len(result.registers)

    def stays(first: int) -> bool:
        """Whether the source's bits from `first` on are those of the result's holder."""
        above = [column >> first << first for column in columns]
        return all(
            kept == (1 << bit + shift if bit + shift >= first else 0) for bit, kept in enumerate(above)
        )

    if stays(registers):
        return MoveKind.REGISTERS
    return MoveKind.LANES if stays(registers + lanes) else MoveKind.LDS
