"""Recipes of index expressions, for `pickle`: equal expressions are the same object, so that each is made
again by the functions that intern it."""

from __future__ import annotations

from typing import Any

from asmgen.index.expression import as_symbol, constant, symbol_of
from asmgen.index.nodes import (
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
)

Step = tuple[str, tuple[Any, ...]]  # the method of an atom and its operands, or "symbol" and its fields
_METHODS: dict[type[Atom], str] = {
    Quotient: "__floordiv__", Remainder: "__mod__", Minimum: "at_most", Smaller: "smaller", Product: "times",
    SizedQuotient: "divided", SizedRemainder: "remaining",
}  # fmt: skip


def recipe(of: Index) -> tuple[int, tuple[tuple[Step, int], ...]]:
    """The constant of a sum, and its terms as `index` takes them."""
    return of.constant, tuple([(_step(atom), number) for atom, number in of.terms])


def index(value: int, terms: tuple[tuple[Step, int], ...]) -> Index:
    """The sum of a recipe."""
    made = constant(value)
    for (method, given), number in terms:
        atom = symbol_of(*given) if method == "symbol" else getattr(given[0], method)(given[1])
        made += atom * number
    return made


def symbol_again(fields: tuple[Any, ...]) -> Symbol:
    """The symbol of its fields."""
    return as_symbol(symbol_of(*fields))


def fields_of(atom: Symbol) -> tuple[Any, ...]:
    return atom.name, atom.low, atom.high, atom.multiple, atom.most, atom.is_dim


def _step(atom: Atom) -> Step:
    if isinstance(atom, Symbol):
        return "symbol", fields_of(atom)
    return _METHODS[type(atom)], (atom.inner, atom.by)
