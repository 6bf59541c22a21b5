"""Computes index expressions as u32 of a lane: first the uniform part of the workgroup, then the lane's part.

    1024*row + 4*local(1 2 4 ...)      mul = lane * 4; x = workgroup * 1024; x + mul

A computed value is reused in its region and in the regions inside it. `places` makes the expressions of a
tile's elements.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from math import gcd

from asmgen.blockwise.actions import ZERO, Below
from asmgen.blockwise.lowering.addresses.bits import linear
from asmgen.blockwise.lowering.addresses.places import Places
from asmgen.blockwise.program import Kernel
from asmgen.index import Index, Symbol, symbol
from asmgen.index.expression import as_symbol
from asmgen.index.nodes import (
    Atom,
    Minimum,
    Product,
    Quotient,
    Remainder,
    SizedQuotient,
    SizedRemainder,
    Smaller,
    Terms,
)
from asmgen.index.reach import smallest
from asmgen.ir.program import Value
from asmgen.ir.types import U32
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.records import ANY_BYTES, Touched, workgroup_symbol
from asmgen.lanewise.result_types import MAX_LANES
from isa.named_tuple import NamedTuple

WORD = (1 << 32) - 1
HALF = 1 << 30  # two numbers below it have a sum that is an i32


class _Lanes(NamedTuple):
    """The elements of all lanes are from n to n + spread, and n is one of first, first + step, ..., last."""

    first: int
    last: int
    step: int
    spread: int


_Range = tuple[Index, Index, _Lanes | None]
Key = (
    Index | Atom | Below | str
    | tuple[Index, int] | tuple[str, Index] | tuple[str, int] | tuple[Value, Value]
)  # fmt: skip


class Address(NamedTuple):
    """The index of an element, an offset in bytes, and the memory that the lanes reach there."""

    element: Value
    offset: int = 0
    touched: Touched = ANY_BYTES


class IndexValues:
    """The index values of a kernel. `assumed` are the canonical conditions that are true in the current
    region.
    """

    def __init__(self, builder: LaneBuilder, kernel: Kernel, places: Places) -> None:
        self.builder = builder
        self._kernel = kernel
        self._places = places
        self._symbols: dict[Symbol, Value] = {}
        self.assumed: set[Below] = set()
        self._shared: set[Index] = set()
        # by the symbols of the kernel, those in which accesses state the memory that they touch
        self._stated: dict[Symbol, Index] = {dim: symbol(dim.name) for dim in kernel.dims}
        # those ids that follow from the order in which workgroups start are not symbols of an access
        self._own = frozenset(kernel.grid) if kernel.passes_on else frozenset[Symbol]()
        self._stated.update({of: workgroup_symbol(axis) for axis, of in enumerate(kernel.grid)})
        self._ranges: dict[tuple[Terms, Index, int, bool], _Range] = {}
        self._known: list[dict[Key, Value]] = [{}]

    @contextmanager
    def nested(self, conditions: Iterable[Below] = ()) -> Generator[None]:
        """A region: values made inside are not known outside. The canonical `conditions` are true inside."""
        self._known.append({})
        before, self.assumed = self.assumed, self.assumed | set(conditions)
        try:
            yield
        finally:
            self.assumed = before
            _ = self._known.pop()

    def expect(self, indices: Iterable[Index]) -> None:
        """Mark the dividends in `indices` as shared: their multiples are computed from them."""
        for index in indices:
            for atom, _ in index.terms:
                if not isinstance(atom, Symbol) and atom.inner not in self._shared:
                    self._shared.add(atom.inner)
                    self.expect((atom.inner,))

    def define(self, of: Symbol, value: Value) -> None:
        """A named dim, or the counter of a loop."""
        self._symbols[of] = value

    def count(self, counter: Symbol, start: Index, step: int, trip: str) -> None:
        """The counter of a loop is `start` and `step` times the number of the trip."""
        self._stated[counter] = start.substitute(self._stated) + symbol(trip) * step

    def data(self, value: Value, largest: int = WORD) -> Index:
        """The expression that is a lane's own u32."""
        index = symbol(value.name, 0, largest)
        self._symbols[as_symbol(index)] = value
        self._places.diverges(as_symbol(index))
        return index

    # Numbers of lanes

    def local(self) -> Value:
        return self.once("local", self.builder.local_id)

    def lane(self) -> Value:
        """The lane's number in its wave."""
        if self._kernel.waves == 1:
            return self.local()
        builder, last = self.builder, self._kernel.lanes - 1
        return self.once("lane", lambda: builder.bitwise_and(self.local(), builder.constant(last, U32)))

    # Expressions

    def value(self, index: Index) -> Value:
        """The u32 that an expression is, modulo 2^32."""
        return self.once(index, lambda: self._sum(index))

    def address(self, index: Index, size: int, length: int, slot: Index = ZERO, elements: int = 0) -> Address:
        """The address of `length` elements of `size` bytes in a slot of `elements` elements: a variable part
        that is not negative, and an offset. If the bounds of products of sizes are loose, the index of an
        accessed element is taken as not negative.
        """
        touched = self.touched(index, size, length, slot)
        index += slot * elements
        varying = index - index.constant
        lift = max(0, -varying.low) and max(0, -smallest(varying))
        lift = lift if lift <= HALF else min(lift, max(0, index.constant))
        return Address(self.value(varying + lift), (index.constant - lift) * size, touched)

    def flipped(self, value: Value, bits: int) -> Value:
        """A value with some bits flipped."""
        builder = self.builder
        return self.once((value.name, bits), lambda: builder.bitwise_xor(value, builder.constant(bits, U32)))

    def touched(
        self, index: Index, size: int, length: int, slot: Index = ZERO, or_none: bool = False
    ) -> Touched:
        """The bytes of a slot that `length` elements of `size` bytes from an index on are. With `or_none`
        the lane's part of the index is 0 in some lanes."""
        key = index.terms, slot, length, or_none
        if key not in self._ranges:
            self._ranges[key] = self._range(index, length, slot, or_none)
        slot, uniform, own = self._ranges[key]
        if own is None:
            return Touched(slot)
        start = index.constant
        first, last, step, spread = own.first + start, own.last + start, own.step, own.spread
        return Touched(slot, uniform * size, (first * size, last * size, step * size, spread * size))

    def _range(self, index: Index, length: int, slot: Index, or_none: bool) -> _Range:
        """The slot, the part of an index that is the same in all lanes, and the range of the lane's part:
        none if the lane's part may be any u32."""
        uniform, own = self._places.split(index)
        if not self._own.isdisjoint(uniform.symbols):
            return slot.substitute(self._stated), ZERO, None
        uniform, slot = (of.substitute(self._stated) for of in (uniform, slot))
        if own.high - own.low >= WORD:
            return slot, uniform, None
        if or_none:
            low = min(own.low, 0)
            return slot, uniform, _Lanes(low, low, 1, max(own.high, 0) - low)
        return slot, uniform, _lanes_of(own, length)

    def _sum(self, index: Index) -> Value:
        """Add the uniform part of the workgroup, the lane's part, and the constant, in this order. If the sum
        is a multiple of an expression that is computed anyway, multiply that expression.
        """
        uniform, own = self._places.split(index)
        builder, total = self.builder, None
        factor = gcd(*[number for _, number in index.terms])
        if factor > 1:
            moved = index // factor if index.constant % factor == 0 else index
            if moved is not index and self.is_known(moved):
                return self.multiple(self.value(moved), factor, moved)
            smaller = (index - index.constant) // factor
            if smaller in self._shared or self.is_known(smaller):
                total = self.multiple(self.value(smaller), factor, smaller)
                return builder.add(total, builder.constant(index.constant, U32)) if index.constant else total
        if uniform.terms and own.terms:
            total = builder.add(self.value(uniform), self.value(own))
            return builder.add(total, builder.constant(index.constant, U32)) if index.constant else total
        taken = [(atom, number) for atom, number in index.terms if number < 0]
        for atom, number in sorted(index.terms, key=_cost):
            if number > 0:
                total = self._plus(total, self._term(atom, number))
        if total is None or index.constant:
            total = self._plus(total, builder.constant(index.constant, U32))
        for atom, number in taken:
            total = builder.sub(total, self._term(atom, -number))
        return total

    def _plus(self, total: Value | None, value: Value) -> Value:
        return value if total is None else self.builder.add(total, value)

    def _term(self, atom: Atom, coefficient: int) -> Value:
        value = self.once(atom, lambda: _atom_value(self, atom))
        return value if coefficient == 1 else self.multiple(value, coefficient, atom)

    def multiple(self, value: Value, factor: int, of: Index | Atom) -> Value:
        """A multiple of the value that `of` is, by a number that may be negative."""
        most = of.high if of.low >= 0 else WORD
        return self.builder.multiple(value, factor & WORD, min(most, WORD))

    def of_symbol(self, of: Symbol) -> Value:
        """The value of a counter, a named dim, a datum, an image of the local id or the id of a workgroup."""
        builder = self.builder
        if of in self._places.images:
            columns, mixed = self._places.images[of]
            image = linear(builder, self.local(), columns)
            assert image is not None
            return builder.bitwise_xor(image, builder.constant(mixed, U32)) if mixed else image
        if of in self._symbols:
            return self._symbols[of]
        return builder.workgroup_id(self._kernel.grid.index(of))

    # Values that exist already

    def is_known(self, key: Key) -> bool:
        """Whether a value is computed already."""
        return any(key in known for known in self._known)

    def once(self, key: Key, make: Callable[[], Value]) -> Value:
        """The value known by a key; computed by `make` the first time."""
        for known in self._known:
            if key in known:
                return known[key]
        made = make()
        self._known[-1][key] = made
        return made


