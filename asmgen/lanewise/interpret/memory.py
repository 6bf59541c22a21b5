"""Accesses of buffers and LDS by a lanewise module, as `asmgen.lanewise.interpret.run` runs them."""

from __future__ import annotations

import numpy as np

from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.program import Statement, Value
from asmgen.ir.types import LaneType
from asmgen.lanewise.interpret.state import Array, Run
from asmgen.lanewise.records import Access, Atomic, Touched, instruction_of, size_of, slots_of
from asmgen.lanewise.transposes import transpose_row, transposed
from isa.diagnostics import InternalError

_ATOMICS: dict[str, np.ufunc] = {
    "add": np.add, "min": np.fmin, "max": np.fmax, "and": np.bitwise_and, "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}  # fmt: skip


def load(run: Run, statement: Statement) -> None:
    memory, index = _access(run, statement)
    loaded = memory[index]
    assert isinstance(statement.result.type, LaneType)
    run.define(statement.result, loaded if statement.result.type.lanes > 1 else loaded[:, 0])


def transpose_load(run: Run, statement: Statement) -> None:
    """Every wave takes part or none does."""
    assert run.table is not None, "a module with such loads is run by the table that has them"
    memory, index = _access(run, statement)
    row = transpose_row(run.table, instruction_of(statement))
    assert row is not None, "the rules have checked the name"
    run.define(statement.result, transposed(memory[index], row))


def store(run: Run, statement: Statement) -> None:
    memory, index = _access(run, statement)
    value = run.values[statement.operands[2]].reshape(run.items, -1)
    memory[index[run.mask]] = value[run.mask]


def load_to_lds(run: Run, statement: Statement) -> None:
    """The copy is made at once; items that take no part write nothing."""
    buffer, base, lds, place, *masked = statement.operands
    memory, local, size = run.values[buffer], run.values[lds], size_of(statement)
    inside = run.mask & run.values[masked[0]] if masked else run.mask
    each = np.arange(size)
    read = run.values[base].astype(np.int64)[:, None] + each
    lane = np.arange(run.items) % run.group_size % run.wave
    written = run.values[place].astype(np.int64)[:, None] + (size * lane)[:, None] + each
    for index, limit, taken, name in (
        (read, memory.shape[-1], inside, buffer.name),
        (written, local.shape[-1], run.mask, lds.name),
    ):
        outside = ((index < 0) | (index >= limit)).any(axis=1) & taken
        if outside.any():
            at = index[int(np.flatnonzero(outside)[0])]
            what = f"{statement.op.name}: an item is at {at} of {name}, which has {limit} elements"
            raise InternalError("interpret", str(statement.place or statement.op.name), what)
    _check_touched(run, statement, lds, written[:, 0])
    value = np.where(inside[:, None], memory[np.where(inside[:, None], read, 0)], memory.dtype.type(0))
    group = np.arange(run.items) // run.group_size
    local[group[run.mask][:, None], written[run.mask]] = value[run.mask]


def _access(run: Run, statement: Statement) -> tuple[Array, Array]:
    """The memory, and the index of every element that an item touches; 0 for items that take no part."""
    buffer, base = statement.operands[:2]
    memory = run.values[buffer]
    size, offset = Access.of(statement)
    index = run.values[base].astype(np.int64)[:, None] + offset // buffer.type.element.bytes + np.arange(size)
    limit = memory.shape[-1]  # LDS has a row for each workgroup, scratch for each item
    outside = ((index < 0) | (index >= limit)).any(axis=1) & run.mask
    if outside.any():
        item = int(np.flatnonzero(outside)[0])
        what = (
            f"{statement.op.name}: item {item} is at {index[item]} of {buffer.name}, which has "
            f"{limit} elements"
        )
        raise InternalError("interpret", str(statement.place or statement.op.name), what)
    _check_touched(run, statement, buffer, index[:, 0])
    index = np.where(run.mask[:, None], index, 0)
    if memory.ndim == 2:
        index = index + (np.arange(run.items) // (run.items // memory.shape[0]) * limit)[:, None]
        memory = memory.reshape(-1)
    return memory, index


def _check_touched(run: Run, statement: Statement, buffer: Value, index: Array) -> None:
    """`InternalError` if an active item touches other bytes than the statement says."""
    if "bytes" not in statement.attributes:
        return
    touched = Touched.of(statement)
    slot = touched.slot.evaluate(run.numbers(touched.slot), run.zero)
    count, elements = run.slots.get(buffer, (1, 0))
    size = buffer.type.element.bytes
    within = index * size - slot * (elements * size)
    wrong = (slot < 0) | (slot >= count) | (within < 0) | ((within >= elements * size) & (elements > 0))
    if touched.bytes:
        first, last, step, spread = touched.bytes
        from_first = within - touched.at.evaluate(run.numbers(touched.at), run.zero) - first
        wrong = wrong | (from_first < 0) | (from_first > last - first + spread)
        wrong = wrong | ((from_first % step > spread) & (from_first < last - first))
    wrong = wrong & run.mask
    if wrong.any():
        item = int(np.flatnonzero(wrong)[0])
        what = (
            f"{statement.op.name}: item {item} is at byte {int(within[item])} of slot {int(slot[item])} of "
            f"{buffer.name}, wanted bytes {touched.bytes} from {touched.at.text} of slot {touched.slot.text}"
        )
        raise InternalError("interpret", str(statement.place or statement.op.name), what)


def atomic(run: Run, statement: Statement) -> None:
    """Lane after lane, in the order of their numbers."""
    memory, index = _access(run, statement)
    numbers = [run.values[operand] for operand in statement.operands[2:]]
    old = np.zeros(run.items, memory.dtype)
    for item in np.flatnonzero(run.mask):
        at = index[item, 0]
        old[item] = memory[at]
        memory[at] = _changed(statement, memory[at], *[number[item] for number in numbers])
    run.define(statement.result, old)


def atomic_load(run: Run, statement: Statement) -> None:
    memory, index = _access(run, statement)
    run.define(statement.result, memory[index[:, 0]])


def _changed(statement: Statement, old: Array, *numbers: Array) -> Array:
    """The element that an atomic operation leaves in memory, from the old element."""
    kind = Atomic.of(statement).op
    if not kind:
        expected, new = numbers
        return new if old.tobytes() == expected.tobytes() else old
    return numbers[0] if kind == "exchange" else _ATOMICS[kind](old, numbers[0])


def lds_allocate(run: Run, statement: Statement) -> None:
    size = size_of(statement)
    run.values[statement.result] = np.zeros((run.groups, size), numpy_dtype(statement.result.type.element))
    run.slots[statement.result] = slots_of(statement), size // slots_of(statement)


def scratch_allocate(run: Run, statement: Statement) -> None:
    size = size_of(statement)
    run.values[statement.result] = np.zeros((run.items, size), numpy_dtype(statement.result.type.element))
