"""Computes F2-linear maps of a lane's number, as arithmetic on u32.

If the bits 2 to 5 of a lane's number give the elements 1:0, 2:0, 4:0 and 8:0 of a tile, its row is
(number >> 2) & 15. Overlapping parts of bits are joined by XOR.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from asmgen.ir.program import Value
from asmgen.ir.types import U32
from asmgen.lanewise.builder import LaneBuilder
from isa.named_tuple import NamedTuple


class _Run(NamedTuple):
    """`bits` bits of the number from `first` on. Their columns are `column`, twice it, four times it, ..."""

    first: int
    bits: int
    column: int


def mask_of(columns: Sequence[int]) -> int:
    """The bits that the map may set."""
    return reduce(int.__or__, columns, 0)


def linear(builder: LaneBuilder, number: Value, columns: Sequence[int]) -> Value | None:
    """The image of a number below `1 << len(columns)`; None if the image is always 0."""
    total: Value | None = None
    known, fields = 0, _fields(columns)
    if len(fields) < len(_runs(columns)):
        return _joined(builder, number, fields, len(columns))
    for run in _runs(columns):
        part = _extracted(builder, number, run, len(columns))
        if run.column != 1:
            part = builder.multiple(part, run.column, most=2**run.bits - 1)
        image = mask_of(columns[run.first : run.first + run.bits])
        if total is not None:
            part = builder.bitwise_xor(total, part) if known & image else builder.add(total, part)
        total, known = part, known | image
    return total


class _Field(NamedTuple):
    """The bits `mask` of the number, moved up by `shift`, or down if `shift` is negative."""

    shift: int
    mask: int


def _fields(columns: Sequence[int]) -> list[_Field]:
    """The map as the XOR of moved parts of the number: 5 and 10, of the bits 0 and 1, are those two bits as
    they are, and moved up by 2.
    """
    masks: dict[int, int] = {}
    for bit, column in enumerate(columns):
        for to in range(column.bit_length()):
            if column >> to & 1:
                masks[to - bit] = masks.get(to - bit, 0) | 1 << bit
    return [_Field(shift, mask) for shift, mask in sorted(masks.items(), reverse=True)]


def _joined(builder: LaneBuilder, number: Value, fields: Sequence[_Field], width: int) -> Value | None:
    total: Value | None = None
    known = 0
    for shift, mask in fields:
        first = (mask & -mask).bit_length() - 1
        run = _Run(first, (mask >> first).bit_length(), 1 << max(0, first + shift))
        if mask + (1 << first) == 1 << run.first + run.bits:
            part = _extracted(builder, number, run, width)
            part = builder.multiple(part, run.column, most=2**run.bits - 1) if run.column != 1 else part
        else:
            part = builder.bitwise_and(number, builder.constant(mask, U32))
            part = _moved(builder, part, shift, mask)
        image = mask << shift if shift > 0 else mask >> -shift
        if total is not None:
            part = builder.bitwise_xor(total, part) if known & image else builder.add(total, part)
        total, known = part, known | image
    return total


def _moved(builder: LaneBuilder, part: Value, shift: int, mask: int) -> Value:
    if shift > 0:
        return builder.multiple(part, 1 << shift, most=mask)
    return builder.shift_right(part, builder.constant(-shift, U32)) if shift < 0 else part


def _extracted(builder: LaneBuilder, number: Value, run: _Run, width: int) -> Value:
    if run.first:
        number = builder.shift_right(number, builder.constant(run.first, U32))
    if run.first + run.bits < width:
        number = builder.bitwise_and(number, builder.constant((1 << run.bits) - 1, U32))
    return number


def _runs(columns: Sequence[int]) -> list[_Run]:
    found: list[_Run] = []
    for bit, column in enumerate(columns):
        last = found[-1] if found else None
        if last is not None and last.first + last.bits == bit and _continues(last, column):
            found[-1] = last._replace(bits=last.bits + 1)
        elif column:
            found.append(_Run(bit, 1, column))
    return found


def _continues(run: _Run, column: int) -> bool:
    """Whether the next bit's column continues the run: it is twice the column of the last bit. The run is a
    multiple of the number, and a multiple equals the XOR of its columns only if the column is a power of two.
    """
    return run.column & run.column - 1 == 0 and column == run.column << run.bits
