"""Translates SymPy's expressions, which the author writes, to those of `asmgen.index`, and back.

    256 * k.workgroup_id.x + k.thread_id.x          Add, Mul
    (i // 4) % 16, sympy.Min(i, n - 1)              floor, Mod, Min, Max

Both have the same meaning: integers without a limit, quotients rounded down, remainders from 0 on. The code
of an expression checks that its value fits a register (`index_code`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import lcm
from typing import Any, cast

import sympy

from asmgen.index.expression import constant
from asmgen.index.nodes import (
    Index,
    Minimum,
    NotAnIndex,
    Product,
    Quotient,
    Remainder,
    SizedQuotient,
    SizedRemainder,
    Smaller,
    Symbol,
)

Expression = sympy.Expr
_MOST_NODES = 2000  # of an expression of a person


def to_index(expression: object, symbols: Mapping[sympy.Symbol, Index]) -> Index:
    """The index of an expression; `symbols` are those that have a register.

    Raises `NotAnIndex` with the reason for a symbol that is not among them, and for a value that is not an
    integer: a fraction, a float, a function that indices do not have.
    """
    if isinstance(expression, int):
        return constant(expression)
    if not isinstance(expression, sympy.Expr):
        raise NotAnIndex(f"got {expression!r}, wanted an index; k.index(v, least, most) is one of a register")
    known: dict[Expression, Index] = {}
    count = int(cast("Any", sympy).count_ops(expression))
    if count > _MOST_NODES:
        raise NotAnIndex(f"the expression has {count} operations, wanted at most {_MOST_NODES}")
    return _index(expression, symbols, known)


def spelt(expression: object) -> str:
    """An expression as its author writes it: without the mark of SymPy's dummies, which tells symbols of the
    same name apart."""
    if not isinstance(expression, sympy.Basic):
        return repr(expression)
    written = {dummy: sympy.Symbol(dummy.name) for dummy in expression.atoms(sympy.Dummy)}
    return str(cast("Any", expression).xreplace(written))


def _index(of: Expression, symbols: Mapping[sympy.Symbol, Index], known: dict[Expression, Index]) -> Index:
    found = known.get(of)
    if found is None:
        found = known[of] = _made(of, symbols, known)
    return found


def _made(of: Expression, symbols: Mapping[sympy.Symbol, Index], known: dict[Expression, Index]) -> Index:
    if isinstance(of, sympy.Integer):
        return constant(int(of))
    if isinstance(of, sympy.Symbol):
        if of not in symbols:
            raise NotAnIndex(
                f"{spelt(of)} has no register and no bounds, wanted an id, an argument, a counter, or "
                "k.index(register, ...)"
            )
        return symbols[of]
    make = _MADE.get(of.func)
    if of in (cast("Any", sympy).zoo, cast("Any", sympy).nan):
        raise NotAnIndex("got a quotient by 0, wanted a number above 0")
    if make is None:
        raise NotAnIndex(f"got {spelt(of)} ({of.func.__name__}), wanted + - * // % Min Max of integers")
    return make(of, lambda inner: _index(inner, symbols, known))


Inner = Callable[[Expression], Index]


def _sum(of: Expression, inner: Inner) -> Index:
    result = constant(0)
    for argument in _arguments(of):
        result += inner(argument)
    return result


def _product(of: Expression, inner: Inner) -> Index:
    result = constant(1)
    for argument in _arguments(of):
        if argument.is_Rational and not argument.is_Integer:
            raise NotAnIndex(f"{spelt(of)} is not an integer, wanted a quotient rounded down: a // b")
        result = result.times(inner(argument))
    return result


def _power(of: Expression, inner: Inner) -> Index:
    base, exponent = _arguments(of)
    if not exponent.is_Integer or not 0 <= int(cast("Any", exponent)) <= 4:
        raise NotAnIndex(f"got {spelt(of)}, wanted a power from 0 to 4")
    result, factor = constant(1), inner(base)
    for _ in range(int(cast("Any", exponent))):
        result = result.times(factor)
    return result


def _floor(of: Expression, inner: Inner) -> Index:
    """`floor(a/64 + b/8)` is `(a + 8*b) // 64`."""
    (argument,) = _arguments(of)
    terms = [_coefficient(term) for term in sympy.Add.make_args(argument)]
    by = lcm(*(coefficient.q for coefficient, _ in terms if isinstance(coefficient, sympy.Rational)))
    quotient = _quotient_of(argument)
    if quotient is not None:
        return inner(quotient[0]).divided(inner(quotient[1]))
    result = constant(0)
    for coefficient, rest in terms:
        if not isinstance(coefficient, sympy.Rational):
            raise NotAnIndex(f"{spelt(of)} has {spelt(coefficient)}, wanted integers and // of them")
        result += inner(rest) * (coefficient.p * by // coefficient.q)
    return result // by


def _coefficient(term: Expression) -> tuple[Expression, Expression]:
    """A term as a number and the rest."""
    return cast("Any", term).as_coeff_Mul()


def _quotient_of(argument: Expression) -> tuple[Expression, Expression] | None:
    """The numerator and the denominator of a quotient by a symbol; None for a quotient by a number."""
    algebra = cast("Any", sympy)
    numerator, denominator = algebra.fraction(algebra.together(argument))
    return None if denominator.is_Integer else (numerator, denominator)


def _ceiling(of: Expression, inner: Inner) -> Index:
    (argument,) = _arguments(of)
    return -inner(sympy.floor(-argument))


def _remainder(of: Expression, inner: Inner) -> Index:
    of_what, by = _arguments(of)
    divisor = inner(by)
    if not divisor.is_constant:
        return inner(of_what).remaining(divisor)
    if divisor.constant <= 0:
        raise NotAnIndex(f"{spelt(of)} has the divisor {divisor.constant}, wanted a number above 0")
    return inner(of_what) % divisor.constant


def _least(of: Expression, inner: Inner) -> Index:
    first, *rest = _arguments(of)
    result = inner(first)
    for argument in rest:
        result = result.smaller(inner(argument))
    return result


def _largest(of: Expression, inner: Inner) -> Index:
    first, *rest = _arguments(of)
    result = inner(first)
    for argument in rest:
        result = -(-result).smaller(-inner(argument))
    return result


def _arguments(of: Expression) -> tuple[Expression, ...]:
    return cast("tuple[Expression, ...]", of.args)


_MADE: dict[Any, Callable[[Expression, Inner], Index]] = {
    sympy.Add: _sum,
    sympy.Mul: _product,
    sympy.Pow: _power,
    sympy.floor: _floor,
    sympy.ceiling: _ceiling,
    sympy.Mod: _remainder,
    sympy.Min: _least,
    sympy.Max: _largest,
}


def to_sympy(index: Index, symbols: Mapping[Symbol, Expression]) -> Expression:
    """The SymPy expression of an index."""
    terms = (coefficient * _atom(atom, symbols) for atom, coefficient in index.terms)
    return sympy.Add(index.constant, *terms)


def _atom(atom: object, symbols: Mapping[Symbol, Expression]) -> Expression:
    def of(side: Index | int) -> Expression:
        return to_sympy(side, symbols) if isinstance(side, Index) else sympy.Integer(side)

    match atom:
        case Symbol():
            made: Any = symbols[atom]
        case Quotient() | SizedQuotient():
            made = sympy.floor(of(atom.inner) / of(atom.by))
        case Remainder() | SizedRemainder():
            made = sympy.Mod(of(atom.inner), of(atom.by))
        case Minimum() | Smaller():
            made = cast("Any", sympy).Min(of(atom.inner), of(atom.by))
        case Product():
            made = of(atom.inner) * of(atom.by)
        case _:
            raise TypeError(f"no atom of an index: {atom!r}")
    return made


def symbols_of(expressions: Iterable[Expression]) -> set[sympy.Symbol]:
    """The symbols of some expressions."""
    return {cast("sympy.Symbol", symbol) for one in expressions for symbol in one.free_symbols}
