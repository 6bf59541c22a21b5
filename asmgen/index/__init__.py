"""Index expressions: which element, which workgroup, which trip of a loop, in numbers known before the launch
or not.

An `Index` is a sum of integers times atoms. An atom is a symbol with bounds, the quotient or remainder of an
index by a positive integer, or the smaller of an index and an integer:

    row, column = symbol("row", 0, 4095), symbol("c1", 0, 1023)
    flat = 1024 * row + column
    flat // 1024           is row: the column's bounds say that it adds nothing
    flat % 1024            is column
    flat.at_most(99)       is min(1024*row + c1, 99), from 0 to 99
    flat // 3              stays: (1024*row + c1) floordiv 3, from 0 to 1398101

Equal expressions are one object (`expression` interns them), so that `is` and `==` are the same and a table
by index costs nothing. `bounds` are exact ends of a range that contains every value; `multiple` divides every
value. `text` prints them and reads them. Where a buffer's element has this type, nothing is recovered from
magic numbers afterwards.
"""

from asmgen.index.expression import Index, Symbol, constant, symbol

__all__ = ["Index", "Symbol", "constant", "symbol"]
