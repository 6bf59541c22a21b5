"""Loads and stores of lanes, decoded once to a closure on `Waves`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from isa.emulator.operands.modifiers import number
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Step, Waves
from isa.emulator.steps.memory.access import locator
from isa.emulator.steps.memory.addressing import named, reaches_all
from isa.emulator.steps.memory.data import (
    clear,
    data_name,
    data_readers,
    define_row,
    extended,
    fetch,
    gather,
    lane_words,
    put,
    scatter,
)
from isa.instruction import Instr
from isa.semantics.accesses import Half, Load, PairLoad, PairStore, Store


def load_step(instr: Instr, load: Load, layout: RegisterLayout) -> Step:
    locate, row, size = locator(instr, layout, load.size), define_row(instr, layout), load.size
    words = max(1, size // 4)
    bounded = named(instr, "srsrc") is not None

    def wide(w: Waves) -> None:
        place = locate(w, size, False, 0)
        if words > 1 and not reaches_all(w, place):
            by_dwords(w)
            return
        w.watch.loaded(w, place, size)
        if bounded:
            clear(w, row, words)
        fetch(w, row, place, size)

    def by_dwords(w: Waves) -> None:
        """A buffer's dwords are in range or not each for itself."""
        places = [locate(w, 4, False, 4 * i) for i in range(words)]
        clear(w, row, words)
        for i, place in enumerate(places):
            w.watch.loaded(w, place, 4)
            put(w, row + i, place.lanes, gather(place.store, place.indexes, 4)[:, 0])

    def narrow(w: Waves) -> None:
        place = locate(w, size, False, 0)
        w.watch.loaded(w, place, size)
        if bounded and load.half is None:
            clear(w, row, 1)
        values = extended(place, load)
        if load.half is not None:
            values = _into_half(w, row, place.lanes, values, load.half)
        put(w, row, place.lanes, values)

    return wide if size >= 4 else narrow


def _into_half(w: Waves, row: int, lanes: NDArray[np.intp] | None, values: Any, half: Half) -> Any:
    """Sixteen bits in a half of the register, with the other half unchanged."""
    old = w.rows[row].reshape(-1)
    old = old if lanes is None else old[lanes]
    if half is Half.HIGH:
        return (old & np.uint32(0xFFFF)) | (values << np.uint32(16))
    return (old & np.uint32(0xFFFF0000)) | (values & np.uint32(0xFFFF))


def store_step(instr: Instr, store: Store, layout: RegisterLayout) -> Step:
    locate, size = locator(instr, layout, store.size), store.size
    readers = data_readers(instr, data_name(instr), layout)
    shift = np.uint32(16 if store.half is Half.HIGH else 0)

    def wide(w: Waves) -> None:
        place = locate(w, size, True, 0)
        if size > 4 and not reaches_all(w, place):
            by_dwords(w)
            return
        values = lane_words(w, readers, place.lanes)
        w.watch.stored(w, place, size, values)
        scatter(place.store, place.indexes, size, values)

    def by_dwords(w: Waves) -> None:
        """A buffer's dwords are in range or not each for itself."""
        for i, reader in enumerate(readers):
            place = locate(w, 4, True, 4 * i)
            values = lane_words(w, [reader], place.lanes)
            w.watch.stored(w, place, 4, values)
            scatter(place.store, place.indexes, 4, values)

    def narrow(w: Waves) -> None:
        place = locate(w, size, True, 0)
        values = lane_words(w, readers, place.lanes)[:, 0] >> shift
        w.watch.stored(w, place, size, values[:, None])
        if size == 1:
            place.store[place.indexes] = values.astype(np.uint8)
        else:
            place.store[place.indexes[:, None] + np.arange(2)] = values.astype(np.uint16)[:, None].view(
                np.uint8
            )

    return wide if size >= 4 else narrow


def pair_load_step(instr: Instr, load: PairLoad, layout: RegisterLayout) -> Step:
    locate, row, words = locator(instr, layout), define_row(instr, layout), load.size // 4
    offsets = [number(instr, name) * load.stride for name in ("offset0", "offset1")]

    def step(w: Waves) -> None:
        places = [locate(w, load.size, False, offset) for offset in offsets]
        for place in places:
            w.watch.loaded(w, place, load.size)
        for k, place in enumerate(places):
            fetch(w, row + k * words, place, load.size)

    return step


def pair_store_step(instr: Instr, store: PairStore, layout: RegisterLayout) -> Step:
    locate = locator(instr, layout)
    parts = [
        (number(instr, offset) * store.stride, data_readers(instr, data, layout))
        for offset, data in (("offset0", "data0"), ("offset1", "data1"))
    ]

    def step(w: Waves) -> None:
        for offset, readers in parts:
            place = locate(w, store.size, True, offset)
            values = lane_words(w, readers, place.lanes)
            w.watch.stored(w, place, store.size, values)
            scatter(place.store, place.indexes, store.size, values)

    return step
