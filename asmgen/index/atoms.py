"""The atoms of which index expressions are sums: symbols, and quotients, remainders, minimums and products
of an index. Those by a number are atoms of their own, of which more is known than of those by a size.

Atoms are compared by identity: `asmgen.index.expression` makes each once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from asmgen.index.expression import Index

    Number = TypeVar("Number", int, NDArray[np.int64])


class Symbol(Struct, frozen=True, eq=False):
    """A number that is not known yet, from `low` to `high`, both included; `multiple` divides it. Where the
    launch knows how large it is at most, `most` says that, and `high` is that of the largest dims. `is_dim`
    is what the launch knows itself. Made by `symbol` and `dim_symbol`.
    """

    name: str
    low: int
    high: int
    multiple: int
    most: Index | None = None
    is_dim: bool = False

    @property
    def text(self) -> str:
        return self.name

    @property
    def symbols(self) -> frozenset[Symbol]:
        return frozenset((self,))

    def __repr__(self) -> str:
        return self.name


class _OfIndex(Struct, frozen=True, eq=False):
    """An atom that is made of an index and a number; `index` and `number` make it of another one."""

    inner: Index
    by: int
    text: str
    low: int
    high: int
    multiple: int

    @property
    def symbols(self) -> frozenset[Symbol]:
        return self.inner.symbols

    def index(self, inner: Index) -> Index:
        """The atom of another inner expression; each kind of atom says how."""
        raise NotImplementedError

    def number(self, inner: Number) -> Number:
        """The atom's value for a value of its inner expression; each kind of atom says how."""
        raise NotImplementedError

    def evaluate(self, values: Mapping[Symbol, Number], zero: Number) -> Number:
        return self.number(self.inner.evaluate(values, zero))

    def substitute(self, values: Mapping[Symbol, Index]) -> Index:
        return self.index(self.inner.substitute(values))


class Quotient(_OfIndex, frozen=True, eq=False):
    """`inner` divided by `by`, rounded down."""

    def index(self, inner: Index) -> Index:
        return inner // self.by

    def number(self, inner: Number) -> Number:
        return inner // self.by


class Remainder(_OfIndex, frozen=True, eq=False):
    """The remainder of `inner` divided by `by`, from 0 to `by - 1`."""

    def index(self, inner: Index) -> Index:
        return inner % self.by

    def number(self, inner: Number) -> Number:
        return inner % self.by


class Minimum(_OfIndex, frozen=True, eq=False):
    """The smaller of `inner` and `by`."""

    def index(self, inner: Index) -> Index:
        return inner.at_most(self.by)

    def number(self, inner: Number) -> Number:
        return inner - (inner > self.by) * (inner - self.by)


class Smaller(Struct, frozen=True, eq=False):
    """The smaller of two indices: `min(c0 + 16*row, n - 1)`."""

    inner: Index
    limit: Index
    text: str
    low: int
    high: int
    multiple: int

    @property
    def symbols(self) -> frozenset[Symbol]:
        return self.inner.symbols | self.limit.symbols

    def evaluate(self, values: Mapping[Symbol, Number], zero: Number) -> Number:
        left, right = self.inner.evaluate(values, zero), self.limit.evaluate(values, zero)
        return left - (left > right) * (left - right)

    def substitute(self, values: Mapping[Symbol, Index]) -> Index:
        return self.inner.substitute(values).smaller(self.limit.substitute(values))


class Product(Struct, frozen=True, eq=False):
    """An atom times another one: `row*n`, where the launch knows n."""

    inner: Index
    factor: Index
    text: str
    low: int
    high: int
    multiple: int

    @property
    def symbols(self) -> frozenset[Symbol]:
        return self.inner.symbols | self.factor.symbols

    def evaluate(self, values: Mapping[Symbol, Number], zero: Number) -> Number:
        return self.inner.evaluate(values, zero) * self.factor.evaluate(values, zero)

    def substitute(self, values: Mapping[Symbol, Index]) -> Index:
        return self.inner.substitute(values).times(self.factor.substitute(values))


class _OfTwo(Struct, frozen=True, eq=False):
    """An atom that is made of an index and another one by which it is divided."""

    inner: Index
    divisor: Index
    text: str
    low: int
    high: int
    multiple: int

    @property
    def symbols(self) -> frozenset[Symbol]:
        return self.inner.symbols | self.divisor.symbols

    def both(self, values: Mapping[Symbol, Number], zero: Number) -> tuple[Number, Number]:
        """The values of both, of the divisor 1 where it is 0: nothing is there then."""
        divisor = self.divisor.evaluate(values, zero)
        return self.inner.evaluate(values, zero), divisor - (divisor < 1) * (divisor - 1)


class SizedQuotient(_OfTwo, frozen=True, eq=False):
    """`inner` divided by what the launch knows, rounded down."""

    def evaluate(self, values: Mapping[Symbol, Number], zero: Number) -> Number:
        inner, divisor = self.both(values, zero)
        return inner // divisor

    def substitute(self, values: Mapping[Symbol, Index]) -> Index:
        return self.inner.substitute(values).divided(self.divisor.substitute(values))


class SizedRemainder(_OfTwo, frozen=True, eq=False):
    """The remainder of `inner` divided by what the launch knows."""

    def evaluate(self, values: Mapping[Symbol, Number], zero: Number) -> Number:
        inner, divisor = self.both(values, zero)
        return inner % divisor

    def substitute(self, values: Mapping[Symbol, Index]) -> Index:
        return self.inner.substitute(values).remaining(self.divisor.substitute(values))


Atom = Symbol | Quotient | Remainder | Minimum | Smaller | Product | SizedQuotient | SizedRemainder
