"""The symbols of index expressions in a kernel by hand: their registers, and their bounds.

Ids, arguments, counters of loops and registers with a promise (`k.index`) are symbols. The conditions around
an expression narrow its bounds: in `with k.where(i < n)` the index `4 * i` is at most `4 * (n - 1)`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import sympy

from asmgen.assembly.entry import Entry
from asmgen.assembly.index_code import IndexCode, Part
from asmgen.assembly.indices import spelt, to_index
from asmgen.assembly.recorder import Recorder
from asmgen.assembly.values import Registers, is_whole, require_own
from asmgen.index.expression import as_symbol, symbol
from asmgen.index.interval import Interval
from asmgen.index.nodes import Atom, Index, NotAnIndex, Symbol
from isa.registers import Register

NARROWER = (
    "bounds make it narrower: Annotated[u32, below(1 << 20)], @kernel(most_workgroups=...), "
    "with k.where(i < n)"
)
_MOST_ITEMS = (1 << 32) - 1  # along an axis of a launch
Fact = tuple[Index, Index]
"""Two indices of which the first is at most the second."""


class Symbols:
    """The symbols of a kernel; `facts` are those of the conditions around, the innermost last."""

    def __init__(
        self, recorder: Recorder, entry: Entry, most_workgroups: tuple[int, int, int] | None
    ) -> None:
        self.places: dict[Symbol, Register] = {}
        self.facts: list[list[Fact]] = []
        self._depths: dict[Symbol, int] = {}  # the loops around a symbol; none if it may change
        self._recorder = recorder
        self._entry = entry
        sizes = recorder.kernel.workgroup
        self._most_groups = most_workgroups or tuple(_MOST_ITEMS // size for size in sizes)
        self._code = IndexCode(recorder, self.places, self.bounds, self._changes)
        self._arguments: set[Symbol] = set()
        self._symbols: dict[sympy.Symbol, Index] = {}
        self._ended: set[sympy.Symbol] = set()
        self._named: dict[str, sympy.Symbol] = {}

    def index(self, value: Registers[Any], least: int, most: int) -> sympy.Symbol:
        """A symbol for a register that the kernel computed; the caller promises its bounds."""
        require_own(self._recorder, value)
        if not (is_whole(least) and is_whole(most)):
            raise self._recorder.fault("HND021", f"got the bounds {least} and {most}, wanted two numbers")
        if len(value) != 1:
            raise self._recorder.fault("HND021", f"got {len(value)} registers, wanted one of 32 bits")
        if not (0 <= least <= most < 1 << 32 or -(1 << 31) <= least <= most < 1 << 31):
            message = f"got bounds from {least} to {most}, wanted the lower first, and both of u32 or of i32"
            raise self._recorder.fault("HND021", message)
        return self._symbol(f"index{len(self._symbols)}", value.register, Interval(least, most), 1)

    def argument(self, name: str, register: Register, bounds: Interval) -> sympy.Symbol:
        """The symbol of an integer argument."""
        made = self._symbol(name, register, bounds, 1, 0)
        self._arguments |= self._symbols[made].symbols
        return made

    def _symbol(
        self, name: str, register: Register, bounds: Interval, multiple: int, depth: int | None = None
    ) -> sympy.Symbol:
        made = (
            sympy.Dummy(name, integer=True, nonnegative=True)
            if bounds.low >= 0
            else sympy.Dummy(name, integer=True)
        )
        taken = {symbol.name for symbol in (*self._symbols, *self._ended)}
        unique = f"{name}.{len(taken)}" if name in taken else name
        index = symbol(unique, bounds.low, bounds.high, multiple)
        self._symbols[made] = index
        if index.terms:
            self.places[as_symbol(index)] = register
            if depth is not None:
                self._depths[as_symbol(index)] = depth
        return made

    def _id(self, name: str, make: Callable[[], Register], most: int) -> sympy.Symbol:
        if name not in self._named:
            self._named[name] = self._symbol(name, make(), Interval(0, most), 1, 0)
        return self._named[name]

    def workgroup_id(self, axis: int) -> sympy.Symbol:
        """The id of the workgroup along an axis."""
        most = self._most_groups[axis] - 1
        return self._id(f"workgroup_id.{'xyz'[axis]}", lambda: self._entry.workgroup_id(axis), most)

    def thread_id(self, axis: int) -> sympy.Symbol:
        """The id of the work-item in its workgroup along an axis."""
        workgroup = self._recorder.kernel.workgroup
        return self._id(
            f"thread_id.{'xyz'[axis]}", lambda: self._entry.thread_id(axis, workgroup), workgroup[axis] - 1
        )

    def counter(self, register: Register, start: Index, most: int, step: int) -> sympy.Symbol:
        """The symbol of a loop's counter, in a variable."""
        multiple = step if start.is_constant and start.constant % step == 0 else 1
        bounds = Interval(start.low, max(most, start.low))
        depth = len(self._recorder.loops)
        return self._symbol(f"counter{len(self._symbols)}", register, bounds, multiple, depth)

    def end_counter(self, counter: sympy.Symbol) -> None:
        """Forget the counter of a loop that has ended."""
        del self._symbols[counter]
        self._ended.add(counter)

    def index_of(self, expression: sympy.Expr | int) -> Index:
        """The index of an expression. `InputError` HND021 if it is no index."""
        if isinstance(expression, sympy.Basic) and not self._ended.isdisjoint(
            cast("Any", expression.free_symbols)
        ):
            message = f"{spelt(expression)} has the counter of a loop that has ended, wanted it in the loop"
            raise self._recorder.fault("HND021", message)
        try:
            return to_index(expression, self._symbols)
        except NotAnIndex as fault:
            raise self._recorder.fault("HND021", str(fault)) from None
        except (TypeError, AttributeError):
            message = f"got {spelt(expression)}, wanted an index expression"
            raise self._recorder.fault("HND021", message) from None

    def part(self, index: Index) -> Part:
        """The value of an index in a register, or a constant. `InputError` HND021 if 32 bits may not
        suffice."""
        try:
            return self._code.word(index)
        except NotAnIndex as fault:
            raise self._recorder.fault("HND021", str(fault), NARROWER) from None

    def wide_part(self, index: Index) -> Register:
        """The value of an index from 0 on in a pair of registers. `InputError` HND021 if it is no index."""
        try:
            return self._code.pair(index)
        except NotAnIndex as fault:
            raise self._recorder.fault("HND021", str(fault), NARROWER) from None

    def bounds(self, index: Index) -> Interval:
        """The bounds of an index at the present place of the program: those of its symbols, and of the
        conditions around."""
        low, high = index.bounds
        for facts in self.facts:
            for smaller, larger in facts:
                factor = _ratio(index, smaller)
                if factor:
                    high = min(high, (index - smaller * factor + larger * factor).high)
        return Interval(low, high)

    def depth(self, index: Index) -> int:
        """How many of the loops around an index needs: it is the same in every trip of the others."""
        around = len(self._recorder.loops)
        return max((self._depths.get(symbol, around) for symbol in index.symbols), default=0)

    def _changes(self, atom: Atom) -> tuple[int, bool]:
        """How soon a term changes: in an inner loop, or, being an argument alone, from an access to the next:
        the offsets of neighbours in an array differ by multiples of its sizes."""
        around = len(self._recorder.loops)
        depth = max(self._depths.get(symbol, around) for symbol in atom.symbols)
        return depth, atom in self._arguments

    def is_uniform_index(self, index: Index) -> bool:
        """Whether the whole wave has the same value."""
        return not any(self._recorder.is_vgpr(self.places[one]) for one in index.symbols)

    def is_uniform(self, expression: sympy.Expr) -> bool:
        """Whether the whole wave has the same value."""
        return self.is_uniform_index(self.index_of(expression))


def _ratio(index: Index, of: Index) -> int:
    """How often another index, above 0 times, is in an index; 0 if it is not."""
    if not of.terms:
        return 0
    atom, coefficient = of.terms[0]
    own = next((number for other, number in index.terms if other is atom), 0)
    factor, rest = divmod(own, coefficient)
    return factor if not rest and factor > 0 else 0
