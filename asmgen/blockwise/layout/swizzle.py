"""Finds a placement of a tile in LDS that has no bank conflicts for its writes and its reads.

Offsets have three kinds of bits, and each kind gets a space of elements:

- the lowest bits are inside an access of a lane, and inside a word: they have the elements of the wider
  access's registers;
- the bits up to a *row*, which has a word for each bank, choose the bank;
- the bits above choose the row. Two lanes in the same row never conflict. Two lanes with elements that differ
  by a sum of row bits have the same bank and different rows: a conflict.

The lanes of a phase differ by a space of elements too, because every phase of every target is a coset of a
subspace of the lane bits. So an access has no conflict if the row bits' space intersects the space of a
phase's lanes and an access's registers only in 0. Writes and reads each have such a space. If neither has
more dimensions than there are bits below a row, a space that intersects both only in 0 always exists
(`f2.common_complement`); its bases become the row bits.

An access is consecutive and aligned only if nothing but its registers changes the lowest bits: the bits above
have their bases in the space of the holders' other elements.

A transpose of f32 `{32,32}` on gfx942: lanes go along a row in the write, and along a column in the read. A
write has four elements, the registers', and the bits from 7 on choose the row:

    written  reg(8:0 16:0) lane(0:1 0:2 0:4 0:8 0:16 1:0) wave(2:0 4:0)
    read     reg(0:8 0:16) lane(1:0 2:0 4:0 8:0 16:0 0:1) wave(0:2 0:4)
    found    offset(8:0 16:0 0:1 0:2 0:4 0:8 0:16 1:1 2:2 4:4)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from asmgen.blockwise.layout import f2
from asmgen.blockwise.layout.banks import TileAccess
from asmgen.blockwise.layout.layout import Layout, join, split
from asmgen.blockwise.layout.placement import Placement, placement
from asmgen.blockwise.layout.turned import bases_of, turned
from isa.lds_banks import WORD
from isa.named_tuple import NamedTuple
from isa.target import WIDEST_ACCESS, Target

_LANE_BITS = 6


def swizzle(write: TileAccess, read: TileAccess, target: Target) -> Placement | None:
    """A placement of the tile without conflicts, or None if these accesses have none.

    There is none if the registers of an access are not the first of the other's, because no order of offsets
    makes both consecutive. There is also none if the wider access keeps so many lanes of the other at the
    same lowest bits that the banks do not suffice. Accesses of single elements always have a placement.
    """
    assert write.layout.shape == read.layout.shape, (write, read)
    if write.layout.sizes != read.layout.sizes or not _nests(write, read):
        return None
    narrow, wide = sorted((write, read), key=lambda access: len(access.bits))
    basis = (*bases_of(wide), *_others(wide))
    if _mixes(narrow, basis):
        return None
    inside = min(max(len(wide.bits), _word_bits(write)), len(basis))
    served = [_Served.of(access, target, basis, inside) for access in (write, read)]
    near, far = sorted(served, key=lambda access: access.below_row)
    if any(len(access.space) > access.below_row for access in served):
        return None
    rows = f2.compose(basis[inside:], tuple(_row_bases(near, far, len(basis) - inside)))
    banks = f2.independent([*rows, *basis[inside:]])[len(rows) :]
    return placement(write.layout.sizes, (*basis[:inside], *banks, *rows), write.layout.repeat)


def accesses(written: Layout, read: Layout, element: int) -> tuple[tuple[TileAccess, TileAccess], ...]:
    """The pairs of a write and a read for which `swizzle` may find a placement, the fewest accesses first.

    `element` is the size of an element in bytes. The registers of an access have any independent elements;
    the offsets are chosen to suit them.
    """
    common = [basis for basis in written.registers if basis in read.registers and basis]
    most = (WIDEST_ACCESS // element).bit_length() - 1
    own = [
        [*common, *(basis for basis in layout.registers if basis and basis not in common)]
        for layout in (written, read)
    ]
    pairs: list[tuple[TileAccess, TileAccess]] = []
    for wide in range(min(most, len(own[0])), -1, -1):
        for broad in range(min(most, len(own[1])), -1, -1):
            if own[0][: min(wide, broad)] == own[1][: min(wide, broad)]:
                pairs.append(
                    (
                        _access(written, own[0][:wide], element, True),
                        _access(read, own[1][:broad], element, False),
                    )
                )
    return tuple(
        sorted(
            pairs, key=lambda pair: sum(access.layout.register_count >> len(access.bits) for access in pair)
        )
    )


@cache
def chosen(
    written: Layout, read: Layout, element: int, target: Target
) -> tuple[TileAccess, TileAccess, Placement]:
    """The fewest accesses without conflicts, and a placement for them, cheap to compute if possible."""
    for write, reads in accesses(written, read, element):
        swizzled = swizzle(write, reads, target)
        if swizzled is not None:
            return write, reads, turned(write, reads, target) or swizzled
    raise AssertionError("accesses of single elements have a placement for any two layouts of a tile")


@cache
def chosen_in_order(written: Layout, read: Layout, element: int, target: Target) -> Placement:
    """A placement without conflicts for reads of the first registers of a layout, as many together as can be,
    and for the fewest writes beside them."""
    for write, reads in _in_order(written, read, element):
        swizzled = swizzle(write, reads, target)
        if swizzled is not None:
            return turned(write, reads, target) or swizzled
    raise AssertionError("accesses of single elements have a placement for any two layouts of a tile")


@cache
def chosen_plainly(written: Layout, read: Layout, element: int, target: Target) -> Placement | None:
    """The same without a swizzle, so that the offsets of all reads are constants; None if that has
    conflicts."""
    for write, reads in _in_order(written, read, element):
        plain = _plain(reads)
        if all(_is_whole(access, plain) and is_free(access, plain, target) for access in (write, reads)):
            return plain
    return None


def _in_order(written: Layout, read: Layout, element: int) -> Iterator[tuple[TileAccess, TileAccess]]:
    """Writes, and reads of the first registers of a layout, the widest reads first."""
    most = (WIDEST_ACCESS // element).bit_length() - 1
    own = [basis for basis in read.registers[:most] if basis]
    common = [basis for basis in own if basis in written.registers]
    others = [basis for basis in written.registers if basis and basis not in common]
    for broad in range(len(own), -1, -1):
        reads = _access(read, own[:broad], element, False)
        for wide in range(min(most, len(common) + len(others)), -1, -1):
            yield _access(written, [*common, *others][:wide], element, True), reads


def _plain(read: TileAccess) -> Placement:
    """The placement in which the elements along the axis of an access are next to each other."""
    sizes = read.layout.sizes
    first = bases_of(read)[0] if read.bits else 1
    near = next(axis for axis, place in enumerate(split(first, sizes)) if place)
    bits = [
        join(tuple([1 << bit if at == axis else 0 for at in range(len(sizes))]), sizes)
        for axis in sorted(range(len(sizes)), key=lambda axis: axis != near)
        for bit in range(sizes[axis].bit_length() - 1)
    ]
    return placement(sizes, tuple(bits), read.layout.repeat)


def _is_whole(access: TileAccess, placed: Placement) -> bool:
    """Whether an access is consecutive in LDS."""
    return placed.offsets[: len(access.bits)] == tuple(bases_of(access))


@cache
def chosen_to_read(written: Layout, read: TileAccess, target: Target) -> Placement | None:
    """A placement without conflicts for a given read and the fewest writes, which are at least as wide; None
    if there is none."""
    inside = bases_of(read)
    if not set(inside) <= set(written.registers):
        return None
    own = [*inside, *[basis for basis in written.registers if basis and basis not in inside]]
    most = (WIDEST_ACCESS // read.element).bit_length() - 1
    for wide in range(min(most, len(own)), len(inside) - 1, -1):
        write = _access(written, own[:wide], read.element, True)
        swizzled = swizzle(write, read, target)
        if swizzled is not None:
            return turned(write, read, target) or swizzled
    return None


@cache
def is_free(access: TileAccess, placed: Placement, target: Target) -> bool:
    """Whether an access of a tile that is placed without padding or repetition has no bank conflicts."""
    inside = max(len(access.bits), _word_bits(access))
    served = _Served.of(access, target, placed.offsets, inside)
    rows = [1 << bit for bit in range(served.below_row, len(placed.offsets) - inside)]
    return not f2.intersection(served.space, rows)


def _access(layout: Layout, bases: list[int], element: int, stores: bool) -> TileAccess:
    return TileAccess(layout, tuple([layout.registers.index(basis) for basis in bases]), element, stores)


def _nests(write: TileAccess, read: TileAccess) -> bool:
    written, taken = bases_of(write), bases_of(read)
    both = min(len(written), len(taken))
    return written[:both] == taken[:both] and 0 not in (*written, *taken)


def _word_bits(access: TileAccess) -> int:
    """How many bits of an offset, in elements, are inside a word."""
    return max(1, WORD // access.element).bit_length() - 1


def _others(access: TileAccess) -> list[int]:
    """The bases of a holder that an access's registers have no part in; they complete those to a basis of all
    elements.
    """
    inside = bases_of(access)
    return [basis for basis in access.layout.columns if basis and basis not in inside]


def _mixes(narrow: TileAccess, basis: f2.Columns) -> bool:
    """Whether an access is not consecutive in LDS, because something other than its registers changes the
    lowest bits of its offsets.
    """
    own = (1 << len(narrow.bits)) - 1
    return any((f2.solve(basis, other) or 0) & own for other in _others(narrow))


class _Served(NamedTuple):
    """The condition of an access on the row bits. Elements are written without their lowest bits, which are
    inside an access.
    """

    space: list[int]  # differences of a phase's elements with equal lowest bits
    below_row: int  # how many of the bits choose the bank

    @classmethod
    def of(cls, access: TileAccess, target: Target, basis: f2.Columns, inside: int) -> _Served:
        served = target.lds_access(access.bytes, access.stores)
        lanes = [
            access.layout.lanes[bit] if bit < len(access.layout.lanes) else 0 for bit in range(_LANE_BITS)
        ]
        apart = [f2.apply(lanes, lane ^ served.phases[0][0]) for lane in served.phases[0]]
        word = basis[: _word_bits(access)]  # lanes in different parts of a word use the same bank
        whole = [f2.solve(basis, vector) or 0 for vector in (*bases_of(access), *word, *apart)]
        row = (served.banks * WORD // access.element).bit_length() - 1
        above = [1 << bit for bit in range(inside, len(basis))]
        return cls(
            [vector >> inside for vector in f2.intersection(whole, above)], min(row, len(basis)) - inside
        )


def _row_bases(near: _Served, far: _Served, bits: int) -> list[int]:
    """The bases of the offset bits from the nearer row on: their space meets the nearer access's in 0 alone.

    Of those from the farther row on, the last, the space meets the farther access's in 0 alone too.
    """
    first = [*near.space, *f2.completed(near.space, bits)][: near.below_row]
    second = [*far.space, *f2.completed(far.space, bits)][: far.below_row]
    rows = f2.common_complement(first, second[: near.below_row], bits)
    return f2.independent([*f2.intersection(rows, second), *rows])
