"""Affine expressions, maps and sets, as the file has them: trees over numbered dims and symbols."""

from __future__ import annotations

from msgspec import Struct


class Dim(Struct, frozen=True):
    """`d0` or, of a symbol, `s0`."""

    number: int
    is_symbol: bool = False


class Binary(Struct, frozen=True):
    """`op` is `+`, `*`, `mod`, `floordiv` or `ceildiv`."""

    op: str
    left: Expression
    right: Expression


Expression = int | Dim | Binary


class AffineMap(Struct, frozen=True):
    """`(d0, d1)[s0] -> (results)`."""

    dims: int
    symbols: int
    results: tuple[Expression, ...]


class IntegerSet(Struct, frozen=True):
    """`(d0)[s0] : (constraints)`: each is `expression >= 0`, or `== 0` where it is an equality."""

    dims: int
    symbols: int
    constraints: tuple[tuple[Expression, bool], ...]
