"""Chooses values that get a kernel of their own, because a kernel that reads them would compute them too
often.

A value is computed once for each way in which a kernel's elements reach it. A concat reaches each operand
in its own way, so that a value below nested concats is computed twice for each of them:

    c = concat(slice(x), x)
    d = concat(slice(c), c)      four ways to x
    e = concat(slice(d), d)      eight

The factors of a matrix product are read many times: each element of a by every tile of columns, each element
of b by every tile of rows. A computed factor is kept if that takes less time than to compute it in the loads
of each tile; the caller decides that (`ComputedFactor`). A factor that is read, or read and converted, is
never kept, nor is a second factor that a product of few rows computes from fewer bytes
(`asmgen.graph.fusion.packed_factors`).

The memory through which the workgroups of a scan pass on numbers is kept too: a kernel of its own fills it
with zeros.

Kernels have at most `MOST_WAYS` such values, or `REPEATED` of each on average. Beyond that the operand
with the most ways is kept in a buffer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from math import prod

from asmgen.graph.block_dots import PRODUCTS
from asmgen.graph.ops import (
    BROADCAST,
    CONCAT,
    CONTIGUOUS,
    CONVERT,
    GATHER,
    IDENTITY,
    LITERAL,
    MULTIBROADCAST,
    PAD,
    PARAM,
    REDUCTIONS,
    RESHAPE,
    RETURN,
    SCANS,
    SCATTER_ADD,
    SLICE,
    SORTS,
    SQUEEZE,
    TAKE_ALONG_AXIS,
    UNSQUEEZE,
    preceding,
)
from asmgen.ir.program import Module, Statement, Value, definitions, tensor_type
from asmgen.ir.types import TensorType, row_major
from isa.named_tuple import NamedTuple

MOST_WAYS = 128  # to the values of a kernel,
REPEATED = 4  # or to each of them on average, if that is more
_BEYOND = MOST_WAYS + 1
SHORT_ROW = 16  # elements from the axis of a concat on; a lane of a pointwise kernel has whole rows of so few
# Operands of a statement with a quarter of the most ways, or more, are kept with the operand that has the
# most ways, if they have its dims: both results of a stage of a transform are a kernel then.
_ALIKE = 4
_IN_PLACE = frozenset({BROADCAST, CONTIGUOUS, IDENTITY, MULTIBROADCAST})  # move no element to another place


def kept_values(module: Module) -> frozenset[Value]:
    """The values of a graph that are kept in buffers, next to the results of reductions and scans."""
    words = frozenset([operand for statement in module.statements for operand in _changed(statement)])
    if not any(statement.op.moves_elements for statement in module.statements):
        return words
    return words | _Keeper(module).of(module)


class Kept(NamedTuple):
    """Values that are stored so that later kernels read them: `apart` in a kernel of their own, `beside` in a
    kernel that makes some of their operands, if there is such a kernel."""

    apart: frozenset[Value] = frozenset()
    beside: frozenset[Value] = frozenset()

    @classmethod
    def of(cls, module: Module) -> Kept:
        """The values of a graph that are stored on every target."""
        return cls(kept_values(module))

    def ways_with(self, value: Value) -> tuple[Kept, Kept]:
        """Both ways to store a value more."""
        return self | Kept(apart=frozenset({value})), self | Kept(beside=frozenset({value}))

    def __or__(self, other: Kept) -> Kept:
        return Kept(self.apart | other.apart, self.beside | other.beside)


class ComputedFactor(NamedTuple):
    """A computed value that factors of products are views of.

    * `readers`: the products, each with the number of its factor, 0 or 1
    * `defined`, `places`: of the graph's values the statements, and the places in their order
    * `launched`: the values that earlier launches can store
    * `is_beside`: whether a launch that makes some of these can make the value too
    """

    value: Value
    readers: tuple[tuple[Statement, int], ...]
    defined: Mapping[Value, Statement]
    places: Mapping[Value, int]
    launched: Collection[Value]
    is_beside: bool


class Verdict(NamedTuple):
    """Whether a computed factor is stored, and the reason in words."""

    is_stored: bool
    why: str


def stored(_factor: ComputedFactor) -> Verdict:
    """The verdict that needs no machine."""
    return Verdict(True, "every computed factor is")


def computed_factors(module: Module) -> dict[Value, list[tuple[Statement, int]]]:
    """The computed values that factors are views of, and the products of each."""
    defined = definitions(module)
    found: dict[Value, list[tuple[Statement, int]]] = {}
    for statement in module.statements:
        if statement.op not in PRODUCTS:
            continue
        from asmgen.graph.fusion.packed_factors import packed_bytes  # few graphs have products

        is_packed = packed_bytes(defined, statement) > 0
        for number, factor in enumerate(statement.operands):
            root = moved_from(defined, factor)
            is_made = defined[root].op in (SCATTER_ADD, *PRODUCTS)
            if not is_made and not (is_packed and number == 1) and not is_read(defined, root):
                found.setdefault(root, []).append((statement, number))
    return found


def is_read(defined: Mapping[Value, Statement], value: Value) -> bool:
    """Whether the elements of a value are elements of a parameter or of a literal, perhaps converted."""
    value = moved_from(defined, value)
    while defined[value].op is CONVERT:
        value = moved_from(defined, defined[value].operands[0])
    return defined[value].op in (PARAM, LITERAL)


def moved_from(defined: Mapping[Value, Statement], value: Value) -> Value:
    """The value from which ops that only move elements take a value's elements."""
    while is_move(statement := defined[value]):
        value = statement.operands[0]
    return value


