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
    SizedRemainder,
    Smaller,
    Symbol,
    as_symbol,
    constant,
    symbol_of,
)

Step = tuple[str, tuple[object, ...]]  # the maker of an atom, and its operands
_KINDS: dict[type[Atom], str] = {
    Quotient: "quotient", Remainder: "remainder", Minimum: "minimum", Smaller: "smaller", Product: "product",
    SizedQuotient: "divided", SizedRemainder: "remaining",
}  # fmt: skip
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
    if isinstance(atom, Symbol):
        return "symbol", fields_of(atom)
    return _KINDS[type(atom)], (atom.inner, atom.by)
