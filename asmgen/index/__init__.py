"""Index expressions: integers that are computed from ids, counters and coordinates, with bounds on their
values.

An `Index` is a sum of integers times atoms. An atom is a symbol with bounds, the quotient or remainder of
an index by a positive integer, or the smaller of an index and an integer:

    row, column = symbol("row", 0, 4095), symbol("c1", 0, 1023)
    flat = 1024 * row + column
    flat // 1024           is row: the column's bounds say that it adds nothing
    flat % 1024            is column
    flat.at_most(99)       is min(1024*row + c1, 99), from 0 to 99
    flat // 3              stays: (1024*row + c1) floordiv 3, from 0 to 1398101

Equal expressions are the same object (`expression` keeps them in a table), so that `is` and `==` agree and
an expression is a cheap key of a dict. Every value of an expression lies within its `bounds` and is a
multiple of its `multiple`. `text` reads expressions. From the indices of accesses a stage sees which
accesses are adjacent, and which are within their buffer.
"""

from asmgen.index.expression import constant, symbol
from asmgen.index.nodes import Index, Symbol

__all__ = ["Index", "Symbol", "constant", "symbol"]
