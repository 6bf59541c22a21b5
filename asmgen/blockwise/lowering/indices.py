"""Index expressions as u32 of a lane: parts that are the same in the workgroup first, then those of the lane.

    1024*row + c1  with  reg(0:1 0:2) lane(0:4 ...)      mul = lane * 4; x = workgroup * 1024; x + mul

The coordinates of a register's element are what its lane and wave give, `4*lane`, and a constant of the
register. `substituted` puts that into an expression, whose bounds and multiples then say what an access may
be; `value` computes it. What was computed is found again in the region and in those inside it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from math import gcd
from typing import NamedTuple

from asmgen.blockwise.actions import Below
from asmgen.blockwise.layout.layout import Layout, split
from asmgen.blockwise.layout.queries import register_offsets
from asmgen.blockwise.lowering.bits import linear, mask_of
from asmgen.blockwise.lowering.conditions import HALF, Range, canonical, range_of
from asmgen.blockwise.program import Kernel
from asmgen.blockwise.types import coordinates
from asmgen.index import Index, Symbol, constant, symbol
from asmgen.index.atoms import (
    Atom,
    Minimum,
    Product,
    Quotient,
    Remainder,
    SizedQuotient,
    SizedRemainder,
    Smaller,
)
from asmgen.index.expression import as_symbol
from asmgen.index.reach import reach
from asmgen.ir.program import Value
from asmgen.ir.types import U32
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.ops import MAX_LANES

WORD = (1 << 32) - 1
Key = Index | Atom | Below | str | tuple[Index, int] | tuple[str, Index]


class Address(NamedTuple):
    """An index, and bytes that are added to where it is."""

    element: Value
    offset: int = 0


class Indices:
    """The index values of one kernel."""

    def __init__(self, builder: LaneBuilder, kernel: Kernel) -> None:
        self._builder = builder
        self._kernel = kernel
        self._symbols: dict[Symbol, Value] = {}
        self._images: dict[Symbol, tuple[tuple[int, ...], int]] = {}
        self._divergent: set[Symbol] = set()
        self._assumed: set[Below] = set()
        self._shared: set[Index] = set()
        self._of_registers: dict[tuple[Index, Layout], Sequence[Index]] = {}
        self._known: list[dict[Key, Value]] = [{}]

    @contextmanager
    def nested(self, conditions: Iterable[Below] = ()) -> Generator[None]:
        """Values made inside are not known outside: they are in a region. `conditions`, which are canonical,
        hold in it.
        """
        self._known.append({})
        before, self._assumed = self._assumed, self._assumed | set(conditions)
        try:
            yield
        finally:
            self._assumed = before
            _ = self._known.pop()

    def expect(self, indices: Iterable[Index]) -> None:
        """What is divided in `indices` is computed once: its multiples are made from it."""
        for index in indices:
            for atom, _ in index.terms:
                if not isinstance(atom, Symbol) and atom.inner not in self._shared:
                    self._shared.add(atom.inner)
                    self.expect((atom.inner,))

    def define(self, of: Symbol, value: Value) -> None:
        """A counter of a loop."""
        self._symbols[of] = value

    def data(self, value: Value, largest: int = WORD) -> Index:
        """The expression that is a lane's own u32."""
        index = symbol(value.name, 0, largest)
        self._symbols[as_symbol(index)] = value
        self._divergent.add(as_symbol(index))
        return index

    # Numbers of lanes

    def local(self) -> Value:
        return self._once("local", self._builder.local_id)

    def lane(self) -> Value:
        """The lane's number in its wave."""
        if self._kernel.waves == 1:
            return self.local()
        builder, last = self._builder, self._kernel.lanes - 1
        return self._once("lane", lambda: builder.bitwise_and(self.local(), builder.constant(last, U32)))

    def image(self, columns: tuple[int, ...], const: int = 0) -> Index:
        """The XOR of `const` and of the columns of those bits of the local id that are set."""
        mask = mask_of(columns)
        if not mask:
            return constant(const)
        unit = mask & -mask
        reduced, mixed = tuple([column // unit for column in columns]), (const & mask) // unit
        name = f"local({' '.join(map(str, reduced))}){mixed}"
        index = symbol(name, 0, mask // unit)
        self._images[as_symbol(index)] = reduced, mixed
        self._divergent.add(as_symbol(index))
        return index * unit + (const & ~mask)

    def lane_steps(self, index: Index, bits: int) -> tuple[int, ...] | None:
        """How much more an index is in the lane whose number has one bit alone than in the first, for each of
        some low bits; None where no sum of lanes' bits says it.
        """
        steps = [0] * bits
        for atom, factor in index.terms:
            columns, mixed = self._images.get(atom, ((), 0)) if isinstance(atom, Symbol) else ((), 0)
            if not columns and not atom.symbols.isdisjoint(self._divergent):
                return None
            for bit, column in enumerate(columns[:bits]):
                steps[bit] += factor * ((column ^ mixed) - mixed)
        return tuple(steps)

    # Expressions

    def substituted(self, index: Index, layout: Layout, register: int, data: Mapping[Symbol, Index]) -> Index:
        """An expression for the element of a register: its coordinates and data replaced."""
        known = dict(data)
        offsets = register_offsets(layout)[register]
        holders = layout.lanes + layout.waves
        for axis, named in enumerate(coordinates(layout.shape)):
            if named.is_constant:
                continue
            columns = tuple([split(basis, layout.sizes)[axis] for basis in holders])
            known[as_symbol(named)] = self.image(columns, offsets[axis])
        return index.substitute(known)

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
        """One expression and what each register adds to it; nothing where no number says what that is."""
        offsets, holders = register_offsets(layout), layout.lanes + layout.waves
        known: dict[Symbol, Index] = {}
        steps: dict[Symbol, list[int]] = {}
        for axis, named in enumerate(coordinates(layout.shape)):
            if named.is_constant or as_symbol(named) not in index.symbols:
                continue
            columns = tuple([split(basis, layout.sizes)[axis] for basis in holders])
            own = [offset[axis] for offset in offsets]
            if any(offset & mask_of(columns) for offset in own):
                return ()
            known[as_symbol(named)] = self.image(columns)
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

    def value(self, index: Index) -> Value:
        """The u32 that an expression is, modulo 2^32."""
        return self._once(index, lambda: self._sum(index))

    def address(self, index: Index, size: int) -> Address:
        """Where an element of `size` bytes of a buffer is: what varies, which is not negative, and what is
        added to it. Where the bounds of products of sizes say little, it is known that the index is not
        negative wherever an element is accessed.
        """
        varying = index - index.constant
        lift = max(0, -varying.low) and max(0, -reach(varying)[0])
        lift = lift if lift <= HALF else min(lift, max(0, index.constant))
        return Address(self.value(varying + lift), (index.constant - lift) * size)

    def split(self, index: Index) -> tuple[Index, Index]:
        """The part that is the same in the workgroup, and the part of the lane, without the constant."""
        own = index.part(self._divergent)
        return index - own - index.constant, own

    def below(self, condition: Below) -> Value | bool:
        """Whether a condition holds: known from its bounds, or a value."""
        known = canonical(condition)
        if isinstance(known, bool):
            return known
        if known in self._assumed:
            return True
        opposite = canonical(Below(known.right - 1, known.left))
        if isinstance(opposite, Below) and self._is_known(opposite):
            return self._once(known, lambda: self._builder.logical_not(self._less(opposite)))
        return self._less(known)

    def _less(self, known: Below) -> Value:
        left, right = known
        lift = max(0, -min(left.low, right.low))
        return self._once(
            known, lambda: self._builder.less(self.value(left + lift), self.value(right + lift))
        )

    def all_below(self, conditions: Sequence[Below | bool]) -> list[Value | bool]:
        """Whether each condition holds. Two that say between which numbers an index is are one: what is below
        the first of them is a large u32 where that is taken away.
        """
        left = [one if isinstance(one, bool) else canonical(one) for one in conditions]
        left = [True if one in self._assumed else one for one in left]
        found: list[Value | bool] = []
        while left:
            one = left.pop(0)
            pair = (
                None if isinstance(one, bool) else next(filter(None, map(partial(range_of, one), left)), None)
            )
            if isinstance(one, bool) or pair is None:
                found.append(one if isinstance(one, bool) else self.below(one))
                continue
            left.remove(pair.other)
            found.append(self._within(pair))
        return found

    def _within(self, pair: Range) -> Value:
        """Whether an index is at least `first`, and less than `first + length`."""
        builder, moved = self._builder, pair.of - pair.first

        def less() -> Value:
            whole = self.value(pair.of)
            start = self._once(moved, lambda: builder.add(whole, builder.constant(-pair.first & WORD, U32)))
            return builder.less(start, builder.constant(pair.length, U32))

        return self._once((moved, pair.length), less)

    def _sum(self, index: Index) -> Value:
        """What is the same in the workgroup, then the lane's part, then the constant. A multiple of something
        that is computed anyway is that times a number.
        """
        uniform, own = self.split(index)
        builder, total = self._builder, None
        factor = gcd(*[number for _, number in index.terms])
        if factor > 1:
            moved = index // factor if index.constant % factor == 0 else index
            if moved is not index and self._is_known(moved):
                return self._multiple(self.value(moved), factor, moved)
            smaller = (index - index.constant) // factor
            if smaller in self._shared or self._is_known(smaller):
                total = self._multiple(self.value(smaller), factor, smaller)
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
        return value if total is None else self._builder.add(total, value)

    def _term(self, atom: Atom, coefficient: int) -> Value:
        value = self._once(atom, lambda: self._atom(atom))
        return value if coefficient == 1 else self._multiple(value, coefficient, atom)

    def _multiple(self, value: Value, factor: int, of: Index | Atom) -> Value:
        """A multiple of the value that `of` is, by a number that may be negative."""
        most = of.high if of.low >= 0 else WORD
        return self._builder.multiple(value, factor & WORD, min(most, WORD))

    def _atom(self, atom: Atom) -> Value:
        builder = self._builder
        if isinstance(atom, Symbol):
            return self._symbol(atom)
        if isinstance(atom, Minimum):
            return self._smaller(atom.inner, constant(atom.by))
        if isinstance(atom, Smaller):
            return self._smaller(atom.inner, atom.limit)
        if isinstance(atom, Product):
            return builder.mul(self.value(atom.inner), self.value(atom.factor))
        if isinstance(atom, SizedQuotient | SizedRemainder):
            return self._by_size(atom)
        lifted = max(0, -(atom.inner.low // atom.by))
        positive, divisor = atom.inner + lifted * atom.by, builder.constant(atom.by, U32)
        is_power = atom.by & atom.by - 1 == 0
        if not is_power and not lifted and (near := self._near_known(atom, positive)) is not None:
            return near
        if not isinstance(atom, Quotient):
            if is_power:
                return builder.bitwise_and(self.value(positive), builder.constant(atom.by - 1, U32))
            quotient = positive // atom.by
            multiple = self._multiple(self.value(quotient), atom.by, quotient)
            return builder.sub(self.value(positive), multiple)
        if is_power:
            shift = builder.constant(atom.by.bit_length() - 1, U32)
            quotient = builder.shift_right(self.value(positive), shift)
        else:
            quotient = builder.div(self.value(positive), divisor)
        return builder.sub(quotient, builder.constant(lifted, U32)) if lifted else quotient

    def _by_size(self, atom: SizedQuotient | SizedRemainder) -> Value:
        """A quotient or a remainder by what the launch knows. That of the next number after one which is
        divided already goes on: the remainder is 0 where it gets to the divisor, and the quotient one more.
        """
        builder, by = self._builder, self.value(atom.divisor)
        before = atom.inner - 1
        is_next = before.low >= 0 and self._is_known(before.divided(atom.divisor))
        if isinstance(atom, SizedQuotient) and not is_next:
            return builder.div(self.value(atom.inner), by)
        if not is_next:
            quotient = self.value(atom.inner.divided(atom.divisor))
            return builder.sub(self.value(atom.inner), builder.mul(quotient, by))
        further = self._once(
            ("after", before.remaining(atom.divisor)),
            lambda: builder.add(self.value(before.remaining(atom.divisor)), builder.constant(1, U32)),
        )
        if isinstance(atom, SizedRemainder):
            return builder.min(further, builder.sub(further, by))
        one, zero = builder.constant(1, U32), builder.constant(0, U32)
        return builder.add(
            self.value(before.divided(atom.divisor)), builder.where(builder.equal(further, by), one, zero)
        )

    def _near_known(self, atom: Quotient | Remainder, inner: Index) -> Value | None:
        """A quotient or a remainder of a number that is a few more than one which is divided already: the
        remainder goes on, and is less by the divisor where it gets there.
        """
        step, by = inner.constant, atom.by
        base = inner - step
        if not 0 < step < min(by, MAX_LANES) or base.low < 0 or not self._is_known(base // by):
            return None
        builder, rest = self._builder, self.value(base % by)
        if isinstance(atom, Quotient):
            one, zero = builder.constant(1, U32), builder.constant(0, U32)
            is_next = builder.less(builder.constant(by - 1 - step, U32), rest)
            return builder.add(self.value(base // by), builder.where(is_next, one, zero))
        further = builder.add(rest, builder.constant(step, U32))
        return builder.min(further, builder.add(rest, builder.constant((step - by) & WORD, U32)))

    def _smaller(self, of: Index, limit: Index) -> Value:
        """Both moved to where they are not negative."""
        builder, lifted = self._builder, max(0, -of.low, -limit.low)
        at_most = self.value(limit + lifted)
        smaller = builder.min(self.value(of + lifted), at_most)
        return builder.sub(smaller, builder.constant(lifted, U32)) if lifted else smaller

    def _symbol(self, of: Symbol) -> Value:
        builder = self._builder
        if of in self._images:
            columns, mixed = self._images[of]
            image = linear(builder, self.local(), columns)
            assert image is not None
            return builder.bitwise_xor(image, builder.constant(mixed, U32)) if mixed else image
        if of in self._symbols:
            return self._symbols[of]
        return builder.workgroup_id(self._kernel.grid.index(of))

    def _is_known(self, key: Key) -> bool:
        return any(key in known for known in self._known)

    def _once(self, key: Key, make: Callable[[], Value]) -> Value:
        for known in self._known:
            if key in known:
                return known[key]
        made = make()
        self._known[-1][key] = made
        return made


def _cost(term: tuple[Atom, int]) -> tuple[bool, int]:
    """What is multiplied comes first: a shift costs nothing where it is added to something."""
    return term[1] & term[1] - 1 == 0, term[1]
