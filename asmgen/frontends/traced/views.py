"""Views: arrays that share their numbers with another one, as numpy's slices and transposes do.

    row = x[0]       a view of x
    x += 1           row has the new numbers
    row *= 2         and so has x

Each value of the graph is computed once and never changed. A view remembers the value of its base that it
was made of, and is made again when the base has another one; writing to a view makes a new value of the
base.
"""

from __future__ import annotations

from collections.abc import Callable

from asmgen.frontends.traced.array import Array
from asmgen.frontends.traced.tracer import caller
from asmgen.ir.program import Value
from isa.diagnostics import InputError


class View:
    """What an array is a view of: `read` makes the view of the base, `put` the base with other numbers in the
    place of the view. `put` is None if numpy would copy the one or the other, by strides that are not
    traced."""

    def __init__(
        self,
        base: Array,
        read: Callable[[Array], Array],
        put: Callable[[Array, Array], Array] | None,
        key: object = None,
    ) -> None:
        self.base = base
        self.key = key  # of a view by an index, to know it again in x[key] += 1
        self._read = read
        self._put = put
        self._made_of = base.value

    def now(self, value: Value) -> Value:
        """The value of the view, which was `value`."""
        base = self.base.value
        if base is self._made_of:
            return value
        if self._put is None:
            raise _unclear()
        self._made_of = base
        return self._read(_plain(self.base)).value

    def write(self, new: Array) -> None:
        """Put the view's numbers into the base."""
        if self._put is None:
            raise _unclear()
        self.base.write(self._put(_plain(self.base), new).value)
        self._made_of = self.base.value


def viewed(
    base: Array,
    read: Callable[[Array], Array],
    put: Callable[[Array, Array], Array] | None,
    key: object = None,
) -> Array:
    """The view that `read` makes of an array."""
    return Array(read(_plain(base)).value, base.tracer, View(base, read, put, key))


def is_row_major(a: Array) -> bool:
    """Whether the array is surely row-major in numpy, so that each reshape of it is a view."""
    return a.view_of is None


def _plain(a: Array) -> Array:
    return Array(a.value, a.tracer)


def _unclear() -> InputError:
    message = "this array is a reshaped view, which numpy may have copied, wanted one that is not written to"
    return InputError(caller(), "TRC006", message, help="x.copy().reshape(...) is surely a copy")
