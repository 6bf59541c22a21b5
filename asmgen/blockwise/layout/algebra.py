"""Layouts from layouts: the identity, invert, product, divide, transpose, project.

identity(8, Part.LANES)                      lane(1 2 4)
product(reg(1 2), lane(1 2 4))               reg(1 2) lane(4 8 16): eight lanes with four elements each
divide(reg(1 2 32) lane(4 8 16), reg(1 2))   placed by reg(8) lane(1 2 4), which number the tiles of four
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import cache
from itertools import product as every

from asmgen.blockwise.layout import f2
from asmgen.blockwise.layout.layout import (
    Holder,
    Layout,
    Sizes,
    absorbed,
    fault,
    join,
    layout,
    moved,
    split,
    without_axes,
)
from isa.diagnostics import InternalError
from isa.named_tuple import NamedTuple


class Part(Enum):
    """The three parts of a holder's number."""

    REGISTERS = "reg"
    LANES = "lane"
    WAVES = "wave"


def identity(size: int, part: Part) -> Layout:
    """An axis of `size` elements, an element for each number of the part."""
    steps = tuple([1 << bit for bit in range((size - 1).bit_length())])
    if part is Part.REGISTERS:
        return layout((size,), steps)
    return layout((size,), (), steps) if part is Part.LANES else layout((size,), (), (), steps)


@cache
def invert(of: Layout) -> f2.Columns:
    """For each bit of an element's number, the number (`Layout.number`) of its holder. Bits with a zero basis
    (copies) are 0 in it.

    For a repeated layout this is the inverse within the repeated tile.
    """
    inverse = f2.right_inverse(of.columns, of.bits)
    assert inverse is not None, "a layout reaches every element"
    return inverse


def holder_of(of: Layout, element: Sizes) -> Holder:
    """The holder of an element with copying bits of 0."""
    inside = tuple([at % size for at, size in zip(element, of.sizes, strict=True)])
    turn = join(tuple([at // size for at, size in zip(element, of.sizes, strict=True)]), of.counts)
    number = f2.apply(invert(of), join(inside, of.sizes))
    register, number = number & (1 << len(of.registers)) - 1, number >> len(of.registers)
    return Holder(register | turn << len(of.registers), number & of.lane_count - 1, number >> len(of.lanes))


def holders(of: Layout) -> Iterator[Holder]:
    """Every holder, by wave, lane and register."""
    for wave, lane, register in every(range(of.wave_count), range(of.lane_count), range(of.register_count)):
        yield Holder(register, lane, wave)


@cache
def product(inner: Layout, outer: Layout) -> Layout:
    """`outer` places tiles of `inner`.

    The low bits of each part are `inner`'s; the high bits are `outer`'s, scaled by `inner`'s sizes.
    """
    if inner.repeat or inner.rank != outer.rank:
        got = f"tiles of {inner.shape} in {outer.shape}"
        raise InternalError(
            "blockwise", "product", f"got {got}, wanted equal ranks, the inner layout not repeated"
        )
    sizes = tuple([low * high for low, high in zip(inner.sizes, outer.sizes, strict=True)])
    low, high = moved(inner, sizes), moved(outer, sizes, lambda at: _scaled(at, inner.sizes))
    registers, lanes, waves = low.registers + high.registers, low.lanes + high.lanes, low.waves + high.waves
    return layout(sizes, registers, lanes, waves, outer.repeat)


def _scaled(coordinates: Sizes, by: Sizes) -> Sizes:
    return tuple([at * size for at, size in zip(coordinates, by, strict=True)])


def _divided(coordinates: Sizes, by: Sizes) -> Sizes:
    return tuple([at // size for at, size in zip(coordinates, by, strict=True)])


class Division(NamedTuple):
    """A layout that consists of tiles of another, which `quotient` places.

    `bits` are the register bits that the tiles take, in their order, and `rest` those that are left to the
    quotient: naming registers costs nothing, so that they may be any.
    """

    quotient: Layout
    bits: tuple[int, ...]
    rest: tuple[int, ...]


@cache
def divide(whole: Layout, inner: Layout) -> Division | None:
    """The layout that places tiles of `inner` to make up `whole`; None if there is none.

    The low lane and wave bits of `whole` are `inner`'s; its register bits may be any.
    """
    if inner.repeat or inner.rank != whole.rank or any(map(int.__gt__, inner.sizes, whole.sizes)):
        return None
    registers, lanes, waves = moved(inner, whole.sizes)
    if whole.lanes[: len(lanes)] != lanes or whole.waves[: len(waves)] != waves:
        return None
    if len(set(registers)) != len(registers) or not set(registers) <= set(whole.registers):
        return None
    bits = tuple([whole.registers.index(basis) for basis in registers])
    rest = tuple([bit for bit in range(len(whole.registers)) if bit not in bits])
    left = (
        tuple([whole.registers[bit] for bit in rest]),
        whole.lanes[len(lanes) :],
        whole.waves[len(waves) :],
    )
    if any(
        at % size
        for part in left
        for basis in part
        for at, size in zip(split(basis, whole.sizes), inner.sizes, strict=True)
    ):
        return None
    sizes = _divided(whole.sizes, inner.sizes)
    parts = [
        tuple([join(_divided(split(basis, whole.sizes), inner.sizes), sizes) for basis in part])
        for part in left
    ]
    return Division(layout(sizes, parts[0], parts[1], parts[2], whole.repeat), bits, rest)


def transpose(of: Layout, axes: tuple[int, ...]) -> Layout:
    """Axis i of the result is axis `axes[i]` of `of`."""
    sizes = tuple([of.sizes[axis] for axis in axes])
    repeat = tuple([of.counts[axis] for axis in axes])
    repeated = [axis for axis in axes if of.counts[axis] > 1]
    if repeated != sorted(repeated):
        raise InternalError(
            "blockwise", "transpose", "axes along which a layout repeats change places, and so registers"
        )
    bases = moved(of, sizes, lambda at: tuple([at[axis] for axis in axes]))
    return layout(sizes, bases.registers, bases.lanes, bases.waves, repeat)


@cache
def project(of: Layout, axes: tuple[int, ...]) -> Layout | None:
    """The tile with a single element along `axes`: bases along them are zero; registers with only copies are
    left out.

    A reduction along `axes` has a result in this layout, and a broadcast along them takes it. None if bases
    that differ only along `axes` become equal, which is not a layout.
    """
    sizes = tuple([1 if axis in axes else size for axis, size in enumerate(of.sizes)])
    repeat = tuple([1 if axis in axes else count for axis, count in enumerate(of.counts)])
    bases = moved(of, sizes, lambda at: without_axes(at, axes))
    registers = tuple([basis for basis in bases.registers if basis])
    repeats = repeat if any(count > 1 for count in repeat) else ()
    made = Layout(sizes, registers, bases.lanes, bases.waves, repeats)
    return None if fault(made) else absorbed(made)
