"""Atomic operations, with the waits and the cache operations of their order.

A release waits, before the operation, until the wave's accesses of memory and LDS are done; for the agent it
first writes the cache back, unless the order is `waits`. An acquire waits for the operation itself, and
invalidates the caches. On targets without `workgroup_order` a workgroup's waves share their caches, and only
LDS is waited for.

Source: LLVM's AMDGPUUsage, "Memory Model" of each target, the rows of `atomicrmw`, `cmpxchg`,
`load atomic` and `store atomic`.
"""

from __future__ import annotations

from msgspec.structs import replace

from asmgen.ir.program import Statement, lane_type
from asmgen.ir.types import ElementType
from asmgen.lanewise.atomic_ops import ACQUIRING, RELEASING, WAITS, plain_row_name, row_name
from asmgen.lanewise.records import Atomic
from asmgen.select.memory.footprints import footprint, piece
from asmgen.select.memory.global_memory import LOADS, STORES, global_address
from asmgen.select.memory.lds import lds_address
from asmgen.select.selection import Selection, unsupported
from isa.footprint import Space
from isa.instruction import Event, ModifierValue, Row
from isa.registers import Register
from isa.target import OfScopes
from isa.waits import waits_for

_SWAPS = {32: "global_atomic_cmpswap", 64: "global_atomic_cmpswap_x2"}
# the expected number, then the number to write; and the other way round
_LDS_SWAPS = {
    32: ("ds_cmpst_rtn_b32", "ds_cmpstore_rtn_b32"),
    64: ("ds_cmpst_rtn_b64", "ds_cmpstore_rtn_b64"),
}
_LDS_EVENTS = frozenset({Event.LDS})
_GLOBAL_EVENTS = frozenset({Event.VMEM_LOAD, Event.VMEM_STORE})


def select_atomic(s: Selection, statement: Statement) -> None:
    """`atomic`."""
    value = statement.operands[2]
    kind, element = Atomic.of(statement).op, lane_type(value).element
    _put_global(s, statement, row_name(statement.op, kind, element), s.as_tuple(s.parts(value), value.name))


def select_compare_swap(s: Selection, statement: Statement) -> None:
    """`compare_swap`: the number to write and the expected number, next to each other."""
    _, _, expected, new = statement.operands
    data = s.as_tuple((*s.parts(new), *s.parts(expected)), new.name)
    _put_global(s, statement, _SWAPS[lane_type(new).element.bits], data)


def _put_global(s: Selection, statement: Statement, name: str, data: Register) -> None:
    buffer, index = statement.operands[:2]
    atomic, result = Atomic.of(statement), statement.result
    address = global_address(s, buffer, index, atomic.offset, lane_type(result).element.bytes)
    form = f"{address.form} return".strip() if s.uses.of(result) else address.form
    row = s.emitter.table.find(name, form)
    if row is None:
        raise unsupported(statement)
    modifiers: dict[str, ModifierValue] = {"offset": address.offset}
    scopes = s.emitter.target.agent_order.scopes
    if scopes is not None:
        modifiers[scopes[0]] = scopes[1] if atomic.scope == "workgroup" else scopes[2]
    destinations = (s.destination(result),) if s.uses.of(result) else ()
    _release(s, atomic)
    touches = (footprint(s, statement, Space.GLOBAL).piece(0, lane_type(result).element.bytes),)
    s.emitter.put_access(touches, row, *destinations, address.vaddr, data, address.saddr, **modifiers)
    _acquire(s, atomic, row)


def select_atomic_load(s: Selection, statement: Statement) -> None:
    """`atomic_load`."""
    buffer, index = statement.operands
    atomic, bytes_ = Atomic.of(statement), lane_type(statement.result).element.bytes
    address = global_address(s, buffer, index, atomic.offset, bytes_)
    row = s.emitter.table.row(LOADS[bytes_], address.form)
    touches = piece(footprint(s, statement, Space.GLOBAL), bytes_, 0)
    kept = _modifiers(s.emitter.target.agent_order.load, atomic)
    s.emitter.put_access(
        touches,
        row,
        s.destination(statement.result),
        address.vaddr,
        address.saddr,
        offset=address.offset,
        **kept,
    )
    _acquire(s, atomic, row)


