"""What an index expression is made of, and what can be asked of it: its text, its symbols, its value.

`asmgen.index.expression` has the arithmetic, which makes each sum once.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from asmgen.index.atoms import Atom, Minimum, Product, Smaller, Symbol

if TYPE_CHECKING:
    from asmgen.index.atoms import Number
    from asmgen.index.expression import Index
    from isa.diagnostics import Place

Plain = TypeVar("Plain", bound=int | float)
Terms = tuple[tuple[Atom, int], ...]


class NotAnIndex(ValueError):
    """What is no index expression: a quotient of two that both vary. `place` is that of the statement that
    asks for it, where it is known.
    """

    place: Place | None = None


class OfDims(int):
    """A whole number that is known at the launch, as the largest that it may be (`asmgen.index.size`)."""

    expression: Index


def plain(number: Plain) -> Plain:
    """A number that is in the code; `NotAnIndex` for a size that only the launch knows."""
    if isinstance(number, OfDims):
        raise NotAnIndex(f"{number} as a number in the code")
    return number


class Sum(Struct, frozen=True, eq=False):
    """`constant` and the sum of `terms`, atoms with their coefficients in the order of the atoms' text."""

    terms: Terms
    constant: int
    low: int
    high: int
    multiple: int  # divides every value; 0 where that is 0

    @property
    def bounds(self) -> tuple[int, int]:
        """The smallest and largest value that the bounds of the symbols allow, or ends that contain them."""
        return self.low, self.high

    @property
    def is_constant(self) -> bool:
        return not self.terms

    @property
    def text(self) -> str:
        """`1024*row + c1 - 3`, which `asmgen.index.text` reads."""
        parts = [_term(atom, coefficient) for atom, coefficient in self.terms]
        if self.constant or not parts:
            parts.append(str(self.constant))
        return " + ".join(parts).replace("+ -", "- ")

    @property
    def symbols(self) -> frozenset[Symbol]:
        """Every symbol in it, those inside quotients and remainders too."""
        return _symbols(self)

    def coefficient(self, of: Symbol) -> int:
        """The coefficient of a symbol outside quotients and remainders, 0 where it has none."""
        return next((coefficient for atom, coefficient in self.terms if atom is of), 0)

    def evaluate(self, values: Mapping[Symbol, Number], zero: Number) -> Number:
        """The value for values of the symbols: integers, or arrays of numpy that broadcast; `zero` is one of
        them.
        """
        result = zero + self.constant
        for atom, coefficient in self.terms:
            number = values[atom] if isinstance(atom, Symbol) else atom.evaluate(values, zero)
            result = result + number * coefficient
        return result

    def __repr__(self) -> str:
        return f"Index({self.text})"


@cache
def _symbols(of: Sum) -> frozenset[Symbol]:
    return frozenset([symbol for atom, _ in of.terms for symbol in atom.symbols])


def in_brackets(of: Sum) -> str:
    """A sum as a factor: a symbol, or what is in brackets."""
    is_symbol = (
        len(of.terms) == 1 and not of.constant and of.terms[0][1] == 1 and isinstance(of.terms[0][0], Symbol)
    )
    return of.text if is_symbol else f"({of.text})"


def _term(atom: Atom, coefficient: int) -> str:
    is_factor = isinstance(atom, Symbol | Minimum | Smaller | Product) and not _is_product_of_sums(atom)
    text = atom.text if is_factor or coefficient == 1 else f"({atom.text})"
    if coefficient == 1:
        return text
    return f"-{text}" if coefficient == -1 else f"{coefficient}*{text}"


def _is_product_of_sums(atom: Atom) -> bool:
    """Whether a product has factors that are no symbols: what is read is multiplied from the left, and a
    number could come out of a quotient that is next to it.
    """
    while isinstance(atom, Product):
        ((first, _),), ((atom, _),) = atom.inner.terms, atom.factor.terms
        if not (isinstance(first, Symbol) and isinstance(atom, Symbol | Product)):
            return True
    return False
