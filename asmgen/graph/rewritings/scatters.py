"""Prepares additions to rows that indices choose.

    y = scatter_add[axis=0](x, ids, updates)    x {1000,64}, ids {300}, updates {300,64}

The launch of a `scatter_add` adds to the memory of its first operand, which nothing else reads:

    n = where(ids < 0, ids + 1000, ids)         as u32: a row out of range is 1000 or more
    start = contiguous(x)
    y = scatter_add[axis=0](start, n, updates)

Types narrower than 32 bits are added as f32, i32 or u32, and converted once. In a fixed order the updates of
each row are a reduction over all updates, of which those of other rows count as 0:

    chosen = where(n == iota, updates, 0)       {1000,300,64}
    y = x + reduce_sum[axes={1}](chosen)

If there are many more rows than updates, the updates are added up for each update in place of each row. The
first update of a row tells the row which sum is its own:

    same = n {300,1} == n {1,300}
    sums = reduce_sum[axes={1}](where(same, updates, 0))          {300,64}
    first = reduce_min[axes={1}](where(same, iota, 300)) == iota
    at = scatter_add[axis=0](zeros {1000}, where(first, n, 1000), iota + 1)
    y = x + where(at > 0, gather[axis=0](sums, at - 1), 0)

A histogram adds 1, or a weight, to the bins of zeros.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod

from msgspec.structs import replace

from asmgen.graph import ops
from asmgen.graph.builder import GraphBuilder
from asmgen.graph.rewritings.integer_bounds import bounds_of
from asmgen.index.size import Dim, at_least
from asmgen.ir.program import Attribute, Module, Op, Statement, Value, definitions, tensor_type
from asmgen.ir.types import I32, I64, U32, U64, ElementType, computed, tensor
from isa.named_tuple import NamedTuple

MANY_ROWS = 4  # times as many rows as updates
FEW_SUMMED = 1 << 24  # elements that all rows add up, which take less time than further launches


def with_scatter_starts(module: Module) -> Module:
    """The module with additions to memory of their own, in the types that memory adds."""
    defined = definitions(module)
    builder = GraphBuilder([value.name for value in defined])
    for statement in module.statements:
        if statement.op not in ops.ADDITIONS or _is_prepared(statement):
            builder.statements.append(statement)
            continue
        write = _Writer(builder, statement)
        made = _scattered(write, defined) if statement.op is ops.SCATTER_ADD else _counted(write)
        builder.statements.append(_finished(builder, statement, made))
    return Module(module.name, tuple(builder.statements))


def in_order(module: Module, element: ElementType) -> Module:
    """The module with a fixed order for additions of an element type, which memory does not add."""
    fixed = tuple([_in_fixed_order(each, element) for each in module.statements])
    return module if fixed == module.statements else Module(module.name, fixed)


def _in_fixed_order(statement: Statement, element: ElementType) -> Statement:
    if statement.op not in ops.ADDITIONS or tensor_type(statement.result).element is not element:
        return statement
    return replace(statement, attributes={**statement.attributes, "deterministic": True})


def _finished(builder: GraphBuilder, origin: Statement, made: Value) -> Statement:
    """The last statement, with the result of the original: a copy of that would be a launch."""
    last = builder.statements[-1]
    if made not in last.results:
        return Statement(ops.IDENTITY, (made,), origin.results, {}, (), origin.place)
    _ = builder.statements.pop()
    return Statement(last.op, last.operands, origin.results, last.attributes, (), origin.place)


def _is_prepared(statement: Statement) -> bool:
    """Whether this rewriting has made an addition."""
    if statement.op is not ops.SCATTER_ADD or statement.attributes["deterministic"]:
        return False
    element = statement.result.type.element
    return statement.operands[1].type.element is U32 and element is computed(element)


class _Addition(NamedTuple):
    """Updates that are added to the rows of x along an axis. `rows` are u32, `size` or more if they are out
    of range."""

    x: Value
    rows: Value
    updates: Value
    axis: int
    size: int


class _Writer:
    """Writes the statements of an addition."""

    def __init__(self, builder: GraphBuilder, origin: Statement) -> None:
        self._builder, self.origin = builder, origin

    def apply(self, op: Op, *operands: Value, **attributes: Attribute) -> Value:
        name = self._builder.fresh(self.origin.result.name)
        return self._builder.apply(op, operands, attributes, name, self.origin.place)

    def number(self, number: int, element: ElementType) -> Value:
        name = self._builder.fresh(f"{self.origin.result.name}_number")
        return self._builder.literal(name, (number,), tensor(element, ()), self.origin.place)

    def converted(self, x: Value, element: ElementType) -> Value:
        return x if x.type.element is element else self.apply(ops.CONVERT, x, target_type=element.name)

    def of_size(self, indices: Value, size: int) -> Value:
        """Indices as u32: those that are negative or beyond `size` are `size` or more."""
        element = indices.type.element
        if element.bits < I32.bits:
            indices, element = self.converted(indices, I32), I32
        if element is U32:
            return indices
        if element is I32:
            return self.apply(ops.BIT_CAST, indices, target_type=U32.name)
        if element is I64:
            indices = self.apply(ops.BIT_CAST, indices, target_type=U64.name)
        limit = self.number(size, U64)
        return self.converted(self.apply(ops.MIN, indices, limit), U32)


def _scattered(write: _Writer, defined: Mapping[Value, Statement]) -> Value:
    """`scatter_add`: indices below 0 count from the end."""
    x, indices, updates = write.origin.operands
    axis, dims = write.origin.attributes["axis"], tensor_type(x).dims
    assert isinstance(axis, int), "the parser reads an integer"
    axis %= len(dims)
    size = dims[axis]
    assert isinstance(size, int), "its inference refuses other sizes"
    if 0 in tensor_type(updates).dims or 0 in dims:
        return x
    if bounds_of(indices, defined.get).low < 0:
        zero, end = write.number(0, indices.type.element), write.number(size, indices.type.element)
        from_end = write.apply(ops.ADD, indices, end)
        indices = write.apply(ops.WHERE, write.apply(ops.LESS, indices, zero), from_end, indices)
    return _added(write, _Addition(x, write.of_size(indices, size), updates, axis, size))


def _counted(write: _Writer) -> Value:
    """`histogram`: 1 for each element, or the weights, added to zeros."""
    x, *weights = write.origin.operands
    (size,) = tensor_type(write.origin.result).dims
    assert isinstance(size, int), "the parser reads an integer"
    element, dims = write.origin.result.type.element, tensor_type(x).dims
    zeros = write.apply(ops.MULTIBROADCAST, write.number(0, element), out_lens=(size,))
    if 0 in dims:
        return zeros
    updates = weights[0] if weights else write.apply(ops.MULTIBROADCAST, write.number(1, I32), out_lens=dims)
    return _added(write, _Addition(zeros, write.of_size(x, size), updates, 0, size))


def _added(write: _Writer, addition: _Addition) -> Value:
    element, wide = addition.x.type.element, computed(addition.x.type.element)
    x, updates = write.converted(addition.x, wide), write.converted(addition.updates, wide)
    addition = addition._replace(x=x, updates=updates)
    is_ordered = bool(write.origin.attributes["deterministic"])
    return write.converted(_in_order(write, addition) if is_ordered else _in_memory(write, addition), element)


def _in_memory(write: _Writer, addition: _Addition) -> Value:
    start = write.apply(ops.CONTIGUOUS, addition.x)
    operands = (start, addition.rows, addition.updates)
    return write.apply(ops.SCATTER_ADD, *operands, axis=addition.axis, deterministic=False)


def _in_order(write: _Writer, addition: _Addition) -> Value:
    """The sum over all updates of a row, in the order of a reduction."""
    count, updates = prod(tensor_type(addition.rows).dims), tensor_type(addition.updates)
    is_much = at_least(updates.elements * addition.size, FEW_SUMMED).is_shown
    if isinstance(count, int) and is_much and 1 < count * MANY_ROWS < addition.size:
        return _by_updates(write, addition, count)
    return _by_rows(write, addition)


def _by_updates(write: _Writer, addition: _Addition, count: int) -> Value:
    """The same sums for each update, of which a row takes that of its first update."""
    x, axis, size = tensor_type(addition.x), addition.axis, addition.size
    before, after = x.dims[:axis], x.dims[axis + 1 :]
    of_before, of_after = (1,) * len(before), (1,) * len(after)
    zero = write.number(0, x.element)
    rows = write.apply(ops.RESHAPE, addition.rows, dims=(count, 1))
    same = write.apply(ops.EQUAL, rows, write.apply(ops.RESHAPE, addition.rows, dims=(1, count)))
    of_all = write.apply(ops.RESHAPE, same, dims=(*of_before, count, count, *of_after))
    updates = write.apply(ops.RESHAPE, addition.updates, dims=(*before, 1, count, *after))
    summed = write.apply(ops.REDUCE_SUM, write.apply(ops.WHERE, of_all, updates, zero), axes=(axis + 1,))
    sums = write.apply(ops.SQUEEZE, summed, axes=(axis + 1,))

    at = _first_updates(write, addition, same, count)
    has_any = write.apply(ops.GREATER, at, write.number(0, I32))
    has_any = write.apply(ops.RESHAPE, has_any, dims=(*of_before, size, *of_after))
    before_it = write.apply(ops.SUB, at, write.number(1, I32))
    taken = write.apply(ops.GATHER, sums, write.apply(ops.MAX, before_it, write.number(0, I32)), axis=axis)
    return write.apply(ops.ADD, addition.x, write.apply(ops.WHERE, has_any, taken, zero))


def _first_updates(write: _Writer, addition: _Addition, same: Value, count: int) -> Value:
    """For each row 1 more than the number of its first update, 0 without updates. `same` says which pairs of
    the `count` updates are of the same row."""
    numbers = write.apply(ops.IOTA, axis=1, out_lens=(count, count))
    known = write.apply(ops.WHERE, same, numbers, write.number(count, I32))
    own = write.apply(ops.IOTA, axis=0, out_lens=(count, 1))
    is_first = write.apply(ops.EQUAL, write.apply(ops.REDUCE_MIN, known, axes=(1,)), own)
    rows = write.apply(ops.RESHAPE, addition.rows, dims=(count, 1))
    rows = write.apply(ops.WHERE, is_first, rows, write.number(addition.size, U32))
    after = write.apply(ops.ADD, own, write.number(1, I32))
    zeros = write.apply(ops.MULTIBROADCAST, write.number(0, I32), out_lens=(addition.size,))
    rows, after = [write.apply(ops.RESHAPE, value, dims=(count,)) for value in (rows, after)]
    return _in_memory(write, _Addition(zeros, rows, after, 0, addition.size))


def _by_rows(write: _Writer, addition: _Addition) -> Value:
    """The sum for each row over all updates, of which those of other rows count as 0."""
    x, axis = tensor_type(addition.x), addition.axis
    before, after, indices = x.dims[:axis], x.dims[axis + 1 :], tensor_type(addition.rows).dims
    of_after: tuple[Dim, ...] = (1,) * len(after)
    rows = write.apply(ops.RESHAPE, addition.rows, dims=(1, *indices, *of_after))
    whole = (addition.size, *indices, *of_after)
    row = write.apply(ops.BIT_CAST, write.apply(ops.IOTA, axis=0, out_lens=whole), target_type=U32.name)
    updates = write.apply(ops.RESHAPE, addition.updates, dims=(*before, 1, *indices, *after))
    is_own = write.apply(ops.EQUAL, rows, row)
    chosen = write.apply(ops.WHERE, is_own, updates, write.number(0, x.element))
    axes = tuple(range(axis + 1, axis + 1 + len(indices)))
    if not axes:
        return write.apply(ops.ADD, addition.x, chosen)
    total = write.apply(ops.SQUEEZE, write.apply(ops.REDUCE_SUM, chosen, axes=axes), axes=axes)
    return write.apply(ops.ADD, addition.x, total)
