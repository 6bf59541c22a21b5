"""Index expressions of the elements of a tile, in symbols for linear images of the local id.

    1024*row + c1  with  reg(0:1 0:2) lane(0:4 ...)      1024*row + 4*local(1 2 4 ...) + the register's number

The coordinates of a register's element are the sum of an image of its lane and wave, `4*local(...)`, and a
constant of the register. The bounds and multiples of the whole expression then decide the width and guard of
an access. `indices` computes the expression.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd

from asmgen.blockwise.layout.layout import Layout, split
from asmgen.blockwise.layout.queries import register_offsets
from asmgen.blockwise.lowering.addresses.bits import mask_of
from asmgen.blockwise.types import coordinates, wave_of
from asmgen.index import Index, Symbol, constant, symbol
from asmgen.index.expression import as_symbol


class Places:
    """The symbols of a kernel that differ from lane to lane. `images` has the linear images of the local id:
    the columns of its bits, and a constant, all joined by XOR. The local id has `bits` bits.
    """

    def __init__(self, bits: int = 0) -> None:
        self._bits = bits
        self.images: dict[Symbol, tuple[tuple[int, ...], int]] = {}
        self._divergent: set[Symbol] = set()
        self._of_registers: dict[tuple[Index, Layout], Sequence[Index]] = {}

    def diverges(self, of: Symbol) -> None:
        """A symbol is a number that each lane has for itself."""
        self._divergent.add(of)

    def image(self, columns: tuple[int, ...], const: int = 0) -> Index:
        """The XOR of `const` and of the columns of those bits of the local id that are set."""
        columns = (*columns, *(0,) * (self._bits - len(columns)))
        mask = mask_of(columns)
        if not mask:
            return constant(const)
        unit = mask & -mask
        reduced, mixed = tuple([column // unit for column in columns]), (const & mask) // unit
        name = f"local({' '.join(map(str, reduced))}){mixed}"
        index = symbol(name, 0, mask // unit)
        self.images[as_symbol(index)] = reduced, mixed
        self._divergent.add(as_symbol(index))
        return index * unit + (const & ~mask)

    def _images(self, index: Index, columns: tuple[int, ...], const: int = 0) -> Index:
        """The image of a coordinate of `index`. If the index divides, the image is the sum of an image for
        each run of adjacent bits, so that the division sees the bits that no lane sets: of 512*wave + 8*lane,
        lane at most 31, and a register at 256, all quotients by 512 are those of the wave.
        """
        runs = _runs(mask_of(columns)) if any(not isinstance(atom, Symbol) for atom, _ in index.terms) else []
        if len(runs) < 2 or any(all(column & ~run for run in runs) for column in columns):
            return self.image(columns, const)
        parts = [self.image(tuple([column & run for column in columns]), const & run) for run in runs]
        return sum(parts, constant(const & ~mask_of(columns)))

    def lane_steps(self, index: Index, bits: int) -> tuple[int, ...] | None:
        """For each of the low bits of a lane's number, the index in the lane 1 << bit minus the index in lane
        0; None if the index is not a sum over the bits.
        """
        steps = [0] * bits
        for atom, factor in index.terms:
            columns, mixed = self.images.get(atom, ((), 0)) if isinstance(atom, Symbol) else ((), 0)
            if not columns and not atom.symbols.isdisjoint(self._divergent):
                return None
            for bit, column in enumerate(columns[:bits]):
                steps[bit] += factor * ((column ^ mixed) - mixed)
        return tuple(steps)

    def split(self, index: Index) -> tuple[Index, Index]:
        """The part that is the same in the workgroup, and the part of the lane, without the constant."""
        own = index.part(self._divergent)
        return index - own - index.constant, own

    def substituted(self, index: Index, layout: Layout, register: int, data: Mapping[Symbol, Index]) -> Index:
        """An expression for the element of a register: its coordinates and data replaced."""
        known = dict(data)
        offsets = register_offsets(layout)[register]
        holders = layout.lanes + layout.waves
        for axis, named in enumerate(coordinates(layout.shape)):
            if named.is_constant:
                continue
            columns = tuple([split(basis, layout.sizes)[axis] for basis in holders])
            known[as_symbol(named)] = self._images(index, columns, offsets[axis])
        return index.substitute(known | self._wave(index, layout))

    def _wave(self, index: Index, layout: Layout) -> dict[Symbol, Index]:
        """The number `wave`, if an index names it: the bits of the local id above those of the lane."""
        named = wave_of(layout)
        if named.is_constant or as_symbol(named) not in index.symbols:
            return {}
        bits = [1 << bit for bit in range(len(layout.waves))]
        columns = (*(0,) * len(layout.lanes), *bits)
        return {as_symbol(named): self.image(columns)}

    def of_registers(self, index: Index, layout: Layout) -> Sequence[Index]:
        """An expression for the element of each register."""
        key = index, layout
        if key not in self._of_registers:
            count = layout.register_count
            self._of_registers[key] = self._stepped(index, layout) or [
                self.substituted(index, layout, register, {}) for register in range(count)
            ]
        return self._of_registers[key]

    def _stepped(self, index: Index, layout: Layout) -> Sequence[Index]:
        """An expression that all registers share, plus a number for each register; empty if no such numbers
        exist."""
        offsets, holders = register_offsets(layout), layout.lanes + layout.waves
        known = self._wave(index, layout)
        steps: dict[Symbol, list[int]] = {}
        for axis, named in enumerate(coordinates(layout.shape)):
            if named.is_constant or as_symbol(named) not in index.symbols:
                continue
            columns = tuple([split(basis, layout.sizes)[axis] for basis in holders])
            own = [offset[axis] for offset in offsets]
            if any(offset & mask_of(columns) for offset in own):
                return ()
            known[as_symbol(named)] = self._images(index, columns)
            if any(own):
                step = symbol(f"register{axis}", 0, max(own), gcd(*own))
                known[as_symbol(named)] += step
                steps[as_symbol(step)] = own
        whole = index.substitute(known)
        strides = [(of, whole.coefficient(of)) for of in steps]
        for of, stride in strides:
            whole -= symbol(of.name, of.low, of.high, of.multiple) * stride
        if whole.symbols & steps.keys():
            return ()
        return [
            whole + sum(steps[of][register] * stride for of, stride in strides)
            for register in range(len(offsets))
        ]


def _runs(mask: int) -> list[int]:
    """The runs of adjacent bits of a mask, lowest first."""
    runs: list[int] = []
    while mask:
        after = mask + (mask & -mask)
        runs.append(mask & ~after)
        mask &= after
    return runs
