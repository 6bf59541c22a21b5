"""Which barriers order global memory: those at which the waves of a workgroup pass on a buffer.

A barrier passes a buffer on where it may be stored to before the barrier and accessed after it, or loaded
before and stored to after. What is before and after is told along the paths of `if` and `for`, buffer by
buffer, whatever the indices are. Once a barrier orders memory, everything before it is passed on, so that a
later barrier need not do it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from asmgen.ir.program import Module, Statement, Value
from asmgen.lanewise import ops
from asmgen.lanewise.atomic_ops import GLOBAL_ATOMICS
from asmgen.lanewise.records import LaunchAttributes

_NO_BUFFERS: frozenset[Value] = frozenset()
_LOADS, _STORES = (
    frozenset({ops.LOAD, ops.VECTOR_LOAD}),
    frozenset({ops.STORE, ops.VECTOR_STORE, *GLOBAL_ATOMICS}),
)


class _Accesses(NamedTuple):
    """The buffers that some statements load from, and those that they store to."""

    loaded: frozenset[Value] = _NO_BUFFERS
    stored: frozenset[Value] = _NO_BUFFERS

    def joined(self, other: _Accesses) -> _Accesses:
        return _Accesses(self.loaded | other.loaded, self.stored | other.stored)

    def conflicts(self, later: _Accesses) -> bool:
        """Whether it matters for the result that these come before the later ones."""
        is_seen = not self.stored.isdisjoint(later.loaded | later.stored)
        return is_seen or not self.loaded.isdisjoint(later.stored)


_NOTHING = _Accesses()
_Statements = tuple[Statement, ...]
_Later = dict[Statement, _Accesses]  # by barrier


def ordering_barriers(module: Module, wave_size: int) -> frozenset[Statement]:
    """The barriers that have to order global memory for other waves; none where a workgroup is one wave."""
    statements = module.statements
    if not any(statement.op is ops.BARRIER for statement in module.walk()):
        return frozenset()
    if _lanes_of_workgroup(statements) <= wave_size:
        return frozenset()
    later: _Later = {}
    _ = _collect_later(statements, _NOTHING, later)
    found: set[Statement] = set()
    _ = _ordered(statements, _NOTHING, later, found)
    return frozenset(found)


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
    """What a statement and its regions access."""
    every = list(_inside(statement))
    loaded = frozenset(one.operands[0] for one in every if one.op in _LOADS)
    return _Accesses(loaded, frozenset(one.operands[0] for one in every if one.op in _STORES))


def _collect_later(statements: _Statements, after: _Accesses, later: _Later) -> _Accesses:
    """Note what may be accessed after each barrier; `after` is what is accessed after these statements.

    What is accessed from the first of them on is the result.
    """
    for statement in reversed(statements):
        if statement.op is ops.BARRIER:
            later[statement] = after
        following = after.joined(_accesses(statement))
        for region in statement.regions:
            _ = _collect_later(
                region.statements, following if statement.op.carried_from is not None else after, later
            )
        after = following
    return after


def _ordered(statements: _Statements, before: _Accesses, later: _Later, found: set[Statement]) -> _Accesses:
    """Add the barriers that have to order memory; what was accessed since the last of them, on some path."""
    for statement in statements:
        if statement.op is ops.BARRIER and before.conflicts(later[statement]):
            found.add(statement)
            before = _NOTHING
        elif statement.op.carried_from is not None:
            before = _ordered_loop(statement, before, later, found)
        elif statement.regions:
            ends = [_ordered(region.statements, before, later, found) for region in statement.regions]
            joined = before if len(ends) == 1 else _NOTHING
            for end in ends:
                joined = joined.joined(end)
            before = joined
        else:
            before = before.joined(_accesses(statement))
    return before


def _ordered_loop(statement: Statement, before: _Accesses, later: _Later, found: set[Statement]) -> _Accesses:
    """Around a loop to the fixed point: what is accessed when its head is reached."""
    while True:
        end = before
        for region in statement.regions:
            end = _ordered(region.statements, end, later, found)
        head = before.joined(end)
        if head == before:
            return head
        before = head
