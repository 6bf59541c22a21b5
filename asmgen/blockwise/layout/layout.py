"""The layout type: the element of a tile that each holder has.

A holder is a register of a lane of a wave. Each bit of its three numbers has a *basis*, an element of the
tile, and the element of a holder is the XOR of the bases of the bits that are set. `{4,256}` in a wave of 64
lanes, four columns a load, four rows in registers:

    reg(0:1 0:2 1:0 2:0) lane(0:4 0:8 0:16 0:32 0:64 0:128)

Register 5 of lane 3 (bits 0 and 2 of the register, 0 and 1 of the lane) has 0:1 ^ 1:0 ^ 0:4 ^ 0:8, row 1 of
column 13.

A basis is an integer, the row-major number of its element in the tile. The sizes are powers of two, so the
bits of a row-major number are the bits of the coordinates side by side, and XOR acts on each coordinate
separately.

- With a zero basis, the holders that differ in that bit have copies.
- The other bases are independent and reach every element of the tile.
- `repeat` counts whole copies of that tile along each axis, any number of them, in further registers: five
  times along the columns is `repeat(1:5)`, a tile of `{4,1280}` with column 256 in register 16 of lane 0.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from functools import cache
from math import prod

from asmgen.blockwise.layout import f2
from isa.diagnostics import InternalError
from isa.named_tuple import NamedTuple

Sizes = tuple[int, ...]


class Holder(NamedTuple):
    """A place of an element. `register` counts elements, so two elements of 16 bits share a VGPR."""

    register: int
    lane: int
    wave: int


class Layout(NamedTuple):
    """Made by `layout`. `sizes` are those of the tile before it is repeated; the bases of each part are low
    bit first.
    """

    sizes: Sizes
    registers: tuple[int, ...] = ()
    lanes: tuple[int, ...] = ()
    waves: tuple[int, ...] = ()
    repeat: Sizes = ()  # a count for each axis, or empty without repetition

    @property
    def rank(self) -> int:
        return len(self.sizes)

    @property
    def bits(self) -> int:
        """Of an element's row-major number in the tile that is repeated."""
        return prod(self.sizes).bit_length() - 1

    @property
    def columns(self) -> f2.Columns:
        """The bases of all bits of a holder: the registers' lowest, then the lanes', then the waves'."""
        return self.registers + self.lanes + self.waves

    @property
    def shape(self) -> Sizes:
        """Of the whole tile."""
        return tuple([size * count for size, count in zip(self.sizes, self.counts, strict=True)])

    @property
    def counts(self) -> Sizes:
        return self.repeat or (1,) * self.rank

    @property
    def repeats(self) -> int:
        return prod(self.repeat)

    @property
    def register_count(self) -> int:
        """How many registers a lane has of the tile."""
        return self.repeats << len(self.registers)

    @property
    def lane_count(self) -> int:
        return 1 << len(self.lanes)

    @property
    def wave_count(self) -> int:
        return 1 << len(self.waves)

    def number(self, holder: Holder) -> int:
        """The bits of a holder as a single number, as in `columns`; the register's without repetition."""
        register = holder.register & (1 << len(self.registers)) - 1
        return register | (holder.lane | holder.wave << len(self.lanes)) << len(self.registers)

    def element(self, holder: Holder) -> Sizes:
        """The coordinates of the element that a holder has."""
        inside = split(f2.apply(self.columns, self.number(holder)), self.sizes)
        turns = split(holder.register >> len(self.registers), self.counts)
        return tuple([at + turn * size for at, turn, size in zip(inside, turns, self.sizes, strict=True)])


def split(number: int, sizes: Sizes) -> Sizes:
    """The coordinates of a row-major number. A basis is such a number too."""
    coordinates: list[int] = []
    for size in reversed(sizes):
        coordinates.append(number % size)
        number //= size
    return tuple(reversed(coordinates))


def join(coordinates: Sizes, sizes: Sizes) -> int:
    """The row-major number of coordinates."""
    number = 0
    for at, size in zip(coordinates, sizes, strict=True):
        number = number * size + at
    return number


