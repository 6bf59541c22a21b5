"""The barriers that order global memory: the waves of a workgroup pass a buffer on at them.

A barrier passes a buffer on if the buffer may be stored to before the barrier and accessed after it, or
loaded before and stored to after. Before and after follow the paths of `if` and `for`, for each buffer as a
whole, whatever the indices are. A barrier that orders memory passes everything before it on, so a later
barrier need not do it again.

If no buffer is loaded on one side of the barrier and stored to on the other side, the barrier orders stores
alone: a loop that loads a buffer for its next trip and stores to another buffer does not wait for its loads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum

from asmgen.ir.program import Module, Statement, Value
from asmgen.lanewise import ops
from asmgen.lanewise.atomic_ops import GLOBAL_ATOMICS
from asmgen.lanewise.records import LaunchAttributes
from isa.named_tuple import NamedTuple

_BARRIERS = frozenset({ops.BARRIER, ops.STAGGER})
_NO_BUFFERS: frozenset[Value] = frozenset()
_LOADS, _STORES = (
    frozenset({ops.LOAD, ops.VECTOR_LOAD, ops.LOAD_TO_LDS}),
    frozenset({ops.STORE, ops.VECTOR_STORE, *GLOBAL_ATOMICS}),
)


class Order(Enum):
    """The accesses of global memory that a barrier orders."""

    STORES = "stores"
    ALL = "loads and stores"


class _Accesses(NamedTuple):
    """The buffers that some statements load from, and the buffers that they store to."""

    loaded: frozenset[Value] = _NO_BUFFERS
    stored: frozenset[Value] = _NO_BUFFERS

    def joined(self, other: _Accesses) -> _Accesses:
        if other is _NOTHING:
            return self
        return _Accesses(self.loaded | other.loaded, self.stored | other.stored)

    def order(self, later: _Accesses) -> Order | None:
        """The accesses that have to come before the later accesses; None if the result does not depend on
        it."""
        if not (self.stored.isdisjoint(later.loaded) and self.loaded.isdisjoint(later.stored)):
            return Order.ALL
        return None if self.stored.isdisjoint(later.stored) else Order.STORES


_NOTHING = _Accesses()
_Statements = tuple[Statement, ...]
_Later = dict[Statement, _Accesses]  # by barrier


def ordering_barriers(module: Module, wave_size: int) -> Mapping[Statement, Order]:
    """The barriers that have to order global memory for other waves; none if a workgroup is a single wave."""
    statements = module.statements
    kinds = {statement.op for statement in module.walk()}
    ordering: dict[Statement, Order] = {}
    if kinds.isdisjoint(_BARRIERS) or _lanes_of_workgroup(statements) <= wave_size:
        return ordering
    later: _Later = {}
    first = _collect_later(statements, _NOTHING, later)
    if ops.STAGGER in kinds:  # a barrier of a wave is another barrier of the text for waves ahead of it
        orders = {barrier: first.order(after) for barrier, after in later.items()}
        return {barrier: order for barrier, order in orders.items() if order is not None}
    _ = _ordered(statements, _NOTHING, later, ordering)
    return ordering


def _lanes_of_workgroup(statements: Iterable[Statement]) -> int:
    return LaunchAttributes.of(
        next(statement for statement in statements if statement.op is ops.LAUNCH)
    ).lanes


def _inside(statement: Statement) -> Iterator[Statement]:
    """A statement and all of its regions."""
    yield statement
    for region in statement.regions:
        for inner in region.statements:
            yield from _inside(inner)


def _accesses(statement: Statement) -> _Accesses:
    """The accesses of a statement and its regions."""
    if not statement.regions and statement.op not in _LOADS and statement.op not in _STORES:
        return _NOTHING
    every = list(_inside(statement))
    loaded = frozenset(access.operands[0] for access in every if access.op in _LOADS)
    return _Accesses(loaded, frozenset(access.operands[0] for access in every if access.op in _STORES))


def _collect_later(statements: _Statements, after: _Accesses, later: _Later) -> _Accesses:
    """Note the possible accesses after each barrier; `after` are the accesses after these statements.

    The result are the accesses from the first statement on.
    """
    for statement in reversed(statements):
        if statement.op in _BARRIERS:
            later[statement] = after
        following = after.joined(_accesses(statement))
        for region in statement.regions:
            _ = _collect_later(
                region.statements, following if statement.op.carried_from is not None else after, later
            )
        after = following
    return after


def _ordered(
    statements: _Statements, before: _Accesses, later: _Later, ordering: dict[Statement, Order]
) -> _Accesses:
    """Add the barriers that have to order memory; the accesses since the last of them, on some path."""
    for statement in statements:
        order = before.order(later[statement]) if statement.op is ops.BARRIER else None
        if order is not None:
            ordering[statement] = Order.ALL if ordering.get(statement) is Order.ALL else order
            before = _NOTHING
        elif statement.op.carried_from is not None:
            before = _ordered_loop(statement, before, later, ordering)
        elif statement.regions:
            ends = [_ordered(region.statements, before, later, ordering) for region in statement.regions]
            joined = before if len(ends) == 1 else _NOTHING
            for end in ends:
                joined = joined.joined(end)
            before = joined
        else:
            before = before.joined(_accesses(statement))
    return before


def _ordered_loop(
    statement: Statement, before: _Accesses, later: _Later, ordering: dict[Statement, Order]
) -> _Accesses:
    """Repeat a loop to the fixed point; the accesses when its head is reached."""
    while True:
        end = before
        for region in statement.regions:
            end = _ordered(region.statements, end, later, ordering)
        head = before.joined(end)
        if head == before:
            return head
        before = head
