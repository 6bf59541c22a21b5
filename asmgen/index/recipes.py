"""Recipes of index expressions, for `pickle`: equal expressions are the same object, so that each is made
again by the functions that intern it."""

from __future__ import annotations

from collections.abc import Callable

from asmgen.index.expression import (
    Atom,
    Index,
    Minimum,
    Product,
    Quotient,
    Remainder,
    SizedQuotient,
    Smaller,
    Symbol,
    as_symbol,
    constant,
    symbol_of,
)

Step = tuple[str, tuple[object, ...]]  # the maker of an atom, and its operands
_MADE: dict[str, Callable[..., Index]] = {
    "symbol": symbol_of,
    "quotient": Index.__floordiv__,
    "remainder": Index.__mod__,
    "minimum": Index.at_most,
    "smaller": Index.smaller,
    "product": Index.times,
    "divided": Index.divided,
    "remaining": Index.remaining,
}


def recipe(of: Index) -> tuple[int, tuple[tuple[Step, int], ...]]:
    """The constant of a sum, and its terms as `index` takes them."""
    return of.constant, tuple([(_step(atom), number) for atom, number in of.terms])


def index(value: int, terms: tuple[tuple[Step, int], ...]) -> Index:
    """The sum of a recipe."""
    made = constant(value)
    for (kind, given), number in terms:
        made += _MADE[kind](*given) * number
    return made


def symbol_again(fields: tuple[object, ...]) -> Symbol:
    """The symbol of its fields."""
    return as_symbol(_MADE["symbol"](*fields))


def fields_of(atom: Symbol) -> tuple[object, ...]:
    return atom.name, atom.low, atom.high, atom.multiple, atom.most, atom.is_dim


def _step(atom: Atom) -> Step:
    match atom:
        case Symbol():
            return "symbol", fields_of(atom)
        case Quotient():
            return "quotient", (atom.inner, atom.by)
        case Remainder():
            return "remainder", (atom.inner, atom.by)
        case Minimum():
            return "minimum", (atom.inner, atom.by)
        case Smaller():
            return "smaller", (atom.inner, atom.limit)
        case Product():
            return "product", (atom.inner, atom.factor)
        case SizedQuotient():
            return "divided", (atom.inner, atom.divisor)
        case _:
            return "remaining", (atom.inner, atom.divisor)
