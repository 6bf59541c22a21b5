"""The elements of a buffer that an access touches, by the digits of the coordinates of its tile.

    at={c0 + 16*row, c1}, c0 below 16, wave bit 0 has 8:0      c0 is 8*c0.3 + c0.0, c0.3 below 2, c0.0 below 8

The bits of coordinates that decide the wave of an element are digits of their own, and so are bits between
which a quotient or a remainder cuts. The other bits of a coordinate are digits of several bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from asmgen.blockwise.layout.algebra import invert
from asmgen.blockwise.layout.layout import Layout, Sizes
from asmgen.blockwise.rules.races.meeting import Tile
from asmgen.blockwise.types import coordinates, wave_of
from asmgen.index import Index, Symbol, constant, symbol
from asmgen.index.expression import as_symbol, only
from asmgen.index.nodes import Quotient, Remainder
from asmgen.index.search import Values
from isa.named_tuple import NamedTuple

Substitution = dict[Symbol, Index]


class Digits(NamedTuple):
    """The coordinates of an element by digits. `waves` are digits with the bits of the wave in which
    elements with a different digit differ."""

    values: Substitution
    symbols: tuple[Symbol, ...]
    waves: tuple[tuple[Symbol, int], ...]


def digits(layout: Layout, used: Iterable[Index], mark: str) -> Digits:
    """The digits of the coordinates, in which the indices that are `used` have no quotients of powers of two.
    `mark` is part of the names of the symbols."""
    cuts = {axis: frozenset[int]() for axis in range(layout.rank)}
    names = coordinates(layout.shape)
    axis_of = {as_symbol(name): axis for axis, name in enumerate(names) if not name.is_constant}
    for axis, bit in _cuts(used, axis_of):
        cuts[axis] |= {bit}
    images = wave_images(layout)
    values: Substitution = {}
    made: list[Symbol] = []
    waves: list[tuple[Symbol, int]] = []
    for of, axis in axis_of.items():
        total = constant(0)
        if layout.counts[axis] > 1:
            turn = symbol(f"{of.name}.turn{mark}", 0, layout.counts[axis] - 1)
            total += turn * layout.sizes[axis]
            made.append(as_symbol(turn))
        for low, high in _runs(layout.sizes[axis], images[axis], cuts[axis]):
            digit = symbol(f"{of.name}.{low}{mark}", 0, (1 << high - low) - 1)
            total += digit * (1 << low)
            made.append(as_symbol(digit))
            if images[axis].get(low):
                waves.append((as_symbol(digit), images[axis][low]))
        values[of] = total
    wave = wave_of(layout)
    if not wave.is_constant:
        values[as_symbol(wave)] = _wave_index(layout, waves)
    return Digits(values, tuple(made), tuple(waves))


def _wave_index(layout: Layout, waves: Iterable[tuple[Symbol, int]]) -> Index:
    """`wave`: a bit of it is the parity of the digits that change it."""
    total = constant(0)
    for bit in range(len(layout.waves)):
        parity = constant(0)
        for digit, image in waves:
            if image >> bit & 1:
                parity += only(digit)
        total += (parity % 2 if len(parity.terms) > 1 else parity) * (1 << bit)
    return total


def _runs(size: int, images: Mapping[int, int], cuts: frozenset[int]) -> Iterator[tuple[int, int]]:
    """The ranges of bits that are a digit each, the highest first."""
    bits = size.bit_length() - 1
    starts = sorted({0, *images, *[bit + 1 for bit in images], *cuts})
    inside = [bit for bit in starts if bit < bits]
    if bits:
        yield from reversed(list(zip(inside, [*inside[1:], bits], strict=True)))


@cache
def wave_images(layout: Layout) -> tuple[dict[int, int], ...]:
    """For each axis the bits of the coordinate that change the wave of an element, with the change."""
    below = len(layout.registers) + len(layout.lanes)
    numbers = [number >> below for number in invert(layout)]
    changes: list[dict[int, int]] = [{} for _ in layout.sizes]
    bit = 0
    for axis in reversed(range(layout.rank)):
        for at in range(layout.sizes[axis].bit_length() - 1):
            if numbers[bit]:
                changes[axis][at] = numbers[bit]
            bit += 1
    return tuple(changes)


def _cuts(used: Iterable[Index], axis_of: Mapping[Symbol, int]) -> Iterator[tuple[int, int]]:
    """The bits at which quotients and remainders cut coordinates, each with the axis."""
    for index in used:
        for atom, _ in index.terms:
            if isinstance(atom, Symbol):
                continue
            inner = atom.inner
            if isinstance(atom, Quotient | Remainder):
                for part, number in inner.terms:
                    if isinstance(part, Symbol) and part in axis_of:
                        yield axis_of[part], max(_twos(atom.by) - _twos(number), 0)
            yield from _cuts((inner,), axis_of)


def _twos(number: int) -> int:
    """How often 2 divides a number."""
    return (number & -number).bit_length() - 1


def waves_of(tile: Tile, of: Digits, values: Values) -> list[int]:
    """The waves that access the element with these digits: all that have it read it, the first writes it."""
    first = tile.first
    for digit, image in of.waves:
        first ^= image * values[digit]
    waves = [first]
    if not tile.writes:
        for bit, basis in enumerate(tile.layout.waves):
            if not basis:
                waves += [wave ^ 1 << bit for wave in waves]
    return waves


def element_of(layout: Layout, of: Digits, values: Values) -> Sizes:
    """The coordinates of the element with these digits."""
    return tuple([name.substitute(of.values).evaluate(values, 0) for name in coordinates(layout.shape)])
