"""The operands of a value at given indices, and the symbols on which the value depends.

y = add(x, transpose[permutation={1,0}](x))    y at {c0, c1} needs x at {c0, c1}, and the transposed x
                                               at {c0, c1}, which needs x at {c1, c0}; it depends on c0
                                               and on c1
"""

from __future__ import annotations

from asmgen.blockwise.schedules.elements.indices import Conditions, Datum, Indices
from asmgen.blockwise.schedules.elements.maps import (
    is_walked,
    operand_elements,
    reads_place,
    splat_of,
)
from asmgen.blockwise.schedules.tiles.buffers import Buffers
from asmgen.graph import ops
from asmgen.index import Index, Symbol, symbol
from asmgen.index.expression import as_symbol
from asmgen.index.reach import is_within
from asmgen.ir.program import Statement, Value, tensor_type
from isa.named_tuple import NamedTuple

THIS_BODY = as_symbol(symbol("this_body", 0, 1))


class Key(NamedTuple):
    """A value at indices. It is not needed if a condition of `where` is false."""

    value: Value
    at: Indices
    where: Conditions = ()


def sides_of(where: Conditions) -> list[Index]:
    """Both sides of each condition, which are indices."""
    return [side for condition in where for side in condition]


class Needs:
    """The needs of the values of a tile, each computed once."""

    def __init__(self, buffers: Buffers) -> None:
        self._buffers = buffers
        self._needs: dict[Key, list[Key]] = {}
        self._operands: dict[Key, list[Key]] = {}
        self._symbols: dict[Key, frozenset[Symbol]] = {}

    def of(self, key: Key) -> list[Key]:
        """The operands of a value: elements of its operands, then the data that choose these elements."""
        if key not in self._needs:
            self._needs[key] = self._found(key)
        return self._needs[key]

    def operands_of(self, key: Key) -> list[Key]:
        """The elements of its operands. A concat needs only those of which its element may be."""
        _ = self.of(key)
        return self._operands[key]

    def definition(self, value: Value) -> Statement | None:
        """The statement of the kernel that computes a value."""
        return self._buffers.defined.get(value)

    def data_of(self, *indices: Index) -> dict[Symbol, Datum]:
        """The symbols of indices that are data."""
        return self._buffers.data.used([symbol for index in indices for symbol in index.symbols])

    def depend_on_body(self, key: Key) -> None:
        """Say that a value is defined in this body alone, which counts as a symbol."""
        self._symbols[key] = frozenset([THIS_BODY])

    def symbols_of(self, root: Key) -> frozenset[Symbol]:
        """The symbols on which a value depends."""
        pending = [root]
        while pending:
            key = pending[-1]
            if key in self._symbols:
                _ = pending.pop()
                continue
            needs = self.of(key)
            missing = [need for need in needs if need not in self._symbols]
            if missing:
                pending.extend(missing)
                continue
            _ = pending.pop()
            is_leaf = not is_walked(self._buffers.defined[key.value]) and not self._is_splat(key)
            own = key.at if is_leaf or reads_place(self._buffers.defined[key.value]) else ()
            used = {symbol for index in (*own, *sides_of(key.where)) for symbol in index.symbols}
            used -= self._buffers.data.used(used).keys()
            self._symbols[key] = frozenset(used.union(*[self._symbols[need] for need in needs]))
        return self._symbols[root]

    def _found(self, key: Key) -> list[Key]:
        statement = self._buffers.defined[key.value]
        if not is_walked(statement):
            self._operands[key] = []
            return [Key(*datum[:3]) for datum in self.data_of(*key.at, *sides_of(key.where)).values()]
        elements = operand_elements(statement, key.at, self._buffers.data, key.where)
        keys = [Key(operand, at, (*key.where, *where)) for operand, at, where in elements]
        if statement.op.pointwise:
            keys = [self._freed(each) for each in keys]
        self._operands[key] = keys
        borders = [side for element in elements for side in sides_of(element.where)]
        if statement.op.has_body:  # elements that do not exist have no trips
            borders += sides_of(key.where)
        own = key.at if reads_place(statement) else ()
        return [*keys, *[Key(*datum[:3]) for datum in self.data_of(*own, *borders).values()]]

    def _freed(self, key: Key) -> Key:
        """The value without its conditions, if these are on other axes. If a concat reads rows of a softmax
        under conditions, the sum of a column is read and inverted once."""
        if not key.where:
            return key
        alone = Key(key.value, key.at)
        conditioned = {used for side in sides_of(key.where) for used in side.symbols}
        is_other = not self.symbols_of(alone) & (conditioned | {THIS_BODY})
        return alone if is_other and self._exists(alone) else key

    def _exists(self, root: Key) -> bool:
        """Whether a value reads only elements that buffers have, at indices that no data choose."""
        pending, seen = [root], set[Key]()
        while pending:
            key = pending.pop()
            if key in seen:
                continue
            seen.add(key)
            statement = self._buffers.defined[key.value]
            if self.data_of(*key.at) or statement.op.has_body:
                return False
            is_read = statement.op is ops.PARAM
            if is_read and not all(map(is_within, key.at, tensor_type(key.value).dims)):
                return False
            pending += self.of(key)
        return True

    def _is_splat(self, key: Key) -> bool:
        statement = self._buffers.defined[key.value]
        return statement.op is ops.LITERAL and splat_of(statement) is not None
