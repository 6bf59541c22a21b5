"""Instructions that change memory and return its previous value, decoded once to a closure on `Waves`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isa.emulator.operands.modifiers import number
from isa.emulator.operands.operands import scalar_reader
from isa.emulator.state.footprint import Indexes
from isa.emulator.state.global_memory import MemoryFault
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Step, Waves
from isa.emulator.steps.memory.access import lds_place, locator
from isa.emulator.steps.memory.addressing import named
from isa.emulator.steps.memory.data import (
    data_name,
    data_readers,
    define_row,
    gather,
    lane_words,
    put,
    scatter,
)
from isa.instruction import Instr
from isa.registers import M0
from isa.semantics.accesses import AtomicUpdate, DataOrder, Denormals, LaneCount, PairExchange
from isa.semantics.float_atomics import FLUSHES_SOURCES, KEEPS


def pair_exchange_step(instr: Instr, what: PairExchange, layout: RegisterLayout) -> Step:
    """Lanes act in lane order; both values before are the result."""
    locate, row, words = locator(instr, layout), define_row(instr, layout), what.size // 4
    offsets = [number(instr, name) * what.stride for name in ("offset0", "offset1")]
    readers = [data_readers(instr, name, layout) for name in ("data0", "data1")]

    def step(w: Waves) -> None:
        places = [locate(w, what.size, True, offset) for offset in offsets]
        for place in places:
            w.watch.updated(w, place, what.size)
        values = [lane_words(w, part, place.lanes) for part, place in zip(readers, places, strict=True)]
        old = np.empty((2, len(places[0].indexes), words), np.uint32)
        for lane in range(old.shape[1]):
            at = [place.indexes[lane : lane + 1] for place in places]
            for k in range(2):
                old[k, lane] = gather(places[k].store, at[k], what.size)[0]
            for k in range(2):
                scatter(places[k].store, at[k], what.size, values[k][lane : lane + 1])
        for k, place in enumerate(places):
            for i in range(words):
                put(w, row + k * words + i, place.lanes, old[k, :, i])

    return step


def lane_count_step(instr: Instr, what: LaneCount, layout: RegisterLayout) -> Step:
    """Waves act in order; every active lane gets the value before its wave's."""
    row, offset, base = define_row(instr, layout), number(instr, "offset"), scalar_reader(M0, "u32", layout)

    def step(w: Waves) -> None:
        first = w.active_lanes() & (np.cumsum(w.active_lanes(), axis=1) == 1)
        lanes = np.flatnonzero(first)
        addresses = ((base(w) >> np.uint32(16)).astype(np.int64) + offset)[lanes // w.lanes]
        place = lds_place(w, addresses, lanes, 4)
        w.watch.updated(w, place, 4)
        cells, counts = place.store.view(np.uint32), w.active_lanes().sum(axis=1)
        old = np.zeros(w.width, np.uint32)
        for at, wave in zip(place.indexes // 4, lanes // w.lanes, strict=True):
            old[wave] = cells[at]
            cells[at] = np.uint32((int(old[wave]) + what.sign * int(counts[wave])) & 0xFFFFFFFF)
        w.write_row(row, old[:, None])

    return step


def atomic_step(instr: Instr, atomic: AtomicUpdate, layout: RegisterLayout) -> Step:
    """Lanes act in lane order; the location's value before each lane's update is that lane's result."""
    locate, size, name = locator(instr, layout), atomic.size, data_name(instr)
    readers = data_readers(instr, name, layout)
    if named(instr, "data1"):
        second = data_readers(instr, "data1", layout)
        readers = second + readers if atomic.order is DataOrder.COMPARE_FIRST else readers + second
    row = define_row(instr, layout) if instr.row.defines else -1
    dtype, update = np.dtype(atomic.dtype), _updates(atomic, layout)

    def step(w: Waves) -> None:
        place = locate(w, size, True, 0)
        if not place.indexes.size:
            return
        w.watch.updated(w, place, size)
        wrong = np.flatnonzero(place.indexes & (size - 1))
        if len(wrong):
            raise MemoryFault(f"an atomic of {size} bytes is not aligned to its size", int(wrong[0]), wrong)
        cells = place.store.view(dtype)
        data = np.ascontiguousarray(lane_words(w, readers, place.lanes)).view(dtype)
        indexes = place.indexes // dtype.itemsize
        if row < 0 and atomic.scatter is not None:
            atomic.scatter.at(cells, indexes, data[:, 0])
            return
        old = _update(cells, indexes, data, atomic, update(w))
        if row >= 0:
            words = np.ascontiguousarray(old).view(np.uint32).reshape(len(indexes), -1)
            for i in range(words.shape[1]):
                put(w, row + i, place.lanes, words[:, i])

    return step


def _updates(atomic: AtomicUpdate, layout: RegisterLayout) -> Callable[[Waves], Callable[..., Any]]:
    """The update that waves perform; their MODE may decide on denormals."""
    if atomic.denormals is None:
        return lambda w: atomic.update
    if atomic.denormals is Denormals.MODE:
        return lambda w: partial(atomic.update, w.mode)
    flushes = atomic.denormals is Denormals.MEMORY and layout.target.memory_sums_flush
    fixed = partial(atomic.update, FLUSHES_SOURCES if flushes else KEEPS)
    return lambda w: fixed


def _update(cells: Any, indexes: Indexes, data: Any, atomic: AtomicUpdate, update: Callable[..., Any]) -> Any:
    """Apply the update lane by lane for lanes that share a location, all at once for those that do not."""
    width = 2 if atomic.pair else 1
    old = np.empty((len(indexes), width), cells.dtype)
    for lanes in _rounds(indexes):
        at = indexes[lanes]
        for part in range(width):
            before = cells[at + part]
            old[lanes, part] = before
            operands = (
                (data[lanes, part],) if atomic.order is DataOrder.SINGLE else (data[lanes, 0], data[lanes, 1])
            )
            cells[at + part] = update(before, *operands)
    return old


def _rounds(indexes: Indexes) -> list[NDArray[np.intp]]:
    """Lanes in rounds: in each every location occurs once, and a location's lanes keep their order."""
    order = np.argsort(indexes, kind="stable")
    ordered = indexes[order]
    fresh = np.ones(len(order), np.bool_)
    fresh[1:] = ordered[1:] != ordered[:-1]
    if fresh.all():
        return [np.arange(len(indexes))]
    starts = np.flatnonzero(fresh)
    rank = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    by_rank = np.argsort(rank, kind="stable")
    return np.split(order[by_rank], np.cumsum(np.bincount(rank))[:-1])
