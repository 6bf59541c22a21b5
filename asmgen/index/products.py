"""Products of index expressions: every term of one times every term of the other, and products of atoms.

A product of atoms is written once, in the order of their text, whatever order they were multiplied in.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from asmgen.index.atoms import Atom, Product
from asmgen.index.expression import Index, constant, only
from asmgen.index.sums import in_brackets


@cache
def expanded(of: Index, by: Index) -> Index:
    """Every term of one times every term of the other."""
    total = of * by.constant + by * of.constant - of.constant * by.constant
    for atom, number in of.terms:
        for factor, times in by.terms:
            total += _product(*factors_of(atom, factor)) * (number * times)
    return total


def factors_of(*atoms: Atom) -> tuple[Atom, ...]:
    """The atoms of a product, none of which is one, in the order of their text."""
    found: list[Atom] = []
    for atom in atoms:
        found += _single_atoms(atom) if isinstance(atom, Product) else [atom]
    return tuple(sorted(found, key=lambda one: one.text))


def _single_atoms(product: Product) -> Iterable[Atom]:
    for side in (product.inner, product.factor):
        ((atom, _),) = side.terms
        yield from factors_of(atom)


def product_of(atoms: Iterable[Atom]) -> Index:
    """The product of atoms, 1 of none."""
    found = factors_of(*atoms)
    return _product(*found) if found else constant(1)


@cache
def _product(*atoms: Atom) -> Index:
    first, *rest = atoms
    inner = only(first)
    if not rest:
        return inner
    factor = _product(*rest)
    ends = [a * b for a in (inner.low, inner.high) for b in (factor.low, factor.high)]
    text = f"{in_brackets(inner)}*{in_brackets(factor) if len(rest) == 1 else factor.text}"
    multiple = inner.multiple * factor.multiple
    return only(Product(inner, factor, text, min(ends), max(ends), multiple))