def is_move(statement: Statement) -> bool:
    is_move = statement.op.moves_elements or statement.op in _IN_PLACE
    return is_move and len(statement.operands) == 1 and statement.op is not PAD


def _changed(statement: Statement) -> tuple[Value, ...]:
    """The operands with memory that a kernel changes."""
    if statement.op is SCATTER_ADD:
        return statement.operands[:1]
    return preceding(statement) if is_passed_on(statement) else ()


def is_passed_on(statement: Statement) -> bool:
    """Whether a statement is a scan with workgroups that pass on what precedes their parts."""
    return statement.op in SCANS and bool(statement.attributes["passed_on"])


def is_moved(statement: Statement, operand: Value) -> bool:
    """Whether elements of an operand are at other places in the result. The indices that choose an element
    for each place, as in a search, are not."""
    if not statement.op.moves_elements:
        return False
    is_chosen = statement.op in (GATHER, TAKE_ALONG_AXIS) and operand is not statement.operands[0]
    return not is_chosen or tensor_type(operand).dims != tensor_type(statement.result).dims


def _is_in_short_row(statement: Statement) -> bool:
    """Whether elements of short rows stay in their rows, as the components of a vector."""
    if statement.op not in (CONCAT, SLICE, SQUEEZE, UNSQUEEZE):
        return False
    axes = statement.attributes["axis" if statement.op is CONCAT else "axes"]
    whole = statement.result if statement.op in (CONCAT, UNSQUEEZE) else statement.operands[0]
    dims = tensor_type(whole).dims
    given = axes if isinstance(axes, tuple) else (axes,)
    first = min([axis % len(dims) for axis in given if isinstance(axis, int)], default=0)
    row = prod(dims[first:])
    return isinstance(row, int) and row <= SHORT_ROW


def _mixes_rows(module: Module, defined: Mapping[Value, Statement]) -> bool:
    """Whether computed elements come from one row to another: by a concat that makes no short rows, or by a
    reshape that does more than to add or remove dims of 1."""
    return any(
        _joins_rows(statement) and not all(is_read(defined, operand) for operand in statement.operands)
        for statement in module.statements
    )


def _joins_rows(statement: Statement) -> bool:
    if statement.op is CONCAT:
        return not _is_in_short_row(statement)
    if statement.op is not RESHAPE:
        return False
    values = (statement.operands[0], statement.result)
    before, after = [[dim for dim in tensor_type(value).dims if dim != 1] for value in values]
    return before != after


def moves_computed(module: Module) -> bool:
    """Whether a computed value is moved or broadcast, other than a number of each row to the row."""
    computed: set[Value] = set()
    for statement in module.statements:
        if statement.op.pointwise:
            computed.update(statement.results)
        elif not computed.isdisjoint(statement.operands) and (
            statement.op.moves_elements or (statement.op is MULTIBROADCAST and not is_of_rows(statement))
        ):
            return True
    return False


def is_of_rows(broadcast: Statement) -> bool:
    """Whether all elements along the last dim of a broadcast are the same."""
    before, after = tensor_type(broadcast.operands[0]).dims, tensor_type(broadcast.result).dims
    return not before or (before[-1] == 1 and after[-1] != 1)


