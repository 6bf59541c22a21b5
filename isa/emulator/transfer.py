"""Loads, stores and atomics, decoded once to a closure on `Waves`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from isa.constants import BITS, SIGNED_FIELDS
from isa.diagnostics import InternalError
from isa.emulator.access import Indexes, Locate, Place, lds_place, locator, named
from isa.emulator.layout import Layout
from isa.emulator.memory import MemoryFault
from isa.emulator.modifiers import number
from isa.emulator.operands import Reader, scalar_reader, scalar_source, scalar_writer, source_reader
from isa.emulator.reports import refusal
from isa.emulator.waves import Waves
from isa.instruction import Immediate, Instr, OperandSpec
from isa.registers import M0, NULL, Register
from isa.semantics.cross import LdsExchange, swizzle_lanes
from isa.semantics.memory import Atomic, DataOrder, Half, LaneCount, LdsDma, Load, PairExchange, PairLoad, PairStore, ScalarLoad, Store

Step = Callable[[Waves], None]


class Watch(Protocol):
    """What the sanitizer wants to see of memory accesses; it raises where one is wrong."""

    def loaded(self, w: Waves, place: Place, size: int) -> None: ...
    def stored(self, w: Waves, place: Place, size: int) -> None: ...
    def updated(self, w: Waves, place: Place, size: int) -> None: ...
    def read_scalar(self, w: Waves, indexes: Indexes, size: int) -> None: ...


class NoWatch:
    """Looks at nothing."""

    def loaded(self, w: Waves, place: Place, size: int) -> None:
        pass

    stored = updated = loaded

    def read_scalar(self, w: Waves, indexes: Indexes, size: int) -> None:
        pass


def gather(store: NDArray[np.uint8], indexes: Indexes, size: int) -> NDArray[np.uint32]:
    """uint32[lane, word]: `size` bytes (a multiple of 4) at each index, by the widest access that all alignments allow."""
    words = size // 4
    low_bits = int(np.bitwise_or.reduce(indexes)) if indexes.size else 0
    if size == 16 and not low_bits & 15 and not store.size & 15:
        return store.view(np.uint32).reshape(-1, 4).take(indexes >> 4, axis=0)
    if size == 8 and not low_bits & 7 and not store.size & 7:
        return store.view(np.uint64).take(indexes >> 3).view(np.uint32).reshape(-1, 2)
    if not low_bits & 3 and not store.size & 3:
        first = indexes >> 2
        words32 = store.view(np.uint32)
        if words == 1:
            return words32.take(first)[:, None]
        return words32.take(first[:, None] + np.arange(words))
    return store.take(indexes[:, None] + np.arange(size)).view(np.uint32)


def scatter(store: NDArray[np.uint8], indexes: Indexes, size: int, values: NDArray[np.uint32]) -> None:
    """The reverse of `gather`; where lanes collide the last one stays."""
    low_bits = int(np.bitwise_or.reduce(indexes)) if indexes.size else 0
    if size == 16 and not low_bits & 15 and not store.size & 15:
        store.view(np.uint32).reshape(-1, 4)[indexes >> 4] = values
    elif not low_bits & 3 and not store.size & 3:
        words32 = store.view(np.uint32)
        first = indexes >> 2
        for i in range(size // 4):
            words32[first + i] = values[:, i]
    else:
        store[indexes[:, None] + np.arange(size)] = np.ascontiguousarray(values).view(np.uint8).reshape(-1, size)


def _define(instr: Instr, layout: Layout) -> int:
    """The first row of the destination."""
    operand = instr.operands[instr.row.defines[0]]
    assert isinstance(operand, Register)
    return layout.row(operand.first)


def _put(w: Waves, row: int, lanes: NDArray[np.intp] | None, values: Any) -> None:
    """Values of the accessed lanes into a register."""
    if lanes is None:
        w.u32[row, w.select] = values.reshape(w.width, w.lanes)
        return
    current = np.ascontiguousarray(w.u32[row, w.select])
    current.reshape(-1)[lanes] = values
    w.u32[row, w.select] = current


def _clear(w: Waves, row: int, count: int) -> None:
    """0 in the active lanes: what a buffer load out of range gives."""
    for i in range(count):
        w.write_row(row + i, np.uint32(0))


def load_step(instr: Instr, load: Load, layout: Layout, watch: Watch) -> Step:
    locate, row, size = locator(instr, layout), _define(instr, layout), load.size
    words = max(1, size // 4)
    bounded = named(instr, "srsrc") is not None

    def wide(w: Waves) -> None:
        place = locate(w, size, False, 0)
        watch.loaded(w, place, size)
        if bounded:
            _clear(w, row, words)
        values = gather(place.store, place.indexes, size)
        for i in range(words):
            _put(w, row + i, place.lanes, values[:, i])

    def narrow(w: Waves) -> None:
        place = locate(w, size, False, 0)
        watch.loaded(w, place, size)
        if bounded and load.half is None:
            _clear(w, row, 1)
        values = _extended(place, load)
        if load.half is not None:
            values = _into_half(w, row, place.lanes, values, load.half)
        _put(w, row, place.lanes, values)

    return wide if size >= 4 else narrow


def _extended(place: Place, load: Load) -> NDArray[np.uint32]:
    """Bytes or halves of memory as 32 bits."""
    if load.size == 1:
        raw = place.store.take(place.indexes)
    else:
        raw = place.store.take(place.indexes[:, None] + np.arange(2)).view(np.uint16)[:, 0]
    return raw.view(f"i{load.size}").astype(np.int32).view(np.uint32) if load.signed else raw.astype(np.uint32)


def _into_half(w: Waves, row: int, lanes: NDArray[np.intp] | None, values: Any, half: Half) -> Any:
    """Sixteen bits put into one half of what the register holds."""
    old = np.ascontiguousarray(w.u32[row, w.select]).reshape(-1)
    old = old if lanes is None else old[lanes]
    if half is Half.HIGH:
        return (old & np.uint32(0xFFFF)) | (values << np.uint32(16))
    return (old & np.uint32(0xFFFF0000)) | (values & np.uint32(0xFFFF))


def _data_readers(instr: Instr, name: str, layout: Layout) -> list[Reader]:
    """One reader per 32-bit unit of a data operand."""
    found = named(instr, name)
    if found is None or not isinstance(found[0], Register):
        raise InternalError("emulator", instr.row.mnemonic, f"{name} is not a register")
    spec = OperandSpec(name, found[1].role, found[1].kinds, "u32")
    return [source_reader(Register(unit), spec, layout) for unit in found[0].units]


def _data_name(instr: Instr) -> str:
    """The data operand: `vdata` of memory, `data0` of LDS, `data` where a result takes the place of the data."""
    for name in ("vdata", "data0", "data"):
        if named(instr, name):
            return name
    raise InternalError("emulator", instr.row.mnemonic, "the row has no data operand")


def _values(w: Waves, readers: list[Reader], lanes: NDArray[np.intp] | None) -> NDArray[np.uint32]:
    """uint32[lane, word] of the accessed lanes."""
    result = np.empty((w.width * w.lanes if lanes is None else len(lanes), len(readers)), np.uint32)
    for i, read in enumerate(readers):
        flat = np.ascontiguousarray(read(w)).reshape(-1)
        result[:, i] = flat if lanes is None else flat[lanes]
    return result


def store_step(instr: Instr, store: Store, layout: Layout, watch: Watch) -> Step:
    locate, size = locator(instr, layout), store.size
    readers = _data_readers(instr, _data_name(instr), layout)
    shift = np.uint32(16 if store.half is Half.HIGH else 0)

    def wide(w: Waves) -> None:
        place = locate(w, size, True, 0)
        watch.stored(w, place, size)
        scatter(place.store, place.indexes, size, _values(w, readers, place.lanes))

    def narrow(w: Waves) -> None:
        place = locate(w, size, True, 0)
        watch.stored(w, place, size)
        values = _values(w, readers, place.lanes)[:, 0] >> shift
        if size == 1:
            place.store[place.indexes] = values.astype(np.uint8)
        else:
            place.store[place.indexes[:, None] + np.arange(2)] = values.astype(np.uint16)[:, None].view(np.uint8)

    return wide if size >= 4 else narrow


def pair_load_step(instr: Instr, load: PairLoad, layout: Layout, watch: Watch) -> Step:
    locate, row, words = locator(instr, layout), _define(instr, layout), load.size // 4
    offsets = [number(instr, name) * load.stride for name in ("offset0", "offset1")]

    def step(w: Waves) -> None:
        places = [locate(w, load.size, False, offset) for offset in offsets]
        for place in places:
            watch.loaded(w, place, load.size)
        results = [gather(place.store, place.indexes, load.size) for place in places]
        for k, place in enumerate(places):
            for i in range(words):
                _put(w, row + k * words + i, place.lanes, results[k][:, i])

    return step


def pair_store_step(instr: Instr, store: PairStore, layout: Layout, watch: Watch) -> Step:
    locate = locator(instr, layout)
    parts = [
        (number(instr, offset) * store.stride, _data_readers(instr, data, layout)) for offset, data in (("offset0", "data0"), ("offset1", "data1"))
    ]

    def step(w: Waves) -> None:
        for offset, readers in parts:
            place = locate(w, store.size, True, offset)
            watch.stored(w, place, store.size)
            scatter(place.store, place.indexes, store.size, _values(w, readers, place.lanes))

    return step


def pair_exchange_step(instr: Instr, what: PairExchange, layout: Layout, watch: Watch) -> Step:
    """Lanes act in lane order; both values before are the result."""
    locate, row, words = locator(instr, layout), _define(instr, layout), what.size // 4
    offsets = [number(instr, name) * what.stride for name in ("offset0", "offset1")]
    readers = [_data_readers(instr, name, layout) for name in ("data0", "data1")]

    def step(w: Waves) -> None:
        places = [locate(w, what.size, True, offset) for offset in offsets]
        for place in places:
            watch.updated(w, place, what.size)
        values = [_values(w, part, place.lanes) for part, place in zip(readers, places, strict=True)]
        old = np.empty((2, len(places[0].indexes), words), np.uint32)
        for lane in range(old.shape[1]):
            at = [place.indexes[lane : lane + 1] for place in places]
            for k in range(2):
                old[k, lane] = gather(places[k].store, at[k], what.size)[0]
            for k in range(2):
                scatter(places[k].store, at[k], what.size, values[k][lane : lane + 1])
        for k, place in enumerate(places):
            for i in range(words):
                _put(w, row + k * words + i, place.lanes, old[k, :, i])

    return step


def lane_count_step(instr: Instr, what: LaneCount, layout: Layout, watch: Watch) -> Step:
    """Waves act in order; every active lane gets the value before its wave's."""
    row, offset, base = _define(instr, layout), number(instr, "offset"), scalar_reader(M0, "u32", layout)

    def step(w: Waves) -> None:
        first = w.active_lanes() & (np.cumsum(w.active_lanes(), axis=1) == 1)
        lanes = np.flatnonzero(first)
        addresses = ((base(w) >> np.uint32(16)).astype(np.int64) + offset)[lanes // w.lanes]
        place = lds_place(w, addresses, lanes, 4)
        watch.updated(w, place, 4)
        cells, counts = place.store.view(np.uint32), w.active_lanes().sum(axis=1)
        old = np.zeros(w.width, np.uint32)
        for at, wave in zip(place.indexes // 4, lanes // w.lanes, strict=True):
            old[wave] = cells[at]
            cells[at] = np.uint32((int(old[wave]) + what.sign * int(counts[wave])) & 0xFFFFFFFF)
        w.write_row(row, old[:, None])

    return step


def atomic_step(instr: Instr, atomic: Atomic, layout: Layout, watch: Watch) -> Step:
    """Lanes act in lane order; the location's value before each lane's update is that lane's result."""
    locate, size, name = locator(instr, layout), atomic.size, _data_name(instr)
    readers = _data_readers(instr, name, layout)
    if named(instr, "data1"):
        second = _data_readers(instr, "data1", layout)
        readers = second + readers if atomic.order is DataOrder.COMPARE_FIRST else readers + second
    row = _define(instr, layout) if instr.row.defines else -1
    dtype = np.dtype(atomic.dtype)

    def step(w: Waves) -> None:
        place = locate(w, size, True, 0)
        if not place.indexes.size:
            return
        watch.updated(w, place, size)
        if np.any(place.indexes & (size - 1)):
            raise MemoryFault(f"an atomic of {size} bytes is not aligned to its size", int(np.argmax(place.indexes & (size - 1) != 0)))
        cells = place.store.view(dtype)
        data = np.ascontiguousarray(_values(w, readers, place.lanes)).view(dtype)
        indexes = place.indexes // dtype.itemsize
        if row < 0 and atomic.scatter is not None:
            atomic.scatter.at(cells, indexes, data[:, 0])
            return
        old = _update(cells, indexes, data, atomic)
        if row >= 0:
            words = np.ascontiguousarray(old).view(np.uint32).reshape(len(indexes), -1)
            for i in range(words.shape[1]):
                _put(w, row + i, place.lanes, words[:, i])

    return step


def _update(cells: Any, indexes: Indexes, data: Any, atomic: Atomic) -> Any:
    """Apply the update lane by lane for lanes that share a location, all at once for those that do not."""
    width = 2 if atomic.pair else 1
    old = np.empty((len(indexes), width), cells.dtype)
    for lanes in _rounds(indexes):
        at = indexes[lanes]
        for part in range(width):
            before = cells[at + part]
            old[lanes, part] = before
            operands = (data[lanes, part],) if atomic.order is DataOrder.SINGLE else (data[lanes, 0], data[lanes, 1])
            cells[at + part] = atomic.update(before, *operands)
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


def scalar_load_step(instr: Instr, load: ScalarLoad, layout: Layout, watch: Watch) -> Step:
    """s_load_*: an address per wave, dword-aligned for whole dwords; s_buffer_load_* takes its base from a resource, and reads
    0 in place of a dword that is not in its records."""
    operands, specs = instr.operands, instr.row.operands
    base, target = operands[1], operands[0]
    assert isinstance(base, Register) and isinstance(target, Register)
    address = scalar_reader(Register(base.first, 2), "u64", layout)
    offset = operands[2]
    move = None if isinstance(offset, Immediate) else scalar_source(offset, specs[2], layout)
    fixed = number(instr, "offset") + (_signed(offset.bits, specs[2].type) if isinstance(offset, Immediate) else 0)
    units = target.units if target != NULL else range(target.first, target.first + max(1, load.size // 4))
    writers = [scalar_writer(Register(unit) if target != NULL else NULL, layout) for unit in units]
    alignment = ~np.int64(min(load.size, 4) - 1)
    fetch = _buffer_words(base, load, layout, watch) if base.count == 4 else _scalar_words(load, watch)

    def step(w: Waves) -> None:
        start = address(w).astype(np.int64)
        move_by = np.full(w.width, fixed, np.int64) if move is None else move(w).astype(np.int64) + fixed
        values = fetch(w, start, move_by & alignment if base.count == 4 else start + move_by & alignment)
        for i, write in enumerate(writers):
            write(w, values[:, i])

    return step


ScalarWords = Callable[[Waves, Any, Any], NDArray[np.uint32]]


def _scalar_words(load: ScalarLoad, watch: Watch) -> ScalarWords:
    """uint32[wave, word] at addresses."""

    def fetch(w: Waves, start: Any, addresses: Any) -> NDArray[np.uint32]:
        indexes = w.memory.locate(addresses.view(np.uint64), load.size, False)
        watch.read_scalar(w, indexes, load.size)
        if load.size < 4:
            return _extended(Place(w.memory.arena, indexes, None), Load(load.size, load.signed))[:, None]
        return gather(w.memory.arena, indexes, load.size)

    return fetch


def _buffer_words(resource: Register, load: ScalarLoad, layout: Layout, watch: Watch) -> ScalarWords:
    """uint32[wave, word] at offsets into a buffer, a word at a time."""
    high, records = (scalar_reader(Register(resource.first + i), "u32", layout) for i in (1, 2))
    size = min(load.size, 4)
    one = ScalarLoad(size, load.signed)
    words = _scalar_words(one, watch)

    def fetch(w: Waves, start: Any, offsets: Any) -> NDArray[np.uint32]:
        stride = (high(w) >> np.uint32(16) & np.uint32(0x3FFF)).astype(np.int64)
        reach = records(w).astype(np.int64) * np.where(stride == 0, 1, stride)
        result = np.zeros((w.width, max(1, load.size // 4)), np.uint32)
        for i in range(result.shape[1]):
            at = offsets + 4 * i
            inside = (at >= 0) & (at + size <= reach)
            if inside.any():
                result[inside, i] = words(w, start, ((start & 0xFFFFFFFFFFFF) + at)[inside])[:, 0]
        return result

    return fetch


def _signed(bits: int, type_name: str) -> int:
    """An immediate offset as a number."""
    width = BITS[type_name]
    bits &= (1 << width) - 1
    return bits - (1 << width) if type_name in SIGNED_FIELDS and bits >> (width - 1) else bits


_TIME_MESSAGE = 0x83  # MSG_RTN_GET_REALTIME


def clock_step(instr: Instr, layout: Layout) -> Step:
    target = instr.operands[0]
    assert isinstance(target, Register)
    if any(isinstance(operand, Immediate) and operand.bits != _TIME_MESSAGE for operand in instr.operands):
        raise refusal(instr, "a message other than the one that asks for the time is not modelled")
    write = scalar_writer(target, layout)

    def step(w: Waves) -> None:
        w.clock += 4
        write(w, np.full(w.width, w.clock, np.uint64))

    return step


def lds_exchange_step(instr: Instr, what: LdsExchange, layout: Layout) -> Step:
    """ds_bpermute, ds_permute (addresses in a VGPR, plus the offset) and ds_swizzle (a fixed pattern)."""
    row = _define(instr, layout)
    address = named(instr, "addr")
    assert address is not None
    first = source_reader(address[0], address[1], layout)
    if named(instr, "data0") is None:
        pattern = number(instr, "offset")
        if pattern >= 0xE000:
            raise refusal(instr, "the FFT patterns are not modelled")
        lanes = swizzle_lanes(pattern, layout.lanes)[None, :]

        def swizzle(w: Waves) -> None:
            w.write_row(row, what.call(np.broadcast_to(lanes, (w.width, w.lanes)), first(w), w.active_lanes()))

        return swizzle
    (data,) = _data_readers(instr, "data0", layout)
    offset = np.uint32(number(instr, "offset"))
    reach = layout.lanes if layout.target.wave_wide_bpermute else 32

    def exchange(w: Waves) -> None:
        """Groups of `reach` lanes exchange among themselves."""
        parts = [x.reshape(-1, reach) for x in (np.ascontiguousarray(first(w) + offset), np.ascontiguousarray(data(w)), w.active_lanes())]
        w.write_row(row, what.call(*parts).reshape(w.width, w.lanes))

    return exchange


def lds_dma_step(instr: Instr, what: LdsDma, layout: Layout, watch: Watch) -> Step:
    """Memory to LDS: each lane's bytes go to M0's base + the immediate + lane times their size, bytes and halves extended to a dword."""
    locate = locator(instr, layout)
    base = scalar_reader(M0, "u32", layout)
    offset, width = number(instr, "offset"), max(what.size, 4)

    def step(w: Waves) -> None:
        source = locate(w, what.size, False, 0)
        watch.loaded(w, source, what.size)
        lane = base(w).astype(np.int64)[:, None] + offset + width * np.arange(w.lanes)
        flat = np.broadcast_to(lane, (w.width, w.lanes)).reshape(-1)
        target = lds_place(w, flat if source.lanes is None else flat[source.lanes], source.lanes, width)
        watch.stored(w, target, width)
        narrow = what.size < 4
        values = _extended(source, Load(what.size, what.signed))[:, None] if narrow else gather(source.store, source.indexes, width)
        scatter(target.store, target.indexes, width, values)

    return step


__all__ = [
    "Locate", "NoWatch", "Step", "Watch", "atomic_step", "clock_step", "lane_count_step", "lds_dma_step", "lds_exchange_step", "load_step",
    "pair_exchange_step", "pair_load_step", "pair_store_step", "scalar_load_step", "store_step",
]  # fmt: skip