class Bases(NamedTuple):
    """The bases of each part of a holder's number, low bit first."""

    registers: tuple[int, ...]
    lanes: tuple[int, ...]
    waves: tuple[int, ...]


def moved(of: Layout, sizes: Sizes, move: Callable[[Sizes], Sizes] = lambda at: at) -> Bases:
    """The bases in a tile of other `sizes`, each with the coordinates that `move` gives for its own."""
    parts = of.registers, of.lanes, of.waves
    return Bases(*[tuple([join(move(split(basis, of.sizes)), sizes) for basis in part]) for part in parts])


def without_axes(element: Sizes, axes: Container[int]) -> Sizes:
    """The coordinates with 0 along some axes."""
    return tuple([0 if axis in axes else at for axis, at in enumerate(element)])


def layout(
    sizes: Sizes,
    registers: tuple[int, ...] = (),
    lanes: tuple[int, ...] = (),
    waves: tuple[int, ...] = (),
    repeat: Sizes = (),
) -> Layout:
    """A layout that keeps the rules. Counts of `repeat` that are all powers of two become bits of the
    register.

    Raises `InternalError` with the rule that is broken; text is checked by `fault` first.
    """
    made = Layout(sizes, registers, lanes, waves, repeat if any(count != 1 for count in repeat) else ())
    broken = fault(made)
    if broken:
        raise InternalError("blockwise", "layout", broken)
    return absorbed(made)


def absorbed(made: Layout) -> Layout:
    """The same holders, with `repeat` as bits of the register if every count is a power of two."""
    if not all(is_power_of_two(count) for count in made.repeat):
        return made
    shape = made.shape
    inside = [join(split(basis, made.sizes), shape) for basis in made.columns]
    lanes, waves = len(made.registers), len(made.registers) + len(made.lanes)
    turns: list[int] = []
    for bit in range(made.repeats.bit_length() - 1):
        turn = split(1 << bit, made.counts)
        turns.append(join(tuple([at * size for at, size in zip(turn, made.sizes, strict=True)]), shape))
    return Layout(shape, (*inside[:lanes], *turns), tuple(inside[lanes:waves]), tuple(inside[waves:]))


@cache
def fault(made: Layout) -> str:
    """The rule that a layout breaks, in words; empty if it breaks none."""
    if not made.sizes or not all(is_power_of_two(size) for size in made.sizes):
        return f"the sizes are {made.sizes}, wanted powers of two, at least 1; `repeat` takes any number"
    if made.repeat and (len(made.repeat) != made.rank or min(made.repeat) < 1):
        return f"repeat is {made.repeat}, wanted a count of at least 1 for each of the {made.rank} axes"
    return _fault_of_bases(made)


def _fault_of_bases(made: Layout) -> str:
    names: dict[int, str] = {}
    span = f2.Span()
    for name, basis in named_bases(made):
        if not 0 <= basis < 1 << made.bits:
            return f"the basis of {name} is outside the tile of {made.sizes}"
        if not basis:
            continue
        text = basis_text(basis, made.sizes)
        if basis in names:
            return f"{names[basis]} and {name} have the same basis {text}, wanted different bases, or 0"
        if span.dimension == made.bits:
            full = f"the {made.bits} bits of the tile of {made.sizes} have their holders already"
            return f"{name} has the basis {text}, but {full}"
        if not span.add(basis):
            return f"the basis {text} of {name} is the XOR of others, wanted an independent basis, or 0"
        names[basis] = name
    missing = f2.completed(names, made.bits)
    if missing:
        return f"no holder has the element {basis_text(missing[0], made.sizes)} of the tile of {made.sizes}"
    return ""


def named_bases(made: Layout) -> list[tuple[str, int]]:
    """`register bit 0`, `lane bit 3`, ... and the basis of each."""
    parts = (("register", made.registers), ("lane", made.lanes), ("wave", made.waves))
    return [(f"{part} bit {bit}", basis) for part, bases in parts for bit, basis in enumerate(bases)]


def basis_text(basis: int, sizes: Sizes) -> str:
    """`0:4`: the coordinates of a basis."""
    return ":".join(map(str, split(basis, sizes)))


def is_power_of_two(number: int) -> bool:
    return number > 0 and number & number - 1 == 0
