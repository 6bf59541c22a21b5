"""What terms of one sum are together: n * (x floordiv n) + x mod n is x.

`merged` has a sum's atoms with their factors. What is found is the other terms, and the expression that those
which belong together are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asmgen.index.atoms import Atom, Quotient, Remainder

if TYPE_CHECKING:
    from asmgen.index.expression import Index

Found = tuple[list[tuple[Atom, int]], "Index"]


def exact(merged: dict[Atom, int], atom: Quotient) -> Found | None:
    """The sum with n * (x floordiv n) as x, where n divides x."""
    number = merged[atom]
    if number % atom.by or atom.inner.multiple % atom.by:
        return None
    rest = [term for term in merged.items() if term[0] is not atom]
    return rest, atom.inner * (number // atom.by)


def joined(merged: dict[Atom, int], atom: Remainder) -> Found | None:
    """The sum with n * (x floordiv n) + x mod n as x, and with n * ((x floordiv n) mod m) + x mod n as
    x mod n*m, where both are in it.
    """
    quotient, coefficient = atom.inner // atom.by, merged[atom]
    if not quotient.terms:
        return None
    wanted = atom.by * coefficient
    if all(merged.get(part) == number * wanted for part, number in quotient.terms):
        gone = [part for part, _ in quotient.terms]
        whole = atom.inner - quotient.constant * atom.by
    else:
        gone = [
            part
            for part, number in merged.items()
            if number == wanted and isinstance(part, Remainder) and is_only(quotient % part.by, part)
        ][:1]
        if not gone:
            return None
        whole = atom.inner % (atom.by * gone[0].by)
    rest = [(part, number) for part, number in merged.items() if part is not atom and part not in gone]
    return rest, whole * coefficient


def is_only(of: Index, atom: Atom) -> bool:
    """Whether an expression is an atom and nothing else."""
    return not of.constant and of.terms == ((atom, 1),)