class _Keeper:
    """Finds them. A value that is kept begins another kernel, as a parameter does.

    A way is a sequence of ops that move elements, from a value to its operands, to their operands, and so
    on. The number of ways below an operand that a statement moves is kept, so that each count ends there.
    Ways are only counted if the sum of the operands' ways, which counts shared values again, is beyond the
    bound.
    """

    def __init__(self, module: Module) -> None:
        self._defined = defined = definitions(module)
        self._has_rows = not _mixes_rows(module, defined)
        self._kept: set[Value] = set()
        self._below: dict[Value, int] = {}  # the ways below an operand that a statement moves
        self._most: dict[Value, int] = {}  # a value has at most so many ways, or `_BEYOND`
        self._values: dict[Value, int] = {}  # a value is made of at least so many

    def of(self, module: Module) -> frozenset[Value]:
        """From the first statement on, so that the ways of the operands are within the bound. Behind a kept
        value all ways are counted again."""
        places = {result: place for place, each in enumerate(module.statements) for result in each.results}
        place = 0
        while place < len(module.statements):
            statement = module.statements[place]
            place += 1
            if statement.op.moves_elements or statement.op is RETURN or self._begins(statement):
                kept = self._bound(statement)
                place = min([place, *[places[value] + 1 for value in kept]])
                if kept:
                    self._below = {
                        value: ways for value, ways in self._below.items() if places[value] < place
                    }
            begins = self._begins(statement)
            least = 1 if begins else 1 + self._most_of_operands(statement)
            most = 1 if begins else min(_BEYOND, 1 + self._sum_of_operands(statement))
            self._values.update(dict.fromkeys(statement.results, least))
            self._most.update(dict.fromkeys(statement.results, most))
        return frozenset(self._kept)

    def _bound(self, statement: Statement) -> list[Value]:
        """Keep operands of a statement until its ways are within the bound, and tell which."""
        kept: list[Value] = []
        while self._is_beyond(statement):
            ways = {each: self._ways([each]) for each in statement.operands if self._may_keep(each)}
            if not ways:
                break
            most = max(ways, key=lambda operand: ways[operand])
            alike = [each for each in ways if each.type == most.type and _ALIKE * ways[each] >= ways[most]]
            for operand in alike:
                kept.append(operand)
                self._kept.add(operand)
                self._values[operand] = self._most[operand] = 1
        return kept

    def _is_beyond(self, statement: Statement) -> bool:
        if self._sum_of_operands(statement) < _BEYOND:
            return False
        ways = self._ways(statement.operands)
        if ways <= max(MOST_WAYS, REPEATED * self._most_of_operands(statement)):
            return False
        values = len(list(self._walk(statement.operands, lambda _statement, _operand: True)))
        if len(statement.operands) == 1:
            self._values[statement.operands[0]] = values
        return ways > REPEATED * values

    def _most_of_operands(self, statement: Statement) -> int:
        return max([self._values[operand] for operand in statement.operands], default=0)

    def _sum_of_operands(self, statement: Statement) -> int:
        """At least the ways of the operands: those below a value that several of them reach count again."""
        return sum([self._most[operand] for operand in statement.operands])

    def _may_keep(self, value: Value) -> bool:
        """Whether a value is computed, and a buffer has its elements as it has them."""
        type_ = value.type
        if not isinstance(type_, TensorType) or 0 in type_.dims or self._is_leaf(value):
            return False
        return type_.strides == row_major(type_.dims)

    def _is_leaf(self, value: Value) -> bool:
        statement = self._defined[value]
        return value in self._kept or not statement.operands or self._begins(statement)

    @staticmethod
    def _begins(statement: Statement) -> bool:
        """Whether a result is what other kernels read."""
        return (
            statement.op in REDUCTIONS
            or statement.op in SCANS
            or statement.op in SORTS
            or statement.op is SCATTER_ADD
            or statement.op in PRODUCTS
        )

    def _ways(self, roots: Sequence[Value]) -> int:
        """How many ways there are to the values that the roots are made of."""
        unmoved = list(self._walk(roots, lambda statement, operand: not self._is_way(statement, operand)))
        statements = dict.fromkeys([self._defined[value] for value in unmoved if not self._is_leaf(value)])
        return len(unmoved) + sum(
            [
                self._ways_below(operand)
                for statement in statements
                for operand in statement.operands
                if self._is_way(statement, operand)
            ]
        )

    def _is_way(self, statement: Statement, operand: Value) -> bool:
        """Whether elements of an operand are at other places, at which a kernel may have to compute them
        again. A lane of a pointwise kernel has whole short rows, and computes each element of a row once."""
        return is_moved(statement, operand) and not (self._has_rows and _is_in_short_row(statement))

    def _ways_below(self, operand: Value) -> int:
        if operand not in self._below:
            self._below[operand] = self._ways([operand])
        return self._below[operand]

    def _walk(self, roots: Sequence[Value], goes_on: Callable[[Statement, Value], bool]) -> Iterator[Value]:
        """The roots, and their operands, the operands of these, and so on, if `goes_on` is true of them."""
        reached: set[Value] = set()
        pending = list(roots)
        while pending:
            value = pending.pop()
            if value in reached:
                continue
            reached.add(value)
            yield value
            if not self._is_leaf(value):
                statement = self._defined[value]
                pending += [operand for operand in statement.operands if goes_on(statement, operand)]