def select_atomic_store(s: Selection, statement: Statement) -> None:
    """`atomic_store`."""
    buffer, index, value = statement.operands
    atomic, bytes_ = Atomic.of(statement), lane_type(value).element.bytes
    address = global_address(s, buffer, index, atomic.offset, bytes_)
    row = s.emitter.table.row(STORES[bytes_], address.form)
    touches = piece(footprint(s, statement, Space.GLOBAL), bytes_, 0)
    kept = _modifiers(s.emitter.target.agent_order.store, atomic)
    data = s.as_tuple(s.parts(value), value.name)
    _release(s, atomic)
    s.emitter.put_access(touches, row, address.vaddr, data, address.saddr, offset=address.offset, **kept)


def _modifiers(of: OfScopes, atomic: Atomic) -> dict[str, ModifierValue]:
    return dict(of.workgroup if atomic.scope == "workgroup" else of.agent)


def select_lds_atomic(s: Selection, statement: Statement) -> None:
    """`lds_atomic`."""
    value = statement.operands[2]
    kind, element = Atomic.of(statement).op, lane_type(value).element
    data = (s.as_tuple(s.parts(value), value.name),)
    plain = None if s.uses.of(statement.result) else plain_row_name(kind, element)
    if plain is None or s.emitter.table.find(plain) is None:
        _put_lds(s, statement, row_name(statement.op, kind, element), element, data)
    else:
        _put_plain_lds(s, statement, s.emitter.table.row(plain), data)


def select_lds_compare_swap(s: Selection, statement: Statement) -> None:
    """`lds_compare_swap`."""
    expected, new = (s.as_tuple(s.parts(value), value.name) for value in statement.operands[2:])
    element = lane_type(statement.result).element
    in_order, reversed = _LDS_SWAPS[element.bits]
    is_in_order = s.emitter.table.find(in_order) is not None
    _put_lds(
        s,
        statement,
        in_order if is_in_order else reversed,
        element,
        (expected, new) if is_in_order else (new, expected),
    )


def _put_plain_lds(s: Selection, statement: Statement, row: Row, data: tuple[Register, ...]) -> None:
    """An operation with an old value that nothing reads."""
    address, offset = lds_address(s, statement)
    _release(s, Atomic.of(statement))
    bytes_ = lane_type(statement.result).element.bytes
    touches = (footprint(s, statement, Space.LDS).piece(0, bytes_),)
    s.emitter.put_access(touches, row, address, *data, offset=offset)
    _acquire(s, Atomic.of(statement), row)


def _put_lds(
    s: Selection, statement: Statement, name: str, element: ElementType, data: tuple[Register, ...]
) -> None:
    address, offset = lds_address(s, statement)
    row = s.emitter.table.find(name)
    if row is None:
        raise unsupported(statement)
    assert s.destination(statement.result).count * 4 == element.bytes
    _release(s, Atomic.of(statement))
    touches = (footprint(s, statement, Space.LDS).piece(0, element.bytes),)
    s.emitter.put_access(touches, row, s.destination(statement.result), address, *data, offset=offset)
    _acquire(s, Atomic.of(statement), row)


def _release(s: Selection, atomic: Atomic) -> None:
    if atomic.order not in RELEASING and atomic.order != WAITS:
        return
    target = s.emitter.target
    if atomic.scope == "agent" and atomic.order != WAITS:
        for operation in target.agent_order.release:
            s.emitter.put(operation.operation, **dict(operation.modifiers))
    is_global = atomic.scope == "agent" or target.workgroup_order is not None
    _wait(s, _LDS_EVENTS | _GLOBAL_EVENTS if is_global else _LDS_EVENTS)


def _acquire(s: Selection, atomic: Atomic, row: Row) -> None:
    """Once the operation itself is done, the caches forget."""
    if atomic.order not in ACQUIRING:
        return
    target = s.emitter.target
    order = target.workgroup_order
    _wait(s, frozenset(row.events))
    if atomic.scope == "agent":
        for operation in target.agent_order.acquire:
            s.emitter.put(operation.operation, **dict(operation.modifiers))
    elif order is not None:
        s.emitter.put(order.acquire, **dict(order.modifiers))


def _wait(s: Selection, events: frozenset[Event]) -> None:
    """Until accesses of these kinds are done; `drop_idle_waits` takes out the waits that nothing needs."""
    counters = (counter for counter in s.emitter.target.counters if not counter.events.isdisjoint(events))
    for wait in waits_for(s.emitter.table, {counter.name: 0 for counter in counters}, s.emitter.origin):
        s.emitter.block.instructions.append(replace(wait.instr, comment="order of memory"))