def _lanes_of(own: Index, length: int) -> _Lanes:
    """The elements from which on lanes touch `length` elements, `own` in each lane. The terms with small
    coefficients are the spread, if the step of the others leaves a gap:

        64*row + 2*column, columns from 0 to 7      0 to 14 from each 64
    """
    terms = sorted([(abs(number) * atom.multiple, atom, number) for atom, number in own.terms], key=_first)
    best, gap = _Lanes(own.low, own.low, 1, own.high - own.low), 1.0
    for count in range(len(terms)):
        step = gcd(*[size for size, _, _ in terms[count:]])
        low, spread = _ends([(atom, number) for _, atom, number in terms[:count]])
        if step > gap * (spread + length):
            gap = step / (spread + length)
            first, extent = _ends([(atom, number) for _, atom, number in terms[count:]])
            first = -(-first // step) * step
            best = _Lanes(first + low, first + low + extent // step * step, step, spread)
    return best


def _ends(terms: Sequence[tuple[Atom, int]]) -> tuple[int, int]:
    """The least value of a sum, and how much more the largest is."""
    least = sum([number * (atom.low if number > 0 else atom.high) for atom, number in terms])
    return least, sum([abs(number) * (atom.high - atom.low) for atom, number in terms])


def _first(term: tuple[int, Atom, int]) -> int:
    return term[0]


def _cost(term: tuple[Atom, int]) -> tuple[bool, int]:
    """The order of the terms of a sum: multiplied terms first. A shift costs nothing in an addition, which
    then needs another term before it."""
    return term[1] & term[1] - 1 == 0, term[1]


# Quotients, remainders, minimums and products


def _atom_value(indices: IndexValues, atom: Atom) -> Value:
    """The u32 of an atom, modulo 2^32."""
    builder = indices.builder
    if isinstance(atom, Symbol):
        return indices.of_symbol(atom)
    if isinstance(atom, Minimum | Smaller):
        return _smaller(indices, *atom.sides)
    if isinstance(atom, Product):
        return builder.mul(indices.value(atom.inner), indices.value(atom.by))
    if isinstance(atom, SizedQuotient | SizedRemainder):
        return _by_size(indices, atom)
    lifted = max(0, -(atom.inner.low // atom.by))
    positive, divisor = atom.inner + lifted * atom.by, builder.constant(atom.by, U32)
    is_power = atom.by & atom.by - 1 == 0
    if not is_power and not lifted and (near := _near_known(indices, atom, positive)) is not None:
        return near
    if not isinstance(atom, Quotient):
        if is_power:
            return builder.bitwise_and(indices.value(positive), builder.constant(atom.by - 1, U32))
        quotient = positive // atom.by
        multiple = indices.multiple(indices.value(quotient), atom.by, quotient)
        return builder.sub(indices.value(positive), multiple)
    if is_power:
        shift = builder.constant(atom.by.bit_length() - 1, U32)
        quotient = builder.shift_right(indices.value(positive), shift)
    else:
        quotient = builder.div(indices.value(positive), divisor)
    return builder.sub(quotient, builder.constant(lifted, U32)) if lifted else quotient


def _by_size(indices: IndexValues, atom: SizedQuotient | SizedRemainder) -> Value:
    """A quotient or a remainder by a size that only the launch knows.

    If x is divided already, x + 1 needs no division: its remainder is that of x plus 1. If the sum reaches
    the divisor, the remainder is 0 instead, and the quotient grows by 1.
    """
    builder, by = indices.builder, indices.value(atom.by)
    before = atom.inner - 1
    is_next = before.low >= 0 and indices.is_known(before.divided(atom.by))
    if isinstance(atom, SizedQuotient) and not is_next:
        return builder.div(indices.value(atom.inner), by)
    if not is_next:
        quotient = indices.value(atom.inner.divided(atom.by))
        return builder.sub(indices.value(atom.inner), builder.mul(quotient, by))
    further = indices.once(
        ("after", before.remaining(atom.by)),
        lambda: builder.add(indices.value(before.remaining(atom.by)), builder.constant(1, U32)),
    )
    if isinstance(atom, SizedRemainder):
        return builder.min(further, builder.sub(further, by))
    one, zero = builder.constant(1, U32), builder.constant(0, U32)
    return builder.add(
        indices.value(before.divided(atom.by)), builder.where(builder.equal(further, by), one, zero)
    )


def _near_known(indices: IndexValues, atom: Quotient | Remainder, inner: Index) -> Value | None:
    """A quotient or a remainder of x + step for a small step, if x is divided already: the remainder grows by
    the step. If it reaches the divisor, the divisor is subtracted, and the quotient grows by 1.
    """
    step, by = inner.constant, atom.by
    base = inner - step
    if not 0 < step < min(by, MAX_LANES) or base.low < 0 or not indices.is_known(base // by):
        return None
    builder, rest = indices.builder, indices.value(base % by)
    if isinstance(atom, Quotient):
        one, zero = builder.constant(1, U32), builder.constant(0, U32)
        is_next = builder.less(builder.constant(by - 1 - step, U32), rest)
        return builder.add(indices.value(base // by), builder.where(is_next, one, zero))
    further = builder.add(rest, builder.constant(step, U32))
    return builder.min(further, builder.add(rest, builder.constant((step - by) & WORD, U32)))


def _smaller(indices: IndexValues, of: Index, limit: Index) -> Value:
    """The smaller of two indices. Both are moved up first, so that neither is negative as a u32."""
    builder, lifted = indices.builder, max(0, -of.low, -limit.low)
    at_most = indices.value(limit + lifted)
    smaller = builder.min(indices.value(of + lifted), at_most)
    return builder.sub(smaller, builder.constant(lifted, U32)) if lifted else smaller
